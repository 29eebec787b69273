"""The cube and resignations as a person tells them."""

from __future__ import annotations

from controller.referee.commands import CommandError, Resign
from controller.referee.events import Doubled, GameEnded, Passed, Taken
from controller.referee.game import Events, allow, refusal, refuse
from controller.referee.state import MatchState
from controller.referee.turns import Trigger
from controller.rules import Cube, Turn, may_double, may_resign, resigned_result


def offer_double(state: MatchState, seconds: float) -> Events:
    """The side on roll doubles. The rules have their say first: why not is theirs to tell."""
    side = state.turn
    if side is None or state.offered_to is not None:
        raise CommandError(refusal(state, Trigger.DOUBLED))
    cube = Cube(state.cube, state.owner)
    refuse(may_double(cube, side, Turn(side, state.dice is not None), state.score, state.ruleset), state)
    allow(state, Trigger.DOUBLED)
    return (Doubled(side=side, value=state.cube * 2, seconds=seconds),)


def answer_double(state: MatchState, seconds: float, *, taken: bool) -> Events:
    """The offered cube is taken, or refused: then the game is over."""
    side = state.offered_to
    if side is None:
        raise CommandError(refusal(state, Trigger.TAKEN))
    if taken:
        return (Taken(side=side, seconds=seconds),)
    end = GameEnded(winner=side.other, level=1, points=state.cube, ending="passed", seconds=seconds)
    return Passed(side=side, seconds=seconds), end


def resign(state: MatchState, command: Resign, seconds: float) -> Events:
    """That side has given the game up at a level, and the opponent has accepted."""
    rolled, on_roll = state.dice is not None, state.turn or command.side
    refuse(may_resign(command.level, command.side, on_roll, rolled, state.ruleset), state)
    result = resigned_result(
        state.position, command.side, command.level, state.cube, state.ruleset, owned=state.owner is not None
    )
    end = GameEnded(winner=result.winner, level=result.level, points=result.points, ending="resigned", seconds=seconds)
    return (end,)
