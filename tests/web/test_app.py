"""What the page's application answers at each address."""

from __future__ import annotations

import json
from collections.abc import Iterator

import msgspec
import pytest
from flask.testing import FlaskClient

from tests.web.table import TableReferee
from tests.web.views import played_view, rolled_view, start_view
from web.app import SECURITY_HEADERS, create_app
from web.desk import Desk
from web.hub import ViewHub
from web.security import PinKeeper
from web.view import View

HOSTILE = "<script>alert(1)</script>\"'&{{7*7}}\u202e</title>"


@pytest.fixture
def hub() -> ViewHub:
    return ViewHub()


@pytest.fixture
def client(hub: ViewHub) -> FlaskClient:
    return create_app(hub, streams=2).test_client()


def event(stream: Iterator[bytes]) -> dict[str, str]:
    """The next event of a stream, comments left out."""
    fields = (line.split(": ", 1) for line in next(stream).decode().splitlines() if line and not line.startswith(":"))
    return {field[0]: field[-1] for field in fields}


def test_the_page_names_what_it_needs_from_this_server_only(client: FlaskClient) -> None:
    answer = client.get("/")
    assert answer.status_code == 200
    assert "http://" not in answer.text.replace("http://www.w3.org/", "")
    assert "https://" not in answer.text
    for part in answer.text.split('src="')[1:] + answer.text.split('rel="stylesheet" href="')[1:]:
        assert client.get(part.split('"')[0]).status_code == 200


def test_who_follows_a_link_to_what_is_not_there_gets_a_page_and_a_script_its_reason(client: FlaskClient) -> None:
    link = {
        "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7"
    }
    assert client.get("/api/matches/none/export.mat", headers=link).mimetype == "text/html"
    assert client.get("/api/matches/none/export.mat", headers={"Accept": "*/*"}).mimetype == "application/json"
    assert client.get("/api/matches/none/export.mat").mimetype == "application/json"


@pytest.mark.parametrize("address", ["/", "/api/state", "/healthz", "/nothing/here", "/static/page.css"])
def test_every_answer_carries_the_security_headers(client: FlaskClient, address: str) -> None:
    headers = client.get(address).headers
    assert {name: headers[name] for name in SECURITY_HEADERS} == SECURITY_HEADERS
    assert "unsafe" not in headers["Content-Security-Policy"]


def test_the_state_is_the_newest_view(client: FlaskClient, hub: ViewHub) -> None:
    hub.publish(start_view(1))
    hub.publish(played_view(3))
    answer = client.get("/api/state")
    assert msgspec.json.decode(answer.data, type=View) == played_view(3)
    again = client.get("/api/state", headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304


def test_before_the_first_view_the_state_says_so(client: FlaskClient) -> None:
    answer = client.get("/api/state")
    assert answer.status_code == 503
    assert "nothing to show yet" in answer.json["error"]
    assert client.get("/healthz").json == {"status": "ok", "sequence": None, "watchers": 0}


def events_of(client: FlaskClient, headers: dict[str, str] | None = None) -> list[dict[str, str]]:
    """What a stream begins with."""
    with client.get("/events", headers=headers) as answer:
        assert (answer.status_code, answer.mimetype) == (200, "text/event-stream")
        return [event(iter([part])) for part in answer.data.split(b"\n\n") if part]


def test_events_begin_with_the_whole_view(client: FlaskClient, hub: ViewHub) -> None:
    hub.publish(rolled_view(2))
    retry, first = events_of(client)
    assert retry == {"retry": "1000"}
    assert first["id"] == "2"
    assert json.loads(first["data"])["dice"] == [3, 1]


@pytest.mark.parametrize(
    ("last", "first"), [("1", "2"), ("3", "3"), ("", "3"), ("-1", "3"), ("x", "3"), ("²", "3"), ("9" * 5000, "3")]
)
def test_a_browser_that_comes_back_says_what_it_saw_last(
    client: FlaskClient, hub: ViewHub, last: str, first: str
) -> None:
    for view in (start_view(1), rolled_view(2), played_view(3)):
        hub.publish(view)
    assert events_of(client, {"Last-Event-ID": last.encode("utf-8").decode("latin-1")})[1]["id"] == first


def test_hostile_names_stay_text(client: FlaskClient, hub: ViewHub) -> None:
    hub.publish(start_view(light=HOSTILE, dark="]]>\n\ndata: {}"))
    assert "alert" not in client.get("/").text
    data = json.loads(events_of(client)[1]["data"])
    assert data["light"]["name"] == HOSTILE
    assert data["dark"]["name"] == "]]>\n\ndata: {}"


def test_numbers_that_no_flag_has_are_no_address(hub: ViewHub) -> None:
    client = create_app(hub, frames={1: b"\xff\xd8jpeg"}.get, desk=Desk(TableReferee(), PinKeeper(None))).test_client()
    for digits in (10, 100, 5000):
        for address in (
            f"flags/{'9' * digits}/frame.jpg",
            f"flags/{'9' * digits}/before.jpg",
            f"turns/{'9' * digits}/after.jpg",
        ):
            assert client.get(f"/api/{address}").status_code == 404


@pytest.mark.parametrize(
    ("address", "code"),
    [("/nothing", 404), ("/static/../view.py", 404), ("/static/%2e%2e/view.py", 404), ("/api/flags/1/frame.jpg", 404)],
)
def test_addresses_without_anything_say_so_in_a_sentence(client: FlaskClient, address: str, code: int) -> None:
    answer = client.get(address)
    assert answer.status_code == code
    assert "There is no page here." in answer.text


def test_viewers_can_change_nothing(client: FlaskClient) -> None:
    for address in ("/", "/events", "/api/state", "/healthz"):
        for send in (client.post, client.put, client.delete, client.patch):
            assert send(address).status_code == 405


def test_the_picture_behind_a_flag(hub: ViewHub) -> None:
    client = create_app(hub, frames={1: b"\xff\xd8jpeg"}.get).test_client()
    answer = client.get("/api/flags/1/frame.jpg")
    assert (answer.data, answer.mimetype) == (b"\xff\xd8jpeg", "image/jpeg")
    assert client.get("/api/flags/2/frame.jpg").status_code == 404
    assert client.get("/api/flags/../state").status_code in (404, 503)


@pytest.mark.parametrize("part", ["board", "score", "roll", "pips"])
def test_overlays_take_theme_language_and_side_from_the_address(client: FlaskClient, part: str) -> None:
    page = client.get(f"/overlay/{part}?theme=clear&lang=sk&flip=1&board=navy&checkers=red").text
    assert f'data-part="{part}" data-theme="clear" data-flip="yes"' in page
    assert '<html lang="sk" data-board="navy" data-checkers="red">' in page
    plain = client.get(f"/overlay/{part}?theme=%22%3E%3Cscript%3E&lang=xx&board=%22%3E").text
    assert f'data-part="{part}" data-theme="dark" data-flip="no"' in plain
    assert '<html lang="en" data-board="" data-checkers="">' in plain
    assert "lang=" not in client.get(f"/overlay/{part}?lang=sk").headers.get("Set-Cookie", "")


def test_there_is_no_other_overlay(client: FlaskClient) -> None:
    assert client.get("/overlay/desk").status_code == 404
