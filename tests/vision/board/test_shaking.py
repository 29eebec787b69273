"""Shaken pictures: how far and where is found within half a px, undone they show their spots again; still ones are left alone."""

from __future__ import annotations

import tracemalloc

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from controller.simulation import SimulatedMatch, SimulatedTable
from vision.board.bend import Bend
from vision.board.geometry import BoardGeometry
from vision.board.shaking import Shake, shake_of, unshaken
from vision.frame import Corners, Image
from vision.reading.detector import WIDEST_BOARD_PX
from vision.reading.reader import _put_right
from vision.training.drawn import drawn_board


@pytest.fixture(scope="module")
def board() -> tuple[Image, Corners]:
    table = SimulatedTable(5, SimulatedMatch("none"))
    return next(table.frames()).image, table.corners


def shaken(image: Image, across: float, down: float) -> Image:
    """The mean of the picture at places along the way, packed as a camera packs it."""
    spot, way = np.zeros((31, 31), np.float32), np.zeros((31, 31), np.float32)
    spot[15, 15] = 1
    for share in np.linspace(-0.5, 0.5, 41):
        way += cv2.warpAffine(spot, np.array([[1, 0, share * across], [0, 1, share * down]]), (31, 31)) / 41
    return np.asarray(cv2.imdecode(cv2.imencode(".jpg", cv2.filter2D(image, -1, way))[1], 1), np.uint8)


@pytest.mark.parametrize(("across", "down"), [(9, 0), (6, 5), (-4, 11)])
def test_a_shake_is_measured(board: tuple[Image, Corners], across: float, down: float) -> None:
    image, corners = board
    smeared = shaken(image, across, down)
    shake = shake_of(smeared, corners)
    assert shake is not None
    way = 1 if shake.across * across + shake.down * down > 0 else -1
    assert (way * shake.across, way * shake.down) == pytest.approx((across, down), abs=0.8)


def test_a_shake_is_measured_in_the_grain_of_a_dim_room(board: tuple[Image, Corners]) -> None:
    image, corners = board
    for smeared, is_shaken in (
        (shaken(image, 7, 6), True),
        (image, False),
        (cv2.GaussianBlur(image, (0, 0), 2.2), False),
    ):
        grain = np.random.default_rng(4).normal(0, 6, image.shape)
        shake = shake_of(np.asarray(np.clip(smeared + grain, 0, 255), np.uint8), corners)
        assert (shake is not None) == is_shaken
        assert shake is None or (abs(shake.across), abs(shake.down)) == pytest.approx((7, 6), abs=0.8)


def test_spots_that_a_shake_has_run_together_are_apart_again() -> None:
    die = np.full((160, 160, 3), 230, np.uint8)
    for across, down in ((72, 72), (80, 80), (88, 88), (88, 72), (72, 88)):
        cv2.circle(die, (across, down), 2, (20, 20, 20), -1, cv2.LINE_AA)
    smeared = shaken(die, 9, 0)
    undone = unshaken(smeared, Shake(9.0, 0.0))

    def between(picture: Image) -> float:
        """How much lighter it is between two spots than on them."""
        row = picture[72].mean(axis=1)
        return float(row[80] - (row[72] + row[88]) / 2)

    assert between(smeared) < 0.7 * between(die)
    assert between(undone) > 0.9 * between(die)


def test_a_picture_taken_still_or_out_of_focus_is_not_called_shaken(board: tuple[Image, Corners]) -> None:
    image, corners = board
    assert shake_of(image, corners) is None
    assert shake_of(np.asarray(cv2.GaussianBlur(image, (0, 0), 3), np.uint8), corners) is None
    assert shake_of(np.full_like(image, 90), corners) is None
    assert shake_of(image[:60, :60].copy(), np.array([[0, 0], [50, 0], [50, 50], [0, 50]], np.float32)) is None


