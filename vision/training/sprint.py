"""Trains the checkers' and the bar's networks by the clock, on a machine with an accelerator: boards are drawn beside.

`python -m vision.training.sprint --help`. Workers draw boards of seeds that count up, ordinary and strange ones, painted or lit by
rays, into a pool on the device; both networks learn from it, or with --lite the one on a pretrained trunk alone. The rate falls to
nothing at the end, and the running means of the weights are written now and then. What was drawn and learnt is in the log, which
is all that tells one run from another: the clock decides.
"""

from __future__ import annotations

import multiprocessing
import queue
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np
import torch

from vision.reading.bar import CELLS, edges
from vision.training.bar import loss_of as bar_loss
from vision.training.bar_net import BarNet
from vision.training.columns import export, loss_of
from vision.training.columns_clock import STATISTICS, begun
from vision.training.columns_data import Samples, drawn_sample
from vision.training.columns_net import COUNTS, LiteColumnsNet
from vision.training.lite import groups_of
from vision.training.pool import Pool, bar_batch, columns_batch, normalised, plain_batch
from vision.training.shared_course import mix_in, rate_share, save_whole, step_down
from vision.training.spoil import DeviceRandom
from vision.training.thaw import gone_on

Net = Any
Tensor = Any
CHUNK = 16
"""Boards that a worker hands over at once."""
SEEDS_A_WORKER = 100_000
STRANGE_SHARE = 0.6
JUDGED_KINDS = {
    "judged ordinary": (False, False, False),
    "judged strange": (True, False, False),
    "judged traced": (True, True, False),
    "judged beyond": (True, False, True),
}
"""Name of the pool and how its boards are drawn: strange, lit by rays, and beyond what is usually made."""
JUDGED_SEED = 1_980_000
"""Boards from here on judge and teach nothing."""
BOARD_BYTES = 620_000
MOST_OF_DEVICE = 0.3
"""Share of the device's memory that the pool may take."""
WARM_UP = 0.06
DECAY = 0.9995
BAR_EVERY = 4
"""The bar's network learns in one step of so many, from twice as many boards."""
BEFORE_END = 60.0
"""Seconds before the end at which the last step is taken."""


def _chunk(seeds: list[tuple[int, bool, bool, bool]]) -> Samples | None:
    """The samples of these boards (seed, strange, traced, beyond); a board that can't be drawn is left out."""
    rows = []
    for seed, strange, traced, beyond in seeds:
        try:
            rows.append(drawn_sample(seed, strange=strange, traced=traced, beyond=beyond))
        except Exception as error:  # one board of a hundred thousand must not end a run
            print(f"seed {seed} can't be drawn: {error!r}", flush=True)
    return Samples(**{f.name: np.stack([row[f.name] for row in rows]) for f in fields(Samples)}) if rows else None


def _work(worker: int, workers: int, seed: int, judged: int, traced: float, beyond: float, out: Any) -> None:
    """Draws its share of the boards that judge, then others without end; traced, beyond: share of those lit by rays, and of those
    that are beyond what is usually made."""
    cv2.setNumThreads(1)
    for name, kind in JUDGED_KINDS.items():
        wanted = (traced > 0 or not kind[1]) and (beyond > 0 or not kind[2])
        for first in range(worker * CHUNK, judged if wanted else 0, workers * CHUNK):
            boards = [(JUDGED_SEED + i, *kind) for i in range(first, min(first + CHUNK, judged))]
            out.put((name, _chunk(boards)))
    rng, first = np.random.default_rng([seed, worker]), seed + worker * SEEDS_A_WORKER

    def one(share: float) -> bool:
        return bool(rng.random() < share)

    while True:
        boards = [(first + i, one(STRANGE_SHARE), one(traced), one(beyond)) for i in range(CHUNK)]
        out.put(("learnt", _chunk(boards)))
        first += CHUNK


