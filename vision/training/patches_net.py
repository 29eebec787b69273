"""The networks that count checkers on a patch, of a column or of the bar: the columns' first layers, then a count along the patch.

Input (B, 3, H, W), normalised by `vision.network.network_input`: 336 x 96 for a column, 384 x 64 for the bar, 448 x 128 for a
column seen finely; output `counts` (B, 16), logits of 0 to 15 checkers.
"""

from __future__ import annotations

from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

from vision.training.columns_net import CHANNELS, COUNTS, Trunk, conv
from vision.training.lite import SMALLER, WIDTH, WIDTH_AT_4, WIDTH_AT_8, LiteTrunk

WIDE, TALLY, HIDDEN = 96, 32, 128
JOINED = 80
"""Channels of the map that is counted along, where it is joined from three."""
STRIDE = 16
"""Px of a patch to a cell of the trunk's last map."""
Tensor = Any


class _CountAlong(nn.Module):  # type: ignore[misc] # torch has no types where the checks run
    """From a patch's map to the counts: across the patch at once, then along it. Names are those of the files that ship."""

    def make_count(self, channels: int, across: int, halvings: int, last: int) -> None:
        """Makes the layers; to be called where they belong in the order of all. channels, across: of the map; halvings: of its
        rows, after which `last` are left."""
        self.strip = nn.Sequential(nn.Conv2d(channels, WIDE, (1, across), bias=False), nn.BatchNorm2d(WIDE), nn.ReLU())
        steps = [layer for _ in range(halvings) for layer in (nn.Conv2d(WIDE, WIDE, (5, 1), (2, 1), (2, 0)), nn.ReLU())]
        self.along = nn.Sequential(*steps)
        self.tally = nn.Conv2d(WIDE, TALLY, 1)
        self.hidden = nn.Conv2d(WIDE, HIDDEN, (last, 1))
        self.out = nn.Conv2d(HIDDEN + TALLY, COUNTS, 1)

    def counted(self, cells: Tensor) -> Tensor:
        """Logits of the counts. A sum over rows helps to count instead of to guess."""
        rows = self.strip(cells)
        summed = F.relu(self.tally(rows)).sum(2, keepdim=True) * 0.25
        return self.out(torch.cat([F.relu(self.hidden(self.along(rows))), summed], 1))[:, :, 0, 0]


class PatchesNet(Trunk, _CountAlong):
    """See the module's docstring for the shapes."""

    def __init__(self, width: int) -> None:
        """width: of the patches, px."""
        super().__init__()
        self.make_count(CHANNELS[2], width // STRIDE, 2, 6)

    def forward(self, x: Tensor) -> Tensor:
        return self.counted(self.to8(self.to4(self.to2(self.fine(x)))))


class LitePatchesNet(_CountAlong):
    """Counts on a column seen finely; what looks at pixels learnt from photographs of everything."""

    def __init__(self, width: int) -> None:
        """width: of the patches, px."""
        super().__init__()
        self.trunk = LiteTrunk()
        self.at4, self.at8, self.at16 = (nn.Conv2d(i, JOINED, 1) for i in (4 * WIDTH_AT_4, WIDTH_AT_8, WIDTH))
        self.join = conv(JOINED, JOINED)
        self.make_count(JOINED, width // (SMALLER // 2), 3, 7)

    def forward(self, x: Tensor) -> Tensor:
        at4, at8, at16 = self.trunk.from_fine_to_coarse(x)
        fine, coarse = F.pixel_unshuffle(at4, 2), F.interpolate(self.at16(at16), scale_factor=2, mode="nearest")
        return self.counted(self.join(F.relu(self.at4(fine) + self.at8(at8) + coarse)))


def begun(columns: dict[str, Tensor], width: int) -> PatchesNet:
    """A network for patches of this width whose first layers are those of a trained network of the columns, by its weights."""
    net = PatchesNet(width)
    state = net.state_dict()
    state.update({name: columns[name] for name in Trunk().state_dict()})
    net.load_state_dict(state)
    return net
