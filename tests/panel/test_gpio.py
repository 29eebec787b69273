"""LEDs and buttons on simulated header pins: the pin map's conflicts, brightness, rhythm, bounce, failing pins."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import count, pairwise
from typing import Any

import pytest

from controller.panel import gpio
from controller.panel.adapter import Button, PanelError
from controller.panel.choose import open_panel
from controller.panel.gpio import GpioPanel, mock_factory, pin_factory
from controller.panel.pins import DigitPinMap, PinMap, pin_map
from controller.panel.plan import PanelState
from controller.rules.side import Side


@pytest.fixture
def factory() -> Iterator[Any]:
    made = mock_factory()
    yield made
    made.reset()


@pytest.fixture
def panel(factory: Any) -> Iterator[GpioPanel]:
    opened = GpioPanel(PinMap(), factory)
    yield opened
    opened.close()


def test_two_names_on_one_pin_are_refused_by_name() -> None:
    with pytest.raises(PanelError, match="both turn_dark and undo on GPIO 27"):
        PinMap(undo=27)


@pytest.mark.parametrize("pin", [0, 1, 28, -3])
def test_a_pin_that_the_header_lacks_is_refused(pin: int) -> None:
    with pytest.raises(PanelError, match=f"error on GPIO {pin}, which the header lacks"):
        PinMap(error=pin)


def test_an_unknown_name_is_refused_with_the_known_ones() -> None:
    with pytest.raises(PanelError, match=r"no lamp: its names are turn_light, .*undo"):
        pin_map({"lamp": 4})


def test_a_pin_may_be_moved() -> None:
    assert pin_map({"error": 4}) == PinMap(error=4)


def test_digits_take_the_place_of_the_cubes_leds() -> None:
    pins = pin_map({"digit_ones": 18}, "digits")
    assert pins == DigitPinMap(digit_ones=18)
    assert set(pins.lamp_pins()) == {"turn light", "turn dark", "error"}
    with pytest.raises(PanelError, match=r"has no cube_2: its names are .*segment_a"):
        pin_map({"cube_2": 4}, "digits")
    with pytest.raises(PanelError, match="both clock_light and segment_g on GPIO 23"):
        pin_map({"segment_g": 23}, "digits")


def test_an_unknown_panel_is_refused() -> None:
    with pytest.raises(PanelError, match='no panel "lasers": choose virtual, gpio, serial or emulated'):
        open_panel("lasers")  # type: ignore[arg-type]


@pytest.fixture
def no_header(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> Any:
        raise OSError(f"{name} finds no GPIO chip")

    monkeypatch.setattr(gpio, "_real_factory", absent)


@pytest.mark.usefixtures("no_header")
def test_a_named_pin_library_that_does_not_work_here_is_a_sentence() -> None:
    with pytest.raises(PanelError, match="cannot be reached through rpigpio"):
        pin_factory("rpigpio")


@pytest.mark.usefixtures("no_header")
def test_auto_simulates_pins_on_a_machine_without_them() -> None:
    panel = open_panel("gpio", pin_factory="auto")
    assert panel.status() == "The panel works on simulated GPIO pins."
    panel.close()


def test_brightness_is_the_duty_cycle(factory: Any, panel: GpioPanel) -> None:
    pin = factory.pin(PinMap().turn_light)
    for brightness in (255, 51, 0):
        panel.show(PanelState(turn=Side.LIGHT, brightness=brightness))
        assert pin.state == pytest.approx(brightness / 255)


def test_a_flag_blinks_fast(factory: Any, panel: GpioPanel) -> None:
    panel.show(PanelState(Side.LIGHT, True, 1))
    time.sleep(0.7)
    shown = [entry.state for entry in factory.pin(PinMap().error).states]
    assert sum(before == 0 < after for before, after in pairwise(shown)) >= 2
    panel.show(PanelState(Side.LIGHT, False, 1))
    for _ in range(10):
        time.sleep(0.03)
        assert factory.pin(PinMap().error).state == 0


def test_a_bouncing_contact_is_one_press(factory: Any, panel: GpioPanel) -> None:
    pin = factory.pin(PinMap().clock_dark)
    for _ in range(5):
        pin.drive_low()
        pin.drive_high()
    assert [press.button for press in panel.presses()] == [Button.CLOCK_DARK]


def test_pins_in_use_are_a_sentence(factory: Any, panel: GpioPanel) -> None:
    with pytest.raises(PanelError, match=r"could not be opened .*another program"):
        GpioPanel(PinMap(), factory)


def test_a_failing_pin_is_counted_and_does_not_raise(factory: Any, panel: GpioPanel) -> None:
    def broken(value: float) -> None:
        raise OSError("short circuit")

    factory.pin(PinMap().turn_dark)._set_state = broken
    panel.show(PanelState(Side.DARK, False, 2, Side.DARK))
    assert panel.status() == "The panel on simulated GPIO pins fails (1 so far; turn dark: short circuit)."
    assert factory.pin(PinMap().cube_2).state > 0


def once(pin: Any) -> Callable[[float], None]:
    """What sets a pin, but fails the first time."""
    calls, wanted = count(), pin._set_state

    def set_state(value: float) -> None:
        if next(calls) == 0:
            raise OSError("short circuit")
        wanted(value)

    return set_state


def mended(panel: GpioPanel) -> bool:
    """Whether nothing fails any more, in a little more than the time after which it is tried again."""
    end = time.monotonic() + 2.5
    while panel.trouble() is not None and time.monotonic() < end:
        time.sleep(0.02)
    return panel.trouble() is None


@pytest.mark.parametrize("brightness", [128, 200])
def test_a_lamp_whose_pin_has_failed_is_tried_again(factory: Any, panel: GpioPanel, brightness: int) -> None:
    pin = factory.pin(PinMap().turn_dark)
    panel.show(PanelState(Side.DARK))
    pin._set_state = once(pin)
    panel.show(PanelState(Side.DARK if brightness != 128 else None, brightness=brightness))
    assert "turn dark: short circuit" in (panel.trouble() or "")
    assert mended(panel)
    assert pin.state == pytest.approx(0 if brightness == 128 else brightness / 255)
    assert panel.status() == "The panel works on simulated GPIO pins."


def test_a_lamp_beats_on_after_its_pin_has_failed(factory: Any, panel: GpioPanel) -> None:
    pin = factory.pin(PinMap().error)
    panel.show(PanelState(Side.LIGHT, True, 1))
    time.sleep(0.3)
    pin._set_state = once(pin)
    time.sleep(0.3)
    pin.clear_states()
    time.sleep(0.7)
    shown = [entry.state for entry in pin.states]
    assert sum(before == 0 < after for before, after in pairwise(shown)) >= 2
    assert panel.trouble() is None


def test_digits_whose_pins_have_failed_are_told_and_tried_again(factory: Any) -> None:
    panel = GpioPanel(DigitPinMap(), factory)
    pin = factory.pin(DigitPinMap().segment_a)
    pin._set_state = once(pin)
    panel.show(PanelState(Side.LIGHT, False, 2, Side.LIGHT))
    end = time.monotonic() + 0.5
    while panel.trouble() is None and time.monotonic() < end:
        time.sleep(0.01)
    assert panel.trouble() == "The panel on simulated GPIO pins fails (1 so far; cube: short circuit)."
    assert mended(panel)
    assert panel.cube_text == "2"
    panel.close()


# Segments a to g of the numbers' figures, as on any seven-segment display.
FIGURES = {"2": "abdeg", "4": "bcfg", "8": "abcdefg", "1": "bc", "6": "acdefg"}


def test_the_cubes_digits_light_the_segments_of_the_value(factory: Any) -> None:
    pins = DigitPinMap()
    panel = GpioPanel(pins, factory)
    tens, ones = factory.pin(pins.digit_tens), factory.pin(pins.digit_ones)
    for value, figure in ((2, "2"), (4, "4"), (8, "8")):
        panel.show(PanelState(Side.LIGHT, False, value, Side.LIGHT))
        time.sleep(0.1)
        assert (tens.state, ones.state) == (0, 1)
        lit = {letter for letter, pin in zip("abcdefg", pins.segment_pins(), strict=True) if factory.pin(pin).state}
        assert lit == set(FIGURES[figure])
    panel.show(PanelState(every=True))
    assert panel.cube_text == "88"
    panel.show(PanelState(Side.LIGHT, False, 16, Side.LIGHT))
    for pin in (tens, ones):
        pin.clear_states()
    time.sleep(0.2)
    assert any(entry.state for entry in tens.states)
    assert any(entry.state for entry in ones.states)
    panel.show(PanelState(Side.LIGHT, False, 1))
    time.sleep(0.1)
    assert (tens.state, ones.state) == (0, 0)
    panel.close()


def test_an_offer_flashes_on_the_digits(factory: Any) -> None:
    panel = GpioPanel(DigitPinMap(), factory)
    ones = factory.pin(DigitPinMap().digit_ones)
    panel.show(PanelState(Side.LIGHT, False, 2, Side.LIGHT, Side.DARK))
    time.sleep(0.3)
    ones.clear_states()
    time.sleep(1.3)
    shown = [entry.state for entry in ones.states]
    assert sum(before == 0 < after for before, after in pairwise(shown)) >= 2
    panel.close()
