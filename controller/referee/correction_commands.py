"""What a person puts right: earlier turns, turns that were missed, and what is so from now on."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from controller.referee.command_context import CommandContext, Events, allow, new_game
from controller.referee.commands import (
    CommandError,
    Confirm,
    Correct,
    Insert,
    MarkTurn,
    ScoreChangesError,
    SetCube,
    SetNames,
    SetPosition,
    SetScore,
)
from controller.referee.correcting import replay
from controller.referee.events import (
    Act,
    Adjusted,
    AnyEvent,
    ClockSet,
    Confirmed,
    Drawn,
    Exchanged,
    Flagged,
    Found,
    GameStarted,
    Marked,
    Named,
    Paused,
    Played,
    Resolved,
    RoleSet,
    Rolled,
    Skipped,
)
from controller.referee.folding import apply_recorded, fold
from controller.referee.history import (
    RecordLine,
    last_action,
    last_correction,
    last_undone,
    lines,
    rewritten,
    span_of,
    struck,
    takes_back,
)
from controller.referee.judging import answered_plays, asked_of, asks_for_the_end, standing_plays
from controller.referee.names import printable
from controller.referee.spoken import SpokenPlay, check_cube, spoken_position
from controller.referee.state import MatchState, ToPlay
from controller.referee.turn_commands import check_opening, check_opening_dice, ended, high_first, is_opening
from controller.referee.turns import Phase, Trigger, needs_new_game
from controller.rules import Side, decide_opening, position_from_id, position_id

_BESIDE = (Paused, RoleSet, ClockSet)
"""What is said beside the game: no act of it is taken back with it."""


def confirm(context: CommandContext, command: Confirm, seconds: float) -> Events:
    """The doubtful turn is right, and what was asked about it is answered."""
    line = context.line(command.turn, command.game)
    if not isinstance(line.event, Played):
        raise CommandError("Line {turn} is no play: there is nothing doubtful about it.", turn=command.turn)
    asked = _asked(context, command.turn, command.game)
    answers = [Resolved(number=number, how="stands", seconds=seconds) for number in asked]
    return _appended(context, command.game, (Confirmed(turn=command.turn, seconds=seconds), *answers), seconds)


def _asked(context: CommandContext, turn: int, game: int | None) -> list[int]:
    """Numbers of the flags that ask whether that line of a game was so, and that nobody has answered."""
    _, end = context.span(game)
    begun = max((at for at in range(end) if isinstance(context.held[at], GameStarted)), default=0)
    flagged = {event.number for event in context.held[begun:end] if isinstance(event, Flagged)}
    return [flag.number for flag in asked_of(context.state.standing, turn) if flag.number in flagged]


def mark_turn(context: CommandContext, command: MarkTurn, seconds: float) -> Events:
    """What somebody thinks of a line."""
    if isinstance(context.line(command.turn, command.game).event, Found | Skipped):
        raise CommandError("In line {number} nobody chose anything: there is nothing to mark.", number=command.turn)
    marked = Marked(turn=command.turn, mark=command.mark, seconds=seconds)
    if (
        context.span(command.game)[1] == len(context.held)
        and dict(context.state.marks).get(command.turn, "") == command.mark
    ):
        return ()
    return _appended(context, command.game, (marked,), seconds)


def _appended(context: CommandContext, game: int | None, fresh: Events, seconds: float) -> Events:
    """What is said of a line of a game holds while that game is the present one: what came after it, and what of that can be taken
    back or can hold again, stays as it was."""
    _, end = context.span(game)
    if end == len(context.held):
        return fresh
    return _rewrite(context, end, (*fresh, *context.held[end:]), seconds, None)


def correct(context: CommandContext, command: Correct, seconds: float) -> Events:
    """An earlier turn was otherwise; what followed is judged anew."""
    line = context.line(command.turn, command.game)
    old = line.event
    if not isinstance(old, Played):
        raise CommandError(
            "Line {turn} is no play. Take the cube's actions back with undo, or set the cube.", turn=command.turn
        )
    first = _first_written(context.held, line)
    begun, before = fold(context.held[:first]), fold(context.held[: line.at])
    stood = position_from_id(old.before, Side.LIGHT, before.start.checkers)
    if command.dice and is_opening(begun):
        check_opening_dice(command.dice, begun)
    dice = high_first(command.dice) if command.dice else old.dice
    begin, drawn = _drawn_otherwise(context.held[:first], old.side, dice, begun)
    # What was said of this turn is answered by the correction.
    wrong = standing_plays(before, old.side)
    changed: list[AnyEvent] = [Resolved(number=flag.number, how="corrected", seconds=old.seconds) for flag in wrong]
    if dice != old.dice and not old.redo:
        changed.append(Rolled(side=old.side, dice=dice, seconds=old.seconds))
    state = before
    for event in changed:
        state = apply_recorded(state, event)
    turn = ToPlay(old.side, dice, stood)
    changed += ended(state, turn, _corrected_play(command, old), old.seconds, redo=old.redo)
    state = _numbered(fold(context.held[:begin]), context)
    changed = [*drawn, *context.held[first : line.at], *changed]
    asked = _asked(context, command.turn, command.game)
    then = replay(state, changed, context.held[line.at + 1 :], [flag.number for flag in wrong], asked)
    return _agreed(context, _rewrite(context, begin, then, seconds), sure=command.sure)


def _first_written(held: Sequence[AnyEvent], line: RecordLine) -> int:
    """Index of the event that first made that line, where it was played otherwise after all."""
    at = line.at
    while (earlier := lines(held[:at])) and takes_back(held[at], earlier[-1].event):
        at = earlier[-1].at
    return at


def _drawn_otherwise(
    earlier: Sequence[AnyEvent], side: Side, dice: tuple[int, int], before: MatchState
) -> tuple[int, list[AnyEvent]]:
    """Where a correction of a turn to these dice begins, and with what: a first turn that is played with the dice of the draw says
    that these were drawn. earlier: what came before the turn's line; before: the state that it makes."""
    drawn = decide_opening(*before.draws[-1], before.ruleset).dice if before.draws and is_opening(before) else None
    if drawn in (None, dice) or side is not before.starter:
        return len(earlier), []
    at = max(at for at, event in enumerate(earlier) if isinstance(event, Drawn))
    high = side if before.ruleset.start.first == "high" else side.other
    for event in earlier[at + 1 :]:
        high = high.other if isinstance(event, Exchanged) else high
    light, dark = dice if high is Side.LIGHT else dice[::-1]
    return at, [msgspec.structs.replace(earlier[at], light=light, dark=dark), *earlier[at + 1 :]]


