"""SGF is read and written as GNU Backgammon does it, and broken files are refused with the line."""

from __future__ import annotations

import msgspec
import pytest

from controller.record.model import PlayAction, Record, RecordError, ResignAction, RollAction
from controller.record.sgf_tree import escape, parse_sgf
from controller.record.sgf_writer import write_sgf
from controller.rules import Position, Side, position_id
from tests.record.examples import example_records, record

HAND = r"""(;FF[4]GM[6]CA[UTF-8]AP[Referee:1.0]MI[length:5][game:0][ws:0][bs:0]PW[Jan \] Novák: "Honza"]PB[Eva]
DT[2026-11-20]EV[Open]RO[Finále]PC[Praha]AN[stůl 3]GC[Clock 12 min]RU[Crawford]RE[W+1]
;W[31hefe]C[first
line]
;B[64aggk]
;W[double]
;B[drop])
(;FF[4]GM[6]MI[length:5][game:1][ws:1][bs:0]PW[Jan]PB[Eva]RU[Crawford]RE[B+2R]
;B[31qtst]
;W[64xrrn]
;PL[B]DI[52]
;W[double]WL[700]BL[650]
;B[double]
)"""


def test_properties_comments_and_cube() -> None:
    read = record(HAND)
    assert read.players[0].name == 'Jan ] Novák: "Honza"'
    assert (read.event, read.round, read.place, read.transcriber) == ("Open", "Finále", "Praha", "stůl 3")
    assert (read.date, read.comment, read.length) == ("2026-11-20", "Clock 12 min", 5)
    first = read.games[0].actions[0]
    assert isinstance(first, PlayAction)
    assert (first.moves, first.comment, first.line) == (((8, 5), (6, 5)), "first\nline", 3)
    assert [(game.score, game.winner, game.points) for game in read.games] == [((0, 0), 0, 1), ((1, 0), 1, 2)]
    assert [a.kind for a in read.games[1].actions] == ["play", "play", "roll", "double", "beaver", "resign"]


def test_blacks_letters_count_from_the_other_side() -> None:
    play = record(HAND).games[1].actions[0]
    assert isinstance(play, PlayAction)
    assert play.moves == ((8, 5), (6, 5))
    assert play.legal


def told(read: Record) -> list[object]:
    return [
        (game.score, game.crawford, game.winner, game.points,
         [msgspec.structs.replace(a, line=None, inferred=False) for a in game.actions])
        for game in read.games
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["crawford", "money", "illegal"])
def test_what_is_written_is_read_back(name: str) -> None:
    before = example_records()[name]
    after = record(write_sgf(before))
    assert told(after) == told(before)
    kept = ("length", "event", "date", "variation", "problems")
    assert [getattr(after, name) for name in kept] == [getattr(before, name) for name in kept]


def test_an_illegal_board_a_start_and_a_raised_cube_are_kept() -> None:
    before = example_records()["crawford"]
    start = Position.of(light={24: 2, 13: 5, 8: 3, 6: 4, 25: 1}, dark={24: 2, 13: 5, 8: 3, 6: 5})
    after = Position.of(light={24: 2, 13: 5, 8: 3, 6: 4, 21: 1}, dark={24: 2, 13: 5, 8: 2, 6: 5, 25: 1})
    ids = position_id(start, Side.LIGHT), position_id(after, Side.LIGHT)
    play = PlayAction(0, (3, 1), (), ids[0], ids[1], False)
    game = msgspec.structs.replace(
        before.games[0], actions=(play,), start=ids[0], cube=4, winner=None, points=None, line=None
    )
    read = record(write_sgf(msgspec.structs.replace(before, games=(game,)))).games[0]
    assert (read.start, read.cube, read.winner) == (ids[0], 4, None)
    assert told(record(write_sgf(msgspec.structs.replace(before, games=(game,))))) == told(
        msgspec.structs.replace(before, games=(game,))
    )


def test_variations_are_skipped_and_other_games_left_out() -> None:
    text = "(;GM[1]SZ[19];B[aa])(;GM[6]MI[length:1];W[31hefe](;B[64aggk](;W[52xvmh])(;W[66]))(;B[66]))"
    read = record(text)
    assert len(read.games) == 1
    assert [a.dice for a in read.games[0].actions if isinstance(a, PlayAction | RollAction)] == [(3, 1), (6, 4), (5, 2)]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("(;GM[6]\n;W[31hefe", "line 2"),
        ("(;GM[6]\n\n)\n)", "line 4"),
        ("(;GM[6];W[31hefe]", "ends in the middle"),
        ("(;GM[6]\n<W>)", "line 2"),
        ("(;[6])", "line 1"),
        ("(;GM[1])", "no backgammon"),
        ("(;" + "(;" * 10, "ends in the middle"),
    ],
)
def test_a_broken_file_is_refused_with_the_line(text: str, line: str) -> None:
    with pytest.raises(RecordError, match=line):
        record(text)


def test_a_play_that_is_no_play_is_a_problem_and_not_the_end() -> None:
    read = record("(;GM[6]MI[length:1]\n;W[31hefe]\n;B[64a]\n;W[hello])")
    assert isinstance(read.games[0].actions[1], RollAction)
    assert [problem.split(":")[0] for problem in read.problems] == ["line 3", "line 4"]


def test_depth_costs_no_stack() -> None:
    deep = "(;GM[6]" * 20_000 + ")" * 20_000
    assert len(parse_sgf(deep)) == 1


def test_a_value_survives_its_escaping() -> None:
    value = "a]b\\c:d[e"
    assert parse_sgf(f"(;C[{escape(value)}])")[0][0].first("C") == value


def test_a_resignation_is_seen_in_the_result() -> None:
    assert isinstance(record("(;GM[6]MI[length:3]RE[B+2R];W[31hefe])").games[0].actions[-1], ResignAction)
