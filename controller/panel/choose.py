"""Opens the panel that the configuration names; each adapter's library is loaded only when it is chosen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from controller.panel.adapter import Panel, PanelError
from controller.panel.pins import CubeStyle, pin_map

PanelKind = Literal["virtual", "gpio", "serial", "emulated"]


def open_panel(
    kind: PanelKind,
    *,
    port: str = "auto",
    pins: Mapping[str, int] | None = None,
    cube: CubeStyle = "leds",
    pin_factory: Literal["auto", "lgpio", "rpigpio", "mock"] = "auto",
    log: Callable[[str], None] = lambda sentence: None,
) -> Panel:
    """The panel of a kind. port: of the serial kind. pins: BCM numbers by the pin map's names, cube: what shows it,
    pin_factory: the library that reaches the pins: all of the gpio kind.

    log: takes a sentence when a serial connection changes. Raises PanelError where it cannot be set up as asked;
    a controller that is merely not there yet is waited for.
    """
    if kind == "virtual":
        from controller.panel.virtual import VirtualPanel

        return VirtualPanel()
    if kind == "gpio":
        from controller.panel import gpio

        return gpio.GpioPanel(pin_map(pins or {}, cube), gpio.pin_factory(pin_factory))
    if kind == "serial":
        from controller.panel.serial_panel import open_serial

        return open_serial(port, log)
    if kind == "emulated":
        from controller.panel.emulated import EmulatedPanel

        return EmulatedPanel(log=log)
    raise PanelError(f'There is no panel "{kind}": choose virtual, gpio, serial or emulated.')
