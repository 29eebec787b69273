"""Draws checkers, dice and the cube: rays cast at true cylinders and rounded cubes, shaded under the lamp."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np

from controller.rules import Side
from controller.simulation.background import Background
from controller.simulation.camera import Array, Camera, Point3D
from controller.simulation.lighting import DISPLAY, Light
from controller.simulation.looks import Checkers, Look
from controller.simulation.scene import CheckerThing, CubeThing, DieThing, DrinkThing, Solid
from controller.simulation.textures import clouds

FINE_CHECKER = 2
FINE_CUBE = 3
"""Rays a pixel along each direction: pips and numerals are smaller than checkers."""

FACE_AXES: dict[int, tuple[float, float, float]] = {
    1: (0, 0, 1),
    6: (0, 0, -1),
    2: (0, 1, 0),
    5: (0, -1, 0),
    3: (1, 0, 0),
    4: (-1, 0, 0),
}
"""Outward direction of each face of a die that shows 1: a western die, 1-2-3 anticlockwise."""

MOST_SMEAR = 24
"""px: longer streaks are cut, they would only cost time."""

MUG = Checkers((150, 120, 70), "inlaid", (235, 235, 235), gloss=0.6)
"""How a mug is painted: the drink is its lid."""

CUBE_FACES = (2, 4, 8, 16, 32, 64)
_PIPS = {
    1: ((0.0, 0.0),),
    2: ((-1.0, -1.0), (1.0, 1.0)),
    3: ((-1.0, -1.0), (0.0, 0.0), (1.0, 1.0)),
    4: ((-1.0, -1.0), (1.0, 1.0), (-1.0, 1.0), (1.0, -1.0)),
    5: ((-1.0, -1.0), (1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (0.0, 0.0)),
    6: ((-1.0, -1.0), (1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-1.0, 0.0), (1.0, 0.0)),
}


@dataclass(frozen=True, eq=False)
class Sprite:
    """A drawn thing. left, top: px; colour: (h, w, 3) uint8, already times its cover; keep: (h, w, 3) uint8, what is
    left of the picture under it, 0 where it covers all.

    distance: cm from the camera, for the order of drawing.
    """

    left: int
    top: int
    colour: Array
    keep: Array
    distance: float


@dataclass(frozen=True, eq=False)
class Shadow:
    """left, top: px; keep: (h, w, 3) uint8, what the shadow leaves of the brightness; on: height it falls on, cm.

    over: it falls on everything (a held thing), not just on surfaces at the height `on`.
    """

    left: int
    top: int
    keep: Array
    on: float
    over: bool


@dataclass(frozen=True, eq=False)
class Studio:
    """What is needed to draw a thing: look, camera, lamp, the empty table, and textures made once."""

    look: Look
    camera: Camera
    light: Light
    background: Background
    marble: Array
    numerals: dict[int, Array]


def studio(look: Look, camera: Camera, light: Light, background: Background, seed: int) -> Studio:
    """Makes the textures that solids share."""
    rng = np.random.default_rng([seed, 12])
    marble = clouds(rng, 256, 256, 9, 9) * 0.6 + clouds(rng, 256, 256, 30, 30) * 0.7
    numerals = {value: _numeral(value) for value in CUBE_FACES}
    return Studio(look, camera, light, background, np.asarray(np.sin(marble * 2.2), np.float32), numerals)


def turned(spin: float, lean: float, bearing: float) -> Array:
    """(3, 3) float64 rotation: about the vertical by spin, then leaning by `lean` towards the direction `bearing`."""
    c, s = math.cos(spin), math.sin(spin)
    about = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])
    if lean == 0.0:
        return about
    ax, ay = -math.sin(bearing), math.cos(bearing)
    c, s = math.cos(lean), math.sin(lean)
    over = np.array(
        [
            [c + ax * ax * (1 - c), ax * ay * (1 - c), ay * s],
            [ax * ay * (1 - c), c + ay * ay * (1 - c), -ax * s],
            [-ay * s, ax * s, c],
        ]
    )
    return np.asarray(over @ about)


def face_up(axis: tuple[float, float, float]) -> Array:
    """(3, 3) rotation that brings a face's outward direction to the top."""
    x, y, z = axis
    if z > 0.5:
        return np.eye(3)
    if z < -0.5:
        return np.diag([1.0, -1.0, -1.0])
    if abs(x) > 0.5:
        return np.array([[0, 0, -x], [0, 1, 0], [x, 0, 0.0]])
    return np.array([[1, 0, 0], [0, 0, -y], [0, y, 0.0]])


