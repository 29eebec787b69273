"""Games of key frames as films in the codecs, containers and shapes that people have: turns right, turns invented, what it costs.

    python benchmarks/filmed.py ../shared/boards [--only vp9] [--game dev1] [--keep FOLDER] [--out benchmarks/filmed.csv]

BOARDS holds `film.py`, `score_turns.py` and games/. The four ways of `film.py` are measured as it writes them; the others here show
each key frame for SECONDS with a camera's noise, through FFmpeg's encoders. Each film is transcribed as `vrhcab transcribe` does
it, nothing given. --keep: the record is kept there, and the film of what went wrong.
"""

from __future__ import annotations

import json
import resource
import runpy
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from benchmarks.rows import add_row, stamp
from benchmarks.worse import night, transcribed
from controller.simulation.cards import flickering, swayed, title_card
from vision.frame import Image

SECONDS = 2.4
"""For which each key frame is shown, a hand included."""
FADING = 0.33
"""Seconds from one key frame to the next where they are faded."""
NOISE = 5.0
"""Grey levels: a little more than film.py has."""
GRAINS = 7
HELD = 5
"""Seed of how a camera is held that is held by hand."""
JOSTLED = 0.3
"""By how much a camera on a table that is leant on is elsewhere, beside one in somebody's hands. By agreement."""
TITLE_SECONDS = 4.0
DEPTH, LAMP_HZ = 0.3, 103.1
"""Share of the light by which bands differ, and how often a second: so that they lie elsewhere in each frame. By agreement."""
WAYS = ("fade", "nohand", "cut", "short")
X264 = ("-c:v", "libx264", "-preset", "veryfast")


@dataclass(frozen=True)
class Film:
    """name: with the container's ending; fps: frames/s; encoder: FFmpeg's words; faded, handless: how frames follow each other;
    titles: a card before and after; upright: a phone held upright, the board between bars of the same picture, blurred; turned:
    stored on its side, and the file says so; boxed: black bars all round; by_hand: a camera in somebody's hands; jostled: one that
    is elsewhere after each turn, as on a table that is leant on; bands: how many a lamp that flickers lays over each frame;
    night: in little light.
    """

    name: str
    fps: float = 30
    encoder: tuple[str, ...] = X264
    faded: bool = False
    handless: bool = False
    titles: bool = False
    upright: bool = False
    turned: bool = False
    boxed: bool = False
    by_hand: bool = False
    jostled: bool = False
    bands: float = 0.0
    night: bool = False


FILMS = {
    "h264": Film("film.mp4"),
    "h264-faded": Film("film.mp4", faded=True),
    "h264-handless": Film("film.mp4", handless=True),
    "h264-60": Film("film.mkv", fps=60),
    "h264-poor": Film("film.mp4", encoder=(*X264, "-crf", "36")),
    "h264-small": Film("film.mp4", encoder=(*X264, "-vf", "scale=640:360")),
    "h264-sparse": Film("film.ts", encoder=(*X264, "-g", "1200")),
    "hevc": Film(
        "film.mp4", fps=24, encoder=("-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none")
    ),
    "hevc-mov": Film(
        "film.mov",
        encoder=("-c:v", "libx265", "-preset", "ultrafast", "-tag:v", "hvc1", "-x265-params", "log-level=none"),
    ),
    "vp9": Film(
        "film.webm", encoder=("-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-b:v", "1500k")
    ),
    "av1": Film("film.webm", fps=25, encoder=("-c:v", "libsvtav1", "-preset", "12", "-crf", "40")),
    "av1-mkv": Film("film.mkv", fps=50, encoder=("-c:v", "libsvtav1", "-preset", "12", "-crf", "45")),
    "variable": Film("film.mkv", encoder=(*X264, "-vf", "select='gt(random(1),0.5)'", "-vsync", "vfr")),
    "turned": Film("film.mov", turned=True),
    "upright": Film("film.mp4", upright=True),
    "upright-turned": Film("film.mov", upright=True, turned=True),
    "boxed": Film("film.mp4", boxed=True),
    "titles": Film("film.mp4", titles=True),
    "by-hand": Film("film.mp4", by_hand=True),
    "by-hand-faded": Film("film.mp4", by_hand=True, faded=True),
    "by-hand-poor": Film("film.mp4", by_hand=True, encoder=(*X264, "-crf", "36")),
    "by-hand-small": Film("film.mp4", by_hand=True, encoder=(*X264, "-vf", "scale=640:360")),
    "jostled": Film("film.mp4", jostled=True),
    "flicker": Film("film.mp4", bands=2.3),
    "flicker-thin": Film("film.mp4", bands=14.0),
    "flicker-poor": Film("film.mp4", bands=2.3, encoder=(*X264, "-crf", "36")),
    "flicker-by-hand": Film("film.mp4", bands=2.3, by_hand=True),
    "night": Film("film.mp4", night=True),
    "night-poor": Film("film.mp4", night=True, encoder=(*X264, "-crf", "36")),
    "titles-faded-boxed": Film(
        "film.webm",
        encoder=("-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-b:v", "1500k"),
        faded=True,
        titles=True,
        boxed=True,
    ),
}


