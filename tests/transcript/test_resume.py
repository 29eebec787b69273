"""What a transcription keeps: one that is stopped goes on to the same record, and a format that can't hold it loses nothing."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.errors import ControllerError
from controller.record.formats import read_record
from controller.referee.commands import Confirm
from controller.referee.session import MatchPlan
from controller.rules import MATCH
from controller.run.transcription import StoppedError, Transcription, run_transcription, turns_of
from controller.run.transcriptions import run_transcriptions
from controller.simulation import Filming, SimulatedMatch, SimulatedTable
from controller.transcript.corrected import CorrectedReport
from controller.transcript.report import ReportError, Transcript, TranscriptNotes, write_report
from controller.transcript.resume import ResumeError, fingerprint, keep, kept, part_beside
from controller.transcript.transcribe import Job, Left, TranscribeError, Transcriber
from tests.transcript.matches import misread
from vision.frame import Frame

PLAN = MatchPlan(MATCH, 3)
SECONDS = 40


@cache
def recording() -> tuple[Job, tuple[Frame, ...]]:
    """The first 40 s of a simulated game."""
    table = SimulatedTable(11, SimulatedMatch("none"), Filming((640, 360), 5.0))
    frames = []
    for frame in table.frames():
        if frame.seconds > SECONDS:
            break
        frames.append(frame)
    home = table.light_home
    return Job(PLAN, table.corners, home), tuple(frames)  # type: ignore[arg-type]


@cache
def all_at_once() -> tuple[Transcriber, TranscriptNotes, tuple[Left | None, ...]]:
    """The whole recording, and what was to go on from after each of its frames."""
    job, frames = recording()
    notes = TranscriptNotes()
    work = Transcriber(job, notes)
    lefts = []
    for frame in frames:
        work.look(frame)
        lefts.append(work.left())
    return work, notes, tuple(lefts)


def test_nothing_is_kept_before_there_is_something() -> None:
    assert all_at_once()[2][0] is None


@pytest.mark.parametrize("stopped_at", [13.0, 27.0])
def test_one_that_was_stopped_comes_to_the_same_record(tmp_path: Path, stopped_at: float) -> None:
    work, whole_notes, lefts = all_at_once()
    job, frames = recording()
    left = lefts[int(stopped_at * 5)]
    assert left is not None
    assert left.seconds <= stopped_at
    path = tmp_path / "game.json.part"
    keep(left, path, "this film")
    again = kept(path, "this film")
    assert again is not None
    notes = TranscriptNotes()
    rest = Transcriber(job, notes, again)
    for frame in frames:
        if frame.seconds >= again.seconds:
            rest.look(frame)
    assert len(work.record().games[0].actions) > 2
    assert rest.record().games == work.record().games
    assert [one.side for one in notes.pictures] == [one.side for one in whole_notes.pictures]


def some_left() -> Left:
    left = all_at_once()[2][-1]
    assert left is not None
    return left


def test_where_there_is_none_it_begins_anew(tmp_path: Path) -> None:
    assert kept(tmp_path / "game.json.part", "this film") is None


def test_another_films_is_refused(tmp_path: Path) -> None:
    keep(some_left(), tmp_path / "game.json.part", "this film")
    with pytest.raises(ResumeError, match=r"another recording.* or by another version of Vrhcáb"):
        kept(tmp_path / "game.json.part", "that film")


@pytest.mark.parametrize("content", [b"", b"\x80", b"{}", b"\xc1" * 100])
def test_one_that_is_damaged_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "game.json.part").write_bytes(content)
    with pytest.raises(ResumeError, match="Delete it, and begin anew"):
        kept(tmp_path / "game.json.part", "this film")


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_one_of_which_bytes_were_changed_is_refused_or_gone_on_from(data: st.DataObject) -> None:
    """A card that wears out gives back other bytes than it was given."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "game.json.part"
        keep(some_left(), path, "this film")
        damaged = bytearray(path.read_bytes())
        damaged[data.draw(st.integers(0, len(damaged) - 1))] = data.draw(st.integers(0, 255))
        path.write_bytes(damaged)
        with suppress(ControllerError):
            left = kept(path, "this film")
            assert left is not None
            assert left.corners.shape == (4, 2)
            Transcriber(recording()[0], None, left)


@pytest.mark.parametrize("content", [b"\x91" * 100_000, b"\x81\xa1\xff\xc0", b"\x81\xa6format\xa1\xff"])
def test_one_that_is_no_text_or_too_deep_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "game.json.part").write_bytes(content)
    with pytest.raises(ResumeError, match="Delete it, and begin anew"):
        kept(tmp_path / "game.json.part", "this film")


@pytest.mark.parametrize("wrong", [{"corners": np.zeros((3, 2))}, {"seconds": float("nan")}, {"size": (0, 360)}])
def test_one_that_shows_no_board_is_refused(tmp_path: Path, wrong: dict[str, Any]) -> None:
    keep(replace(some_left(), **wrong), tmp_path / "game.json.part", "this film")
    with pytest.raises(ResumeError, match="Delete it, and begin anew"):
        kept(tmp_path / "game.json.part", "this film")


def test_a_film_that_has_grown_or_is_read_otherwise_is_another(tmp_path: Path) -> None:
    film = tmp_path / "game.mp4"
    film.write_bytes(b"1")
    before = fingerprint(film, "match", 7)
    assert fingerprint(film, "match", 7) == before
    assert fingerprint(film, "match", 5) != before
    film.write_bytes(b"12")
    assert fingerprint(film, "match", 7) != before
    lens = tmp_path / "lens.json"
    lens.write_text("{}")
    before = fingerprint(film, lens)
    lens.write_text("{ }")
    assert fingerprint(film, lens) != before


