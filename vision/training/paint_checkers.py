"""Draws checkers on the board's plane with their shadows: layers, faces, sheen and grain."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Image
from vision.training import texture
from vision.training.canvas import SHIFT, Canvas, bgr, fixed, rectangle
from vision.training.finish import finished
from vision.training.scene import ASIDE, ON_BAR, Checker, CheckerDesign, DrawnScene
from vision.training.texture import Colour, Rng

FloatArray = npt.NDArray[np.float64]


def draw_shadows(canvas: Canvas, rng: Rng) -> None:
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


def draw_checkers(canvas: Canvas, rng: Rng) -> FloatArray:
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
