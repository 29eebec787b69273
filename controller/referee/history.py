"""The events of a match that hold, after all that people have corrected: nothing is ever struck out, only rewritten.

A journal only grows. Rewritten(to=N, then=...) says that of the events that held so far only the first N go on to hold, and
after them those in `then`. It stays among them itself, as the note that something was corrected: without `then`, but with what it
struck, so that it can be taken back.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import msgspec

from controller.referee.events import (
    Act,
    Adjusted,
    AnyEvent,
    Beavered,
    Begins,
    Doubled,
    Drawn,
    Exchanged,
    Flagged,
    Found,
    GameEnded,
    GameStarted,
    Named,
    Passed,
    Played,
    Raccooned,
    ResignOffered,
    ResignRefused,
    Resolved,
    Rewritten,
    Rolled,
    Skipped,
    Taken,
    TeamCube,
    Withdrawn,
)

T = TypeVar("T")


def effective(events: Iterable[AnyEvent]) -> list[AnyEvent]:
    """The events that hold."""
    return [event for event, _ in effective_with((event, None) for event in events)]


def effective_with(events: Iterable[tuple[AnyEvent, T]]) -> list[tuple[AnyEvent, T]]:
    """The events that hold, each with what goes with it. Those that a correction puts there get what went with what was written
    down of the same moment, if anything was, else what goes with the correction."""
    held: list[tuple[AnyEvent, T]] = []
    noted: dict[float, T] = {}
    for event, note in events:
        if isinstance(event, Rewritten) and event.struck is msgspec.UNSET:  # else it is a note already
            struck = tuple(one for one, _ in held[event.to :]) if event.act else ()  # else nothing takes it back
            nth = 1 + max((one.nth for one, _ in held if isinstance(one, Rewritten)), default=0)
            del held[event.to :]
            held.append(
                (
                    msgspec.structs.replace(
                        event, then=(), struck=struck, put=sum(map(_is_action, event.then)), nth=nth
                    ),
                    note,
                )
            )
            held.extend((one, noted.get(one.seconds, note)) for one in event.then)
        else:
            held.append((event, note))
            if event.seconds:
                noted.setdefault(event.seconds, note)  # what is said of an earlier match bears its last moment
    return held


def rewritten(
    held: Sequence[AnyEvent], to: int, given: int, seconds: float, then: Sequence[AnyEvent] = (), act: Act | None = None
) -> Rewritten:
    """The correction that keeps the first `to` of the events that hold."""
    assert 0 <= to <= len(held)
    return Rewritten(to=to, given=given, then=tuple(then), seconds=seconds, act=act)


@dataclass(frozen=True)
class RecordLine:
    """A line of a game's record. at: index of the event that made it what it is; event: that event."""

    at: int
    event: Played | Found | Skipped | Doubled | Beavered | Raccooned | Taken | Passed


def span_of(held: Sequence[AnyEvent], game: int) -> tuple[int, int] | None:
    """Where the events of that game lie among those that hold: after its beginning, before the next one's. None: it was never
    begun."""
    begun = [at for at, event in enumerate(held) if isinstance(event, GameStarted)]
    found = next((nth for nth in reversed(range(len(begun))) if _number_of(held[begun[nth]]) == game), None)
    if found is None:
        return None
    return begun[found] + 1, begun[found + 1] if found + 1 < len(begun) else len(held)


def _number_of(event: AnyEvent) -> int | None:
    return event.number if isinstance(event, GameStarted) else None


def takes_back(event: AnyEvent, last: AnyEvent | None) -> bool:
    """Whether the event takes back the line of the game that is the last so far: that turn is played otherwise, or that double was
    not answered yet."""
    if isinstance(event, Played):
        return event.redo and isinstance(last, Played)
    return isinstance(event, Withdrawn) and isinstance(last, Doubled)


@dataclass
class LinesSoFar:
    """The lines of the game that is going on, while its events are taken one by one."""

    lines: list[RecordLine] = field(default_factory=list)

    def take(self, at: int, event: AnyEvent) -> None:
        """at: the event's index among those that hold."""
        if self.lines and takes_back(event, self.lines[-1].event):
            self.lines.pop()
        match event:
            case GameStarted():
                self.lines = []
            case Played() | Found() | Skipped() | Doubled() | Beavered() | Raccooned() | Taken() | Passed():
                self.lines.append(RecordLine(at, event))


