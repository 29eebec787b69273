"""Makes the weights that count checkers on patches: `python -m vision.training.patches columns|finely|bar COMMAND --help`.

Each command goes on where it was broken off.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np
import numpy.typing as npt
import onnx
import torch
import torch.nn.functional as F

from vision.board.geometry import CANONICAL_HEIGHT, PATCH_HEIGHT, PATCH_WIDTH, BoardGeometry
from vision.reading.closer import BAR_DETAIL, FINE_DETAIL, PILE_DETAIL
from vision.reading.judging import LAYERED
from vision.training.columns_data import gathered, jittered, lit_boards, photographed
from vision.training.columns_net import COUNTS
from vision.training.course import run_course
from vision.training.drawn import SCALE, DrawnBoard, drawn_board
from vision.training.folded import folded
from vision.training.patches_net import LitePatchesNet, PatchesNet, begun
from vision.training.pool import normalised, relit
from vision.training.positions import barred_position, piled_position
from vision.training.spoil import DeviceRandom, spoilt
from vision.training.texture import Rng
from vision.training.thought_up import Placing

Tensor = Any
Patches = npt.NDArray[np.uint8]

OTHERS = ((3, 4, 2), (1, 2, 1), (0, 0, 1))
"""Of columns with so many checkers, from and to, how many a board teach; of those with LAYERED or more all do."""
STRANGE = 0.6
"""Share of boards that are strange."""
PART = 120
"""Boards a file of a set."""
BATCH = 64
PEAK_RATE = 1.5e-3
BAR = 24
"""The bar among the columns of a drawn board."""


@dataclass(frozen=True)
class Sort:
    """What patches of one sort are drawn from and how they are learnt from.

    detail: px of a patch for one of a canonical picture. tall: canonical px. placing: the positions. scale: canvas px per board
    width, so that a column has about as many px as on a patch. traced: share of boards lit by rays. teaching: a board's columns
    that teach (24: the bar). chosen: how often a patch with 0 to 15 checkers is learnt from. turned: whether patches turned by half
    teach, too. made: builds the network for patches of so many px across.
    """

    detail: int
    tall: int
    placing: Placing
    scale: int
    traced: float
    teaching: Callable[[DrawnBoard, Rng], list[int]]
    chosen: tuple[float, ...]
    turned: bool
    made: Callable[[int], Any] = PatchesNet

    @property
    def shape(self) -> tuple[int, int]:
        """Height and width of a patch, px."""
        return self.tall * self.detail, PATCH_WIDTH * self.detail


def _piled(board: DrawnBoard, rng: Rng) -> list[int]:
    """All columns in sight that may have layers, and a few others."""
    held, plain = board.counts[:24].sum(axis=1), ~board.hidden[:24]
    chosen = np.flatnonzero((held >= LAYERED) & plain).tolist()
    for low, high, most in OTHERS:
        some = np.flatnonzero((held >= low) & (held <= high) & plain)
        if len(some):
            chosen += rng.choice(some, min(most, len(some)), replace=False).tolist()
    return [int(column) for column in chosen]


def _bar(board: DrawnBoard, _: Rng) -> list[int]:
    return [] if board.hidden[BAR] else [BAR]


COLUMNS = Sort(
    detail=PILE_DETAIL,
    tall=PATCH_HEIGHT,
    placing=piled_position,
    scale=720,
    traced=0.25,
    teaching=_piled,
    # Few patches do for what is plain, and piles of all fifteen are as rare in games as they are frequent here.
    chosen=(0.2, 0.2, 0.3, 0.4, 0.6, 1.0, *(1.5,) * 9, 0.4),
    turned=False,
)
SORTS = {
    "columns": COLUMNS,
    "finely": replace(COLUMNS, detail=FINE_DETAIL, scale=900, made=LitePatchesNet),
    "bar": Sort(
        detail=BAR_DETAIL,
        tall=CANONICAL_HEIGHT,
        placing=barred_position,
        scale=SCALE,
        traced=0.1,
        teaching=_bar,
        chosen=(1.0,) * COUNTS,
        turned=True,
    ),
}


def drawn_patches(sort: Sort, seed: int) -> Iterator[tuple[Patches, int]]:
    """Patches (height, width, 3) of the board of this seed, and how many checkers each holds."""
    kind = np.random.default_rng([seed, 7]).random(2)
    board = drawn_board(
        seed,
        strange=bool(kind[0] < STRANGE),
        traced=bool(kind[1] < sort.traced),
        scale=sort.scale,
        placing=sort.placing,
    )
    yield from _patches_of(sort, board, np.random.default_rng([seed, 1]))


def lit_patches(sort: Sort, board: DrawnBoard, rng: Rng) -> Iterator[tuple[Patches, int]]:
    """The same of a lit board, each time as another camera takes it and with other columns."""
    yield from _patches_of(sort, photographed(board, rng), rng)


def _patches_of(sort: Sort, board: DrawnBoard, rng: Rng) -> Iterator[tuple[Patches, int]]:
    geometry = jittered(BoardGeometry(board.corners, board.bar), rng)
    for column in sort.teaching(board, rng):
        yield _cut(sort, board, geometry, column), min(int(board.counts[column].sum()), COUNTS - 1)


def _cut(sort: Sort, board: DrawnBoard, geometry: BoardGeometry, column: int) -> Patches:
    if column == BAR:
        return geometry.bar_patch(board.picture, sort.detail)
    return geometry.patch(board.picture, column, sort.detail)


def loaded(folders: Sequence[Path]) -> tuple[Tensor, Tensor]:
    """(n, height, width, 3) uint8 patches and (n,) counts of some sets. Raises FileNotFoundError where there is none."""
    arrays = gathered(folders, ("patches", "counts"))
    return torch.from_numpy(arrays["patches"]), torch.from_numpy(arrays["counts"]).long()


def batch(sort: Sort, patches: Tensor, counts: Tensor, dice: DeviceRandom, size: int = BATCH) -> tuple[Tensor, Tensor]:
    """(B, 3, height, width) pictures, mirrored, spoilt and recoloured at random, and their counts (B,)."""
    below = torch.tensor(sort.chosen, dtype=torch.float64, device=counts.device)[counts].cumsum(0)
    chosen = torch.searchsorted(below, dice.uniform(0, 1, size).double() * below[-1]).clamp(max=len(counts) - 1)
    pictures = patches[chosen].permute(0, 3, 1, 2).float()
    for axis in (3, 2)[: 1 + sort.turned]:
        mirrored = dice.uniform(0, 1, size)[:, None, None, None] < 0.5
        pictures = torch.where(mirrored, pictures.flip(axis), pictures)
    # As strong as on patches of columns three times as fine, whose lengths are taken as the whole board's are.
    spoilt_ones = spoilt(pictures.contiguous(), dice, max(sort.detail / PILE_DETAIL, 1.0))
    return relit(spoilt_ones.round(), dice), counts[chosen]


def judged(net: Any, patches: Tensor, counts: Tensor) -> str:
    """How many of these it counts right, in one layer and in more."""
    net.eval()
    with torch.no_grad():
        said = torch.cat(
            [
                net(normalised(patches[part].permute(0, 3, 1, 2).float()))
                for part in torch.arange(len(counts)).split(100)
            ]
        )
    right = said.argmax(1) == counts
    shares = ", ".join(
        f"{name} {int(right[of].sum())}/{int(of.sum())}"
        for name, of in (("below five", counts < LAYERED), ("five", counts == LAYERED), ("more", counts > LAYERED))
    )
    return f"{shares}; {float(F.cross_entropy(said, counts)):.3f} nats"


@click.group(help=__doc__)
@click.argument("sort", type=click.Choice(tuple(SORTS)))
@click.pass_context
def main(context: click.Context, sort: str) -> None:
    """Commands to draw, train, judge and export."""
    torch.set_num_threads(2)
    cv2.setNumThreads(1)
    context.obj = SORTS[sort]


@main.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--boards", default=9600, show_default=True)
@click.option("--seed", default=34_000_000, show_default=True, help="Of the first board.")
@click.pass_obj
def draw(sort: Sort, folder: Path, boards: int, seed: int) -> None:
    """Draws patches of BOARDS boards into FOLDER."""
    folder.mkdir(parents=True, exist_ok=True)
    for first in range(seed, seed + boards, PART):
        path = folder / f"{first}.npz"
        if path.exists():
            continue
        last = min(first + PART, seed + boards)
        _keep(path, [row for board in range(first, last) for row in drawn_patches(sort, board)])
        click.echo(f"{last - seed} boards")


def _keep(path: Path, rows: list[tuple[Patches, int]]) -> None:
    """Writes patches and their counts, whole or not at all."""
    beside = path.with_suffix(".new")
    with beside.open("wb") as out:
        np.savez(out, patches=np.stack([patch for patch, _ in rows]), counts=np.array([count for _, count in rows]))
    beside.replace(path)


@main.command()
@click.argument("lit", type=click.Path(path_type=Path, exists=True))
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--copies", default=5, show_default=True, help="Of each board, each from another camera.")
@click.option("--seed", default=1, show_default=True)
@click.pass_obj
def cut(sort: Sort, lit: Path, folder: Path, copies: int, seed: int) -> None:
    """Cuts patches of the boards that vision.training.lit.board put into LIT, into FOLDER."""
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(seed)
    rows = [row for _, board in lit_boards(lit) for _ in range(copies) for row in lit_patches(sort, board, rng)]
    _keep(folder / "lit.npz", rows)
    click.echo(f"{len(rows)} patches")


@main.command()
@click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
@click.option("--weights", required=True, type=click.Path(path_type=Path), help="Where the network goes (.pt).")
@click.option(
    "--start",
    required=True,
    type=click.Path(path_type=Path, exists=True),
    help="A .pt to begin with: of the columns, or of the same sort of patches.",
)
@click.option("--steps", default=6000, show_default=True)
@click.option("--rate", default=PEAK_RATE, show_default=True)
@click.option("--seed", default=1, show_default=True)
@click.pass_obj
def train(
    sort: Sort, folders: tuple[Path, ...], weights: Path, start: Path, steps: int, rate: float, seed: int
) -> None:
    """Trains on the patches in FOLDERS."""
    torch.manual_seed(seed)
    patches, counts = loaded(folders)
    click.echo(f"{len(counts)} patches")
    run_course(_started(sort, torch.load(start)), partial(_loss, sort, patches, counts, seed), steps, rate, weights)


def _made(sort: Sort, state: dict[str, Tensor]) -> Any:
    """A network of the sort with these weights."""
    net = sort.made(sort.shape[1])
    net.load_state_dict(state)
    return net


def _started(sort: Sort, state: dict[str, Tensor]) -> Any:
    """A network to go on with, or one begun with what the columns' network has."""
    return _made(sort, state) if "hidden.weight" in state else begun(state, sort.shape[1])


