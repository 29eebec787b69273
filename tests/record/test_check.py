"""A checked record names what is wrong in it, where, and leaves alone what stood."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import msgspec
import pytest

from controller.record.check import check
from controller.record.formats import parse_record
from controller.record.mat_writer import write_mat
from controller.record.model import (
    Game,
    PlayAction,
    Player,
    Record,
    RecordError,
    RefusedAction,
    ResignAction,
    SetAction,
    make_record,
)
from controller.record.native import encode_json
from controller.record.sgf_writer import write_sgf
from controller.record.table import write_csv
from controller.rules import (
    MATCH,
    PRESETS,
    Position,
    Side,
    is_closed_out,
    legal_plays,
    position_id,
    ruleset_from,
    ruleset_keys,
)
from tests.record.examples import CRAWFORD, ILLEGAL, MONEY, record, transcript

OPENING = "31: 8/5 6/5 | 64: 24/14"


def problems(*rows: str, length: int = 5, score: tuple[int, int] = (0, 0)) -> tuple[str, ...]:
    return check(record(transcript(*rows, length=length, score=score))).problems


@pytest.mark.parametrize("text", [CRAWFORD, MONEY])
def test_a_clean_record_has_no_problem(text: str) -> None:
    assert check(record(text)).problems == ()


def test_an_illegal_play_stands_is_marked_and_named_with_its_line() -> None:
    checked = check(record(ILLEGAL))
    play = checked.games[0].actions[2]
    assert isinstance(play, PlayAction)
    assert (play.legal, play.moves, play.flags) == (False, ((13, 7), (24, 22)), ("R05",))
    assert (
        checked.problems[0]
        == "line 6: game 1, Jan played 13/7 24/22 with 52, which is not legal: no die was left for 13/7."
    )
    # Eva's legal play hit, so Jan's next one leaves a checker on the bar.
    assert "line 7: game 1, Jan played" in checked.problems[1]
    assert "bar" in checked.problems[1]


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ([OPENING, "52: 13/8 | ", "| Wins 1 point"], "Jan played 13/8 with 52, which is not legal: Both numbers"),
        ([OPENING, "52: 24/19 13/11 |", "| Wins 1 point"], "Jan can't have played 24/19 13/11"),
        ([OPENING, "52: Cannot Move | 31: 8/5 6/5", "| Wins 1 point"], "Jan played nothing with 52"),
        ([OPENING, "52: 13/8 24/22 |", "65: 24/13 | Wins 1 point"], "a turn of Eva is missing"),
        ([OPENING, "Doubles => 2 | 64: 24/14", "| Wins 1 point"], "the offer of 2 was not answered"),
        ([OPENING, "Takes | 64: 24/14", "| Wins 1 point"], "takes where no double was offered"),
        ([OPENING, "Doubles => 2 |", "Takes | Wins 2 points"], "Jan takes the own offer"),
        ([OPENING, "Doubles => 2 | Doubles => 4", "Drops | Wins 2 points"], "although the offer of 2 was not answered"),
        ([OPENING, "Doubles => 2 | Drops", "52: 13/8 24/22 |", "Wins 1 point |"], "was over (a double was passed)"),
        ([OPENING, "Doubles => 4 | Takes", "| Wins 4 points"], "doubles to 4 with the cube at 1"),
        ([OPENING, "Doubles => 2 | Takes", "52: 13/8 24/22 | 31: 8/5 6/5", "Doubles => 4 | Drops", "Wins 2 points |"],
         "doubles without owning the cube"),
        ([OPENING, "Doubles => 2 | Beavers => 4", "Takes | Wins 4 points"], "beavers, which these rules don't allow"),
        ([OPENING, "| Doubles => 2", "Drops | Wins 1 point"], "a turn of Jan is missing"),
        (["Doubles => 2 | Drops", "Wins 1 point |"], "doubles before the first roll"),
        (["33: 8/5(2) 6/3(2) |", "| Wins 1 point"], "an opening roll has two different dice"),
        ([OPENING], "is not finished"),
        ([OPENING, "Doubles => 2 | Drops", "Wins 2 points |"], "it was worth 1 point, the record says 2"),
        ([OPENING, "| Wins 4 points"], "4 points can't be won by a resignation"),
        ([OPENING, "Wins 1 point | Wins 1 point"], "a second result"),
        ([OPENING, "Losses 1 point | Wins 2 points"], "one loses 1 point, the other wins 2"),
        ([OPENING, "| Wins 1 point and the match"], "did not end the match, as the record says; it is 0-1"),
        ([OPENING, "| Wins 0 points"], "0 points can't be won by a resignation with the cube at 1"),
        ([OPENING, "Doubles => 2 | Takes", "| Wins 1 point"], "1 point can't be won by a resignation with the cube at 2"),
        ([OPENING, "52: 13/8 24/22 | Resigns Gammon", "Wins 3 points |"], "it was worth 2 points, the record says 3"),
        ([OPENING, "52: 13/8 24/22 | Resigns (gammon)", "Wins 1 point |"], "it was worth 2 points, the record says 1"),
        ([OPENING, "Doubles => 2 | Declines", "Wins 1 point |"], "line 6: game 1: 'Declines' was not understood"),
        ([OPENING, "Doubles => 2 | Accept", "43: 24/20 13/10 |"], "line 6: game 1: 'Accept' was not understood"),
        ([OPENING, "| Wins 1 point by time"], "'by time' was not understood"),
        ([OPENING, "52: ???? he left | Wins 1 point"], "'he left' was not understood"),
        ([OPENING, "17: 8/7 | Wins 1 point"], "17 is no roll of two dice"),
        ([OPENING, "52: 13/x | Wins 1 point"], "the play '13/x' was not understood"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(rows: list[str], sentence: str) -> None:
    found = problems(*rows)
    assert any(sentence in problem for problem in found), found


@pytest.mark.parametrize("writer", [encode_json, write_sgf, write_mat])
def test_a_crawford_game_that_was_broken_off_is_still_to_be_played(writer: Callable[[Record], bytes]) -> None:
    read = record(CRAWFORD)
    first, crawford, after = read.games
    broken = msgspec.structs.replace(crawford, winner=None, points=None, actions=crawford.actions[:2])
    again = msgspec.structs.replace(read, games=(first, broken, crawford, after))
    found = parse_record(writer(again))
    assert [game.crawford for game in found.games] == [False, True, True, False]
    (problem,) = check(found).problems
    assert problem.endswith("game 2 is not finished.")


def test_a_double_in_the_crawford_game() -> None:
    found = problems(OPENING, "Doubles => 2 | Drops", "Wins 1 point |", length=3, score=(2, 0))
    assert any("doubles in the Crawford game" in problem for problem in found)


@pytest.mark.parametrize(
    ("length", "score", "sentence"),
    [
        (3, (2, 2), "can't be the Crawford game at 2-2"),
        (5, (4, 2), ""),
        (5, (3, 2), ""),
    ],
    ids=["level", "begun after it", "before it"],
)
def test_a_record_that_begins_late_in_a_match(length: int, score: tuple[int, int], sentence: str) -> None:
    """Whether it begins with the Crawford game or after it nobody can tell; at a level score it was played before."""
    text = transcript(OPENING, "Doubles => 2 | Drops", "Wins 1 point |", length=length, score=score)
    late = record(text.decode())
    (game,) = late.games
    assert game.crawford == ((length, score) == (5, (4, 2)))
    game = msgspec.structs.replace(game, crawford=(length, score) == (3, (2, 2)))
    found = check(msgspec.structs.replace(late, games=(game,))).problems
    assert any(sentence in problem for problem in found) if sentence else not found


def test_a_score_that_does_not_follow_is_kept_and_named() -> None:
    checked = check(record(CRAWFORD.replace("Jan Novák : 1 ", "Jan Novák : 2 ")))
    assert checked.games[2].score == (2, 2)
    assert checked.problems == ("line 23: game 3: the score says 2-2, the game before gives 1-2.",)


def test_a_row_that_is_missing() -> None:
    text = transcript(OPENING, "52: 13/8 24/22 | 31: 8/5 6/5", "21: 13/11 6/5 | Wins 1 point").replace(b"  2)", b"  3)")
    assert "row 3 follows row 1" in " ".join(check(record(text)).problems)


@pytest.mark.parametrize(
    ("rules", "announced", "problems"),
    [("", 2, 0), ("", 1, 0), ("", 3, 1), ("NoJacoby", 1, 1), ("Jacoby", 1, 0), ("Jacoby", 2, 1)],
)
def test_a_gammon_for_money_is_worth_what_its_rules_say(rules: str, announced: int, problems: int) -> None:
    """Where the session does not say whether the Jacoby rule holds, either result is believed."""
    text = f"(;GM[6]MI[length:0]RU[{rules}]RE[W+{announced}];AE[a:y]AW[a]AB{'[s]' * 15};W[31az])"
    checked = check(parse_record(text.encode()))
    assert len(checked.problems) == problems, checked.problems
    assert parse_record(write_sgf(checked)).jacoby == checked.jacoby


@pytest.mark.parametrize(
    ("missing", "sentence"), [(1, "game 2 follows no other"), (2, "game 3 follows game 1"), (3, "")]
)
def test_a_game_that_is_missing(missing: int, sentence: str) -> None:
    start, *games = CRAWFORD.split(" Game ")
    kept = [start, *(game for game in games if not game.startswith(str(missing)))]
    assert sentence in " ".join(check(record(" Game ".join(kept))).problems)


def test_the_winner_by_the_board_is_not_the_one_announced() -> None:
    found = problems(OPENING, "Doubles => 2 | Drops", "| Wins 1 point")
    assert any("gives it to the player who lost it" in problem for problem in found)


def test_another_rule_set_sees_another_game() -> None:
    text = transcript(OPENING, "52: 13/8 | 31: 8/5 6/5", "| Wins 1 point")
    nobody_must_move = replace(MATCH, move=replace(MATCH.move, compulsory=False))
    assert len(check(record(text)).problems) == 1
    assert check(record(text), nobody_must_move).problems == ()


def test_the_record_names_its_own_rule_set() -> None:
    # By text 004 whoever begins throws both dice afresh, so a game may begin with equal ones.
    text = transcript("33: 8/5(2) 6/3(2) | 64: 24/14", "| Wins 1 point", length=0)
    named = record(b'; [Rules "text-004"]\n' + text)
    assert named.rules == "text-004"
    assert not any("opening roll" in problem for problem in check(named).problems)
    assert any("opening roll" in problem for problem in check(named, MATCH).problems)
    assert any("opening roll" in problem for problem in check(record(text)).problems)


def test_a_record_whose_boards_do_not_follow_each_other() -> None:
    before = record(CRAWFORD)
    actions = before.games[0].actions
    game = msgspec.structs.replace(before.games[0], actions=(actions[0], *actions[2:]))
    found = check(msgspec.structs.replace(before, games=(game, *before.games[1:]))).problems
    assert any("begins from another board" in problem for problem in found)


def test_positions_that_are_none() -> None:
    before = record(CRAWFORD)
    play = msgspec.structs.replace(before.games[0].actions[0], before="nonsense")
    game = msgspec.structs.replace(before.games[0], actions=(play,))
    found = check(msgspec.structs.replace(before, games=(game,))).problems
    assert any("positions can't be read" in problem for problem in found)


def test_a_match_that_was_won_before_a_game_has_no_crawford_game_left() -> None:
    (problem,) = problems(OPENING, "| Wins 1 point", length=5, score=(5, 4))
    assert problem == "line 3: game 1: the match was already won at 5-4."


def test_a_board_that_no_moves_lead_to_is_named_by_itself() -> None:
    read = record(transcript(OPENING, "| Wins 1 point"))
    opening = read.games[0].actions[0]
    assert isinstance(opening, PlayAction)
    elsewhere = position_id(Position.of({24: 2, 13: 4, 12: 1, 8: 3, 6: 5}, {24: 2, 13: 5, 8: 3, 6: 5}), Side.LIGHT)
    for changed, sentence in (
        (msgspec.structs.replace(opening, moves=((24, 23), (13, 10))), "moves don't lead to the position recorded"),
        (msgspec.structs.replace(opening, after=elsewhere), f"left the board as {elsewhere} with 31, which no legal"),
    ):
        game = msgspec.structs.replace(read.games[0], actions=(changed, *read.games[0].actions[1:]))
        found = check(msgspec.structs.replace(read, games=(game,))).problems
        assert sentence in found[0], found


def test_a_gap_is_named_and_what_stands_after_it_holds() -> None:
    before = set_by_hand()
    game = before.games[0]
    set_so = game.actions[2]
    assert isinstance(set_so, SetAction)
    for changed, sentence in (
        (msgspec.structs.replace(set_so, gap=93.4), "goes on after a gap of 93 s in which nobody saw what was played."),
        (msgspec.structs.replace(set_so, position="nonsense"), "is on roll in a position that can't be read."),
    ):
        actions = (*game.actions[:2], changed, *game.actions[3:])
        again = msgspec.structs.replace(before, games=(msgspec.structs.replace(game, actions=actions),))
        found = check(again).problems
        assert found[0] == f"game 1, action 3, Jan Novák {sentence}"
        follows = not any("begins from another board" in problem for problem in found)
        assert follows is (changed.gap is not None)


def test_checking_twice_changes_nothing() -> None:
    once = check(record(ILLEGAL))
    again: Record = check(once)
    assert again == once


def set_by_hand() -> Record:
    """Between two plays somebody put another board up, with the cube on 4 at the left player's side."""
    before = record(CRAWFORD)
    first, second, *_ = before.games[0].actions
    board = "4HPiATDgc/ABEA"
    last = PlayAction(0, (5, 2), (), board, board, False, took=4.5)
    game = msgspec.structs.replace(
        before.games[0], actions=(first, second, SetAction(0, board, 4, 0), last), winner=None, points=None
    )
    return msgspec.structs.replace(before, games=(game,))


