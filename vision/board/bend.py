"""A lens that bends straight lines, by one number: where it puts things, and its picture as an ideal lens would have taken it.

Division model (Fitzgibbon 2001): what an ideal lens shows at u is seen at s, u = s / (1 + strength |s|²), both from the middle of
the picture in half diagonals. `straightness` measures it in any picture of a board; where the lens was calibrated
(`vision.sources.lens`), frames come straightened and have none.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Image

Floats = npt.NDArray[np.float64]
Array = npt.NDArray[Any]

LONGEST = 2000
"""px: straightened pictures keep the scale they had in the middle, unless they would be longer than this."""


@dataclass(frozen=True)
class Bend:
    """A lens's bend in pictures of one size.

    strength: above -1 and below 0, as a barrel bends. size: (width, height) px.
    """

    strength: float
    size: tuple[int, int]

    @property
    def straight_size(self) -> tuple[int, int]:
        """(width, height) px of the straightened picture, in whose corners the picture's own lie."""
        width, height = self.size
        return round(width * self._growth), round(height * self._growth)

    def straight(self, points: npt.ArrayLike) -> Floats:
        """(..., 2) px of the picture to px of the straightened one."""
        seen = (np.asarray(points, np.float64) - _middle(self.size)) / self._half_diagonal
        return np.asarray(_middle(self.straight_size) + ideal_places(seen, self.strength) * self._scale)

    def bent(self, points: npt.ArrayLike) -> Floats:
        """(..., 2) px of the straightened picture to px of the picture."""
        ideal = (np.asarray(points, np.float64) - _middle(self.straight_size)) / self._scale
        seen = ideal * _drawn_in((ideal**2).sum(axis=-1, keepdims=True), self.strength)
        return np.asarray(_middle(self.size) + seen * self._half_diagonal)

    def straightened(self, image: Image) -> Image:
        """The picture (H, W, 3) uint8 as an ideal lens would have taken it, black where it shows nothing."""
        if self._sampled_size != self.size:
            image = np.asarray(cv2.resize(image, self._sampled_size, interpolation=cv2.INTER_AREA), np.uint8)
        maps = _maps(self)
        return np.asarray(cv2.remap(image, *maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT), np.uint8)

    @property
    def _sampled_size(self) -> tuple[int, int]:
        """(width, height) px of the picture that the straightened one is sampled from: made smaller first where that is."""
        return self.straight_size if self._growth < 1 else self.size

    @property
    def _growth(self) -> float:
        return min(LONGEST / max(self.size), 1 / (1 + self.strength))

    @property
    def _half_diagonal(self) -> float:
        return float(np.hypot(*self.size)) / 2

    @property
    def _scale(self) -> float:
        """px of the straightened picture for each half diagonal of an ideal lens's."""
        return self._half_diagonal * self._growth * (1 + self.strength)


def ideal_places(seen: Floats, strength: float) -> Floats:
    """(..., 2) where an ideal lens shows what is seen at (..., 2), both from the middle in half diagonals."""
    return np.asarray(seen / (1 + strength * (seen**2).sum(axis=-1, keepdims=True)))


def _drawn_in(square: Array, strength: float) -> Array:
    """How many times as far from the middle as an ideal lens shows them places are seen, by the square of that distance there."""
    return np.asarray(2 / (1 + np.sqrt(1 - 4 * strength * square)), square.dtype)


@lru_cache(1)
def _maps(bend: Bend) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.uint16]]:
    """Where each px of a straightened picture comes from, as cv2.remap takes it; a camera's are always the same."""
    size = bend._sampled_size
    x, y = (np.asarray((np.arange(long) - (long - 1) / 2) / bend._scale, np.float32) for long in bend.straight_size)
    half_diagonals = _drawn_in(x[None] ** 2 + y[:, None] ** 2, bend.strength) * np.float32(np.hypot(*size) / 2)
    middle = np.asarray(_middle(size), np.float32)
    fixed, shares = cv2.convertMaps(
        x[None] * half_diagonals + middle[0], y[:, None] * half_diagonals + middle[1], cv2.CV_16SC2
    )
    return np.asarray(fixed, np.int16), np.asarray(shares, np.uint16)


def _middle(size: tuple[int, int]) -> Floats:
    return (np.array(size, np.float64) - 1) / 2
