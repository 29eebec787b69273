"""https on the page's own port, with a certificate of its own making, and clients that are slow to shake hands."""

from __future__ import annotations

import http.client
import os
import socket
import ssl
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from controller.cli.certificate import AUTHORITY, AUTHORITY_KEY, make_certificate, own_names
from controller.cli.main import main
from controller.config import WebConfig
from controller.run.settings import tls_of
from controller.run.watchdog import page_answers
from tests.web.table import TableReferee
from tests.web.views import rolled_view
from web.app import create_app
from web.desk import Desk
from web.errors import WebError
from web.hub import ViewHub
from web.limits import Limits
from web.security import PinKeeper
from web.server import Server, serve
from web.tls import tls_context

LIMITS = Limits(connections=4, guaranteed=2, patience=0.0, head=0.5)
KEEPER = PinKeeper(None)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With a certificate for this machine."""
    made = tmp_path_factory.mktemp("tls")
    make_certificate(made, own_names(("board.example.org",)))
    return made


@pytest.fixture
def trusting(folder: Path) -> ssl.SSLContext:
    """A browser to which the authority was given."""
    return ssl.create_default_context(cafile=folder / AUTHORITY)


@pytest.fixture
def server(folder: Path) -> Iterator[Server]:
    hub = ViewHub()
    hub.publish(rolled_view(1))
    app = create_app(hub, streams=4, desk=Desk(TableReferee(), KEEPER, secure=True))
    with serve(app, "127.0.0.1", 0, LIMITS, tls_context(folder / "vrhcab.pem")) as server:
        yield server


def connected(server: Server, trusting: ssl.SSLContext) -> http.client.HTTPSConnection:
    return http.client.HTTPSConnection("localhost", server.port, timeout=5, context=trusting)


def test_the_page_is_there_for_who_trusts_the_authority(server: Server, trusting: ssl.SSLContext) -> None:
    connection = connected(server, trusting)
    for _ in range(2):  # the same connection serves again
        connection.request("GET", "/healthz")
        answer = connection.getresponse()
        assert (answer.status, b'"status":"ok"' in answer.read()) == (200, True)
    body = f"pin={KEEPER.fresh}"
    connection.request("POST", "/desk", body, {"Content-Type": "application/x-www-form-urlencoded"})
    answer = connection.getresponse()
    assert answer.status == 303
    assert "Secure" in str(answer.headers["Set-Cookie"])
    connection.close()
    assert page_answers("127.0.0.1", server.port, https=True)
    with pytest.raises(ssl.SSLCertVerificationError):
        connected(server, ssl.create_default_context()).request("GET", "/")


def test_a_stream_begins_at_once(server: Server, trusting: ssl.SSLContext) -> None:
    connection = connected(server, trusting)
    connection.request("GET", "/events")
    answer = connection.getresponse()
    assert b"id: 1\n" in iter(answer.readline, b"")  # its age before it where the server was slow to begin
    connection.close()


def test_whatever_speaks_no_tls_is_sent_away(server: Server, trusting: ssl.SSLContext) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=5) as plain:
        plain.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert b"HTTP" not in received(plain)
    connection = connected(server, trusting)
    connection.request("GET", "/healthz")
    assert connection.getresponse().status == 200


def received(one: socket.socket) -> bytes:
    """Everything until the other side ends it."""
    got = b""
    try:
        while part := one.recv(4096):
            got += part
    except ConnectionError:
        pass
    return got


@pytest.mark.parametrize("begun", [b"", b"\x16\x03\x01\x02\x00\x01"])
def test_a_handshake_that_does_not_come_ends_in_time(server: Server, begun: bytes) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=5) as slow:
        slow.sendall(begun)
        received(slow)  # fails by the socket's time limit where nobody ends it


def test_those_that_only_begin_to_shake_hands_keep_nobody_out(
    folder: Path, server: Server, trusting: ssl.SSLContext
) -> None:
    held = [
        socket.create_connection(("127.0.0.1", server.port), timeout=5, source_address=("127.0.0.2", 0))
        for _ in range(3 * LIMITS.connections)
    ]
    try:
        connection = connected(server, trusting)
        connection.request("GET", "/healthz")
        assert connection.getresponse().status == 200
    finally:
        for one in held:
            one.close()


def test_nobody_in_front_is_believed_for_whom_it_asks(server: Server, trusting: ssl.SSLContext) -> None:
    """Wrong PINs count for the address that sends them, whatever it says."""
    with_name = {"Content-Type": "application/x-www-form-urlencoded", "X-Forwarded-For": "10.9.8.7"}
    connection = connected(server, trusting)
    for number in range(6):
        connection.request("POST", "/desk", "pin=1", with_name | {"X-Forwarded-For": f"10.9.8.{number}"})
        answer = connection.getresponse()
        answer.read()
    assert answer.status == 429


@pytest.mark.parametrize("content", [b"", b"no certificate", None])
def test_what_is_no_certificate_is_said_in_a_sentence(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "vrhcab.pem"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(WebError, match="vrhcab certificate") as refused:
        tls_context(path)
    assert ("is not in it" in str(refused.value)) == (content is not None)


def test_a_certificate_that_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "vrhcab.pem"
    os.mkfifo(pipe)
    for certificate, why in ((str(pipe), "it is a pipe"), ("/dev/zero", "it is a device")):
        with pytest.raises(WebError, match=why):
            tls_of(WebConfig(certificate=certificate))


def test_the_command_makes_one_and_renews_it_by_the_same_authority(tmp_path: Path) -> None:
    settings = tmp_path / "vrhcab.toml"
    settings.write_text('[journal]\npath = "games.sqlite3"\n[web]\nnames = ["hráč.example"]\n')
    first = CliRunner().invoke(main, ["certificate", "--config", str(settings), "--name", "192.168.7.5"])
    assert first.exit_code == 0, first.output
    assert f'certificate = "{tmp_path / "vrhcab.pem"}"' in first.output
    assert "192.168.7.5" in first.output
    authority, signed = (tmp_path / AUTHORITY).read_bytes(), (tmp_path / "vrhcab.pem").read_bytes()
    assert {(tmp_path / name).stat().st_mode & 0o077 for name in (AUTHORITY_KEY, "vrhcab.pem")} == {0}
    again = CliRunner().invoke(main, ["certificate", "--config", str(settings)])
    assert again.exit_code == 0
    assert (tmp_path / AUTHORITY).read_bytes() == authority
    assert (tmp_path / "vrhcab.pem").read_bytes() != signed
    assert isinstance(tls_context(tmp_path / "vrhcab.pem"), ssl.SSLContext)
    (tmp_path / AUTHORITY).write_text("damaged")
    refused = CliRunner().invoke(main, ["certificate", "--config", str(settings)])
    assert (refused.exit_code, "told anew" in refused.output) == (1, True)


def test_a_certificate_holds_no_longer_than_phones_allow(folder: Path) -> None:
    content = (folder / "vrhcab.pem").read_text()
    first = content[content.index("-----BEGIN CERTIFICATE") : content.index("-----END CERTIFICATE-----") + 26]
    (folder / "leaf.pem").write_text(first)
    decoded = ssl._ssl._test_decode_cert(str(folder / "leaf.pem"))  # type: ignore[attr-defined]  # Python's own test helper
    begin, end = (ssl.cert_time_to_seconds(decoded[key]) for key in ("notBefore", "notAfter"))
    assert end - begin <= 825 * 86_400
    assert begin < time.time() < end
    assert ("DNS", "board.example.org") in decoded["subjectAltName"]
