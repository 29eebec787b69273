"""The cube and resignations as a person tells them."""

from __future__ import annotations

from controller.referee.chouette_commands import given_up
from controller.referee.command_context import Events, allow, closed_out, passed_over, refuse, refused
from controller.referee.commands import CommandError, OfferResign, Resign
from controller.referee.events import (
    Beavered,
    Doubled,
    GameEnded,
    Passed,
    Raccooned,
    ResignOffered,
    ResignRefused,
    Taken,
)
from controller.referee.judging import answered_offers, answered_plays
from controller.referee.state import MatchState
from controller.referee.turns import Trigger
from controller.rules import (
    Side,
    TurnState,
    may_beaver,
    may_double,
    may_pass,
    may_raccoon,
    may_resign,
    resigned_result,
)


def offer_double(state: MatchState, seconds: float) -> Events:
    """The side on roll doubles. The rules have their say first: why not is theirs to tell."""
    side = state.turn
    if side is None or state.offered_to is not None:
        raise refused(state, Trigger.DOUBLED)
    if state.own_cubes:
        raise CommandError("Every player of the team has a cube of his own: say on which one is doubled.")
    shut = closed_out(state)
    skipped, state = passed_over(state, shut.other, seconds) if shut else ((), state)
    side = shut.other if shut else side
    refuse(
        may_double(state.cube_state, side, TurnState(side, state.dice is not None), state.score, state.ruleset), state
    )
    allow(state, Trigger.DOUBLED)
    return (*skipped, Doubled(side=side, value=state.cube * 2, seconds=seconds))


def answer_double(state: MatchState, seconds: float, *, taken: bool) -> Events:
    """What is offered is taken, or refused: then the game is over."""
    side = state.offered_to
    if side is None:
        raise refused(state, Trigger.TAKEN)
    answered = answered_offers(state, "stands", seconds)
    if taken:
        return Taken(side=side, seconds=seconds), *answered
    refuse(may_pass(state.cube_state, side, state.ruleset), state)
    end = GameEnded(winner=side.other, level=1, points=state.cube, ending="passed", seconds=seconds)
    return Passed(side=side, seconds=seconds), *answered, end


def double_again(state: MatchState, seconds: float, *, beaver: bool) -> Events:
    """A double is beavered, or a beaver raccooned."""
    side = state.offered_to
    if side is None:
        raise refused(state, Trigger.TAKEN)
    may = may_beaver if beaver else may_raccoon
    refuse(may(state.cube_state, side, state.ruleset), state)
    kind = Beavered if beaver else Raccooned
    return (kind(side=side, value=state.cube * 4, seconds=seconds),)


def offer_resign(state: MatchState, command: OfferResign, seconds: float) -> Events:
    """That side would give the game up; where the rules let nobody refuse, it has."""
    _check_resignation(state, command.side, command.level)
    if not state.ruleset.resign.may_refuse:
        return resign(state, command, seconds)
    return (ResignOffered(side=command.side, level=command.level, seconds=seconds),)


def answer_resign(state: MatchState, seconds: float, *, accepted: bool) -> Events:
    """The opponent accepts the resignation, or refuses it."""
    offer = state.resigning
    if offer is None:
        raise CommandError("Nobody offers to resign.")
    if accepted:
        return _given_up(state, offer.side, offer.level, seconds)
    return (ResignRefused(side=offer.side.other, seconds=seconds),)


def resign(state: MatchState, command: Resign | OfferResign, seconds: float) -> Events:
    """That side has given the game up at a level, and the opponent has accepted."""
    _check_resignation(state, command.side, command.level)
    offered = given_up(state, command.side, command.level, seconds)
    return *offered, *_given_up(state, command.side, command.level, seconds)


def _check_resignation(state: MatchState, side: Side, level: int) -> None:
    rolled, on_roll = state.dice is not None, state.turn or side
    refuse(may_resign(level, side, on_roll, state.ruleset, rolled=rolled), state)


def _given_up(state: MatchState, side: Side, level: int, seconds: float) -> Events:
    owned = state.owner is not None
    result = resigned_result(state.position, side, level, state.cube, state.ruleset, owned=owned)
    end = GameEnded(winner=result.winner, level=result.level, points=result.points, ending="resigned", seconds=seconds)
    return end, *answered_plays(state, "stands", seconds)
