"""A siege: a refereed game with honest viewers and an operator, first left alone, then while an attack goes on."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.attacking.film import FPS, make_film
from benchmarks.attacking.findings import Finding, Ground, judged, told
from benchmarks.attacking.marks import marks_of
from benchmarks.attacking.program import LEASH, Board, Notified, Operator, Program, fetch

ROOT = Path(__file__).resolve().parents[2]
VIEWERS, QUICK_VIEWERS, EACH = 500, 100, 10
FILES = 1024
"""systemd's default limit of open files; the unit may ask for more, the program must not need it."""

P99_S, COMMAND_S, PACE, SHOWN_S = 0.250, 1.0, 0.9, 2.0
MEMORY_MB = 300.0
"""What an attack may add."""


@dataclass
class Phase:
    """One stretch of time. began, ended: seconds since 1970; sent: when each mark that was taken was sent, for what was refused is
    shown to nobody; commands: s, inf for none; refused: what was answered."""

    began: float = 0.0
    ended: float = 0.0
    fps: float = 0.0
    sent: dict[int, float] = field(default_factory=dict)
    commands: list[float] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)


@dataclass
class Measured:
    """What a siege has shown. attacker: what the attack says of itself; p99 of views in s by phase."""

    before: Phase
    during: Phase
    p99_before: float
    p99: float
    slowest_view: float
    lost: int
    silence: float
    memory: float
    spooled: int
    written: int
    alive: bool
    back_s: float | None
    attacker: dict[str, Any]
    ready: int
    viewers: int
    came: list[float]


def film_settings(pipe: Path) -> str:
    """The settings of a table before the camera of film.py; a match without an end, so that marks can be told apart."""
    return (
        f'[camera]\nsource = "video:{pipe}"\n[match]\nlength = 0\n[panel]\nkind = "virtual"\n'
        '[rules]\ndevice.role = "monitor"\n'
    )


def besiege(
    ground: Ground,
    attack: Sequence[str],
    *,
    seconds: float = 30.0,
    files: int = FILES,
    journal: Path | None = None,
    each: int = EACH,
) -> Measured:
    """Measures one attack of greedy.py. attack: its arguments after the port and the seconds; journal: one to begin with;
    each: honest viewers at one address."""
    viewers = ground.count(VIEWERS, QUICK_VIEWERS)
    quiet, seconds = ground.count(12, 6), seconds if not ground.quick else min(seconds, 10.0)
    pipe, counted, film = ground.folder / "camera.y4m", ground.folder / "counted", ground.cache / "film.yuv"
    make_film(film)
    pipe.touch()
    counted.write_text("0")
    board = Board(ground.folder, film_settings(pipe), journal=journal or Path())
    with ExitStack() as stack:
        notified = Notified(ground.folder)
        stack.callback(notified.close)
        limits = ("prlimit", f"--nofile={files}:{files}", "--")
        camera = _module("film", str(pipe), str(film), str(counted))
        stack.callback(_end, camera)
        stack.callback(subprocess.run, ["umount", "-l", str(pipe)], check=False, capture_output=True)
        assert camera.stdout is not None
        if camera.stdout.readline().strip() != "ready":
            raise RuntimeError("This machine lets nobody mount a file of FUSE, which is the camera; root may.")
        program = stack.enter_context(board.running(before=limits, environment=notified.environment))
        program.wait_page()
        time.sleep(1)
        if int(counted.read_text()) < 1:
            raise RuntimeError(f"The program does not take the camera: {program.output[-300:]}")
        operator = board.operator(program, "127.0.0.2")
        audience = _module("audience", str(program.port), str(viewers), str(each))
        stack.callback(_end, audience)
        assert audience.stdin is not None
        assert audience.stdout is not None
        ready = int(audience.stdout.readline().split()[1])
        time.sleep(2)
        before, during = Phase(), Phase()
        _operate(operator, before, quiet, counted, 1000)
        memory, written = program.resident(), program.written()
        began = time.monotonic()
        attacker = _module("greedy", str(program.port), str(seconds), *attack, nice=5)
        stack.callback(_end, attacker)
        watch, newcomers = _Watch(program), Newcomers(program.port)
        _operate(operator, during, seconds, counted, 50_000, watch)
        came = newcomers.end()
        said, _ = attacker.communicate(timeout=90)
        memory, written = watch.memory - memory, program.written() - written
        back_s = _comes_back(program)
        silence = notified.longest(began)
        audience.stdin.write("\n")
        audience.stdin.flush()
        views = json.loads(audience.stdout.readline())
        times = marks_of(board.journal, ground.folder / "copy")
        alive = program.alive
    delays_before, delays = (_delays(views["seen"], phase, times) for phase in (before, during))
    return Measured(
        before,
        during,
        _quantile(delays_before, 0.99),
        _quantile(delays, 0.99),
        max(delays, default=float("inf")),
        views["lost"],
        silence,
        memory,
        watch.spooled,
        written,
        alive,
        back_s,
        _report(said),
        ready,
        viewers,
        came,
    )


