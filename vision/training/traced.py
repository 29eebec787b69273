"""Checkers of a drawn board as real light shows them: rays for what stands before what, soft shadows, gloss, metal, windows.

Beside the painted ones (`vision.training.paint`): there shadows are blurred discs and highlights are painted marks, here a pile
throws its shade on the next, a turned edge mirrors the window, and steel is as dark as what it mirrors. Everything else of a
board is painted before and after.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.training import rays
from vision.training.canvas import Canvas
from vision.training.paint_checkers import draw_face, draw_grain
from vision.training.scene import CheckerDesign, DrawnScene
from vision.training.texture import Rng

Floats = npt.NDArray[np.float32]

GAMMA = 2.2
LINEAR: Floats = np.asarray((np.arange(256) / 255) ** GAMMA, np.float32)
"""Of each level of a picture."""
ENCODED = np.asarray(np.linspace(0, 1, 65536) ** (1 / GAMMA) * 255, np.uint8)
"""Of linear light in 65,535 steps."""
FACE = 40
"""Radius in px of a drawn face, which all checkers of a side take turns to show."""
FACES = 2
"""Different faces a side."""
SLOPES = 96
"""Steps from a face's middle to its rim for which its slope is kept."""
TO_LAMP, TO_SKY = 2, 2
"""Rays from each px that is asked to each lamp, and to the sky."""
ASKED = 2
"""Of so many px in a row one is asked."""
CELL = 0.05
METAL, METAL_TURNED = 0.2, 0.8
"""Share of sets of metal, or with a skin that gleams as metal does; and of those that were turned on a lathe."""


@dataclass(frozen=True)
class Material:
    """How one side's checkers take light. slopes: (SLOPES,) how steeply a face rises outwards, from its middle to its rim.

    mirror: share of light mirrored head-on; rough: 0 a mirror, 1 chalk; metal: mirrors in its own colour and little else.
    """

    slopes: Floats
    mirror: float
    rough: float
    metal: bool
    barrel: float


@dataclass(frozen=True)
class Met:
    """What the camera meets through each px, as `rays.met` has it."""

    what: npt.NDArray[np.int32]
    place: Floats
    face: npt.NDArray[np.int8]


@dataclass(frozen=True)
class Room:
    """Where light comes from. lamps: as `rays` has them; tints: (k + 1, 3) linear BGR, the sky's last; sky: its share.

    windows: (n, 5): x, y, half width, half height of bright panes as a level mirror shows them (per unit of height), brightness.
    brightness: of the middle of the board as the camera exposes it; ground_mirror: share that the board itself mirrors head-on.
    """

    lamps: Floats
    tints: Floats
    sky: float
    windows: Floats
    brightness: float
    ground_mirror: float


def traced_checkers(canvas: Canvas, rng: Rng) -> npt.NDArray[np.float64]:
    """Lights the painted board and lays all checkers on it; their upper faces (n, 3) in the scene's order, as paint's."""
    scene = canvas.scene
    cylinders, boxes = _cylinders(scene), _boxes(scene)
    step, origin = np.float32(1 / canvas.scale), np.float32(-canvas.margin)
    camera = np.array(scene.camera, np.float32)
    frames = _frames(canvas, cylinders, boxes)
    met = Met(*rays.met(cylinders, boxes, camera, frames, origin, origin, step, canvas.height, canvas.width))
    materials = tuple(_material(rng, design) for design in scene.designs)
    normal = _normals(scene, cylinders, materials, met)
    room = _room(rng, scene)
    light = _light(canvas, rng, room, (cylinders, boxes), met, normal)
    _shade(canvas, rng, room, materials, cylinders, met, normal, light)
    upper = met.face == 3
    canvas.owner[upper] = met.what[upper] + 1
    tops = cylinders[:, 2] + cylinders[:, 3]
    centres = canvas.project(np.c_[cylinders[:, :2], tops])
    enlarged = np.array([canvas.enlargement(float(top)) for top in tops])
    return np.asarray(np.c_[centres, cylinders[:, 4] * enlarged].reshape(-1, 3), np.float64)


def _cylinders(scene: DrawnScene) -> Floats:
    rows = [[c.x, c.y, max(c.z, 0.0), scene.thickness, scene.diameter / 2] for c in scene.checkers]
    return np.array(rows, np.float32).reshape(-1, 5)


