"""Trains the network that counts on patches of columns seen finely, by the clock, beside an accelerator or on cores: `--help`.

Patches are a folder of `vision.training.patches finely draw`, which may grow meanwhile. The first layers are EfficientNet-Lite0's
as ImageNet taught them. The same command goes on where it was stopped.
"""

from __future__ import annotations

import json
import time
from pathlib import Path

import click
import cv2
import numpy as np
import torch
import torch.nn.functional as F

from vision.training.clocked import Clocked
from vision.training.dice_fit import AUTOCAST
from vision.training.patches import SORTS, batch
from vision.training.pool import normalised
from vision.training.shared_course import Ring
from vision.training.spoil import DeviceRandom
from vision.training.thaw import gone_on

SORT = SORTS["finely"]
WARM_UP_STEPS = 200
STATISTICS = 64
"""Patches of which the batch norms of a network from ONNX get their statistics."""
DECAY = 0.998


class Patches:
    """The patches of a folder that may grow, on the device."""

    def __init__(self, folder: Path, room: int, device: str) -> None:
        self.folder = folder
        self.taken: set[str] = set()
        self.patches, self.counts = Ring(room, device), Ring(room, device)

    def more(self) -> int:
        """Takes in what is new; answers how many there are."""
        for path in sorted(self.folder.rglob("*.npz")):
            name = str(path.relative_to(self.folder))
            if name not in self.taken:
                self.taken.add(name)
                with np.load(path) as held:
                    self.patches.add(held["patches"])
                    self.counts.add(held["counts"].astype(np.int64))
        return self.counts.filled


@click.command(help=__doc__)
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--end", type=float, required=True, help="Epoch seconds at which all must be written.")
@click.option("--drawn", type=click.Path(path_type=Path, exists=True), required=True)
@click.option("--start", type=click.Path(path_type=Path, exists=True), help=".pt or .onnx to begin with.")
@click.option("--least", default=2000, show_default=True, help="Patches before the first step.")
@click.option("--room", default=40_000, show_default=True, help="Patches kept; the oldest go.")
@click.option("--size", default=64, show_default=True, help="Patches a step.")
@click.option("--rate", default=1.5e-3, show_default=True)
@click.option("--device", default="cpu", show_default=True)
@click.option(
    "--tell", default=240.0, show_default=True, help="Seconds between looks for new patches, and checkpoints."
)
@click.option("--seed", default=1, show_default=True)
def main(
    out: Path,
    end: float,
    drawn: Path,
    start: Path | None,
    least: int,
    room: int,
    size: int,
    rate: float,
    device: str,
    tell: float,
    seed: int,
) -> None:
    """Writes the running mean of the weights to OUT (.pt), and beside it a checkpoint."""
    cv2.setNumThreads(1)
    torch.manual_seed(seed)
    net = SORT.made(SORT.shape[1])
    pool = Patches(drawn, room, device)
    while pool.more() < least and time.time() < end:
        time.sleep(2)
    if start is None:
        net.trunk.take_imagenet()
    net = gone_on(net, start, lambda: normalised(pool.patches.held[:STATISTICS].permute(0, 3, 1, 2).float().cpu()))
    net = net.to(device, memory_format=torch.channels_last).train()
    net.trunk.settle()
    course, told = Clocked(net, out, end, rate=rate, warm_up=WARM_UP_STEPS, decay=DECAY), time.time()
    while not course.over:
        dice = DeviceRandom(device, seed * 1_000_003 + course.step)
        filled = pool.counts.filled
        with torch.no_grad():
            pictures, wanted = batch(SORT, pool.patches.held[:filled], pool.counts.held[:filled], dice, size)
        with torch.autocast(pictures.device.type, dtype=torch.bfloat16, enabled=pictures.is_cuda or AUTOCAST):
            said = net(pictures.contiguous(memory_format=torch.channels_last)).float()
        course.learn(F.cross_entropy(said, wanted))
        if time.time() - told > tell:
            told = time.time()
            click.echo(json.dumps(course.figures() | {"patches": pool.more()}))
            course.keep()
    course.keep()
    click.echo(f"end at step {course.step}, loss {course.loss:.4f}, {pool.counts.filled} patches")


if __name__ == "__main__":
    main()
