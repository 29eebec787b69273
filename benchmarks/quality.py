"""How worse cameras are read, and whether the picture's own measures say so: on drawn boards made worse, and labelled pictures.

    python benchmarks/quality.py drawn [--stills 24] [--steps 4] [--size 1280x720] [--seed 9100] --rows ROWS.csv
    python benchmarks/quality.py folder FOLDER ... [--every 4] --rows ROWS.csv
    python benchmarks/quality.py table ROWS.csv [--out benchmarks/quality.csv]

`drawn` draws simulated stills (which train nothing), makes each worse in eight ways by random amounts, reads it with the corners
given, and writes a line a picture: what was measured, what was read. `folder` does the same with labelled pictures as they are.
`table` says, measure by measure, how much is still read, in how many pictures a weakness is named, and where reading falls off.
"""

from __future__ import annotations

import csv
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
import cv2
import msgspec
import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from benchmarks.rows import add_row, read_rows, stamp
from controller.simulation.stills import Still, still_frames
from vision.board.quality import Quality, quality_of
from vision.board.weaknesses import (
    LARGEST_PATCH,
    LEAST_CHECKER,
    MOST_BLOCKS,
    MOST_BLUR,
    MOST_BURNT,
    MOST_GRAIN,
    grain_share,
    weak_points,
)
from vision.frame import Corners, Frame, Image
from vision.reading.reader import BoardReader
from vision.reading.report import Reading, reading_of

Row = dict[str, Any]
FloatArray = npt.NDArray[np.float64]
Rng = np.random.Generator
SURE = 0.95
"""A die of which both that it is one and its face are as likely is called sure."""
FULL_WELL = 400
"""Photons that fill a pixel of a small sensor in a dim room."""


def dark(image: Image, light: float, rng: Rng) -> Image:
    """As much light as this share, made bright again: the grain of few photons."""
    photons = rng.poisson(image / 255.0 * light * FULL_WELL) / FULL_WELL
    return np.asarray(255 * np.clip(photons * 0.58 / light, 0, 1), np.uint8)


def dim(image: Image, light: float, rng: Rng) -> Image:
    """As much light as this share, and left so."""
    return np.asarray(np.clip(image * light + rng.normal(0, 1.0, image.shape), 0, 255), np.uint8)


def defocus(image: Image, blur: float, rng: Rng) -> Image:
    return np.asarray(cv2.GaussianBlur(image, (0, 0), blur), np.uint8)


def shake(image: Image, length: float, rng: Rng) -> Image:
    """A straight smear of so many px, in any direction."""
    kernel, angle = np.zeros((33, 33), np.float32), rng.uniform(0, np.pi)
    for along in np.linspace(-length / 2, length / 2, 65):
        x, y = 16 + along * np.cos(angle), 16 + along * np.sin(angle)
        column, row = int(x), int(y)
        for dx, dy in ((0, 0), (1, 0), (0, 1), (1, 1)):
            kernel[row + dy, column + dx] += (1 - abs(x - column - dx)) * (1 - abs(y - row - dy))
    return np.asarray(cv2.filter2D(image, -1, kernel / kernel.sum()), np.uint8)


def jpeg(image: Image, grade: float, rng: Rng) -> Image:
    done, packed = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, round(grade)])
    assert done
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


def small(image: Image, width: float, rng: Rng) -> Image:
    height = round(width * image.shape[0] / image.shape[1])
    return np.asarray(cv2.resize(image, (round(width), height), interpolation=cv2.INTER_AREA), np.uint8)


def glare(image: Image, size: float, rng: Rng) -> Image:
    """A lamp's reflection, round and with a soft edge; its radius as a share of the picture's height."""
    height, width = image.shape[:2]
    x, y = rng.uniform(0.3, 0.7) * width, rng.uniform(0.3, 0.7) * height
    rows, columns = np.mgrid[:height, :width]
    far = np.hypot(columns - x, (rows - y) * rng.uniform(0.8, 2.0)) / (size * height)
    return np.asarray(np.clip(image + 330 * np.exp(-(far**4))[..., None], 0, 255), np.uint8)


def bright(image: Image, gain: float, rng: Rng) -> Image:
    return np.asarray(np.clip(image * gain, 0, 255), np.uint8)


WAYS: Mapping[str, tuple[Callable[[Image, float, Rng], Image], float, float]] = {
    "dark": (dark, 0.002, 0.2),
    "dim": (dim, 0.005, 0.3),
    "defocus": (defocus, 0.6, 6.0),
    "shake": (shake, 2.0, 24.0),
    "jpeg": (jpeg, 1.0, 30.0),
    "small": (small, 200.0, 1000.0),
    "glare": (glare, 0.05, 0.6),
    "bright": (bright, 1.2, 6.0),
}
"""How a picture is made worse, and from which amount to which, drawn evenly over the logarithm."""


def read_still(image: Image, corners: Corners, reader: BoardReader) -> Reading:
    """What is read with the corners given."""
    geometry = reader.place(image, corners)
    return reading_of("", reader.read(Frame(image, 0.0, ""), geometry), geometry, 0.0)


