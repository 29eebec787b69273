"""Spoils pictures for the networks that find the board as cameras, light and the web do, where the tensors live."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import torch
import torch.nn.functional as F

from vision.network import SPREAD_FLOOR
from vision.training.spoil import spread
from vision.training.texture import Rng

Tensor = Any
FloatArray = npt.NDArray[np.float64]
COVERED = 0.2
"""Pictures with a piece of another over some of them."""


def spoilt(pictures: Tensor, rng: Rng, detail: float = 1.0, fours: int = 1) -> Tensor:
    """(B, 3, H, W) 0-255 as a network gets them: blurred, sharpened, coarse, dark, noisy, packed, covered, recoloured.

    detail: scales blurs; fours: so many pictures after one another are one camera's, whose colours change together.
    """
    device, count = pictures.device, len(pictures)
    cameras = count // fours

    def each(values: FloatArray) -> Tensor:
        return torch.from_numpy(np.repeat(values, fours, axis=0).astype(np.float32)).to(device)[:, None, None, None]

    x = _covered(pictures, rng) if fours == 1 else pictures
    x = _coarse(x, rng)
    kind = rng.random(cameras)
    deviation = np.exp(rng.uniform(np.log(0.3), np.log(2.6), cameras)) * detail
    amount = np.where(kind < 0.22, 1.0, np.where(kind < 0.36, -rng.uniform(0.4, 2.2, cameras), 0.0))
    x = x + each(amount) * (_blurred(x, np.repeat(deviation, fours)) - x)
    if rng.random() < 0.25:
        x = _shaken(x, rng, detail)
    bent = rng.random(cameras) < 0.4
    power = np.where(bent, np.exp(rng.normal(0, 0.4, cameras)), 1.0)
    x = 255 * (x.clamp(1, 255) / 255) ** each(power)
    dark = rng.random(cameras) < 0.1
    light = np.where(dark, rng.uniform(0.06, 0.5, cameras), 1.0)
    noise = np.where(rng.random(cameras) < 0.35, rng.uniform(1, 16, cameras), 0.0) * np.where(dark, 0.35, 1.0)
    grain = torch.randn_like(x)
    if rng.random() < 0.4:
        grain = F.avg_pool2d(grain, 3, 1, 1) * 2.2
    x = (x * each(light) + grain * each(noise)).clamp(0, 255).round()
    if rng.random() < 0.6:
        x = _packed(x, rng)
    mix = np.tile(np.eye(3), (cameras, 1, 1))
    for index in np.flatnonzero(rng.random(cameras) < 0.35):
        mix[index] = mix[index][rng.permutation(3)]
    mix = mix + rng.normal(0, 0.12, mix.shape) * (rng.random((cameras, 1, 1)) < 0.5)
    grey = rng.random(cameras) < 0.1
    mix[grey] = mix[grey].mean(axis=1, keepdims=True)
    mixing = torch.from_numpy(np.repeat(mix, fours, axis=0).astype(np.float32)).to(device)
    x = torch.einsum("bchw,bdc->bdhw", x, mixing)
    mean, spread = x.mean((1, 2, 3), keepdim=True), x.std((1, 2, 3), keepdim=True)
    gain = 1 + 0.12 * torch.randn(count, 1, 1, 1, device=device)
    offset = 0.15 * torch.randn(count, 1, 1, 1, device=device) + 0.08 * torch.randn(count, 3, 1, 1, device=device)
    return (x - mean) / (spread + SPREAD_FLOOR) * gain + offset


def _blurred(x: Tensor, deviation: FloatArray) -> Tensor:
    """Each picture with its own Gaussian."""
    reach = 6
    axis = torch.arange(-reach, reach + 1, device=x.device, dtype=torch.float32)
    kernel = torch.exp(-(axis**2) / (2 * torch.from_numpy(deviation).float().to(x.device)[:, None].clamp(min=0.2) ** 2))
    kernel = kernel / kernel.sum(1, keepdim=True)
    return spread(spread(x, kernel[:, :, None]), kernel[:, None])


def _coarse(x: Tensor, rng: Rng) -> Tensor:
    """A tenth of the pictures taken with fewer px and made as large again."""
    chosen = np.flatnonzero(rng.random(len(x)) < 0.12)
    if not len(chosen):
        return x
    index = torch.from_numpy(chosen).to(x.device)
    size = x.shape[2:]
    small = F.interpolate(x[index], scale_factor=rng.uniform(0.22, 0.75), mode="area")
    how = ("bilinear", "bicubic", "nearest")[int(rng.choice(3, p=[0.55, 0.35, 0.1]))]
    large = F.interpolate(small, size=tuple(size), mode=how)
    return x.index_copy(0, index, large.clamp(0, 255))


def _shaken(x: Tensor, rng: Rng, detail: float) -> Tensor:
    """A quarter of the pictures moved in one direction while the shutter was open."""
    index = torch.from_numpy(np.flatnonzero(rng.random(len(x)) < 0.25)).to(x.device)
    if not len(index):
        return x
    turn, half = rng.uniform(0, np.pi), rng.uniform(0.7, 4.0) * detail
    steps = [(half * share * np.cos(turn), half * share * np.sin(turn)) for share in np.linspace(-1, 1, 7)]
    total = torch.zeros_like(x[index])
    height, width = x.shape[2:]
    for across, down in steps:
        theta = torch.tensor(
            [[1, 0, 2 * across / width], [0, 1, 2 * down / height]], device=x.device, dtype=torch.float32
        )
        grid = F.affine_grid(theta.expand(len(index), 2, 3), list(total.shape), align_corners=False)
        total = total + F.grid_sample(x[index], grid, padding_mode="border", align_corners=False)
    return x.index_copy(0, index, total / len(steps))


def _covered(x: Tensor, rng: Rng) -> Tensor:
    """A piece of another picture, an arm's or a cup's size, over some of the pictures."""
    count, size = len(x), x.shape[2]
    there = rng.random(count) < COVERED
    middle, half = rng.uniform(0, size, (count, 2)), size * np.exp(rng.uniform(np.log(0.02), np.log(0.2), (count, 2)))
    half[rng.random(count) < 0.3, 0] *= 4
    turn = rng.uniform(0, np.pi, count)
    middle, half, turn, shown = (
        torch.from_numpy(value.astype(np.float32)).to(x.device) for value in (middle, half, turn, there)
    )
    axis = torch.arange(size, device=x.device, dtype=torch.float32)
    dx, dy = axis[None, None, :] - middle[:, 0, None, None], axis[None, :, None] - middle[:, 1, None, None]
    cos, sin = torch.cos(turn)[:, None, None], torch.sin(turn)[:, None, None]
    along, away = (dx * cos + dy * sin) / half[:, 0, None, None], (dy * cos - dx * sin) / half[:, 1, None, None]
    power = 2.0 if rng.random() < 0.5 else 8.0
    soft = torch.sigmoid((1 - along.abs() ** power - away.abs() ** power) * 12) * shown[:, None, None]
    other = x.roll(int(rng.integers(1, count)) if count > 1 else 0, 0)
    if rng.random() < 0.5:
        other = other.mean((2, 3), keepdim=True) * 0.7 + other.roll(size // 3, 2) * 0.3
    return x + (other - x) * soft[:, None]


def _packed(x: Tensor, rng: Rng) -> Tensor:
    """A fifth of the pictures as JPEG packs them: blocks of 8 x 8, their finer waves rounded away."""
    index = torch.from_numpy(np.flatnonzero(rng.random(len(x)) < 0.2)).to(x.device)
    if not len(index):
        return x
    n = np.arange(8)
    waves = np.cos((2 * n[None] + 1) * n[:, None] * np.pi / 16) * np.where(n[:, None] == 0, np.sqrt(1 / 8), 0.5)
    basis = torch.from_numpy(waves.astype(np.float32)).to(x.device)
    step = torch.from_numpy((8 + 7.0 * (n[:, None] + n[None])).astype(np.float32)).to(x.device) * float(
        np.exp(rng.uniform(np.log(0.4), np.log(4.0)))
    )
    part = x[index]
    count, _, height, width = part.shape
    blocks = part.reshape(count, 3, height // 8, 8, width // 8, 8)
    coded = torch.einsum("ui,bcyixj,vj->bcyuxv", basis, blocks - 128, basis)
    coded = torch.round(coded / step[:, None, :]) * step[:, None, :]
    back = torch.einsum("ui,bcyuxv,vj->bcyixj", basis, coded, basis) + 128
    return x.index_copy(0, index, back.reshape(part.shape).clamp(0, 255))