@dataclass(frozen=True, eq=False)
class _Rays:
    """Rays from the camera through a patch of the picture, seen from a thing's own axes."""

    left: int
    top: int
    width: int
    height: int
    fine: int
    world: Array
    rotation: Array
    origin: Array
    local: tuple[Array, Array, Array]


def _rays(studio: Studio, centre: Array, reach: float, rotation: Array, fine: int) -> _Rays | None:
    """Rays through the picture of a ball of radius `reach` about a centre; None where that is out of the picture."""
    camera = studio.camera
    around = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * reach + centre
    seen = camera.project(around)
    low = np.maximum(np.floor(seen.min(axis=0)).astype(int), 0)
    high = np.minimum(np.ceil(seen.max(axis=0)).astype(int) + 1, camera.size)
    if (high <= low).any():
        return None
    width, height = int(high[0] - low[0]), int(high[1] - low[1])
    world = camera.rays(float(low[0]), float(low[1]), width * fine, height * fine, 1 / fine)
    inward = rotation.T.astype(np.float32)
    local = world @ inward.T
    origin = (rotation.T @ (camera.place - centre)).astype(np.float32)
    parts = (local[..., 0], local[..., 1], local[..., 2])
    return _Rays(int(low[0]), int(low[1]), width, height, fine, world, rotation, origin, parts)


def draw_solid(studio: Studio, thing: Solid) -> Sprite | None:
    """The thing as a sprite, with what stands before it cut away; None where it is out of the picture."""
    if isinstance(thing, CheckerThing):
        shape, look = studio.look.shape, studio.look
        style = look.light if thing.side is Side.LIGHT else look.dark
        return _cylinder(studio, thing, shape.radius, shape.checker_height, style)
    if isinstance(thing, DrinkThing):
        return _cylinder(studio, thing, thing.radius, thing.height, MUG)
    if isinstance(thing, DieThing):
        return _die(studio, thing)
    return _cube(studio, thing)


def _cylinder(
    studio: Studio, thing: CheckerThing | DrinkThing, radius: float, height: float, style: Checkers
) -> Sprite | None:
    foot = np.array(thing.at)
    rays = _rays(
        studio,
        foot + np.array([0, 0, height / 2]),
        max(radius * 1.04 + 0.1, math.hypot(radius, height / 2) if height > radius else 0.0),
        turned(thing.spin, thing.lean, thing.bearing),
        FINE_CHECKER,
    )
    if rays is None:
        return None
    (dx, dy, dz), (ox, oy) = rays.local, rays.origin[:2]
    oz = float(rays.origin[2]) + height / 2
    lid: Array = (height - oz) / np.minimum(dz, -1e-4)
    px, py = ox + lid * dx, oy + lid * dy
    on_lid = px * px + py * py <= radius * radius
    a, b = dx * dx + dy * dy, ox * dx + oy * dy
    inside = b * b - a * (ox * ox + oy * oy - radius * radius)
    side = (-b - np.sqrt(np.maximum(inside, 0))) / np.maximum(a, 1e-6)
    pz = oz + side * dz
    on_side = (inside > 0) & (pz >= 0) & (pz <= height) & ~on_lid
    depth = np.where(on_lid, lid, side)
    x, y = ox + depth * dx, oy + depth * dy
    z = np.where(on_lid, height, pz)
    rho = np.sqrt(x * x + y * y) / radius
    albedo, slope = _checker_stuff(studio, style, getattr(thing, "number", 0), x / radius, y / radius, rho, on_lid)
    rim = np.clip((z / height - 0.75) / 0.25, 0, 1)
    up = np.where(on_lid, 1 / np.sqrt(1 + slope * slope), 0.75 * rim**2)
    out = np.where(on_lid, slope * up, np.sqrt(np.maximum(1 - up * up, 0))) / np.maximum(rho, 1e-3)
    normal = np.stack([x / radius * out, y / radius * out, up], axis=-1)
    crevice = np.where(on_lid, 1.0, 0.72 + 0.28 * np.clip(z / height * 1.6, 0, 1))
    surface = _Surface(on_lid | on_side, depth, normal, albedo, style.gloss, 16.0, crevice)
    return _finish(studio, rays, surface, foot)


