"""The small networks for dice and cube, a finder and three readers, and their way to ONNX with provenance."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
import onnx
import torch
from torch import nn
from torch.nn import functional

from vision.reading.detector import CROP_PX, FINE_PX
from vision.training.folded import folded
from vision.training.lite import SMALLER, WIDTH, LiteTrunk
from vision.training.shared_course import mix_in

FINDER_PX = 192


def _conv(i: int, o: int, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(nn.Conv2d(i, o, 3, stride, 1, bias=False), nn.BatchNorm2d(o), nn.ReLU(inplace=True))


class _Residual(nn.Module):  # type: ignore[misc]
    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = _conv(width, width)
        self.second = nn.Sequential(nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return functional.relu(x + self.second(self.first(x)))


class SolidFinderNet(nn.Module):  # type: ignore[misc]
    """(N, 3, h, w) -> (N, 2, h/4, w/4): logit of an upper face's centre, log of its side in cells."""

    def __init__(self) -> None:
        super().__init__()
        self.fine = nn.Sequential(_conv(3, 16, 2), _conv(16, 32, 2), _Residual(32))
        self.coarse = nn.Sequential(_conv(32, 48, 2), _Residual(48), _Residual(48))
        self.up = nn.Conv2d(48, 32, 1)
        self.out = nn.Sequential(_conv(32, 32), nn.Conv2d(32, 2, 1))
        nn.init.constant_(self.out[1].bias, -1.0)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        fine = self.fine(x)
        coarse = functional.interpolate(self.up(self.coarse(fine)), scale_factor=2, mode="nearest")
        return self.out(functional.relu(fine + coarse))


