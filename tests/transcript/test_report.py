"""The report beside a transcribed record: what is in it, in which order, and with which pictures."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from controller.referee.events import Flagged, Found, GameStarted, Played
from controller.rules import Position, Side, legal_plays, position_id
from controller.transcript.report import ReportError, TranscriptNotes, check_report, write_report

START = Position.start()
ROLLS = ((3, 1), (4, 2), (6, 1))


def played(roll: tuple[int, int], sure: float = 1.0, roll_seen: bool = True, redo: bool = False) -> Played:
    play = legal_plays(START, Side.LIGHT, roll)[0]
    return Played(
        side=Side.LIGHT,
        dice=roll,
        before=position_id(START, Side.LIGHT),
        after=position_id(play.result, Side.LIGHT),
        moves=(),
        notation="8/5 6/5",
        legal=True,
        roll_seen=roll_seen,
        sure=sure,
        redo=redo,
        seconds=7.0,
    )


def noted() -> TranscriptNotes:
    """A game of three turns: the second doubtful, the third inferred, each with a picture of its own grey."""
    notes = TranscriptNotes()
    notes.events([GameStarted(number=1)])
    for shade, event in enumerate(
        [played(ROLLS[0]), played(ROLLS[1], sure=0.6), played(ROLLS[2], sure=0.97, roll_seen=False)], start=1
    ):
        board = legal_plays(START, Side.LIGHT, event.dice)[0].result
        notes.picture(np.full((360, 640, 3), 50 * shade, np.uint8), board)
        notes.picture(np.zeros((360, 640, 3), np.uint8), START)
        notes.events([event])
    return notes


def test_doubtful_turns_come_first_the_most_doubtful_at_the_top() -> None:
    assert [(one.turn.turn, one.turn.doubtful) for one in noted().turns()] == [(2, True), (3, True), (1, False)]


def test_a_thumbnail_shows_the_board_after_the_turn() -> None:
    for turn, jpeg in ((one.turn, one.jpeg) for one in noted().turns()):
        assert jpeg is not None
        picture = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
        assert picture is not None
        assert picture.shape == (180, 320, 3)
        assert abs(float(picture.mean()) - 50 * turn.turn) < 3


def test_a_turn_played_anew_takes_the_place_of_the_one_before() -> None:
    notes = noted()
    notes.events([Flagged(number=1, code="R05", side=Side.LIGHT, text=""), played((5, 3), redo=True)])
    turns = sorted((one.turn for one in notes.turns()), key=lambda turn: turn.turn)
    assert [turn.dice for turn in turns] == [*ROLLS[:2], (5, 3)]
    assert turns[2].flags == ("R05",)


def test_the_files_hold_together(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    write_report(noted(), path, "film <1>.mp4")
    report = json.loads(path.read_text("utf-8"))
    assert (report["format"], report["turns_doubtful"], len(report["turns"])) == ("vrhcab-report-1", 2, 3)
    page = (tmp_path / "report.html").read_text("utf-8")
    assert "film &lt;1&gt;.mp4" in page
    for turn in report["turns"]:
        assert (tmp_path / turn["thumbnail"]).read_bytes()[:2] == b"\xff\xd8"
        assert turn["thumbnail"] in page


def test_gaps_come_before_the_turns_and_sure_turns_are_folded(tmp_path: Path) -> None:
    notes = noted()
    notes.events([Found(position=position_id(START, Side.LIGHT), cube=1, owner=None, lost=93.4, seconds=120.0)])
    write_report(notes, tmp_path / "report.json", "film.mp4")
    (gap,) = json.loads((tmp_path / "report.json").read_text("utf-8"))["gaps"]
    assert (gap["game"], gap["turn"], gap["seconds"], gap["lost"]) == (1, 3, 120.0, 93.4)
    page = (tmp_path / "report.html").read_text("utf-8")
    gaps, doubtful, folded = (page.index(text) for text in ("after turn 3", "game1-turn002.jpg", "<summary>Sure: 1"))
    assert gaps < doubtful < folded < page.index("game1-turn001.jpg")


def test_what_is_gone_on_with_has_its_turns_and_gaps() -> None:
    found = Found(position=position_id(START, Side.LIGHT), cube=1, owner=None, lost=5.0, seconds=9.0)
    before = noted()
    before.events([found])
    after = TranscriptNotes()
    after.go_on(before.kept(), [GameStarted(number=1), *(played(roll) for roll in ROLLS), found])
    assert after.kept() == before.kept()
    assert after.gaps() == before.gaps()


@pytest.mark.parametrize("name", ["report.txt", "no-folder/report.json"])
def test_a_report_that_could_not_be_written_is_refused_before_the_work(tmp_path: Path, name: str) -> None:
    with pytest.raises(ReportError, match="hoose"):
        check_report(tmp_path / name)
