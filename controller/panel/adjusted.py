"""Any panel as this table wants it: how bright its lamps are, and whether its buzzer may sound at all."""

from __future__ import annotations

from dataclasses import replace

from controller.panel.adapter import ButtonPress, Panel
from controller.panel.plan import PanelState


class AdjustedPanel:
    """A Panel that shows every state at one brightness (0..255), and silently where sound is False."""

    def __init__(self, panel: Panel, brightness: int, sound: bool) -> None:
        self._panel, self._brightness, self._sound = panel, brightness, sound

    def show(self, state: PanelState) -> None:
        self._panel.show(replace(state, brightness=self._brightness, sound=state.sound and self._sound))

    def presses(self) -> tuple[ButtonPress, ...]:
        return self._panel.presses()

    def status(self) -> str:
        return self._panel.status()

    def close(self) -> None:
        self._panel.close()
