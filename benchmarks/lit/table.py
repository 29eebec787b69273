"""One board on one table for a whole game: the same set, light and camera in each picture; what lies there differs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import bpy

from benchmarks.lit import around
from benchmarks.lit.board import Colours, Shape, build
from benchmarks.lit.kinds import ORDINARY
from benchmarks.lit.lying import Lying, on_board
from benchmarks.lit.picture import SIZES, DiceMake, Held, lay_cube, px_of, render, throw
from benchmarks.lit.pieces import Make, at, placed

COLUMNS = 24
NOTHING = (0, 0)


class Table:
    """A set on a table. `Table(seed).photograph(...)`: another seed, another set, light and camera."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        rng = self._rng("set")
        self._shape, self._colours, self._make = Shape.any(rng), Colours.any(rng), Make.any(rng)
        self._dice, self._cube_side, self._size = DiceMake.any(rng), rng.uniform(0.55, 1.0), rng.choice(SIZES)

    def photograph(
        self, held: Held, dice: Sequence[int], throw_number: int, to: Path, *, arm: bool, stand: str = ""
    ) -> list[list[float]]:
        """Writes a PNG and returns the field's corners, px. dice: what lies thrown; the same throw lies the same way; stand: where
        the camera is, another one for each name.
        """
        bpy.ops.wm.read_factory_settings(use_empty=True)
        shape = self._shape
        build(self._rng("board"), shape, self._colours)
        meshes = {True: self._make.mesh(*self._colours.light), False: self._make.mesh(*self._colours.dark)}
        lying = list(self._lying(held))
        for one in lying:
            placed(meshes[one.light], "checker", one.place)
        around.table(self._rng("table"), shape)
        around.light(self._rng("light"), shape)
        throw(self._rng(f"throw {throw_number}"), shape, lying, self._dice, dice)
        middle = 6 * shape.pitch + shape.bar / 2, shape.height / 2, max(shape.bar_top, 0.005) + self._cube_side / 2
        lay_cube(self._rng("cube"), self._cube_side, 64, at(*middle))
        if arm:
            around.arm(self._rng(f"arm {throw_number}"), shape)
        around.camera(self._rng(f"camera {stand}".strip()), shape, self._size, ORDINARY)
        render(self._rng("render"), to)
        return [px_of(corner, self._size) for corner in around.corners_of(shape)]

    def _lying(self, held: Held) -> Iterator[Lying]:
        """The checkers; those of a column that nobody touched where they lay before."""
        thick = self._make.thick
        for column, count in enumerate(held.columns):
            alone = [count if column == other else 0 for other in range(COLUMNS)]
            yield from on_board(self._rng(f"column {column}"), self._shape, thick, alone, NOTHING, NOTHING)
        yield from on_board(self._rng("beside"), self._shape, thick, [0] * COLUMNS, held.bar, held.off)

    def _rng(self, what: str) -> Random:
        return Random(f"lit game {self._seed} {what}")
