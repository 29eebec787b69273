"""What the networks that find boards learn from: a batch, and how its corners are misplaced."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Tensor = Any
PEAK = 1.3
"""Deviation of a corner's peak on the finder's map, cells."""
EDGE_PEAK = 1.2
"""Deviation of an edge's place across it, cells."""
WRONG_SHARE = 0.2
"""Rectified pictures that show no upright board."""
MISTAKEN_SHARE = 0.5
"""Rectified pictures whose edges were mistaken for others: the trays' outer walls, the frame, the second row of checkers."""
TURNED = 0.35
"""Whole pictures turned by quarters."""
RIGHT, NEARLY = 0.015, 0.035
"""Board widths: corners this near count as right, and from here on as wrong."""


@dataclass(frozen=True)
class FindingBatch:
    """picture (B, 3, S, S); wanted: the finder's maps (B, 3, 48, 48), or corners (B, 4, 2).

    here (B, 1): 1 where there is a board; right (B, 1): how right the corners are that the picture was rectified with, 0-1.
    """

    picture: Tensor
    here: Tensor
    right: Tensor
    wanted: Tensor
