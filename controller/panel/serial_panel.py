"""The panel behind a serial line: owns the port and the thread that serves it, and reconnects for ever."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import select
import socket
import termios
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import serial

from controller.panel.adapter import ButtonPress, PanelError
from controller.panel.link import Connected, Disconnected, HostRefused, Link
from controller.panel.plan import PanelState
from vision.sentence import Sentence

BAUD = 115200
# Between two looks at the clock; show() and close() wake the thread before it is over.
_WAIT_S = 0.05
# A controller takes 115 bytes in 10 ms; one that takes nothing for this long has gone.
_WRITE_TIMEOUT_S = 0.5
_CHUNK = 4096
_BACKOFF_S = (0.1, 0.2, 0.4, 0.8, 1.6, 3.0)
_BY_ID = Path("/dev/serial/by-id")
# What MicroPython on a Pico calls itself there (usb-MicroPython_Board_in_FS_mode_<serial>-if00).
_BY_ID_PATTERN = "usb-MicroPython_*"
# How long close() lets the thread turn the lamps off: two tries of a STATE.
_FAREWELL_S = 0.3


class Port(Protocol):
    """An open line. Every method may raise OSError (serial.SerialException is one) when the line has gone."""

    def read(self, wait_s: float) -> bytes:
        """What has arrived; waits up to wait_s for the first byte."""

    def write(self, data: bytes) -> None:
        """Writes all of it, or raises."""

    def wake(self) -> None:
        """Ends a read() that waits in another thread."""

    def close(self) -> None:
        """Frees the line."""


def _reason(problem: Exception) -> str:
    """Why a line can't be opened, without pyserial's frame around what the system said."""
    said = problem.__context__ or problem
    number = said.args[0] if said.args else None
    if number == errno.EWOULDBLOCK:
        return "another program is using it"
    if number == errno.ENOTTY:
        return "it is no serial line"
    return os.strerror(number) if isinstance(number, int) else str(problem)


class SerialPort:
    """A Port that pyserial opens. name: a device, or a by-id name, which stays the same when the kernel renumbers.

    It waits with poll(): pyserial waits with select(), which knows no file number above 1,023, and a page with many viewers has
    more files open than that.
    """

    def __init__(self, name: str) -> None:
        try:
            self._serial = serial.Serial(name, BAUD, exclusive=True)
        except (
            serial.SerialException,
            termios.error,
        ) as problem:  # The latter is no OSError: the device goes meanwhile.
            raise OSError(_reason(problem)) from problem
        self._file = self._serial.fileno()
        self._bell, self._button = socket.socketpair()
        for end in (self._bell, self._button):
            end.setblocking(False)
        self._arrivals, self._room = select.poll(), select.poll()
        for file in (self._file, self._bell.fileno()):
            self._arrivals.register(file, select.POLLIN)
        self._room.register(self._file, select.POLLOUT)

    def read(self, wait_s: float) -> bytes:
        ready = dict(self._arrivals.poll(wait_s * 1000))
        if self._bell.fileno() in ready:
            self._bell.recv(_CHUNK)
        if self._file not in ready:
            return b""
        try:
            data = os.read(self._file, _CHUNK)
        except BlockingIOError:
            return b""
        if not data:
            raise OSError("the device has gone")
        return data

    def write(self, data: bytes) -> None:
        deadline = time.monotonic() + _WRITE_TIMEOUT_S
        while data:
            if not self._room.poll(max(0.0, deadline - time.monotonic()) * 1000):
                raise TimeoutError("timeout: the device takes nothing")
            with contextlib.suppress(BlockingIOError):
                data = data[os.write(self._file, data) :]

    def wake(self) -> None:
        with contextlib.suppress(BlockingIOError):
            self._button.send(b"!")

    def close(self) -> None:
        self._serial.close()
        self._bell.close()
        self._button.close()


def find_port(name: str = "auto") -> str:
    """The device to open: the name itself, or for "auto" the one MicroPython board by its by-id name.

    Looked up at every attempt, so that a board plugged into another socket is found again.
    Raises PanelError where auto finds none or several.
    """
    if name != "auto":
        return name
    found = sorted(_BY_ID.glob(_BY_ID_PATTERN)) if _BY_ID.is_dir() else []
    if not found:
        raise PanelError("No panel controller is plugged in: connect it by USB, or name its port in the configuration.")
    if len(found) > 1:
        names = ", ".join(str(path) for path in found)
        raise PanelError(
            "Several controllers are plugged in ({names}): name the panel's port in the configuration.", names=names
        )
    return str(found[0])


class SerialPanel:
    """A Panel behind a line. open_port is called in the panel's own thread, again after every loss, for ever.

    log: takes a sentence when the connection changes.
    """

    def __init__(
        self,
        open_port: Callable[[], Port],
        *,
        name: str = Sentence("the serial line"),
        log: Callable[[str], None] = lambda sentence: None,
    ) -> None:
        self._open_port = open_port
        self._name = name
        self._log = log
        self._lock = threading.Lock()
        self._link = Link(secrets.randbelow((1 << 32) - 1) + 1)
        self._port: Port | None = None
        self._presses: list[ButtonPress] = []
        self._closing = threading.Event()
        self._trouble: Sentence | None = Sentence("The panel on {name} has not answered yet.", name=name)
        self._failures = 0
        self._thread = threading.Thread(target=self._run, name="panel-link", daemon=True)
        self._thread.start()

    @property
    def settled(self) -> bool:
        """Whether the controller has acknowledged the newest state."""
        with self._lock:
            return self._link.settled

    @property
    def link(self) -> Link:
        """The link itself, for its counters and the controller's reports."""
        return self._link

    def show(self, state: PanelState) -> None:
        with self._lock:
            self._link.show(state)
        self._wake()

    def presses(self) -> tuple[ButtonPress, ...]:
        with self._lock:
            taken, self._presses = tuple(self._presses), []
        return taken

    def status(self) -> Sentence:
        with self._lock:
            if self._trouble:
                more = Sentence("It is tried again for ever; {count} failures so far.", count=self._failures)
                return self._trouble.followed_by(more)
            welcome, pong, counters = self._link.welcome, self._link.pong, self._link.counters
        version = ".".join(map(str, welcome.firmware)) if welcome is not None else "?"
        details = [Sentence("firmware {version}", version=version)]
        if counters.reconnects:
            details.append(Sentence("reconnected {count} times", count=counters.reconnects))
        if counters.lost_events:
            details.append(Sentence("{count} presses lost", count=counters.lost_events))
        if pong is not None:
            details.append(Sentence("{current} mA", current=pong.milliamperes))
            if pong.stuck:
                details.append(Sentence("a button is stuck"))
        return Sentence("The panel on {name} works ({details}).", name=self._name, details=tuple(details))

    def trouble(self) -> Sentence | None:
        with self._lock:
            return self._trouble

    def close(self) -> None:
        if self._closing.is_set():
            return
        self.show(PanelState())
        deadline = time.monotonic() + _FAREWELL_S
        while self._link.phase.value == "up" and not self.settled and time.monotonic() < deadline:
            time.sleep(0.005)
        self._closing.set()
        self._wake()
        self._thread.join(timeout=2 * _WRITE_TIMEOUT_S + 1)

    def _wake(self) -> None:
        port = self._port
        # The thread may have closed the port meanwhile; it will open another.
        with contextlib.suppress(OSError):
            if port is not None:
                port.wake()

    def _run(self) -> None:
        attempt = 0
        while not self._closing.is_set():
            try:
                port = self._open_port()
            except PanelError as problem:
                self._fail(problem.sentence)
            except (OSError, ValueError) as problem:
                self._fail(
                    Sentence("The panel on {name} cannot be opened ({problem}).", name=self._name, problem=problem)
                )
            else:
                self._port = port
                if self._serve(port):
                    attempt = 0
                self._port = None
            self._closing.wait(_BACKOFF_S[min(attempt, len(_BACKOFF_S) - 1)])
            attempt += 1

    def _serve(self, port: Port) -> bool:
        """Runs the link over an open port until it fails or the panel closes; says whether the controller answered."""
        with self._lock:
            self._link.port_opened(time.monotonic())
            answered = self._link.reader.good
        try:
            while not self._closing.is_set():
                self._exchange(port)
        except OSError as problem:
            self._fail(Sentence("The panel on {name} was lost ({problem}).", name=self._name, problem=problem))
        finally:
            # Where the device has gone there is nothing left to free.
            with contextlib.suppress(OSError):
                port.close()
        return self._link.reader.good > answered

    def _exchange(self, port: Port) -> None:
        with self._lock:
            self._handle(self._link.tick(time.monotonic()))
            data = self._link.data_to_send()
        if data:
            port.write(data)
        received = port.read(_WAIT_S)
        if received:
            with self._lock:
                self._handle(self._link.receive(received, time.monotonic()))

    def _handle(self, events: tuple[object, ...]) -> None:
        for event in events:
            if isinstance(event, ButtonPress):
                self._presses.append(event)
            elif isinstance(event, Connected):
                self._trouble = None
                self._log(f"The panel on {self._name} is connected.")
            elif isinstance(event, (Disconnected, HostRefused)):
                self._complain(event.reason)

    def _fail(self, sentence: Sentence) -> None:
        with self._lock:
            self._complain(sentence)

    def _complain(self, sentence: Sentence) -> None:
        self._failures += 1
        if sentence != self._trouble:
            self._log(sentence)
        self._trouble = sentence


def open_serial(name: str = "auto", log: Callable[[str], None] = lambda sentence: None) -> SerialPanel:
    """The panel on a serial device, or for "auto" on the one MicroPython board that is plugged in."""
    return SerialPanel(
        lambda: SerialPort(find_port(name)), name=Sentence("the USB controller") if name == "auto" else name, log=log
    )
