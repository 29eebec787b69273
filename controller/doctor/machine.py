"""The computer itself: temperature, throttling, disk, clock, network. Everything is read through a Machine, which tests replace."""

from __future__ import annotations

import errno
import http.client
import json
import os
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import msgspec

from controller.doctor.finding import Finding
from controller.run.own_address import EVERYWHERE, from_here, page_address
from controller.run.own_address import own_address as _own_address
from web.hosts import is_loopback

WARM_C, HOT_C = 70.0, 80.0
"""A Raspberry Pi slows itself down at 80 °C (85 °C at most), says its documentation; ten degrees below is time to act."""

DISK_PROBLEM, DISK_WARNING = 200_000_000, 1_000_000_000
"""Bytes free. A match's journal takes under 1 MB, evidence 200 KB a flag; the system itself needs room for updates."""

BUILT_IN = 2026
"""The clock of a Pi without network or battery starts years back; no game can have been played before this program was."""

COMMAND_LIMIT_S = 5.0
ANSWER_S = 2.0
LARGEST_ANSWER = 1 << 22
"""Bytes; a page's state has some thousand."""

# Bits of `vcgencmd get_throttled` (Raspberry Pi documentation): now in the low half, since the start 16 higher.
_THROTTLED = {
    0: "the voltage is too low",
    1: "the clock is capped",
    2: "the processor is slowed down",
    3: "it is too hot",
}


def _run(command: Sequence[str]) -> str | None:
    """What a system command prints; None where it is not there, fails or hangs."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=COMMAND_LIMIT_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


@dataclass(frozen=True)
class Machine:
    """root: where /sys and /proc are looked for."""

    root: Path = field(default_factory=lambda: Path("/"))

    def text(self, path: str) -> str | None:
        """A small file's text without its end, None where it can't be read. path: without the leading slash."""
        try:
            return (self.root / path).read_text(encoding="utf-8", errors="replace").strip("\0\n ")
        except OSError:
            return None

    def output_of(self, *command: str) -> str | None:
        """What a system command prints, None where it has nothing to say."""
        return _run(command)

    @property
    def model(self) -> str:
        """What the board calls itself, such as "Raspberry Pi 5 Model B Rev 1.0"; empty on a PC."""
        return self.text("proc/device-tree/model") or ""


def temperature(machine: Machine) -> Finding:
    """The processor's."""
    degrees = [
        int(text) / 1000
        for zone in sorted((machine.root / "sys/class/thermal").glob("thermal_zone*"))
        if (text := machine.text(str(zone.relative_to(machine.root) / "temp"))) is not None
        and text.lstrip("-").isdigit()
    ]
    if not degrees:
        return Finding("temperature", "note", "This machine does not tell its temperature.")
    sentence = f"The processor is at {max(degrees):.0f} °C."
    if max(degrees) >= HOT_C:
        return Finding(
            "temperature",
            "problem",
            sentence,
            "Give it a heat sink or a fan, and let air to it: it slows itself down now.",
        )
    if max(degrees) >= WARM_C:
        return Finding(
            "temperature",
            "warning",
            sentence,
            f"It slows itself down at {HOT_C:.0f} °C: let air to it, or give it a fan.",
        )
    return Finding("temperature", "ok", sentence)


def throttling(machine: Machine) -> Finding:
    """Whether a Raspberry Pi slows itself down, now or since its start."""
    state = machine.output_of("vcgencmd", "get_throttled")
    _, _, number = (state or "").partition("=")
    try:
        bits = int(number, 16)
    except ValueError:
        return Finding("throttling", "note", "Only a Raspberry Pi tells whether it slows itself down.")
    now = [words for bit, words in _THROTTLED.items() if bits >> bit & 1]
    before = [words for bit, words in _THROTTLED.items() if bits >> (bit + 16) & 1]
    do = (
        "Use the Raspberry Pi's own power supply and a short cable."
        if bits & 0x10001
        else "Give it a heat sink or a fan."
    )
    if now:
        return Finding("throttling", "problem", f"Right now {', '.join(now)}.", do)
    if before:
        return Finding("throttling", "warning", f"Since the start, at times {', '.join(before)}.", do)
    return Finding("throttling", "ok", "It runs at full speed and has since its start.")


def disk(journal: Path) -> Finding:
    """Room and permission where the games are kept. journal: the file, which need not exist yet."""
    folder = next(parent for parent in journal.absolute().parents if parent.exists())
    if not folder.is_dir():
        return Finding(
            "disk",
            "problem",
            f"{folder} is no folder, so no journal can lie in it.",
            "Move that file away, or name another journal under [journal] in the settings.",
        )
    written = journal if journal.exists() else folder
    if not os.access(written, os.W_OK):
        return Finding(
            "disk",
            "problem",
            f"{written} can't be written.",
            "Run this as the user that the referee runs as, or give it to that user.",
        )
    free = shutil.disk_usage(folder).free
    sentence = f"{free / 1e9:.1f} GB free where the games are kept, in {folder}."
    if free < DISK_PROBLEM:
        return Finding("disk", "problem", sentence, "Make room now: games can't be kept on a full disk.")
    if free < DISK_WARNING:
        return Finding("disk", "warning", sentence, "Make room, or move the journal (docs/config.md) to a larger disk.")
    return Finding("disk", "ok", sentence)


