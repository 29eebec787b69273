"""What waits: turns that were seen and that nobody has written down yet; what of them comes before a word, and what after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from itertools import takewhile

from controller.referee.as_written import written_of
from controller.referee.command_context import CommandContext, Events
from controller.referee.commands import (
    AnyCommand,
    CommandError,
    Correct,
    Insert,
    OfferDouble,
    OfferResign,
    PlayTurn,
    Resign,
    Roll,
    SetCube,
    SetScore,
)
from controller.referee.decide import decide
from controller.referee.events import Played
from controller.referee.folding import apply, fold
from controller.referee.history import effective
from controller.referee.obey import obey
from controller.referee.state import MatchState
from controller.rules import Side
from controller.tracking.hypothesis import GameFound, NewGame, Redone, Turn
from controller.tracking.parameters import LIKELY_ENOUGH
from controller.tracking.tracker import SettledFact, Tracker


def waiting_of(tracker: Tracker, *, moving: bool) -> tuple[SettledFact, ...]:
    """What of the game most of the belief holds, with no game after it, if no more of it will be seen. moving: as Tracker.finish()
    has it."""
    known = tracker.finish(moving=moving)
    return tuple(takewhile(lambda one: not isinstance(one.fact, NewGame | GameFound | Redone), known))


def as_events(state: MatchState, tracker: Tracker, known: tuple[SettledFact, ...], seconds: float) -> Events:
    """Those facts as events; of what lies on the board now nothing is said."""
    return decide(state, known, replace(tracker.belief, evidence=None), seconds).events


def ended_before(context: CommandContext, tracker: Tracker, command: AnyCommand, seconds: float) -> Events:
    """What waits to be written when somebody gives the game up, doubles, sets the score or the cube, or says what the other
    side has rolled, likely as it is: it came before what is said now; and when a correction of what came before it leads
    elsewhere: it is judged anew after that. As much of it as that can be said after; whoever gives up right after his own turn,
    of which dice were seen, has played it. Raises CommandError."""
    if not _says_what_is_new(context, command, seconds):
        return ()
    known = waiting_of(tracker, moving=True)
    if isinstance(command, Roll) and _first_to_play(known) in (None, command.side):
        return ()  # it tells the dice of what waits
    for count in range(len(known), -1, -1):
        ended = as_events(context.state, tracker, known[:count], seconds)
        try:
            obey(_after(context, ended), command, seconds)
        except CommandError:
            continue
        if isinstance(command, Resign | OfferResign) and _is_played_by(command.side, known[count:]):
            return as_events(context.state, tracker, known[: count + 1], seconds)
        return ended
    return ()


def said_after(context: CommandContext, ended: Events, command: AnyCommand) -> CommandContext:
    """What the command is said of, after what has ended before; whoever gives up may do so after a turn of his own."""
    after = _after(context, ended)
    if ended and isinstance(command, Resign | OfferResign):
        return replace(after, state=replace(after.state, turn=command.side))
    return after


def told_since(tracker: Tracker, old: MatchState, state: MatchState, command: AnyCommand) -> Tracker | None:
    """What was seen after all that is written now, where the command has said what was thrown in the first of the turns that wait,
    or how it was played; None where it has said anything else. old: what was written until then."""
    if isinstance(command, Roll) and state.to_play is not None and state.turns == old.turns:
        return tracker.told(state.to_play.side, state.to_play.dice, old.position)
    if not isinstance(command, PlayTurn | Insert) or not state.turns or state.to_play is not None:
        return None
    line = state.turns[-1]
    if not isinstance(line, Played) or state.turns[:-1] != old.turns:
        return None
    return tracker.told(line.side, line.dice, old.position, state.position)


def _after(context: CommandContext, events: Events) -> CommandContext:
    """The same, once those have happened."""
    return replace(context, held=(*context.held, *events), state=reduce(apply, events, context.state))


def _says_what_is_new(context: CommandContext, command: AnyCommand, seconds: float) -> bool:
    """Whether it is said of what comes after all that is written, or changes what that began from: whoever says what is written
    already means it without what waits. Raises CommandError."""
    state = context.state
    match command:
        case Resign() | OfferResign() | OfferDouble():
            return True
        case SetScore(light=light, dark=dark):
            return (light, dark) != (state.score.light, state.score.dark)
        case SetCube(value=value, owner=owner):
            return (value, owner) != (state.cube, state.owner)
        case Roll(side=side):
            return side not in (None, state.turn)
        case Correct():
            return _leads_elsewhere(context, command, seconds)
        case Insert(turn=turn, game=game):  # after the last line it is what waits that is told
            told = game in (None, state.score.game) and turn > len(state.turns)
            return not told and _leads_elsewhere(context, command, seconds)
    return False


def _leads_elsewhere(context: CommandContext, command: AnyCommand, seconds: float) -> bool:
    """Whether the game goes on from elsewhere, or at another score, after what is said of lines that are written. Raises
    CommandError."""
    said = obey(context, command, seconds)
    return not written_of(fold(effective([*context.held, *said]))).leads_on_as(written_of(context.state))


def _is_played_by(side: Side, known: Sequence[SettledFact]) -> bool:
    """Whether the first of those is surely a turn of that side, and dice of it were seen: else he may only have shown it."""
    first = next(iter(known), None)
    if first is None or not isinstance(first.fact, Turn) or first.sure < LIKELY_ENOUGH:
        return False
    return first.fact.side is side and first.fact.roll_seen


def _first_to_play(known: Sequence[SettledFact]) -> Side | None:
    """Whose turn is the first of those."""
    return next((one.fact.side for one in known if isinstance(one.fact, Turn)), None)
