"""What the page gives to slow, silent and greedy clients, over real sockets and with small limits."""

from __future__ import annotations

import http.client
import re
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace

import pytest

from tests.web.table import TableReferee
from tests.web.views import start_view
from web.app import create_app
from web.desk import LARGEST_PHOTO, Desk
from web.hub import ViewHub
from web.limits import MOST_FILES, RESERVE, Limits, limits_here
from web.operator import MatchLine, PhotoRead, Refusal
from web.security import TRIES, PinKeeper
from web.server import Server, serve

PATIENT = Limits(connections=50, guaranteed=4)
"""Nothing but the number of connections ends anything while a test runs."""
QUICK = replace(PATIENT, head=0.3, idle=0.2, body=0.3, stalled=0.3, linger=0.2)
STREAM = b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n"


class Slow(TableReferee):
    """Its list of matches takes so many seconds. photos: the sizes of those that came."""

    def __init__(self) -> None:
        super().__init__()
        self.photos: list[int] = []
        self.seconds = 0.0

    def matches(self) -> tuple[MatchLine, ...]:
        time.sleep(self.seconds)
        return super().matches()

    def read(self, picture: bytes) -> PhotoRead | Refusal:
        self.photos.append(len(picture))
        return super().read(picture)


class Table:
    """A page that is served. pin: of its desk."""

    def __init__(self, server: Server, hub: ViewHub, viewers: ViewHub, keeper: PinKeeper, referee: Slow) -> None:
        """viewers: the hub that they follow."""
        self.server, self.hub, self.viewers, self.referee, self.pin = server, hub, viewers, referee, str(keeper.fresh)

    def connect(self, address: str = "127.0.0.1") -> socket.socket:
        """A connection from an address of this machine."""
        return socket.create_connection(("127.0.0.1", self.server.port), timeout=5, source_address=(address, 0))

    def ask(
        self, method: str, path: str, body: bytes | None = None, address: str = "127.0.0.1", **headers: str
    ) -> tuple[int, bytes, http.client.HTTPMessage]:
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=5, source_address=(address, 0))
        connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        found = answer.status, answer.read(), answer.headers
        connection.close()
        return found

    def works(self, address: str = "127.0.0.1") -> bool:
        return self.ask("GET", "/healthz", address=address)[0] == 200

    def sign_in(self) -> dict[str, str]:
        """The headers that the desk's page sends with a change."""
        status, _, headers = self.ask(
            "POST", "/desk", f"pin={self.pin}".encode(), Content_Type="application/x-www-form-urlencoded"
        )
        assert status == 303
        cookie = headers["Set-Cookie"].split(";")[0]
        page = self.ask("GET", "/desk", Cookie=cookie)[1].decode()
        return {"Cookie": cookie, "X_CSRF_Token": re.findall(r'name="csrf" content="([^"]+)"', page)[0]}


@contextmanager
def table(limits: Limits = PATIENT, streams: int = 8) -> Iterator[Table]:
    hub, keeper, referee = ViewHub(), PinKeeper(None), Slow()
    app = create_app(hub, streams=streams, desk=Desk(referee, keeper))
    with serve(app, "127.0.0.1", 0, limits) as server:
        yield Table(server, hub, app.extensions["viewers"], keeper, referee)


def ended(connection: socket.socket) -> bool:
    """Whether the server ends it, within some seconds."""
    with suppress(ConnectionError):
        while connection.recv(1 << 16):
            pass
    return True


def still_open(connection: socket.socket) -> bool:
    connection.settimeout(0.05)
    try:
        return connection.recv(1 << 16) != b""
    except TimeoutError:
        return True
    except ConnectionError:
        return False
    finally:
        connection.settimeout(5)


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + 10
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


def stream(at: Table, address: str = "127.0.0.1") -> socket.socket:
    """A stream whose answer has begun."""
    connection = at.connect(address)
    connection.sendall(STREAM)
    assert connection.recv(12) == b"HTTP/1.1 200"
    return connection


