"""The lamps of one board: shows on the panel what the game, a test, or trouble asks for, and tells the terminal when it changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from time import monotonic

from controller.app.status import CameraState, Status
from controller.panel.adapter import Panel
from controller.panel.cues import cue_of
from controller.panel.plan import Cue, PanelState, for_role, words
from controller.referee.events import AnyEvent
from controller.referee.move_hints import Lifted
from controller.rules import Side

LAMP_TEST_S = 3.0
"""Seconds for which lamps are lit that nothing on the board has caused: time to look from the page to the panel."""


@dataclass(frozen=True)
class LampTest:
    """A state of the panel that nothing on the board has caused. It ends at the match's second `until`, and at `at_last` by the
    machine's monotonic clock: a recording's time stands still between its frames, and once it has ended for good."""

    shown: PanelState
    until: float
    at_last: float


class Lamps:
    """For the referee's thread."""

    def __init__(self, panel: Panel, tell: Callable[[str], None]) -> None:
        self._panel, self._tell = panel, tell
        self._shown: PanelState | None = None
        self._test: LampTest | None = None
        self._cue: Cue | None = None
        self._cues = 0

    def cue(self, events: Sequence[AnyEvent], turn: Side | None) -> None:
        """The animation for what has just happened, if it has one, is played with the next state shown. turn: as of cue_of()."""
        cue = cue_of(events, turn)
        if cue is not None:
            self._cue, self._cues = cue, self._cues + 1

    def test(self, state: PanelState, seconds: float) -> None:
        """From the match's second `seconds` on, for LAMP_TEST_S, that state is shown."""
        self._cues += 1  # Its animation plays even after another test, and the game's last one not again after it.
        shown = replace(state, cue_number=self._cues)
        self._test = LampTest(shown, seconds + LAMP_TEST_S, monotonic() + LAMP_TEST_S)

    def show(self, status: Status, hand: Lifted | None) -> PanelState:
        """Shows a status, if that lights anything otherwise than before. hand: the checker that a coach gives hints for."""
        state = self._wanted(status, hand)
        if state != self._shown:
            self._panel.show(state)
            if self._shown is None or words(state) != words(self._shown):
                self._tell("Lamps: " + (", ".join(words(state)) or "all dark"))
            self._shown = state
        return state

    def _wanted(self, status: Status, hand: Lifted | None) -> PanelState:
        test = self._test
        if test is not None and status.seconds < test.until and monotonic() < test.at_last:
            return test.shown
        self._test = None
        state = status.state
        game = PanelState(
            state.turn,
            bool(state.disputed),
            state.cube,
            state.owner,
            state.offered_to,
            host_ok=status.camera.state is CameraState.WORKS,
            sound=True,
            cue=self._cue,
            cue_number=self._cues,
        )
        shown = for_role(game, state.role, hand)
        # Not a word about the game: a silent recorder shows it too.
        return replace(shown, error=True) if status.journal.stopped else shown
