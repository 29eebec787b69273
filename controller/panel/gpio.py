"""Lamps and buttons on a Raspberry Pi's own 40-pin header, through gpiozero; simulated pins where there are none."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from functools import partial
from typing import Any, Literal

import gpiozero
from gpiozero.pins.mock import MockFactory, MockPWMPin

from controller.panel.adapter import Button, ButtonPress, PanelError
from controller.panel.plan import Look, PanelState, Rhythm, lamps, level

PinFactoryName = Literal["auto", "lgpio", "rpigpio", "mock"]

# BCM 0 and 1 belong to the EEPROM of add-on boards; 2 to 27 are on the 40-pin header.
FIRST_PIN, LAST_PIN = 2, 27
# Tactile switches bounce for up to about 10 ms (data sheets give 5-10); nobody presses twice in 50.
BOUNCE_S = 0.05

# Between two brightness values of a blinking LED: a fifth of the shortest flash, so that none is swallowed.
_TICK_S = 0.02


@dataclass(frozen=True)
class PinMap:
    """BCM numbers, as on docs/hardware.md's drawing of the header. Raises PanelError where two names share a pin."""

    turn_light: int = 17
    turn_dark: int = 27
    error: int = 22
    cube_2: int = 5
    cube_4: int = 6
    cube_8: int = 13
    cube_16: int = 19
    cube_32: int = 26
    cube_64: int = 21
    clock_light: int = 23
    clock_dark: int = 24
    cube_button: int = 25
    undo: int = 12

    def __post_init__(self) -> None:
        taken: dict[int, str] = {}
        for name, pin in asdict(self).items():
            if not FIRST_PIN <= pin <= LAST_PIN:
                raise PanelError(
                    f"The pin map puts {name} on GPIO {pin}, which the header lacks: choose {FIRST_PIN} to {LAST_PIN}."
                )
            if pin in taken:
                raise PanelError(
                    f"The pin map puts both {taken[pin]} and {name} on GPIO {pin}: give one of them another pin."
                )
            taken[pin] = name

    def lamp_pins(self) -> dict[str, int]:
        """Pin by the plan's lamp names."""
        return {name.replace("_", " "): pin for name, pin in asdict(self).items() if name not in _BUTTON_FIELDS}

    def button_pins(self) -> dict[Button, int]:
        """Pin by button."""
        return {button: getattr(self, name) for name, button in _BUTTON_FIELDS.items()}


_BUTTON_FIELDS = {
    "clock_light": Button.CLOCK_LIGHT,
    "clock_dark": Button.CLOCK_DARK,
    "cube_button": Button.CUBE,
    "undo": Button.UNDO,
}


def pin_map(pins: Mapping[str, int]) -> PinMap:
    """The default pin map with these changes. Raises PanelError on a name that it does not have."""
    known = [field.name for field in fields(PinMap)]
    for name in pins:
        if name not in known:
            raise PanelError(f"The pin map has no {name}: its names are {', '.join(known)}.")
    return PinMap(**pins)


def mock_factory() -> MockFactory:
    """Pins in memory, with pulse width: for machines without a header, and for tests that drive them."""
    return MockFactory(pin_class=MockPWMPin)


def pin_factory(name: PinFactoryName = "auto") -> Any:
    """gpiozero's pins by name; auto takes the first that works here, simulated pins at the last.

    gpiozero's own search is not used: it warns at every failing candidate and ends in an exception on a desktop.
    Raises PanelError where the named one does not work here.
    """
    if name == "mock":
        return mock_factory()
    for candidate in ("lgpio", "rpigpio") if name == "auto" else (name,):
        try:
            return _real_factory(candidate)
        except (
            Exception
        ) as problem:  # each library fails in its own way: ImportError, OSError, RuntimeError, lgpio.error
            if name != "auto":
                raise PanelError(
                    f"The pins cannot be reached through {name} ({problem}): install it or choose auto."
                ) from problem
    return mock_factory()


def real_library() -> str | None:
    """The library that reaches this machine's pins, None where none does. The pins are left as they are."""
    for candidate in ("lgpio", "rpigpio"):
        try:
            _real_factory(candidate).close()
        except Exception:  # each library fails in its own way
            continue
        return candidate
    return None