def shots(game: Path, film: Film) -> Iterator[tuple[Image, float]]:
    """What is shown, and for how many seconds."""
    rows = [json.loads(line) for line in (game / "truth.jsonl").read_text(encoding="utf-8").splitlines()]
    before: Image | None = None
    for row in rows:
        if film.handless and row["game"]["event"] == "mid_move":
            continue
        picture = np.asarray(cv2.imread(str(game / row["file"])), np.uint8)
        if before is None and film.titles:
            yield title_card((picture.shape[1], picture.shape[0]), 3), TITLE_SECONDS
        if film.faded and before is not None:
            steps = max(2, round(FADING * film.fps))
            for step in range(1, steps):
                share = step / steps
                yield np.asarray(cv2.addWeighted(before, 1 - share, picture, share, 0), np.uint8), 1 / film.fps
        yield picture, SECONDS
        before = picture
    if before is not None and film.titles:
        yield title_card((before.shape[1], before.shape[0]), 4), TITLE_SECONDS


def shaped(picture: Image, film: Film) -> Image:
    """The picture as the film stores it, but for its noise."""
    height, width = picture.shape[:2]
    if film.boxed:
        inner = cv2.resize(picture, (width * 3 // 4, height * 3 // 4), interpolation=cv2.INTER_AREA)
        rows, columns = (height - inner.shape[0]) // 2, (width - inner.shape[1]) // 2
        picture = np.asarray(cv2.copyMakeBorder(inner, rows, rows, columns, columns, cv2.BORDER_CONSTANT), np.uint8)
    if film.upright:
        behind = cv2.GaussianBlur(cv2.resize(picture, (height, width)), (0, 0), 25)
        inner = cv2.resize(picture, (height, height * height // width // 2 * 2), interpolation=cv2.INTER_AREA)
        top = (width - inner.shape[0]) // 2
        behind[top : top + inner.shape[0]] = inner
        picture = np.asarray(behind, np.uint8)
    return np.ascontiguousarray(np.rot90(picture) if film.turned else picture)


def written(game: Path, film: Film, folder: Path) -> Path:
    """The film's file. Raises CalledProcessError where FFmpeg refuses."""
    path = folder / film.name
    plain = folder / f"plain-{film.name}" if film.turned else path
    first = shaped(next(shots(game, film))[0], film)
    rng = np.random.default_rng(5)
    grains = [rng.normal(0, NOISE, first.shape).astype(np.int16) for _ in range(GRAINS)]
    put_in = [
        "-f",
        "rawvideo",
        "-pix_fmt",
        "bgr24",
        "-s",
        f"{first.shape[1]}x{first.shape[0]}",
        "-r",
        str(film.fps),
        "-i",
        "-",
    ]
    words = ["ffmpeg", "-v", "error", "-y", *put_in, *film.encoder, "-pix_fmt", "yuv420p", str(plain)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL) as encoder:
        assert encoder.stdin is not None
        number = 0
        for shot, (picture, seconds) in enumerate(shots(game, film)):
            still = swayed(picture, SECONDS * shot, HELD, JOSTLED) if film.jostled else picture
            bare = shaped(still, film).astype(np.int16)
            noisy: dict[int, bytes] = {}
            for _ in range(max(1, round(seconds * film.fps))):
                which = number % GRAINS
                if film.by_hand or film.bands:
                    now = number / film.fps
                    shown = swayed(picture, now, HELD) if film.by_hand else still
                    shown = flickering(shown, now, film.bands, DEPTH, LAMP_HZ) if film.bands else shown
                    bare = shaped(shown, film).astype(np.int16)
                    noisy.clear()
                if which not in noisy:
                    grainy = night(bare, which) if film.night else np.clip(bare + grains[which], 0, 255)
                    noisy[which] = grainy.astype(np.uint8).tobytes()
                encoder.stdin.write(noisy[which])
                number += 1
        encoder.stdin.close()
        if encoder.wait() != 0:
            raise subprocess.CalledProcessError(encoder.returncode, words)
    if film.turned:
        turn = ["-c", "copy", "-metadata:s:v:0", "rotate=90"]
        subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", str(plain), *turn, str(path)], check=True)
        plain.unlink()
    return path


def measured(boards: Path, game: Path, name: str, scorer: dict[str, Any], room: Path) -> dict[str, Any]:
    """A row of one game as one film."""
    if name in WAYS:
        path = room / f"{name}.mp4"
        runpy.run_path(str(boards / "film.py"))["main"](str(game), str(path), name)
    else:
        path = written(game, FILMS[name], room)
    before = _spent()
    row: dict[str, Any] = dict(transcribed(game, path, scorer, room / f"{name}-{game.name}.json"))
    return row | {"cpu_s": round(_spent() - before, 1), "megabytes": round(path.stat().st_size / 1e6, 1)}


def _spent() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


@click.command(help=__doc__)
@click.argument("boards", type=click.Path(path_type=Path, exists=True))
@click.option("--only", multiple=True, type=click.Choice((*WAYS, *FILMS)), help="Only these films; again for more.")
@click.option("--game", "games", multiple=True, help="Only these games of BOARDS/games.")
@click.option("--keep", type=click.Path(path_type=Path), help="Folder that keeps records, and films that went wrong.")
@click.option("--out", type=click.Path(path_type=Path), help="CSV that the rows are added to.")
def main(boards: Path, only: tuple[str, ...], games: tuple[str, ...], keep: Path | None, out: Path | None) -> None:
    """Measures and prints one line a film."""
    cv2.setNumThreads(1)
    scorer = runpy.run_path(str(boards / "score_turns.py"))
    for name in only or (*WAYS, *FILMS):
        for game in sorted((boards / "games").iterdir()):
            if games and game.name not in games:
                continue
            with tempfile.TemporaryDirectory() as folder:
                room = Path(folder)
                row = stamp() | {"film": name, "game": game.name} | measured(boards, game, name, scorer, room)
                right = row["right"] == row["turns"] and not row["invented"]
                for made in room.iterdir() if keep is not None else ():
                    if not right or made.suffix == ".json":
                        keep.mkdir(exist_ok=True, parents=True)
                        (
                            keep / (made.name if made.suffix == ".json" else f"{name}-{game.name}{made.suffix}")
                        ).write_bytes(made.read_bytes())
            click.echo("  ".join(str(value) for value in list(row.values())[2:]))
            if out is not None:
                add_row(out, row)


if __name__ == "__main__":
    main()
