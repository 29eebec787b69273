"""Trains one network of dice or cube by the clock, on one core or beside an accelerator, from drawn and from lit samples: `--help`.

Drawn samples are chunks of `vision.training.dice_pool`, lit ones are cut here from a folder of `vision.training.lit.draw`; both
may grow meanwhile. The same command goes on where it was stopped.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch

from vision.network import WEIGHTS
from vision.reading.detector import CROP_SIDES, Finder
from vision.training import dice_net
from vision.training.dice_course import moved, spoilt, tinted
from vision.training.dice_fit import AUTOCAST
from vision.training.dice_pool import CANVASES
from vision.training.dice_start import NAMES
from vision.training.lit.cut import samples, windows
from vision.training.lite import groups_of
from vision.training.shared_course import Ring, rate_share, save_whole, step_down
from vision.training.spoil import DeviceRandom, spread
from vision.training.spoil import spoilt as spoilt_much

Tensor = Any
Net = Any
BATCHES = {"finder": 24, "reader": 64, "fine": 64, "lite": 64}
LIT_SHARE = 0.4
"""Of a batch's samples are lit, the others drawn."""
RATES = {"finder": 6e-4, "reader": 4e-4, "fine": 4e-4, "lite": 1e-3}
"""The highest. Those that learnt before have less."""
DECAY = 0.01
KEEP, KEEP_EVERY = 0.99, 4
POOREST = 0.35
"""Of a batch's crops are spoilt as pictures of whole boards are: far out of focus, shaken, packed. A reader that had learnt from
`dice_course.spoilt` alone was sure and wrong where a board was that unsharp."""
SOFT, SOFTEST, STEEPER = 0.3, (0.06, 0.19), 0.4
"""Of a batch's crops are out of focus by so much, shares of a solid's side: where readers begin to fail, and where nobody reads
any more. Of `spoil.spoilt`'s own crops 4 % were. Of these such a share have their edges made steeper again, as phones do."""
LENS = 0.5
"""Of them are smeared by a disk, as a lens does it, the others by a Gaussian of the same deviation."""
SOFT_GRAIN = 1.5
"""Grey levels of grain in them at most: there is light enough."""
SHARP_PX = 77.0
"""Of a crop's width for which `spoil.spoilt` is as strong as it is meant: it blurs by up to 6.2 px of 96, 2.4 of a board's 480."""
AHEAD_S = 240.0
"""Seconds between looks for new samples, and between checkpoints, on a core."""
ROOM = 150_000
"""Samples kept of each sort; the oldest go."""


class Samples:
    """Samples of one part on the device, the newest ROOM. Crops that show the solid are told from those that do not."""

    def __init__(self, part: str, device: str) -> None:
        self.rings = {sort: Ring(ROOM, device) for sort in sorts_of(part)}
        self.halves: tuple[Tensor, Tensor] | None = None

    @property
    def count(self) -> int:
        """How many there are."""
        return next(iter(self.rings.values())).filled

    def add(self, held: dict[str, np.ndarray[Any, Any]]) -> None:
        """Takes in new ones."""
        for sort, ring in self.rings.items():
            ring.add(held[sort])
        if "answer" in self.rings:
            answers = self.rings["answer"]
            one = answers.held[: answers.filled, 0] > 0
            self.halves = torch.nonzero(one)[:, 0], torch.nonzero(~one)[:, 0]

    def pick(self, count: int, dice: DeviceRandom) -> dict[str, Tensor]:
        """A part of a batch; of crops, as many that show the solid as that do not."""
        if self.halves is not None:
            half = count // 2
            sizes = (half, count - half)
            rows = torch.cat([h[dice.below(len(h), n)] for h, n in zip(self.halves, sizes, strict=True)])
        else:
            rows = dice.below(self.count, count)
        return {sort: ring.held[rows] for sort, ring in self.rings.items()}


def sorts_of(part: str) -> tuple[str, ...]:
    """What a part learns from, as chunks call it after the kind."""
    return ("picture", "heat", "size") if part == "finder" else (dice_net.PARTS[part].sort, "answer")


class Growing:
    """The samples of a folder that may grow."""

    def __init__(self, folder: Path, kind: str, part: str, device: str) -> None:
        self.folder, self.kind, self.sorts = folder, kind, sorts_of(part)
        self.taken: set[str] = set()
        self.samples = Samples(part, device)

    def more(self) -> Samples:
        """Takes in what is new; answers all samples."""
        new: dict[str, list[np.ndarray[Any, Any]]] = {sort: [] for sort in self.sorts}
        for name, held in self._new():
            self.taken.add(name)
            if all(f"{self.kind}_{sort}" in held for sort in self.sorts):
                for sort in self.sorts:
                    new[sort].append(held[f"{self.kind}_{sort}"])
        if new[self.sorts[0]]:
            self.samples.add({sort: np.concatenate(rows) for sort, rows in new.items()})
        return self.samples

    def _new(self) -> Iterator[tuple[str, dict[str, np.ndarray[Any, Any]]]]:
        raise NotImplementedError


