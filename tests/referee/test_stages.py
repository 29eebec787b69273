"""What a session remembers between two events: dice that were left lying, and how long nobody has seen the board."""

from __future__ import annotations

from copy import copy
from dataclasses import replace

import pytest

from controller.referee.commands import (
    AnyCommand,
    Confirm,
    Correct,
    HitClock,
    MarkTurn,
    PlayTurn,
    SetNames,
    SetPosition,
    SetScore,
    StopClock,
    Undo,
)
from controller.referee.events import Doubled, Flagged, Found, GameEnded, Played, Rolled
from controller.referee.stages import ClearView, LyingDice, only
from controller.rules import Position, Side, legal_plays, position_id
from tests.referee.table import Board, Dice, after_moves
from tests.rules.boards import board
from tests.tracking.eyes import Eyes, thrown

EYES = Eyes()
START = Position.start()
LIGHT, DARK = Side.LIGHT, Side.DARK
BESIDE_THE_GAME = (SetNames(light="Jana", dark="Pavel"), MarkTurn(turn=1, mark="?"), StopClock())
"""What people say while it goes on, and what changes nothing of it."""


def test_dice_that_were_left_lying_are_nobodys_roll_until_all_are_lifted() -> None:
    seen = EYES.look(START, thrown(Side.LIGHT, 6, 2))
    lying = LyingDice(seen.dice)
    lying, rest = lying.without(replace(seen, dice=(*seen.dice[:1], *EYES.look(START, thrown(Side.DARK, 5, 4)).dice)))
    assert [die.value for die in rest.dice] == [5, 4]
    assert lying == LyingDice(seen.dice)
    lying, rest = lying.without(EYES.look(START))
    assert (lying, rest.dice) == (LyingDice(), ())
    assert lying.without(seen) == (LyingDice(), seen)


def test_of_the_dice_that_may_lie_there_those_that_do_are_found_beside_those_of_the_turn() -> None:
    """Those that lie nearest to each other where more than two show a roll; older ones only where newer ones lie, too."""
    mine, last, before = thrown(LIGHT, 3, 3), thrown(DARK, 4, 3), thrown(LIGHT, 6, 5)
    seen = EYES.look(START, [*mine, *last])
    _, rest = LyingDice(rolls=((4, 3),), in_play=(3, 3)).without(seen)
    assert rest.dice == seen.dice[:2]
    waits = LyingDice(rolls=((4, 3), (6, 5)))
    assert waits.without(EYES.look(START, [*last, *before]))[1].dice == ()
    thrown_since = EYES.look(START, before)
    assert waits.without(thrown_since) == (LyingDice(), thrown_since)


def test_dice_on_the_bar_lie_there_as_long_as_those_of_the_turn() -> None:
    """A third pair, of which a start of the program forgets that nobody throws it: else it was an early roll."""
    seen = EYES.look(START, [*thrown(LIGHT, 4, 1), *thrown(DARK, 3, 4)])
    mine, others = seen.dice[:2], seen.dice[2:]
    assert only((4, 1), seen).dice == mine
    on_the_bar = tuple(replace(die, at=(0.48 + 0.04 * n, 0.1)) for n, die in enumerate(others))
    assert only((4, 1), replace(seen, dice=(*mine, *on_the_bar))).dice == (*mine, *on_the_bar)
    assert only((6, 5), seen) == seen


@pytest.mark.parametrize("ends", [PlayTurn(), HitClock(side=DARK)])
def test_dice_of_a_turn_that_a_word_has_ended_are_no_roll_after_a_start_of_the_program(ends: AnyCommand) -> None:
    """Until 30 November 2026 they were the next player's where no clock was kept."""
    table, dice = Board(), thrown(DARK, 6, 2)
    table.opening(3, 1, (8, 5), (6, 5))
    table.look(dice=dice)
    table.look(after_moves(table.position, DARK, (6, 2), (24, 18), (13, 11)), dice)
    table.session.command(ends, table.eyes.now)
    again = Board(events=table.session.held, shown=table.position, dice=dice)
    again.look(dice=dice, frames=3)
    assert again.said == []
    again.turn(LIGHT, (5, 4), (13, 8), (13, 9))
    assert [(roll.side, roll.dice) for roll in again.heard(Rolled)] == [(LIGHT, (5, 4))]
    assert not again.heard(Found, Flagged)


