"""The page's door: an ASGI application that reads requests under limits, asks Flask in a thread, and sends the answer.

A client is waited for only here, in the event loop; no thread ever waits for one. Nothing is written to the disk.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Iterable
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from http import HTTPStatus
from io import BytesIO
from typing import Any

from flask import Flask
from werkzeug.wrappers import Request

from web.lane import Lane
from web.limits import Limits
from web.places import Places, household
from web.sessions import USUAL, Door
from web.streams import Message, Receive, Send, Stream, Streams, Viewer

PIECE = 64 * 1024
"""Bytes of an answer that are handed on at once."""

THROWN_AWAY = 1024 * 1024
"""Bytes of a body that is too large, at most, which are still taken so that its sender hears why it is refused."""

OF_OPERATORS = 96 * 1024 * 1024
"""The same for somebody who has signed in, as slowly as a photo may come: a camera's picture is larger than a phone's."""

NO_PLACE = b'{"error":"So many are watching that there is no place left. The page asks for the position now and then."}'

Headers = list[tuple[bytes, bytes]]
_log = logging.getLogger("web")


@dataclass(frozen=True)
class Made:
    """What Flask made of a request."""

    status: int
    headers: Headers
    body: bytes | Stream


@dataclass(frozen=True)
class Rest:
    """What still comes of a body that nobody reads. most: bytes of it that are taken, for so many seconds."""

    receive: Receive
    most: int
    seconds: float

    async def throw_away(self) -> None:
        """A connection that ends before it has come would take the answer with it."""
        left = self.most
        with suppress(TimeoutError):
            async with asyncio.timeout(self.seconds):
                while left > 0 and (message := await self.receive())["type"] == "http.request" and message["more_body"]:
                    left -= len(message["body"])


class TooSlow(Exception):
    """A body did not come in time."""


class Front:
    """The ASGI application around one Flask application."""

    def __init__(self, app: Flask, limits: Limits) -> None:
        self._app, self._limits = app, limits
        self._door: Door = app.extensions["door"]
        self._places = Places[Viewer](app.config["STREAMS"], limits.guaranteed)
        self._pages = Lane(limits.threads, "page")
        self._desk = Lane(limits.threads, "desk")
        self._signing = Lane(1, "sign-in")
        self._large = asyncio.Lock()
        self._sending: dict[asyncio.Timeout, int] = {}
        self._streams: Streams | None = None

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            return
        asked = Request(environ_of(scope))
        if "HTTP_TRANSFER_ENCODING" in asked.environ:
            # No browser sends a body in chunks, and a chunk for each byte takes seconds to put together. Where there are two
            # lengths, a server before this one could have taken the other of them (RFC 9112, 6.3).
            twice = "CONTENT_LENGTH" in asked.environ
            await _refuse(send, HTTPStatus.BAD_REQUEST if twice else HTTPStatus.LENGTH_REQUIRED)
            return
        # One photo at a time: no more than one is ever in memory.
        alone = self._large if self._door.may_send(asked) > USUAL else nullcontext()
        try:
            async with alone:
                await self._answer(asked, receive, send)
        except Exception:
            _log.exception("The page could not answer %s %s", asked.method, asked.path)
            raise

    def hang_up(self) -> None:
        """Ends the streams, and those that are just beginning, in the loop's thread."""
        self._streams = self._streams or Streams(self._limits.keep_alive)
        self._streams.close()

    def close(self) -> None:
        """Waits for the threads, after the loop has ended."""
        for lane in (self._pages, self._desk, self._signing):
            lane.close()

    async def _answer(self, asked: Request, receive: Receive, send: Send) -> None:
        environ = asked.environ
        try:
            whole = await self._read(asked, receive)
        except TooSlow:
            await _refuse(send, HTTPStatus.REQUEST_TIMEOUT)
            return
        address = household(asked.remote_addr or "")
        watches = asked.path.endswith("/events") and asked.method == "GET"
        viewer = self._place(address) if watches else None
        if watches and viewer is None:
            # No page is made for it, and nobody can ask a thousand times a second.
            await asyncio.sleep(self._limits.linger)
            await _refuse(send, HTTPStatus.SERVICE_UNAVAILABLE, NO_PLACE)
            return
        try:
            made = await self._lane(asked).run(address, lambda: ask(self._app, environ))
            if not whole or isinstance(made.body, Stream):
                made.headers.append((b"connection", b"close"))
            await send({"type": "http.response.start", "status": made.status, "headers": made.headers})
            if not isinstance(made.body, Stream):
                await self._send(made.body, send, None if whole else self._rest(asked, receive))
            elif viewer is not None:
                self._streams = self._streams or Streams(self._limits.keep_alive)
                await self._streams.follow(made.body, viewer, receive, send)
            else:
                await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            if viewer is not None:
                self._places.leave(viewer)

    def _lane(self, asked: Request) -> Lane:
        """Operators wait for no viewer. To check a PIN takes the processor for a while: one at a time."""
        if self._door.session(asked) is not None:
            return self._desk
        return self._signing if asked.method == "POST" else self._pages

    def _place(self, address: str) -> Viewer | None:
        """A place for a stream; None where there is none."""
        viewer = Viewer()
        gone = self._places.enter(viewer, address)
        for other in gone or ():
            other.end()
        return None if gone is None else viewer

    async def _read(self, asked: Request, receive: Receive) -> bool:
        """Puts the body into the environ. False where it is larger than it may be: then what was read is thrown away, the rest is
        not read, and Flask, which sees the length alone, says so. Raises TooSlow."""
        environ, limit = asked.environ, self._door.may_send(asked)
        declared = asked.content_length
        environ["CONTENT_LENGTH"], environ["wsgi.input"] = str(declared or 0), BytesIO()
        if not declared:
            return True
        if declared > limit:
            return False
        body = bytearray()
        try:
            async with asyncio.timeout(self._limits.body + declared / self._limits.rate):
                while (message := await receive())["type"] == "http.request":
                    body += message["body"]
                    if not message["more_body"]:
                        break
        except TimeoutError as error:
            raise TooSlow from error
        environ["CONTENT_LENGTH"], environ["wsgi.input"] = str(len(body)), BytesIO(body)
        return True

    async def _send(self, body: bytes, send: Send, unread: Rest | None) -> None:
        """A body as fast as its client takes it. Where large ones fill the memory meant for them, the one goes that has
        been on its way for longest."""
        try:
            async with asyncio.timeout(None) as on_its_way:
                if len(body) > PIECE:
                    self._sending[on_its_way] = len(body)
                    self._make_room()
                for begin in range(0, len(body), PIECE):
                    await send({"type": "http.response.body", "body": body[begin : begin + PIECE], "more_body": True})
                if unread is not None:
                    await unread.throw_away()
        except TimeoutError:
            return
        finally:
            self._sending.pop(on_its_way, None)
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    def _make_room(self) -> None:
        while len(self._sending) > 1 and sum(self._sending.values()) > self._limits.answers:
            oldest = next(iter(self._sending))
            del self._sending[oldest]
            oldest.reschedule(asyncio.get_running_loop().time())

    def _rest(self, asked: Request, receive: Receive) -> Rest:
        """Of a body that is too large."""
        if not self._door.may_change(asked):
            return Rest(receive, THROWN_AWAY, self._limits.linger)
        most = min(asked.content_length or 0, OF_OPERATORS)
        return Rest(receive, most, self._limits.body + most / self._limits.rate)


