"""Whether probabilities mean what they say: how often what was called p sure came true."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

EDGES = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0)
"""Narrow bins near 1, where being sure matters."""


@dataclass(frozen=True)
class ReliabilityBin:
    """Claims between two probabilities. claimed: their mean probability; true: the share that came true."""

    low: float
    high: float
    claims: int
    claimed: float
    true: float


def reliability(
    probabilities: Sequence[float], true: Sequence[bool], edges: Sequence[float] = EDGES
) -> list[ReliabilityBin]:
    """The bins that hold any claim, in order; a claim on an edge counts for the upper bin, 1 for the last.

    probabilities: 0-1, as claimed; true: whether each claim came true. Raises ValueError where their numbers differ.
    """
    claims = list(zip(probabilities, true, strict=True))
    table = []
    for low, high in pairwise(edges):
        inside = [claim for claim in claims if low <= claim[0] < high or claim[0] == high == edges[-1]]
        if inside:
            mean = sum(p for p, _ in inside) / len(inside)
            table.append(ReliabilityBin(low, high, len(inside), mean, sum(t for _, t in inside) / len(inside)))
    return table


def calibration_error(table: Sequence[ReliabilityBin]) -> float:
    """The mean distance between claimed and true, each bin weighed with its claims (expected calibration error)."""
    claims = sum(entry.claims for entry in table)
    return sum(entry.claims * abs(entry.claimed - entry.true) for entry in table) / claims if claims else 0.0
