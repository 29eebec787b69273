"""What the broker lets whom say and hear, as Mosquitto's dynamic security plugin has it: roles, and the file that it begins with.

The plugin owns its file from then on; whoever comes or goes later, the hub tells it (broker_admin.py).
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from controller.hub.errors import HubError
from controller.record.owners import new_file
from controller.record.wire import HUB_HERE, NAME, topic

ROUNDS = 101
"""Of PBKDF2, as Mosquitto 2 has it. The passwords are random and long: guessing them is not what more rounds would slow down."""

CONTROL = "$CONTROL/dynamic-security/v1"
ANSWERS = f"{CONTROL}/response"

FOLDERS = ("/usr/lib/*/", "/usr/lib/", "/usr/local/lib/")
PLUGIN = "mosquitto_dynamic_security.so"

_KEPT = re.compile(r"\$7\$(\d{1,6})\$([A-Za-z0-9+/=]+)\$([A-Za-z0-9+/=]+)")

Table = dict[str, Any]


def plugin_path() -> Path | None:
    """Where Debian's mosquitto package has the plugin; None where it is not."""
    return next((path for folder in FOLDERS for path in sorted(Path("/").glob(f"{folder[1:]}{PLUGIN}"))), None)


def new_password() -> str:
    """As long as a key."""
    return secrets.token_urlsafe(24)


def check_board(name: str, hub: str) -> None:
    """Raises HubError for what can't be a board's name. hub: the hub's own at the broker."""
    if not re.fullmatch(NAME, name):
        raise HubError(
            f"{name!r} can't be a board's name: small letters, digits and hyphens, 40 at most, such as board-7."
        )
    if name == hub:
        raise HubError(f"{name} is the hub's own name at the broker. Give the board another.")


def board_role(name: str) -> Table:
    """A board writes to its own topics and hears its own answers, and nothing else."""
    sends = [_may("publishClientSend", topic(name, what)) for what in ("events", "here")]
    topics = (topic(name, "hub"), HUB_HERE)
    hears = [_may(kind, one) for one in topics for kind in ("subscribeLiteral", "publishClientReceive")]
    return {"rolename": name, "acls": sends + hears}


def hub_role(hub: str) -> Table:
    """The hub hears all of them, answers each, and says who may speak."""
    sends = [_may("publishClientSend", one) for one in (topic("+", "hub"), HUB_HERE, CONTROL)]
    topics = (topic("+", "events"), topic("+", "here"), ANSWERS)
    hears = [_may(kind, one) for one in topics for kind in ("subscribePattern", "publishClientReceive")]
    return {"rolename": hub, "acls": sends + hears}


def first_rights(passwords: Mapping[str, str], hub: str = "hub") -> Table:
    """The plugin's file for a hub and boards with these passwords."""
    return _file({name: _hashed(password) for name, password in passwords.items()}, hub)


def moved_rights(password_file: str, hub: str = "hub") -> Table:
    """The same for everybody in a password file of Mosquitto 2: whoever could speak, still can, by the same password.

    Raises HubError where somebody's is kept otherwise, or the hub is not among them: nobody could say who may speak."""
    kept: dict[str, Table] = {}
    for line in password_file.splitlines():
        name, _, rest = line.strip().partition(":")
        if not name:
            continue
        found = _KEPT.fullmatch(rest)
        if found is None:
            raise HubError(f"The password of {name!r} is not kept as Mosquitto 2 keeps it. Nothing was moved.")
        if name != hub:
            check_board(name, hub)
        kept[name] = {"iterations": int(found[1]), "salt": found[2], "password": found[3]}
    if hub not in kept:
        raise HubError(
            f"There is no password of {hub!r}, the hub, in it: [broker] name says what it is called. Nothing was moved."
        )
    return _file(kept, hub)


def write_rights(path: Path, rights: Table) -> None:
    """The plugin's file; readable to its owner alone, who is the folder's where root writes it.

    Raises HubError, also where there is one: it is the broker's, and who joined since stands in it."""
    try:
        with new_file(path) as file:
            file.write(json.dumps(rights, indent=1).encode())
            file.flush()
            os.fsync(file.fileno())
    except FileExistsError as error:
        raise HubError(f"{path} is there already: the broker keeps in it who may speak.") from error
    except OSError as error:
        raise HubError(f"The broker's file {path} can't be written ({error.strerror}).") from error


def _file(kept: Mapping[str, Table], hub: str) -> Table:
    clients = [{"username": name, **one, "roles": [{"rolename": name}]} for name, one in kept.items()]
    return {
        "defaultACLAccess": {
            "publishClientSend": False,
            "publishClientReceive": False,
            "subscribe": False,
            "unsubscribe": True,
        },
        "clients": clients,
        "groups": [],
        "roles": [hub_role(hub) if name == hub else board_role(name) for name in kept],
    }


def _may(kind: str, what: str) -> Table:
    return {"acltype": kind, "topic": what, "priority": 0, "allow": True}


def _hashed(password: str) -> Table:
    salt = os.urandom(12)
    found = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, ROUNDS)
    return {
        "password": base64.b64encode(found).decode(),
        "salt": base64.b64encode(salt).decode(),
        "iterations": ROUNDS,
    }
