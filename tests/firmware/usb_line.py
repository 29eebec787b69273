"""The emulated Pico's USB line as a device of this machine: a pty that any serial program may open, resets included.

By hand, `vrhcab flash` with the real mpremote (a minute or two, as the emulated Pico takes four times as long as a real one):

    python -m tests.firmware.usb_line
"""

from __future__ import annotations

import contextlib
import os
import tempfile
import threading
import tty
from pathlib import Path
from types import TracebackType
from typing import Self

from controller.panel.flash import confirm, flash
from controller.panel.link import Link, LinkEvent
from tests.firmware.pico import Pico, boot


class _Wire(Link):
    """Stands where the host's link stands, and hands on what the Pico says."""

    def __init__(self, end: int) -> None:
        super().__init__(1)
        self._end = end

    def tick(self, now: float) -> tuple[LinkEvent, ...]:
        return ()

    def receive(self, data: bytes, now: float) -> tuple[LinkEvent, ...]:
        if data:
            os.write(self._end, data)
        return ()


class UsbLine:
    """Runs a Pico in a thread of its own. name: the device; resets: how often the Pico has restarted."""

    def __init__(self, folder: Path) -> None:
        self._end, self._device = os.openpty()
        for end in (self._end, self._device):
            tty.setraw(end)
        os.set_blocking(self._end, False)
        self.name = os.ttyname(self._device)
        self.resets = 0
        self._pico: Pico = boot(folder, usb=True, seed=5)
        self._pico.host = _Wire(self._end)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        # The firmware runs before anybody speaks.
        self._pico.run(1000)
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._stop.set()
        self._thread.join(10)
        self._pico.close()
        os.close(self._end)
        os.close(self._device)

    def _run(self) -> None:
        while not self._stop.is_set():
            with contextlib.suppress(BlockingIOError):
                self._pico.noise += os.read(self._end, 4096)
            self._pico.step()
            if self._pico.said["reset"]:
                self.resets += 1
                self._pico.close()
                self._pico.power_up()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder, UsbLine(Path(folder)) as line:
        print(flash(line.name, progress=lambda done, of, name: print(done, of, name, flush=True)), "files")
        print(confirm(line.name), line.resets, "restarts")