def _agreed(context: CommandContext, events: Events, *, sure: bool) -> Events:
    """A correction that changes the score is asked about first. Raises ScoreChangesError."""
    before, after = context.state.score, fold((*context.held, *events)).score
    if sure or (after.light, after.dark) == (before.light, before.dark):
        return events
    names = [context.state.named(side) for side in Side]
    raise ScoreChangesError(
        "With this the score {light} {light_before} : {dark_before} {dark} becomes {light_after} : {dark_after}.",
        light=names[0],
        light_before=before.light,
        dark_before=before.dark,
        dark=names[1],
        light_after=after.light,
        dark_after=after.dark,
    )


def _corrected_play(command: Correct, old: Played) -> SpokenPlay:
    """The play that the command gives, else the old one."""
    if command.notation is not None or command.moves is not None or command.after is not None:
        return SpokenPlay(command.notation, command.moves, command.after, command.stands)
    return SpokenPlay(None, old.moves if old.legal else None, None if old.legal else old.after, command.stands)


def insert(context: CommandContext, command: Insert, seconds: float) -> Events:
    """A turn that was missed, before that line; what followed is judged anew."""
    _, end = context.span(command.game)
    found = lines(context.held, command.game)
    if command.turn > len(found) + 1:
        raise CommandError(
            "This game has {count} lines: there is no line {number}.", count=len(found), number=command.turn
        )
    at = _beginning(context.held[:end], found, command.turn)
    before = _numbered(fold(context.held[:at]), context)
    if needs_new_game(before.phase, Trigger.ROLLED):
        raise CommandError("The game is over: there is nothing to insert after it.")
    allow(before, Trigger.ROLLED)
    if is_opening(before):
        check_opening(command.side, command.dice, before)
    if before.turns and before.turn is not command.side and before.phase is not Phase.FOUND:
        raise CommandError(
            "It was {name}'s turn there, not {other}'s.",
            name=before.named(command.side.other),
            other=before.named(command.side),
        )
    turn = ToPlay(command.side, high_first(command.dice), before.position)
    rolled = Rolled(side=turn.side, dice=turn.dice, seconds=before.seconds)
    spoken = SpokenPlay(command.notation, command.moves, command.after, command.stands)
    events = ended(apply_recorded(before, rolled), turn, spoken, before.seconds)
    later = _one_further(context.held[at:], command.turn)
    then = replay(before, (rolled, *events), later)
    return _agreed(context, _rewrite(context, at, then, seconds), sure=command.sure)


