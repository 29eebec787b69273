"""Where things lie on the board."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.board.geometry import (
    CANONICAL_HEIGHT,
    CANONICAL_WIDTH,
    MARGIN_X,
    MARGIN_Y,
    PATCH_BEFORE,
    PATCH_HEIGHT,
    PATCH_WIDTH,
    PITCH,
    BoardGeometry,
    GeometryError,
    check_corners,
)

SQUARE = [[100, 100], [500, 100], [500, 400], [100, 400]]


@st.composite
def boards(draw: st.DrawFn) -> BoardGeometry:
    corners = np.array(SQUARE, np.float64) + np.array(
        draw(st.lists(st.integers(-40, 40), min_size=8, max_size=8))
    ).reshape(4, 2)
    width = draw(st.floats(0, 0.13))
    return BoardGeometry(corners.astype(np.float32), (0.5 - width / 2, 0.5 + width / 2))


@given(boards(), st.floats(0, 1), st.floats(0, 1))
def test_plane_and_picture_are_each_others_inverse(geometry: BoardGeometry, x: float, y: float) -> None:
    assert np.allclose(geometry.to_plane(geometry.to_picture([x, y])), [x, y], atol=1e-6)


@given(boards())
def test_corners_are_the_plane_s_corners(geometry: BoardGeometry) -> None:
    assert np.allclose(geometry.to_picture([[0, 0], [1, 0], [1, 1], [0, 1]]), geometry.corners, atol=1e-3)


@given(boards())
def test_every_column_s_centre_lies_at_its_place_in_the_canonical_picture(geometry: BoardGeometry) -> None:
    places = [float(geometry.canonical_x(geometry.column_centre(column)[0])) for column in range(12)]
    wanted = [MARGIN_X + PITCH * (k + 0.5 + (k > 5)) for k in range(12)]
    assert np.allclose(places, wanted)
    assert float(geometry.canonical_x(geometry.column_centre(24)[0])) == pytest.approx(MARGIN_X + 6.5 * PITCH)


def test_columns_run_along_the_top_then_along_the_bottom() -> None:
    geometry = BoardGeometry(np.array(SQUARE, np.float32), (0.45, 0.55))
    assert geometry.column_centre(0) == pytest.approx((0.0375, 0.21))
    assert geometry.column_centre(11) == pytest.approx((1 - 0.0375, 0.21))
    assert geometry.column_centre(12) == pytest.approx((0.0375, 0.79))
    assert geometry.column_centre(24) == pytest.approx((0.5, 0.5))


@given(boards(), st.integers(0, 24))
def test_a_column_s_region_surrounds_its_centre(geometry: BoardGeometry, column: int) -> None:
    assert np.allclose(geometry.column_region(column).mean(axis=0), geometry.column_centre(column))


def test_a_mark_on_a_column_shows_on_that_column_of_the_canonical_picture() -> None:
    picture = np.zeros((500, 600, 3), np.uint8)
    geometry = BoardGeometry(np.array([[80, 90], [520, 60], [560, 440], [40, 410]], np.float32), (0.46, 0.54))
    x, y = geometry.to_picture(geometry.column_centre(8)).round().astype(int)
    picture[y - 6 : y + 7, x - 6 : x + 7] = 255
    canonical = geometry.canonical(picture)
    assert canonical.shape == (CANONICAL_HEIGHT, CANONICAL_WIDTH, 3)
    rows, columns = np.nonzero(canonical[..., 0] > 128)
    assert columns.mean() == pytest.approx(MARGIN_X + PITCH * 9.5, abs=1.5)
    assert rows.mean() == pytest.approx(MARGIN_Y + 0.21 * (CANONICAL_HEIGHT - 2 * MARGIN_Y), abs=1.5)


@pytest.mark.parametrize("column", [0, 5, 6, 11, 12, 17, 18, 23])
@pytest.mark.parametrize("larger", [1, 3])
def test_a_mark_on_a_column_shows_in_the_middle_of_its_patch_as_far_from_the_edge(column: int, larger: int) -> None:
    picture = np.zeros((500 * larger, 600 * larger, 3), np.uint8)
    corners = np.array([[80, 90], [520, 60], [560, 440], [40, 410]], np.float32) * larger
    geometry = BoardGeometry(corners, (0.46, 0.54))
    across, _ = geometry.column_centre(column)
    inwards = 0.15
    x, y = geometry.to_picture([across, inwards if column < 12 else 1 - inwards]).round().astype(int)
    reach = 6 * larger
    picture[y - reach : y + reach + 1, x - reach : x + reach + 1] = 255
    patch = geometry.patch(picture, column, 3)
    assert patch.shape == (PATCH_HEIGHT * 3, PATCH_WIDTH * 3, 3)
    rows, columns = np.nonzero(patch[..., 0] > 128)
    assert columns.mean() == pytest.approx(PATCH_WIDTH * 3 / 2, abs=3)
    assert rows.mean() == pytest.approx((PATCH_BEFORE + inwards * (CANONICAL_HEIGHT - 2 * MARGIN_Y)) * 3, abs=4)


@pytest.mark.parametrize("bar", [(0.5, 0.5), (0.49, 0.51), (0.45, 0.55), (0.44, 0.53)])
@pytest.mark.parametrize("up", [0.2, 0.5, 0.85])
def test_a_checker_on_the_bar_shows_once_and_round_however_narrow_the_bar_is(
    bar: tuple[float, float], up: float
) -> None:
    corners = np.array([[80, 90], [560, 90], [560, 460], [80, 460]], np.float32)
    geometry = BoardGeometry(corners, bar)
    picture = np.zeros((500, 640, 3), np.uint8)
    x, y = geometry.to_picture([sum(bar) / 2, up]).round().astype(int)
    radius = 480 * (1 - bar[1] + bar[0]) / 24
    cv2.circle(picture, (int(x), int(y)), round(radius), (255, 255, 255), -1, cv2.LINE_AA)
    patch = geometry.bar_patch(picture, 2)
    assert patch.shape == (CANONICAL_HEIGHT * 2, PATCH_WIDTH * 2, 3)
    rows, columns = np.nonzero(patch[..., 0] > 128)
    assert columns.mean() == pytest.approx(PATCH_WIDTH - 0.5, abs=1.5)
    assert rows.mean() == pytest.approx((MARGIN_Y + up * (CANONICAL_HEIGHT - 2 * MARGIN_Y)) * 2, abs=3)
    assert np.ptp(columns) == pytest.approx(PITCH * 2, abs=3)
    assert len(rows) == pytest.approx(np.pi / 4 * np.ptp(rows) * np.ptp(columns), rel=0.1)


@pytest.mark.parametrize(
    ("corners", "said"),
    [
        ([[0, 0], [1, 0], [1, 1]], "four corners"),
        ([100, 100, 500, 100], "four corners"),
        ("nowhere", "four points"),
        ([[100, 100], [500, 100], [500, 400], [float("nan"), 400]], "not a number"),
        ([[100, 100], [730, 100], [500, 400], [100, 400]], "outside the picture"),
        ([[100, 100], [500, 400], [500, 100], [100, 400]], "cross"),
        ([[100, 100], [100, 400], [500, 400], [500, 100]], "wrong way round"),
        ([[100, 100], [300, 100], [500, 100], [100, 400]], "cross or lie on one line"),
        ([[100, 100], [120, 100], [120, 120], [100, 120]], "too small"),
    ],
)
def test_impossible_corners_are_refused_in_one_sentence(corners: object, said: str) -> None:
    with pytest.raises(GeometryError, match=said):
        check_corners(corners, (640, 480))  # type: ignore[arg-type]


@pytest.mark.parametrize("bar", [(0.6, 0.4), (0.2, 0.8), (-0.1, 0.1), (0.5, 1.0)])
def test_an_impossible_bar_is_refused(bar: tuple[float, float]) -> None:
    with pytest.raises(GeometryError, match="bar"):
        BoardGeometry(np.array(SQUARE, np.float32), bar)


def test_a_geometry_is_a_value() -> None:
    one, same = (BoardGeometry(np.array(SQUARE, np.float32), (0.46, 0.54)) for _ in range(2))
    assert one == same
    assert hash(one) == hash(same)
    assert one != one.with_bar((0.45, 0.55))
