"""Drawn boards on an accelerator, and the batches that its networks learn from: mirrored, warped, spoilt, recoloured there."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import torch
import torch.nn.functional as F

from vision.board.geometry import CANONICAL_HEIGHT, CANONICAL_WIDTH, MARGIN_Y, PITCH, canonical_left
from vision.network import SPREAD_FLOOR
from vision.reading.checkers import DETAIL
from vision.training.columns import EQUAL_LUMINANCE, LUMINANCE, PEAK_CELLS, ColumnsBatch
from vision.training.columns_data import STRIDE, Samples
from vision.training.columns_net import COUNTS
from vision.training.dazzle import CELL, dazzle
from vision.training.shared_course import Ring
from vision.training.spoil import DeviceRandom, spoilt

Tensor = Any
MAP_WIDTH, MAP_HEIGHT = CANONICAL_WIDTH // STRIDE, CANONICAL_HEIGHT // STRIDE
WARPED, WARP = 0.5, 0.012
"""Share of pictures that are warped, and by how far a corner moves at most, as a share of the width."""
PASTED, MOST_PASTED = 0.12, 6
"""Share of pictures on which empty columns of other boards are laid over empty ones, and how many at most."""
POINT_PX = 160
"""How far a pasted point reaches from the edge, picture px."""
COLOURLESS = 0.06
"""Share of pictures that are grey."""
BAR_DETAIL = 192 / 448


class Pool:
    """So many drawn boards on the device; new ones take the place of the oldest."""

    def __init__(self, room: int, device: Any) -> None:
        self.device = device
        self._rings = {field.name: Ring(room, device) for field in fields(Samples)}

    def __len__(self) -> int:
        return self._rings["counts"].filled

    @property
    def total(self) -> int:
        """Boards taken in so far."""
        return self._rings["counts"].total

    @property
    def held(self) -> dict[str, Tensor]:
        """(room, ...) of each field."""
        return {name: ring.held for name, ring in self._rings.items()}

    def add(self, samples: Samples) -> None:
        """Lays samples in, the same fields each time."""
        for name, ring in self._rings.items():
            ring.add(getattr(samples, name))

    def chosen(self, index: Tensor) -> dict[str, Tensor]:
        """The fields of these boards."""
        return {name: ring.held[index] for name, ring in self._rings.items()}


def columns_batch(held: dict[str, Tensor], dice: DeviceRandom, *, spoil: bool = True) -> ColumnsBatch:
    """What `columns.make_batch` makes, of boards on the device; spoil: warped, pasted, dazzled and spoilt too."""
    pictures = held["canonical"].permute(0, 3, 1, 2).float()
    counts, hidden, checkers = held["counts"].long(), held["hidden"], held["checkers"].clone()
    pictures, counts, hidden = _mirrored(pictures, counts, hidden, checkers, dice)
    if spoil:
        _pasted(pictures, counts, hidden, dice)
        pictures = _warped(pictures, checkers, dice)
        pictures, hidden = dazzle(pictures, hidden, checkers, dice)
        pictures = spoilt(pictures, dice).round()
    pictures, colours = _recoloured(pictures, held["colours"], dice)
    brightness = colours @ torch.from_numpy(LUMINANCE).to(colours.device)
    turned = (brightness[:, 0] < brightness[:, 1]) & held["drawn"]
    counts = torch.where(turned[:, None, None], counts.flip(2), counts)
    real = checkers[..., 2] >= 0
    checkers[..., 2] = torch.where(turned[:, None] & real, 1 - checkers[..., 2], checkers[..., 2])
    heat, side_map, side_weight = stamped(checkers)
    points = counts[:, :24]
    return ColumnsBatch(
        picture=_exposed(pictures, dice),
        heat=heat,
        side_map=side_map,
        side_weight=side_weight,
        count=points.sum(2).clamp(max=COUNTS - 1),
        side=(points[..., 0] > 0).float(),
        bar=counts[:, 24].clamp(max=COUNTS - 1),
        hidden=hidden.float(),
        swappable=((brightness[:, 0] - brightness[:, 1]).abs() < EQUAL_LUMINANCE) | ~held["drawn"],
        drawn=held["drawn"].float(),
    )


def plain_batch(held: dict[str, Tensor], softened: float = 0.0) -> tuple[Tensor, Tensor, Tensor]:
    """Normalised pictures as the reader makes them, counts (B, 25, 2), hidden (B, 25).

    softened: the share of their size to which pictures are brought down before they are made as large again; 0: they stay.
    """
    pictures = held["canonical"].permute(0, 3, 1, 2).float()
    if softened:
        small = F.interpolate(pictures, scale_factor=softened, mode="area")
        pictures = F.interpolate(small, held["canonical"].shape[1:3], mode="bilinear", align_corners=False)
    return normalised(pictures), held["counts"].long(), held["hidden"]


def normalised(pictures: Tensor) -> Tensor:
    """(B, 3, H, W) as `vision.network.network_input` makes them."""
    mean, spread = pictures.mean((1, 2, 3), keepdim=True), pictures.std((1, 2, 3), keepdim=True)
    return (pictures - mean) / (spread + SPREAD_FLOOR)


def bar_batch(held: dict[str, Tensor], dice: DeviceRandom) -> tuple[Tensor, Tensor]:
    """Normalised pictures (B, 3, H, W) for the bar's network and its edges (B, 2)."""
    pictures, edges = held["rectified"].permute(0, 3, 1, 2).float(), held["bar"]
    flip = dice.uniform(0, 1, len(pictures)) < 0.5
    pictures = torch.where(flip[:, None, None, None], pictures.flip(3), pictures)
    edges = torch.where(flip[:, None], 1 - edges.flip(1), edges)
    flip = dice.uniform(0, 1, len(pictures)) < 0.5
    pictures = torch.where(flip[:, None, None, None], pictures.flip(2), pictures)
    pictures = spoilt(pictures.contiguous(), dice, BAR_DETAIL).round()
    return relit(pictures, dice), edges


