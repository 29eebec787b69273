"""How likely the corners found are right within 2 % of the board's width, from what was noticed on the way."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]

WEIGHTS = np.array([0.6, 0.1, 1.0, 1.0, -1.0, -0.5])
OFFSET = -8.0
SMALL = 1e-4


def features(evidence: FloatArray) -> FloatArray:
    """(6,) numbers that grow evenly with what they stand for, from a sighting's evidence.

    evidence: logit of an upright board in the rectified picture, logit of a board in the picture, score of the first look, of
    the second, stray of the edges, last move of the corners.
    """
    board, present, first, second, stray, moved = evidence
    return np.array(
        [
            np.clip(board, -8, 8),
            np.clip(present, -8, 8),
            np.log(first + 0.01),
            np.log(second + 0.01),
            np.log(stray + SMALL),
            np.log(moved + SMALL),
        ]
    )


def confidence_of(evidence: FloatArray) -> float:
    """Probability 0-1."""
    return float(1 / (1 + np.exp(-(features(evidence) @ WEIGHTS + OFFSET))))
