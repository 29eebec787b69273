"""Which pictures of a film show something new: all others need not be made whole, nor looked at.

News compares small grey pictures, each pixel the mean of many, so that noise hardly shows and a die does. What comes after
something new is handed on too, until nothing has stirred for a while, for whoever waits for the board to lie still; and now and
then a picture of a scene in which nothing happens. Of a camera that never stands still every picture is.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.shrinking import reduced

Grey = npt.NDArray[np.uint8]
Picture = TypeVar("Picture")
"""Of whatever kind: a decoder's is made whole only where it is wanted."""

SMALL_WIDTH = 160
"""px: a die is two of them wide and more, and of 64 source pixels' noise an eighth is left in one."""

LEAST = 3.0
"""Grey levels by which one small pixel must differ."""
OVER_NOISE = 1.5
"""Times the most that pixels usually differ by. H.264 of a noisy camera leaves 2-7 levels between frames, a fade 12, a hand 80."""
MOST_NOISE = 30.0
"""Grey levels. Where pixels usually differ by more, it is no noise but the camera or the light that moves, and nothing tells what
is news: before a still camera, grain of 30 levels a source pixel leaves 14; one held by hand 60 to 170; a lamp that flickers 50."""
REMEMBERED = 15
"""Comparisons of which the lower quartile is what is usual: hands may be busy in three quarters of them."""

BUSY_EVERY = 0.25
"""Seconds between two pictures of something that goes on moving: nothing is read meanwhile, but an arm should be seen as one."""
SETTLING = 0.45
"""Seconds for which every picture is handed on after the last change: the motion gate needs 0.4 at ten a second."""
HEARTBEAT = 1.0
"""Seconds after which a picture is handed on whatever it shows: slow light, a camera that was bumped, a second reading."""


def small_grey(picture: Grey) -> Grey:
    """A picture (H, W) shrunk by a whole factor to about SMALL_WIDTH px."""
    return reduced(picture, max(1, picture.shape[1] // SMALL_WIDTH))


class News:
    """The memory of one film. wants() is asked about its pictures in order."""

    def __init__(self) -> None:
        self._before: Grey | None = None
        self._shown: Grey | None = None
        self._usual: deque[float] = deque(maxlen=REMEMBERED)
        self._changed = self._handed_on = float("-inf")
        self._stirs = False

    def of(
        self, pictures: Iterable[tuple[Picture, float]], small: Callable[[Picture], Grey]
    ) -> Iterator[tuple[Picture, float]]:
        """Those of a film's pictures, each with its seconds, that show something new, and the last, which tells how long the film
        has shown what was new before it. small: makes small_grey() of one."""
        left: tuple[Picture, float] | None = None
        for picture, seconds in pictures:
            left = picture, seconds
            if self.wants(small(picture), seconds):
                left = None
                yield picture, seconds
        if left is not None:
            yield left

    def wants(self, small: Grey, seconds: float) -> bool:
        """Whether to hand on the picture of which small is small_grey(). seconds: its time, growing from picture to picture."""
        if self._before is None or self._shown is None or self._before.shape != small.shape:
            self._before = self._shown = small
            self._changed = self._handed_on = seconds
            self._usual.clear()
            return True
        self._usual.append(_most(self._before, small))
        usual = sorted(self._usual)[len(self._usual) // 4]
        least = max(LEAST, OVER_NOISE * usual)
        self._before = small
        stirs, goes_on = self._usual[-1] > least, self._stirs
        self._stirs = stirs
        if stirs or usual > MOST_NOISE or _most(self._shown, small) > least:
            self._changed = seconds
        pause = HEARTBEAT if seconds - self._changed > SETTLING else BUSY_EVERY if stirs and goes_on else 0.0
        if seconds - self._handed_on < pause:
            return False
        self._shown, self._handed_on = small, seconds
        return True


def _most(one: Grey, other: Grey) -> float:
    return float(cv2.absdiff(one, other).max())
