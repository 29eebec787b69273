"""A chouette as a person tells it: what is done with each team player's own cube."""

from __future__ import annotations

from controller.referee.command_context import Events, closed_out, in_words, passed_over, refused
from controller.referee.commands import CommandError, Stake
from controller.referee.events import GameEnded, ResignOffered, TeamCube
from controller.referee.folding import apply
from controller.referee.state import MatchState
from controller.referee.turns import Trigger, may
from controller.rules import CubeError, RulesError, Side, TurnState, act_on_stake


def waiting_for(state: MatchState) -> tuple[str, ...]:
    """The team players on whose cubes an offer waits for its answer."""
    stakes = state.chouette.stakes if state.chouette and state.own_cubes else ()
    return tuple(stake.player for stake in stakes if stake.cube.offered_by is not None and stake.points is None)


def may_double(state: MatchState) -> Side | None:
    """Whose turn it is to double on a team player's cube: whoever is closed out is passed over."""
    shut = closed_out(state)
    return shut.other if shut else state.turn


def on_stake(state: MatchState, command: Stake, seconds: float) -> Events:
    """Something is done with a team player's cube. Where nobody is in the game any more it is over."""
    skipped: Events = ()
    if command.act == "double" and (doubling := may_double(state)) is not None:
        skipped, state = passed_over(state, doubling, seconds)
    game, side = state.chouette, state.turn
    if game is None or not state.own_cubes:
        raise CommandError("No player has a cube of his own here.")
    if side is None or not may(state.phase, Trigger.STAKED):
        raise refused(state, Trigger.STAKED)
    if command.player not in [stake.player for stake in game.stakes]:
        raise CommandError("Nobody of the team is called {name}.", name=command.player)
    cube = game.stake(command.player).cube
    actor = side if command.act == "double" else cube.answering or side
    try:
        act_on_stake(game, command.player, command.act, TurnState(side, state.dice is not None), state.ruleset)
    except CubeError as error:
        raise CommandError("", in_words(error.reasons, state)) from error
    except RulesError as error:
        raise CommandError(error.sentence) from error
    done = TeamCube(player=command.player, act=command.act, side=actor, seconds=seconds)
    after = apply(state, done)
    if after.chouette is None or not after.chouette.over:
        return (*skipped, done)
    # Every cube is settled already, so the board itself is given up for nothing more.
    end = GameEnded(winner=actor.other, level=1, points=1, ending="resigned", seconds=seconds)
    return *skipped, done, end


def given_up(state: MatchState, side: Side, level: int, seconds: float) -> Events:
    """The level that is offered, kept for the cubes of the team: without a double on one the Jacoby rule counts it once."""
    return (ResignOffered(side=side, level=level, seconds=seconds),) if state.own_cubes else ()
