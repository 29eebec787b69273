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


class Names:
    """The last reading that showed enough, with the names that it had. Not thread-safe."""

    def __init__(self) -> None:
        self._before: Observation | None = None

    def forget(self) -> None:
        """Whatever comes next has its own names."""
        self._before = None

    def kept(self, now: Observation) -> Observation:
        """The newer reading, its sides exchanged where that plainly fits what was read before."""
        named = now if self._before is None else named_as_before(now, self._before)
        if _enough(_known(named)):
            self._before = named
        return named


def named_as_before(now: Observation, before: Observation) -> Observation:
    """The newer reading, its sides exchanged where that plainly fits the older one."""
    known = np.asarray(np.minimum(_known(now), _known(before)), np.float32)
    if not _enough(known):
        return now
    exchanged = now.exchanged()
    straight, turned = (_moved(one, before, known) for one in (now, exchanged))
    return exchanged if turned <= MOST_MOVED and straight - turned >= AT_LEAST else now


def _known(seen: Observation) -> FloatArray:
    """(25,) how surely each column's count, and the bar's, is known."""
    return np.asarray(seen.seen * np.append(seen.columns.max(axis=1), seen.bar.max(axis=1).min()), np.float32)


def _enough(known: FloatArray) -> bool:
    return bool((known > 0.5).sum() >= READ)


def _moved(now: Observation, before: Observation, known: FloatArray) -> float:
    """By how many checkers the columns and bars differ, each as far as it is known."""
    counts, earlier = (one.columns @ np.arange(-MAX_COUNT, MAX_COUNT + 1) for one in (now, before))
    bars, earlier_bars = (one.bar @ np.arange(MAX_COUNT + 1) for one in (now, before))
    return float(known[:24] @ np.abs(counts - earlier) + known[24] * np.abs(bars - earlier_bars).sum())
