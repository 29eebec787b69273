"""Measures what evidence costs, and the ways there are to write a clip, on pictures of the simulated board; writes evidence.csv.

python benchmarks/evidence.py
"""

from __future__ import annotations

import itertools
import platform
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.rows import stamp, write_rows  # noqa: E402
from controller.record.evidence import RecentFrames, to_webm  # noqa: E402
from controller.run.simulated_camera import SimulatedSource  # noqa: E402
from controller.simulation import SimulatedTable  # noqa: E402
from vision.frame import Frame, Image  # noqa: E402

PICTURES, FPS = 40, 15
SIZE = (640, 360)
"""px, of the clips."""


def main() -> None:
    """Print and write the figures."""
    cv2.setNumThreads(1)
    frames = noisy_frames()
    rows = [*adding(frames), *clips([cv2.resize(f, SIZE, interpolation=cv2.INTER_AREA) for f in frames])]
    for row in rows:
        print(*row.values())
    known = stamp() | {"machine": platform.machine()}
    write_rows(Path(__file__).with_suffix(".csv"), [known | row for row in rows])


def noisy_frames() -> list[Image]:
    """1280 x 720 px, with the noise of a camera."""
    source = SimulatedSource(SimulatedTable(seed=1), 20.0)
    shown = (cv2.resize(f.image, (1280, 720)) for f in itertools.islice(source.frames(), PICTURES))
    return [f + np.random.default_rng(i).integers(0, 6, f.shape, dtype=np.uint8) for i, f in enumerate(shown)]


def adding(frames: list[Image]) -> Iterator[dict[str, Any]]:
    """RecentFrames.add, a frame."""
    for width in (1280, 1920, 3840):
        sized = [cv2.resize(f, (width, width * 9 // 16)) for f in frames]
        recent = RecentFrames()
        start = time.perf_counter()
        for number in range(10 * FPS):
            recent.add(Frame(sized[number % len(sized)], number / FPS), still=True)
        spent = 1000 * (time.perf_counter() - start) / (10 * FPS)
        yield {"what": f"add a frame of {width} px", "n": 10 * FPS, "ms": round(spent, 2), "bytes": recent.held}
        start = time.perf_counter()
        film = to_webm(recent.clip(10.0))
        spent = 1000 * (time.perf_counter() - start)
        yield {"what": "to_webm", "n": len(recent.clip(10.0)), "ms": round(spent), "bytes": len(film)}


def clips(frames: list[Image]) -> Iterator[dict[str, Any]]:
    """A clip of all frames in every container that OpenCV may write; 0 bytes where it can't."""
    writers: dict[str, Callable[[Path], object]] = {
        f"{codec} in {ending}": film_writer(frames, codec)
        for ending, codec in (
            (".webm", "VP80"),
            (".webm", "VP90"),
            (".mp4", "avc1"),
            (".mp4", "mp4v"),
            (".avi", "MJPG"),
        )
    }
    writers |= {f"animation in {e}": animation_writer(frames) for e in (".webp", ".avif", ".gif", ".png")}
    for what, write in writers.items():
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"clip{what.split()[-1]}"
            start = time.perf_counter()
            write(path)
            spent = 1000 * (time.perf_counter() - start)
            size = path.stat().st_size if path.exists() else 0
        yield {"what": what, "n": len(frames), "ms": round(spent), "bytes": size}


def film_writer(frames: list[Image], codec: str) -> Callable[[Path], object]:
    """Writes the frames as a film."""

    def write(path: Path) -> None:
        film = cv2.VideoWriter(str(path), cv2.CAP_FFMPEG, cv2.VideoWriter.fourcc(*codec), 5, SIZE)
        for frame in frames if film.isOpened() else []:
            film.write(frame)
        film.release()

    return write


def animation_writer(frames: list[Image]) -> Callable[[Path], object]:
    """Writes the frames as a moving picture."""

    def write(path: Path) -> None:
        animation = cv2.Animation()
        animation.frames, animation.durations = frames, np.full(len(frames), 200, np.int32)
        cv2.imwriteanimation(str(path), animation, [cv2.IMWRITE_WEBP_QUALITY, 75])

    return write


if __name__ == "__main__":
    main()