def _boxes(scene: DrawnScene) -> Floats:
    """The rails around the field and the bar, where they stand out."""
    shape = scene.shape
    rows = []
    if shape.rim_z > 0.002:
        low, high, wide = -shape.rim, shape.height + shape.rim, 1 + shape.rim
        rows += [[low, low, 0, wide, 0, shape.rim_z], [low, shape.height, 0, wide, high, shape.rim_z]]
        rows += [[low, 0, 0, 0, shape.height, shape.rim_z], [1, 0, 0, wide, shape.height, shape.rim_z]]
    if shape.bar_z > 0.002 and shape.bar[1] - shape.bar[0] > 0.004:
        rows += [[shape.bar[0], 0, 0, shape.bar[1], shape.height, shape.bar_z]]
    return np.array(rows, np.float32).reshape(-1, 6)


def _frames(canvas: Canvas, cylinders: Floats, boxes: Floats) -> npt.NDArray[np.int64]:
    """(n + m, 4) rows and columns of the canvas, from and to, in which each solid shows."""
    corners = []
    for x, y, z, height, radius in cylinders:
        corners.append([[x + a * radius, y + b * radius, c] for a in (-1, 1) for b in (-1, 1) for c in (z, z + height)])
    for x0, y0, z0, x1, y1, z1 in boxes:
        corners.append([[x, y, z] for x in (x0, x1) for y in (y0, y1) for z in (z0, z1)])
    if not corners:
        return np.zeros((0, 4), np.int64)
    pixels = canvas.project(np.array(corners))
    low, high = np.floor(pixels.min(axis=1)) - 1, np.ceil(pixels.max(axis=1)) + 2
    limit = np.array([canvas.width, canvas.height])
    low, high = np.clip(low, 0, limit), np.clip(high, 0, limit)
    return np.stack([low[:, 1], high[:, 1], low[:, 0], high[:, 0]], axis=1).astype(np.int64)


def _material(rng: Rng, design: CheckerDesign) -> Material:
    """Slopes as the design has grooves, a dish and an edge; gloss by chance."""
    along = (np.arange(SLOPES) + 0.5) / SLOPES
    slopes = np.zeros(SLOPES)
    bevel, steep = rng.uniform(0.03, 0.28), rng.uniform(0.3, 2.5)
    slopes -= steep * np.clip((along - 1 + bevel) / bevel, 0, 1) ** rng.uniform(0.7, 2)
    if design.dish is not None or rng.random() < 0.4:
        rim, wide = design.dish or rng.uniform(0.5, 0.88), rng.uniform(0.02, 0.12)
        slopes += rng.uniform(0.2, 1.6) * np.exp(-(((along - rim) / wide) ** 2))
    for groove in design.grooves:
        slopes += rng.uniform(0.3, 1.5) * np.tanh((along - groove) / 0.012) * np.exp(-(((along - groove) / 0.025) ** 2))
    if rng.random() < 0.25:
        slopes -= rng.uniform(-0.25, 0.35) * along
    turned = design.finish is not None and design.finish.lobes > 0
    metal = rng.random() < (METAL_TURNED if turned else METAL)
    rough = rng.uniform(0.12, 0.5) if metal else float(rng.choice([rng.uniform(0.06, 0.25), rng.uniform(0.25, 0.9)]))
    return Material(
        slopes=slopes.astype(np.float32),
        mirror=rng.uniform(0.02, 0.08),
        rough=rough,
        metal=bool(metal),
        barrel=rng.uniform(0.0, 1.2),
    )