def test_a_folder_with_other_pictures_under_the_same_names_is_another(tmp_path: Path) -> None:
    """As when the pictures of a second film are written over those of the first."""
    picture = tmp_path / "0001.png"
    picture.write_bytes(b"1")
    before, was = fingerprint(tmp_path, "match"), tmp_path.stat().st_mtime_ns
    picture.write_bytes(b"2")
    os.utime(picture, ns=(was + 1, was + 1))
    assert tmp_path.stat().st_mtime_ns == was
    assert fingerprint(tmp_path, "match") != before


def test_a_folder_in_which_the_record_is_kept_stays_the_same(tmp_path: Path) -> None:
    (tmp_path / "0001.png").write_bytes(b"1")
    before = fingerprint(tmp_path, "match")
    keep(some_left(), part_beside(tmp_path / "game.mat"), before)
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".part"] == ["game.mat.part"]
    (tmp_path / "._0001.png").write_bytes(b"what a Mac leaves beside a picture")
    assert fingerprint(tmp_path, "match") == before


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The recording from 20 s on, in a folder: as bitmaps, which are quickly written and read."""
    folder = tmp_path_factory.mktemp("recording") / "film"
    folder.mkdir()
    for number, frame in enumerate(recording()[1]):
        if frame.seconds >= 20:
            cv2.imwrite(str(folder / f"{number:04d}.bmp"), frame.image)
    return folder


@pytest.fixture
def film(pictures: Path, tmp_path: Path) -> Transcription:
    """These pictures, to be written as MAT."""
    job, _ = recording()
    assert job.corners is not None
    corners = " ".join(f"{x:.0f},{y:.0f}" for x, y in job.corners)
    return Transcription(str(pictures), tmp_path / "game.mat", MATCH, corners, job.light_home, 3, fps=5.0)


def test_what_the_format_cannot_hold_is_kept_as_json_beside_it(film: Transcription, tmp_path: Path) -> None:
    with pytest.raises(TranscribeError, match=r"game\.mat\.json holds all that was seen"):
        run_transcription(film, lambda at, whole: None, lambda: False)
    assert not (tmp_path / "game.mat").exists()
    record = read_record(tmp_path / "game.mat.json")
    assert turns_of(record) > 0
    assert record.games[0].start


@pytest.mark.parametrize("frames", [0, 1])
def test_one_that_is_stopped_before_anything_was_sure_says_so(film: Transcription, frames: int) -> None:
    seen: list[float] = []
    with pytest.raises(StoppedError, match=r"Stopped at 0:00:00, before anything was sure of the game"):
        run_transcription(film, lambda at, whole: seen.append(at), lambda: len(seen) >= frames)
    assert not film.output.exists()


def test_one_that_is_stopped_before_anything_was_certain_is_begun_anew(film: Transcription, tmp_path: Path) -> None:
    """The game is on: what stands there is written down, but there is no moment yet from which it could be gone on with."""
    film = replace(film, output=tmp_path / "game.json", resume=True)
    seen: list[float] = []
    stopped = run_transcription(film, lambda at, whole: seen.append(at), lambda: len(seen) >= 32)
    assert stopped.stopped is not None
    assert turns_of(read_record(film.output)) == 0
    with pytest.raises(StoppedError, match=r"Stopped at 0:00:00"):
        run_transcription(film, lambda at, whole: None, lambda: True)
    part_beside(film.output).unlink()
    assert run_transcription(film, lambda at, whole: None, lambda: True).was_there
    film = replace(film, report=tmp_path / "report.json")
    with pytest.raises(ReportError, match=r"the report .*report\.json is not"):
        run_transcription(film, lambda at, whole: None, lambda: True)
    (tmp_path / "report.json").touch()
    assert run_transcription(film, lambda at, whole: None, lambda: True).was_there


def test_going_on_does_not_undo_what_was_put_right(film: Transcription, tmp_path: Path) -> None:
    film = replace(film, output=tmp_path / "game.json", report=tmp_path / "report.json", resume=True)
    write_report(tmp_path / "report.json", Transcript("film", "game.json", misread()))
    keep(some_left(), part_beside(film.output), "this film")
    assert CorrectedReport(tmp_path / "report.json").command(Confirm(game=1, turn=3)).ok
    put_right = film.output.read_bytes()
    with pytest.raises(ReportError, match="was put right since the work was stopped"):
        run_transcription(film, lambda at, whole: None, lambda: False)
    assert film.output.read_bytes() == put_right


def test_one_that_was_not_begun_says_so() -> None:
    chosen = [Transcription(name, Path("game.json"), MATCH) for name in ("1.mp4", "2.mp4")]
    for each, outcome in run_transcriptions(chosen, 1, lambda at, whole: None, lambda: True):
        assert each in chosen
        assert str(outcome) == "Stopped before this recording was begun."


def test_a_report_that_fails_does_not_take_the_record_with_it(film: Transcription, tmp_path: Path) -> None:
    def full(at: float, whole: float | None) -> None:
        """The disk is refused to the report alone, when the work has long begun."""
        (tmp_path / "report.html").mkdir(exist_ok=True)

    with pytest.raises(ReportError, match=r"report\.json can't be written: .*The record is written"):
        run_transcription(
            replace(film, output=tmp_path / "game.json", report=tmp_path / "report.json"), full, lambda: False
        )
    assert turns_of(read_record(tmp_path / "game.json")) > 0
