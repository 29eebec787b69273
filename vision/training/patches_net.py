"""The networks that count checkers on a patch, of a column or of the bar: the columns' first layers, then a count along the patch.

Input (B, 3, H, W), normalised by `vision.network.network_input`: 336 x 96 for a column, 384 x 64 for the bar; output `counts`
(B, 16), logits of 0 to 15 checkers.
"""

from __future__ import annotations

from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

from vision.training.columns_net import CHANNELS, COUNTS, Trunk

WIDE, TALLY, HIDDEN = 96, 32, 128
STRIDE = 16
"""Px of a patch to a cell of the trunk's last map."""
Tensor = Any


class PatchesNet(Trunk):
    """See the module's docstring for the shapes."""

    def __init__(self, width: int) -> None:
        """width: of the patches, px."""
        super().__init__()
        cells = (1, width // STRIDE)
        self.strip = nn.Sequential(nn.Conv2d(CHANNELS[2], WIDE, cells, bias=False), nn.BatchNorm2d(WIDE), nn.ReLU())
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


def begun(columns: dict[str, Tensor], width: int) -> PatchesNet:
    """A network for patches of this width whose first layers are those of a trained network of the columns, by its weights."""
    net = PatchesNet(width)
    state = net.state_dict()
    state.update({name: columns[name] for name in Trunk().state_dict()})
    net.load_state_dict(state)
    return net
