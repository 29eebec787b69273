"""Trains one network of dice or cube by the clock, on one core, from drawn and from lit samples: `--help`.

Drawn samples are chunks of `vision.training.dice_pool`, lit ones are cut here from a folder of `vision.training.lit.draw`, which
may grow meanwhile. The same command goes on where it was stopped.
"""

from __future__ import annotations

import argparse
import json
import time
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
from vision.training.shared_course import rate_share, save_whole
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
"""Seconds between looks for new lit windows, and between checkpoints."""


class Samples:
    """Samples of one part: (N, ...) tensors by sort. Crops that show the solid are told from those that do not."""

    def __init__(self, held: dict[str, Tensor]) -> None:
        self.held = held
        self.count = len(next(iter(held.values())))
        if "answer" in held:
            one = held["answer"][:, 0] > 0
            self.halves = torch.nonzero(one)[:, 0], torch.nonzero(~one)[:, 0]

    def pick(self, count: int) -> dict[str, Tensor]:
        """A part of a batch; of crops, as many that show the solid as that do not."""
        if "answer" in self.held:
            half = count // 2
            sizes = (half, count - half)
            rows = torch.cat([h[torch.randint(len(h), (n,))] for h, n in zip(self.halves, sizes, strict=True)])
        else:
            rows = torch.randint(self.count, (count,))
        return {sort: rows_of[rows] for sort, rows_of in self.held.items()}


def sorts_of(part: str) -> tuple[str, ...]:
    """What a part learns from, as chunks call it after the kind."""
    return ("picture", "heat", "size") if part == "finder" else (dice_net.PARTS[part].sort, "answer")


def together(parts: list[dict[str, np.ndarray[Any, Any]]]) -> Samples:
    """The parts, one after another."""
    return Samples({sort: torch.from_numpy(np.concatenate([part[sort] for part in parts])) for sort in parts[0]})


def drawn_samples(folder: Path, kind: str, part: str) -> Samples:
    """All the chunks of a folder."""
    parts = []
    for path in sorted(folder.glob("*.npz")):
        with np.load(path) as held:
            if all(f"{kind}_{sort}" in held.files for sort in sorts_of(part)):
                parts.append({sort: held[f"{kind}_{sort}"] for sort in sorts_of(part)})
    return together(parts)


class LitSamples:
    """The samples of a growing folder of lit windows."""

    def __init__(self, folder: Path, kind: str, part: str, seed: int) -> None:
        self.folder, self.kind, self.part = folder, kind, part
        self.rng = np.random.default_rng(seed)
        self.finder = Finder(WEIGHTS / f"{NAMES[kind]}_finder.onnx", *CANVASES[kind])
        self.taken: set[str] = set()
        self.parts: list[dict[str, np.ndarray[Any, Any]]] = []

    def more(self) -> Samples:
        """Takes in windows that are new; answers all samples."""
        sorts = sorts_of(self.part)
        for name, window in windows(self.folder, frozenset(self.taken)):
            self.taken.add(name)
            cut = samples(self.rng, window, {self.kind: self.finder})
            if all(f"{self.kind}_{sort}" in cut for sort in sorts):
                self.parts.append({sort: cut[f"{self.kind}_{sort}"] for sort in sorts})
        return together(self.parts)


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
    again = smeared(made, smear * dice.uniform(0.8, 1.25, count), torch.zeros(count, dtype=torch.bool))
    steeper = (dice.uniform(0, 1, count) < STEEPER)[:, None, None, None]
    return torch.where(steeper, (2 * made - again).clamp(0, 255), made)


def smeared(x: Tensor, smear: Tensor, lens: Tensor) -> Tensor:
    """(N, 3, h, w) smeared by (N,) px, the deviation; by a disk where lens (N,), else by a Gaussian."""
    reach = int(2.5 * float(smear.max())) + 1
    away = torch.arange(-reach, reach + 1).float()
    far = (away[None] ** 2 + away[:, None] ** 2).sqrt()[None]
    across = smear[:, None, None]
    # A disk of radius r smears each way as much as a Gaussian of deviation r / 2.
    disk, bell = (2 * across + 0.5 - far).clamp(0, 1), (-((far / across) ** 2) / 2).exp()
    kernel = torch.where(lens[:, None, None], disk, bell)
    return spread(x, kernel / kernel.sum((1, 2), keepdim=True))


def loss_of(
    net: Net, kind: str, part: str, drawn: Samples, lit: Samples, dice: DeviceRandom, lit_share: float = LIT_SHARE
) -> Tensor:
    """The loss of one batch, made as poorer cameras give it."""
    shown = round(BATCHES[part] * lit_share)
    picked = [lit.pick(shown), drawn.pick(BATCHES[part] - shown)]
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
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=AUTOCAST):
        out = net(x).float()
    if part == "finder":
        return dice_net.finder_loss(out, heat, size)
    answer = held["answer"]
    return dice_net.reader_loss(out, answer[:, 0], answer[:, 1].long(), answer[:, 2])


def begun(kind: str, part: str, start: Path | None) -> Net:
    """The network as it begins: with what ImageNet or an earlier course taught it."""
    net = dice_net.PARTS[part].made()
    held = start / f"{kind}_{part}.pt" if start else None
    if held and held.exists():
        net.load_state_dict({name: value.float() for name, value in torch.load(held).items()})
    elif part == "lite":
        net.trunk.take_imagenet()
    net = net.to(memory_format=torch.channels_last).train()
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
    net = begun(kind, part, options.start)
    optimiser = torch.optim.AdamW(groups_of(net, options.rate or RATES[part]), weight_decay=DECAY)
    average, step, spent = dice_net.Average(net, KEEP), 0, 0.0
    if checkpoint.exists():
        held = torch.load(checkpoint)
        net.load_state_dict(held["net"])
        optimiser.load_state_dict(held["optimiser"])
        average.state, average.steps, step, spent = held["average"], held["steps"], held["step"], held["spent"]
    drawn, growing = drawn_samples(options.drawn, kind, part), LitSamples(options.lit, kind, part, options.seed)
    lit = growing.more()
    first = told = time.time()
    loss_mean, length = 0.0, spent + options.end - first
    print(f"{name}: {drawn.count} drawn, {lit.count} lit samples, from step {step}", flush=True)

    def keep() -> None:
        held = {"net": net.state_dict(), "optimiser": optimiser.state_dict(), "average": average.state}
        save_whole(held | {"steps": average.steps, "step": step, "spent": spent + time.time() - first}, checkpoint)
        save_whole(average.state, options.out / f"{name}.pt")

    while time.time() < options.end:
        share = rate_share((spent + time.time() - first) / length, (step + 1) / 300)
        for group in optimiser.param_groups:
            group["lr"] = group["highest"] * share
        loss = loss_of(
            net, kind, part, drawn, lit, DeviceRandom("cpu", options.seed * 1_000_003 + step), options.lit_share
        )
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        step += 1
        loss_mean += (float(loss.detach()) - loss_mean) * max(0.01, 1 / step)
        if step % KEEP_EVERY == 0:
            average.add(net)
        if time.time() - told > AHEAD_S:
            told, lit = time.time(), growing.more()
            figures = {"seconds": round(told - first), "step": step, "loss": round(loss_mean, 4), "lit": lit.count}
            print(json.dumps(figures), flush=True)
            keep()
    keep()
    print(f"end of {name} at step {step}, loss {loss_mean:.4f}, {len(growing.taken)} lit windows", flush=True)


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
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    train(options)


if __name__ == "__main__":
    main()
