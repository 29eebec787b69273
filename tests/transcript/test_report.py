"""The report beside a transcribed record: what is in it, in which order, and with which pictures."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
import pytest

from controller.referee.commands import Correct, Insert, Undo
from controller.referee.events import AnyEvent, Flagged, Played, encode
from controller.rules import Position, Side, position_from_id
from controller.transcript.corrected import CorrectedReport
from controller.transcript.report import (
    Pictured,
    ReportError,
    Transcript,
    TranscriptNotes,
    check_report,
    read_report,
    write_report,
)
from tests.transcript.matches import misread

HELD = misread()
PLAYS = [one for one in HELD if isinstance(one, Played)]


def pictures() -> tuple[Pictured, ...]:
    """Each turn with a picture of its own grey, the board before it in black."""
    notes = TranscriptNotes()
    for shade, event in enumerate(PLAYS, start=1):
        notes.picture(np.full((360, 640, 3), 30 * shade, np.uint8), position_from_id(event.after, Side.LIGHT))
        notes.picture(np.zeros((360, 640, 3), np.uint8), Position.start())
        notes.events([event])
    return notes.pictures


def written(folder: Path, held: tuple[AnyEvent, ...] = HELD) -> tuple[dict[str, Any], str]:
    """The report of that match, as JSON and as a page."""
    path = folder / "report.json"
    write_report(path, Transcript("film <1>.mp4", "game.json", held, "top-left"), pictures())
    return json.loads(path.read_text("utf-8")), path.with_suffix(".html").read_text("utf-8")


def test_doubtful_turns_come_first_the_most_doubtful_at_the_top(tmp_path: Path) -> None:
    report, page = written(tmp_path)
    places = [(turn["game"], turn["turn"], turn["doubtful"]) for turn in report["turns"]]
    assert places == [(1, 3, True), (1, 4, True), (1, 1, False), (1, 2, False), (2, 1, False), (2, 2, False)]
    assert report["turns_doubtful"] == 2
    gap, worst, next_one, folded = (page.index(text) for text in ("for 93 s", "62.0 %", "90.0 %", "<summary>Sure: 4"))
    assert gap < worst < next_one < folded
    assert "or 5-4: 24/20 13/8 (37.0 %)" in page
    assert "film &lt;1&gt;.mp4" in page


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (("Jana", "Petr"), "Jana (White) – Petr (Black)."),
        (("Light", "Dark"), "White – Black."),
        (("<b>", "Dark"), "&lt;b&gt; (White) – Black."),
    ],
)
def test_players_whom_nobody_has_named_are_called_by_their_colour(
    tmp_path: Path, names: tuple[str, str], said: str
) -> None:
    light, dark = names
    begun = msgspec.structs.replace(HELD[0], light=light, dark=dark)  # type: ignore[call-arg]
    _, page = written(tmp_path, (begun, *HELD[1:]))
    assert f">{said} To put a turn right" in page


def test_a_picture_shows_the_board_after_the_turn(tmp_path: Path) -> None:
    report, page = written(tmp_path)
    for turn in report["turns"]:
        picture = cv2.imread(str(tmp_path / turn["thumbnail"]))
        assert picture is not None
        assert picture.shape == (180, 320, 3)
        number = next(at for at, one in enumerate(PLAYS, 1) if one.seconds == turn["seconds"])
        assert abs(float(picture.mean()) - 30 * number) < 3
        assert turn["thumbnail"] in page


def test_turns_of_one_side_that_were_written_down_together_have_each_its_own_picture(tmp_path: Path) -> None:
    """As where one look tells what several turns were; one of them is played otherwise after all at that look."""
    together = [msgspec.structs.replace(one, seconds=50.0) for one in PLAYS[:4]]
    held: list[AnyEvent] = [
        together[PLAYS.index(one)] if one in PLAYS[:4] else one for one in HELD if not isinstance(one, Flagged)
    ]
    again = msgspec.structs.replace(together[3], redo=True, sure=0.5)
    held.insert(held.index(together[3]) + 1, again)
    notes = TranscriptNotes()
    for shade, event in enumerate([*together, again], start=1):
        notes.picture(np.full((360, 640, 3), 30 * shade, np.uint8), position_from_id(event.after, Side.LIGHT))
        notes.events([event])
    path = tmp_path / "report.json"
    write_report(path, Transcript("film.mp4", "game.json", tuple(held)), notes.pictures)
    turns = {(one["game"], one["turn"]): one for one in json.loads(path.read_text("utf-8"))["turns"]}
    shades = {}
    for number in (1, 2, 3, 4):
        picture = cv2.imread(str(tmp_path / turns[1, number]["thumbnail"]))
        assert picture is not None
        shades[number] = round(float(picture.mean()) / 30)
    assert shades == {1: 1, 2: 2, 3: 3, 4: 5}
    shown = CorrectedReport(path).line_picture(1, turns[1, 3]["line"])
    assert shown == (tmp_path / turns[1, 3]["thumbnail"]).read_bytes()


def test_a_turn_that_is_put_in_takes_no_others_picture(tmp_path: Path) -> None:
    """Among turns that were written down together; and pictures stay where dice were corrected."""
    together = [msgspec.structs.replace(one, seconds=50.0) for one in PLAYS[:4]]
    held = tuple(
        together[PLAYS.index(one)] if one in PLAYS[:4] else one for one in HELD if not isinstance(one, Flagged)
    )
    path = tmp_path / "report.json"
    other = [Pictured(one.seconds, one.side, b"before", (6, 6)) for one in together]
    write_report(path, Transcript("film.mp4", "game.json", held), other)
    pictures = [
        Pictured(one.seconds, one.side, bytes([number]), one.dice) for number, one in enumerate(together, start=1)
    ]
    write_report(path, Transcript("film.mp4", "game.json", held), pictures)
    match = CorrectedReport(path)

    def shown(lines: int) -> list[bytes | None]:
        return [match.line_picture(1, line) for line in range(1, lines + 1)]

    assert shown(4) == [b"\1", b"\2", b"\3", b"\4"]
    assert match.command(Insert(turn=2, side=Side.DARK, dice=(2, 1), game=1, sure=True, notation="24/23 13/11")).ok
    assert shown(5) == [b"\1", None, b"\2", b"\3", b"\4"]
    assert match.command(Undo()).ok
    assert match.command(Correct(turn=3, game=1, dice=(6, 4), notation="24/14", sure=True)).ok
    assert shown(4) == [b"\1", b"\2", b"\3", b"\4"]


def test_pictures_that_an_earlier_program_has_named_are_found(tmp_path: Path) -> None:
    written(tmp_path)
    folder = tmp_path / "report-thumbnails"
    for file in list(folder.iterdir()):
        file.rename(folder / re.sub(r"-1-\d\d\.jpg", ".jpg", file.name))
    assert all(CorrectedReport(tmp_path / "report.json").line_picture(1, line) for line in (1, 2, 3, 4))


def test_a_gap_says_after_which_turn_and_how_long(tmp_path: Path) -> None:
    (gap,) = written(tmp_path)[0]["gaps"]
    assert (gap["game"], gap["turn"], gap["seconds"], gap["lost"]) == (2, 2, 200.0, 93.4)


def test_a_turn_played_anew_takes_the_place_of_the_one_before(tmp_path: Path) -> None:
    last = PLAYS[-1]
    again = msgspec.structs.replace(last, redo=True, sure=0.5, seconds=last.seconds + 3)
    at = HELD.index(last) + 1
    wrong = Flagged(number=9, code="R05", side=Side.DARK, text="")
    report, _ = written(tmp_path, (*HELD[:at], wrong, again, *HELD[at:]))
    turns = [turn for turn in report["turns"] if turn["game"] == 2]
    assert [(turn["turn"], turn["sure"], turn["flags"]) for turn in turns] == [(2, 0.5, ["R05"]), (1, 1.0, [])]


def test_a_report_is_read_as_it_was_written(tmp_path: Path) -> None:
    written(tmp_path)
    again = read_report(tmp_path / "report.json")
    assert (again.source, again.record, again.light_home) == ("film <1>.mp4", "game.json", "top-left")
    assert [encode(event) for event in again.held] == [encode(event) for event in HELD]


def test_a_report_from_anybody_may_name_any_second(tmp_path: Path) -> None:
    written(tmp_path)
    path = tmp_path / "report.json"
    report = json.loads(path.read_text("utf-8"))
    next(one for one in report["events"] if one["type"] == "play")["seconds"] = 1e308
    path.write_text(json.dumps(report), "utf-8")
    assert len(CorrectedReport(path).report().lines) == len(PLAYS) + 1


@pytest.mark.parametrize(
    "content", [b"", b"{}", b'{"format": "vrhcab-report-1"}', b'{"format": "x", "events": [1]}', b"\xff", b"[" * 9999]
)
def test_what_is_no_report_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "report.json").write_bytes(content)
    with pytest.raises(ReportError, match=r"report\.json is no report"):
        read_report(tmp_path / "report.json")


@pytest.mark.parametrize("name", ["report.txt", "no-folder/report.json", "taken.json"])
def test_a_report_that_could_not_be_written_is_refused_before_the_work(tmp_path: Path, name: str) -> None:
    (tmp_path / "taken.html").mkdir()
    with pytest.raises(ReportError, match="hoose"):
        check_report(tmp_path / name)


@pytest.mark.parametrize("kept", [".", "report-thumbnails"])
def test_a_report_in_a_folder_of_somebody_else_is_refused_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept: str
) -> None:
    (tmp_path / "report-thumbnails").mkdir()
    monkeypatch.setattr("os.access", lambda path, mode: path != tmp_path / kept)
    with pytest.raises(ReportError, match=r"report\.json can't be written\. Choose"):
        check_report(tmp_path / "report.json")
