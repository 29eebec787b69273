"""A course of one network that ends by the clock and goes on where it was stopped."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import torch

from vision.training.lite import groups_of
from vision.training.shared_course import mix_in, rate_share, save_whole, step_down

Tensor = Any
Net = Any


class Clocked:
    """Optimiser, rate and running mean of a network's weights; begins, or goes on, when it is made.

    out: the file (.pt) for the running mean; beside it, as .course, lies what the course goes on from. step: steps taken in all.
    """

    def __init__(self, net: Net, out: Path, end: float, *, rate: float, warm_up: int, decay: float) -> None:
        """net: where it learns, ready to. end: epoch seconds. rate: the highest; warm_up: steps in which it rises; decay: share of
        the running mean that stays at each step."""
        self.net, self.step, self._out, self._end = net, 0, out, end
        self._warm_up, self._decay = warm_up, decay
        self._optimiser = torch.optim.AdamW(groups_of(net, rate), weight_decay=1e-3)
        self._mean = {name: value.detach().clone() for name, value in net.state_dict().items()}
        self._spent, self._loss = 0.0, torch.zeros((), device=next(net.parameters()).device)
        if self._kept.exists():
            held = torch.load(self._kept, map_location=self._loss.device)
            net.load_state_dict(held["net"])
            self._optimiser.load_state_dict(held["optimiser"])
            self._mean, self.step, self._spent = held["mean"], held["step"], held["spent"]
        self._first = time.time()
        self._length = self._spent + end - self._first

    @property
    def _kept(self) -> Path:
        return self._out.with_suffix(".course")

    @property
    def over(self) -> bool:
        """Whether the clock says so."""
        return time.time() >= self._end

    @property
    def seconds(self) -> float:
        """Since it began, or went on."""
        return time.time() - self._first

    @property
    def loss(self) -> float:
        """Of the last hundred steps or so."""
        return float(self._loss)

    def learn(self, loss: Tensor) -> None:
        """One step against this loss, at the rate of the moment."""
        share = rate_share((self._spent + self.seconds) / self._length, (self.step + 1) / self._warm_up)
        for group in self._optimiser.param_groups:
            group["lr"] = group["highest"] * share
        step_down(self.net, self._optimiser, loss)
        self.step += 1
        mix_in(self._mean, self.net, min(self._decay, (self.step + 1) / (self.step + 10)))
        self._loss += (loss.detach() - self._loss) * max(0.01, 1 / self.step)

    def figures(self) -> dict[str, float]:
        """What a line of the log says of it."""
        return {"seconds": round(self.seconds), "step": self.step, "loss": round(self.loss, 4)}

    def keep(self) -> None:
        """Writes both files, each whole at any moment."""
        states = {"net": self.net.state_dict(), "optimiser": self._optimiser.state_dict(), "mean": self._mean}
        save_whole({**states, "step": self.step, "spent": self._spent + self.seconds}, self._kept)
        save_whole({name: value.cpu() for name, value in self._mean.items()}, self._out)
