"""Web Push: what a push service gets is what the browser can read; and services that are gone, slow, hostile, or none."""

from __future__ import annotations

import base64
import http.client
import os
import re
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import http_ece
import msgspec
import psycopg
import pytest
import trustme
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02

from controller.config import WebConfig
from controller.hub.alerts import Alert, Caller, tiles_in
from controller.hub.errors import StoreError
from controller.hub.pages import create_hub_app
from controller.hub.people import Register
from controller.hub.push import Pusher, is_public
from controller.hub.services import Hall
from controller.hub.settings import AlertSettings
from controller.hub.shown import BoardViews
from controller.hub.store import Store
from controller.hub.subscriptions import MOST_FAILURES, MOST_OF_ONE, Keys, PushSubscription, Subscriptions, public_key
from controller.hub.wall import Tile, Wall
from tests.hub.table import PATIENCE_S, eventually, rows
from web.hub import PackedView

pytestmark = pytest.mark.usefixtures("quick_hashes")

ALERT = Alert("board-1", "flag 1", {"en": "That play is not legal: žluťoučký."})
CONTACT = "mailto:director@club.example"


class Browser:
    """What a browser keeps to itself: its key, and the secret that it shares with whoever calls it."""

    def __init__(self) -> None:
        self.key, self.secret = generate_private_key(SECP256R1()), os.urandom(16)

    def subscription(self, endpoint: str) -> PushSubscription:
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return PushSubscription(
            endpoint, Keys(*(base64.urlsafe_b64encode(one).decode().rstrip("=") for one in (point, self.secret)))
        )

    def read(self, body: bytes) -> Any:
        return msgspec.json.decode(
            http_ece.decrypt(body, private_key=self.key, auth_secret=self.secret, version="aes128gcm")
        )


class Service:
    """A push service on this machine, over TLS. got: each call's path, headers and body; does: how it answers, by path."""

    def __init__(self, folder: Path) -> None:
        self.got: list[tuple[str, dict[str, str], bytes]] = []
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                service.got.append((self.path, dict(self.headers), body))
                what = self.path.strip("/").split("/")[0]
                if what in ("slow", "late"):
                    time.sleep(3 if what == "slow" else 0.2)
                if what == "drips":
                    for _ in range(200):
                        self.wfile.write(b"H")
                        time.sleep(0.05)
                if what == "redirects":
                    self.send_response(307)
                    self.send_header("Location", f"https://localhost:{service.port}/stolen")
                else:
                    self.send_response({"gone": 410, "full": 503}.get(what, 201))
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        authority = trustme.CA()
        served = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        authority.issue_cert("localhost").configure_cert(served)
        self.tls = ssl.create_default_context()
        authority.configure_trust(self.tls)
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._server.handle_error = lambda *_: None  # type: ignore[method-assign]
        self._server.socket = served.wrap_socket(self._server.socket, server_side=True)
        self.port = self._server.server_port
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def endpoint(self, path: str) -> str:
        return f"https://localhost:{self.port}/{path}"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    made = Service(tmp_path)
    yield made
    made.close()


@pytest.fixture
def subscriptions(hall: Hall) -> Iterator[Subscriptions]:
    Store(hall.database.url).close()
    with closing(Register(hall.database.url)) as register:
        register.add("Pavla", "director", replace=True)
        register.add("Pepa", "viewer", replace=True)
    with psycopg.connect(hall.database.url) as connection:
        connection.execute("delete from subscriptions")
    with closing(Subscriptions(hall.database.url)) as opened:
        yield opened


def pusher(hall: Hall, service: Service, said: list[str]) -> Pusher:
    """One that may call this machine, which the real one may not."""
    return Pusher(
        hall.database.url, CONTACT, said.append, allowed=lambda address: True, tls=service.tls, port=service.port
    )


def test_what_is_pushed_only_its_browser_can_read(hall: Hall, subscriptions: Subscriptions, service: Service) -> None:
    browser, other, said = Browser(), Browser(), list[str]()
    subscriptions.add("Pavla", browser.subscription(service.endpoint("ok/1?a=b")), "cs")
    wall = Wall()
    wall.show({"board-2": msgspec.json.encode(Tile("board-2", None, "2026-11-22T10:11:12+00:00"))})
    with pusher(hall, service, said) as push, Caller(wall, [push], 0.0):
        eventually(lambda: service.got)
    path, headers, body = service.got[0]
    assert path == "/ok/1?a=b"
    assert browser.read(body) == {
        "board": "board-2",
        "sentence": "Od 2026-11-22 10:11 UTC o ní není nic slyšet.",
        "tag": "board-2 silent",
    }
    assert b"board-2" not in body
    with pytest.raises(Exception, match=r".*"):
        other.read(body)
    assert (headers["Content-Encoding"], headers["TTL"], headers["Urgency"]) == ("aes128gcm", "3600", "high")
    assert Vapid02.verify(headers["Authorization"])
    assert public_key(subscriptions.key()) in headers["Authorization"]
    claims = msgspec.json.decode(_part(re.findall(r"t=[^.]+\.([^.]+)\.", headers["Authorization"])[0]))
    assert claims["aud"] == f"https://localhost:{service.port}"
    assert claims["sub"] == CONTACT
    assert claims["exp"] < time.time() + 24 * 3600
    assert said == []


