"""A hub under load: real Mosquitto and PostgreSQL, real journals and outboxes, all on this machine, over loopback.

    python benchmarks/hub.py live --boards 100 --seconds 120    one event each 2 s; each timed from the board's disk to the wall
    python benchmarks/hub.py backlog --boards 200 --events 2000 a day's backlog arrives at once
    python benchmarks/hub.py kills --boards 4 --times 50        the hub killed (SIGKILL) at random moments
      ... --csv benchmarks/hub.csv                              appends the figures

The hub is a process of its own, as are broker and database; the boards are threads of this one, which shares the cores with them.
So the figures are worse than with boards on machines of their own. At the end every board's journal is compared
with the database, event by event: missing, different.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
import psycopg

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.rows import add_row, stamp  # noqa: E402
from controller.config import WebConfig  # noqa: E402
from controller.hub.services import Hall, free_port  # noqa: E402
from controller.record.journal import StoredEvent  # noqa: E402
from controller.run.outbox import Outbox  # noqa: E402
from controller.run.simulated_boards import SimulatedBoard  # noqa: E402

PACE_S = 2.0


class HubProcess:
    """`vrhcab hub` with settings for this hall."""

    def __init__(self, hall: Hall, folder: Path) -> None:
        settings = hall.settings(WebConfig(port=free_port()))
        self.address = f"http://127.0.0.1:{settings.web.port}/"
        self._file = folder / "hub.toml"
        broker = settings.broker
        self._file.write_text(
            f'public = true\n[broker]\nhost = "127.0.0.1"\nport = {broker.port}\npassword = "{broker.password}"\ntls = false\n'
            f'[database]\nurl = "{settings.database.url}"\n[web]\nport = {settings.web.port}\n',
            "utf-8",
        )
        self._log = folder / "hub.log"
        self.start()

    def start(self) -> None:
        """Answers when this returns."""
        program = [str(Path(sys.executable).with_name("vrhcab")), "hub", "--config", str(self._file)]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(program, stdout=log, stderr=log)
        while True:
            with suppress(OSError):
                urllib.request.urlopen(f"{self.address}healthz", timeout=5).close()
                return
            if self._process.poll() is not None:
                raise SystemExit(self._log.read_text("utf-8"))
            time.sleep(0.05)

    def kill(self) -> None:
        """At once, in the middle of whatever it does."""
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    @property
    def cpu_s(self) -> float:
        """Seconds of a core that it has had."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def memory_mb(self) -> int:
        """Resident, at its highest."""
        lines = Path(f"/proc/{self._process.pid}/status").read_text().splitlines()
        return int(next(line.split()[1] for line in lines if line.startswith("VmHWM"))) // 1024

    def stop(self) -> None:
        """In an orderly way."""
        self._process.terminate()
        self._process.wait(60)


@contextmanager
def opened(boards: int) -> Iterator[tuple[Hall, HubProcess, Path, tuple[str, ...]]]:
    """A hall for that many boards with its hub, in a folder that goes afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="vrhcab-hub-"))
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        names = tuple(f"board-{number}" for number in range(1, boards + 1))
        hall = stack.enter_context(Hall(folder, names))
        hub = HubProcess(hall, folder)
        stack.callback(hub.stop)
        yield hall, hub, folder, names


def arrived(boards: list[SimulatedBoard], outboxes: list[Outbox], within: float) -> float:
    """Seconds until the hub has confirmed everything; inf where it never did."""
    begun = time.monotonic()
    while any(outbox.confirmed != board.journal.last for board, outbox in zip(boards, outboxes, strict=True)):
        if time.monotonic() - begun > within:
            return float("inf")
        time.sleep(0.05)
    return time.monotonic() - begun


def compared(hall: Hall, names: tuple[str, ...], boards: list[SimulatedBoard]) -> dict[str, int]:
    """The database with the journals."""
    events = missing = different = 0
    with psycopg.connect(hall.database.url) as connection:
        for name, board in zip(names, boards, strict=True):
            rows = connection.execute(
                "select sequence, journal_board, match, game, kind, version, wall_time, payload from events "
                "where board = %s order by sequence",
                (name,),
            ).fetchall()
            there = list(board.journal.events())
            kept = [StoredEvent(*row) for row in rows]
            events += len(there)
            missing += len(there) - len(kept)
            different += sum(one != other for one, other in zip(there, kept, strict=False))
    return {"events": events, "missing": missing, "different": different}


class Watching(threading.Thread):
    """Somebody who follows the wall: when each board's tile came last."""

    def __init__(self, address: str) -> None:
        super().__init__(daemon=True)
        self._address = address
        self.acted: dict[str, float] = {}
        self.took: list[float] = []

    def run(self) -> None:
        """Until the hub ends."""
        with suppress(OSError), urllib.request.urlopen(f"{self._address}events", timeout=60) as stream:
            for line in stream:
                if line.startswith(b"data: {"):
                    now = time.monotonic()
                    for tile in json.loads(line[6:])["tiles"]:
                        begun = self.acted.pop(tile["board"], None)
                        if begun is not None:
                            self.took.append(now - begun)


