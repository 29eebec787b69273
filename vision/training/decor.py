"""What strange boards bear: patterned cloth, inlays, prints, fittings; things and light that hide what lies below."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.training import patterns, texture
from vision.training.canvas import HAND, SHIFT, THING, Canvas, bgr, fixed, rectangle
from vision.training.scene import ON_BAR
from vision.training.texture import Colour, Rng, any_colour
from vision.training.thought_up import METALS, near_colour

FloatArray = npt.NDArray[np.float64]
Mask = npt.NDArray[np.float32]
"""(H, W) float32, 0-1."""
BLINDING = 0.75
"""Share of white from which on nothing below can be told."""
KNOB = 0.3
"""Largest radius of anything round on the bar, in checkers' diameters: nobody could tell a larger one from a checker."""
HINGE_AT_HIT, HINGE_ALIKE = 0.4, 0.15
"""How often hinges are beside or below hit checkers, and of nearly one side's colour."""


def overlaid(canvas: Canvas, rng: Rng, mask: Mask, strength: float) -> None:
    """Mixes a pattern into the px of the mask: 0 leaves them, 1 is about all that one sees."""
    kind = rng.random()
    image = canvas.image.astype(np.float32)
    if kind < 0.7:
        new = patterns.cut(rng, canvas.height, canvas.width)
        new -= np.array(cv2.mean(new)[:3], np.float32)
        new *= np.float32(strength)
        new += image
    else:
        grain = 1 + texture.patch(rng, canvas.height, canvas.width) * np.float32(strength * 0.7)
        new = np.asarray(cv2.multiply(image, cv2.merge([grain] * 3)), np.float32)
    np.clip(new, 0, 255, out=new)
    share = cv2.merge([mask] * 3)
    new *= share
    image *= 1 - share
    image += new
    canvas.image = np.clip(image, 0, 255, out=image).astype(np.uint8)


def _field_mask(canvas: Canvas) -> Mask:
    mask = np.zeros((canvas.height, canvas.width), np.float32)
    low = _px(canvas, (0.0, 0.0))
    cv2.rectangle(mask, low, _px(canvas, (1.0, canvas.scene.shape.height)), 1.0, -1)
    return mask


def _px(canvas: Canvas, at: tuple[float, float]) -> tuple[int, int]:
    x, y = ((np.array(at) + canvas.margin) * canvas.scale).astype(int).tolist()
    return (x, y)


def on_field(canvas: Canvas, rng: Rng) -> None:
    """Patterns on frame and field, before the points are laid on them."""
    field = _field_mask(canvas)
    if rng.random() < 0.3:
        overlaid(canvas, rng, 1 - field, rng.uniform(0.15, 0.9))
    if rng.random() < 0.35:
        overlaid(canvas, rng, field, rng.uniform(0.1, 0.7))
    if rng.random() < 0.25:
        _borders(canvas, rng)


def on_points(canvas: Canvas, rng: Rng, bare: npt.NDArray[np.uint8]) -> None:
    """Patterns, inlays and prints on the points. bare: the canvas before they were drawn."""
    changed = (cv2.transform(cv2.absdiff(canvas.image, bare), np.ones((1, 3), np.float32)) > 6).astype(np.float32)
    if rng.random() < 0.3:
        overlaid(canvas, rng, changed, rng.uniform(0.15, 0.8))
    if rng.random() < 0.3:
        _inlays(canvas, rng)
    if rng.random() < 0.25:
        _prints(canvas, rng)
    if rng.random() < 0.15:
        overlaid(canvas, rng, np.ones_like(changed), rng.uniform(0.1, 0.4))


def _borders(canvas: Canvas, rng: Rng) -> None:
    """Lines and bands of inlay along the edges of the two halves."""
    shape = canvas.scene.shape
    inset, wide = rng.uniform(0.0, 0.02), int(rng.integers(1, 7))
    colour = bgr(any_colour(rng))
    for x0, x1 in ((0.0, shape.bar[0]), (shape.bar[1], 1.0)):
        low = _px(canvas, (x0 + inset, inset))
        cv2.rectangle(canvas.image, low, _px(canvas, (x1 - inset, shape.height - inset)), colour, canvas.stroke(wide))


