"""SGF is read and written as GNU Backgammon does it, and broken files are refused with the line."""

from __future__ import annotations

import msgspec
import pytest

from controller.record.board import checkers_of
from controller.record.check import check
from controller.record.model import (
    AnyAction,
    DoubleAction,
    PlayAction,
    Record,
    RecordError,
    ResignAction,
    RollAction,
    SetAction,
)
from controller.record.native import decode_json, encode_json
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


@pytest.mark.parametrize(
    ("said", "holds"),
    [("RU[Crawford]", True), ("RU[Nackgammon]", False), ("", False), ("AP[Vrhcab:1]", None), ("AP[other]", None)],
)
def test_gnubg_names_crawfords_rule_where_it_holds_and_says_nothing_where_it_does_not(
    said: str, holds: bool | None
) -> None:
    """In its matches without the rule a double one point before the end was said to be one in the Crawford game."""
    program = "" if said.startswith("AP") else "AP[GNU Backgammon:1.07.001]"
    read = record(
        f"(;FF[4]GM[6]{program}{said}MI[length:3][game:0][ws:2][bs:0]PW[Jan]PB[Eva];W[31hefe];B[double];W[take])"
    )
    assert (read.crawford_rule, read.games[0].crawford) == (holds, holds is not False and read.crawford_rule is None)


@pytest.mark.parametrize(("program", "on_roll"), [("GNU Backgammon:1.07.001", 1), ("Vrhcab:1", 0)])
def test_who_is_on_roll_where_gnubg_has_saved_a_board_that_was_set_is_whoever_throws_then(
    program: str, on_roll: int
) -> None:
    """It writes White, whoever that was in the file which it had read."""
    stood = "AE[a:y]AW[f][f][f][f][f][h][h][h][m][m][m][m][m][x][x]AB[s][s][s][s][s][q][q][q][o][l][l][l][l][a][a]"
    nodes = f";W[31hefe];PL[W]{stood};CV[2];CP[b];B[64aggk]"
    game = record(f"(;FF[4]GM[6]AP[{program}]MI[length:5]PW[Jan]PB[Eva]RU[Crawford]{nodes})").games[0]
    assert [(one.kind, one.player) for one in game.actions] == [("play", 0), *[("set", on_roll)] * 2, ("play", 1)]
    set_, play = game.actions[1], game.actions[3]
    assert isinstance(set_, SetAction)
    assert isinstance(play, PlayAction)
    assert (set_.position == play.before) == (on_roll == 1)


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


def test_spaces_and_line_ends_between_its_parts_mean_nothing() -> None:
    written = write_sgf(example_records()["crawford"])
    assert told(record(b"\n" + written.replace(b"(;", b"( \r\n;"))) == told(record(written))


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
    play = PlayAction(0, (3, 1), (), ids[0], ids[1], False, mark="?")
    game = msgspec.structs.replace(
        before.games[0], actions=(play,), start=ids[0], cube=4, winner=None, points=None, line=None
    )
    read = record(write_sgf(msgspec.structs.replace(before, games=(game,)))).games[0]
    assert (read.start, read.cube, read.winner) == (ids[0], 4, None)
    assert [action.mark for action in read.actions] == ["?"]
    assert told(record(write_sgf(msgspec.structs.replace(before, games=(game,))))) == told(
        msgspec.structs.replace(before, games=(game,))
    )


def test_variations_are_skipped_and_other_games_left_out() -> None:
    text = "(;GM[1]SZ[19];B[aa])(;GM[6]MI[length:1];W[31hefe](;B[64aggk](;W[52xvmh])(;W[66]))(;B[66]))"
    read = record(text)
    assert len(read.games) == 1
    assert [a.dice for a in read.games[0].actions if isinstance(a, PlayAction | RollAction)] == [(3, 1), (6, 4), (5, 2)]


START = position_id(Position.start(), Side.LIGHT)


