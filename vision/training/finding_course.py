"""Trains the networks that find the board for a given time, while other processes draw: on a graphics card if there is one.

    python -m vision.training.finding_course STARTS RESULTS --until EPOCH_SECONDS [--workers 7] [--seed 7100]
    python -m vision.training.finding_course STARTS RESULTS --until ... --net edges --net strips --own --lit FOLDER
        --workers 1 --threads 2 --batch 16 --fresh 2 --room 5000

STARTS holds finder.pt, edges.pt, strips.pt to go on from (`finding thaw` makes them of networks as they were trained); where
finder_lite.pt or edges_lite.pt is missing, it begins with what EfficientNet-Lite0 learnt from ImageNet. RESULTS gets the running
means of their weights under the same names, in half precision, and again every few minutes, beside what the same command goes on
from where it was stopped. Seeds: SEED + worker; those from SEED + 900 are drawn for the loss on scenes that nothing learns from.
The second command is one for two cores.
"""

from __future__ import annotations

import argparse
import multiprocessing
import queue
import time
import traceback
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import torch

from vision.training import finding_sampling as sampling
from vision.training.finding_data import FindingBatch
from vision.training.finding_losses import edge_loss, finder_loss
from vision.training.finding_makes import cut_into
from vision.training.finding_net import NETS, sort_of
from vision.training.finding_pictures import Pictures, labelled
from vision.training.finding_scene import FindingScene, SceneMaker
from vision.training.finding_strips import strip_loss
from vision.training.finding_views import Views, views_of
from vision.training.lite import groups_of
from vision.training.shared_course import Ring, keep_statistics, mix_in, rate_share, save_whole
from vision.training.spoil import DeviceRandom, shaded
from vision.training.texture import Rng

Tensor = Any
Slots = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Seen = sampling.EdgeViews | sampling.StripViews
LOSSES = {"finder": finder_loss, "edges": edge_loss, "strips": strip_loss}
USUAL = ("finder", "edges", "strips")
FINER = (1.1, 1.3, 1.5)
"""One for each drawing process: near boards of many px, and more boards of fewer."""
PEAK_RATE = {"finder": 1.5e-3, "edges": 1.2e-3, "strips": 1.2e-3}
PEAK_RATE_LITE = 1e-3
"""Of networks on a pretrained trunk, in small batches."""
FOLLOWED = {"edges": ("edges", "strips"), "strips": ("strips",)}
"""Which looks begin where each one came to."""
WARM_UP = 0.03
LEAST_ASTRAY, MOST_ASTRAY = 0.004, 0.06
"""Board plane: how often a scene is seen again grows from the first to the second with how far the network went astray."""
STEADY = 48
"""Pictures a step, below which the batch norms' statistics of a network that goes on stay as they were."""
DECAY = 0.9995
HELD_OUT = 900
LIT = 0.35
"""Share of lit boards among the scenes, where there are any."""
SHADED = 0.35
"""Share of scenes in sun and shade with edges."""
LIT_PX = 1280
"""They are not shrunk: views from above show 400 px of a board's width."""
MOST_FAILURES = 100
KEEP_EVERY = 150.0
"""Seconds."""


def drawer(seed: int, held_out: int, lit: Path | None, out: Any) -> None:
    """Draws until it is ended; first so many scenes that are kept from training, then lit boards of a folder among them."""
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    boards = labelled(sorted(lit.glob("truth*.jsonl")), longest=LIT_PX) if lit else None
    for number, first in ((HELD_OUT, held_out), (0, -1)):
        rng = np.random.default_rng([seed, number, 1])
        maker = SceneMaker(seed + number, FINER[seed % len(FINER)], strange=True)
        while first:
            try:
                scene = _next_scene(maker, None if number else boards, rng)
                views = views_of(_shaded(scene, rng) if rng.random() < SHADED else scene, rng)
            except Exception:
                traceback.print_exc()
                continue
            if views is not None:
                out.put((number > 0, views.whole, views.corners, views.above))
                first -= 1


def _next_scene(maker: SceneMaker, lit: Pictures | None, rng: Rng) -> FindingScene:
    if lit is not None and rng.random() < LIT:
        scene = lit.scene(int(rng.integers(len(lit))))
        return scene if scene.corners is None else FindingScene(*cut_into(scene.picture, scene.corners, rng))
    return maker.make()


