"""A hub under load: real Mosquitto and PostgreSQL, real journals and outboxes, all on this machine, over loopback.

    python benchmarks/hub.py live --boards 1000 --seconds 600   one event each 2 s; each timed from the board's disk to the wall
    python benchmarks/hub.py viewers --boards 16 --viewers 2000  the same while so many others follow the wall; timed at each
    python benchmarks/hub.py backlog --boards 200 --events 2000 a day's backlog arrives at once
    python benchmarks/hub.py kills --boards 4 --times 50        the hub killed (SIGKILL) at random moments
    python benchmarks/hub.py board --seconds 60                 what sending costs one board
      ... --csv benchmarks/hub.csv                              appends the figures
      live ... --by-second late.csv                             and each second of it: how late, who had the cores

The hub is a process of its own, as are broker and database; the boards (hub_boards.py) are processes beside them and share the
cores with them. So the figures are worse than with boards on machines of their own. At the end every board's journal is compared
with the database, event by event: missing, different.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import psycopg

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.hub_boards import Boards, folder_of_boards, played  # noqa: E402
from benchmarks.hub_seconds import Seconds  # noqa: E402
from benchmarks.hub_viewers import Following  # noqa: E402
from benchmarks.rows import add_row, stamp, write_rows  # noqa: E402
from controller.config import WebConfig  # noqa: E402
from controller.hub.services import Hall, free_port  # noqa: E402
from controller.record.journal import StoredEvent  # noqa: E402
from controller.run.outbox import Outbox  # noqa: E402
from controller.run.simulated_boards import SimulatedBoard  # noqa: E402

PACE_S = 2.0


def files_for(count: int) -> None:
    """As many open files as that takes, where the system lets us; the broker, which has one for each board, inherits that."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(count, hard)), hard))


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

    def _processes(self) -> list[int]:
        """It and its archivist."""
        pid = self._process.pid
        children = (path.read_text().split() for path in Path(f"/proc/{pid}/task").glob("*/children"))
        return [pid, *(int(one) for some in children for one in some)]

    @property
    def cpu_s(self) -> float:
        """Seconds of a core that it has had."""
        found = 0
        for pid in self._processes():
            with suppress(OSError):
                fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                found += int(fields[11]) + int(fields[12])
        return found / os.sysconf("SC_CLK_TCK")

    @property
    def memory_mb(self) -> int:
        """Resident, at its highest."""
        found = 0
        for pid in self._processes():
            with suppress(OSError):
                lines = Path(f"/proc/{pid}/status").read_text().splitlines()
                found += int(next(line.split()[1] for line in lines if line.startswith("VmHWM"))) // 1024
        return found

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


def compared(hall: Hall, names: Sequence[str], journal: Callable[[str], list[StoredEvent]]) -> dict[str, int]:
    """The database with the journals."""
    figures = Counter[str]()
    with psycopg.connect(hall.database.url) as connection:
        for name in names:
            rows = connection.execute(
                "select sequence, journal_board, match, game, kind, version, wall_time, payload from events "
                "where board = %s order by sequence",
                (name,),
            ).fetchall()
            figures.update(beside(journal(name), [StoredEvent(*row) for row in rows]))
    return dict(figures)


def beside(there: Sequence[StoredEvent], kept: Sequence[StoredEvent]) -> dict[str, int]:
    """A board's events and what was kept of them, by number; one that it never wrote, or that is kept twice, is different."""
    found = {one.sequence: one for one in kept}
    missing = sum(one.sequence not in found for one in there)
    same = sum(found.get(one.sequence) == one for one in there)
    return {"events": len(there), "missing": missing, "different": len(kept) - same}


