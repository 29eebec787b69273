"""What transcribing a film costs beside decoding it: processor seconds of one core each, one after the other; appends to films.csv.

python benchmarks/films.py              a minute of the simulated table, 1280 x 720 px, 30 frames/s, H.264 with a camera's noise
python benchmarks/films.py FILM...      these films

Each is decoded by `ffmpeg -f null -` and transcribed by `vrhcab transcribe`, both on one core; the ratio is of processor seconds,
as other programs may be at work. Memory is the most that the transcription held. Python keeps what it compiles, as where a program
is installed.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.rows import add_row, stamp  # noqa: E402
from controller.simulation import Filming, SimulatedMatch, SimulatedTable  # noqa: E402

SEED, FPS, SECONDS, NOISE = 7, 30, 60, 4.0
RUN = (
    "import json, os, resource, subprocess, sys\n"
    "os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})\n"
    "subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)\n"
    "used = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
    "print(json.dumps([used.ru_utime + used.ru_stime, used.ru_maxrss / 1024]))\n"
)
"""A program on one core, its processor seconds and the most MB that it held. Run by a process of its own, as Linux counts to a
program what the process held that started it: this one draws films, and holds more than a transcription does."""

TIMES = 3
"""Times that each is measured; the quickest counts, which other programs have disturbed least."""
COLUMNS = ("date", "commit", "film", "seconds", "frames", "decoding_s", "transcribing_s", "ratio", "memory_mb")


def main() -> None:
    """Print and append the figures."""
    if shutil.which("ffmpeg") is None:
        sys.exit("ffmpeg is not installed: there is nothing to compare with. Run 'sudo apt install ffmpeg'.")
    with tempfile.TemporaryDirectory() as folder:
        films = [Path(name) for name in sys.argv[1:]] or [simulated(Path(folder) / "simulated.mp4")]
        for film in films:
            add(measured(film, Path(folder) / "record.json"))


def simulated(path: Path) -> Path:
    """A minute of a simulated game as a film."""
    table = SimulatedTable(SEED, SimulatedMatch("none"), Filming(fps=FPS))
    rng = np.random.default_rng(SEED)
    grain = [rng.normal(0, NOISE, (720, 1280, 3)).astype(np.float32) for _ in range(7)]
    with av.open(str(path), "w") as container:
        stream: Any = container.add_stream("libx264", rate=FPS, options={"crf": "23", "preset": "veryfast"})
        stream.width, stream.height, stream.pix_fmt = 1280, 720, "yuv420p"
        for number, frame in enumerate(table.frames()):
            if number == FPS * SECONDS:
                break
            noisy = np.clip(frame.image + grain[number % 7], 0, 255).astype(np.uint8)
            picture = av.VideoFrame.from_ndarray(noisy, format="bgr24")
            picture.pts, picture.time_base = number, Fraction(1, FPS)
            container.mux(stream.encode(picture))
        container.mux(stream.encode(None))
    return path


def measured(film: Path, record: Path) -> dict[str, Any]:
    """One row."""
    with av.open(str(film)) as container:
        lasts, frames = (container.duration or 0) / av.time_base, container.streams.video[0].frames
    decode = ["ffmpeg", "-v", "error", "-threads", "1", "-i", str(film), "-f", "null", "-"]
    program = [str(Path(sys.executable).with_name("vrhcab")), "transcribe", str(film), "-o", str(record)]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPYCACHEPREFIX"] = str(record.parent)
    decoding = min(spent(decode, environment)[0] for _ in range(TIMES))
    tries = [spent(program, environment) for _ in range(TIMES)]
    transcribing, memory = min(seconds for seconds, _ in tries), max(held for _, held in tries)
    figures = (film.name, round(lasts, 1), frames, *(round(one, 2) for one in (decoding, transcribing)))
    ratio = round(transcribing / decoding, 2)
    return dict(zip(COLUMNS[2:], (*figures, ratio, round(memory)), strict=True)) | stamp()


def spent(command: list[str], environment: dict[str, str]) -> tuple[float, float]:
    """Processor seconds of a program on one core, and the most memory that it held, MB. Raises CalledProcessError."""
    run = [sys.executable, "-c", RUN, *command]
    said = subprocess.run(run, check=True, stdout=subprocess.PIPE, env=environment).stdout
    seconds, held = json.loads(said)
    return seconds, held


def add(row: dict[str, Any]) -> None:
    """Print and append one row."""
    kept = {name: row[name] for name in COLUMNS}
    print(*kept.values())
    add_row(Path(__file__).with_suffix(".csv"), kept)


if __name__ == "__main__":
    main()
