"""Boards that players leave against the rules are among those that the tracker thinks of."""

from __future__ import annotations

from controller.rules import Position, Side, legal_plays
from controller.tracking.slips import left_lying, slips

START = Position.start()


def moved(position: Position, *moves: tuple[int, int]) -> Position:
    """After light has moved so, whatever lies there: two colours may meet."""
    light = list(position.light)
    for source, target in moves:
        light[source - 1] -= 1
        light[target - 1] += 1
    return Position(tuple(light), position.dark)


def test_one_die_played_twice_and_the_other_not() -> None:
    assert moved(START, (13, 8), (13, 8)) in slips(START, Side.LIGHT, (5, 3))


def test_a_held_point_taken_with_the_last_of_four_moves() -> None:
    assert moved(START, (6, 5), (6, 5), (8, 7), (13, 12)) in slips(START, Side.LIGHT, (1, 1))


def test_legal_boards_are_among_them_and_the_untouched_one_is_not() -> None:
    for roll in ((3, 1), (6, 5), (2, 2)):
        boards = slips(START, Side.LIGHT, roll)
        assert {play.result for play in legal_plays(START, Side.LIGHT, roll)} <= boards
        assert START not in boards


def test_a_hit_checker_that_nobody_took_away() -> None:
    blot = Position.of(light={8: 2, 6: 13}, dark={18: 1, 6: 14})
    hitting = next(play for play in legal_plays(blot, Side.LIGHT, (2, 1)) if any(move.hit for move in play.moves))
    (board,) = left_lying(hitting, Side.LIGHT)
    assert board.dark == blot.dark
    assert board.light == hitting.result.light
