"""What there is to say of every match of a journal in one line, kept up to date event by event.

Lists and searches read this, never the journal: a line takes a few hundred bytes, however long its match is.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

import msgspec

from controller.errors import ControllerError
from controller.record.journal import StoredEvent
from controller.record.salvage import LOST
from controller.referee.events import (
    AMENDED,
    VERSION,
    Adjusted,
    AnyEvent,
    Exchanged,
    GameEnded,
    GameStarted,
    MatchStarted,
    Named,
    Rewritten,
    amended_match,
    decode,
    kind,
)
from controller.referee.folding import apply_recorded
from controller.referee.names import exchanged
from controller.referee.state import MatchState
from controller.rules import Side
from web.operator import MatchLine, PlayerPoints

_TELLING = frozenset({"match", "game", "end", "set", "names", "colours", "rewrite"})
"""Kinds of events that can change a line; the others, nearly all, are only counted."""

_PLAYING = frozenset({"play", "double", "beaver", "raccoon", "take", "pass", "team"})
"""Kinds of those by which something of a game was played."""

_Held = AnyEvent | Literal["playing"] | None
"""An event that holds; None for one that changes nothing here, "playing" for one of _PLAYING, whatever it was."""


@dataclass
class _Match:
    """limit: games after which it is over, 0 for none; games, ended: that have begun, that are over. number, played: of the game
    that began last, and whether something of it was played. team: the state of a chouette, whose standings all of its events make;
    None where two play. held: the events that hold; only the newest match needs them. amended: the sequences of what was said of it
    when it was not on any more."""

    first: int
    last: int
    begun: str
    names: tuple[str, str] = ("", "")
    length: int = 0
    limit: int = 0
    score: tuple[int, int] = (0, 0)
    games: int = 0
    ended: int = 0
    number: int = 0
    played: bool = False
    team: MatchState | None = None
    line: MatchLine | None = None
    held: list[_Held] = field(default_factory=list)
    amended: tuple[int, ...] = ()

    def take(self, event: AnyEvent) -> bool:
        """Whether the event changed anything that is told here; a correction brings its own events."""
        if not isinstance(event, Rewritten):
            told = self._fold(event)
            self.held.append(self._if_needed(event))
            return told
        del self.held[event.to :]
        self.held += [None, *map(self._if_needed, event.then)]
        self.fold_all(held for held in self.held if held is not None)
        return True

    def pass_over(self, of_kind: str) -> None:
        """An event of that kind, which changes nothing of the line."""
        self.held.append("playing" if of_kind in _PLAYING else None)
        self.played = self.played or of_kind in _PLAYING

    def fold_all(self, held: Iterable[AnyEvent | Literal["playing"]]) -> None:
        """All that is told here, anew."""
        self.score, self.games, self.ended, self.number, self.played = (0, 0), 0, 0, 0, False
        for event in held:
            if event == "playing":
                self.played = True
            else:
                self._fold(event)

    def _if_needed(self, event: AnyEvent) -> _Held:
        if self.team is not None or _is_told(event):
            return event
        return "playing" if kind(event) in _PLAYING else None

    def _fold(self, event: AnyEvent) -> bool:
        self.played = self.played or kind(event) in _PLAYING
        if isinstance(event, MatchStarted):
            self.team = MatchState() if event.team else None
        if self.team is not None:
            with suppress(ControllerError):  # of a record that follows from nothing: then the list goes on without it
                self.team = apply_recorded(self.team, event)
        match event:
            case MatchStarted():
                self.names, self.length = (event.light, event.dark), event.length
                self.limit = event.keys.get("match.games", 0)
                self.score, self.games, self.ended, self.number, self.played = (0, 0), 0, 0, 0, False
            case Exchanged():
                self.names, self.score = exchanged(self.names), (self.score[1], self.score[0])
            case Named():
                self.names = (event.light, event.dark)
            case GameStarted(number=number):
                # One that begins anew before anything of it was played is one in its record, too.
                self.games += self.played or number != self.number or self.games == 0
                self.number, self.played = number, False
            case GameEnded(winner=winner, points=points):
                self.ended, self.played = self.ended + 1, True
                light, dark = self.score
                self.score = (light + points, dark) if winner is Side.LIGHT else (light, dark + points)
            case Adjusted(score=score) if score is not None:
                self.score = score
            case _:
                return False
        return True

    def line_of(self, identity: str) -> MatchLine:
        """The line."""
        over = self.games > 0 and (0 < self.length <= max(self.score) or 0 < self.limit <= self.ended)
        date, _ = begun(self.begun)
        line = MatchLine(identity, *self.names, self.length, self.score, self.games, over, date)
        if self.team is None:
            return line
        standings = tuple(PlayerPoints(name, points) for name, points in self.team.standings)
        light, dark = [one.name for one in standings[:2]] or self.names
        return msgspec.structs.replace(line, light=light, dark=dark, score=(0, 0), standings=standings)


class Matches:
    """The matches of one journal. One thread adds, any may ask."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._matches: dict[str, _Match] = {}
        self._newest: _Match | None = None
        self._lines: tuple[MatchLine, ...] | None = None

    def add(self, stored: StoredEvent) -> None:
        """The journal's next event. Raises EventError where this version can't read it."""
        if stored.kind == AMENDED:
            self._amend(amended_match(stored.payload), stored.sequence)
            return
        if not stored.match:  # recovered, from before the first match
            return
        with self._lock:
            match = self._matches.get(stored.match)
            if match is None or match is not self._newest:
                match = self._begin(stored)
            match.last = stored.sequence
            match.begun = match.begun or stored.wall_time
            is_told = stored.kind in _TELLING or stored.version > VERSION or match.team is not None
            if stored.kind == LOST or not is_told:
                match.pass_over(stored.kind)
            elif match.take(decode(stored.version, stored.payload)):
                match.line, self._lines = match.line_of(stored.match), None

    def _amend(self, identity: str, sequence: int) -> None:
        with self._lock:
            match = self._matches.get(identity)
            if match is not None:
                match.last, match.amended = sequence, (*match.amended, sequence)

    def amended(self, identity: str) -> tuple[int, ...]:
        """The sequences of what was said of a match when it was not on any more."""
        with self._lock:
            match = self._matches.get(identity)
            return () if match is None else match.amended

    def all_amended(self) -> tuple[str, ...]:
        """Every match of which something was said then."""
        with self._lock:
            return tuple(identity for identity, match in self._matches.items() if match.amended)

    def tell_anew(self, identity: str, held: Iterable[AnyEvent]) -> None:
        """A match's line, of the events that hold after it was put right."""
        with self._lock:
            match = self._matches[identity]
            match.fold_all(held)
            match.line, self._lines = match.line_of(identity), None

    def span(self, identity: str) -> tuple[int, int] | None:
        """The sequences of a match's first event and of the last that was said of it; None for a match that is not there."""
        with self._lock:
            match = self._matches.get(identity)
            return None if match is None else (match.first, match.last)

    @property
    def newest(self) -> str:
        """The last match's name; "" before the first."""
        with self._lock:
            return next(reversed(self._matches), "")

    def lines(self) -> tuple[MatchLine, ...]:
        """The lines, newest first; the same tuple as long as nothing has changed."""
        with self._lock:
            if self._lines is None:
                self._lines = tuple(match.line for match in reversed(self._matches.values()) if match.line)
            return self._lines

    def _begin(self, stored: StoredEvent) -> _Match:
        if self._newest is not None:
            self._newest.held, self._newest.team = [], None
        self._newest = match = _Match(stored.sequence, stored.sequence, stored.wall_time)
        self._matches[stored.match] = match
        match.line, self._lines = match.line_of(stored.match), None
        return match


def _is_told(event: AnyEvent) -> bool:
    return isinstance(event, MatchStarted | Exchanged | Named | GameStarted | GameEnded) or (
        isinstance(event, Adjusted) and event.score is not None
    )


def begun(wall_time: str) -> tuple[str, str]:
    """Date and time of day where this program runs; empty where nobody can tell."""
    try:
        moment = datetime.fromisoformat(wall_time).astimezone()
    except (ValueError, OverflowError, OSError):
        return "", ""
    return moment.date().isoformat(), f"{moment:%H:%M}"
