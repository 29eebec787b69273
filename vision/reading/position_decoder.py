"""The likeliest position as a whole: the columns' probabilities, weighed with how many checkers a side has and where."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from vision.observation import MAX_COUNT
from vision.reading.judging import ColumnsSeen
from vision.reading.position_prior import AWAY, USUAL_CHECKERS, prior_of
from vision.reading.position_sums import Option, best_of, shares_of, weight_of
from vision.reading.start_position import start_positions

FloatArray = npt.NDArray[np.float64]

VISIBLE = 0.5
"""Below this probability of having been seen a column's count is not claimed, unless it is all but certain anyway. On 120
drawn boards with dazzling light 41 of 90 columns that it hides are claimed, 10 wrongly; with 0.2 it is 52 and 15, for 4 of
1,350 others."""
CERTAIN = 0.87
"""Probability of a hidden column's count above which it is claimed all the same: where all checkers lie elsewhere it is empty. Of
955 columns under hands over simulated tables in mid-game 583 are claimed, 16 wrongly, of 693 on drawn boards 237, 7 wrongly."""
PLAIN = 0.995
"""The network's own probability of a count from which on a column shows enough of itself, whatever hides the rest. Of 150 columns
of drawn boards whose last or next checker's place is covered 1 has as much, of 99 less covered ones that it calls hidden 27."""
PLAIN_BAR = 0.95
"""The same for the bar. Of 25 bars under hands with 0.8 to this 16 are right."""
HIDDEN_WORD, LOOKS_EMPTY = 0.7, 0.5
"""How much the network's word on a hidden column counts; and how often such a column looks empty to it though checkers lie there,
beside one that is empty: of those columns under hands the truth is likeliest so. While its word counted 0.3, whatever it said, as
many were claimed from 0.95 on (553 and 241), 45 and 14 wrongly."""
USUAL_COLUMN = (0.59, 0.05, 0.077, 0.036, 0.022, 0.018)
"""How often no checker, one to four and five or more of one side lie on a column, in 400 positions of simulated games."""
MORE_ON_BAR = (0.5, 0.18, 0.1)
"""How much rarer two, three, and more checkers of a side on the bar are beside one than where the readings were learnt: on 34,524
sides in 426 games of real matches 0.22, 0.037 and 0.004 times as often as one, on drawn boards 0.43, 0.21 and 0.17."""
UNSEEN = 0.75
"""How much the log-odds of a position count: a network is surer of boards unlike all that it learnt from than it may be. Fitted to
what the network of 21 November 2026, which had learnt on ordinary drawn boards alone, said of strange ones, simulated tables and
oddly altered pictures of both (484 readings surer than 0.6; 0.64 to 0.84 in eight of ten draws); of those it called sure 2 of 289
were wrong, and none of 263 are. 300 others ask for 0.69 with that network and with the shipped one (benchmarks/doubt.py)."""
START = 5.0
"""How much likelier the start position is than its columns, each by itself, have it. Every game has it once, and any of the some
thirty positions after the first roll a thirtieth as often; but a set that is put up wrongly, a checker short or aside, must not
be taken for it. Of 300 drawn start positions 236 are wholly right with 1, 256 with 5, 274 with 30; of 400 wrongly put up 26, 49
and 68 are taken for one, with 0.95 or more 2, 5 and 14; of 400 positions one to three turns later none."""
NEGLIGIBLE = 7.5e-5
"""Counts so much less likely than a column's likeliest are not followed: those that have only the floor (3e-5)."""


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


def most_likely(seen: ColumnsSeen, checkers_a_side: int | None = None, *, putting_up: bool = False) -> DecodedPosition:
    """The jointly likeliest counts.

    checkers_a_side: how many a side has, where known; no side gets more. Otherwise 15 is likely, more is never claimed, and both
    likely have as many. putting_up: somebody is putting up the start position and asks whether it is right, so that it is not
    preferred.
    """
    prior = prior_of(checkers_a_side, float(1 - seen.seen.min()), seen.off)
    tables = [_options(row) for row in seen.columns.astype(np.float64)]
    tables += _bar_options(seen.bar.astype(np.float64))
    favour = 1.0 if putting_up else START
    picked = _best(tables, prior, favour)
    counts = np.array([light - dark for light, dark, _ in picked[:24]], np.int64)
    bar = (picked[24][0], picked[25][1])
    in_sight = _in_sight(seen, counts, bar)
    doubted = _with_doubt_where_hidden(tables, seen, in_sight)
    claimed = in_sight | _left_no_choice(picked, doubted, prior, ~in_sight)
    agreed = [
        [option for option in options if option[:2] == pick[:2]] if claim else options
        for pick, claim, options in zip(picked, [*claimed, claimed[24]], doubted, strict=True)
    ]
    hidden = float(np.prod(1 - seen.seen[~claimed]))
    return DecodedPosition(counts, bar, claimed, _as_of_the_unseen(hidden * _share(agreed, doubted, prior, favour)))


def _best(tables: list[list[Option]], prior: FloatArray, favour: float) -> list[Option]:
    """The option of each table in the likeliest position. favour: how much likelier the start position is, as in `START`."""
    best = best_of(tables, prior)
    start, weight = max(_starts(tables, prior), key=lambda one: one[1], default=(best, 0.0))
    return start if favour * weight > weight_of([[option] for option in best], prior) else best


