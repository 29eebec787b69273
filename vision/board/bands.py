"""Bands of light: a lamp that flickers, seen line by line by a rolling shutter, explained away between two looks at a board.

Lamps on the mains are brighter and darker a hundred or a hundred and twenty times a second. A sensor is read line by line, so
that every line has its own light, and the bands lie elsewhere in each frame. How much brighter a line became is what most of it
says; lines that show something else than before have no say, so that an arm is never taken for a band.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.geometry import apply_homography
from vision.frame import Image

FloatArray = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]

STRIPS = 120
"""Strips of a view (some 160 to 220 px each way) with equally many px, one below or beside another as the sensor's lines are."""
ACROSS, ALONG = 1, 4
"""Of the px across the lines each is asked, of those along them every fourth."""
SAME = 0.5
"""Correlation of what a strip shows before and now, above which it has a say: how bright it is does not matter, an arm that lies
along it does."""
BLACK = 4.0
"""Grey levels that nobody tells from black."""
MOST_OUTSIDE = 0.8
"""Share of a view outside the picture above which too little is seen of each line."""
LEAST_SAYING = 0.4
"""Share of the strips that must have a say."""
LEAST_SPREAD = 0.015
"""By how much the lines' light must differ to call it bands."""
SMOOTH = 1.0
"""Strips over which what they say is smoothed."""


class Bands:
    """The lines of a sensor in one view of a board, whichever way they run."""

    def __init__(self, to_source: npt.NDArray[np.float64], outside: Mask) -> None:
        """to_source: (3, 3) homography from px of the view to source px. outside: (height, width) of the view, what lies outside of
        the picture and says nothing."""
        self._ways: list[_Strips] = []
        if float(outside.mean()) > MOST_OUTSIDE:
            return
        height, width = outside.shape
        columns, rows = np.meshgrid(np.arange(width), np.arange(height))
        places = apply_homography(to_source, np.stack([columns, rows], axis=-1).reshape(-1, 2))
        across, down = (places[:, axis].reshape(height, width) for axis in (0, 1))
        self._ways = [_Strips(down, outside, (ACROSS, ALONG)), _Strips(across, outside, (ALONG, ACROSS))]

    def gains(self, before: Image, now: Image) -> list[FloatArray]:
        """By how much each px (height, width, 3) grew brighter between two views, for each way there are bands in."""
        found = (strips.gains(before, now) for strips in self._ways)
        return [gain for gain in found if gain is not None]


class _Strips:
    """One way in which the lines may run."""

    def __init__(self, line: npt.NDArray[np.float64], outside: Mask, steps: tuple[int, int]) -> None:
        """line: (height, width) which line each px lies on. steps: every how many px of the view are asked, down and
        right."""
        self._sparse = slice(None, None, steps[0]), slice(None, None, steps[1])
        lines = line[self._sparse].ravel()
        inside = np.flatnonzero(~outside[self._sparse].ravel())
        self._each = inside.size // STRIPS
        self._order = inside[np.argsort(lines[inside], kind="stable")][: self._each * STRIPS]
        middles = np.median(lines[self._order].reshape(STRIPS, -1), axis=1)
        self._at = np.interp(line, middles, np.arange(STRIPS)).astype(np.float32)
        self._beyond = (line < middles[0]) | (line > middles[-1])

    def gains(self, before: Image, now: Image) -> FloatArray | None:
        """(height, width, 3); None without bands."""
        old, new = (
            view[self._sparse].reshape(-1, 3)[self._order].reshape(STRIPS, self._each, 3).astype(np.float32) + BLACK
            for view in (before, now)
        )
        saying = np.flatnonzero(_alike(old.sum(axis=2), new.sum(axis=2)) > SAME)
        if len(saying) < LEAST_SAYING * STRIPS:
            return None
        strips = np.arange(STRIPS)
        said = np.median(new[saying] / old[saying], axis=1)
        each = np.stack([np.interp(strips, saying, channel) for channel in said.T], axis=-1).astype(np.float32)
        lines = cv2.GaussianBlur(each, (1, 0), sigmaX=0.1, sigmaY=SMOOTH, borderType=cv2.BORDER_REPLICATE)
        if float(np.ptp(lines, axis=0).max()) < LEAST_SPREAD:
            return None
        gains = np.asarray(cv2.remap(lines[:, None], np.zeros_like(self._at), self._at, cv2.INTER_LINEAR), np.float32)
        # In the view's corners too few px lie on one line to tell: they are believed.
        gains[self._beyond] = (now[self._beyond] + BLACK) / (before[self._beyond] + BLACK)
        return gains


def _alike(one: FloatArray, other: FloatArray) -> FloatArray:
    """(n,) correlation of each row of the one (n, m) with that of the other."""
    old, new = (rows - rows.mean(axis=1, keepdims=True) for rows in (one, other))
    return np.asarray((old * new).sum(axis=1) / np.sqrt((old**2).sum(axis=1) * (new**2).sum(axis=1) + 1e-6), np.float32)
