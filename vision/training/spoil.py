"""Spoils batches of pictures where the network learns, on an accelerator: what `roughen.py` does to one, and more.

Pictures are (B, 3, H, W) float32 tensors, BGR, 0-255, on any device; each picture of a batch meets another fate.
"""

from __future__ import annotations

from typing import Any

import torch
import torch.nn.functional as F

Tensor = Any
Generator = Any

SPOILT = 0.7
SHADED = 0.25
"""Of those spoilt: in sun and shade with edges."""
SMALLEST_LEAVES = 18
"""Patches of sun and shade across a picture at most, where they fall through leaves."""
BLUR_REACH = 15
SHAKE_REACH = 7
WIDE = 400
"""Cells of a kernel from which pictures are spread by Fourier's transform, which costs the same however wide it is."""
LUMINANCE_STEPS = (
    (16, 11, 10, 16, 24, 40, 51, 61),
    (12, 12, 14, 19, 26, 58, 60, 55),
    (14, 13, 16, 24, 40, 57, 69, 56),
    (14, 17, 22, 29, 51, 87, 80, 62),
    (18, 22, 37, 56, 68, 109, 103, 77),
    (24, 35, 55, 64, 81, 104, 113, 92),
    (49, 64, 78, 87, 103, 121, 120, 101),
    (72, 92, 95, 98, 112, 100, 103, 99),
)
"""Quantisation of JPEG's luminance at quality 50."""
CHROMA_STEPS = (17.0, 18.0, 24.0, 47.0, 99.0)
"""The same of its colours, by the sum of both frequencies; the last holds from 4 on."""


class DeviceRandom:
    """Random numbers on the pictures' device."""

    def __init__(self, device: Any, seed: int) -> None:
        self.device = device
        self._generator = torch.Generator(device=device)
        self._generator.manual_seed(seed)

    def uniform(self, low: float, high: float, *shape: int) -> Tensor:
        """Evenly between low and high."""
        return low + (high - low) * torch.rand(shape, generator=self._generator, device=self.device)

    def log_uniform(self, low: float, high: float, *shape: int) -> Tensor:
        """Evenly in their logarithms."""
        span = torch.tensor([low, high]).log().tolist()
        return self.uniform(span[0], span[1], *shape).exp()

    def normal(self, *shape: int) -> Tensor:
        """Mean 0, deviation 1."""
        return torch.randn(shape, generator=self._generator, device=self.device)

    def below(self, limit: int, *shape: int) -> Tensor:
        """Whole numbers from 0 to limit - 1."""
        return torch.randint(limit, shape, generator=self._generator, device=self.device)


def spoilt(pictures: Tensor, dice: DeviceRandom, detail: float = 1.0) -> Tensor:
    """As worse light and worse cameras show them; two in five stay as they are. detail: scales lengths, 1 for 448 px."""
    count = len(pictures)
    poor = dice.uniform(0, 1, count) < SPOILT
    camera, chip, light, lamp, tone = (torch.where(poor, dice.uniform(0, 1, count), 1.0) for _ in range(5))
    _each(pictures, light < 0.3, lambda some: _unevenly_lit(some, dice))
    _each(pictures, (light >= 0.3) & (light < 0.3 + SHADED), lambda some: shaded(some, dice))
    _each(pictures, lamp < 0.08, lambda some: _mirrored_lamp(some, dice))
    _each(pictures, camera < 0.30, lambda some: _focused(some, dice, detail))
    for low in (0.30, 0.34, 0.38):
        _each(pictures, (camera >= low) & (camera < low + 0.04), lambda some: _coarse(some, dice))
    _each(pictures, (camera >= 0.42) & (camera < 0.48), lambda some: _shaken(some, dice, detail))
    _each(pictures, tone < 0.25, lambda some: _toned(some, dice))
    _each(pictures, (tone >= 0.25) & (tone < 0.35), lambda some: _lamplit(some, dice))
    _each(pictures, chip < 0.12, lambda some: _dark(some, dice))
    _each(pictures, (chip >= 0.12) & (chip < 0.24), lambda some: _noisy(some, dice))
    _each(pictures, (chip >= 0.19) & (chip < 0.38), lambda some: _packed(some, dice))
    return pictures.clamp(0, 255)


