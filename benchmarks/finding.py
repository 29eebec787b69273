"""How near the corners found come to the true ones, board by board: a CSV, a table, pictures of the failures.

    python benchmarks/finding.py ../shared/boards/photos ../shared/boards/renders --empty ../shared/boards/dice --out /some/folder

Each folder holds `truth.jsonl` (the form of `vrhcab read`, with true corners) and the pictures it names.
"""

from __future__ import annotations

import json
import math
import statistics
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import click
import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.rows import stamp, write_rows
from vision.finding import BoardLocation, NotFound, find_board
from vision.frame import Image
from vision.pictures.files import load_picture

RIGHT = 0.02
"""Board widths: the scorer's bound on the worst corner."""
BINS = (0.0, 0.5, 0.8, 0.9, 0.95, 1.01)
COLUMNS = (
    "date",
    "commit",
    "folder",
    "board",
    "n",
    "found",
    "within_1pct",
    "within_2pct",
    "within_5pct",
    "median_error",
    "ms",
)


@dataclass(frozen=True)
class Result:
    """One picture; error in board widths, infinite where no board was found; seconds of processor time."""

    folder: str
    group: str
    file: str
    error: float
    confidence: float
    seconds: float


def error_of(truth: list[list[float]], corners: np.ndarray[tuple[int, int], np.dtype[np.float32]]) -> float:
    """The worst corner's distance as a share of the true board's width, for the better of the two half turns."""
    width = (math.dist(truth[0], truth[1]) + math.dist(truth[3], truth[2])) / 2
    got = corners.tolist()
    views = (got, got[2:] + got[:2])
    return min(max(math.dist(a, b) for a, b in zip(truth, view, strict=True)) for view in views) / width


def run(folder: Path, failures: Path | None) -> Iterator[Result]:
    """Seeks the board in every labelled picture of one folder."""
    for line in (folder / "truth.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        image = load_picture(folder / row["file"])
        began = time.process_time()
        found = find_board(image)
        seconds = time.process_time() - began
        error = error_of(row["corners"], found.corners) if isinstance(found, BoardLocation) else math.inf
        confidence = found.confidence if isinstance(found, BoardLocation) else 0.0
        yield Result(folder.name, row["group"], row["file"], error, confidence, seconds)
        if failures is not None and error > RIGHT:
            cv2.imwrite(
                str(failures / f"{folder.name}-{Path(row['file']).stem}.jpg"), overlay(image, row["corners"], found)
            )


def overlay(image: Image, truth: list[list[float]], found: BoardLocation | NotFound) -> Image:
    """The picture with the true edges in green and the found ones in red."""
    shown, thick = image.copy(), max(1, image.shape[1] // 600)
    cv2.polylines(shown, [np.round(truth).astype(np.int32)], True, (0, 220, 0), thick, cv2.LINE_AA)
    if isinstance(found, BoardLocation):
        cv2.polylines(shown, [np.round(found.corners).astype(np.int32)], True, (0, 0, 255), thick, cv2.LINE_AA)
        label = f"{found.confidence:.2f}"
        cv2.putText(shown, label, (8, 28), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (0, 0, 255), 2, cv2.LINE_AA)
    return shown


def summary(results: list[Result]) -> list[dict[str, object]]:
    """One row a board and one for each folder."""
    rows = []
    for folder in dict.fromkeys(r.folder for r in results):
        ours = [r for r in results if r.folder == folder]
        for group in [*dict.fromkeys(r.group for r in ours), "all"]:
            chosen = [r for r in ours if group in (r.group, "all")]
            found = sum(math.isfinite(r.error) for r in chosen)
            within = [sum(r.error <= bound for r in chosen) for bound in (0.01, RIGHT, 0.05)]
            median = statistics.median(r.error for r in chosen)
            ms = round(1000 * statistics.median(r.seconds for r in chosen))
            values = (*stamp().values(), folder, group, len(chosen), found, *within, f"{median:.4f}", ms)
            rows.append(dict(zip(COLUMNS, values, strict=True)))
    return rows


def reliability(results: list[Result]) -> Iterator[str]:
    """How often the corners were right, by how sure the finder was."""
    for low, high in pairwise(BINS):
        inside = [r for r in results if low <= r.confidence < high]
        if inside:
            mean = statistics.mean(r.confidence for r in inside)
            right = sum(r.error <= RIGHT for r in inside)
            yield f"confidence {low:.2f}-{min(high, 1):.2f}: {right} of {len(inside)} right, mean confidence {mean:.3f}"


def empty(folder: Path) -> Iterator[str]:
    """Every picture of a folder without boards in which one was found."""
    paths = sorted(path for path in folder.iterdir() if path.suffix.lower() in (".jpg", ".png"))
    answers = {path.name: find_board(load_picture(path)) for path in paths}
    wrong = {name: answer for name, answer in answers.items() if isinstance(answer, BoardLocation)}
    yield f"{folder.name}: a board in {len(wrong)} of {len(paths)} pictures without one"
    for name, answer in wrong.items():
        yield f"  {name}: confidence {answer.confidence:.2f}"


@click.command(help=__doc__)
@click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
@click.option(
    "--empty", "without", multiple=True, type=click.Path(path_type=Path, exists=True), help="Folder without boards."
)
@click.option("--out", type=click.Path(path_type=Path), help="Folder for finding.csv and the failures' pictures.")
def main(folders: tuple[Path, ...], without: tuple[Path, ...], out: Path | None) -> None:
    """Prints the table and writes it."""
    cv2.setNumThreads(1)
    if out is not None:
        (out / "failures").mkdir(parents=True, exist_ok=True)
    results = [result for folder in folders for result in run(folder, out / "failures" if out is not None else None)]
    rows = summary(results)
    for row in rows:
        click.echo("  ".join(str(value) for value in list(row.values())[2:]))
    for line in [*reliability(results), *(said for folder in without for said in empty(folder))]:
        click.echo(line)
    if out is not None:
        write_rows(out / "finding.csv", rows)


if __name__ == "__main__":
    main()
