"""One contract for every panel adapter: simulated pins, the page, the emulated controller in process and on a pty."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from controller.panel.adapter import Button, Panel
from controller.panel.emulated import EmulatedController
from controller.panel.gpio import GpioPanel, mock_factory
from controller.panel.messages import LAMP_NAMES
from controller.panel.pins import DigitPinMap, PinMap
from controller.panel.plan import PanelState, PointLamp, lamps
from controller.panel.serial_panel import SerialPanel, open_serial
from controller.panel.virtual import VirtualPanel
from controller.rules.side import Side


@dataclass
class Bench:
    """A panel, what it really shows (names of lamps that are lit or blinking), and a finger on its buttons."""

    panel: Panel
    lit: Callable[[], set[str]]
    press: Callable[[Button], None]
    lamps: tuple[str, ...]


def eventually(holds: Callable[[], bool], within_s: float = 2.0) -> bool:
    deadline = time.monotonic() + within_s
    while not holds():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.005)
    return True


def pins_bench(pins: PinMap | DigitPinMap) -> Iterator[Bench]:
    factory = mock_factory()
    panel = GpioPanel(pins, factory)
    lamp_pins = {name: factory.pin(number) for name, number in pins.lamp_pins().items()}

    def lit() -> set[str]:
        seen: set[str] = set()
        for _ in range(15):  # the plan's rarest flash of the states shown here comes every 800 ms
            seen |= {name for name, pin in lamp_pins.items() if pin.state > 0}
            if panel.cube_text:
                seen.add(f"cube {panel.cube_text}")
            time.sleep(0.055)
        return seen

    def press(button: Button) -> None:
        pin = factory.pin(pins.button_pins()[button])
        pin.drive_low()
        time.sleep(0.06)
        pin.drive_high()
        time.sleep(0.06)

    yield Bench(panel, lit, press, tuple(PinMap().lamp_pins()))
    panel.close()
    factory.reset()


def page_bench() -> Iterator[Bench]:
    panel = VirtualPanel()
    yield Bench(panel, lambda: set(lamps(panel.state)), panel.press, LAMP_NAMES)
    panel.close()


def controller_bench(controller: EmulatedController, panel: SerialPanel) -> Iterator[Bench]:
    def lit() -> set[str]:
        time.sleep(0.05)
        return {name for name, code in zip(LAMP_NAMES, controller.codes(), strict=True) if code}

    assert eventually(lambda: panel.settled)
    yield Bench(panel, lit, controller.press, LAMP_NAMES)
    panel.close()
    controller.close()


@pytest.fixture(params=["pins", "digits", "page", "in process", "pty"])
def bench(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Bench]:
    if request.param == "pins":
        yield from pins_bench(PinMap())
    elif request.param == "digits":
        yield from pins_bench(DigitPinMap())
    elif request.param == "page":
        yield from page_bench()
    elif request.param == "in process":
        controller = EmulatedController()
        yield from controller_bench(controller, SerialPanel(controller.open_port))
    else:
        link = str(tmp_path / "panel")
        controller = EmulatedController(pty_link=link)
        yield from controller_bench(controller, open_serial(link))


def test_each_state_replaces_the_one_before(bench: Bench) -> None:
    for state in (
        PanelState(Side.LIGHT, False, 1),
        PanelState(Side.DARK, True, 2, Side.DARK),
        PanelState(Side.LIGHT, False, 2, Side.DARK, Side.LIGHT),
        PanelState(None, False, 64, Side.LIGHT, None),
        PanelState(),
    ):
        bench.panel.show(state)
        expected = {name for name in lamps(state) if name in bench.lamps}
        assert eventually(lambda expected=expected: bench.lit() == expected), (expected, bench.lit())


def test_a_press_arrives_once_and_says_which_button(bench: Bench) -> None:
    started = time.monotonic()
    for button in Button:
        bench.press(button)
    arrived = []
    assert eventually(lambda: arrived.extend(bench.panel.presses()) or len(arrived) >= 4)
    time.sleep(0.1)
    arrived.extend(bench.panel.presses())
    assert [press.button for press in arrived] == list(Button)
    assert len({(press.source, press.number) for press in arrived}) == 4
    assert all(started <= press.at <= time.monotonic() for press in arrived)


def test_its_status_is_a_sentence(bench: Bench) -> None:
    bench.panel.show(PanelState())
    assert bench.panel.status().startswith("The panel ")
    assert bench.panel.status().endswith(".")
    assert bench.panel.trouble() is None


def test_a_closed_panel_is_dark_and_raises_nothing(bench: Bench) -> None:
    bench.panel.show(PanelState(Side.LIGHT, True, 4, Side.LIGHT))
    bench.panel.close()
    bench.panel.close()
    bench.panel.show(PanelState(points=((24, PointLamp.GOAL),)))
    assert bench.panel.presses() == ()
