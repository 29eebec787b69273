"""Draws a scene in the board's plane as the camera projects it there; a plain homography makes the picture of it.

A point at height z over the board, seen from a camera at height Z, shifts away from the camera's foot by z / (Z - z);
circles stay circles. Walls, checkers' sides, dice and shadows come out exact and cheap.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Image
from vision.training import decor, texture
from vision.training.canvas import BODY, HAND, MARGIN, SCALE, SHIFT, THING, Canvas, bgr, fixed, rectangle
from vision.training.finish import finished
from vision.training.scene import ASIDE, ON_BAR, Checker, CheckerDesign, DrawnScene, near_colour
from vision.training.texture import Colour, Rng

FloatArray = npt.NDArray[np.float64]

ARM, SECOND_ARM = 0.3, 0.2
"""Share of boards with an arm over them, and of strange ones with one more."""
CUBE_APART = 0.97
"""A cube lies so far from every checker at least, as a share of half their sizes' sum: turned a little, it may touch."""
PLACES_TRIED = 12
BESIDE_HIT = 0.45
"""How often the cube lies right beside a checker on the bar, where there is one: both like the middle."""
PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, 1), (-1, 1), (1, -1)),
    5: ((-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)),
    6: ((-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)),
}


@dataclass(frozen=True)
class Drawing:
    """A drawn board plane.

    image: (H, W, 3) uint8 BGR; owner: (H, W) uint8, what each px belongs to.
    discs: (n, 3) float64, each checker's upper face (x, y, radius) in canvas px, in the order of the scene's checkers.
    """

    image: Image
    owner: npt.NDArray[np.uint8]
    discs: FloatArray


def draw(
    scene: DrawnScene,
    rng: Rng,
    margin: float = MARGIN,
    dress: Callable[[Canvas, Rng], None] | None = None,
    scale: int = SCALE,
    near: Callable[[Canvas, Rng], None] | None = None,
    moment: Rng | None = None,
    *,
    alone: bool = False,
    lay: Callable[[Canvas, Rng], FloatArray] | None = None,
) -> Drawing:
    """The whole scene: table, board, shadows, checkers, dice, cube, near walls, a hand now and then, light.

    margin: of table around the playing surface, board widths. dress: draws more on the empty board's frame.
    scale: canvas px per board width. near: goes over the near walls. moment: chooses what differs between two pictures of one
    board, such as dice and hands; rng where it is not given. alone: nothing but the board and its checkers.
    lay: puts the checkers there with their shadows and returns their upper faces; painted ones where it is not given.
    """
    canvas, moment = Canvas(scene, margin, scale), moment if moment is not None else rng
    canvas.multiply(1 + texture.patch(rng, canvas.height, canvas.width) * np.float32(rng.uniform(0.02, 0.2)))
    _body(canvas, rng)
    if dress is not None:
        dress(canvas, rng)
    if scene.strange:
        decor.on_field(canvas, rng)
    bare = canvas.image
    canvas.image = bare.copy()
    _points(canvas, rng)
    if scene.strange:
        decor.on_points(canvas, rng, bare)
    veined = rng.uniform(0.05, 0.25) if rng.random() < 0.3 else rng.uniform(0, 0.1)
    canvas.multiply(1 + texture.patch(rng, canvas.height, canvas.width) * np.float32(veined))
    _bar(canvas, rng)
    if scene.strange:
        decor.fittings(canvas, rng)
    discs = (lay or _painted)(canvas, moment)
    if not alone:
        _strewn(canvas, moment)
    _near_walls(canvas, rng)
    if near is not None:
        near(canvas, rng)
    if scene.strange and not alone:
        decor.covers(canvas, rng)
    if not alone:
        _arms(canvas, moment)
    _light(canvas, rng)
    if scene.strange:
        decor.dazzle(canvas, rng)
    return Drawing(canvas.image, canvas.owner, discs)


def _painted(canvas: Canvas, rng: Rng) -> FloatArray:
    """Shadows and checkers; the checkers' upper faces (n, 3) in the scene's order."""
    _shadows(canvas, rng)
    return _checkers(canvas, rng)


def _strewn(canvas: Canvas, rng: Rng) -> None:
    """Dice, cube and whatever else lies on a board."""
    _things(canvas, rng)
    if canvas.scene.strange:
        decor.litter(canvas, rng)


def _arms(canvas: Canvas, rng: Rng) -> None:
    """Hands and arms over the board, now and then."""
    if rng.random() < ARM:
        _hand(canvas, rng)
    if canvas.scene.strange:
        if rng.random() < SECOND_ARM:
            _hand(canvas, rng)
        decor.sleeves(canvas, rng)


