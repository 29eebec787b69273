"""The address that the terminal shows for phones: the kernel's, without a word to the network."""

from __future__ import annotations

import ipaddress
import socket
import threading
from pathlib import Path

import pytest

from controller.config import PanelConfig, WebConfig
from controller.run import loop
from controller.run import own_address as addresses
from controller.run.settings import RunSettings
from tests.web.table import TableReferee
from web.desk import Desk
from web.hub import ViewHub
from web.security import PinKeeper

HEAD = "Iface\tDestination\tGateway\n"


@pytest.fixture
def interfaces(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine with a cable, a hotspot and a bridge without an address; the file of its routes."""
    known = {"lo": "127.0.0.1", "docker0": None, "wlan0": "10.42.0.1", "eth0": "192.168.7.5"}
    monkeypatch.setattr(socket, "if_nameindex", lambda: list(enumerate(known, 1)))
    monkeypatch.setattr(addresses, "_address", known.get)
    monkeypatch.setattr(addresses, "ROUTES", tmp_path / "route")
    return tmp_path / "route"


def test_the_interface_that_leads_out_is_told(interfaces: Path) -> None:
    interfaces.write_text(HEAD + "wlan0\t002A0A0A\t00000000\neth0\t00000000\t0107A8C0\n", "ascii")
    assert addresses.own_address() == "192.168.7.5"


def test_a_hotspot_leads_nowhere_and_still_has_an_address(interfaces: Path) -> None:
    interfaces.write_text(HEAD, "ascii")
    assert addresses.own_address() == "10.42.0.1"


def test_without_routes_the_interfaces_are_enough(interfaces: Path) -> None:
    assert addresses.own_address() == "10.42.0.1"


def test_no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "if_nameindex", lambda: [(1, "lo")])
    assert addresses.own_address() is None


def test_this_machine_answers() -> None:
    found = addresses.own_address()
    assert found is None or not ipaddress.IPv4Address(found).is_loopback


@pytest.mark.parametrize(
    ("host", "from_others", "from_here"),
    [
        ("0.0.0.0", "10.42.0.1", "127.0.0.1"),
        ("", "10.42.0.1", "127.0.0.1"),
        ("::", "10.42.0.1", "::1"),
        ("127.0.0.1", "127.0.0.1", "127.0.0.1"),
        ("board.local", "board.local", "board.local"),
    ],
)
def test_a_host_that_stands_for_every_address_is_reached_by_one(
    interfaces: Path, host: str, from_others: str, from_here: str
) -> None:
    assert (addresses.from_others(host), addresses.from_here(host)) == (from_others, from_here)


@pytest.mark.parametrize(
    ("web", "page"),
    [
        (WebConfig(host="0.0.0.0"), "http://10.42.0.1:8080"),
        (WebConfig(host="0.0.0.0", certificate="vrhcab.pem"), "https://10.42.0.1:8080"),
        (WebConfig(host="fd00::5"), "http://[fd00::5]:8080"),
        # A server in front speaks https: the page's own port does not.
        (WebConfig(https=True, names=("board.example.org", "board")), "https://board.example.org"),
        (WebConfig(https=True, host="0.0.0.0"), ""),
        # What no hub takes for an address.
        (WebConfig(host="fe80::1%eth0"), ""),
        (WebConfig(host="šachy.local"), ""),
    ],
)
def test_a_hub_is_told_where_browsers_find_the_page(interfaces: Path, web: WebConfig, page: str) -> None:
    interfaces.write_text(HEAD, "ascii")
    assert addresses.page_for_others(web, 8080) == page


def test_referees_of_one_machine_keep_who_is_signed_in_apart(tmp_path: Path) -> None:
    """A browser keeps one set of cookies for all programs of a machine, whatever their ports."""
    names = set[str]()
    for place in ("hall", "bar", "hall"):
        keeper = PinKeeper(None)
        settings = RunSettings(tmp_path / place / "games.sqlite3", WebConfig(), PanelConfig(), threading.Event(), print)
        page = loop._page(ViewHub(), Desk(TableReferee(), keeper), settings, camera=False)
        answer = page.test_client().post("/desk", data={"pin": keeper.fresh})
        names.add(answer.headers["Set-Cookie"].partition("=")[0])
    assert len(names) == 2
