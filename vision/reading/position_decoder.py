"""The likeliest position as a whole: the columns' probabilities, weighed with how many checkers a side has."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from vision.observation import MAX_COUNT
from vision.reading.checkers import ColumnsSeen

FloatArray = npt.NDArray[np.float64]
Option = tuple[int, int, float]
"""Light checkers, dark checkers, log-probability of one column's count."""

USUAL_CHECKERS = 15
FEWEST_CHECKERS = 3
USUAL_SET = 0.95
"""Probability that a set has 15 a side, where nobody told; home-made boards and variants have fewer."""
BIGGER_SET = 1e-3
"""Probability that more than 15 a side are seen. No set has them, so they are never claimed; but where they seem to lie there
something else was taken for checkers, and the rest is the less sure for it."""
ALL_IN_VIEW = 0.95
"""Probability that a side with checkers in more than one quarter has all of them on the board: only with all at home may
it bear off. 265 of 269 such sides in still reference pictures did; a side hit while bearing off does not."""
ALL_AT_HOME = 0.1
"""The same for a side whose checkers lie in one quarter: 1 of 25 had borne off none."""
IN_HAND = (0.5, 0.4)
"""Probability that a hand over the board holds none, or one, of a side's checkers: 13 and 11 of 24 sides."""
VISIBLE = 0.5
"""Below this probability of having been seen a column's count is not claimed, unless it is all but certain anyway. On 120
drawn boards with dazzling light 41 of 90 columns that it hides are claimed, 10 wrongly; with 0.2 it is 52 and 15, for 4 of
1,350 others."""
CERTAIN = 0.95
"""Probability of a hidden column's count above which it is claimed all the same: where all checkers lie elsewhere it is empty. Of
821 hidden columns of 363 pictures drawn with hands 315 are claimed, 56 wrongly; with 0.9 it is 441, 75 wrongly, and 3 more of
8,230 others are right."""
PLAIN = 0.995
"""The network's own probability of a count from which on a column shows enough of itself, whatever hides the rest. Of 150 columns
of drawn boards whose last or next checker's place is covered 1 has as much, of 99 less covered ones that it calls hidden 27."""
HIDDEN_WORD = 0.3
"""How much the network's word on a hidden column counts. Of 317 such columns of 213 drawn boards with hands the truth is likeliest
with 0.3 to 0.4; with 1 they are claimed with 0.9 and more in 210 cases and wrong in 41 of them."""
USUAL_COLUMN = (0.59, 0.05, 0.077, 0.036, 0.022, 0.018)
"""How often no checker, one to four and five or more of one side lie on a column, in 400 positions of simulated games."""
UNSEEN = 0.75
"""How much the log-odds of a position count: a network is surer of boards unlike all that it learnt from than it may be. Fitted to
what the network of 21 November 2026, which had learnt on ordinary drawn boards alone, said of strange ones, simulated tables and
oddly altered pictures of both (484 readings surer than 0.6; 0.64 to 0.84 in eight of ten draws); of those it called sure 2 of 289
were wrong, and none of 263 are. 300 others ask for 0.69 with that network and with the shipped one (benchmarks/doubt.py)."""
NEVER = -1e3
IMPOSSIBLE = 1e6 * NEVER
MOST = 24
"""Totals are followed up to this many a side."""
NEGLIGIBLE = -9.5
"""Counts this much less likely (log) than a column's likeliest are not followed: those that have only the floor (-10.3)."""


@dataclass(frozen=True)
class DecodedPosition:
    """A whole position. counts: (24,) signed, light positive, in column order; bar: light and dark.

    claimed: (25,) bool, which counts (24: the bar's) are more than a guess at what something hides.
    confidence: probability that every claimed count is right, and that nobody could count where none is claimed.
    """

    counts: npt.NDArray[np.int64]
    bar: tuple[int, int]
    claimed: npt.NDArray[np.bool_]
    confidence: float


def most_likely(seen: ColumnsSeen, checkers_a_side: int | None = None) -> DecodedPosition:
    """The jointly likeliest counts.

    checkers_a_side: how many a side has, where known; no side gets more. Otherwise 15 is likely, more is never claimed, and both
    likely have as many.
    """
    prior = _prior(seen, checkers_a_side)
    tables = [_options(row) for row in np.log(seen.columns.astype(np.float64))]
    tables += [[(n, 0, float(p)) for n, p in enumerate(np.log(seen.bar[0].astype(np.float64)))]]
    tables += [[(0, n, float(p)) for n, p in enumerate(np.log(seen.bar[1].astype(np.float64)))]]
    best, choices = _start(), []
    for options in tables:
        layers = _layers(best, options)
        choice = layers.argmax(axis=0)
        best = np.take_along_axis(layers, choice[None], axis=0)[0]
        choices.append(choice)
    total = best + prior
    # Far below all that may be, but still in its order: where nothing is possible the least impossible is taken.
    total[USUAL_CHECKERS + 1 :] += IMPOSSIBLE
    total[:, USUAL_CHECKERS + 1 :] += IMPOSSIBLE
    picked = _traced(tables, choices, total)
    counts = np.array([a - b for a, b, _ in picked[:24]], np.int64)
    bar = (picked[24][0], picked[25][1])
    claimed = _claimed(seen, picked, tables, prior)
    agreed = [
        [pick] if claim else options
        for pick, claim, options in zip(picked, [*claimed, claimed[24]], tables, strict=True)
    ]
    hidden = float(np.prod(1 - seen.seen[~claimed]))
    right = float(np.exp(_weight(agreed, prior) - _weight(tables, prior)))
    return DecodedPosition(counts, bar, claimed, _as_of_the_unseen(hidden * right))


