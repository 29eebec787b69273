"""The serial panel with a real thread and a real pty: unplugging, another name, a second program, a deaf line."""

from __future__ import annotations

import os
import re
import resource
import termios
import time
import tty
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from controller.panel import serial_panel
from controller.panel.adapter import Button, PanelError
from controller.panel.emulated import EmulatedController, EmulatedPanel, Faults
from controller.panel.messages import lamp_codes
from controller.panel.plan import PanelState
from controller.panel.serial_panel import SerialPort, find_port, open_serial
from controller.rules.side import Side
from firmware.messages import FIRMWARE
from web.words import message

FIRST = PanelState(Side.LIGHT, False, 1)
SECOND = PanelState(Side.DARK, True, 2, Side.LIGHT)
VERSION = ".".join(str(number) for number in FIRMWARE)


def eventually(holds: Callable[[], bool], within_s: float = 3.0) -> bool:
    deadline = time.monotonic() + within_s
    while not holds():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.005)
    return True


class Setup:
    def __init__(self, link: Path) -> None:
        self.link = str(link)
        self.controller = EmulatedController(pty_link=self.link, seed=1)
        self.said: list[str] = []
        self.panel = open_serial(self.link, self.said.append)
        self.panel.show(FIRST)
        assert eventually(lambda: self.shows(FIRST))

    def shows(self, state: PanelState) -> bool:
        return self.panel.settled and self.controller.codes() == lamp_codes(state)


@pytest.fixture
def setup(tmp_path: Path) -> Iterator[Setup]:
    made = Setup(tmp_path / "usb-MicroPython_Board-if00")
    yield made
    made.panel.close()
    made.controller.close()


def test_says_that_it_works(setup: Setup) -> None:
    assert setup.panel.status().startswith(f"The panel on {setup.link} works (firmware {VERSION}")
    assert setup.said == [f"The panel on {setup.link} is connected."]


def test_says_how_it_fares_in_the_page_s_languages(setup: Setup) -> None:
    assert message(setup.panel.status()).words["sk"].startswith(f"Panel ({setup.link}) funguje (firmware {VERSION}")
    assert setup.panel.trouble() is None
    setup.controller.unplug()
    assert eventually(lambda: setup.panel.status().code == "{first} {second}")
    trouble = setup.panel.trouble()
    assert trouble is not None
    assert setup.panel.status().startswith(trouble)
    assert re.search(r" \(.*\)\. Zkouší se to stále znovu; ", message(setup.panel.status()).words["cs"])


def test_unplugged_and_plugged_in_under_another_name(setup: Setup) -> None:
    before, held = os.readlink(setup.link), [os.openpty()]

    def taken() -> bool:
        """Whether somebody has the number, which is free when the panel has let go of it, so that the new pty gets another."""
        if not Path(before).exists():
            held.append(os.openpty())
        return Path(before).exists()

    setup.controller.unplug()
    assert eventually(lambda: "was lost" in setup.panel.status() or "cannot be opened" in setup.panel.status())
    setup.panel.show(SECOND)
    assert eventually(taken)
    setup.controller.plug_in()
    assert os.readlink(setup.link) != before
    assert eventually(lambda: setup.shows(SECOND))
    assert " works " in setup.panel.status()
    assert setup.panel.link.counters.reconnects == 1
    for pair in held:
        for end in pair:
            os.close(end)


def test_unplugged_while_states_are_being_written(setup: Setup) -> None:
    for turn in range(40):
        setup.panel.show(PanelState(Side.LIGHT, bool(turn % 2), 1, None))
        if turn == 20:
            setup.controller.unplug()
    setup.panel.show(SECOND)
    setup.controller.plug_in()
    assert eventually(lambda: setup.shows(SECOND))


def test_a_press_during_the_reconnection_arrives_once(setup: Setup) -> None:
    setup.controller.unplug()
    setup.controller.press(Button.UNDO)
    setup.controller.plug_in()
    arrived: list[Button] = []
    assert eventually(lambda: bool(arrived.extend(press.button for press in setup.panel.presses()) or arrived))
    time.sleep(0.2)
    assert [*arrived, *(press.button for press in setup.panel.presses())] == [Button.UNDO]


def test_a_rebooted_controller_is_told_everything_again(setup: Setup) -> None:
    setup.panel.show(SECOND)
    assert eventually(lambda: setup.shows(SECOND))
    setup.controller.reboot()
    assert eventually(lambda: setup.shows(SECOND), within_s=1.0)


def test_a_noisy_line_still_gets_through(setup: Setup) -> None:
    setup.controller.faults = Faults(drop=0.003, flip=0.003, garbage=0.003)
    for turn in range(10):
        setup.panel.show(PanelState(Side.DARK, bool(turn % 2), 2 << turn % 6, Side.DARK))
        time.sleep(0.03)
    setup.panel.show(SECOND)
    assert eventually(lambda: setup.shows(SECOND))


