"""The position that fits the evidence best whatever the rules say: what "something else" would be."""

from __future__ import annotations

import numpy as np

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
    Exact: dynamic programming over the columns with the checkers placed so far as state.
    """
    want_light, want_dark = checkers - off[0], checkers - off[1]
    size = MAX_COUNT + 1
    scores = np.full((size, size), -np.inf)
    readings, log_bar = evidence.logs_after(stood)
    bars = np.add.outer(log_bar[0], log_bar[1])
    scores[: want_light + 1, : want_dark + 1] = bars[: want_light + 1, : want_dark + 1]
    if near is not None:
        scores[near.light[BAR_INDEX], near.dark[BAR_INDEX]] += parameters.KEEPS
    choices: list[np.ndarray] = []
    if near is not None:
        readings = readings.copy()
        keeps = np.where(evidence.changed > 0, 0.0, parameters.KEEPS)
        readings[np.arange(len(readings)), MAX_COUNT + columns_of([near], evidence.light_home)[0]] += keeps
    for column in readings:
        scores, chosen = _place(scores, column, want_light, want_dark)
        choices.append(chosen)
    ends = [
        (scores[want_light - i, want_dark - j], want_light - i, want_dark - j)
        for i in range(min(slack, want_light) + 1)
        for j in range(min(slack, want_dark) + 1)
    ]
    _, light, dark = max(ends)
    columns = np.zeros(POINTS, np.int64)
    for index in reversed(range(POINTS)):
        count = int(choices[index][light, dark])
        columns[index] = count
        light, dark = light - max(count, 0), dark - max(-count, 0)
    return position_of(columns, (light, dark), evidence.light_home, checkers)


def _place(scores: np.ndarray, column: np.ndarray, want_light: int, want_dark: int) -> tuple[np.ndarray, np.ndarray]:
    """One column more: best score by (light, dark) placed so far, and the signed count chosen for it."""
    best = scores + column[MAX_COUNT]
    chosen = np.zeros(scores.shape, np.int64)
    for count in range(1, want_light + 1):
        _take(best[count:], chosen[count:], scores[:-count] + column[MAX_COUNT + count], count)
    for count in range(1, want_dark + 1):
        _take(best[:, count:], chosen[:, count:], scores[:, :-count] + column[MAX_COUNT - count], -count)
    return best, chosen


def _take(best: np.ndarray, chosen: np.ndarray, offered: np.ndarray, count: int) -> None:
    """Takes what is offered wherever it is better, and notes the count."""
    better = offered > best
    np.copyto(best, offered, where=better)
    chosen[better] = count
