"""A part of a picture made smaller, so that sampling it coarsely skips no pixels, without shrinking what nobody looks at."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Image

AROUND = 2
"""Pixels of the smaller picture kept around what is sampled: interpolation looks one pixel further."""
BEFORE = 48
"""Pixels by which a part may begin earlier, so that its pixels are averaged as they are in all of the picture: among so many
places one lies within 0.02 px of where a pixel of the smaller picture begins."""


def shrunk(image: Image, factor: float, around: npt.NDArray[np.floating]) -> tuple[Image, npt.NDArray[np.float64]]:
    """The part of a picture around some points made smaller, and the (3, 3) matrix from px of the picture to px of that.

    factor: below 1. around: (N, 2) px; with a point that is not finite it is all of the picture.
    """
    height, width = image.shape[:2]
    low, high = np.zeros(2, int), np.array([width, height])
    if np.isfinite(around).all():
        further = AROUND / factor + 1
        inside = np.clip(np.array([around.min(axis=0) - further, around.max(axis=0) + further]), 0, high).astype(int)
        # What lies beside the picture altogether still needs a pixel to be sampled from.
        low, high = np.minimum(inside[0], high - 1), np.maximum(inside[1], inside[0] + 1)
        low = np.array([_beginning(int(first), factor) for first in low])
    part = image[low[1] : high[1], low[0] : high[0]]
    if round(factor * min(part.shape[:2])) == 0:  # Too narrow a strip to be made smaller: nothing is left of it.
        return part, np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1]], np.float64)
    small = cv2.resize(part, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    shift = (0.5 - low) * factor - 0.5
    return np.asarray(small, np.uint8), np.array([[factor, 0, shift[0]], [0, factor, shift[1]], [0, 0, 1]])


def reduced(picture: Image, factor: int) -> Image:
    """A picture (H, W) or (H, W, 3) made smaller by a whole factor; what is left over at its right and lower edge is lost."""
    # OpenCV halves a picture so quickly that halving it twice takes a third of the time of taking a quarter.
    while factor % 2 == 0:
        picture, factor = _reduced(picture, 2), factor // 2
    return _reduced(picture, factor) if factor > 1 else picture


def _reduced(picture: Image, factor: int) -> Image:
    height, width = max(1, picture.shape[0] // factor), max(1, picture.shape[1] // factor)
    part = picture[: height * factor, : width * factor]
    return np.asarray(cv2.resize(part, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def _beginning(first: int, factor: float) -> int:
    """The pixel before `first` that lies nearest to where a pixel of the smaller picture begins."""
    places = np.arange(first, max(-1, first - BEFORE), -1)
    return int(places[np.abs(places * factor - np.rint(places * factor)).argmin()])


def outline(matrix: npt.NDArray[np.floating], corners: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """(4, 2) picture px: where a homography puts four corners (4, 2); not finite where one lies beyond the horizon."""
    placed = np.column_stack([np.asarray(corners, np.float64), np.ones(4)]) @ matrix.T
    seen = placed[:, 2:] * np.sign(placed[0, 2]) > 1e-9
    return np.where(seen, placed[:, :2] / np.where(seen, placed[:, 2:], 1), np.inf)