def test_a_cut_line_is_reported_and_recovers(setup: Setup) -> None:
    setup.controller.faults = Faults(cut=True)
    assert eventually(lambda: "fallen silent" in setup.panel.status() and setup.controller.host_lost)
    setup.controller.faults = Faults()
    assert eventually(lambda: setup.shows(FIRST), within_s=1.0)


def test_a_second_program_on_the_port_is_kept_out(setup: Setup) -> None:
    second = open_serial(setup.link)
    assert eventually(lambda: "cannot be opened (another program is using it)." in second.status())
    setup.panel.show(SECOND)
    assert eventually(lambda: setup.shows(SECOND))
    second.close()


def test_closing_turns_the_lamps_off(setup: Setup) -> None:
    setup.panel.show(SECOND)
    assert eventually(lambda: setup.shows(SECOND))
    setup.panel.close()
    assert setup.controller.codes() == bytes(len(setup.controller.codes()))


def test_a_line_that_takes_nothing_times_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serial_panel, "_WRITE_TIMEOUT_S", 0.05)
    master, slave = os.openpty()
    tty.setraw(slave)
    port = SerialPort(os.ttyname(slave))
    with pytest.raises(OSError, match="timeout"):
        port.write(b"x" * 1_000_000)
    port.close()
    os.close(master)
    os.close(slave)


def test_a_port_is_served_however_many_files_are_open(tmp_path: Path) -> None:
    """A page with many viewers has more than 1,023, the last number that select() knows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 1200:
        pytest.skip(f"this system gives {hard} files at most")
    controller = EmulatedController(pty_link=str(tmp_path / "pico"))
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 1200), hard))
    held = [os.open(os.devnull, os.O_RDONLY) for _ in range(1050)]
    panel = open_serial(str(tmp_path / "pico"))
    try:
        panel.show(SECOND)
        assert eventually(lambda: panel.settled and controller.codes() == lamp_codes(SECOND))
    finally:
        panel.close()
        controller.close()
        for file in held:
            os.close(file)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_device_that_goes_while_it_is_opened_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    going = iter([True])
    flush = termios.tcflush

    def gone(file: int, queue: int) -> None:
        if next(going, False):
            raise termios.error(5, "Input/output error")
        flush(file, queue)

    monkeypatch.setattr(termios, "tcflush", gone)
    controller = EmulatedController(pty_link=str(tmp_path / "pico"))
    said: list[str] = []
    panel = open_serial(str(tmp_path / "pico"), said.append)
    panel.show(SECOND)
    assert eventually(lambda: panel.settled and controller.codes() == lamp_codes(SECOND))
    assert "cannot be opened (Input/output error)" in said[0]
    panel.close()
    controller.close()


def test_a_port_that_is_not_there_is_waited_for(tmp_path: Path) -> None:
    link = tmp_path / "panel"
    panel = open_serial(str(link))
    assert eventually(lambda: "cannot be opened" in panel.status())
    panel.show(SECOND)
    controller = EmulatedController(pty_link=str(link))
    assert eventually(lambda: panel.settled and controller.codes() == lamp_codes(SECOND))
    panel.close()
    controller.close()


@pytest.mark.parametrize(
    ("name", "why"), [("pico", "No such file or directory"), (".", "Is a directory"), ("notes", "it is no serial line")]
)
def test_a_port_that_is_none_is_told_in_plain_words(tmp_path: Path, name: str, why: str) -> None:
    (tmp_path / "notes").touch()
    panel = open_serial(str(tmp_path / name))
    assert eventually(lambda: f" cannot be opened ({why}). " in panel.status())
    panel.close()


def test_auto_takes_the_one_board_by_its_lasting_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serial_panel, "_BY_ID", tmp_path)
    with pytest.raises(PanelError, match="No panel controller is plugged in"):
        find_port("auto")
    (tmp_path / "usb-Arduino_Uno-if00").touch()
    board = tmp_path / "usb-MicroPython_Board_in_FS_mode_e660-if00"
    board.touch()
    assert find_port("auto") == str(board)
    (tmp_path / "usb-MicroPython_Board_in_FS_mode_e661-if00").touch()
    with pytest.raises(PanelError, match="Several controllers are plugged in"):
        find_port("auto")
    assert find_port("/dev/ttyACM3") == "/dev/ttyACM3"


def test_the_emulated_panel_lives_in_one_process() -> None:
    panel = EmulatedPanel()
    panel.show(SECOND)
    assert eventually(lambda: panel.controller.codes() == lamp_codes(SECOND))
    assert any(panel.controller.pixels())
    assert "(emulovaný řadič)" in message(panel.status()).words["cs"]
    panel.close()
