"""The cube's value on two seven-segment digits, through gpiozero's own classes; an offer flashes."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import gpiozero

from controller.panel.pins import DigitPinMap
from controller.panel.plan import LampSignal, Rhythm
from firmware.lamps import level

# A fifth of the shortest flash, so that none is swallowed.
_TICK_S = 0.02
# Until digits whose pins have failed are tried again.
_AGAIN_S = 1.0


@contextmanager
def _default_factory(factory: Any) -> Iterator[None]:
    """gpiozero 2.0 asks for its default factory inside LEDMultiCharDisplay, whatever factory it is given."""
    before = gpiozero.Device.pin_factory
    gpiozero.Device.pin_factory = factory
    try:
        yield
    finally:
        gpiozero.Device.pin_factory = before


class CubeDigits:
    """Shows a number 2 to 64 or nothing. factory: gpiozero's pins."""

    def __init__(self, pins: DigitPinMap, factory: Any) -> None:
        character = gpiozero.LEDCharDisplay(*pins.segment_pins(), pin_factory=factory)
        with _default_factory(factory):
            self._display = gpiozero.LEDMultiCharDisplay(
                character, pins.digit_tens, pins.digit_ones, pin_factory=factory, initial_value="  "
            )
        self._character = character
        self._text, self._rhythm = "", Rhythm.STEADY
        self._shown: str | None = ""  # None: nobody knows
        self.failure, self.failures = "", 0
        """What the pins fail with now, and how often they have begun to."""
        self._changed, self._closing = threading.Event(), False
        self._thread = threading.Thread(target=self._run, name="cube-digits", daemon=True)
        self._thread.start()

    @property
    def text(self) -> str:
        """What stands on the digits now."""
        return "".join(self._display.value).strip()

    def show(self, value: str, signal: LampSignal | None) -> None:
        """The value from now on; signal: None for dark. Returns at once."""
        self._text = value if signal is not None else ""
        self._rhythm = signal.rhythm if signal is not None else Rhythm.STEADY
        self._changed.set()

    def close(self) -> None:
        """Darkens the digits and frees the pins."""
        self._closing = True
        self._changed.set()
        self._thread.join(timeout=1.0)
        self._display.close()
        self._character.close()

    def _run(self) -> None:
        while not self._closing:
            self._put(self._text if level(self._rhythm, int(time.monotonic() * 1000)) else "")
            # A steady value needs no clock.
            pause = _AGAIN_S if self.failure else None if self._rhythm is Rhythm.STEADY else _TICK_S
            self._changed.wait(pause)
            self._changed.clear()
        self._put("")

    def _put(self, text: str) -> None:
        if text == self._shown:
            return
        try:
            # gpiozero restarts its multiplexing at every assignment.
            self._display.value = text.rjust(2)
        except Exception as problem:  # gpiozero and its back-ends raise their own types
            self.failures += not self.failure
            self._shown, self.failure = None, str(problem) or type(problem).__name__
        else:
            self._shown, self.failure = text, ""
