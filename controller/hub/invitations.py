"""Invitations: whoever has one chooses a password and is somebody at the hub from then on, without anybody at its machine."""

from __future__ import annotations

import hashlib
import secrets

from werkzeug.security import generate_password_hash

from controller.hub import people
from controller.hub.people import AccountRole, Person, Register
from vision.sentence import Sentence

HOURS = 24
"""For which an invitation holds."""

SHORTEST, LONGEST = 8, 64
"""Letters of a password that somebody chooses (NIST SP 800-63B, 5.1.1)."""

_HOLDS = "until > now() and exists (select from people d where d.name = made_by and d.role = 'director')"
"""Of an invitation: as long as whoever made it may invite. A director who is removed comes back by none of his own."""


class Invitations(Register):
    """Those of the database. Every method raises StoreError."""

    def invite(self, who: str, name: str, role: AccountRole) -> str:
        """A code for that name, which is shown this once, in the place of an earlier one. Raises HubError for no name."""
        people.check_name(name)
        code = secrets.token_urlsafe(24)
        with self.transaction():
            self._rows(
                "insert into invitations (name, role, code, made_by, until) "
                "values (%s, %s, %s, %s, now() + make_interval(hours => %s)) "
                "on conflict (name) do update set role = excluded.role, code = excluded.code, made_by = excluded.made_by, "
                "until = excluded.until returning name",
                (name, role, _kept(code), who, HOURS),
            )
            self.keep_act(who, Sentence("has invited"), name)
        return code

    def invited(self, code: str) -> Person | None:
        """Whom it is for; None where it is none, or holds no longer."""
        rows = self._rows(f"select name, role from invitations where code = %s and {_HOLDS}", (_kept(code),))
        return Person(*rows[0]) if rows else None

    def accept(self, code: str, password: str) -> Person | None:
        """Uses it up: that name has this password and its role from now on. None as invited()."""
        hashed = generate_password_hash(password, people.METHOD)
        with self.transaction():
            rows = self._rows(
                f"delete from invitations where code = %s and {_HOLDS} returning name, role", (_kept(code),)
            )
            if not rows:
                return None
            person = Person(*rows[0])
            self._rows(
                "insert into people (name, role, password) values (%s, %s, %s) on conflict (name) "
                "do update set role = excluded.role, password = excluded.password returning name",
                (person.name, person.role, hashed),
            )
            self._end_offers(person.name)
            self.keep_act(person.name, Sentence("accepted an invitation"))
        return person

    def waiting(self) -> tuple[tuple[str, AccountRole, str], ...]:
        """Names that have not accepted yet, their roles, and until when they can (UTC)."""
        rows = self._rows(
            "select name, role, to_char(until at time zone 'UTC', 'YYYY-MM-DD HH24:MI') from invitations "
            f"where {_HOLDS} order by name"
        )
        return tuple((row[0], row[1], row[2]) for row in rows)

    def dismiss(self, who: str, name: str) -> None:
        """That name's password and invitation hold no longer."""
        with self.transaction():
            gone = [
                *self._rows("delete from people where name = %s returning name", (name,)),
                *self._rows("delete from invitations where name = %s returning name", (name,)),
            ]
            self._end_offers(name)
            if gone:
                self.keep_act(who, Sentence("has taken the password of"), name)


def _kept(code: str) -> str:
    return hashlib.sha256(code.encode("utf-8", "replace")).hexdigest()