def _real_factory(name: str) -> Any:
    if name == "lgpio":
        from gpiozero.pins.lgpio import LGPIOFactory

        return LGPIOFactory()
    from gpiozero.pins.rpigpio import RPiGPIOFactory

    return RPiGPIOFactory()


class GpioPanel:
    """A Panel of LEDs and buttons on GPIO pins. Raises PanelError where a pin cannot be had."""

    def __init__(self, pins: PinMap | None = None, factory: Any = None) -> None:
        self._factory = pin_factory() if factory is None else factory
        self._simulated = isinstance(self._factory, MockFactory)
        self._lock = threading.Lock()
        self._presses: list[ButtonPress] = []
        self._last: dict[Button, float] = {}
        self._count = 0
        self._failures = 0
        self._last_failure = ""
        self._looks: dict[str, Look | None] = {}
        self._brightness = -1
        self._leds: dict[str, Any] = {}
        self._buttons: list[Any] = []
        pins = PinMap() if pins is None else pins
        self._source = f"gpio {time.time_ns():x}"
        try:
            self._open(pins)
        except Exception as problem:  # gpiozero and its back-ends raise their own types
            self.close()
            raise PanelError(
                f"The GPIO panel could not be opened ({problem}): is another program using these pins?"
            ) from problem

    def _open(self, pins: PinMap) -> None:
        for name, pin in pins.lamp_pins().items():
            self._leds[name] = gpiozero.PWMLED(pin, pin_factory=self._factory)
            self._looks[name] = None
        for button, pin in pins.button_pins().items():
            device = gpiozero.Button(pin, pull_up=True, pin_factory=self._factory)
            device.when_pressed = partial(self._pressed, button)
            device.when_released = partial(self._released, button)
            self._buttons.append(device)

    def show(self, state: PanelState) -> None:
        lit = lamps(state)
        for name in self._leds:
            look = lit.get(name)
            if look == self._looks[name] and state.brightness == self._brightness:
                continue
            try:
                _light(self._leds[name], look, state.brightness / 255)
                self._looks[name] = look
            except Exception as problem:  # gpiozero and its back-ends raise their own types
                self._failures += 1
                self._last_failure = f"{name}: {problem}"
        self._brightness = state.brightness

    def presses(self) -> tuple[ButtonPress, ...]:
        with self._lock:
            taken, self._presses = tuple(self._presses), []
        return taken

    def status(self) -> str:
        kind = "simulated GPIO pins" if self._simulated else "GPIO pins"
        if self._failures:
            return f"The panel on {kind} fails ({self._failures} so far), last at {self._last_failure}."
        return f"The panel works on {kind}."

    def close(self) -> None:
        for device in (*self._leds.values(), *self._buttons):
            try:
                device.close()
            except Exception as problem:  # gpiozero and its back-ends raise their own types
                self._failures += 1
                self._last_failure = f"closing: {problem}"
        self._leds, self._buttons = {}, []

    def _pressed(self, button: Button) -> None:
        now = time.monotonic()
        with self._lock:
            if now - self._last.get(button, -BOUNCE_S) >= BOUNCE_S:
                self._count += 1
                self._presses.append(ButtonPress(button, now, self._source, self._count))
            self._last[button] = now

    def _released(self, button: Button) -> None:
        # A contact bounces when it opens too; a press right after the release is that bounce.
        with self._lock:
            self._last[button] = time.monotonic()


def _light(led: Any, look: Look | None, brightness: float) -> None:
    """Lights one gpiozero.PWMLED. brightness: 0..1. A rhythm runs in gpiozero's own thread until the next look."""
    led.source = None
    if look is None:
        led.off()
    elif look.rhythm is Rhythm.STEADY:
        led.value = brightness
    else:
        led.source_delay = _TICK_S
        led.source = _beat(look.rhythm, brightness)


def _beat(rhythm: Rhythm, brightness: float) -> Iterator[float]:
    """The LED's value 0..1 now, as often as it is asked for: all LEDs of one rhythm beat together."""
    while True:
        yield brightness * level(rhythm, int(time.monotonic() * 1000)) / 255
