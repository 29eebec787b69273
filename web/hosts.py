"""The names by which the page may be asked for. A page elsewhere can lead its own name to this machine (DNS rebinding), and a
browser then takes it for one of ours; an address, or a name that only this network gives, it can't have."""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Callable, Iterable
from typing import Any

WRONG_HOST = "web.wrong_host"
"""In the environ: the request was meant for another name."""

_HOST = re.compile(r"(?:\[([0-9a-f:.]{2,45})\]|([a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*)\.?)(?::([0-9]{1,5}))?")
LONGEST = 253

Wsgi = Callable[[dict[str, Any], Any], Iterable[bytes]]


class Hosts:
    """The names. names: of the settings, beside addresses, localhost, names that end in .local and the machine's own."""

    def __init__(self, names: Iterable[str] = (), own: str | None = None) -> None:
        own = (socket.gethostname() if own is None else own).lower()
        self._names = {name.lower().rstrip(".") for name in names} | {own, own.partition(".")[0], "localhost"}

    def __contains__(self, host: str) -> bool:
        """host: as a request names it, with or without a port."""
        found = _HOST.fullmatch(host.lower())
        if found is None or int(found[3] or 0) > 65_535:
            return False
        address, name = found[1], found[2] or ""
        if len(name) > LONGEST:
            return False
        return _is_address(address or name) or name in self._names or name.endswith((".local", ".localhost"))


class OnlyFor:
    """A WSGI application that is told of requests for other names: WRONG_HOST. They come to it as if meant for localhost."""

    def __init__(self, app: Wsgi, hosts: Hosts) -> None:
        self._app, self._hosts = app, hosts

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        """One request. Without a name (HTTP/1.0) it comes from no browser."""
        host = environ.get("HTTP_HOST")
        if host is not None and host not in self._hosts:
            environ = environ | {"HTTP_HOST": "localhost", WRONG_HOST: True}
        return self._app(environ, start_response)


def is_loopback(host: str) -> bool:
    """Whether a host is a machine's name for itself, which means another one on each machine."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True
