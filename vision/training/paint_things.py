"""Draws dice, the doubling cube and cups as boxes and rounds that stand on the board."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Image
from vision.training import texture
from vision.training.canvas import HAND, SHIFT, THING, Canvas, bgr, fixed
from vision.training.scene import ON_BAR, DrawnScene
from vision.training.texture import Colour, Rng
from vision.training.thought_up import near_colour

FloatArray = npt.NDArray[np.float64]

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


def die_faces(rng: Rng, body: Colour, spread: float, pip: float) -> list[Image]:
    """Three faces of a die. spread, pip: from the middle to a pip's, and its radius, as shares of the face."""
    return [_die_face(int(v), body, _inked(body), spread, pip) for v in rng.choice(6, 3, replace=False) + 1]


def cube_faces(rng: Rng, body: Colour) -> list[Image]:
    """Three faces of a doubling cube, any of them the upper one."""
    return [_cube_face(rng, v, body, _inked(body)) for v in (int(rng.choice([2, 4, 8, 16, 32, 64])), 2, 4)]


def draw_boxes(canvas: Canvas, rng: Rng, boxes: list[Box]) -> None:
    """Their shadows, then they themselves."""
    _shade_beside(canvas, rng, boxes)
    for box in boxes:
        draw_box(canvas, box)


def body_colour(canvas: Canvas, rng: Rng) -> Colour:
    """Of a die or a cube: white or nearly, a side's own colour, or any."""
    kind = rng.random()
    if kind < 0.45:
        return texture.any_colour(rng, (0.75, 1), rng.uniform(0, 0.25))
    if kind < 0.8:
        return near_colour(rng, canvas.scene.palette.checkers[int(rng.integers(2))])
    return texture.any_colour(rng)


def draw_things(canvas: Canvas, rng: Rng) -> None:
    """Dice, cube, now and then a dice cup: what must not be counted as checkers."""
    scene, shape = canvas.scene, canvas.scene.shape
    size, roundness = scene.diameter * rng.uniform(0.3, 0.55), rng.uniform(0, 0.25)
    spread, pip = rng.uniform(0.22, 0.29), rng.uniform(0.075, 0.12)
    boxes = []
    strewn = int(rng.integers(0, 7)) if scene.strange and rng.random() < 0.4 else 0
    for _ in range(strewn + int(rng.choice([0, 1, 2, 3, 4], p=[0.22, 0.06, 0.55, 0.08, 0.09]))):
        body = body_colour(canvas, rng)
        y = shape.height * (rng.uniform(0.3, 0.7) if rng.random() < 0.6 else rng.uniform(0.05, 0.95))
        on_top = scene.thickness if rng.random() < 0.06 else 0.0
        faces = die_faces(rng, body, spread, pip)
        at = np.array([rng.uniform(0.04, 0.96), y])
        boxes.append(Box(at, on_top, size, rng.uniform(0, 6.3), faces, roundness))
    if rng.random() < 0.8:
        faces = cube_faces(rng, body_colour(canvas, rng))
        size = scene.diameter * rng.uniform(0.45, 1.0)
        at, z = _cube_place(canvas, rng, size)
        boxes.append(Box(at, z, size, rng.normal(0, 0.25), faces, rng.uniform(0, 0.25)))
    draw_boxes(canvas, rng, boxes)
    if rng.random() < 0.06:
        draw_cup(canvas, rng)


def apart_from_checkers(scene: DrawnScene, size: float) -> float:
    """Board lengths from the middle of a thing of this size to that of any checker at least."""
    return (scene.diameter + size) / 2 * CUBE_APART


def is_free(scene: DrawnScene, size: float, at: FloatArray) -> bool:
    """Whether a thing of this size stands on no checker there, board lengths."""
    taken = np.array([[checker.x, checker.y] for checker in scene.checkers]).reshape(-1, 2)
    return not len(taken) or bool(np.hypot(*(taken - at).T).min() > apart_from_checkers(scene, size))


def _cube_place(canvas: Canvas, rng: Rng, size: float) -> tuple[FloatArray, float]:
    """On the bar, mostly in its middle; now and then beside the board or on the field. And the height of its underside.

    Never on a checker, where nobody puts it: what it covers would be counted, or what lies under it be called empty.
    size: of the cube, board widths.
    """
    scene, shape = canvas.scene, canvas.scene.shape
    bar, kind = sum(shape.bar) / 2, rng.random()
    free, apart = partial(is_free, scene, size), apart_from_checkers(scene, size)
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


def draw_cup(canvas: Canvas, rng: Rng, at: FloatArray | None = None) -> None:
    """A dice cup standing on the field, or where it is said to, board lengths."""
    colour = texture.any_colour(rng, (0.05, 0.7))
    x, y = (rng.uniform(0.1, 0.9), canvas.scene.shape.height * rng.uniform(0.4, 0.6)) if at is None else at
    radius, tall = rng.uniform(0.03, 0.06), rng.uniform(0.06, 0.16)
    for z in np.linspace(0, tall, 24):
        centre, r = canvas.project([x, y, z]), radius * canvas.enlargement(float(z))
        canvas.disc(centre, r, colour * (0.6 + 0.4 * z / tall))
        cv2.circle(canvas.owner, fixed(centre), int(r * 2**SHIFT), HAND, -1, cv2.LINE_8, SHIFT)
    canvas.disc(centre, r * 0.85, colour * 0.3)
