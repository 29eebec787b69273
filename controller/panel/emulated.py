"""The emulated controller: the firmware's own core in a thread, on an in-process line or a pty; it can misbehave."""

from __future__ import annotations

import contextlib
import os
import random
import select
import threading
import time
import tty
from collections.abc import Callable
from dataclasses import dataclass

from controller.panel.adapter import Button
from controller.panel.serial_panel import Port, SerialPanel
from firmware.core import Controller
from firmware.settings import Settings
from firmware.ticks import PERIOD
from vision.sentence import Sentence

_STEP_S = 0.002
# No finger stays longer; a busy machine notices a press much sooner.
_FINGER_S = 2.0


@dataclass(frozen=True)
class Faults:
    """How the line misbehaves, each a probability a byte: bytes dropped, bits flipped, garbage bytes put in between.

    cut: nothing passes either way, while the port stays open (a half-open line).
    """

    drop: float = 0.0
    flip: float = 0.0
    garbage: float = 0.0
    cut: bool = False

    def apply(self, data: bytes, dice: random.Random) -> bytes:
        """What arrives of `data`."""
        if self.cut:
            return b""
        if not (self.drop or self.flip or self.garbage):
            return data
        out = bytearray()
        for byte in data:
            if dice.random() < self.garbage:
                out.append(dice.randrange(256))
            if dice.random() < self.drop:
                continue
            out.append(byte ^ (1 << dice.randrange(8)) if dice.random() < self.flip else byte)
        return bytes(out)


class _Line:
    """Both directions of an in-process line."""

    def __init__(self) -> None:
        self.condition = threading.Condition()
        self.to_host = bytearray()
        self.to_controller = bytearray()
        self.woken = False
        self.unplugged = False

    def exchange(self, data: bytes) -> bytes:
        """The controller's side: gives `data` to the host, takes what the host has sent."""
        with self.condition:
            if data:
                self.to_host += data
                self.condition.notify_all()
            taken = bytes(self.to_controller)
            self.to_controller.clear()
        return taken

    def unplug(self) -> None:
        with self.condition:
            self.unplugged = True
            self.condition.notify_all()


class _LinePort:
    """The host's side of an in-process line: a Port."""

    def __init__(self, line: _Line) -> None:
        self._line = line

    def read(self, wait_s: float) -> bytes:
        line = self._line
        with line.condition:
            line.condition.wait_for(lambda: line.to_host or line.woken or line.unplugged, wait_s)
            line.woken = False
            if line.unplugged:
                raise OSError("the controller was unplugged")
            data = bytes(line.to_host)
            line.to_host.clear()
        return data

    def write(self, data: bytes) -> None:
        with self._line.condition:
            if self._line.unplugged:
                raise OSError("the controller was unplugged")
            self._line.to_controller += data

    def wake(self) -> None:
        with self._line.condition:
            self._line.woken = True
            self._line.condition.notify_all()

    def close(self) -> None:
        self._line.unplug()


class _Pty:
    """A pty whose other end pyserial opens by name; `link` is a name that stays the same over replugging."""

    def __init__(self, link: str | None) -> None:
        self._master, self._slave = os.openpty()
        tty.setraw(self._master)
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.name = os.ttyname(self._slave)
        self._link = link
        if link is not None:
            os.symlink(self.name, link)

    def exchange(self, data: bytes) -> bytes:
        """The controller's side. What the host does not take is dropped, as a UART drops it."""
        if data:
            with contextlib.suppress(BlockingIOError):
                os.write(self._master, data)
        readable, _, _ = select.select([self._master], [], [], 0)
        return os.read(self._master, 4096) if readable else b""

    def unplug(self) -> None:
        os.close(self._slave)
        os.close(self._master)
        if self._link is not None:
            os.unlink(self._link)
        self._link = None


class EmulatedController:
    """A controller without hardware. pty_link: None for an in-process line, else the path of a symlink to the pty.

    seed: of the faults and the boot ids. Everything may be called from any thread.
    """

    def __init__(self, *, pty_link: str | None = None, seed: int = 0) -> None:
        self.settings = Settings()
        self.faults = Faults()
        self._pty_link = pty_link
        self._dice = random.Random(seed)
        self._lock = threading.RLock()
        self._line: _Line | _Pty | None = None
        self._contacts = 0
        self._pixels = bytes(3 * self.settings.led_count)
        self._core = self._boot()
        self.plug_in()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="emulated-controller", daemon=True)
        self._thread.start()

    def open_port(self) -> Port:
        """The in-process line's other end. Raises OSError while it is unplugged."""
        with self._lock:
            if not isinstance(self._line, _Line):
                raise OSError("no controller is plugged in")
            # A port opened anew begins with an empty line, as the kernel's does.
            self._line.unplug()
            self._line = _Line()
            return _LinePort(self._line)

    def pixels(self) -> bytes:
        """The strip's colours: RGB, three bytes an LED."""
        with self._lock:
            return self._pixels

    def codes(self) -> bytes:
        """One rhythm-and-tint code a lamp, as shown now."""
        with self._lock:
            return bytes(self._core.shown(_now()))

    def segments(self) -> bytes:
        """The display's four patterns."""
        with self._lock:
            return self._core.segments()

    @property
    def host_lost(self) -> bool:
        """Whether the controller has given its host up."""
        with self._lock:
            return self._core.lost

    def press(self, button: Button) -> None:
        """Presses a button until the controller has noticed, and lets it go until that is noticed too."""
        bit = 1 << button
        for mask, noticed in ((bit, bit), (0, 0)):
            with self._lock:
                self._contacts = self._contacts & ~bit | mask
            deadline = time.monotonic() + _FINGER_S
            while self._held() & bit != noticed and time.monotonic() < deadline:
                time.sleep(_STEP_S)

    def _held(self) -> int:
        with self._lock:
            return self._core.contacts.held

    def reboot(self) -> None:
        """Forgets everything, as after a power cut."""
        with self._lock:
            self._core = self._boot()

    def unplug(self) -> None:
        """Takes the line away."""
        with self._lock:
            if self._line is not None:
                self._line.unplug()
            self._line = None

    def plug_in(self) -> None:
        """Gives a new line (for a pty under another device name)."""
        with self._lock:
            self.unplug()
            self._line = _Line() if self._pty_link is None else _Pty(self._pty_link)

    def close(self) -> None:
        """Stops the thread and takes the line away."""
        self._stop.set()
        self._thread.join(timeout=2)
        self.unplug()

    def _boot(self) -> Controller:
        return Controller(self.settings, self._dice.randrange(1, 1 << 32), _now(), self._contacts)

    def _run(self) -> None:
        received = b""
        while not self._stop.wait(_STEP_S):
            with self._lock:
                sent = self._core.step(_now(), self.faults.apply(received, self._dice), self._contacts)
                pixels = self._core.frame(_now())
                if pixels is not None:
                    self._pixels = bytes(pixels)
                received = self._line.exchange(self.faults.apply(sent, self._dice)) if self._line is not None else b""


def _now() -> int:
    """The Pico's milliseconds, which wrap."""
    return int(time.monotonic() * 1000) % PERIOD


class EmulatedPanel(SerialPanel):
    """A SerialPanel with its own emulated controller in the same process; the controller ends with the panel."""

    def __init__(self, *, log: Callable[[str], None] = lambda sentence: None) -> None:
        self.controller = EmulatedController()
        super().__init__(self.controller.open_port, name=Sentence("the emulated controller"), log=log)

    def close(self) -> None:
        super().close()
        self.controller.close()
