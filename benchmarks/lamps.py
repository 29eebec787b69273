"""Measures how long an event takes to a lamp: emulated Pico, line in this process, simulated pins; writes lamps.csv.

python benchmarks/lamps.py

The Pico's figures are in its own time: from the host's next look at its line to the strip's pin, MicroPython's loop and
the line at 115200 baud included. What the host's thread adds is measured on this machine's clock, with the firmware's
core in a thread beside it. The sum of both is what a lamp lags.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.rows import stamp, write_rows  # noqa: E402
from controller.panel.emulated import EmulatedController  # noqa: E402
from controller.panel.gpio import GpioPanel, mock_factory  # noqa: E402
from controller.panel.messages import LAMP_NAMES, lamp_codes  # noqa: E402
from controller.panel.pins import PinMap  # noqa: E402
from controller.panel.plan import DEFAULT_BRIGHTNESS, PanelState  # noqa: E402
from controller.panel.serial_panel import open_serial  # noqa: E402
from controller.rules.side import Side  # noqa: E402
from firmware import lamps as painted  # noqa: E402
from tests.firmware.pico import Pico, boot  # noqa: E402

STATES = 200
PATIENCE = 2.0


def main() -> None:
    """Print and write the figures."""
    rows = [
        ("emulated Pico, UART at 115200 baud", pico(usb=False)),
        ("emulated Pico, USB", pico(usb=True)),
        ("host's thread and a pty", pty()),
        ("header pins (simulated)", header()),
    ]
    table = []
    for what, waits in rows:
        figures = (statistics.median(waits), sorted(waits)[int(0.95 * len(waits))], max(waits))
        named = zip(("median_ms", "p95_ms", "max_ms"), (f"{figure:.1f}" for figure in figures), strict=True)
        table.append(stamp() | {"what": what, "n": len(waits)} | dict(named))
        print(f"{what}: n {len(waits)}, median {figures[0]:.1f}, p95 {figures[1]:.1f}, max {figures[2]:.1f} ms")
    write_rows(Path(__file__).with_suffix(".csv"), table)


def state(turn: int) -> PanelState:
    """The turn-th state; none blinks, and each differs from the one before."""
    side = Side.LIGHT if turn % 2 else Side.DARK
    return PanelState(side, False, 2 << turn % 6, side, None)


def strip(shown: PanelState) -> bytes:
    """The colours of a state on the strip."""
    pixels = bytearray(3 * len(LAMP_NAMES))
    painted.paint(lamp_codes(shown), 0, DEFAULT_BRIGHTNESS, list(range(len(LAMP_NAMES))), pixels)
    return bytes(pixels)


def pico(*, usb: bool) -> list[float]:
    """ms of the board's own time from show() to the strip's pin."""
    with tempfile.TemporaryDirectory() as folder:
        board = boot(Path(folder), usb=usb)
        board.run_until(lambda: board.host.settled, 1500)
        waits = [_wait(board, turn) for turn in range(STATES)]
        board.close()
    return waits


def _wait(board: Pico, turn: int) -> float:
    # Every phase between the loop's frames, the pings and the states.
    board.run(7 + turn * 13 % 41)
    asked, expected, before = board.now, strip(state(turn)), len(board.frames)
    board.host.show(state(turn))
    board.run_until(lambda: any(colours == expected for _, colours in board.frames[before:]), 1000)
    return next(at for at, colours in board.frames[before:] if colours == expected) - asked


def pty() -> list[float]:
    """ms of this machine's time from show() until the firmware's core, in a thread on a pty, shows it."""
    with tempfile.TemporaryDirectory() as folder:
        link = str(Path(folder) / "panel")
        controller = EmulatedController(pty_link=link)
        panel = open_serial(link)
        _timed(lambda: panel.settled)
        waits = []
        for turn in range(STATES):
            time.sleep(0.011)
            codes = lamp_codes(state(turn))
            panel.show(state(turn))
            waits.append(_timed(lambda codes=codes: controller.codes() == codes))  # type: ignore[misc]
        panel.close()
        controller.close()
    return waits


def header() -> list[float]:
    """ms of this machine's time from show() until the pin carries it."""
    factory = mock_factory()
    panel = GpioPanel(PinMap(), factory)
    pins = {name: factory.pin(number) for name, number in PinMap().lamp_pins().items()}
    waits = []
    for turn in range(STATES):
        started = time.perf_counter()
        panel.show(state(turn))
        assert pins["turn light" if turn % 2 else "turn dark"].state > 0
        waits.append((time.perf_counter() - started) * 1000)
    panel.close()
    return waits


def _timed(holds: Callable[[], bool]) -> float:
    started = time.perf_counter()
    while not holds():
        assert time.perf_counter() - started < PATIENCE
        time.sleep(0.0002)
    return (time.perf_counter() - started) * 1000


if __name__ == "__main__":
    main()
