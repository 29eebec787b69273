"""Trains a network of the checkers by the clock, on the cores of a CPU: `--help`.

Drawn boards are sample sets as `vision.training.columns draw` makes them, lit ones a folder of `vision.training.lit.board`; both
may grow meanwhile. With --start FILE the network of an ONNX or a .pt file goes on. With --lite it is the one on a pretrained trunk,
which without --start begins with EfficientNet-Lite0's layers as ImageNet taught them. The same command goes on where it was
stopped.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np
import torch

from vision.training.clocked import Clocked
from vision.training.columns import loss_of
from vision.training.columns_data import Samples, lit_boards, lit_sample, load_part
from vision.training.columns_net import ColumnsNet, LiteColumnsNet
from vision.training.dice_fit import AUTOCAST
from vision.training.pool import Pool, columns_batch, plain_batch
from vision.training.shared_course import keep_statistics
from vision.training.spoil import DeviceRandom
from vision.training.thaw import gone_on

Net = Any
BATCH, LIT = 16, 6
"""Boards a step, and how many of them are lit where there are lit ones."""
COPIES = 5
"""Samples of a lit board, each with other corners and from another camera."""
MOST_LIT, MOST_DRAWN = 5_000, 20_000
RATE_ON, RATE = 3e-4, 1.5e-3
"""The highest, of a network that goes on and of one that begins."""
WARM_UP_STEPS = 100
DECAY = 0.997
AHEAD_S = 240.0
"""Seconds between looks for new boards, and between checkpoints."""
STATISTICS = 48
"""Boards whose statistics the batch norms of a network that goes on keep."""


class Growing:
    """The samples of a folder that may grow."""

    def __init__(self, folder: Path | None, room: int) -> None:
        self.folder = folder
        self.taken: set[str] = set()
        self.pool = Pool(room, "cpu")

    def more(self) -> None:
        """Takes in what is new."""
        for name, samples in self._new(self.folder) if self.folder is not None else ():
            self.taken.add(name)
            self.pool.add(samples)

    def picked(self, count: int, dice: DeviceRandom) -> dict[str, Any]:
        """So many samples at random."""
        return self.pool.chosen(dice.below(len(self.pool), count))

    def _new(self, folder: Path) -> Iterator[tuple[str, Samples]]:
        raise NotImplementedError


class Drawn(Growing):
    """Sample sets, file by file."""

    def _new(self, folder: Path) -> Iterator[tuple[str, Samples]]:
        for path in sorted(folder.rglob("*.npz")):
            if path.name not in self.taken:
                yield path.name, load_part(path)


class Lit(Growing):
    """Boards that Blender lights."""

    def __init__(self, folder: Path | None, room: int, seed: int) -> None:
        super().__init__(folder, room)
        self.rng = np.random.default_rng(seed)

    def _new(self, folder: Path) -> Iterator[tuple[str, Samples]]:
        for name, board in lit_boards(folder, frozenset(self.taken)):
            rows = [lit_sample(board, self.rng) for _ in range(COPIES)]
            yield name, Samples(**{f.name: np.stack([row[f.name] for row in rows]) for f in fields(Samples)})


def begun(start: Path | None, drawn: Pool, *, lite: bool) -> Net:
    """The network to go on with, or to begin with, with its weights but not yet ready to learn."""
    net = LiteColumnsNet() if lite else ColumnsNet()
    if lite and start is None:
        net.trunk.take_imagenet()
    return gone_on(net, start, lambda: plain_batch(drawn.chosen(torch.arange(min(STATISTICS, len(drawn)))))[0].cpu())


@click.command(help=__doc__)
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--end", type=float, required=True, help="Epoch seconds at which all must be written.")
@click.option("--start", type=click.Path(path_type=Path, exists=True), help="ONNX or .pt file to go on from.")
@click.option("--lite", is_flag=True, help="The network on a pretrained trunk.")
@click.option("--drawn", "drawn_folder", type=click.Path(path_type=Path, exists=True), required=True)
@click.option("--lit", "lit_folder", type=click.Path(path_type=Path, exists=True))
@click.option("--rate", type=float, help="The highest, where it is not the usual one.")
@click.option("--threads", default=1, show_default=True)
@click.option("--seed", default=1, show_default=True)
def main(
    out: Path,
    end: float,
    start: Path | None,
    drawn_folder: Path,
    lit_folder: Path | None,
    rate: float | None,
    threads: int,
    seed: int,
    *,
    lite: bool,
) -> None:
    """Writes the running mean of the weights to OUT (.pt), and beside it a checkpoint."""
    torch.set_num_threads(threads)
    cv2.setNumThreads(1)
    torch.manual_seed(seed)
    drawn, lit_ones = Drawn(drawn_folder, MOST_DRAWN), Lit(lit_folder, MOST_LIT, seed)
    drawn.more()
    lit_ones.more()
    net = begun(start, drawn.pool, lite=lite).to(memory_format=torch.channels_last).train()
    if lite:
        net.trunk.settle()
    else:
        keep_statistics(net)
    highest = rate or (RATE if start is None else RATE_ON)
    course, told = Clocked(net, out, end, rate=highest, warm_up=WARM_UP_STEPS, decay=DECAY), time.time()
    click.echo(f"{len(drawn.pool)} drawn, {len(lit_ones.pool)} lit samples, from step {course.step}")
    while not course.over:
        dice = DeviceRandom("cpu", seed * 1_000_003 + course.step)
        lit_now = LIT if len(lit_ones.pool) else 0
        parts = [drawn.picked(BATCH - lit_now, dice), *([lit_ones.picked(lit_now, dice)] if lit_now else [])]
        with torch.no_grad():
            batch = columns_batch({name: torch.cat([part[name] for part in parts]) for name in parts[0]}, dice)
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=AUTOCAST):
            outputs = net(batch.picture.contiguous(memory_format=torch.channels_last))
        course.learn(loss_of(outputs, batch))
        if time.time() - told > AHEAD_S:
            told = time.time()
            drawn.more()
            lit_ones.more()
            click.echo(json.dumps(course.figures() | {"drawn": len(drawn.pool), "lit": len(lit_ones.pool)}))
            course.keep()
    course.keep()
    sets = f"{len(drawn.pool)} drawn, {len(lit_ones.taken)} lit boards"
    click.echo(f"end at step {course.step}, loss {course.loss:.4f}, {sets}")


if __name__ == "__main__":
    main()
