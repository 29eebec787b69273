"""Finds the one board of several pictures that a fixed camera took."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.finding import BoardLocation, NotFound, find_board
from vision.frame import Image

AGREE = 0.02
"""Board widths by which corners may differ and still be the same board's: what reading tolerates."""


def find_together(pictures: Sequence[Image]) -> BoardLocation | NotFound:
    """The find that most pictures agree on, weighed by their confidence; the median of those, for hands mislead some.

    pictures: at least one, each as in `find_board`.
    """
    answers = [find_board(picture) for picture in pictures]
    finds = [answer for answer in answers if isinstance(answer, BoardLocation)]
    if not finds:
        return answers[0]
    best = max((_agreeing(find, finds) for find in finds), key=lambda same: sum(find.confidence for find in same))
    corners = np.median([find.corners for find in best], axis=0).astype(np.float32)
    return BoardLocation(corners, max(find.confidence for find in best))


def _agreeing(find: BoardLocation, finds: Sequence[BoardLocation]) -> list[BoardLocation]:
    width = float(np.linalg.norm(find.corners[1] - find.corners[0]))
    return [other for other in finds if np.abs(other.corners - find.corners).max() <= AGREE * width]