def _body(canvas: Canvas, rng: Rng) -> None:
    """Frame, the openings of field and trays with their far walls, and their floors."""
    shape, palette = canvas.scene.shape, canvas.scene.palette
    left, right = (shape.rim + (tray + shape.rim if tray else 0) for tray in shape.trays)
    outer = rectangle(-left, -shape.rim, 1 + right, shape.height + shape.rim)
    for z in np.linspace(-rng.uniform(0, 0.08), shape.rim_z, 4):
        canvas.polygon(outer, float(z), palette.frame * rng.uniform(0.5, 0.85), BODY)
    canvas.polygon(outer, shape.rim_z, palette.frame, BODY)
    grain = texture.patch(rng, canvas.height, canvas.width)
    canvas.multiply(1 + grain * np.float32(rng.uniform(0.01, 0.14)))
    floors = [(0.0, 1.0, 0.0, shape.height, palette.field)]
    for tray, x0 in ((shape.trays[0], -shape.rim - shape.trays[0]), (shape.trays[1], 1 + shape.rim)):
        cuts = (
            ((0, 1),)
            if rng.random() < 0.4
            else ((0, 0.48), (0.52, 1))
            if rng.random() < 0.6
            else ((0, 0.4), (0.44, 0.56), (0.6, 1))
        )
        floors += [(x0, x0 + tray, a * shape.height, b * shape.height, palette.tray) for a, b in cuts if tray]
    wall = palette.frame * rng.uniform(0.4, 0.95)
    for x0, x1, y0, y1, floor in floors:
        canvas.polygon(rectangle(x0, y0, x1, y1), shape.rim_z, wall)
        canvas.polygon(rectangle(x0, y0, x1, y1), 0, floor)


def _points(canvas: Canvas, rng: Rng) -> None:
    shape, points, palette = canvas.scene.shape, canvas.scene.points, canvas.scene.palette
    swap = int(rng.integers(2))
    for row in (0, 1):
        base, tip = (
            (points.gap, points.length) if row == 0 else (shape.height - points.gap, shape.height - points.length)
        )
        for index, x in enumerate(shape.columns):
            kind = (index + row * points.alternate_rows + swap) % 2
            half = shape.pitch * points.base / 2
            outline = np.array(
                [[x - half, base], [x + half, base], [x + half * points.blunt, tip], [x - half * points.blunt, tip]]
            )
            if points.bulge:
                outline = _bent(outline, points.bulge * half)
            if points.slots:
                outline = _slot(x, base, tip, half * 0.8)
            colour = palette.field if points.hollow[kind] else palette.points[kind]
            pixels = canvas.polygon(outline, 0, colour)
            if points.core:
                inner = np.array([x, base]) + (outline - [x, base]) * points.core
                canvas.polygon(inner, 0, palette.points[1 - kind])
            if points.outline:
                drawn = [np.round(pixels * 2**SHIFT).astype(np.int32)]
                cv2.polylines(
                    canvas.image,
                    drawn,
                    True,
                    bgr(points.outline_colour),
                    canvas.stroke(points.outline),
                    cv2.LINE_AA,
                    SHIFT,
                )
            if points.diamonds:
                middle = (base + tip) / 2
                rhomb = np.array(
                    [
                        [x, base + (tip - base) * 0.3],
                        [x + half * 0.4, middle],
                        [x, base + (tip - base) * 0.7],
                        [x - half * 0.4, middle],
                    ]
                )
                canvas.polygon(rhomb, 0, points.outline_colour)


def _bent(outline: FloatArray, bulge: float) -> FloatArray:
    """A point with flanks bent out, or in where bulge is negative, by this many board widths."""
    along = np.linspace(0, 1, 9)[:, None]
    first, second, third, fourth = outline
    out = np.sin(along * np.pi) * [bulge, 0.0]
    return np.concatenate([second + (third - second) * along + out, fourth + (first - fourth) * along - out])


def _slot(x: float, base: float, tip: float, half: float) -> FloatArray:
    """A point as a rounded slot."""
    angles = np.linspace(0, np.pi, 9)
    along = 1 if tip > base else -1
    end = np.c_[x + half * np.cos(angles), tip - along * half + along * half * np.sin(angles)]
    return np.concatenate([[[x + half, base]], end, [[x - half, base]]])


def _bar(canvas: Canvas, rng: Rng) -> None:
    shape, palette = canvas.scene.shape, canvas.scene.palette
    left, right = shape.bar
    if right - left < 0.004:
        return
    for z in np.linspace(0, shape.bar_z, 3):
        top = float(z) >= shape.bar_z
        canvas.polygon(rectangle(left, 0, right, shape.height), float(z), palette.bar * (1.0 if top else 0.6))
    middle, height = (left + right) / 2, shape.height
    if rng.random() < 0.5:
        canvas.polygon(rectangle(middle - 0.0015, 0, middle + 0.0015, height), shape.bar_z, palette.bar * 0.3)
    if rng.random() < 0.35:
        hinge = texture.any_colour(rng, (0.5, 1), 0.3)
        for y in (0.17 * height, 0.83 * height):
            canvas.polygon(rectangle(middle - 0.008, y - 0.025, middle + 0.008, y + 0.025), shape.bar_z, hinge)