def _shaded(scene: FindingScene, rng: Rng) -> FindingScene:
    """The scene in sun and shade, all of it, before views are taken of it."""
    picture = torch.from_numpy(scene.picture).permute(2, 0, 1)[None].float()
    seen = shaded(picture, DeviceRandom("cpu", int(rng.integers(1 << 62)))).clamp(0, 255).byte()
    return FindingScene(np.ascontiguousarray(seen[0].permute(1, 2, 0).numpy()), scene.corners)


class ScenePool:
    """The scenes at hand, where the networks learn: a ring, new ones taking the place of the oldest."""

    def __init__(self, room: int, device: str) -> None:
        self._whole, self._above, self._corners = Ring(room, device), Ring(room, device), Ring(room, "cpu")

    def __len__(self) -> int:
        return self._whole.filled

    def born(self, slots: Slots) -> Slots:
        """The running number of the scene in each slot."""
        total, room = self._whole.total, self._whole.room
        return np.asarray(total - 1 - (total - 1 - slots) % room)

    @property
    def seen(self) -> int:
        """Scenes taken in so far."""
        return self._whole.total

    def add(self, views: Views) -> None:
        """Takes one scene in."""
        self._whole.add(views.whole[None])
        self._above.add(views.above[None])
        self._corners.add(np.asarray(views.corners, np.float32)[None])

    def batch(self, sort: str, count: int, rng: Rng) -> FindingBatch:
        """A batch for a network of this sort: finder, edges, strips."""
        chosen = self.any(sort, count, rng)
        if sort == "finder":
            corners = self._corners.held.numpy()
            return sampling.finder_batch(self._some(self._whole, chosen), corners[chosen], rng)
        return self.views(sort, chosen, rng).batch

    def views(self, sort: str, chosen: Slots, rng: Rng, own: Floats | None = None) -> Seen:
        """For edges or strips, of the scenes in these slots; own: as `edge_batch` takes it."""
        above = self._some(self._above, chosen)
        if sort == "strips":
            return sampling.strip_batch(above, rng, own)
        return sampling.edge_batch(above, self._some(self._whole, chosen), self._boards(chosen), rng, own)

    def any(self, sort: str, count: int, rng: Rng) -> Slots:
        """So many slots of scenes that a network of this sort learns from."""
        if sort == "strips":
            return np.asarray(rng.choice(np.flatnonzero(self._boards(np.arange(len(self)))), count))
        return rng.integers(0, len(self), count)

    def _boards(self, chosen: Slots) -> npt.NDArray[np.bool_]:
        return np.asarray(np.isfinite(self._corners.held.numpy()[chosen]).all(axis=(1, 2)))

    def _some(self, views: Ring, chosen: Any) -> Tensor:
        return views.held[torch.from_numpy(chosen).to(views.device)].permute(0, 3, 1, 2).float()


