"""Looks closer, at single columns and at the bar: networks count on straight patches what the whole picture leaves in doubt.

A second layer of a pile shows by an edge of a px or two only; a checker that is wider than the bar lies on the columns beside it,
too, and the canonical picture, which gives the bar one column's width whatever its own, breaks it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.board.geometry import BoardGeometry
from vision.frame import Image
from vision.network import WEIGHTS, FloatArray, Network, network_input
from vision.observation import MAX_COUNT

COUNTS = MAX_COUNT + 1

PILE_DETAIL = 3
"""A patch of a column is this many times finer than the canonical picture, half as fine again as what the columns'
network looks at."""
FINE_DETAIL = 4
"""The same of the patch for the larger network."""
BAR_DETAIL = 2
"""The same of the bar's patch."""


class CloserLook:
    """Counts with two networks, loaded once, and a third that is loaded when it is first needed. Not thread-safe: one a thread."""

    def __init__(self) -> None:
        """Raises WeightsError where their weights can't be used."""
        self._piles = Network(WEIGHTS / "piles.onnx")
        self._on_bar = Network(WEIGHTS / "on_bar.onnx")
        self._piles_fine: Network | None = None

    def piles(self, image: Image, placed: BoardGeometry, columns: Sequence[int]) -> FloatArray:
        """(len(columns), 16) logits of how many checkers, of either side, lie on these columns 0-23, by their patches and the
        mirror images of these.

        image: (H, W, 3) uint8 BGR, source px. placed: with the bar's edges.
        """
        patches = network_input(np.stack([placed.patch(image, column, PILE_DETAIL) for column in columns]))
        (logits,) = self._piles(np.concatenate([patches, patches[..., ::-1]]))
        return np.asarray((logits[: len(columns)] + logits[len(columns) :]) / 2, np.float32)

    def piles_finely(self, image: Image, placed: BoardGeometry, columns: Sequence[int]) -> FloatArray:
        """The same by a larger network, on finer patches. Raises WeightsError where its weights can't be used."""
        self._piles_fine = self._piles_fine or Network(WEIGHTS / "piles_fine.onnx")
        logits = np.empty((len(columns), COUNTS), np.float32)
        for row, column in enumerate(columns):  # one after the other, and one view each, which needs less memory
            patch = network_input(placed.patch(image, column, FINE_DETAIL)[None])
            views = patch, np.ascontiguousarray(patch[..., ::-1])
            logits[row] = np.mean([self._piles_fine(view)[0][0] for view in views], axis=0)
        return logits

    def on_bar(self, image: Image, placed: BoardGeometry) -> FloatArray:
        """(16,) logits of how many checkers, of either side, lie on the bar, by its patch and that turned by half.

        image and placed as above.
        """
        patch = network_input(placed.bar_patch(image, BAR_DETAIL)[None])
        (logits,) = self._on_bar(np.concatenate([patch, patch[:, :, ::-1, ::-1]]))
        return np.asarray(logits.mean(axis=0), np.float32)
