"""Trains a network that counts on patches of columns by the clock, beside an accelerator or on cores: `--help`.

Patches are a folder of `vision.training.patches finely draw`, or `tall draw`, which may grow meanwhile. The larger network's first
layers are EfficientNet-Lite0's as ImageNet taught them. It learns where the checkers lie, too. The same command goes on where it
was stopped.
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
from vision.training.patches import SORTS, Sort, batch
from vision.training.patches import Patches as PatchArray
from vision.training.patches_net import LitePatchesNet
from vision.training.pool import normalised
from vision.training.shared_course import Ring
from vision.training.spoil import DeviceRandom
from vision.training.thaw import gone_on

WARM_UP_STEPS = 200
STATISTICS = 64
"""Patches of which the batch norms of a network from ONNX get their statistics."""
DECAY = 0.998
BLURRED = 0.7
"""Rows of the network's map over which a checker's place is spread."""
ABOUT_ONE = 0.5
"""Checkers by which a count down to a row may err before the error counts no more than by its length."""


class Patches:
    """The patches of a folder that may grow, on the device, as large as the sort has them."""

    def __init__(self, sort: Sort, folder: Path, room: int, device: str) -> None:
        self.sort, self.folder = sort, folder
        self.taken: set[str] = set()
        self.patches, self.counts, self.along = Ring(room, device), Ring(room, device), Ring(room, device)

    def more(self) -> int:
        """Takes in what is new; answers how many there are."""
        for path in sorted(self.folder.rglob("*.npz")):
            name = str(path.relative_to(self.folder))
            if name not in self.taken:
                self.taken.add(name)
                with np.load(path) as held:
                    self.patches.add(self._sized(held["patches"]))
                    self.counts.add(held["counts"].astype(np.int64))
                    self.along.add(held["along"])
        return self.counts.filled

    def _sized(self, patches: PatchArray) -> PatchArray:
        tall, wide = self.sort.shape
        if patches.shape[1:3] == (tall, wide):
            return patches
        return np.stack([cv2.resize(patch, (wide, tall), interpolation=cv2.INTER_AREA) for patch in patches])


def down_to(along: torch.Tensor, rows: int) -> torch.Tensor:
    """(B, rows) how many of (B, 15) places along a patch, shares of its height, lie in it down to the end of each row."""
    ends = torch.arange(1, rows + 1, device=along.device)
    return torch.sigmoid((ends - rows * along[..., None]) / BLURRED).sum(1)


@click.command(help=__doc__)
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--end", type=float, required=True, help="Epoch seconds at which all must be written.")
@click.option("--drawn", type=click.Path(path_type=Path, exists=True), required=True)
@click.option(
    "--sort",
    type=click.Choice(("finely", "tall", "piled")),
    default="finely",
    show_default=True,
    help="Of the network; patches of another are made larger or smaller.",
)
@click.option("--places", default=1.0, show_default=True, help="How much it counts where the checkers lie.")
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
    sort: str,
    places: float,
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
    teaching = SORTS[sort]
    net = teaching.made(teaching.shape[1])
    pretrained = isinstance(net, LitePatchesNet)
    pool = Patches(teaching, drawn, room, device)
    while pool.more() < least and time.time() < end:
        time.sleep(2)
    if pretrained and start is None:
        net.trunk.take_imagenet()
    net = gone_on(net, start, lambda: normalised(pool.patches.held[:STATISTICS].permute(0, 3, 1, 2).float().cpu()))
    net = net.to(device, memory_format=torch.channels_last).train()
    if pretrained:
        net.trunk.settle()
    course, told = Clocked(net, out, end, rate=rate, warm_up=WARM_UP_STEPS, decay=DECAY), time.time()
    while not course.over:
        dice = DeviceRandom(device, seed * 1_000_003 + course.step)
        filled = pool.counts.filled
        with torch.no_grad():
            pictures, chosen = batch(teaching, pool.patches.held[:filled], pool.counts.held[:filled], dice, size)
        with torch.autocast(pictures.device.type, dtype=torch.bfloat16, enabled=pictures.is_cuda or AUTOCAST):
            said, reached = net.with_places(pictures.contiguous(memory_format=torch.channels_last))
        placed = F.smooth_l1_loss(reached.float(), down_to(pool.along.held[chosen], reached.shape[1]), beta=ABOUT_ONE)
        course.learn(F.cross_entropy(said.float(), pool.counts.held[chosen]) + places * placed)
        if time.time() - told > tell:
            told = time.time()
            click.echo(json.dumps(course.figures() | {"patches": pool.more()}))
            course.keep()
    course.keep()
    click.echo(f"end at step {course.step}, loss {course.loss:.4f}, {pool.counts.filled} patches")


if __name__ == "__main__":
    main()
