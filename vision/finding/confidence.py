"""How likely the corners found are right, and how likely a board lies near them at all, from what was noticed on the way."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]

FEATURES = 9
RIGHT, NEAR = 0.02, 0.04
"""Board widths: every corner is at most this far off where they are right, and where they are near."""
SMALLEST = 1e-3
"""Strays and moves below this, board widths, say nothing more."""
LARGEST_LOGIT = 6.0


@dataclass(frozen=True)
class Odds:
    """A logistic regression on `features`. weights: (FEATURES,)."""

    weights: tuple[float, ...]
    offset: float

    def of(self, measures: FloatArray) -> float:
        """Probability 0-1."""
        return float(1 / (1 + np.exp(-(features(measures) @ np.array(self.weights) + self.offset))))


_RIGHT = Odds((0.8345, 0.0121, 0.1115, -0.788, 3.8703, 0.0426, -0.6225, -1.5607, -0.8281), -18.3465)
_NEAR = Odds((0.4407, -0.0702, -0.0002, 4.3066, 11.4323, -0.605, -1.2783, -1.4764, -0.3662), -28.7185)
"""Fitted on drawn pictures new to the networks (vision/weights/finder.md)."""


def features(measures: FloatArray) -> FloatArray:
    """(FEATURES,) numbers that grow evenly with what they stand for, from a sighting's measures.

    measures: logit that the rectified picture's corners are right, logit of a board in the picture, score of the first
    look, of the second, stray of the edges, last move of the corners; of the strips: logit that the least right of
    the edges was, their stray, how far they moved the corners.
    """
    right, present, first, second, stray, moved, right_strip, stray_strip, moved_strip = measures
    logits = np.clip([right, present, right_strip], -LARGEST_LOGIT, LARGEST_LOGIT)
    return np.array([*logits, first, second, *np.log(np.array([stray, moved, stray_strip, moved_strip]) + SMALLEST)])


def confidence_of(measures: FloatArray) -> float:
    """Probability 0-1 that the corners are right."""
    return _RIGHT.of(measures)


def nearness_of(measures: FloatArray) -> float:
    """Probability 0-1 that the corners are near: that there is a board and that it can be read, if not surely."""
    return _NEAR.of(measures)
