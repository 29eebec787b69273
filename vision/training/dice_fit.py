"""Fits a finder and a reader for one kind of solid (die or cube) and writes their weights."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch

from vision.reading.detector import CROP_PX, Finder
from vision.training import dice_data, dice_net
from vision.training.dice_bank import SceneBank
from vision.training.dice_fonts import font_files, set_lettering
from vision.training.shared_course import step_down
from vision.training.thaw import thawed

FINDER_BATCH, READER_BATCH = 16, 32
POOL = 12000
"""Crops kept of each sort; each is seen a few times, tinted otherwise, before it leaves."""
RATE, RATE_ON = 2e-3, 8e-4
"""Highest learning rate from scratch, and of a network that learnt before."""
AUTOCAST = hasattr(torch.cpu, "_is_avx512_bf16_supported") and torch.cpu._is_avx512_bf16_supported()
"""Half precision only where the processor computes with it: elsewhere it is slower."""
CHECKPOINT = 200
"""Steps between checkpoints."""
Loss = Callable[[torch.Tensor], torch.Tensor]
MakeBatch = Callable[[], tuple[torch.Tensor, Loss]]


@dataclass(frozen=True)
class Task:
    """What is trained, and how long.

    kind: die or cube. board_px, margin: the finder's canvas. boards: reference pictures or None. held_out: groups of
    boards that are never trained on. finder_steps, reader_steps: batches. seed: of everything random. start: folder with
    exported networks to go on from, or None. keep: folder for checkpoints, from which a broken-off run goes on, or None.
    """

    kind: str
    board_px: int
    margin: tuple[float, float]
    boards: Path | None
    held_out: tuple[str, ...]
    finder_steps: int
    reader_steps: int
    seed: int
    start: Path | None
    keep: Path | None


def rate(task: Task, step: int, done: float) -> float:
    """Learning rate: warm-up over 100 steps, then half a cosine."""
    return (
        (RATE_ON if task.start else RATE) * min(1.0, step / 100 + 0.02) * (0.49 * (1 + math.cos(math.pi * done)) + 0.02)
    )


class _ProgressLine:
    """A line of progress every half minute."""

    def __init__(self, steps: int) -> None:
        self.steps, self.start, self.reported, self.loss = steps, time.monotonic(), 0.0, 0.0

    def tell(self, step: int, loss: float) -> None:
        """Notes a step's loss; prints a running mean now and then."""
        self.loss = loss if step == 0 else 0.98 * self.loss + 0.02 * loss
        now = time.monotonic() - self.start
        if now - self.reported > 30:
            self.reported = now
            print(f"{now / 60:5.1f} min  step {step} of {self.steps}  loss {self.loss:.3f}", flush=True)


def _step(net: Any, optimiser: Any, loss: torch.Tensor) -> float:
    step_down(net, optimiser, loss)
    return float(loss.item())


def run(task: Task, net: Any, name: str, steps: int, decay: float, batch: MakeBatch) -> None:
    """Takes `steps` steps on what `batch()` gives, and leaves the running mean of the weights in `net`.

    batch: answers (N, 3, h, w) float32 pictures and the loss of the network's answer to them.
    """
    optimiser = torch.optim.AdamW(net.parameters(), RATE, weight_decay=decay)
    progress, average, begun = _ProgressLine(steps), dice_net.Average(net), 0
    checkpoint = task.keep / f"{name}.checkpoint.pt" if task.keep else None
    if checkpoint and checkpoint.exists():
        kept = torch.load(checkpoint)
        net.load_state_dict(kept["net"])
        optimiser.load_state_dict(kept["optimiser"])
        average.state, average.steps, begun = kept["average"], kept["step"], kept["step"]
    net.train()
    for step in range(begun, steps):
        for group in optimiser.param_groups:
            group["lr"] = rate(task, step, step / steps)
        pictures, loss = batch()
        x = pictures.contiguous(memory_format=torch.channels_last)
        if AUTOCAST:
            with torch.autocast("cpu", dtype=torch.bfloat16):
                out = net(x)
        else:
            out = net(x)
        progress.tell(step, _step(net, optimiser, loss(out.float())))
        average.add(net)
        if checkpoint and (step + 1) % CHECKPOINT == 0:
            kept = {"net": net.state_dict(), "optimiser": optimiser.state_dict(), "average": average.state}
            torch.save(kept | {"step": step + 1}, checkpoint)
    net.load_state_dict(average.state)


def fit_finder(task: Task, bank: SceneBank, rng: np.random.Generator, net: dice_net.SolidFinderNet) -> int:
    """Trains the finder on drawn scenes, each turned anew; returns the number of samples seen."""

    def batch() -> tuple[torch.Tensor, Loss]:
        turned = []
        for k in rng.integers(0, len(bank), FINDER_BATCH):
            quarter = int(rng.integers(4))
            picture, heat, size = dice_data.finder_sample(bank[int(k)], task.kind, task.board_px)
            sample = dice_data.worn(rng, picture), heat, size
            turned.append([np.rot90(a, quarter) for a in sample])
        pictures, heats, sizes = (np.stack([t[i] for t in turned]) for i in range(3))
        x = dice_net.photometric(dice_net.to_tensor(pictures))
        return x, lambda out: dice_net.finder_loss(out, torch.from_numpy(heats), torch.from_numpy(sizes))

    _begin(task, net, "finder", batch)
    run(task, net, f"{task.kind}_finder", task.finder_steps, 1e-3, batch)
    return task.finder_steps * FINDER_BATCH


def _begin(task: Task, net: Any, part: str, batch: MakeBatch) -> None:
    """Weights of an earlier run, where there is one to go on from."""
    if task.start:
        name = "dice" if task.kind == "die" else "cube"
        thawed(net, task.start / f"{name}_{part}.onnx", torch.cat([batch()[0] for _ in range(8)]))


