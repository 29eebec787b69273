"""Who may use the hub's pages, and as what: kept in its database, added by `vrhcab hub add-person` or invited (invitations.py)."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal, Self, get_args

from werkzeug.security import check_password_hash, generate_password_hash

from controller.hub.acts import Acts
from controller.hub.errors import HubError, StoreError
from controller.referee.names import printable

AccountRole = Literal["viewer", "scorer", "director"]
ROLES: tuple[AccountRole, ...] = get_args(AccountRole)
"""Each may do what those before it may: look; answer what the hub has noticed; see who did what."""

FRESH_S = 5.0
"""Seconds for which what the database says of somebody holds: whoever is removed is out after that."""

LONGEST_NAME = 40
METHOD = "scrypt"
DECOY = generate_password_hash(secrets.token_hex(16), METHOD)
"""Checked where there is no such person, so that the time does not tell."""


@dataclass(frozen=True)
class Person:
    """Somebody who has a password."""

    name: str
    role: AccountRole

    def may(self, role: AccountRole) -> bool:
        """Whether what takes that role is theirs."""
        return ROLES.index(self.role) >= ROLES.index(role)


class Register(Acts):
    """The people in the database; one thread at a time. Every method raises StoreError."""

    def add(self, name: str, role: AccountRole, *, replace: bool = False) -> str:
        """Gives a password, which is shown this once. replace: they had one. Raises HubError for a name that can't be."""
        check_name(name)
        password = "-".join(secrets.token_hex(2) for _ in range(4))
        hashed = generate_password_hash(password, METHOD)
        there = "do update set role = excluded.role, password = excluded.password" if replace else "do nothing"
        with self.transaction():
            done = self._rows(
                f"insert into people (name, role, password) values (%s, %s, %s) on conflict (name) {there} returning name",
                (name, role, hashed),
            )
            if not done:
                raise HubError(f"{name} has a password already. For a new one add --again.")
            self._end_offers(name)
        return password

    def remove(self, name: str) -> None:
        """They may use the pages no longer. Raises HubError where there is nobody of that name."""
        with self.transaction():
            if not self._rows("delete from people where name = %s returning name", (name,)):
                raise HubError(f"There is nobody called {name!r}. There are: {', '.join(self.roles()) or 'none'}.")
            self._end_offers(name)

    def _end_offers(self, name: str) -> None:
        """No board joins with a code of theirs any more, and nobody comes by their invitations."""
        self._rows("delete from codes where made_by = %s returning board", (name,))
        self._rows("delete from invitations where made_by = %s returning name", (name,))

    def roles(self) -> dict[str, AccountRole]:
        """Everybody's role."""
        return {row[0]: row[1] for row in self._rows("select name, role from people order by name")}

    def kept(self) -> dict[str, tuple[AccountRole, str]]:
        """Everybody's role, and their password's hash."""
        return {row[0]: (row[1], row[2]) for row in self._rows("select name, role, password from people")}

    def is_right(self, name: str, password: str) -> bool:
        """Whether this is their password; takes as long where there is nobody of that name."""
        rows = self._rows("select password from people where name = %s", (name,))
        return check_password_hash(rows[0][0] if rows else DECOY, password) and bool(rows)


def check_name(name: str) -> None:
    """Raises HubError where nobody can be called so."""
    if not name or name != printable(name) or len(name) > LONGEST_NAME:
        raise HubError(f"{name!r} can't be somebody's name: at most {LONGEST_NAME} letters that can be printed.")


class Known:
    """What the database said of people a moment ago. From any thread; raises StoreError where it has to ask and can't.

    While it is open it looks by itself, too: whoever is removed by the command may have pages open that ask for nothing."""

    def __init__(self, url: str) -> None:
        self._url = url
        self.changed: Callable[[str], None] = lambda name: None
        """Takes a name that has another password than it had, or none any more, whoever did that: here or by the command."""
        self._lock = threading.Lock()
        self._people: dict[str, tuple[AccountRole, str]] = {}
        self._at = float("-inf")
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._look, name="known", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join(timeout=FRESH_S)

    def _look(self) -> None:
        while not self._stop.wait(FRESH_S):
            with suppress(StoreError):  # The intake says so.
                self.person("")

    def person(self, name: str) -> Person | None:
        """Who that is now."""
        changed: list[str] = []
        with self._lock:
            if time.monotonic() - self._at > FRESH_S:
                before, self._people = self._people, self._read()
                self._at = time.monotonic()
                changed = [one for one, (_, password) in before.items() if self._password(one) != password]
            found = self._people.get(name)
        for one in changed:
            self.changed(one)
        return None if found is None else Person(name, found[0])

    def person_now(self, name: str) -> Person | None:
        """The same, asked of the database."""
        with self._lock:
            self._at = float("-inf")
        return self.person(name)

    def _password(self, name: str) -> str | None:
        found = self._people.get(name)
        return None if found is None else found[1]

    def _read(self) -> dict[str, tuple[AccountRole, str]]:
        register = Register(self._url)
        try:
            return register.kept()
        finally:
            register.close()
