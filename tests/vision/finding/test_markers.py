"""Markers around a board: printed, photographed from the side, and found again."""

from __future__ import annotations

import re

import cv2
import numpy as np
import pytest

from controller.simulation.stills import still_frames
from vision.board.geometry import apply_homography
from vision.finding import BoardLocation, find_board
from vision.finding.markers import CELLS, DEFAULT_MM, MARGIN, MarkersError, corners_from_markers, sheet
from vision.frame import Corners, Image

PER_MM = 4
BOARD_MM = (440, 330)


def printed() -> dict[int, Image]:
    """The four paper squares as the sheet draws them, px: its rectangles painted."""
    squares = {}
    side = DEFAULT_MM
    rectangles = [
        tuple(map(float, match))
        for match in re.findall(r'<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"', sheet())
    ]
    frames = [r for r in rectangles if abs(r[2] - side) < 1e-3]
    for number, (left, top, _, _) in enumerate(frames):
        square = np.full((round(side * PER_MM),) * 2, 255, np.uint8)
        for x, y, width, height in rectangles:
            if width < side / 2 and left <= x < left + side and top <= y < top + side:
                at = [round((v - o) * PER_MM) for v, o in ((x, left), (y, top), (x + width, left), (y + height, top))]
                square[at[1] : at[3], at[0] : at[2]] = 0
        squares[number] = cv2.cvtColor(square, cv2.COLOR_GRAY2BGR)
    return squares


def table(turns: tuple[int, int, int, int], hide: int | None = None) -> tuple[Image, Corners]:
    """A dark board on a table with the squares around it, seen from above, and its corners. turns: quarter turns of each square."""
    width, height, side = BOARD_MM[0] * PER_MM, BOARD_MM[1] * PER_MM, round(DEFAULT_MM * PER_MM)
    picture = np.full((height + 4 * side, width + 4 * side, 3), (70, 90, 110), np.uint8)
    left, top = 2 * side, 2 * side
    cv2.rectangle(picture, (left, top), (left + width, top + height), (30, 50, 30), -1)
    places = (
        (left - side, top - side),
        (left + width, top - side),
        (left + width, top + height),
        (left - side, top + height),
    )
    for number, (x, y) in enumerate(places):
        if number != hide:
            picture[y : y + side, x : x + side] = np.rot90(printed()[number], turns[number])
    return picture, np.array(
        [[left, top], [left + width, top], [left + width, top + height], [left, top + height]], np.float32
    )


def photographed(picture: Image, corners: Corners, seed: int) -> tuple[Image, Corners]:
    """The same from the side, 1280 x 720, a little blurred and noisy."""
    rng = np.random.default_rng(seed)
    h, w = picture.shape[:2]
    seen = np.array([[260, 60], [1020, 70], [1240, 690], [40, 680]], np.float32) + rng.normal(0, 15, (4, 2)).astype(
        np.float32
    )
    matrix = cv2.getPerspectiveTransform(np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32), seen)
    taken = cv2.GaussianBlur(cv2.warpPerspective(picture, matrix, (1280, 720), flags=cv2.INTER_AREA), (0, 0), 0.8)
    noisy = np.clip(taken + rng.normal(0, 5, taken.shape), 0, 255).astype(np.uint8)
    return noisy, apply_homography(matrix.astype(np.float64), corners).astype(np.float32)


@pytest.mark.parametrize("turns", [(0, 0, 0, 0), (0, 1, 2, 3), (2, 2, 1, 1)])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_corners_are_found_however_the_squares_are_turned(turns: tuple[int, int, int, int], seed: int) -> None:
    picture, corners = photographed(*table(turns), seed)
    found = corners_from_markers(picture)
    assert found is not None
    assert np.linalg.norm(found - corners, axis=1).max() < 0.004 * np.linalg.norm(corners[1] - corners[0])


def test_the_board_is_where_its_markers_say() -> None:
    picture, corners = photographed(*table((0, 0, 0, 0)), 4)
    found = find_board(picture)
    assert isinstance(found, BoardLocation)
    assert found.confidence > 0.95
    assert np.abs(found.corners - corners).max() < 5


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (1, 0, 2, 3), (3, 2, 1, 0)])
def test_markers_that_lie_around_no_board_are_left_out(order: tuple[int, ...]) -> None:
    """The sheet before it is cut, beside a board or over its edge, as numbered there; and squares in a wrong order."""
    still = next(iter(still_frames(1, seed=5, size=(1280, 720), look="walnut")))
    picture, side = still.frame.image.copy(), 60
    for place, number in enumerate(order):
        y, x = 8 + place // 2 * (side + 8), 8 + place % 2 * (side + 8)
        picture[y : y + side, x : x + side] = cv2.resize(printed()[number], (side, side), interpolation=cv2.INTER_AREA)
    assert corners_from_markers(picture) is not None
    found = find_board(picture)
    assert isinstance(found, BoardLocation)
    width = np.linalg.norm(still.corners[1] - still.corners[0])
    assert np.linalg.norm(found.corners - still.corners, axis=1).max() < 0.04 * width


@pytest.mark.parametrize("hidden", [0, 1, 2, 3])
def test_three_markers_are_no_board(hidden: int) -> None:
    picture, _ = photographed(*table((0, 0, 0, 0), hide=hidden), 1)
    assert corners_from_markers(picture) is None


def test_a_board_without_markers_has_none() -> None:
    rng = np.random.default_rng(1)
    assert corners_from_markers(rng.integers(0, 255, (480, 640, 3), np.uint8)) is None


@pytest.mark.parametrize("size", [0, 5, 81, float("nan")])
def test_a_sheet_that_cannot_be_used(size: float) -> None:
    with pytest.raises(MarkersError, match="choose 16 to 80 mm"):
        sheet(size)


def test_cells_fill_the_square() -> None:
    assert pytest.approx(4.5) == DEFAULT_MM / (CELLS + 2 * MARGIN)
