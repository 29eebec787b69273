"""The one dispatcher of commands: from what a person says about the match being played to events.

    events = obey(CommandContext(held, state, board), command, seconds)     # or CommandError with the sentence

Pure: the same match and command give the same events. What the turn machine or the rules forbid is refused with why.
"""

from __future__ import annotations

from controller.referee import commands as say
from controller.referee.chouette_commands import on_stake
from controller.referee.clock_commands import hit_clock, pause, resume, start_clock, stop_clock
from controller.referee.coaching import check_coach
from controller.referee.command_context import CommandContext, Events, allow
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
from controller.referee.turn_commands import answer_flag, begin, draw, exchange_colours, play_turn, roll
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


def obey(context: CommandContext, command: AnyCommand, seconds: float) -> Events:
    """The events that follow from the command, perhaps none. Raises CommandError with the sentence why it is refused."""
    needed = _NEEDED.get(type(command))
    if needed is not None:
        allow(context.state, needed)
    match command:
        case say.Draw():
            return draw(context.state, command, seconds)
        case say.ExchangeColours():
            return exchange_colours(context.state, seconds)
        case say.Begin():
            return begin(context.state, command, seconds)
        case say.Roll():
            return roll(context.state, command, seconds)
        case say.PlayTurn():
            return play_turn(context, command, seconds)
        case say.Correct():
            return correct(context, command, seconds)
        case say.Insert():
            return insert(context, command, seconds)
        case say.Confirm():
            return confirm(context, command, seconds)
        case say.MarkTurn():
            return mark_turn(context, command, seconds)
        case say.Undo():
            return undo(context, seconds)
        case say.Redo():
            return redo(context, seconds)
        case say.OfferDouble():
            return offer_double(context.state, seconds)
        case say.Take():
            return answer_double(context.state, seconds, taken=True)
        case say.Pass():
            return answer_double(context.state, seconds, taken=False)
        case say.Beaver():
            return double_again(context.state, seconds, beaver=True)
        case say.Raccoon():
            return double_again(context.state, seconds, beaver=False)
        case say.Resign():
            return resign(context.state, command, seconds)
        case say.OfferResign():
            return offer_resign(context.state, command, seconds)
        case say.AcceptResign():
            return answer_resign(context.state, seconds, accepted=True)
        case say.RefuseResign():
            return answer_resign(context.state, seconds, accepted=False)
        case say.Stake():
            return on_stake(context.state, command, seconds)
        case say.SetCube():
            return set_cube(context.state, command, seconds)
        case say.SetScore():
            return set_score(context.state, command, seconds)
        case say.SetPosition():
            return set_position(context.state, command, seconds)
        case say.AnswerFlag():
            return answer_flag(context, command, seconds)
        case say.HitClock():
            return hit_clock(context, command, seconds)
        case say.StartClock():
            return start_clock(context.state, seconds)
        case say.StopClock():
            return stop_clock(context.state, seconds)
        case say.Pause():
            return pause(context.state, seconds)
        case say.Resume():
            return resume(context.state, seconds)
        case say.SetRole(role=role):
            check_coach(role, context.state.ruleset)
            return () if role == context.state.role else (RoleSet(role=role, seconds=seconds),)
        case say.SetNames():
            return set_names(context.state, command, seconds)
        case say.NewMatch() | say.SetTable():
            raise CommandError("This can't be said in the middle of a match.")
