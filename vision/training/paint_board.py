"""Draws the empty board: frame, points, bar, near walls, and the light over all of it."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.training import texture
from vision.training.canvas import BODY, SHIFT, THING, Canvas, bgr, rectangle
from vision.training.texture import Rng

FloatArray = npt.NDArray[np.float64]


def draw_body(canvas: Canvas, rng: Rng) -> None:
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


def draw_points(canvas: Canvas, rng: Rng) -> None:
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


def draw_bar(canvas: Canvas, rng: Rng) -> None:
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


def draw_near_walls(canvas: Canvas, rng: Rng) -> None:
    """The rim's walls that stand between the camera and the field hide what lies right behind them."""
    draw_walls_before(canvas, rng, rectangle(0, 0, 1, canvas.scene.shape.height))


def draw_walls_before(canvas: Canvas, rng: Rng, corners: FloatArray) -> None:
    """The walls that stand between the camera and a sunken floor. corners: (4, 2) of the floor, board lengths, clockwise."""
    shape, frame = canvas.scene.shape, canvas.scene.palette.frame
    if shape.rim_z <= 0:
        return
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


def draw_light(canvas: Canvas, rng: Rng) -> None:
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
