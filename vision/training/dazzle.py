"""Lays light so strong that all is white under it over drawn boards, where a network learns, and says which columns it hides.

Lacquer, glass and glossy checkers mirror lamps and windows so. What lies under it is nobody's guess: a column whose last checker,
or the place where its next one would lie, can't be seen is hidden, as under a hand.
"""

from __future__ import annotations

from typing import Any

import torch
import torch.nn.functional as F

from vision.board.geometry import CANONICAL_HEIGHT, CANONICAL_WIDTH, MARGIN_Y, PITCH, canonical_left
from vision.reading.checkers import DETAIL
from vision.training.columns_data import STRIDE
from vision.training.spoil import DeviceRandom

Tensor = Any
DAZZLED = 0.5
"""Share of pictures."""
WINDOWS = 0.5
"""Share of the spots that are windows, with panes or without, and tubes; the others are lamps."""
MOST_PANES = 3
BAR = (0.02, 0.12)
"""Half of the width of what is between two panes, in panes."""
MOST_SPOTS = 3
CELL = DETAIL * STRIDE
"""Picture px a cell of the map."""
DIAMETER = 4.0
"""A checker's, cells."""
BLIND = 0.85
"""From this share of white on nothing is told from anything."""
COVERED, WHOLLY = 0.5, 0.8
"""Share of a checker's middle under blinding light from which it can't be counted, and from which nothing of it is seen."""
BAR_COVERED = 0.3
"""Share of the bar under blinding light from which checkers may stand there unseen."""


def dazzle(pictures: Tensor, hidden: Tensor, checkers: Tensor, dice: DeviceRandom) -> tuple[Tensor, Tensor]:
    """Pictures (B, 3, H, W) and hidden (B, 25) with such light on some; checkers (B, n, 3) under it are taken out, in place."""
    white = _white(pictures, dice)
    tint = 255 * dice.uniform(0.88, 1.0, len(pictures), 3, 1, 1)
    cells = F.avg_pool2d((white > BLIND).float(), CELL)[:, 0]
    covered = F.avg_pool2d(cells[:, None], 3, 1, 1, count_include_pad=False)[:, 0]
    under = _at(covered, checkers[..., 0], checkers[..., 1])
    hidden = hidden | _hidden(covered, cells, checkers, under)
    checkers[..., 2] = torch.where(under > WHOLLY, -1.0, checkers[..., 2])
    return pictures + white * (tint - pictures), hidden


def _white(pictures: Tensor, dice: DeviceRandom) -> Tensor:
    """(B, 1, H, W) how much of each px is the light's: a few ellipses and windows, most at the feet of points, sharp or soft."""
    count, _, height, width = pictures.shape
    y = torch.arange(height, device=pictures.device)[None, None, :, None]
    x = torch.arange(width, device=pictures.device)[None, None, None]

    def some(low: float, high: float) -> Tensor:
        return dice.uniform(low, high, count, MOST_SPOTS, 1, 1)

    def over(low: float, high: float) -> Tensor:
        return dice.log_uniform(low, high, count, MOST_SPOTS, 1, 1)

    pitch = PITCH * DETAIL
    left = torch.tensor([canonical_left(column) for column in range(12)], device=pictures.device) * DETAIL
    across = left[dice.below(12, count, MOST_SPOTS)][..., None, None] + some(0.1, 0.9) * pitch
    along = MARGIN_Y * DETAIL + some(-0.06, 0.7) * some(0, 1) * height / 2
    down = torch.where(some(0, 1) < 0.5, along, height - 1 - along)
    turn = some(-0.4, 0.4) * (some(0, 1) < 0.7) + some(0, 3.1416) * (some(0, 1) < 0.2)
    wide, long = over(0.4, 2.0) * pitch, over(0.5, 5.0) * pitch
    u = ((x - across) * turn.cos() + (y - down) * turn.sin()) / wide
    v = ((y - down) * turn.cos() - (x - across) * turn.sin()) / long
    window, sharp = some(0, 1) < WINDOWS, over(5, 60)
    inside = 1 - torch.where(window, torch.maximum(u.abs(), v.abs()), (u * u + v * v).sqrt())
    share = torch.sigmoid(inside * sharp)
    for along_it in (u, v):
        panes = 1 + dice.below(MOST_PANES, count, MOST_SPOTS, 1, 1)
        place = (along_it + 1) / 2 * panes
        line = place.round().clamp(min=torch.ones_like(panes), max=panes - 1)
        beside = ((place - line).abs() - some(*BAR)) * 2 / panes
        share = torch.where(window & (panes > 1), share * torch.sigmoid(beside * sharp * 2), share)
    strength = torch.where(some(0, 1) < 0.8, 1.0, some(0.5, 1.0))
    lit = dice.uniform(0, 1, count, 1, 1, 1) < DAZZLED
    there = torch.arange(MOST_SPOTS, device=pictures.device)[None, :, None, None] <= dice.below(
        MOST_SPOTS, count, 1, 1, 1
    )
    return 1 - (1 - share * strength * lit * there).prod(1, keepdim=True)


def _at(cells: Tensor, x: Tensor, y: Tensor) -> Tensor:
    """Values (B, n) of maps (B, h, w) at places (B, n), cells."""
    column, row = x.round().long().clamp(0, cells.shape[2] - 1), y.round().long().clamp(0, cells.shape[1] - 1)
    return cells[torch.arange(len(cells), device=cells.device)[:, None], row, column]


def _hidden(covered: Tensor, cells: Tensor, checkers: Tensor, under: Tensor) -> Tensor:
    """(B, 25) the columns whose end is under the light, and the bar where a checker or much of it is."""
    edge, height = MARGIN_Y / STRIDE, CANONICAL_HEIGHT // STRIDE
    real = checkers[..., 2] >= 0
    result = []
    for column in range(24):
        middle = (canonical_left(column) + PITCH / 2) / STRIDE - 0.5
        inward = checkers[..., 1] + 0.5 if column < 12 else height - 0.5 - checkers[..., 1]
        own = real & ((checkers[..., 0] - middle).abs() < PITCH / STRIDE / 2) & (inward < height / 2)
        last = torch.where(own, inward, -1.0).max(1)
        taken = own.any(1)
        following = torch.where(taken, last.values + DIAMETER, edge + DIAMETER / 2)
        row = following - 0.5 if column < 12 else height - 0.5 - following
        blind = _at(covered, torch.full_like(row, middle)[:, None], row[:, None])[:, 0] > COVERED
        blind |= taken & (under.gather(1, last.indices[:, None])[:, 0] > COVERED)
        result.append(blind)
    first = (canonical_left(5) + PITCH) // STRIDE
    on_bar = real & ((checkers[..., 0] - (CANONICAL_WIDTH / STRIDE - 1) / 2).abs() < PITCH / STRIDE / 2)
    strip = cells[:, :, first : first + PITCH // STRIDE].mean((1, 2))
    result.append((on_bar & (under > COVERED)).any(1) | (strip > BAR_COVERED))
    return torch.stack(result, 1)
