"""Makes the weights that count borne-off checkers: `python -m vision.training.trays COMMAND --help`.

Each command goes on where it was broken off.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np
import onnx
import torch
import torch.nn.functional as F

from vision.reading.trays import HEIGHT, SWATCH, WIDTH
from vision.training.columns_data import gathered
from vision.training.course import run_course
from vision.training.folded import folded
from vision.training.pool import normalised, relit
from vision.training.spoil import DeviceRandom, spoilt
from vision.training.trays_data import drawn_trays
from vision.training.trays_net import TraysNet

Tensor = Any
PART = 120
"""Boards a file of a set."""
BATCH = 64
PEAK_RATE = 2e-3
LIKE_TRAYS = 1.5
"""Lengths on these pictures, against those on pictures of whole boards of 448 px."""
HEAT = 8.0
"""How much the map of places counts beside the counts."""
BRIGHT = 12.0
"""How much more cells count in which a checker lies: few do."""


@click.group(help=__doc__)
def main() -> None:
    """Commands to draw, train, judge and export."""
    cv2.setNumThreads(1)


@main.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--boards", default=9600, show_default=True)
@click.option("--seed", default=52_000_000, show_default=True, help="Of the first board.")
def draw(folder: Path, boards: int, seed: int) -> None:
    """Draws what lies beside BOARDS boards into FOLDER."""
    folder.mkdir(parents=True, exist_ok=True)
    for first in range(seed, seed + boards, PART):
        path = folder / f"{first}.npz"
        if path.exists():
            continue
        parts = [drawn_trays(board) for board in range(first, min(first + PART, seed + boards))]
        pictures, counts, heat = (np.concatenate(part) for part in zip(*parts, strict=True))
        beside = path.with_suffix(".new")
        with beside.open("wb") as out:
            np.savez(out, pictures=pictures, heat=heat, counts=counts)
        beside.replace(path)
        click.echo(f"{first + len(parts) - seed} boards")


def loaded(folders: Sequence[Path]) -> tuple[Tensor, Tensor, Tensor]:
    """(n, HEIGHT, WIDTH, 3) uint8 pictures, (n, 2) counts and (n, 2, rows, columns) uint8 heat of some sets."""
    arrays = gathered(folders, ("pictures", "heat", "counts"))
    counts = torch.from_numpy(arrays["counts"]).long()
    return torch.from_numpy(arrays["pictures"]), counts, torch.from_numpy(arrays["heat"])


def batch(
    pictures: Tensor, counts: Tensor, heat: Tensor, dice: DeviceRandom, size: int = BATCH
) -> tuple[Tensor, Tensor, Tensor]:
    """(B, 3, HEIGHT, WIDTH) pictures, spoilt and recoloured at random, their sides exchanged as often as not; counts and heat."""
    chosen = (dice.uniform(0, 1, size) * len(counts)).long().clamp(max=len(counts) - 1)
    shown, held, places = pictures[chosen].permute(0, 3, 1, 2).float(), counts[chosen], heat[chosen].float() / 255
    swapped = dice.uniform(0, 1, size) < 0.5
    foot = shown[..., -SWATCH:, :]
    foot = torch.where(swapped[:, None, None, None], foot.flip(3), foot)
    held = torch.where(swapped[:, None], held.flip(1), held)
    places = torch.where(swapped[:, None, None, None], places.flip(1), places)
    body = spoilt(shown[..., :-SWATCH, :].contiguous(), dice, LIKE_TRAYS)
    # The colours are those that a reader sees in the same picture, and a little off.
    off = dice.normal(size, 3, 1, 2) * 6
    foot = foot + F.interpolate(off, (SWATCH, WIDTH), mode="nearest")
    return relit(torch.cat([body, foot.clamp(0, 255)], 2).round(), dice), held, places


def _made(weights: Path) -> TraysNet:
    """The network with these weights (.pt)."""
    net = TraysNet()
    net.load_state_dict(torch.load(weights))
    return net


def _loss(sets: tuple[Tensor, Tensor, Tensor], seed: int, net: Any, step: int) -> Tensor:
    dice = DeviceRandom(torch.device("cpu"), seed * 1_000_000 + step)
    pictures, counts, heat = batch(*sets, dice)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        said, places = net(pictures.contiguous(memory_format=torch.channels_last))
    by_cell = F.binary_cross_entropy_with_logits(places.float(), heat, weight=1 + BRIGHT * heat)
    return F.cross_entropy(said.float().flatten(0, 1), counts.flatten()) + HEAT * by_cell


@main.command()
@click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
@click.option("--weights", required=True, type=click.Path(path_type=Path), help="Where the network goes (.pt).")
@click.option("--start", type=click.Path(path_type=Path, exists=True), help="A .pt to go on from.")
@click.option("--steps", default=3000, show_default=True)
@click.option("--rate", default=PEAK_RATE, show_default=True)
@click.option("--seed", default=1, show_default=True)
@click.option("--threads", default=2, show_default=True)
def train(
    folders: tuple[Path, ...], weights: Path, start: Path | None, steps: int, rate: float, seed: int, threads: int
) -> None:
    """Trains on the pictures in FOLDERS."""
    torch.set_num_threads(threads)
    torch.manual_seed(seed)
    sets = loaded(folders)
    click.echo(f"{len(sets[1])} pictures")
    net = TraysNet() if start is None else _made(start)
    run_course(net, partial(_loss, sets, seed), steps, rate, weights)


@main.command()
@click.argument("weights", type=click.Path(path_type=Path, exists=True))
@click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
def judge(weights: Path, folders: tuple[Path, ...]) -> None:
    """Counts on the pictures in FOLDERS, which should have taught nothing, with WEIGHTS (.pt)."""
    net = _made(weights)
    pictures, counts, _ = loaded(folders)
    with torch.no_grad():
        parts = torch.arange(len(counts)).split(100)
        said = torch.cat([net.eval()(normalised(pictures[part].permute(0, 3, 1, 2).float()))[0] for part in parts])
    said, counts = said.flatten(0, 1), counts.flatten()
    off = said.argmax(1) - counts
    click.echo(f"{float(F.cross_entropy(said, counts)):.3f} nats")
    for name, of in (("none", counts == 0), ("1 to 4", (counts > 0) & (counts < 5)), ("more", counts > 4)):
        exact, near, none = (
            int((off[of] == 0).sum()),
            int((off[of].abs() <= 1).sum()),
            int((said.argmax(1)[of] == 0).sum()),
        )
        click.echo(f"{name}: right {exact}, within one {near}, called none {none} of {int(of.sum())}")


@main.command("export")
@click.argument("weights", type=click.Path(path_type=Path, exists=True))
@click.argument("out", metavar="ONNX", type=click.Path(path_type=Path))
def export_command(weights: Path, out: Path) -> None:
    """Writes WEIGHTS (.pt) as ONNX."""
    net = _made(weights)
    torch.onnx.export(
        net.counting().eval(),
        (torch.zeros(1, 3, HEIGHT, WIDTH),),
        str(out),
        input_names=["pictures"],
        output_names=["counts"],
        dynamic_axes={"pictures": {0: "pictures"}, "counts": {0: "pictures"}},
        opset_version=13,
        dynamo=False,
    )
    out.write_bytes(folded(onnx.load(str(out))).SerializeToString(deterministic=True))


if __name__ == "__main__":
    main()
