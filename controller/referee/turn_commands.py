"""A turn as a person tells it: the roll, the play, and an illegal play that is let stand."""

from __future__ import annotations

from controller.referee.chouette_commands import waiting_for
from controller.referee.command_context import (
    CommandContext,
    Events,
    allow,
    closed_out,
    new_game,
    passed_over,
    refuse,
    refused,
)
from controller.referee.commands import AnswerFlag, Begin, CommandError, Draw, PlayTurn, Roll
from controller.referee.events import AnyEvent, Begins, Drawn, Exchanged, Resolved, Rolled, Skipped
from controller.referee.judging import PLAY_CODES, illegal, played, standing_plays, won
from controller.referee.policies import options
from controller.referee.spoken import SpokenPlay, spoken_play
from controller.referee.state import Flag, MatchState, Phase, ToPlay
from controller.referee.turns import Trigger
from controller.rules import RulesError, Side, decide_opening, reason
from controller.rules.codes import Code
from controller.tracking.hypothesis import Turn
from vision.sentence import Sentence


def draw(state: MatchState, command: Draw, seconds: float) -> Events:
    """One die each for the start; the dice are played at once where the rules say so."""
    begun, state = new_game(state, Trigger.DRAWN, seconds)
    allow(state, Trigger.DRAWN)
    try:
        opening = decide_opening(command.light, command.dark, state.ruleset)
    except RulesError as error:
        raise CommandError(error.sentence) from error
    if state.starter is not None:
        raise CommandError(
            "{name} begins by the draw: say the first roll, or take the draw back.", name=state.named(state.starter)
        )
    drawn = Drawn(light=command.light, dark=command.dark, seconds=seconds)
    if opening.starter is None or opening.dice is None:
        return (*begun, drawn)
    return (*begun, drawn, Rolled(side=opening.starter, dice=high_first(opening.dice), seconds=seconds))


def exchange_colours(state: MatchState, seconds: float) -> Events:
    """The higher die's choice of the other colour."""
    if not state.colours_open:
        raise CommandError(
            "Colours are chosen after the draw and before the first roll of a game, where the rules have it so."
        )
    return (Exchanged(seconds=seconds),)


def begin(state: MatchState, command: Begin, seconds: float) -> Events:
    """Who begins, where the players agree on that; said again, it is the last word that holds."""
    begun, state = new_game(state, Trigger.DRAWN, seconds)
    allow(state, Trigger.DRAWN)
    if state.ruleset.start.first != "agreed":
        raise CommandError("By these rules a draw says who begins.")
    return (*begun, Begins(side=command.side, seconds=seconds))


_WHO_BEGINS = {
    "high": "Say whose roll it is: the opening roll belongs to whoever threw the higher number.",
    "low": "Say whose roll it is: whoever drew the lower number begins, and rolls both dice afresh.",
    "agreed": "Say whose roll it is: by these rules the players agree who begins.",
}


def roll(state: MatchState, command: Roll, seconds: float) -> Events:
    """Sets or corrects the dice; after a game the next begins with them."""
    begun, state = new_game(state, Trigger.ROLLED, seconds)
    allow(state, Trigger.ROLLED)
    if waiting := waiting_for(state):
        raise CommandError("A double waits for its answer on the cube of {names}.", names=", ".join(waiting))
    opening = is_opening(state)
    shut = closed_out(state)
    starter = state.starter if state.phase is Phase.OPENING else None
    side = command.side or (shut.other if shut else state.turn) or starter
    if side is None and state.phase is Phase.FOUND:
        raise CommandError("Say whose roll it is: nobody saw whose turn came before.")
    if side is None:
        raise CommandError(_WHO_BEGINS[state.ruleset.start.first])
    skipped, state = passed_over(state, side, seconds)
    if not opening and side is not state.turn and state.phase is not Phase.FOUND:
        raise CommandError(
            "It is {name}'s turn. Take the last turn back first, or insert the missing one.",
            name=state.named(side.other),
        )
    if opening:
        check_opening(side, command.dice, state)
    return (*begun, *skipped, Rolled(side=side, dice=high_first(command.dice), seconds=seconds))


