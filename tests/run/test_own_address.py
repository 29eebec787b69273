"""The address that the terminal shows for phones: the kernel's, without a word to the network."""

from __future__ import annotations

import ipaddress
import socket
from pathlib import Path

import pytest

from controller.run import own_address as addresses

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