def _each(pictures: Tensor, chosen: Tensor, change: Any) -> None:
    """Changes the chosen pictures in place."""
    (index,) = chosen.nonzero(as_tuple=True)
    if len(index):
        pictures[index] = change(pictures[index]).clamp(0, 255)


def _unevenly_lit(pictures: Tensor, dice: DeviceRandom) -> Tensor:
    """Light that changes slowly over the board, or falls off at an edge of shade."""
    count, _, height, width = pictures.shape
    slow = F.interpolate(dice.normal(count, 1, 3, 3), (height, width), mode="bicubic", align_corners=True)
    factor = (slow * dice.uniform(0, 0.35, count, 1, 1, 1)).exp()
    turn, across = dice.uniform(0, 6.283, count, 1, 1), dice.uniform(-0.8, 0.8, count, 1, 1)
    y = torch.linspace(-1, 1, height, device=pictures.device)[None, :, None]
    x = torch.linspace(-1, 1, width, device=pictures.device)[None, None]
    side = (x * turn.cos() + y * turn.sin() - across) * dice.log_uniform(3, 80, count, 1, 1)
    shade = torch.sigmoid(side) * dice.uniform(0, 0.8, count, 1, 1) * (dice.uniform(0, 1, count, 1, 1) < 0.3)
    return pictures * factor * (1 - shade[:, None])


def shaded(pictures: Tensor, dice: DeviceRandom) -> Tensor:
    """Sun and shade with edges: through blinds, a window's bars, one window, or leaves; what lies in the sun may be burnt out.

    The shade is bluer than the sun, as it is lit by the sky.
    """
    count, _, height, width = pictures.shape
    y = torch.linspace(-1, 1, height, device=pictures.device)[None, :, None] * (height / width)
    x = torch.linspace(-1, 1, width, device=pictures.device)[None, None]

    def some(low: float, high: float) -> Tensor:
        return dice.uniform(low, high, count, 1, 1)

    turn, steep = some(0, 6.283), dice.log_uniform(4, 60, count, 1, 1)
    along, across = x * turn.cos() + y * turn.sin(), y * turn.cos() - x * turn.sin()
    waves = [
        ((way * dice.log_uniform(4, 50, count, 1, 1) + some(0, 6.283)).sin() - some(-0.6, 0.6)) * steep
        for way in (along, across)
    ]
    cells = int(float(dice.uniform(4, SMALLEST_LEAVES, 1)))
    leaves = F.interpolate(dice.normal(count, 1, cells, cells), (height, width), mode="bicubic", align_corners=True)
    window = torch.minimum(
        some(0.15, 0.6) - (along - some(-0.5, 0.5)).abs(), some(0.15, 0.6) - (across - some(-0.5, 0.5)).abs()
    )
    kinds = (waves[0], torch.minimum(*waves), (leaves[:, 0] - some(-0.5, 0.7)) * steep, window * 2 * steep)
    kind = dice.below(len(kinds), count)
    sun = torch.sigmoid(torch.stack(kinds, 1)[torch.arange(count, device=pictures.device), kind])[:, None]
    cast = torch.stack([1 + some(0, 0.15), torch.ones_like(turn), 1 - some(0, 0.15)], 1)
    shade = dice.uniform(0.2, 0.75, count, 1, 1, 1) * cast
    return pictures * (shade + (1 - shade) * sun) * dice.uniform(0.9, 1.7, count, 1, 1, 1)


def _mirrored_lamp(pictures: Tensor, dice: DeviceRandom) -> Tensor:
    """A soft bright spot, as lacquer and plastic mirror lamps."""
    count, _, height, width = pictures.shape
    y = torch.arange(height, device=pictures.device)[None, :, None] - dice.uniform(0, height, count, 1, 1)
    x = torch.arange(width, device=pictures.device)[None, None] - dice.uniform(0, width, count, 1, 1)
    spread = dice.log_uniform(0.02, 0.12, count, 2, 1, 1) * width
    spot = (-((x / spread[:, 0]) ** 2 + (y / spread[:, 1]) ** 2) / 2).exp()
    return pictures + (spot * dice.uniform(20, 150, count, 1, 1))[:, None]


