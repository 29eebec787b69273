"""Observations made from known boards: what a reader of a given reliability would say. Seeded, no pictures involved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from controller.rules import BAR_INDEX, Position, Side
from controller.tracking.orientation import columns_of, right_half_is_right
from terms.board import Corner
from vision.board.changes import Snapshot
from vision.board.geometry import CANONICAL_HEIGHT, CANONICAL_WIDTH, MARGIN_Y, PITCH, canonical_left
from vision.observation import CUBE_FACES, CubeSeen, DieRest, DieSeen, Observation


class Eyes:
    """Looks at boards that the test names, with mistakes at the given rates."""

    def __init__(self, seed: int = 0, wrong_cells: float = 0.0, light_home: Corner = "bottom-right") -> None:
        self.rng = np.random.default_rng(seed)
        self.wrong_cells = wrong_cells
        self.light_home: Corner = light_home
        self.now = 0.0

    def look(
        self,
        position: Position,
        dice: Sequence[tuple[int, Side]] = (),
        cube: int | None = 64,
        cube_at: tuple[float, float] = (0.5, 0.5),
        seconds: float = 1.0,
        unflat: int = 0,
        misread: Mapping[int, int] | None = None,
        on_column: int | None = None,
        pale: float = 0.5,
    ) -> Observation:
        """One still frame of that board; dice as (value, who threw it), the first `unflat` of them leaning; cube: None, not seen.

        misread: signed counts that are read on some columns, whatever stands there; on_column: the leaning dice are said to lie
        on a checker of that column; pale: how surely all dice are of the pale pair.
        """
        self.now += seconds
        columns = np.full((24, 31), 1e-3, np.float32)
        for column, count in enumerate(columns_of([position], self.light_home)[0]):
            read = (misread or {}).get(column, self._perhaps_wrong(int(count)))
            columns[column, 15 + read] = 1.0
        bar = np.full((2, 16), 1e-3, np.float32)
        for row, count in enumerate((position.light[BAR_INDEX], position.dark[BAR_INDEX])):
            bar[row, count] = 1.0
        return Observation(
            self.now,
            columns / columns.sum(1, keepdims=True),
            bar / bar.sum(1, keepdims=True),
            np.full(25, 0.98, np.float32),
            tuple(
                replace(self._die(value, side, k, k >= unflat, on_column), pale=pale)
                for k, (value, side) in enumerate(dice)
            ),
            CubeSeen(cube_at, _sure(CUBE_FACES.index(cube)), 0.97) if cube else None,
        )

    def _perhaps_wrong(self, count: int) -> int:
        if self.rng.random() >= self.wrong_cells:
            return count
        return int(np.clip(count + self.rng.choice([-1, 1]), -15, 15))

    def _die(self, value: int, side: Side, index: int, flat: bool, on_column: int | None) -> DieSeen:
        right = right_half_is_right(side, self.light_home)
        x = (0.62 if right else 0.12) + 0.08 * index
        if flat:
            return DieSeen((x, 0.5), _sure(value - 1), 0.97)
        rest: DieRest = "board" if on_column is None else "on a checker"
        return DieSeen((x, 0.5), _sure(value - 1), 0.97, 0.05, rest, on_column)


def pictured(position: Position, light_home: Corner) -> Snapshot:
    """A picture of that board, hand-drawn: every checker a stripe across its column."""
    image = np.full((CANONICAL_HEIGHT, CANONICAL_WIDTH, 3), 90, np.uint8)
    for column, count in enumerate(columns_of([position], light_home)[0]):
        left = canonical_left(column)
        for row in range(abs(int(count))):
            top = MARGIN_Y + 5 * row if column < 12 else CANONICAL_HEIGHT - MARGIN_Y - 5 * row - 4
            image[top : top + 4, left : left + PITCH] = 220 if count > 0 else 20
    return Snapshot(image, np.zeros(image.shape[:2], np.bool_))


def _sure(index: int) -> np.ndarray:
    """Faces are read as surely as columns; the real reader is surer still."""
    faces = np.full(6, 0.001, np.float32)
    faces[index] = 0.995
    return faces


def thrown(side: Side, *values: int) -> list[tuple[int, Side]]:
    """Dice of one player."""
    return [(value, side) for value in values]
