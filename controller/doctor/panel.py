"""The lamps: serial line, firmware version, the header's pins."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from controller.config import PanelConfig
from controller.doctor.finding import Finding, Severity
from controller.doctor.machine import Machine
from controller.panel import gpio
from controller.panel.adapter import PanelError
from controller.panel.greeting import greet
from controller.panel.messages import HelloAnswer, Welcome
from controller.panel.pins import pin_map
from controller.panel.serial_panel import Port, SerialPort, find_port
from firmware.messages import FIRMWARE, PROTOCOL


def serial_line(config: PanelConfig, open_port: Callable[[str], Port] = SerialPort) -> tuple[Finding, Finding]:
    """Findings on the serial line and on the firmware at its other end."""
    # Where the settings use no Pico, none need be there.
    wrong: Severity = "problem" if config.kind == "serial" else "note"
    unknown = Finding("firmware", "note", "No controller has told its version.")
    try:
        device = find_port(config.port or "auto")
    except PanelError as problem:
        do = "Connect the Pico with a cable that carries data, not only power." if config.kind == "serial" else ""
        return Finding("serial", wrong, str(problem), do), unknown
    if not Path(device).exists():
        return Finding(
            "serial", wrong, f"There is no {device}.", "Plug the Pico in; ls /dev/serial/by-id lists names that last."
        ), unknown
    if not os.access(device, os.R_OK | os.W_OK):
        do = "sudo usermod -aG dialout $USER, then log in again."
        return Finding("serial", wrong, f"{device} may not be used by this user.", do), unknown
    try:
        port = open_port(device)
        try:
            welcome = greet(port)
        finally:
            port.close()
    except (OSError, ValueError) as problem:
        do = "The referee itself may be using it: sudo systemctl stop vrhcab, then run this again."
        return Finding("serial", "warning", f"{device} cannot be opened now ({problem}).", do), unknown
    if welcome is None:
        do = "If it is a new Pico, or its firmware is broken: vrhcab flash."
        return Finding("serial", wrong, f"{device} opens, but no controller answers there.", do), unknown
    return Finding("serial", "ok", f"A controller answers on {device}."), _firmware(welcome)


def _firmware(welcome: Welcome) -> Finding:
    version, own = (".".join(str(part) for part in parts) for parts in (welcome.firmware, FIRMWARE))
    if welcome.answer == HelloAnswer.WRONG_PROTOCOL or welcome.protocol != PROTOCOL:
        return Finding(
            "firmware", "problem", f"Firmware {version} speaks another protocol than this program.", "Run vrhcab flash."
        )
    if welcome.firmware < FIRMWARE:
        return Finding(
            "firmware",
            "warning",
            f"Firmware {version} is older than the {own} that came with this program.",
            "Run vrhcab flash.",
        )
    return Finding("firmware", "ok", f"Firmware {version}, {welcome.lamp_count} lamps, at most {welcome.budget_ma} mA.")


def header(config: PanelConfig, machine: Machine) -> Finding:
    """Whether the header's pins can be reached and the pin map holds."""
    used = config.kind == "gpio"
    try:
        pin_map(config.pins, config.cube)
    except PanelError as problem:
        return Finding(
            "gpio", "problem" if used else "warning", str(problem), "Change pins under [panel] in the settings."
        )
    if used and config.pin_factory == "mock":
        return Finding("gpio", "note", "The settings use simulated GPIO pins; none of this machine are looked at.")
    chips = sorted((machine.root / "dev").glob("gpiochip*"))
    if not chips:
        sentence = "This machine has no GPIO pins."
        return (
            Finding("gpio", "problem", sentence, 'Use a Pico: kind = "serial" under [panel].')
            if used
            else Finding("gpio", "note", sentence)
        )
    if not any(os.access(chip, os.R_OK | os.W_OK) for chip in chips):
        level: Severity = "problem" if used else "note"
        return Finding(
            "gpio",
            level,
            "The GPIO pins may not be used by this user.",
            "sudo usermod -aG gpio $USER, then log in again.",
        )
    library = gpio.real_library(config.pin_factory if used else "auto")
    if library is None and used and config.pin_factory != "auto":
        sentence = f"The GPIO pins can't be reached through {config.pin_factory}, which the settings name."
        return Finding("gpio", "problem", sentence, 'Install it, or choose pin_factory = "auto" under [panel].')
    if library is None:
        sentence = "There are GPIO pins, but no library that reaches them."
        return Finding(
            "gpio",
            "problem" if used else "note",
            sentence,
            "sudo apt install python3-lgpio, in a venv with --system-site-packages.",
        )
    return Finding("gpio", "ok", f"The GPIO pins are reached through {library}.")
