"""The operator's PIN, and the wait after wrong ones."""

from __future__ import annotations

import json
import os
import re
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import msgspec
from werkzeug.exceptions import TooManyRequests
from werkzeug.security import check_password_hash, generate_password_hash

from web.errors import WebError

PIN_DIGITS = 6
TRIES = 5
"""Wrong PINs from one address before it has to wait."""
FIRST_WAIT = 30.0
"""Seconds of the first wait; each further wrong PIN doubles it, up to LONGEST_WAIT."""
LONGEST_WAIT = 900.0
DOUBLED = 5
"""Times after which it is the longest."""
TRIES_OF_ALL = 60
"""Wrong PINs from all unknown addresses together in LONGEST_WAIT: at that rate six digits take half a year to guess."""
LONGEST_PIN = 16
MOST_ADDRESSES = 1000
MOST_KNOWN = 100
"""Addresses remembered from which the right PIN has come: the others' wrong ones do not concern them."""
HASH = "scrypt"
LARGEST_FILE = 4096
"""Bytes of the PIN's file that are read."""
_WHOLE = re.compile(r"scrypt:\d{1,6}:\d{1,2}:\d{1,2}\$[^$]+\$[0-9a-f]{128}")
"""A hash that may be one: method, cost, salt, 64 bytes."""


class _StoredPin(msgspec.Struct):
    """What the PIN's file holds. pin: its hash, as werkzeug writes it."""

    pin: str


_STORED = msgspec.json.Decoder(_StoredPin)


@dataclass
class _Tries:
    wrong: int = 0
    until: float = 0.0


@dataclass
class Waits:
    """Who has to wait after wrong PINs or passwords. From any thread."""

    clock: Callable[[], float] = time.monotonic
    _tries: dict[str, _Tries] = field(default_factory=dict)
    _all: list[float] = field(default_factory=list)
    _known: dict[str, None] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def count(self, who: str, *, known: bool = False) -> float:
        """Counts a try of `who` before it is checked, so that many at once gain nothing; when, for passed(). known: it has been
        right before; then, as where `who` was right once, it waits for its own wrong ones alone.

        Raises TooManyRequests while `who`, or all that are unknown, have to wait.
        """
        now = self.clock()
        with self._lock:
            self._all = [at for at in self._all if now - at < LONGEST_WAIT]
            tries = self._tries.get(who) or _Tries()
            known = known or who in self._known
            wait = tries.until - now
            if not known and len(self._all) >= TRIES_OF_ALL:
                wait = LONGEST_WAIT - (now - self._all[0])
            if wait > 0:
                raise TooManyRequests(retry_after=round(wait) + 1)
            self._tries[who] = tries
            tries.wrong += 1
            if not known:
                self._all.append(now)
            if tries.wrong >= TRIES:
                tries.until = now + min(FIRST_WAIT * 2 ** min(tries.wrong - TRIES, DOUBLED), LONGEST_WAIT)
            if len(self._tries) > MOST_ADDRESSES:
                self._tries.pop(next(iter(self._tries)))
        return now

    def passed(self, who: str, counted: float) -> None:
        """It was right."""
        with self._lock:
            self._tries.pop(who, None)
            if counted in self._all:
                self._all.remove(counted)
            self._known[who] = None
            if len(self._known) > MOST_KNOWN:
                self._known.pop(next(iter(self._known)))

    def clear(self) -> None:
        """Nobody has to wait any more."""
        with self._lock:
            self._tries.clear()
            self._all.clear()
            self._known.clear()


@dataclass
class PinKeeper:
    """The PIN as a hash, in a file that only its owner may read. Another program may put a new one there: it holds at once.

    fresh: the PIN where this start has made it, to be shown once; else None. replaced: called when another program has made a
    new one.
    """

    path: Path | None
    clock: Callable[[], float] = time.monotonic
    fresh: str | None = None
    replaced: Callable[[], None] = lambda: None
    _seen: tuple[int, int] | None = None
    _hash: str = ""
    _turn: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        """Raises WebError where the file can't be read or written."""
        self._waits = Waits(self.clock)
        if self.path is not None and self.path.exists():
            self._load(self.path)
        else:
            self.reset()

    def reset(self) -> str:
        """A new PIN. Raises WebError where it can't be kept."""
        self.fresh = "".join(secrets.choice("0123456789") for _ in range(PIN_DIGITS))
        self.change(self.fresh)
        return self.fresh

    def change(self, pin: str) -> None:
        """Another PIN. Raises WebError where it can't be kept; then the one until now holds."""
        hashed = generate_password_hash(pin, HASH)
        with self._turn:
            if self.path is not None:
                _save(self.path, hashed)
                self._seen = _version(self.path)
            self._hash = hashed

    def look_again(self) -> None:
        """Takes the PIN that another program has put into the file since; nobody has to wait for wrong ones before it."""
        if self.path is None or _version(self.path) == self._seen:
            return
        with self._turn:
            before = self._hash
            try:
                self._load(self.path)
            except WebError:
                return  # It is just being written, or damaged: the PIN until now holds.
            if self._hash == before:
                return
        self._waits.clear()
        self.replaced()

    def check(self, pin: str, who: str, *, known: bool = False) -> bool:
        """Whether this is the PIN. Raises TooManyRequests while whoever asks, or all that are unknown, have to wait.

        who: the address, or whatever else tells one from the others. known: it has shown the PIN before; as an address from
        which the right PIN came once, it waits for its own wrong ones alone.
        """
        self.look_again()
        counted = self._waits.count(who, known=known)
        if not check_password_hash(self._hash, pin):
            return False
        self._waits.passed(who, counted)
        return True

    def _load(self, path: Path) -> None:
        seen = _version(path)
        try:
            # A pipe is not waited for, and more than a hash is not read.
            descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
            with os.fdopen(descriptor, "rb") as file:
                self._hash = _checked(_STORED.decode(file.read(LARGEST_FILE) or b"").pin)
            self._seen = seen
        except OSError as error:
            raise WebError(f"The desk's PIN file {path} can't be read ({error.strerror}).") from error
        except (ValueError, RecursionError) as error:
            raise WebError(
                f"The desk's PIN file {path} is damaged. Make a new PIN with: vrhcab pin --reset (with --config or --journal where "
                "the program was started so; where it runs as a service: sudo vrhcab pin --reset)"
            ) from error


def _checked(hashed: str) -> str:
    """A hash with which a PIN can be compared. Raises ValueError for any other."""
    if not _WHOLE.fullmatch(hashed):
        raise ValueError("no hash")
    check_password_hash(hashed, "")  # raises for a cost that can't be
    return hashed


def _save(path: Path, hashed: str) -> None:
    """Puts it there whole or not at all. Raises WebError."""
    new = path.with_suffix(".new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        new.unlink(missing_ok=True)
        descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                json.dump({"pin": hashed}, file)
            new.replace(path)
        except OSError:
            new.unlink()
            raise
    except OSError as error:
        raise WebError(f"The desk's PIN can't be kept in {path} ({error.strerror}).") from error


def _version(path: Path) -> tuple[int, int] | None:
    """Which file it is that lies there now; None for none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns


def good_pin(pin: str) -> bool:
    """Whether a PIN that a person has thought of may be one: enough digits, and none of those that are tried first."""
    if not (pin.isascii() and pin.isdigit() and PIN_DIGITS <= len(pin) <= LONGEST_PIN):
        return False
    steps = {int(after) - int(before) for before, after in pairwise(pin)}
    return steps not in ({0}, {1}, {-1})
