"""Where a board lies that lay nearly there a moment ago: before a camera that is held by hand, or on a table that is pushed.

Features of the view that was right are looked for close by in the new picture (Lucas and Kanade's optical flow, there and back);
most of them agree on one homography, the others are hands and checkers. A few milliseconds, where registration.find_again()
takes two hundred and finds a board anywhere in the picture.
"""

from __future__ import annotations

from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.geometry import GeometryError, apart, apply_homography, check_corners
from vision.board.rectified import BoardView, board_corners_of, view_of_board, view_px
from vision.frame import Corners, Image
from vision.watching.registration import SAME_BOARD, likeness

FloatArray = npt.NDArray[np.float32]

FEATURES, APART, QUALITY = 200, 6, 0.01
"""Of the view, how many at most; px between two; and how much of a corner each must be beside the best."""
WINDOW, LEVELS = (15, 15), 3
BACK = 0.5
"""px from where it was at which a feature may come out when it is looked for the other way round."""
AGREE = 0.7
"""px of the view by which a feature may miss the place that the others give it."""
FEWEST, MOST_ASTRAY = 25, 0.5
"""Features that must agree, and the share of all found ones that may not: a hand over a third of the board and what it plays."""
FARTHEST = 0.04
"""Share of the board's width by which a corner may have moved since it was last known, half a point: with a whole one the pattern
of points would be itself again."""
GRAIN, LIGHT_SCALE, BLACK = 0.8, 2.5, 8.0
"""px of the view over which noise is averaged, and over which light is the same; grey levels that nobody tells from black."""
ONCE_MORE = 1.0
"""px of the view: what has moved farther is looked at once more, from there."""


class Follower:
    """Keeps the view that was right. image and corners: a picture and where the board surely is in it."""

    def __init__(self, image: Image, corners: Corners) -> None:
        self._view = _evenly_lit(view_of_board(corners, _size(image)).of(image))

    @cached_property
    def _places(self) -> FloatArray:
        """(n, 1, 2) px of the view's features; not sought before they are asked for, as most cameras stand still."""
        places = cv2.goodFeaturesToTrack(self._view, FEATURES, QUALITY, APART)
        return np.zeros((0, 1, 2), np.float32) if places is None else np.asarray(places, np.float32)

    def follow(self, image: Image, near: Corners) -> Corners | None:
        """(4, 2) float32 source px of the board in this picture, in which it lies close to near; None where that can't be told."""
        corners = near
        for _ in range(2):
            view = BoardView(corners, _size(image))
            moved = self._moved(_evenly_lit(view.of(image)))
            if moved is None:
                return None
            corners = board_corners_of(view.to_source @ moved)
            if _farthest(moved) < ONCE_MORE:
                break
        if not apart(corners, near) <= FARTHEST:
            return None
        try:
            corners = check_corners(corners, _size(image))
        except GeometryError:
            return None
        shown = _evenly_lit(view_of_board(corners, _size(image)).of(image))
        return corners if likeness(self._view.astype(np.float32), shown.astype(np.float32)) > SAME_BOARD else None

    def _moved(self, view: npt.NDArray[np.uint8]) -> npt.NDArray[np.float64] | None:
        """(3, 3) homography from px of the kept view to those of this one."""
        if len(self._places) < FEWEST:
            return None
        there, found = _flow(self._view, view, self._places)
        back, found_back = _flow(view, self._view, there)
        sure = found & found_back & (np.abs(back - self._places).max(axis=(1, 2)) < BACK)
        if np.count_nonzero(sure) < FEWEST:
            return None
        matrix, agree = cv2.findHomography(self._places[sure], there[sure], cv2.USAC_MAGSAC, AGREE)
        if matrix is None or np.count_nonzero(agree) < max(FEWEST, (1 - MOST_ASTRAY) * np.count_nonzero(sure)):
            return None
        return np.asarray(matrix, np.float64)


def _flow(
    one: npt.NDArray[np.uint8], other: npt.NDArray[np.uint8], places: FloatArray
) -> tuple[FloatArray, npt.NDArray[np.bool_]]:
    """(n, 1, 2) px: where what lies at these places of one view lies in the other; (n,) bool: whether it is found."""
    criteria = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 20, 0.01)
    there, found, _ = cv2.calcOpticalFlowPyrLK(
        one, other, places, np.empty(0), winSize=WINDOW, maxLevel=LEVELS, criteria=criteria
    )
    return np.asarray(there, np.float32), found[:, 0] > 0


def _farthest(moved: npt.NDArray[np.float64]) -> float:
    """px of the view by which a corner of the board moves."""
    corners = view_px([[0, 0], [1, 0], [1, 1], [0, 1]])
    return float(np.abs(apply_homography(moved, corners) - corners).max())


def _evenly_lit(view: Image) -> npt.NDArray[np.uint8]:
    """(H, W) without what light does to it: 128 where it is as bright as around it."""
    grey = np.asarray(cv2.cvtColor(view, cv2.COLOR_BGR2GRAY), np.float32)
    smooth, around = (cv2.GaussianBlur(grey, (0, 0), scale) for scale in (GRAIN, LIGHT_SCALE))
    return np.clip(128 * (smooth + BLACK) / (around + BLACK), 0, 255).astype(np.uint8)


def _size(image: Image) -> tuple[int, int]:
    return image.shape[1], image.shape[0]
