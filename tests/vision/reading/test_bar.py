"""The bar's edges, whatever lies between the corners."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.scenes import GEOMETRY, draw
from vision.board.geometry import WIDEST_BAR, BoardGeometry
from vision.network import FloatArray
from vision.reading.bar import CELLS, BarFinder

BOARD = BoardGeometry(GEOMETRY.corners)
PICTURE = draw()
SURE = 40.0
"""Of a cell, a logit."""


class Says:
    """A network that sees the two edges in these cells, in every view of the picture."""

    def __init__(self, left: int, right: int) -> None:
        self._profiles = np.zeros((4, 2, CELLS), np.float32)
        self._profiles[[0, 2], 0, left] = self._profiles[[0, 2], 1, right] = SURE
        self._profiles[[1, 3], 0, CELLS - 1 - right] = self._profiles[[1, 3], 1, CELLS - 1 - left] = SURE

    def __call__(self, pictures: FloatArray) -> list[FloatArray]:
        return [self._profiles]


@given(st.integers(0, CELLS - 1), st.integers(0, CELLS - 1))
def test_a_geometry_takes_them_whatever_is_seen(left: int, right: int) -> None:
    """Corners that lie elsewhere than a board show lines far apart, which are none of a bar."""
    finder = BarFinder()
    finder._network = Says(left, right)  # type: ignore[assignment]
    found = finder.find(PICTURE, BOARD)
    assert BOARD.with_bar(found).bar == found
    assert found[1] - found[0] <= WIDEST_BAR
