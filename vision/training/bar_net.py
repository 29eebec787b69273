"""The network that finds the bar: columns of a rectified picture become one profile for each of the bar's edges.

In: (B, 3, 160, 192), normalised by `vision.network.network_input`.
Out: (B, 2, 1, 48) logits over the cells of `vision.reading.bar`.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from vision.training.columns_net import Residual, conv

Tensor = Any


def _along(inputs: int, size: int) -> Any:
    """A convolution along the profile. OpenCV 5.0's dnn takes a 1 x 9 kernel for a 3 x 3 one: use any other length."""
    return nn.Sequential(nn.Conv2d(inputs, 64, (1, size), 1, (0, size // 2)), nn.ReLU(inplace=True))


class BarNet(nn.Module):  # type: ignore[misc] # torch has no types where the checks run
    """See the module's docstring for the shapes."""

    def __init__(self) -> None:
        super().__init__()
        self.cells = nn.Sequential(conv(3, 16, 3, 2), conv(16, 32, 3, 2), Residual(32), Residual(32))
        self.profile = nn.Sequential(_along(64, 5), _along(64, 11), _along(64, 11), nn.Conv2d(64, 2, (1, 5), 1, (0, 2)))

    def forward(self, x: Tensor) -> Tensor:
        cells = self.cells(x)
        return self.profile(torch.cat([cells.mean(2, keepdim=True), cells.amax(2, keepdim=True)], 1))
