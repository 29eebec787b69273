"""The server on a real socket: streams beside requests, and clear sentences where it can't start."""

from __future__ import annotations

import asyncio
import gc
import http.client
import socket
import subprocess
import sys
import threading
import time
import weakref
from contextlib import suppress

import pytest

from tests.web.views import played_view, start_view
from web.app import ERRORS, create_app
from web.errors import WebError
from web.hub import ViewHub
from web.server import Server, serve
from web.streams import Message, Stream, Streams, Viewer


def get(server: Server, address: str) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=5)
    connection.request("GET", address)
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, body


def open_stream(server: Server) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=5)
    connection.request("GET", "/events")
    return connection.getresponse()


def read_until(stream: http.client.HTTPResponse, begin: bytes) -> bytes:
    while not (line := stream.readline()).startswith(begin):
        assert line, f"the stream ended before {begin!r}"
    return line


def test_streams_do_not_starve_requests_and_all_see_the_next_view() -> None:
    hub = ViewHub()
    hub.publish(start_view(1))
    with serve(create_app(hub, streams=40), "127.0.0.1", 0) as server:
        streams = [open_stream(server) for _ in range(40)]
        for stream in streams:
            assert read_until(stream, b"id:") == b"id: 1\n"
        assert get(server, "/")[0] == 200
        assert get(server, "/events")[0] == 503
        hub.publish(played_view(2))
        for stream in streams:
            assert read_until(stream, b"id:") == b"id: 2\n"


def test_who_asks_by_the_whole_address_as_through_a_proxy_is_answered() -> None:
    """Every server must take that (RFC 9112, 3.2.2); the host is the one that is named there, whatever else is said."""
    hub = ViewHub()
    hub.publish(start_view(1))
    with serve(create_app(hub), "127.0.0.1", 0) as server:
        own = f"127.0.0.1:{server.port}"
        asked = (
            f"http://{own}",
            f"HTTP://{own}/",
            f"http://{own}/api/state?for=overlay",
            f"/http://{own}/",
            "http://evil.example/",
            "http://",
            "http:///",
            "http://user@localhost/",
            "http://[::1/",
            "https://evil.example",
        )
        answers = []
        for address in asked:
            connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=5)
            connection.putrequest("GET", address, skip_host=True)
            connection.putheader("Host", "localhost")
            connection.endheaders()
            answers.append(connection.getresponse().status)
            connection.close()
        assert answers == [200, 200, 200, 404, *[421] * 6]


def test_what_nobody_follows_any_more_is_not_kept() -> None:
    """A hub makes the views of a board anew whenever somebody opens its page after a while."""

    async def followed() -> tuple[Streams, weakref.ref[ViewHub]]:
        streams, viewer, hub = Streams(60.0), Viewer(), ViewHub()

        async def send(message: Message) -> None:
            viewer.end()

        async def receive() -> Message:
            await asyncio.sleep(60)
            raise AssertionError

        await streams.follow(Stream(hub), viewer, receive, send)
        return streams, weakref.ref(hub)

    streams, hub = asyncio.run(followed())
    gc.collect()
    assert streams is not None
    assert hub() is None


def test_a_client_that_reads_nothing_holds_nobody_up() -> None:
    hub = ViewHub()
    names = "N" * 30_000
    with serve(create_app(hub, streams=4), "127.0.0.1", 0) as server:
        with socket.socket() as stalled:
            stalled.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            stalled.connect(("127.0.0.1", server.port))
            stalled.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            stream = open_stream(server)
            for sequence in range(1, 101):
                hub.publish(start_view(sequence, light=names))
            while read_until(stream, b"id:") != b"id: 100\n":
                pass
        assert hub.latest is not None
        assert hub.latest.sequence == 100


def test_closing_ends_streams_frees_the_port_and_leaves_no_thread() -> None:
    before = set(threading.enumerate())
    hub = ViewHub()
    hub.publish(start_view())
    server = serve(create_app(hub, streams=4), "127.0.0.1", 0)
    stream = open_stream(server)
    read_until(stream, b"id:")
    server.close()
    server.close()
    with suppress(http.client.IncompleteRead, ConnectionError):  # ends, however abruptly: a timeout would fail here
        stream.read()
    assert not [thread for thread in set(threading.enumerate()) - before if thread.is_alive()]
    with serve(create_app(hub), "127.0.0.1", server.port) as again:
        assert get(again, "/healthz")[0] == 200


def test_closing_while_streams_are_open_or_begin_says_nothing_on_the_terminal(
    caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    for _ in range(10):
        hub = ViewHub()
        hub.publish(start_view())
        with serve(create_app(hub, streams=8), "127.0.0.1", 0) as server:
            streams = [open_stream(server) for _ in range(4)]
            for stream in streams[:2]:
                read_until(stream, b"id:")
            beginning = http.client.HTTPConnection("127.0.0.1", server.port, timeout=5)
            beginning.request("GET", "/events")
    assert caplog.messages == []
    assert capfd.readouterr().err == ""


def test_closing_does_not_wait_long_for_a_client_that_reads_nothing(caplog: pytest.LogCaptureFixture) -> None:
    before = set(threading.enumerate())
    hub = ViewHub()
    with serve(create_app(hub, streams=4), "127.0.0.1", 0) as server, socket.socket() as stalled:
        stalled.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        stalled.connect(("127.0.0.1", server.port))
        stalled.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        for sequence in range(1, 201):
            hub.publish(start_view(sequence, light="N" * 30_000))
            time.sleep(0.002)
        begun = time.monotonic()
        server.close()
        assert time.monotonic() - begun < 5
    assert not [thread for thread in set(threading.enumerate()) - before if thread.is_alive()]
    assert caplog.messages == []


FAULTY = """
import http.client
from web.app import create_app
from web.hub import ViewHub
from web.server import serve

app = create_app(ViewHub())
app.add_url_rule("/api/faulty", view_func=lambda: 1 // 0)
with serve(app, "127.0.0.1", 0) as server:
    for _ in range(2):
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        connection.request("GET", "/api/faulty")
        answer = connection.getresponse()
        print(answer.status, answer.read().decode())
"""
"""In a process of its own: under pytest other handlers take what is logged."""


def test_a_fault_of_the_page_s_own_is_answered_with_a_sentence_and_told_once_on_the_terminal() -> None:
    process = subprocess.run([sys.executable, "-c", FAULTY], capture_output=True, text=True, check=True)
    answers = process.stdout.splitlines()
    assert len(answers) == 2
    assert all(answer.startswith("500 ") and ERRORS[500] in answer for answer in answers)
    assert process.stderr.count("Traceback") == process.stderr.count("ZeroDivisionError: ") == 2


def test_a_port_in_use_is_named_with_what_to_do() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(WebError, match=rf"^Port {port} is in use by another program\. .*choose another port"):
            serve(create_app(ViewHub()), "127.0.0.1", port)


@pytest.mark.parametrize(
    ("host", "port", "sentence"),
    [
        ("192.0.2.1", 0, "is no address of this machine"),
        ("no.such.name.invalid", 0, "is no address of this machine"),
        ("127.0.0.1", 65_536, "There is no port 65536"),
    ],
)
def test_an_address_that_can_not_be_is_named(host: str, port: int, sentence: str) -> None:
    with pytest.raises(WebError, match=sentence):
        serve(create_app(ViewHub()), host, port)
