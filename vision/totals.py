"""The likeliest position as a whole: the columns' probabilities, weighed with how many checkers a side has."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.columns import ColumnsSeen
from vision.observation import MAX_COUNT

FloatArray = npt.NDArray[np.float64]

USUAL_CHECKERS = 15
ALL_ON_BOARD = 0.2
"""Probability that a side has all its checkers in view."""
UNUSUAL_SET = -7.0
"""Log-probability of a set with more checkers a side than usual, where nobody told how many there are."""
NEVER = -1e3
MOST = 24
"""Totals are followed up to this many a side."""
NEGLIGIBLE = -14.0
"""Counts this much less likely (log) than a column's likeliest are not followed."""


def most_likely(seen: ColumnsSeen, checkers_a_side: int | None = None) -> tuple[npt.NDArray[np.int64], tuple[int, int]]:
    """The jointly likeliest counts: (24,) signed, light positive, in column order, and (light, dark) on the bar.

    checkers_a_side: how many a side has, where known; no side gets more. Otherwise 15 is only likely.
    """
    prior = _totals_prior(checkers_a_side)
    tables = [_options(row) for row in np.log(seen.columns.astype(np.float64))]
    tables += [[(n, 0, float(p)) for n, p in enumerate(np.log(seen.bar[0].astype(np.float64)))]]
    tables += [[(0, n, float(p)) for n, p in enumerate(np.log(seen.bar[1].astype(np.float64)))]]
    best = np.full((MOST + 1, MOST + 1), NEVER)
    best[0, 0] = 0.0
    choices = []
    for options in tables:
        best, choice = _advanced(best, options)
        choices.append(choice)
    light, dark = (int(n) for n in np.unravel_index(int((best + prior[:, None] + prior[None, :]).argmax()), best.shape))
    picked = []
    for options, choice in zip(reversed(tables), reversed(choices), strict=True):
        more_light, more_dark, _ = options[int(choice[light, dark])]
        picked.append((more_light, more_dark))
        light, dark = light - more_light, dark - more_dark
    picked.reverse()
    counts = np.array([a - b for a, b in picked[:24]], np.int64)
    return counts, (picked[24][0], picked[25][1])


def _totals_prior(checkers_a_side: int | None) -> FloatArray:
    """(MOST + 1,) log-probability of a side's checkers in view."""
    full = USUAL_CHECKERS if checkers_a_side is None else checkers_a_side
    prior = np.full(MOST + 1, NEVER if checkers_a_side is not None else UNUSUAL_SET)
    prior[:full] = np.log((1 - ALL_ON_BOARD) / full)
    prior[full] = np.log(ALL_ON_BOARD)
    return prior


def _options(row: FloatArray) -> list[tuple[int, int, float]]:
    """(light, dark, log-probability) of the counts worth following, from one column's 31 log-probabilities."""
    kept = np.flatnonzero(row > row.max() + NEGLIGIBLE)
    return [(max(int(k) - MAX_COUNT, 0), max(MAX_COUNT - int(k), 0), float(row[k])) for k in kept]


def _advanced(best: FloatArray, options: list[tuple[int, int, float]]) -> tuple[FloatArray, npt.NDArray[np.int64]]:
    """Best score of every pair of totals with one more column counted, and which option gave it."""
    layers = np.full((len(options), *best.shape), NEVER * 100)
    for index, (light, dark, score) in enumerate(options):
        layers[index, light:, dark:] = best[: MOST + 1 - light, : MOST + 1 - dark] + score
    choice = layers.argmax(axis=0)
    return np.take_along_axis(layers, choice[None], axis=0)[0], choice