def _loss(sort: Sort, patches: Tensor, counts: Tensor, seed: int, net: Any, step: int) -> Tensor:
    pictures, wanted = batch(sort, patches, counts, DeviceRandom(torch.device("cpu"), seed * 1_000_000 + step))
    return F.cross_entropy(net(pictures.contiguous(memory_format=torch.channels_last)), wanted)


@main.command()
@click.argument("weights", type=click.Path(path_type=Path, exists=True))
@click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
@click.pass_obj
def judge(sort: Sort, weights: Path, folders: tuple[Path, ...]) -> None:
    """Counts the patches in FOLDERS, which should have taught nothing, with WEIGHTS (.pt)."""
    click.echo(judged(_made(sort, torch.load(weights)), *loaded(folders)))


@main.command("export")
@click.argument("weights", type=click.Path(path_type=Path, exists=True))
@click.argument("out", metavar="ONNX", type=click.Path(path_type=Path))
@click.pass_obj
def export_command(sort: Sort, weights: Path, out: Path) -> None:
    """Writes WEIGHTS (.pt) as ONNX."""
    torch.onnx.export(
        _made(sort, torch.load(weights)).eval(),
        (torch.zeros(1, 3, *sort.shape),),
        str(out),
        input_names=["patches"],
        output_names=["counts"],
        dynamic_axes={"patches": {0: "patches"}, "counts": {0: "patches"}},
        opset_version=13,
        dynamo=False,
    )
    out.write_bytes(folded(onnx.load(str(out))).SerializeToString(deterministic=True))


if __name__ == "__main__":
    main()
