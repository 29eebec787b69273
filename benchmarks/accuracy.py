"""How well checkers are read on labelled pictures, board by board: a CSV, a table, pictures of the failures.

    python benchmarks/accuracy.py ../shared/boards/photos ../shared/boards/renders --out /some/folder

Each folder holds `truth.jsonl` (the form of `vrhcab read`, with true corners and cells) and the pictures it names.
"""

from __future__ import annotations

import csv
import json
import statistics
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np
import numpy.typing as npt

from vision.columns import ColumnReader
from vision.frame import Image
from vision.geometry import BoardGeometry
from vision.totals import most_likely

ENLARGED = 3


@dataclass(frozen=True)
class Result:
    """One picture: its board, which cells came out right (None: no truth), how sure the reader was, its time."""

    folder: str
    group: str
    file: str
    right: tuple[bool | None, ...]
    confidence: float
    seconds: float

    @property
    def whole(self) -> bool:
        return all(cell is not False for cell in self.right)


def cells(counts: npt.NDArray[np.int64], bar: tuple[int, int]) -> list[list[int]]:
    """25 [light, dark] pairs in column order, the bar last."""
    return [[max(int(n), 0), max(-int(n), 0)] for n in counts] + [[bar[0], bar[1]]]


def compared(truth: list[list[int] | None], read: list[list[int]]) -> tuple[bool | None, ...]:
    """Cell by cell, with the names of the two colours chosen in the reader's favour."""
    views = [
        tuple(None if want is None else want == got for want, got in zip(truth, view, strict=True))
        for view in (read, [c[::-1] for c in read])
    ]
    return max(views, key=lambda view: sum(cell is True for cell in view))


def run(folder: Path, reader: ColumnReader, failures: Path | None) -> list[Result]:
    """Reads every labelled picture of one folder with the corners given."""
    results = []
    for line in (folder / "truth.jsonl").read_text(encoding="utf-8").splitlines():
        row: dict[str, Any] = json.loads(line)
        image = np.asarray(cv2.imread(str(folder / row["file"])), np.uint8)
        began = time.perf_counter()
        geometry = reader.place_bar(image, BoardGeometry.for_picture(image, row["corners"]))
        seen = reader.read(image, geometry)
        position = most_likely(seen)
        seconds = time.perf_counter() - began
        read = cells(position.counts, position.bar)
        right = compared([*row["top"], *row["bottom"], row["bar"]], read)
        result = Result(folder.name, row["group"], row["file"], right, position.confidence, seconds)
        results.append(result)
        if failures is not None and not result.whole:
            cv2.imwrite(
                str(failures / f"{folder.name}-{Path(row['file']).stem}.png"),
                overlay(geometry.canonical(image), read, right),
            )
    return results


def overlay(canonical: Image, read: list[list[int]], right: tuple[bool | None, ...]) -> Image:
    """The canonical picture with what was read on every column; wrong cells in red."""
    shown = np.asarray(cv2.resize(canonical, None, fx=ENLARGED, fy=ENLARGED), np.uint8)
    for column, (cell, good) in enumerate(zip(read, right, strict=True)):
        place = 6 if column == 24 else column % 12 + (column % 12 > 5)
        at = (
            ENLARGED * (8 + 16 * place) + 4,
            14 if column < 12 else shown.shape[0] - 4 if column < 24 else shown.shape[0] // 2,
        )
        text = f"{cell[0]}/{cell[1]}"
        cv2.putText(shown, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.45, (0, 0, 255) if good is False else (0, 255, 255), 1)
    return shown


def summary(results: list[Result]) -> list[dict[str, object]]:
    """One row a board and one for each folder."""
    rows: list[dict[str, object]] = []
    for folder in dict.fromkeys(r.folder for r in results):
        ours = [r for r in results if r.folder == folder]
        for group in [*dict.fromkeys(r.group for r in ours), "all"]:
            chosen = [r for r in ours if group in (r.group, "all")]
            known = [cell for r in chosen for cell in r.right if cell is not None]
            row = {
                "folder": folder,
                "board": group,
                "pictures": len(chosen),
                "cells": len(known),
                "cells_right": sum(known),
            }
            row |= {"share": f"{sum(known) / len(known):.4f}", "pictures_right": sum(r.whole for r in chosen)}
            rows.append(row | {"ms": round(1000 * statistics.median(r.seconds for r in chosen))})
    return rows


def reliability(results: list[Result]) -> list[tuple[str, int, float, float]]:
    """(bin, pictures, mean confidence, share right) over the confidence that the whole picture is right."""
    table = []
    for low, high in ((0.0, 0.5), (0.5, 0.8), (0.8, 0.9), (0.9, 0.95), (0.95, 1.01)):
        inside = [r for r in results if low <= r.confidence < high]
        if inside:
            mean = statistics.mean(r.confidence for r in inside)
            table.append(
                (f"{low:.2f}-{min(high, 1):.2f}", len(inside), mean, sum(r.whole for r in inside) / len(inside))
            )
    return table


@click.command(help=__doc__)
@click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
@click.option("--out", type=click.Path(path_type=Path), help="Folder for accuracy.csv and the failures' pictures.")
def main(folders: tuple[Path, ...], out: Path | None) -> None:
    """Prints the table and writes it."""
    cv2.setNumThreads(1)
    if out is not None:
        (out / "failures").mkdir(parents=True, exist_ok=True)
    reader = ColumnReader()
    results: list[Result] = []
    with click.progressbar(folders, label="reading") as shown:
        for folder in shown:
            results += run(folder, reader, out / "failures" if out is not None else None)
    rows = summary(results)
    for row in rows:
        click.echo("  ".join(str(value) for value in row.values()))
    for name, pictures, mean, share in reliability(results):
        click.echo(f"confidence {name}: {pictures} pictures, mean {mean:.3f}, whole picture right {share:.3f}")
    if out is not None:
        with (out / "accuracy.csv").open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)


if __name__ == "__main__":
    main()
