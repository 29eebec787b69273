"""By which address this machine is reached, from itself and from others. Asked of the kernel alone: nothing is sent."""

from __future__ import annotations

import fcntl
import re
import socket
import struct
from contextlib import closing
from pathlib import Path

from controller.config import WebConfig
from controller.record.wire import PAGE

SIOCGIFADDR = 0x8915
"""netdevice(7): an interface's IPv4 address."""

ROUTES = Path("/proc/self/net/route")

EVERYWHERE = ("0.0.0.0", "::", "")
"""Hosts that stand for every address of this machine."""


def from_others(host: str) -> str:
    """An address by which other machines reach what is served at `host`; a loopback address where they can't."""
    return (own_address() or "127.0.0.1") if host in EVERYWHERE else host


def from_here(host: str) -> str:
    """An address by which this machine itself reaches what is served at `host`."""
    return ("::1" if host == "::" else "127.0.0.1") if host in EVERYWHERE else host


def page_address(host: str, port: int, *, https: bool) -> str:
    """Where other machines find the page that is served at `host`."""
    name = from_others(host)
    return f"{'https' if https else 'http'}://{f'[{name}]' if ':' in name else name}:{port}"


def page_for_others(web: WebConfig, port: int) -> str:
    """Where browsers on other machines find the page, for a hub; "" where nobody can say it. Of a server in front, which speaks
    https for the page, only the names are known."""
    if web.https and web.certificate is None:
        address = f"https://{web.names[0]}" if web.names else ""
    else:
        address = page_address(web.host, port, https=web.certificate is not None)
    return address if re.match(PAGE, address) else ""


def own_address() -> str | None:
    """The IPv4 address of the interface that leads out; where none does (a hotspot of the machine's own), of the first that
    has one. None without a network."""
    outward = _outward()
    names = sorted((name for _, name in socket.if_nameindex() if name != "lo"), key=lambda name: name not in outward)
    return next((address for name in names if (address := _address(name))), None)


def _outward() -> list[str]:
    """Interfaces of the default routes."""
    try:
        rows = [line.split() for line in ROUTES.read_text("ascii").splitlines()[1:]]
    except OSError:
        return []
    return [row[0] for row in rows if len(row) > 1 and row[1] == "00000000"]


def _address(name: str) -> str | None:
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as probe:
        try:
            answer = fcntl.ioctl(probe, SIOCGIFADDR, struct.pack("256s", name.encode()))
        except OSError:
            return None
    return socket.inet_ntoa(answer[20:24])
