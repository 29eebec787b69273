"""Serves the page to the network in a thread of its own: serve(app, host, port) -> Server.

The thread has an event loop: uvicorn's connections (web/connections.py) and the streams live in it, and cost no thread. Pages are
made by Flask in a few more (web/front.py).
"""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
import ssl
import sys
import threading
from types import TracebackType

import uvicorn
from flask import Flask

from web.connections import connections
from web.errors import WebError
from web.front import Front
from web.hub import ViewHub
from web.limits import Limits, limits_here

AT_ONCE = 16
"""Connections accepted in one turn of the loop. One that gets no place keeps its file for two turns more: with 64, 1,060 slow
connections to a program with 1,024 files used up the reserve, and nobody was let in for a second at a time."""

QUEUE = 1024
"""Connections that the system keeps while they wait to be accepted: 500 phones come back together after a pause."""

UNSENT_BY_SYSTEM = 64 * 1024
"""Bytes that the system keeps for a client (twice this, as Linux counts). Left to itself it takes megabytes for each that stops
reading, and nobody notices that it has."""

STALLED_MS = 20_000
"""The kernel drops a client that acknowledges nothing for this long (TCP_USER_TIMEOUT)."""

SWITCH_S = 0.0005
"""After so long a busy thread hands the interpreter to one that waits for it. Each view that is sent lets go of it once: with
Python's own 5 ms, 500 viewers wait for seconds while a few threads make pages."""

PATIENCE = 2.0
"""Seconds that closing waits for answers to end by themselves; then their connections are cut."""

# What clients do wrong is no news for the terminal; what the page does wrong is told by web/front.py.
logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)


class Server:
    """A running server. port: the one it listens on, useful after asking for port 0."""

    def __init__(self, app: Flask, listener: socket.socket, limits: Limits, tls: ssl.SSLContext | None = None) -> None:
        self.port: int = listener.getsockname()[1]
        self._hub: ViewHub = app.extensions["view_hub"]
        self._front = Front(app, limits)
        self._uvicorn = _Uvicorn(self._front, listener, limits, tls, behind_proxy=app.config["HTTPS"] and tls is None)
        self._thread = threading.Thread(target=self._uvicorn.run, args=([listener],), name="web", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Ends all streams, frees the port and waits for the threads, a few seconds at most."""
        self._uvicorn.should_exit = True
        # Ends what follows the hub elsewhere too: the thread that shows views later.
        self._hub.hang_up()
        self._thread.join(timeout=10.0)
        self._front.close()

    def __enter__(self) -> Server:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class _Uvicorn(uvicorn.Server):
    """uvicorn's server, for one socket in a thread: it catches signals only in the main one."""

    def __init__(
        self,
        front: Front,
        listener: socket.socket,
        limits: Limits,
        tls: ssl.SSLContext | None,
        *,
        behind_proxy: bool,
    ) -> None:
        super().__init__(
            uvicorn.Config(
                front,
                loop="asyncio",
                http=connections(limits, tls),  # type: ignore[arg-type]  # makes what is asked for
                ws="none",
                interface="asgi3",
                lifespan="off",
                log_config=None,
                access_log=False,
                server_header=False,
                backlog=AT_ONCE,
                timeout_keep_alive=limits.idle,  # type: ignore[arg-type]  # seconds, in parts too
                timeout_graceful_shutdown=5,
                h11_max_incomplete_event_size=limits.head_size,
                # Only a proxy on this machine is believed who it asks for.
                proxy_headers=behind_proxy,
                forwarded_allow_ips="127.0.0.1,::1",
            )
        )
        self._front, self._listener = front, listener

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begins to accept."""
        # Out of files: asyncio waits a second by itself before it accepts again; what it has to say is no news.
        asyncio.get_running_loop().set_exception_handler(_quiet)
        await super().startup(sockets)
        self._listener.listen(QUEUE)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Ends the streams, waits for answers under way, and cuts what is still open then."""
        self._front.hang_up()
        asyncio.get_running_loop().call_later(PATIENCE, self._cut)
        await super().shutdown(sockets)

    def _cut(self) -> None:
        for one in list(self.server_state.connections):
            one.transport.abort()


def _quiet(loop: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
    error = context.get("exception")
    if not isinstance(error, OSError):
        loop.default_exception_handler(context)


def serve(app: Flask, host: str, port: int, limits: Limits | None = None, tls: ssl.SSLContext | None = None) -> Server:
    """Starts to serve the app (made by create_app) and comes back at once.

    tls: for https and nothing else, see web/tls.py. limits: other than this machine's.
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
    sys.setswitchinterval(min(SWITCH_S, sys.getswitchinterval()))
    return Server(app, listener, limits or limits_here(), tls)


def _listen(host: str, port: int) -> socket.socket:
    family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            # The connections that come through a listener inherit it.
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, STALLED_MS)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNSENT_BY_SYSTEM)
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