def test_a_board_that_was_set_by_hand_holds_from_then_on_and_is_named() -> None:
    found = check(set_by_hand()).problems
    assert found[0] == "game 1, action 3, Jan Novák is on roll where the board was set by hand to 4HPiATDgc/ABEA."
    assert found[1] == "game 1, action 3, Jan Novák is on roll where the cube was set by hand to 4."
    assert not any("begins from another board" in problem for problem in found)


@pytest.mark.parametrize("write", [encode_json, write_sgf, write_csv])
def test_a_board_that_was_set_by_hand_is_kept(write: Callable[[Record], bytes]) -> None:
    before = set_by_hand()
    after = parse_record(write(before))
    for one, other in zip(after.games[0].actions, before.games[0].actions, strict=True):
        kept = {"line": None} if write is not write_sgf else {"line": None, "took": None}
        assert msgspec.structs.replace(one, **kept) == msgspec.structs.replace(other, **kept)


def test_a_transcript_cannot_say_that_a_board_was_set() -> None:
    with pytest.raises(RecordError, match="In game 1 somebody set the board"):
        write_mat(set_by_hand())


def money_gammon(cube: int, owner: int | None, points: int) -> Record:
    """A money game with the Jacoby rule that a gammon ended; the cube was set before its first roll."""
    start = position_id(Position.of(light={1: 2}, dark={6: 15}), Side.LIGHT)
    last = position_id(Position.of(light={}, dark={6: 15}), Side.LIGHT)
    off = PlayAction(0, (2, 1), ((1, 0), (1, 0)), start, last, legal=True)
    laid = () if owner is None else (SetAction(0, cube=cube, owner=0),)
    game = Game((0, 0), False, 0, points, (*laid, off), start=start, cube=1 if laid else cube)
    players = (Player("Jan", "light"), Player("Eva", "dark"))
    return msgspec.structs.replace(make_record(players, (game,), 0), rules="money", jacoby=True)