class Runner:
    """One network on its course: optimiser, running mean of the weights, the rate by the clock."""

    def __init__(self, net: Net, device: Any, rate: float) -> None:
        self.net = net.to(device).to(memory_format=torch.channels_last).train()
        if isinstance(net, LiteColumnsNet):
            net.trunk.settle()
        self.steps, self.shown = 0, 0.0
        self.optimiser = torch.optim.AdamW(groups_of(self.net, rate), weight_decay=1e-3)
        self.mean = {name: value.detach().clone() for name, value in self.net.state_dict().items()}

    def step(self, loss: Tensor, done: float) -> None:
        """One step down. done: share of the time that is over."""
        factor = rate_share(done, done / WARM_UP + 0.02)
        for group in self.optimiser.param_groups:
            group["lr"] = group["highest"] * max(factor, 1e-4)
        step_down(self.net, self.optimiser, loss)
        self.steps += 1
        mix_in(self.mean, self.net, min(DECAY, (self.steps + 1) / (self.steps + 10)))

    def saved(self, path: Path) -> None:
        """Writes the running mean and, beside it, the last weights at half precision."""
        for state, name in ((self.mean, path), (self.net.state_dict(), path.with_name(f"{path.stem}-last.pt"))):
            half = name != path
            values = {k: v.cpu().half() if half and v.is_floating_point() else v.cpu() for k, v in state.items()}
            save_whole(values, name)


def judged(net: Net, pool: Pool, softened: float) -> str:
    """How many columns, sides and bars it reads right by its own heads, and how far what is hidden stands out."""
    right = cells = sides = occupied = bars = bar_cells = full = empty = whole = 0
    hidden_seen, plain_seen = [], []
    for index in torch.arange(len(pool), device=pool.device).split(64):
        pictures, counts, hidden = plain_batch(pool.chosen(index), softened)
        turned = pictures.flip(2, 3)
        with torch.autocast(pool.device.type, dtype=torch.bfloat16):
            _, points, bar = net(pictures.contiguous(memory_format=torch.channels_last))
            _, again, bar_again = net(turned.contiguous(memory_format=torch.channels_last))
        points, bar = (points.float() + again.float().flip(2)) / 2, (bar.float() + bar_again.float()) / 2
        got, want, seen = points[:, :COUNTS].argmax(1), counts[:, :24].sum(2), ~hidden[:, :24]
        right += int(((got == want) & seen).sum())
        cells += int(seen.sum())
        full += int(((got > 0) & (want == 0) & seen).sum())
        empty += int(((want == 0) & seen).sum())
        light = counts[:, :24, 0] > 0
        called = points[:, COUNTS] > 0
        on = seen & (want > 0)
        one, other = ((called == light) & on).sum(1), ((called != light) & on).sum(1)
        sides += int(torch.maximum(one, other).sum())
        occupied += int(on.sum())
        at_bar = torch.stack([bar[:, :COUNTS].argmax(1), bar[:, COUNTS : 2 * COUNTS].argmax(1)], 1)
        at_bar_right = (at_bar == counts[:, 24]).all(1) | (at_bar.flip(1) == counts[:, 24]).all(1)
        bars += int((at_bar_right & ~hidden[:, 24]).sum())
        bar_cells += int((~hidden[:, 24]).sum())
        whole += int((((got == want) | ~seen).all(1) & (at_bar_right | hidden[:, 24])).sum())
        sight = torch.sigmoid(torch.cat([points[:, COUNTS + 1], bar[:, -1:]], 1))
        hidden_seen.append(sight[hidden])
        plain_seen.append(sight[~hidden])
    unseen, plain = ((100 * (torch.cat(part) < 0.5).float().mean()).item() for part in (hidden_seen, plain_seen))
    return (
        f"counts {100 * right / max(cells, 1):.2f} % (empty called full {100 * full / max(empty, 1):.2f} %)"
        f" sides {100 * sides / max(occupied, 1):.2f} % bars {100 * bars / max(bar_cells, 1):.2f} %"
        f" whole {100 * whole / max(len(pool), 1):.1f} %"
        f" hidden below 0.5 {unseen:.0f} %, others {plain:.2f} %"
    )


def bar_judged(net: Net, pool: Pool) -> str:
    """Mean error of the bar's worse edge, share of the width."""
    errors = []
    for index in torch.arange(len(pool), device=pool.device).split(128):
        held = pool.chosen(index)
        pictures = held["rectified"].permute(0, 3, 1, 2).float()
        profiles = net(normalised(pictures)).float().cpu().numpy().reshape(-1, 2, CELLS)
        errors.append(np.abs(edges(profiles) - held["bar"].cpu().numpy()).max(1))
    worst = np.concatenate(errors)
    return f"bar's worse edge off by {worst.mean():.4f}, over 0.02 in {100 * (worst > 0.02).mean():.1f} %"


def _mean_net(runner: Runner) -> Net:
    fresh = type(runner.net)()
    fresh.load_state_dict(runner.mean)
    return fresh.to(next(iter(runner.mean.values())).device).eval()


