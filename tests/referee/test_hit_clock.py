"""A turn ends with a hit on the clock while its dice still lie: they are nobody's next roll, and nothing odd."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import pytest

from controller.referee.commands import CommandError, HitClock, OfferDouble, Redo, SetScore, Take, Undo
from controller.referee.events import ClockSet, Flagged, Played, Resolved, Rolled
from controller.rules import MATCH, Position, Side, position_id
from controller.rules.position import from_mover
from controller.rules.ruleset import TurnRules
from tests.referee.table import OFFERED, OWNED_BY_LIGHT, Board, Dice, after_moves
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


def with_a_clock(turn_ends: Literal["lift", "clock"]) -> tuple[Board, Position]:
    """Light has opened; dark has thrown 6-5 and moved one checker three pips. The clock runs."""
    rules = replace(MATCH, turn=TurnRules(turn_ends))
    board = Board(rules=rules, clock=True)
    played(board, LIGHT, [(3, LIGHT), (1, DARK)], after_moves(board.position, LIGHT, (3, 1), (8, 5), (6, 5)))
    own = list(board.position.own(DARK))
    own[23], own[20] = own[23] - 1, own[20] + 1
    wrong = from_mover(DARK, tuple(own), board.position.own(LIGHT), 15)
    board.look(dice=thrown(DARK, 6, 5))
    board.look(wrong, thrown(DARK, 6, 5))
    return board, wrong


@pytest.mark.parametrize(("turn_ends", "flags"), [("lift", ["R05"]), ("clock", [])])
def test_until_the_clock_is_hit_a_play_may_be_changed_where_only_the_clock_ends_the_turn(
    turn_ends: Literal["lift", "clock"], flags: list[str]
) -> None:
    board, _ = with_a_clock(turn_ends)
    board.look(frames=3)
    assert [one.code for one in board.state.standing] == flags
    hit(board, DARK)
    assert [one.code for one in board.state.standing] == ["R05"]


def test_an_illegal_play_that_the_clock_was_hit_on_is_flagged_once_and_can_be_put_right() -> None:
    board, _ = with_a_clock("clock")
    before = board.state.position
    hit(board, DARK)
    board.look(frames=3)
    assert [one.code for one in board.heard(Flagged) if isinstance(one, Flagged)] == ["R05"]
    assert board.state.clock is not None
    assert (board.state.turn, board.state.clock.running) == (DARK, LIGHT)
    board.look(after_moves(before, DARK, (6, 5), (24, 18), (18, 13)))
    board.look(dice=thrown(LIGHT, 4, 2))
    assert [one.legal for one in board.heard(Played) if isinstance(one, Played)] == [True, True]
    assert [one.how for one in board.heard(Resolved) if isinstance(one, Resolved)] == ["put right"]
    assert (board.state.turn, board.state.standing) == (LIGHT, ())


def test_an_illegal_play_that_the_clock_was_hit_on_stands_after_the_next_roll() -> None:
    board, wrong = with_a_clock("clock")
    hit(board, DARK)
    board.look()
    board.look(dice=thrown(LIGHT, 4, 2))
    board.look(after_moves(wrong, LIGHT, (4, 2), (8, 4), (6, 4)), thrown(LIGHT, 4, 2))
    board.look()
    assert [one.legal for one in board.heard(Played) if isinstance(one, Played)] == [True, False, True]
    assert [one.how for one in board.heard(Resolved) if isinstance(one, Resolved)][:1] == ["stands"]


def test_after_a_start_of_the_program_the_hit_that_ends_a_turn_starts_the_clock() -> None:
    """Until 29 November it stood on, though the program had said that the button of whoever has played starts it."""
    before, _ = with_a_clock("lift")
    board = Board(events=before.session.held, rules=before.state.ruleset, shown=before.state.position)
    played(board, DARK, thrown(DARK, 6, 5), after_moves(board.position, DARK, (6, 5), (24, 18), (18, 13)))
    clock = board.state.clock
    assert clock is not None
    assert (board.state.turn, clock.running, clock.since) == (LIGHT, LIGHT, board.heard(ClockSet)[-1].seconds)


@pytest.mark.parametrize("thrown_since", [False, True])
def test_dice_that_lie_on_while_the_program_starts_anew_are_no_roll_of_the_opponents(*, thrown_since: bool) -> None:
    before, dice = with_a_clock("lift")[0], thrown(DARK, 6, 5)
    played(before, DARK, dice, after_moves(before.state.position, DARK, (6, 5), (24, 18), (18, 13)))
    dice = thrown(LIGHT, 6, 4) if thrown_since else dice
    board = Board(events=before.session.held, rules=before.state.ruleset, shown=before.position, dice=dice)
    board.look(dice=dice)
    assert rolls(board) == ([(LIGHT, (6, 4))] if thrown_since else [])
    assert board.heard(Flagged) == []
    board.look()
    board.look(dice=thrown(LIGHT, 4, 2))
    assert rolls(board)[-1] == (LIGHT, (4, 2))


def doubled(board: Board, cube: Literal["lies", "offered", "taken"]) -> None:
    """By word."""
    for command in {"lies": (), "offered": (OfferDouble(),), "taken": (OfferDouble(), Take())}[cube]:
        board.said += board.session.command(command, board.eyes.now + 0.5)


@pytest.mark.parametrize("starts", [1, 2])
@pytest.mark.parametrize("cube", ["lies", "offered", "taken"])
def test_dice_that_lie_on_under_the_cube_are_no_roll_after_a_start_of_the_program_nor_after_two(
    cube: Literal["lies", "offered", "taken"], starts: int
) -> None:
    """Until 30 November 2026 they were the roll of whoever had doubled; and of the next player where the clock stood already."""
    board, dice = Board(clock=True), [(3, LIGHT), (1, DARK)]
    played(board, LIGHT, dice, after_moves(board.position, LIGHT, (3, 1), (8, 5), (6, 5)))
    doubled(board, cube)
    at = {"cube": 64} if cube == "lies" else {"cube": 2, "cube_at": OWNED_BY_LIGHT if cube == "taken" else OFFERED}
    for _ in range(starts):
        board = Board(events=board.session.held, shown=board.position, dice=dice, **at)  # type: ignore[arg-type]
    board.look(dice=dice, frames=3)
    assert rolls(board) == []
    assert board.state.clock is not None
    running = LIGHT if cube == "offered" else DARK
    assert (board.state.turn, board.state.clock.running, board.state.clock.since) == (DARK, running, None)
    if cube == "offered":
        board.takes(LIGHT)
    played(board, DARK, thrown(DARK, 6, 5), after_moves(board.position, DARK, (6, 5), (24, 18), (18, 13)))
    assert (rolls(board), board.state.cube) == ([(DARK, (6, 5))], 1 if cube == "lies" else 2)
    assert board.heard(Flagged) == []
    assert (board.state.turn, board.state.clock.running) == (LIGHT, LIGHT)


def started_anew(board: Board, dice: Dice) -> Board:
    return Board(events=board.session.held, shown=board.position, dice=dice)


def test_dice_that_lie_on_are_no_roll_where_their_turn_holds_again_after_a_start_of_the_program() -> None:
    """Until 30 November 2026 they were the next player's."""
    board, dice = Board(clock=True), [(3, LIGHT), (1, DARK)]
    played(board, LIGHT, dice, after_moves(board.position, LIGHT, (3, 1), (8, 5), (6, 5)))
    board.said += board.session.command(Undo(), board.eyes.now)
    board = started_anew(board, dice)
    board.said += board.session.command(Redo(), board.eyes.now)
    board.look(dice=dice, frames=3)
    assert (rolls(board), board.state.turn) == ([], DARK)
    played(board, DARK, thrown(DARK, 6, 5), after_moves(board.position, DARK, (6, 5), (24, 18), (18, 13)))
    assert (rolls(board), len(board.state.turns), board.heard(Flagged)) == ([(DARK, (6, 5))], 2, [])


