"""Which pin of the Raspberry Pi's 40-pin header does what, checked for conflicts. Pure: nothing here touches a pin."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Literal

from controller.panel.adapter import Button, PanelError

CubeStyle = Literal["leds", "digits"]
"""How the cube is shown: six LEDs, or two seven-segment digits."""

# BCM 0 and 1 belong to the EEPROM of add-on boards; 2 to 27 are on the 40-pin header.
FIRST_PIN, LAST_PIN = 2, 27


@dataclass(frozen=True, kw_only=True)
class HeaderPins:
    """BCM numbers, as on docs/hardware.md's drawing of the header. Raises PanelError where two names share a pin."""

    turn_light: int = 17
    turn_dark: int = 27
    error: int = 22
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
        """Pin by the plan's lamp names, of the lamps that are LEDs of their own."""
        skipped = ("segment_", "digit_")
        return {
            name.replace("_", " "): pin
            for name, pin in asdict(self).items()
            if name not in _BUTTON_FIELDS and not name.startswith(skipped)
        }

    def button_pins(self) -> dict[Button, int]:
        """Pin by button."""
        return {button: getattr(self, name) for name, button in _BUTTON_FIELDS.items()}


@dataclass(frozen=True, kw_only=True)
class PinMap(HeaderPins):
    """The cube on six LEDs."""

    cube_2: int = 5
    cube_4: int = 6
    cube_8: int = 13
    cube_16: int = 19
    cube_32: int = 26
    cube_64: int = 21


@dataclass(frozen=True, kw_only=True)
class DigitPinMap(HeaderPins):
    """The cube on two seven-segment digits with a common cathode each; segments share their pins."""

    segment_a: int = 5
    segment_b: int = 6
    segment_c: int = 13
    segment_d: int = 19
    segment_e: int = 26
    segment_f: int = 21
    segment_g: int = 20
    digit_tens: int = 16
    digit_ones: int = 4

    def segment_pins(self) -> tuple[int, ...]:
        """Segments a to g."""
        return tuple(getattr(self, f"segment_{letter}") for letter in "abcdefg")


_BUTTON_FIELDS = {
    "clock_light": Button.CLOCK_LIGHT,
    "clock_dark": Button.CLOCK_DARK,
    "cube_button": Button.CUBE,
    "undo": Button.UNDO,
}


def pin_map(pins: Mapping[str, int], cube: CubeStyle = "leds") -> PinMap | DigitPinMap:
    """The default pins with these changes. Raises PanelError on a name that there is not, or a pin given twice."""
    kind = PinMap if cube == "leds" else DigitPinMap
    known = [field.name for field in fields(kind)]
    for name in pins:
        if name not in known:
            raise PanelError(f"The pin map has no {name}: its names are {', '.join(known)}.")
    return kind(**pins)
