"""A longer exposure: frames between which nothing moved are laid over one another, where one alone is grainy."""

from __future__ import annotations

from dataclasses import replace
from math import exp

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Corners, Frame, Image
from vision.watching.motion import Motion

GRAINY = 0.04
"""Grain as a share of the contrast from which it is done. A webcam in a lit room has 0.01-0.03; dice are misread from 0.1 on."""
SECONDS = 1.0
"""In so long two thirds of a frame's weight are gone: of what changes unseen, a cube turned beside the board, little is left after
three times as many."""
MOST = 0.25
"""Weight of the newest at most, where frames come seldom: so that some seven count, whenever they came."""
ENOUGH, LONGEST = 5, 0.5
"""Frames before which nothing is read of what is grainy, two tenths of a second more at ten frames a second, and seconds after
which it is read whatever there is of it. A first look at three frames without dice passed for dice that had been lifted."""
AGAIN = 0.005
"""Share of grain up to which it is the same picture once more: a camera that exposes longer gives each several times, as do films
made of fewer frames. Of such two codecs leave 0.004, but for few; no camera that has GRAINY has so little from frame to frame."""
ACROSS = 64
"""Grain and contrast are measured in so many px of a row or column of the board, and as many more at most."""
OF_A_DIFFERENCE = 2 / np.sqrt(np.pi)
"""Mean of the absolute difference of two normally distributed numbers, as a share of the deviation of each."""


class Exposure:
    """The frames of a camera that stands still, since something last moved."""

    def __init__(self) -> None:
        self._mean: npt.NDArray[np.float32] | None = None
        self._frames, self._newest = 0, 0.0
        self._since: float | None = None
        """Seconds of the first frame that counts; None before it comes."""
        self._grainy = self._restless = False
        self._before: tuple[Frame, Image] | None = None
        """The newest frame that was no other's repetition, and single px of its board."""

    def begin_anew(self, *, waited: bool = False) -> None:
        """What was seen so far shows something else than what comes. waited: it need not be waited for once more."""
        if not waited or self.is_enough:
            self._since = None
        self._mean = self._before = None
        self._frames = 0

    def see(self, frame: Frame, corners: Corners, motion: Motion) -> None:
        """The next frame, with what moved in it, as add() takes it: what moved last lies in it as it does since. What goes on
        stirring at one place is covered there, and keeps nothing from being laid over one another elsewhere."""
        restless = motion.restless is not None
        if (motion.stirs and not restless) or motion.cut or (self._restless and not restless):
            self.begin_anew()
        elif motion.light:
            self.begin_anew(waited=True)
        self._restless = restless
        self.add(frame, corners)

    def add(self, frame: Frame, corners: Corners) -> None:
        """What has not moved since the frame before. corners: of the board, (4, 2) float32 source px, the same as before."""
        sample = _sample(frame.image, corners)
        self._newest = frame.seconds
        if self._since is None:
            self._since = frame.seconds
        if self._before is not None:
            before, old = self._before
            grain = _grain_share(old, sample)
            if self._grainy and grain < AGAIN and frame.seconds - before.seconds < SECONDS:
                return
            self._grainy = grain > GRAINY
            if self._grainy:
                self._lay_over(before, frame)
            else:
                self._mean, self._since = None, frame.seconds
        self._before = frame, sample

    def _lay_over(self, before: Frame, frame: Frame) -> None:
        if self._mean is None:
            self._mean, self._frames = before.image.astype(np.float32), 1
        self._frames += 1
        later = 1 - exp((before.seconds - frame.seconds) / SECONDS)
        weight = max(1 / self._frames, min(later, MOST))
        cv2.accumulateWeighted(frame.image, self._mean, weight)

    @property
    def is_enough(self) -> bool:
        """Whether what is shown is read hardly worse than it will be soon."""
        if not self._grainy or self._before is None or self._since is None:
            return True
        return self._frames >= ENOUGH or self._newest - self._since >= LONGEST

    def of(self, frame: Frame) -> Frame:
        """The newest frame, with less grain where it has much."""
        if self._mean is None:
            return frame
        return replace(frame, image=np.asarray(cv2.convertScaleAbs(self._mean), np.uint8))


def _sample(image: Image, corners: Corners) -> Image:
    """Green of single px of the board, (h, w) uint8: of px that lie apart none has its neighbour's grain."""
    height, width = image.shape[:2]
    left, top = np.clip(corners.min(axis=0), 0, (width - 1, height - 1)).astype(int)
    right, bottom = np.clip(corners.max(axis=0), (left + 1, top + 1), (width, height)).astype(int)
    step = max(1, min(right - left, bottom - top) // ACROSS)
    return np.ascontiguousarray(image[top:bottom:step, left:right:step, 1])


def _grain_share(before: Image, now: Image) -> float:
    """Deviation of the grain between two pictures of the same, as a share of the grey levels from dark to bright."""
    dark, bright = np.percentile(now, (5, 95))
    return float(cv2.absdiff(before, now).mean() / OF_A_DIFFERENCE / max(bright - dark, 1.0))
