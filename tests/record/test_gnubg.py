"""GNU Backgammon imports what is written, without a complaint, to the same positions and results."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from controller.record.formats import write_record
from controller.record.gnubg import GnubgError, find_gnubg, run_gnubg
from controller.record.model import PlayAction, Record
from controller.rules import Side, match_from_id, position_from_id, position_id
from tests.record.examples import CRAWFORD, example_records, record, transcript
from tests.record.gnubg_reader import frames, gnubg_match, gnubg_matches, our_games, results, their_games


def imported(read: Record, path: Path) -> None:
    """Write, let GNU Backgammon read, compare."""
    write_record(read, path)
    match, printed = gnubg_match(path)
    assert "WARNING" not in printed
    same(match, read)


def same(match: dict[str, Any], read: Record) -> None:
    """What GNU Backgammon has read is what was written."""
    assert their_games(match) == our_games(read)
    assert results(match) == [(game.winner, game.points) for game in read.games]
    assert frames(match) == [(*game.score, game.crawford) for game in read.games]
    assert match["match-info"]["match-length"] == read.length


@pytest.mark.parametrize("ending", [".mat", ".sgf"])
@pytest.mark.parametrize("name", ["crawford", "money"])
def test_it_reads_the_same_match(name: str, ending: str, tmp_path: Path) -> None:
    imported(example_records()[name], tmp_path / f"match{ending}")


@pytest.mark.parametrize("ending", [".mat", ".sgf"])
def test_final_position_and_match_id_are_the_same(ending: str, tmp_path: Path) -> None:
    if find_gnubg() is None:
        pytest.skip("GNU Backgammon is not installed")
    text = CRAWFORD.split(" Game 2")[0].replace("                                   Wins 2 points\n", "")
    path = tmp_path / f"unfinished{ending}"
    read = record(text + "  4)                                21: 13/11 6/5\n")
    write_record(read, path)
    command = "import mat" if ending == ".mat" else "load match"
    (position, match), _ = run_gnubg(f'{command} "{path}"', "(gnubg.positionid(), gnubg.matchid())", 60)
    last = read.games[0].actions[-1]
    assert isinstance(last, PlayAction)
    # Jan, whose turn is next, is on roll in GNU Backgammon's ID.
    info = match_from_id(match)
    assert (info.length, info.score, info.cube, info.cube_owner, info.turn) == (3, (0, 0), 2, 1, 0)
    assert position == swapped(last.after)


def swapped(position: str) -> str:
    """The same position with the other player on roll."""
    return position_id(position_from_id(position, Side.DARK), Side.LIGHT)


@pytest.mark.parametrize("ending", [".mat", ".sgf"])
def test_moves_that_were_written_in_any_order(ending: str, tmp_path: Path) -> None:
    rows = ["62: 24/18 13/11 | 61: 13/7* 8/7", "11: 6/5 bar/24 6/5 24/23 | 64: 24/18 13/9", "21: 8/7* 6/4 |"]
    read = record(transcript(*rows))
    assert all(a.legal for a in read.games[0].actions if isinstance(a, PlayAction))
    imported(read, tmp_path / f"order{ending}")


HOSTILE = [
    "",
    ":",
    "a:b : 0",
    ",1500",
    "Jan,1500",
    "; [Site]",
    "Game 5",
    "Wins 2 points",
    "ř" * 300,
    "\u202e\x00\n\t",
    '"',
    "]",
    "\\",
    "\\]\\",
    "[W]",
    "x, 1500",
    "💥" * 10,
    "Љубица Ђорђевић 景山充人",
]


@pytest.mark.parametrize("ending", [".mat", ".sgf"])
def test_hostile_names_neither_crash_nor_corrupt_it(ending: str, tmp_path: Path) -> None:
    """Nor do hostile events, places and remarks."""
    before = record(CRAWFORD)
    paths = []
    for number in range(0, len(HOSTILE), 2):
        one, other = HOSTILE[number], HOSTILE[(number + 1) % len(HOSTILE)]
        left, right = before.players
        named = msgspec.structs.replace(
            before,
            players=(msgspec.structs.replace(left, name=one), msgspec.structs.replace(right, name=other)),
            event=other, round=one, place=other, transcriber=one, comment=other, clock=one,
        )  # fmt: skip
        paths.append(tmp_path / f"name{number}{ending}")
        write_record(named, paths[-1])
    matches, printed = gnubg_matches(paths)
    assert "WARNING" not in printed
    for match in matches:
        same(match, before)


@pytest.mark.parametrize("ending", [".mat", ".sgf"])
def test_an_illegal_play_stays_as_it_was_played(ending: str, tmp_path: Path) -> None:
    read = example_records()["illegal"]
    path = tmp_path / f"illegal{ending}"
    write_record(read, path)
    match, _ = gnubg_match(path)
    boards = [action.get("board") for action in match["games"][0]["game"] if action["action"] == "move"]
    assert boards[:4] == [a.before for a in read.games[0].actions if isinstance(a, PlayAction)][:4]


@pytest.mark.parametrize("ending", [".mat", ".sgf"])
def test_a_board_that_no_play_explains_is_set_up(ending: str, tmp_path: Path) -> None:
    board = "3;0;0;0;1;Jan;Eva;0;0;0;1;0;0;-2;0;0;0;0;5;0;3;0;0;0;-4;5;0;0;0;-3;0;-5;0;0;0;0;2;0;0;0;"
    read = record(transcript("31: 8/5 6/5 |", f"| 52: Illegal play ({board})", "64: 24/14 |"))

    played = [a for a in read.games[0].actions if isinstance(a, PlayAction)]
    assert [a.legal for a in played] == [True, False, True]
    path = tmp_path / f"board{ending}"
    write_record(read, path)
    match, _ = gnubg_match(path)
    boards = [action["board"] for action in match["games"][0]["game"] if action["action"] == "move"]
    assert boards == [played[0].before, played[2].before]


def test_it_is_stopped_when_it_takes_too_long() -> None:
    if find_gnubg() is None:
        pytest.skip("GNU Backgammon is not installed")
    with pytest.raises(GnubgError, match="was stopped"):
        run_gnubg("", "__import__('time').sleep(30)", 0.5)


def test_without_it_the_sentence_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controller.record.gnubg.find_gnubg", lambda: None)
    with pytest.raises(GnubgError, match="sudo apt install gnubg"):
        run_gnubg("", "1", 5)


def test_a_failing_run_gives_its_last_words() -> None:
    if find_gnubg() is None:
        pytest.skip("GNU Backgammon is not installed")
    with pytest.raises(GnubgError, match="no answer"):
        run_gnubg("", "undefined_name", 30)
