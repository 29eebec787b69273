"""Lets people of the hub in at the desks of its boards: passes, and which of them still hold."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from controller.hub.errors import StoreError
from controller.hub.people import Known, Person
from controller.record.passes import GuestPass, GuestRole, signed
from controller.record.wire import MOST_GUESTS
from web.sessions import SIGNED_IN


@dataclass(frozen=True)
class _Issued:
    who: str
    role: str
    at: float


@dataclass(frozen=True)
class DeskDoor:
    """What a board has said of its desk. page: where browsers find it; word: the newest for passes."""

    page: str = ""
    word: str = ""


class DeskPasses:
    """From any thread. In memory alone: after a new start of the hub whoever is at a desk by a pass comes in anew."""

    def __init__(self, known: Known, clock: Callable[[], float] = time.monotonic) -> None:
        self._known, self._clock = known, clock
        self._doors: dict[str, DeskDoor] = {}
        self._issued: dict[str, dict[str, _Issued]] = {}
        self._lock = threading.Lock()

    def heard(self, board: str, page: str, word: str) -> None:
        """A board speaks."""
        with self._lock:
            self._doors[board] = DeskDoor(page, word)

    def gone(self, board: str) -> None:
        """A board is silent, or was removed."""
        with self._lock:
            self._doors.pop(board, None)

    def page(self, board: str) -> str:
        """Where browsers find that board's page, as it says; "" where it has not."""
        with self._lock:
            return self._doors.get(board, DeskDoor()).page

    def address(self, board: str, key: str, person: Person) -> str | None:
        """Where that person gets in at the board's desk, once and soon; None where the board has not said how. Of more than
        MOST_GUESTS the oldest pass holds no longer."""
        role: GuestRole = "director" if person.may("director") else "scorer"
        with self._lock:
            door = self._doors.get(board)
            if door is None or not door.page or not door.word:
                return None
            identity, now = secrets.token_hex(12), self._clock()
            issued = [one for one in self._issued.get(board, {}).items() if now - one[1].at < SIGNED_IN]
            issued.append((identity, _Issued(person.name, person.role, now)))
            self._issued[board] = dict(issued[-MOST_GUESTS:])
        one = GuestPass(board, door.word, identity, person.name, role)
        return f"{door.page}/hub/enter?pass={signed(key, one)}"

    def holding(self, board: str) -> tuple[str, ...]:
        """Of the passes to that board those that still hold: of people who are what they were."""
        with self._lock:
            issued = self._issued.get(board, {})
        return tuple(identity for identity, one in issued.items() if self._is_still(one))

    def drop(self, who: str) -> None:
        """That person's passes hold no longer, at any board."""
        with self._lock:
            self._issued = {
                board: {identity: one for identity, one in issued.items() if one.who != who}
                for board, issued in self._issued.items()
            }

    def _is_still(self, one: _Issued) -> bool:
        try:
            person = self._known.person(one.who)
        except StoreError:
            return True  # The database is away: nobody knows better.
        return person is not None and person.role == one.role
