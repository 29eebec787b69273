"""Training samples for the networks that read checkers: drawn boards and, for some runs, labelled pictures.

A sample set is a folder of .npz files, each holding the arrays of `Samples` for some hundred boards.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.geometry import CANONICAL_HEIGHT, MARGIN_Y, BoardGeometry
from vision.reading import bar
from vision.reading.checkers import DETAIL
from vision.training.drawn import DrawnBoard, developed, drawn_board
from vision.training.lit.cut import exposed
from vision.training.scene import ASIDE
from vision.training.texture import Rng, luminance
from vision.training.thought_up import PLAIN

STRIDE = 4
"""One cell of the networks' maps is this many canonical px wide and high."""
MOST_CHECKERS = 30
LEAST_IN_VIEW = 0.2
"""A checker less in view than this share of its face has no peak in the heat map."""
CORNER_JITTER = 0.009
"""Deviation of given corners, as a share of the board's width; people tap within about 1 %."""
BAR_JITTER = 0.004


@dataclass(frozen=True)
class Samples:
    """n boards, side 0 the lighter.

    canonical: (n, DETAIL * CANONICAL_HEIGHT, DETAIL * CANONICAL_WIDTH, 3) uint8 BGR.
    rectified: (n, bar.HEIGHT, bar.WIDTH, 3) uint8 BGR.
    bar: (n, 2) float32, edges as shares of the width. counts: (n, 25, 2) int16. hidden: (n, 25) bool.
    checkers: (n, MOST_CHECKERS, 3) float32: cell x, cell y, side (-1: no checker). colours: (n, 2, 3) float32 BGR.
    drawn: (n,) bool; a labelled picture has no `checkers` and unknown `colours`.
    """

    canonical: npt.NDArray[np.uint8]
    rectified: npt.NDArray[np.uint8]
    bar: npt.NDArray[np.float32]
    counts: npt.NDArray[np.int16]
    hidden: npt.NDArray[np.bool_]
    checkers: npt.NDArray[np.float32]
    colours: npt.NDArray[np.float32]
    drawn: npt.NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.canonical)

    def picked(self, chosen: npt.NDArray[np.int64]) -> Samples:
        """Those of these numbers, in this order."""
        return Samples(**{f.name: getattr(self, f.name)[chosen] for f in fields(Samples)})


def joined(parts: Sequence[Samples]) -> Samples:
    """All samples of the parts, in order."""
    return Samples(**{f.name: np.concatenate([getattr(part, f.name) for part in parts]) for f in fields(Samples)})


def save(samples: Samples, path: Path) -> None:
    """Writes one part of a sample set."""
    beside = path.with_suffix(".new")  # so that a file is whole when a running course sees it
    with beside.open("wb") as out:
        np.savez(out, **{f.name: getattr(samples, f.name) for f in fields(Samples)})
    beside.replace(path)


def load_part(path: Path) -> Samples:
    """One part of a sample set."""
    with np.load(path) as arrays:
        return Samples(**{f.name: arrays[f.name] for f in fields(Samples)})


def load(folders: Sequence[Path]) -> Samples:
    """All parts of some sample sets, in the order of their names. Raises FileNotFoundError where there is none."""
    return Samples(**gathered(folders, [f.name for f in fields(Samples)]))


def gathered(folders: Sequence[Path], names: Sequence[str]) -> dict[str, npt.NDArray[Any]]:
    """Arrays of all parts of some sets, by name; each file is read into place, so nothing lies twice.

    Raises FileNotFoundError where there is none.
    """
    paths = [path for folder in folders for path in sorted(folder.glob("*.npz"))]
    if not paths:
        raise FileNotFoundError(
            f"No samples in {', '.join(map(str, folders))}: draw some first with the command `draw`."
        )
    total = 0
    for path in paths:
        with np.load(path) as arrays:
            total += len(arrays[names[-1]])
    return {name: _joined_parts(paths, name, total) for name in names}