class DrawnSamples(Growing):
    """Chunks of drawn scenes."""

    def _new(self) -> Iterator[tuple[str, dict[str, np.ndarray[Any, Any]]]]:
        wanted = {f"{self.kind}_{sort}" for sort in self.sorts}
        for path in sorted(self.folder.glob("*.npz")):
            if path.name not in self.taken and ".part" not in path.name:
                with np.load(path) as held:
                    yield path.name, {name: held[name] for name in held.files if name in wanted}


class LitSamples(Growing):
    """What is cut from lit windows."""

    def __init__(self, folder: Path, kind: str, part: str, device: str, seed: int) -> None:
        super().__init__(folder, kind, part, device)
        self.rng = np.random.default_rng(seed)
        self.finder = Finder(WEIGHTS / f"{NAMES[kind]}_finder.onnx", *CANVASES[kind])

    def _new(self) -> Iterator[tuple[str, dict[str, np.ndarray[Any, Any]]]]:
        for name, window in windows(self.folder, frozenset(self.taken)):
            yield name, samples(self.rng, window, {self.kind: self.finder})


def poorer(x: Tensor, dice: DeviceRandom) -> Tensor:
    """(N, 3, h, w) crops, float 0-255, as poorer cameras give them: POOREST of them as far poorer ones do, SOFT out of focus."""
    count = len(x)
    sizes = [round(count * POOREST), round(count * SOFT)]
    much, soft, little = dice.uniform(0, 1, count).argsort().split([*sizes, count - sum(sizes)])
    made = torch.empty_like(x)
    made[much], made[little] = spoilt_much(x[much], dice, x.shape[-1] / SHARP_PX), spoilt(x[little])
    made[soft] = out_of_focus(x[soft], dice)
    return made


def out_of_focus(x: Tensor, dice: DeviceRandom) -> Tensor:
    """(N, 3, h, w) crops, float 0-255, far out of focus, some with their edges made steeper again."""
    count, side = len(x), x.shape[-1] / CROP_SIDES
    smear = dice.uniform(*SOFTEST, count) * side
    made = smeared(x, smear, dice.uniform(0, 1, count) < LENS)
    made = (made + dice.uniform(0, SOFT_GRAIN, count)[:, None, None, None] * dice.normal(*x.shape)).clamp(0, 255)
    again = smeared(made, smear * dice.uniform(0.8, 1.25, count), torch.zeros_like(smear, dtype=torch.bool))
    steeper = (dice.uniform(0, 1, count) < STEEPER)[:, None, None, None]
    return torch.where(steeper, (2 * made - again).clamp(0, 255), made)


def smeared(x: Tensor, smear: Tensor, lens: Tensor) -> Tensor:
    """(N, 3, h, w) smeared by (N,) px, the deviation; by a disk where lens (N,), else by a Gaussian."""
    reach = int(2.5 * float(smear.max())) + 1
    away = torch.arange(-reach, reach + 1, device=x.device).float()
    far = (away[None] ** 2 + away[:, None] ** 2).sqrt()[None]
    across = smear[:, None, None]
    # A disk of radius r smears each way as much as a Gaussian of deviation r / 2.
    disk, bell = (2 * across + 0.5 - far).clamp(0, 1), (-((far / across) ** 2) / 2).exp()
    kernel = torch.where(lens[:, None, None], disk, bell)
    return spread(x, kernel / kernel.sum((1, 2), keepdim=True))


def loss_of(
    net: Net, kind: str, part: str, drawn: Samples, lit: Samples, dice: DeviceRandom, batch: int, shown: int
) -> Tensor:
    """The loss of one batch of which so many samples are lit, made as poorer cameras give it."""
    picked = [lit.pick(shown, dice), drawn.pick(batch - shown, dice)]
    held = {sort: torch.cat([one[sort] for one in picked]) for sort in picked[0]}
    sort = sorts_of(part)[0]
    with torch.no_grad():
        x = held[sort].permute(0, 3, 1, 2).float()
        if part == "finder":
            heat, size = held["heat"].float() / 255, held["size"].float()
            quarter, mirror = int(torch.randint(4, (1,))), bool(torch.rand(1) < 0.5)
            x, heat, size = (torch.rot90(v, quarter, (-2, -1)) for v in (x, heat, size))
            x, heat, size = (v.flip(-1) if mirror else v for v in (x, heat, size))
        else:
            x = moved(x, mirror=kind == "die")
        x = spoilt(x) if part == "finder" else poorer(x, dice)
        x = tinted(x).contiguous(memory_format=torch.channels_last)
    device = x.device.type
    with torch.autocast(device, dtype=torch.bfloat16, enabled=device == "cuda" or AUTOCAST):
        out = net(x).float()
    if part == "finder":
        return dice_net.finder_loss(out, heat, size)
    answer = held["answer"]
    return dice_net.reader_loss(out, answer[:, 0], answer[:, 1].long(), answer[:, 2])


