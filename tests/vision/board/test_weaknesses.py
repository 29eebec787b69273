"""A picture that is hard to read says why; one that can be read says nothing."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from controller.simulation.looks import LOOKS
from controller.simulation.stills import Still, still_frames
from vision.board.quality import Quality
from vision.board.weaknesses import Weakness, typical, weak_points, weaknesses
from vision.frame import Image

GOOD = Quality(checker=45, light=110, grain=1, contrast=150, blur=0.6, smear=0.9, burnt=0.002, patch=0.1, blocks=1.4)


@pytest.fixture(scope="module")
def still() -> Still:
    return next(iter(still_frames(1, seed=5, look=LOOKS[0].name)))


def changed(picture: Image, how: str) -> Image:
    match how:
        case "dark":
            photons = np.random.default_rng(1).poisson(picture / 255 * 3)
            return np.asarray(np.clip(photons * 85, 0, 255), np.uint8)
        case "blurred":
            return np.asarray(cv2.GaussianBlur(picture, (0, 0), 5), np.uint8)
        case "shaken":
            return np.asarray(cv2.filter2D(picture, -1, np.full((1, 21), 1 / 21, np.float32)), np.uint8)
        case "overexposed":
            return np.asarray(np.clip(picture * 9.0, 0, 255), np.uint8)
        case "glare":
            white = (255, 255, 255)
            return np.asarray(cv2.ellipse(picture.copy(), (640, 330), (150, 100), 0, 0, 360, white, -1), np.uint8)
        case "compressed":
            _, packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 1])
            return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    return picture


def named(found: tuple[Weakness, ...]) -> set[str]:
    return {one.code for one in found}


@pytest.mark.parametrize("how", ["dark", "blurred", "shaken", "overexposed", "glare", "compressed"])
def test_one_thing_is_wrong(still: Still, how: str) -> None:
    assert how in named(weaknesses(changed(still.frame.image, how), still.corners))


def test_a_small_board(still: Still) -> None:
    tiny = np.asarray(cv2.resize(still.frame.image, (240, 135), interpolation=cv2.INTER_AREA), np.uint8)
    found = {one.code: one for one in weaknesses(tiny, still.corners * np.float32(240 / 1280))}
    assert found["small"].value < found["small"].bound


def test_a_board_that_the_picture_cuts_off(still: Still) -> None:
    picture, corners = still.frame.image, still.corners
    wide = float(np.ptp(corners[:, 0]))
    for beyond, said in ((-0.01, False), (0.005, False), (0.05, True)):
        end = round(float(corners[:, 0].max()) - beyond * wide)
        found = {one.code: one for one in weaknesses(np.ascontiguousarray(picture[:, :end]), corners)}
        assert ("cut" in found) == said, beyond
    assert 1 < found["cut"].value < 5, "per cent of the board"


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_an_ordinary_picture_has_nothing_wrong(seed: int) -> None:
    still = next(iter(still_frames(1, seed=seed)))
    assert weaknesses(still.frame.image, still.corners) == ()


def test_a_sentence_has_the_measure_the_bound_and_what_to_do() -> None:
    (found,) = weak_points(Quality(**{**_fields(GOOD), "blur": 4.0, "smear": 4.0}))
    assert found.code == "blurred"
    assert (found.value, found.unit) == (4.0, "px")
    assert f"{found.value:.1f} px" in found.sentence
    assert f"{found.bound:.1f} px" in found.sentence
    assert found.words == (found.sentence, found.advice)
    assert found.advice.endswith(".")


def test_one_picture_in_three_does_not_count() -> None:
    poor = Quality(**{**_fields(GOOD), "grain": 90.0})
    assert weak_points(poor)
    assert weak_points(typical([GOOD, poor, GOOD])) == ()


def _fields(quality: Quality) -> dict[str, float]:
    return {name: getattr(quality, name) for name in Quality.__struct_fields__}
