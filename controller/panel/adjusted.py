"""Any panel as this table wants it: its brightness, whether a buzzer may sound, and how old a press may be."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from controller.panel.adapter import ButtonPress, Panel
from controller.panel.plan import PanelState
from vision.sentence import Sentence

STALE_S = 10.0
"""A press that has waited longer, as it does while the program is down, no longer means what it meant: three impatient presses
on undo would take back three turns at the next start. A line that is lost and found again takes 1 to 5 s."""


class AdjustedPanel:
    """A Panel that shows every state at one brightness (0..255), silently where sound is False, and forgets old presses."""

    def __init__(
        self, panel: Panel, brightness: int, *, sound: bool, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._panel, self._brightness, self._sound, self._clock = panel, brightness, sound, clock
        self._forgotten = 0

    def show(self, state: PanelState) -> None:
        self._panel.show(replace(state, brightness=self._brightness, sound=state.sound and self._sound))

    def presses(self) -> tuple[ButtonPress, ...]:
        arrived, oldest = self._panel.presses(), self._clock() - STALE_S
        fresh = tuple(press for press in arrived if press.at >= oldest)
        self._forgotten += len(arrived) - len(fresh)
        return fresh

    def status(self) -> Sentence:
        status = self._panel.status()
        if not self._forgotten:
            return status
        return status.followed_by(Sentence("Presses too old to count: {count}.", count=self._forgotten))

    def trouble(self) -> Sentence | None:
        return self._panel.trouble()

    def close(self) -> None:
        self._panel.close()
