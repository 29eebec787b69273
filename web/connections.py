"""One connection to a browser: uvicorn's HTTP/1.1, and limits for clients that are slow, silent or too many.

Everything else about HTTP is uvicorn's and h11's. What is limited stands in web/limits.py, who has to go in web/places.py.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from web.limits import Limits
from web.places import Places, household

MOST_UNSENT = 64 * 1024
"""Bytes that wait in this program for one client before its answer is held up. The system's own buffer comes before them."""


HEAD_PIECE = 512
"""Bytes that are looked at together where a request's line and headers may end: a browser's fit into two, and what comes behind
them is looked at only if it is wanted."""


class Connection(H11Protocol):
    """A connection that ends when its client is too slow, or another needs its place more."""

    def __init__(self, limits: Limits, places: Places[OpenConnection], **made_by_uvicorn: Any) -> None:
        super().__init__(**made_by_uvicorn)
        self._limits, self._places = limits, places
        self._head: asyncio.TimerHandle | None = None
        self._stalled: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Takes a place, or ends at once."""
        super().connection_made(transport)
        transport.set_write_buffer_limits(high=MOST_UNSENT)
        gone = self._places.enter(self, household(self.client[0] if self.client else ""), self.loop.time())
        if gone is None:
            transport.abort()
            return
        for other in gone:
            other.transport.abort()
        self._await_head()

    def data_received(self, data: bytes) -> None:
        """A part of a request."""
        while data and not self.transport.is_closing() and not self._in_chunks():
            size = len(data) if self.conn.their_state is h11.SEND_BODY else HEAD_PIECE
            super().data_received(data[:size])
            data = data[size:]
        self._look()

    def on_response_complete(self) -> None:
        """The next request may come."""
        super().on_response_complete()
        if self.cycle.response_complete:
            self._await_head()

    def pause_writing(self) -> None:
        """The client does not read."""
        super().pause_writing()
        self._places.waits(self, self.loop.time())
        self._stalled = self.loop.call_later(self._limits.stalled, self.transport.abort)

    def resume_writing(self) -> None:
        """It reads again."""
        super().resume_writing()
        self._stop_stalled()
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        """Gives the place back."""
        self._places.leave(self)
        self._stop_head()
        self._stop_stalled()
        super().connection_lost(exc)
        self._unset_keepalive_if_required()

    def shutdown(self) -> None:
        """The server closes."""
        if not self.transport.is_closing():
            super().shutdown()

    def _await_head(self) -> None:
        """A request has to be here in time, however its bytes come."""
        self._stop_head()
        self._places.waits(self, self.loop.time())
        self._head = self.loop.call_later(self._limits.head, self.transport.abort)

    def _in_chunks(self) -> bool:
        """A body that the page refuses as it has no length: not a chunk more is taken apart."""
        return self.conn.their_state is h11.SEND_BODY and any(name == b"transfer-encoding" for name, _ in self.headers)

    def _look(self) -> None:
        """Whether it is the client's turn, or ours."""
        if self.cycle is None or self.cycle.response_complete:
            return
        self._stop_head()
        if self.conn.their_state is h11.SEND_BODY or self._stalled is not None:
            self._places.waits(self, self.loop.time())
        else:
            self._places.works(self, self.loop.time())

    def _stop_head(self) -> None:
        if self._head is not None:
            self._head.cancel()
            self._head = None

    def _stop_stalled(self) -> None:
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None


class Handshake(asyncio.Protocol):
    """A connection until both sides have agreed on how to encrypt it. It holds a place from its first moment: by asyncio's own way
    those that only begin to shake hands would not be counted, for a minute each."""

    def __init__(
        self, limits: Limits, places: Places[OpenConnection], tls: ssl.SSLContext, then: Callable[[], Connection]
    ) -> None:
        """then: makes the connection that it becomes."""
        self._limits, self._places, self._tls, self._then = limits, places, tls, then
        self._early = bytearray()
        self._shaking: asyncio.Task[None] | None = None
        self.transport: asyncio.Transport

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # of a stream socket
        """Takes a place, or ends at once."""
        self.transport = transport
        loop = asyncio.get_running_loop()
        client = transport.get_extra_info("peername")
        gone = self._places.enter(self, household(client[0] if client else ""), loop.time())
        if gone is None:
            transport.abort()
            return
        for other in gone:
            other.transport.abort()
        self._places.waits(self, loop.time())
        transport.pause_reading()  # What comes now is not plain text; start_tls() goes on with it.
        self._shaking = loop.create_task(self._shake(loop))

    def data_received(self, data: bytes) -> None:
        """Of a client that sends its request in the same breath, before start_tls() is back."""
        self._early += data

    def connection_lost(self, exc: Exception | None) -> None:
        """Gives the place back."""
        self._places.leave(self)

    async def _shake(self, loop: asyncio.AbstractEventLoop) -> None:
        try:
            encrypted = await loop.start_tls(
                self.transport, self, self._tls, server_side=True, ssl_handshake_timeout=self._limits.head
            )
        except (OSError, EOFError):  # No TLS, another version of it, too slow, gone: ssl's own errors are OSErrors.
            self.transport.abort()
            return
        finally:
            self._places.leave(self)
        if encrypted is None or encrypted.is_closing():
            return
        connection = self._then()
        encrypted.set_protocol(connection)
        connection.connection_made(encrypted)
        if self._early:
            connection.data_received(bytes(self._early))


OpenConnection = Connection | Handshake
"""What holds a place."""


def connections(limits: Limits, tls: ssl.SSLContext | None = None) -> Callable[..., asyncio.Protocol]:
    """Makes the connections of one server, as uvicorn wants it. tls: for https."""
    places = Places[OpenConnection](limits.connections, limits.guaranteed, limits.patience)

    def connect(**made_by_uvicorn: Any) -> asyncio.Protocol:
        def plain() -> Connection:
            return Connection(limits, places, **made_by_uvicorn)

        return plain() if tls is None else Handshake(limits, places, tls, plain)

    return connect