def cells_right(reading: Reading, top: Sequence[Any], bottom: Sequence[Any]) -> tuple[int, int, int]:
    """Cells right, cells claimed and wrong, cells that can be counted. Of two equally bright sides either may be called light."""
    cells = [
        (cell, tuple(true)) for cell, true in zip((*reading.top, *reading.bottom), (*top, *bottom), strict=True) if true
    ]
    named = [[cell for cell, _ in cells], [cell and cell[::-1] for cell, _ in cells]]
    right = [sum(cell == true for cell, (_, true) in zip(names, cells, strict=True)) for names in named]
    unclaimed = sum(cell is None for cell, _ in cells)
    return max(right), len(cells) - max(right) - unclaimed, len(cells)


def row_of(
    group: str, way: str, amount: float, image: Image, corners: Corners, reader: BoardReader, truth: Mapping[str, Any]
) -> Row:
    """One picture: what was measured and what was read."""
    reading = read_still(image, corners, reader)
    right, wrong, cells = cells_right(reading, truth["top"], truth["bottom"])
    dice = truth["dice"]
    flat = None if dice is None else sorted(die["value"] for die in dice if not die["cocked"])
    read = sorted(die.value for die in reading.dice if not die.cocked and die.half != "off the board")
    cube = truth["cube"]
    row: Row = {"group": group, "way": way, "amount": round(amount, 3)}
    row |= {name: round(value, 3) for name, value in msgspec.structs.asdict(quality_of(image, corners)).items()}
    row |= {"cells": cells, "cells_right": right, "cells_wrong": wrong}
    row |= {"dice": "" if flat is None else len(flat), "dice_right": "" if flat is None else int(flat == read)}
    sure = [die.value for die in reading.dice if die.confidence >= SURE]
    told = Counter(die["value"] for die in dice or ())
    row |= {"dice_sure": "" if dice is None else len(sure)}
    row |= {"dice_sure_wrong": "" if dice is None else (Counter(sure) - told).total()}
    row |= {"cube": int(cube is not None)}
    row["cube_right"] = int(cube is not None and reading.cube is not None and reading.cube.shown == cube["shown"])
    row["confidence"] = reading.confidence
    return row


def truth_of(still: Still) -> Mapping[str, Any]:
    """A simulated still's truth as labelled pictures have it."""
    cells = [(max(count, 0), max(-count, 0)) for count in still.columns]
    dice = [{"value": die.value, "cocked": die.cocked} for die in still.dice]
    return {"top": cells[:12], "bottom": cells[12:], "dice": dice, "cube": {"shown": still.cube[0]}}


def drawn_rows(stills: int, steps: int, size: tuple[int, int], seed: int) -> Iterator[Row]:
    """Lines of drawn boards, as they are and worse."""
    reader, rng = BoardReader(), np.random.default_rng(seed)
    for still in still_frames(stills, seed, size):
        truth, picture = truth_of(still), still.frame.image
        yield row_of(still.look, "plain", 0.0, picture, still.corners, reader, truth)
        for way, (worse, least, most) in WAYS.items():
            for step in range(steps):
                amount = float(np.exp(np.log(least) + (step + rng.random()) / steps * np.log(most / least)))
                image = worse(picture, amount, rng)
                corners = still.corners * np.float32(image.shape[1] / picture.shape[1])
                yield row_of(still.look, way, amount, image, corners, reader, truth)


def folder_rows(folder: Path, every: int) -> Iterator[Row]:
    """Lines of every so many labelled pictures as they are."""
    reader = BoardReader()
    for line in (folder / "truth.jsonl").read_text(encoding="utf-8").splitlines()[::every]:
        truth = json.loads(line)
        image = np.asarray(cv2.imread(str(folder / truth["file"])), np.uint8)
        corners = np.asarray(truth["corners"], np.float32)
        yield row_of(folder.name, "plain", 0.0, image, corners, reader, truth)


def write(rows: Iterator[Row], path: Path) -> None:
    """Adds the lines to a file one by one."""
    new, writer = not path.exists(), None
    with path.open("a", newline="", encoding="utf-8") as file:
        for row in rows:
            if writer is None:
                writer = csv.DictWriter(file, list(row), lineterminator="\n")
                if new:
                    writer.writeheader()
            writer.writerow(row)
            file.flush()


@click.group(help=__doc__)
def main() -> None:
    """Measures pictures and what is read in them."""
    cv2.setNumThreads(1)


@main.command("drawn")
@click.option("--stills", default=24, show_default=True)
@click.option("--steps", default=4, show_default=True)
@click.option("--size", default="1280x720", show_default=True)
@click.option("--seed", default=9100, show_default=True)
@click.option("--rows", type=click.Path(path_type=Path), required=True)
def drawn_command(stills: int, steps: int, size: str, seed: int, rows: Path) -> None:
    """Drawn boards made worse step by step."""
    width, height = (int(part) for part in size.split("x"))
    write(drawn_rows(stills, steps, (width, height), seed), rows)


