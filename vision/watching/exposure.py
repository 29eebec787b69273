"""A longer exposure: frames between which nothing moved are laid over one another, where one alone is grainy."""

from __future__ import annotations

from dataclasses import replace
from math import exp

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Corners, Frame, Image

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
ACROSS = 64
"""Grain and contrast are measured in so many px of a row or column of the board, and as many more at most."""
OF_A_DIFFERENCE = 2 / np.sqrt(np.pi)
"""Mean of the absolute difference of two normally distributed numbers, as a share of the deviation of each."""


class Exposure:
    """The frames of a camera that stands still, since something last moved."""

    def __init__(self) -> None:
        self._mean: npt.NDArray[np.float32] | None = None
        self._frames, self._since = 0, 0.0
        self._before: tuple[Frame, Image] | None = None
        """The newest frame, and single px of its board."""

    def begin_anew(self) -> None:
        """What was seen so far shows something else than what comes."""
        self._mean = self._before = None

    def add(self, frame: Frame, corners: Corners) -> None:
        """What has not moved since the frame before. corners: of the board, (4, 2) float32 source px, the same as before."""
        sample = _sample(frame.image, corners)
        if self._before is not None and _grain_share(self._before[1], sample) > GRAINY:
            self._lay_over(self._before[0], frame)
        else:
            self._mean = None
        self._before = frame, sample

    def _lay_over(self, before: Frame, frame: Frame) -> None:
        if self._mean is None:
            self._mean, self._frames, self._since = before.image.astype(np.float32), 1, before.seconds
        self._frames += 1
        later = 1 - exp((before.seconds - frame.seconds) / SECONDS)
        weight = max(1 / self._frames, min(later, MOST))
        cv2.accumulateWeighted(frame.image, self._mean, weight)

    @property
    def is_enough(self) -> bool:
        """Whether what is shown is read hardly worse than it will be soon."""
        if self._mean is None or self._before is None:
            return True
        return self._frames >= ENOUGH or self._before[0].seconds - self._since >= LONGEST

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
