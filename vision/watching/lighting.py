"""Whether there is light enough to read the board: by what it usually has, and by what its picture still shows."""

from __future__ import annotations

import numpy as np

from vision.board.quality import quality_of
from vision.board.weaknesses import MOST_GRAIN, grain_share
from vision.frame import Corners, Frame

DARK = 0.35
"""Share of the usual brightness below which nothing is read: a lamp that is switched off leaves 0.1-0.2, a cloud 0.5 and more."""
DARK_FOR = 5.0
"""Seconds after which nobody is about to switch it on again: it is another camera's picture, or the evening."""
USUAL = 0.1
"""Weight of the newest picture in what brightness is usual."""
MOST_GRAIN_LEFT = MOST_GRAIN / 2 * np.sqrt(8)
"""Grain of a frame as a share of the contrast. Of eight laid over one another (`exposure.py`) half of MOST_GRAIN is left, with
which dice are read without fail; with MOST_GRAIN those of four pictures in five are."""
SAME_LIGHT = 0.8
"""Share of a brightness down to which it is still the same one."""


class Lighting:
    """The light of one camera's pictures. Brightness is their mean grey level, 0-255."""

    def __init__(self) -> None:
        self._usual = 0.0
        self._least = np.inf
        """What is known to be enough, however bright it usually is."""
        self._dark_since = np.inf

    def is_too_dark(self, frame: Frame, corners: Corners) -> bool:
        """Whether it is much darker than usual, and has been for a short time only or leaves too little to be read.

        corners: (4, 2) float32 source px. Frames come one after the other.
        """
        light = float(frame.image[::16, ::16].mean())
        if light < min(DARK * self._usual, self._least):
            self._dark_since = min(self._dark_since, frame.seconds)
            if frame.seconds - self._dark_since < DARK_FOR:
                return True
            if grain_share(quality_of(frame.image, corners)) > MOST_GRAIN_LEFT:
                self._dark_since = frame.seconds  # it is looked at again after as long a time
                return True
            self._least = SAME_LIGHT * light
        self._dark_since = np.inf
        self._usual += USUAL * (light - self._usual) if self._usual else light
        return False
