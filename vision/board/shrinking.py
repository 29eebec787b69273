"""A part of a picture made smaller, so that sampling it coarsely skips no pixels, without shrinking what nobody looks at."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Image

AROUND = 2
"""Pixels of the smaller picture kept around what is sampled: interpolation looks one pixel further."""


def shrunk(
    image: Image, factor: float, outline: npt.NDArray[np.floating] | None = None
) -> tuple[Image, npt.NDArray[np.float64]]:
    """A picture made smaller, or its part within an outline, and the (3, 3) matrix from px of the picture to px of that.

    factor: below 1. outline: (N, 2) px; with a point that is not finite it is all of the picture.
    """
    height, width = image.shape[:2]
    low, high = np.zeros(2, int), np.array([width, height])
    if outline is not None and np.isfinite(outline).all():
        around = AROUND / factor + 1
        inside = np.clip(np.array([outline.min(axis=0) - around, outline.max(axis=0) + around]), 0, high).astype(int)
        # What lies beside the picture altogether still needs a pixel to be sampled from.
        low, high = np.minimum(inside[0], high - 1), np.maximum(inside[1], inside[0] + 1)
    part = image[low[1] : high[1], low[0] : high[0]]
    small = cv2.resize(part, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    shift = (0.5 - low) * factor - 0.5
    return np.asarray(small, np.uint8), np.array([[factor, 0, shift[0]], [0, factor, shift[1]], [0, 0, 1]])