def _shadows(canvas: Canvas, rng: Rng) -> None:
    """One cast shadow layer from walls, bar and checkers, and the darkening where checkers touch the board."""
    scene, shape = canvas.scene, canvas.scene.shape
    light = np.array(scene.light)
    layer = np.zeros((canvas.height, canvas.width), np.uint8)

    def cast(base: FloatArray, top: float, strength: int = 255) -> None:
        points = (np.r_[base, base + light * top] + canvas.margin) * canvas.scale
        hull = cv2.convexHull(np.round(points * 2**SHIFT).astype(np.int32))
        cv2.fillConvexPoly(layer, hull, strength, cv2.LINE_AA, SHIFT)

    corners = rectangle(0, 0, 1, shape.height)
    for index in range(4):
        edge = corners[[index, (index + 1) % 4]]
        along = edge[1] - edge[0]
        if np.array([-along[1], along[0]]) @ light > 0:
            cast(edge, shape.rim_z, int(rng.uniform(120, 255)))
    if shape.bar_z > 0:
        cast(rectangle(shape.bar[0], 0, shape.bar[1], shape.height), shape.bar_z)
    contact = np.zeros_like(layer)
    radius = scene.diameter / 2 * canvas.scale
    for checker in scene.checkers:
        at = np.array([checker.x, checker.y])
        cv2.circle(
            contact,
            fixed((at + canvas.margin) * canvas.scale),
            int(radius * 1.12 * 2**SHIFT),
            255,
            -1,
            cv2.LINE_8,
            SHIFT,
        )
        for z in np.linspace(0, checker.z + scene.thickness, 4)[1:]:
            cv2.circle(
                layer,
                fixed((at + light * z + canvas.margin) * canvas.scale),
                int(radius * 2**SHIFT),
                255,
                -1,
                cv2.LINE_AA,
                SHIFT,
            )
    soft = canvas.soft(layer, rng.uniform(0.6, 6)).astype(np.float32) / 255
    close = canvas.soft(contact, rng.uniform(1, 3)).astype(np.float32) / 255
    factor = (1 - soft * np.float32(rng.uniform(0.1, 0.8))) * (1 - close * np.float32(rng.uniform(0, 0.35)))
    if shape.rim_z > 0 and rng.random() < 0.6:
        factor *= _gloom(canvas, rng)
    canvas.multiply(factor)


