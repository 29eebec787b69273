"""A double is refused without a word: the cube goes back or out of sight, the checkers are set up again, and a game is won."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import pytest

from controller.referee.events import Flagged, GameEnded, GameStarted, Passed, Rolled
from controller.referee.state import Phase
from controller.rules import Position, Side
from tests.referee.table import CENTRED, Board

LIGHT, DARK = Side.LIGHT, Side.DARK
START = Position.start()


def offered() -> Board:
    """Light has turned the cube in its third turn."""
    board = Board()
    board.opening(3, 1, (8, 5), (6, 5))
    board.turn(DARK, (6, 5), (24, 18), (18, 13))
    board.offers(2)
    assert board.state.phase is Phase.OFFERED
    return board


def cleared(board: Board, way: Literal["cube first", "together", "checkers first", "cube in the hand"]) -> None:
    """How the players go from the refused cube to the next game."""
    if way == "checkers first":
        board.look(START, frames=3)
    if way == "cube in the hand":
        see = board.eyes.look
        board.eyes.look = lambda *seen, **how: replace(see(*seen, **how), cube=None)  # type: ignore[method-assign]
    board.cube, board.cube_at = 64, CENTRED
    if way == "cube first":
        board.look(frames=3)
        assert board.heard(Passed) == []
    board.look(START, frames=3)


@pytest.mark.parametrize("way", ["cube first", "together", "checkers first", "cube in the hand"])
def test_the_game_is_won_at_the_old_value_and_the_next_one_begins(way: str) -> None:
    board = offered()
    cleared(board, way)  # type: ignore[arg-type]
    board.look(dice=[(5, LIGHT), (2, DARK)])
    assert [type(event) for event in board.heard(Passed, GameEnded, GameStarted)[1:]] == [
        Passed,
        GameEnded,
        GameStarted,
    ]
    assert (board.state.score.light, board.state.score.dark, board.state.score.game) == (1, 0, 2)
    assert board.heard(Rolled)[-1].side is LIGHT  # type: ignore[attr-defined]
    assert board.heard(Flagged) == []
