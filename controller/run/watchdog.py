"""Tells systemd that the program is ready and lives: its watchdog is fed only while camera, referee and page all advance.

Started otherwise than by systemd this does nothing. The messages: sd_notify(3), the environment: sd_watchdog_enabled(3).
"""

from __future__ import annotations

import http.client
import os
import re
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from typing import Literal, Self, TypeVar

Part = Literal["camera", "referee"]
PARTS: tuple[Part, ...] = ("camera", "referee")
T = TypeVar("T")

STALE = 0.5
"""Of the time that systemd allows: a part that has been silent for longer is not vouched for."""

PAGE_S = 5.0
"""The page answers in milliseconds; a busy Pi may need a second."""


def notify(message: str, environ: Mapping[str, str] = os.environ) -> bool:
    """Sends one message to systemd, where it is listening; says whether it was sent."""
    address = environ.get("NOTIFY_SOCKET", "")
    if not address.startswith(("/", "@")):
        return False
    try:
        with closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as line:
            # "@" stands for the zero byte of Linux's abstract names.
            line.sendto(message.encode(), address.replace("@", "\0", 1) if address.startswith("@") else address)
    except OSError:  # nobody listens, or this process has no file to spare: the next message may go through
        return False
    return True


def page_answers(host: str, port: int, *, https: bool = False) -> bool:
    """Whether the program's own page answers there, whatever it says, and by whatever certificate."""
    connection = (
        http.client.HTTPSConnection(host, port, timeout=PAGE_S, context=ssl._create_unverified_context())
        if https
        else http.client.HTTPConnection(host, port, timeout=PAGE_S)
    )
    try:
        connection.request("HEAD", "/")
        return connection.getresponse().status < 500
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


class Watchdog:
    """Feeds systemd's watchdog from a thread of its own while all PARTS have lately said that they live.

    page: whether the page answers. limit: seconds within which systemd wants to hear, None: it does not watch.
    """

    def __init__(
        self,
        page: Callable[[], bool],
        limit: float | None,
        send: Callable[[str], object] = notify,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._page, self._limit, self._send, self._clock = page, limit, send, clock
        self._seen = dict.fromkeys(PARTS, clock())
        self._stop = threading.Event()
        self._last_word = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="watchdog", daemon=True)

    def __enter__(self) -> Self:
        self._send("READY=1")
        if self._limit is not None:
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        with self._last_word:
            if not self._stop.is_set():
                self._stop.set()
                self._send("STOPPING=1")
        if self._thread.is_alive():
            self._thread.join(timeout=PAGE_S + 1)

    def hand_over(self) -> None:
        """Another watchdog goes on, and this one says nothing more: who says that it stops is killed when it has not stopped in
        time."""
        with self._last_word:
            self._stop.set()

    def beat(self, part: Part) -> None:
        """This part of the program has just done something. From any thread."""
        self._seen[part] = self._clock()

    def watched(self, frames: Iterator[T]) -> Iterator[T]:
        """The same frames; each is a sign of life of the camera."""
        for frame in frames:
            self.beat("camera")
            yield frame

    def waiting(self, wait: Callable[[float], bool], parts: Iterable[Part]) -> Callable[[float], bool]:
        """The same wait; to wait is a sign of life of these parts. A new start would not bring a lost camera back."""

        def waited(seconds: float) -> bool:
            for part in parts:
                self.beat(part)
            return wait(seconds)

        return waited

    def stale(self) -> tuple[str, ...]:
        """What has not advanced lately: parts, and "page"."""
        now, limit = self._clock(), self._limit or 0.0
        parts = tuple(part for part, seen in self._seen.items() if now - seen > limit * STALE)
        return parts or (() if self._page() else ("page",))

    def feed(self) -> None:
        """Tells systemd that all is well, or which part is not; nothing any more after the last word."""
        stale = self.stale()
        with self._last_word:
            if not self._stop.is_set():
                self._send(f"STATUS=No sign of life: {', '.join(stale)}" if stale else "STATUS=Refereeing\nWATCHDOG=1")

    def _run(self) -> None:
        while not self._stop.wait((self._limit or 0.0) / 6):
            self.feed()


def watchdog_for(host: str, port: int, environ: Mapping[str, str] = os.environ, *, https: bool = False) -> Watchdog:
    """The watchdog that systemd asked for in the environment; one that does nothing where nobody asked. host, port: of the page."""
    microseconds = environ.get("WATCHDOG_USEC", "")
    # Beyond sixteen digits, three hundred years, no thread can wait for so long.
    wanted = re.fullmatch("[0-9]{1,16}", microseconds) and environ.get("WATCHDOG_PID", str(os.getpid())) == str(
        os.getpid()
    )
    return Watchdog(
        lambda: page_answers(host, port, https=https), int(microseconds) / 1e6 if wanted and int(microseconds) else None
    )
