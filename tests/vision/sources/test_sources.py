"""Every source keeps the same contract: a folder of pictures, a video file, a USB camera, the Pi's camera."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Iterator
from itertools import islice, pairwise
from pathlib import Path
from typing import Any, ClassVar

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from terms.order import natural_key
from tests.vision.sources.webcam import FOCUS_AUTOMATIC, POWER_LINE_FREQUENCY, Webcam
from vision.frame import Frame, Image
from vision.sources import (
    CameraSource,
    CameraWishes,
    FrameSource,
    PicameraSource,
    SourceError,
    open_source,
    retrying,
    spelled_once,
)
from web.words import message

SIZE = (96, 64)
COUNT = 12


def picture(number: int) -> Image:
    """A picture whose brightness tells its number, through any codec: 20 levels apart."""
    return np.full((SIZE[1], SIZE[0], 3), 10 + 20 * number, np.uint8)


def number_of(frame: Frame) -> int:
    return round((float(frame.image.mean()) - 10) / 20)


def write_folder(folder: Path, count: int = COUNT) -> Path:
    folder.mkdir(exist_ok=True)
    for number in range(count):
        cv2.imwrite(str(folder / f"shot{number}.png"), picture(number))
    return folder


def write_video(path: Path, count: int = COUNT, fps: float = 10.0) -> Path:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), fps, SIZE)
    for number in range(count):
        writer.write(picture(number))
    writer.release()
    return path


class FakeCapture:
    """Stands in for cv2.VideoCapture on a camera: gives COUNT pictures, then is unplugged; one read fails before."""

    def __init__(self, device: int | str, count: int = COUNT, opened: bool = True) -> None:
        self.device = device
        self.asked: dict[int, float] = {}
        self.released = False
        self._opened = opened
        self._answers: Iterator[tuple[bool, Any]] = iter(
            [answer for n in range(count) for answer in [(True, picture(n)), *([(False, None)] if n == 3 else [])]]
        )

    def isOpened(self) -> bool:
        return self._opened

    def set(self, propId: int, value: float, /) -> bool:
        self.asked[propId] = value
        return True

    def read(self) -> tuple[bool, Any]:
        return next(self._answers, (False, None))

    def release(self) -> None:
        self.released = True


class FakePicamera2:
    """Stands in for picamera2.Picamera2: gives COUNT pictures with a fourth channel, then fails as libcamera does.

    camera_controls: what the module can do, each with its least, most and default; it refuses others, as picamera2 does.
    """

    camera_controls: ClassVar[dict[str, tuple[Any, ...]]] = {"AeEnable": (False, True, True)}

    def __init__(self) -> None:
        self.shown = 0
        self.running = False

    def create_video_configuration(self, main: dict[str, Any], controls: dict[str, Any]) -> dict[str, Any]:
        for name in controls:
            if name != "FrameRate" and name not in self.camera_controls:
                raise RuntimeError(f"Control {name} is not advertised by libcamera")
        return {"main": main, "controls": controls}

    def configure(self, configuration: dict[str, Any]) -> None:
        self.configuration = configuration

    def start(self) -> None:
        self.running = True

    def capture_array(self, name: str, wait: float) -> Image:
        assert self.running
        assert name == "main"
        assert wait > 0
        if self.shown == COUNT:
            raise TimeoutError
        self.shown += 1
        return np.dstack([picture(self.shown - 1), np.zeros(SIZE[::-1], np.uint8)])

    def stop(self) -> None:
        self.running = False

    def close(self) -> None:
        self.running = False


def ticking() -> Callable[[], float]:
    """A clock that grows by a tenth of a second with every look."""
    times = iter(range(100, 100_000))
    return lambda: next(times) / 10


@pytest.fixture(params=["frames", "video", "camera", "picamera"])
def source(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FrameSource:
    match request.param:
        case "frames":
            return open_source(f"frames:{write_folder(tmp_path / 'game')}", fps=10)
        case "video":
            return open_source(f"video:{write_video(tmp_path / 'game.avi')}")
        case "camera":
            return CameraSource(0, open_capture=FakeCapture, clock=ticking())
    module = types.SimpleNamespace(Picamera2=FakePicamera2)
    monkeypatch.setitem(sys.modules, "picamera2", module)
    return PicameraSource(clock=ticking())


class TestContract:
    def test_gives_every_frame_once_in_order(self, source: FrameSource) -> None:
        frames = list(islice(source.frames(), COUNT))
        assert [number_of(frame) for frame in frames] == list(range(COUNT))

    def test_frames_are_bgr_pictures(self, source: FrameSource) -> None:
        frame = next(source.frames())
        assert frame.image.shape == (SIZE[1], SIZE[0], 3)
        assert frame.image.dtype == np.uint8

    def test_time_always_grows_by_a_tenth_of_a_second(self, source: FrameSource) -> None:
        seconds = [frame.seconds for frame in islice(source.frames(), COUNT)]
        assert np.diff(seconds) == pytest.approx(0.1)

    def test_after_the_last_frame_a_file_ends_and_a_camera_says_that_it_is_gone(self, source: FrameSource) -> None:
        frames = source.frames()
        for _ in range(COUNT):
            next(frames)
        if source.live:
            with pytest.raises(SourceError, match=r"has stopped giving pictures.*Check its"):
                next(frames)
        else:
            assert next(frames, None) is None

    def test_a_file_knows_how_many_frames_it_has(self, source: FrameSource) -> None:
        assert source.total == (None if source.live else COUNT)

    def test_closes_twice(self, source: FrameSource) -> None:
        next(source.frames())
        source.close()
        source.close()

    def test_its_name_begins_a_sentence(self, source: FrameSource) -> None:
        assert source.name.startswith("The ")


class TestFolder:
    def test_key_frames_are_a_second_apart(self, tmp_path: Path) -> None:
        frames = list(open_source(f"frames:{write_folder(tmp_path, 3)}").frames())
        assert [frame.seconds for frame in frames] == [0.0, 1.0, 2.0]

    def test_names_sort_as_people_count(self, tmp_path: Path) -> None:
        names = ["frame_2.png", "Frame_10.png", "frame_9.PNG", "frame_1.jpg"]
        for name in names:
            cv2.imwrite(str(tmp_path / name), picture(1))
        (tmp_path / "._frame_1.jpg").write_bytes(b"\0\5\x16\7 what a Mac leaves beside a picture")
        (tmp_path / "notes.txt").write_text("not a picture")
        frames = open_source(f"frames:{tmp_path}").frames()
        assert [frame.name for frame in frames] == ["frame_1.jpg", "frame_2.png", "frame_9.PNG", "Frame_10.png"]

    def test_a_broken_picture_is_named(self, tmp_path: Path) -> None:
        write_folder(tmp_path, 2)
        (tmp_path / "shot1.png").write_bytes(b"no picture")
        frames = open_source(f"frames:{tmp_path}").frames()
        next(frames)
        with pytest.raises(SourceError, match=r"shot1\.png' is no picture") as raised:
            next(frames)
        assert "is no picture" not in message(raised.value.sentence).words["cs"]

    @given(st.lists(st.text(max_size=20)))
    def test_any_names_can_be_sorted(self, names: list[str]) -> None:
        keys = sorted(map(natural_key, names))
        assert all(a <= b for a, b in pairwise(keys))


class TestVideo:
    def test_hands_on_no_more_frames_a_second_than_asked(self, tmp_path: Path) -> None:
        source = open_source(f"video:{write_video(tmp_path / 'game.avi')}", fps=5)
        frames = list(source.frames())
        assert [number_of(frame) for frame in frames] == [0, 2, 4, 6, 8, 10]
        assert source.total == 6

    def test_asking_for_more_than_it_has_gives_all(self, tmp_path: Path) -> None:
        source = open_source(f"video:{write_video(tmp_path / 'game.avi')}", fps=60)
        assert len(list(source.frames())) == source.total == COUNT


class TestCamera:
    def test_asks_for_size_and_rate(self) -> None:
        opened: list[FakeCapture] = []

        def open_capture(device: int | str) -> FakeCapture:
            opened.append(FakeCapture(device))
            return opened[0]

        CameraSource("/dev/video7", size=(1280, 720), fps=25, open_capture=open_capture).close()
        assert opened[0].device == "/dev/video7"
        assert opened[0].asked[cv2.CAP_PROP_FRAME_WIDTH] == 1280
        assert opened[0].asked[cv2.CAP_PROP_FRAME_HEIGHT] == 720
        assert opened[0].asked[cv2.CAP_PROP_FPS] == 25
        assert opened[0].released

    @pytest.mark.parametrize(
        ("wishes", "stands"),
        [
            (CameraWishes(), {POWER_LINE_FREQUENCY: 1, FOCUS_AUTOMATIC: 1}),
            (CameraWishes(mains_hz=60, keep_focus=True), {POWER_LINE_FREQUENCY: 2, FOCUS_AUTOMATIC: 0}),
        ],
    )
    def test_webcam_that_counted_on_other_lamps_and_on_a_hand_at_its_lens_does_as_the_settings_say(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, wishes: CameraWishes, stands: dict[int, int]
    ) -> None:
        other = 3 - stands[POWER_LINE_FREQUENCY]
        webcam = Webcam(monkeypatch, tmp_path / "video0", {POWER_LINE_FREQUENCY: other, FOCUS_AUTOMATIC: 0})
        CameraSource(str(webcam.device), wishes=wishes, open_capture=FakeCapture).close()
        assert webcam.controls == stands

    @pytest.mark.parametrize(
        ("controls", "takes"),
        [
            ({}, {}),
            ({POWER_LINE_FREQUENCY: 2, FOCUS_AUTOMATIC: 0}, {POWER_LINE_FREQUENCY: (0, 2), FOCUS_AUTOMATIC: (0,)}),
        ],
        ids=["has none", "says no"],
    )
    def test_webcam_that_cannot_is_used_as_it_is(
        self,
        monkeypatch: pytest.MonkeyPatch,
        tmp_path: Path,
        controls: dict[int, int],
        takes: dict[int, tuple[int, ...]],
    ) -> None:
        webcam = Webcam(monkeypatch, tmp_path / "video0", dict(controls), takes)
        frames = list(islice(CameraSource(str(webcam.device), open_capture=FakeCapture).frames(), COUNT))
        assert [number_of(frame) for frame in frames] == list(range(COUNT))
        assert webcam.controls == controls

    def test_one_that_gives_no_picture_is_given_back(self) -> None:
        capture = FakeCapture(0, count=0)
        with pytest.raises(SourceError, match="gives no picture"):
            CameraSource(0, open_capture=lambda _: capture)
        assert capture.released

    def test_one_that_does_not_open_says_why(self, tmp_path: Path) -> None:
        no_camera = tmp_path / "video0"
        no_camera.touch()
        with pytest.raises(SourceError, match="can't be opened as a camera"):
            CameraSource(str(no_camera), open_capture=lambda device: FakeCapture(device, opened=False))

    def test_what_is_said_of_it_is_said_in_other_languages_too(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Its name as well; the path of its device stays as it is."""
        monkeypatch.setitem(sys.modules, "picamera2", types.SimpleNamespace(Picamera2=FakePicamera2))
        said = []
        for gone in (CameraSource("/dev/video7", open_capture=FakeCapture), PicameraSource()):
            with pytest.raises(SourceError) as told:
                list(gone.frames())
            said.append(message(told.value.sentence).words["cs"])
        assert said[0].startswith("Kamera /dev/video7 přestala dávat obraz.")
        assert said[1].startswith("Kamera Raspberry Pi přestala dávat obraz (TimeoutError).")

    def test_picamera_that_can_focus_does_so_all_the_time_and_exposes_for_whole_flashes_of_lamps(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Camera Module 3; version 2 has neither lens motor nor, under an older libcamera, anything against flicker."""

        class WithAMotor(FakePicamera2):
            camera_controls = FakePicamera2.camera_controls | {
                "AfMode": (0, 2, 0),
                "LensPosition": (0.0, 32.0, 1.0),
                "AeFlickerMode": (0, 1, 0),
                "AeFlickerPeriod": (100, 1_000_000, None),
            }

        asked = []
        for module in (FakePicamera2, WithAMotor):
            monkeypatch.setitem(sys.modules, "picamera2", types.SimpleNamespace(Picamera2=module))
            source = PicameraSource(fps=10)
            asked.append(source._camera.configuration["controls"])
            source.close()
        assert asked == [
            {"FrameRate": 10},
            {"FrameRate": 10, "AfMode": 2, "AeFlickerMode": 1, "AeFlickerPeriod": 10_000},
        ]
        source = PicameraSource(fps=10, wishes=CameraWishes(mains_hz=60, keep_focus=True))
        assert source._camera.configuration["controls"] == {
            "FrameRate": 10,
            "AeFlickerMode": 1,
            "AeFlickerPeriod": 8_333,
        }
        source.close()

    def test_picamera_without_a_camera(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def none_there() -> None:
            raise IndexError("list index out of range")

        monkeypatch.setitem(sys.modules, "picamera2", types.SimpleNamespace(Picamera2=none_there))
        with pytest.raises(SourceError, match="does not answer"):
            open_source("picamera")

    @pytest.mark.parametrize("at", ["configure", "start", "stop"])
    def test_picamera_that_fails_is_given_back_so_that_it_can_be_opened_again(
        self, monkeypatch: pytest.MonkeyPatch, at: str
    ) -> None:
        """Its library keeps hold of a camera that is not closed, and lets nobody open it."""
        held = []

        class Failing(FakePicamera2):
            def __init__(self) -> None:
                super().__init__()
                assert not held
                held.append(self)

            def close(self) -> None:
                held.remove(self)

        def fails(*_: object) -> None:
            raise RuntimeError("the ribbon cable is loose")

        monkeypatch.setattr(Failing, at, fails)
        monkeypatch.setitem(sys.modules, "picamera2", types.SimpleNamespace(Picamera2=Failing))
        troubles: list[str] = []
        ended = iter([False, True])
        frames = retrying(lambda: open_source("picamera"), lambda _: next(ended), troubles.append)
        shown = len(list(islice(frames, 2 * COUNT)))
        frames.close()  # type: ignore[attr-defined]  # it is a generator
        assert not held
        if at == "stop":
            assert shown == 2 * COUNT
            assert troubles == ["The Pi's camera has stopped giving pictures (TimeoutError). Check its ribbon cable."]
        else:
            assert "does not answer (the ribbon cable is loose)" in troubles[0]


class TestTrouble:
    """What goes wrong is told in sentences, and OpenCV and its codecs keep quiet."""

    @pytest.fixture(autouse=True)
    def _nothing_else_on_standard_error(self, capfd: pytest.CaptureFixture[str]) -> Iterator[None]:
        yield
        assert capfd.readouterr().err == ""

    @pytest.mark.parametrize(
        ("text", "sentence"),
        [
            ("video:nowhere.mp4", r"'nowhere\.mp4' is not there"),
            ("frames:nowhere", "'nowhere' is not there"),
            ("video:.", "is a folder.*frames:"),
            ("camera:63", "camera 63 is not there"),
            ("camera:/dev/v4l/by-id/usb-none", "usb-none is not there"),
            ("", "is no source of frames"),
            ("video:", "is no source of frames.*video:FILE"),
            ("camera:first", "is no source of frames"),
            ("webcam:0", "is no source of frames"),
            ("camera:2147483648", "is no source of frames"),
            ("camera:" + "9" * 5000, "is no source of frames"),
            ("video:~nobodyx/l.mp4", r"'~nobodyx/l\.mp4' can't be read: nobody here knows the home folder"),
            ("frames:~nobodyx/l", "can't be read: .* Write the whole path"),
        ],
    )
    def test_what_is_not_there(self, text: str, sentence: str) -> None:
        with pytest.raises(SourceError, match=sentence):
            open_source(text)

    def test_picamera2_that_is_not_installed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "picamera2", None)
        with pytest.raises(SourceError, match="sudo apt install python3-picamera2"):
            open_source("picamera")

    @pytest.mark.parametrize(
        "text",
        [
            "raise ValueError('numpy.dtype size changed, may indicate binary incompatibility.')",
            "raise ImportError('libcamera.so.0.5: cannot open shared object file')",
            "import libcamera_of_another_python",
        ],
    )
    def test_picamera2_that_does_not_load_says_why(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
    ) -> None:
        """As the one of Debian 12 beside a newer NumPy."""
        (tmp_path / "picamera2.py").write_text(text, "utf-8")
        monkeypatch.syspath_prepend(tmp_path)
        with pytest.raises(
            SourceError, match=r"can't be loaded \((numpy|libcamera|No module).*[^.]\)\. Set this program up"
        ):
            open_source("picamera")

    @pytest.mark.parametrize("name", ["game.avi", "game.mp4", "game%04d.mkv"])
    @pytest.mark.parametrize("content", [b"", b"no video at all" * 100])
    def test_a_file_that_is_no_video(self, tmp_path: Path, name: str, content: bytes) -> None:
        (tmp_path / name).write_bytes(content)
        with pytest.raises(SourceError, match="is no video that can be read"):
            open_source(f"video:{tmp_path / name}")

    def test_a_video_of_nothing(self, tmp_path: Path) -> None:
        with pytest.raises(SourceError, match=r"holds no frames|is no video"):
            open_source(f"video:{write_video(tmp_path / 'empty.avi', count=0)}")

    def test_a_video_that_is_cut_off_gives_what_is_there(self, tmp_path: Path) -> None:
        whole = write_video(tmp_path / "whole.avi").read_bytes()
        (tmp_path / "cut.avi").write_bytes(whole[: len(whole) * 2 // 3])
        frames = list(open_source(f"video:{tmp_path / 'cut.avi'}").frames())
        assert 0 < len(frames) < COUNT

    def test_a_folder_without_pictures(self, tmp_path: Path) -> None:
        with pytest.raises(SourceError, match="holds no pictures"):
            open_source(f"frames:{tmp_path}")

    def test_a_file_for_a_folder(self, tmp_path: Path) -> None:
        (tmp_path / "game.mp4").touch()
        with pytest.raises(SourceError, match="is a file, not a folder"):
            open_source(f"frames:{tmp_path / 'game.mp4'}")

    @pytest.mark.parametrize("fps", [0, -1, float("nan"), float("inf")])
    def test_a_rate_that_cannot_be(self, fps: float) -> None:
        with pytest.raises(SourceError, match="frames a second can't be"):
            open_source("camera:0", fps=fps)


@pytest.mark.parametrize(
    ("one", "another", "same"),
    [
        ("camera:0", " camera : 00 ", True),
        ("camera:0", "camera:/dev/video0", True),
        ("camera:10", "camera:/dev/video10", True),
        ("camera:1", "camera:10", False),
        ("camera:0", "camera:/dev/video00", False),
        ("camera:0", "camera:/dev/v4l/by-id/usb-a-video-index0", False),
        ("camera:0", "picamera", False),
        ("video:0", "video:00", False),
    ],
)
def test_spellings_of_one_source(one: str, another: str, same: bool) -> None:
    assert (spelled_once(one) == spelled_once(another)) is same