def _inlays(canvas: Canvas, rng: Rng) -> None:
    """The same mark on every point, or on every other: near base, middle or tip, often of a checker's size."""
    scene = canvas.scene
    shape, points, palette = scene.shape, scene.points, scene.palette
    where, kind, size = rng.uniform(0.0, 1.0), int(rng.integers(6)), rng.uniform(0.12, 0.5) * shape.pitch * canvas.scale
    choices = (any_colour(rng), *palette.points, palette.field, *palette.checkers)
    colour, second = (choices[int(index)] for index in rng.integers(0, len(choices), 2))
    every, stroke = int(rng.integers(1, 3)), int(rng.integers(1, 4))
    for row in (0, 1):
        for index, x in enumerate(shape.columns):
            if (index + row) % every:
                continue
            along = where * points.length
            y = along if row == 0 else shape.height - along
            at = canvas.project([x, y, 0.0])
            if kind < 3:
                canvas.disc(at, size, colour, -1 if kind != 1 else stroke)
                if kind == 2:
                    canvas.disc(at, size * 0.7, second)
            elif kind == 3:
                start, reach = (0 if row else 180), int(size * 2**SHIFT)
                arc = (start, start + 180)
                colours = bgr(colour)
                cv2.ellipse(canvas.image, fixed(at), (reach, reach), 0, *arc, colours, canvas.stroke(stroke), 16, SHIFT)
            elif kind == 4:
                canvas.fill(at + size * np.array([[0, -1], [0.7, 0], [0, 1], [-0.7, 0]]), colour)
            else:
                tall = size * (1 if row == 0 else -1)
                canvas.fill(at + np.array([[-size, 0], [size, 0], [size * 0.5, tall], [-size * 0.5, tall]]), colour)


def _prints(canvas: Canvas, rng: Rng) -> None:
    """Names, emblems and pictures anywhere on the field, often in its middle."""
    height = canvas.scene.shape.height
    for _ in range(int(rng.integers(1, 4))):
        y = height * (0.5 if rng.random() < 0.5 else rng.uniform(0.05, 0.95))
        at, kind = canvas.project([rng.uniform(0.02, 0.98), y, 0.0]), rng.random()
        if kind < 0.45:
            words = "".join(rng.choice(patterns.LETTERS, int(rng.integers(1, 12))))
            size, width = rng.uniform(0.3, 2) * canvas.finer, canvas.stroke(rng.uniform(1, 4))
            place = (int(at[0]), int(at[1]))
            cv2.putText(
                canvas.image, words, place, int(rng.integers(8)), size, bgr(any_colour(rng)), width, cv2.LINE_AA
            )
        elif kind < 0.75:
            radius = rng.uniform(8, 45) * canvas.finer
            canvas.disc(at, radius, any_colour(rng), -1 if rng.random() < 0.4 else 2)
            canvas.disc(at, radius * rng.uniform(0.4, 0.9), any_colour(rng), 1)
        else:
            side = int(rng.uniform(10, 70) * canvas.finer)
            x, y = (max(int(value), 0) for value in at)
            region = canvas.image[y : y + side, x : x + side]
            if region.size:
                region[:] = patterns.cut(rng, *region.shape[:2]).astype(np.uint8)


def _metal(rng: Rng) -> Colour:
    metal = np.array(METALS[int(rng.integers(len(METALS)))], np.float32) * rng.uniform(0.5, 1.25)
    return np.asarray(np.clip(metal, 3, 252), np.float32) if rng.random() < 0.7 else any_colour(rng)