def _one_further(later: Sequence[AnyEvent], number: int) -> list[AnyEvent]:
    """What came after a line was put in, said of the lines that it has moved."""
    moved = [
        msgspec.structs.replace(event, turn=event.turn + 1)
        if isinstance(event, Confirmed | Marked) and event.turn >= number
        else event
        for event in later
    ]
    begun = next((at for at, event in enumerate(later) if isinstance(event, GameStarted)), len(later))
    return [*moved[:begun], *later[begun:]]


def undo(context: CommandContext, seconds: float) -> Events:
    """Takes back the last act: a turn, cube action, resignation, thing that a person set, or correction."""
    corrected = last_correction(context.held)
    if corrected is not None:
        return _taken_back(context, corrected, struck(context.held[corrected]), seconds, "undone")
    at = last_action(context.held)
    if at is None:
        raise CommandError("There is nothing to take back.")
    left = len(lines(context.held[:at]))
    raised = {event.number for event in context.held[:at] if isinstance(event, Flagged)}
    kept = [
        event
        for event in context.held[at:]
        if (isinstance(event, Confirmed | Marked) and event.turn <= left)
        # What follows from the act itself is taken back with it.
        or (isinstance(event, Resolved) and event.number in raised and event.seconds != context.held[at].seconds)
    ]
    return _taken_back(context, at, kept, seconds, "undone")


def redo(context: CommandContext, seconds: float) -> Events:
    """Lets hold again what was taken back last."""
    at = last_undone(context.held)
    if at is None:
        raise CommandError("Nothing was taken back that could hold again.")
    return _taken_back(context, at, struck(context.held[at]), seconds, "redone")


def _taken_back(context: CommandContext, to: int, then: Sequence[AnyEvent], seconds: float, act: Act) -> Events:
    """The match goes on from there with these events, and what was said beside it since holds on."""
    beside = _beside(context.held[to:], then, fold((*context.held[:to], *then)))
    return _rewrite(context, to, (*_with_what_was_said(context.held, to, then), *beside), seconds, act)


def _with_what_was_said(held: Sequence[AnyEvent], to: int, then: Sequence[AnyEvent]) -> list[AnyEvent]:
    """Of the events that held the first `to` and these hold again: these, and in each game what was said since of its lines."""
    again = [*held[:to], *then]
    for game in sorted({event.number for event in again if isinstance(event, GameStarted)}, reverse=True):
        now, fresh = span_of(held, game), span_of(again, game)
        if now is not None and fresh is not None and now[1] > to:
            again[fresh[1] : fresh[1]] = _said_of_lines(held[to : now[1]], then, lines(held, game), lines(again, game))
    return again[to:]


def _said_of_lines(
    later: Sequence[AnyEvent], then: Sequence[AnyEvent], now: Sequence[RecordLine], again: Sequence[RecordLine]
) -> list[AnyEvent]:
    """What `later` says and `then` does not of a game's lines that stay as they are: that one is right, with what that answers, or
    what somebody thinks of it."""
    begun = max((at for at, event in enumerate(later) if isinstance(event, GameStarted)), default=-1) + 1
    of_game = [event for event in later[begun:] if event not in then]
    stay = {number for number, pair in enumerate(zip(now, again, strict=False), 1) if _is_as_before(*pair)}
    said = [event for event in of_game if isinstance(event, Confirmed | Marked) and event.turn in stay]
    right = {event.seconds for event in said if isinstance(event, Confirmed)}
    answers = [event for event in of_game if isinstance(event, Resolved) and event.how == "stands"]
    return [*said, *(event for event in answers if event.seconds in right)]


def _is_as_before(now: RecordLine, again: RecordLine) -> bool:
    """Whether both are the same line; it may have been played from elsewhere, the same way."""
    one, other = now.event, again.event
    if not (isinstance(one, Played) and isinstance(other, Played)):
        return one == other
    return (one.side, one.dice, one.moves, one.legal) == (other.side, other.dice, other.moves, other.legal)


