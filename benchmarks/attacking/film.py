"""A camera that never ends and always keeps its pace: a simulated game as raw video through a pipe that the program reads.

    python -m benchmarks.attacking.film PIPE FILM COUNTED

The source is "video:PIPE". What the pipe takes is what the program has looked at, but for a few frames on their way; so the frames
a second are counted here, without asking the program for anything. COUNTED is a file: the frames written so far, as text.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import cv2

WIDTH, HEIGHT, FPS = 1280, 720, 10
FRAMES = 150
HEADER = f"YUV4MPEG2 W{WIDTH} H{HEIGHT} F{FPS}:1 Ip A1:1 C420jpeg\n".encode()


def make_film(path: Path) -> None:
    """The first seconds of a simulated match as frames of Y4M, where the file is not there yet."""
    from controller.simulation import SimulatedTable

    if path.exists():
        return
    draft = path.with_suffix(".new")
    with draft.open("wb") as out:
        for number, frame in enumerate(SimulatedTable(3, "none", 5, (WIDTH, HEIGHT), FPS).frames()):
            if number == FRAMES:
                break
            out.write(cv2.cvtColor(frame.image, cv2.COLOR_BGR2YUV_I420).tobytes())
    draft.replace(path)


def show(pipe: Path, film: Path, counted: Path) -> None:
    """Writes frames for ever, forwards and backwards, never faster than FPS; one that comes late is not made up for."""
    size = WIDTH * HEIGHT * 3 // 2
    with film.open("rb") as file:
        frames = [file.read(size) for _ in range(FRAMES)]
    order = [*range(FRAMES), *reversed(range(FRAMES))]
    line = os.open(pipe, os.O_WRONLY)
    _write(line, HEADER)
    due, number = time.monotonic(), 0
    draft = counted.with_suffix(".new")
    while True:
        _write(line, b"FRAME\n" + frames[order[number % len(order)]])
        number += 1
        draft.write_text(str(number))
        draft.replace(counted)
        due = max(due + 1 / FPS, time.monotonic() - 1 / FPS)
        time.sleep(max(0.0, due - time.monotonic()))


def _write(line: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(line, rest) :]


if __name__ == "__main__":
    try:
        show(*map(Path, sys.argv[1:4]))
    except (BrokenPipeError, KeyboardInterrupt):
        sys.exit(0)