def _gloom(canvas: Canvas, rng: Rng) -> npt.NDArray[np.float32]:
    """(H, W) factors: the walls around field and bar keep some light from the felt beside them."""
    coarse = 4
    shape = canvas.scene.shape
    wall = np.full((canvas.height // coarse, canvas.width // coarse), 255, np.uint8)
    for x0, x1 in ((0.0, shape.bar[0]), (shape.bar[1], 1.0)) if shape.bar_z > 0 else ((0.0, 1.0),):
        low, high = ((np.array(p) + canvas.margin) * canvas.scale / coarse for p in ((x0, 0.0), (x1, shape.height)))
        cv2.rectangle(wall, _whole(low), _whole(high), 0, -1)
    soft = canvas.soft(wall, rng.uniform(0.8, 5)).astype(np.float32) / 255
    near = cv2.resize(soft, (canvas.width, canvas.height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(1 - near * np.float32(rng.uniform(0.2, 0.9)), np.float32)


def _whole(point: FloatArray) -> tuple[int, int]:
    x, y = np.round(point).astype(int).tolist()
    return (x, y)


@dataclass(frozen=True)
class Gleam:
    """Light mirrored by checkers near one place. at: board lengths; reach: its size; offset: of the spot, in radii."""

    at: tuple[float, float]
    reach: float
    strength: float
    pattern: int
    size: float
    offset: tuple[float, float]


def _checkers(canvas: Canvas, rng: Rng) -> FloatArray:
    """Draws all checkers, far ones first, lower layers first; returns their upper faces (n, 3) in the scene's order."""
    scene = canvas.scene
    camera = np.array(scene.camera)
    gleam = None
    if rng.random() < (0.15 if scene.plain else 0.45):
        at = (rng.uniform(0, 1), rng.uniform(0, scene.shape.height))
        offset = (rng.normal(0, 0.12), rng.normal(0, 0.12))
        gleam = Gleam(
            at, rng.uniform(0.15, 0.8), rng.uniform(0.4, 1.15), int(rng.integers(3)), rng.uniform(0.35, 0.85), offset
        )
    order = sorted(
        range(len(scene.checkers)),
        key=lambda i: (
            scene.checkers[i].column == ASIDE,
            round(scene.checkers[i].z, 5),
            -np.hypot(scene.checkers[i].x - camera[0], scene.checkers[i].y - camera[1]),
        ),
    )
    discs = np.zeros((len(scene.checkers), 3))
    softness, strength, shaded = rng.uniform(0.5, 3), rng.uniform(0.1, 0.7), 0
    for index in order:
        if (level := _level(scene, scene.checkers[index])) > shaded:
            _shade_below(canvas, level, softness, strength)
            shaded = level
        discs[index] = _checker(canvas, rng, scene.checkers[index], index + 1, gleam)
    return discs


def _level(scene: DrawnScene, checker: Checker) -> int:
    """The layer of a column's checker, 0 the lowest; 0 for those on the bar and aside."""
    return 0 if checker.column in (ASIDE, ON_BAR) else round(checker.z / scene.thickness)


def _shade_below(canvas: Canvas, level: int, softness: float, strength: float) -> None:
    """The shade that a layer of checkers throws on the one below, before it is drawn itself."""
    scene = canvas.scene
    layer = np.zeros((canvas.height, canvas.width), np.uint8)
    for checker in scene.checkers:
        if _level(scene, checker) == level:
            at = np.array([checker.x, checker.y]) + np.array(scene.light) * scene.thickness
            centre = canvas.project([*at, checker.z])
            radius = scene.diameter / 2 * canvas.enlargement(checker.z)
            cv2.circle(layer, fixed(centre), int(radius * 1.05 * 2**SHIFT), 255, -1, cv2.LINE_AA, SHIFT)
    canvas.multiply(1 - canvas.soft(layer, softness).astype(np.float32) / 255 * np.float32(strength))


def _checker(canvas: Canvas, rng: Rng, checker: Checker, owner: int, gleam: Gleam | None) -> FloatArray:
    scene = canvas.scene
    design = scene.designs[checker.side]
    base = scene.palette.checkers[checker.side] * (1 + rng.normal(0, 0.03))
    top = checker.z + scene.thickness
    lean = (
        scene.thickness
        * canvas.enlargement(top)
        / scene.camera[2]
        * np.hypot(scene.camera[0] - checker.x, scene.camera[1] - checker.y)
    )
    below = canvas.image.copy() if design.finish is not None and design.finish.sees_through else canvas.image
    for z in np.linspace(checker.z, top, max(2, int(lean / 2) + 2)):
        up = (z - checker.z) / scene.thickness
        centre, radius = canvas.project([checker.x, checker.y, z]), scene.diameter / 2 * canvas.enlargement(float(z))
        radius *= 1 - design.barrel * (2 * up - 1) ** 4
        canvas.disc(centre, radius, design.wall * (0.6 + 0.4 * up))
    cv2.circle(canvas.owner, fixed(centre), int(radius * 2**SHIFT), owner, -1, cv2.LINE_8, SHIFT)
    draw_face(canvas, rng, design, base, (centre, radius), below)
    if gleam is not None:
        _gleam(canvas, rng, gleam, base, checker, centre, radius)
    if design.grain:
        draw_grain(canvas, rng, centre, radius, design.grain)
    return np.array([centre[0], centre[1], radius])


def draw_face(
    canvas: Canvas, rng: Rng, design: CheckerDesign, base: Colour, face: tuple[FloatArray, float], below: Image
) -> None:
    """A checker's upper face, before grain. face: its centre and radius, canvas px; below: the canvas without the checker."""
    _face(canvas, rng, design, base, *face)
    if design.finish is not None:
        finished(canvas, rng, design.finish, base, face, below)


def _face(canvas: Canvas, rng: Rng, design: CheckerDesign, base: Colour, centre: FloatArray, radius: float) -> None:
    """The upper face: bevelled edge, rings, a dish with its crescent of shade, a dot, a star, small highlights."""
    light = np.array(canvas.scene.light)
    toward = light / np.linalg.norm(light)
    ring = base * design.ring_factor
    if design.edge is not None:
        canvas.disc(centre, radius, base * design.edge)
        canvas.disc(centre, radius * 0.9, base)
    else:
        canvas.disc(centre, radius * 0.97, base)
    if design.dish is not None:
        canvas.disc(centre, radius * design.dish, base * min(design.ring_factor, 0.8))
        canvas.disc(centre + toward * radius * 0.07, radius * (design.dish - 0.07), base)
    if design.ring is not None:
        canvas.disc(centre, radius * design.ring, ring, design.ring_width)
    for groove in design.grooves:
        for flank in (-1, 1):
            shade = base * (1 - flank * design.groove_depth)
            canvas.disc(centre + flank * 0.025 * radius * toward, radius * groove, shade, 1)
    if design.dot is not None:
        canvas.disc(centre, radius * design.dot, design.dot_colour)
    if design.star:
        angles = rng.uniform(0, 6.3) + np.arange(10) * np.pi / 5
        reach = np.where(np.arange(10) % 2, 0.25, 0.6)[:, None] * radius
        canvas.fill(centre + reach * np.c_[np.cos(angles), np.sin(angles)], ring)
    if design.shine:
        spot = centre - toward * radius * rng.uniform(0.25, 0.6)
        canvas.disc(spot, radius * rng.uniform(0.08, 0.35), base + (255 - base) * design.shine)
    if design.sheens:
        _sheens(canvas, rng, design, base, centre, radius)
    if design.arcs:
        for _ in range(int(rng.integers(1, 4))):
            around = int(radius * 2**SHIFT * rng.choice([0.95, 0.7, 0.5]))
            start, colour = rng.uniform(0, 360), bgr(base + (255 - base) * design.arcs)
            span = (start, start + rng.uniform(15, 110))
            cv2.ellipse(
                canvas.image,
                fixed(centre),
                (around, around),
                0,
                *span,
                colour,
                canvas.stroke(int(rng.integers(1, 3))),
                cv2.LINE_AA,
                SHIFT,
            )


def _sheens(canvas: Canvas, rng: Rng, design: CheckerDesign, base: Colour, centre: FloatArray, radius: float) -> None:
    """What every checker of a glossy set mirrors at about the same place."""
    for sheen in design.sheens:
        white = base + (255 - base) * min(1.0, sheen.strength * rng.uniform(0.6, 1.3))
        around = int(radius * (sheen.at - sheen.width / 2) * 2**SHIFT)
        start = sheen.angle + rng.normal(0, 8)
        width = max(1, round(sheen.width * radius))
        cv2.ellipse(
            canvas.image,
            fixed(centre),
            (around, around),
            0,
            start,
            start + sheen.span * rng.uniform(0.8, 1.2),
            bgr(white),
            width,
            cv2.LINE_AA,
            SHIFT,
        )


def _gleam(
    canvas: Canvas, rng: Rng, gleam: Gleam, base: Colour, checker: Checker, centre: FloatArray, radius: float
) -> None:
    away = (checker.x - gleam.at[0]) ** 2 + (checker.y - gleam.at[1]) ** 2
    strength = min(1.0, gleam.strength * np.exp(-away / 2 / gleam.reach**2) * rng.uniform(0.7, 1.2))
    if strength < 0.06:
        return
    white, offset = base + (255 - base) * strength, np.array(gleam.offset) * radius
    if gleam.pattern == 0:
        canvas.disc(centre + offset, radius * gleam.size * 0.85, white)
    elif gleam.pattern == 1:
        canvas.disc(centre, radius * 0.93, white)
        canvas.disc(centre + offset * 0.3, radius * gleam.size * 0.7, base)
    else:
        around, turn = int(radius * 0.8 * 2**SHIFT), float(np.rad2deg(np.arctan2(offset[1], offset[0])))
        cv2.ellipse(canvas.image, fixed(centre), (around, around), turn, -80, 80, bgr(white), -1, cv2.LINE_AA, SHIFT)


def draw_grain(canvas: Canvas, rng: Rng, centre: FloatArray, radius: float, strength: float) -> None:
    """Wood, pearl or wear over one checker's face."""
    x0, y0 = np.maximum(np.floor(centre - radius).astype(int), 0)
    x1, y1 = np.minimum(np.ceil(centre + radius).astype(int) + 1, [canvas.width, canvas.height])
    if x1 - x0 < 2 or y1 - y0 < 2:
        return
    yy, xx = np.mgrid[y0:y1, x0:x1]
    inside = (xx - centre[0]) ** 2 + (yy - centre[1]) ** 2 < radius**2
    factor = 1 + texture.patch(rng, int(y1 - y0), int(x1 - x0)) * np.float32(strength) * inside
    region = canvas.image[y0:y1, x0:x1]
    canvas.image[y0:y1, x0:x1] = cv2.convertScaleAbs(region.astype(np.float32) * factor[..., None])


def _die_face(value: int, body: Colour, pip: Colour, spread: float, size: float) -> Image:
    face = np.full((48, 48, 3), body, np.float32).astype(np.uint8)
    for x, y in PIPS[value]:
        centre = np.array([(0.5 + x * spread) * 48, (0.5 + y * spread) * 48])
        cv2.circle(face, fixed(centre), int(size * 48 * 2**SHIFT), bgr(pip), -1, cv2.LINE_AA, SHIFT)
    return face


def _cube_face(rng: Rng, value: int, body: Colour, ink: Colour) -> Image:
    face = np.full((64, 64, 3), body, np.float32).astype(np.uint8)
    text, font, weight = str(value), int(rng.integers(5)), int(rng.integers(2, 6))
    (wide, tall), _ = cv2.getTextSize(text, font, 1.0, weight)
    scale = rng.uniform(0.45, 0.72) * 64 / max(wide, tall * 1.15)
    (wide, tall), _ = cv2.getTextSize(text, font, scale, weight)
    cv2.putText(face, text, ((64 - wide) // 2, (64 + tall) // 2), font, scale, bgr(ink), weight, cv2.LINE_AA)
    return np.ascontiguousarray(np.rot90(face, int(rng.integers(4))))


@dataclass(frozen=True)
class Box:
    """A die or a cube: its middle and underside, board lengths; its faces, the upper one first.

    roundness: of its corners, as a share of its size.
    """

    at: FloatArray
    z: float
    size: float
    turn: float
    faces: list[Image]
    roundness: float

    def base(self) -> FloatArray:
        """Its four lower corners (4, 2), board lengths."""
        around = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * self.size / 2
        spin = np.array([[np.cos(self.turn), np.sin(self.turn)], [-np.sin(self.turn), np.cos(self.turn)]])
        return np.asarray(around @ spin + self.at)


def _shade_beside(canvas: Canvas, rng: Rng, boxes: list[Box]) -> None:
    """The shadows of dice and cube on whatever they stand on."""
    layer = np.zeros((canvas.height, canvas.width), np.uint8)
    light = np.array(canvas.scene.light)
    for box in boxes:
        base = box.base()
        foot = np.r_[base, base + light * box.size]
        pixels = canvas.project(np.c_[foot, np.full(8, box.z)])
        hull = cv2.convexHull(np.round(pixels * 2**SHIFT).astype(np.int32))
        cv2.fillConvexPoly(layer, hull, 255, cv2.LINE_AA, SHIFT)
    soft = canvas.soft(layer, rng.uniform(0.6, 4)).astype(np.float32) / 255
    canvas.multiply(1 - soft * np.float32(rng.uniform(0.1, 0.7)))


def draw_box(canvas: Canvas, box: Box) -> None:
    """The upper face, and the sides in view, shaded."""
    base, z, size, faces = box.base(), box.z, box.size, box.faces
    low, high = (canvas.project(np.c_[base, np.full(4, height)]) for height in (z, z + size))
    quads = []
    for index in range(4):
        following = (index + 1) % 4
        # As seen from outside: its left edge first.
        side = np.array([high[following], high[index], low[index], low[following]], np.float32)
        if cv2.contourArea(side, True) > 0:
            quads.append((side, faces[1 + index % 2], 0.55 + 0.1 * index))
    quads.append((high.astype(np.float32), faces[0], 1.0))
    outline = cv2.convexHull(np.concatenate([low, high]).astype(np.float32))[:, 0]
    rounding = 2 * round(box.roundness * size * canvas.enlargement(z)) + 1
    brush = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (rounding, rounding))
    for quad, face, shade in quads:
        x0, y0 = np.maximum(np.floor(quad.min(0)).astype(int) - 1, 0)
        x1, y1 = np.minimum(np.ceil(quad.max(0)).astype(int) + 2, [canvas.width, canvas.height])
        if x1 - x0 < 2 or y1 - y0 < 2:
            continue
        n = face.shape[0]
        local = quad - np.array([x0, y0], np.float32)
        matrix = cv2.getPerspectiveTransform(np.array([[0, 0], [n, 0], [n, n], [0, n]], np.float32), local)
        shape = (int(x1 - x0), int(y1 - y0))
        seen = cv2.warpPerspective(face, matrix, shape, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
        mask, whole = np.zeros((2, shape[1] + 2 * rounding, shape[0] + 2 * rounding), np.uint8)
        for flat, corners in ((mask, local), (whole, outline - np.array([x0, y0], np.float32))):
            outlined = np.round((corners + rounding) * 2**SHIFT).astype(np.int32)
            cv2.fillConvexPoly(flat, outlined, 255, cv2.LINE_AA, SHIFT)
        mask = np.minimum(mask, cv2.morphologyEx(whole, cv2.MORPH_OPEN, brush))
        mask = mask[rounding : rounding + shape[1], rounding : rounding + shape[0]]
        alpha = mask[..., None].astype(np.float32) / 255
        region = canvas.image[y0:y1, x0:x1]
        canvas.image[y0:y1, x0:x1] = (region * (1 - alpha) + seen * np.float32(shade) * alpha).astype(np.uint8)
        canvas.owner[y0:y1, x0:x1][mask > 127] = THING


def _inked(body: Colour) -> Colour:
    dark = texture.luminance(body) > 110
    return np.full(3, 15.0 if dark else 240.0, np.float32)


def _body_colour(canvas: Canvas, rng: Rng) -> Colour:
    """Of a die or a cube: white or nearly, a side's own colour, or any."""
    kind = rng.random()
    if kind < 0.45:
        return texture.any_colour(rng, (0.75, 1), rng.uniform(0, 0.25))
    if kind < 0.8:
        return near_colour(rng, canvas.scene.palette.checkers[int(rng.integers(2))])
    return texture.any_colour(rng)


def _things(canvas: Canvas, rng: Rng) -> None:
    """Dice, cube, now and then a dice cup: what must not be counted as checkers."""
    scene, shape = canvas.scene, canvas.scene.shape
    size, roundness = scene.diameter * rng.uniform(0.3, 0.55), rng.uniform(0, 0.25)
    spread, pip = rng.uniform(0.22, 0.29), rng.uniform(0.075, 0.12)
    boxes = []
    strewn = int(rng.integers(0, 7)) if scene.strange and rng.random() < 0.4 else 0
    for _ in range(strewn + int(rng.choice([0, 1, 2, 3, 4], p=[0.22, 0.06, 0.55, 0.08, 0.09]))):
        body = _body_colour(canvas, rng)
        y = shape.height * (rng.uniform(0.3, 0.7) if rng.random() < 0.6 else rng.uniform(0.05, 0.95))
        on_top = scene.thickness if rng.random() < 0.06 else 0.0
        faces = [_die_face(int(v), body, _inked(body), spread, pip) for v in rng.choice(6, 3, replace=False) + 1]
        at = np.array([rng.uniform(0.04, 0.96), y])
        boxes.append(Box(at, on_top, size, rng.uniform(0, 6.3), faces, roundness))
    if rng.random() < 0.8:
        body = _body_colour(canvas, rng)
        faces = [_cube_face(rng, v, body, _inked(body)) for v in (int(rng.choice([2, 4, 8, 16, 32, 64])), 2, 4)]
        size = scene.diameter * rng.uniform(0.45, 1.0)
        at, z = _cube_place(canvas, rng, size)
        boxes.append(Box(at, z, size, rng.normal(0, 0.25), faces, rng.uniform(0, 0.25)))
    _shade_beside(canvas, rng, boxes)
    for box in boxes:
        draw_box(canvas, box)
    if rng.random() < 0.06:
        _cup(canvas, rng)


def _cube_place(canvas: Canvas, rng: Rng, size: float) -> tuple[FloatArray, float]:
    """On the bar, mostly in its middle; now and then beside the board or on the field. And the height of its underside.

    Never on a checker, where nobody puts it: what it covers would be counted, or what lies under it be called empty.
    size: of the cube, board widths.
    """
    scene, shape = canvas.scene, canvas.scene.shape
    bar, kind = sum(shape.bar) / 2, rng.random()
    taken = np.array([[checker.x, checker.y] for checker in scene.checkers]).reshape(-1, 2)
    apart = (scene.diameter + size) / 2 * CUBE_APART

    def free(at: FloatArray) -> bool:
        return not len(taken) or bool(np.hypot(*(taken - at).T).min() > apart)

    along = rng.uniform(0.03, 0.97, PLACES_TRIED) * shape.height
    on_bar = [np.array([bar, y]) for y in along[np.argsort(np.abs(along - shape.height / 2))]]
    hit = [checker.y for checker in scene.checkers if checker.column == ON_BAR]
    if hit and rng.random() < BESIDE_HIT:
        y = float(rng.choice(hit)) + float(rng.choice([-1, 1])) * apart * np.array([rng.uniform(1.0, 1.15), 1.01])
        beside = [np.array([bar, place]) for place in (*y, *(2 * np.mean(hit) - y)) if 0 < place < shape.height]
        if (at := next(filter(free, beside), None)) is not None:
            return at, shape.bar_z
    if kind < 0.5:
        own = np.array([bar, shape.height * rng.choice([0.5, 0.5, 0.5, 0.04, 0.96])])
        places, z = [own, *on_bar], shape.bar_z
    elif kind < 0.6:
        places, z = [], 0.0
    elif kind < 0.8:
        x, y = rng.uniform(0.05, 0.95, PLACES_TRIED), shape.height * rng.uniform(0.3, 0.7, PLACES_TRIED)
        places, z = list(np.c_[x, y]), 0.0
    else:
        places, z = [on_bar[index] for index in rng.permutation(PLACES_TRIED)], shape.bar_z
    if (at := next(filter(free, places), None)) is not None:
        return at, z
    return np.array([rng.choice([-0.07, 1.07]), shape.height * rng.random()]), 0.0


def _cup(canvas: Canvas, rng: Rng) -> None:
    """A dice cup standing on the field."""
    colour = texture.any_colour(rng, (0.05, 0.7))
    x, y = rng.uniform(0.1, 0.9), canvas.scene.shape.height * rng.uniform(0.4, 0.6)
    radius, tall = rng.uniform(0.03, 0.06), rng.uniform(0.06, 0.16)
    for z in np.linspace(0, tall, 24):
        centre, r = canvas.project([x, y, z]), radius * canvas.enlargement(float(z))
        canvas.disc(centre, r, colour * (0.6 + 0.4 * z / tall))
        cv2.circle(canvas.owner, fixed(centre), int(r * 2**SHIFT), HAND, -1, cv2.LINE_8, SHIFT)
    canvas.disc(centre, r * 0.85, colour * 0.3)


def _near_walls(canvas: Canvas, rng: Rng) -> None:
    """The rim's walls that stand between the camera and the field hide what lies right behind them."""
    shape, frame = canvas.scene.shape, canvas.scene.palette.frame
    if shape.rim_z <= 0:
        return
    corners = rectangle(0, 0, 1, shape.height)
    for index, outward in enumerate(((0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0))):
        a, b = corners[index], corners[(index + 1) % 4]
        out, middle = np.array(outward), (a + b) / 2
        lean = canvas.project([*middle, shape.rim_z]) - canvas.project([*middle, 0])
        if lean @ out >= 0:
            continue
        low, high = (canvas.project([[*a, z], [*b, z]]) for z in (0, shape.rim_z))
        canvas.fill(np.r_[low, high[::-1]], frame * 0.8, THING)
        canvas.polygon(
            [a, b, b + out * shape.rim, a + out * shape.rim], shape.rim_z, frame * rng.uniform(0.9, 1.1), THING
        )


@dataclass(frozen=True)
class Limb:
    """One part of an arm: from, to, width in board lengths, and its colour."""

    start: FloatArray
    end: FloatArray
    width: float
    colour: Colour


def _limbs(rng: Rng, height: float, *, strange: bool) -> list[Limb]:
    """Sleeve, wrist, palm and fingers reaching over the board from some side; strange: any side, and near the camera."""
    tip = np.array([rng.uniform(0.05, 0.95), height * rng.uniform(0.05, 0.95)])
    aside = strange and rng.random() < 0.3
    angle = rng.uniform(0.0 if aside else 0.15, 1.0 if aside else 0.85) * np.pi * (1 if rng.random() < 0.6 else -1)
    along = np.array([np.cos(angle), np.sin(angle)])
    across, width = np.array([-along[1], along[0]]), rng.uniform(0.05, 0.2 if strange else 0.12)
    skin = np.array([rng.uniform(60, 190), rng.uniform(80, 200), rng.uniform(120, 240)], np.float32) * rng.uniform(
        0.25, 1.1
    )
    sleeve = texture.any_colour(rng) if rng.random() < 0.7 else skin
    palm, wrist = tip + along * width * 1.3, tip + along * width * rng.uniform(2, 3.5)
    limbs = [
        Limb(wrist, wrist + along * 2, width * rng.uniform(0.9, 1.5), sleeve),
        Limb(palm, wrist, width * 0.75, skin),
        Limb(palm, palm + along * width * 0.5, width * 1.1, skin),
    ]
    curled, spread = rng.uniform(0, 0.8), rng.uniform(0.22, 0.4)
    for finger in range(int(rng.integers(3, 6))):
        offset = across * (finger - 1.5) * width * spread
        reach = tip + offset * rng.uniform(0.4, 1.4) + along * width * curled * rng.uniform(0.3, 1.2)
        limbs.append(Limb(palm + offset, reach, width * rng.uniform(0.2, 0.3), skin * rng.uniform(0.75, 1.15)))
    return limbs


def _hand(canvas: Canvas, rng: Rng) -> None:
    """A hand with its arm, rounded by light and shade, and its shadow."""
    limbs = _limbs(rng, canvas.scene.shape.height, strange=canvas.scene.strange)
    flat, mask = canvas.image.copy(), np.zeros_like(canvas.owner)
    shade = np.ones(mask.shape, np.float32)

    def pixel(point: FloatArray) -> tuple[int, int]:
        x, y = ((point + canvas.margin) * canvas.scale).astype(int).tolist()
        return (x, y)

    for index, limb in enumerate(limbs):
        one, wide = np.zeros_like(mask), max(2, int(limb.width * canvas.scale))
        cv2.line(one, pixel(limb.start), pixel(limb.end), 255, wide, cv2.LINE_AA)
        cv2.line(flat, pixel(limb.start), pixel(limb.end), bgr(limb.colour), wide, cv2.LINE_AA)
        x, y, broad, tall = cv2.boundingRect(one)
        part = (slice(max(y - 2, 0), y + tall + 2), slice(max(x - 2, 0), x + broad + 2))
        inside = one[part] > 127
        depth = cv2.distanceTransform(one[part], cv2.DIST_L2, 3) / (wide / 2)
        shade[part][inside] = (
            (0.55 + 0.45 * np.minimum(depth, 1))[inside] if index else (0.65 + 0.35 * np.minimum(depth, 1))[inside]
        )
        mask = np.maximum(mask, one)
    shade = np.asarray(canvas.soft(shade, 1.5), np.float32)
    shade *= 1 + texture.patch(rng, *mask.shape) * np.float32(rng.uniform(0, 0.15))
    move = np.array(canvas.scene.light) * canvas.scale * rng.uniform(0.01, 0.1)
    shift = np.array([[1, 0, move[0]], [0, 1, move[1]]], np.float32)
    shadow = canvas.soft(cv2.warpAffine(mask, shift, (canvas.width, canvas.height)), rng.uniform(2, 7))
    canvas.multiply(1 - shadow.astype(np.float32) / 255 * np.float32(rng.uniform(0.2, 0.7)))
    x, y, broad, tall = cv2.boundingRect(mask)
    part = (slice(y, y + tall), slice(x, x + broad))
    alpha = mask[part][..., None].astype(np.float32) / 255
    arm = np.clip(flat[part].astype(np.float32) * shade[part][..., None], 0, 255)
    canvas.image[part] = cv2.convertScaleAbs(canvas.image[part] * (1 - alpha) + arm * alpha)
    canvas.owner[mask > 100] = HAND


def _light(canvas: Canvas, rng: Rng) -> None:
    """Uneven light, hard edges of shade or sun across the board, glare on the board itself."""
    height, width = canvas.height, canvas.width
    slope = cv2.resize(rng.normal(0, 1, (3, 3)).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
    plain = canvas.scene.plain
    factor = np.exp(slope * np.float32(rng.uniform(0, 0.15 if plain else 0.3)))
    if rng.random() < (0.0 if plain else 0.3):
        band = np.zeros((height, width), np.uint8)
        for _ in range(int(rng.integers(1, 3))):
            through, angle = np.array([rng.uniform(0, width), rng.uniform(0, height)]), rng.uniform(0, 6.3)
            along = np.array([np.cos(angle), np.sin(angle)]) * 2000
            across = np.array([-np.sin(angle), np.cos(angle)]) * rng.uniform(20, 160) * canvas.finer
            quad = [
                through + along + across,
                through + along - across,
                through - along - across,
                through - along + across,
            ]
            cv2.fillConvexPoly(band, np.array(quad).astype(np.int32), 255)
        soft = canvas.soft(band, rng.uniform(0.8, 8)).astype(np.float32) / 255
        shaded = soft if rng.random() < 0.5 else 1 - soft
        factor = factor * (1 - shaded * np.float32(rng.uniform(0.2, 0.85)))
    lit = np.asarray(cv2.multiply(canvas.image, cv2.merge([factor] * 3), dtype=cv2.CV_32F), np.float32)
    if rng.random() < (0.0 if plain else 0.35):
        small = np.zeros((height // 4, width // 4), np.float32)
        for _ in range(int(rng.integers(1, 3))):
            at = (int(rng.uniform(0.1, 0.9) * width / 4), int(rng.uniform(0.1, 0.9) * height / 4))
            axes = (int(rng.uniform(3, 25) * canvas.finer), int(rng.uniform(3, 25) * canvas.finer))
            cv2.ellipse(small, at, axes, rng.uniform(0, 180), 0, 360, float(rng.uniform(20, 160)), -1)
        small = np.asarray(canvas.soft(small, rng.uniform(1.5, 8)), np.float32)
        gleam = cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR)
        lit += np.asarray(cv2.merge([gleam] * 3), np.float32)
    canvas.image = np.asarray(cv2.convertScaleAbs(lit), np.uint8)
