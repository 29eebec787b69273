"""The state of a match, as a fold over its events: apply() is the only thing that makes one.

All state lives in MatchState. Replay, crash recovery, undo and the page are this fold read differently.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import Enum

from controller.referee.events import (
    AnyEvent,
    Doubled,
    Flagged,
    GameEnded,
    GameStarted,
    MatchStarted,
    Passed,
    Played,
    Resolved,
    Rolled,
    Skipped,
    Taken,
)
from controller.rules import MATCH, PRESETS, VARIANTS, Position, Side, position_from_id, position_id
from controller.rules.match import MatchScore, after_game


class Phase(Enum):
    """Where a match stands between two events."""

    SET_UP = "set up"  # nothing is known yet
    OPENING = "opening"  # waiting for the opening roll
    TO_ROLL = "to roll"
    TO_PLAY = "to play"
    OFFERED = "cube offered"
    GAME_OVER = "game over"
    MATCH_OVER = "match over"


@dataclass(frozen=True)
class Flag:
    """What the referee said, and how it ended (None: it stands)."""

    number: int
    code: str
    side: Side | None
    text: str
    turn: int
    resolved: str | None = None


@dataclass(frozen=True)
class MatchState:
    """A match so far. position: at the start of the turn; turns: the lines of this game's record, in order; seconds: time of the
    last frame that an event came from."""

    phase: Phase = Phase.SET_UP
    names: tuple[str, str] = ("Light", "Dark")
    rules: str = MATCH.name
    start: Position = field(default_factory=Position.start)
    score: MatchScore = field(default_factory=lambda: MatchScore(0))
    position: Position = field(default_factory=Position.start)
    turn: Side | None = None
    dice: tuple[int, int] | None = None
    cube: int = 1
    owner: Side | None = None
    turns: tuple[Played | Skipped | Doubled | Taken | Passed, ...] = ()
    flags: tuple[Flag, ...] = ()
    events: int = 0
    seconds: float = 0.0

    @property
    def standing(self) -> tuple[Flag, ...]:
        """Flags that nobody has answered yet."""
        return tuple(flag for flag in self.flags if flag.resolved is None)

    def name(self, side: Side) -> str:
        """What that player is called."""
        return self.names[0 if side is Side.LIGHT else 1]

    @property
    def next_flag(self) -> int:
        """The number that the next flag gets."""
        return len(self.flags) + 1


def fold(events: Iterable[AnyEvent], state: MatchState | None = None) -> MatchState:
    """The state after these events, from the beginning or from `state`."""
    state = state or MatchState()
    for event in events:
        state = apply(state, event)
    return state


def apply(state: MatchState, event: AnyEvent) -> MatchState:
    """The state after one more event."""
    state = replace(state, events=state.events + 1, seconds=event.seconds or state.seconds)
    match event:
        case MatchStarted():
            return _match_started(state, event)
        case GameStarted():
            return replace(
                state, phase=Phase.OPENING, position=state.start, turn=None, dice=None, cube=1, owner=None, turns=()
            )
        case Rolled(side=side, dice=dice):
            return replace(state, phase=Phase.TO_PLAY, turn=side, dice=dice)
        case Played(side=side):
            position = position_from_id(event.after, Side.LIGHT, state.start.checkers)
            if event.redo and state.turns and isinstance(state.turns[-1], Played):
                state = replace(state, turns=state.turns[:-1])
            return replace(_next(state, event, side.other), position=position)
        case Skipped(side=side):
            return _next(state, event, side.other)
        case Doubled(side=side):
            return replace(state, phase=Phase.OFFERED, turn=side, turns=(*state.turns, event))
        case Taken(side=side):
            state = replace(state, cube=state.cube * 2, owner=side)
            return replace(state, phase=Phase.TO_ROLL, turns=(*state.turns, event))
        case Passed():
            return replace(state, turns=(*state.turns, event))
        case Flagged():
            flag = Flag(event.number, event.code, event.side, event.text, len(state.turns) + 1)
            return replace(state, flags=(*state.flags, flag))
        case Resolved(number=number, how=how):
            flags = tuple(replace(f, resolved=how) if f.number == number else f for f in state.flags)
            return replace(state, flags=flags)
        case GameEnded(winner=winner, points=points):
            score = after_game(state.score, winner, points, PRESETS.get(state.rules, MATCH))
            over = Phase.MATCH_OVER if score.winner else Phase.GAME_OVER
            return replace(state, phase=over, score=score, turn=None, dice=None)


def _match_started(state: MatchState, event: MatchStarted) -> MatchState:
    start = _start(event.position)
    return replace(
        state,
        phase=Phase.OPENING,
        names=(event.light, event.dark),
        rules=event.rules,
        start=start,
        position=start,
        score=MatchScore(event.length),
    )


def _start(position: str) -> Position:
    """Where the games begin. A Position ID does not say how many checkers a side owns; the variant that begins there does."""
    starts = {position_id(start, Side.LIGHT): start for start in map(Position.start, VARIANTS)}
    return starts.get(position) or position_from_id(position, Side.LIGHT)


def _next(state: MatchState, event: Played | Skipped, side: Side) -> MatchState:
    return replace(state, phase=Phase.TO_ROLL, turn=side, dice=None, turns=(*state.turns, event))