def findings(measured: Measured, *, more: Sequence[Finding] = ()) -> Iterator[Finding]:
    """What must hold in every siege."""
    during, before = measured.during, measured.before
    yield told("the attack", json.dumps(measured.attacker)[:400])
    yield judged(
        "viewers served before it",
        f"{measured.ready} of {measured.viewers}, p99 {measured.p99_before * 1000:.0f} ms",
        f"all, p99 {P99_S * 1000:.0f} ms",
        held=measured.ready == measured.viewers and measured.p99_before <= P99_S,
    )
    yield judged(
        "views of honest viewers, from the journal's time to the phone",
        f"p99 {measured.p99 * 1000:.0f} ms, longest {measured.slowest_view * 1000:.0f} ms, {measured.lost} streams lost",
        f"p99 {P99_S * 1000:.0f} ms, no stream lost",
        held=measured.p99 <= P99_S and not measured.lost,
    )
    slowest = max(during.commands, default=float("inf"))
    yield judged(
        "the operator's commands",
        f"slowest {slowest:.2f} s of {len(during.commands)} (before: {max(before.commands, default=0):.2f} s), "
        f"{len(during.refused)} refused{''.join(f' ({why})' for why in during.refused[:3])}",
        f"{COMMAND_S:.0f} s, none refused",
        held=slowest <= COMMAND_S and not during.refused,
    )
    yield judged(
        "frames a second",
        f"{during.fps:.2f} (before: {before.fps:.2f}, camera {FPS})",
        f"{PACE:.0%} of before",
        held=during.fps >= PACE * before.fps > 0,
    )
    yield judged(
        "longest silence of the watchdog",
        f"{measured.silence:.1f} s{'' if measured.alive else ', the program has ended'}",
        f"{Notified.LIMIT_S:.0f} s",
        held=measured.alive and measured.silence <= Notified.LIMIT_S,
    )
    yield judged(
        "memory and disk that it took",
        f"{measured.memory:+.0f} MB resident, {measured.spooled / 1e6:.1f} MB spooled, {measured.written / 1e6:.1f} MB written",
        f"{MEMORY_MB:.0f} MB, 8 MB in files without a name",
        held=measured.memory <= MEMORY_MB and measured.spooled <= 8 << 20,
    )
    late = sum(seconds > SHOWN_S for seconds in measured.came)
    yield judged(
        "new viewers from new addresses meanwhile, until their first view",
        f"{late} of {len(measured.came)} not within {SHOWN_S:.0f} s, median {_quantile(measured.came, 0.5):.2f} s",
        "at most one in ten late",
        held=bool(measured.came) and late <= len(measured.came) / 10,
    )
    yield judged(
        "a new viewer's page after it",
        f"after {measured.back_s:.2f} s" if measured.back_s is not None else "none within 30 s",
        "1 s",
        held=measured.back_s is not None and measured.back_s <= 1,
    )
    yield from more