@pytest.mark.parametrize(
    "ending",
    [
        (ResignAction(1, 2, 2, comment="no hope", mark="??"),),
        (ResignAction(1, 2),),
        (ResignAction(1, 2, comment="no hope"),),
        (RollAction(1, (6, 4), comment="stopped here", mark="?!"), ResignAction(1, 3, 3)),
        (
            SetAction(1, START, gap=12.34, comment="Gap of 12 s: nobody saw what was played.", mark="!?"),
            ResignAction(1, 1, 1),
        ),
    ],
)
def test_what_is_said_of_a_resignation_a_roll_and_a_board_is_kept(ending: tuple[AnyAction, ...]) -> None:
    before = example_records()["crawford"]
    given_up = ending[-1]
    assert isinstance(given_up, ResignAction)
    game = msgspec.structs.replace(
        before.games[0], actions=(*before.games[0].actions[:2], *ending), winner=0, points=given_up.points
    )
    written = msgspec.structs.replace(before, games=(game,))
    assert told(record(write_sgf(written))) == told(written)


def test_a_gap_before_a_games_first_action_is_kept() -> None:
    before = example_records()["crawford"]
    gap = SetAction(0, START, 2, 1, 30.0, comment="Gap of 30 s: nobody saw what was played.")
    game = msgspec.structs.replace(
        before.games[0], actions=(gap, *before.games[0].actions[:2]), winner=None, points=None
    )
    written = msgspec.structs.replace(before, games=(game,))
    assert told(record(write_sgf(written))) == told(written)


@pytest.mark.parametrize(
    ("root", "node", "on_roll"),
    [
        ("", "PL[B]", 1),
        ("", "PL[W]", 0),
        ("PL[B]", "", 1),
        ("", "", None),
        ("AP[GNU Backgammon:1.07.001]", "PL[W]", None),  # which it writes of every board
    ],
)
def test_who_is_on_roll_on_a_board_from_which_nothing_was_played_is_kept(
    root: str, node: str, on_roll: int | None
) -> None:
    read = record(f"(;FF[4]GM[6]MI[length:5][game:0][ws:2][bs:3]{root};{node}AE[a:y]AW[a][a][b]AB[x][x][w])")
    assert (read.games[0].start, read.games[0].on_roll) == ("CwAAsAAAAAAAAA", on_roll)
    for kept in (check(read), record(write_sgf(read)), decode_json(encode_json(read))):
        assert kept.games[0].on_roll == on_roll
    # Later the first action tells.
    assert record("(;GM[6];PL[B]AE[a:y]AW[a][a][b]AB[x][x][w];B[31xzxz])").games[0].on_roll is None


def test_seconds_of_a_gap_are_those_of_its_remark_where_nothing_else_says_them() -> None:
    """As in files of older versions, and in what GNU Backgammon has saved."""
    node = ";PL[W]AE[a:y]AW[f]AB[s]{}C[Gap of 12 s: nobody saw what was played.]"
    for own, seconds in (("", 12.0), ("GP[12.34]", 12.34), ("GP[a while]", 12.0)):
        set_ = record(f"(;FF[4]GM[6];W[31hefe]{node.format(own)})").games[0].actions[1]
        assert isinstance(set_, SetAction)
        assert set_.gap == seconds


def test_remarks_keep_their_lines_and_quotes() -> None:
    remark = 'Petr "Pepa"\\:\n\nsaid] so'
    before = example_records()["crawford"]
    action = msgspec.structs.replace(before.games[0].actions[0], comment=remark)
    game = msgspec.structs.replace(before.games[0], actions=(action, *before.games[0].actions[1:]), comment=remark)
    written = msgspec.structs.replace(before, games=(game,), comment=remark, event='"U Anny"')
    read = record(write_sgf(written))
    assert (read.comment, read.event, read.games[0].comment) == (remark, '"U Anny"', remark)
    assert read.games[0].actions[0].comment == remark


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