def _checker_stuff(
    studio: Studio, style: Checkers, number: int, x: Array, y: Array, rho: Array, lid: Array
) -> tuple[Array, Array]:
    """Colour (h, w, 3) and outward slope (h, w) of a checker's faces; x, y, rho as shares of its radius."""
    slope = np.clip((rho - 0.9) / 0.1, 0, 1) ** 2 * 1.6
    shade = np.where(lid, 1.0, 0.93)
    if style.style == "dished":
        slope = slope - np.where(rho < 0.72, rho * 0.28, 0) + 1.2 * np.exp(-(((rho - 0.74) / 0.035) ** 2))
    elif style.style == "ringed":
        for groove in (0.45, 0.68):
            wall = (rho - groove) / 0.045
            slope = slope - 1.6 * wall * np.exp(-wall * wall)
            shade = shade * (1 - 0.22 * np.exp(-wall * wall) * lid)
    if style.marble:
        rows = ((y * 40 + 97 + number * 37) % 255).astype(np.intp)
        columns = ((x * 40 + 61 + number * 53) % 255).astype(np.intp)
        shade = shade * (1 + 0.28 * style.marble * studio.marble[rows, columns])
    albedo = shade[..., None] * np.array(style.colour, np.float32)
    if style.style == "inlaid":
        ring = (np.clip((rho - 0.7) * 30, 0, 1) * np.clip((0.86 - rho) * 30, 0, 1) * lid)[..., None]
        albedo = albedo * (1 - ring) + np.array(style.rim, np.float32) * ring
    return np.asarray(albedo), np.asarray(slope)


def _block(rays: _Rays, half: float, round_off: float) -> tuple[Array, Array, Array, Array, Array]:
    """Where rays meet a cube cut by a ball: hit, depth, axis of the face, its sign, points (h, w, 3); local axes."""
    direction = np.stack(rays.local, axis=-1)
    safe = np.where(np.abs(direction) < 1e-6, 1e-6, direction)
    first = (-np.sign(safe) * half - rays.origin) / safe
    last = (np.sign(safe) * half - rays.origin) / safe
    enter = first.max(axis=-1)
    axis = first.argmax(axis=-1)
    leave = last.min(axis=-1)
    ball = half * round_off
    a, b = (direction * direction).sum(axis=-1), direction @ rays.origin
    inside = b * b - a * (rays.origin @ rays.origin - ball * ball)
    root = np.sqrt(np.maximum(inside, 0))
    depth = np.maximum(enter, (-b - root) / a)
    hit = (inside > 0) & (depth < np.minimum(leave, (-b + root) / a))
    sign = -np.sign(np.take_along_axis(direction, axis[..., None], axis=-1)[..., 0])
    points = rays.origin + depth[..., None] * direction
    return hit, depth, axis, sign, points


def _block_normals(points: Array, half: float) -> Array:
    """(h, w, 3) normals of a cube with softened edges."""
    steep = np.sign(points) * np.clip((np.abs(points) / half - 0.8) / 0.2, 0, 1) ** 3
    return np.asarray(steep / np.maximum(np.linalg.norm(steep, axis=-1, keepdims=True), 1e-3))