class Strays:
    """Where a look came to when it last saw each scene of a pool, on the true plane: a network starts from there again.

    Corners that are off by chance hardly ever lie on a line that could be the board's edge. Those that a look came to do, and the
    network, never shown them, calls them right.
    """

    def __init__(self, sort: str, room: int) -> None:
        self._sort = sort
        self._corners, self._seen = np.full((room, 4, 2), np.nan), np.zeros(room, np.int64)

    def chosen(self, pool: ScenePool, count: int, rng: Rng) -> tuple[Slots, Floats]:
        """Slots, up to half of them of scenes in which it went astray, and those corners (count, 4, 2), NaN for the others."""
        self._corners[self._seen != pool.born(np.arange(len(self._seen)))] = np.nan
        error = np.nan_to_num(np.abs(self._corners - sampling.UNIT).max(axis=(1, 2)), nan=0.0)
        weight = np.where(error > 0, np.clip(error, LEAST_ASTRAY, MOST_ASTRAY), 0.0)
        again = min(count // 2, int((weight > 0).sum()))
        slots, own = pool.any(self._sort, count, rng), np.full((count, 4, 2), np.nan)
        if again:
            slots[:again] = rng.choice(len(weight), again, replace=False, p=weight / weight.sum())
            own[:again] = self._corners[slots[:again]]
        return slots, own

    def came_to(self, pool: ScenePool, slots: Slots, corners: Floats) -> None:
        """Keeps what a look came to (N, 4, 2)."""
        self._corners[slots], self._seen[slots] = corners, pool.born(slots)


class Learner:
    """One network with its optimiser and the running mean of its weights."""

    def __init__(self, name: str, starts: Path, results: Path, device: str, batch: int, rate: float = 1.0) -> None:
        self.name = name
        self.net = NETS[name]()
        self.sort = sort_of(name)
        lite = self.sort != name
        start = starts / f"{name}.pt"
        if start.exists() or not lite:
            self.net.load_state_dict(torch.load(start, map_location="cpu"))
        else:
            self.net.trunk.take_imagenet()
        self.net = self.net.to(device).to(memory_format=torch.channels_last)
        self.net.train()
        if lite:
            self.net.trunk.settle()
        if start.exists() and batch < STEADY:
            keep_statistics(self.net)
        groups = groups_of(self.net, rate * (PEAK_RATE_LITE if lite else PEAK_RATE[name]))
        self._optimiser = torch.optim.AdamW(groups, weight_decay=1e-3, fused=device == "cuda")
        self.average = {key: value.clone() for key, value in self.net.state_dict().items()}
        self.steps, self.spent = 0, 0.0
        self.shown = torch.zeros((), device=device)
        self._kept = results / f"{name}.course"
        if self._kept.exists():
            held = torch.load(self._kept, map_location=device)
            self.net.load_state_dict(held["net"])
            self._optimiser.load_state_dict(held["optimiser"])
            self.average, self.steps, self.spent = held["average"], held["steps"], held["spent"]

    def learn(self, batch: FindingBatch, progress: float) -> Tensor:
        """One step, and the maps it saw; progress: 0-1 of the whole course, by which the rate rises and falls."""
        for group in self._optimiser.param_groups:
            group["lr"] = group["highest"] * rate_share(progress, progress / WARM_UP + 0.01)
        outputs = self._seen(self.net, batch)
        loss = LOSSES[self.sort](outputs, batch)
        self._optimiser.zero_grad()
        loss.backward()
        if torch.isfinite(torch.nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)):
            self._optimiser.step()
            mix_in(self.average, self.net, min(DECAY, (self.steps + 1) / (self.steps + 10)))
            with torch.no_grad():
                self.shown = torch.lerp(self.shown, loss.detach(), 0.01 if self.steps else 1.0)
            self.steps += 1
        return outputs[0].detach()

    def _seen(self, net: Any, batch: FindingBatch) -> Any:
        with torch.autocast(batch.picture.device.type, dtype=torch.bfloat16):
            return net(batch.picture.contiguous(memory_format=torch.channels_last))

    def held_out_loss(self, pool: ScenePool, count: int) -> float:
        """Of the running mean, on a pool that nothing learns from; always the same batches."""
        net = NETS[self.name]().to(self.average["maps.bias"].device)
        net.load_state_dict(self.average)
        net.eval()
        rng = np.random.default_rng(5)
        with torch.no_grad():
            batches = (pool.batch(self.sort, count, rng) for _ in range(6))
            return float(np.mean([float(LOSSES[self.sort](self._seen(net, one), one)) for one in batches]))

    def keep(self, seconds: float) -> None:
        """Writes the running mean, and what the course goes on from; seconds: that it has learnt."""
        save_whole({key: _small(value) for key, value in self.average.items()}, self._kept.with_suffix(".pt"))
        states = {"net": self.net.state_dict(), "optimiser": self._optimiser.state_dict(), "average": self.average}
        save_whole({**states, "steps": self.steps, "spent": seconds}, self._kept)


