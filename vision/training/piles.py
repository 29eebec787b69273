"""Makes the weights that count piles: `python -m vision.training.piles --help`. Each command goes on where it was broken off."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np
import numpy.typing as npt
import torch
import torch.nn.functional as F

from vision.board.geometry import PATCH_HEIGHT, PATCH_WIDTH, BoardGeometry
from vision.reading.checkers import LAYERED
from vision.reading.piles import DETAIL
from vision.training.columns_data import gathered, jittered
from vision.training.columns_net import COUNTS
from vision.training.course import run_course
from vision.training.drawn import drawn_board
from vision.training.piles_net import PilesNet, begun
from vision.training.pool import normalised, relit
from vision.training.positions import piled_position
from vision.training.spoil import DeviceRandom, spoilt

Tensor = Any
Patches = npt.NDArray[np.uint8]

SCALE = 720
"""Canvas px per board width: a column has some 55, a patch 48."""
OTHERS = ((3, 4, 2), (1, 2, 1), (0, 0, 1))
"""Of columns with so many checkers, from and to, how many a board teach; of those with LAYERED or more all do."""
STRANGE, TRACED = 0.6, 0.25
"""Shares of boards that are strange, and that are lit by rays."""
CHOSEN = (0.2, 0.2, 0.3, 0.4, 0.6, 1.0, *(1.5,) * 9, 0.4)
"""How often a patch with 0 to 15 checkers is learnt from, against others: few do for what is plain, and piles of all fifteen are
as rare in games as they are frequent here."""
PART = 600
"""Patches a file of a set, at least."""
BATCH = 64
PEAK_RATE = 1.5e-3


def drawn_patches(seed: int) -> Iterator[tuple[Patches, int]]:
    """Patches (336, 96, 3) of columns of the board of this seed, and how many checkers each holds."""
    kind = np.random.default_rng([seed, 7]).random(2)
    board = drawn_board(
        seed, strange=bool(kind[0] < STRANGE), traced=bool(kind[1] < TRACED), scale=SCALE, placing=piled_position
    )
    rng = np.random.default_rng([seed, 1])
    geometry = jittered(BoardGeometry(board.corners, board.bar), rng)
    held, plain = board.counts[:24].sum(axis=1), ~board.hidden[:24]
    chosen = np.flatnonzero((held >= LAYERED) & plain).tolist()
    for low, high, most in OTHERS:
        some = np.flatnonzero((held >= low) & (held <= high) & plain)
        if len(some):
            chosen += rng.choice(some, min(most, len(some)), replace=False).tolist()
    for column in chosen:
        yield geometry.patch(board.picture, column, DETAIL), min(int(held[column]), COUNTS - 1)


def loaded(folders: Sequence[Path]) -> tuple[Tensor, Tensor]:
    """(n, 336, 96, 3) uint8 patches and (n,) counts of all parts of some sets. Raises FileNotFoundError where there is none."""
    arrays = gathered(folders, ("patches", "counts"))
    return torch.from_numpy(arrays["patches"]), torch.from_numpy(arrays["counts"]).long()


def batch(patches: Tensor, counts: Tensor, dice: DeviceRandom) -> tuple[Tensor, Tensor]:
    """(B, 3, 336, 96) pictures, mirrored, spoilt and recoloured at random, and their counts (B,)."""
    below = torch.tensor(CHOSEN, dtype=torch.float64)[counts].cumsum(0)
    chosen = torch.searchsorted(below, dice.uniform(0, 1, BATCH).double() * below[-1]).clamp(max=len(counts) - 1)
    pictures = patches[chosen].permute(0, 3, 1, 2).float()
    mirrored = dice.uniform(0, 1, BATCH)[:, None, None, None] < 0.5
    pictures = torch.where(mirrored, pictures.flip(3), pictures).contiguous()
    return relit(spoilt(pictures, dice).round(), dice), counts[chosen]


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
def main() -> None:
    """Commands to draw, train, judge and export."""
    torch.set_num_threads(2)
    cv2.setNumThreads(1)


@main.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--boards", default=9600, show_default=True)
@click.option("--seed", default=34_000_000, show_default=True, help="Of the first board.")
def draw(folder: Path, boards: int, seed: int) -> None:
    """Draws patches of BOARDS boards into FOLDER."""
    folder.mkdir(parents=True, exist_ok=True)
    for first in range(seed, seed + boards, PART // LAYERED):
        path = folder / f"{first}.npz"
        if path.exists():
            continue
        last = min(first + PART // LAYERED, seed + boards)
        rows = [row for board in range(first, last) for row in drawn_patches(board)]
        beside = path.with_suffix(".new")
        with beside.open("wb") as out:
            np.savez(out, patches=np.stack([patch for patch, _ in rows]), counts=np.array([count for _, count in rows]))
        beside.replace(path)
        click.echo(f"{last - seed} boards")


@main.command()
@click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
@click.option("--weights", required=True, type=click.Path(path_type=Path), help="Where the network goes (.pt).")
@click.option(
    "--start",
    required=True,
    type=click.Path(path_type=Path, exists=True),
    help="A .pt to begin with: of the columns, or of piles.",
)
@click.option("--steps", default=6000, show_default=True)
@click.option("--rate", default=PEAK_RATE, show_default=True)
@click.option("--seed", default=1, show_default=True)
def train(folders: tuple[Path, ...], weights: Path, start: Path, steps: int, rate: float, seed: int) -> None:
    """Trains on the patches in FOLDERS."""
    torch.manual_seed(seed)
    patches, counts = loaded(folders)
    click.echo(f"{len(counts)} patches")
    run_course(_started(start), partial(_loss, patches, counts, seed), steps, rate, weights)


def _started(weights: Path) -> Any:
    """A network to go on with, or one begun with what the columns' network has."""
    state = torch.load(weights)
    net = PilesNet()
    if state.keys() != net.state_dict().keys():
        return begun(state)
    net.load_state_dict(state)
    return net


def _loss(patches: Tensor, counts: Tensor, seed: int, net: Any, step: int) -> Tensor:
    pictures, wanted = batch(patches, counts, DeviceRandom(torch.device("cpu"), seed * 1_000_000 + step))
    return F.cross_entropy(net(pictures.contiguous(memory_format=torch.channels_last)), wanted)


@main.command()
@click.argument("weights", type=click.Path(path_type=Path, exists=True))
@click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
def judge(weights: Path, folders: tuple[Path, ...]) -> None:
    """Counts the patches in FOLDERS, which should have taught nothing, with WEIGHTS (.pt)."""
    net = PilesNet()
    net.load_state_dict(torch.load(weights))
    click.echo(judged(net, *loaded(folders)))


@main.command("export")
@click.argument("weights", type=click.Path(path_type=Path, exists=True))
@click.argument("onnx", type=click.Path(path_type=Path))
def export_command(weights: Path, onnx: Path) -> None:
    """Writes WEIGHTS (.pt) as ONNX."""
    net = PilesNet()
    net.load_state_dict(torch.load(weights))
    torch.onnx.export(
        net.eval(),
        (torch.zeros(1, 3, PATCH_HEIGHT * DETAIL, PATCH_WIDTH * DETAIL),),
        str(onnx),
        input_names=["patches"],
        output_names=["counts"],
        dynamic_axes={"patches": {0: "columns"}, "counts": {0: "columns"}},
        opset_version=13,
        dynamo=False,
    )


if __name__ == "__main__":
    main()
