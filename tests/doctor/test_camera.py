"""What doctor says of a camera: its light, its focus and its speed, measured on pictures of the simulated table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from controller.doctor.camera import DARK, SHARP, examine, findings, measure
from controller.doctor.finding import Finding
from tests.shared import shared
from vision.frame import Frame, Image
from vision.sources import FrameSource, SourceError


def table() -> Image:
    """A sharp, well-lit picture with as much detail as a board has."""
    picture = np.full((1080, 1920, 3), 90, np.uint8)
    for place in range(24):
        cv2.fillConvexPoly(
            picture, np.array([[place * 80, 0], [place * 80 + 80, 0], [place * 80 + 40, 500]]), (60, 90, 150)
        )
        cv2.circle(picture, (place * 80 + 40, 700), 36, (200, 200, 190), -1)
    return picture


class Camera:
    """A live source of one picture at a chosen speed of a made-up clock."""

    name, live, total = "The camera", True, None

    def __init__(self, picture: Image, seconds: float) -> None:
        self.picture, self.seconds, self.now, self.closed = picture, seconds, 0.0, False

    def frames(self) -> Iterator[Frame]:
        for number in count():
            self.now += self.seconds
            yield Frame(self.picture, self.now, str(number))

    def close(self) -> None:
        self.closed = True


def looked_at(picture: Image, fps: float = 15.0) -> dict[str, Finding]:
    camera = Camera(picture, 1 / fps)
    found = {finding.check: finding for finding in examine(lambda: camera, lambda: camera.now)}
    assert camera.closed
    return found


def test_a_good_camera_has_nothing_to_be_done() -> None:
    found = looked_at(table())
    assert {finding.level for finding in found.values()} == {"ok"}
    assert list(found) == ["camera", "frame rate", "light", "focus"]
    assert found["frame rate"].said == "15.0 frames a second."


@pytest.mark.parametrize(("fps", "level"), [(2, "problem"), (7, "warning"), (12, "ok")])
def test_a_slow_camera(fps: float, level: str) -> None:
    assert looked_at(table(), fps)["frame rate"].level == level


def test_a_blurred_picture_is_out_of_focus() -> None:
    found = looked_at(cv2.GaussianBlur(table(), (0, 0), 4).astype(np.uint8))
    assert found["focus"].level == "warning"
    assert found["light"].level == "ok"


@pytest.mark.parametrize(
    ("change", "level", "words"),
    [
        (lambda picture: picture // 6, "problem", "too dark"),
        (lambda picture: np.clip(picture.astype(int) * 3, 0, 255).astype(np.uint8), "warning", "glare"),
    ],
)
def test_too_dark_and_too_bright(change: Callable[[Image], Image], level: str, words: str) -> None:
    light = looked_at(change(table()))["light"]
    assert (light.level, words in light.do) == (level, True)


def test_a_small_picture_is_named() -> None:
    found = looked_at(cv2.resize(table(), (640, 360), interpolation=cv2.INTER_AREA).astype(np.uint8))
    assert "640x360" in found["camera"].said
    assert "size" in found["camera"].do


def test_a_camera_that_is_not_there() -> None:
    def absent() -> FrameSource:
        raise SourceError("No camera is plugged in.")

    (found,) = examine(absent)
    assert (found.level, found.said) == ("problem", "No camera is plugged in.")


def test_a_camera_without_pictures() -> None:
    source = SimpleNamespace(name="The camera 0", live=True, total=None, frames=lambda: iter(()), close=lambda: None)
    (found,) = examine(lambda: source)
    assert (found.level, found.said) == ("problem", "The camera 0 gives no picture.")


def test_real_photographs_are_sharp_and_light_enough_and_blurred_ones_are_not() -> None:
    photographs = sorted(shared("boards/photos").rglob("*.jpg")) or sorted(shared("boards/photos").rglob("*.png"))
    assert photographs
    for path in photographs[::4]:
        picture = cv2.imread(str(path))
        assert picture is not None
        look = measure(picture.astype(np.uint8))
        assert look.sharpness >= SHARP
        assert look.brightness >= DARK
        width = picture.shape[1]
        blurred = measure(cv2.GaussianBlur(picture, (0, 0), 1.5 * max(width, 960) / 960).astype(np.uint8))
        assert [
            found.check for found in findings("A camera", blurred) if found.check == "focus" and found.level != "ok"
        ]
