"""Noise, grain and colours that drawn boards are made of."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Colour = npt.NDArray[np.float32]
"""(3,) float32, BGR, 0-255."""
FloatImage = npt.NDArray[np.float32]
Rng = np.random.Generator

TILE = 1024
BANK_SEED = 7


def blotches(rng: Rng, octaves: int = 5, stretch: float = 1.0) -> FloatImage:
    """(TILE, TILE) float32 fractal noise, mean 0, deviation 1; stretch > 1 draws it out along x as grain."""
    total = np.zeros((TILE, TILE), np.float32)
    strength = 1.0
    for octave in range(octaves):
        cells = 2 ** (octave + 2)
        rows = min(max(2, int(cells * stretch)), TILE)
        noise = rng.standard_normal((rows, cells)).astype(np.float32)
        total += strength * cv2.resize(noise, (TILE, TILE), interpolation=cv2.INTER_CUBIC)
        strength *= 0.6
    return _normalised(total)


def wood(rng: Rng) -> FloatImage:
    """(TILE, TILE) float32 wood grain along x with growth rings, mean 0, deviation 1."""
    rings = np.sin(np.linspace(0, rng.uniform(15, 70), TILE, dtype=np.float32)[:, None] + 1.5 * blotches(rng, 3))
    return _normalised(0.7 * blotches(rng, 6, rng.uniform(6, 20)) + 0.7 * rings)


def marble(rng: Rng) -> FloatImage:
    """(TILE, TILE) float32 veins as in pearl and swirl checkers, mean 0, deviation 1."""
    return _normalised(np.sin(rng.uniform(3, 9) * blotches(rng, 4) + rng.uniform(0, 6)))


def _normalised(image: npt.NDArray[Any]) -> FloatImage:
    return np.asarray((image - image.mean()) / (image.std() + 1e-6), np.float32)


@lru_cache(maxsize=1)
def bank() -> tuple[FloatImage, ...]:
    """The tiles that all boards draw their textures from; the same in every process."""
    rng = np.random.default_rng(BANK_SEED)
    tiles = [blotches(rng) for _ in range(9)] + [wood(rng) for _ in range(16)] + [marble(rng) for _ in range(8)]
    tiles += [rng.standard_normal((TILE, TILE)).astype(np.float32) for _ in range(5)]
    tiles += [
        _normalised(cv2.GaussianBlur(rng.standard_normal((TILE, TILE)).astype(np.float32), (0, 0), s))
        for s in (1, 1.6, 2.4)
    ]
    return tuple(np.ascontiguousarray(tile.T) if rng.random() < 0.5 else tile for tile in tiles)


@lru_cache(maxsize=1)
def sensor_noise() -> FloatImage:
    """(1200, 1600, 3) float32 white noise, deviation 1, to cut a picture's noise from."""
    return np.random.default_rng(BANK_SEED + 1).standard_normal((1200, 1600, 3)).astype(np.float32)


def patch(rng: Rng, height: int, width: int) -> FloatImage:
    """(height, width) float32 cut at random from a random tile of the bank, drawn out where that is smaller."""
    tiles = bank()
    tile = tiles[int(rng.integers(len(tiles)))]
    longest = max(height, width)
    rows, columns = (side if longest < TILE else side * (TILE - 1) // longest for side in (height, width))
    y, x = int(rng.integers(0, TILE - rows)), int(rng.integers(0, TILE - columns))
    cut = tile[y : y + rows, x : x + columns]
    return cut if longest < TILE else np.asarray(cv2.resize(cut, (width, height)), np.float32)


def any_colour(rng: Rng, value: tuple[float, float] = (0.03, 0.97), saturation: float | None = None) -> Colour:
    """A colour of any hue; value and saturation run from 0 to 1."""
    strength = rng.beta(1.1, 1.6) if saturation is None else saturation
    hsv = np.array([[[rng.random() * 180, strength * 255, rng.uniform(*value) * 255]]], np.float32).astype(np.uint8)
    return np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0], np.float32)


def wood_colour(rng: Rng) -> Colour:
    """Browns and yellows from pale maple to dark walnut."""
    brown = np.array([rng.uniform(15, 120), rng.uniform(40, 155), rng.uniform(60, 215)], np.float32)
    return np.asarray(np.sort(brown) * rng.uniform(0.4, 1.15), np.float32)


def usual_colour(rng: Rng) -> Colour:
    """What boards and checkers usually are: near black, near white, wood, or anything."""
    kind = rng.random()
    if kind < 0.3:
        return any_colour(rng, (0.02, 0.25), rng.uniform(0, 0.3))
    if kind < 0.58:
        return any_colour(rng, (0.72, 1), rng.uniform(0, 0.35))
    return wood_colour(rng) if kind < 0.8 else any_colour(rng)


def luminance(colour: Colour) -> float:
    """Brightness 0-255 as the eye weighs it (Rec. 601)."""
    return float(colour @ np.array([0.114, 0.587, 0.299], np.float32))
