"""The position that fits the evidence best whatever the rules say: what "something else" would be."""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import as_strided

from controller.rules import BAR_INDEX, Position
from controller.tracking import parameters
from controller.tracking.evidence import Evidence
from controller.tracking.orientation import POINTS, columns_of, position_of
from vision.observation import MAX_COUNT


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
    Exact: dynamic programming over the columns with the checkers placed so far as state; twice, where what looks changed may be
    one cup's doing.
    """
    want = checkers - off[0], checkers - off[1]
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
    best = _fitted(scores, readings + keeps, want, slack)
    under_a_cup = None if stood is None else evidence.logs_under_a_cup(stood)
    if under_a_cup is not None:
        other = _fitted(scores, under_a_cup + keeps, want, slack)
        best = other if other[0] - parameters.PIXELS_SAY > best[0] else best
    _, columns, bar = best
    return position_of(columns, bar, evidence.light_home, checkers)


def _fitted(
    scores: np.ndarray, readings: np.ndarray, want: tuple[int, int], slack: int
) -> tuple[float, np.ndarray, tuple[int, int]]:
    """The best score, and what has it: the columns, and what lies on the bar. scores: of the bar alone."""
    stages = _stages(scores, readings)
    ends = [
        (float(stages[-1][want[0] - i, want[1] - j]), want[0] - i, want[1] - j)
        for i in range(min(slack, want[0]) + 1)
        for j in range(min(slack, want[1]) + 1)
    ]
    score, light, dark = max(ends)
    columns = np.zeros(POINTS, np.int64)
    for index in reversed(range(POINTS)):
        count = _likeliest(stages[index], readings[index], light, dark)
        columns[index] = count
        light, dark = light - max(count, 0), dark - max(-count, 0)
    return score, columns, (light, dark)


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
