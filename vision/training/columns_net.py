"""The network that reads checkers from a canonical picture: a small U-Net, a map of centres, counts a column.

Outputs, for a batch of B canonical pictures (B, 3, 384, 448), normalised by `vision.network.network_input`:
heat (B, 2, 48, 56): logits that a checker's upper face is centred on a cell, and that it is of the lighter side;
points (B, 18, 24): logits of the counts 0-15 whatever the colour, of "lighter side", and of "can be seen", a column;
bar (B, 33): logits of the lighter side's count 0-15, the darker side's, and of "can be seen".
"""

from __future__ import annotations

from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

from vision.training.lite import WIDTH, WIDTH_AT_8, LiteTrunk

COUNTS = 16
POINT_OUTPUTS = COUNTS + 2
BAR_OUTPUTS = 2 * COUNTS + 1
TOP_ROWS = 28
"""A column is read from its edge over this many of the map's 48 rows: a single layer of seven reaches row 24."""
FINE = 16
CHANNELS = (24, 32, 64, 96)
MAP_WIDTH = 48
"""Channels of the map that is counted along."""
Tensor = Any


def conv(inputs: int, outputs: int, size: int = 3, stride: int = 1) -> Any:
    """Convolution, batch norm, ReLU."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, size, stride, size // 2, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True)
    )


class Residual(nn.Module):  # type: ignore[misc] # torch has no types where the checks run
    """Two convolutions beside a short cut."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = conv(channels, channels)
        self.second = nn.Sequential(nn.Conv2d(channels, channels, 3, 1, 1, bias=False), nn.BatchNorm2d(channels))

    def forward(self, x: Tensor) -> Tensor:
        return F.relu(x + self.second(self.first(x)))


class Trunk(nn.Module):  # type: ignore[misc] # torch has no types where the checks run
    """The layers that look at pixels: those of the piles' network begin as those of the columns'."""

    def __init__(self) -> None:
        super().__init__()
        a, b, c, _ = CHANNELS
        self.fine = conv(3, FINE, 3, 2)
        self.to2 = conv(FINE, a, 3, 2)
        self.to4 = nn.Sequential(conv(a, b, 3, 2), Residual(b))
        self.to8 = nn.Sequential(conv(b, c, 3, 2), Residual(c), Residual(c))


class Counting(nn.Module):  # type: ignore[misc] # torch has no types where the checks run
    """What follows the layers that look at pixels: coarser ones for the whole, joined with the finer into a map at an eighth of the
    picture's size, (B, MAP_WIDTH, 48, 56), and a count along its columns.

    Names are those of the files that ship. A network makes itself `to16`, `whole`, `up8`, `skip8`, `fuse8`, `up4`, `skip4` and
    `fuse4`, as wide as its own layers are.
    """

    def make_counting(self) -> None:
        """Makes the layers; to be called where they belong in the order of all."""
        self.heat = nn.Conv2d(MAP_WIDTH, 2, 1)
        nn.init.constant_(self.heat.bias, -3.0)
        self.strip = nn.Sequential(
            nn.Conv2d(MAP_WIDTH + 1, 64, (1, 8), (1, 4), bias=False), nn.BatchNorm2d(64), nn.ReLU(inplace=True)
        )
        self.along = nn.Sequential(
            nn.Conv2d(64, 64, (5, 1), (2, 1), (2, 0)), nn.ReLU(), nn.Conv2d(64, 64, (5, 1), (2, 1), (2, 0)), nn.ReLU()
        )
        self.tally = nn.Conv2d(64, 24, 1)
        self.point_hidden = nn.Conv2d(64, 128, (7, 1))
        self.point_out = nn.Conv2d(128 + 24, POINT_OUTPUTS, 1)
        self.bar_hidden = nn.Conv2d(64, 96, (12, 1))
        self.bar_out = nn.Conv2d(96 + 24, BAR_OUTPUTS, 1)

    def counted(self, at4: Tensor, at8: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """The three outputs, from what was seen at an eighth and at a sixteenth of the picture's size."""
        at16 = self.to16(at8)
        # OpenCV 5.0's dnn throws on a convolution plus a broadcast sum, hence the explicit expansion.
        at16 = at16 + self.whole(at16.mean((2, 3), keepdim=True)).expand_as(at16)
        at8 = self.fuse8(F.relu(self.skip8(at8) + F.interpolate(self.up8(at16), scale_factor=2, mode="nearest")))
        cells = self.fuse4(F.relu(self.skip4(at4) + F.interpolate(self.up4(at8), scale_factor=2, mode="nearest")))
        heat = self.heat(cells)
        strips = self.strip(torch.cat([cells, torch.sigmoid(heat[:, :1])], 1))
        points = torch.cat([strips[..., :6], strips[..., 7:]], 3)
        both = torch.cat([points[:, :, :TOP_ROWS], torch.flip(points, (2,))[:, :, :TOP_ROWS]], 3)
        return (
            heat,
            self._read(both, self.point_hidden, self.point_out),
            self._read(strips[..., 6:7], self.bar_hidden, self.bar_out)[:, :, 0],
        )

    def _read(self, rows: Tensor, hidden: Any, out: Any) -> Tensor:
        """Logits (B, outputs, columns) from each column's rows; a sum over rows helps it count instead of guess."""
        summed = F.relu(self.tally(rows)).sum(2, keepdim=True) * 0.25
        return out(torch.cat([F.relu(hidden(self.along(rows))), summed], 1))[:, :, 0]


class ColumnsNet(Trunk, Counting):
    """See the module's docstring for the shapes."""

    def __init__(self) -> None:
        super().__init__()
        _, b, c, d = CHANNELS
        self.to16 = nn.Sequential(conv(c, d, 3, 2), Residual(d), Residual(d))
        self.whole = nn.Conv2d(d, d, 1)
        self.up8, self.skip8, self.fuse8 = nn.Conv2d(d, c, 1), nn.Identity(), conv(c, c)
        self.up4, self.skip4 = nn.Conv2d(c, MAP_WIDTH, 1), nn.Conv2d(b, MAP_WIDTH, 1)
        self.fuse4 = conv(MAP_WIDTH, MAP_WIDTH)
        self.make_counting()

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        at4 = self.to4(self.to2(self.fine(x)))
        return self.counted(at4, self.to8(at4))


class LiteColumnsNet(Counting):
    """Answers as ColumnsNet; what looks at pixels learnt from photographs of everything."""

    def __init__(self) -> None:
        super().__init__()
        _, _, c, d = CHANNELS
        self.trunk = LiteTrunk()
        self.to16 = nn.Sequential(conv(WIDTH, d, 3, 2), Residual(d))
        self.whole = nn.Conv2d(d, d, 1)
        self.up8, self.skip8, self.fuse8 = nn.Conv2d(d, c, 1), nn.Conv2d(WIDTH, c, 1), conv(c, c)
        self.up4, self.skip4 = nn.Conv2d(c, MAP_WIDTH, 1), nn.Conv2d(WIDTH_AT_8, MAP_WIDTH, 1)
        self.fuse4 = conv(MAP_WIDTH, MAP_WIDTH)
        self.make_counting()

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        _, at8, at16 = self.trunk.from_fine_to_coarse(x)
        return self.counted(at8, at16)


def parameters(net: Any) -> int:
    """How many numbers the network learns."""
    return sum(int(p.numel()) for p in net.parameters())
