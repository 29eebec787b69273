"""The page answers to its own names, and to no name that a stranger can lead here."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from web.app import create_app
from web.hosts import Hosts
from web.hub import ViewHub

HOSTS = Hosts(["Board.Example.org"], own="pi.lan")
CLIENT = create_app(ViewHub(), names=["board.example.org"]).test_client()


@pytest.mark.parametrize(
    "host",
    [
        *("192.168.1.7", "10.0.0.1:8080", "[::1]", "[2001:db8::7]:8080", "localhost:8080", "LocalHost", "vrhcab.local"),
        *("pi", "pi.lan:80", "board.example.org", "BOARD.example.ORG.", "board.example.org:443"),
    ],
)
def test_its_own_names(host: str) -> None:
    assert host in HOSTS


@pytest.mark.parametrize(
    "host",
    [
        *("", "evil.example", "127.0.0.1.evil.example", "pi.evil.example", "local", ".local", "a..local", "a..b"),
        *("x.local.evil", "localhost:99999", "localhost:", "[::1", "[zz]", "a b.local", "http://localhost"),
        *(f"{'a' * 64}.local", ".".join(["a" * 60] * 5) + ".local", "evil.example#.local", "user@localhost"),
    ],
)
def test_other_names(host: str) -> None:
    assert host not in HOSTS


@pytest.mark.parametrize("address", ["/", "/api/state", "/events", "/static/page.css", "/nothing"])
@pytest.mark.parametrize("host", ["evil.example", "a..b", "localhost:99999"])
def test_a_request_for_another_name_is_refused_in_a_sentence(address: str, host: str) -> None:
    answer = CLIENT.get(address, headers={"Host": host})
    assert answer.status_code == 421
    assert "does not go by that name" in answer.text.replace("&#39;", "'")
    assert CLIENT.get(address, headers={"Host": "board.example.org"}).status_code != 421


@settings(max_examples=60, deadline=None)
@given(st.text(st.characters(max_codepoint=255, exclude_characters="\r\n"), max_size=80))
def test_no_host_makes_it_stumble(host: str) -> None:
    assert CLIENT.get("/qr.svg", headers={"Host": host}).status_code in (404, 421)
