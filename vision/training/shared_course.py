"""What every course of training shares: the ring of samples, the rate by the clock, a step, the running mean, whole files."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import torch

Tensor = Any
Net = Any
MOST_STEEP = 5.0
"""Length to which a longer gradient is cut."""


class Ring:
    """Samples of one sort on the device, as many as there is room for; new ones take the place of the oldest.

    held: (room, ...) of which the first `filled` rows are samples, None before the first; total: taken in so far.
    """

    def __init__(self, room: int, device: Any) -> None:
        self.room, self.device, self.total = room, device, 0
        self.held: Tensor = None

    @property
    def filled(self) -> int:
        """How many samples there are."""
        return min(self.total, self.room)

    def add(self, rows: np.ndarray[Any, Any]) -> None:
        """Takes in new rows, the same shape and dtype each time."""
        new = torch.from_numpy(rows)
        if self.held is None:
            self.held = torch.empty((self.room, *new.shape[1:]), dtype=new.dtype, device=self.device)
        places = (torch.arange(len(new)) + self.total) % self.room
        self.held[places.to(self.device)] = new.to(self.device)
        self.total += len(new)


def rate_share(done: float, rise: float) -> float:
    """Share of the highest rate: half a cosine down to nothing at the end. done: share of the course that is over; rise: up to 1
    while it warms up."""
    return min(1.0, rise) * 0.5 * (1 + math.cos(math.pi * min(done, 1.0)))


def step_down(net: Net, optimiser: Any, loss: Tensor) -> None:
    """One step against the loss, no longer than MOST_STEEP allows."""
    optimiser.zero_grad(set_to_none=True)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(net.parameters(), MOST_STEEP)
    optimiser.step()


def keep_statistics(net: Net) -> None:
    """Leaves the batch norms' statistics as they are while the network learns on: small batches would shake them."""
    for layer in net.modules():
        if isinstance(layer, torch.nn.BatchNorm2d):
            layer.eval()


def mix_in(mean: dict[str, Tensor], net: Net, keep: float) -> None:
    """One more step's weights into the running mean of which `keep` stays; what is counted is copied."""
    with torch.no_grad():
        state = net.state_dict()
        floats = [name for name, value in state.items() if value.is_floating_point()]
        torch._foreach_lerp_([mean[name] for name in floats], [state[name] for name in floats], 1 - keep)
        for name, value in state.items():
            if not value.is_floating_point():
                mean[name].copy_(value)


def save_whole(state: Any, path: Path) -> None:
    """torch.save, so that the file is whole at any moment."""
    beside = path.with_suffix(".new")
    torch.save(state, beside)
    beside.replace(path)
