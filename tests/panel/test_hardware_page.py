"""docs/hardware.md and its drawing say what the code does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from controller.panel.messages import LAMP_NAMES
from controller.panel.pins import DigitPinMap, PinMap
from firmware.settings import Settings

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "hardware.md").read_text(encoding="utf-8")
DRAWING = (DOCS / "hardware-header.svg").read_text(encoding="utf-8")
DIGITS_DRAWING = (DOCS / "hardware-digits.svg").read_text(encoding="utf-8")
PICO_DRAWING = (DOCS / "hardware-pico.svg").read_text(encoding="utf-8")

# Header pin of each BCM number, from the Raspberry Pi documentation (the `pinout` command prints the same).
HEADER = {2: 3, 3: 5, 4: 7, 5: 29, 6: 31, 7: 26, 8: 24, 9: 21, 10: 19, 11: 23, 12: 32, 13: 33, 14: 8, 15: 10}
HEADER |= {16: 36, 17: 11, 18: 12, 19: 35, 20: 38, 21: 40, 22: 15, 23: 16, 24: 18, 25: 22, 26: 37, 27: 13}
CALLED = {
    "clock light": "light's clock button",
    "clock dark": "dark's clock button",
    "cube button": "cube button",
    "undo": "undo button",
}


@pytest.mark.parametrize(("name", "pin"), list(vars(PinMap()).items()))
def test_the_pin_table_is_the_default_pin_map(name: str, pin: int) -> None:
    spoken = name.replace("_", " ")
    assert f"| {CALLED.get(spoken, spoken)} | {pin} | {HEADER[pin]} |" in PAGE


@pytest.mark.parametrize(("name", "pin"), list(vars(PinMap()).items()))
def test_the_drawing_names_every_used_pin(name: str, pin: int) -> None:
    spoken = CALLED.get(name.replace("_", " "), name.replace("_", " ")).removesuffix(" button")
    label = re.search(rf">GPIO {pin}</text>(.*?)(?=<circle[^>]*/><text[^>]*>\d+</text>\n<text|\Z)", DRAWING, re.DOTALL)
    assert label is not None
    assert spoken in label.group(1)


@pytest.mark.parametrize(("name", "pin"), [(n, p) for n, p in vars(DigitPinMap()).items() if n not in vars(PinMap())])
def test_the_digits_table_is_the_default_pin_map(name: str, pin: int) -> None:
    assert f"| {name.replace('_', ' ')} | {pin} | {HEADER[pin]} |" in PAGE
    assert f">{name.replace('_', ' ')} · GPIO {pin} · pin {HEADER[pin]}<" in DIGITS_DRAWING


def test_the_picos_pins_are_the_firmwares() -> None:
    source = (DOCS.parent / "firmware" / "hardware.py").read_text(encoding="utf-8")
    assert "UART_TX, UART_RX = 0, 1\n" in source
    assert "BUTTON_PINS = (2, 3, 4, 5)\n" in source
    assert "DISPLAY_CLOCK, DISPLAY_DATA = 6, 7\n" in source
    assert "BUZZER_PIN = 8\nSTRIP_PIN = 16\n" in source
    for row in (
        "data | GP16 (pin 21)",
        "GP2, GP3, GP4, GP5 (pins 4-7)",
        "GP6, GP7 (pins 9, 10)",
        "GP8 (pin 11)",
        "GP0 out, GP1 in",
    ):
        assert row in PAGE
    for label in ("GP16", "GP2", "GP3", "GP4", "GP5", "GP6", "GP7", "GP8"):
        assert f">{label}<" in PICO_DRAWING


def test_the_strip_is_described_as_it_is() -> None:
    assert f"The strip has {len(LAMP_NAMES)} LEDs" in PAGE
    assert f"The default of {Settings().budget_ma} mA" in PAGE
    assert f'"budget_ma": {Settings().budget_ma}' in PAGE