class Newcomers(threading.Thread):
    """Every second somebody from a new address opens the page's stream, and stays; seconds until the first view, inf for none."""

    def __init__(self, port: int) -> None:
        super().__init__(daemon=True)
        self._port, self._done, self._came = port, threading.Event(), list[float]()
        self.start()

    def run(self) -> None:
        number = 0
        with ExitStack() as stack:
            while not self._done.wait(1):
                number += 1
                began = time.monotonic()
                try:
                    line = socket.create_connection(("127.0.0.1", self._port), 5, (f"127.2.0.{number}", 0))
                    stack.callback(line.close)
                    line.sendall(f"GET /events HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\n\r\n".encode())
                    line.settimeout(5)
                    got = b""
                    while b"data: {" not in got and (part := line.recv(65536)):
                        got += part
                except OSError:
                    got = b""
                self._came.append(time.monotonic() - began if b"data: {" in got else float("inf"))

    def end(self) -> list[float]:
        """How long each had to wait."""
        self._done.set()
        self.join(10)
        return list(self._came)


class _Watch:
    """Samples what the program holds."""

    def __init__(self, program: Program) -> None:
        self._program, self.memory, self.spooled = program, 0.0, 0

    def look(self) -> None:
        self.memory = max(self.memory, self._program.resident())
        self.spooled = max(self.spooled, self._program.spooled())


def _operate(
    operator: Operator, phase: Phase, seconds: float, counted: Path, first: int, watch: _Watch | None = None
) -> None:
    """A command a second, each with a mark of its own; the camera's frames meanwhile."""
    frames, began = int(counted.read_text()), time.monotonic()
    phase.began, number = time.time(), first
    while (now := time.monotonic() - began) < seconds:
        number += 1
        sent = time.time()
        reply = operator.mark(number)
        phase.commands.append(reply.seconds if reply.status == 200 else float("inf"))
        if reply.status == 200:
            phase.sent[number] = sent
        else:
            phase.refused.append(f"{reply.status} {reply.body.decode('utf-8', 'replace')[:60]}")
        while time.monotonic() - began < now + 1:
            if watch is not None:
                watch.look()
            time.sleep(0.1)
    phase.fps = (int(counted.read_text()) - frames) / (time.monotonic() - began)
    phase.ended = time.time()


def _delays(seen: list[list[tuple[int, float]]], phase: Phase, times: dict[int, float]) -> list[float]:
    """For each viewer and mark, seconds from the journal's time of it to the first view that shows it or a later one."""
    found = []
    for number, sent in phase.sent.items():
        written = times.get(number, sent)
        for views in seen:
            arrived = next((at for mark, at in views if mark >= number), None)
            found.append(max(0.0, arrived - written) if arrived is not None else 60.0)
    return found


def _quantile(delays: list[float], part: float) -> float:
    delays = sorted(delays)
    return delays[min(int(len(delays) * part), len(delays) - 1)] if delays else float("inf")


def _comes_back(program: Program) -> float | None:
    """Seconds after the attack until a new viewer is shown the page."""
    began = time.monotonic()
    while time.monotonic() - began < 30:
        if fetch(program.port, "/?lang=en", source="127.0.0.9", timeout=30).status in (200, 302, 303):
            return time.monotonic() - began
        time.sleep(0.1)
    return None


def _module(name: str, *arguments: str, nice: int = 0) -> subprocess.Popen[str]:
    """One of this folder's programs."""
    command = [sys.executable, "-m", f"benchmarks.attacking.{name}", *arguments]
    return subprocess.Popen(
        [*LEASH, *(("nice", "-n", str(nice)) if nice else ()), *command],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )


def _end(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            stream.close()


def _report(said: str) -> dict[str, Any]:
    lines = said.strip().splitlines()
    try:
        found = json.loads(lines[-1]) if lines else {}
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
