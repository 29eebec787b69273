"""Keeps the names of a set's two colours from one reading to the next, as long as nothing is known of the set.

Which colour is the lighter is told from picture to picture; where both are about as light, light and shade decide, and a game in
which the names are exchanged half-way can't be followed. A turn moves four checkers, so what stood before tells.
"""

from __future__ import annotations

import numpy as np

from vision.observation import MAX_COUNT, FloatArray, Observation

MOST_MOVED = 14.0
"""By so many checkers the places of two readings of a game may differ with the names exchanged: a turn takes four at most from one
place to another, and as many of the other side's to the bar; some are misread."""
AT_LEAST = 8.0
"""So much more they must differ as they are."""
READ = 16
"""Columns, the bar among them, that are read in both; without so many nothing is told."""


def named_as_before(now: Observation, before: Observation) -> Observation:
    """The newer reading, its sides exchanged where that plainly fits what was read before."""
    exchanged = now.exchanged()
    straight, turned = _moved(now, before), _moved(exchanged, before)
    if comparable(now, before) and turned <= MOST_MOVED and straight - turned >= AT_LEAST:
        return exchanged
    return now


def comparable(now: Observation, before: Observation) -> bool:
    """Whether enough is read in both."""
    return bool((_read(now, before) > 0.5).sum() >= READ)


def _read(now: Observation, before: Observation) -> FloatArray:
    """(25,) how surely each column's count, and the bar's, is known in both."""
    known = [one.seen * np.append(one.columns.max(axis=1), one.bar.max(axis=1).min()) for one in (now, before)]
    return np.asarray(np.minimum(*known), np.float32)


def _moved(now: Observation, before: Observation) -> float:
    """By how many checkers the columns and bars that are read differ."""
    read = _read(now, before)
    counts, earlier = (one.columns @ np.arange(-MAX_COUNT, MAX_COUNT + 1) for one in (now, before))
    bars, earlier_bars = (one.bar @ np.arange(MAX_COUNT + 1) for one in (now, before))
    return float(read[:24] @ np.abs(counts - earlier) + read[24] * np.abs(bars - earlier_bars).sum())