def is_opening(state: MatchState) -> bool:
    """The next roll is the first of the game, or the first that is known of it."""
    return state.phase is Phase.OPENING or (not state.turns and state.position == state.start)


def check_opening(side: Side, dice: tuple[int, int], state: MatchState) -> None:
    """Raises CommandError for whom the draw does not let begin, and for dice that open no game or are not those of the draw."""
    if state.draws and state.starter not in (None, side):
        refuse((reason(Code.OTHER_SIDE_BEGINS, side=side.other),), state)
    check_opening_dice(dice, state)
    drawn = decide_opening(*state.draws[-1], state.ruleset).dice if state.draws else None
    if drawn is not None and high_first(drawn) != high_first(dice):
        raise CommandError(
            "{name} begins with the dice of the draw, {dice}. If they were others, take the draw back and say it anew.",
            name=state.named(side),
            dice="-".join(map(str, high_first(drawn))),
        )


def check_opening_dice(dice: tuple[int, int], state: MatchState) -> None:
    """Raises CommandError for equal dice, where the first turn is played with those of the draw."""
    if dice[0] == dice[1] and state.ruleset.start.opening_dice == "draw":
        raise CommandError("Equal numbers don't open a game: both throw again.")


def play_turn(context: CommandContext, command: PlayTurn, seconds: float) -> Events:
    """Ends the turn in progress; without a word the board is what was played."""
    state, shut = context.state, closed_out(context.state)
    if shut is not None and not (command.notation or command.moves or command.after):
        return (Skipped(side=shut, seconds=seconds),)
    turn = state.to_play
    if turn is None:
        raise refused(state, Trigger.TURN_ENDED)
    spoken = SpokenPlay(command.notation, command.moves, command.after, command.stands, context.board)
    return ended(state, turn, spoken, seconds)


def ended(state: MatchState, turn: ToPlay, spoken: SpokenPlay, seconds: float, *, redo: bool = False) -> Events:
    """The turn as a person tells it, with what the referee says about it. redo: as in Played. Raises CommandError."""
    play, after = spoken_play(spoken, turn, state)
    done = Turn(turn.side, turn.dice, turn.before, after, play, roll_seen=True)
    line = played(state, done, seconds, by_hand=spoken.in_words, redo=redo)
    events: list[AnyEvent] = []
    numbers = [flag.number for flag in standing_plays(state, turn.side)]
    if play is None and not numbers:
        wrong = illegal(state, done, seconds)
        events.append(wrong)
        numbers.append(wrong.number)
    events.append(line)
    events += [Resolved(number=n, how="put right" if play else "stands", seconds=seconds) for n in numbers]
    return (*events, *won(state, turn.side, after, seconds))


def answer_flag(context: CommandContext, command: AnswerFlag, seconds: float) -> Events:
    """How a flag ended; an illegal play that is let stand ends the turn as the board shows it."""
    state = context.state
    flag = next((one for one in state.flags if one.number == command.number), None)
    if flag is None or flag.resolved is not None:
        number = command.number
        raise CommandError(
            "Flag {number} is answered already." if flag else "Flag {number} is not there.", number=number
        )
    allowed = options(flag.code, state.ruleset)
    if command.how not in allowed:
        raise CommandError("By these rules the answer can be: {answers}.", answers=tuple(map(Sentence, allowed)))
    answer = Resolved(number=flag.number, how=command.how, seconds=seconds)
    lets_stand = command.how in ("stands", "condoned") and flag.code in PLAY_CODES
    return (answer, *(_as_it_stands(context, flag, seconds) if lets_stand else ()))


def _as_it_stands(context: CommandContext, flag: Flag, seconds: float) -> Events:
    """The turn that the flag is of, if it is the one that is going on, as the board shows it."""
    turn, board = context.state.to_play, context.board
    if turn is None or turn.side is not flag.side or board is None or board == turn.before:
        return ()
    done = Turn(turn.side, turn.dice, turn.before, board, None, roll_seen=True)
    return (played(context.state, done, seconds), *won(context.state, turn.side, board, seconds))


def high_first(dice: tuple[int, int]) -> tuple[int, int]:
    """A roll as it is written."""
    return max(dice), min(dice)
