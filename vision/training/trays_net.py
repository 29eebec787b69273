"""The network that counts borne-off checkers on a picture of what lies beside a quarter of the board.

Input (B, 3, HEIGHT, WIDTH) of `vision.reading.trays`, normalised by `vision.network.network_input`: at its foot both
sides' colours. Output `counts` (B, 2, 16): logits of 0 to 15 checkers of the lighter and of the darker side; for training also the
logits of where each side's lie, (B, 2, HEIGHT / 8, WIDTH / 8).
"""

from __future__ import annotations

from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

from vision.reading.trays import SWATCH
from vision.training.columns_net import COUNTS, Residual, conv

Tensor = Any
STEM, AT_4, AT_8, AT_16 = 16, 32, 48, 64
"""Channels."""


class TraysNet(nn.Module):  # type: ignore[misc] # torch has no types where the checks run
    """See the module's docstring for the shapes. What looks at pixels does so once, what counts once a side: it is told how far
    each place is from that side's colour, and from the other's."""

    def __init__(self) -> None:
        super().__init__()
        self.to4 = nn.Sequential(conv(3, STEM, 5, 2), conv(STEM, AT_4, 3, 2), Residual(AT_4))
        self.to8 = nn.Sequential(conv(AT_4 + 6, AT_8, 3, 2), Residual(AT_8))
        self.to16 = nn.Sequential(conv(AT_8, AT_16, 3, 2), Residual(AT_16))
        self.up = nn.Conv2d(AT_16, AT_8, 1)
        self.fuse = conv(AT_8, AT_8)
        self.places = nn.Conv2d(AT_8, 1, 1)
        nn.init.constant_(self.places.bias, -3.0)
        self.tally = nn.Conv2d(AT_8, 32, 1)
        self.hidden = nn.Linear(32 + AT_8, 96)
        self.out = nn.Linear(96, COUNTS)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        foot, body, half = x[:, :, -SWATCH:], x[:, :, :-SWATCH], x.shape[3] // 2
        one = foot[..., 2 : half - 2].mean((2, 3), keepdim=True)
        other = foot[..., half + 2 : -2].mean((2, 3), keepdim=True)
        at4, coarsely = self.to4(body), F.avg_pool2d(body, 4)
        by_one, by_other = coarsely - one, coarsely - other
        sides = torch.cat([torch.cat([at4, by_one, by_other], 1), torch.cat([at4, by_other, by_one], 1)])
        at8 = self.to8(sides)
        whole = F.interpolate(self.up(self.to16(at8)), size=(at8.shape[2], at8.shape[3]), mode="nearest")
        cells = self.fuse(at8 + whole)
        summed = F.relu(self.tally(cells)).sum((2, 3)) * 0.1
        counts = self.out(F.relu(self.hidden(torch.cat([summed, cells.amax((2, 3))], 1))))
        return torch.stack(counts.chunk(2), 1), torch.cat(self.places(cells).chunk(2), 1)

    def counting(self) -> Any:
        """The part that counts alone."""
        return _Counting(self)


class _Counting(nn.Module):  # type: ignore[misc] # as above
    def __init__(self, net: TraysNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, x: Tensor) -> Tensor:
        return self.net(x)[0]
