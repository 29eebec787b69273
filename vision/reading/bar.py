"""Finds the bar's edges on a board whose corners are known."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

from vision.board.geometry import WIDEST_BAR, BoardGeometry
from vision.frame import Image
from vision.network import WEIGHTS, Network, network_input

WIDTH, HEIGHT, MARGIN = 192, 160, 0.06
"""Size of the rectified picture that the bar is sought in, px, and its margin as a share of that size."""
STRIDE = 4
CELLS = WIDTH // STRIDE
OFF_CENTRE = 0.012
"""Deviation of a bar's middle from the board's, share of the width: 0 to 0.005 on ten measured boards, and as much again
for imprecise corners. It brought the mean error of the worse edge on 92 pictures from 0.016 to 0.009."""
NARROWEST_HALF = 0.3
"""Each half of the field spans at least this share of the width; the widest bar measured leaves 0.43."""


class BarFinder:
    """Finds bars with one network, loaded once. Not thread-safe: one finder a thread."""

    def __init__(self, weights: Path | None = None) -> None:
        """weights: another ONNX file than the one that ships. Raises WeightsError where they can't be used."""
        self._network = Network(weights or WEIGHTS / "bar.onnx")

    def find(self, image: Image, geometry: BoardGeometry) -> tuple[float, float]:
        """Left and right edge of the bar as shares of the playing surface's width; equal where the board has no bar. A geometry
        takes them, whatever the picture shows."""
        rectified = geometry.rectified(image, WIDTH, HEIGHT, MARGIN)
        straight = network_input(rectified[None])
        views = [straight, straight[..., ::-1], straight[:, :, ::-1], straight[:, :, ::-1, ::-1]]
        profiles = self._network(np.concatenate(views))[0].reshape(len(views), 2, CELLS)
        mirrored = profiles[[1, 3]][:, ::-1, ::-1]
        left, right = edges(np.concatenate([profiles[[0, 2]], mirrored]).mean(axis=0, keepdims=True))[0].tolist()
        middle = (left + right) / 2
        first = float(np.clip(min(left, middle), NARROWEST_HALF, 0.5))
        last = float(np.clip(max(right, middle), 0.5, 1 - NARROWEST_HALF))
        if last - first > WIDEST_BAR:  # The corners are none of a board's, and what is read there comes out unsure.
            return 0.5 - WIDEST_BAR / 2, 0.5 + WIDEST_BAR / 2
        return first, last


def edges(profiles: npt.NDArray[np.floating]) -> npt.NDArray[np.float64]:
    """(B, 2) edges as shares of the width from (B, 2, CELLS) logits: the mean places under both profiles together.

    What one edge's profile doesn't know, under an arm or in shade, the other's tells: bars lie in the middle.
    """
    places = profile_places().astype(np.float64)
    left, right = places[:, None], places[None, :]
    off_centre = (left + right) / 2 - 0.5
    joint = profiles[:, 0, :, None] + profiles[:, 1, None, :] - off_centre**2 / (2 * OFF_CENTRE**2)
    weights = np.exp(joint - joint.max(axis=(1, 2), keepdims=True))
    weights = weights / weights.sum(axis=(1, 2), keepdims=True)
    return np.stack([(weights * left).sum(axis=(1, 2)), (weights * right).sum(axis=(1, 2))], axis=1)


def profile_places() -> npt.NDArray[np.float32]:
    """(CELLS,) the shares of the width that the profile's cells stand for."""
    return np.asarray(((np.arange(CELLS) + 0.5) * STRIDE / WIDTH - MARGIN) / (1 - 2 * MARGIN), np.float32)