def _die(studio: Studio, thing: DieThing) -> Sprite | None:
    half = studio.look.shape.die / 2
    centre = np.array(thing.at)
    rotation = turned(thing.spin, thing.lean, thing.bearing) @ face_up(FACE_AXES[thing.value])
    rays = _rays(studio, centre, half * 1.7, rotation, FINE_CUBE)
    if rays is None:
        return None
    hit, depth, axis, sign, points = _block(rays, half, 1.42)
    owner = 0 if thing.side is Side.LIGHT else 1
    albedo = np.broadcast_to(np.array(studio.look.dice[owner], np.float32), points.shape).copy()
    ink = np.zeros(hit.shape, np.float32)
    for value, outward in FACE_AXES.items():
        k = int(np.argmax(np.abs(outward)))
        face = hit & (axis == k) & (sign == np.sign(outward[k]))
        if face.any():
            i, j = ((1, 2), (0, 2), (0, 1))[k]
            for u, v in _PIPS[value]:
                reach = np.hypot(points[..., i] - u * half * 0.5, points[..., j] - v * half * 0.5) / half
                ink = np.maximum(ink, np.clip((0.2 - reach) * 14 + 0.5, 0, 1) * face)
    albedo += ink[..., None] * (np.array(studio.look.pips[owner], np.float32) - albedo)
    surface = _Surface(hit, depth, _block_normals(points, half), albedo, 0.4, 12.0, np.ones(hit.shape))
    sprite = _finish(studio, rays, surface, centre)
    return smeared(studio, sprite, thing.at, thing.smear)


def _cube(studio: Studio, thing: CubeThing) -> Sprite | None:
    half = studio.look.shape.cube / 2
    centre = np.array(thing.at)
    face = CUBE_FACES.index(thing.value) + 1
    rotation = turned(thing.spin, thing.lean, thing.bearing) @ face_up(FACE_AXES[face])
    rays = _rays(studio, centre, half * 1.6, rotation, FINE_CUBE)
    if rays is None:
        return None
    hit, depth, axis, sign, points = _block(rays, half, 1.5)
    ink = np.zeros(hit.shape, np.float32)
    for number, outward in FACE_AXES.items():
        k = int(np.argmax(np.abs(outward)))
        on = hit & (axis == k) & (sign == np.sign(outward[k]))
        if on.any():
            upright = points[on] @ face_up(outward).T
            places = np.clip((upright[:, :2] / half + 1) / 2 * 95.99, 0, 95).astype(np.intp)
            ink[on] = studio.numerals[CUBE_FACES[number - 1]][places[:, 1], places[:, 0]]
    paper = np.array(studio.look.cube, np.float32)
    albedo = paper + ink[..., None] * (np.array(studio.look.numerals, np.float32) - paper)
    surface = _Surface(hit, depth, _block_normals(points, half), albedo, 0.3, 12.0, np.ones(hit.shape))
    return _finish(studio, rays, surface, centre)


