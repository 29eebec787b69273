"""What refereeing costs: a frame while nothing happens, a full reading, memory, and transcription; appends to speed.csv.

python benchmarks/speed.py

Processor seconds of one thread (the machine may be busy with other things), pictures of 1280 x 720 px.
"""

from __future__ import annotations

import csv
import platform
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.records import stamp  # noqa: E402
from controller.rules import MATCH  # noqa: E402
from controller.session import MatchPlan, Session  # noqa: E402
from controller.simulation import SimulatedTable  # noqa: E402
from controller.teaching import teach  # noqa: E402
from controller.transcribe import Job, transcribe  # noqa: E402
from vision.frame import Frame  # noqa: E402
from vision.watcher import Watcher  # noqa: E402

SEED, FPS = 1, 15.0
FILM_FPS, FILM_SECONDS = 10.0, 60.0
HOURS_IDLE = 0.1
"""Virtual hours of looking at frames for the memory's growth, at 15 a second; the same pictures again and again."""

Row = dict[str, Any]


def main() -> None:
    """Print and append the figures."""
    cv2.setNumThreads(1)
    rows = [*refereeing(), *film()]
    path = Path(__file__).with_suffix(".csv")
    new = not path.exists()
    with path.open("a", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, ("date", "commit", "machine", "what", "n", "figure", "unit"), lineterminator="\n")
        if new:
            table.writeheader()
        for row in rows:
            print(*row.values())
            table.writerow({**stamp(), "machine": platform.machine(), **row})


def refereeing() -> Iterator[Row]:
    """A game's first 40 virtual seconds, then the last pictures for a long while."""
    table = SimulatedTable(SEED, "none", fps=FPS)
    home: Any = table.light_home
    watcher, session = Watcher(table.corners), Session(MatchPlan(MATCH, 3), home)
    idle, moving, reading, recent = [], [], [], []
    for frame in table.frames():
        spent, still = looked(watcher, session, frame)
        (moving if still is False else idle if still is None else reading).append(spent)
        recent = [*recent[-29:], frame]
        if frame.seconds > 40:
            break
    yield row("frame, nothing happens", idle, "ms")
    yield row("frame, something moves", moving, "ms")
    yield row("full reading, tracker and referee included", reading, "ms")
    yield from memory(watcher, session, recent)


def memory(watcher: Watcher, session: Session, recent: list[Frame]) -> Iterator[Row]:
    """Resident memory when it has run in, and how it grows."""
    count = int(HOURS_IDLE * 3600 * FPS)
    sizes = []
    for number in range(count):
        looked(watcher, session, Frame(recent[number % len(recent)].image, 41 + number / FPS))
        if number in (count // 3, count - 1):
            sizes.append(resident())
    yield {"what": "resident memory", "n": count, "figure": round(sizes[-1], 1), "unit": "MB"}
    growth = (sizes[1] - sizes[0]) / (HOURS_IDLE * 2 / 3)
    yield {"what": "growth of memory", "n": count, "figure": round(growth, 2), "unit": "MB a virtual hour"}


def looked(watcher: Watcher, session: Session, frame: Frame) -> tuple[float, bool | None]:
    """Processor seconds of one frame, and whether it was read (None: nothing new, False: something moves)."""
    begun = time.process_time()
    observation = watcher.look(frame)
    if observation is not None:
        session.see(observation)
        teach(watcher, session)
    return time.process_time() - begun, None if observation is None else observation.still


def film() -> Iterator[Row]:
    """A film of 10 frames a second is transcribed; what drawing it takes does not count."""
    table = SimulatedTable(SEED, "none", fps=FILM_FPS)
    home: Any = table.light_home
    drawing, count = 0.0, 0

    def frames() -> Iterator[Frame]:
        nonlocal drawing, count
        drawn = table.frames()
        while True:
            begun = time.process_time()
            frame = next(drawn)
            drawing += time.process_time() - begun
            if frame.seconds > FILM_SECONDS:
                return
            count += 1
            yield frame

    begun = time.process_time()
    transcribe(frames(), Job(MatchPlan(MATCH, 3), table.corners, home))
    factor = FILM_SECONDS / (time.process_time() - begun - drawing)
    yield {"what": "transcription", "n": count, "figure": round(factor, 2), "unit": "times real time, one core"}


def row(what: str, seconds: list[float], unit: str) -> Row:
    """The median of n measurements."""
    return {"what": what, "n": len(seconds), "figure": round(float(np.median(seconds)) * 1000, 2), "unit": unit}


def resident() -> float:
    """MB of memory that this process holds."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * 4096 / 1e6


if __name__ == "__main__":
    main()