@pytest.mark.parametrize("apart", [16.5, 17.0, 17.5])
def test_waves_printed_on_a_board_out_of_focus_are_not_called_a_shake(apart: float) -> None:
    board = drawn_board(1_990_721, strange=False)
    y, x = np.mgrid[: board.picture.shape[0], : board.picture.shape[1]]
    along = x * np.cos(1.2) + y * np.sin(1.2) + 4 * np.sin(x / 35) + 4 * np.sin(y / 50)
    printed = board.picture + 18 * np.sin(along * 2 * np.pi / apart)[..., None]
    soft = cv2.GaussianBlur(printed, (0, 0), sigmaX=1.0, sigmaY=0.7)
    assert shake_of(np.asarray(soft.clip(0, 255), np.uint8), board.corners) is None


@pytest.mark.parametrize("times", [1.25, 1.5])
def test_a_strongly_compressed_picture_made_larger_is_not_called_shaken(times: float) -> None:
    board = drawn_board(1_990_721, strange=False)
    packed = cv2.imdecode(cv2.imencode(".jpg", board.picture, [cv2.IMWRITE_JPEG_QUALITY, 10])[1], cv2.IMREAD_COLOR)
    larger = np.asarray(cv2.resize(packed, None, fx=times, fy=times), np.uint8)
    assert shake_of(larger, np.asarray(board.corners * times, np.float32)) is None


def test_a_shake_of_a_picture_of_many_megapixels_is_measured_in_its_middle(board: tuple[Image, Corners]) -> None:
    picture, _ = board
    large = shaken(np.tile(picture, (8, 5, 1)), 12.0, 9.0)  # 37 megapixels, as sharp as one
    height, width = large.shape[:2]
    corners = np.array([[200, 200], [width - 200, 200], [width - 200, height - 200], [200, height - 200]], np.float32)
    tracemalloc.start()
    found = shake_of(large, corners)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found is not None
    assert abs(found.across) == pytest.approx(12.0, abs=0.8)
    assert most < 300e6


@pytest.mark.parametrize("bend", [None, Bend(-0.2, (3840, 2160))])
def test_a_large_shaken_picture_is_put_right_as_large_as_its_dice_are_looked_at(
    board: tuple[Image, Corners], bend: Bend | None
) -> None:
    picture, corners = board
    factor = 3840 / picture.shape[1]
    large = np.asarray(cv2.resize(picture, (3840, 2160)), np.uint8)
    there = np.asarray((corners + 0.5) * factor - 0.5, np.float32)
    smeared, placed = shaken(large, 18.0, 9.0), BoardGeometry(there, (0.47, 0.53), bend)
    tracemalloc.start()
    right, at = _put_right(smeared, placed, Shake(18.0, 9.0))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 150e6
    assert np.linalg.norm(at[1] - at[0]) < 1.3 * WIDEST_BOARD_PX

    def shown(image: Image, where: Corners) -> npt.NDArray[np.float32]:
        return BoardGeometry(where).rectified(image, 900, 720, 0.05).astype(np.float32)

    still = shown(*placed.straightened(large))
    left, was = (np.abs(shown(*one) - still).mean() for one in ((right, at), placed.straightened(smeared)))
    assert left < 0.9 * was


def test_a_board_that_is_hardly_higher_than_readable_is_put_right_as_it_is() -> None:
    flat = BoardGeometry(np.array([[50, 100], [3950, 100], [3950, 190], [50, 190]], np.float32))
    right, at = _put_right(np.full((300, 4000, 3), 90, np.uint8), flat, Shake(9.0, 0.0))
    assert right.shape[1] == pytest.approx(80 / 90 * 4000, abs=1)
    assert BoardGeometry(at).width_px == pytest.approx(80 / 90 * flat.width_px, abs=1)


def test_what_is_undone_has_the_picture_s_size_and_no_wrapped_edges() -> None:
    image = np.zeros((101, 203, 3), np.uint8)
    image[:, 150:] = 200
    still = unshaken(image, Shake(0.0, 9.0))
    assert still.shape == image.shape
    assert np.abs(still.astype(int) - image).max() <= 4
