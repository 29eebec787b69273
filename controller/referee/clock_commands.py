"""The clock and breaks in the game, as people tell them."""

from __future__ import annotations

from controller.referee.command_context import CommandContext, Events
from controller.referee.commands import CommandError, HitClock
from controller.referee.events import ClockSet, GameEnded, Paused, Played
from controller.referee.judging import standing_plays
from controller.referee.policies import of_a_play
from controller.referee.spoken import SpokenPlay
from controller.referee.state import MatchState, ToPlay
from controller.referee.turn_commands import ended
from controller.rules import Position, judge
from controller.tracking.hypothesis import Turn


def hit_clock(context: CommandContext, command: HitClock, seconds: float) -> Events:
    """That side has hit its clock: its turn ends, if it is known what was played, and the other side's time runs."""
    state, side, turn = context.state, command.side, context.state.to_play
    done: Events = ()
    if turn is not None and turn.side is side and not context.unsettled:
        if context.board is None:
            raise CommandError("Say what was played: no camera sees the board.")
        done = _ended_by_a_hit(state, turn, context.board, seconds)
    clock = state.clock
    if clock is None or any(isinstance(event, GameEnded) for event in done):
        return done
    # Whoever has played may also hit a clock that stands, after a restart for example: the other side's runs on.
    stands = clock.running is not None and clock.since is None and not state.paused
    goes_on = clock.running is side and not any(isinstance(event, Played) for event in done)
    return (*done, ClockSet(running=side.other, seconds=seconds)) if stands or goes_on else done


def _ended_by_a_hit(state: MatchState, turn: ToPlay, board: Position, seconds: float) -> Events:
    """The turn that the hit ends; an illegal play is spoken of instead, and can be put right until the next roll. Refused
    where nothing has been played."""
    if board == turn.before or judge(turn.before, turn.side, turn.dice, board, state.ruleset).play is not None:
        return ended(state, turn, SpokenPlay(board=board), seconds)
    if standing_plays(state, turn.side):
        return ()
    return (of_a_play(state, Turn(turn.side, turn.dice, turn.before, board, None, roll_seen=True), seconds),)


def check_clock(length: int) -> None:
    """Raises CommandError where no clock can be kept."""
    if not length:
        raise CommandError("Single games have no clock: its reserve is reckoned from the length of the match.")


def start_clock(state: MatchState, seconds: float) -> Events:
    """The clock of whoever has something to do runs."""
    check_clock(state.score.length)
    if state.paused:
        raise CommandError("The game is paused, and its clock stands meanwhile: go on first.")
    side = state.offered_to or state.turn
    if side is None and state.clock is None:
        raise CommandError("No clock is kept in this match yet, and nobody is on roll: start it once somebody is.")
    if side is None:
        raise CommandError("The clock starts with the opening roll: nobody is on roll yet.")
    return (ClockSet(running=side, seconds=seconds),)


def stop_clock(state: MatchState, seconds: float) -> Events:
    """The clock stands still."""
    if state.clock is None:
        raise CommandError("No clock is kept in this match.")
    return (ClockSet(running=None, seconds=seconds),)


def pause(state: MatchState, seconds: float) -> Events:
    """Nothing counts until the players go on."""
    if state.paused:
        raise CommandError("The game is paused already.")
    return (Paused(on=True, seconds=seconds),)


def resume(state: MatchState, seconds: float) -> Events:
    """The players go on."""
    if not state.paused:
        raise CommandError("The game is going on already.")
    return (Paused(on=False, seconds=seconds),)
