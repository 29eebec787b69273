"""Where the camera's thread fails the reason is said everywhere: a camera is tried again, a recording ends the program with it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
import pytest

from controller.app.referee import Referee
from controller.app.table import Table
from controller.config import PanelConfig, WebConfig
from controller.doctor import camera
from controller.referee.session import MatchPlan
from controller.rules import MATCH
from controller.run.loop import Source, run
from controller.run.settings import RunSettings
from tests.programs import free_port, running
from vision.frame import Frame
from vision.sources import FrameSource, SourceError
from vision.sources.lens import Lens, StraightSource, lens_file, load_lens

WIDE = Lens((1280, 720), (900.0, 900.0), (640.0, 360.0), (0.1, 0.0, 0.0, 0.0, 0.0))


@dataclass
class Failing:
    """A source that gives so many frames and then raises, or ends where it has nothing to raise."""

    error: Exception | None = None
    count: int = 1
    live: bool = True
    name: str = "The camera"
    total: int | None = None

    def frames(self) -> Iterator[Frame]:
        for number in range(self.count):
            yield Frame(np.full((240, 320, 3), 60, np.uint8), number / 10)
        if self.error is not None:
            raise self.error

    def close(self) -> None: ...


@dataclass
class Evening:
    """The program with one source after another, until the last has been opened. told: what the terminal heard."""

    folder: Path
    told: list[str] = field(default_factory=list)
    stop: threading.Event = field(default_factory=threading.Event)

    def run(self, *sources: Callable[[], FrameSource], live: bool = True, once: bool = False) -> Referee:
        left = list(sources)

        def open_next() -> FrameSource:
            if len(left) == 1:
                threading.Timer(1.0, self.stop.set).start()
            return (left.pop(0) if len(left) > 1 else left[0])()

        run_settings = RunSettings(
            self.folder / "journal.sqlite3",
            WebConfig(port=free_port()),
            PanelConfig(kind="virtual"),
            self.stop,
            self.told.append,
        )
        return run(Table(MatchPlan(MATCH, 5), None, "bottom-right"), Source(open_next, live, once), run_settings)

    def heard(self, part: str) -> bool:
        return any(part in sentence for sentence in self.told)


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    return Evening(tmp_path)


def without_lens(folder: Path) -> Callable[[], FrameSource]:
    return lambda: StraightSource(Failing(), load_lens(folder / "lens.json"))


def test_a_lens_file_that_is_not_there_is_said_and_the_camera_tried_again(evening: Evening) -> None:
    referee = evening.run(without_lens(evening.folder), without_lens(evening.folder))
    assert "lens.json' can't be read (No such file or directory)" in referee.status.camera.sentence
    assert evening.heard("lens.json' can't be read")
    assert evening.heard("Lamps: no view of the board")
    assert not evening.heard("is over")


def test_a_lens_of_another_picture_is_said(evening: Evening) -> None:
    bent: Callable[[], FrameSource] = lambda: StraightSource(Failing(), WIDE)  # noqa: E731  # as a settings' source
    referee = evening.run(bent, bent)
    assert "measured with pictures of 1280 x 720 pixels; this one has 320 x 240" in referee.status.camera.sentence
    assert not evening.heard("is over")


@pytest.mark.parametrize(
    "error", [cv2.error("no memory for a frame"), MemoryError(), OSError("gone"), ValueError("odd")]
)
def test_whatever_the_cameras_thread_meets_it_is_tried_again(evening: Evening, error: Exception) -> None:
    referee = evening.run(lambda: Failing(error), lambda: Failing(SourceError("The camera is unplugged.")))
    assert evening.heard("The pictures can't be taken")
    assert referee.status.frame is not None
    assert not evening.heard("is over")


def test_a_recording_that_can_t_be_read_ends_the_program_with_the_reason(evening: Evening) -> None:
    with pytest.raises(SourceError, match="can't be read"):
        evening.run(without_lens(evening.folder), live=False)
    assert not evening.heard("is over")


def test_a_recording_with_one_bad_picture_keeps_the_match_and_says_so(evening: Evening) -> None:
    bad: Callable[[], FrameSource] = lambda: Failing(SourceError("Picture 3 is cut off."), 2, live=False)  # noqa: E731
    referee = evening.run(bad, bad, live=False)
    assert referee.status.camera.sentence == "Picture 3 is cut off."
    assert not evening.heard("is over")


def test_after_a_recording_the_journal_is_still_looked_after(evening: Evening) -> None:
    class Deleting(list[str]):
        def append(self, sentence: str) -> None:
            super().append(sentence)
            if "has ended" in sentence:
                for file in evening.folder.glob("journal.sqlite3*"):
                    file.unlink()

    evening.told = Deleting()
    recording: Callable[[], FrameSource] = lambda: Failing(count=2, live=False)  # noqa: E731
    referee = evening.run(recording, live=False)
    assert evening.heard("was deleted or moved")
    assert (evening.folder / "journal.sqlite3").is_file()
    assert referee.seconds == 0.1


def test_simulated_players_that_fail_end_the_program_and_not_the_match(evening: Evening) -> None:
    with pytest.raises(RuntimeError, match="the drawing failed"):
        evening.run(lambda: Failing(RuntimeError("the drawing failed")), once=True)
    assert not evening.heard("is over")


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ('source = "video:{folder}/game.mp4"', "game.mp4' is not there"),
        ('source = "frames:{folder}/game"', "game' is not there"),
        ('source = "frames : game"', "game' is not there"),
        ('source = "frames:{folder}/pictures"\nlens = "lens.json"', "lens.json' can't be read (No such file"),
        ('source = "frames:{folder}/pictures"\nlens = "wide.json"', "this one has 320 x 240"),
    ],
)
def test_the_whole_program_ends_with_status_1(tmp_path: Path, settings: str, said: str) -> None:
    (tmp_path / "pictures").mkdir()
    cv2.imwrite(str(tmp_path / "pictures" / "1.png"), np.full((240, 320, 3), 60, np.uint8))
    (tmp_path / "wide.json").write_bytes(lens_file(WIDE))
    (tmp_path / "vrhcab.toml").write_text("[camera]\n" + settings.format(folder=tmp_path), "utf-8")
    with running(tmp_path, "run", "--config", str(tmp_path / "vrhcab.toml")) as program:
        assert program.process.wait(60) == 1
        assert said in program.output
        assert "Traceback" not in program.output
        assert "is over" not in program.output


def test_doctor_says_what_is_wrong_with_the_lens(tmp_path: Path) -> None:
    (finding,) = camera.examine(without_lens(tmp_path))
    assert (finding.level, "can't be read" in finding.sentence) == ("problem", True)
    (finding,) = camera.examine(lambda: StraightSource(Failing(), WIDE))
    assert (finding.level, "320 x 240" in finding.sentence) == ("problem", True)
    (finding,) = camera.examine(lambda: Failing(cv2.error("no such picture"), 9))
    assert (finding.level, "no such picture" in finding.sentence) == ("problem", True)