@dataclass(frozen=True)
class Sprint:
    """How long it lasts, what it begins with and what it may take, as the command's options say it."""

    until: float
    start: Path | None
    start_bar: Path | None
    workers: int
    traced: float
    beyond: float
    seed: int
    rate: float
    lite: bool
    start_lite: Path | None
    batch: int
    room: int
    judge: int
    least: int
    write_every: float


class _Hands:
    """Processes that draw boards, and the pools into which they are taken."""

    def __init__(self, plan: Sprint, pools: Mapping[str, Pool]) -> None:
        """Sets them to work."""
        context = multiprocessing.get_context("spawn")
        self._pools, self._drawn = pools, context.Queue(maxsize=8 * plan.workers)
        self._processes = [
            context.Process(
                target=_work,
                args=(index, plan.workers, plan.seed, plan.judge, plan.traced, plan.beyond, self._drawn),
                daemon=True,
            )
            for index in range(plan.workers)
        ]
        for process in self._processes:
            process.start()

    def take_in(self, patience: float = 0.0) -> None:
        """All that is drawn, or, with patience, s, one chunk that is waited for."""
        while True:
            try:
                name, samples = self._drawn.get(timeout=patience) if patience else self._drawn.get_nowait()
            except queue.Empty:
                return
            if samples is not None:
                self._pools[name].add(samples)
            if patience:
                return

    def end(self) -> None:
        """They draw no more."""
        for process in self._processes:
            process.terminate()


