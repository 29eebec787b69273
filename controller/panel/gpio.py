"""Lamps and buttons on a Raspberry Pi's own 40-pin header, through gpiozero; simulated pins where there are none."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from functools import partial
from typing import Any, Literal

import gpiozero
from gpiozero.pins.mock import MockFactory, MockPWMPin

from controller.panel.adapter import Button, ButtonPress, PanelError
from controller.panel.digits import CubeDigits
from controller.panel.pins import DigitPinMap, PinMap
from controller.panel.plan import LampSignal, PanelState, Rhythm, lamps
from firmware.lamps import level
from vision.sentence import Sentence

PinFactoryName = Literal["auto", "lgpio", "rpigpio", "mock"]

# Tactile switches bounce for up to about 10 ms (data sheets give 5-10); nobody presses twice in 50.
BOUNCE_S = 0.05

# The digits' name among the lamps; each value of the cube has its own signal, "cube 2".
_CUBE = "cube"

# Between two brightness values of a blinking lamp: a fifth of the shortest flash, so that none is swallowed.
_TICK_S = 0.02
# Until a lamp whose pin has failed is tried again.
_AGAIN_S = 1.0


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
    for candidate in _libraries(name):
        try:
            return _real_factory(candidate)
        except (
            Exception
        ) as problem:  # each library fails in its own way: ImportError, OSError, RuntimeError, lgpio.error
            if name != "auto":
                raise PanelError(
                    "The pins cannot be reached through {library} ({problem}): install it or choose auto.",
                    library=name,
                    problem=problem,
                ) from problem
    return mock_factory()


def real_library(name: PinFactoryName = "auto") -> str | None:
    """The library of that name, or whichever reaches this machine's pins; None where none does. The pins are left as they are."""
    for candidate in _libraries(name):
        try:
            _real_factory(candidate).close()
        except Exception:  # each library fails in its own way
            continue
        return candidate
    return None


def _libraries(name: PinFactoryName) -> tuple[str, ...]:
    return ("lgpio", "rpigpio") if name == "auto" else (name,)


def _real_factory(name: str) -> Any:
    if name == "lgpio":
        from gpiozero.pins.lgpio import LGPIOFactory

        return LGPIOFactory()
    from gpiozero.pins.rpigpio import RPiGPIOFactory

    return RPiGPIOFactory()


class GpioPanel:
    """A Panel of LEDs and buttons on GPIO pins. Raises PanelError where a pin cannot be had."""

    def __init__(self, pins: PinMap | DigitPinMap | None = None, factory: Any = None) -> None:
        self._factory = pin_factory() if factory is None else factory
        self._simulated = isinstance(self._factory, MockFactory)
        self._lock = threading.Lock()
        self._presses: list[ButtonPress] = []
        self._last: dict[Button, float] = {}
        self._count = 0
        self._failures = 0
        self._failing: dict[str, str] = {}  # what it fails with, by lamp
        self._signals: Mapping[str, LampSignal] = {}
        self._brightness = 0.0
        self._lamps: dict[str, Any] = {}  # LEDs, and the cube's digits where it has any
        self._values: dict[str, float | str] = {}  # what each was last given
        self._changed, self._closing = threading.Event(), False
        self._painting = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="gpio-panel", daemon=True)
        self._buttons: list[Any] = []
        pins = PinMap() if pins is None else pins
        self._source = f"gpio {time.time_ns():x}"
        try:
            self._open(pins)
        except Exception as problem:  # gpiozero and its back-ends raise their own types
            self.close()
            raise PanelError(
                "The GPIO panel could not be opened ({problem}): is another program using these pins?", problem=problem
            ) from problem
        self._thread.start()

    def _open(self, pins: PinMap | DigitPinMap) -> None:
        if isinstance(pins, DigitPinMap):
            self._lamps[_CUBE], self._values[_CUBE] = CubeDigits(pins, self._factory), ""
        for name, pin in pins.lamp_pins().items():
            self._lamps[name] = gpiozero.PWMLED(pin, pin_factory=self._factory)
            self._values[name] = 0.0
        for button, pin in pins.button_pins().items():
            device = gpiozero.Button(pin, pull_up=True, pin_factory=self._factory)
            device.when_pressed = partial(self._pressed, button)
            device.when_released = partial(self._released, button)
            self._buttons.append(device)

    def show(self, state: PanelState) -> None:
        with self._painting:
            self._signals, self._brightness = lamps(state), state.brightness / 255
            self._paint()
        self._changed.set()

    @property
    def cube_text(self) -> str:
        """What stands on the cube's digits, where it has any."""
        return self._lamps[_CUBE].value if _CUBE in self._lamps else ""

    def presses(self) -> tuple[ButtonPress, ...]:
        with self._lock:
            taken, self._presses = tuple(self._presses), []
        return taken

    def status(self) -> Sentence:
        if failing := self._fails():
            return Sentence(
                "The panel on simulated GPIO pins fails ({count} so far; {last})."
                if self._simulated
                else "The panel on GPIO pins fails ({count} so far; {last}).",
                count=self._failures,
                last=failing,
            )
        return Sentence(
            "The panel works on simulated GPIO pins." if self._simulated else "The panel works on GPIO pins."
        )

    def trouble(self) -> Sentence | None:
        return self.status() if self._fails() else None

    def close(self) -> None:
        self._closing = True
        self._changed.set()
        if self._thread.is_alive():
            self._thread.join(timeout=1.0)
        for device in (*self._lamps.values(), *self._buttons):
            try:
                device.close()
            except Exception as problem:  # gpiozero and its back-ends raise their own types
                self._fail("closing", problem)
        self._lamps, self._buttons = {}, []

    def _run(self) -> None:
        while not self._closing:
            with self._painting:
                beats = any(signal.rhythm is not Rhythm.STEADY for signal in self._signals.values())
                # Steady lamps need no clock.
                pause = _TICK_S if beats else _AGAIN_S if self._failing else None
            if self._changed.wait(pause):
                self._changed.clear()  # and what has changed is painted
                continue
            with self._painting:
                self._paint()

    def _paint(self) -> None:
        """Gives each lamp what it shows now: all of one rhythm beat together. The caller holds the lock."""
        now = int(time.monotonic() * 1000)
        for name, lamp in self._lamps.items():
            value = self._number(now) if name == _CUBE else self._brightness * self._level(name, now) / 255
            if value == self._values[name] and name not in self._failing:
                continue
            try:
                lamp.value = value
            except Exception as problem:  # gpiozero and its back-ends raise their own types
                self._fail(name, problem)
            else:
                self._values[name] = value
                self._failing.pop(name, None)

    def _level(self, name: str, now: int) -> int:
        """How bright that signal is at that moment, ms, 0-255; 0 where it is not shown."""
        signal = self._signals.get(name)
        return 0 if signal is None else level(signal.rhythm, now)

    def _number(self, now: int) -> str:
        """What stands on the cube's digits at that moment."""
        lit = [
            name.removeprefix("cube ") for name in self._signals if name.startswith("cube ") and self._level(name, now)
        ]
        return "88" if len(lit) > 1 else "".join(lit)  # several only where all lamps are tried

    def _fail(self, name: str, problem: Exception) -> None:
        self._failures += name not in self._failing
        self._failing[name] = f"{name}: {str(problem) or type(problem).__name__}"

    def _fails(self) -> str:
        """What fails now and how, "" where nothing does."""
        with self._painting:
            return next(reversed(self._failing.values()), "")

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
