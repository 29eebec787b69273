"""How likely the corners found are right within 2 % of the board's width, from what was noticed on the way."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]

FEATURES = 6
WEIGHTS = np.array([0.5324, -0.2331, 0.4858, 10.983, -1.6967, -1.439])
OFFSET = -23.9613
"""Fitted on 236 pictures new to the networks that saw them (vision/weights/finder.md): above 0.95 it was right in 77 of 80."""
SMALLEST = 1e-3
"""Strays and moves below this, board widths, say nothing more."""
LARGEST_LOGIT = 6.0


def features(evidence: FloatArray) -> FloatArray:
    """(FEATURES,) numbers that grow evenly with what they stand for, from a sighting's evidence.

    evidence: logit that the rectified picture's corners are right, logit of a board in the picture, score of the first
    look, of the second, stray of the edges, last move of the corners.
    """
    right, present, first, second, stray, moved = evidence
    logits = np.clip([right, present], -LARGEST_LOGIT, LARGEST_LOGIT)
    return np.array([*logits, first, second, np.log(stray + SMALLEST), np.log(moved + SMALLEST)])


def confidence_of(evidence: FloatArray) -> float:
    """Probability 0-1."""
    return float(1 / (1 + np.exp(-(features(evidence) @ WEIGHTS + OFFSET))))