def _part(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def test_who_is_gone_is_dropped_and_who_hangs_holds_up_nobody(
    hall: Hall, subscriptions: Subscriptions, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.hub.push.PATIENCE_S", 0.5)
    browser, said = Browser(), list[str]()
    for path in ("gone", "full", "slow", "drips", "redirects", "ok"):
        subscriptions.add("Pavla", browser.subscription(service.endpoint(path)), "en")

    def left() -> dict[str, int]:
        found = rows(hall, "select endpoint, failed from subscriptions")
        return {endpoint.rpartition("/")[2]: failed for endpoint, failed in found}

    with pusher(hall, service, said) as push:
        began = time.monotonic()
        assert push(ALERT)
        assert time.monotonic() - began < 0.4  # nobody waits for a push service
        failed = {"full": 1, "slow": 1, "drips": 1, "redirects": 1, "ok": 0}
        eventually(lambda: left() == failed)
        assert sorted(path for path, _, _ in service.got) == ["/drips", "/full", "/gone", "/ok", "/redirects", "/slow"]
        with psycopg.connect(hall.database.url) as connection:
            connection.execute("update subscriptions set failed = %s where failed > 0", (MOST_FAILURES - 1,))
        push(ALERT)
        # An evening on which the hub itself reaches nobody takes no phone away.
        eventually(lambda: left() == {**dict.fromkeys(failed, MOST_FAILURES), "ok": 0})
        with psycopg.connect(hall.database.url) as connection:
            connection.execute("update subscriptions set failing_since = failing_since - make_interval(days => 3)")
        push(ALERT)
        eventually(lambda: left() == {"ok": 0})
    assert not any("stolen" in path for path, _, _ in service.got)
    assert not any(one.keys.auth in sentence for one, _ in subscriptions.all() for sentence in said)


def test_whoever_is_called_hears_all_that_came_at_once(
    hall: Hall, subscriptions: Subscriptions, service: Service
) -> None:
    """Where a hall's network fails, every board of it is silent at the same moment."""
    browser, boards = Browser(), [f"board-{number}" for number in range(1, 7)]
    subscriptions.add("Pavla", browser.subscription(service.endpoint("late")), "en")
    with pusher(hall, service, []) as push:
        assert all(push(Alert(board, "silent", {"en": "Nothing has been heard of it."})) for board in boards)
        eventually(lambda: len(service.got) == len(boards))
    assert [browser.read(body)["board"] for _, _, body in service.got] == boards


def test_whoever_has_left_hears_nothing_that_waited(hall: Hall, subscriptions: Subscriptions, service: Service) -> None:
    browser, boards = Browser(), [f"board-{number}" for number in range(1, 7)]
    endpoint = service.endpoint("late")
    subscriptions.add("Pavla", browser.subscription(endpoint), "en")
    with pusher(hall, service, []) as push:
        assert all(push(Alert(board, "silent", {"en": "Nothing has been heard of it."})) for board in boards)
        eventually(lambda: service.got)
        subscriptions.remove("Pavla", endpoint)
        eventually(lambda: not push._waiting)
    assert len(service.got) < len(boards)


def test_what_waited_is_sent_although_the_database_went_away_meanwhile(
    hall: Hall, subscriptions: Subscriptions, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(self: Subscriptions, endpoint: str) -> bool:
        raise StoreError

    monkeypatch.setattr(Subscriptions, "is_known", away)
    subscriptions.add("Pavla", Browser().subscription(service.endpoint("there")), "en")
    with pusher(hall, service, []) as push:
        assert push(Alert("board-1", "silent", {"en": "Nothing has been heard of it."}))
        eventually(lambda: service.got)
        eventually(lambda: not push._waiting)


def test_a_channel_that_hangs_holds_up_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """And the boards are read once for both, as long as nothing changes."""
    monkeypatch.setattr("controller.hub.alerts.LOOK_S", 0.01)
    released, called, read = threading.Event(), list[str](), list[PackedView]()

    def reads(seen: PackedView) -> list[Tile]:
        read.append(seen)
        return tiles_in(seen)

    monkeypatch.setattr("controller.hub.alerts.tiles_in", reads)
    wall = Wall()
    boards = {f"board-{number}" for number in (1, 2, 3)}
    wall.show({board: msgspec.json.encode(Tile(board, None, "2026-11-22T10:11:12+00:00")) for board in boards})

    def hangs(alert: Alert) -> bool:
        released.wait(PATIENCE_S)
        return False

    def goes(alert: Alert) -> bool:
        called.append(alert.board)
        return True

    with Caller(wall, [hangs, goes], 0.0):
        try:
            eventually(lambda: set(called) == boards)
            assert len(read) == 1
            wall.show({"board-4": msgspec.json.encode(Tile("board-4", None, ""))})
            eventually(lambda: "board-4" in called)
        finally:
            released.set()
    assert len(read) == 2


def test_an_end_waits_once_for_all_channels_and_calls_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controller.hub.alerts.LOOK_S", 0.01)
    monkeypatch.setattr("controller.hub.alerts.SEND_S", 0.5)
    released, called = threading.Event(), list[str]()
    wall = Wall()
    wall.show({f"board-{n}": msgspec.json.encode(Tile(f"board-{n}", None, "")) for n in (1, 2, 3)})

    def hangs(alert: Alert) -> bool:
        called.append(alert.board)
        return released.wait(PATIENCE_S)

    caller = Caller(wall, [hangs] * 3, 0.0)
    with caller:
        eventually(lambda: len(called) == 3)
        begun = time.monotonic()
    assert time.monotonic() - begun < 1.0
    released.set()
    eventually(lambda: not any(thread.is_alive() for thread in caller._threads))
    assert len(called) == 3


def test_a_server_that_refuses_is_not_asked_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor does what it will never take keep the others from it."""
    monkeypatch.setattr("controller.hub.alerts.LOOK_S", 0.01)
    monkeypatch.setattr("controller.hub.alerts.PAUSE_S", (0.1, 0.4))
    tried = list[str]()
    wall = Wall()
    wall.show({f"board-{n}": msgspec.json.encode(Tile(f"board-{n}", None, "")) for n in (1, 2, 3)})

    def refuses(alert: Alert) -> bool:
        tried.append(alert.board)
        return len(tried) > 2 and alert.board != "board-1"

    with Caller(wall, [refuses], 0.0):
        eventually(lambda: {"board-2", "board-3"} <= {*tried[2:]})
        began, before = time.monotonic(), len(tried)
        eventually(lambda: len(tried) >= before + 3)
        assert time.monotonic() - began > 0.2
    assert tried[:2] == ["board-1", "board-2"]


def test_a_call_ends_in_time_however_slowly_it_comes_about(monkeypatch: pytest.MonkeyPatch) -> None:
    """First the connection, then its TLS, then the answer, each in time for itself."""
    monkeypatch.setattr("controller.hub.push.PATIENCE_S", 1.0)
    connect = socket.create_connection

    def slowly(*place: Any) -> socket.socket:
        time.sleep(0.8)
        return connect(*place)

    authority, served, trusting = trustme.CA(), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), ssl.create_default_context()
    authority.issue_cert("localhost").configure_cert(served)
    authority.configure_trust(trusting)

    def serve(listener: socket.socket) -> None:
        line, _ = listener.accept()
        with suppress(OSError), line:
            time.sleep(0.6)
            secured = served.wrap_socket(line, server_side=True)
            for _ in range(50):
                secured.sendall(b"H")
                time.sleep(0.1)

    key = Vapid02()
    key.generate_keys()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve, args=(listener,), daemon=True)
        thread.start()
        port = listener.getsockname()[1]
        monkeypatch.setattr("controller.hub.push.socket.create_connection", slowly)
        push = Pusher("", CONTACT, print, allowed=lambda address: True, tls=trusting, port=port)
        began = time.monotonic()
        with pytest.raises((OSError, http.client.HTTPException)):
            push._send(key, Browser().subscription(f"https://localhost:{port}/x"), b"x")
        assert time.monotonic() - began < 3
        thread.join(10)


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1", "10.0.0.1", "192.168.1.5", "172.16.0.9", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1",
     "255.255.255.255", "::1", "fe80::1", "fd00::1", "::ffff:127.0.0.1", "::ffff:10.1.1.1", "2002:7f00:1::", "ff02::1",
     "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe"],
)  # fmt: skip
def test_nothing_of_this_network_is_asked(address: str) -> None:
    assert not is_public(address)


def test_public_addresses_are() -> None:
    assert is_public("142.250.1.1")
    assert is_public("2a00:1450:4001::1")


def test_the_hub_asks_nobody_whom_a_visitor_names_in_its_own_network(
    hall: Hall, subscriptions: Subscriptions, service: Service
) -> None:
    browser, said = Browser(), list[str]()
    for endpoint in (
        service.endpoint("x"),
        "https://127.0.0.1/x",
        "https://user@localhost/x",
        f"https://localhost:{service.port + 1}/x",
        "https://[",
        "https://localhost:99999/x",
    ):
        subscriptions.add("Pavla", browser.subscription(endpoint), "en")
    with Pusher(hall.database.url, CONTACT, said.append, tls=service.tls, port=service.port) as push:
        push(ALERT)
        eventually(lambda: subscriptions.all() == ())
    assert service.got == []


def test_a_network_that_answers_every_name_itself_takes_no_phone_away(
    hall: Hall, subscriptions: Subscriptions, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = Browser()
    subscriptions.add("Pavla", browser.subscription(f"https://push.example:{service.port}/x"), "en")
    own = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", service.port))]
    resolve = socket.getaddrinfo
    monkeypatch.setattr(
        "controller.hub.push.socket.getaddrinfo",
        lambda host, *rest, **more: own if host == "push.example" else resolve(host, *rest, **more),
    )
    with Pusher(hall.database.url, CONTACT, lambda said: None, tls=service.tls, port=service.port) as push:
        push(ALERT)
        eventually(lambda: rows(hall, "select failed from subscriptions") == [(1,)])
    assert service.got == []


def test_a_phone_is_put_in_and_taken_out_by_its_owner(hall: Hall, subscriptions: Subscriptions) -> None:
    wall = Wall()
    settings = msgspec.structs.replace(hall.settings(WebConfig(), public=False), alerts=AlertSettings(push=CONTACT))
    app = create_hub_app(wall, BoardViews(wall), settings)
    with closing(Register(hall.database.url)) as register:
        password = register.add("Pepa", "viewer", replace=True)
    client, good = app.test_client(), Browser().subscription("https://push.example/1")
    body = msgspec.json.encode(good)
    assert client.post("/alerts/phone", data=body).status_code == 401
    client.post("/signin", data={"name": "Pepa", "password": password})
    page = client.get("/alerts").get_data(True)
    assert public_key(subscriptions.key()) in page
    headers = {"X-CSRF-Token": re.findall(r'name="csrf" content="([^"]+)"', page)[0]}
    assert client.post("/alerts/phone", data=body).status_code == 403
    for wrong in (
        msgspec.structs.replace(good, endpoint="http://push.example/1"),
        msgspec.structs.replace(good, endpoint="https://" + "x" * 1000),
        msgspec.structs.replace(good, keys=Keys("AAAA", good.keys.auth)),
        msgspec.structs.replace(good, keys=Keys(good.keys.p256dh, "AAAA")),
        {},
    ):
        answer = client.post("/alerts/phone", data=msgspec.json.encode(wrong), headers=headers)
        assert answer.status_code == 400
    assert client.post("/alerts/phone", data=b"x" * 5000, headers=headers).status_code == 413
    assert client.post("/alerts/phone/known", data=body).status_code == 403
    assert client.post("/alerts/phone/known", data=body, headers=headers).get_json() == {"ok": False, "sentence": ""}
    assert client.post("/alerts/phone", data=body, headers={**headers, "Accept-Language": "sk"}).status_code == 200
    assert client.post("/alerts/phone/known", data=body, headers=headers).get_json() == {"ok": True, "sentence": ""}
    assert subscriptions.all() == ((good, "sk"),)
    subscriptions.remove("Pavla", good.endpoint)  # another's is nobody else's business
    assert subscriptions.all() == ((good, "sk"),)
    assert client.post("/alerts/phone/leave", data=body, headers=headers).status_code == 200
    assert subscriptions.all() == ()
    for nth in range(MOST_OF_ONE + 2):
        subscriptions.add("Pepa", Browser().subscription(f"https://push.example/{nth}"), "en")
    assert len(subscriptions.all()) == MOST_OF_ONE
    with closing(Register(hall.database.url)) as register:
        register.remove("Pepa")
    assert subscriptions.all() == ()


def test_without_a_contact_nobody_is_asked(hall: Hall, subscriptions: Subscriptions) -> None:
    wall = Wall()
    client = create_hub_app(wall, BoardViews(wall), hall.settings(WebConfig(), public=True)).test_client()
    assert client.post("/alerts/phone", data=b"{}").status_code == 404
