"""The writer of one board's journal: the events of an act go in together or not at all, and it knows the match they belong to."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum
from functools import reduce
from itertools import groupby

import msgspec

from controller.app.event_line import sentence_of
from controller.app.status import JournalStatus
from controller.record.amended import amendment, events_of_match
from controller.record.evidence_recorder import EvidenceRecorder, turn_name
from controller.record.journal import Journal, JournalError, KeptEvents, NewEvent
from controller.record.matches import Matches
from controller.record.of_journal import event_of, held_of_match
from controller.referee.commands import CommandError
from controller.referee.events import (
    AMENDED,
    SET_UP,
    VERSION,
    AnyEvent,
    Flagged,
    MatchStarted,
    Played,
    SetUpChanged,
    encode,
    kind,
)
from controller.referee.folding import Replayed, replayed
from controller.referee.history import effective
from controller.referee.state import MatchState, Phase
from controller.tracking.parameters import SURE
from vision.sentence import Sentence

BOARD = "board-1"
"""Every event names its board, so that several can be gathered one day."""

NOT_DONE = Sentence("It was not written down, so it is not done.")

NOTICE_S = 30.0
"""Seconds of the match for which the page says what was put right with the journal."""


class NotWrittenError(CommandError):
    """The journal did not take the events, and nothing has happened; the sentence says why."""


class Writable(Enum):
    """Whether the next event can be written down."""

    YES = "yes"
    AGAIN = "again"  # since this call, after it could not
    NO = "no"


@dataclass(frozen=True)
class _Notice:
    """What is said of the journal until so many seconds of the match."""

    sentence: str
    until: float


class MatchJournal:
    """For the referee's thread. match: the journal's name for the match; matches: one line for each that it holds."""

    def __init__(self, journal: Journal, tell: Callable[[str], None], evidence: EvidenceRecorder | None = None) -> None:
        """evidence: keeps pictures of what is written, where anybody does."""
        self._journal, self._tell, self._evidence = journal, tell, evidence
        self._trouble = ""
        self._notice: _Notice | None = None
        self.match = ""
        self.by = ""
        """Who has what is written now done, where people have names."""
        self.matches = Matches()
        for stored in journal.events():
            self.matches.add(stored)
        for identity in self.matches.all_amended():
            self._tell_anew(identity)

    def resume(self) -> Unfinished:
        """The match to go on with; none where the last is over. Raises EventError."""
        found = unfinished(self._journal, self.matches)
        self.match = found.match
        return found

    def status(self, seconds: float) -> JournalStatus:
        """What is to be said of the journal at that second of the match."""
        if self._notice is not None and seconds >= self._notice.until:
            self._notice = None
        notice = self._notice.sentence if self._notice else ""
        return JournalStatus(self._trouble or notice, stopped=bool(self._trouble))

    def check(self, seconds: float) -> Writable:
        """Whether the next event can be written down; what has changed about that is told."""
        try:
            put_right = self._journal.check()
        except JournalError as error:
            self._stop(error.sentence)
            return Writable.NO
        if put_right:
            self._notice = _Notice(put_right, seconds + NOTICE_S)
            self._tell(put_right)
        if not self._trouble:
            return Writable.YES
        self._trouble = ""
        self._tell("The journal takes events again: play goes on.")
        return Writable.AGAIN

    def write(self, state: MatchState, events: tuple[AnyEvent, ...]) -> None:
        """Writes down an act. state: the one that it leads to. Raises NotWrittenError."""
        try:
            self.append(state, events)
        except JournalError as error:
            self._stop(error.sentence)
            raise NotWrittenError(error.sentence.followed_by(NOT_DONE)) from error

    def append(self, state: MatchState, events: tuple[AnyEvent, ...]) -> None:
        """The same, while nobody has seen anything yet that could stand still. Raises JournalError."""
        match, news = self.match, []
        for event in events:
            match = secrets.token_hex(8) if isinstance(event, MatchStarted) else match
            news.append(NewEvent(kind(event), VERSION, encode(event, self.by), BOARD, match, state.score.game))
        for stored in self._journal.append_all(news):
            self.matches.add(stored)
        self.match = match
        for event in events:
            self._tell(sentence_of(event))
            if self._evidence is not None:
                keep_evidence(self._evidence, match, event, state.since)

    def note_set_up(self, change: SetUpChanged) -> None:
        """Writes down who has changed the set-up; it goes on where the journal takes nothing, which is told anyway."""
        payload = msgspec.json.encode(change).decode()
        with suppress(JournalError):
            self._journal.append_all([NewEvent(SET_UP, VERSION, payload, BOARD, "", 0)])

    def amend(self, identity: str, then: Iterable[AnyEvent], by: str) -> None:
        """Writes down how a match that is not on any more was put right. Raises NotWrittenError."""
        payload = amendment(identity, then, by)
        try:
            (stored,) = self._journal.append_all([NewEvent(AMENDED, VERSION, payload, BOARD, "", 0)])
        except JournalError as error:
            self._stop(error.sentence)
            raise NotWrittenError(error.sentence.followed_by(NOT_DONE)) from error
        self.matches.add(stored)
        self._tell_anew(identity)

    def _tell_anew(self, identity: str) -> None:
        events = events_of_match(self._journal, self.matches, identity)
        self.matches.tell_anew(identity, held_of_match(events))

    def _stop(self, sentence: str) -> None:
        if sentence != self._trouble:
            self._trouble = sentence
            self._tell(sentence)


def keep_evidence(recorder: EvidenceRecorder, match: str, event: AnyEvent, since: float | None) -> None:
    """Keeps pictures of a flag, and of a turn that a person should look at. since: when the present turn began."""
    match event:
        case Flagged():
            recorder.keep(match, event.number, since, event.seconds)
        case Played(by_hand=False, sure=sure, took=took, seconds=seconds) if sure < SURE:
            recorder.keep(match, turn_name(seconds), None if took is None else seconds - took, seconds)


@dataclass(frozen=True)
class Unfinished:
    """A match that is not over: the journal's name for it, the events that hold, and what they lead to. Without a name and events
    where there is none."""

    match: str = ""
    held: list[AnyEvent] = field(default_factory=list)
    replayed: Replayed = field(default_factory=Replayed)


def unfinished(journal: Journal | KeptEvents, matches: Matches | None = None) -> Unfinished:
    """The journal's last match, if it is not over.

    matches: those of the journal, where they are known; then only the last one is read.
    Raises EventError where the journal was written by a newer version.
    """
    span = matches.span(matches.newest) if matches is not None else None
    newest = matches_in(journal, span[0] - 1 if span else 0)
    match, events = reduce(lambda _, newer: newer, newest, ("", list[AnyEvent]()))
    found = Unfinished(match, events, replayed(events))
    return found if events and found.replayed.state.phase is not Phase.MATCH_OVER else Unfinished()


def matches_in(journal: Journal | KeptEvents, after: int = 0) -> Iterator[tuple[str, list[AnyEvent]]]:
    """Every match in the journal with the events that hold, oldest first. What recovery could not read changes nothing.

    after: only what was written after this sequence.
    """
    of_matches = (stored for stored in journal.events(after) if stored.match)
    for match, stored in groupby(of_matches, key=lambda event: event.match):
        yield match, effective(map(event_of, stored))
