"""How checkers lie: places of a position's checkers on points and bar, and in the trays."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import pi
from random import Random

from mathutils import Matrix

from benchmarks.lit.board import Shape
from benchmarks.lit.kinds import ORDINARY, Kind
from benchmarks.lit.pieces import at

FIRST_LAYER = 5


@dataclass(frozen=True)
class Lying:
    """A checker: whose, in which column (24: the bar, 25: beside the points), and its foot's middle and turn."""

    light: bool
    column: int
    place: Matrix


def on_board(
    rng: Random,
    shape: Shape,
    thick: float,
    columns: list[int],
    bar: tuple[int, int],
    off: tuple[int, int],
    kind: Kind = ORDINARY,
) -> Iterator[Lying]:
    """All checkers of a position. columns: 24 signed counts, light positive: 0-11 along the top, 12-23 along the bottom."""
    careless, between = rng.choice(kind.careless), rng.random() < 0.5
    gap = rng.choice((0.0, 0.0, 0.03))
    for column, count in enumerate(columns):
        x, edge = shape.column(column), 0.5 + abs(rng.gauss(0, careless)) + rng.choice((0.0, 0.0, 0.06))
        for number in range(abs(count)):
            layer, row = divmod(number, FIRST_LAYER)
            along = edge + row * (1.0 + gap) + (0.5 if between and layer == 1 else 0.0)
            along += rng.gauss(0, careless) * (0.3 if layer == 0 else 1)
            y = along if column >= 12 else shape.height - along
            aside = x + rng.gauss(0, careless) * 0.8
            yield Lying(count > 0, column, at(aside, y, 0.005 + layer * (thick + 0.002), rng.uniform(0, 2 * pi)))
    yield from _hit(rng, shape, thick, bar)
    yield from _borne_off(rng, shape, thick, off)


def _hit(rng: Random, shape: Shape, thick: float, bar: tuple[int, int]) -> Iterator[Lying]:
    x, top = 6 * shape.pitch + shape.bar / 2, max(shape.bar_top, 0.005)
    light_up = rng.choice((-1, 1))
    start = rng.uniform(0.6, 1.6)
    for light, count, sign in ((True, bar[0], light_up), (False, bar[1], -light_up)):
        for number in range(count):
            row, layer = number % 4, number // 4
            y = shape.height / 2 + sign * (start + row * 1.02)
            yield Lying(
                light,
                24,
                at(x + rng.gauss(0, 0.03), y + rng.gauss(0, 0.02), top + layer * (thick + 0.002), rng.uniform(0, 6)),
            )


def _borne_off(rng: Random, shape: Shape, thick: float, off: tuple[int, int]) -> Iterator[Lying]:
    """In the tray on the right, in stacks or on edge; where there is none, on the table or nowhere in view."""
    where = rng.choice(("stacks", "edge", "gone"))
    if where == "gone" or not shape.tray:
        return
    x = shape.width + shape.rail + shape.tray / 2
    for light, count, sign in ((True, off[0], 1), (False, off[1], -1)):
        for number in range(count):
            if where == "stacks":
                row, layer = divmod(number, 3)
                y = shape.height / 2 + sign * (0.8 + 1.02 * row)
                if abs(y - shape.height / 2) > shape.height / 2 - 0.5:
                    return
                yield Lying(light, 25, at(x, y, 0.005 + layer * (thick + 0.002), rng.uniform(0, 6)))
            else:
                y = shape.height / 2 + sign * (shape.height / 2 - 0.1 - thick * 1.03 * (number + 1))
                tilt = Matrix.Rotation(-sign * pi / 2, 4, "X")
                yield Lying(light, 25, at(x, y, 0.5) @ tilt)
