"""One board's match as the hub knows it: the referee's own fold over its events, and the view that the board's page draws."""

from __future__ import annotations

from collections.abc import Iterable

from controller.app.status import CameraStatus, Status
from controller.app.view import view_of
from controller.record.journal import StoredEvent
from controller.record.of_journal import event_of
from controller.referee.events import Rewritten
from controller.referee.folding import apply_recorded
from controller.referee.history import effective
from controller.referee.state import MatchState
from web.view import View


class BoardFold:
    """Takes a board's events one after another. Of a match it keeps the state, not the events.

    stale: a correction has come; what it leaves standing is read from the match's events, with refold(). unknown: how many of the
    match's events this version can't read: they are kept, and the state is without them.
    """

    def __init__(self) -> None:
        self.match = ""
        self.state = MatchState()
        self.stale = False
        self.unknown = 0

    def take(self, stored: StoredEvent) -> None:
        """The next event of the board's journal, whoever wrote it."""
        if not stored.match:
            return
        if stored.match != self.match:
            self.match, self.state, self.stale, self.unknown = stored.match, MatchState(), False, 0
        if self.stale:
            return
        try:
            event = event_of(stored)
            if isinstance(event, Rewritten):
                self.stale = True
            else:
                self.state = apply_recorded(self.state, event)
        except Exception:
            # A newer version's event, or none at all: a board may send anything, and the others must go on.
            self.unknown += 1

    def refold(self, events: Iterable[StoredEvent]) -> None:
        """The match anew, of all its events."""
        self.state, self.stale, self.unknown = MatchState(), False, 0
        held = []
        for stored in events:
            self.match = stored.match
            try:
                held.append(event_of(stored))
            except Exception:
                self.unknown += 1
        for event in effective(held):
            try:
                self.state = apply_recorded(self.state, event)
            except Exception:
                self.unknown += 1

    def status(self, camera: str = "") -> Status | None:
        """How the match stands, None where its events make no sense. camera: what is wrong with it."""
        try:
            state = self.state
            return Status(state, state.position, state.seconds, camera=CameraStatus(sentence=camera), match=self.match)
        except Exception:
            return None


def drawn(status: Status, sequence: int, *, lines: bool) -> View | None:
    """What viewers of the board see, None where its events make no sense. lines: with those of the game."""
    try:
        return view_of(status, sequence, lines=lines)
    except Exception:
        return None
