"""Kinds of boards and of pictures that lie beyond what is usually made of them: what differs from an ordinary one."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random

from benchmarks.lit.board import Outline, Shape

Degrees = tuple[float, float]


def _same(_: Random, shape: Shape) -> Shape:
    return shape


def _high_rails(rng: Random, shape: Shape) -> Shape:
    top = rng.uniform(1.0, 2.2)
    return replace(shape, rail_top=top, bar_top=rng.choice((0.0, top, rng.uniform(0.2, top))))


def _odd_proportions(rng: Random, shape: Shape) -> Shape:
    height = rng.choice((rng.uniform(10.3, 11.0), rng.uniform(13.5, 16)))
    bar, pitch = rng.choice((0.06, 0.15, rng.uniform(2.0, 3.2))), rng.uniform(1.0, 1.45)
    return replace(shape, bar=bar, bar_top=0.0, height=height, pitch=pitch, point=height * rng.uniform(0.36, 0.47))


def _rolled_out(rng: Random, shape: Shape) -> Shape:
    bar = rng.choice((0.06, rng.uniform(0.3, 0.8), shape.bar))
    return replace(shape, rail_top=0.02, rail=rng.uniform(0.1, 1.0), bar=bar, bar_top=0.0, tray=0.0)


def _half_width(form: str, part: float) -> float:
    """Of a point, as a share of its foot's half width, at this share of its length."""
    if form == "arch":
        return math.sqrt(max(0.0, 1 - ((part - 0.6) / 0.4) ** 2)) if part > 0.6 else 1.0
    if form == "lozenge":
        return 1 - abs(2 * part - 1)
    if form == "leaf":
        return math.sin(math.pi * min(1.0, part * 0.85 + 0.15))
    if form == "stroke":
        return 0.22 * (1 - 0.7 * part)
    return math.sqrt(max(0.0, 1 - (part / 0.2 - 1) ** 2)) if part < 0.4 else 0.0  # a spot at the rail


def _no_triangles(rng: Random) -> Outline:
    form, steps = rng.choice(("arch", "lozenge", "leaf", "stroke", "spot")), 24

    def outline(half: float, length: float) -> list[tuple[float, float]]:
        side = [(half * _half_width(form, k / steps), length * k / steps) for k in range(steps + 1)]
        return side + [(-x, y) for x, y in reversed(side)]

    return outline


@dataclass(frozen=True)
class Kind:
    """lenses: focal lengths, mm beside a sensor 36 mm wide; up: two ranges of the camera's height over the horizon; careless: how
    far off their places checkers lie, diameters; shape, points: what else the board is like."""

    lenses: tuple[float, ...] = (24, 28, 35, 50, 70)
    up: tuple[Degrees, Degrees] = ((38, 65), (60, 90))
    careless: tuple[float, ...] = (0.015, 0.03, 0.05)
    shape: Callable[[Random, Shape], Shape] = _same
    points: Callable[[Random], Outline] | None = None


ORDINARY = Kind()
KINDS = {
    "ordinary": ORDINARY,
    "from low down": Kind(up=((20, 28), (28, 36))),
    "from close by": Kind(lenses=(14, 16, 18), up=((40, 55), (55, 70))),
    "high rails": Kind(shape=_high_rails),
    "odd proportions": Kind(shape=_odd_proportions),
    "no triangles": Kind(points=_no_triangles),
    "rolled out": Kind(shape=_rolled_out),
    "carelessly laid": Kind(careless=(0.07, 0.09, 0.11)),
}
