"""Paints what is taken for dice and cubes: inlays, lettering, clasps, displays, buttons, patterns, glitter, stacks on edge.

Every painter takes a BoardPainter and a place, px, and answers the place's radius, px, or paints all over.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.training.dice_board import (
    SCENE_PX,
    BoardPainter,
    Bytes,
    Floats,
    contrasting,
    material,
    points,
    polygon,
    resized,
    vec,
)

SEGMENTS = ("abcdef", "bc", "abged", "abgcd", "fgbc", "afgcd", "afgedc", "abc", "abcdefg", "abcdfg")
PLACES = {
    "a": ((0, 0), (1, 0)),
    "b": ((1, 0), (1, 1)),
    "c": ((1, 1), (1, 2)),
    "d": ((0, 2), (1, 2)),
    "e": ((0, 1), (0, 2)),
    "f": ((0, 0), (0, 1)),
    "g": ((0, 1), (1, 1)),
}


def lay(painter: BoardPainter, patch: Floats, at: Floats, angle: float) -> None:
    """Lays a (h, w, 4) patch, colour times alpha and alpha, turned by `angle` degrees, with its middle at `at`."""
    h, w = patch.shape[:2]
    side = int(np.hypot(h, w)) + 3
    turn = cv2.getRotationMatrix2D(((w - 1) / 2, (h - 1) / 2), angle, 1.0)
    turn[:, 2] += vec([(side - w) / 2, (side - h) / 2])
    turned = cv2.warpAffine(patch, turn, (side, side), flags=cv2.INTER_LINEAR)
    painter.over(np.asarray(turned, np.float32), np.floor(at - side / 2).astype(int))


def opaque(image: Floats, mask: Floats) -> Floats:
    """(h, w, 4) patch of an image (h, w, 3) and a mask (h, w) 0-1."""
    return vec(np.dstack([image * mask[..., None], mask]))


def motif(rng: np.random.Generator, side: int) -> Floats:
    """(side, side, 3) float32: one tile of an inlay: a star, diamonds, checks or triangles in three or four woods."""
    woods = [material(rng) for _ in range(4)]
    tile: Floats = np.empty((side, side, 3), np.float32)
    tile[:] = woods[0]
    middle = np.array([side / 2, side / 2])
    pick = rng.random()
    if pick < 0.45:
        n = int(rng.choice([4, 5, 6, 8, 12]))
        for radius, wood in ((0.5, woods[1]), (rng.uniform(0.25, 0.4), woods[2]), (rng.uniform(0.08, 0.2), woods[3])):
            angle = np.arange(2 * n) * np.pi / n + (rng.uniform(0, np.pi) if rng.random() < 0.4 else 0)
            reach = np.where(np.arange(2 * n) % 2, rng.uniform(0.4, 1.0), 1.0)[:, None] * radius * side
            polygon(tile, vec(middle + np.c_[np.cos(angle), np.sin(angle)] * reach), wood)
    elif pick < 0.75:
        n = int(rng.integers(2, 5))
        cells = rng.integers(0, 3, (n, n)) if rng.random() < 0.4 else np.indices((n, n)).sum(0) % 2
        tile = cv2.resize(
            vec([[woods[c] for c in row] for row in cells]), (side, side), interpolation=cv2.INTER_NEAREST
        )
    else:
        half = side / 2
        for k in range(4):
            a, b = np.pi / 2 * k, np.pi / 2 * (k + 1)
            rim = [middle + half * vec([np.cos(t), np.sin(t)]) for t in (a, b)]
            polygon(tile, vec([middle, *rim]), woods[k % 2 + 1])
            inner = [middle + half * 0.5 * vec([np.cos(t), np.sin(t)]) for t in (a, b)]
            polygon(tile, vec([middle, *inner]), woods[3 - k % 2])
    return np.asarray(tile, np.float32)


def inlay(painter: BoardPainter, at: Floats) -> float:
    """A band or a block of one motif, repeated."""
    rng = painter.rng
    side = int(rng.uniform(7, 44))
    band = rng.random() < 0.5
    across = 1 if band else int(rng.integers(2, 6))
    along = int(rng.integers(4, 14)) if band else across + int(rng.integers(0, 3))
    one = motif(rng, side)
    if rng.random() < 0.3:
        other = motif(rng, side)
        row = np.concatenate([np.concatenate([one, other], 1)] * (along // 2 + 1), 1)
        rows = [row if k % 2 else row[:, ::-1] for k in range(across)]
    else:
        rows = [np.concatenate([one] * along, 1)] * across
    image: Floats = np.concatenate(rows, 0)
    edge = int(rng.integers(0, 4))
    if edge:
        image = cv2.copyMakeBorder(image, *(edge,) * 4, cv2.BORDER_CONSTANT, value=material(rng).tolist())
    angle = float(rng.choice([0, 90, 180, 270]) + rng.normal(0, 3)) if rng.random() < 0.7 else rng.uniform(0, 360)
    lay(painter, opaque(image, np.ones(image.shape[:2], np.float32)), at, angle)
    return float(max(image.shape[:2]) / 2)


def rosette(painter: BoardPainter, at: Floats) -> float:
    """Rings and rays in a few woods, in a disc or an octagon."""
    rng = painter.rng
    radius, n = rng.uniform(9, 70), int(rng.choice([4, 5, 6, 8, 10, 12, 16]))
    ys, xs = np.mgrid[-radius : radius + 1, -radius : radius + 1]
    r, a = np.hypot(xs, ys), np.arctan2(ys, xs) + rng.uniform(0, 6)
    ring = np.floor(r / radius * rng.integers(2, 7)).astype(int)
    twist = rng.uniform(0, 0.5) if rng.random() < 0.4 else 0.0
    ray = np.floor((a / (2 * np.pi) + twist * r / radius) * 2 * n).astype(int)
    woods = vec([material(rng) for _ in range(int(rng.integers(2, 5)))])
    image = woods[(ring * int(rng.integers(0, 3)) + ray) % len(woods)]
    if rng.random() < 0.5:
        image[r < radius * rng.uniform(0.1, 0.4)] = material(rng)
    mask = np.clip(radius - r, 0, 1)
    lay(painter, opaque(vec(image), vec(mask)), at, 0.0)
    return radius


def lettering(painter: BoardPainter, at: Floats, stock: list[Bytes]) -> float:
    """A word or a sign, printed or on a plate."""
    rng = painter.rng
    mark = stock[rng.integers(len(stock))]
    high = rng.uniform(6, 42)
    scale = high / len(mark)
    mark = resized(mark, scale)
    here = painter.image[tuple(np.clip(at[::-1], 0, SCENE_PX - 1).astype(int))]
    ink = contrasting(rng, here, 60)
    mask = mark.astype(np.float32) / 255
    image = np.empty((*mark.shape, 3), np.float32)
    image[:] = ink
    if rng.random() < 0.4:
        pad = int(rng.integers(1, 10))
        mask = np.asarray(cv2.copyMakeBorder(mask, *(pad,) * 4, cv2.BORDER_CONSTANT), np.float32)
        plate = contrasting(rng, ink, 80)
        image = plate * (1 - mask[..., None]) + ink * mask[..., None]
        mask = np.ones_like(mask)
    angle = float(rng.choice([0, 90, 180, 270])) + rng.normal(0, 4)
    lay(painter, opaque(vec(image), mask), at, angle)
    return float(max(mask.shape) / 2)


def metal(rng: np.random.Generator, high: int, wide: int) -> Floats:
    """(high, wide, 3): a curved sheet of brass, steel or black iron with its reflections."""
    colour = [vec([60, 150, 190]), vec([170, 175, 180]), vec([60, 60, 65]), vec([50, 90, 150])][rng.integers(4)]
    across = np.linspace(0, 1, high)[:, None]
    shine = 0.7 + 0.5 * np.sin(across * rng.uniform(2, 9) + rng.uniform(0, 6))
    shine = shine + 0.15 * np.sin(np.linspace(0, rng.uniform(1, 9), wide))[None]
    return vec(np.clip(colour * rng.uniform(0.7, 1.3) * shine[..., None], 0, 255))


def clasp(painter: BoardPainter, at: Floats) -> float:
    """A hinge, a clasp or a lock: a metal plate with screws, knuckles or a knob."""
    rng = painter.rng
    wide, high = int(rng.uniform(14, 90)), int(rng.uniform(9, 40))
    image = metal(rng, high, wide)
    mask = np.zeros((high, wide), np.float32)
    if rng.random() < 0.5:
        cv2.rectangle(mask, (0, 0), (wide, high), 1.0, -1)
    else:
        cv2.ellipse(mask, (wide // 2, high // 2), (wide // 2, high // 2), 0, 0, 360, 1.0, -1, cv2.LINE_AA)
    for x in range(0, wide, int(rng.uniform(6, 30))) if rng.random() < 0.5 else ():
        cv2.line(image, (x, 0), (x, high), (15, 15, 15), 1, cv2.LINE_AA)
    rows, columns = int(rng.integers(1, 3)), int(rng.integers(1, 5))
    tone = float(rng.choice([0.3, 0.5, 1.5]))
    for i in range(rows):
        for j in range(columns):
            hole = ((j + 0.5) / columns * wide, (i + 0.5) / rows * high)
            r = rng.uniform(1.2, 4)
            cv2.circle(image, points(*hole), int(r * 16), (image[0, 0] * tone).tolist(), -1, cv2.LINE_AA, 4)
            if rng.random() < 0.5:
                cv2.line(image, points(hole[0] - r, hole[1]), points(hole[0] + r, hole[1]), (20, 20, 20), 1, 8, 4)
    lay(painter, opaque(image, mask), at, float(rng.choice([0, 90])) + rng.normal(0, 4))
    return max(wide, high) / 2


def bracelet(painter: BoardPainter, at: Floats) -> float:
    """A watch strap, a chain, beads, coins in a row: shiny ovals."""
    rng = painter.rng
    way, r = rng.uniform(0, 2 * np.pi), rng.uniform(4, 14)
    colour = material(rng)
    count = int(rng.integers(1, 8))
    for _ in range(count):
        way += rng.normal(0, 0.2)
        at = at + vec([np.cos(way), np.sin(way)]) * r * 1.9
        axes = (int(r * 16), int(r * rng.uniform(0.5, 1.0) * 16))
        for part, tone in ((1.0, 0.6), (0.85, 1.0), (0.4, rng.uniform(1.0, 1.6))):
            size = (int(axes[0] * part), int(axes[1] * part))
            shade = np.clip(colour * tone, 0, 255).tolist()
            cv2.ellipse(painter.image, points(*at), size, float(np.degrees(way)), 0, 360, shade, -1, cv2.LINE_AA, 4)
    return r


def display(painter: BoardPainter, at: Floats) -> float:
    """A clock: a case, a display with seven segments a figure, buttons."""
    rng = painter.rng
    high = rng.uniform(7, 34)
    step, thick = high * 0.85, max(1, int(high * rng.uniform(0.08, 0.16)))
    figures = int(rng.integers(1, 6))
    h, w = int(high + rng.uniform(4, 16)), int(step * figures + rng.uniform(4, 16))
    back = material(rng)
    image: Floats = np.empty((h, w, 3), np.float32)
    image[:] = back
    ink = contrasting(rng, back, 60).tolist()
    top, slant = (h - high) / 2, rng.uniform(-0.1, 0.2) * high
    for k in range(figures):
        start = (w - step * figures) / 2 + k * step
        for segment in SEGMENTS[rng.integers(10)]:
            ends = [
                points(start + x * high * 0.5 + slant * (1 - y / 2), top + y * high * 0.48) for x, y in PLACES[segment]
            ]
            cv2.line(image, ends[0], ends[1], ink, thick, cv2.LINE_AA, 4)
    above, below, left, right = (int(v) for v in rng.uniform(2, 26, 4))
    colour = material(rng).tolist()
    image = vec(cv2.copyMakeBorder(image, above, below, left, right, cv2.BORDER_CONSTANT, value=colour))
    for _ in range(rng.integers(0, 4)):
        spot = rng.uniform(0, image.shape[1]), rng.uniform(0, above)
        cv2.circle(image, points(*spot), int(rng.uniform(2, 7) * 16), material(rng).tolist(), -1, cv2.LINE_AA, 4)
    lay(
        painter,
        opaque(image, np.ones(image.shape[:2], np.float32)),
        at,
        rng.choice([0, 90, 180, 270]) + rng.normal(0, 5),
    )
    return float(max(image.shape[:2]) / 2)


def glitter(painter: BoardPainter, at: Floats) -> float:
    """A checker of foil, pearl or rough metal: bright spots of no shape on a disc."""
    rng = painter.rng
    radius = painter_radius(rng)
    ys, xs = np.mgrid[-radius : radius + 1, -radius : radius + 1]
    r = np.hypot(xs, ys)
    cloud = cv2.GaussianBlur(rng.standard_normal(r.shape).astype(np.float32), (0, 0), rng.uniform(0.7, 3.5))
    cloud /= cloud.std() + 1e-6
    dark = material(rng)
    bright = np.clip(dark + rng.uniform(50, 220), 0, 255)
    part = np.clip((cloud - rng.uniform(-0.3, 1.2)) * rng.uniform(1, 5), 0, 1)[..., None]
    image = dark * (1 - part) + bright * part
    image[r > radius * 0.93] *= rng.uniform(0.4, 1.4)
    lay(painter, opaque(vec(np.clip(image, 0, 255)), vec(np.clip(radius - r, 0, 1))), at, 0.0)
    return radius


def painter_radius(rng: np.random.Generator) -> float:
    """A checker's radius, px."""
    return float(rng.uniform(26, 40))


