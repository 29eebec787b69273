"""Trains the networks of dice and cube by the clock, all six or one kind's, from scenes that workers draw: `--help`."""

from __future__ import annotations

import argparse
import json
import multiprocessing
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from vision.training import dice_net
from vision.training.dice_fit import AUTOCAST
from vision.training.dice_pool import CANVASES, LearningFinder, draw, open_stock, samples, work
from vision.training.shared_course import Ring, rate_share, save_whole, step_down
from vision.training.spoil import spread

Tensor = Any
Net = Any
ROOM = {"picture": 30_000, "heat": 30_000, "size": 30_000, "crop": 240_000, "fine": 240_000, "answer": 240_000}
"""Samples kept of each sort; the oldest go."""
FINDER_BATCH, READER_BATCH = 64, 384
KEEP, KEEP_EVERY = 0.992, 4
"""Of the running mean of the weights, and steps from one addition to the next."""
RATE = 1e-3
"""The highest, of a long course; a short one from what ships loses less with a third of it."""
FIRST = {"picture": 300, "crop": 3000}
"""Samples drawn before the first step."""
SPARE_S = 40.0
"""Seconds before the end at which the rate is 0 and the last weights are written."""


def spoilt(x: Tensor) -> Tensor:
    """(N, 3, h, w) float 0-255 as poorer cameras give it: blurred, sharpened, coarser, darker, noisier; some of each."""
    n, h, w = len(x), x.shape[2], x.shape[3]
    device = x.device
    deviation = torch.empty(n, device=device).uniform_(0.4, 2.2)
    reach = torch.arange(-4, 5, device=device).float()
    kernel = torch.exp(-(reach**2) / (2 * deviation[:, None] ** 2))
    kernel = kernel / kernel.sum(1, keepdim=True)
    soft = spread(spread(x, kernel[:, None]), kernel[:, :, None])
    pick = torch.rand(n, 1, 1, 1, device=device)
    sharp = x + (x - soft) * torch.empty(n, 1, 1, 1, device=device).uniform_(0.3, 1.8)
    x = torch.where(pick < 0.2, soft, torch.where(pick < 0.3, sharp, x))
    some = torch.nonzero(torch.rand(n, device=device) < 0.18)[:, 0]
    if len(some):
        share = float(torch.empty(1).uniform_(0.35, 0.85))
        small = functional.interpolate(x[some], size=(int(h * share), int(w * share)), mode="area")
        x = x.index_copy(0, some, functional.interpolate(small, size=(h, w), mode="bilinear"))
    x = x.clamp(0, 255)
    bend = torch.exp(torch.randn(n, 1, 1, 1, device=device) * 0.25)
    bend = torch.where(torch.rand(n, 1, 1, 1, device=device) < 0.3, bend, torch.ones_like(bend))
    x = 255 * (x / 255) ** bend
    light = torch.empty(n, 1, 1, 1, device=device).uniform_(0.15, 0.7)
    light = torch.where(torch.rand(n, 1, 1, 1, device=device) < 0.06, light, torch.ones_like(light))
    gain = torch.where(torch.rand(n, 1, 1, 1, device=device) < 0.5, 1 / light, torch.ones_like(light))
    noise = torch.empty(n, 1, 1, 1, device=device).uniform_(0, 12)
    noise = torch.where(torch.rand(n, 1, 1, 1, device=device) < 0.15, noise, torch.zeros_like(noise))
    return ((x * light + noise * light.sqrt() * torch.randn_like(x)) * gain).clamp(0, 255)


def tinted(x: Tensor) -> Tensor:
    """(N, 3, h, w) float 0-255 to the networks' input, brightness, contrast, tint and channels changed."""
    n, device = len(x), x.device
    order = torch.argsort(torch.rand(n, 3, device=device), 1)
    kept = torch.rand(n, 1, device=device) > 0.25
    order = torch.where(kept, torch.arange(3, device=device).expand(n, 3), order)
    x = x.gather(1, order[:, :, None, None].expand_as(x))
    x = (x - 127) / 64
    x = x * (1 + 0.15 * torch.randn(n, 1, 1, 1, device=device)) + 0.25 * torch.randn(n, 1, 1, 1, device=device)
    return x + 0.08 * torch.randn(n, 3, 1, 1, device=device)