def test_a_gammon_counts_single_by_the_jacoby_rule_while_nobody_owns_the_cube() -> None:
    """An automatic double leaves the cube in the middle, and the gammon single: 2 points, and not 4."""
    assert check(money_gammon(cube=2, owner=None, points=2)).problems == ()
    assert "it was worth 2 points" in check(money_gammon(cube=2, owner=None, points=4)).problems[-1]
    assert check(money_gammon(cube=2, owner=0, points=4)).problems[1:] == ()


CLOSED_OUT = Position.of(light={25: 1, 6: 14}, dark={1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2, 13: 3})


def dark_plays_twice(rules: str) -> Record:
    """Light is closed out, and dark has two turns in a row; then light gives up."""
    plays = []
    board = CLOSED_OUT
    for dice in ((2, 1), (2, 1)):
        play = next(
            play
            for play in legal_plays(board, Side.DARK, dice, PRESETS[rules])
            if is_closed_out(play.result, Side.LIGHT)
        )
        moves = tuple((move.source, move.target) for move in play.moves)
        before, after = position_id(board, Side.DARK), position_id(play.result, Side.DARK)
        plays.append(PlayAction(1, dice, moves, before, after, legal=True))
        board = play.result
    game = Game((0, 0), False, 1, 1, (*plays, ResignAction(0, 1)), start=position_id(CLOSED_OUT, Side.LIGHT))
    players = (Player("Jan", "light"), Player("Eva", "dark"))
    return msgspec.structs.replace(make_record(players, (game,), 7), rules=rules)


