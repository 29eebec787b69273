"""Whether something beside the board has changed since it was last read: dice thrown there move nothing over it."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.geometry import BoardGeometry
from vision.board.rectified import Mask
from vision.frame import Image

WIDTH = 480
"""px that a picture is shrunk to; a die is six to ten there."""
LEAST_CHANGE, LEAST_AREA = 25, 8
"""Grey levels by which a pixel must differ, and how many must: noise leaves none after a median."""
OVER_THE_EDGE = 0.04
"""Board widths around the playing surface that are left to the motion gate."""


class Beside:
    """Remembers what lay around one board when it was last read. Another one when the corners change."""

    def __init__(self, geometry: BoardGeometry) -> None:
        self._geometry = geometry
        self._mask: Mask | None = None
        self._known: npt.NDArray[np.uint8] | None = None

    def follow(self, geometry: BoardGeometry) -> None:
        """From what is remembered next on the board lies here. Until then the picture has changed as a whole."""
        self._geometry = geometry

    def has_changed(self, image: Image) -> bool:
        """Whether anything looks otherwise than when remember() was last called. image: (H, W, 3) uint8 BGR."""
        if self._known is None or self._mask is None:
            return False
        now = _small(image)
        if now.shape != self._known.shape:
            return True
        lit = float(np.median(now[::4, ::4])) - float(np.median(self._known[::4, ::4]))
        apart = np.abs(now.astype(np.float32) - self._known - lit) > LEAST_CHANGE
        changed = cv2.medianBlur((apart & self._mask).astype(np.uint8), 3)
        return int(np.count_nonzero(changed)) >= LEAST_AREA

    def remember(self, image: Image) -> None:
        """What lies there now has been read."""
        self._known = _small(image)
        self._mask = self._around(self._known.shape, image.shape[1])

    def _around(self, shape: tuple[int, ...], width: int) -> Mask:
        """(h, w) bool: what of a small picture lies beside the board."""
        low, high = -OVER_THE_EDGE, 1 + OVER_THE_EDGE
        plane = np.array([[low, low], [high, low], [high, high], [low, high]])
        board = self._geometry.to_picture(plane) * (shape[1] / width)
        mask = np.ones(shape[:2], np.uint8)
        cv2.fillConvexPoly(mask, np.round(board).astype(np.int32), 0)
        return mask.astype(np.bool_)


def _small(image: Image) -> npt.NDArray[np.uint8]:
    size = (WIDTH, round(image.shape[0] * WIDTH / image.shape[1]))
    grey = cv2.cvtColor(cv2.resize(image, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    return np.asarray(grey, np.uint8)
