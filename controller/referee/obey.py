"""The one dispatcher of commands: from what a person says about the match being played to events.

    events = obey(Game(held, state, board), command, seconds)     # or CommandError with the sentence

Pure: the same match and command give the same events. What the turn machine or the rules forbid is refused with why.
"""

from __future__ import annotations

from controller.referee import commands as say
from controller.referee.chouette_commands import on_stake
from controller.referee.clock_commands import hit_clock, pause, resume, start_clock, stop_clock
from controller.referee.commands import AnyCommand, CommandError
from controller.referee.correction_commands import (
    confirm,
    correct,
    insert,
    mark_turn,
    redo,
    set_cube,
    set_names,
    set_position,
    set_score,
    undo,
)
from controller.referee.cube_commands import (
    answer_double,
    answer_resign,
    double_again,
    offer_double,
    offer_resign,
    resign,
)
from controller.referee.events import RoleSet
from controller.referee.game import Events, Game, allow
from controller.referee.turn_commands import answer_flag, draw, exchange_colours, play_turn, roll
from controller.referee.turns import Trigger

_NEEDED: dict[type[say.Command], Trigger] = {
    say.Take: Trigger.TAKEN,
    say.Pass: Trigger.PASSED,
    say.Beaver: Trigger.DOUBLED_AGAIN,
    say.Raccoon: Trigger.DOUBLED_AGAIN,
    say.Resign: Trigger.RESIGNED,
    say.OfferResign: Trigger.RESIGNED,
    say.AcceptResign: Trigger.RESIGNED,
    say.RefuseResign: Trigger.RESIGNED,
    say.SetCube: Trigger.CUBE_SET,
    say.SetScore: Trigger.SCORE_SET,
}
"""What the turn machine must allow before a command is looked at; the others ask it where it depends on more than the command."""


def obey(game: Game, command: AnyCommand, seconds: float) -> Events:
    """The events that follow from the command, perhaps none. Raises CommandError with the sentence why it is refused."""
    needed = _NEEDED.get(type(command))
    if needed is not None:
        allow(game.state, needed)
    match command:
        case say.Draw():
            return draw(game.state, command, seconds)
        case say.ExchangeColours():
            return exchange_colours(game.state, seconds)
        case say.Roll():
            return roll(game.state, command, seconds)
        case say.PlayTurn():
            return play_turn(game, command, seconds)
        case say.Correct():
            return correct(game, command, seconds)
        case say.Insert():
            return insert(game, command, seconds)
        case say.Confirm():
            return confirm(game, command, seconds)
        case say.MarkTurn():
            return mark_turn(game, command, seconds)
        case say.Undo():
            return undo(game, seconds)
        case say.Redo():
            return redo(game, seconds)
        case say.OfferDouble():
            return offer_double(game.state, seconds)
        case say.Take():
            return answer_double(game.state, seconds, taken=True)
        case say.Pass():
            return answer_double(game.state, seconds, taken=False)
        case say.Beaver():
            return double_again(game.state, seconds, beaver=True)
        case say.Raccoon():
            return double_again(game.state, seconds, beaver=False)
        case say.Resign():
            return resign(game.state, command, seconds)
        case say.OfferResign():
            return offer_resign(game.state, command, seconds)
        case say.AcceptResign():
            return answer_resign(game.state, seconds, accepted=True)
        case say.RefuseResign():
            return answer_resign(game.state, seconds, accepted=False)
        case say.Stake():
            return on_stake(game.state, command, seconds)
        case say.SetCube():
            return set_cube(game.state, command, seconds)
        case say.SetScore():
            return set_score(game.state, command, seconds)
        case say.SetPosition():
            return set_position(game.state, command, seconds)
        case say.AnswerFlag():
            return answer_flag(game, command, seconds)
        case say.HitClock():
            return hit_clock(game, command, seconds)
        case say.StartClock():
            return start_clock(game.state, seconds)
        case say.StopClock():
            return stop_clock(game.state, seconds)
        case say.Pause():
            return pause(game.state, seconds)
        case say.Resume():
            return resume(game.state, seconds)
        case say.SetRole(role=role):
            return () if role == game.state.role else (RoleSet(role=role, seconds=seconds),)
        case say.SetNames():
            return set_names(game.state, command, seconds)
        case say.NewMatch() | say.SetTable():
            raise CommandError("This can't be said in the middle of a match.")
