"""The simulated table as a camera: its frames come as time passes, faster or slower as asked."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from controller.simulation import SimulatedTable
from vision.frame import Frame


class SimulatedSource:
    """A FrameSource over a simulated table.

    speed: virtual seconds a second; 0 gives every frame as soon as it is asked for. start: virtual seconds to begin at:
    the table is there before anybody looks.
    """

    name = "The simulated board"
    total = None

    def __init__(
        self,
        table: SimulatedTable,
        speed: float = 1.0,
        start: float = 0.0,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._table, self._speed, self._start = table, speed, start
        self._clock, self._sleep = clock, sleep

    @property
    def live(self) -> bool:
        """Whether frames come by the clock."""
        return self._speed > 0

    def frames(self) -> Iterator[Frame]:
        """The match's frames; seconds are virtual."""
        begun = self._clock()
        for frame in self._table.frames(self._start):
            if self._speed > 0:
                due = begun + (frame.seconds - self._start) / self._speed
                self._sleep(max(0.0, due - self._clock()))
            yield frame

    def close(self) -> None:
        """Nothing to give back."""
