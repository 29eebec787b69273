"""Procedural surfaces of the simulated table: felt, leather, wood and cloth, seeded. Colours are BGR 0-255."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from controller.simulation.camera import Array

Colour = tuple[int, int, int]
"""BGR, 0-255."""


def clouds(rng: np.random.Generator, height: int, width: int, cell_y: float, cell_x: float) -> Array:
    """(height, width) float32 smooth noise about 0, standard deviation about 1; cells in px."""
    rows, columns = max(int(height / cell_y), 2) + 1, max(int(width / cell_x), 2) + 1
    seed = rng.standard_normal((rows, columns), np.float32)
    return np.asarray(cv2.resize(seed, (width, height), interpolation=cv2.INTER_CUBIC)) * 1.3


def plain(rng: np.random.Generator, height: int, width: int, colour: Colour, scale: float, rough: float = 1.0) -> Array:
    """(height, width, 3) uint8 felt or cloth: fine fibres and faint clouds. scale: px a cm."""
    fine = rng.standard_normal((height, width), np.float32)
    fine = np.asarray(cv2.GaussianBlur(fine, (0, 0), 0.8)) * 2.2
    shade = 1 + rough * (0.035 * fine + 0.013 * clouds(rng, height, width, scale * 9, scale * 9))
    return _tinted(shade, colour)


def leather(rng: np.random.Generator, height: int, width: int, colour: Colour, scale: float) -> Array:
    """(height, width, 3) uint8 grained leather. scale: px a cm."""
    grain = np.abs(clouds(rng, height, width, scale * 0.15, scale * 0.15))
    shade = 1.04 - 0.07 * grain + 0.02 * clouds(rng, height, width, scale * 8, scale * 8)
    return _tinted(shade, colour)


def wood(rng: np.random.Generator, height: int, width: int, colour: Colour, scale: float, *, upright: bool) -> Array:
    """(height, width, 3) uint8 wood with its grain along x, or along y where `upright`. scale: px a cm."""
    if upright:
        return np.ascontiguousarray(wood(rng, width, height, colour, scale, upright=False).transpose(1, 0, 2))
    waves = clouds(rng, height, width, scale * 2.2, scale * 22)
    rings = np.sin(waves * 4.0 + np.arange(height, dtype=np.float32)[:, None] / scale * 2.1)
    fibres = clouds(rng, height, width, max(scale * 0.07, 1.0), scale * 5)
    streaks = clouds(rng, height, width, scale * 0.35, scale * 12)
    shade = 1 + 0.05 * rings + 0.04 * fibres + 0.05 * streaks
    return _tinted(shade, colour)


def _tinted(shade: Array, colour: Colour) -> Array:
    """(h, w) float32 brightness times a colour, as (h, w, 3) uint8."""
    return np.asarray(cv2.merge([_as_bytes(shade * np.float32(part)) for part in colour]))


def inked(under: Array, ink: Array, share: Array) -> Array:
    """(h, w, 3) uint8 of two such pictures, with `share` (h, w) float32 0-1 of the ink."""
    clear = 1 - share
    return by_channel(lambda below, above: below * clear + above * share, under, ink)


def by_channel(made: Callable[..., Array], *pictures: Array) -> Array:
    """(h, w, 3) uint8 of (h, w, 3) pictures, channel by channel, which is thrice as fast as planes broadcast over channels."""
    return np.asarray(cv2.merge([_as_bytes(made(*planes)) for planes in zip(*map(cv2.split, pictures), strict=True)]))


def _as_bytes(plane: Array) -> Array:
    return np.clip(plane, 0, 255, out=plane).astype(np.uint8)
