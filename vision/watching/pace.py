"""How often a board is read on which nothing moves."""

from __future__ import annotations

from math import inf

READ_AGAIN = 0.7
"""Seconds between two readings: a second look settles doubts, a tenth adds nothing."""
CALM_AFTER = 4
"""Readings of one rest after which the board is looked at less often."""
WHEN_CALM = 3.0
"""Seconds between two from then on."""
WHEN_CONTENT = 10.0
"""Seconds between two where the last has left nothing in doubt, and nothing has moved since."""


class Pace:
    """When the next reading is due. reads: how many this rest has had."""

    def __init__(self) -> None:
        self.reads = 0
        self._last, self._pause = -inf, READ_AGAIN

    def begin_anew(self) -> None:
        """What moves or can't be seen is read at once when it rests."""
        self.reads, self._last = 0, -inf

    def hurry(self) -> None:
        """Something has changed all the same: as often as at first."""
        self.reads, self._pause = 0, READ_AGAIN

    def is_due(self, seconds: float) -> bool:
        """Whether to read now; whoever is told so does."""
        if seconds - self._last < self._pause:
            return False
        self.reads, self._last = self.reads + 1, seconds
        self._pause = READ_AGAIN if self.reads < CALM_AFTER else WHEN_CALM
        return True

    def wait(self, seconds: float) -> None:
        """At least so long after the last reading, while nothing moves."""
        self._pause = max(self._pause, seconds)
