"""Finds the one board of several pictures that a fixed camera took."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.finding import Found, NotFound, find_board
from vision.frame import Image

AGREE = 0.02
"""Board widths by which corners may differ and still be the same board's: what reading tolerates."""


def find_together(pictures: Sequence[Image]) -> Found | NotFound:
    """The median of the finds that agree with the surest one; hands and checkers mislead a single one.

    pictures: at least one, each as in `find_board`.
    """
    answers = [find_board(picture) for picture in pictures]
    finds = [answer for answer in answers if isinstance(answer, Found)]
    if not finds:
        return answers[0]
    best = max(finds, key=lambda find: find.confidence)
    width = float(np.linalg.norm(best.corners[1] - best.corners[0]))
    same = [find.corners for find in finds if np.abs(find.corners - best.corners).max() <= AGREE * width]
    return Found(np.median(same, axis=0).astype(np.float32), best.confidence)
