"""The networks that find the board: for the whole picture, for it rectified with roughly right corners, for strips along edges.

FinderNet, in (B, 3, 192, 192): maps (B, 3, 48, 48) of logits: a corner from which, clockwise, a row begins (top-left,
bottom-right), a corner at which a row ends, the playing surface; present (B, 1): logit that there is a board.
EdgeNet, in (B, 3, 224, 224): maps (B, 4, 56, 56): see vision.finding.edges; present (B, 1): that the corners it was
rectified with are right.
StripNet, in (4 B, 3, 96, 160): the four strips of B pictures; maps (4 B, 1, 24, 40): see vision.finding.strips; present
(4 B, 1): that the edge runs where it was thought to.
All take pictures as `vision.network.network_input` makes them.
"""

from __future__ import annotations

from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

from vision.training.columns_net import Residual, conv
from vision.training.lite import WIDTH, WIDTH_AT_4, WIDTH_AT_8, LiteTrunk

CHANNELS = (16, 28, 48, 88, 112)
Tensor = Any


class _Net(nn.Module):  # type: ignore[misc] # torch has no types where the checks run
    """A U-Net to a stride of 4 that knows the whole picture, and one logit of it."""

    def __init__(self, outputs: int, inputs: int = 3) -> None:
        super().__init__()
        self.make_seeing(inputs)
        self.make_answering(outputs, CHANNELS[1:])

    def make_seeing(self, inputs: int) -> None:
        """Makes the layers that look at pixels."""
        a, b, c, d, _ = CHANNELS
        self.to4 = nn.Sequential(conv(inputs, a, 3, 2), conv(a, b, 3, 2), Residual(b))
        self.to8 = nn.Sequential(conv(b, c, 3, 2), Residual(c))
        self.to16 = nn.Sequential(conv(c, d, 3, 2), Residual(d), Residual(d))

    def make_answering(self, outputs: int, channels: tuple[int, int, int, int]) -> None:
        """Makes the layers after them; channels: of what they have seen at strides of 4, 8, 16, and of what is made of it at 32."""
        b, c, d, e = channels
        self.to32 = nn.Sequential(conv(d, e, 3, 2), Residual(e), Residual(e))
        self.whole = nn.Conv2d(e, e, 1)
        self.up16, self.fuse16 = nn.Conv2d(e, d, 1), conv(d, 64)
        self.skip8, self.fuse8 = nn.Conv2d(c, 64, 1), conv(64, 48)
        self.skip4, self.fuse4 = nn.Conv2d(b, 48, 1), nn.Sequential(conv(48, 40), conv(40, 40))
        self.maps = nn.Conv2d(40, outputs, 1)
        self.present = nn.Sequential(nn.Conv2d(e, 32, 1), nn.ReLU(inplace=True))
        self.present_out = nn.Conv2d(32, 1, 1)

    def seen(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """What is seen at strides of 4, 8 and 16."""
        at4 = self.to4(x)
        at8 = self.to8(at4)
        return at4, at8, self.to16(at8)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        at4, at8, at16 = self.seen(x)
        at32 = self.to32(at16)
        # OpenCV 5.0's dnn throws on a convolution plus a broadcast sum, hence the explicit expansion.
        at32 = at32 + self.whole(self._around(at32)).expand_as(at32)
        present = self.present_out(self.present(at32).mean((2, 3), keepdim=True))
        at16 = self.fuse16(F.relu(at16 + _twice(self.up16(at32))))
        at8 = self.fuse8(F.relu(self.skip8(at8) + _twice(at16)))
        at4 = self.fuse4(F.relu(self.skip4(at4) + _twice(at8)))
        return self.maps(at4), present[:, :, 0, 0]

    def _around(self, at32: Tensor) -> Tensor:
        """(B, channels, 1, 1) what is known of the whole picture."""
        return at32.mean((2, 3), keepdim=True)


def _twice(x: Tensor) -> Tensor:
    return F.interpolate(x, scale_factor=2, mode="nearest")


class FinderNet(_Net):
    """See the module's docstring."""

    def __init__(self) -> None:
        super().__init__(3)
        nn.init.constant_(self.maps.bias, -3.0)


class EdgeNet(_Net):
    """See the module's docstring."""

    def __init__(self) -> None:
        super().__init__(4)


class _OnTrunk(_Net):
    """What looks at pixels learnt from photographs of everything."""

    def make_seeing(self, inputs: int) -> None:
        self.trunk = LiteTrunk()

    def make_answering(self, outputs: int, channels: tuple[int, int, int, int]) -> None:
        super().make_answering(outputs, (WIDTH_AT_4, WIDTH_AT_8, WIDTH, channels[-1]))

    def seen(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        return self.trunk.from_fine_to_coarse(x)


class LiteFinderNet(_OnTrunk, FinderNet):
    """Answers as FinderNet, on a pretrained trunk."""


class LiteEdgeNet(_OnTrunk, EdgeNet):
    """Answers as EdgeNet, on a pretrained trunk."""


class StripNet(_Net):
    """See the module's docstring. A strip is seen together with the opposite one, turned to run the same way.

    As much as the near wall hides of the field, the far wall shows of itself.
    """

    def __init__(self) -> None:
        super().__init__(1, inputs=6)
        self.whole = nn.Conv2d(2 * CHANNELS[-1], CHANNELS[-1], 1)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        return super().forward(torch.cat([x, _opposite(x).flip(3)], 1))

    def _around(self, at32: Tensor) -> Tensor:
        own = super()._around(at32)
        return torch.cat([own, _opposite(own)], 1)


def _opposite(x: Tensor) -> Tensor:
    """(4 B, ...): bottom, left, top, right for every top, right, bottom, left."""
    fours = x.reshape(-1, 4, *x.shape[1:])
    return torch.cat([fours[:, 2:], fours[:, :2]], 1).reshape(x.shape)


NETS: dict[str, Any] = {
    "finder": FinderNet,
    "edges": EdgeNet,
    "strips": StripNet,
    "finder_lite": LiteFinderNet,
    "edges_lite": LiteEdgeNet,
}


def sort_of(name: str) -> str:
    """Which of finder, edges and strips a network stands for."""
    return name.removesuffix("_lite")