@click.command(help=__doc__)
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--until", type=float, required=True, help="Seconds since 1970 at which everything must be written.")
@click.option("--start", type=click.Path(path_type=Path, exists=True), help="A columns .pt or .onnx to go on from.")
@click.option("--start-bar", type=click.Path(path_type=Path, exists=True), help="A bar .pt or .onnx to go on from.")
@click.option("--workers", default=5, show_default=True)
@click.option("--traced", default=0.5, show_default=True, help="Share of boards whose checkers are lit by rays.")
@click.option("--beyond", default=0.0, show_default=True, help="Share of boards beyond what is usually made.")
@click.option("--seed", default=1_000_000, show_default=True, help="Of the first board; each worker has 100,000.")
@click.option("--rate", default=1.5e-3, show_default=True)
@click.option("--lite", is_flag=True, help="The columns' network on a pretrained trunk, and no bar's.")
@click.option(
    "--start-lite",
    type=click.Path(path_type=Path, exists=True),
    help="A .pt or .onnx of that network, which then learns beside the usual one from the same boards.",
)
@click.option("--batch", default=64, show_default=True)
@click.option("--room", default=36_000, show_default=True, help="Boards in the pool at most.")
@click.option("--judge", default=400, show_default=True, help="Boards of each kind that judge and teach nothing.")
@click.option("--least", default=1200, show_default=True, help="Boards to draw before the first step.")
@click.option("--write-every", default=170.0, show_default=True, help="Seconds.")
def main(out: Path, **options: Any) -> None:
    """OUT: the folder that gets columns.pt, columns.onnx and bar.pt; beside.pt and beside.onnx with --start-lite."""
    plan = Sprint(**options)
    room, batch = plan.room, plan.batch
    out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(plan.seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    if device.type == "cuda":
        torch.backends.cudnn.benchmark = False
        torch.backends.cuda.matmul.allow_tf32 = True
        torch.backends.cudnn.allow_tf32 = True
        _, whole = torch.cuda.mem_get_info()
        room = min(room, int(whole * MOST_OF_DEVICE / BOARD_BYTES))
    pools = {
        "learnt": Pool(room, device),
        **{name: Pool(plan.judge, device) for name in JUDGED_KINDS},
    }
    hands = _Hands(plan, pools)
    print(
        f"seeds from {plan.seed}, {plan.workers} workers of {SEEDS_A_WORKER}; pool of {room}; on {device}",
        flush=True,
    )
    began = time.time()
    while len(pools["learnt"]) < plan.least and time.time() < plan.until - BEFORE_END:
        hands.take_in(1.0)
    runner = Runner(begun(plan.start, pools["learnt"], lite=plan.lite), device, plan.rate)
    bar_runner = beside = None
    if plan.start_lite is not None:
        beside = Runner(begun(plan.start_lite, pools["learnt"], lite=True), device, plan.rate)
    if not plan.lite:
        bar_runner = Runner(gone_on(BarNet(), plan.start_bar, lambda: _rectified(pools["learnt"])), device, plan.rate)
    dice, last = DeviceRandom(device, plan.seed), plan.until - BEFORE_END
    first_step = written = time.time()
    print(f"first step after {first_step - began:.0f} s", flush=True)
    columns = {"columns": runner} | ({"beside": beside} if beside is not None else {})
    _report(columns, bar_runner, pools)
    while time.time() < last:
        done = (time.time() - first_step) / (last - first_step)
        if runner.steps % 10 == 0:
            hands.take_in()
        try:
            loss = _stepped(list(columns.values()), bar_runner, pools["learnt"], dice, batch, done)
        except torch.OutOfMemoryError:  # others work on this device, too
            torch.cuda.empty_cache()
            batch = max(batch // 2, 8)
            print(f"step {runner.steps}: out of memory, {batch} boards a step from now on", flush=True)
            continue
        if runner.steps % 100 == 0:
            now = float(loss.detach())
            runner.shown = now if not runner.shown else 0.8 * runner.shown + 0.2 * now
            print(
                f"step {runner.steps}  loss {runner.shown:.4f}  boards {pools['learnt'].total}  {time.time() - began:.0f} s",
                flush=True,
            )
        if time.time() - written > plan.write_every and time.time() < last - 30:
            _written(columns, bar_runner, out)
            _report(columns, bar_runner, pools)
            written = time.time()
    _written(columns, bar_runner, out)
    _report(columns, bar_runner, pools)
    hands.end()
    print(f"{runner.steps} steps of {batch}, {pools['learnt'].total} boards, {time.time() - began:.0f} s", flush=True)


def _rectified(pool: Pool) -> Tensor:
    """Pictures as the bar's network sees them, for its statistics."""
    some = pool.chosen(torch.arange(min(STATISTICS, len(pool))))
    return normalised(some["rectified"].permute(0, 3, 1, 2).float()).cpu()


def _stepped(
    runners: Sequence[Runner], bar_runner: Runner | None, pool: Pool, dice: DeviceRandom, batch: int, done: float
) -> Tensor:
    """One step of the columns' networks on the same boards, now and then one of the bar's; the first one's loss."""
    device = pool.device.type
    learnt = columns_batch(pool.chosen(dice.below(len(pool), batch)), dice)
    losses = []
    for runner in runners:
        with torch.autocast(device, dtype=torch.bfloat16):
            outputs = runner.net(learnt.picture.contiguous(memory_format=torch.channels_last))
        losses.append(loss_of(outputs, learnt))
        runner.step(losses[-1], done)
    if bar_runner is not None and runners[0].steps % BAR_EVERY == 0:
        pictures, edges = bar_batch(pool.chosen(dice.below(len(pool), 2 * batch)), dice)
        with torch.autocast(device, dtype=torch.bfloat16):
            profiles = bar_runner.net(pictures.contiguous(memory_format=torch.channels_last))
        bar_runner.step(bar_loss(profiles, edges), done)
    return losses[0]


def _written(columns: Mapping[str, Runner], bar_runner: Runner | None, out: Path) -> None:
    if bar_runner is not None:
        bar_runner.saved(out / "bar.pt")
    for name, runner in columns.items():
        runner.saved(out / f"{name}.pt")
        try:
            new = out / f"{name}.onnx.new"
            export(_mean_net(runner).cpu(), new)
            new.replace(out / f"{name}.onnx")
        except Exception as error:  # the weights are written; they can be exported anywhere
            print(f"not exported here: {error!r}", flush=True)


def _report(columns: Mapping[str, Runner], bar_runner: Runner | None, pools: dict[str, Pool]) -> None:
    with torch.no_grad():
        _judge(columns, bar_runner, pools)


def _judge(columns: Mapping[str, Runner], bar_runner: Runner | None, pools: dict[str, Pool]) -> None:
    bar = None if bar_runner is None else _mean_net(bar_runner)
    for title, runner in columns.items():
        net = _mean_net(runner)
        for name in JUDGED_KINDS:
            for softened in (0.0, 0.4) if len(pools[name]) else ():
                kind = f"{name}{' softened' if softened else ''}"
                print(f"{title} {runner.steps} {kind}: {judged(net, pools[name], softened)}", flush=True)
    for name in JUDGED_KINDS if bar is not None else ():
        if len(pools[name]):
            print(f"bar {name}: {bar_judged(bar, pools[name])}", flush=True)


if __name__ == "__main__":
    main()
