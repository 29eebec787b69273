"""What doctor says of a controller on a serial line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from controller.config import PanelConfig
from controller.doctor import panel
from controller.panel import greeting
from controller.panel.emulated import EmulatedController
from controller.panel.serial_panel import Port, SerialPort
from firmware import messages


@pytest.fixture
def line(tmp_path: Path) -> Iterator[str]:
    link = str(tmp_path / "pico")
    controller = EmulatedController(pty_link=link)
    yield link
    controller.close()


def test_a_controller_that_answers_and_its_version(line: str) -> None:
    serial, version = panel.serial_line(PanelConfig(kind="serial", port=line))
    assert (serial.level, version.level) == ("ok", "ok")
    assert version.sentence == "Firmware {}.{}.{}, 35 lamps, at most 350 mA.".format(*messages.FIRMWARE)


def test_an_older_firmware_is_to_be_replaced(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(panel, "FIRMWARE", (9, 0, 0))
    _, version = panel.serial_line(PanelConfig(kind="serial", port=line))
    assert (version.level, version.do) == ("warning", "Run vrhcab flash.")


def test_a_firmware_of_another_protocol(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(panel, "PROTOCOL", 2)
    _, version = panel.serial_line(PanelConfig(kind="serial", port=line))
    assert (version.level, version.do) == ("problem", "Run vrhcab flash.")


def test_a_line_on_which_nobody_answers(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Deaf(SerialPort):
        def write(self, data: bytes) -> None:
            pass

    serial, version = panel.serial_line(PanelConfig(kind="serial", port=line), _quick(Deaf, monkeypatch))
    assert (serial.level, version.level) == ("problem", "note")
    assert "vrhcab flash" in serial.do


def _quick(kind: type[SerialPort], monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Port]:
    monkeypatch.setattr(panel, "greet", lambda port: greeting.greet(port, 0.1))
    return kind


def test_a_line_that_the_referee_itself_uses(line: str) -> None:
    with_it = SerialPort(line)
    serial, _ = panel.serial_line(PanelConfig(kind="serial", port=line))
    with_it.close()
    assert (serial.level, "systemctl stop" in serial.do) == ("warning", True)


def test_a_missing_pico_matters_only_where_the_settings_name_one(tmp_path: Path) -> None:
    gone = str(tmp_path / "gone")
    assert panel.serial_line(PanelConfig(kind="serial", port=gone))[0].level == "problem"
    assert panel.serial_line(PanelConfig(kind="gpio", port=gone))[0].level == "note"
