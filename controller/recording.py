"""From the referee's events to a record that can be written to a file."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import msgspec

from controller.record.model import AnyAction, Double, Game, Pass, Play, Player, Record, Seat, Take, make_record
from controller.referee.events import (
    AnyEvent,
    Doubled,
    GameEnded,
    GameStarted,
    MatchStarted,
    Passed,
    Played,
    Taken,
)
from controller.referee.state import MatchState, apply
from controller.rules import VARIANTS, Position, Side, position_from_id, position_id

SURE = 0.97
"""Below this share of the belief a play carries its confidence into the record."""


def seat(side: Side) -> Seat:
    """Light sits in the left column."""
    return 0 if side is Side.LIGHT else 1


@dataclass
class _Open:
    """A game that is still being written."""

    score: tuple[int, int] = (0, 0)
    crawford: bool = False
    start: str = ""
    actions: list[AnyAction] = field(default_factory=list)
    winner: Side | None = None
    points: int | None = None

    def closed(self) -> Game:
        winner = seat(self.winner) if self.winner else None
        return Game(self.score, self.crawford, winner, self.points, tuple(self.actions), start=self.start)


def record_of(events: Iterable[AnyEvent], file: str = "") -> Record:
    """The match that these events tell, as far as it was played."""
    state = MatchState()
    games: list[_Open] = []
    for event in events:
        state = apply(state, event)
        match event:
            case MatchStarted():
                games = []
            case GameStarted():
                start = "" if _variation(state.start) else position_id(state.start, Side.LIGHT)
                games.append(_Open((state.score.light, state.score.dark), state.score.crawford, start))
            case GameEnded(winner=winner, points=points) if games:
                games[-1].winner, games[-1].points = winner, points
            case Played() | Doubled() | Taken() | Passed() if games:
                games[-1].actions.append(_action(event))
    players = (Player(state.names[0], "light"), Player(state.names[1], "dark"))
    record = make_record(players, tuple(game.closed() for game in games), state.score.length, file=file)
    variation = _variation(state.start) or record.variation
    return msgspec.structs.replace(record, rules=state.rules, variation=variation)


def _variation(start: Position) -> str:
    """The variant that begins from this position; empty where none does."""
    return next((variant for variant in VARIANTS if Position.start(variant) == start), "")


def _action(event: Played | Doubled | Taken | Passed) -> AnyAction:
    player, seconds = seat(event.side), event.seconds
    match event:
        case Played():
            return Play(
                player,
                event.dice,
                event.moves,
                _seen_by(event.side, event.before),
                _seen_by(event.side, event.after),
                event.legal,
                seconds=seconds,
                confidence=event.sure if event.sure < SURE else None,
                inferred=not event.roll_seen,
            )
        case Doubled(value=value):
            return Double(player, value, seconds=seconds)
        case Taken():
            return Take(player, seconds=seconds)
        case Passed():
            return Pass(player, seconds=seconds)


def _seen_by(mover: Side, position: str) -> str:
    """A Position ID with light on roll, as one with the mover on roll."""
    return position_id(position_from_id(position, Side.LIGHT), mover)
