"""What refereeing costs: a frame while nothing happens, a reading and its parts, and transcription; appends to speed.csv.

    python benchmarks/speed.py

Processor seconds of one thread (the machine may be busy with other things), pictures of 1280 x 720 px. Memory: memory.py.
"""

from __future__ import annotations

import argparse
import platform
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.rows import add_row, stamp  # noqa: E402
from controller.app.appearance_feedback import teach  # noqa: E402
from controller.referee.session import MatchPlan, Session  # noqa: E402
from controller.rules import MATCH  # noqa: E402
from controller.simulation import Filming, SimulatedMatch, SimulatedTable  # noqa: E402
from controller.transcript.transcribe import Job, Transcriber  # noqa: E402
from vision.finding import find_board  # noqa: E402
from vision.frame import Corners, Frame  # noqa: E402
from vision.reading.cube import CubeReader  # noqa: E402
from vision.reading.dice import DiceReader  # noqa: E402
from vision.reading.reader import BoardReader  # noqa: E402
from vision.watching.watcher import Watcher  # noqa: E402

SEED, FPS = 1, 15.0
FILM_FPS, FILM_SECONDS = 10.0, 60.0
REPEATED = 5
"""Times that each picture's parts are measured; the quickest counts, which other programs have disturbed least."""

Row = dict[str, Any]


def main() -> None:
    """Print and append the figures."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    cv2.setNumThreads(1)
    known = stamp() | {"machine": platform.machine()}
    for row in [*refereeing(), *film()]:
        print(*row.values())
        add_row(Path(__file__).with_suffix(".csv"), known | row)


def refereeing() -> Iterator[Row]:
    """A game's first 40 virtual seconds, and the parts of what its readings cost."""
    table = SimulatedTable(SEED, SimulatedMatch("none"), Filming(fps=FPS))
    home: Any = table.light_home
    watcher, session = Watcher(table.corners), Session(MatchPlan(MATCH, 3), home)
    idle, moving, reading, read = [], [], [], []
    for frame in table.frames():
        spent, still = looked(watcher, session, frame)
        (moving if still is False else idle if still is None else reading).append(spent)
        read += [frame] if still else []
        if frame.seconds > 40:
            break
    yield row("frame, nothing happens", idle, "ms")
    yield row("frame, something moves", moving, "ms")
    yield row("full reading, tracker and referee included", reading, "ms")
    yield from parts(read, table.corners)


def parts(frames: list[Frame], corners: Corners) -> Iterator[Row]:
    """What a still picture costs: each reader alone, all together, and finding the board in it."""
    reader, dice, cube = BoardReader(), DiceReader(), CubeReader()
    spent = defaultdict[str, list[float]](list)
    for frame in frames:
        placed = reader.place(frame.image, corners)
        steps: dict[str, Callable[[], object]] = {
            "picture: bar": lambda frame=frame: reader.place(frame.image, corners),
            "picture: checkers": lambda frame=frame, at=placed: reader.columns.read(frame.image, at),
            "picture: dice": lambda frame=frame: dice.read(frame.image, corners),
            "picture: cube": lambda frame=frame: cube.read(frame.image, corners),
            "picture: checkers, dice and cube": lambda frame=frame, at=placed: reader.read(frame, at),
            "picture: the same, after which no better one comes": lambda frame=frame, at=placed: reader.read(
                frame, at, alone=True
            ),
            "picture: finding the board": lambda frame=frame: find_board(frame.image),
        }
        for what, step in steps.items():
            spent[what].append(min(seconds_of(step) for _ in range(REPEATED)))
    for what, seconds in spent.items():
        yield row(what, seconds, "ms")


def seconds_of(step: Callable[[], object]) -> float:
    """Processor seconds."""
    begun = time.process_time()
    step()
    return time.process_time() - begun


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
    table = SimulatedTable(SEED, SimulatedMatch("none"), Filming(fps=FILM_FPS))
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
    work = Transcriber(Job(MatchPlan(MATCH, 3), table.corners, home))
    for frame in frames():
        work.look(frame)
    work.record()
    factor = FILM_SECONDS / (time.process_time() - begun - drawing)
    yield {"what": "transcription", "n": count, "figure": round(factor, 2), "unit": "times real time, one core"}


def row(what: str, seconds: list[float], unit: str) -> Row:
    """The median of n measurements."""
    return {"what": what, "n": len(seconds), "figure": round(float(np.median(seconds)) * 1000, 2), "unit": unit}


if __name__ == "__main__":
    main()