def _normals(
    scene: DrawnScene,
    cylinders: Floats,
    materials: tuple[Material, ...],
    met: Met,
) -> Floats:
    """(H, W, 3) unit normals of what is met."""
    what, place, face = met.what, met.place, met.face
    normal = np.zeros_like(place)
    normal[..., 2] = 1
    for axis in (0, 1):
        side = (face == axis) & (what < rays.GROUND)
        toward = np.sign(np.array(scene.camera)[axis] - place[..., axis][side])
        normal[side] = 0
        normal[..., axis][side] = toward
    solid = what >= 0
    if not solid.any():
        return normal
    which = what[solid]
    out = place[solid][:, :2] - cylinders[which, :2]
    far = np.linalg.norm(out, axis=1)
    outward = out / np.maximum(far, 1e-6)[:, None]
    share = np.clip(far / cylinders[which, 4], 0, 1)
    sides = np.array([checker.side for checker in scene.checkers])[which]
    slopes = np.stack([material.slopes for material in materials])
    slope = slopes[sides, np.minimum((share * SLOPES).astype(int), SLOPES - 1)]
    up = (place[solid][:, 2] - cylinders[which, 2]) / cylinders[which, 3]
    barrel = np.array([material.barrel for material in materials])[sides]
    upper = face[solid] == 3
    rows = np.empty((len(which), 3), np.float32)
    rows[:, :2] = np.where(upper[:, None], -slope[:, None] * outward, outward)
    rows[:, 2] = np.where(upper, 1.0, barrel * (2 * up - 1) ** 3)
    normal[solid] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return normal


def _room(rng: Rng, scene: DrawnScene) -> Room:
    """One to three lamps, the first where the scene's shadows ask for it, and a sky."""
    middle = np.array([0.5, scene.shape.height / 2, 0.0])
    slants = [np.array([-scene.light[0], -scene.light[1], 1.0])]
    for _ in range(int(rng.choice([0, 1, 2], p=[0.45, 0.4, 0.15]))):
        angle, aslant = rng.uniform(0, 2 * np.pi), rng.uniform(0.1, 2.2)
        slants.append(np.array([np.cos(angle) * aslant, np.sin(angle) * aslant, 1.0]))
    shares = rng.dirichlet(np.full(len(slants), 1.2))
    sky = rng.uniform(0.35, 0.85) if scene.plain else rng.uniform(0.1, 0.7)
    lamps = []
    for slant, share in zip(slants, shares, strict=True):
        kind = rng.random()
        sun, window, lamp = (12.0, 12.0, 0.05, 0.4), (2.0, 5.0, 0.2, 1.2), (0.9, 2.2, 0.02, 0.25)
        nearest, farthest, least, most = sun if kind < 0.3 else window if kind < 0.7 else lamp
        distance, radius = rng.uniform(nearest, farthest), rng.uniform(least, most)
        toward = slant / np.linalg.norm(slant)
        lamps.append([*(middle + toward * distance), radius, share * (1 - sky) / toward[2], distance])
    tints = np.exp(rng.normal(0, 0.06 if scene.plain else 0.14, (len(lamps) + 1, 3)))
    windows = [
        [*rng.normal(0, 1.3, 2), *np.exp(rng.normal(-0.9, 0.6, 2)), rng.uniform(0.4, 5)]
        for _ in range(int(rng.integers(0, 5)))
    ]
    return Room(
        lamps=np.array(lamps, np.float32),
        tints=np.asarray(tints / tints.mean(axis=1, keepdims=True), np.float32),
        sky=float(sky),
        windows=np.array(windows, np.float32).reshape(-1, 5),
        brightness=float(rng.uniform(0.75, 1.15)),
        ground_mirror=float(rng.uniform(0.0, 0.06)),
    )


def _light(canvas: Canvas, rng: Rng, room: Room, solids: tuple[Floats, Floats], met: Met, normal: Floats) -> Floats:
    """(H, W, k + 1) of each lamp and of the sky; few rays a px, smoothed within what lies on one level."""
    cylinders, boxes = solids
    origin = np.float32(-canvas.margin)
    rows, columns = int(canvas.height / canvas.scale / CELL) + 1, int(canvas.width / canvas.scale / CELL) + 1
    near = rays.neighbours(cylinders, origin, origin, np.float32(CELL), rows, columns, rays.SKY_REACH)
    few = rays.lit(
        cylinders,
        boxes,
        room.lamps,
        near,
        np.float32(CELL),
        origin,
        origin,
        np.ascontiguousarray(met.place[::ASKED, ::ASKED]),
        np.ascontiguousarray(normal[::ASKED, ::ASKED]),
        TO_LAMP,
        TO_SKY,
        np.uint32(rng.integers(1, 2**31)),
    )
    level = _levels(canvas.scene, cylinders, met)
    asked = level[::ASKED, ::ASKED]
    out: Floats = np.zeros((*level.shape, few.shape[2]), np.float32)
    for each in range(int(level.max()) + 1):
        mask = level == each
        if not mask.any():
            continue
        here = (asked == each).astype(np.float32)
        parts = []
        for channels, deviation in ((few[..., :-1], 1.4), (few[..., -1:], 2.4)):
            weight = cv2.GaussianBlur(here, (0, 0), deviation / ASKED)
            soft = cv2.GaussianBlur(np.ascontiguousarray(channels) * here[..., None], (0, 0), deviation / ASKED)
            parts.append(soft.reshape(*weight.shape, -1) / np.maximum(weight, 1e-4)[..., None])
        whole = _finer(np.concatenate(parts, axis=2), level.shape)
        np.copyto(out, whole, where=mask[..., None])
    return out


