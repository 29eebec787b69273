"""An emulated Raspberry Pi Pico for the tests: the real MicroPython image, the project's firmware as files, in lock step."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from controller.panel.adapter import Button
from controller.panel.link import Link, LinkEvent
from tests.firmware.micropython import NODE_MODULES, PROJECT

_HERE = Path(__file__).with_name("rp2040")
IMAGE = _HERE / "micropython.bin"
_LIBRARY = NODE_MODULES / "rp2040js"
# The flash behind the image: 1408 KiB in blocks of 4 KiB (MicroPython's RPI_PICO board).
_BLOCK, _BLOCKS = 4096, 352
_BUTTON_PINS = {Button.CLOCK_LIGHT: 2, Button.CLOCK_DARK: 3, Button.CUBE: 4, Button.UNDO: 5}
# Fine enough for the host's answers, coarse enough that the pipe costs nothing.
_STEP_MS = 2


def files_image(settings: dict[str, object]) -> bytes:
    """The Pico's file system: firmware/ as a folder, main.py at the top, settings.json. Skips the test without littlefs."""
    littlefs: Any = pytest.importorskip("littlefs", reason="no littlefs here: pip install littlefs-python")
    files = littlefs.LittleFS(block_size=_BLOCK, block_count=_BLOCKS, prog_size=256)
    files.mkdir("/firmware")
    for path in sorted((PROJECT / "firmware").glob("*.py")):
        for target in (f"/firmware/{path.name}", *(["/main.py"] if path.name == "main.py" else [])):
            with files.open(target, "wb") as out:
                out.write(path.read_bytes())
    with files.open("/settings.json", "wb") as out:
        out.write(json.dumps(settings).encode())
    return bytes(files.context.buffer)


@dataclass
class Pico:
    """The emulated board and a host's link to it. now: milliseconds of the board's own time."""

    files: Path
    usb: bool
    seed: int
    process: subprocess.Popen[str] = field(init=False)
    host: Link = field(default_factory=lambda: Link(7))
    now: float = 0.0
    frames: list[tuple[float, bytes]] = field(default_factory=list)
    events: list[LinkEvent] = field(default_factory=list)
    pressed: set[Button] = field(default_factory=set)
    said: dict[str, Any] = field(default_factory=dict)
    noise: bytes = b""
    console: bytes = b""
    _started: float = 0.0

    def __post_init__(self) -> None:
        self.power_up()

    def power_up(self) -> None:
        """Starts the board with what its flash now holds; the host's line is new."""
        node = shutil.which("node")
        assert node is not None
        command = [node, str(_HERE / "emulator.mjs"), str(_LIBRARY), str(IMAGE), str(self.files), str(self.seed)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.seed += 1
        self._started = self.now
        self.host.port_opened(self.now / 1000)

    def step(self, ms: int = _STEP_MS) -> None:
        """Runs both sides for a moment."""
        self.events += self.host.tick(self.now / 1000)
        line = "usb" if self.usb else "rx"
        sent = self.noise + self.host.data_to_send()
        self.noise = b""
        order = {"ms": ms, line: sent.hex(), "pressed": [_BUTTON_PINS[button] for button in self.pressed]}
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        assert answer, "the emulator has ended"
        self.said = json.loads(answer)
        self.now = self._started + self.said["now"]
        self.frames += [(self._started + at, bytes.fromhex(colours)) for at, colours in self.said["frames"]]
        self.console += bytes.fromhex(self.said["usb"])
        received = bytes.fromhex(self.said["usb" if self.usb else "tx"])
        self.events += self.host.receive(received, self.now / 1000)

    def run(self, ms: float) -> None:
        """Runs for a time."""
        end = self.now + ms
        while self.now < end:
            self.step()

    def run_until(self, holds: Any, at_most_ms: float) -> None:
        """Runs until `holds()`; fails the test when it takes longer."""
        end = self.now + at_most_ms
        while not holds():
            assert self.now < end, (self.said, self.console[-500:])
            self.step()

    def close(self) -> None:
        """Ends the emulator."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(timeout=10)


def boot(folder: Path, *, usb: bool = False, seed: int = 1) -> Pico:
    """A Pico fresh from power-up. Skips the test where node, rp2040js or littlefs is not there."""
    if shutil.which("node") is None or not _LIBRARY.is_dir():
        pytest.skip("no RP2040 emulator here: npm install --prefix build/node rp2040js@1.4.1")
    expected = (_HERE / "micropython.bin.sha256").read_text(encoding="ascii").split()[0]
    assert hashlib.sha256(IMAGE.read_bytes()).hexdigest() == expected
    files = folder / "files.img"
    files.write_bytes(files_image({"port": "usb" if usb else "uart"}))
    return Pico(files, usb, seed)