def test_a_throw_while_the_program_was_away_that_shows_what_was_thrown_before_it_counts() -> None:
    """Until 30 November 2026 it was taken for the dice of the turn before, which were seen to be lifted, and was nobody's roll."""
    table, dice = Board(), thrown(LIGHT, 6, 2)
    table.opening(3, 1, (8, 5), (6, 5))
    table.turn(DARK, (6, 2), (24, 18), (13, 11))
    again = Board(events=table.session.held, shown=table.position, dice=dice)
    assert [(roll.side, roll.dice) for roll in again.heard(Rolled)] == [(LIGHT, (6, 2))]
    again.look(legal_plays(again.position, LIGHT, (6, 2))[0].result, dice)
    again.look()
    assert [(turn.side, turn.dice, turn.roll_seen) for turn in again.heard(Played)] == [(LIGHT, (6, 2), True)]


def left_lying(table: Board, side: Side, roll: tuple[int, int], beside: Dice) -> Dice:
    """A turn whose thrower leaves his dice where they are, beside his opponent's; those dice."""
    dice = thrown(side, *roll)
    table.look(dice=[*dice, *beside])
    table.look(legal_plays(table.position, side, roll)[0].result, [*dice, *beside])
    return dice


def turns_of(table: Board) -> list[object]:
    return [(turn.side, turn.dice, turn.after) if isinstance(turn, Played) else turn for turn in table.state.turns]


@pytest.mark.parametrize("orderly", [False, True])
def test_players_who_leave_their_dice_until_they_throw_again_do_so_after_a_start_of_the_program(
    *, orderly: bool
) -> None:
    """Until 30 November 2026 their ways were forgotten, and the dice that lay there were rolls of this turn and early ones."""
    table = Board()
    table.opening(3, 1, (8, 5), (6, 5))
    dark = left_lying(table, DARK, (6, 2), [])
    light = left_lying(table, LIGHT, (5, 4), dark)
    dark = left_lying(table, DARK, (4, 3), light)
    light = left_lying(table, LIGHT, (6, 1), dark)
    stopped = copy(table.session)
    if orderly:
        stopped.broken_off(table.eyes.now, for_good=False)
    again = Board(events=stopped.held, shown=table.position, dice=[*light, *dark])
    for one in (table, again):
        left_lying(one, LIGHT, (6, 5), left_lying(one, DARK, (5, 3), light))
        one.look()
    assert turns_of(again) == turns_of(table)
    assert not again.heard(Found)


def test_a_player_who_takes_his_dice_up_to_throw_leaves_the_opponents_there_at_a_start_of_the_program() -> None:
    """Two dice lie there: whose they are, nobody has seen."""
    table = Board()
    table.opening(3, 1, (8, 5), (6, 5))
    dark = left_lying(table, DARK, (6, 2), [])
    light = left_lying(table, LIGHT, (5, 4), dark)
    table.look(dice=light)
    dark = left_lying(table, DARK, (4, 3), light)
    table.look(dice=dark)
    again = Board(events=table.session.held, shown=table.position, dice=dark)
    for one in (table, again):
        light = left_lying(one, LIGHT, (6, 1), dark)
        one.look(dice=light)
        left_lying(one, DARK, (5, 3), light)
        one.look()
    assert turns_of(again) == turns_of(table)
    assert not again.heard(Found)


