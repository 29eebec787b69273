"""Matches of a journal that were put right when they were not on any more.

What is said then stands in the journal beside the matches, of none itself: the events of each match stay together, and whoever
follows the match that is on hears nothing of it. A match's record is made of its events and of these, as if they came last in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import takewhile

import msgspec

from controller.record.journal import Journal, StoredEvent
from controller.record.matches import Matches
from controller.referee.events import AMENDED, Amended, AnyEvent, EventError, amended_match, decode, encode


def amendment(match: str, then: Iterable[AnyEvent], by: str = "") -> str:
    """As the journal keeps it. then: what a correction of that match makes hold; by: whose it is."""
    told = tuple(msgspec.Raw(encode(event).encode()) for event in then)
    return msgspec.json.encode(Amended(match, told, by)).decode()


def events_of_amendment(stored: StoredEvent) -> tuple[AnyEvent, ...]:
    """What it says of its match. Raises EventError."""
    try:
        told = msgspec.json.decode(stored.payload, type=Amended).then
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise EventError("A stored event cannot be read ({why}).", why=str(error)) from error
    return tuple(decode(stored.version, bytes(one).decode()) for one in told)


def amendments_in(events: Iterable[StoredEvent]) -> dict[str, list[StoredEvent]]:
    """Those among some events, by the match that each is of."""
    found: dict[str, list[StoredEvent]] = {}
    for stored in events:
        if stored.kind == AMENDED:
            found.setdefault(amended_match(stored.payload), []).append(stored)
    return found


def events_of_match(journal: Journal, matches: Matches, identity: str) -> tuple[StoredEvent, ...]:
    """A match's own events and, after them, what it was put right with; nothing for one that is not there. Raises JournalError."""
    span = matches.span(identity)
    return () if span is None else tuple(_events_of(journal, *span, identity, matches.amended(identity)))


def _events_of(
    journal: Journal, first: int, last: int, identity: str, amended: tuple[int, ...]
) -> Iterator[StoredEvent]:
    own = (stored for stored in journal.events(first - 1, last) if stored.match)
    yield from takewhile(lambda stored: stored.match == identity, own)
    for sequence in amended:
        yield from journal.events(sequence - 1, sequence)
