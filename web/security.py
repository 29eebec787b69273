"""Who may use the desk: the PIN, its lock-out, and the check that a command comes from our own page."""

from __future__ import annotations

import json
import os
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from urllib.parse import urlsplit

from flask import Request, Response, jsonify, request, session
from werkzeug.exceptions import Forbidden, TooManyRequests, Unauthorized
from werkzeug.security import check_password_hash, generate_password_hash

from web.errors import WebError

PIN_DIGITS = 6
TRIES = 5
"""Wrong PINs from one address before it has to wait."""
FIRST_WAIT = 30.0
"""Seconds of the first wait; each further wrong PIN doubles it, up to LONGEST_WAIT."""
LONGEST_WAIT = 900.0
TRIES_OF_ALL = 60
"""Wrong PINs from all addresses together in LONGEST_WAIT: at that rate six digits take half a year to guess."""
LONGEST_PIN = 16
MOST_ADDRESSES = 1000
HASH = "scrypt"


@dataclass
class _Tries:
    wrong: int = 0
    until: float = 0.0


@dataclass
class PinKeeper:
    """The PIN as a hash, and the key that signs the desk's cookies, in one file that only its owner may read.

    fresh: the PIN where this start has made it, to be shown once; else None.
    """

    path: Path | None
    clock: Callable[[], float] = time.monotonic
    fresh: str | None = None
    _hash: str = ""
    _key: str = ""
    _tries: dict[str, _Tries] = field(default_factory=dict)
    _all: list[float] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        """Raises WebError where the file can't be read or written."""
        if self.path is not None and self.path.exists():
            self._load(self.path)
        else:
            self.reset()

    def reset(self) -> str:
        """A new PIN, and nobody is signed in any more. Raises WebError where it can't be kept."""
        self.fresh = "".join(secrets.choice("0123456789") for _ in range(PIN_DIGITS))
        self.change(self.fresh)
        return self.fresh

    def change(self, pin: str) -> None:
        """Another PIN, and nobody is signed in any more. Raises WebError where it can't be kept."""
        self._hash, self._key = generate_password_hash(pin, HASH), secrets.token_hex(32)
        if self.path is not None:
            self._save(self.path)

    @property
    def key(self) -> str:
        """Signs the cookies."""
        return self._key

    def check(self, pin: str, address: str) -> bool:
        """Whether this is the PIN. Raises TooManyRequests while the address, or everybody, has to wait."""
        now = self.clock()
        with self._lock:
            self._all = [at for at in self._all if now - at < LONGEST_WAIT]
            tries = self._tries.setdefault(address, _Tries())
            wait = tries.until - now if len(self._all) < TRIES_OF_ALL else LONGEST_WAIT - (now - self._all[0])
            if wait > 0:
                raise TooManyRequests(retry_after=round(wait) + 1)
            # Counted before it is checked, so that many at once gain nothing.
            tries.wrong += 1
            self._all.append(now)
            if tries.wrong >= TRIES:
                tries.until = now + min(FIRST_WAIT * 2 ** (tries.wrong - TRIES), LONGEST_WAIT)
            if len(self._tries) > MOST_ADDRESSES:
                self._tries.pop(next(iter(self._tries)))
        if not check_password_hash(self._hash, pin):
            return False
        with self._lock:
            self._tries.pop(address, None)
            self._all.remove(now)
        return True

    def _load(self, path: Path) -> None:
        try:
            kept = json.loads(path.read_text("utf-8"))
            self._hash, self._key = str(kept["pin"]), str(kept["key"])
        except OSError as error:
            raise WebError(f"The desk's PIN file {path} can't be read ({error.strerror}).") from error
        except (ValueError, KeyError, TypeError) as error:
            raise WebError(f"The desk's PIN file {path} is damaged. Make a new PIN with: vrhcab pin --reset") from error

    def _save(self, path: Path) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            new = path.with_suffix(".new")
            new.unlink(missing_ok=True)
            descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                json.dump({"pin": self._hash, "key": self._key}, file)
            new.replace(path)
        except OSError as error:
            raise WebError(f"The desk's PIN can't be kept in {path} ({error.strerror}).") from error


def good_pin(pin: str) -> bool:
    """Whether a PIN that a person has thought of may be one: enough digits, and none of those that are tried first."""
    if not (pin.isascii() and pin.isdigit() and PIN_DIGITS <= len(pin) <= LONGEST_PIN):
        return False
    steps = {int(after) - int(before) for before, after in pairwise(pin)}
    return steps not in ({0}, {1}, {-1})


def sign_in() -> None:
    """This browser may use the desk from now on."""
    session.clear()
    session["desk"] = True
    session["token"] = secrets.token_urlsafe(24)
    session.permanent = True


def signed_in() -> bool:
    """Whether this browser may use the desk."""
    return session.get("desk") is True


def token() -> str:
    """What a command from our own page carries; "" for whoever is not signed in."""
    return str(session.get("token", ""))


def require_desk() -> None:
    """Raises Unauthorized for whoever is not signed in, Forbidden for a change that another site's page asks for."""
    if not signed_in():
        raise Unauthorized
    if request.method in ("GET", "HEAD"):
        return
    if not from_here(request):
        raise Forbidden
    if not secrets.compare_digest(request.headers.get("X-CSRF-Token", "").encode(), token().encode()):
        raise Forbidden


def from_here(asked: Request) -> bool:
    """Whether a request comes from a page of this server, as far as the browser says."""
    origin = asked.headers.get("Origin")
    return origin is None or urlsplit(origin).netloc == asked.host


def refused(sentence: str, status: int) -> Response:
    """An answer in JSON that says why not."""
    answer = jsonify(ok=False, sentence=sentence)
    answer.status_code = status
    return answer