def relit(pictures: Tensor, dice: DeviceRandom) -> Tensor:
    """Normalised pictures, in other colours, light and contrast."""
    recoloured, _ = _recoloured(pictures, pictures.new_zeros(len(pictures), 2, 3), dice)
    return _exposed(recoloured, dice)


def stamped(checkers: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """As `columns.stamped`, for (B, n, 3) checkers on the device."""
    y = torch.arange(MAP_HEIGHT, device=checkers.device).float()[:, None]
    x = torch.arange(MAP_WIDTH, device=checkers.device).float()
    gap = (y - checkers[..., 1, None, None]) ** 2 + (x - checkers[..., 0, None, None]) ** 2
    peaks = (-gap / (2 * PEAK_CELLS**2)).exp() * (checkers[..., 2, None, None] >= 0)
    heat, nearest = peaks.max(1)
    side = torch.gather(checkers[..., 2], 1, nearest.flatten(1)).reshape(heat.shape)
    core = heat > 0.5
    return heat, (1 - side) * core, core.float()


def _mirrored(
    pictures: Tensor, counts: Tensor, hidden: Tensor, checkers: Tensor, dice: DeviceRandom
) -> tuple[Tensor, Tensor, Tensor]:
    """Boards mirrored in either direction at random; changes the checkers' places in place."""
    device = pictures.device
    across = torch.cat([torch.arange(11, -1, -1), torch.arange(23, 11, -1), torch.tensor([24])]).to(device)
    down = torch.cat([torch.arange(12, 24), torch.arange(12), torch.tensor([24])]).to(device)
    for axis, order, coordinate, size in ((3, across, 0, MAP_WIDTH), (2, down, 1, MAP_HEIGHT)):
        flip = dice.uniform(0, 1, len(pictures)) < 0.5
        pictures = torch.where(flip[:, None, None, None], pictures.flip(axis), pictures)
        counts = torch.where(flip[:, None, None], counts[:, order], counts)
        hidden = torch.where(flip[:, None], hidden[:, order], hidden)
        place = checkers[..., coordinate]
        checkers[..., coordinate] = torch.where(flip[:, None], size - 1 - place, place)
    return pictures.contiguous(), counts, hidden


def _pasted(pictures: Tensor, counts: Tensor, hidden: Tensor, dice: DeviceRandom) -> None:
    """Lays empty columns of other boards over empty ones: what an empty point looks like tells nothing of the next. In place."""
    empty = (counts[:, :24].sum(2) == 0) & ~hidden[:, :24]
    board, column = empty.nonzero(as_tuple=True)
    if len(board) < 2:
        return
    wanted = dice.uniform(0, 1, len(pictures)) < PASTED
    share = dice.uniform(0, MOST_PASTED / 12, len(pictures))
    target = (wanted[board] & (dice.uniform(0, 1, len(board)) < share[board])).nonzero(as_tuple=True)[0]
    if not len(target):
        return
    source = dice.below(len(board), len(target))
    rows_to, columns_to = _strip(column[target], pictures)
    rows_from, columns_from = _strip(column[source], pictures)
    new = pictures[board[source][:, None, None], :, rows_from, columns_from]
    old = pictures[board[target][:, None, None], :, rows_to, columns_to]
    wide = new.shape[2]
    along = torch.linspace(1, 0.03, POINT_PX, device=pictures.device)[:, None]
    triangle = (torch.linspace(-1, 1, wide, device=pictures.device).abs() <= along).float()
    pointed = (dice.uniform(0, 1, len(target)) < 0.6).float()[:, None, None]
    mask = (pointed * triangle + (1 - pointed)) * dice.uniform(0.4, 1.0, len(target), 1, 1)
    pictures[board[target][:, None, None], :, rows_to, columns_to] = old + mask[..., None] * (new - old)


def _strip(columns: Tensor, pictures: Tensor) -> tuple[Tensor, Tensor]:
    """Rows (k, POINT_PX, 1) from the edge inwards and px across (k, 1, pitch) of these columns."""
    left = torch.tensor([canonical_left(column) * DETAIL for column in range(24)], device=pictures.device)
    across = left[columns][:, None] + torch.arange(PITCH * DETAIL, device=pictures.device)
    down = MARGIN_Y * DETAIL + torch.arange(POINT_PX, device=pictures.device)
    rows = torch.where(columns[:, None] < 12, down, pictures.shape[2] - 1 - down)
    return rows[:, :, None], across[:, None]


def _warped(pictures: Tensor, checkers: Tensor, dice: DeviceRandom) -> Tensor:
    """Corners a little off, so that one drawn board is many; changes the checkers' places in place."""
    count, _, height, width = pictures.shape
    reach = WARP * dice.uniform(0, 1, count, 1, 1, 1) * (dice.uniform(0, 1, count, 1, 1, 1) < WARPED)
    corners = dice.uniform(-1, 1, count, 2, 2, 2) * reach * width
    shift = F.interpolate(corners, (height, width), mode="bilinear", align_corners=True)
    x = torch.arange(width, device=pictures.device).float() + shift[:, 0]
    y = torch.arange(height, device=pictures.device).float()[:, None] + shift[:, 1]
    grid = torch.stack([(2 * x + 1) / width - 1, (2 * y + 1) / height - 1], 3)
    moved = F.grid_sample(pictures, grid, mode="bilinear", padding_mode="border", align_corners=False)
    column = (checkers[..., 0] * CELL).long().clamp(0, width - 1)
    row = (checkers[..., 1] * CELL).long().clamp(0, height - 1)
    board = torch.arange(count, device=pictures.device)[:, None]
    checkers[..., 0] -= shift[board, 0, row, column] / CELL
    checkers[..., 1] -= shift[board, 1, row, column] / CELL
    still = (reach == 0).expand_as(pictures)
    return torch.where(still, pictures, moved)


def _recoloured(pictures: Tensor, colours: Tensor, dice: DeviceRandom) -> tuple[Tensor, Tensor]:
    """Channels swapped and mixed, the same for pictures (B, 3, H, W) and their two checker colours (B, 2, 3)."""
    count = len(pictures)
    order = dice.uniform(0, 1, count, 3).argsort(1)
    swapped = F.one_hot(order, 3).float()
    straight = torch.eye(3, device=pictures.device).expand_as(swapped)
    mix = torch.where(dice.uniform(0, 1, count, 1, 1) < 0.45, swapped, straight)
    mix = mix + 0.2 * dice.normal(count, 3, 3) * (dice.uniform(0, 1, count, 1, 1) < 0.5)
    shares = dice.uniform(0.05, 1, count, 1, 3)
    grey = (shares / shares.sum(2, keepdim=True)).expand_as(mix)
    mix = torch.where(dice.uniform(0, 1, count, 1, 1) < COLOURLESS, grey, mix)
    return torch.einsum("bchw,bdc->bdhw", pictures, mix), torch.einsum("bnc,bdc->bnd", colours, mix)


def _exposed(pictures: Tensor, dice: DeviceRandom) -> Tensor:
    """Normalised, with other light and contrast."""
    count = len(pictures)
    gain = 1 + 0.12 * dice.normal(count, 1, 1, 1)
    offset = 0.15 * dice.normal(count, 1, 1, 1) + 0.08 * dice.normal(count, 3, 1, 1)
    return normalised(pictures) * gain + offset