def engraved(painter: BoardPainter, at: Floats, stock: list[Bytes]) -> float:
    """A checker with a sign in its middle: a letter, a star, a cross, a ring of dots; often a little off its colour."""
    rng = painter.rng
    colour, radius = material(rng), painter_radius(rng)
    z = painter.checker(at, radius, colour, painter.checker_style(colour))
    top = at + painter.shift * z
    mark = np.clip(colour * rng.uniform(0.4, 1.7) + rng.normal(0, 12), 0, 255) if rng.random() < 0.6 else material(rng)
    size = radius * rng.uniform(0.3, 0.7)
    pick = rng.random()
    if pick < 0.4:
        word = stock[rng.integers(len(stock))]
        scale = size * 1.4 / max(word.shape)
        small = resized(word, scale).astype(np.float32) / 255
        sign = np.empty((*small.shape, 3), np.float32)
        sign[:] = mark
        lay(painter, opaque(sign, vec(small)), top, rng.uniform(0, 360))
    elif pick < 0.75:
        n = int(rng.integers(3, 10))
        angle = np.arange(2 * n) * np.pi / n + rng.uniform(0, 6)
        reach = np.where(np.arange(2 * n) % 2, rng.uniform(0.2, 0.8), 1.0)[:, None] * size
        polygon(painter.image, vec(top + np.c_[np.cos(angle), np.sin(angle)] * reach), vec(mark))
    else:
        n = int(rng.integers(3, 13))
        for k in range(n):
            spot = top + size * vec([np.cos(2 * np.pi * k / n), np.sin(2 * np.pi * k / n)])
            cv2.circle(painter.image, points(*spot), int(rng.uniform(1.2, 4) * 16), mark.tolist(), -1, cv2.LINE_AA, 4)
    return radius


