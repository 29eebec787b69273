"""What people see of one board: its lamps and its page. Lamps first, and each only where something has changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from controller.app.lamps import Lamps
from controller.app.status import Status
from controller.app.view import as_written, changed, view_of
from controller.panel.adapter import Panel
from controller.panel.plan import PanelState, words
from controller.referee.events import AnyEvent
from controller.referee.move_hints import lifted
from controller.rules import Side, lights_number
from web.hub import ViewHub
from web.view import View


class Display:
    """For the referee's thread."""

    def __init__(self, hub: ViewHub, panel: Panel, tell: Callable[[str], None]) -> None:
        self._hub, self._lamps = hub, Lamps(panel, tell)
        self._view: View | None = None
        self.written_at = 0
        """The number of the first view that shows all that was played and said until now."""

    def cue(self, events: Sequence[AnyEvent], turn: Side | None) -> None:
        """The animation for what has just happened goes with what is shown next. turn: who is on roll then."""
        self._lamps.cue(events, turn)

    def test_lamps(self, state: PanelState, seconds: float) -> None:
        """Lights lamps that nothing on the board has caused, from that second of the match on; shown with the next status."""
        self._lamps.test(state, seconds)

    def show(self, status: Status) -> None:
        """Shows a status on lamps and page."""
        state = status.state
        hand = lifted(state, status.board) if state.role == "coach" else None
        lamps = words(self._lamps.show(status, hand))
        hints = tuple(lights_number(state.turn, point) for point in hand.destinations) if hand and state.turn else ()
        view = view_of(status, self._view.sequence + 1 if self._view else 1, lamps, hints)
        if changed(self._view, view):
            if self._view is None or as_written(self._view) != as_written(view):
                self.written_at = view.sequence
            self._view = view
            self._hub.publish(view)