def environ_of(scope: Message) -> dict[str, Any]:
    """A request as WSGI has it (PEP 3333), without its body."""
    host, port = scope["server"] or ("", 0)
    path, meant_for = scope["path"], None
    scheme, whole, rest = path.partition("://")
    if whole and scheme.lower() in ("http", "https"):
        # As proxies are asked. Whatever the header says, it is meant for the host that is named here (RFC 9112, 3.2.2).
        meant_for, _, path = rest.partition("/")
        path = f"/{path}"
    environ: dict[str, Any] = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": path.encode("utf-8", "surrogateescape").decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": host,
        "SERVER_PORT": str(port),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": scope["client"][0] if scope["client"] else "",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": BytesIO(),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    for name, value in scope["headers"]:
        key = name.decode("latin-1").upper().replace("-", "_")
        key = key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{key}"
        text = value.decode("latin-1")
        environ[key] = f"{environ[key]}{';' if key == 'HTTP_COOKIE' else ','}{text}" if key in environ else text
    if meant_for is not None:
        environ["HTTP_HOST"] = meant_for
    return environ


def ask(app: Flask, environ: dict[str, Any]) -> Made:
    """What the application answers, in full."""
    begun: list[tuple[str, list[tuple[str, str]]]] = []

    def start_response(status: str, headers: list[tuple[str, str]], error: object = None) -> Any:
        begun[:] = [(status, headers)]

    answer: Iterable[bytes] | Stream = app(environ, start_response)
    try:
        body = answer if isinstance(answer, Stream) else b"".join(answer)
    finally:
        getattr(answer, "close", lambda: None)()
    status, headers = begun[0]
    lines = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
    return Made(int(status.split()[0]), lines, body)


async def _refuse(send: Send, status: HTTPStatus, body: bytes = b"") -> None:
    """An answer for which Flask is not asked. body: JSON; empty for the status in words."""
    media = b"application/json" if body else b"text/plain; charset=utf-8"
    headers = [(b"content-type", media), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": status.value, "headers": headers})
    await send({"type": "http.response.body", "body": body or f"{status.phrase}\n".encode(), "more_body": False})
