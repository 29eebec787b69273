"""What was seen since so much was written: set aside where somebody says otherwise, it counts again where that is taken back."""

from __future__ import annotations

from dataclasses import dataclass, replace

from controller.referee.as_written import Written, written_of
from controller.referee.command_context import Events
from controller.referee.events import Flagged, Played, Resolved, Rolled
from controller.referee.folding import apply
from controller.referee.stages import LyingDice
from controller.referee.state import MatchState
from controller.tracking.tracker import Tracker


@dataclass(frozen=True)
class SeenSince:
    """What the tracker believes, and the dice of turns that have ended and lie there still, since that was written."""

    written: Written
    tracker: Tracker
    lying: LyingDice

    def after(self, written: Written) -> SeenSince | None:
        """The same, where that is written now; None where it does not lead on as what was written then."""
        if not written.leads_on_as(self.written):
            return None
        # What somebody has said of the last turn is not played otherwise any more.
        tracker = self.tracker if written == self.written else self.tracker.confirmed()
        return None if tracker is None else replace(self, written=written, tracker=tracker)

    def ended(self, state: MatchState, events: Events) -> SeenSince | None:
        """What was seen after those turns that waited, once they are written and the board has moved; None where more has ended
        than turns. state: what was written until then."""
        tracker: Tracker | None = self.tracker
        for event in events:
            before, state = state.position, apply(state, event)
            if isinstance(event, Played) and tracker is not None:
                tracker = tracker.told(event.side, event.dice, before, state.position)
            elif not isinstance(event, Rolled | Flagged | Resolved):
                tracker = None
        return None if tracker is None else SeenSince(written_of(state), tracker.moved(), self.lying)


SetAside = tuple[SeenSince, ...]
"""What was seen since other things were written, the newest first."""


def with_aside(set_aside: SetAside, seen: SeenSince) -> SetAside:
    """With that, in place of what was seen since the same was written."""
    return (seen, *(one for one in set_aside if one.written != seen.written))
