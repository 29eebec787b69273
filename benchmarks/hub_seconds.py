"""Second by second, what a run of benchmarks/hub.py was like: how late the events of each came, and who had the cores."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

_TICK = os.sysconf("SC_CLK_TCK")


def _processes() -> dict[int, tuple[int, str, float]]:
    """Every process: whose child, its name, and the seconds of a core that it has had."""
    found = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                head, _, rest = (folder / "stat").read_text("utf-8", "replace").rpartition(")")
            except OSError:
                continue
            fields = rest.split()
            found[int(folder.name)] = (
                int(fields[1]),
                head.partition("(")[2],
                (int(fields[11]) + int(fields[12])) / _TICK,
            )
    return found


def _by_name() -> dict[str, float]:
    """Seconds of a core that broker, database and this process have had, and all processes of the machine."""
    known = _processes()

    def ours(pid: int) -> bool:
        while pid in known:
            if pid == os.getpid():
                return True
            pid = known[pid][0]
        return False

    found = {"broker": 0.0, "database": 0.0, "watching": 0.0, "machine": 0.0}
    for pid, (_, name, seconds) in known.items():
        found["machine"] += seconds
        what = {"mosquitto": "broker", "postgres": "database"}.get(name, "watching" if pid == os.getpid() else "")
        if what and ours(pid):
            found[what] += seconds
    return found


class Seconds(threading.Thread):
    """Looks once a second until close(). more: others' seconds of a core, by name."""

    def __init__(self, more: Mapping[str, Callable[[], float]]) -> None:
        super().__init__(daemon=True)
        self._more, self._done = more, threading.Event()
        self._looks: list[tuple[float, dict[str, float]]] = []

    def run(self) -> None:
        """Once a second."""
        while True:
            self._looks.append((time.monotonic(), _by_name() | {name: one() for name, one in self._more.items()}))
            if self._done.wait(1.0):
                return

    def close(self) -> None:
        """Looks once more."""
        self._done.set()
        self.join()

    def shares(self) -> dict[str, float]:
        """Percent of a core over all of it, by name."""
        (begun, first), (ended, last) = self._looks[0], self._looks[-1]
        return {name: round(100 * (last[name] - first[name]) / (ended - begun), 1) for name in first}

    def rows(self, events: Sequence[tuple[float, float]]) -> list[dict[str, Any]]:
        """A row for each second. events: when each was written (monotonic s), and how long it took."""
        moments, took = np.array(events).reshape(-1, 2).T if events else (np.zeros(0), np.zeros(0))
        found = []
        for (begun, before), (ended, after) in zip(self._looks, self._looks[1:], strict=False):
            these = np.sort(1000 * took[(moments >= begun) & (moments < ended)])
            row: dict[str, Any] = {"second": round(begun - self._looks[0][0], 1), "events": len(these)}
            row |= {
                name: round(float(these[int(part * (len(these) - 1))])) if len(these) else ""
                for name, part in (("p50_ms", 0.5), ("p99_ms", 0.99), ("max_ms", 1.0))
            }
            found.append(row | {name: round(100 * (after[name] - before[name]) / (ended - begun)) for name in before})
        return found
