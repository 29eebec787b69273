"""`vrhcab doctor --bundle`: one zip to attach to a report, without names, addresses, serial numbers and passwords."""

from __future__ import annotations

import getpass
import io
import ipaddress
import json
import platform
import re
import socket
import zipfile
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from importlib.metadata import distributions
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec

from controller.config import Config, ConfigError, MatchConfig, journal_path
from controller.doctor.finding import Finding, in_words
from controller.doctor.machine import Machine
from controller.errors import ControllerError
from controller.record.journal import JournalError, read_events
from controller.record.owners import replace_file
from controller.run.joining import joined_path, load_joined

_LONG_ADDRESS = re.compile(r"(?<![\w:])[0-9A-Fa-f:]*:[0-9A-Fa-f:]*:[0-9A-Fa-f]+(?![\w:])")

LOG_LINES = 2000

NAMING = ("match", "names", "rewrite")
"""Events that hold what players and what is played are called: a match's first, what was said later, and corrections of both."""

README = """This is what `vrhcab doctor --bundle` gathered: its findings, the settings, versions, how many events of each kind the
journal holds, and the newest lines of the program's log. Players' names, the user's and the machine's name, network addresses,
serial numbers and passwords were replaced by words in <brackets>. No picture and no game is in it. Look through it before you
send it to anybody.
"""

_SECRET_KEYS = re.compile(r"password|secret|token|key$|pin\b|user(name)?$", re.IGNORECASE)
_PATTERNS = (
    (re.compile(r"\b[0-9A-Fa-f]{2}(?::[0-9A-Fa-f]{2}){5}\b"), "<hardware address>"),
    (re.compile(r"\b(?!127\.0\.0\.1\b|0\.0\.0\.0\b)(?:\d{1,3}\.){3}\d{1,3}\b"), "<address>"),
    (re.compile(r"\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+\b"), "<mail>"),
    (re.compile(r"(?i)(\bPIN\b[^:\n]*:\s*)\w+"), r"\1<removed>"),
    (re.compile(r"(?i)((?:key|token|secret)=)[^\s&\"']+"), r"\1<removed>"),
    (re.compile(r"(?<=/home/)[^/\s\"']+"), "<user>"),
    (re.compile(r"(?<=/by-id/)[^\s\"',]+"), "<device>"),
    (re.compile(r"(?<=://)[^/\s@]+@"), "<user>@"),
)


def redacted(text: str, private: Collection[str] = ()) -> str:
    """The text without addresses, mail, home folders, device serials, and without the words in `private`."""
    for pattern, word in _PATTERNS:
        text = pattern.sub(word, text)
    text = _LONG_ADDRESS.sub(_without_address, text)
    for name in sorted({name for name in private if name.strip()}, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "<name>", text, flags=re.IGNORECASE)
    return text


def _without_address(found: re.Match[str]) -> str:
    """An IPv6 address goes; a time of day, which is written with colons too, stays."""
    try:
        ipaddress.IPv6Address(found[0])
    except ValueError:
        return found[0]
    return "<address>"


def without_secrets(values: Mapping[str, Any]) -> dict[str, Any]:
    """Nested settings with every value replaced whose key names a password, a token, a user or a PIN."""
    return {
        key: without_secrets(value)
        if isinstance(value, Mapping)
        else "<removed>"
        if value and _SECRET_KEYS.search(key)
        else value
        for key, value in values.items()
    }


class BundleError(ControllerError):
    """Why there can be no bundle, in a sentence."""


def check_bundle(path: Path) -> None:
    """Says before the looks that the zip could not be written, or what it would overwrite. Raises BundleError."""
    if path.exists():
        raise BundleError(f"{path} exists already; choose a new name.")
    if not path.parent.is_dir():
        raise BundleError(f"{path} can't be written: there is no folder {path.parent}. Make it, or choose another.")