def _small(value: Tensor) -> Tensor:
    """Convolutions in half precision; statistics of batch norms would not bear it."""
    value = value.detach().cpu().contiguous()
    return value.half() if value.is_floating_point() and value.dim() > 1 else value


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("starts", type=Path)
    parser.add_argument("results", type=Path)
    parser.add_argument("--until", type=float, required=True)
    parser.add_argument("--workers", type=int, default=7)
    parser.add_argument("--seed", type=int, default=7100)
    parser.add_argument("--room", type=int, default=11000)
    parser.add_argument("--batch", type=int, default=96)
    parser.add_argument("--held-out", type=int, default=40)
    parser.add_argument("--net", action="append", choices=list(NETS), help="only these")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--own", action="store_true", help="edges, strips: seen again from where a look went astray")
    parser.add_argument("--lit", type=Path, help="folder of vision.training.lit.finding, learnt from as well")
    parser.add_argument("--rate", type=float, default=1.0, help="times the usual one")
    parser.add_argument(
        "--fresh", type=int, default=10_000, help="new scenes that are taken in at most after each step"
    )
    given = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.backends.cudnn.benchmark = True
    # Coordinates go through matrix products: they need all their digits.
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    torch.set_num_threads(given.threads)
    began = time.time()
    views: Any = multiprocessing.get_context("spawn").Queue(64)
    workers = [
        multiprocessing.get_context("spawn").Process(
            target=drawer, args=(given.seed + number, given.held_out, given.lit, views), daemon=True
        )
        for number in range(given.workers)
    ]
    for worker in workers:
        worker.start()
    print(
        f"{device}, seeds {given.seed} to {given.seed + given.workers - 1}, until {given.until - began:.0f} s",
        flush=True,
    )
    given.results.mkdir(parents=True, exist_ok=True)
    learners = [
        Learner(name, given.starts, given.results, device, given.batch, given.rate) for name in given.net or USUAL
    ]
    pool, kept_back = ScenePool(given.room, device), ScenePool(given.held_out * given.workers, device)
    _teach(learners, pool, kept_back, views, began, given)
    for worker in workers:
        worker.kill()


def _teach(
    learners: list[Learner], pool: ScenePool, kept_back: ScenePool, views: Any, began: float, given: Any
) -> None:
    """Takes in what is drawn and learns from it until the time is up."""
    rng = np.random.default_rng([given.seed, learners[0].steps])
    kept, least, failures = time.time(), 4 * given.batch, 0
    spent = learners[0].spent
    strays = {sort: Strays(sort, given.room) for sort in FOLLOWED if given.own}
    while (now := time.time()) < given.until:
        _take(views, pool, kept_back, given.fresh, wait=len(pool) < least)
        if len(pool) < least:
            continue
        progress = (spent + now - began) / (spent + given.until - began)
        for learner in learners:
            count = given.batch * 3 // 4 if learner.sort == "strips" else given.batch
            try:
                if learner.sort in strays:
                    slots, own = strays[learner.sort].chosen(pool, count, rng)
                    seen = pool.views(learner.sort, slots, rng, own)
                    maps = learner.learn(seen.batch, progress).double().cpu().numpy()
                    corners = seen.on_plane(maps)
                    for sort in FOLLOWED[learner.sort]:
                        strays[sort].came_to(pool, slots, corners)
                else:
                    learner.learn(pool.batch(learner.sort, count, rng), progress)
            except (
                RuntimeError,
                np.linalg.LinAlgError,
            ):  # one course in half an hour: a batch may fail, the course not
                failures += 1
                if failures > MOST_FAILURES:
                    raise
                traceback.print_exc()
        if learners[0].steps % 100 == 0:
            losses = ", ".join(f"{learner.name} {float(learner.shown):.4f}" for learner in learners)
            print(f"{now - began:.0f} s, {learners[0].steps} steps, {pool.seen} scenes: {losses}", flush=True)
        if now - kept > KEEP_EVERY:
            _keep(learners, kept_back, given, spent + now - began)
            kept = time.time()
    _keep(learners, kept_back, given, spent + time.time() - began)


def _take(views: Any, pool: ScenePool, kept_back: ScenePool, most: int, *, wait: bool) -> None:
    """What has been drawn meanwhile."""
    for _ in range(most):
        try:
            held_out, whole, corners, above = views.get(timeout=1.0) if wait else views.get_nowait()
        except queue.Empty:
            return
        (kept_back if held_out else pool).add(Views(whole, corners, above))
        wait = False


def _keep(learners: list[Learner], kept_back: ScenePool, given: Any, seconds: float) -> None:
    for learner in learners:
        learner.keep(seconds)
    print(f"kept after {', '.join(str(learner.steps) for learner in learners)} steps", flush=True)
    if len(kept_back) > 8:
        losses = ", ".join(f"{one.name} {one.held_out_loss(kept_back, min(given.batch, 48)):.4f}" for one in learners)
        print(f"held out, {len(kept_back)} scenes: {losses}", flush=True)


if __name__ == "__main__":
    main()