def fittings(canvas: Canvas, rng: Rng, *, anywhere: bool = True) -> None:
    """Hinges and knobs on the bar, clasps, locks and handles on the rails.

    anywhere: hinges may lie where hit checkers do, too; not on a board of which another picture shows other checkers.
    """
    shape = canvas.scene.shape
    left, right = shape.bar
    wide, middle = right - left, (left + right) / 2
    if wide > 0.01:
        if rng.random() < 0.45:
            places: tuple[float, ...] = ((0.17, 0.83), (0.5,), (0.25, 0.75), (0.1, 0.5, 0.9), (0.05, 0.95))[
                int(rng.integers(5))
            ]
            hit = [checker.y / shape.height for checker in canvas.scene.checkers if checker.column == ON_BAR]
            if anywhere and hit and rng.random() < HINGE_AT_HIT:
                near = canvas.scene.diameter / shape.height
                places = tuple(float(rng.choice(hit)) + float(rng.uniform(-1.3, 1.3)) * near for _ in range(2))
            _hinges(canvas, rng, middle, wide, places)
        if rng.random() < 0.25:
            metal = _metal(rng)
            radius = min(wide * rng.uniform(0.12, 0.48), KNOB * canvas.scene.diameter) * canvas.scale
            for y in ((0.5,), (0.3, 0.7), (0.05, 0.95))[int(rng.integers(3))]:
                at = canvas.project([middle, y * shape.height, shape.bar_z])
                canvas.disc(at, radius, metal, -1 if rng.random() < 0.6 else 2)
                canvas.disc(at, radius * rng.uniform(0.3, 0.8), metal * rng.uniform(0.4, 1.3))
    if rng.random() < 0.25:
        metal, half = _metal(rng), rng.uniform(0.01, 0.05)
        for x in ((0.25, 0.75), (middle,), (0.1, 0.9))[int(rng.integers(3))]:
            for y0, y1 in ((-shape.rim, 0.005), (shape.height - 0.005, shape.height + shape.rim)):
                if rng.random() < 0.7:
                    canvas.polygon(rectangle(x - half, y0, x + half, y1), shape.rim_z, metal)


def _hinges(canvas: Canvas, rng: Rng, middle: float, wide: float, places: tuple[float, ...]) -> None:
    """Plates with screws and a pin along the bar's middle."""
    shape, metal = canvas.scene.shape, _metal(rng)
    if rng.random() < HINGE_ALIKE:
        metal = near_colour(rng, canvas.scene.palette.checkers[int(rng.integers(2))])
    half, tall = wide * rng.uniform(0.15, 0.6), rng.uniform(0.012, 0.07)
    screw, rounded = metal * rng.uniform(0.3, 1.3), rng.random() < 0.3
    for share in places:
        y = share * shape.height
        if rounded:
            radius = min(half, KNOB * canvas.scene.diameter) * canvas.scale
            canvas.disc(canvas.project([middle, y, shape.bar_z]), radius, metal)
        else:
            canvas.polygon(rectangle(middle - half, y - tall, middle + half, y + tall), shape.bar_z, metal)
        for across in (-0.6, 0.6):
            for along in (-0.6, 0, 0.6):
                at = canvas.project([middle + across * half, y + along * tall, shape.bar_z])
                canvas.disc(at, 0.0035 * canvas.scale, screw)
        canvas.polygon(rectangle(middle - 0.002, y - tall, middle + 0.002, y + tall), shape.bar_z, metal * 0.4)


def litter(canvas: Canvas, rng: Rng) -> None:
    """Coins, tokens, pens and cards that lie between the checkers: small, flat, and not to be counted."""
    scene = canvas.scene
    taken = np.array([[checker.x, checker.y] for checker in scene.checkers]).reshape(-1, 2)
    for _ in range(int(rng.choice([0, 1, 2, 4], p=[0.7, 0.12, 0.1, 0.08]))):
        at = np.array([rng.uniform(0.02, 0.98), scene.shape.height * rng.uniform(0.03, 0.97)])
        if len(taken) and np.hypot(*(taken - at).T).min() < scene.diameter * 0.9:
            continue
        kind, metal = rng.random(), _metal(rng)
        centre, reach = canvas.project([*at, 0.0]), scene.diameter * canvas.scale * rng.uniform(0.12, 0.34)
        if kind < 0.5:
            canvas.disc(centre + reach * 0.08, reach, metal * 0.4)
            canvas.disc(centre, reach, metal)
            canvas.disc(centre, reach * rng.uniform(0.6, 0.95), metal * rng.uniform(0.6, 1.3), -1 if kind < 0.25 else 1)
        else:
            turn, half = rng.uniform(0, 6.3), np.array([rng.uniform(0.3, 3.5), rng.uniform(0.15, 0.5)]) * reach
            spin = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
            outline = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half @ spin + centre
            canvas.fill(outline + reach * 0.08, metal * 0.4)
            canvas.fill(outline, any_colour(rng), THING)