def test_a_cube_set_in_the_middle_counts_for_the_next_double() -> None:
    set_by_hand = "(;GM[6]MI[length:0];W[31hefe];B[64aggk];PL[W]CV[4]CP[w];W[double];B[take];W[52mhxv])"
    read = record(set_by_hand)
    assert [a.value for a in read.games[0].actions if isinstance(a, DoubleAction)] == [8]
    assert not any("with the cube at" in problem for problem in check(read).problems)


@pytest.mark.parametrize(
    ("nodes", "cube"),
    [
        (";CV[2];CP[w]", (2, 0)),
        (";CP[b];CV[4]", (4, 1)),
        (";CV[2]CP[c]", (2, None)),
        (";CV[8]", (8, None)),
        ("", (1, None)),
    ],
)
def test_value_and_owner_of_the_cube_may_stand_in_a_node_each(nodes: str, cube: tuple[int, int | None]) -> None:
    """As GNU BG writes them, before a game and within it."""
    (before,) = record(f"(;GM[6]MI[length:0]{nodes};W[31hefe])").games
    assert (before.cube, before.owner) == cube
    (within,) = record(f"(;GM[6]MI[length:0];W[31hefe]{nodes};B[64aggk])").games
    laid = [a for a in within.actions if isinstance(a, SetAction)]
    assert [(a.player, a.cube, a.owner) for a in laid[-1:]] == ([(1, *cube)] if nodes else [])
    assert not any("missing" in problem for problem in check(record(f"(;GM[6];W[31hefe]{nodes};B[64aggk])")).problems)


def test_the_owner_of_a_cube_stays_where_only_its_value_is_set() -> None:
    (game,) = record("(;GM[6]MI[length:0];W[31hefe];B[double];W[take];CV[8];B[64aggk])").games
    assert [(a.cube, a.owner) for a in game.actions if isinstance(a, SetAction)] == [(8, 0)]


def test_players_and_a_length_that_change_are_named() -> None:
    first = "(;GM[6]MI[length:3][game:0][ws:0][bs:0]PW[Jan]PB[Eva]RE[W+1R];W[31hefe])\n"
    second = "(;GM[6]MI[length:{}][game:1][ws:1][bs:0]PW[{}]PB[{}];W[31hefe])"
    assert record(first + second.format(3, "Jan", "Eva")).problems == ()
    assert record(first + second.format(3, "Eva", "Jan")).problems == (
        "line 2: game 2: the players are Eva and Jan here.",
    )
    assert record(first + second.format(5, "Jan", "Eva")).problems == (
        "line 2: game 2: the length of the match is 5 here, not 3.",
    )


@pytest.mark.parametrize(
    ("word", "checkers", "problems"),
    [
        ("Hypergammon3", 3, 0),
        ("Hypergammon1", 15, 1),
        ("Crawford:Hypergammon2", 15, 1),
        ("Nackgammon", 15, 0),
        ("Jacoby", 15, 0),
    ],
)
def test_a_variation_that_is_not_known_is_named(word: str, checkers: int, problems: int) -> None:
    read = record(f"(;GM[6]MI[length:0]RU[{word}];W[65xrxs])")
    assert checkers_of(read.variation) == checkers
    assert sum("is not known; read from the usual start" in problem for problem in read.problems) == problems


def test_a_backgammon_with_three_checkers_a_side_stays_one() -> None:
    start = "AE[a:y]AW[a][a][a]AB[a][b][c]"
    text = f"(;GM[6]MI[length:0]RU[NoJacoby:Hypergammon3]RE[W+3];{start};W[21azaz];B[21ab];W[65az])"
    (game,) = check(record(text)).games
    assert (game.winner, game.points) == (0, 3)
    again = check(record(write_sgf(record(text))))
    assert [(game.winner, game.points) for game in again.games] == [(0, 3)]
    assert [p for p in again.problems if "worth" in p or "checkers" in p] == []


def test_a_board_of_too_many_checkers_for_the_variation_is_not_read() -> None:
    read = record("(;GM[6]MI[length:0]RU[Hypergammon3];AE[a:y]AW[a][a][a][a]AB[a];W[21azaz])")
    assert read.problems == ("line 1: game 1: a set-up can't be read.",)