def stack(painter: BoardPainter, at: Floats) -> float:
    """Checkers on edge in a tray, a pile of coins, a spring: bars side by side with the light on them."""
    rng = painter.rng
    count, thick, long = int(rng.integers(2, 12)), rng.uniform(7, 20), rng.uniform(24, 72)
    colours = [material(rng)] * 2 if rng.random() < 0.6 else [material(rng), material(rng)]
    h, w = int(long), int(count * thick)
    image = np.empty((h, w, 3), np.float32)
    phase = (np.arange(w) % thick) / thick
    for k in range(count):
        image[:, int(k * thick) : int((k + 1) * thick)] = colours[k % 2]
    image *= (0.35 + 0.75 * np.sin(np.pi * phase))[None, :, None]
    along = np.exp(-(((np.linspace(0, 1, h) - rng.uniform(0.2, 0.8)) / rng.uniform(0.05, 0.3)) ** 2))[:, None]
    image += (along * np.clip(np.sin(np.pi * phase), 0, 1)[None] ** 6 * rng.uniform(0, 220))[..., None]
    lay(
        painter,
        opaque(vec(np.clip(image, 0, 255)), np.ones((h, w), np.float32)),
        at,
        rng.choice([0, 90]) + rng.normal(0, 4),
    )
    return max(h, w) / 2


