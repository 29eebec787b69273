"""Fits a finder and a reader for one kind of solid (die or cube) and writes their weights."""

from __future__ import annotations

import math
import time
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch

from vision.reading.detector import CROP_PX, Finder
from vision.training import dice_data, dice_net
from vision.training.dice_bank import SceneBank
from vision.training.dice_fonts import card_glyphs

FINDER_BATCH, READER_BATCH = 16, 32
POOL = 12000
"""Crops kept of each sort; each is seen a few times, tinted otherwise, before it leaves."""
RATE = 2e-3
NO_PHOTOGRAPHS = ("phone", "stream-a", "webcam", "thumbnail")
"""The groups of board photographs: none of them is ever trained on."""


@dataclass(frozen=True)
class Task:
    """What is trained, and how long.

    kind: die or cube. board_px, margin: the finder's canvas. boards: reference pictures or None. held_out: groups of
    boards that are never trained on. finder_steps, reader_steps: batches. seed: of everything random. start: folder with
    the reader's state of an earlier run to go on from, or None. keep: folder to leave the state in, or None.
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


def rate(step: int, done: float) -> float:
    """Learning rate: warm-up over 100 steps, then half a cosine."""
    return RATE * min(1.0, step / 100 + 0.02) * (0.49 * (1 + math.cos(math.pi * done)) + 0.02)


class _Progress:
    """A line of progress every half minute."""

    def __init__(self, steps: int) -> None:
        self.steps, self.start, self.told, self.loss = steps, time.monotonic(), 0.0, 0.0

    def tell(self, step: int, loss: float) -> None:
        """Notes a step's loss; prints a running mean now and then."""
        self.loss = loss if step == 0 else 0.98 * self.loss + 0.02 * loss
        now = time.monotonic() - self.start
        if now - self.told > 30:
            self.told = now
            print(f"{now / 60:5.1f} min  step {step} of {self.steps}  loss {self.loss:.3f}", flush=True)


def _step(net: Any, optimiser: Any, loss: torch.Tensor) -> float:
    optimiser.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
    optimiser.step()
    return float(loss.item())


def fit_finder(task: Task, bank: SceneBank, rng: np.random.Generator, net: dice_net.FinderNet) -> int:
    """Trains the finder on drawn scenes, each turned anew; returns the number of samples seen."""
    optimiser = torch.optim.AdamW(net.parameters(), RATE, weight_decay=1e-3)
    progress = _Progress(task.finder_steps)
    net.train()
    for step in range(task.finder_steps):
        for group in optimiser.param_groups:
            group["lr"] = rate(step, step / task.finder_steps)
        turned = []
        for k in rng.integers(0, len(bank), FINDER_BATCH):
            quarter = int(rng.integers(4))
            sample = dice_data.finder_sample(bank[int(k)], task.kind, task.board_px)
            turned.append([np.rot90(a, quarter) for a in sample])
        pictures, heat, size = (np.stack([t[i] for t in turned]) for i in range(3))
        x = dice_net.photometric(dice_net.to_tensor(pictures)).contiguous(memory_format=torch.channels_last)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            out = net(x)
        loss = dice_net.finder_loss(out.float(), torch.from_numpy(heat), torch.from_numpy(size))
        progress.tell(step, _step(net, optimiser, loss))
    return task.finder_steps * FINDER_BATCH


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
        loose = task.kind == "die" and task.boards is not None
        self.loose = dice_data.LooseDice(task.boards / "dice") if loose and task.boards else None
        self.solids: deque[dice_data.Crop] = deque(maxlen=POOL)
        self.others: deque[dice_data.Crop] = deque(maxlen=POOL)
        self.cards = card_glyphs(rng, 150)
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
    optimiser = torch.optim.AdamW(net.parameters(), RATE, weight_decay=2e-3)
    progress, rng = _Progress(task.reader_steps), source.rng
    for _ in range(60):
        source.more()
    net.train()
    for step in range(task.reader_steps):
        source.more()
        for group in optimiser.param_groups:
            group["lr"] = rate(step, step / task.reader_steps) * (0.6 if task.start else 1.0)
        batch = source.batch()
        mirror = task.kind == "die"
        pictures = np.stack([c.image[:, ::-1] if mirror and rng.random() < 0.5 else c.image for c in batch])
        x = dice_net.photometric(dice_net.to_tensor(pictures)).contiguous(memory_format=torch.channels_last)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            out = net(x)
        loss = dice_net.reader_loss(
            out.float(),
            torch.tensor([c.one for c in batch]),
            torch.tensor([c.face for c in batch]),
            torch.tensor([c.flat for c in batch]),
        )
        progress.tell(step, _step(net, optimiser, loss))


def provenance(task: Task, what: str, samples: int) -> dict[str, Any]:
    """Where a weights file comes from."""
    return {
        "made_by": f"python -m vision.training.{'dice' if task.kind == 'die' else 'cube'}",
        "network": what,
        "seed": task.seed,
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "steps": task.finder_steps if what == "finder" else task.reader_steps,
        "samples": samples,
        "continued_an_earlier_run": what == "reader" and task.start is not None,
        "drawn": "scenes of vision.training.dice_bank",
        "board_pictures": "renders, as ground and as samples" if task.boards else "none",
        "never_trained_on": [*task.held_out, "every photograph of a board (phone, stream-a, webcam, thumbnail)"]
        if task.boards
        else [],
        "loose_dice_photographs": bool(task.boards) and task.kind == "die" and what == "reader",
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
        finder = dice_net.FinderNet().to(memory_format=torch.channels_last)
        samples = fit_finder(task, bank, rng, finder)
        dice_net.export(finder, (192, 192), finder_path, provenance(task, "finder", samples))
    if "reader" in parts:
        source = CropSource(task, bank, crowd, rng, Finder(finder_path, task.board_px, task.margin))
        reader = dice_net.ReaderNet().to(memory_format=torch.channels_last)
        if task.start:
            reader.load_state_dict(torch.load(task.start / f"{name}_reader.pt"))
        fit_reader(task, source, reader)
        if task.keep:
            torch.save(reader.state_dict(), task.keep / f"{name}_reader.pt")
        dice_net.export(
            reader, (CROP_PX, CROP_PX), out / f"{name}_reader.onnx", provenance(task, "reader", source.made)
        )