def moved(x: Tensor, *, mirror: bool) -> Tensor:
    """(N, 3, 64, 64) crops turned, zoomed, shifted a little; half of them mirrored where that may be."""
    n, device = len(x), x.device
    turn = torch.randn(n, device=device) * 0.12
    zoom = torch.exp(torch.randn(n, device=device) * 0.06)
    flip = torch.where(torch.rand(n, device=device) < 0.5, -1.0, 1.0) if mirror else torch.ones(n, device=device)
    shift = torch.randn(n, 2, device=device) * 0.04
    a, b = torch.cos(turn) * zoom, torch.sin(turn) * zoom
    matrix = torch.stack([torch.stack([a * flip, -b, shift[:, 0]], 1), torch.stack([b * flip, a, shift[:, 1]], 1)], 1)
    grid = functional.affine_grid(matrix, x.shape, align_corners=False)
    return functional.grid_sample(x, grid, padding_mode="border", align_corners=False)


@dataclass
class SolidCourse:
    """One network on its way."""

    kind: str
    part: str
    net: Net
    optimiser: Any
    average: dice_net.Average
    loss: float = 0.0

    @property
    def name(self) -> str:
        """KIND_PART, as its file is called."""
        return f"{self.kind}_{self.part}"

    @property
    def made_as(self) -> dice_net.Part:
        """What it is built as and learns from."""
        return dice_net.PARTS[self.part]