def clock(machine: Machine, now: float | None = None) -> Finding:
    """Whether the date can be true. Games are timed by a clock of their own, which nobody sets."""
    year = time.gmtime(now).tm_year
    synchronised = machine.output_of("timedatectl", "show", "--property=NTPSynchronized", "--value")
    if year < BUILT_IN:
        return Finding(
            "clock",
            "problem",
            f"The clock says {year}.",
            "Connect the network, or set it: sudo timedatectl set-time 'YYYY-MM-DD HH:MM'.",
        )
    if synchronised == "no":
        return Finding(
            "clock",
            "warning",
            "The clock is not set by the network.",
            "Records will bear this clock's date. To set it: sudo timedatectl set-ntp true.",
        )
    if synchronised is None:
        return Finding("clock", "note", f"The clock says {year}; nobody here knows whether the network sets it.")
    return Finding("clock", "ok", "The clock is set by the network.")


def network(host: str, port: int, *, https: bool = False) -> Finding:
    """Who can reach the page. host, port: where it is served; https: with a certificate of its own."""
    if not _is_here(host):
        return Finding(
            "network",
            "problem",
            f'"{host}" is no address of this machine.',
            'Under [web] in the settings, host = "127.0.0.1" is for this machine alone, "0.0.0.0" for the network.',
        )
    hindrance = getattr(_hindrance(host, port), "errno", None)
    taken = hindrance == errno.EADDRINUSE
    demo = taken and shows_demo(host, port)
    if demo or (taken and running_camera(host, port) is None):
        return Finding(
            "network",
            "problem",
            f"Port {port} is taken by {'a demo' if demo else 'another program'}.",
            f"{'End the demo, or choose' if demo else 'Choose'} another port for the page, under [web] in the settings.",
        )
    if hindrance == errno.EACCES and running_camera(host, port) is None:
        return Finding(
            "network",
            "warning",
            f"Port {port} is reserved for the system: root and the installed service may serve it, this user may not.",
            "Where this user starts the referee, choose a port from 1024 on, under [web] in the settings.",
        )
    if is_loopback(host):
        return Finding(
            "network",
            "note",
            "Only this machine can see the page.",
            'For phones: host = "0.0.0.0" under [web] in the settings.',
        )
    name = _own_address() if host in EVERYWHERE else host
    if name is None:
        return Finding(
            "network",
            "warning",
            "This machine is in no network, so no phone can see the page.",
            "Join a Wi-Fi (sudo nmtui), plug in a cable, or make the Pi a hotspot (docs/install.md).",
        )
    return Finding("network", "ok", f"Phones in this network find the page at {page_address(name, port, https=https)}.")


def _is_here(host: str) -> bool:
    return _hindrance(host, 0) is None


def _hindrance(host: str, port: int) -> OSError | UnicodeError | None:
    """Why a page can't be served there, None where it can. port: 0 for whichever is free."""
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[
            0
        ]
        with closing(socket.socket(family, kind)) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except (OSError, UnicodeError) as problem:
        return problem
    return None


def running_camera(host: str, port: int) -> tuple[str, tuple[tuple[str, ...], ...]] | None:
    """What the referee that serves its page there says of its camera ("ok", or a sentence), and of what makes its pictures hard to
    read, each in its sentences; "" where it has not said anything to viewers yet, None where none runs."""
    state = _asked(host, port, "/api/state")
    try:
        if state is None:
            msgspec.convert(_asked(host, port, "/healthz"), _Health)
            return "", ()
        answer = msgspec.convert(state, _Camera)
    except msgspec.ValidationError:
        return None
    return answer.camera, answer.picture


class _Camera(msgspec.Struct):
    camera: str
    picture: tuple[tuple[str, ...], ...] = ()


def shows_demo(host: str, port: int) -> bool:
    """Whether the page that is served there is a demo's: what it says of its camera is said of the simulated board."""
    with suppress(msgspec.ValidationError):
        return msgspec.convert(_asked(host, port, "/healthz"), _Health).demo
    return False


class _Health(msgspec.Struct):
    status: Literal["ok"]
    watchers: int
    demo: bool = False


def _asked(host: str, port: int, path: str) -> object:
    """What a page answers, with https or without; None where none answers in JSON. host: where it is served."""
    name, unverified = from_here(host), ssl._create_unverified_context()
    for connection in (
        http.client.HTTPConnection(name, port, timeout=ANSWER_S),
        http.client.HTTPSConnection(name, port, timeout=ANSWER_S, context=unverified),
    ):
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            if answer.status == 200:
                return json.loads(_body(answer))
        except (OSError, ValueError, http.client.HTTPException):
            continue
        finally:
            connection.close()
    return None


def _body(answer: http.client.HTTPResponse) -> bytes:
    """What is answered, or how it begins: another program, such as one that shows a camera's pictures, may answer without end."""
    body, until = b"", time.monotonic() + ANSWER_S
    while len(body) < LARGEST_ANSWER and time.monotonic() < until and (part := answer.read1(LARGEST_ANSWER)):
        body += part
    return body