def _numeral(value: int) -> Array:
    """(96, 96) float32 0-1: a number as it is printed on a face of the cube."""
    text = str(value)
    picture = np.zeros((384, 384), np.uint8)
    scale, weight = (9.5, 34) if len(text) == 1 else (7.2, 28)
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, weight)
    cv2.putText(
        picture, text, (192 - width // 2, 192 + height // 2), cv2.FONT_HERSHEY_SIMPLEX, scale, 255, weight, cv2.LINE_AA
    )
    return np.asarray(cv2.resize(picture, (96, 96), interpolation=cv2.INTER_AREA), np.float32) / 255


@dataclass(frozen=True)
class _Surface:
    """What rays met: hit (h, w) bool, depth (h, w), normals (h, w, 3) in the thing's own axes, albedo (h, w, 3) 0-255, how much
    light reaches it (h, w) 0-1, how glossy it is and how sharp its highlight."""

    hit: Array
    depth: Array
    normal: Array
    albedo: Array
    gloss: float
    sharpness: float
    crevice: Array


def _finish(studio: Studio, rays: _Rays, surface: _Surface, place: Array) -> Sprite:
    """Shades what the rays met and brings it to picture pixels."""
    light = studio.light
    to_lamp = light.direction(place[None])[0] @ rays.rotation
    halfway = light.halfway(place[None])[0] @ rays.rotation
    falling = (light.reference / float(np.linalg.norm(light.place - place))) ** 2
    direct = np.clip(surface.normal @ to_lamp.astype(np.float32), 0, None) * falling
    up = surface.normal @ rays.rotation[2].astype(np.float32)
    shade = (light.linear(direct, up) * surface.crevice) ** DISPLAY
    to_eye = (studio.camera.place - place) @ rays.rotation
    facing = np.clip(surface.normal @ (to_eye / np.linalg.norm(to_eye)).astype(np.float32), 0, 1)
    sheen = 60 * surface.gloss * (0.08 + (1 - facing) ** 2) * np.clip(up + 0.3, 0, 1)
    shine = surface.gloss * np.clip(surface.normal @ halfway.astype(np.float32), 0, None) ** (surface.sharpness * 4)
    solid = surface.hit.astype(np.float32)
    glint = 235 * shine + sheen
    # Channel by channel, which is twice as fast as planes broadcast over channels.
    channels = [
        np.minimum(surface.albedo[..., k] * shade * part + glint, 255) * solid
        for k, part in enumerate(np.array(light.lamp.colour, np.float32))
    ]
    packed = np.asarray(cv2.merge([np.asarray(plane, np.float32) for plane in (*channels, solid)]))
    small = np.asarray(cv2.resize(packed, (rays.width, rays.height), interpolation=cv2.INTER_AREA))
    k = rays.fine // 2
    near = np.where(surface.hit, 1 / np.maximum(surface.depth, 1e-3), 0)[k :: rays.fine, k :: rays.fine]
    region = (slice(rays.top, rays.top + rays.height), slice(rays.left, rays.left + rays.width))
    hidden = (near > 0) & (near < studio.background.nearness[region] * 0.9985)
    small[hidden] = 0
    distance = float(np.linalg.norm(studio.camera.place - place))
    return sprite_of(rays.left, rays.top, small, distance)


def sprite_of(left: int, top: int, packed: Array, distance: float) -> Sprite:
    """A sprite from (h, w, 4) colour times cover 0-255, and cover 0-1."""
    cover = np.clip((1 - packed[..., 3:]) * 255 + 0.5, 0, 255).astype(np.uint8)
    colour = np.clip(packed[..., :3] + 0.5, 0, 255).astype(np.uint8)
    return Sprite(left, top, colour, np.repeat(cover, 3, axis=2), distance)


def smeared(studio: Studio, sprite: Sprite, at: Point3D, smear: tuple[float, float]) -> Sprite:
    """The sprite blurred along the way that the thing went while the picture was taken."""
    if abs(smear[0]) + abs(smear[1]) < 0.05:
        return sprite
    here, there = studio.camera.project([at, (at[0] + smear[0], at[1] + smear[1], at[2])])
    way = there - here
    reach = int(min(np.abs(way).max(), MOST_SMEAR)) // 2
    if reach < 1:
        return sprite
    coarse = 2 if reach >= 4 else 1
    arm = reach // coarse
    kernel = np.zeros((2 * arm + 1, 2 * arm + 1), np.float32)
    unit = way / np.abs(way).max() * arm
    ends = [(round(arm + s * unit[0]), round(arm + s * unit[1])) for s in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 1.0)
    kernel /= kernel.sum()
    pad = reach + reach % 2 if sprite.left > reach and sprite.top > reach else 0
    colour = _streaked(sprite.colour, kernel, pad, coarse, 0)
    keep = _streaked(sprite.keep, kernel, pad, coarse, 255)
    size = studio.camera.size
    rows, columns = size[1] - sprite.top + pad, size[0] - sprite.left + pad
    return Sprite(sprite.left - pad, sprite.top - pad, colour[:rows, :columns], keep[:rows, :columns], sprite.distance)


def _streaked(picture: Array, kernel: Array, pad: int, coarse: int, empty: int) -> Array:
    """A uint8 picture with a margin of `pad` px of the value `empty`, blurred by the kernel at 1/coarse of its size."""
    border = (empty, empty, empty)
    wide = cv2.copyMakeBorder(picture, pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=border)
    height, width = wide.shape[:2]
    if coarse == 1:
        return np.asarray(cv2.filter2D(wide, -1, kernel, borderType=cv2.BORDER_REPLICATE))
    small = cv2.resize(wide, (max(width // coarse, 1), max(height // coarse, 1)), interpolation=cv2.INTER_AREA)
    small = cv2.filter2D(small, -1, kernel, borderType=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR))


def draw_shadow(studio: Studio, thing: Solid) -> Shadow | None:
    """The shadow that a thing casts on what it lies on, or, held or thrown, on what is below."""
    shape = studio.look.shape
    x, y, z = thing.at
    if isinstance(thing, CheckerThing):
        angles = np.linspace(0, 2 * math.pi, 20, endpoint=False)
        foot = np.stack([np.cos(angles), np.sin(angles)], axis=1) * shape.radius
        height, base = shape.checker_height, z
        loose = thing.held
    else:
        size = shape.die if isinstance(thing, DieThing) else shape.cube
        base, height = z - size / 2, size
        foot = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * size / 2 @ turned(thing.spin, 0, 0)[:2, :2].T
        loose = base > shape.bar_height + 0.3 or (base > 0.3 and isinstance(thing, DieThing))
    ground = 0.0 if loose else base
    return cast_shadow(studio, foot + np.array([x, y]), base - ground, height, ground, over=loose)


def cast_shadow(studio: Studio, foot: Array, gap: float, height: float, ground: float, *, over: bool) -> Shadow | None:
    """Shadow on the plane at height `ground` of an upright thing, its outline `foot` (N, 2) cm `gap` above it."""
    light, camera = studio.light, studio.camera
    middle = foot.mean(axis=0)
    low = light.cast((middle[0], middle[1], ground + gap), gap)
    high = light.cast((middle[0], middle[1], ground + gap + height), gap + height)
    hull = cv2.convexHull(np.concatenate([foot + low, foot + high]).astype(np.float32)).reshape(-1, 2)
    outline = camera.project(np.column_stack([hull, np.full(len(hull), ground)]))
    close = camera.project(np.column_stack([middle + (foot - middle) * 1.06, np.full(len(foot), ground)]))
    scale = camera.focal / max(camera.depth((float(middle[0]), float(middle[1]), ground)), 1.0)
    blur = max((gap + height * 0.6) * light.softness * scale * 0.5, 0.7)
    pad = int(blur * 3) + 2
    both = np.concatenate([outline, close])
    low_px = np.maximum(np.floor(both.min(axis=0)).astype(int) - pad, 0)
    high_px = np.minimum(np.ceil(both.max(axis=0)).astype(int) + pad, camera.size)
    if (high_px <= low_px).any():
        return None
    patch = (int(high_px[1] - low_px[1]), int(high_px[0] - low_px[0]))
    cover = _soft_polygon(outline - low_px, patch, blur) * light.shadow_depth
    if gap < 0.2:
        cover = np.maximum(cover, _soft_polygon(close - low_px, patch, max(0.12 * scale, 0.8)) * 0.55)
    if not over and (ground < 0.3 or abs(ground - studio.look.shape.bar_height) < 0.05):
        region = (slice(int(low_px[1]), int(high_px[1])), slice(int(low_px[0]), int(high_px[0])))
        cover = cover * (np.abs(studio.background.height[region] - ground) < 0.3)
    return shadow_of(int(low_px[0]), int(low_px[1]), cover, ground, over=over)


def shadow_of(left: int, top: int, cover: Array, on: float, *, over: bool) -> Shadow:
    """A shadow from the share (h, w) that it takes of the brightness."""
    keep = np.clip((1 - cover) * 255 + 0.5, 0, 255).astype(np.uint8)
    return Shadow(left, top, np.repeat(keep[..., None], 3, axis=2), on, over)


def _soft_polygon(points: Array, patch: tuple[int, int], blur: float) -> Array:
    mask = np.zeros(patch, np.uint8)
    cv2.fillConvexPoly(mask, np.round(points * 16).astype(np.int32), 255, cv2.LINE_AA, shift=4)
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), blur), np.float32) / 255
