"""From what a person says to events: every command of commands.py that concerns the match being played.

    done = obey(Table(held, state, board), command, seconds)     # or CommandError with the sentence

Pure: the same match and command give the same events. What the rules or the turn machine forbid is refused with why.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from controller.referee import commands as say
from controller.referee.commands import AnyCommand, Command, CommandError
from controller.referee.correcting import replay
from controller.referee.events import (
    Adjusted,
    AnyEvent,
    ClockSet,
    Confirmed,
    Doubled,
    GameEnded,
    GameStarted,
    Passed,
    Paused,
    Played,
    Resolved,
    RoleSet,
    Rolled,
    Skipped,
    Taken,
)
from controller.referee.history import Line, last_action, lines, rewritten
from controller.referee.judging import PLAY_CODES, illegal, played, standing_plays, won
from controller.referee.policies import of_a_play, options
from controller.referee.spoken import Spoken, position_said, spoken_play
from controller.referee.state import MatchState, apply, fold
from controller.referee.turns import Phase, Trigger, may
from controller.rules import (
    Cube,
    Position,
    Reason,
    Side,
    Turn,
    is_closed_out,
    judge,
    may_double,
    may_resign,
    position_from_id,
    position_id,
    reason,
    resigned_result,
)
from controller.rules.codes import Code


@dataclass(frozen=True)
class Game:
    """What a command is about: the events that hold, the state they make, and the board as the camera sees it, if it does.

    unsettled: it looks, but hands are over the board, or what was played is in doubt.
    """

    held: Sequence[AnyEvent]
    state: MatchState
    board: Position | None = None
    unsettled: bool = False


Events = tuple[AnyEvent, ...]


def obey(game: Game, command: AnyCommand, seconds: float) -> Events:
    """The events that follow from the command, perhaps none. Raises CommandError with the sentence why it is refused."""
    do = _DO.get(type(command))
    if do is None:
        raise CommandError("This can't be said in the middle of a match.")
    return do(game, command, seconds)


def _refuse(reasons: Sequence[Reason], state: MatchState) -> None:
    if reasons:
        raise CommandError(" ".join(one.text(names={side: state.name(side) for side in Side}) for one in reasons))


def _phase(state: MatchState, trigger: Trigger, sentence: str) -> None:
    if not may(state.phase, trigger):
        raise CommandError(sentence)


def _confirm(game: Game, command: say.Confirm, seconds: float) -> Events:
    line = _line(game, command.turn)
    if not isinstance(line.event, Played):
        raise CommandError(f"Line {command.turn} is no play: there is nothing doubtful about it.")
    asked = [
        flag
        for flag in game.state.standing
        if flag.code == Code.READING_UNCERTAIN and flag.turn in (command.turn, command.turn + 1)
    ]
    answers = [Resolved(number=flag.number, how="stands", seconds=seconds) for flag in asked]
    return (Confirmed(turn=command.turn, seconds=seconds), *answers)


def _line(game: Game, number: int) -> Line:
    """Line `number` of the present game, which may be the play before it was written down otherwise."""
    found = lines(game.held)
    if number > len(found):
        raise CommandError(f"This game has {len(found)} lines: there is no line {number}.")
    return found[number - 1]


def _roll(game: Game, command: say.Roll, seconds: float) -> Events:
    state = game.state
    _phase_for_roll(state)
    opening = state.phase in (Phase.OPENING, Phase.GAME_OVER) or (not state.turns and state.position == state.start)
    side = command.side or state.turn
    if side is None:
        raise CommandError("Say whose roll it is: the opening roll belongs to whoever threw the higher number.")
    if not opening and side is not state.turn:
        raise CommandError(
            f"It is {state.name(side.other)}'s turn. Take the last turn back first, or insert the missing one."
        )
    first, second = command.dice
    if opening and first == second and state.ruleset.start.opening_dice == "draw":
        raise CommandError("Equal numbers don't open a game: both throw again.")
    rolled = Rolled(side=side, dice=(max(first, second), min(first, second)), seconds=seconds)
    if state.phase is Phase.GAME_OVER:
        return GameStarted(number=state.score.game, seconds=seconds), rolled
    return (rolled,)


def _phase_for_roll(state: MatchState) -> None:
    if state.phase is Phase.OFFERED:
        _refuse((reason(Code.DOUBLE_OFFERED),), state)
    if state.phase is not Phase.GAME_OVER:
        _phase(state, Trigger.ROLLED, "The match is over: begin a new one.")


def _play(game: Game, command: say.PlayTurn, seconds: float) -> Events:
    state, side = game.state, game.state.turn
    if state.phase is Phase.TO_ROLL and side and is_closed_out(state.position, side) and not command.notation:
        return (Skipped(side=side, seconds=seconds),)
    if state.phase is not Phase.TO_PLAY or side is None or state.dice is None:
        raise CommandError("Nobody has rolled: say the dice first.")
    said = Spoken(command.notation, command.moves, command.after, command.stands, game.board)
    return _ended(state, state.position, side, state.dice, said, seconds)


def _ended(
    state: MatchState,
    before: Position,
    side: Side,
    dice: tuple[int, int],
    said: Spoken,
    seconds: float,
    redo: bool = False,
) -> Events:
    """The turn as a person tells it, with what is to be said of it."""
    play, after = spoken_play(said, before, side, dice, state)
    turn = played(side, dice, before, after, play, seconds, state, said=said.in_words, redo=redo)
    answered = standing_plays(state, side)
    events: list[AnyEvent] = []
    numbers = [flag.number for flag in answered]
    if play is None and not answered:
        wrong = illegal(state, before, side, dice, after, seconds)
        events.append(wrong)
        numbers.append(wrong.number)
    events.append(turn)
    events += [Resolved(number=n, how="put right" if play else "stands", seconds=seconds) for n in numbers]
    return (*events, *won(state, side, after, seconds))


def _correct(game: Game, command: say.Correct, seconds: float) -> Events:
    line = _line(game, command.turn)
    old = line.event
    if not isinstance(old, Played):
        raise CommandError(f"Line {command.turn} is no play. Take the cube's actions back with undo, or set the cube.")
    prefix = fold(game.held[: line.at])
    before = position_from_id(old.before, Side.LIGHT, prefix.start.checkers)
    dice = _high_first(command.dice) if command.dice else old.dice
    given = command.notation is not None or command.moves is not None or command.after is not None
    if given:
        said = Spoken(command.notation, command.moves, command.after, command.stands)
    else:
        said = Spoken(None, old.moves if old.legal else None, None if old.legal else old.after, command.stands)
    # What was said of this turn is answered by the correction.
    wrong = standing_plays(prefix, old.side)
    changed: list[AnyEvent] = [Resolved(number=flag.number, how="corrected", seconds=old.seconds) for flag in wrong]
    if dice != old.dice and not old.redo:
        changed.append(Rolled(side=old.side, dice=dice, seconds=old.seconds))
    for event in changed:
        prefix = apply(prefix, event)
    changed += _ended(prefix, before, old.side, dice, said, old.seconds, redo=old.redo)
    then = replay(
        _numbered(fold(game.held[: line.at]), game), changed, game.held[line.at + 1 :], [f.number for f in wrong]
    )
    return _rewrite(game, line.at, then, seconds)


def _insert(game: Game, command: say.Insert, seconds: float) -> Events:
    found = lines(game.held)
    if command.turn > len(found) + 1:
        raise CommandError(f"This game has {len(found)} lines: there is no line {command.turn}.")
    to = _beginning(game.held, found, command.turn)
    prefix = _numbered(fold(game.held[:to]), game)
    _phase_for_roll(prefix)
    if prefix.phase is Phase.GAME_OVER:
        raise CommandError("The game is over: there is nothing to insert after it.")
    if prefix.turns and prefix.turn is not command.side:
        raise CommandError(f"It was {prefix.name(command.side.other)}'s turn there, not {prefix.name(command.side)}'s.")
    dice = _high_first(command.dice)
    at = prefix.seconds
    rolled = Rolled(side=command.side, dice=dice, seconds=at)
    said = Spoken(command.notation, command.moves, command.after, command.stands)
    turn = _ended(apply(prefix, rolled), prefix.position, command.side, dice, said, at)
    return _rewrite(game, to, replay(prefix, (rolled, *turn), game.held[to:]), seconds)


def _beginning(held: Sequence[AnyEvent], found: list[Line], number: int) -> int:
    """Index of the first event that belongs to line `number`: its roll, where there is one."""
    after = found[number - 2].at + 1 if number > 1 else 0
    end = found[number - 1].at if number <= len(found) else len(held)
    begun = max((at for at in range(end) if isinstance(held[at], GameStarted)), default=-1) + 1
    return next((at for at in range(max(after, begun), end) if isinstance(held[at], Rolled)), end)


def _numbered(state: MatchState, game: Game) -> MatchState:
    """The state before a correction, in which no number of a flag is given twice."""
    return apply(state, rewritten((), 0, game.state.given, 0.0))


def _rewrite(game: Game, to: int, then: Sequence[AnyEvent], seconds: float) -> Events:
    return (rewritten(game.held, to, game.state.given, seconds, then),)


def _undo(game: Game, command: say.Undo, seconds: float) -> Events:
    del command
    at = last_action(game.held)
    if at is None:
        raise CommandError("There is nothing to take back.")
    return _rewrite(game, at, (), seconds)


def _double(game: Game, command: say.OfferDouble, seconds: float) -> Events:
    del command
    state = game.state
    if state.phase is Phase.OFFERED:
        _refuse((reason(Code.DOUBLE_OFFERED),), state)
    if state.turn is None:
        raise CommandError("Nobody is on roll, so nobody can double.")
    side = state.turn
    cube = Cube(state.cube, state.owner)
    _refuse(may_double(cube, side, Turn(side, state.dice is not None), state.score, state.ruleset), state)
    return (Doubled(side=side, value=state.cube * 2, seconds=seconds),)


def _take(game: Game, command: say.Take, seconds: float) -> Events:
    del command
    return (Taken(side=_answering(game.state), seconds=seconds),)


def _pass(game: Game, command: say.Pass, seconds: float) -> Events:
    del command
    state, side = game.state, _answering(game.state)
    end = GameEnded(winner=side.other, level=1, points=state.cube, ending="passed", seconds=seconds)
    return Passed(side=side, seconds=seconds), end


def _answering(state: MatchState) -> Side:
    if state.phase is not Phase.OFFERED or state.turn is None:
        _refuse((reason(Code.NO_DOUBLE_OFFERED),), state)
    assert state.turn is not None
    return state.turn.other


def _cube(game: Game, command: say.SetCube, seconds: float) -> Events:
    state, cube = game.state, game.state.ruleset.cube
    if not cube.enabled:
        _refuse((reason(Code.NO_CUBE),), state)
    if state.phase is Phase.OFFERED:
        _refuse((reason(Code.DOUBLE_OFFERED),), state)
    if command.value & (command.value - 1):
        raise CommandError(f"A doubling cube can't show {command.value}: it shows 2, 4, 8 and so on.")
    if cube.max and command.value > cube.max:
        _refuse((reason(Code.CUBE_LIMIT, limit=cube.max),), state)
    if command.value == 1 and command.owner:
        raise CommandError("A cube that was never turned lies in the middle: it has no owner.")
    _going_on(state)
    return (Adjusted(cube=command.value, owner=command.owner, seconds=seconds),)


def _going_on(state: MatchState) -> None:
    if state.phase in (Phase.GAME_OVER, Phase.MATCH_OVER, Phase.SET_UP):
        raise CommandError("No game is on.")


def _resign(game: Game, command: say.Resign, seconds: float) -> Events:
    state = game.state
    _going_on(state)
    if state.phase is Phase.OFFERED:
        _refuse((reason(Code.DOUBLE_OFFERED),), state)
    rolled, on_roll = state.dice is not None, state.turn or command.side
    _refuse(may_resign(command.level, command.side, on_roll, rolled, state.ruleset), state)
    result = resigned_result(
        state.position, command.side, command.level, state.cube, state.ruleset, owned=state.owner is not None
    )
    end = GameEnded(winner=result.winner, level=result.level, points=result.points, ending="resigned", seconds=seconds)
    return (end,)


def _score(game: Game, command: say.SetScore, seconds: float) -> Events:
    length = game.state.score.length
    if length and min(command.light, command.dark) >= length:
        raise CommandError(f"Not both can have {length} points in a match to {length}.")
    return (Adjusted(score=(command.light, command.dark), seconds=seconds),)


def _position(game: Game, command: say.SetPosition, seconds: float) -> Events:
    state = game.state
    if state.phase is Phase.MATCH_OVER:
        raise CommandError("The match is over: begin a new one.")
    said = position_said(command.position, command.xgid, command.turn, state)
    now = Adjusted(
        position=position_id(said.position, Side.LIGHT),
        turn=said.turn,
        dice=said.dice,
        cube=said.cube,
        owner=said.owner,
        score=said.score,
        seconds=seconds,
    )
    if state.phase is Phase.GAME_OVER:
        return GameStarted(number=state.score.game, seconds=seconds), now
    return (now,)


def _flag(game: Game, command: say.AnswerFlag, seconds: float) -> Events:
    state = game.state
    flag = next((one for one in state.flags if one.number == command.number), None)
    if flag is None or flag.resolved is not None:
        raise CommandError(f"Flag {command.number} is {'answered already' if flag else 'not there'}.")
    allowed = options(flag.code, state.ruleset)
    if command.how not in allowed:
        raise CommandError(f"By these rules the answer can be: {', '.join(allowed)}.")
    answer = Resolved(number=flag.number, how=command.how, seconds=seconds)
    return (answer, *_stands(game, flag.code, command.how, seconds))


def _stands(game: Game, code: str, how: str, seconds: float) -> Events:
    """An illegal play that is let stand ends the turn as the board shows it."""
    state, board, side = game.state, game.board, game.state.turn
    if how not in ("stands", "condoned") or code not in PLAY_CODES or state.phase is not Phase.TO_PLAY:
        return ()
    if board is None or board == state.position or side is None or state.dice is None:
        return ()
    return (played(side, state.dice, state.position, board, None, seconds, state), *won(state, side, board, seconds))


def _pause(game: Game, command: say.Pause, seconds: float) -> Events:
    del command
    if game.state.paused:
        raise CommandError("The game is paused already.")
    return (Paused(on=True, seconds=seconds),)


def _resume(game: Game, command: say.Resume, seconds: float) -> Events:
    del command
    if not game.state.paused:
        raise CommandError("The game is going on already.")
    return (Paused(on=False, seconds=seconds),)


def _role(game: Game, command: say.SetRole, seconds: float) -> Events:
    return () if command.role == game.state.role else (RoleSet(role=command.role, seconds=seconds),)


def _hit_clock(game: Game, command: say.HitClock, seconds: float) -> Events:
    state, side = game.state, command.side
    ended: Events = ()
    if state.phase is Phase.TO_PLAY and state.turn is side and state.dice is not None and not game.unsettled:
        if game.board is None:
            raise CommandError("Say what was played: no camera sees the board.")
        ended = _by_a_hit(state, side, state.dice, game.board, seconds)
    clock = state.clock
    # Whoever has played may also hit a clock that stands, after a restart for example: the other side's runs on.
    stands = clock is not None and clock.running is side.other and clock.since is None and not state.paused
    if clock is None or any(isinstance(event, Played) for event in ended) or not (stands or clock.running is side):
        return ended
    return (*ended, ClockSet(running=side.other, seconds=seconds))


def _by_a_hit(state: MatchState, side: Side, dice: tuple[int, int], board: Position, seconds: float) -> Events:
    """The turn that the hit ends; an illegal play is spoken of instead, and can be put right until the next roll. Refused
    where nothing has been played."""
    before = state.position
    if board == before or judge(before, side, dice, board, state.ruleset).play is not None:
        return _ended(state, before, side, dice, Spoken(board=board), seconds)
    return () if standing_plays(state, side) else (of_a_play(state, before, side, dice, board, seconds),)


def _start_clock(game: Game, command: say.StartClock, seconds: float) -> Events:
    del command
    state = game.state
    if not state.score.length:
        raise CommandError("Single games have no clock: its reserve is reckoned from the length of the match.")
    if state.turn is None:
        raise CommandError("The clock starts with the opening roll: nobody is on roll yet.")
    side = state.turn.other if state.phase is Phase.OFFERED else state.turn
    return (ClockSet(running=side, seconds=seconds),)


def _stop_clock(game: Game, command: say.StopClock, seconds: float) -> Events:
    del command
    if game.state.clock is None:
        raise CommandError("No clock is kept in this match.")
    return (ClockSet(running=None, seconds=seconds),)


def _high_first(dice: tuple[int, int]) -> tuple[int, int]:
    return max(dice), min(dice)


_DO: dict[type[Command], Callable[[Game, Any, float], Events]] = {
    say.Confirm: _confirm,
    say.Roll: _roll,
    say.PlayTurn: _play,
    say.Correct: _correct,
    say.Insert: _insert,
    say.Undo: _undo,
    say.OfferDouble: _double,
    say.Take: _take,
    say.Pass: _pass,
    say.SetCube: _cube,
    say.Resign: _resign,
    say.SetScore: _score,
    say.SetPosition: _position,
    say.AnswerFlag: _flag,
    say.Pause: _pause,
    say.Resume: _resume,
    say.SetRole: _role,
    say.HitClock: _hit_clock,
    say.StartClock: _start_clock,
    say.StopClock: _stop_clock,
}
