"""How good a picture of a board is, measured on drawn boards that were made worse by a known amount."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest

from controller.simulation.stills import Still, still_frames
from vision.board.quality import Quality, quality_of
from vision.frame import Image


@cache
def still(look: str, width: int = 960) -> Still:
    """A sharp picture of a simulated board."""
    return next(iter(still_frames(1, seed=5, size=(width, width * 9 // 16), look=look)))


def of(picture: Image, look: str = "walnut", width: int = 960) -> Quality:
    return quality_of(picture, still(look, width).corners)


@pytest.mark.parametrize("width", [640, 1280])
@pytest.mark.parametrize("blur", [1.2, 2.0])
def test_blur_is_measured_in_pixels_whatever_the_size(width: int, blur: float) -> None:
    sharp = still("walnut", width).frame.image
    itself = of(sharp, width=width)
    blurred = of(np.asarray(cv2.GaussianBlur(sharp, (0, 0), blur), np.uint8), width=width)
    assert blurred.smear == pytest.approx(np.hypot(itself.smear, blur), rel=0.2)
    assert blurred.blur == pytest.approx(np.hypot(itself.blur, blur), rel=0.2)


@pytest.mark.parametrize("look", ["club", "tournament"])
def test_neither_contrast_nor_noise_nor_the_board_makes_a_picture_sharp(look: str) -> None:
    sharp = still(look).frame.image

    def as_taken(blur: float) -> float:
        plain = cv2.GaussianBlur(sharp, (0, 0), blur) if blur else sharp
        grain = np.random.default_rng(7).normal(0, 3, sharp.shape)
        return of(np.asarray(np.clip((plain - 90.0) * 0.5 + 90 + grain, 0, 255), np.uint8), look).smear

    assert as_taken(0) < 1.3 < 1.6 < as_taken(1.8)


def test_grain_does_not_hide_that_a_picture_is_out_of_focus_or_shaken() -> None:
    sharp = still("walnut", 1280).frame.image
    noise = np.random.default_rng(8).normal(0, 14, sharp.shape)

    def taken(picture: Image) -> Quality:
        return of(np.asarray(np.clip(picture + noise, 0, 255), np.uint8), width=1280)

    for blur in (0.0, 2.2):
        plain = np.asarray(cv2.GaussianBlur(sharp, (0, 0), blur) if blur else sharp, np.uint8)
        assert taken(plain).smear == pytest.approx(of(plain, width=1280).smear, rel=0.15)
    shaken = taken(np.asarray(cv2.filter2D(sharp, -1, np.full((1, 11), 1 / 11, np.float32)), np.uint8))
    assert shaken.smear > 2.2 > 1.6 > shaken.blur


def test_a_shake_smears_one_direction() -> None:
    sharp = still("walnut").frame.image
    shaken = of(np.asarray(cv2.filter2D(sharp, -1, np.full((1, 11), 1 / 11, np.float32)), np.uint8))
    assert shaken.smear > 2 > 1.5 > shaken.blur


def test_grain_is_measured_in_grey_levels() -> None:
    sharp = still("walnut").frame.image
    noise = np.random.default_rng(3).normal(0, 8, sharp.shape[:2])[..., None]
    assert of(np.asarray(np.clip(sharp + noise, 0, 255), np.uint8)).grain == pytest.approx(8, rel=0.2)
    assert of(sharp).grain < 3


def test_strong_compression_shows_its_squares() -> None:
    sharp = still("walnut").frame.image

    def packed(grade: int) -> float:
        done, data = cv2.imencode(".jpg", sharp, [cv2.IMWRITE_JPEG_QUALITY, grade])
        assert done
        return of(np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)).blocks

    assert packed(95) < packed(30) < packed(8)


def test_light_white_and_size() -> None:
    board = still("walnut")
    plain = of(board.frame.image)
    lit = of(np.asarray(np.clip(board.frame.image * 6.0, 0, 255), np.uint8))
    dim = of(board.frame.image // 4)
    assert lit.burnt > 0.2 > 0.01 > plain.burnt
    assert dim.light == pytest.approx(plain.light / 4, rel=0.05)
    half = np.asarray(cv2.resize(board.frame.image, (480, 270), interpolation=cv2.INTER_AREA), np.uint8)
    assert quality_of(half, board.corners / 2).checker == pytest.approx(plain.checker / 2, rel=0.01)


def test_light_that_burns_out_two_colours_of_three_has_burnt_out_the_board() -> None:
    corners = np.array([[0, 0], [200, 0], [200, 160], [0, 160]], np.float32)
    board = np.full((160, 200, 3), (90, 160, 200), np.uint8)
    board[:, :100] = 30, 40, 220
    shares = [
        quality_of(np.asarray(np.clip(board * gain, 0, 255), np.uint8), corners).burnt for gain in (1.0, 1.2, 1.7)
    ]
    assert shares == pytest.approx([0, 0, 0.5], abs=0.02)


def test_a_picture_of_nothing_and_a_board_at_its_edge_are_measured() -> None:
    nothing = quality_of(
        np.full((270, 480, 3), 40, np.uint8), np.array([[0, 0], [480, 0], [480, 270], [0, 270]], np.float32)
    )
    assert (nothing.contrast, nothing.burnt) == (0, 0)
    beyond = np.array([[-9, -9], [100, -9], [100, 80], [-9, 80]], np.float32)
    assert quality_of(np.zeros((270, 480, 3), np.uint8), beyond).light == 0


@pytest.mark.parametrize("shown", [0.4, 1.4, -40.0])
def test_a_wide_board_of_which_a_row_of_pixels_is_in_the_picture_is_cut_off(shown: float) -> None:
    """Corners may lie a little outside the picture, and those that a person gives lie anywhere."""
    corners = np.array([[0, -470], [3999, -470], [3999, shown], [0, shown]], np.float32)
    grain = np.random.default_rng(2).integers(0, 256, (100, 4000, 3)).astype(np.uint8)
    assert quality_of(grain, corners).beyond > 0.99