def _starts(tables: list[list[Option]], prior: FloatArray) -> list[tuple[list[Option], float]]:
    """The start position each way round, as far as the tables allow it, and its weight before it is known for what it is."""
    found = []
    for counts in _all_starts():
        options = [
            next((option for option in table if option[0] - option[1] == count), None)
            for table, count in zip(tables, counts, strict=True)
        ]
        whole = [option for option in options if option is not None]
        if len(whole) == len(tables):
            weight = prior[AWAY, AWAY, USUAL_CHECKERS, USUAL_CHECKERS] * np.prod([option[2] for option in whole])
            found.append((whole, float(weight)))
    return found


@cache
def _all_starts() -> list[list[int]]:
    """Signed counts of the columns and, last, of the bar for light and for dark."""
    return [[*(sign * start).tolist(), 0, 0] for start in start_positions() for sign in (1, -1)]


def _share(some: list[list[Option]], tables: list[list[Option]], prior: FloatArray, favour: float) -> float:
    """The probability of the positions that some of the tables' options allow."""
    whole = _weight(tables, prior, favour)
    return _weight(some, prior, favour) / whole if whole > 0 else 0.0


def _weight(tables: list[list[Option]], prior: FloatArray, favour: float) -> float:
    """The weight of all positions that the tables allow."""
    return weight_of(tables, prior) + (favour - 1) * sum(weight for _, weight in _starts(tables, prior))


def _as_of_the_unseen(probability: float) -> float:
    """A probability with its log-odds shrunk by UNSEEN."""
    right, wrong = probability**UNSEEN, max(1 - probability, 0.0) ** UNSEEN
    return float(right / (right + wrong))


def _in_sight(seen: ColumnsSeen, counts: npt.NDArray[np.int64], bar: tuple[int, int]) -> npt.NDArray[np.bool_]:
    """(25,) which of the columns' signed counts and, last, the bar's are in sight or plain."""
    in_sight = np.asarray(seen.seen >= VISIBLE)
    in_sight[24] |= seen.bar[0, bar[0]] * seen.bar[1, bar[1]] >= PLAIN_BAR
    in_sight[:24] |= seen.columns[np.arange(24), MAX_COUNT + counts] >= PLAIN
    return in_sight


def _left_no_choice(
    picked: list[Option], doubted: list[list[Option]], prior: FloatArray, hidden: npt.NDArray[np.bool_]
) -> npt.NDArray[np.bool_]:
    """(25,) which of the hidden columns' counts all the others leave hardly a choice."""
    chosen = {int(column): picked[column][:2] for column in np.flatnonzero(hidden[:24])}
    claimed = np.zeros(25, bool)
    for number, share in shares_of(doubted, prior, chosen).items():
        claimed[number] = share >= CERTAIN
    return claimed


def _with_doubt_where_hidden(
    tables: list[list[Option]], seen: ColumnsSeen, in_sight: npt.NDArray[np.bool_]
) -> list[list[Option]]:
    """The tables, of hidden columns with what usually lies on one."""
    doubted = list(tables)
    for column in np.flatnonzero(~in_sight[:24]):
        doubted[column] = _options(_with_doubt(seen.columns[column]))
    return doubted


def _with_doubt(row: npt.NDArray[np.float32]) -> FloatArray:
    """(31,) probabilities of a hidden column: what usually lies on one, by what shows of it. That checkers show is believed; that
    none do, less, as all of them may be hidden."""
    word = row.astype(np.float64) ** HIDDEN_WORD
    filled = np.arange(len(row)) != MAX_COUNT
    doubted = (word + LOOKS_EMPTY * word[MAX_COUNT] * filled) * _usual_column()
    return np.asarray(doubted / doubted.sum())


@cache
def _usual_column() -> FloatArray:
    """(31,) probability of each content of a column of which nothing is seen."""
    *few, more = USUAL_COLUMN
    piled = more * 0.5 ** np.arange(1, MAX_COUNT - len(few) + 2)
    side = np.append(few[1:], piled)
    return np.concatenate([side[::-1], few[:1], side])


def _options(row: FloatArray) -> list[Option]:
    """The counts worth following, from one column's 31 probabilities; none at all is, as no side has more than 15."""
    kept = np.flatnonzero((row > row.max() * NEGLIGIBLE) | (np.arange(len(row)) == MAX_COUNT))
    return [(max(int(k) - MAX_COUNT, 0), max(MAX_COUNT - int(k), 0), float(row[k])) for k in kept]


def _bar_options(rows: FloatArray) -> list[list[Option]]:
    """The same of the bar, for light and for dark, from their 16 probabilities each, and how often so many lie there."""
    two, three, more = MORE_ON_BAR
    rows = rows * np.array([1, 1, two, three] + [more] * (rows.shape[1] - 4))
    rows /= rows.sum(axis=1, keepdims=True)
    light, dark = ([(n, p) for n, p in enumerate(row.tolist()) if n == 0 or p > row.max() * NEGLIGIBLE] for row in rows)
    return [[(n, 0, p) for n, p in light], [(0, n, p) for n, p in dark]]
