"""The events of a match that hold, after all that people have corrected: nothing is ever struck out, only rewritten.

A journal only grows. Rewritten(to=N, then=...) says that of the events that held so far only the first N go on to hold, and
after them those in `then`. It stays among them itself, without `then`, as the note that something was corrected.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import msgspec

from controller.referee.events import (
    Adjusted,
    AnyEvent,
    Doubled,
    Drawn,
    Flagged,
    GameEnded,
    GameStarted,
    Passed,
    Played,
    Resolved,
    Rewritten,
    Skipped,
    Taken,
)

T = TypeVar("T")


def effective(events: Iterable[AnyEvent]) -> list[AnyEvent]:
    """The events that hold."""
    return [event for event, _ in effective_with((event, None) for event in events)]


def effective_with(events: Iterable[tuple[AnyEvent, T]]) -> list[tuple[AnyEvent, T]]:
    """The events that hold, each with what goes with it; events of a correction get what goes with the correction."""
    held: list[tuple[AnyEvent, T]] = []
    for event, note in events:
        if isinstance(event, Rewritten):
            del held[event.to :]
            held.append((msgspec.structs.replace(event, then=()), note))
            held.extend((one, note) for one in event.then)
        else:
            held.append((event, note))
    return held


def rewritten(
    held: Sequence[AnyEvent], to: int, given: int, seconds: float, then: Sequence[AnyEvent] = ()
) -> Rewritten:
    """The correction that keeps the first `to` of the events that hold."""
    assert 0 <= to <= len(held)
    return Rewritten(to=to, given=given, then=tuple(then), seconds=seconds)


@dataclass(frozen=True)
class Line:
    """A line of the present game's record. at: index of the event that made it what it is; event: that event."""

    at: int
    event: Played | Skipped | Doubled | Taken | Passed


def lines(held: Sequence[AnyEvent]) -> list[Line]:
    """The lines of the present game, as MatchState.turns has them."""
    found: list[Line] = []
    for at, event in enumerate(held):
        match event:
            case GameStarted():
                found = []
            case Played() | Skipped() | Doubled() | Taken() | Passed():
                if isinstance(event, Played) and event.redo and found and isinstance(found[-1].event, Played):
                    found.pop()
                found.append(Line(at, event))
    return found


def last_action(held: Sequence[AnyEvent]) -> int | None:
    """Index of the last thing that can be taken back: a draw, a turn, a cube action, a resignation or what a person set.

    What was said of a turn in the same breath as a person told it goes with it.
    """
    at = next((at for at in range(len(held) - 1, -1, -1) if _is_action(held[at])), None)
    if at is None:
        return None
    event = held[at]
    while isinstance(event, Played) and event.said and at and _goes_with(held[at - 1], event):
        at -= 1
    return at


def _goes_with(event: AnyEvent, turn: Played) -> bool:
    return isinstance(event, Flagged | Resolved) and event.seconds == turn.seconds


def _is_action(event: AnyEvent) -> bool:
    if isinstance(event, GameEnded):
        return event.ending == "resigned"
    return isinstance(event, Drawn | Played | Skipped | Doubled | Taken | Passed | Adjusted)