@pytest.mark.parametrize("rules", ["text-001", "text-003"])
def test_only_text_002_lets_a_closed_out_player_miss_his_turn(rules: str) -> None:
    assert check(dark_plays_twice("text-002")).problems == ()
    assert "a turn of Jan is missing" in check(dark_plays_twice(rules)).problems[0]


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        (["Zdvojnásobení na 2 | Bobr na 16", "Přijato | Vyhrává 16 bodů"], "beavers to 16 with the cube at 2"),
        (["Zdvojnásobení na 2 | Bobr na 4", "Mýval na 4 | Přijato"], "raccoons to 4 with the cube at 4"),
    ],
)
def test_a_beaver_doubles_what_was_offered_and_a_raccoon_the_beaver(rows: list[str], sentence: str) -> None:
    found = problems(OPENING, *rows, "Wins 4 points |", length=0)
    assert any(sentence in problem for problem in found), found


def test_a_beaver_and_a_raccoon_of_the_right_value_are_no_mistake() -> None:
    rows = ["Zdvojnásobení na 2 | Bobr na 4", "Mýval na 8 | Přijato", "52: 13/8 24/22 |", "| Vyhrává 8 bodů"]
    assert problems(OPENING, *rows, length=0) == ()


def test_one_beaver_a_game_where_the_rules_allow_one_and_none_refused_where_they_forbid_it() -> None:
    beaver = record(transcript(OPENING, "Doubles => 2 | Beavers => 4", "Drops | Wins 2 points", length=0))
    assert check(beaver).problems == ()
    strict = ruleset_from({"preset": "money", "cube": {"doubler_may_refuse": False}})
    assert "passes a beaver" in check(beaver, strict).problems[0]


