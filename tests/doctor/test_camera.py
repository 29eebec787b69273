"""What doctor says of a camera: its light, its focus and its speed, measured on pictures of the simulated table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import cycle
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from controller.app.board_place import BoardPlace
from controller.doctor import controls
from controller.doctor.camera import examine
from controller.doctor.finding import Finding
from controller.simulation import SimulatedTable
from controller.simulation.stills import still_frames
from tests.vision.sources.webcam import FOCUS_AUTOMATIC, POWER_LINE_FREQUENCY, Webcam
from vision.frame import Frame, Image
from vision.sources import CameraWishes, FrameSource, SourceError


@cache
def table() -> Image:
    """A sharp, well-lit picture of a simulated table."""
    return next(SimulatedTable(3, look="walnut").frames()).image


class Camera:
    """A live source of these pictures, again and again, at a chosen speed of a made-up clock."""

    name, live, total = "The camera", True, None

    def __init__(self, pictures: tuple[Image, ...], seconds: float) -> None:
        self.pictures, self.seconds, self.now, self.closed = pictures, seconds, 0.0, False

    def frames(self) -> Iterator[Frame]:
        for number, picture in enumerate(cycle(self.pictures)):
            self.now += self.seconds
            yield Frame(picture, self.now, str(number))

    def close(self) -> None:
        self.closed = True


def looked_at(*pictures: Image, fps: float = 15.0, shown: BoardPlace | None = None) -> dict[str, Finding]:
    camera = Camera(pictures, 1 / fps)
    found = {finding.check: finding for finding in examine(lambda: camera, lambda: camera.now, shown)}
    assert camera.closed
    return found


def test_a_good_camera_has_nothing_to_be_done() -> None:
    found = looked_at(table())
    assert {finding.level for finding in found.values()} == {"ok"}
    assert list(found) == ["camera", "frame rate", "light", "focus", "size", "view", "compression"]
    assert found["frame rate"].sentence == "15.0 frames a second."


@pytest.mark.parametrize(("fps", "level"), [(2, "problem"), (7, "warning"), (12, "ok")])
def test_a_slow_camera(fps: float, level: str) -> None:
    assert looked_at(table(), fps=fps)["frame rate"].level == level


def test_a_blurred_picture_is_out_of_focus() -> None:
    found = looked_at(cv2.GaussianBlur(table(), (0, 0), 4).astype(np.uint8))
    assert found["focus"].level == "warning"
    assert found["light"].level == "ok"


def dark(picture: Image) -> Image:
    """With three photons a pixel where it is white."""
    return np.asarray(np.clip(np.random.default_rng(1).poisson(picture / 255 * 3) * 85, 0, 255), np.uint8)


def bright(picture: Image) -> Image:
    return np.asarray(np.clip(picture * 9.0, 0, 255), np.uint8)


@pytest.mark.parametrize(
    ("change", "level", "words"), [(dark, "problem", "Too dark"), (bright, "warning", "Overexposed")]
)
def test_too_dark_and_too_bright(change: Callable[[Image], Image], level: str, words: str) -> None:
    light = looked_at(change(table()))["light"]
    assert (light.level, words in light.sentence) == (level, True)


def test_grain_that_is_another_in_each_frame_is_measured_as_it_is_read() -> None:
    """Where nothing moves, frames are laid over one another."""
    night = tuple(
        np.asarray(np.clip(table() + np.random.default_rng(number).normal(0, 40, table().shape), 0, 255), np.uint8)
        for number in range(8)
    )
    assert looked_at(night[0])["light"].level == "problem"
    assert looked_at(*night)["light"].level == "ok"


@pytest.mark.parametrize("pixels", [1, 2, 4])
def test_a_camera_that_is_being_aimed_is_not_called_shaken(pixels: int) -> None:
    """Each of its pictures is sharp, whatever those are together."""
    pictures = [
        cv2.warpAffine(
            table(), np.array([[1, 0, pixels * n], [0, 1, pixels * n / 2]]), (1280, 720), borderMode=cv2.BORDER_REFLECT
        )
        for n in range(8)
    ]
    found = looked_at(*(np.asarray(picture, np.uint8) for picture in pictures))
    assert found["focus"].level == "ok"


def test_a_small_picture_is_named() -> None:
    found = looked_at(cv2.resize(table(), (640, 360), interpolation=cv2.INTER_AREA).astype(np.uint8))
    assert "640x360" in found["camera"].sentence
    assert "size" in found["camera"].do


def test_a_board_that_the_picture_cuts_off_is_named() -> None:
    still = next(iter(still_frames(1, seed=12)))
    end = round(float(still.corners[:, 0].max() - 0.06 * np.ptp(still.corners[:, 0])))
    view = looked_at(np.ascontiguousarray(still.frame.image[:, :end]))["view"]
    assert (view.level, view.sentence.startswith("Cut off: ")) == ("warning", True)
    assert "whole board" in view.do


def test_the_board_that_somebody_has_shown_is_measured_and_no_other_in_the_picture() -> None:
    still = next(iter(still_frames(1, seed=9100)))
    picture, small = np.full((720, 1280, 3), 90, np.uint8), 0.25
    for place, scale in (((0, 0), 0.7), ((930, 520), small)):
        board = cv2.resize(still.frame.image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        picture[place[1] : place[1] + board.shape[0], place[0] : place[0] + board.shape[1]] = board
    corners = (still.corners * small + np.array([930, 520])).astype(np.float32)
    assert looked_at(picture)["size"].level == "ok"
    assert looked_at(picture, shown=BoardPlace(corners, "bottom-right", (1280, 720)))["size"].level == "warning"
    halved = BoardPlace((corners + 0.5) / 2 - 0.5, "bottom-right", (640, 360))
    assert looked_at(picture, shown=halved)["size"].level == "warning"
    assert looked_at(picture, shown=BoardPlace(corners, "bottom-right", (640, 480)))["size"].level == "ok"
    nowhere = np.array([[1, 1], [2, 2], [3, 3], [4, 4]], np.float32)
    assert looked_at(picture, shown=BoardPlace(nowhere, "bottom-right"))["size"].level == "ok"


def test_a_camera_that_is_not_there() -> None:
    def absent() -> FrameSource:
        raise SourceError("No camera is plugged in.")

    (found,) = examine(absent)
    assert (found.level, found.sentence) == ("problem", "No camera is plugged in.")


def test_a_camera_without_pictures() -> None:
    source = SimpleNamespace(name="The camera 0", live=True, total=None, frames=lambda: iter(()), close=lambda: None)
    (found,) = examine(lambda: source)
    assert (found.level, found.sentence) == ("problem", "The camera 0 gives no picture.")


def test_a_picture_without_a_board_is_measured_as_a_whole() -> None:
    found = looked_at(cv2.GaussianBlur(np.full((540, 960, 3), 40, np.uint8), (0, 0), 3).astype(np.uint8))
    assert found["board"].level == "note"
    assert "view" not in found, "nothing is said of a board that was not found"
    assert found["light"].level == "problem"


ASKED, REFUSED = {POWER_LINE_FREQUENCY: 1, FOCUS_AUTOMATIC: 1}, {POWER_LINE_FREQUENCY: 2, FOCUS_AUTOMATIC: 0}


@pytest.mark.parametrize(
    ("stands", "keep_focus", "told"),
    [
        (ASKED, False, [("mains", "ok", "for lamps on mains of 50 Hz."), ("autofocus", "ok", "focuses by itself.")]),
        (
            REFUSED,
            False,
            [
                ("mains", "warning", "of 60 Hz, though the settings say 50 Hz."),
                ("autofocus", "warning", "it is asked to."),
            ],
        ),
        (REFUSED | {POWER_LINE_FREQUENCY: 3}, True, [("mains", "note", "though the settings say 50 Hz.")]),
        (
            {},
            False,
            [("mains", "note", "can't be told how lamps flicker."), ("autofocus", "note", "could be switched on.")],
        ),
    ],
    ids=["does as asked", "says no", "finds out by itself", "has no controls"],
)
def test_what_a_webcam_does_of_what_it_is_asked(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    stands: dict[int, int],
    keep_focus: bool,
    told: list[tuple[str, str, str]],
) -> None:
    webcam = Webcam(monkeypatch, tmp_path / "video0", dict(stands))
    found = list(controls.examine(f"camera:{webcam.device}", CameraWishes(keep_focus=keep_focus)))
    assert [(one.check, one.level) for one in found] == [(check, level) for check, level, _ in told]
    assert all(one.sentence.endswith(end) for one, (_, _, end) in zip(found, told, strict=True))
    assert webcam.controls == stands  # looked at, not changed: the referee may be using it


@pytest.mark.parametrize(
    "source", ["camera:/dev/no-such-camera", "camera:\0", f"camera:{__file__}", "camera:/dev/null", "picamera", "none"]
)
def test_nothing_is_said_of_controls_where_no_webcam_is(source: str) -> None:
    assert list(controls.examine(source, CameraWishes())) == []