def _joined_parts(paths: Sequence[Path], name: str, total: int) -> npt.NDArray[Any]:
    """One array of all parts."""
    whole: npt.NDArray[Any] | None = None
    start = 0
    for path in paths:
        with np.load(path) as arrays:
            part = arrays[name]
        if whole is None:
            whole = np.empty((total, *part.shape[1:]), part.dtype)
        whole[start : start + len(part)] = part
        start += len(part)
    assert whole is not None
    return whole


def jittered(geometry: BoardGeometry, rng: Rng) -> BoardGeometry:
    """The same board with corners and bar as imprecise as a reader gets them."""
    wobble = rng.normal(0, CORNER_JITTER * rng.random(), (4, 2)) * geometry.width_px
    moved = BoardGeometry((geometry.corners + wobble).astype(np.float32))
    return moved.with_bar(true_bar(geometry, moved, rng.normal(0, BAR_JITTER, 2)))


def true_bar(geometry: BoardGeometry, seen_as: BoardGeometry, error: npt.ArrayLike = (0.0, 0.0)) -> tuple[float, float]:
    """The bar's edges of a known board in the coordinates of imprecise corners."""
    left, right = geometry.bar if geometry.bar is not None else (0.5, 0.5)
    edges = seen_as.to_plane(geometry.to_picture([[left, 0.5], [right, 0.5]]))[:, 0] + np.asarray(error)
    middle = float(edges.mean())
    return (min(float(edges[0]), middle), max(float(edges[1]), middle))


def drawn_sample(
    seed: int, *, strange: bool = False, traced: bool = False, beyond: bool = False, standing: bool = False
) -> dict[str, npt.NDArray[np.generic]]:
    """One row of `Samples` from the drawn board of this seed, or from the strange one; the rest: see `drawn_board`."""
    board = drawn_board(seed, strange=strange, traced=traced, beyond=beyond, standing=standing)
    return sample_of(board, np.random.default_rng([seed, 1]))


def sample_of(board: DrawnBoard, rng: Rng) -> dict[str, npt.NDArray[np.generic]]:
    """One row of `Samples` from a board whose corners and bar are known no better than a reader knows them."""
    exact = BoardGeometry(board.corners, board.bar)
    geometry = jittered(exact, rng)
    return {
        "canonical": geometry.canonical(board.picture, DETAIL),
        "rectified": geometry.rectified(board.picture, bar.WIDTH, bar.HEIGHT, bar.MARGIN),
        "bar": np.array(true_bar(exact, geometry), np.float32),
        "counts": board.counts.astype(np.int16),
        "hidden": board.hidden,
        "checkers": _cells(board, exact, geometry),
        "colours": board.colours,
        "drawn": np.array(True),
    }


def _cells(board: DrawnBoard, exact: BoardGeometry, geometry: BoardGeometry) -> npt.NDArray[np.float32]:
    """The visible checkers' places in the map's cells."""
    rows = np.full((MOST_CHECKERS, 3), -1, np.float32)
    shown = board.checkers[(board.checkers[:, 3] != ASIDE) & (board.checkers[:, 4] >= LEAST_IN_VIEW)][:MOST_CHECKERS]
    plane = geometry.to_plane(exact.to_picture(shown[:, :2]))
    rows[: len(shown), 0] = geometry.canonical_x(plane[:, 0]) / STRIDE - 0.5
    rows[: len(shown), 1] = (MARGIN_Y + plane[:, 1] * (CANONICAL_HEIGHT - 2 * MARGIN_Y)) / STRIDE - 0.5
    rows[: len(shown), 2] = shown[:, 2]
    return rows


def lit_boards(folder: Path, skip: frozenset[str] = frozenset()) -> Iterator[tuple[str, DrawnBoard]]:
    """Every board of a folder of `vision.training.lit.board` but those whose files' names are in `skip`, with its file's name.

    Side 0 is the one that was photographed lighter.
    """
    for rows in sorted(folder.glob("truth-*.jsonl")):
        for line in rows.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            picture = None if row["file"] in skip else cv2.imread(str(folder / row["file"]))
            if picture is not None:
                yield row["file"], _lit_board(np.asarray(picture, np.uint8), row)


