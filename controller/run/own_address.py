"""The address of this machine that others in its network see, asked of the kernel alone: nothing is sent or connected."""

from __future__ import annotations

import fcntl
import socket
import struct
from contextlib import closing
from pathlib import Path

SIOCGIFADDR = 0x8915
"""netdevice(7): an interface's IPv4 address."""

ROUTES = Path("/proc/self/net/route")


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
