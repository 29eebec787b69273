"""Keeps the names of a set's two colours from one reading to the next, as long as nothing is known of the set.

Which colour is the lighter is told from picture to picture; where both are about as light, light and shade decide, and a game in
which the names are exchanged half-way can't be followed. A turn moves four checkers, so what stood before tells.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

import numpy as np

from vision.observation import MAX_COUNT, FloatArray, Observation

MOST_MOVED = 14.0
"""By so many checkers the places of two readings of a game may differ with the names exchanged: a turn takes four at most from one
place to another, and as many of the other side's to the bar; some are misread."""
AT_LEAST = 8.0
"""So much more they must differ as they are."""
READ = 16
"""Columns, the bar among them, that are read in both; without so many nothing is told."""
REMEMBERED = 3
"""Readings: one in which an arm or a shadow mixes the names fits neither way, and says nothing of the next."""
MISNAMED = 5
"""So many more readings must have the other names by themselves than the names that are kept for these to be taken for wrong, and
twice as many. By agreement: each time a recording is gone through again."""


class Names:
    """The last readings that showed enough, with the names that they had. Not thread-safe."""

    def __init__(self) -> None:
        self._before: deque[Observation] = deque(maxlen=REMEMBERED)
        self._own = self._other = 0

    @property
    def misnamed(self) -> bool:
        """Whether it was the reading that the names are from that was wrong: most others have the sides' names exchanged."""
        return self._other - self._own >= MISNAMED and self._other >= 2 * self._own

    def forget(self) -> None:
        """Whatever comes next has its own names."""
        self._before.clear()
        self._own = self._other = 0

    def begin_with(self, reading: Observation) -> None:
        """Its names are right; they are kept from then on, should nobody know any more which are."""
        self.forget()
        if _enough(_known(reading)):
            self._before.append(reading)

    def exchange(self) -> None:
        """From now on the sides have each other's names."""
        self._before = deque((one.exchanged() for one in self._before), REMEMBERED)
        self._own, self._other = self._other, self._own

    def kept(self, now: Observation) -> Observation:
        """The newer reading, its sides exchanged where that plainly fits what was read before."""
        fits = _fits(now, self._before)
        self._own, self._other = self._own + (fits is True), self._other + (fits is False)
        named = now.exchanged() if fits is False else now
        if _enough(_known(named)):
            self._before.append(named)
        return named


def _fits(now: Observation, before: Iterable[Observation]) -> bool | None:
    """Whether the newer reading plainly follows from an older one as it is; False: only exchanged; None: nobody can say."""
    known = [(one, np.asarray(np.minimum(_known(now), _known(one)), np.float32)) for one in before]
    readable = [(one, both) for one, both in known if _enough(both)]
    if not readable:
        return None
    straight, turned = (min(_moved(named, one, both) for one, both in readable) for named in (now, now.exchanged()))
    if abs(straight - turned) < AT_LEAST or min(straight, turned) > MOST_MOVED:
        return None
    return straight < turned


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