def lines(held: Sequence[AnyEvent], game: int | None = None) -> list[RecordLine]:
    """The lines of a game, as MatchState.turns has them; None is the present one. Without any where it was never begun."""
    begin, end = (0, len(held)) if game is None else span_of(held, game) or (0, 0)
    found = LinesSoFar()
    for at, event in enumerate(held[begin:end], start=begin):
        found.take(at, event)
    return found.lines


def last_action(held: Sequence[AnyEvent]) -> int | None:
    """Index of the last thing that can be taken back: a draw, a turn, a cube action, a resignation or what a person set.

    What a person said of a turn while telling it is taken back with it, and with the end of a game what has brought it about.
    """
    at = next((at for at in range(len(held) - 1, -1, -1) if _is_action(held[at])), None)
    if at is None:
        return None
    event = held[at]
    while at and _goes_with(held[at - 1], event):
        at -= 1
    return at


def last_correction(held: Sequence[AnyEvent]) -> int | None:
    """Index of the note of the correction that is the last act; None where it was another."""
    for at, note in _notes(held):
        if note.act == "corrected":
            return None if _followed(held, at, note) else at
    return None


def last_undone(held: Sequence[AnyEvent]) -> int | None:
    """Index of the note of what was taken back last and holds no more; None where something has been done since."""
    notes = [(at, note) for at, note in _notes(held) if note.act is not None]
    if not notes or _followed(held, *notes[0]):
        return None
    at, note = next((one for one in notes if one[1].act != "redone"), notes[0])
    return at if note.act == "undone" and not _followed(held, at, note) else None


def is_taken_back(held: Sequence[AnyEvent]) -> bool:
    """Something was taken back last, and nobody has thrown since: it may still stand on the board."""
    at = last_undone(held)
    return at is not None and not any(isinstance(one, Rolled) and one.seconds > held[at].seconds for one in held[at:])


def _followed(held: Sequence[AnyEvent], at: int, note: Rewritten) -> bool:
    """Whether something was done after that note's correction."""
    return sum(map(_is_action, held[at + 1 :])) > note.put


def _notes(held: Sequence[AnyEvent]) -> list[tuple[int, Rewritten]]:
    """The notes of corrections and their indices, the newest first."""
    notes = [(at, event) for at, event in enumerate(held) if isinstance(event, Rewritten)]
    return sorted(notes, key=lambda one: one[1].nth, reverse=True)


def struck(note: AnyEvent) -> tuple[AnyEvent, ...]:
    """What no longer holds since a note's correction."""
    return note.struck if isinstance(note, Rewritten) and isinstance(note.struck, tuple) else ()


def _goes_with(event: AnyEvent, act: AnyEvent) -> bool:
    """Whether both are one act: what is said of a turn that a person tells; an answer that lets a play stand; what ends a game, as
    the last pass of a team does; the beginning of a game after the first, with what is said or seen first of it."""
    match act:
        case Played(legal=False) if isinstance(event, Resolved) and event.how in ("stands", "condoned"):
            return event.seconds == act.seconds
        case Played(by_hand=True):
            return isinstance(event, Flagged | Resolved) and event.seconds == act.seconds
        case GameEnded():
            return isinstance(event, TeamCube | ResignOffered) and event.seconds == act.seconds
        case Drawn() | Begins() | Found() | Adjusted() if isinstance(event, GameStarted):
            return event.number > 1 and event.seconds == act.seconds
    return False


_ACTIONS = (
    Drawn, Exchanged, Begins, Played, Found, Skipped, Doubled, Withdrawn, Beavered, Raccooned, Taken, Passed, TeamCube,
    ResignOffered, ResignRefused, Adjusted, Named,
)  # fmt: skip


def _is_action(event: AnyEvent) -> bool:
    if isinstance(event, GameEnded):
        return event.ending == "resigned"
    return isinstance(event, _ACTIONS)
