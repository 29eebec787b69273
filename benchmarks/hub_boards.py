"""The boards of benchmarks/hub.py, eighty to a process: their MQTT library waits with select(), which knows no file above 1023.

What they write are matches of simulated boards, played before the clock starts, each into a journal of its own. The journals lie in
memory (/dev/shm) where there is such a folder, as a thousand boards have a thousand disks.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import msgspec

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from controller.config import HubConfig  # noqa: E402
from controller.record.journal import Journal, StoredEvent, read_events  # noqa: E402
from controller.referee.state import Phase  # noqa: E402
from controller.run.outbox import Outbox  # noqa: E402
from controller.run.simulated_boards import SimulatedBoard  # noqa: E402

TOGETHER = 80
"""Each takes some ten files: its socket, what wakes its threads, its journal."""
PLAYED = 20
"""Matches that the boards take what they write from."""


class ReplayedBoard:
    """A board that writes what another has played, again and again, each time as a match of its own."""

    def __init__(self, folder: Path, name: str, events: Sequence[StoredEvent]) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.journal = Journal(folder / "journal.sqlite3")
        self._name, self._events = name, events

    def act(self) -> None:
        """Writes the next event."""
        again, at = divmod(self.journal.last, len(self._events))
        event = self._events[at]
        match = f"{self._name}-{event.match[-8:]}-{again}"
        self.journal.append(event.kind, event.version, event.payload, self._name, match, event.game)


def played(folder: Path, matches: int = PLAYED) -> None:
    """Whole matches, each in a journal: played-0, played-1, ..."""
    for seed in range(matches):
        board = SimulatedBoard(folder / f"played-{seed}", seed)
        while board.state.phase is not Phase.MATCH_OVER:
            board.act()
        board.close()


class Share(msgspec.Struct):
    """What one process has to do: boards with these settings, an event of one of them each `pace` seconds."""

    folder: str
    configs: list[HubConfig]
    pace: float


class Boards:
    """Those boards while this is open. acted: is told of each event, by name, sequence and monotonic seconds, in threads of
    its own."""

    def __init__(
        self, folder: Path, configs: Sequence[HubConfig], pace: float, acted: Callable[[str, int, float], None]
    ) -> None:
        """pace: seconds between two events of one board."""
        self._acted, self._processes, self._arrived = acted, [], []
        self.names = [config.name for config in configs]
        self.folder = folder
        for at in range(0, len(configs), TOGETHER):
            some = list(configs[at : at + TOGETHER])
            share = msgspec.json.encode(Share(str(folder), some, pace / len(some))).decode()
            process = subprocess.Popen(
                [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
            )
            self._processes.append(process)
            self._arrived.append(threading.Semaphore(0))
            threading.Thread(target=self._hear, args=(process, self._arrived[-1]), daemon=True).start()
            self._tell(process, share)

    @staticmethod
    def _tell(process: subprocess.Popen[str], word: str) -> None:
        assert process.stdin is not None
        process.stdin.write(f"{word}\n")
        process.stdin.flush()

    def _hear(self, process: subprocess.Popen[str], arrived: threading.Semaphore) -> None:
        assert process.stdout is not None
        for line in process.stdout:
            name, *moment = line.split()
            if moment:
                self._acted(name, int(moment[0]), float(moment[1]))
            else:
                arrived.release()

    def say(self, word: str, within: float = 600.0) -> bool:
        """To all: connect, play or rest; whether all that they have written has arrived then (at once after play)."""
        end = time.monotonic() + within
        for process in self._processes:
            self._tell(process, word)
        return all(one.acquire(timeout=max(0.0, end - time.monotonic())) for one in self._arrived)

    @property
    def cpu_s(self) -> float:
        """Seconds of a core that they have had."""
        tick = os.sysconf("SC_CLK_TCK")
        found = 0.0
        for process in self._processes:
            fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
            found += (int(fields[11]) + int(fields[12])) / tick
        return found

    def close(self) -> None:
        """They end; their journals can be read then."""
        for process in self._processes:
            self._tell(process, "end")
        for process in self._processes:
            process.wait(60)

    def journal(self, name: str) -> list[StoredEvent]:
        """What a board has written."""
        return list(read_events(self.folder / name / "journal.sqlite3"))


@contextmanager
def folder_of_boards(events: int = 0, boards: Sequence[str] = ()) -> Iterator[Path]:
    """A folder with matches for them. events: that each of `boards` has in its journal already."""
    memory = Path("/dev/shm")
    folder = Path(tempfile.mkdtemp(prefix="vrhcab-boards-", dir=memory if memory.is_dir() else None))
    try:
        played(folder)
        if events:
            first = ReplayedBoard(folder / "first", "first", list(read_events(folder / "played-0/journal.sqlite3")))
            while first.journal.last < events:
                first.act()
            first.journal.close()
            for name in boards:
                shutil.copytree(folder / "first", folder / name)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def say(line: str) -> None:
    """In one piece: two threads speak, and print() writes its parts one by one."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    """One process of boards, told what to do on its standard input."""
    share = msgspec.json.decode(sys.stdin.readline(), type=Share)
    folder, quiet = Path(share.folder), threading.Event()
    quiet.set()
    with ExitStack() as stack:
        boards = [
            ReplayedBoard(
                folder / config.name,
                config.name,
                list(read_events(folder / f"played-{at % PLAYED}/journal.sqlite3")),
            )
            for at, config in enumerate(share.configs)
        ]
        for board in boards:
            stack.callback(board.journal.close)
        outboxes: list[Outbox] = []

        def wait() -> None:
            while any(out.confirmed != board.journal.last for out, board in zip(outboxes, boards, strict=True)):
                time.sleep(0.05)
            say("arrived")

        def play() -> None:
            begun, turn = time.monotonic(), 0
            while not quiet.wait(max(0.0, begun + turn * share.pace - time.monotonic())):
                at = turn % len(boards)
                boards[at].act()
                say(f"{share.configs[at].name} {boards[at].journal.last} {time.monotonic()}")
                turn += 1

        player = threading.Thread(target=play)
        for line in sys.stdin:
            match line.strip():
                case "connect":
                    outboxes = [
                        stack.enter_context(Outbox(config, board.journal, lambda said: None))
                        for config, board in zip(share.configs, boards, strict=True)
                    ]
                    threading.Thread(target=wait, daemon=True).start()
                case "play":
                    quiet.clear()
                    player.start()
                    say("playing")
                case "rest":
                    quiet.set()
                    player.join()
                    threading.Thread(target=wait, daemon=True).start()
                case _:
                    break


if __name__ == "__main__":
    main()