def _lit_board(picture: npt.NDArray[np.uint8], row: dict[str, Any]) -> DrawnBoard:
    colours, counts = np.array(row["colours"], np.float32), np.array(row["counts"], np.int64)
    checkers = np.array(row["checkers"], np.float32).reshape(-1, 5)
    if luminance(colours[0]) < luminance(colours[1]):
        colours, counts = colours[::-1].copy(), counts[:, ::-1].copy()
        checkers[:, 2] = 1 - checkers[:, 2]
    left, right = row["bar"]
    corners, hidden = np.array(row["corners"], np.float32), np.array(row["hidden"], np.bool_)
    return DrawnBoard(picture, corners, (left, right), counts, hidden, checkers, colours)


def lit_sample(board: DrawnBoard, rng: Rng) -> dict[str, npt.NDArray[np.generic]]:
    """One row of `Samples` from a lit board, each time from another camera."""
    return sample_of(photographed(board, rng), rng)


def photographed(board: DrawnBoard, rng: Rng) -> DrawnBoard:
    """The lit board as a camera exposes and stores it."""
    return replace(board, picture=developed(exposed(rng, board.picture), rng, plain=rng.random() < PLAIN))


def drawn_samples(
    seeds: Iterable[int], *, strange: bool = False, traced: bool = False, beyond: bool = False, standing: bool = False
) -> Samples:
    """Samples of the drawn boards of these seeds, or of the strange ones; the rest: see `drawn_board`."""
    rows = [drawn_sample(seed, strange=strange, traced=traced, beyond=beyond, standing=standing) for seed in seeds]
    return Samples(**{f.name: np.stack([row[f.name] for row in rows]) for f in fields(Samples)})


def labelled_samples(
    truth: Path, groups: Sequence[str], bars: dict[str, tuple[float, float]], copies: int, seed: int
) -> Samples:
    """Samples of labelled pictures of these groups, `copies` times each with other jitter.

    truth: JSON lines as `vrhcab read` writes them, with `corners`, `group` and the true cells; pictures lie beside it.
    bars: measured bar edges of each group.
    """
    rng = np.random.default_rng(seed)
    rows = []
    for line in truth.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["group"] not in groups:
            continue
        picture = cv2.imread(str(truth.parent / row["file"]))
        if picture is None:
            raise FileNotFoundError(f"The picture {row['file']} named in {truth} can't be read.")
        exact = BoardGeometry(np.array(row["corners"], np.float32), bars[row["group"]])
        for _ in range(copies):
            rows.append(_labelled_row(np.asarray(picture, np.uint8), row, exact, rng))
    return Samples(**{f.name: np.stack([row[f.name] for row in rows]) for f in fields(Samples)})


def _labelled_row(
    picture: npt.NDArray[np.uint8], row: dict[str, object], exact: BoardGeometry, rng: Rng
) -> dict[str, npt.NDArray[np.generic]]:
    cells = [*_list(row["top"]), *_list(row["bottom"]), row["bar"]]
    geometry = jittered(exact, rng)
    return {
        "canonical": geometry.canonical(picture, DETAIL),
        "rectified": geometry.rectified(picture, bar.WIDTH, bar.HEIGHT, bar.MARGIN),
        "bar": np.array(true_bar(exact, geometry), np.float32),
        "counts": np.array([[0, 0] if cell is None else cell for cell in cells], np.int16),
        "hidden": np.array([cell is None for cell in cells]),
        "checkers": np.full((MOST_CHECKERS, 3), -1, np.float32),
        "colours": np.zeros((2, 3), np.float32),
        "drawn": np.array(False),
    }


def _list(value: object) -> list[object]:
    if not isinstance(value, list):
        raise TypeError(f"A row of cells is a list, not {value!r}.")
    return value