RACCOON = (
    "Doubles => 2 | Beavers => 4",
    "Raccoons => 8 | Takes",
    "52: 13/8 24/22 | Doubles => 16",
    "Drops | Wins 8 points",
)


@pytest.mark.parametrize(
    ("rows", "keys", "sentence"),
    [
        (RACCOON, {"raccoon": True}, ""),
        (RACCOON, {"raccoon": True, "raccoon_owner": "doubler"}, "Eva doubles without owning the cube."),
        (RACCOON, {"raccoon": False}, "Jan raccoons, which these rules don't allow here."),
        (RACCOON, {"raccoon": True, "max": 8}, "Eva doubles to 16; the cube ends at 8."),
        (
            ("Doubles => 2 | Raccoons => 4", "Takes | Wins 4 points"),
            {"raccoon": True},
            "Eva raccoons, which these rules",
        ),
    ],
)
def test_a_raccoon_and_whose_the_cube_is_then_go_by_the_rules(
    rows: tuple[str, ...], keys: dict[str, bool | int | str], sentence: str
) -> None:
    found = check(
        record(transcript(OPENING, *rows, length=0)), ruleset_from({"preset": "money", "cube": keys})
    ).problems
    assert [sentence in problem for problem in found] == ([True] if sentence else []), found


@pytest.mark.parametrize(
    ("said", "rules", "wrong"),
    [
        ("", None, []),
        ("", "money", ["raccoons"]),
        ("", "text-004", ["beavers", "raccoons"]),
        ('; [Beaver "On"]\n', "text-004", ["raccoons"]),
        ('; [Beaver "On"]\n', None, []),
        ('; [Beaver "Off"]\n', None, ["beavers", "raccoons"]),
        ('; [Beaver "Off"]\n', "money", ["beavers", "raccoons"]),
    ],
)
def test_beavers_are_allowed_by_the_rules_that_are_given_and_by_what_the_record_says(
    said: str, rules: str | None, wrong: list[str]
) -> None:
    """Until 30 November rules that were given allowed what they forbid, in a money session."""
    text = said.encode() + transcript(OPENING, *RACCOON[:2], "| Wins 8 points", length=0)
    found = check(record(text), PRESETS[rules] if rules else None).problems
    assert [one.split()[5].rstrip(",") for one in found] == wrong, found


