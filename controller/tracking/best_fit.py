"""The position that fits the evidence best whatever the rules say: what "something else" would be."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.lib.stride_tricks import as_strided

from controller.rules import BAR_INDEX, Position
from controller.tracking import parameters
from controller.tracking.evidence import Evidence
from controller.tracking.orientation import POINTS, columns_of, position_of
from vision.observation import MAX_COUNT

_Way = tuple[float, np.ndarray, tuple[int, int]]
"""Its score, the columns (24,) and what lies on the bar."""

ALIKE = 1e-6
"""nats by which one content is hardly likelier than another."""


def best_fit(
    evidence: Evidence,
    off: tuple[int, int],
    checkers: int = 15,
    slack: int = 0,
    near: Position | None = None,
    stood: Position | None = None,
) -> Position:
    """The likeliest position with `checkers` a side, of which `off` (light, dark) are borne off, or up to `slack` more.

    near: a position that it keeps to in every column that does not look clearly changed; stood: what stood at the rest before.
    Exact: where the likeliest content of each column does not add up by itself, by dynamic programming over the columns with the
    checkers placed so far as state; twice, where what looks changed may be one cup's doing.
    """
    return BestFits(evidence, off, checkers, near, stood).losing(slack)


class BestFits:
    """The same for any slack: nearly all of the work is."""

    def __init__(
        self,
        evidence: Evidence,
        off: tuple[int, int],
        checkers: int = 15,
        near: Position | None = None,
        stood: Position | None = None,
    ) -> None:
        """As best_fit() has it."""
        self._light_home, self._checkers = evidence.light_home, checkers
        self._want = want = checkers - off[0], checkers - off[1]
        size = MAX_COUNT + 1
        scores = np.full((size, size), -np.inf)
        readings, log_bar = evidence.logs_after(stood)
        bars = np.add.outer(log_bar[0], log_bar[1])
        scores[: want[0] + 1, : want[1] + 1] = bars[: want[0] + 1, : want[1] + 1]
        keeps = np.zeros(readings.shape)
        if near is not None:
            scores[near.light[BAR_INDEX], near.dark[BAR_INDEX]] += parameters.KEEPS
            there = np.arange(POINTS), MAX_COUNT + columns_of([near], evidence.light_home)[0]
            keeps[there] = np.where(evidence.changed > 0, 0.0, parameters.KEEPS)
        self._losing: dict[int, Position] = {}
        self._as_read = _Placed(scores, readings + keeps)
        under_a_cup = None if stood is None else evidence.logs_under_a_cup(stood)
        self._under_a_cup = None if under_a_cup is None else _Placed(scores, under_a_cup + keeps)

    def losing(self, slack: int) -> Position:
        """The likeliest one, up to so many more of each side borne off."""
        if slack not in self._losing:
            self._losing[slack] = self._best(slack)
        return self._losing[slack]

    def _best(self, slack: int) -> Position:
        best = self._as_read.best(self._want, slack)
        if self._under_a_cup is not None:
            other = self._under_a_cup.best(self._want, slack)
            best = other if other[0] - parameters.PIXELS_SAY > best[0] else best
        _, columns, bar = best
        return position_of(columns, bar, self._light_home, self._checkers)


class _Placed:
    """The likeliest ways to place checkers. scores: (light, dark) of so many on the bar; readings: (24, 31) of the columns."""

    def __init__(self, scores: np.ndarray, readings: np.ndarray) -> None:
        self._scores, self._readings = scores, readings

    def best(self, want: tuple[int, int], slack: int) -> _Way:
        """The best score, and what has it: the columns, and what lies on the bar; `want` (light, dark) placed, or up to `slack`
        fewer."""
        if self._freely is not None:
            _, columns, bar = self._freely
            placed = bar[0] + int(columns.clip(0).sum()), bar[1] - int(columns.clip(None, 0).sum())
            if all(0 <= most - there <= slack for most, there in zip(want, placed, strict=True)):
                return self._freely
        ends = [
            (float(self._stages[-1][want[0] - i, want[1] - j]), want[0] - i, want[1] - j)
            for i in range(min(slack, want[0]) + 1)
            for j in range(min(slack, want[1]) + 1)
        ]
        score, light, dark = max(ends)
        columns = np.zeros(POINTS, np.int64)
        for index in reversed(range(POINTS)):
            count = _likeliest(self._stages[index], self._readings[index], light, dark)
            columns[index] = count
            light, dark = light - max(count, 0), dark - max(-count, 0)
        return score, columns, (light, dark)

    @cached_property
    def _freely(self) -> _Way | None:
        """The likeliest content of each place, whatever they add up to: where it adds up, nothing is likelier. None where two are
        as likely."""
        ranked, bars = np.sort(self._readings, axis=1), np.sort(self._scores, axis=None)
        if min((ranked[:, -1] - ranked[:, -2]).min(), bars[-1] - bars[-2]) < ALIKE:
            return None
        columns, flat = self._readings.argmax(axis=1) - MAX_COUNT, int(self._scores.argmax())
        return float(ranked[:, -1].sum() + bars[-1]), columns, divmod(flat, len(self._scores))

    @cached_property
    def _stages(self) -> list[np.ndarray]:
        """Best score by (light, dark) checkers placed so far: before the first column, and after each."""
        return _stages(self._scores, self._readings)


def _stages(scores: np.ndarray, readings: np.ndarray) -> list[np.ndarray]:
    """Best score by (light, dark) checkers placed so far: before the first column, and after each."""
    size = len(scores)
    padded = np.full((2 * size - 1, 2 * size - 1), -np.inf)
    placed = padded[size - 1 :, size - 1 :]
    down, along = placed.strides
    # (count, light, dark): the score with that many checkers fewer of one side.
    fewer_light = as_strided(placed, (size, size, size), (-down, down, along), writeable=False)
    fewer_dark = as_strided(placed, (size, size, size), (-along, down, along), writeable=False)
    stages = [scores]
    for column in readings:
        placed[:] = stages[-1]
        with_light = (fewer_light + column[MAX_COUNT:, None, None]).max(axis=0)
        with_dark = (fewer_dark + column[MAX_COUNT::-1, None, None]).max(axis=0)
        stages.append(np.maximum(with_light, with_dark))
    return stages


def _likeliest(before: np.ndarray, column: np.ndarray, light: int, dark: int) -> int:
    """The signed count on a column that brought (light, dark) placed checkers their best score."""
    with_light = before[light::-1, dark] + column[MAX_COUNT : MAX_COUNT + light + 1]
    with_dark = before[light, dark::-1] + column[::-1][MAX_COUNT : MAX_COUNT + dark + 1]
    if with_dark.max() > with_light.max():
        return -int(with_dark.argmax())
    return int(with_light.argmax())