def _timed(seconds: Sequence[float]) -> dict[str, int]:
    """seconds: inf for what never came, which makes the figures -1 that it is part of."""
    took = np.sort(1000 * np.array(seconds or [np.inf]))
    known = {"p50_ms": took[len(took) // 2], "p99_ms": took[int(0.99 * len(took))], "max_ms": took[-1]}
    return {key: round(float(one)) if np.isfinite(one) else -1 for key, one in known.items()} | {"timed": len(seconds)}


class _Tile(msgspec.Struct):
    board: str
    last: int = 0


class _Tiles(msgspec.Struct):
    sequence: int
    tiles: list[_Tile]


_tiles = msgspec.json.Decoder(_Tiles)


class Watching(threading.Thread):
    """Somebody who follows the wall: when each event was first in a tile. It may be there before word of it is here."""

    def __init__(self, address: str) -> None:
        super().__init__(daemon=True)
        self._address = address
        self._acted: dict[tuple[str, int], float] = {}
        self._shown: dict[str, tuple[int, int, float]] = {}
        self._lock = threading.Lock()
        self.took: list[float] = []
        self.seen: list[tuple[float, int]] = []
        self.late: list[tuple[float, float]] = []

    def acted(self, name: str, sequence: int, moment: float) -> None:
        """A board has written an event."""
        with self._lock:
            last, picture, now = self._shown.get(name, (0, 0, 0.0))
            if last >= sequence:
                self._arrived(moment, now, picture)
            else:
                self._acted[name, sequence] = moment

    def _arrived(self, begun: float, now: float, picture: int) -> None:
        self.took.append(max(0.0, now - begun))
        self.late.append((begun, self.took[-1]))
        self.seen.append((begun, picture))

    def figures(self, within: float = 10.0) -> dict[str, int]:
        """Milliseconds from the board's disk to here, of all that boards have written: what is under way is waited for."""
        until = time.monotonic() + within
        while time.monotonic() < until:
            with self._lock:
                if not self._acted:
                    break
            time.sleep(0.05)
        with self._lock:
            return _timed([*self.took, *[np.inf] * len(self._acted)])

    def run(self) -> None:
        """Until the hub ends."""
        with suppress(OSError), urllib.request.urlopen(f"{self._address}events", timeout=60) as stream:
            for line in stream:
                if line.startswith(b"data: {"):
                    now = time.monotonic()
                    picture = _tiles.decode(line[6:])
                    with self._lock:
                        for tile in picture.tiles:
                            before = self._shown.get(tile.board, (0, 0, 0.0))[0]
                            self._shown[tile.board] = tile.last, picture.sequence, now
                            for sequence in range(before + 1, tile.last + 1):
                                begun = self._acted.pop((tile.board, sequence), None)
                                if begun is not None:
                                    self._arrived(begun, now, picture.sequence)


def live(boards: int, seconds: float, viewers: int = 0, by_second: Path | None = None) -> dict[str, Any]:
    """One event each 2 s at every board. viewers: others who follow the wall meanwhile. by_second: where its seconds go."""
    files_for(viewers + boards + 1000)
    with opened(boards) as (hall, hub, _, names), ExitStack() as stack:
        folder = stack.enter_context(folder_of_boards())
        watching = Watching(hub.address)
        made = Boards(folder, [hall.board(name) for name in names], PACE_S, watching.acted)
        stack.callback(made.close)
        if not made.say("connect", 300):
            raise SystemExit("Not all boards could connect within five minutes.")
        others = None
        if viewers:
            others = Following(int(hub.address.rstrip("/").rpartition(":")[2]), viewers, folder)
            stack.callback(others.close)
            others.wait(120)
        watching.start()
        time.sleep(2.0)
        second = Seconds({"hub": lambda: hub.cpu_s, "boards": lambda: made.cpu_s})
        cpu, own, begun = hub.cpu_s, made.cpu_s, time.monotonic()
        if by_second is not None:
            second.start()
        made.say("play")
        time.sleep(seconds)
        lasted = time.monotonic() - begun
        cpu, own = hub.cpu_s - cpu, made.cpu_s - own
        if by_second is not None:
            second.close()
            print(second.shares())
        made.say("rest", 120)
        timed, seen = watching.figures(), list(watching.seen)
        if by_second is not None:
            write_rows(by_second, second.rows(list(watching.late)))
        if others is not None:
            time.sleep(2.0)
            timed = _timed(others.took(seen))
        what = "live" if others is None else f"live, {others.there} viewers"
        figures: dict[str, Any] = {"what": what, "boards": boards}
        figures |= {"seconds": round(lasted), **compared(hall, names, made.journal), **timed}
        figures |= {
            "hub_core_percent": round(100 * cpu / lasted, 1),
            "boards_core_percent": round(100 * own / lasted, 1),
        }
        return figures | {"hub_mb": hub.memory_mb}


def backlog(boards: int, events: int) -> dict[str, Any]:
    """Every board comes with a day's events; one more plays on meanwhile, each second, and its way to the wall is timed."""
    files_for(boards + 1000)
    with opened(boards + 1) as (hall, hub, _, names), ExitStack() as stack:
        folder = stack.enter_context(folder_of_boards(events, names[:-1]))
        watching = Watching(hub.address)
        last = Boards(folder, [hall.board(names[-1])], 1.0, watching.acted)
        stack.callback(last.close)
        made = Boards(folder, [hall.board(name) for name in names[:-1]], PACE_S, watching.acted)
        stack.callback(made.close)
        last.say("connect", 60)
        watching.start()
        time.sleep(2.0)
        last.say("play")
        cpu, own, begun = hub.cpu_s, made.cpu_s, time.monotonic()
        there = made.say("connect", 600)
        lasted = time.monotonic() - begun
        cpu, own = hub.cpu_s - cpu, made.cpu_s - own
        last.say("rest", 60)
        timed = watching.figures()
        figures: dict[str, Any] = {"what": "backlog", "boards": boards, "seconds": round(lasted, 1) if there else -1}
        figures |= {**compared(hall, names, made.journal), **timed}
        figures |= {
            "hub_core_percent": round(100 * cpu / lasted, 1),
            "boards_core_percent": round(100 * own / lasted, 1),
        }
        return figures | {"hub_mb": hub.memory_mb}


SHARE = """
import sys, time
from pathlib import Path
import controller.run.build, msgspec  # all that a board's program has anyway
from controller.config import HubConfig
from controller.record.journal import Journal, read_events
folder, seconds, pace, config = Path(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3]), sys.argv[4]
events = list(read_events(folder / "played-0/journal.sqlite3"))
with Journal(folder / f"{bool(config)}.sqlite3") as journal:
    if config:
        from controller.run.outbox import Outbox
        Outbox(msgspec.json.decode(config, type=HubConfig), journal, lambda said: None).__enter__()
    time.sleep(2)
    cpu, begun, at = time.process_time(), time.monotonic(), 0
    while time.monotonic() - begun < seconds:
        one = events[at % len(events)]
        journal.append(one.kind, one.version, one.payload, "board-1", f"m{at // len(events)}", one.game)
        at += 1
        time.sleep(pace)
    cpu = time.process_time() - cpu
    kb = next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmRSS"))
    print(cpu, int(kb) / 1024, at, flush=True)
    import os
    os._exit(0)
"""


def board(seconds: float) -> dict[str, Any]:
    """One board's own share at an event each 2 s: processor and memory of a journal that is sent, less those of one that is not."""
    costs = []
    with opened(1) as (hall, _, folder, names):
        played(folder, 1)
        config = msgspec.json.encode(hall.board(names[0])).decode()
        for chosen in ("", config):
            asked = [sys.executable, "-c", SHARE, str(folder), str(seconds), str(PACE_S), chosen]
            done = subprocess.run(asked, check=True, capture_output=True, text=True, cwd=ROOT)
            costs.append([float(one) for one in done.stdout.split()])
    (cpu, mb, _), (more_cpu, more_mb, events) = costs
    figures: dict[str, Any] = {
        "what": "one board's share",
        "boards": 1,
        "seconds": round(seconds),
        "events": round(events),
    }
    figures |= dict.fromkeys(("missing", "different", "p50_ms", "p99_ms", "max_ms", "timed", "hub_core_percent"), "")
    return figures | {
        "boards_core_percent": round(100 * (more_cpu - cpu) / seconds, 2),
        "hub_mb": round(more_mb - mb, 1),
    }


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
        figures |= compared(hall, names, lambda name: list(made[names.index(name)].journal.events()))
        return figures | dict.fromkeys(("p50_ms", "p99_ms", "max_ms", "timed", "hub_core_percent"), "") | {
            "boards_core_percent": "", "hub_mb": hub.memory_mb,
        }  # fmt: skip


def main() -> None:
    """Measures, prints, and appends to the CSV where one is named."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("what", choices=["live", "viewers", "backlog", "kills", "board"])
    arguments.add_argument("--boards", type=int, default=100)
    arguments.add_argument("--seconds", type=float, default=120)
    arguments.add_argument("--events", type=int, default=2000)
    arguments.add_argument("--times", type=int, default=50)
    arguments.add_argument("--viewers", type=int, default=2000)
    arguments.add_argument("--csv", type=Path)
    arguments.add_argument("--by-second", type=Path)
    given = arguments.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # What it has started ends with it.
    match given.what:
        case "live":
            figures = live(given.boards, given.seconds, by_second=given.by_second)
        case "viewers":
            figures = live(given.boards, given.seconds, given.viewers)
        case "board":
            figures = board(given.seconds)
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
