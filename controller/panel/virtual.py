"""The panel without hardware: keeps what it would show for the terminal and the page, takes presses from the page."""

from __future__ import annotations

import threading
import time

from controller.panel.adapter import Button, ButtonPress
from controller.panel.plan import PanelState, words
from vision.sentence import Sentence


class VirtualPanel:
    """A Panel in memory."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._state = PanelState()
        self._presses: list[ButtonPress] = []
        self._count = 0

    @property
    def state(self) -> PanelState:
        """What is shown now."""
        return self._state

    def words(self) -> tuple[str, ...]:
        """The lit lamps by name."""
        return words(self._state)

    def press(self, button: Button) -> None:
        """Presses a button on the page."""
        with self._lock:
            self._count += 1
            self._presses.append(ButtonPress(button, time.monotonic(), "page", self._count))

    def show(self, state: PanelState) -> None:
        self._state = state

    def presses(self) -> tuple[ButtonPress, ...]:
        with self._lock:
            taken, self._presses = tuple(self._presses), []
        return taken

    def status(self) -> Sentence:
        return Sentence("The panel is on the page only; no lamps are connected.")

    def trouble(self) -> Sentence | None:
        return None

    def close(self) -> None:
        self._state = PanelState()
