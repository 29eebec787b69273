"""What the finder's and the edges' networks are held to; the strips' is in finding_strips. On whatever device the batch is."""

from __future__ import annotations

from typing import Any

import torch
import torch.nn.functional as F

from vision.finding import edges
from vision.training.finding_data import EDGE_PEAK, FindingBatch

Tensor = Any


def finder_loss(outputs: tuple[Tensor, Tensor], batch: FindingBatch) -> Tensor:
    """Peaks at the corners, the playing surface, and whether there is a board."""
    maps, present = (output.float() for output in outputs)
    each = F.binary_cross_entropy_with_logits(maps, batch.wanted, reduction="none")
    peaks = (each[:, :2] * (1 + 15 * batch.wanted[:, :2])).mean((1, 2, 3))
    surface = each[:, 2].mean((1, 2))
    return (8 * peaks + 0.5 * surface).mean() + 0.2 * F.binary_cross_entropy_with_logits(present, batch.here)


def edge_loss(outputs: tuple[Tensor, Tensor], batch: FindingBatch) -> Tensor:
    """Cross-entropy with a narrow peak where the edge runs, the fitted corners' distance, whether the view was right."""
    maps, present = (output.float() for output in outputs)
    profiles = torch.stack([maps[:, 0].transpose(1, 2), maps[:, 1], maps[:, 2].transpose(1, 2), maps[:, 3]], 1)
    centres = torch.from_numpy(edges.CENTRES).float().to(maps.device)
    wanted = _edge_places(batch.wanted, centres)
    log_share = torch.log_softmax(profiles, 3)
    share = log_share.exp()
    peak = torch.exp(-(((centres - wanted[..., None]) * edges.CELLS / EDGE_PEAK) ** 2) / 2)
    peak = peak / (peak.sum(3, keepdim=True) + 1e-6)
    along = torch.from_numpy(edges.ALONG).to(maps.device)
    crossed = -(peak * log_share).sum(3)[:, :, along].mean((1, 2))
    mean = (share * centres).sum(3)[:, :, along]
    variance = (share * centres**2).sum(3)[:, :, along] - mean**2
    off = (_fitted_corners(mean, variance, centres[along]) - batch.wanted).abs().sum(2).clamp(max=0.3).mean(1)
    here = batch.here[:, 0]
    right = F.binary_cross_entropy_with_logits(present, batch.right)
    return ((crossed + 30 * off) * here).sum() / here.sum().clamp(min=1) + 0.5 * right


def _edge_places(corners: Tensor, s: Tensor) -> Tensor:
    """(B, 4, along) where the true edges top, right, bottom, left lie across, from corners (B, 4, 2)."""
    lines = []
    for start, end, axis in ((0, 1, 0), (1, 2, 1), (3, 2, 0), (0, 3, 1)):
        a, b = corners[:, start], corners[:, end]
        slope = (b[:, 1 - axis] - a[:, 1 - axis]) / (b[:, axis] - a[:, axis])
        lines.append(a[:, 1 - axis, None] + slope[:, None] * (s - a[:, axis, None]))
    return torch.stack(lines, 1)


def _fitted_corners(mean: Tensor, variance: Tensor, s: Tensor) -> Tensor:
    """(B, 4, 2): as `edges.corners_from` without its rounds."""
    trust = 1 / (variance.clamp(min=0) + (edges.SPREAD_FLOOR / edges.CELLS) ** 2)
    total = trust.sum(2)
    middle, height = (trust * s).sum(2) / total, (trust * mean).sum(2) / total
    away = s - middle[..., None]
    slope = (trust * away * (mean - height[..., None])).sum(2) / (trust * away**2).sum(2)
    offset = height - slope * middle
    found = []
    for level, upright in ((0, 3), (0, 1), (2, 1), (2, 3)):
        x = (offset[:, upright] + slope[:, upright] * offset[:, level]) / (1 - slope[:, level] * slope[:, upright])
        found.append(torch.stack([x, offset[:, level] + slope[:, level] * x], 1))
    return torch.stack(found, 1)