class Trainer:
    """All the networks, their samples, and what they say of samples kept apart."""

    def __init__(
        self, start: Path, device: str, crowded: int, kinds: Sequence[str] = tuple(CANVASES), split: int = 1
    ) -> None:
        self.device, self.crowded, self.kinds = device, crowded, kinds
        self.finder_batch, self.reader_batch = FINDER_BATCH // split, READER_BATCH // split
        self.pools = {f"{kind}_{sort}": Ring(room, device) for kind in kinds for sort, room in ROOM.items()}
        self.courses: list[SolidCourse] = []
        self.steps = 0
        for kind in kinds:
            for part, what in dice_net.TOGETHER.items():
                net, begun = what.made(), start / f"{kind}_{part}.pt"
                if begun.exists():
                    net.load_state_dict({k: v.float() for k, v in torch.load(begun).items()})
                net = net.to(device, memory_format=torch.channels_last).train()
                optimiser = torch.optim.AdamW(net.parameters(), RATE, weight_decay=2e-3, fused=device == "cuda")
                self.courses.append(SolidCourse(kind, part, net, optimiser, dice_net.Average(net, KEEP)))

    def take(self, folder: Path) -> int:
        """Takes in every chunk that is whole; answers how many."""
        files = sorted(path for path in folder.glob("*.npz") if ".part" not in path.name)
        for path in files:
            with np.load(path) as held:
                for name in held.files:
                    self.pools[name].add(held[name])
            path.unlink()
        return len(files)

    def ready(self) -> bool:
        """Whether there is enough to begin with."""
        return all(
            self.pools[f"{kind}_{sort}"].filled >= n // self.crowded for kind in self.kinds for sort, n in FIRST.items()
        )

    def loss_of(self, course: SolidCourse) -> Tensor:
        """The loss of one batch."""
        kind = course.kind
        if course.part == "finder":
            pool = self.pools[f"{kind}_picture"]
            rows = torch.randint(pool.filled, (self.finder_batch,), device=self.device)
            x = pool.held[rows].permute(0, 3, 1, 2).float()
            heat = self.pools[f"{kind}_heat"].held[rows].float() / 255
            size = self.pools[f"{kind}_size"].held[rows].float()
            quarter = int(torch.randint(4, (1,)))
            x, heat, size = (torch.rot90(v, quarter, (-2, -1)) for v in (x, heat, size))
            if torch.rand(1) < 0.5:
                x, heat, size = (v.flip(-1) for v in (x, heat, size))
            with torch.no_grad():
                x = tinted(spoilt(x)).contiguous(memory_format=torch.channels_last)
            return dice_net.finder_loss(self._ask(course.net, x), heat, size)
        crops, answers = self.pools[f"{kind}_{course.made_as.sort}"], self.pools[f"{kind}_answer"]
        rows = torch.randint(crops.filled, (self.reader_batch * 3,), device=self.device)
        one = answers.held[rows, 0] > 0
        # as many that show the solid as that do not
        rows = torch.cat([rows[one][: self.reader_batch // 2], rows[~one][: self.reader_batch // 2]])
        answer = answers.held[rows]
        with torch.no_grad():
            x = moved(crops.held[rows].permute(0, 3, 1, 2).float(), mirror=kind == "die")
            x = tinted(spoilt(x)).contiguous(memory_format=torch.channels_last)
        return dice_net.reader_loss(self._ask(course.net, x), answer[:, 0], answer[:, 1].long(), answer[:, 2])

    def _ask(self, net: Net, x: Tensor) -> Tensor:
        with torch.autocast(self.device, dtype=torch.bfloat16, enabled=self.device == "cuda" or AUTOCAST):
            return net(x).float()

    def step(self, rate: float) -> None:
        """One step of each network."""
        self.steps += 1
        for course in self.courses:
            for group in course.optimiser.param_groups:
                group["lr"] = rate
            loss = self.loss_of(course)
            step_down(course.net, course.optimiser, loss)
            if self.steps % KEEP_EVERY == 0:
                course.average.add(course.net)
            course.loss += 0.01 * (loss.detach() - course.loss)

    def averaged(self, course: SolidCourse) -> Net:
        """The network with the running mean of its weights, in float32 and ready to answer."""
        net = course.made_as.made()
        net.load_state_dict(course.average.state)
        return net.to(self.device).eval()

    def keep(self, folder: Path) -> None:
        """Writes the running means (NAME.pt), each whole at any moment."""
        for course in self.courses:
            state = {k: v.cpu() for k, v in course.average.state.items()}
            halved = {k: v.half() if v.is_floating_point() else v for k, v in state.items()}
            save_whole(halved, folder / f"{course.name}.pt")

    def judged(self, held: dict[str, Tensor]) -> dict[str, Any]:
        """What the running means say of samples kept apart."""
        judged: dict[str, Any] = {}
        with torch.no_grad():
            for course in self.courses:
                net = self.averaged(course)
                if course.part == "finder":
                    judged[course.name] = _found(net, held, course.kind)
                else:
                    judged[course.name] = _read(net, held, course.kind, course.made_as.sort)
        return judged


def _answers(net: Net, pictures: Tensor) -> Tensor:
    x = (pictures.permute(0, 3, 1, 2).float() - 127) / 64
    return torch.cat([net(part) for part in x.split(64)]).float()


def _found(net: Net, held: dict[str, Tensor], kind: str) -> dict[str, float]:
    """False places a scene at a given share of solids found."""
    heat = torch.sigmoid(_answers(net, held[f"{kind}_picture"])[:, :1])
    true = held[f"{kind}_heat"].float()[:, None] / 255
    peak = (heat >= functional.max_pool2d(heat, 3, 1, 1)) & (heat > 0.02)
    solid = (true >= functional.max_pool2d(true, 3, 1, 1)) & (true > 0.7)
    near = functional.max_pool2d(heat * peak, 3, 1, 1)[solid]
    wrong = heat[peak & (functional.max_pool2d(true, 3, 1, 1) < 0.25)]
    figures: dict[str, float] = {"solids": int(solid.sum())}
    for share in (0.8, 0.9, 0.95):
        least = near.sort(descending=True).values[int(len(near) * share) - 1]
        figures[f"false at {share}"] = round(float((wrong >= least).sum()) / len(heat), 3)
    return figures


def _read(net: Net, held: dict[str, Tensor], kind: str, sort: str) -> dict[str, float]:
    """Faces right, solids known at 1 in 100 false ones, and 32 and 64 taken for one another."""
    out, answer = _answers(net, held[f"{kind}_{sort}"]), held[f"{kind}_answer"]
    one, face = answer[:, 0] > 0, answer[:, 1].long()
    likeliest = out[:, 1:7].argmax(1)
    least = out[~one, 0].sort(descending=True).values[int((~one).sum()) // 100]
    figures: dict[str, float] = {
        "solids": int(one.sum()),
        "faces": round(float((likeliest == face)[one].float().mean()), 4),
        "known at 1 % false": round(float((out[one, 0] > least).float().mean()), 4),
    }
    if kind == "cube":
        figures["32 as 64"] = int(((face == 4) & (likeliest == 5) & one).sum())
        figures["64 as 32"] = int(((face == 5) & (likeliest == 4) & one).sum())
    return figures


def train(options: argparse.Namespace) -> None:
    """Draws and trains until the clock says so."""
    begun, end = time.time(), options.end - SPARE_S
    options.scratch.mkdir(parents=True, exist_ok=True)
    options.out.mkdir(parents=True, exist_ok=True)
    live = options.scratch / "live"
    live.mkdir(exist_ok=True)
    trainer = Trainer(options.start, options.device, options.small, options.kinds, options.split)
    trainer.keep(live)
    seeds = [options.seed + k for k in range(options.workers)]
    print("seeds of the workers", seeds, flush=True)
    context = multiprocessing.get_context("spawn")
    kinds = options.kinds
    arguments = [(options.scratch, s, options.lettering, options.grounds, live, end - 20, kinds) for s in seeds]
    workers = [context.Process(target=work, args=a, daemon=True) for a in arguments]
    for worker in workers:
        worker.start()
    rng = np.random.default_rng(options.seed + 1000)
    stock = open_stock(rng, options.lettering, options.grounds, 4)
    finders = {kind: LearningFinder(kind, live / f"{kind}_finder.pt") for kind in kinds}
    apart = samples(rng, draw(rng, stock, 400 // options.small, kinds), stock, dict(finders))
    held = {name: torch.from_numpy(rows).to(options.device) for name, rows in apart.items()}
    print("before", json.dumps(trainer.judged(held)), flush=True)
    chunks = 0
    while not trainer.ready() and time.time() < end:
        chunks += trainer.take(options.scratch)
        time.sleep(1)
    first, step, reported, kept = time.time(), 0, time.time(), time.time()
    while time.time() < end:
        done = (time.time() - first) / (end - first)
        trainer.step(options.rate * rate_share(done, step / 200 + 0.02))
        step += 1
        if step % 20 == 0:
            chunks += trainer.take(options.scratch)
        if time.time() - reported > options.tell:
            reported = time.time()
            losses = {c.name: round(float(c.loss), 3) for c in trainer.courses}
            print(f"{reported - begun:.0f} s  step {step}  chunks {chunks}  {losses}", flush=True)
            print(json.dumps(trainer.judged(held)), flush=True)
            trainer.keep(live)
        if time.time() - kept > 3 * options.tell:
            kept = time.time()
            trainer.keep(options.out)
    trainer.keep(options.out)
    print(f"end  step {step}  chunks {chunks}", json.dumps(trainer.judged(held)), flush=True)
    for worker in workers:
        worker.terminate()


def main() -> None:
    parser = argparse.ArgumentParser(description="Train the networks of dice and cube until the clock says END.")
    parser.add_argument("--end", type=float, required=True, help="epoch seconds at which all must be written")
    parser.add_argument(
        "--start",
        type=Path,
        required=True,
        help="folder with KIND_PART.pt to go on from; a network without one begins anew",
    )
    parser.add_argument("--out", type=Path, required=True, help="folder for the running means")
    parser.add_argument("--scratch", type=Path, required=True, help="folder for chunks")
    parser.add_argument("--lettering", type=Path, required=True, help="file of vision.training.dice_fonts")
    parser.add_argument("--grounds", type=Path, help="folder of packed grounds")
    parser.add_argument("--kinds", nargs="+", choices=list(CANVASES), default=list(CANVASES), help="what is trained")
    parser.add_argument("--workers", type=int, default=5)
    parser.add_argument("--seed", type=int, default=71001)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--tell", type=float, default=60.0, help="seconds between lines of progress")
    parser.add_argument("--rate", type=float, default=RATE, help="highest rate of learning")
    parser.add_argument("--split", type=int, default=1, help="divides the batches, for more steps on a CPU")
    parser.add_argument("--small", type=int, default=1, help="divides what is drawn ahead, for a trial")
    train(parser.parse_args())


if __name__ == "__main__":
    main()
