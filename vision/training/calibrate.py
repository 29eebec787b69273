"""Fits how much each piece of evidence weighs, on boards new to the network.

`python -m vision.training.calibrate --help`
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path

import click
import cv2
import numpy as np
import numpy.typing as npt

from vision.board.geometry import BoardGeometry
from vision.observation import MAX_COUNT
from vision.reading.appearance import ColumnColours
from vision.reading.bar import BarFinder
from vision.reading.checkers import ColumnReader
from vision.reading.judging import CALIBRATION, Calibration, judged
from vision.reading.network_reading import NetworkReading

STEPS = (1.6, 1.25, 1.1)
"""Each weight is multiplied and divided by these, coarse to fine, as long as that helps."""
ROUNDS = 2
FITTED = ("counts", "peaks", "closer", "piles", "side", "colour", "bar", "bar_peaks")


@dataclass(frozen=True)
class Example:
    """One labelled picture. group: its board; counts: (25, 2) true light and dark, -1 where nobody could count."""

    group: str
    reading: NetworkReading
    colours: ColumnColours
    counts: npt.NDArray[np.int64]


def read_examples(truths: tuple[Path, ...], reader: ColumnReader) -> list[Example]:
    """The network's evidence on every labelled picture, with the corners given and the bar found."""
    examples = []
    for truth in truths:
        for line in truth.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            picture = cv2.imread(str(truth.parent / row["file"]))
            if picture is None:
                raise FileNotFoundError(f"The picture {row['file']} named in {truth} can't be read.")
            image = np.asarray(picture, np.uint8)
            geometry = reader.place_bar(image, BoardGeometry.for_picture(image, row["corners"]))
            reading, colours = reader.sighted(image, geometry)
            cells = [*row["top"], *row["bottom"], row["bar"]]
            counts = np.array([[-1, -1] if cell is None else cell for cell in cells], np.int64)
            examples.append(Example(row["group"], reading, colours, counts))
    return examples


def surprise(example: Example, calibration: Calibration) -> float:
    """Mean negative log-probability of the true cells; which colour is called light is the reader's business."""
    seen = judged(example.reading, example.colours, None, calibration)
    best = np.inf
    for counts in (example.counts, example.counts[:, ::-1]):
        known = counts[:, 0] >= 0
        columns = np.flatnonzero(known[:24])
        picked = seen.columns[columns, MAX_COUNT + counts[columns, 0] - counts[columns, 1]]
        total, cells = -np.log(picked).sum(), len(columns)
        if known[24]:
            total, cells = total - np.log(seen.bar[0, counts[24, 0]]) - np.log(seen.bar[1, counts[24, 1]]), cells + 1
        best = min(best, float(total / cells))
    return best


def mean_surprise(examples: list[Example], calibration: Calibration) -> float:
    """The mean over boards of the mean over their pictures: no board counts more for having more pictures."""
    groups: dict[str, list[float]] = {}
    for example in examples:
        groups.setdefault(example.group, []).append(surprise(example, calibration))
    return float(np.mean([np.mean(values) for values in groups.values()]))


def fitted(examples: list[Example]) -> Calibration:
    """The calibration with the least surprise, found from the one in use, weight by weight."""
    best, least = CALIBRATION, mean_surprise(examples, CALIBRATION)
    for step in STEPS:
        for _ in range(ROUNDS):
            for name in FITTED:
                for factor in (step, 1 / step):
                    while (
                        value := mean_surprise(examples, tried := replace(best, **{name: getattr(best, name) * factor}))
                    ) < least:
                        best, least = tried, value
    return best


@click.command(help=__doc__)
@click.argument("truths", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
@click.option(
    "--weights", type=click.Path(path_type=Path, exists=True), help="Another columns.onnx than the one that ships."
)
@click.option("--bar", type=click.Path(path_type=Path, exists=True), help="Another bar.onnx than the one that ships.")
def main(truths: tuple[Path, ...], weights: Path | None, bar: Path | None) -> None:
    """TRUTHS: files of JSON lines with corners and cells, pictures beside them; boards new to the network."""
    cv2.setNumThreads(1)
    examples = read_examples(truths, ColumnReader(weights, BarFinder(bar)))
    best = fitted(examples)
    click.echo(f"before {mean_surprise(examples, CALIBRATION):.4f}  after {mean_surprise(examples, best):.4f}")
    for name in FITTED:
        click.echo(f"{name} = {getattr(best, name):.4g}")


if __name__ == "__main__":
    main()
