"""Another camera takes the place of the settings' one, while pictures come and while none do, and after a new start."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from controller.app.chosen_camera import ChosenCamera
from controller.config import config_from
from controller.page.cameras import Cameras
from controller.page.eyes import Eyes
from controller.referee.commands import CommandError
from controller.run.build import chosen_camera
from tests.vision.sources.test_sources import FakeCapture
from tests.vision.sources.webcam import FOCUS_AUTOMATIC, POWER_LINE_FREQUENCY, Webcam
from vision.frame import Frame
from vision.sources import FrameSource, SourceError, retrying
from vision.sources.present import CameraThere
from web.operator import Refusal
from web.wizard import CameraSeen

THERE = (CameraThere("camera:/a", "A", Path("/a")), CameraThere("camera:/b", "B", Path("/b")))


class Bright:
    """A camera all of whose pictures are of one brightness."""

    live, total, duration = True, None, None

    def __init__(self, name: str, level: int) -> None:
        self.name, self.level, self.closed = name, level, False

    def frames(self) -> Iterator[Frame]:
        for second in range(1000):
            yield Frame(np.full((90, 160, 3), self.level, np.uint8), float(second))

    def close(self) -> None:
        self.closed = True


class Plugs:
    """Opens A and B, of which A may be broken; opened: all that were."""

    def __init__(self) -> None:
        self.opened: list[Bright] = []
        self.broken = False

    def open(self, text: str) -> FrameSource:
        if text.endswith("a") and self.broken:
            raise SourceError("A gives no picture.")
        self.opened.append(Bright(text, 50 if text.endswith("a") else 200))
        return self.opened[-1]


@pytest.fixture
def plugs() -> Plugs:
    return Plugs()


@pytest.fixture
def chosen(plugs: Plugs, tmp_path: Path) -> ChosenCamera:
    return ChosenCamera("camera:/a", tmp_path / "camera.json", plugs.open)


def test_frames_go_on_from_the_other_camera(chosen: ChosenCamera, plugs: Plugs) -> None:
    told: list[str] = []
    frames = retrying(chosen.open, chosen.waiting(lambda seconds: False), told.append)
    assert next(frames).image[0, 0, 0] == 50
    chosen.choose("camera:/b")
    assert next(frames).image[0, 0, 0] == 200
    assert told == ["Another camera was chosen: it is being opened."]
    assert [one.closed for one in plugs.opened] == [True, False]


def test_a_picture_that_waits_when_another_camera_is_chosen_is_not_that_one_s(plugs: Plugs, tmp_path: Path) -> None:
    """Its corners would be compared with the wrong table."""
    now = 100.0
    chosen = ChosenCamera("camera:/a", tmp_path / "camera.json", plugs.open, lambda: now)

    def taken() -> list[bool]:
        return [chosen.gave(Frame(np.zeros((90, 160, 3), np.uint8), seconds)) for seconds in (101.0, 106.0)]

    chosen.open()
    assert taken() == [True, True]
    chosen.choose("camera:/b")
    assert taken() == [False, False]
    now = 105.0
    chosen.open()
    assert taken() == [False, True]


def test_a_broken_camera_is_not_waited_for_any_longer(chosen: ChosenCamera, plugs: Plugs) -> None:
    plugs.broken = True
    waits: list[float] = []

    def wait(seconds: float) -> bool:
        waits.append(seconds)
        if len(waits) == 3:
            chosen.choose("camera:/b")
        assert len(waits) < 10, "the other camera is never opened"
        return False

    frames = retrying(chosen.open, chosen.waiting(wait), lambda sentence: None)
    assert next(frames).image[0, 0, 0] == 200
    assert len(waits) == 3


def test_the_choice_is_kept_until_the_settings_name_another(chosen: ChosenCamera, plugs: Plugs, tmp_path: Path) -> None:
    chosen.choose("camera:/b")
    assert ChosenCamera("camera:/a", tmp_path / "camera.json", plugs.open).source == "camera:/b"
    assert ChosenCamera("picamera", tmp_path / "camera.json", plugs.open).source == "picamera"
    (tmp_path / "camera.json").write_text('{"source"')
    assert ChosenCamera("camera:/a", tmp_path / "camera.json", plugs.open).source == "camera:/a"


def test_the_choice_is_kept_where_the_settings_come_to_spell_their_camera_otherwise(
    plugs: Plugs, tmp_path: Path
) -> None:
    file = tmp_path / "camera.json"
    ChosenCamera("camera:0", file, plugs.open).choose("camera:/b")
    assert ChosenCamera("camera:/dev/video0", file, plugs.open).source == "camera:/b"
    ChosenCamera("camera:0", file, plugs.open).choose("camera:0")
    assert ChosenCamera("camera:/dev/video0", file, plugs.open).source == "camera:/dev/video0"  # whose lens they know


def test_a_choice_that_can_t_be_kept_is_said(plugs: Plugs, tmp_path: Path) -> None:
    (tmp_path / "camera.json").mkdir()
    chosen = ChosenCamera("camera:/a", tmp_path / "camera.json", plugs.open)
    with pytest.raises(CommandError, match="not remembered"):
        chosen.choose("camera:/b")
    assert chosen.source == "camera:/b"


def test_the_settings_camera_keeps_their_name_for_it_when_it_is_chosen_again(plugs: Plugs, tmp_path: Path) -> None:
    """Under another name it would be one of which they say nothing, neither a lens nor corners."""
    there = (CameraThere("camera:/by-id/a", "A", Path("/dev/video0").resolve()), THERE[1])
    cameras = Cameras(ChosenCamera("camera:0", tmp_path / "camera.json", plugs.open), Eyes(), lambda: there, plugs.open)
    for source, used in (("camera:/b", "camera:/b"), ("camera:/by-id/a", "camera:0")):
        cameras.choose(source)
        assert cameras.used == used
        assert [one.used for one in cameras.seen()] == [used == "camera:0", used != "camera:0"]


def test_what_each_camera_sees(chosen: ChosenCamera, plugs: Plugs) -> None:
    cameras = Cameras(chosen, Eyes(idle=0.05), lambda: THERE, plugs.open)
    assert cameras.seen() == (CameraSeen("camera:/a", "A", True), CameraSeen("camera:/b", "B", False))
    newest = Frame(np.zeros((90, 160, 3), np.uint8), 0.0)
    assert isinstance(cameras.picture("camera:/a", newest), bytes)
    assert plugs.opened == []
    assert isinstance(cameras.picture("camera:/b", None), bytes)
    assert [one.closed for one in plugs.opened] == [True]
    assert isinstance(cameras.picture("camera:/etc/passwd", newest), Refusal)
    with pytest.raises(CommandError, match="not plugged in"):
        cameras.choose("camera:/etc/passwd")
    cameras.choose("camera:/b")
    plugs.broken = True
    refused = cameras.picture("camera:/a", newest)
    assert isinstance(refused, Refusal)
    assert refused.error == "A gives no picture."


def test_a_camera_that_is_only_looked_at_is_asked_what_the_settings_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when it is used: a webcam keeps what it was told for whoever opens it next."""
    webcam = Webcam(monkeypatch, tmp_path / "video7", {POWER_LINE_FREQUENCY: 1, FOCUS_AUTOMATIC: 0})
    monkeypatch.setattr("cv2.VideoCapture", lambda device, _: FakeCapture(device))
    there = (*THERE, CameraThere(f"camera:{webcam.device}", "C", webcam.device))
    settings = config_from({"camera": {"mains_hz": 60, "keep_focus": True}, "journal": {"path": str(tmp_path / "j")}})
    cameras = Cameras(chosen_camera(settings), Eyes(idle=0.05), lambda: there)
    assert isinstance(cameras.picture(there[-1].source, None), bytes)
    assert webcam.controls == {POWER_LINE_FREQUENCY: 2, FOCUS_AUTOMATIC: 0}


def test_a_camera_that_hangs_is_said_to_give_no_picture(
    chosen: ChosenCamera, plugs: Plugs, monkeypatch: pytest.MonkeyPatch
) -> None:
    comes = threading.Event()

    def hanging(text: str) -> FrameSource:
        comes.wait(5)
        return plugs.open(text)

    monkeypatch.setattr("controller.page.cameras.PATIENCE", 0.05)
    refused = Cameras(chosen, Eyes(idle=0.05), lambda: THERE, hanging).picture("camera:/b", None)
    comes.set()
    assert isinstance(refused, Refusal)
    assert refused.error == "It gives no picture."