def begun(kind: str, part: str, start: Path | None, device: str = "cpu") -> Net:
    """The network as it begins: with what ImageNet or an earlier course taught it."""
    net = dice_net.PARTS[part].made()
    held = start / f"{kind}_{part}.pt" if start else None
    if held and held.exists():
        net.load_state_dict({name: value.float() for name, value in torch.load(held).items()})
    elif part == "lite":
        net.trunk.take_imagenet()
    net = net.to(device, memory_format=torch.channels_last).train()
    if part == "lite":
        net.trunk.settle()
    return net


def train(options: argparse.Namespace) -> None:
    """Trains until the clock says so."""
    torch.manual_seed(options.seed)
    options.out.mkdir(parents=True, exist_ok=True)
    kind, part = options.kind, options.part
    name = f"{kind}_{part}"
    checkpoint = options.out / f"{name}.checkpoint.pt"
    device = options.device
    net = begun(kind, part, options.start, device)
    optimiser = torch.optim.AdamW(groups_of(net, options.rate or RATES[part]), weight_decay=DECAY)
    average, step, spent = dice_net.Average(net, KEEP), 0, 0.0
    if checkpoint.exists():
        held = torch.load(checkpoint, map_location=device)
        net.load_state_dict(held["net"])
        optimiser.load_state_dict(held["optimiser"])
        average.state, average.steps, step, spent = held["average"], held["steps"], held["step"], held["spent"]
    chunks = DrawnSamples(options.drawn, kind, part, device)
    growing = LitSamples(options.lit, kind, part, device, options.seed)
    drawn, lit = chunks.more(), growing.more()
    while drawn.count < options.least and time.time() < options.end:
        time.sleep(1)
        drawn = chunks.more()
    batch = options.batch or BATCHES[part]
    shown = round(batch * options.lit_share)
    first = told = time.time()
    loss_mean, length = torch.zeros((), device=device), spent + options.end - first
    print(f"{name}: {drawn.count} drawn, {lit.count} lit samples, from step {step}", flush=True)

    def keep() -> None:
        held = {"net": net.state_dict(), "optimiser": optimiser.state_dict(), "average": average.state}
        save_whole(held | {"steps": average.steps, "step": step, "spent": spent + time.time() - first}, checkpoint)
        save_whole(average.state, options.out / f"{name}.pt")

    while time.time() < options.end:
        share = rate_share((spent + time.time() - first) / length, (step + 1) / 300)
        for group in optimiser.param_groups:
            group["lr"] = group["highest"] * share
        dice = DeviceRandom(device, options.seed * 1_000_003 + step)
        loss = loss_of(net, kind, part, drawn, lit, dice, batch, shown)
        step_down(net, optimiser, loss)
        step += 1
        loss_mean += (loss.detach() - loss_mean) * max(0.01, 1 / step)
        if step % KEEP_EVERY == 0:
            average.add(net)
        if time.time() - told > options.tell:
            told, drawn, lit = time.time(), chunks.more(), growing.more()
            figures = {"seconds": round(told - first), "step": step, "loss": round(float(loss_mean), 4)}
            print(json.dumps(figures | {"drawn": drawn.count, "lit": lit.count}), flush=True)
            keep()
    keep()
    print(
        f"end of {name} at step {step}, loss {float(loss_mean):.4f}, {drawn.count} drawn, {len(growing.taken)} lit windows",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="Train one network of dice or cube until the clock says END.")
    parser.add_argument("kind", choices=list(CANVASES))
    parser.add_argument("part", choices=list(dice_net.PARTS))
    parser.add_argument("--end", type=float, required=True, help="epoch seconds at which all must be written")
    parser.add_argument(
        "--start", type=Path, help="folder with KIND_PART.pt to go on from (vision.training.dice_start)"
    )
    parser.add_argument("--drawn", type=Path, required=True, help="folder of chunks of vision.training.dice_pool")
    parser.add_argument("--lit", type=Path, required=True, help="folder of vision.training.lit.draw")
    parser.add_argument("--out", type=Path, required=True, help="folder for the running mean and the checkpoint")
    parser.add_argument("--rate", type=float, help="the highest, where it is not the part's usual one")
    parser.add_argument("--lit-share", type=float, default=LIT_SHARE, help="of a batch's samples that are lit")
    parser.add_argument("--least", type=int, default=1, help="drawn samples before the first step")
    parser.add_argument("--batch", type=int, help="where it is not the part's usual one")
    parser.add_argument("--device", default="cpu")
    parser.add_argument(
        "--tell", type=float, default=AHEAD_S, help="seconds between looks for new samples, and checkpoints"
    )
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    train(options)


if __name__ == "__main__":
    main()