def covers(canvas: Canvas, rng: Rng) -> None:
    """Phones, books, sheets, cups and bowls that stand or lie on the board: what is under them nobody can see."""
    for _ in range(int(rng.choice([0, 1, 2], p=[0.8, 0.15, 0.05]))):
        at = np.array([rng.uniform(-0.05, 1.05), canvas.scene.shape.height * rng.uniform(-0.05, 1.05)])
        if rng.random() < 0.45:
            _round_cover(canvas, rng, at)
        else:
            _flat_cover(canvas, rng, at)


def _round_cover(canvas: Canvas, rng: Rng, at: FloatArray) -> None:
    colour, radius, tall = any_colour(rng), rng.uniform(0.03, 0.11), rng.uniform(0.005, 0.15)
    flare = rng.uniform(0.7, 1.3)
    for z in np.linspace(0, tall, 20):
        share = float(z) / tall
        centre = canvas.project([*at, float(z)])
        reach = radius * (1 + (flare - 1) * share) * canvas.enlargement(float(z))
        canvas.disc(centre, reach, colour * (0.6 + 0.4 * share))
        cv2.circle(canvas.owner, fixed(centre), int(reach * 2**SHIFT), HAND, -1, cv2.LINE_8, SHIFT)
    canvas.disc(centre, reach * rng.uniform(0.6, 0.95), any_colour(rng) if rng.random() < 0.5 else colour * 0.4)


def _flat_cover(canvas: Canvas, rng: Rng, at: FloatArray) -> None:
    half = np.array([rng.uniform(0.03, 0.2), rng.uniform(0.03, 0.12)])
    turn, tall, colour = rng.uniform(0, 6.3), rng.uniform(0.0, 0.05), any_colour(rng)
    spin = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    outline = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half @ spin + at
    for z in np.linspace(0, tall, 6):
        pixels = canvas.polygon(outline, float(z), colour * 0.6, HAND)
    canvas.fill(pixels, colour)
    if rng.random() < 0.6:
        mask = np.zeros((canvas.height, canvas.width), np.uint8)
        cv2.fillPoly(mask, [np.round(pixels).astype(np.int32)], 1)
        overlaid(canvas, rng, mask.astype(np.float32), rng.uniform(0.2, 1.0))


def sleeves(canvas: Canvas, rng: Rng) -> None:
    """Patterned cloth, hair and shade on whatever reaches over the board."""
    mask = (canvas.owner == HAND).astype(np.float32)
    if mask.any() and rng.random() < 0.6:
        overlaid(canvas, rng, mask, rng.uniform(0.1, 0.8))


def dazzle(canvas: Canvas, rng: Rng) -> None:
    """Light mirrored so strongly by lacquer, glass or plastic that what lies there is white."""
    if rng.random() > 0.08:
        return
    layer = np.zeros((canvas.height, canvas.width), np.uint8)
    for _ in range(int(rng.integers(1, 3))):
        x, y = _px(canvas, (rng.uniform(0, 1), canvas.scene.shape.height * rng.random()))
        axes = (int(rng.uniform(0.03, 0.14) * canvas.scale), int(rng.uniform(0.03, 0.14) * canvas.scale))
        if rng.random() < 0.4:
            turn = rng.uniform(0, 6.3) + np.array([0.4, 2.7, 3.6, 5.9])
            quad = np.array([x, y]) + np.array(axes) * np.c_[np.cos(turn), np.sin(turn)] * 1.3
            cv2.fillPoly(layer, [quad.astype(np.int32)], 255)
        else:
            cv2.ellipse(layer, (x, y), axes, rng.uniform(0, 180), 0, 360, 255, -1)
    share = canvas.soft(layer, rng.uniform(0.8, 8)).astype(np.float32)[..., None] / 255
    canvas.image = np.clip(canvas.image * (1 - share) + 255 * share, 0, 255).astype(np.uint8)
    canvas.owner[share[..., 0] > BLINDING] = HAND
