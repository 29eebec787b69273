"""Putting the firmware on a Pico: an in-memory device that restarts at the first call, loses a file or is not there."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import pytest

from controller.panel import flash as flashing
from controller.panel.adapter import PanelError
from controller.panel.emulated import EmulatedController
from controller.panel.flash import confirm, files_to_copy, flash, mpremote
from firmware.messages import FIRMWARE


class Device:
    """Answers mpremote's commands. restarts: how many first calls fail; spoils: the path that arrives changed."""

    def __init__(self, restarts: int = 0, spoils: str = "") -> None:
        self.restarts = restarts
        self.spoils = spoils
        self.files: dict[str, bytes] = {}
        self.was_reset = False

    def __call__(self, arguments: Sequence[str]) -> str:
        assert arguments[:2] == ["connect", "/dev/pico"]
        if self.restarts:
            self.restarts -= 1
            raise PanelError("mpremote has failed: could not enter raw repl.")
        command = list(arguments[2:])
        if command[:3] == ["resume", "fs", "cp"]:
            target = command[4].removeprefix(":")
            self.files[target] = Path(command[3]).read_bytes() + (b"?" if target == self.spoils else b"")
        elif command[:3] == ["resume", "fs", "sha256sum"]:
            name = command[3].removeprefix(":")
            return f"sha256sum :{name}\n{hashlib.sha256(self.files[name]).hexdigest()}\n"
        elif command == ["resume", "reset"]:
            self.was_reset = True
        return ""


def test_every_file_arrives_and_the_pico_restarts() -> None:
    device, told = Device(), []
    count = flash("/dev/pico", run=device, progress=lambda done, of, name: told.append((done, of, name)))
    assert device.was_reset
    assert {"main.py", "firmware/core.py", "firmware/hardware.py", "firmware/frames.py"} <= set(device.files)
    assert len(device.files) == count
    assert told[0][:2] == (0, count)
    assert told[-1] == (count, count, "")


def test_the_start_is_replaced_last() -> None:
    assert files_to_copy()[-1][1] == "main.py"


def test_a_running_controller_is_waited_for() -> None:
    device, pauses = Device(restarts=2), []
    flash("/dev/pico", run=device, pause=pauses.append)
    assert len(pauses) == 2
    assert device.was_reset


def test_a_line_that_takes_nothing_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []

    class Hanging:
        def __init__(self, device: str) -> None:
            said.append("opened")

        def write(self, data: bytes) -> None:
            raise TimeoutError("timeout: the device takes nothing")

        def close(self) -> None:
            said.append("closed")

    monkeypatch.setattr(flashing, "SerialPort", Hanging)
    device = Device()

    def run(arguments: Sequence[str]) -> str:
        said.append("mpremote")
        return device(arguments)

    flash("/dev/pico", run=run, pause=lambda seconds: None)
    assert said[:3] == ["opened", "closed", "mpremote"]


def test_a_controller_that_never_answers_is_a_sentence() -> None:
    with pytest.raises(PanelError, match=r"/dev/pico does not give its prompt .*could not enter raw repl"):
        flash("/dev/pico", run=Device(restarts=99), pause=lambda seconds: None)


def test_a_file_that_arrives_changed_is_a_sentence_and_no_restart() -> None:
    device = Device(spoils="firmware/power.py")
    with pytest.raises(PanelError, match=r"firmware/power.py has not arrived whole"):
        flash("/dev/pico", run=device)
    assert not device.was_reset


def test_settings_for_the_strip_go_with_it_and_are_checked_first(tmp_path: Path) -> None:
    settings = tmp_path / "mine.json"
    settings.write_text('{"led_count": 60, "budget_ma": 400}', "utf-8")
    device = Device()
    flash("/dev/pico", run=device, settings=settings)
    assert device.files["settings.json"] == settings.read_bytes()
    settings.write_text('{"budget_ma": 5}', "utf-8")
    with pytest.raises(PanelError, match="budget_ma must be 35 to 10000"):
        flash("/dev/pico", run=Device(), settings=settings)


def test_the_new_firmware_is_seen_to_answer(tmp_path: Path) -> None:
    link = str(tmp_path / "pico")
    controller = EmulatedController(pty_link=link)
    assert confirm(link).firmware == FIRMWARE
    controller.close()


def test_an_old_firmware_that_still_answers_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    link = str(tmp_path / "pico")
    controller = EmulatedController(pty_link=link)
    monkeypatch.setattr(flashing, "FIRMWARE", (9, 0, 0))
    with pytest.raises(PanelError, match=r"answers, not the 9\.0\.0 of this program: run vrhcab flash"):
        confirm(link)
    controller.close()


def test_a_firmware_that_never_answers_is_a_sentence() -> None:
    with pytest.raises(PanelError, match=r"does not answer .*No such file.* says uart answers on its pins alone"):
        confirm("/dev/no-such-pico", pause=lambda seconds: None)


def test_a_failing_mpremote_is_a_sentence() -> None:
    with pytest.raises(PanelError, match="mpremote has failed: "):
        mpremote(["connect", "/dev/absent", "fs", "ls"])