def _as_of_the_unseen(probability: float) -> float:
    """A probability with its log-odds shrunk by UNSEEN."""
    right, wrong = probability**UNSEEN, max(1 - probability, 0.0) ** UNSEEN
    return float(right / (right + wrong))


def _traced(tables: list[list[Option]], choices: list[npt.NDArray[np.int64]], total: FloatArray) -> list[Option]:
    """The option of each table on the best way to the best pair of totals."""
    light, dark = (int(n) for n in np.unravel_index(int(total.argmax()), total.shape))
    picked = []
    for options, choice in zip(reversed(tables), reversed(choices), strict=True):
        option = options[int(choice[light, dark])]
        picked.append(option)
        light, dark = light - option[0], dark - option[1]
    return picked[::-1]


def _claimed(
    seen: ColumnsSeen, picked: list[Option], tables: list[list[Option]], prior: FloatArray
) -> npt.NDArray[np.bool_]:
    """(25,) which counts are more than a guess: those in sight or plain, and hidden ones that all the others leave no choice."""
    claimed = np.asarray(seen.seen >= VISIBLE)
    claimed[24] |= seen.bar[0, picked[24][0]] * seen.bar[1, picked[25][1]] >= CERTAIN
    counts = [light - dark for light, dark, _ in picked[:24]]
    claimed[:24] |= seen.columns[np.arange(24), MAX_COUNT + np.array(counts)] >= PLAIN
    hidden = np.flatnonzero(~claimed[:24])
    doubted = list(tables)
    for column in hidden:
        doubted[column] = _options(_with_doubt(seen.columns[column]))
    weight = _weight(doubted, prior) if len(hidden) else 0.0
    for column in hidden:
        light, dark, _ = picked[column]
        with_it = [option for option in doubted[column] if option[:2] == (light, dark)]
        certain = weight + np.log(CERTAIN)
        claimed[column] = (
            bool(with_it) and _weight([*doubted[:column], with_it, *doubted[column + 1 :]], prior) >= certain
        )
    return claimed


def _with_doubt(row: npt.NDArray[np.float32]) -> FloatArray:
    """(31,) log-probabilities of a hidden column, whose own word counts less than what usually lies on a column."""
    doubted = HIDDEN_WORD * np.log(row.astype(np.float64)) + np.log(_usual_column())
    return np.asarray(doubted - np.logaddexp.reduce(doubted))


@cache
def _usual_column() -> FloatArray:
    """(31,) probability of each content of a column of which nothing is seen."""
    *few, more = USUAL_COLUMN
    piled = more * 0.5 ** np.arange(1, MAX_COUNT - len(few) + 2)
    side = np.append(few[1:], piled)
    return np.concatenate([side[::-1], few[:1], side])


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


def _prior(seen: ColumnsSeen, checkers_a_side: int | None) -> FloatArray:
    """(MOST + 1, MOST + 1) log-probability of light's and dark's totals on the board."""
    hand = float(1 - seen.seen.min())
    light, dark = (_home_alone(seen, side) for side in (0, 1))
    mixed = np.zeros((MOST + 1, MOST + 1))
    for full, chance in _sets(checkers_a_side):
        mixed += chance * np.outer(_in_view(full, light, hand), _in_view(full, dark, hand))
    with np.errstate(divide="ignore"):
        return np.asarray(np.maximum(np.log(mixed), NEVER))


def _sets(checkers_a_side: int | None) -> list[tuple[int, float]]:
    """(checkers a side, probability) of the sets that this may be."""
    if checkers_a_side is not None:
        return [(checkers_a_side, 1.0)]
    fewer, more = range(FEWEST_CHECKERS, USUAL_CHECKERS), range(USUAL_CHECKERS + 1, MOST + 1)
    return [
        (USUAL_CHECKERS, USUAL_SET),
        *((full, (1 - USUAL_SET) / len(fewer)) for full in fewer),
        *((full, BIGGER_SET / len(more)) for full in more),
    ]


def _home_alone(seen: ColumnsSeen, side: int) -> float:
    """Probability that all checkers of a side (0: light) lie in one quarter of the board."""
    towards = slice(MAX_COUNT + 1, None) if side == 0 else slice(0, MAX_COUNT)
    free = (
        np.log(np.maximum(1 - seen.columns[:, towards].sum(axis=1).astype(np.float64), 1e-9)).reshape(4, 6).sum(axis=1)
    )
    off_bar = float(seen.bar[side, 0])
    return min(1.0, off_bar * float(np.exp(free.sum() - free).sum()))


def _in_view(full: int, home: float, hand: float) -> FloatArray:
    """(MOST + 1,) probability of a side's checkers on the board, of a set with so many a side.

    home: probability that they all lie in one quarter; hand: that a hand is over the board.
    """
    share = np.zeros(MOST + 1)
    still, none, one = (1 - home) * (1 - hand), *((1 - home) * hand * part for part in IN_HAND)
    share[full] = home * ALL_AT_HOME + still * ALL_IN_VIEW + none
    share[full - 1] = one
    share[:full] += (1 - share.sum()) / full
    return share


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