def test_a_resignation_was_refused_only_where_the_rules_let_it() -> None:
    read = record(transcript(OPENING, "| Wins 1 point"))
    game = read.games[0]
    asked = (*game.actions[:2], RefusedAction(0, 2), *game.actions[2:])
    read = msgspec.structs.replace(read, games=(msgspec.structs.replace(game, actions=asked),))
    assert check(read).problems == ()
    (problem,) = check(read, ruleset_from({"resign": {"may_refuse": False}})).problems
    assert problem.endswith("offered to give the game up, which these rules don't let the opponent refuse.")


def zones(points: int, ending: str) -> Record:
    """Text 000: dark has all home but two checkers on its 24 point when light's last is off, or when dark gives up."""
    before = Position.of(light={1: 1}, dark={24: 2, 6: 13})
    after = Position.of(light={}, dark={24: 2, 6: 13})
    off = PlayAction(0, (2, 1), ((1, 0),), position_id(before, Side.LIGHT), position_id(after, Side.LIGHT), legal=True)
    given_up = ResignAction(1, points)
    actions = (off,) if ending == "off" else (given_up,)
    game = Game((0, 0), False, 0, points, actions, start=position_id(before, Side.LIGHT))
    players = (Player("Jan", "light"), Player("Eva", "dark"))
    return msgspec.structs.replace(make_record(players, (game,), 0), rules="text-000")


def test_a_resigned_game_counts_the_checkers_as_they_stand_where_they_are_counted() -> None:
    assert check(zones(21, "off")).problems == ()
    assert "it was worth 21 points" in check(zones(3, "off")).problems[0]
    assert [p for p in check(zones(21, "resign")).problems if "no play" not in p] == []
    assert "3 points can't be won by a resignation" in check(zones(3, "resign")).problems[-1]


