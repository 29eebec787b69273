"""A picture that is hard to read says why."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from controller.simulation.looks import LOOKS
from controller.simulation.stills import Still, still_frames
from vision.finding import BoardLocation
from vision.finding.weaknesses import weaknesses
from vision.frame import Image


@pytest.fixture(scope="module")
def still() -> Still:
    return next(iter(still_frames(1, seed=5, look=LOOKS[0].name)))


def changed(picture: Image, how: str) -> Image:
    match how:
        case "dark":
            return np.asarray(picture * 0.2, np.uint8)
        case "blurred":
            return np.asarray(cv2.GaussianBlur(picture, (0, 0), 5), np.uint8)
        case "glare":
            return np.asarray(
                cv2.ellipse(picture.copy(), (640, 330), (190, 120), 0, 0, 360, (255, 255, 255), -1), np.uint8
            )
    return picture


@pytest.mark.parametrize("how", ["dark", "blurred", "glare"])
def test_one_thing_is_wrong(still: Still, how: str) -> None:
    assert how in weaknesses(changed(still.frame.image, how), BoardLocation(still.corners, 0.9))


def test_a_small_board_and_doubtful_corners(still: Still) -> None:
    quarter = np.asarray(cv2.resize(still.frame.image, (320, 180), interpolation=cv2.INTER_AREA), np.uint8)
    assert {"small", "unsure"} <= set(weaknesses(quarter, BoardLocation(still.corners / 4, 0.3)))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_an_ordinary_picture_has_nothing_wrong(seed: int) -> None:
    still = next(iter(still_frames(1, seed=seed)))
    assert weaknesses(still.frame.image, BoardLocation(still.corners, 0.9)) == ()
