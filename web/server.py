"""Serves the page to the network in a thread of its own: serve(app, host, port) -> Server.

Each stream of views holds a thread of waitress while it is open, asleep nearly always. So there are as many threads as
streams and REQUEST_THREADS more: a page, a picture or a state is answered however many watch.
"""

from __future__ import annotations

import errno
import logging
import socket
import sys
import threading
import time
from types import TracebackType

import waitress  # type: ignore[import-untyped]  # ships no types
import waitress.wasyncore  # type: ignore[import-untyped]
from flask import Flask

from web.errors import WebError
from web.hub import ViewHub

REQUEST_THREADS = 8
"""Threads beside the streams': a page is some 15 small files, which a browser asks for six at a time."""

BACKLOG_BYTES = 64 * 1024
"""What may wait for one client before its thread waits. waitress also keeps about this much of what was sent: with 256 KB,
500 viewers of a game of 100 plays took 172 MB, with 64 KB they take 104 MB."""

STALLED_MS = 20_000
"""The kernel drops a client that acknowledges nothing for this long (TCP_USER_TIMEOUT), which frees its thread."""


IDLE_S = 5
"""Seconds for which a connection without a request stays open. A page fetches all its files within two."""

SWITCH_S = 0.0005
"""Seconds after which a thread that computes lets another go on. 500 streams wake at once, and each has to wait for its turn: on
two busy cores (load 18) 99 % of the views were there within 446 and 480 ms with Python's own 5 ms, within 134 and 348 with this."""

PATIENCE = 2.0
"""Seconds that closing waits for streams to end by themselves, and as many again once their connections are cut."""

# A burst of requests waits a moment for threads; that is no news for the terminal.
logging.getLogger("waitress.queue").setLevel(logging.ERROR)


class Server:
    """A running server. port: the one it listens on, useful after asking for port 0."""

    def __init__(self, app: Flask, listener: socket.socket) -> None:
        sys.setswitchinterval(SWITCH_S)
        self.port: int = listener.getsockname()[1]
        self._hub: ViewHub = app.extensions["view_hub"]
        self._sockets: dict[int, object] = {}
        self._closing = threading.Event()
        streams: int = app.config["STREAMS"]
        self._waitress = waitress.create_server(
            app,
            map=self._sockets,
            sockets=[listener],
            threads=streams + REQUEST_THREADS,
            connection_limit=4 * streams + 64,
            asyncore_use_poll=True,
            # Reading ahead is how waitress notices that a client has gone.
            channel_request_lookahead=1,
            outbuf_high_watermark=BACKLOG_BYTES,
            # A browser that wakes up must not find connections here that are dead: without use they end.
            channel_timeout=IDLE_S,
            cleanup_interval=1,
            log_socket_errors=False,  # A viewer who is dropped is no news for the terminal.
            ident=None,
        )
        self._thread = threading.Thread(target=self._run, name="web", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Ends all streams, frees the port and waits for the threads, a few seconds at most."""
        if not self._closing.is_set():
            # Runs in the loop's own thread, and wakes it.
            self._waitress.trigger.pull_trigger(self._closing.set)
        self._thread.join(timeout=10.0)

    def __enter__(self) -> Server:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _run(self) -> None:
        while not self._closing.is_set():
            self._loop(1.0)
        # Threads first: one that answers after its connection was closed would complain on the terminal.
        self._waitress.task_dispatcher.set_thread_count(0)
        self._until_no_thread(PATIENCE)
        for channel in list(self._waitress.active_channels.values()):
            channel.handle_close()  # Wakes a thread that waits for a client to read.
        self._until_no_thread(PATIENCE)
        self._waitress.task_dispatcher.queue.clear()
        waitress.wasyncore.close_all(self._sockets)

    def _until_no_thread(self, seconds: float) -> None:
        """Serves what is open until its threads have ended, so many seconds at most."""
        end = time.monotonic() + seconds
        while self._waitress.task_dispatcher.threads and time.monotonic() < end:
            # Again and again: a stream may have begun since the last time.
            self._hub.hang_up()
            self._loop(0.05)

    def _loop(self, seconds: float) -> None:
        waitress.wasyncore.loop(timeout=seconds, use_poll=True, map=self._sockets, count=1)


def serve(app: Flask, host: str, port: int) -> Server:
    """Starts to serve the app (made by create_app) and comes back at once.

    host: "127.0.0.1" for this machine alone, "0.0.0.0" for the network. port 0: any free one.

    Raises:
        WebError: the port is taken or not allowed, or the host is no address of this machine.
    """
    if not 0 <= port <= 65_535:
        raise WebError(f"There is no port {port}. Choose one from 1024 to 65535, such as 8080.")
    try:
        listener = _listen(host, port)
    except OSError as error:
        raise WebError(_why_not(error, host, port)) from error
    return Server(app, listener)


def _listen(host: str, port: int) -> socket.socket:
    family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            # The connections that come through a listener inherit it.
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, STALLED_MS)
        listener.bind(address)
        listener.listen()
    except BaseException:
        listener.close()
        raise
    return listener


def _why_not(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} is in use by another program. Stop that program, or choose another port for the page."
    if error.errno == errno.EACCES:
        return f"Port {port} is reserved for the system. Choose one from 1024 to 65535, such as 8080."
    if error.errno == errno.EADDRNOTAVAIL or isinstance(error, socket.gaierror):
        return f'"{host}" is no address of this machine. Use 127.0.0.1 for it alone, or 0.0.0.0 for the network.'
    return (
        f"The page can't be served at {host}, port {port}: {error.strerror or error}. Choose another port or address."
    )
