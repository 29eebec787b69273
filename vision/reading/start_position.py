"""The start position, known by its piles alone: it says which of them are one side's, whatever their colours seem to be.

Where sides are told badly, as of checkers with the same inlay in other rims, every pile is told by all of them together, and a
table can learn its colours from the first picture.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float32]

LEAST = 0.01
"""Probability of the start position's counts from which it is the start position: no other position has nearly its chance."""
LEAST_PILES, LEAST_COLUMNS = 6, 20
"""Of its 8 piles and of the 24 columns in sight at least; what hides the others may hide anything."""
BY_SIDES, BY_LIGHTNESS = 1.3, 0.03
"""Nats for a side to be the lighter one for each by which the network calls its piles so, on average, and for each level of Lab's L
(0-255) by which they are lighter: what 427 drawn start positions ask for (72000000-72000499, half of them strange)."""
CONTRADICTED = 3.0
"""Nats by which piles on their own may contradict that these are one side's and those the other's: a set put up with two piles'
colours exchanged shows the same counts."""
LOWER_RIGHT = (5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2)
"""Signed counts of the top edge's columns, left to right, where the side with positive ones bears off below on the right; the
bottom edge's are the others'. The mirror image is the other one; exchanging the sides turns either upside down."""


@cache
def start_positions() -> npt.NDArray[np.int64]:
    """(2, 24) signed counts in column order of both ways in which the start position may lie, up to the names of the sides."""
    top = np.array(LOWER_RIGHT, np.int64)
    return np.stack([np.concatenate([row, -row]) for row in (top, top[::-1])])


def piles_of_one_side(counts: FloatArray, sight: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64] | None:
    """(24,) 1 and -1 on the piles of the two sides, 0 elsewhere; None where the counts are not the start position's.

    counts: (24, 16) log-probabilities of how many lie there, of either side. sight: (24,) whether it is in sight.
    """
    for start in start_positions():
        piles = start != 0
        if sight.sum() < LEAST_COLUMNS or (sight & piles).sum() < LEAST_PILES:
            continue
        if counts[np.arange(24), np.abs(start)][sight].sum() >= np.log(LEAST):
            return np.asarray(np.sign(start), np.int64)
    return None


def sides_of_piles(
    piles: npt.NDArray[np.int64], alone: FloatArray, side: FloatArray, lightness: FloatArray
) -> FloatArray:
    """(24,) logits of light: on the start position's piles all of a side's alike; as they are where those contradict that plainly.

    piles: as `piles_of_one_side` has them. alone: (24,) logits of each column on its own; side: (24,) what the network alone says
    of that; lightness: (24,) of its checkers, Lab's L, NaN where none is seen.
    """
    called = float((piles * side)[piles != 0].mean())
    shown = [lightness[(piles == one) & ~np.isnan(lightness)] for one in (1, -1)]
    lighter = float(shown[0].mean() - shown[1].mean()) if all(map(len, shown)) else 0.0
    together = piles * (BY_SIDES * called + BY_LIGHTNESS * lighter)
    contradicted = min(float(np.maximum(name * piles * alone, 0).sum()) for name in (1, -1))
    return np.asarray(np.where((piles != 0) & (contradicted <= CONTRADICTED), together, alone), np.float32)