def _beside(later: Sequence[AnyEvent], then: Sequence[AnyEvent], state: MatchState) -> list[AnyEvent]:
    """What `later` holds of pauses, of the role and of the clock, and `then` does not. A clock that was started runs for whoever
    has something to do in this state; where nobody has, it starts with the next roll."""
    known = {_without_side(event) for event in then if isinstance(event, _BESIDE)}
    said = [event for event in later if isinstance(event, _BESIDE) and _without_side(event) not in known]
    side = state.offered_to or state.turn
    sets = [event for event in said if isinstance(event, ClockSet)]
    if side is None and sets and sets[-1].running is not None:
        return [event for event in said if not isinstance(event, ClockSet)]
    return [
        msgspec.structs.replace(event, running=side) if isinstance(event, ClockSet) and event.running else event
        for event in said
    ]


def _without_side(event: Paused | RoleSet | ClockSet) -> object:
    """What tells such an event from others, whoever's clock runs by it."""
    return (event.seconds, event.running is None) if isinstance(event, ClockSet) else event


def set_cube(state: MatchState, command: SetCube, seconds: float) -> Events:
    """Where the cube lies and what it shows."""
    check_cube(command.value, command.owner, state)
    return (Adjusted(cube=command.value, owner=command.owner, seconds=seconds),)


def set_score(state: MatchState, command: SetScore, seconds: float) -> Events:
    """The score, as people agree on it: that also says how a game ended of which nobody saw it."""
    if state.chouette is not None:
        raise CommandError("In a chouette the points follow from its games: put right what was played instead.")
    length = state.score.length
    if length and min(command.light, command.dark) >= length:
        raise CommandError("Not both can have {length} points in a match to {length}.", length=length)
    asked = [flag for flag in state.standing if asks_for_the_end(flag)]
    answers = [Resolved(number=flag.number, how="corrected", seconds=seconds) for flag in asked]
    score = command.light, command.dark
    # Somebody has won the Crawford game of which nobody saw the end: it is not to be played once more.
    played = bool(asked) and state.score.crawford and score != (state.score.light, state.score.dark)
    return Adjusted(score=score, crawford=False if played else None, seconds=seconds), *answers


def set_names(state: MatchState, command: SetNames, seconds: float) -> Events:
    """Other names for the players of the match."""
    if state.chouette is not None:
        raise CommandError(
            "In a chouette the names are those of its players' list. Begin another match to change them."
        )
    names = (printable(command.light), printable(command.dark))
    if not all(names):
        raise CommandError("A player's name is more than spaces.")
    return () if names == state.names else (Named(light=names[0], dark=names[1], seconds=seconds),)


def set_position(state: MatchState, command: SetPosition, seconds: float) -> Events:
    """The game goes on from there; after a game the next begins so."""
    begun, after = new_game(state, Trigger.POSITION_SET, seconds)
    allow(after, Trigger.POSITION_SET)
    spoken = spoken_position(command.position, command.xgid, command.turn, state)
    adjusted = Adjusted(
        position=position_id(spoken.position, Side.LIGHT),
        turn=spoken.turn,
        dice=spoken.dice,
        cube=spoken.cube,
        owner=spoken.owner,
        score=spoken.score,
        crawford=spoken.crawford,
        seconds=seconds,
    )
    return (*begun, adjusted, *answered_plays(after, "corrected", seconds))


def _beginning(held: Sequence[AnyEvent], found: list[RecordLine], number: int) -> int:
    """Index of the first event that belongs to line `number`: its roll, where there is one."""
    after = found[number - 2].at + 1 if number > 1 else 0
    end = _first_written(held, found[number - 1]) if number <= len(found) else len(held)
    begun = max((at for at in range(end) if isinstance(held[at], GameStarted)), default=-1) + 1
    return next((at for at in range(max(after, begun), end) if isinstance(held[at], Rolled)), end)


def _numbered(state: MatchState, context: CommandContext) -> MatchState:
    """The state before a correction, in which no number of a flag is given twice."""
    return apply_recorded(state, rewritten((), 0, context.state.given, 0.0))


def _rewrite(
    context: CommandContext, to: int, then: Sequence[AnyEvent], seconds: float, act: Act | None = "corrected"
) -> Events:
    return (rewritten(context.held, to, context.state.given, seconds, then, act),)
