"""Checkers that are set up wrongly are told before anybody throws, whether or not the match has begun to be followed."""

from __future__ import annotations

import pytest

from controller.referee.commands import SetPosition
from controller.referee.events import Flagged, GameEnded, Played, Resolved, Why
from controller.referee.phrases import sentence
from controller.rules import Position, Side, legal_plays, position_id
from controller.rules.codes import Code, Wording
from tests.referee.table import Board
from tests.tracking.eyes import thrown

LIGHT, DARK = Side.LIGHT, Side.DARK
START = Position.start()
USUAL = {24: 2, 13: 5, 8: 3, 6: 5}
WRONG = {
    "a point off": (Position.of(light={24: 2, 13: 5, 8: 2, 7: 1, 6: 5}, dark=USUAL), "7, 8"),
    "one too many there": (Position.of(light=USUAL, dark={24: 2, 13: 5, 8: 4, 6: 4}), "17, 19"),
    "two points off": (Position.of(light={23: 2, 13: 5, 8: 3, 6: 5}, dark=USUAL), "23, 24"),
    "both alike": (Position.of(light={24: 2, 13: 3, 8: 5, 6: 5}, dark={24: 2, 13: 3, 8: 5, 6: 5}), "8, 12, 13, 17"),
}
FIRST_PLAYS = [(side, roll) for side in Side for roll in ((3, 1), (6, 5), (2, 1), (6, 2))]


def set_ups(board: Board) -> list[str]:
    found = [event for event in board.heard(Flagged) if isinstance(event, Flagged)]
    return [event.text for event in found if event.code == Code.WRONG_SET_UP]


def ends(board: Board) -> list[str]:
    return [event.how for event in board.heard(Resolved) if isinstance(event, Resolved)]


@pytest.mark.parametrize(("stands", "points"), WRONG.values(), ids=WRONG)
def test_a_set_up_that_is_wrong_from_the_first_look_is_told_and_put_right(stands: Position, points: str) -> None:
    board = Board(shown=stands)
    board.look()
    assert set_ups(board) == [f"Starting position differs on points {points}."]
    board.look(START)
    board.look()
    assert (ends(board), board.state.standing) == (["put right"], ())
    board.opening(3, 1, (8, 5), (6, 5))
    assert [(event.side, event.dice) for event in board.said if isinstance(event, Played)] == [(LIGHT, (3, 1))]
    assert len(set_ups(board)) == 1


def test_a_next_game_that_is_set_up_wrongly_is_told_before_anybody_throws() -> None:
    board = Board()
    board.opening(3, 1, (8, 5), (6, 5))
    board.offers(2)
    board.cube, board.cube_at = 64, (0.5, 0.5)
    stands, points = WRONG["a point off"]
    for _ in range(3):
        board.look(stands)
    assert set_ups(board) == [f"Starting position differs on points {points}."]
    board.look(START)
    board.opening(2, 6, (24, 18), (13, 11))
    assert [type(event) for event in board.heard(GameEnded)] == [GameEnded]
    assert board.state.standing == ()


def test_it_stands_once_they_play_on_from_it() -> None:
    stands, _ = WRONG["a point off"]
    board = Board(shown=stands)
    board.look()
    for side, roll in (
        (LIGHT, (6, 3)),
        (DARK, (5, 4)),
        (LIGHT, (6, 2)),
        (DARK, (4, 3)),
        (LIGHT, (5, 2)),
        (DARK, (6, 1)),
    ):
        moves = legal_plays(board.position, side, roll)[0].moves
        board.turn(side, roll, *[(move.source, move.target) for move in moves])
    assert set_ups(board)
    assert ends(board) == ["stands"]
    assert len(board.heard(Played)) >= 5


@pytest.mark.parametrize(("side", "roll"), FIRST_PLAYS)
def test_a_first_play_that_nobody_saw_is_no_wrong_set_up(side: Side, roll: tuple[int, int]) -> None:
    for play in legal_plays(START, side, roll):
        board = Board(shown=play.result)
        board.look()
        assert set_ups(board) == []


def test_nothing_is_said_while_dice_lie_there() -> None:
    board = Board(shown=START)
    board.look(WRONG["a point off"][0], thrown(LIGHT, 3, 1))
    board.look(dice=thrown(LIGHT, 3, 1))
    assert set_ups(board) == []


@pytest.mark.parametrize("roll", [(4, 4), (5, 4)])
def test_a_position_that_people_have_set_is_no_wrong_set_up_and_any_roll_is_played_from_it(
    roll: tuple[int, int],
) -> None:
    board = Board()
    stands = Position.of({13: 5, 8: 5, 6: 5}, {13: 5, 8: 5, 6: 5})
    board.said += board.session.command(SetPosition(position=position_id(stands, LIGHT)), 1.0)
    board.look(stands, frames=4)
    after = legal_plays(stands, LIGHT, roll)[0].result
    for position, dice in ((stands, thrown(LIGHT, *roll)), (after, thrown(LIGHT, *roll)), (after, ())):
        board.look(position, dice)
    assert board.heard(Flagged) == []
    (line,) = board.state.turns
    assert isinstance(line, Played)
    assert (line.side, line.dice, line.legal) == (LIGHT, roll, True)


@pytest.mark.parametrize("code", [Code.WRONG_SET_UP, Code.OTHER_SIDE_MOVED, Wording.MOVED_SINCE])
@pytest.mark.parametrize(
    ("points", "czech", "slovak"),
    [("8", "na klínu 8", "na kline 8"), ("8, 13", "na klínech 8, 13", "na klinoch 8, 13")],
)
def test_one_point_is_one_in_czech_and_slovak(code: str, points: str, czech: str, slovak: str) -> None:
    why = [Why(code, {"points": points, "side": "dark"})]
    assert czech in sentence(why, "cs")
    assert slovak in sentence(why, "sk")
    assert f"on points {points}" in sentence(why)  # as journals have it