def test_dice_that_lie_beside_those_of_the_turn_at_a_start_of_the_program_have_come_since_it_was_thrown() -> None:
    """Until 30 November 2026 they had lain there as long as those, and the game was not followed as the opponent played on."""
    table = Board()
    table.opening(3, 1, (8, 5), (6, 5))
    dark, light = left_lying(table, DARK, (4, 2), []), thrown(LIGHT, 6, 3)
    table.look(dice=[*light, *dark])
    again = Board(events=table.session.held, shown=table.position, dice=[*light, *dark])
    for one in (table, again):
        one.look(legal_plays(one.position, LIGHT, (6, 3))[0].result, [*light, *dark])
        left_lying(one, LIGHT, (4, 3), left_lying(one, DARK, (5, 1), light))
        one.look()
    assert turns_of(again) == turns_of(table)
    assert not again.heard(Found)


def test_the_view_is_blocked_since_the_last_still_look_or_the_first_of_all() -> None:
    still = EYES.look(START)
    moving = replace(still, still=False)
    view = ClearView()
    assert view.blocked_for(99.0) == 0.0
    view = view.after(replace(moving, seconds=0.0)).after(replace(moving, seconds=7.0))
    assert view.blocked_for(10.0) == 10.0
    view = view.after(replace(still, seconds=12.0)).after(replace(moving, seconds=15.0))
    assert view.blocked_for(20.0) == 8.0


@pytest.mark.parametrize("said", BESIDE_THE_GAME)
def test_what_was_taken_back_stays_so_whatever_is_said_beside_the_game_until_something_moves(said: AnyCommand) -> None:
    table = Board(clock=True)
    table.opening(3, 1, (8, 5), (6, 5))
    table.turn(DARK, (6, 2), (24, 18), (13, 11))
    table.session.command(Undo(), table.eyes.now)
    table.session.command(said, table.eyes.now)
    for _ in range(4):
        table.session.see(table.eyes.look(table.position))
    assert len(table.state.turns) == 1


def test_what_was_taken_back_stays_so_after_a_restart_until_something_moves() -> None:
    before = Board()
    before.opening(3, 1, (8, 5), (6, 5))
    before.turn(DARK, (6, 2), (24, 18), (13, 11))
    before.session.command(Undo(), before.eyes.now)
    table = Board(events=before.session.held, shown=before.position)
    table.look(frames=4)
    assert len(table.state.turns) == 1
    table.session.see(replace(table.eyes.look(table.position), still=False))
    after = Board(events=table.session.held, shown=table.position)
    for one in (table, after):
        one.session.see(replace(one.eyes.look(one.position), still=False))
        one.look(dice=thrown(LIGHT, 6, 1))
        assert len(one.state.turns) == 2


@pytest.mark.parametrize("said", BESIDE_THE_GAME)
def test_a_turn_that_waits_to_be_written_still_does_after_a_word_beside_the_game(said: AnyCommand) -> None:
    """Nobody has seen its dice; the opponent's next ones tell that it was played."""
    table = Board(clock=True)
    table.opening(3, 1, (8, 5), (6, 5))
    table.turn(DARK, (6, 2), (24, 18), (13, 11))
    table.look(legal_plays(table.position, LIGHT, (6, 4))[0].result)
    assert len(table.state.turns) == 2
    table.session.command(said, table.eyes.now)
    table.look(dice=thrown(DARK, 5, 2))
    assert not table.heard(Found)
    assert [turn.legal for turn in table.heard(Played)] == [True] * 3


