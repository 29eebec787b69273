"""The state of a match, as a fold over its events: apply() and apply_recorded() are all that makes one.

Replay, crash recovery, undo and the page are this fold read differently.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache

import msgspec

from controller.referee.clock import Clock
from controller.referee.events import (
    Adjusted,
    AnyEvent,
    Beavered,
    Begins,
    ClockSet,
    Confirmed,
    Doubled,
    Drawn,
    EventError,
    Exchanged,
    Flagged,
    Found,
    GameEnded,
    GameStarted,
    Marked,
    MatchStarted,
    Named,
    Passed,
    Paused,
    Played,
    Presumed,
    Raccooned,
    ResignOffered,
    ResignRefused,
    Resolved,
    Rewritten,
    RoleSet,
    Rolled,
    Skipped,
    Taken,
    TeamCube,
    Withdrawn,
    kind,
)
from controller.referee.growing import Growing, plus
from controller.referee.history import effective, takes_back
from controller.referee.names import exchanged, renamed
from controller.referee.state import Flag, MatchState, TurnLine
from controller.referee.turns import Phase, Trigger, into, may, trigger_of
from controller.rules import (
    VARIANTS,
    Chouette,
    Cube,
    Position,
    RulesError,
    RuleSet,
    RuleSetError,
    Side,
    TurnState,
    act_on_stake,
    automatic_double,
    chouette_points,
    new_chouette,
    next_order,
    owner_after_take,
    position_from_id,
    position_id,
    ruleset_stored,
    win_level,
)
from controller.rules.match import MatchScore, after_game, agreed_score
from vision.sentence import Sentence

__all__ = [
    "OutOfTurnError",
    "Replayed",
    "apply",
    "apply_recorded",
    "fold",
    "out_of_turn",
    "replayed",
    "rules_of",
]


class OutOfTurnError(EventError):
    """An event that the turn machine does not allow in the phase of the match; a sentence."""


def fold(events: Iterable[AnyEvent], state: MatchState | None = None) -> MatchState:
    """The state after these events: all that were written, from the beginning, or some without corrections after `state`.

    Raises EventError for rules that this version does not know.
    """
    return replayed(events, state).state


def out_of_turn(events: Iterable[AnyEvent]) -> tuple[str, ...]:
    """What of these events the turn machine does not allow where it stands; see Replayed."""
    return replayed(events).out_of_turn


@dataclass(frozen=True)
class Replayed:
    """What events lead to. out_of_turn: what of them the turn machine does not allow where it stands, in a sentence each: a record
    of an older version, or one in which a correction has taken away what something followed from."""

    state: MatchState = field(default_factory=MatchState)
    out_of_turn: tuple[str, ...] = ()


def replayed(events: Iterable[AnyEvent], state: MatchState | None = None) -> Replayed:
    """The same as fold(), with what was out of turn."""
    state, found = state or MatchState(), []
    state = replace(state, turns=Growing(state.turns))
    for number, event in enumerate(effective(events), start=1):
        if not _is_allowed(state, event):
            found.append(f"Event {number}: {_does_not_follow(state, event)}")
        state = apply_recorded(state, event)
    return Replayed(replace(state, turns=tuple(state.turns)), tuple(found))


def apply(state: MatchState, event: AnyEvent) -> MatchState:
    """The state after something new. Raises OutOfTurnError where the turn machine does not allow it now."""
    if not _is_allowed(state, event):
        raise OutOfTurnError(_does_not_follow(state, event))
    return apply_recorded(state, event)


def _is_allowed(state: MatchState, event: AnyEvent) -> bool:
    trigger = trigger_of(event)
    return trigger is None or may(state.phase, trigger)


def _does_not_follow(state: MatchState, event: AnyEvent) -> Sentence:
    return Sentence(
        "{event} does not follow while the match is at {phase}.", event=repr(kind(event)), phase=repr(state.phase.value)
    )


def apply_recorded(state: MatchState, event: AnyEvent) -> MatchState:
    """The state after one more event of a record: what was written down is taken as it is, whatever the turn machine says."""
    before = replace(state, events=state.events + 1, seconds=event.seconds or state.seconds)
    if trigger_of(event) is not None:
        before = replace(before, presumed=None, followed=before.seconds)
    return _timed(before, event, _applied(before, event))


def _applied(state: MatchState, event: AnyEvent) -> MatchState:
    match event:
        case MatchStarted():
            return _match_started(state, event)
        case GameStarted():
            fresh = replace(state, phase=into(Trigger.GAME_BEGUN), position=state.start, turn=None, dice=None)
            fresh = replace(
                fresh, cube=1, owner=None, turns=_kept(state.turns, ()), since=None, draws=(), corrected=(), marks=()
            )
            fresh = _seated(replace(fresh, flags_before=len(state.flags)))
            return replace(fresh, offered_by=None, offer="double", beavers=0, resigning=None, agreed=None)
        case Drawn(light=light, dark=dark):
            cube = Cube(state.cube, auto_doubles=state.cube.bit_length() - 1)
            cube = automatic_double(cube, state.ruleset, state.score) if light == dark else cube
            chouette = state.chouette
            if chouette is not None:
                stakes = tuple(replace(stake, cube=replace(stake.cube, value=cube.value)) for stake in chouette.stakes)
                chouette = replace(chouette, stakes=stakes)
            return replace(state, draws=(*state.draws, (light, dark)), cube=cube.value, chouette=chouette)
        case Begins(side=side):
            return replace(state, agreed=side)
        case Exchanged():
            return _exchanged(state)
        case Rolled(side=side, dice=dice):
            since = event.seconds if state.since is None else state.since
            return replace(state, phase=into(Trigger.ROLLED), turn=side, dice=dice, since=since, resigning=None)
        case Played(side=side):
            position = position_from_id(event.after, Side.LIGHT, state.start.checkers)
            if takes_back(event, state.turns[-1] if state.turns else None):
                state = replace(state, turns=_kept(state.turns, state.turns[:-1]))
            return replace(_next(state, event, side.other), phase=into(Trigger.TURN_ENDED), position=position)
        case Skipped(side=side):
            return replace(_next(state, event, side.other), phase=into(Trigger.SKIPPED))
        case Found():
            return _found(state, event)
        case Presumed(position=position):
            stands = None if position is None else position_from_id(position, Side.LIGHT, state.start.checkers)
            return replace(state, presumed=stands)
        case Doubled() | Beavered() | Raccooned() | Taken() | Passed():
            return _cube(state, event)
        case Withdrawn(side=side):
            if takes_back(event, state.turns[-1] if state.turns else None):
                state = replace(state, turns=_kept(state.turns, state.turns[:-1]))
            return replace(state, phase=into(Trigger.WITHDRAWN), turn=side, offered_by=None, offer="double")
        case TeamCube():
            return _team_cube(state, event)
        case ResignOffered():
            return replace(state, resigning=event)
        case ResignRefused():
            return replace(state, resigning=None)
        case Flagged():
            number, turn = event.number, len(state.turns) + 1
            said = Flag(
                number, event.code, event.side, event.text, turn, None, event.reasons, state.names, state.score.game
            )
            return replace(state, flags=(*state.flags, said), given=max(state.given, number))
        case Resolved(number=number, how=how):
            return replace(state, flags=_answered(state.flags, number, how))
        case GameEnded(winner=winner, points=points):
            # A record may hold a game that follows a match that was won: it counts for nothing more.
            score = state.score if state.score.over else after_game(state.score, winner, points, state.ruleset)
            over = into(Trigger.MATCH_WON if score.over else Trigger.GAME_WON)
            state = _shared_out(state, event)
            return replace(state, phase=over, score=score, turn=None, dice=None, resigning=None)
    return _set_by_hand(state, event)


def _exchanged(state: MatchState) -> MatchState:
    """The players have changed colours, and take with them what is theirs: the name, the points, the draw, the time, what was said
    of them. Whoever offered to resign plays on."""
    score, clock = state.score, state.clock
    if clock is not None:
        running = clock.running.other if clock.running else None
        clock = replace(clock, light=clock.dark, dark=clock.light, running=running)
    return replace(
        state,
        names=exchanged(state.names),
        score=replace(score, light=score.dark, dark=score.light),
        draws=tuple((dark, light) for light, dark in state.draws),
        clock=clock,
        resigning=None,
        flags=tuple(replace(flag, side=flag.side.other if flag.side else None) for flag in state.flags),
    )


def _seated(state: MatchState) -> MatchState:
    """The next game of a chouette: its list goes on as the last game ended, and box and captain sit at the board."""
    game = state.chouette
    if game is None:
        return state
    order = game.order if state.box_won is None else next_order(game.order, box_won=state.box_won)
    return replace(_led(state, new_chouette(order, Side.LIGHT, state.ruleset)), box_won=None)


def _led(state: MatchState, game: Chouette) -> MatchState:
    """With the chouette so: box and captain are the two who play."""
    return replace(state, chouette=game, names=(game.box, game.captain))


def _team_cube(state: MatchState, event: TeamCube) -> MatchState:
    game, turn = state.chouette, TurnState(state.turn or event.side, state.dice is not None)
    if game is None:
        return state
    if event.act == "double":
        turn = TurnState(event.side)  # a corrected record may have it after the roll
        state = replace(state, resigning=None)  # whoever doubles plays on
    with suppress(RulesError):  # after a correction it may follow from nothing
        game = act_on_stake(game, event.player, event.act, turn, state.ruleset)
    return _led(state, game)


def _shared_out(state: MatchState, event: GameEnded) -> MatchState:
    """What every player of a chouette has won or lost with this game."""
    game = state.chouette
    if game is None:
        return state
    if state.ruleset.chouette.cubes == "one":
        lost = event.points if event.winner is game.box_side else -event.points
        shares = dict.fromkeys(game.order, -lost) | {game.box: lost * (len(game.order) - 1)}
    else:
        level = event.level
        if event.ending == "borne off":
            level = win_level(state.position, event.winner, state.ruleset)
        elif state.resigning is not None:
            level = state.resigning.level
        shares = chouette_points(game, event.winner, level, state.ruleset)
    standings = tuple((name, points + shares[name]) for name, points in state.standings)
    return replace(state, standings=standings, box_won=event.winner is game.box_side)


def _found(state: MatchState, event: Found) -> MatchState:
    position = position_from_id(event.position, Side.LIGHT, state.start.checkers)
    # A cube never falls in a game: of another one nobody has seen a beaver yet.
    beavers = state.beavers if event.cube >= state.cube else 0
    state = replace(state, phase=into(Trigger.FOUND), position=position, cube=event.cube, owner=event.owner)
    state = replace(state, turn=None, dice=None, since=None, offered_by=None, offer="double", beavers=beavers)
    return replace(state, resigning=None, turns=plus(state.turns, event))


def _cube(state: MatchState, event: Doubled | Beavered | Raccooned | Taken | Passed) -> MatchState:
    state = replace(state, turns=plus(state.turns, event), resigning=None)
    match event:
        case Doubled(side=side):
            return replace(state, phase=into(Trigger.DOUBLED), turn=side, offered_by=side, offer="double")
        case Beavered(side=side):
            taken = replace(state, cube=state.cube * 2, owner=side, beavers=state.beavers + 1)
            return replace(taken, phase=into(Trigger.DOUBLED_AGAIN), offered_by=side, offer="beaver")
        case Raccooned(side=side):
            taken = replace(state, cube=state.cube * 2)
            return replace(taken, phase=into(Trigger.DOUBLED_AGAIN), offered_by=side, offer="raccoon")
        case Taken(side=side):
            owner = owner_after_take(state.cube_state, side, state.ruleset)
            taken = replace(state, cube=state.cube * 2, owner=owner, since=event.seconds)
            return replace(taken, phase=into(Trigger.TAKEN), offered_by=None, offer="double")
        case Passed():
            return replace(state, phase=into(Trigger.PASSED))


def _set_by_hand(state: MatchState, event: AnyEvent) -> MatchState:
    """After what only a person can bring about."""
    match event:
        case Confirmed(turn=number):
            turns = list(state.turns)
            if number <= len(turns) and isinstance(turn := turns[number - 1], Played):
                turns[number - 1] = msgspec.structs.replace(turn, sure=1.0)
            return replace(state, turns=_kept(state.turns, turns))
        case Marked(turn=number, mark=mark):
            others = tuple(one for one in state.marks if one[0] != number)
            return replace(state, marks=(*others, (number, mark)) if mark else others)
        case Adjusted():
            return _adjusted(state, event)
        case Paused(on=True):
            return replace(state, paused_at=event.seconds)
        case Paused():
            since = state.since
            if since is not None and state.paused_at is not None:  # a turn may have begun by what was said meanwhile
                since += max(event.seconds - max(state.paused_at, since), 0.0)
            return replace(state, paused_at=None, since=since)
        case RoleSet(role=role):
            return replace(state, role=role)
        case Named(light=light, dark=dark):
            now = light, dark
            flags = tuple(replace(flag, names=renamed(flag.names, state.names, now)) for flag in state.flags)
            return replace(state, names=now, flags=flags)
        case Rewritten(given=given, act=act):
            more = (len(state.turns) + 1,) if act == "corrected" else ()
            return replace(state, given=max(given, state.given), corrected=(*state.corrected, *more))
    return state


def _adjusted(state: MatchState, event: Adjusted) -> MatchState:
    if event.position is not None:
        position = position_from_id(event.position, Side.LIGHT, state.start.checkers)
        state = replace(state, position=position, resigning=None, flags_before=len(state.flags))
        if state.phase is Phase.OPENING and position != state.start:
            state = replace(state, phase=Phase.FOUND)  # a game that is on already: either side may be on roll
    if event.turn is not None:
        phase = Phase.TO_PLAY if event.dice else Phase.TO_ROLL
        state = replace(state, phase=phase, turn=event.turn, dice=event.dice, since=event.seconds)
        state = replace(state, offered_by=None, offer="double")
    if event.cube is not None:
        state = replace(state, cube=event.cube, owner=event.owner)
    if event.score is None:
        return state
    score = agreed_score(state.score, event.score, state.ruleset, crawford=event.crawford)
    phase = Phase.MATCH_OVER if score.over else Phase.GAME_OVER if state.phase is Phase.MATCH_OVER else state.phase
    clock = state.clock
    if clock is not None and clock.running is None and score.game == 1 and not state.turns:
        clock = replace(Clock.of(score, state.ruleset), on=clock.on)
    if phase is Phase.MATCH_OVER:  # nobody has anything to do any more, and the game that was on is over
        score = score if state.between_games else replace(score, game=score.game + 1)
        state = replace(state, turn=None, dice=None, resigning=None)
    return replace(state, score=score, phase=phase, clock=clock)


def _timed(before: MatchState, event: AnyEvent, after: MatchState) -> MatchState:
    """With the clock moved on: it runs for whoever has to do something next, and for nobody while the game is paused."""
    clock = after.clock
    if isinstance(event, ClockSet) and after.score.length:
        clock = clock or Clock.of(after.score, after.ruleset)
    if clock is None:
        return after
    clock = _moved_on(clock, before, event, after)
    return replace(after, clock=clock.paused(before.seconds) if after.paused else clock)


def _moved_on(clock: Clock, before: MatchState, event: AnyEvent, after: MatchState) -> Clock:
    """The clock after an event, as if nothing were paused."""
    now = before.seconds
    match event:
        case ClockSet(running=None):
            return replace(clock.paused(now), on=False)
        case ClockSet(running=side) if side is not None:
            return replace(clock, on=True).runs_for(side, now)
        case Rolled(side=side) if clock.running is None or before.turn is not side:
            return clock.runs_for(side, now)
        case Played(side=side) | Skipped(side=side) | Doubled(side=side) | Beavered(side=side) | Raccooned(side=side):
            return clock.runs_for(side.other, now)
        case Withdrawn(side=side):
            return clock.runs_for(side, now)
        case Taken() if after.turn is not None:
            return clock.runs_for(after.turn, now)
        case GameEnded() | GameStarted():  # nobody may have seen how the game before has ended
            return clock.stopped(now)
        case Adjusted() if after.phase is Phase.MATCH_OVER:
            return clock.stopped(now)
        case Adjusted(turn=side) if side is not None and clock.running is not None:
            return clock.runs_for(side, now)
        case Paused(on=False) if clock.running is not None:
            return clock.runs_for(clock.running, now)
    return clock


def _match_started(state: MatchState, event: MatchStarted) -> MatchState:
    rules = rules_of(event)
    start, score = _start(event.position, rules), MatchScore(event.length, games=rules.match.games)
    order = (event.light, event.dark, *event.team)
    return replace(
        state,
        phase=into(Trigger.MATCH_BEGUN),
        names=(event.light, event.dark),
        chouette=new_chouette(order, Side.LIGHT, rules) if event.team else None,
        standings=tuple((name, 0) for name in order) if event.team else (),
        ruleset=rules,
        role=rules.device.role,
        start=start,
        position=start,
        score=score,
        clock=Clock.of(score, rules) if event.clock and event.length else None,
        event=event.event,
        place=event.place,
        round=event.round,
    )


def rules_of(event: MatchStarted) -> RuleSet:
    """The rule set that a match is played by. Raises EventError for rules that this version does not know."""
    return _rules(event.rules, msgspec.json.encode(event.keys, order="sorted"))


@lru_cache(maxsize=16)
def _rules(name: str, keys: bytes) -> RuleSet:
    try:
        return ruleset_stored(name, msgspec.json.decode(keys))
    except RuleSetError as error:
        raise EventError(
            "The match is played by rules that this version does not know: {why}", why=error.sentence
        ) from error


def _start(position: str, rules: RuleSet) -> Position:
    """Where the games begin. A Position ID does not say how many checkers a side owns; the variant that begins there does, or the
    one that is played."""
    starts = {position_id(start, Side.LIGHT): start for start in map(Position.start, VARIANTS)}
    checkers = Position.start(rules.variant.position).checkers
    return starts.get(position) or position_from_id(position, Side.LIGHT, checkers)


def _answered(flags: tuple[Flag, ...], number: int, how: str) -> tuple[Flag, ...]:
    """The flags, those of that number answered; nearly always it is one of the last."""
    changed = list(flags)
    for at in range(len(changed) - 1, -1, -1):
        if changed[at].number == number:
            changed[at] = replace(changed[at], resolved=how)
    return tuple(changed)


def _kept(as_before: Sequence[TurnLine], turns: Sequence[TurnLine]) -> Sequence[TurnLine]:
    """These lines in the kind of sequence that the state had before."""
    return Growing(turns) if isinstance(as_before, Growing) else tuple(turns)


def _next(state: MatchState, event: Played | Skipped, side: Side) -> MatchState:
    return replace(state, turn=side, dice=None, turns=plus(state.turns, event), since=event.seconds, resigning=None)
