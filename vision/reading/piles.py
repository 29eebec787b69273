"""Counts piles: a network looks closer at single columns, as a second layer shows by an edge of a px or two only."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from vision.board.geometry import BoardGeometry
from vision.frame import Image
from vision.network import WEIGHTS, FloatArray, Network, network_input

DETAIL = 3
"""A patch is this many times finer than the canonical picture, half as fine again as what the columns' network looks at."""


class PileReader:
    """Counts with one network, loaded once. Not thread-safe: one reader a thread."""

    def __init__(self, weights: Path | None = None) -> None:
        """weights: another ONNX file than the one that ships. Raises WeightsError where it can't be used."""
        self._network = Network(weights or WEIGHTS / "piles.onnx")

    def counts(self, image: Image, placed: BoardGeometry, columns: Sequence[int]) -> FloatArray:
        """(len(columns), 16) logits of how many checkers, of either side, lie on these columns 0-23, by their patches and the
        mirror images of these.

        image: (H, W, 3) uint8 BGR, source px. placed: with the bar's edges.
        """
        patches = network_input(np.stack([placed.patch(image, column, DETAIL) for column in columns]))
        (logits,) = self._network(np.concatenate([patches, patches[..., ::-1]]))
        return np.asarray((logits[: len(columns)] + logits[len(columns) :]) / 2, np.float32)