def speckle(painter: BoardPainter, at: Floats) -> float:
    """Dots in rows over more than a die's face, on the ground or on a cloth: screws, lace, a colander, a carpet."""
    rng = painter.rng
    step = rng.uniform(5, 22)
    nx, ny = int(rng.integers(1, 9)), int(rng.integers(4, 9))
    grid = np.stack(np.meshgrid(np.arange(nx), np.arange(ny)), -1).reshape(-1, 2).astype(np.float64)
    if rng.random() < 0.5:
        grid[:, 0] += 0.5 * (grid[:, 1] % 2)
    grid = (grid - grid.mean(0)) * step
    a = rng.uniform(0, 2 * np.pi)
    turned = grid @ np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]) + at
    r, colour = step * rng.uniform(0.12, 0.42), material(rng)
    for spot in turned:
        cv2.circle(painter.image, points(*spot), int(r * 16), colour.tolist(), -1, cv2.LINE_AA, 4)
    return float(np.abs(grid).max() + step)


def cloth(painter: BoardPainter) -> None:
    """A patterned stretch across the scene: carpet, checks, stripes, curls."""
    rng, image = painter.rng, painter.image
    ys, xs = np.mgrid[:SCENE_PX, :SCENE_PX].astype(np.float32)
    a, period = rng.uniform(0, np.pi), rng.uniform(6, 70)
    u, v = xs * np.cos(a) + ys * np.sin(a), -xs * np.sin(a) + ys * np.cos(a)
    if rng.random() < 0.4:
        u = u + rng.uniform(2, 16) * np.sin(v / rng.uniform(6, 30))
    wave = np.sin(2 * np.pi * u / period)
    if rng.random() < 0.6:
        wave = wave * np.sin(2 * np.pi * v / (period * rng.uniform(0.6, 1.6)))
    part = np.clip((wave - rng.uniform(-0.4, 0.6)) * rng.uniform(1, 12), 0, 1)
    edge, way = rng.uniform(-40, SCENE_PX + 40), rng.integers(4)
    over = [xs < edge, xs > edge, ys < edge, ys > edge][way]
    one, other = material(rng), material(rng)
    woven = one * (1 - part[..., None]) + other * part[..., None]
    mix = over[..., None] * rng.uniform(0.5, 1.0)
    image[:] = image * (1 - mix) + woven * mix


def pattern(painter: BoardPainter, at: Floats, stock: list[Bytes]) -> float:
    """One thing of any sort at a place."""
    pick = painter.rng.random()
    if pick < 0.2:
        return inlay(painter, at)
    if pick < 0.32:
        return rosette(painter, at)
    if pick < 0.46:
        return lettering(painter, at, stock)
    if pick < 0.56:
        return clasp(painter, at)
    if pick < 0.62:
        return bracelet(painter, at)
    if pick < 0.7:
        return display(painter, at)
    if pick < 0.78:
        return glitter(painter, at)
    if pick < 0.9:
        return engraved(painter, at, stock)
    if pick < 0.95:
        return stack(painter, at)
    return speckle(painter, at)
