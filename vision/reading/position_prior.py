"""How likely a side has so many of its checkers on the board, by where on it they lie: what the rules and real games say."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]

USUAL_CHECKERS = 15
FEWEST_CHECKERS = 3
USUAL_SET = 0.95
"""Probability that a set has 15 a side, where nobody told; home-made boards and variants have fewer."""
BIGGER_SET = 1e-3
"""Probability that more than 15 a side are seen. No set has them, so they are never claimed; but where they seem to lie there
something else was taken for checkers, and the rest is the less sure for it."""
MOST = 24
"""Totals are followed up to this many a side; it stands for more, too."""

HOME, HIT, AWAY = range(3)
"""Where a side's checkers lie: all in one quarter of the board, all there but those on the bar, or anywhere else."""
WHOLE = 1.5
"""How much likelier a side that is not at home has all its checkers on the board than one at home has so many as it seems to have,
against what readings of single columns, each by itself, would have it: only with all at home may a side bear off. In 426 games
of real matches one checker stands outside and none is off on 1,079 of 34,524 sides, and 14 are at home and one is off on 578;
drawn boards, which the columns' readings were learnt from, have a checker on each of the 18 points outside 1 time in 13, so
1,079 / 18 / 578 * 13 = 1.35. With two checkers outside it is 1.7, with one on the bar 2.2."""
WHOLE_AT_HOME = 1.65
"""The same for a side that is at home and has them all: 574 of 5,804 sides at home, of each other number 349 on the mean."""
BEARING_OFF_AND_HIT = 0.18
"""The same for a side that is at home but for checkers on the bar, though some have been borne off: 285 sides for 5,230, and drawn
boards have one checker on the bar a third as often as none."""
STRAY = 0.02
"""The same for a side that is elsewhere though some have been borne off: 194 sides with one checker outside, hardly any more."""
IN_HAND = (0.8, 0.15)
"""Probability that a hand over the board holds none, or one, of a side's checkers. While a play is made one hand in two holds a
checker of one of the two sides; one that points, rolls or rests holds none, and hands on the move are not read."""


def prior_of(checkers_a_side: int | None, hand: float, off: npt.NDArray[np.floating] | None = None) -> FloatArray:
    """(3, 3, MOST + 1, MOST + 1) how likely light and dark lie there with so many on the board.

    checkers_a_side: how many a side has, where known; otherwise 15 is likely, and both likely have as many. hand: the probability
    that a hand is over the board. off: (2, 16) how likely what lies beside the board is if so many light and dark checkers have
    been borne off; None where nobody looked.
    """
    beside = np.ones((2, USUAL_CHECKERS + 1)) if off is None else off.astype(np.float64)
    mixed = np.zeros((3, 3, MOST + 1, MOST + 1))
    for full, chance in _sets(checkers_a_side):
        light, dark = (_of_a_side(full, hand, side) for side in beside)
        mixed += chance * np.einsum("al,bd->abld", light, dark)
    return mixed


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


def _of_a_side(full: int, hand: float, beside: FloatArray) -> FloatArray:
    """(3, MOST + 1) for a side of a set with so many a side. beside: (16,) how likely what lies beside the board is by how many of
    the side's have been borne off."""
    none, one = IN_HAND
    share = np.zeros((3, MOST + 1))
    share[HOME, :full], share[HOME, full] = 1, WHOLE_AT_HOME
    share[HIT, :full], share[AWAY, :full] = BEARING_OFF_AND_HIT, STRAY
    share[1:, full] = WHOLE * (1 - hand + hand * none)
    missing = np.minimum(full - np.arange(full + 1), USUAL_CHECKERS)
    share[:, : full + 1] *= beside[missing]
    share[1:, full - 1] = np.maximum(share[1:, full - 1], WHOLE * hand * one * beside[0])
    return share
