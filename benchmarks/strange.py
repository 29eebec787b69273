"""How well boards of looks that nothing was fitted to are read: board by board, corners given and found, before and after.

    python benchmarks/strange.py ../shared/boards [--drawn 100] [--columns OTHER.onnx] [--out benchmarks/strange.csv]
    python benchmarks/strange.py ../shared/boards --altered "turned by 12 degrees" --altered warm     the same boards otherwise

BOARDS holds `score.py` and folders of labelled pictures (photos, renders, hard); what is absent is skipped. Beside them boards are
drawn of seeds that train nothing, ordinary and strange ones. Photographs are measured here and serve for nothing else.
"""

from __future__ import annotations

import json
import runpy
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
from benchmarks.accuracy import Claims, measure
from benchmarks.altered import WAYS, altered
from benchmarks.rows import add_rows, stamp
from vision.finding import use_networks
from vision.network import Network
from vision.reading.checkers import ColumnReader
from vision.reading.reader import BoardReader
from vision.training.drawn import drawn_board

Row = dict[str, Any]
FOLDERS = ("photos", "hard", "renders")
ORDINARY, STRANGE = 1_990_000, 1_995_000
"""Seeds of the first drawn board of each kind; nothing is trained on seeds from 1,900,000 on."""
FINDERS = ("finder", "finder_edges", "finder_strips")


def drawn(folder: Path, count: int, *, strange: bool) -> Path:
    """Draws boards into the folder, with their truth as labelled pictures have it."""
    folder.mkdir()
    with (folder / "truth.jsonl").open("w", encoding="utf-8") as truth:
        first = STRANGE if strange else ORDINARY
        for seed in range(first, first + count):
            board = drawn_board(seed, strange=strange)
            name = f"{seed}.png"
            cv2.imwrite(str(folder / name), board.picture)
            cells: list[list[int] | None] = [
                None if hidden else cell for cell, hidden in zip(board.counts.tolist(), board.hidden, strict=True)
            ]
            row = {"file": name, "corners": board.corners.tolist(), "top": cells[:12], "bottom": cells[12:24]}
            row |= {"bar": cells[24], "dice": None, "cube": None, "group": folder.name}
            truth.write(json.dumps(row) + "\n")
    return folder


@dataclass(frozen=True)
class Asked:
    """What is measured with which networks, as the command's options say it."""

    count: int
    only: tuple[str, ...]
    how: tuple[str, ...]
    columns: Path | None
    finders: Path | None
    ways: tuple[str, ...]

    def reader(self) -> BoardReader:
        """With the networks that were given in the place of those of the program; the finder's are put there for all."""
        reader = BoardReader()
        if self.columns is not None:
            reader.columns = ColumnReader(self.columns)
        if self.finders is not None:
            paths = [self.finders / f"{name}.onnx" for name in FINDERS]
            use_networks(*(Network(path) if path.exists() else None for path in paths))
        return reader

    def jobs(self, boards: Path, room: Path) -> Iterator[tuple[Path, str, str]]:
        """Folders of labelled pictures, how the corners are had, and in which way the pictures were altered ("": as they are)."""
        wanted = self.only or (*FOLDERS, "drawn")
        for name in FOLDERS:
            if name in wanted and (boards / name).exists():
                for way in self.ways or ("",):
                    folder = altered(boards / name, way, room / way) if way else boards / name
                    yield from ((folder, how, way) for how in self.how)
        if self.count and "drawn" in wanted:
            yield drawn(room / "drawn-ordinary", self.count, strange=False), "given", ""
            yield drawn(room / "drawn-strange", self.count, strange=True), "given", ""


def _stamp(note: str) -> Row:
    return stamp() | {"networks": note}


@click.command(help=__doc__)
@click.argument("boards", type=click.Path(path_type=Path, exists=True))
@click.option("--drawn", "count", default=0, show_default=True, help="Boards to draw of each kind, corners given.")
@click.option(
    "--only", multiple=True, type=click.Choice([*FOLDERS, "drawn"]), help="Measure only these; again for more."
)
@click.option("--how", multiple=True, type=click.Choice(["given", "found"]), default=("given", "found"))
@click.option(
    "--altered", "ways", multiple=True, type=click.Choice(tuple(WAYS)), help="Pictures altered so; again for more."
)
@click.option("--columns", type=click.Path(path_type=Path, exists=True), help="Another columns.onnx.")
@click.option("--finders", type=click.Path(path_type=Path, exists=True), help="A folder with other finder networks.")
@click.option("--note", default="shipped", show_default=True, help="What to call the networks in the CSV.")
@click.option("--out", type=click.Path(path_type=Path), help="CSV that the rows are added to.")
@click.option("--failures", type=click.Path(path_type=Path), help="Folder for pictures of what was read wrongly.")
def main(boards: Path, out: Path | None, failures: Path | None, note: str, **options: Any) -> None:
    """Measures and prints one line a board."""
    cv2.setNumThreads(1)
    np.seterr(all="ignore")
    asked = Asked(**options)
    reader, scorer = asked.reader(), runpy.run_path(str(boards / "score.py"))
    if failures is not None:
        failures.mkdir(parents=True, exist_ok=True)
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as room:
        for folder, how, way in asked.jobs(boards, Path(room)):
            for row in measure(folder, how, reader, Claims(), failures, scorer):
                rows.append(_stamp(f"{note}; {way}" if way else note) | row)
                click.echo("  ".join(str(value) for value in list(rows[-1].values())[2:]))
    if out is not None and rows:
        add_rows(out, rows)


if __name__ == "__main__":
    main()
