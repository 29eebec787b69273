"""The strips along a board's edges: which way they lie, and the corners that come out of what a network sees in them."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.scenes import CORNERS
from vision.board.geometry import BoardGeometry
from vision.finding import strips

PLANE = strips.STARTS


def maps_of(corners: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> strips.FloatArray:
    """(4, across, along) logits of edges that run from corner to corner (4, 2) on the board plane."""
    maps = np.zeros((4, len(strips.T), len(strips.S)))
    for edge in range(4):
        ends = np.array([corners[edge], corners[(edge + 1) % 4]]) - PLANE[edge]
        s, t = ends @ strips.ALONGS[edge], ends @ strips.INWARDS[edge]
        place = t[0] + (strips.S - s[0]) / (s[1] - s[0]) * (t[1] - t[0])
        maps[edge] = -(((strips.T[:, None] - place) / strips.CELL) ** 2)
    return maps


class TestCorners:
    @given(st.lists(st.floats(-0.04, 0.04), min_size=8, max_size=8))
    @settings(max_examples=40)
    def test_they_are_where_the_edges_cross(self, off: list[float]) -> None:
        truth = PLANE + np.array(off).reshape(4, 2)
        corners, stray = strips.corners_from(maps_of(truth))
        assert np.abs(corners - truth).max() < 0.002
        assert stray < 0.002

    def test_an_arm_over_an_edge_moves_it_little(self) -> None:
        truth = PLANE + np.array([[0.01, 0.02], [0, 0.01], [-0.02, 0], [0, 0]])
        maps = maps_of(truth)
        maps[1, :, 10:18] = 0
        corners, _ = strips.corners_from(maps)
        assert np.abs(corners - truth).max() < 0.003


class TestStrips:
    def test_each_begins_at_its_corner_and_has_the_outside_on_top(self) -> None:
        geometry = BoardGeometry(CORNERS)
        picture = np.full((720, 1280, 3), 128, np.uint8)
        y, x = np.mgrid[0:720, 0:1280]
        plane = geometry.to_plane(np.stack([x, y], -1))
        inside = ((plane > 0) & (plane < 1)).all(-1)
        picture[inside] = 20
        for corner, level in enumerate((90, 130, 170, 210)):
            picture[inside & (np.abs(plane - PLANE[corner]).max(-1) < 0.1)] = level
        seen = strips.strips(picture, geometry)[..., 0].astype(int)
        on_edge = round(strips.OUTSIDE / (strips.OUTSIDE + strips.INSIDE) * strips.ACROSS)
        assert np.abs(seen[:, : on_edge - 3] - 128).max() < 8
        assert (seen[:, on_edge + 3 : on_edge + 20, 60:100] == 20).all()
        at = [int((s + strips.BEYOND) / (1 + 2 * strips.BEYOND) * strips.ALONG) for s in (0.05, 0.95)]
        assert seen[:, on_edge + 10, at].tolist() == [[90, 130], [130, 170], [170, 210], [210, 90]]