def live(boards: int, seconds: float) -> dict[str, Any]:
    """One event each 2 s at every board."""
    with opened(boards) as (hall, hub, folder, names), ExitStack() as stack:
        made = [SimulatedBoard(folder / name, seed) for seed, name in enumerate(names)]
        outboxes = [
            stack.enter_context(Outbox(hall.board(name), board.journal, lambda said: None))
            for name, board in zip(names, made, strict=True)
        ]
        arrived(made, outboxes, 120)
        watching = Watching(hub.address)
        watching.start()
        time.sleep(2.0)
        watching.took.clear()
        cpu, own, begun, turn = hub.cpu_s, time.process_time(), time.monotonic(), 0
        while time.monotonic() - begun < seconds:
            name = names[turn % boards]
            made[turn % boards].act()
            watching.acted.setdefault(name, time.monotonic())  # What was not seen yet still waits.
            turn += 1
            time.sleep(max(0.0, begun + turn * PACE_S / boards - time.monotonic()))
        lasted = time.monotonic() - begun
        cpu, own = hub.cpu_s - cpu, time.process_time() - own
        arrived(made, outboxes, 60)
        took = np.array(watching.took) * 1000
        figures: dict[str, Any] = {
            "what": "live",
            "boards": boards,
            "seconds": round(lasted),
            **compared(hall, names, made),
        }
        figures |= {"p50_ms": round(float(np.median(took))), "p99_ms": round(float(np.percentile(took, 99)))}
        figures |= {
            "max_ms": round(float(took.max())),
            "timed": len(took),
            "hub_core_percent": round(100 * cpu / lasted, 1),
        }
        return figures | {"boards_core_percent": round(100 * own / lasted, 1), "hub_mb": hub.memory_mb}


def backlog(boards: int, events: int) -> dict[str, Any]:
    """Every board comes with a day's events; one more plays on meanwhile, and its way to the wall is timed."""
    with opened(boards + 1) as (hall, hub, folder, names), ExitStack() as stack:
        first = SimulatedBoard(folder / "first", 1)
        while first.journal.last < events:
            first.act()
        first.close()
        for name in names[:-1]:
            shutil.copytree(folder / "first", folder / name)
        made = [SimulatedBoard(folder / name, seed) for seed, name in enumerate(names)]
        last = stack.enter_context(Outbox(hall.board(names[-1]), made[-1].journal, lambda said: None))
        watching = Watching(hub.address)
        watching.start()
        time.sleep(2.0)
        cpu, begun = hub.cpu_s, time.monotonic()
        outboxes = [
            stack.enter_context(Outbox(hall.board(name), board.journal, lambda said: None))
            for name, board in zip(names[:-1], made[:-1], strict=True)
        ]
        done = threading.Event()

        def play() -> None:
            while not done.is_set():
                made[-1].act()
                watching.acted.setdefault(names[-1], time.monotonic())
                done.wait(1.0)

        player = threading.Thread(target=play)
        player.start()
        took_s = arrived(made[:-1], outboxes, 600)
        done.set()
        player.join()
        lasted, cpu = time.monotonic() - begun, hub.cpu_s - cpu
        arrived(made, [*outboxes, last], 60)
        if not watching.took:
            raise SystemExit("The backlog was taken in before one event was timed: take more boards or events.")
        took = np.array(watching.took) * 1000
        figures: dict[str, Any] = {"what": "backlog", "boards": boards, "seconds": round(took_s, 1)}
        figures |= compared(hall, names, made)
        figures |= {"p50_ms": round(float(np.median(took))), "p99_ms": round(float(np.percentile(took, 99)))}
        figures |= {
            "max_ms": round(float(took.max())),
            "timed": len(took),
            "hub_core_percent": round(100 * cpu / lasted, 1),
        }
        return figures | {"boards_core_percent": "", "hub_mb": hub.memory_mb}


def kills(boards: int, times: int) -> dict[str, Any]:
    """The hub is killed while boards play as fast as they can, and started again."""
    chance = random.Random(1)
    with opened(boards) as (hall, hub, folder, names), ExitStack() as stack:
        made = [SimulatedBoard(folder / name, seed) for seed, name in enumerate(names)]
        outboxes = [
            stack.enter_context(Outbox(hall.board(name), board.journal, lambda said: None))
            for name, board in zip(names, made, strict=True)
        ]
        done, begun = threading.Event(), time.monotonic()

        def play() -> None:
            while not done.is_set():
                for board in made:
                    board.act()
                done.wait(0.02)

        player = threading.Thread(target=play)
        player.start()
        for _ in range(times):
            time.sleep(chance.uniform(0.0, 1.0))
            hub.kill()
            hub.start()
        done.set()
        player.join()
        lasted = time.monotonic() - begun
        arrived(made, outboxes, 120)
        figures: dict[str, Any] = {"what": f"{times} kills", "boards": boards, "seconds": round(lasted)}
        figures |= compared(hall, names, made)
        return figures | dict.fromkeys(("p50_ms", "p99_ms", "max_ms", "timed", "hub_core_percent"), "") | {
            "boards_core_percent": "", "hub_mb": hub.memory_mb,
        }  # fmt: skip


def main() -> None:
    """Measures, prints, and appends to the CSV where one is named."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("what", choices=["live", "backlog", "kills"])
    arguments.add_argument("--boards", type=int, default=100)
    arguments.add_argument("--seconds", type=float, default=120)
    arguments.add_argument("--events", type=int, default=2000)
    arguments.add_argument("--times", type=int, default=50)
    arguments.add_argument("--csv", type=Path)
    given = arguments.parse_args()
    match given.what:
        case "live":
            figures = live(given.boards, given.seconds)
        case "backlog":
            figures = backlog(given.boards, given.events)
        case _:
            figures = kills(given.boards, given.times)
    row = {**stamp(), **figures, "nice": os.nice(0), "load": round(os.getloadavg()[0], 1)}
    print(row)
    if given.csv is not None:
        add_row(given.csv, row)


if __name__ == "__main__":
    main()