class CropSource:
    """Crops for the reader: crowded scenes, the finder's errors, candidates in board pictures, loose dice."""

    def __init__(self, task: Task, bank: SceneBank, crowd: SceneBank, rng: np.random.Generator, finder: Finder) -> None:
        self.task, self.bank, self.crowd, self.rng, self.finder = task, bank, crowd, rng, finder
        found = [
            f
            for t in dice_data.training_truths(task.boards, task.held_out)
            for f in dice_data.found_in(t, task.kind, finder)
        ]
        self.hits = [f for f in found if f.answer[0] > 0]
        self.misses = [f for f in found if f.answer[0] == 0]
        loose = task.boards / "dice" if task.boards and task.kind == "die" else None
        self.loose = dice_data.LooseDice(loose) if loose and loose.exists() else None
        self.solids: deque[dice_data.Crop] = deque(maxlen=POOL)
        self.others: deque[dice_data.Crop] = deque(maxlen=POOL)
        self.cards = set_lettering(rng, font_files(), 150).cards
        self.made = 0
        print(f"candidates in board pictures: {len(self.hits)} right, {len(self.misses)} wrong", flush=True)

    def more(self) -> None:
        """Adds the crops of one crowded scene, now and then of a plain one, and a few from pictures not drawn here."""
        rng, kind = self.rng, self.task.kind
        crops = list(dice_data.scene_crops(rng, self.crowd[int(rng.integers(len(self.crowd)))], kind, None))
        if rng.random() < 0.6 or len(self.others) < READER_BATCH:
            crops += dice_data.scene_crops(rng, self.bank[int(rng.integers(len(self.bank)))], kind, self.finder)
        # as many right as wrong ones, lest "not drawn here" itself should come to mean "no die"
        for source in (self.hits, self.misses):
            if source and rng.random() < 0.35:
                crops.append(dice_data.found_crop(rng, source[rng.integers(len(source))]))
        if self.loose and rng.random() < 0.6:
            crops.append(self.loose.crop(rng))
        if kind == "cube" and rng.random() < 0.6:
            crops.append(dice_data.card_crop(rng, self.bank[int(rng.integers(len(self.bank)))], self.cards))
        self.solids.extend(c for c in crops if c.one)
        self.others.extend(c for c in crops if not c.one)
        self.made += len(crops)

    def batch(self) -> list[dice_data.Crop]:
        """Two thirds show the solid: its face is harder to learn than its presence."""
        part = READER_BATCH * 2 // 3
        yes = self.rng.integers(0, len(self.solids), part)
        no = self.rng.integers(0, len(self.others), READER_BATCH - part)
        return [self.solids[k] for k in yes] + [self.others[k] for k in no]


def fit_reader(task: Task, source: CropSource, net: dice_net.ReaderNet) -> None:
    """Trains the reader on what the source gives."""
    rng = source.rng
    for _ in range(60):
        source.more()

    def batch() -> tuple[torch.Tensor, Loss]:
        source.more()
        crops = source.batch()
        mirror = task.kind == "die"
        pictures = np.stack(
            [dice_data.worn(rng, c.image)[:, :: -1 if mirror and rng.random() < 0.5 else 1] for c in crops]
        )
        one = torch.tensor([c.one for c in crops])
        face, flat = torch.tensor([c.face for c in crops]), torch.tensor([c.flat for c in crops])
        x = dice_net.photometric(dice_net.to_tensor(pictures))
        return x, lambda out: dice_net.reader_loss(out, one, face, flat)

    _begin(task, net, "reader", batch)
    run(task, net, f"{task.kind}_reader", task.reader_steps, 2e-3, batch)


def provenance(task: Task, what: str, samples: int) -> dict[str, Any]:
    """Where a weights file comes from."""
    return {
        "made_by": f"python -m vision.training.{'dice' if task.kind == 'die' else 'cube'}",
        "network": what,
        "seed": task.seed,
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "steps": task.finder_steps if what == "finder" else task.reader_steps,
        "samples": samples,
        "continued_an_earlier_run": task.start is not None,
        "drawn": "scenes of vision.training.dice_bank",
        "board_pictures": "renders, as ground and as samples" if task.boards else "none",
        "never_trained_on": [*task.held_out, "every photograph of a board (phone, stream-a, webcam, thumbnail)"]
        if task.boards
        else [],
        "loose_dice_photographs": what == "reader"
        and task.kind == "die"
        and task.boards is not None
        and (task.boards / "dice").exists(),
    }


def fit(task: Task, bank: SceneBank, crowd: SceneBank, out: Path, parts: tuple[str, ...]) -> None:
    """Trains the named parts ("finder", "reader") and writes dice_finder.onnx and so on into `out`."""
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(task.seed)
    rng = np.random.default_rng(task.seed)
    name = "dice" if task.kind == "die" else "cube"
    finder_path = out / f"{name}_finder.onnx"
    if "finder" in parts:
        finder = dice_net.SolidFinderNet().to(memory_format=torch.channels_last)
        samples = fit_finder(task, bank, rng, finder)
        dice_net.export(finder, (192, 192), finder_path, provenance(task, "finder", samples))
    if "reader" in parts:
        source = CropSource(task, bank, crowd, rng, Finder(finder_path, task.board_px, task.margin))
        reader = dice_net.ReaderNet().to(memory_format=torch.channels_last)
        fit_reader(task, source, reader)
        dice_net.export(
            reader, (CROP_PX, CROP_PX), out / f"{name}_reader.onnx", provenance(task, "reader", source.made)
        )
