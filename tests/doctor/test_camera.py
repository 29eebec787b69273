"""What doctor says of a camera: its light, its focus and its speed, measured on pictures of the simulated table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import count
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from controller.doctor.camera import BLURRED, DARK, examine, findings, measure
from controller.doctor.finding import Finding
from controller.simulation import SimulatedTable
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
    for path in photographs[::3]:
        picture = cv2.imread(str(path))
        assert picture is not None
        look = measure(picture.astype(np.uint8))
        assert look.blur <= BLURRED, path.name
        assert look.brightness >= DARK
        width = picture.shape[1]
        blurred = measure(cv2.GaussianBlur(picture, (0, 0), 1.5 * max(width, 960) / 960).astype(np.uint8))
        (focus,) = (found for found in findings("A camera", blurred) if found.check == "focus")
        assert focus.level != "ok", path.name


@cache
def drawn(width: int, look: str) -> Image:
    """A sharp picture of a simulated table."""
    return next(SimulatedTable(3, size=(width, width * 9 // 16), look=look).frames()).image


@pytest.mark.parametrize("width", [640, 960, 1280, 1920])
@pytest.mark.parametrize("blur", [0.8, 1.2, 1.8, 2.5])
def test_blur_is_measured_in_pixels_whatever_the_size(width: int, blur: float) -> None:
    sharp, shown = drawn(width, "walnut"), min(width, 960)
    blurred = cv2.GaussianBlur(sharp, (0, 0), blur * width / shown).astype(np.uint8)
    itself = measure(sharp).blur
    assert measure(blurred).blur == pytest.approx(np.hypot(itself, blur), rel=0.12)


@pytest.mark.parametrize("look", ["club", "slate", "lamplight", "tournament"])
@pytest.mark.parametrize(("contrast", "noise"), [(1.0, 0.0), (0.25, 0.0), (1.0, 6.0), (0.5, 3.0)])
def test_neither_contrast_nor_noise_nor_the_board_makes_a_picture_sharp(
    look: str, contrast: float, noise: float
) -> None:
    sharp = drawn(960, look)

    def as_taken(blur: float) -> float:
        plain = cv2.GaussianBlur(sharp, (0, 0), blur) if blur else sharp
        grain = np.random.default_rng(7).normal(0, noise, sharp.shape)
        return measure(np.clip((plain - 90.0) * contrast + 90 + grain, 0, 255).astype(np.uint8)).blur

    assert as_taken(0) <= BLURRED < as_taken(1.5)


def test_a_covered_lens_shows_nothing_sharp() -> None:
    (focus,) = (
        found for found in findings("A camera", measure(np.full((540, 960, 3), 40, np.uint8))) if found.check == "focus"
    )
    assert (focus.level, "covered" in focus.said) == ("warning", True)
