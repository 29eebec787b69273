"""What the running referee holds in memory over hours of play; appends to speed.csv.

python benchmarks/memory.py [--hours 8] [--fps 3] [--through night]

Two processes. One draws a match without end on the simulated table, errors and all. The other is all that `vrhcab run` starts:
watcher, networks, tracker, referee, journal, pictures of flags, page. It takes the drawn frames as it would a camera's, as fast as
it can, and only it is measured. Fewer frames a second than a camera's: what is kept depends on seconds and events. --through: a
worse camera (`worse.py`).
"""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.rows import add_row, stamp  # noqa: E402
from benchmarks.worse import OURS, Way  # noqa: E402
from controller.simulation import Filming, SimulatedMatch, SimulatedTable  # noqa: E402

SEED, POINTS = 3, 99
SIZE = (1280, 720)
SAMPLES_AN_HOUR = 4


def main() -> None:
    """Print and append the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hours", type=float, default=8)
    parser.add_argument("--fps", type=float, default=3)
    parser.add_argument("--through", choices=sorted(OURS), default="plain")
    parser.add_argument("--referee", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    if asked.referee:
        referee(**json.loads(asked.referee))
        return
    samples = played(asked.hours, asked.fps, OURS[asked.through])
    known = stamp() | {"machine": platform.machine()}
    camera = "" if asked.through == "plain" else f", camera: {asked.through}"
    for what, *row in rows(samples, round(asked.hours * 3600 * asked.fps)):
        print(what + camera, *row)
        named = dict(zip(("what", "n", "figure", "unit"), (what + camera, *row), strict=True))
        add_row(ROOT / "benchmarks" / "speed.csv", known | named)


def played(hours: float, fps: float, camera: Way) -> list[dict[str, float]]:
    """Draws the match for the referee's process; what that says it holds, sample by sample."""
    table = SimulatedTable(SEED, SimulatedMatch("some", POINTS), Filming(SIZE, fps))
    asked = json.dumps({"corners": table.corners.tolist(), "home": table.light_home})
    with subprocess.Popen(
        [sys.executable, __file__, "--referee", asked], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=False
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for number, frame in enumerate(table.frames()):
            if frame.seconds > hours * 3600:
                break
            process.stdin.write(np.float64(frame.seconds).tobytes() + camera(frame.image, number).tobytes())
        process.stdin.close()
        said = process.stdout.read().decode()
    return [json.loads(line) for line in said.splitlines()]


def rows(samples: list[dict[str, float]], frames: int) -> Iterator[tuple[str, int, float, str]]:
    """what, n, figure, unit. Growth: the slope of a line through all samples from the first hour's end on."""
    hours = np.array([one["seconds"] for one in samples]) / 3600
    held = np.array([one["MB"] for one in samples])
    last = samples[-1]
    if hours[-1] > 1:
        yield (
            "resident memory after an hour",
            round(frames / hours[-1]),
            round(float(np.interp(1, hours, held)), 1),
            "MB",
        )
    yield f"resident memory after {hours[-1]:.1f} hours, {last['events']:.0f} events", frames, held[-1], "MB"
    late = hours >= min(1.0, hours[-1] / 2)
    yield "growth of memory", frames, round(float(np.polyfit(hours[late], held[late], 1)[0]), 2), "MB a virtual hour"
    yield "processor time of a second of play, pictures of flags included", frames, last["ms"], "ms"


class Piped:
    """Frames from the other process; says what this one holds now and then."""

    name, live, total = "The drawn table", False, None

    def __init__(self) -> None:
        self.events = 0
        self.over = threading.Event()

    def frames(self) -> Iterator[Any]:
        """Until the pipe ends."""
        import time

        from vision.frame import Frame

        width, height = SIZE
        due = 0.0
        while head := sys.stdin.buffer.read(8):
            seconds = float(np.frombuffer(head)[0])
            image = np.frombuffer(sys.stdin.buffer.read(width * height * 3), np.uint8).reshape(height, width, 3)
            yield Frame(image, seconds)
            if seconds >= due:
                due += 3600 / SAMPLES_AN_HOUR
                spent = round(time.process_time() * 1000 / max(seconds, 1), 1)
                print(
                    json.dumps({"seconds": seconds, "MB": resident(), "events": self.events, "ms": spent}), flush=True
                )
                print(f"{seconds / 3600:.2f} h: {resident()} MB, {self.events} events", file=sys.stderr, flush=True)
        self.over.set()

    def close(self) -> None:
        """Nothing to give back."""

    def tell(self, sentence: str) -> None:
        """Counts what the referee says."""
        self.events += 1


def referee(corners: list[list[float]], home: Any) -> None:
    """The referee's process."""
    from controller.app.table import Table
    from controller.config import PanelConfig, WebConfig
    from controller.referee.session import MatchPlan
    from controller.rules import MATCH
    from controller.run.loop import Source, run
    from controller.run.settings import RunSettings

    frames, stop = Piped(), threading.Event()

    def until_over() -> None:
        frames.over.wait()
        stop.set()

    threading.Thread(target=until_over, daemon=True).start()
    with tempfile.TemporaryDirectory(prefix="vrhcab-memory-") as folder:
        run_settings = RunSettings(
            Path(folder) / "journal.sqlite3", WebConfig(port=8973), PanelConfig(kind="virtual"), stop, frames.tell
        )
        table = Table(MatchPlan(MATCH, POINTS), np.array(corners, np.float32), home)
        run(table, Source(lambda: frames, live=False, once=True), run_settings)


def resident() -> float:
    """MB of memory that this process holds."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return round(pages * 4096 / 1e6, 1)


if __name__ == "__main__":
    main()
