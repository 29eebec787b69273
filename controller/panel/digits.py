"""The cube's value on two seven-segment digits, through gpiozero's own classes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import gpiozero

from controller.panel.pins import DigitPinMap


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
        self._character = gpiozero.LEDCharDisplay(*pins.segment_pins(), pin_factory=factory)
        with _default_factory(factory):
            self._display = gpiozero.LEDMultiCharDisplay(
                self._character, pins.digit_tens, pins.digit_ones, pin_factory=factory, initial_value="  "
            )

    @property
    def value(self) -> str:
        """What stands on the digits now. To be set only where it changes: gpiozero restarts its multiplexing each time."""
        return "".join(self._display.value).strip()

    @value.setter
    def value(self, text: str) -> None:
        self._display.value = text.rjust(2)

    def close(self) -> None:
        """Darkens the digits and frees the pins."""
        try:
            self.value = ""
        finally:
            self._display.close()
            self._character.close()
