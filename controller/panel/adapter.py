"""The door every panel adapter has: show a state, give the button presses, say how it fares, close."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Protocol

from controller.errors import ControllerError
from controller.panel.plan import PanelState
from vision.sentence import Sentence


class PanelError(ControllerError):
    """The panel cannot be set up as asked; the sentence says what to change."""


class Button(IntEnum):
    """The panel's buttons. The numbers are those on the wire."""

    CLOCK_LIGHT = 0
    CLOCK_DARK = 1
    CUBE = 2
    UNDO = 3


@dataclass(frozen=True)
class ButtonPress:
    """One press. at: monotonic seconds when the contact closed.

    source and number name the press: the same pair is the same press, so a journal that keeps them counts it once.
    """

    button: Button
    at: float
    source: str
    number: int


class Panel(Protocol):
    """Lamps and buttons. No method raises: a failing panel must not stop the referee; status() says what is wrong."""

    def show(self, state: PanelState) -> None:
        """Shows this state from now on, also after a reconnection. Returns at once."""

    def presses(self) -> tuple[ButtonPress, ...]:
        """The presses since the last call, oldest first, each exactly once."""

    def status(self) -> Sentence:
        """One sentence or two for people: what the panel is and whether it works."""

    def trouble(self) -> Sentence | None:
        """What keeps it from working now; None where nothing does."""

    def close(self) -> None:
        """Turns the lamps off where it can and frees the hardware. A second call does nothing."""