class TestSlow:
    @pytest.mark.parametrize("begun", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: localhost\r\n"])
    def test_a_request_that_does_not_come_ends(self, begun: bytes) -> None:
        with table(QUICK) as at, at.connect() as slow:
            slow.sendall(begun)
            assert ended(slow)

    def test_byte_by_byte_it_gains_nothing(self) -> None:
        with table(QUICK) as at, at.connect() as slow:
            with suppress(ConnectionError):
                while True:
                    slow.sendall(b"X")
                    time.sleep(0.02)
            assert at.works()

    def test_the_second_request_has_to_come_in_time_too(self) -> None:
        with table(QUICK) as at, at.connect() as slow:
            slow.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nG")
            assert ended(slow)

    def test_a_body_that_does_not_come_is_told_so(self) -> None:
        with table(QUICK) as at, at.connect() as slow:
            slow.sendall(b"POST /desk HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n")
            assert slow.recv(12) == b"HTTP/1.1 408"
            assert ended(slow)

    def test_who_reads_nothing_is_dropped(self) -> None:
        with table(QUICK) as at, socket.socket() as stalled:
            stalled.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            stalled.connect(("127.0.0.1", at.server.port))
            stalled.sendall(STREAM)
            until(lambda: at.viewers.watchers == 1)
            for sequence in range(1, 41):
                at.hub.publish(start_view(sequence, light="N" * 30_000))
                time.sleep(0.005)
            until(lambda: at.viewers.watchers == 0)

    def test_a_head_without_end_is_refused(self) -> None:
        with table() as at, at.connect() as greedy:
            with suppress(ConnectionError):
                greedy.sendall(b"GET / HTTP/1.1\r\nX: " + b"x" * 200_000)
            assert ended(greedy)
            assert at.works()


class TestTooMany:
    def test_connections_that_say_nothing_keep_nobody_out(self) -> None:
        with table(replace(PATIENT, connections=10)) as at:
            silent = [at.connect("127.0.0.2") for _ in range(40)]
            for address in ("127.0.0.1", "127.0.0.2", "127.0.0.3"):
                assert at.works(address)
            assert sum(still_open(one) for one in silent) < 10

    def test_a_stream_that_is_followed_stays_while_silent_ones_come_and_go(self) -> None:
        with table(replace(PATIENT, connections=6)) as at:
            viewer = stream(at)
            silent = [at.connect() for _ in range(30)]
            assert at.works()
            assert still_open(viewer)
            viewer.close()
            for one in silent:
                one.close()

    def test_a_greedy_address_leaves_streams_to_others(self) -> None:
        with table(streams=6) as at:
            greedy = [stream(at, "127.0.0.2") for _ in range(6)]
            assert at.ask("GET", "/events", address="127.0.0.2")[0] == 503
            viewer = stream(at, "127.0.0.3")
            assert ended(greedy[-1])
            assert [still_open(one) for one in (*greedy[:-1], viewer)] == [True] * 6

    def test_a_place_that_is_left_is_free_again(self) -> None:
        with table(streams=1) as at:
            for _ in range(3):
                with stream(at):
                    status, body, _ = at.ask("GET", "/events")
                    assert (status, b'"error"' in body) == (503, True)
                    assert at.ask("HEAD", "/events")[0] == 200
                until(lambda: at.viewers.watchers == 0)

    def test_a_silent_stream_says_that_it_lives(self) -> None:
        with table(replace(PATIENT, keep_alive=0.05)) as at, stream(at) as viewer:
            heard = b""
            while b": keep-alive\nevent: beat\n" not in heard:
                heard += viewer.recv(1000)

    def test_operators_do_not_wait_for_viewers(self) -> None:
        with table(replace(PATIENT, threads=2)) as at:
            signed_in = at.sign_in()
            at.referee.seconds = 0.3
            waiting = [at.connect() for _ in range(10)]
            for one in waiting:
                one.sendall(b"GET /api/matches HTTP/1.1\r\nHost: localhost\r\n\r\n")
            until(lambda: bool(_readable(waiting)))
            assert at.ask("POST", "/api/command", b'{"type": "undo"}', **signed_in)[0] == 200
            assert len(_readable(waiting)) < 10

    def test_addresses_take_turns(self) -> None:
        with table(replace(PATIENT, threads=1)) as at:
            at.referee.seconds = 0.2
            waiting = [at.connect("127.0.0.2") for _ in range(8)]
            for one in waiting:
                one.sendall(b"GET /api/matches HTTP/1.1\r\nHost: localhost\r\n\r\n")
            until(lambda: bool(_readable(waiting)))
            assert at.works("127.0.0.3")
            assert len(_readable(waiting)) < 8


def _readable(connections: list[socket.socket]) -> list[socket.socket]:
    """Those whose answer has begun."""
    found = []
    for one in connections:
        one.setblocking(False)
        with suppress(BlockingIOError):
            if one.recv(1, socket.MSG_PEEK):
                found.append(one)
        one.settimeout(5)
    return found


class TestLarge:
    @pytest.mark.parametrize("path", ["/", "/desk", "/setup", "/api/command", "/api/photo", "/nothing", "/events"])
    def test_a_stranger_s_large_body_is_refused_before_it_comes(self, path: str) -> None:
        with table() as at, at.connect() as greedy:
            greedy.sendall(f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {1 << 30}\r\n\r\n".encode())
            status = int(greedy.recv(12).split()[1])
            assert status in (401, 404, 405, 413)
            assert ended(greedy)

    def test_one_in_pieces_of_which_nobody_knows_the_length_is_not_taken(self) -> None:
        with table() as at, at.connect() as greedy:
            greedy.sendall(b"POST /desk HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
            assert greedy.recv(12) == b"HTTP/1.1 411"
            sent = 0
            with suppress(ConnectionError):
                while sent < 1 << 26:
                    greedy.sendall(b"10000\r\n" + bytes(1 << 16) + b"\r\n")
                    sent += 1 << 16
            assert sent < 1 << 26
            assert at.works()

    def test_one_with_two_lengths_is_refused_and_nothing_behind_it_is_read(self) -> None:
        with table() as at, at.connect() as sly:
            sly.sendall(
                b"POST /desk HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"
                b"0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
            )
            answer = b""
            while part := sly.recv(65536):
                answer += part
            assert answer.startswith(b"HTTP/1.1 400 ")
            assert answer.count(b"HTTP/1.1 ") == 1

    def test_its_sender_hears_why(self) -> None:
        with table() as at:
            status, body, _ = at.ask("POST", "/desk", b"pin=" + b"1" * 100_000)
            assert (status, b"too much to send at once" in body) == (413, True)
            assert at.ask("POST", "/api/photo", bytes(1_000_000))[0] == 401

    def test_an_operator_s_photo_comes_whole_and_only_with_the_page_s_token(self) -> None:
        with table() as at:
            signed_in = at.sign_in()
            photo = b"\xff\xd8" + bytes(3_000_000)
            assert at.ask("POST", "/api/photo", photo, **signed_in)[0] == 200
            assert at.ask("POST", "/api/photo", photo, Cookie=signed_in["Cookie"])[0] == 403
            assert at.ask("POST", "/api/command", photo, **signed_in)[0] == 413
            assert at.referee.photos == [len(photo)]

    def test_an_operator_hears_of_a_photo_that_is_too_large_when_all_of_it_has_come(self) -> None:
        with table(replace(PATIENT, linger=0.01)) as at:
            signed_in = at.sign_in()
            status, body, _ = at.ask("POST", "/api/photo", b"\xff\xd8" + bytes(LARGEST_PHOTO), **signed_in)
            assert (status, b"too much to send at once" in body) == (413, True)
            assert at.referee.photos == []
            with pytest.raises(ConnectionError):
                at.ask("POST", "/api/photo", bytes(LARGEST_PHOTO))

    def test_answers_that_nobody_takes_make_room_for_others(self) -> None:
        limits = replace(PATIENT, answers=3_000_000)
        with table(limits) as at:
            at.referee.camera = bytes(2_000_000)
            address = b"GET /api/turns/1/after.jpg HTTP/1.1\r\nHost: localhost\r\n\r\n"
            lazy = [at.connect() for _ in range(6)]
            for one in lazy:
                one.sendall(address)
            for one in lazy:  # each answer has begun, or made room already: whoever asks now comes last
                with suppress(ConnectionError):
                    one.recv(1, socket.MSG_PEEK)
            assert at.ask("GET", "/api/turns/1/after.jpg")[1] == at.referee.camera
            received = []
            for one in lazy:
                size = 0
                with suppress(ConnectionError):
                    while size < 2_000_000 and (piece := one.recv(1 << 20)):
                        size += len(piece)
                received.append(size >= 2_000_000)
            assert received.count(False) >= 4


@pytest.mark.parametrize(("https", "waits"), [(True, 403), (False, 429)])
def test_only_a_proxy_is_believed_for_whom_it_asks(https: bool, waits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.security.check_password_hash", lambda _, pin: False)
    app = create_app(ViewHub(), desk=Desk(Slow(), PinKeeper(None), secure=https))
    with serve(app, "127.0.0.1", 0, PATIENT) as server:
        at = Table(server, ViewHub(), ViewHub(), PinKeeper(None), Slow())
        for _ in range(TRIES):
            assert at.ask("POST", "/desk", b"pin=1", X_Forwarded_For="10.0.0.1")[0] == 403
        assert at.ask("POST", "/desk", b"pin=1", X_Forwarded_For="10.0.0.1")[0] == 429
        assert at.ask("POST", "/desk", b"pin=1", X_Forwarded_For="10.0.0.2")[0] == waits


def test_the_limits_leave_files_for_the_referee() -> None:
    limits = limits_here()
    assert 0 < limits.connections <= MOST_FILES - RESERVE