def spread(pictures: Tensor, kernels: Tensor) -> Tensor:
    """(N, C, H, W) pictures, each with its own kernel (N, h, w), h and w odd; their edges go on beyond themselves."""
    count, channels, height, width = pictures.shape
    down, across = kernels.shape[1] // 2, kernels.shape[2] // 2
    flat = pictures.reshape(1, count * channels, height, width)
    flat = F.pad(flat, (across, across, down, down), mode="replicate")
    if kernels[0].numel() >= WIDE:
        # A convolution turns what correlates with a kernel upside down, and wraps around within the padding alone.
        size = flat.shape[2:]
        made = torch.fft.rfft2(flat[0].reshape(count, channels, *size))
        made = torch.fft.irfft2(made * torch.fft.rfft2(kernels.flip(1, 2), size)[:, None], size)
        return made[..., 2 * down :, 2 * across :].contiguous()
    each = kernels.repeat_interleave(channels, 0)[:, None]
    return F.conv2d(flat, each, groups=count * channels).reshape(pictures.shape)


def _blurred(pictures: Tensor, deviation: Tensor) -> Tensor:
    """Softened by a Gaussian, each picture with its own deviation, px."""
    away = torch.arange(-BLUR_REACH, BLUR_REACH + 1, device=pictures.device).float()
    kernel = (-((away[None] / deviation[:, None]) ** 2) / 2).exp()
    kernel = kernel / kernel.sum(1, keepdim=True)
    return spread(spread(pictures, kernel[:, None]), kernel[:, :, None])


def _focused(pictures: Tensor, dice: DeviceRandom, detail: float) -> Tensor:
    """Two in three out of focus, the others sharpened as phones do."""
    count = len(pictures)
    out = dice.uniform(0, 1, count) < 0.67
    deviation = torch.where(out, dice.log_uniform(0.5, 5.0, count), dice.uniform(0.7, 3.0, count)) * detail
    share = torch.where(out, torch.ones_like(deviation), -dice.uniform(0.4, 2.0, count))
    return pictures + share[:, None, None, None] * (_blurred(pictures, deviation.clamp(min=0.25)) - pictures)


def _coarse(pictures: Tensor, dice: DeviceRandom) -> Tensor:
    """Taken with fewer px and made as large again."""
    height, width = pictures.shape[2:]
    share = float(dice.uniform(0.2, 0.75, 1))
    small = F.interpolate(pictures, (int(height * share), int(width * share)), mode="area")
    how = ("bilinear", "bicubic", "nearest")[min(int(float(dice.uniform(0, 2.2, 1))), 2)]
    corners = {} if how == "nearest" else {"align_corners": False}
    return F.interpolate(small, (height, width), mode=how, **corners)


def _shaken(pictures: Tensor, dice: DeviceRandom, detail: float) -> Tensor:
    """Moved in one direction while the shutter was open."""
    count = len(pictures)
    turn, reach = dice.uniform(0, 3.1416, count, 1, 1), dice.uniform(1.5, SHAKE_REACH, count, 1, 1) * detail
    place = torch.arange(-SHAKE_REACH, SHAKE_REACH + 1, device=pictures.device).float()
    y, x = place[None, :, None], place[None, None]
    along, across = x * turn.cos() + y * turn.sin(), y * turn.cos() - x * turn.sin()
    kernel = (1 - across.abs()).clamp(min=0) * (reach + 0.5 - along.abs()).clamp(0, 1)
    return spread(pictures, kernel / kernel.sum((1, 2), keepdim=True))


def _toned(pictures: Tensor, dice: DeviceRandom) -> Tensor:
    """Other light, other tone curve, weaker colours."""
    count = len(pictures)
    cast = dice.uniform(0.75, 1.25, count, 3, 1, 1)
    toned = 255 * (pictures * cast / 255).clamp(0, 1) ** (0.35 * dice.normal(count, 1, 1, 1)).exp()
    grey = toned.mean(1, keepdim=True)
    return grey + (toned - grey) * dice.uniform(0.0, 1.5, count, 1, 1, 1)


