"""The likeliest position as a whole: the columns' probabilities, weighed with how many checkers a side has."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from vision.columns import ColumnsSeen
from vision.observation import MAX_COUNT

FloatArray = npt.NDArray[np.float64]
Option = tuple[int, int, float]
"""Light checkers, dark checkers, log-probability of one column's count."""

USUAL_CHECKERS = 15
FEWEST_CHECKERS = 5
USUAL_SET = 0.95
"""Probability that a set has 15 a side, where nobody told; home-made boards and variants have fewer."""
BIGGER_SET = 1e-3
"""Probability of a set with more than 15 a side."""
ALL_ON_BOARD = 0.75
"""Probability that a side has all its checkers in view; 83 of 110 sides of the rendered boards did, 57 of 58 in photographs."""
VISIBLE = 0.2
"""Below this probability of having been seen a column's count is not claimed, unless it is all but certain anyway."""
CERTAIN = 0.8
"""Probability of a hidden column's count above which it is claimed all the same."""
NEVER = -1e3
MOST = 24
"""Totals are followed up to this many a side."""
NEGLIGIBLE = -14.0
"""Counts this much less likely (log) than a column's likeliest are not followed."""


@dataclass(frozen=True)
class Position:
    """A whole position. counts: (24,) signed, light positive, in column order; bar: light and dark.

    claimed: (25,) bool, which counts (24: the bar's) are more than a guess at what something hides.
    confidence: probability that every claimed count is right.
    """

    counts: npt.NDArray[np.int64]
    bar: tuple[int, int]
    claimed: npt.NDArray[np.bool_]
    confidence: float


def most_likely(seen: ColumnsSeen, checkers_a_side: int | None = None) -> Position:
    """The jointly likeliest counts.

    checkers_a_side: how many a side has, where known; no side gets more. Otherwise 15 is likely, and that both have as many.
    """
    prior = _known_prior(checkers_a_side) if checkers_a_side is not None else _open_prior()
    tables = [_options(row) for row in np.log(seen.columns.astype(np.float64))]
    tables += [[(n, 0, float(p)) for n, p in enumerate(np.log(seen.bar[0].astype(np.float64)))]]
    tables += [[(0, n, float(p)) for n, p in enumerate(np.log(seen.bar[1].astype(np.float64)))]]
    best, choices = _start(), []
    for options in tables:
        layers = _layers(best, options)
        choice = layers.argmax(axis=0)
        best = np.take_along_axis(layers, choice[None], axis=0)[0]
        choices.append(choice)
    picked = _traced(tables, choices, best + prior)
    counts = np.array([a - b for a, b, _ in picked[:24]], np.int64)
    bar = (picked[24][0], picked[25][1])
    claimed = _claimed(seen, counts, bar)
    agreed = [
        [pick] if claim else options
        for pick, claim, options in zip(picked, [*claimed, claimed[24]], tables, strict=True)
    ]
    return Position(counts, bar, claimed, float(np.exp(_weight(agreed, prior) - _weight(tables, prior))))


def _traced(tables: list[list[Option]], choices: list[npt.NDArray[np.int64]], total: FloatArray) -> list[Option]:
    """The option of each table on the best way to the best pair of totals."""
    light, dark = (int(n) for n in np.unravel_index(int(total.argmax()), total.shape))
    picked = []
    for options, choice in zip(reversed(tables), reversed(choices), strict=True):
        option = options[int(choice[light, dark])]
        picked.append(option)
        light, dark = light - option[0], dark - option[1]
    return picked[::-1]


def _claimed(seen: ColumnsSeen, counts: npt.NDArray[np.int64], bar: tuple[int, int]) -> npt.NDArray[np.bool_]:
    chance = np.append(
        seen.columns[np.arange(24), MAX_COUNT + counts],
        seen.bar[0, min(bar[0], MAX_COUNT)] * seen.bar[1, min(bar[1], MAX_COUNT)],
    )
    return np.asarray((seen.seen >= VISIBLE) | (chance >= CERTAIN))


def _weight(tables: list[list[Option]], prior: FloatArray) -> float:
    """Log-weight of all positions that these options allow."""
    weight = _start()
    for options in tables:
        weight = np.logaddexp.reduce(_layers(weight, options), axis=0)
    return float(np.logaddexp.reduce((weight + prior).ravel()))


def _start() -> FloatArray:
    """Log-weight of every pair of totals before any column is counted."""
    start = np.full((MOST + 1, MOST + 1), NEVER)
    start[0, 0] = 0.0
    return start


def _in_view(full: int) -> FloatArray:
    """(MOST + 1,) probability of a side's checkers in view, of a set with so many a side."""
    share = np.zeros(MOST + 1)
    share[:full] = (1 - ALL_ON_BOARD) / full
    share[full] = ALL_ON_BOARD
    return share


@lru_cache(maxsize=8)
def _known_prior(checkers_a_side: int) -> FloatArray:
    """(MOST + 1, MOST + 1) log-probability of light's and dark's totals in a known set."""
    share = np.full(MOST + 1, NEVER)
    share[: checkers_a_side + 1] = np.log(_in_view(checkers_a_side)[: checkers_a_side + 1])
    return np.asarray(share[:, None] + share[None, :])


@lru_cache(maxsize=1)
def _open_prior() -> FloatArray:
    """The same for a set that nobody told about: a mixture of sets, both sides having as many."""
    chance = np.zeros(MOST + 1)
    chance[FEWEST_CHECKERS:USUAL_CHECKERS] = (1 - USUAL_SET) / (USUAL_CHECKERS - FEWEST_CHECKERS)
    chance[USUAL_CHECKERS] = USUAL_SET
    chance[USUAL_CHECKERS + 1 :] = BIGGER_SET / (MOST - USUAL_CHECKERS)
    mixed = np.zeros((MOST + 1, MOST + 1))
    for full in np.flatnonzero(chance):
        share = _in_view(int(full))
        mixed += chance[full] * np.outer(share, share)
    return np.asarray(np.log(mixed / mixed.sum()))


def _options(row: FloatArray) -> list[Option]:
    """The counts worth following, from one column's 31 log-probabilities."""
    kept = np.flatnonzero(row > row.max() + NEGLIGIBLE)
    return [(max(int(k) - MAX_COUNT, 0), max(MAX_COUNT - int(k), 0), float(row[k])) for k in kept]


def _layers(weight: FloatArray, options: list[Option]) -> FloatArray:
    """(options, MOST + 1, MOST + 1) log-weight of every pair of totals with one more column counted, option by option."""
    layers = np.full((len(options), *weight.shape), NEVER * 100)
    for index, (light, dark, score) in enumerate(options):
        layers[index, light:, dark:] = weight[: MOST + 1 - light, : MOST + 1 - dark] + score
    return layers
