"""What borne-off checkers beside the board tell of those that lie on it: the same pictures read without looking there, and with.

    python benchmarks/trays.py [--boards 200] [--stills 120]

Boards are drawn, half of them strange, with corners as far off as people tap them, and beside them lie, mostly, those of 15 a side
that do not lie on them; simulated tables have them in their trays. Nothing was trained on these seeds. Each kind adds two rows to
trays.csv.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from benchmarks.rows import add_rows, stamp
from controller.simulation.stills import still_frames
from vision.board.geometry import BoardGeometry
from vision.frame import Image
from vision.reading.checkers import ColumnReader
from vision.reading.position_decoder import DecodedPosition, most_likely
from vision.reading.reader import geometry_for
from vision.reading.trays import TrayReader
from vision.training.columns_data import jittered
from vision.training.drawn import checker_rows, hidden_columns
from vision.training.trays_data import MARGIN, drawn_table

SURE = 0.95
Counts = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Shown:
    """A picture with its truth. counts: (25, 2) light and dark, the bar last; hidden: (25,) what nobody can count."""

    kind: str
    image: Image
    geometry: BoardGeometry
    counts: Counts
    hidden: Flags


def drawn(first: int, count: int) -> Iterator[Shown]:
    """Boards with what has been borne off beside them."""
    for seed in range(first, first + count):
        table = drawn_table(seed, in_full=True)
        hidden = hidden_columns(table.drawing, table.scene, checker_rows(table.drawing, table.scene, MARGIN), MARGIN)
        geometry = jittered(table.geometry, np.random.default_rng([seed, 13]))
        yield Shown("drawn", table.picture, geometry, np.array(table.scene.counts), hidden)


def simulated(count: int, seed: int) -> Iterator[Shown]:
    """Tables in mid-game and near its end, corners given."""
    for still in still_frames(count, seed):
        counts = np.vstack([np.array([[max(n, 0), max(-n, 0)] for n in still.columns]), still.bar])
        geometry = geometry_for(still.frame.image, still.corners)
        yield Shown("simulated tables", still.frame.image, geometry, counts, np.zeros(25, np.bool_))


def wrong(position: DecodedPosition, shown: Shown) -> Flags:
    """(25,) which places that can be counted were not, or wrongly, by the names of the colours that suit best."""
    got = np.vstack([np.stack([position.counts.clip(min=0), (-position.counts).clip(min=0)], 1), position.bar])
    by_names = [
        ((got != shown.counts[:, sides]).any(axis=1) | ~position.claimed) & ~shown.hidden for sides in ((0, 1), (1, 0))
    ]
    return min(by_names, key=lambda one: int(one.sum()))


@click.command(help=__doc__)
@click.option("--boards", default=200, show_default=True)
@click.option("--stills", default=120, show_default=True)
@click.option("--seed", default=52_970_000, show_default=True, help="Of the first drawn board, and of the tables.")
def main(boards: int, stills: int, seed: int) -> None:
    """Measures, prints and appends."""
    cv2.setNumThreads(1)
    np.seterr(all="ignore")
    columns, trays = ColumnReader(), TrayReader()
    read: dict[tuple[str, str], list[tuple[Flags, float, Shown]]] = {}
    for shown in (*drawn(seed, boards), *simulated(stills, seed)):
        placed = columns.place_bar(shown.image, shown.geometry)
        (looked, _), seen = columns.looked(shown.image, placed, thorough=True)
        beside = replace(seen, off=trays.read(shown.image, placed, looked.heat, seen.columns))
        for how, one in (("board alone", seen), ("and beside it", beside)):
            position = most_likely(one)
            read.setdefault((shown.kind, how), []).append((wrong(position, shown), position.confidence, shown))
    rows: list[dict[str, Any]] = []
    for (kind, how), answers in read.items():
        places = sum(int((~shown.hidden).sum()) for _, _, shown in answers)
        countable = [flags for flags, _, shown in answers if not shown.hidden.any()]
        sure = [flags for flags, confidence, _ in answers if confidence >= SURE]
        row = {"boards": kind, "looked": how, "n": len(answers), "places": places}
        row |= {"places_right": places - sum(int(flags.sum()) for flags, _, _ in answers)}
        row |= {"countable": len(countable), "whole": sum(not flags.any() for flags in countable)}
        rows.append(stamp() | row | {"sure": len(sure), "sure_wrong": sum(bool(flags.any()) for flags in sure)})
        click.echo("  ".join(map(str, rows[-1].values())))
    add_rows(Path(__file__).with_suffix(".csv"), rows)


if __name__ == "__main__":
    main()
