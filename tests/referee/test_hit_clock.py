"""A turn ends with a hit on the clock while its dice still lie: they are nobody's next roll, and nothing odd."""

from __future__ import annotations

import pytest

from controller.referee.commands import HitClock
from controller.referee.events import Flagged, Played, Rolled
from controller.rules import Position, Side
from tests.referee.table import Board, Dice, after_moves
from tests.tracking.eyes import thrown

LIGHT, DARK = Side.LIGHT, Side.DARK


def hit(board: Board, side: Side) -> None:
    board.said += board.session.command(HitClock(side=side), board.eyes.now + 0.5)


def played(board: Board, side: Side, dice: Dice, after: Position) -> None:
    """The dice are thrown, the play is made, the clock is hit, and the dice lie on."""
    board.look(dice=dice)
    board.look(after, dice)
    hit(board, side)
    board.look(dice=dice, frames=3)


def opened() -> tuple[Board, Dice]:
    """The opening turn, one die of it in each half."""
    board, dice = Board(), [(3, LIGHT), (1, DARK)]
    played(board, LIGHT, dice, after_moves(board.position, LIGHT, (3, 1), (8, 5), (6, 5)))
    return board, dice


def rolls(board: Board) -> list[tuple[Side, tuple[int, int]]]:
    return [(one.side, one.dice) for one in board.heard(Rolled) if isinstance(one, Rolled)]


def test_dice_that_lie_on_are_no_roll_of_the_opponents_and_not_astray() -> None:
    board, _ = opened()
    assert rolls(board) == [(LIGHT, (3, 1))]
    assert len(board.heard(Played)) == 1
    assert board.heard(Flagged) == []
    assert (board.state.turn, board.state.dice) == (DARK, None)


@pytest.mark.parametrize("lifted", [True, False])
def test_the_next_roll_counts_whether_or_not_the_old_dice_were_lifted_first(lifted: bool) -> None:
    board, _ = opened()
    if lifted:
        board.look()
    after = after_moves(board.position, DARK, (6, 5), (24, 18), (18, 13))
    played(board, DARK, thrown(DARK, 6, 5), after)
    board.look(dice=[*thrown(DARK, 6, 5), *thrown(LIGHT, 4, 2)])
    assert rolls(board) == [(LIGHT, (3, 1)), (DARK, (6, 5)), (LIGHT, (4, 2))]
    assert len(board.heard(Played)) == 2
    assert board.heard(Flagged) == []


def test_the_same_numbers_thrown_elsewhere_are_a_new_roll() -> None:
    board, _ = opened()
    played(board, DARK, thrown(DARK, 4, 2), after_moves(board.position, DARK, (4, 2), (8, 4), (6, 4)))
    board.look(dice=thrown(LIGHT, 4, 2))
    assert rolls(board)[-1] == (LIGHT, (4, 2))