def _levels(scene: DrawnScene, cylinders: Floats, met: Met) -> npt.NDArray[np.uint8]:
    """(H, W) what lies on one level: the ground 0, boxes 1, walls of checkers 2, their upper faces from 3 on by layer."""
    of_box, of_wall = (met.what < rays.GROUND).astype(np.uint8), met.face == 4
    heights = np.round(cylinders[:, 2] / scene.thickness).astype(int) if len(cylinders) else np.zeros(1, int)
    layer = (3 + np.clip(heights, 0, 3)).astype(np.uint8)[np.maximum(met.what, 0)]
    return np.asarray(np.where(met.what >= 0, np.where(of_wall, np.uint8(2), layer), of_box), np.uint8)


def _finer(few: Floats, shape: tuple[int, ...]) -> Floats:
    """What is known of every ASKED-th px, of all (H, W); px 0 is the first that is known."""
    back = np.array([[1 / ASKED, 0, 0], [0, 1 / ASKED, 0]], np.float32)
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(few, back, (shape[1], shape[0]), flags=how, borderMode=cv2.BORDER_REPLICATE))


def _board(canvas: Canvas) -> tuple[slice, slice]:
    """Rows and columns of the playing surface."""
    edge, shape = int(canvas.margin * canvas.scale), canvas.scene.shape
    return slice(edge, edge + int(shape.height * canvas.scale)), slice(edge, edge + canvas.scale)


def _linear(colours: npt.NDArray[np.generic]) -> Floats:
    if colours.dtype == np.uint8:
        return np.asarray(LINEAR[colours], np.float32)
    return np.asarray(np.clip(np.asarray(colours, np.float32) / 255, 0, 1) ** GAMMA, np.float32)


def _shade(
    canvas: Canvas,
    rng: Rng,
    room: Room,
    materials: tuple[Material, ...],
    cylinders: Floats,
    met: Met,
    normal: Floats,
    light: Floats,
) -> None:
    """Writes what the light makes of board and checkers into the canvas."""
    what, place = met.what, met.place
    scene = canvas.scene
    power = np.append(np.ones(len(room.lamps), np.float32), np.float32(room.sky))
    shown = (light * power) @ room.tints
    # As a camera exposes: for what of the board it has before it, not for the lamp.
    shown /= max(float(np.median(shown[_board(canvas)][::3, ::3])), 0.02)
    ground = _linear(canvas.image)
    solid = what >= 0
    skin = ground * shown * np.float32(room.brightness)
    view = np.array(scene.camera, np.float32) - place
    view /= np.sqrt(np.einsum("ijk,ijk->ij", view, view))[..., None]
    if room.ground_mirror > 0.01:
        flat = ~solid
        glare = _mirrored(
            room, place[flat], normal[flat], view[flat], light[flat], 0.35, np.float32(room.ground_mirror)
        )
        skin[flat] += glare * room.brightness
    albedo, sides = _albedo(canvas, rng, cylinders, met)
    for side, material in enumerate(materials):
        own = np.zeros_like(solid)
        own[solid] = sides == side
        if not own.any():
            continue
        colour = albedo[own[solid]]
        finish = scene.designs[side].finish
        clear = finish.clear if finish is not None else 0.0
        diffuse = colour * (1 - clear) + ground[own] * clear
        mirror: Floats = colour * 0.85 + 0.05 if material.metal else np.full_like(colour, material.mirror)
        body = diffuse * shown[own] * np.float32(0.25 if material.metal else 1.0)
        gleam = _mirrored(room, place[own], normal[own], view[own], light[own], material.rough, mirror)
        skin[own] = (body + gleam) * room.brightness
    if rng.random() < 0.5:
        skin = skin * 1.15 / (1 + 0.15 * skin)
    canvas.image = ENCODED[(np.clip(skin, 0, 1) * 65535).astype(np.uint16)]