def test_a_cube_is_looked_at_again_in_a_game_that_was_begun_unseen_after_the_crawford_game() -> None:
    last = board("1:1", "1:2")
    table = Board(length=3)
    table.session.command(SetScore(light=2, dark=0), table.eyes.now)
    table.session.command(SetPosition(position=position_id(last, DARK), turn=DARK), table.eyes.now)
    table.look(last)
    table.turn(DARK, (3, 1), (1, 0), (1, 0))
    assert table.heard(GameEnded)
    middle, side = board("24:1 18:1 13:4 8:3 7:1 6:4 5:1", "24:2 13:4 8:2 6:5 5:2"), LIGHT
    table.eyes.now += 200
    table.look(middle)
    for roll in ((4, 2), (5, 3), (6, 1), (4, 3)):
        moves = legal_plays(table.position, side, roll)[0].moves
        table.turn(side, roll, *((move.source, move.target) for move in moves))
        side = side.other
    assert table.heard(Found)
    table.offers(2)
    table.takes(DARK)
    table.look(dice=thrown(side, 5, 3))
    assert [one.value for one in table.heard(Doubled)] == [2]


@pytest.mark.parametrize("anew", [(6, 2), (5, 4)])
@pytest.mark.parametrize("lie", [True, False])
def test_a_turn_may_be_played_otherwise_or_thrown_again_after_a_start_of_the_program(
    anew: tuple[int, int], *, lie: bool
) -> None:
    """Its checkers are put back, with or without its dice. Until 30 November 2026 it stayed, and there was a gap."""
    before = Board()
    before.opening(3, 1, (8, 5), (6, 5))
    stood = before.position
    before.turn(DARK, (6, 2), (24, 18), (13, 11))
    table = Board(events=before.session.held, shown=before.position)
    table.look(stood, thrown(DARK, 6, 2) if lie else ())
    table.turn(DARK, anew, *{(6, 2): [(24, 18), (18, 16)], (5, 4): [(13, 8), (13, 9)]}[anew])
    table.turn(LIGHT, (4, 2), (8, 4), (6, 4))
    table.look()
    lines = [line for line in table.state.turns if isinstance(line, Played)]
    assert [(line.side, line.dice, line.redo) for line in lines] == [
        (LIGHT, (3, 1), False), (DARK, anew, True), (LIGHT, (4, 2), False),
    ]  # fmt: skip
    assert (table.heard(Found), table.heard(Flagged)) == ([], [])


@pytest.mark.parametrize("played", [False, True])
def test_a_turn_that_does_not_count_and_is_thrown_again_is_so_after_a_start_of_the_program(*, played: bool) -> None:
    """Its checkers are put back. Until 30 November 2026 both turns were written, the second as one more of the same player's, and
    what stood after it as against the rules."""
    table, dice = Board(), thrown(DARK, 5, 4)
    table.opening(3, 1, (8, 5), (6, 5))
    stood = table.position
    table.turn(DARK, (6, 2), (24, 18), (13, 11))
    table.look(stood)
    table.look(dice=dice)
    after = after_moves(stood, DARK, (5, 4), (13, 8), (13, 9))
    if played:
        table.look(after, dice)
    again = Board(events=table.session.held, shown=table.position, dice=dice)
    again.look(after, dice)
    again.look()
    again.turn(LIGHT, (4, 2), (8, 4), (6, 4))
    lines = [line for line in again.state.turns if isinstance(line, Played)]
    assert [(line.side, line.dice, line.redo) for line in lines] == [
        (LIGHT, (3, 1), False), (DARK, (5, 4), True), (LIGHT, (4, 2), False),
    ]  # fmt: skip
    assert (again.heard(Found), again.heard(Flagged)) == ([], [])


@pytest.mark.parametrize("said", [Confirm(turn=2), Correct(turn=2, notation="24/18 13/11")])
def test_a_turn_of_which_people_have_said_how_it_was_is_not_played_otherwise_after_a_start_of_the_program_either(
    said: AnyCommand,
) -> None:
    before = Board()
    before.opening(3, 1, (8, 5), (6, 5))
    before.turn(DARK, (6, 2), (24, 18), (13, 11))
    before.said += before.session.command(said, before.eyes.now)
    table = Board(events=before.session.held, shown=before.position)
    assert all(one.last is None for one, _ in table.session.tracker.belief.hypotheses)
