"""One course of training: AdamW, a rate that rises and falls, an average of the last weights, and where it was when broken off."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import torch

from vision.training.shared_course import mix_in, save_whole, step_down

Net = Any
Tensor = Any
DECAY = 0.998
"""Of the average of the weights, a step; early on it forgets faster."""
KEEP_EVERY = 100
WARM_UP = 0.05
"""Share of the steps in which the rate grows."""


def run_course(net: Net, loss_of_step: Callable[[Net, int], Tensor], steps: int, rate: float, weights: Path) -> None:
    """Trains the network and writes the average of its weights to `weights` (.pt), now and then and at the end.

    loss_of_step: the loss of a step's batch; it must make the same batch for the same step. What was broken off goes on
    from `weights` with the suffix .course, which is gone at the end.
    """
    net = net.to(memory_format=torch.channels_last).train()
    optimiser = torch.optim.AdamW(net.parameters(), rate, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, total_steps=steps, pct_start=WARM_UP)
    average = {name: value.clone() for name, value in net.state_dict().items()}
    kept, first = weights.with_suffix(".course"), 0
    if kept.exists():
        first, state = _resumed(kept, net, optimiser, schedule)
        average = state
        click.echo(f"goes on from step {first}")
    began, shown = time.monotonic(), None
    for step in range(first, steps):
        loss = loss_of_step(net, step)
        step_down(net, optimiser, loss)
        schedule.step()
        mix_in(average, net, min(DECAY, (step + 1) / (step + 10)))
        now = float(loss.detach())
        shown = now if shown is None else 0.98 * shown + 0.02 * now
        if step % 50 == 49:
            click.echo(f"step {step + 1}/{steps}  loss {shown:.4f}  {time.monotonic() - began:.0f} s")
        if step % KEEP_EVERY == KEEP_EVERY - 1:
            _keep(kept, net, optimiser, schedule, average, step + 1)
            torch.save(average, weights)
    torch.save(average, weights)
    kept.unlink(missing_ok=True)


def _keep(path: Path, net: Net, optimiser: Any, schedule: Any, average: dict[str, Tensor], step: int) -> None:
    parts = {"net": net.state_dict(), "optimiser": optimiser.state_dict(), "schedule": schedule.state_dict()}
    save_whole({**parts, "average": average, "step": step}, path)


def _resumed(path: Path, net: Net, optimiser: Any, schedule: Any) -> tuple[int, dict[str, Tensor]]:
    state = torch.load(path)
    net.load_state_dict(state["net"])
    optimiser.load_state_dict(state["optimiser"])
    schedule.load_state_dict(state["schedule"])
    return int(state["step"]), state["average"]