def _lamplit(pictures: Tensor, dice: DeviceRandom) -> Tensor:
    """In the warm light of bulbs or the blue one of dusk, with a camera that does not balance it."""
    warm = dice.uniform(-0.8, 0.8, len(pictures), 1, 1)
    cast = torch.stack([(-warm).exp(), dice.uniform(0.85, 1.05, *warm.shape), warm.exp()], 1).clamp(0.35, 1.4)
    return pictures * cast


def _dark(pictures: Tensor, dice: DeviceRandom) -> Tensor:
    """Little light, much gain: few levels and coloured noise."""
    count = len(pictures)
    light = dice.uniform(0.08, 0.5, count, 1, 1, 1)
    noise = _grain(pictures, dice) * dice.uniform(1, 5, count, 1, 1, 1)
    levels = (pictures * light + noise).round().clamp(0, 255)
    gain = torch.where(dice.uniform(0, 1, count, 1, 1, 1) < 0.4, 1.0, dice.uniform(0.5, 1.0, count, 1, 1, 1) / light)
    return levels * gain


def _noisy(pictures: Tensor, dice: DeviceRandom) -> Tensor:
    return pictures + _grain(pictures, dice) * dice.uniform(3, 18, len(pictures), 1, 1, 1)


def _grain(pictures: Tensor, dice: DeviceRandom) -> Tensor:
    """Noise of deviation 1, fine in half of the pictures, soft in the others."""
    fine = dice.normal(*pictures.shape)
    soft = F.avg_pool2d(fine, 3, 1, 1) * 3
    return torch.where(dice.uniform(0, 1, len(pictures), 1, 1, 1) < 0.5, fine, soft)


def _packed(pictures: Tensor, dice: DeviceRandom) -> Tensor:
    """Packed as JPEG with quality 8 to 60, colours at half the size; sides must be multiples of 16."""
    count = len(pictures)
    blue, green, red = pictures.unbind(1)
    grey = 0.299 * red + 0.587 * green + 0.114 * blue
    colours = torch.stack([0.564 * (blue - grey), 0.713 * (red - grey)], 1)
    quality = dice.uniform(8, 60, count)
    scale = torch.where(quality < 50, 50 / quality, 2 - quality / 50)[:, None, None]
    steps = (torch.tensor(LUMINANCE_STEPS, device=pictures.device) * scale).clamp(1, 255)
    frequency = torch.arange(8, device=pictures.device)
    order = (frequency[:, None] + frequency).clamp(max=len(CHROMA_STEPS) - 1)
    coarse = (torch.tensor(CHROMA_STEPS, device=pictures.device)[order] * scale).clamp(1, 255)
    grey = _quantised(grey[:, None] - 128, steps) + 128
    small = _quantised(F.avg_pool2d(colours, 2), coarse)
    blue_off, red_off = F.interpolate(small, pictures.shape[2:], mode="bilinear", align_corners=False).unbind(1)
    grey = grey[:, 0]
    blue, red = grey + blue_off / 0.564, grey + red_off / 0.713
    return torch.stack([blue, (grey - 0.299 * red - 0.114 * blue) / 0.587, red], 1)


def _quantised(planes: Tensor, steps: Tensor) -> Tensor:
    """(B, C, H, W) planes whose 8 x 8 blocks' cosine transforms are rounded to (B, 8, 8) steps."""
    count, channels, height, width = planes.shape
    index = torch.arange(8, device=planes.device).float()
    waves = torch.cos((2 * index[None] + 1) * index[:, None] * torch.pi / 16) / 2
    waves[0] /= 2**0.5
    blocks = planes.reshape(count, channels, height // 8, 8, width // 8, 8).transpose(3, 4)
    steps = steps[:, None, None, None]
    spectrum = (waves @ blocks @ waves.T / steps).round() * steps
    return (waves.T @ spectrum @ waves).transpose(3, 4).reshape(planes.shape)