def write_bundle(path: Path, config: Config, findings: Iterable[Finding], machine: Machine | None = None) -> None:
    """Writes the zip, for its owner's eyes. Raises OSError where it can't be written."""
    findings, machine = tuple(findings), machine or Machine()
    events, names = _events(config)
    players = (*config.match.names, *config.match.team, *names)
    private = {name for name in players if name not in MatchConfig().names} | {*config.web.names}
    private |= {urlsplit(frame).hostname or "" for frame in config.web.overlay_frames}
    private |= {
        config.mqtt.host or "",
        config.hub.place[0],
        _joined_hub(config),
        config.web.overlay_key,
        config.match.event,
        config.match.place,
    }
    private |= {socket.gethostname(), _user()} - {"root", "vrhcab", "localhost", "pi"}
    log = machine.output_of("journalctl", "-u", "vrhcab", "-n", str(LOG_LINES), "--no-pager", "-o", "short-iso")
    settings = without_secrets(msgspec.to_builtins(config))
    pages = {
        "findings.txt": in_words(findings),
        "findings.json": msgspec.json.encode(findings).decode(),
        "settings.json": _json(settings),
        "journal.json": _json(events),
        "log.txt": log or "There is no log: the program does not run as a service here.",
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as bundle:
        bundle.writestr("README.txt", README)
        for name, text in pages.items():
            bundle.writestr(name, redacted(text, private) + "\n")
        # Versions such as 5.0.0.93 look like addresses and hold nothing private.
        bundle.writestr("versions.json", _json(_versions(machine)) + "\n")
    replace_file(path, packed.getvalue())


def _joined_hub(config: Config) -> str:
    """The host of the hub that this board has joined; "" where there is none, or nobody can read which."""
    try:
        joined = load_joined(joined_path(journal_path(config)))
    except ControllerError:
        return ""
    return joined.hub.place[0] if joined else ""


def _user() -> str:
    """Whoever runs this, "" for one whom the system has no name for, as in a container."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return ""


def _json(value: object) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False)


def _versions(machine: Machine) -> dict[str, str]:
    own = (
        "vrhcab",
        "numpy",
        "opencv-python-headless",
        "flask",
        "uvicorn",
        "gpiozero",
        "onnxruntime",
        "pyserial",
        "picamera2",
        "lgpio",
    )
    found = {dist.name.lower(): dist.version for dist in distributions() if dist.name}
    system = {
        "machine": machine.model or platform.machine(),
        "system": platform.platform(),
        "python": platform.python_version(),
    }
    return system | {name: found.get(name, "not installed") for name in own}


def _events(config: Config) -> tuple[dict[str, Any], set[str]]:
    """How many events of each kind, and the players' names, which must not be told."""
    kinds: Counter[str] = Counter()
    matches, names, first, last = set[str](), set[str](), "", ""
    try:
        journal = journal_path(config)
        if not journal.exists():
            return {"file": "none yet"}, names
        for event in read_events(journal):
            kinds[event.kind] += 1
            matches.add(event.match)
            first, last = first or event.wall_time, event.wall_time
            if event.kind in NAMING:
                names |= set(_named(msgspec.json.decode(event.payload)))
    except (ConfigError, JournalError, msgspec.DecodeError) as problem:
        return {"problem": str(problem), "kinds": dict(kinds)}, names
    return {"matches": len(matches), "first": first, "last": last, "kinds": dict(kinds)}, names


def _named(payload: object) -> Iterator[str]:
    """The names in an event's payload, and in those of events inside it."""
    if isinstance(payload, list):
        for one in payload:
            yield from _named(one)
    if isinstance(payload, dict):
        told = (payload.get(key) for key in ("light", "dark", "event", "place"))
        # What was drawn at the opening stands there, too, in numbers.
        yield from (one for one in told if isinstance(one, str))
        yield from map(str, team if isinstance(team := payload.get("team"), list) else ())
        yield from _named(list(payload.values()))