class _LookNet(nn.Module):  # type: ignore[misc]
    """What looks at a crop: layers of convolutions, then a head that takes the whole crop into account."""

    def __init__(self, body: list[nn.Module], width: int, narrow: int, cells: int, hidden: int) -> None:
        """width: channels of the body; narrow: those that the head keeps of each of `cells` places; hidden: its units."""
        super().__init__()
        self.body = nn.Sequential(*body)
        self.head = nn.Sequential(
            nn.Conv2d(width, narrow, 1),
            nn.ReLU(),
            nn.Flatten(),
            nn.Dropout(0.2),
            nn.Linear(narrow * cells, hidden),
            nn.ReLU(),
            nn.Linear(hidden, 8),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(self.body(x))


class ReaderNet(_LookNet):
    """(N, 3, 64, 64) -> (N, 8): logit "this is one", six face logits, logit "lies flat"."""

    def __init__(self) -> None:
        fine = [_conv(3, 24, 2), _Residual(24), _conv(24, 48, 2), _Residual(48), _Residual(48)]
        super().__init__([*fine, _conv(48, 80, 2), _Residual(80)], width=80, narrow=32, cells=64, hidden=96)


class FineReaderNet(_LookNet):
    """(N, 3, 96, 96) -> (N, 8), as ReaderNet answers: twice as wide, for the few that are looked at more finely."""

    def __init__(self) -> None:
        fine = [_conv(3, 24, 2), _conv(24, 48, 2), _Residual(48), _Residual(48)]
        coarse = [_conv(48, 96, 2), _Residual(96), _Residual(96), _conv(96, 128, 2), _Residual(128)]
        super().__init__(fine + coarse, width=128, narrow=48, cells=36, hidden=128)


class LiteReaderNet(_LookNet):
    """(N, 3, 96, 96) -> (N, 8), as ReaderNet answers; its body is a trunk that learnt from photographs of everything."""

    def __init__(self) -> None:
        super().__init__([LiteTrunk()], width=WIDTH, narrow=48, cells=(FINE_PX // SMALLER) ** 2, hidden=128)

    @property
    def trunk(self) -> LiteTrunk:
        """What was learnt elsewhere."""
        return cast(LiteTrunk, self.body[0])


@dataclass(frozen=True)
class Part:
    """One of a kind's networks. made: builds it; sort: of its samples; px: of the picture it is exported with.

    by_itself: it has a course of its own, `vision.training.lit_course`.
    """

    made: Callable[[], Any]
    sort: str
    px: int
    by_itself: bool = False


PARTS = {
    "finder": Part(SolidFinderNet, "picture", FINDER_PX),
    "reader": Part(ReaderNet, "crop", CROP_PX),
    "fine": Part(FineReaderNet, "fine", FINE_PX),
    "lite": Part(LiteReaderNet, "fine", FINE_PX, by_itself=True),
}
TOGETHER = {name: part for name, part in PARTS.items() if not part.by_itself}
"""Those that `vision.training.dice_course` trains at once."""


def to_tensor(pictures: np.ndarray[Any, Any]) -> torch.Tensor:
    """(N, h, w, 3) uint8 BGR to the networks' (N, 3, h, w) float32, as `vision.reading.detector.network_input` does."""
    return (torch.from_numpy(np.ascontiguousarray(pictures)).permute(0, 3, 1, 2).float() - 127) / 64


def photometric(x: torch.Tensor) -> torch.Tensor:
    """Brightness, contrast, tint and exchanged colour channels."""
    n = len(x)
    if torch.rand(1) < 0.3:
        x = x[:, torch.randperm(3)]
    x = x * (1 + 0.15 * torch.randn(n, 1, 1, 1)) + 0.25 * torch.randn(n, 1, 1, 1)
    return x + 0.08 * torch.randn(n, 3, 1, 1)


def finder_loss(out: torch.Tensor, heat: torch.Tensor, size: torch.Tensor) -> torch.Tensor:
    """Weighted cross-entropy on the heat; absolute error of the log size where `size` > 0 says it is known."""
    found = functional.binary_cross_entropy_with_logits(out[:, 0], heat, reduction="none") * (1 + 8 * heat)
    known = size > 0
    wrong = (out[:, 1] - size.clamp(min=0.1).log()).abs()[known]
    return found.mean() * 10 + (wrong.mean() * 0.5 if known.any() else 0.0)


def reader_loss(out: torch.Tensor, is_one: torch.Tensor, face: torch.Tensor, flat: torch.Tensor) -> torch.Tensor:
    """Cross-entropies of the three answers; `face` is -1 and `flat` NaN where unknown."""
    loss = functional.binary_cross_entropy_with_logits(out[:, 0], is_one)
    if (face >= 0).any():
        loss = loss + functional.cross_entropy(out[:, 1:7], face, ignore_index=-1, label_smoothing=0.02)
    known = ~torch.isnan(flat)
    if known.any():
        loss = loss + 0.5 * functional.binary_cross_entropy_with_logits(out[known, 7], flat[known])
    return loss


class Average:
    """A running mean of a network's weights, steadier than the last step's."""

    def __init__(self, net: Any, keep: float = 0.995) -> None:
        self.keep, self.steps = keep, 0
        self.state = {k: v.detach().clone() for k, v in net.state_dict().items()}

    def add(self, net: Any) -> None:
        """Takes in one more step's weights."""
        self.steps += 1
        mix_in(self.state, net, min(self.keep, self.steps / (self.steps + 10)))


def export(net: Any, shape: tuple[int, int], path: Path, provenance: dict[str, Any]) -> None:
    """Writes `path` (ONNX, batch and size free) and the provenance as JSON beside it."""
    net.eval()
    axes = {"picture": {0: "n"}, "out": {0: "n"}}
    if isinstance(net, SolidFinderNet):
        axes = {"picture": {0: "n", 2: "h", 3: "w"}, "out": {0: "n", 2: "h4", 3: "w4"}}
    torch.onnx.export(
        net,
        (torch.zeros(1, 3, *shape),),
        str(path),
        input_names=["picture"],
        output_names=["out"],
        dynamic_axes=axes,
        dynamo=False,
    )
    path.write_bytes(folded(onnx.load(str(path))).SerializeToString(deterministic=True))
    path.with_suffix(".json").write_text(json.dumps(provenance, indent=1) + "\n", encoding="utf-8")