@main.command("folder")
@click.argument("folders", nargs=-1, type=click.Path(path_type=Path, exists=True))
@click.option("--every", default=1, show_default=True, help="Only every so many of the pictures.")
@click.option("--rows", type=click.Path(path_type=Path), required=True)
def folder_command(folders: tuple[Path, ...], every: int, rows: Path) -> None:
    """Labelled pictures as they are."""
    for folder in folders:
        write(folder_rows(folder, every), rows)


MEASURES: Mapping[str, tuple[tuple[str, ...], Callable[[Quality], float], float]] = {
    "grain, share of the contrast": (("dark", "dim"), grain_share, MOST_GRAIN),
    "smear, share of a checker": (("defocus", "shake"), lambda it: it.smear / it.checker, MOST_BLUR),
    "checker, px": (("small",), lambda it: it.checker, LEAST_CHECKER),
    "steps between squares": (("jpeg",), lambda it: it.blocks, MOST_BLOCKS),
    "burnt out, share of the board": (("bright",), lambda it: it.burnt, MOST_BURNT),
    "white patch, checkers": (("glare",), lambda it: it.patch, LARGEST_PATCH),
}
"""What is measured, the ways of making a picture worse that it is for, and its bound."""
FALLS = 0.8
"""Share of pictures whose dice are all right, below which they count as no longer read."""
BINS = 5


def falls_at(measured: FloatArray, right: FloatArray) -> float:
    """Where a logistic curve of the measure's logarithm says that FALLS of the pictures are right."""
    inputs = np.log(np.maximum(measured, 1e-4))
    middle, scale = inputs.mean(), inputs.std() + 1e-9
    rows, weights = np.stack([np.ones(len(right)), (inputs - middle) / scale], axis=1), np.zeros(2)
    for _ in range(40):
        chance = 1 / (1 + np.exp(-rows @ weights))
        curvature = (rows * (chance * (1 - chance))[:, None]).T @ rows + 0.05 * np.eye(2)
        weights += np.linalg.solve(curvature, rows.T @ (right - chance) - 0.05 * weights)
    return float(np.exp(middle + scale * (np.log(FALLS / (1 - FALLS)) - weights[0]) / weights[1]))


def summary(name: str, rows: Sequence[Mapping[str, str]]) -> Row:
    """How much is read in some pictures, and how many of them are called weak."""

    def total(key: str) -> int:
        return sum(int(row[key]) for row in rows if row[key])

    with_dice = [int(row["dice_right"]) for row in rows if row["dice"] and int(row["dice"]) > 0]
    weak = [{one.code for one in weak_points(quality_in(row))} for row in rows]
    named = Counter(code for codes in weak for code in codes)
    return {
        "pictures": name,
        "n": len(rows),
        "cells_right": f"{total('cells_right')}/{total('cells')}",
        "dice_right": f"{sum(with_dice)}/{len(with_dice)}",
        "cube_right": f"{total('cube_right')}/{total('cube')}",
        "dice_sure_wrong": f"{total('dice_sure_wrong')}/{total('dice_sure')}",
        "called_weak": sum(bool(codes) for codes in weak),
        "as": " ".join(f"{code}:{count}" for code, count in sorted(named.items())),
    }


def quality_in(row: Mapping[str, str]) -> Quality:
    """The measures of a line."""
    return Quality(**{name: float(row[name]) for name in Quality.__struct_fields__})


def summaries(rows: Sequence[Mapping[str, str]]) -> Iterator[Row]:
    """Pictures as they are, group by group; then, measure by measure, the drawn ones in steps of it."""
    plain = [row for row in rows if row["way"] == "plain"]
    drawn_looks = {row["group"] for row in rows if row["way"] != "plain"}
    yield summary("drawn, as they are", [row for row in plain if row["group"] in drawn_looks])
    for group in sorted({row["group"] for row in plain} - drawn_looks):
        yield summary(group, [row for row in plain if row["group"] == group])
    for name, (ways, measured_by, bound) in MEASURES.items():
        worse = [row for row in rows if row["way"] in ways]
        if not worse:
            continue
        values = np.array([measured_by(quality_in(row)) for row in worse])
        with_dice = np.array([bool(row["dice"]) and int(row["dice"]) > 0 for row in worse])
        right = np.array([float(row["dice_right"] or 0) for row in worse])
        falls = falls_at(values[with_dice], right[with_dice])
        for some in np.array_split(np.argsort(values), BINS):
            span = f"{name} {values[some[0]]:.3g} to {values[some[-1]]:.3g}"
            yield summary(span, [worse[index] for index in some]) | {
                "falls_at": f"{falls:.3g}",
                "bound": f"{bound:.3g}",
            }


@main.command("table")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
@click.option("--out", type=click.Path(path_type=Path), help="CSV that the rows are added to.")
def table_command(files: tuple[Path, ...], out: Path | None) -> None:
    """What the lines in FILES say."""
    for found in summaries([row for file in files for row in read_rows(file)]):
        line = stamp() | {"falls_at": "", "bound": ""} | found
        click.echo("  ".join(str(value) for value in list(line.values())[2:]))
        if out is not None:
            add_row(out, line)


if __name__ == "__main__":
    main()