def _mirrored(
    room: Room, place: Floats, normal: Floats, view: Floats, light: Floats, rough: float, mirror: Floats | np.float32
) -> Floats:
    """(n, 3) light that surfaces mirror: of the lamps that they see, and of sky and windows.

    Blinn and Phong's lobe with Schlick's share; a wide lamp widens the lobe.
    """
    total, slant = rays.mirrored(
        place, normal, view, light, room.lamps, room.tints, np.float32(room.sky), room.windows, np.float32(rough)
    )
    return np.asarray(total * (mirror + (1 - mirror) * slant[:, None]), np.float32)


def _albedo(canvas: Canvas, rng: Rng, cylinders: Floats, met: Met) -> tuple[Floats, npt.NDArray[np.int64]]:
    """(n, 3) linear colours of all px in which a checker is met, and its side: drawn faces turned at random, and walls."""
    scene = canvas.scene
    solid = met.what >= 0
    which, upper = met.what[solid], met.face[solid] == 3
    sides = np.array([checker.side for checker in scene.checkers], np.int64)
    faces = _faces(canvas, rng)
    turn, kind = rng.uniform(0, 2 * np.pi, len(sides)), rng.integers(0, FACES, len(sides))
    shade = np.exp(rng.normal(0, 0.05, len(sides))).astype(np.float32)
    out = (met.place[solid][:, :2] - cylinders[which, :2]) / cylinders[which, 4][:, None]
    cos, sin = np.cos(turn[which]), np.sin(turn[which])
    spun = np.stack([out[:, 0] * cos - out[:, 1] * sin, out[:, 0] * sin + out[:, 1] * cos], axis=1)
    at = np.clip(np.round((spun + 1) * FACE), 0, 2 * FACE).astype(int)
    walls = np.stack([_linear(np.asarray(design.wall)) for design in scene.designs])
    colour = (
        np.where(upper[:, None], faces[sides[which], kind[which], at[:, 1], at[:, 0]], walls[sides[which]])
        * shade[which][:, None]
    )
    return np.asarray(colour, np.float32), sides[which]


def _faces(canvas: Canvas, rng: Rng) -> Floats:
    """(2, FACES, 2 FACE + 1, 2 FACE + 1, 3) linear colours of faces without light or shade."""
    scene = canvas.scene
    flat = replace(scene.shape, height=0.02)
    sheet = Canvas(replace(scene, shape=flat), canvas.margin, int(FACE * 2 / scene.diameter))
    wide = 2 * FACE + 8
    sheet.image = np.full((wide, 2 * FACES * wide, 3), scene.palette.field, np.float32).astype(np.uint8)
    sheet.height, sheet.width = sheet.image.shape[:2]
    sheet.owner = np.zeros(sheet.image.shape[:2], np.uint8)
    rows = []
    for side, design in enumerate(scene.designs):
        for number in range(FACES):
            left = (side * FACES + number) * wide
            centre = np.array([left + wide / 2, wide / 2])
            face = (centre, float(FACE))
            draw_face(sheet, rng, _unlit(design), scene.palette.checkers[side], face, sheet.image.copy())
            if design.grain:
                draw_grain(sheet, rng, *face, design.grain)
            middle = (int(centre[1]), int(centre[0]))
            rows.append(
                sheet.image[middle[0] - FACE : middle[0] + FACE + 1, middle[1] - FACE : middle[1] + FACE + 1].copy()
            )
    return _linear(np.stack(rows)).reshape(2, FACES, 2 * FACE + 1, 2 * FACE + 1, 3)


def _unlit(design: CheckerDesign) -> CheckerDesign:
    """The design without what only stands for light: its gleams, bevels and shades come from the rays."""
    finish = design.finish
    if finish is not None:
        finish = replace(finish, lobes=0, dome=0.0, uneven=0.0, slant=0.0, clear=0.0)
    return replace(design, edge=None, dish=None, grooves=(), shine=0.0, arcs=0.0, sheens=(), finish=finish)
