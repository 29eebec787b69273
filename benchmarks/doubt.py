"""Whether "sure" means it on boards that nobody has seen, and how much a position's log-odds should count (`UNSEEN`).

    python benchmarks/doubt.py [--boards 200] [--stills 60] [--columns OLDER.onnx --note "ordinary boards only"]

Boards are drawn, half of them strange, with corners as far off as the finder leaves them, and simulated tables, corners given and
found. Networks of before strange boards were learnt from (`git show 7f25ef8:vision/weights/columns.onnx`) read these as today's
read what nobody has drawn: their slope is what `vision.reading.position_decoder.UNSEEN` is for. Every kind adds a row to doubt.csv.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
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
from vision.finding import BoardLocation, find_board
from vision.frame import Corners, Image
from vision.network import Network
from vision.reading.checkers import ColumnReader
from vision.reading.network_reading import NetworkReading
from vision.reading.position_decoder import UNSEEN, DecodedPosition, most_likely
from vision.reading.reader import geometry_for
from vision.reading.report import where_placed
from vision.training.drawn import drawn_board

OFF = (0.001, 0.003, 0.006)
"""Deviations of the corners, board widths: what the finder leaves on boards that it finds."""
SURE = 0.95
LEAST = 0.6
"""Readings less sure than this say nothing about the surest."""
SLOPES = np.arange(0.3, 1.6, 0.02)
Counts = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Shown:
    """A picture with its truth. placed: probability that the corners are right; counts: (25, 2) light and dark, the bar last."""

    kind: str
    image: Image
    corners: Corners
    placed: float
    counts: Counts
    hidden: npt.NDArray[np.bool_]


def drawn(first: int, count: int) -> Iterator[Shown]:
    """Boards, every other one strange."""
    for seed in range(first, first + count):
        board, rng = drawn_board(seed, strange=seed % 2 == 1), np.random.default_rng(seed)
        width = float(np.linalg.norm(board.corners[1] - board.corners[0]))
        corners = board.corners + rng.normal(0, rng.choice(OFF), (4, 2)) * width
        kind = "drawn, strange" if seed % 2 else "drawn"
        yield Shown(kind, board.picture, corners.astype(np.float32), 1.0, board.counts, board.hidden)


def simulated(count: int, seed: int) -> Iterator[Shown]:
    """Tables, with the corners given and with the board found."""
    for still in still_frames(count, seed):
        columns = np.array([[max(n, 0), max(-n, 0)] for n in still.columns])
        counts, hidden = np.vstack([columns, still.bar]), np.zeros(25, np.bool_)
        yield Shown("tables, given", still.frame.image, still.corners, 1.0, counts, hidden)
        found = find_board(still.frame.image)
        if isinstance(found, BoardLocation):
            yield Shown("tables, found", still.frame.image, found.corners, found.confidence, counts, hidden)


def right(position: DecodedPosition, shown: Shown) -> bool:
    """Whether all that can be counted was, whichever half turn and names of the colours were chosen."""
    got = np.vstack([np.stack([position.counts.clip(min=0), (-position.counts).clip(min=0)], 1), position.bar])
    for order in (np.arange(25), np.r_[np.arange(24)[::-1], 24]):
        for sides in ((0, 1), (1, 0)):
            wrong = (got != shown.counts[order][:, sides]).any(axis=1) | ~position.claimed
            if not (wrong & ~shown.hidden[order]).any():
                return True
    return False


class _Padded(Network):
    """A network of before what its last layers made was put out."""

    def __call__(self, pictures: npt.NDArray[np.float32]) -> list[npt.NDArray[np.float32]]:
        answers = super().__call__(pictures)
        nothing = np.zeros((2, 1, 1, 24), np.float32), np.zeros((2, 1, 1, 1), np.float32)
        return answers if len(answers) > 3 else [*answers, *nothing]


class _Older(ColumnReader):
    """A reader with an older network."""

    def __init__(self, weights: Path) -> None:
        super().__init__(weights)
        self._network = _Padded(weights)

    def looked_closer(self, reading: NetworkReading, image: Image, placed: BoardGeometry) -> NetworkReading:
        """Nothing looked closer then."""
        del image, placed
        return reading


def slope(confidences: list[float], true: list[bool]) -> float:
    """By how much log-odds must be multiplied to be likeliest, of the surer readings; nan where all or too few were right."""
    kept = [(p, t) for p, t in zip(confidences, true, strict=True) if p >= LEAST]
    if all(t for _, t in kept):
        return float("nan")
    odds = np.array([np.log(min(p, 1 - 1e-4) / (1 - min(p, 1 - 1e-4))) for p, _ in kept])
    signs = np.array([1.0 if t else -1.0 for _, t in kept])
    return float(min(SLOPES, key=lambda k: np.log1p(np.exp(-k * signs * odds)).sum()))


@click.command(help=__doc__)
@click.option("--boards", default=200, show_default=True)
@click.option("--stills", default=60, show_default=True)
@click.option("--seed", default=2_110_000, show_default=True, help="Of the first drawn board, and of the tables.")
@click.option("--columns", type=click.Path(path_type=Path, exists=True), help="Another columns.onnx.")
@click.option("--note", default="shipped", show_default=True, help="What to call the networks in the CSV.")
def main(boards: int, stills: int, seed: int, columns: Path | None, note: str) -> None:
    """Measures, prints and appends."""
    cv2.setNumThreads(1)
    np.seterr(all="ignore")
    reader = _Older(columns) if columns is not None else ColumnReader()
    said: dict[str, list[tuple[float, bool, float]]] = {}
    for shown in (*drawn(seed, boards), *simulated(stills, seed)):
        position = most_likely(reader.read(shown.image, geometry_for(shown.image, shown.corners)))
        sure = where_placed(position.confidence, shown.placed)
        said.setdefault(shown.kind, []).append((position.confidence, right(position, shown), sure))
    said["all"] = [one for kind in said.values() for one in kind]
    rows: list[dict[str, Any]] = []
    for kind, readings in said.items():
        sures = [true for _, true, sure in readings if sure >= SURE]
        row = {"networks": note, "boards": kind, "n": len(readings), "whole": sum(true for _, true, _ in readings)}
        row |= {"sure": len(sures), "sure_wrong": len(sures) - sum(sures)}
        fitted = slope([p for p, _, _ in readings], [true for _, true, _ in readings]) * UNSEEN
        rows.append(stamp() | row | {"slope": round(fitted, 2)})
        click.echo("  ".join(map(str, row.values())) + f"  {fitted:.2f}")
    add_rows(Path(__file__).with_suffix(".csv"), rows)


if __name__ == "__main__":
    main()
