"""A transcribed match that a person puts right: what follows is judged anew, and the record is written anew."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.record.formats import read_record
from controller.record.model import PlayAction, Record
from controller.referee.commands import AnyCommand, Confirm, Correct, Insert, Redo, Undo
from controller.referee.events import Confirmed
from controller.rules import Side
from controller.transcript.corrected import CorrectedReport
from controller.transcript.report import ReportError, Transcript, write_report
from tests.transcript.matches import misread
from web.operator import ReportLine


@pytest.fixture
def report(tmp_path: Path) -> Path:
    """The report of a match that was misread, its record beside it not yet written."""
    path = tmp_path / "report.json"
    write_report(path, Transcript("film.mp4", "game.json", misread()))
    return path


def plays(record: Record, game: int = 0) -> list[tuple[str, bool]]:
    """Positions that the turns of a game came to, and whether they were legal."""
    return [(one.after, one.legal) for one in record.games[game].actions if isinstance(one, PlayAction)]


def line(match: CorrectedReport, game: int, number: int) -> ReportLine:
    return next(one for one in match.report().lines if (one.game, one.line) == (game, number))


def test_what_is_in_doubt_comes_first_with_what_else_it_may_have_been(report: Path) -> None:
    lines = CorrectedReport(report).report().lines
    assert [(one.game, one.line, one.doubt) for one in lines[:4]] == [
        (2, 3, "gap"),
        (1, 3, "doubtful"),
        (1, 4, "doubtful"),
        (1, 1, None),
    ]
    assert [(one.notation, one.sure) for one in lines[1].others] == [("24/20 13/8", 0.37)]


def test_another_play_writes_the_record_anew_and_judges_what_follows(report: Path) -> None:
    match = CorrectedReport(report)
    (other,) = line(match, 1, 3).others
    assert match.command(Correct(game=1, turn=3, dice=other.dice, after=other.after)).ok
    assert line(match, 1, 3).notation == "24/20 13/8"
    # Black's reply is still a legal play, from another board; nothing of the second game has changed.
    assert [legal for _, legal in plays(read_record(match.output))] == [True] * 4
    assert line(match, 1, 4).notation == "24/23 13/9"
    assert [one.notation for one in CorrectedReport(report).report().lines if one.game == 2 and one.turn] == [
        "8/5 6/5",
        "24/18 13/11",
    ]


def test_a_correction_is_taken_back_and_holds_again(report: Path) -> None:
    match = CorrectedReport(report)
    assert not match.command(Undo()).ok
    match.command(Correct(game=1, turn=3, notation="24/20 13/8"))
    right = plays(read_record(match.output))
    assert match.command(Undo()).ok
    wrong = plays(read_record(match.output))
    assert wrong != right
    again = CorrectedReport(report)  # as after a restart
    assert again.report().redo
    assert again.command(Redo()).ok
    assert plays(read_record(match.output)) == right


@pytest.mark.parametrize(("game", "number"), [(1, 3), (1, 4)])
def test_a_turn_that_is_right_is_sure_from_then_on(report: Path, game: int, number: int) -> None:
    match = CorrectedReport(report)
    before = plays(read_record_of(match))
    assert match.command(Confirm(game=game, turn=number)).ok
    found = line(CorrectedReport(report), game, number)
    assert (found.doubt, found.sure, found.corrected) == (None, 1.0, True)
    record = read_record(match.output)
    assert plays(record) == before
    turn = record.games[game - 1].actions[number - 1]
    assert isinstance(turn, PlayAction)
    assert turn.confidence is None


def read_record_of(match: CorrectedReport) -> Record:
    """The record as it is written now."""
    match.command(Confirm(game=1, turn=1))
    return read_record(match.output)


def test_a_missed_turn_is_put_in_before_a_gap(report: Path) -> None:
    match = CorrectedReport(report)
    before = match.report().lines[0]
    assert match.command(Insert(game=2, turn=before.line, side=Side.LIGHT, dice=(4, 3), notation="24/20 13/10")).ok
    assert [one.notation for one in match.report().lines if one.game == 2 and one.turn][-1] == "24/20 13/10"
    assert match.report().lines[0].doubt == "gap"


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (Correct(game=1, turn=3, notation="8/1"), "8/1"),
        (Correct(game=3, turn=1, notation="8/5 6/5"), "no game 3"),
        (Correct(game=1, turn=40, notation="8/5 6/5"), "no line 40"),
    ],
)
def test_what_can_t_be_is_refused_and_changes_nothing(report: Path, command: AnyCommand, why: str) -> None:
    match = CorrectedReport(report)
    before = report.read_bytes()
    answer = match.command(command)  # type: ignore[arg-type]  # one of those that a report takes
    assert not answer.ok
    assert why in answer.sentence
    assert report.read_bytes() == before
    assert not match.output.exists()


def test_what_another_program_has_written_since_is_not_overwritten(report: Path) -> None:
    """The page of a report stays open in one window, and in another it is put right, or its recording transcribed anew."""
    match, other = CorrectedReport(report), CorrectedReport(report)
    for command in (
        Confirm(game=1, turn=3),
        Correct(game=1, turn=4, notation="13/11 13/9", stands=True),
        Undo(),
        Redo(),
    ):
        assert other.command(command).ok
    there = report.read_bytes()
    answer = match.command(Confirm(game=1, turn=4))
    assert (answer.ok, "Another program has written" in answer.sentence) == (False, True)
    assert report.read_bytes() == there


def test_a_report_whose_page_can_t_be_written_is_put_right_once_it_can(report: Path) -> None:
    match, page, there = CorrectedReport(report), report.with_suffix(".html"), report.read_bytes()
    page.unlink()
    page.mkdir()
    answer = match.command(Confirm(game=1, turn=3))
    assert (answer.ok, "Nothing was changed" in answer.sentence) == (False, True)
    assert report.read_bytes() == there
    page.rmdir()
    assert match.command(Confirm(game=1, turn=3)).ok


def test_a_record_that_can_t_be_written_is_said_and_the_report_keeps_the_correction(
    report: Path, tmp_path: Path
) -> None:
    match = CorrectedReport(report, tmp_path / "game.mat")  # MAT knows no gap
    assert match.command(Correct(game=1, turn=3, notation="24/20 13/8")).ok
    assert match.report().trouble
    assert line(CorrectedReport(report), 1, 3).notation == "24/20 13/8"


@pytest.mark.parametrize("name", ["report.json", "report.html"])
def test_the_record_never_takes_the_reports_place(report: Path, tmp_path: Path, name: str) -> None:
    with pytest.raises(ReportError, match=f"{name} would be the record and the report, too"):
        CorrectedReport(report, tmp_path / name)


@pytest.mark.parametrize("name", ["", "../game.json", "/etc/game.json", "game.exe"])
def test_a_report_names_no_file_elsewhere(tmp_path: Path, name: str) -> None:
    path = tmp_path / "report.json"
    write_report(path, Transcript("film.mp4", name, misread()))
    with pytest.raises(ReportError, match=r"-o FILE|choose a name"):
        CorrectedReport(path)
    assert CorrectedReport(path, tmp_path / "mine.json").output.name == "mine.json"


def test_a_report_from_anybody_may_call_a_gap_right(tmp_path: Path) -> None:
    """It is no turn: its record is written all the same."""
    path = tmp_path / "report.json"
    write_report(path, Transcript("film.mp4", "game.json", (*misread(), Confirmed(turn=3))))
    match = CorrectedReport(path)
    assert line(match, 2, 3).doubt == "gap"
    assert match.command(Confirm(game=1, turn=3)).ok
    assert match.report().trouble == ""
    assert len(read_record(match.output).games) == 2
