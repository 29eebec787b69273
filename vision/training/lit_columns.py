"""Trains the checkers' network on by the clock, on one core, with lit boards beside drawn ones: `--help`.

Drawn boards are sample sets as `vision.training.columns draw` makes them, lit ones a folder of `vision.training.lit.board`, which
may grow meanwhile. The same command goes on where it was stopped.
"""

from __future__ import annotations

import json
import time
from dataclasses import fields
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np
import torch

from vision.training.columns import loss_of
from vision.training.columns_data import Samples, lit_boards, lit_sample, load
from vision.training.columns_net import ColumnsNet
from vision.training.dice_fit import AUTOCAST
from vision.training.pool import Pool, columns_batch, plain_batch
from vision.training.shared_course import mix_in, rate_share, save_whole
from vision.training.spoil import DeviceRandom
from vision.training.thaw import thawed

Net = Any
BATCH, LIT = 16, 6
"""Boards a step, and how many of them are lit."""
COPIES = 5
"""Samples of a lit board, each with other corners and from another camera."""
MOST_LIT = 5000
RATE = 3e-4
WARM_UP_STEPS = 100
DECAY = 0.997
AHEAD_S = 240.0
"""Seconds between looks for new lit boards, and between checkpoints."""
STATISTICS = 48
"""Boards whose statistics the batch norms keep: they stay as they were, small batches would shake them."""


class Lit:
    """The samples of a growing folder of lit boards."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.rng = folder, np.random.default_rng(seed)
        self.taken: set[str] = set()
        self.pool = Pool(MOST_LIT, "cpu")

    def more(self) -> None:
        """Takes in boards that are new."""
        for name, board in lit_boards(self.folder, frozenset(self.taken)):
            self.taken.add(name)
            rows = [lit_sample(board, self.rng) for _ in range(COPIES)]
            self.pool.add(Samples(**{f.name: np.stack([row[f.name] for row in rows]) for f in fields(Samples)}))


def _still(net: Net) -> None:
    for layer in net.modules():
        if isinstance(layer, torch.nn.BatchNorm2d):
            layer.eval()


def _picked(pool: Pool, count: int, dice: DeviceRandom) -> dict[str, Any]:
    return pool.chosen(dice.below(len(pool), count))


@click.command(help=__doc__)
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--end", type=float, required=True, help="Epoch seconds at which all must be written.")
@click.option("--start", type=click.Path(path_type=Path, exists=True), required=True, help="ONNX file to go on from.")
@click.option("--drawn", type=click.Path(path_type=Path, exists=True), required=True, help="Folder of sample sets.")
@click.option("--lit", "lit_folder", type=click.Path(path_type=Path, exists=True), required=True)
@click.option("--rate", default=RATE, show_default=True)
@click.option("--seed", default=1, show_default=True)
def main(out: Path, end: float, start: Path, drawn: Path, lit_folder: Path, rate: float, seed: int) -> None:
    """Writes the running mean of the weights to OUT (.pt), and beside it a checkpoint."""
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(seed)
    ordinary, lit = load([drawn]), Lit(lit_folder, seed)
    pool = Pool(len(ordinary), "cpu")
    pool.add(ordinary)
    lit.more()
    net = thawed(ColumnsNet(), start, plain_batch(pool.chosen(torch.arange(min(STATISTICS, len(pool)))))[0])
    net = net.to(memory_format=torch.channels_last).train()
    _still(net)
    optimiser = torch.optim.AdamW(net.parameters(), rate, weight_decay=1e-3)
    mean = {name: value.detach().clone() for name, value in net.state_dict().items()}
    kept, step, spent = out.with_suffix(".course"), 0, 0.0
    if kept.exists():
        held = torch.load(kept)
        net.load_state_dict(held["net"])
        optimiser.load_state_dict(held["optimiser"])
        mean, step, spent = held["mean"], held["step"], held["spent"]
    first = told = time.time()
    length, shown = spent + end - first, 0.0
    click.echo(f"{len(pool)} drawn, {len(lit.pool)} lit samples, from step {step}")

    def keep() -> None:
        states = {"net": net.state_dict(), "optimiser": optimiser.state_dict(), "mean": mean}
        save_whole({**states, "step": step, "spent": spent + time.time() - first}, kept)
        save_whole(mean, out)

    while time.time() < end:
        dice = DeviceRandom("cpu", seed * 1_000_003 + step)
        for group in optimiser.param_groups:
            group["lr"] = rate * rate_share((spent + time.time() - first) / length, (step + 1) / WARM_UP_STEPS)
        parts = [_picked(pool, BATCH - LIT, dice), _picked(lit.pool, LIT, dice)]
        batch = columns_batch({name: torch.cat([part[name] for part in parts]) for name in parts[0]}, dice)
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=AUTOCAST):
            outputs = net(batch.picture.contiguous(memory_format=torch.channels_last))
        loss = loss_of(outputs, batch)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        step += 1
        mix_in(mean, net, min(DECAY, (step + 1) / (step + 10)))
        shown += (float(loss.detach()) - shown) * max(0.01, 1 / step)
        if time.time() - told > AHEAD_S:
            told = time.time()
            lit.more()
            click.echo(json.dumps({"seconds": round(told - first), "step": step, "loss": round(shown, 4)}))
            keep()
    keep()
    click.echo(f"end at step {step}, loss {shown:.4f}, {len(lit.taken)} lit boards")


if __name__ == "__main__":
    main()
