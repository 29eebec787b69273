"""Fits how sure the finder may be, on pictures its networks never saw: `python -m vision.training.finding_confidence --help`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np
import numpy.typing as npt

from vision.finding.confidence import FEATURES, NEAR, RIGHT, features
from vision.finding.finder import LONGEST, BoardFinder
from vision.network import Network
from vision.pictures.files import load_picture
from vision.training.finding_pictures import Pictures, labelled, load, packed
from vision.training.finding_scene import FindingScene

FloatArray = npt.NDArray[np.float64]
RIDGE = 1.0
"""Strength of the pull of the standardised weights towards zero, in pictures: there are few boards."""
ROUNDS = 50


def sighted(finder: BoardFinder, pictures: Pictures) -> tuple[FloatArray, npt.NDArray[np.float64]]:
    """Features (n, FEATURES) and errors (n,) in board widths of the best sightings; infinite where there is no board."""
    rows, errors = [], []
    for index in range(len(pictures)):
        found = finder.sightings(pictures.picture(index))
        if not found:
            continue
        truth = pictures.corners[index].astype(np.float64)
        width = (np.linalg.norm(truth[1] - truth[0]) + np.linalg.norm(truth[2] - truth[3])) / 2
        views = [np.linalg.norm(np.roll(found[0].corners, turn, axis=0) - truth, axis=1).max() for turn in (0, 2)]
        rows.append(features(found[0].measures))
        errors.append(min(views) / width if np.isfinite(width) else np.inf)
    return np.array(rows).reshape(-1, FEATURES), np.array(errors)


def fitted(rows: FloatArray, right: npt.NDArray[np.bool_], weight: FloatArray) -> tuple[FloatArray, float]:
    """Weights and offset of a ridge logistic regression by Newton's method (Hastie, Tibshirani, Friedman, 4.4)."""
    middle, spread = rows.mean(axis=0), rows.std(axis=0) + 1e-9
    x = np.c_[(rows - middle) / spread, np.ones(len(rows))]
    pull = np.diag([RIDGE] * rows.shape[1] + [1e-6])
    beta = np.zeros(x.shape[1])
    for _ in range(ROUNDS):
        chance = 1 / (1 + np.exp(-np.clip(x @ beta, -30, 30)))
        slope = x.T @ (weight * (right - chance)) - pull @ beta
        curve = (x * (weight * chance * (1 - chance))[:, None]).T @ x + pull
        beta = beta + np.linalg.solve(curve, slope)
    scaled = beta[:-1] / spread
    return scaled, float(beta[-1] - scaled @ middle)


@dataclass(frozen=True)
class ShownBoards:
    """The pictures in which boards are looked for, as the command's options say it."""

    truth: tuple[Path, ...]
    groups: str
    drawn: Path | None
    pictures: int
    empty: Path | None

    def sets(self) -> Iterator[Pictures]:
        """Labelled ones, drawn ones, and some without a board."""
        if self.truth:
            yield labelled(self.truth, self.groups.split(",") if self.groups else (), LONGEST)
        if self.drawn:
            yield load(self.drawn).first(self.pictures)
        if self.empty:
            paths = sorted(self.empty.glob("*.jpg"))
            yield packed((FindingScene(load_picture(path), None) for path in paths), "empty")


@click.group(help=__doc__)
def main() -> None:
    """Commands to look and to fit."""
    cv2.setNumThreads(1)


@main.command()
@click.argument("finder", type=click.Path(path_type=Path, exists=True))
@click.argument("edges", type=click.Path(path_type=Path, exists=True))
@click.argument("strips", type=click.Path(path_type=Path, exists=True))
@click.argument("output", type=click.Path(path_type=Path))
@click.option("--truth", multiple=True, type=click.Path(path_type=Path, exists=True), help="Labelled pictures.")
@click.option("--groups", default="", help="Only these groups of them, with commas: those the networks never saw.")
@click.option("--drawn", type=click.Path(path_type=Path, exists=True), help="A drawn set that was not trained on.")
@click.option("--pictures", default=400, show_default=True, help="How many of the drawn set.")
@click.option("--empty", type=click.Path(path_type=Path, exists=True), help="Folder of photographs without a board.")
def look(finder: Path, edges: Path, strips: Path, output: Path, **options: Any) -> None:
    """Finds boards with the networks FINDER, EDGES and STRIPS (.onnx) and writes what was noticed into OUTPUT (.npz)."""
    boards = BoardFinder(Network(finder), Network(edges), Network(strips))
    seen = [sighted(boards, held) for held in ShownBoards(**options).sets()]
    rows, errors = (np.concatenate([one[part] for one in seen]) for part in (0, 1))
    np.savez(output, rows=rows, errors=errors)
    finite = errors[np.isfinite(errors)]
    if len(finite):
        click.echo(
            f"{len(finite)} boards, {np.mean(finite <= RIGHT):.3f} within {RIGHT}, median {np.median(finite):.4f}"
        )


@main.command()
@click.argument("looks", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
def fit(looks: tuple[Path, ...]) -> None:
    """Prints the numbers of `vision.finding.confidence`; every file of LOOKS counts the same, however many pictures it holds."""
    held = [np.load(path) for path in looks]
    rows, errors = np.concatenate([one["rows"] for one in held]), np.concatenate([one["errors"] for one in held])
    weight = np.concatenate([np.full(len(one["rows"]), len(errors) / len(held) / len(one["rows"])) for one in held])
    for name, least in (("_RIGHT", RIGHT), ("_NEAR", NEAR)):
        within = errors <= least
        weights, offset = fitted(rows, within, weight)
        click.echo(f"{name} = Odds({tuple(np.round(weights, 4).tolist())}, {offset:.4f})")
        chance = 1 / (1 + np.exp(-(rows @ weights + offset)))
        for low, high in ((0, 0.2), (0.2, 0.5), (0.5, 0.8), (0.8, 0.95), (0.95, 1.01)):
            inside = (chance >= low) & (chance < high)
            if inside.any():
                click.echo(f"{low:.2f}-{high:.2f}: {inside.sum()} pictures, so near {np.mean(within[inside]):.3f}")


if __name__ == "__main__":
    main()
