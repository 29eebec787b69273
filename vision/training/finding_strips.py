"""What is asked of the strips along the edges: how wrongly an edge may lie, what is to be answered, and the loss."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import torch
import torch.nn.functional as F

from vision.finding import strips
from vision.training.finding_data import FindingBatch

Tensor = Any
FloatArray = npt.NDArray[np.float64]
PEAK = 0.7
"""Deviation of an edge's place across it, cells of 1 % of the board."""
ASTRAY_SHARE = 0.25
"""Edges that were taken for another line."""
ASTRAY = 0.06
"""Board plane: so far inside or outside at most."""
FINE = 0.004
"""Board plane: where an edge is this near, still nearer is worth as much as from thrice as far to this."""
RIGHT, WRONG = 0.008, 0.025
"""Board plane: an edge this near counts as right, and from here on as wrong."""
ROOM = 0.012
"""Board plane: true edges nearer to a strip's rim than this are not asked for."""


def lines_of(corners: FloatArray) -> FloatArray:
    """(4, 2) t at s = 0 and s = 1 of the edges between true corners (4, 2) on the plane of the supposed ones."""
    lines = []
    for edge in range(4):
        ends = np.array([corners[edge], corners[(edge + 1) % 4]]) - strips.STARTS[edge]
        s, t = ends @ strips.ALONGS[edge], ends @ strips.INWARDS[edge]
        slope = (t[1] - t[0]) / (s[1] - s[0])
        lines.append([t[0] - slope * s[0], t[0] + slope * (1 - s[0])])
    return np.array(lines)


def strip_loss(outputs: tuple[Tensor, Tensor], batch: FindingBatch) -> Tensor:
    """Cross-entropy with a narrow peak where the edge runs, the fitted line's distance at both ends, whether it was right."""
    maps, present = (output.float() for output in outputs)
    s, t = (torch.from_numpy(axis).float().to(maps.device) for axis in (strips.S, strips.T))
    first, last = batch.wanted[:, :1], batch.wanted[:, 1:]
    wanted = first + (last - first) * s
    logits = maps[:, 0].transpose(1, 2)
    log_share = torch.log_softmax(logits, 2)
    peak = torch.exp(-(((t - wanted[..., None]) / strips.CELL / PEAK) ** 2) / 2)
    peak = peak / (peak.sum(2, keepdim=True) + 1e-6)
    inside = torch.from_numpy(strips.FITTED).to(maps.device)
    crossed = -(peak * log_share).sum(2)[:, inside].mean(1)
    share = torch.softmax(strips.SHARPENED * logits, 2)
    mean = (share * t).sum(2)[:, inside]
    variance = ((share * t**2).sum(2)[:, inside] - mean**2).clamp(min=0)
    each = (_ends(mean, variance, s[inside]) - batch.wanted).abs().clamp(max=0.05)
    off = 15 * each.sum(1) + 0.25 * torch.log1p(each / FINE).sum(1)
    here = batch.here[:, 0]
    right = F.binary_cross_entropy_with_logits(present, batch.right)
    return ((crossed + off) * here).sum() / here.sum().clamp(min=1) + 0.3 * right


def _ends(mean: Tensor, variance: Tensor, s: Tensor) -> Tensor:
    """(B, 2): t at both ends of the line through the places, as `strips.corners_from` without its rounds."""
    trust = 1 / (variance + (strips.CELL / 2) ** 2)
    total = trust.sum(1)
    middle, height = (trust * s).sum(1) / total, (trust * mean).sum(1) / total
    away = s - middle[:, None]
    slope = (trust * away * (mean - height[:, None])).sum(1) / (trust * away**2).sum(1)
    return torch.stack([height - slope * middle, height + slope * (1 - middle)], 1)
