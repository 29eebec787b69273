"""How a board joins a hub: the code that somebody carries from one to the other, and what the two say over HTTPS.

The board knows nothing of the hub but the code. So it asks first, by what the code is found by; the answer carries the hub's
authority, sealed with a key made of the code, which only who has the code can make. Only over a connection that this authority
vouches for does the board show the code itself. Whoever stands between the two learns neither code nor password.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import re
import secrets
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import parse_qs, urlsplit

from msgspec import Meta, Struct

from controller.errors import ControllerError
from controller.record.wire import NAME, Word

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's: no letter that looks like a digit."""

LETTERS = 12
"""60 bits: whoever has seen what it is found by can't try all of them while it holds."""

MINUTES = 15
"""For which a code holds."""

ASK, TAKE = "/join/ask", "/join/take"
LARGEST_ANSWER = 64 * 1024

_LOOKS_LIKE = str.maketrans("OIL", "011", "- ")
_HOST = re.compile(r"(\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9_-]{1,63}(?:\.[A-Za-z0-9_-]{1,63})*)(?::([0-9]{1,5}))?")

Pem = Annotated[str, Meta(max_length=32_000)]


class JoiningError(ControllerError):
    """Why a board could not join, in a sentence."""


class Ask(Struct, frozen=True):
    """found: as found_by() makes it; nonce: the board's own, so that no earlier answer fits."""

    found: Word
    nonce: Word


class Offer(Struct, frozen=True):
    """authority: who has signed the hub's certificates, PEM, "" where it is one that every system trusts; seal: as sealed()."""

    authority: Pem
    seal: Word


class TakeKey(Struct, frozen=True):
    """The code itself."""

    code: Word


class Given(Struct, frozen=True):
    """What a board gets. host: of the broker, "" for the hub's own; key: by which the hub signs who may come to its desk."""

    name: Annotated[str, Meta(pattern=NAME)]
    password: Annotated[str, Meta(min_length=16, max_length=200)]
    key: Annotated[str, Meta(min_length=32, max_length=200)]
    host: Annotated[str, Meta(max_length=253, pattern=r"^[^\s/@]*$")]
    port: Annotated[int, Meta(ge=1, le=65_535)]
    tls: bool
    authority: Pem


def new_code() -> str:
    """In groups of four, to be read out."""
    letters = "".join(secrets.choice(ALPHABET) for _ in range(LETTERS))
    return "-".join(letters[at : at + 4] for at in range(0, LETTERS, 4))


def plain(code: str) -> str:
    """The code however somebody has typed it; "" for what can be none."""
    letters = code.upper().translate(_LOOKS_LIKE)
    return letters if len(letters) == LETTERS and set(letters) <= set(ALPHABET) else ""


def found_by(code: str) -> str:
    """By what a code is found; it does not say the code. code: as plain() has it."""
    return hashlib.sha256(b"vrhcab join, found by:" + code.encode()).hexdigest()


def key_of(code: str) -> str:
    """The key for seals; it does not say the code."""
    return hashlib.sha256(b"vrhcab join, sealed by:" + code.encode()).hexdigest()


def sealed(key: str, nonce: str, authority: str) -> str:
    """Says that whoever sends this authority in answer to this nonce has the key."""
    return hmac.new(key.encode(), f"{nonce}\n{authority}".encode(), hashlib.sha256).hexdigest()


@dataclass(frozen=True)
class Hub:
    """Where a hub's pages are."""

    host: str
    port: int
    https: bool = True


def read_invitation(text: str) -> tuple[str, Hub]:
    """The code and the hub out of CODE@ADDRESS, or out of the link that a QR code holds. Raises JoiningError."""
    text = text.strip()
    code, at, address = text.partition("@")
    try:
        parts = urlsplit(text if not at else address if "//" in address else f"https://{address}")
    except ValueError:
        parts = urlsplit("")
    if not at:
        code = parse_qs(parts.query).get("code", [""])[0]
    code, place = plain(code), _HOST.fullmatch(parts.netloc)
    if not code or place is None or parts.scheme not in ("http", "https") or not 0 < int(place[2] or 1) <= 65_535:
        raise JoiningError("This is no invitation of a hub. One looks like: 7KQF-2M9X-4TBW@hub.local:8443")
    https = parts.scheme == "https"
    host = place[1].strip("[]").lower()
    if not https and not _is_here(host):
        raise JoiningError("A hub on another machine must be reached by https: a password is not sent in the open.")
    return code, Hub(host, int(place[2] or (443 if https else 80)), https)


def _is_here(host: str) -> bool:
    """Whether it is this machine's name for itself."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
