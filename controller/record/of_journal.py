"""The matches of a journal as records: each with all that was said of it afterwards, and with what was lost."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import chain, groupby
from pathlib import Path

import msgspec

from controller.record.amended import amendments_in, events_of_amendment
from controller.record.from_events import record_of_timed
from controller.record.journal import StoredEvent, in_use, read_events
from controller.record.matches import begun
from controller.record.model import Record
from controller.record.salvage import LOST
from controller.referee.events import AMENDED, AnyEvent, Rewritten, decode
from controller.referee.history import effective


def event_of(stored: StoredEvent) -> AnyEvent:
    """The event of a row. One that recovery lost becomes a correction that changes nothing: corrections count the events that
    hold, so its place must not close up. Raises EventError where this version can't read it."""
    if stored.kind == LOST:
        return Rewritten(to=sys.maxsize, given=0)
    return decode(stored.version, stored.payload)


def records_in(
    journal: Path, evidence: Callable[[str, int], tuple[str, ...]] = lambda match, flag: ()
) -> Iterator[Record]:
    """Every match in a journal, oldest first, with the times by the clock on the wall; match_id is the journal's name for it.

    evidence: file names by match and flag. Works while the referee writes. Raises JournalError where the journal can't be
    read, EventError where an event can't.
    """
    amended = amendments_in(read_events(journal))
    return records_of(read_events(journal), journal.name, evidence, amended)


def records_of(
    events: Iterable[StoredEvent],
    file: str,
    evidence: Callable[[str, int], tuple[str, ...]] = lambda match, flag: (),
    amended: Mapping[str, Iterable[StoredEvent]] | None = None,
) -> Iterator[Record]:
    """The same of events that were read already. file: the journal's name; amended: what was said of matches afterwards."""
    for match, stored in groupby(_of_matches(events), key=lambda event: event.match):
        kept: list[tuple[AnyEvent, str]] = []
        first, lost = "", 0
        for event in stored:
            first = first or event.wall_time
            if event.kind == LOST:
                lost += 1
            kept.append((event_of(event), event.wall_time))
        for event in (amended or {}).get(match, ()):
            kept += [(told, event.wall_time) for told in events_of_amendment(event)]
        record = record_of_timed(kept, file, partial(evidence, match))
        problems = (f"{lost} of its events were lost with a damaged journal.",) if lost else ()
        date, time = begun(first)
        yield msgspec.structs.replace(
            record, match_id=match, date=date, time=time, problems=(*record.problems, *problems)
        )


def record_of_match(events: Iterable[StoredEvent], file: str) -> Record:
    """One match's, of its own events and of what it was put right with. Raises EventError, StopIteration where there is nothing."""
    events = tuple(events)
    return next(records_of(events, file, amended=amendments_in(events)))


def held_of_match(events: Iterable[StoredEvent]) -> list[AnyEvent]:
    """What holds of the same. Raises EventError."""
    told = (events_of_amendment(one) if one.kind == AMENDED else (event_of(one),) for one in events)
    return effective(chain.from_iterable(told))


def _of_matches(events: Iterable[StoredEvent]) -> Iterator[StoredEvent]:
    """The events of matches; what was lost before the first one belongs to none."""
    return (event for event in events if event.match)


def match_at(journal: Path) -> Record | None:
    """The match that a running referee is writing into this journal now; None where none is running.

    Raises JournalError, EventError.
    """
    if not in_use(journal):
        return None
    newest = deque(records_in(journal), maxlen=1)
    return newest[0] if newest else None
