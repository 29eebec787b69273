"""End to end: the firmware on a real MicroPython image on an emulated RP2040, its lamps decoded from the strip's pin."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from controller.panel.adapter import Button, ButtonPress
from controller.panel.link import Connected, Disconnected
from controller.panel.messages import LAMP_NAMES, lamp_codes
from controller.panel.plan import DEFAULT_BRIGHTNESS, PanelState, display
from controller.rules.side import Side
from firmware import display as segments
from firmware import lamps as painted
from firmware.messages import FIRMWARE
from firmware.power import current
from tests.firmware.pico import Pico, boot

# From power-up to the first word of the firmware; 680 ms were measured.
BOOT_MS = 1000


@pytest.fixture(scope="module")
def pico(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pico]:
    board = boot(tmp_path_factory.mktemp("pico"))
    board.run_until(lambda: board.host.settled, BOOT_MS)
    yield board
    board.close()


def steady(state: PanelState) -> bytes:
    """The strip's colours for a state in which no lamp blinks."""
    pixels = bytearray(3 * len(LAMP_NAMES))
    painted.paint(lamp_codes(state), 0, DEFAULT_BRIGHTNESS, list(range(len(LAMP_NAMES))), pixels)
    return bytes(pixels)


def shown(pico: Pico, state: PanelState) -> None:
    """Shows a state and waits until the strip's pin has carried it."""
    pico.host.show(state)
    count = len(pico.frames)
    pico.run_until(lambda: any(colours == steady(state) for _, colours in pico.frames[count:]), 1000)


def test_greets_with_its_version_and_a_random_boot_id(pico: Pico) -> None:
    (first,) = [event for event in pico.events if isinstance(event, Connected)][:1]
    assert first.welcome.firmware == FIRMWARE
    assert first.welcome.lamp_count == len(LAMP_NAMES)
    assert first.welcome.boot_id not in (0, 1, 0xFFFFFFFF)


def test_the_strips_pin_carries_the_state(pico: Pico) -> None:
    state = PanelState(Side.DARK, False, 8, Side.LIGHT)
    shown(pico, state)
    assert pico.said["outOfSpec"] == 0
    assert pico.said["highNs"] == {"zero": [250, 250], "one": [875, 875]}
    assert all(len(colours) == 3 * len(LAMP_NAMES) and current(colours) <= 350 for _, colours in pico.frames)


def test_the_display_carries_the_cube(pico: Pico) -> None:
    state = PanelState(Side.DARK, False, 16, Side.DARK)
    shown(pico, state)
    pico.run(10)
    assert bytes.fromhex(pico.said["display"]) == segments.segments(display(state).encode())


def test_lamps_follow_within_fifty_milliseconds(pico: Pico) -> None:
    waits = []
    for turn in range(20):
        pico.run(turn * 7 % 20)
        state = PanelState(Side.LIGHT if turn % 2 else Side.DARK, False, 2 << turn % 6, Side.DARK, None)
        asked = pico.now
        shown(pico, state)
        waits.append(next(at for at, colours in pico.frames if at > asked and colours == steady(state)) - asked)
    assert sorted(waits)[18] <= 50, waits


def test_a_press_on_the_pin_arrives_once(pico: Pico) -> None:
    pico.events.clear()
    for button in (Button.CLOCK_DARK, Button.UNDO):
        pico.pressed = {button}
        pico.run(40)
        pico.pressed = set()
        pico.run(40)
    pico.run(100)
    assert [event.button for event in pico.events if isinstance(event, ButtonPress)] == [Button.CLOCK_DARK, Button.UNDO]


def test_garbage_and_a_torn_frame_do_no_harm(pico: Pico) -> None:
    pico.events.clear()
    pico.noise = bytes(range(256)) + b"\nAQEF\n\x03\x04"
    shown(pico, PanelState(None, False, 64, Side.LIGHT, None))
    pico.run_until(lambda: pico.host.pong is not None and pico.host.pong.bad > 0, 1000)
    assert not [event for event in pico.events if isinstance(event, Disconnected)]
    assert not pico.said["reset"]


def test_over_usb_and_a_restart_for_new_files(tmp_path_factory: pytest.TempPathFactory) -> None:
    board = boot(tmp_path_factory.mktemp("usb"), usb=True, seed=2)
    board.run_until(lambda: board.host.settled, BOOT_MS)
    shown(board, PanelState(Side.DARK, False, 2, Side.DARK))
    board.pressed = {Button.CUBE}
    board.run_until(lambda: any(isinstance(event, ButtonPress) for event in board.events), 200)
    board.noise = b"\x03"
    board.run_until(lambda: board.said["reset"], 500)
    board.close()
    board.power_up()
    board.run_until(lambda: b"waiting for new files" in board.console, BOOT_MS)
    board.console = b""
    board.noise = b"\x03"
    board.run_until(lambda: b">>> " in board.console, 500)
    board.close()


def test_a_power_cut_in_mid_game_is_mended(pico: Pico) -> None:
    state = PanelState(Side.DARK, False, 4, Side.LIGHT)
    shown(pico, state)
    pico.close()
    pico.frames.clear()
    pico.events.clear()
    pico.power_up()
    # Within a second of the firmware's start.
    pico.run_until(lambda: any(colours == steady(state) for _, colours in pico.frames), BOOT_MS + 1000)
    pico.pressed = {Button.UNDO}
    pico.run(40)
    pico.pressed = set()
    pico.run(150)
    assert [event.button for event in pico.events if isinstance(event, ButtonPress)] == [Button.UNDO]
    assert [event.restarted for event in pico.events if isinstance(event, Connected)] == [True]
