"""Matches of the journal that are not on any more, looked over and put right: what a person says of one is kept beside them."""

from __future__ import annotations

import threading

from controller.app.answers import refused
from controller.app.corrections import Correction, corrected
from controller.app.status import Status
from controller.page.referee_link import RefereeLink
from controller.record.amended import events_of_match
from controller.record.journal import Journal, JournalError
from controller.record.of_journal import held_of_match
from controller.referee.commands import CommandError
from controller.referee.events import AnyEvent, EventError
from controller.referee.folding import fold
from web.operator import Answer


class ArchivedMatches:
    """From any thread. link: to the referee, who writes; journal: where the matches are."""

    def __init__(self, link: RefereeLink, journal: Journal) -> None:
        self._link, self._journal = link, journal
        self._reading, self._writing = threading.Lock(), threading.Lock()
        self._last: tuple[str, int, list[AnyEvent]] | None = None

    def held(self, status: Status, identity: str) -> list[AnyEvent] | None:
        """The events of a match that hold; None for one that is not there. The last is kept. Raises JournalError, EventError."""
        with self._reading:
            span = status.matches.span(identity)
            if span is None:
                return None
            if self._last is None or self._last[:2] != (identity, span[1]):
                events = events_of_match(self._journal, status.matches, identity)
                self._last = identity, span[1], held_of_match(events)
            return self._last[2]

    def correct(self, status: Status, identity: str, correction: Correction, by: str) -> Answer:
        """Carries out a correction, one at a time; it is in the journal when this returns."""
        with self._writing:
            try:
                held = self.held(status, identity)
                if held is None:
                    raise CommandError("This match is not in the journal.")
                then = corrected(held, fold(held), correction)
                if then:
                    self._link.ask(lambda referee: referee.amend(identity, then, by))
            except (CommandError, JournalError, EventError) as error:
                return refused(error if isinstance(error, CommandError) else error.sentence)
        return Answer(True)
