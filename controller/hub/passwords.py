"""Who may speak at the broker: Mosquitto's own files of passwords and rights, written here, so that nobody edits them."""

from __future__ import annotations

import base64
import hashlib
import os
import re
import secrets
from collections.abc import Iterable
from pathlib import Path

from controller.hub.errors import HubError
from controller.record.wire import NAME

ROUNDS = 101
"""Of PBKDF2, as Mosquitto 2 reads it. The passwords are random and long: guessing them is not what more rounds would slow down."""

RIGHTS = """# Written by vrhcab hub. Each board writes to its own topics and hears its own answers, and nothing else.
pattern write boards/%u/events
pattern write boards/%u/here
pattern read boards/%u/hub
pattern read hub/here

user hub
topic read boards/+/events
topic read boards/+/here
topic write boards/+/hub
topic write hub/here
"""


def new_password() -> str:
    """As long as a key."""
    return secrets.token_urlsafe(24)


def hashed(password: str) -> str:
    """As Mosquitto 2 keeps it: PBKDF2 with SHA-512."""
    salt = os.urandom(12)
    found = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, ROUNDS)
    return f"$7${ROUNDS}${base64.b64encode(salt).decode()}${base64.b64encode(found).decode()}"


class BrokerFiles:
    """The two files. Raises HubError where they can't be read or written."""

    def __init__(self, passwords: Path, rights: Path) -> None:
        self._passwords, self._rights = passwords, rights

    def names(self) -> tuple[str, ...]:
        """Who has a password, the hub among them."""
        return tuple(self._read())

    def add(self, name: str, *, replace: bool = False) -> str:
        """A password for that board, or for "hub"; it is shown this once. replace: it had one, which holds no longer."""
        return self.add_all((name,), replace=replace)[name]

    def add_all(self, names: Iterable[str], *, replace: bool = False) -> dict[str, str]:
        """The same for several, all or none of them."""
        held, added = self._read(), {}
        for name in names:
            if not re.fullmatch(NAME, name):
                raise HubError(
                    f"{name!r} can't be a board's name: small letters, digits and hyphens, 40 at most, such as board-7."
                )
            if name in held and not replace:
                raise HubError(f"{name} has a password already. For a new one: vrhcab hub add-board {name} --again")
            added[name] = new_password()
            held[name] = hashed(added[name])
        self._write(self._passwords, "".join(f"{one}:{kept}\n" for one, kept in held.items()))
        self._write(self._rights, RIGHTS)
        return added

    def remove(self, name: str) -> None:
        """It may speak no longer."""
        held = self._read()
        if held.pop(name, None) is None:
            raise HubError(f"There is no board {name}. There are: {', '.join(sorted(held)) or 'none'}.")
        self._write(self._passwords, "".join(f"{one}:{kept}\n" for one, kept in held.items()))

    def _read(self) -> dict[str, str]:
        try:
            lines = self._passwords.read_text("utf-8").splitlines() if self._passwords.exists() else []
        except (OSError, UnicodeError) as error:
            raise HubError(f"The broker's passwords {self._passwords} can't be read ({error}).") from error
        return dict(line.split(":", 1) for line in lines if ":" in line)

    @staticmethod
    def _write(path: Path, text: str) -> None:
        """Whole or not at all; readable to its group, which is the broker's."""
        new = path.with_name(f"{path.name}.new")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            new.unlink(missing_ok=True)
            descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o640)
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            there = path.stat() if path.exists() else path.parent.stat()
            if os.geteuid() == 0:
                os.chown(new, there.st_uid, there.st_gid)
            new.replace(path)
        except OSError as error:
            raise HubError(
                f"The broker's file {path} can't be written ({error.strerror}). Run this as its owner, for example with sudo."
            ) from error