def test_games_after_the_agreed_number_are_named() -> None:
    rows = zones(21, "off")
    keys = ruleset_keys(ruleset_from({"preset": "text-000", "match": {"games": 1}}))
    second = msgspec.structs.replace(rows.games[0], score=(21, 0))
    both = msgspec.structs.replace(rows, games=(rows.games[0], second), rule_keys=keys)
    assert check(both).problems == ("game 2: the match was over after 1 game.",)


def test_a_checker_that_passes_over_a_blot_by_the_total_is_no_problem_where_only_the_end_hits() -> None:
    """Texts 000 and 004: 13/8 over a blot on 10 leaves it there, and the record's two steps say so."""
    rules = PRESETS["text-000"]
    before = Position.of(light={13: 1, 6: 5}, dark={15: 1, 6: 5})
    play = next(one for one in legal_plays(before, Side.LIGHT, (3, 2), rules) if one.result.light[7])
    moves = tuple((move.source, move.target) for move in play.moves)
    assert moves in (((13, 10), (10, 8)), ((13, 11), (11, 8)))
    ids = (position_id(before, Side.LIGHT), position_id(play.result, Side.LIGHT))
    over = PlayAction(0, (3, 2), ((13, 10), (10, 8)), *ids, legal=True)
    game = Game((0, 0), False, 0, 5, (over, ResignAction(1, 6)), start=ids[0])
    players = (Player("Jan", "light"), Player("Eva", "dark"))
    record = msgspec.structs.replace(make_record(players, (game,), 0), rules="text-000")
    assert [problem for problem in check(record).problems if "moves" in problem] == []


@pytest.mark.parametrize("row", ["52: 13/8 24/22 | Resigns Gammon ??", "52: Cannot\u00a0Move | Resigns (a gammon)"])
def test_what_is_usual_after_a_word_is_understood(row: str) -> None:
    found = problems("31: 8/5 6/5 | 64: 24/14", row, "Wins 2 points and the\u00a0match", length=2)
    assert not any("understood" in problem or "worth" in problem for problem in found), found


def test_a_capped_gammon_that_was_resigned_is_no_mistake() -> None:
    assert problems(OPENING, "52: 13/8 24/22 | Resigns Gammon", "Wins 1 point |", length=5, score=(4, 0))[1:] == ()


def test_a_level_and_points_that_contradict_each_other_are_named_in_every_format() -> None:
    read = record(transcript(OPENING, "52: 13/8 24/22 | Resigns Gammon", "Wins 2 points |"))
    *before, given_up = read.games[0].actions
    assert isinstance(given_up, ResignAction)
    odd = msgspec.structs.replace(given_up, points=3)
    game = msgspec.structs.replace(read.games[0], actions=(*before, odd), points=3)
    found = check(msgspec.structs.replace(read, games=(game,))).problems
    assert found == ("line 3: game 1: 3 points can't be won by a resignation with the cube at 1.",)


def test_a_match_to_one_point_knows_no_cube() -> None:
    found = problems(OPENING, "Doubles => 2 | Drops", "Wins 1 point |", length=1)
    assert found == ("line 6: game 1, Jan doubles in a match to one point, which knows no cube.",)


@pytest.mark.parametrize(
    ("dead", "score", "problems"), [("refused", (4, 0), 1), ("refused", (3, 0), 0), ("allowed", (4, 0), 0)]
)
def test_a_dead_cube_is_turned_only_where_the_rules_let_it(dead: str, score: tuple[int, int], problems: int) -> None:
    rules = ruleset_from({"preset": "match", "cube": {"dead": dead, "crawford": False}})
    read = record(transcript(OPENING, "Doubles => 2 | Drops", "Wins 1 point |", score=score))
    found = [problem for problem in check(read, rules).problems if "dead cube" in problem]
    assert len(found) == problems