def test_a_hit_ends_the_turn_after_a_score_was_taken_back_and_set_again_over_a_start_of_the_program() -> None:
    """Until 30 November 2026 it was asked what was played, until something had moved on the board."""
    board, dice = Board(clock=True), [(3, LIGHT), (1, DARK)]
    board.look(dice=dice)
    board.said += board.session.command(SetScore(light=0, dark=0), board.eyes.now)
    board.look(after_moves(board.position, LIGHT, (3, 1), (8, 5), (6, 5)), dice)
    board.said += board.session.command(Undo(), board.eyes.now)
    board = started_anew(board, dice)
    board.said += board.session.command(Redo(), board.eyes.now)
    board.look(dice=dice)
    hit(board, LIGHT)
    assert (len(board.heard(Played)), board.state.turn) == (1, DARK)


def test_a_hit_before_anything_was_played_is_refused() -> None:
    board, _ = opened()
    board.look(dice=thrown(DARK, 6, 5))
    with pytest.raises(CommandError, match="no legal play"):
        hit(board, DARK)
    assert board.heard(Flagged) == []


def hit_before_the_board_rests(board: Board, side: Side, after: Position, dice: Dice) -> None:
    """The clock is hit while the hand still leaves the board."""
    board.session.moved()
    hit(board, side)
    board.look(after, dice)


def test_a_hit_that_comes_before_the_board_rests_ends_the_turn_that_is_seen_then() -> None:
    board, _ = with_a_clock("lift")
    board.look(board.state.position, thrown(DARK, 6, 5))
    after = after_moves(board.position, DARK, (6, 5), (24, 18), (18, 13))
    hit_before_the_board_rests(board, DARK, after, thrown(DARK, 6, 5))
    assert board.heard(Flagged) == []
    assert [one.after for one in board.heard(Played) if isinstance(one, Played)][1:] == [position_id(after, LIGHT)]
    clock = board.state.clock
    assert clock is not None
    assert (clock.running, board.state.turn) == (LIGHT, LIGHT)
    assert clock.since == next(e.seconds for e in board.said[::-1] if isinstance(e, ClockSet))


def test_a_hit_that_comes_before_the_board_rests_has_an_illegal_play_flagged_once() -> None:
    board, wrong = with_a_clock("clock")
    hit_before_the_board_rests(board, DARK, wrong, thrown(DARK, 6, 5))
    board.look(dice=thrown(DARK, 6, 5))
    assert [one.code for one in board.heard(Flagged) if isinstance(one, Flagged)] == ["R05"]


def test_a_hit_before_anything_was_played_is_forgotten() -> None:
    board, _ = opened()
    board.look(dice=thrown(DARK, 6, 5))
    hit_before_the_board_rests(board, DARK, board.position, thrown(DARK, 6, 5))
    board.look(after_moves(board.position, DARK, (6, 5), (24, 18), (18, 13)), thrown(DARK, 6, 5))
    assert board.heard(Flagged) == []
    assert len(board.heard(Played)) == 1
