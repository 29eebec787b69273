"""How likely the corners found are right within 2 % of the board's width, from what was noticed on the way."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]

FEATURES = 9
WEIGHTS = np.array([0.2553, -0.0951, 0.2767, 5.0271, 7.8134, -0.9024, -1.707, -2.6346, -0.2087])
OFFSET = -39.8392
"""Fitted on 440 drawn pictures new to the networks, ordinary ones counting thrice (vision/weights/finder.md)."""
SMALLEST = 1e-3
"""Strays and moves below this, board widths, say nothing more."""
LARGEST_LOGIT = 6.0


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
    """Probability 0-1."""
    return float(1 / (1 + np.exp(-(features(measures) @ WEIGHTS + OFFSET))))
