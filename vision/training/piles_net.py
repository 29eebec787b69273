"""The network that counts a pile from a patch of its column: the columns' first layers, then a count along the patch.

Input (B, 3, 336, 96), normalised by `vision.network.network_input`; output `counts` (B, 16), logits of 0 to 15 checkers.
"""

from __future__ import annotations

from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

from vision.training.columns_net import CHANNELS, COUNTS, FINE, Residual, conv

SHARED = ("fine", "to2", "to4", "to8")
"""Layers that the network of the columns has as well, and that this one begins with."""
WIDE, TALLY, HIDDEN = 96, 32, 128
Tensor = Any


class PilesNet(nn.Module):  # type: ignore[misc] # torch has no types where the checks run
    """See the module's docstring for the shapes."""

    def __init__(self) -> None:
        super().__init__()
        a, b, c, _ = CHANNELS
        self.fine = conv(3, FINE, 3, 2)
        self.to2 = conv(FINE, a, 3, 2)
        self.to4 = nn.Sequential(conv(a, b, 3, 2), Residual(b))
        self.to8 = nn.Sequential(conv(b, c, 3, 2), Residual(c), Residual(c))
        self.strip = nn.Sequential(nn.Conv2d(c, WIDE, (1, 6), bias=False), nn.BatchNorm2d(WIDE), nn.ReLU())
        self.along = nn.Sequential(
            nn.Conv2d(WIDE, WIDE, (5, 1), (2, 1), (2, 0)),
            nn.ReLU(),
            nn.Conv2d(WIDE, WIDE, (5, 1), (2, 1), (2, 0)),
            nn.ReLU(),
        )
        self.tally = nn.Conv2d(WIDE, TALLY, 1)
        self.hidden = nn.Conv2d(WIDE, HIDDEN, (6, 1))
        self.out = nn.Conv2d(HIDDEN + TALLY, COUNTS, 1)

    def forward(self, x: Tensor) -> Tensor:
        rows = self.strip(self.to8(self.to4(self.to2(self.fine(x)))))
        summed = F.relu(self.tally(rows)).sum(2, keepdim=True) * 0.25
        return self.out(torch.cat([F.relu(self.hidden(self.along(rows))), summed], 1))[:, :, 0, 0]


def begun(columns: dict[str, Tensor]) -> PilesNet:
    """A network whose first layers are those of a trained network of the columns, by its weights."""
    net = PilesNet()
    state = net.state_dict()
    state.update({name: value for name, value in columns.items() if name.split(".")[0] in SHARED})
    net.load_state_dict(state)
    return net
