"""Slow and greedy clients, each kind a program of its own, so that it takes nothing from those who measure.

    python -m benchmarks.attacking.greedy PORT SECONDS KIND [COUNT]

At its end it says JSON: what it got for its trouble. All of it comes from loopback addresses, strangers' ones: 127.9.x.y.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import ssl
import struct
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field

MB = 1 << 20
SLOW_S = 3.0
"""Between two bytes of a slow one: any client that is merely idle is slower than this."""


Work = Callable[[int, asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
"""What one client does with its connection."""


def stranger(number: int) -> str:
    """An address of no honest viewer."""
    return f"127.9.{number >> 8 & 255}.{number % 254 + 1}"


@dataclass
class Siege:
    """What all attacks share. told: how often what happened."""

    port: int
    seconds: float
    count: int
    told: Counter[str] = field(default_factory=Counter)
    began: float = field(default_factory=time.monotonic)

    @property
    def over(self) -> bool:
        """Whether its time is up."""
        return time.monotonic() - self.began >= self.seconds

    @property
    def host(self) -> str:
        """The header by which the page is asked for."""
        return f"Host: 127.0.0.1:{self.port}\r\n"

    async def open(
        self, source: str, receive: int | None = None
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | None:
        """A connection; None where there is none. receive: bytes that its own kernel keeps unread."""
        line = socket.socket()
        try:
            line.setblocking(False)
            # What was sent is then soon with the other side, and not in this side's kernel.
            line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 32 * 1024)
            if receive is not None:
                line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive)
            line.bind((source, 0))
            await asyncio.wait_for(asyncio.get_running_loop().sock_connect(line, ("127.0.0.1", self.port)), 10)
            return await asyncio.open_connection(sock=line, limit=MB)
        except (OSError, TimeoutError) as error:
            line.close()
            self.told[f"not connected ({type(error).__name__})"] += 1
            return None

    def most(self, what: str, value: int) -> None:
        """The largest of what was measured."""
        self.told[what] = max(self.told[what], value)

    def held(self, began: float) -> None:
        """A connection has lasted since then."""
        self.most("longest held, s", int(time.monotonic() - began))

    def answered(self, head: bytes) -> str:
        """The status of an answer, "" for none: it was only closed."""
        status = head[9:12].decode("ascii", "replace")
        self.told[f"answered {status or 'by closing'}"] += 1
        return status

    async def clients(self, work: Work, addresses: int = 4, receive: int | None = None) -> None:
        """`count` clients as in each(), with a connection each, from so many addresses. receive: as in open()."""

        async def one(number: int) -> None:
            opened = await self.open(stranger(number % addresses), receive)
            if opened is not None:
                try:
                    await work(number, *opened)
                finally:
                    opened[1].close()

        await self.each(one)

    async def each(self, work: Callable[[int], Awaitable[None]]) -> None:
        """`count` clients at once, each beginning again when it was sent away, until the time is up."""

        async def again(number: int) -> None:
            await asyncio.sleep(number * 0.002)
            while not self.over:
                with suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError):
                    await work(number)
                self.told["rounds"] += 1
                await asyncio.sleep(0.5)

        tasks = [asyncio.create_task(again(number)) for number in range(self.count)]
        await asyncio.sleep(max(0.0, self.seconds - (time.monotonic() - self.began)))
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks, timeout=5)

    async def trickle(self, number: int, start: bytes, rest: bytes, addresses: int) -> None:
        """Sends the start, then a byte every SLOW_S until it is sent away or its time is up."""
        opened = await self.open(stranger(number % addresses))
        if opened is None:
            return
        reader, writer = opened
        began = time.monotonic()
        try:
            writer.write(start)
            gone = asyncio.create_task(reader.read(4096))
            for byte in rest * 1000:
                done, _ = await asyncio.wait((gone,), timeout=SLOW_S)
                if done or self.over:
                    break
                writer.write(bytes([byte]))
                await writer.drain()
            if gone.done() and not gone.cancelled():
                with suppress(OSError):
                    answer = gone.result()
                    self.told["sent away: " + (answer[9:12].decode("ascii", "replace") or "closed")] += 1
            else:
                gone.cancel()
                self.told["still held at the end"] += 1
            self.held(began)
        finally:
            writer.close()


async def slow_header(siege: Siege, addresses: int = 1) -> None:
    """A header that never ends, a byte in three seconds."""
    start = f"GET / HTTP/1.1\r\n{siege.host}X-Slow: ".encode()
    await siege.each(lambda number: siege.trickle(number, start, b"a", addresses))


async def slow_header_many(siege: Siege) -> None:
    """The same from 200 addresses: a header that never ends."""
    await slow_header(siege, 200)


async def slow_body(siege: Siege) -> None:
    """A form that comes a byte in three seconds, to addresses that need no PIN and to others."""
    paths = ("/desk", "/api/command", "/api/photo", "/")

    async def one(number: int) -> None:
        head = (
            f"POST {paths[number % 4]} HTTP/1.1\r\n{siege.host}Content-Type: application/x-www-form-urlencoded\r\n"
            "Content-Length: 60000\r\n\r\n"
        )
        await siege.trickle(number, head.encode(), b"a", 4)

    await siege.each(one)


async def idle(siege: Siege) -> None:
    """Connections on which nothing is ever said; half of them after one good request."""

    async def one(number: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        start = f"GET /healthz HTTP/1.1\r\n{siege.host}\r\n".encode() if number % 2 else b""
        began = time.monotonic()
        writer.write(start)
        while not siege.over and await asyncio.wait_for(reader.read(4096), siege.seconds):
            pass
        siege.told["sent away"] += 1
        siege.held(began)

    await siege.clients(one)


async def never_read(siege: Siege, addresses: int = 1) -> None:
    """Asks for the stream of views and reads nothing of it, with as small a buffer as the kernel gives."""

    async def one(number: int) -> None:
        line = socket.socket()
        try:
            line.setblocking(False)
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            line.bind((stranger(number % addresses), 0))
            loop = asyncio.get_running_loop()
            await asyncio.wait_for(loop.sock_connect(line, ("127.0.0.1", siege.port)), 10)
            await loop.sock_sendall(line, f"GET /events HTTP/1.1\r\n{siege.host}\r\n".encode())
            siege.told["asked"] += 1
            began = time.monotonic()
            while not siege.over:
                await asyncio.sleep(1)
                # Nothing is taken: whether the other side has gone is asked of the kernel alone.
                state = line.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0]
                if state not in (1, 4, 5):
                    siege.told["sent away"] += 1
                    siege.held(began)
                    return
            siege.told["held to the end"] += 1
        finally:
            line.close()

    await siege.each(one)


async def never_read_many(siege: Siege) -> None:
    """The same from 53 addresses: asks for the stream of views and reads nothing of it."""
    await never_read(siege, 53)


async def slow_read(siege: Siege) -> None:
    """Asks for the stream, or for a large page, and takes a few bytes a second of it."""

    async def one(number: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        line = writer.get_extra_info("socket")
        reader._transport.pause_reading()  # type: ignore[attr-defined]  # asyncio reads ahead otherwise
        began = time.monotonic()
        try:
            path = ("/events", "/api/openapi.json")[number % 2]
            writer.write(f"GET {path} HTTP/1.1\r\n{siege.host}\r\n".encode())
            while not siege.over:
                await asyncio.sleep(1)
                with suppress(BlockingIOError):
                    if not os.read(line.fileno(), 50):
                        break
            siege.told["held to the end" if siege.over else "sent away"] += 1
            siege.held(began)
        finally:
            writer.transport.abort()

    await siege.clients(one, receive=2048)


async def streams(siege: Siege, addresses: int = 1) -> None:
    """Streams that are read."""
    open_now = 0

    async def one(number: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal open_now
        writer.write(f"GET /events HTTP/1.1\r\n{siege.host}\r\n".encode())
        if siege.answered(await reader.readline()) == "200":
            open_now += 1
            siege.most("most at once", open_now)
            try:
                while await reader.read(65536):
                    pass
            finally:
                open_now -= 1

    await siege.clients(one, addresses)


async def streams_of_many(siege: Siege) -> None:
    """The same from 100 addresses: streams that are read."""
    await streams(siege, 100)


async def big_bodies(siege: Siege) -> None:
    """Bodies of 64 MB and of 1 GB, with and without their length told, to every kind of address, without a PIN."""
    paths = ("/desk", "/", "/api/command", "/api/photo", "/nowhere", "/static/x", "/events", "/api/setup/pin")
    block = os.urandom(64) * 1024

    async def one(number: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        size, chunked = (64 * MB, 1 << 30)[number % 2], number % 4 > 1
        length = "Transfer-Encoding: chunked\r\n" if chunked else f"Content-Length: {size}\r\n"
        kind = ("application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "image/jpeg")[number % 3]
        # Half of them wait to be asked for it, as curl does.
        path, sent = paths[number % len(paths)], 0
        verb = ("POST", "POST", "PUT", "GET")[number // 2 % 4]
        writer.write(f"{verb} {path} HTTP/1.1\r\n{siege.host}Content-Type: {kind}\r\n{length}\r\n".encode())
        if kind.startswith("multipart"):
            part = b'--x\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n'
            writer.write(b"%x\r\n%s\r\n" % (len(part), part) if chunked else part)
        answer = asyncio.create_task(reader.read(4096))
        try:
            while sent < size and not answer.done() and not siege.over:
                writer.write(b"%x\r\n%s\r\n" % (len(block), block) if chunked else block)
                await writer.drain()
                sent += len(block)
            await asyncio.wait((answer,), timeout=2)
        finally:
            siege.most("most sent, MB", sent // MB)
            siege.told["sent, MB"] += sent // MB
            if answer.done() and not answer.cancelled() and answer.exception() is None:
                siege.answered(answer.result())
            answer.cancel()

    await siege.clients(one)


async def ask(siege: Siege, number: int, paths: tuple[str, ...], method: str = "GET", body: bytes = b"") -> None:
    """One request after the other on one connection, as fast as they are answered."""
    opened = await siege.open(stranger(number % 4))
    if opened is None:
        return
    reader, writer = opened
    try:
        while not siege.over:
            path = paths[siege.told["asked"] % len(paths)]
            siege.told["asked"] += 1
            began = time.monotonic()
            length = (
                f"Content-Length: {len(body)}\r\nContent-Type: application/x-www-form-urlencoded\r\n" if body else ""
            )
            writer.write(f"{method} {path} HTTP/1.1\r\n{siege.host}{length}\r\n".encode() + body)
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            siege.answered(head)
            if b"content-length:" in head:
                await reader.readexactly(int(head.split(b"content-length:")[1].split(b"\r\n")[0]))
            took = int((time.monotonic() - began) * 1000)
            siege.most("slowest answer, ms", took)
            siege.told["sum of answers, ms"] += took
            if b"connection: close" in head or b"content-length:" not in head:
                return
    finally:
        writer.close()


async def lists(siege: Siege) -> None:
    """The list of matches, again and again."""
    await siege.each(lambda number: ask(siege, number, ("/api/matches",)))


async def records(siege: Siege) -> None:
    """Every record of the newest match, in every form, again and again."""
    identity = await _newest(siege)
    forms = ("export.mat", "export.sgf", "export.json", "export.csv", "export.txt", "", "export.mat")
    paths = tuple(f"/api/matches/{identity}/{form}".rstrip("/") for form in forms)
    await siege.each(lambda number: ask(siege, number, paths))


async def _newest(siege: Siege) -> str:
    opened = await siege.open(stranger(0))
    if opened is None:
        return "none"
    reader, writer = opened
    writer.write(f"GET /api/matches HTTP/1.1\r\n{siege.host}Connection: close\r\n\r\n".encode())
    with suppress(OSError, TimeoutError, ValueError, KeyError, IndexError, TypeError):
        said = await asyncio.wait_for(reader.read(-1), 30)
        rows = json.loads(said.split(b"\r\n\r\n", 1)[1])
        return str(rows[0]["id"])
    return "none"


async def pages(siege: Siege) -> None:
    """All kinds of pages and pictures, as fast as they come."""
    paths = (
        "/?lang=cs",
        "/qr.svg",
        "/api/openapi.json",
        "/replay",
        "/overlay/board",
        "/desk",
        "/static/js/main.js",
        "/api/state",
        "/nowhere",
        "/healthz",
    )
    await siege.each(lambda number: ask(siege, number, paths))


async def wrong_pins(siege: Siege) -> None:
    """Wrong PINs, each from another address: every one that is looked at costs a hash."""

    async def one(number: int) -> None:
        siege.told["next"] += 1
        opened = await siege.open(stranger(100 + siege.told["next"] % 20_000))
        if opened is None:
            return
        reader, writer = opened
        try:
            form = b"pin=000000"
            origin = f"Origin: http://127.0.0.1:{siege.port}\r\n"
            head = f"POST /desk HTTP/1.1\r\n{siege.host}{origin}Content-Type: application/x-www-form-urlencoded\r\n"
            writer.write(f"{head}Content-Length: {len(form)}\r\n\r\n".encode() + form)
            siege.answered(await reader.readline())
        finally:
            writer.close()

    await siege.each(one)


async def huge_headers(siege: Siege) -> None:
    """Headers of 10 MB, one long line or many short ones."""

    async def one(number: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        answer, sent = asyncio.create_task(reader.read(4096)), 0
        try:
            writer.write(f"GET / HTTP/1.1\r\n{siege.host}".encode() + (b"X-Long: " if number % 2 else b""))
            block = b"a" * 65536 if number % 2 else b"X-Many: aaaaaaaaaaaaaaaaaaaaa\r\n" * 2048
            while sent < 10 * MB and not answer.done() and not siege.over:
                writer.write(block)
                await writer.drain()
                sent += len(block)
            await asyncio.wait((answer,), timeout=2)
        finally:
            siege.most("most sent, KB", sent // 1024)
            if answer.done() and not answer.cancelled() and answer.exception() is None:
                siege.answered(answer.result())
            answer.cancel()

    await siege.clients(one)


async def pipelined(siege: Siege) -> None:
    """Thousands of requests sent at once on one connection, whose answers nobody reads."""

    async def one(number: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        reader._transport.pause_reading()  # type: ignore[attr-defined]  # asyncio reads ahead otherwise
        try:
            block, sent = f"GET /api/openapi.json HTTP/1.1\r\n{siege.host}\r\n".encode() * 200, 0
            while sent < 10_000 and not siege.over:
                writer.write(block)
                await asyncio.wait_for(writer.drain(), 5)
                sent += 200
                siege.told["requests taken"] += 200
            await asyncio.sleep(3)
        except TimeoutError:
            siege.told["stopped reading"] += 1
        finally:
            writer.transport.abort()

    await siege.clients(one, receive=2048)


async def bad_bytes(siege: Siege) -> None:
    """Nothing that is HTTP: noise, TLS, chunks of impossible length, bare line feeds, and hanging up half way."""
    tls = ssl.MemoryBIO()
    hello = ssl.create_default_context().wrap_bio(ssl.MemoryBIO(), tls, server_hostname="board.local")
    with suppress(ssl.SSLWantReadError):
        hello.do_handshake()
    post = f"POST /desk HTTP/1.1\r\n{siege.host}Transfer-Encoding: chunked\r\n\r\n".encode()
    things = (
        os.urandom(4096),
        tls.read(),
        post + b"ffffffffffffffffffffffff\r\nx",
        post + b"-1\r\nx\r\n0\r\n\r\n",
        post + b"5;" + b"e" * 100_000 + b"\r\nhello\r\n0\r\n\r\n",
        post + b"zz\r\n\r\n",
        post + b"1\r\na\r\n" * 20_000 + b"0\r\n\r\n",
        b"GET / HTTP/1.1\nHost: x\n\n",
        b"\r\n" * 10_000,
        b"\0" * 100_000,
        b"GET " + b"/a" * 50_000 + b" HTTP/1.1\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
    )

    async def one(number: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            siege.told["next"] += 1
            writer.write(things[siege.told["next"] % len(things)])
            await writer.drain()
            if siege.told["next"] % 3:
                answer = await asyncio.wait_for(reader.read(4096), 3)
                siege.answered(answer)
        except TimeoutError:
            siege.told["no answer in 3 s"] += 1
        finally:
            # Hangs up with a reset.
            line = writer.get_extra_info("socket")
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.close()

    await siege.clients(one)


async def tiny_chunks(siege: Siege) -> None:
    """Small bodies that are much work to take apart: 20,000 chunks of a byte, or one with an extension of 100 KB."""

    async def one(number: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            post = f"POST /desk HTTP/1.1\r\n{siege.host}Transfer-Encoding: chunked\r\n\r\n".encode()
            rest = (b"1\r\na\r\n" * 20_000, b"5;" + b"e" * 100_000 + b"\r\nhello\r\n")[number % 2]
            began = time.monotonic()
            writer.write(post + rest + b"0\r\n\r\n")
            answer = await asyncio.wait_for(reader.read(4096), 10)
            siege.answered(answer)
            took = int((time.monotonic() - began) * 1000)
            siege.most("slowest answer, ms", took)
        except TimeoutError:
            siege.told["no answer in 10 s"] += 1

    await siege.clients(one, siege.count)


async def churn(siege: Siege) -> None:
    """Connections and streams that come and go at once."""

    async def one(number: int) -> None:
        for turn in range(50):
            if siege.over:
                return
            opened = await siege.open(stranger(number % 4))
            if opened is None:
                continue
            _, writer = opened
            writer.write(f"GET /events HTTP/1.1\r\n{siege.host}\r\n".encode() if turn % 2 else b"")
            siege.told["opened"] += 1
            await asyncio.sleep(0.02)
            line = writer.get_extra_info("socket")
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.close()

    await siege.each(one)


KINDS: dict[str, tuple[Callable[[Siege], Awaitable[None]], int]] = {
    "slow-header": (slow_header, 1060),
    "slow-header-many": (slow_header_many, 1060),
    "slow-body": (slow_body, 1060),
    "idle": (idle, 1060),
    "never-read": (never_read, 530),
    "never-read-many": (never_read_many, 530),
    "slow-read": (slow_read, 530),
    "streams": (streams, 2000),
    "streams-of-many": (streams_of_many, 2000),
    "big-bodies": (big_bodies, 16),
    "lists": (lists, 10),
    "records": (records, 10),
    "pages": (pages, 16),
    "wrong-pins": (wrong_pins, 32),
    "huge-headers": (huge_headers, 32),
    "pipelined": (pipelined, 16),
    "bad-bytes": (bad_bytes, 32),
    "tiny-chunks": (tiny_chunks, 8),
    "churn": (churn, 16),
}
"""What there is, with how many clients do it at once."""


def main() -> None:
    """Does it, and says what it got."""
    port, seconds, kind = int(sys.argv[1]), float(sys.argv[2]), sys.argv[3]
    attack, count = KINDS[kind]
    siege = Siege(port, seconds, int(sys.argv[4]) if len(sys.argv) > 4 else count)
    asyncio.run(_at_last(siege, attack))


async def _at_last(siege: Siege, attack: Callable[[Siege], Awaitable[None]]) -> None:
    """Ends the process at once: thousands of clients need minutes to say good-bye."""
    await attack(siege)
    told = dict(siege.told)
    asked, spent = told.get("asked", 0), told.pop("sum of answers, ms", 0)
    if asked and spent:
        told["mean answer, ms"] = round(spent / asked)
    told.pop("next", None)
    print(json.dumps({"clients": siege.count, **told}), flush=True)
    os._exit(0)


if __name__ == "__main__":
    main()
