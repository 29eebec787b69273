"""Procedural surfaces of the simulated table: felt, leather, wood and cloth, seeded. Colours are BGR 0-255."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import cv2
import numpy as np

from controller.simulation.camera import Array

Colour = tuple[int, int, int]
"""BGR, 0-255."""

ROWS_AT_ONCE = 32


def clouds(rng: np.random.Generator, height: int, width: int, cell_y: float, cell_x: float) -> Array:
    """(height, width) float32 smooth noise about 0, standard deviation about 1; cells in px."""
    rows, columns = max(int(height / cell_y), 2) + 1, max(int(width / cell_x), 2) + 1
    seed = rng.standard_normal((rows, columns), np.float32)
    smooth: Array = np.asarray(cv2.resize(seed, (width, height), interpolation=cv2.INTER_CUBIC))
    smooth *= 1.3
    return smooth


def plain(rng: np.random.Generator, height: int, width: int, colour: Colour, scale: float, rough: float = 1.0) -> Array:
    """(height, width, 3) uint8 felt or cloth: fine fibres and faint clouds. scale: px a cm."""
    fine = rng.standard_normal((height, width), np.float32)
    fine = np.asarray(cv2.GaussianBlur(fine, (0, 0), 0.8))
    faint = clouds(rng, height, width, scale * 9, scale * 9)
    return _tinted(lambda fine, faint: 1 + rough * (0.035 * (fine * 2.2) + 0.013 * faint), colour, fine, faint)


def leather(rng: np.random.Generator, height: int, width: int, colour: Colour, scale: float) -> Array:
    """(height, width, 3) uint8 grained leather. scale: px a cm."""
    grain = clouds(rng, height, width, scale * 0.15, scale * 0.15)
    faint = clouds(rng, height, width, scale * 8, scale * 8)
    return _tinted(lambda grain, faint: 1.04 - 0.07 * np.abs(grain) + 0.02 * faint, colour, grain, faint)


def wood(rng: np.random.Generator, height: int, width: int, colour: Colour, scale: float, *, upright: bool) -> Array:
    """(height, width, 3) uint8 wood with its grain along x, or along y where `upright`. scale: px a cm."""
    if upright:
        return np.ascontiguousarray(wood(rng, width, height, colour, scale, upright=False).transpose(1, 0, 2))
    waves = clouds(rng, height, width, scale * 2.2, scale * 22)
    fibres = clouds(rng, height, width, max(scale * 0.07, 1.0), scale * 5)
    streaks = clouds(rng, height, width, scale * 0.35, scale * 12)
    down = np.arange(height, dtype=np.float32)[:, None] / scale * 2.1

    def shade(waves: Array, fibres: Array, streaks: Array, down: Array) -> Array:
        return np.asarray(1 + 0.05 * np.sin(waves * 4.0 + down) + 0.04 * fibres + 0.05 * streaks)

    return _tinted(shade, colour, waves, fibres, streaks, down)


def bands(rows: int) -> Iterator[slice]:
    """The rows of a picture, so few at a time that what is made of them stays in the processor's cache."""
    return (slice(first, first + ROWS_AT_ONCE) for first in range(0, rows, ROWS_AT_ONCE))


def _tinted(shade: Callable[..., Array], colour: Colour, *planes: Array) -> Array:
    """The brightness that is made of float32 planes (h, w), times a colour, as (h, w, 3) uint8."""
    drawn = np.empty((*planes[0].shape, 3), np.uint8)
    for band in bands(len(drawn)):
        bright = shade(*(plane[band] for plane in planes))
        cv2.merge([_as_bytes(bright * np.float32(part)) for part in colour], drawn[band])
    return drawn


def inked(under: Array, ink: Array, share: Array) -> Array:
    """(h, w, 3) uint8 of two such pictures, with `share` (h, w) float32 0-1 of the ink."""
    return by_channel(lambda below, above, share: below * (1 - share) + above * share, [under, ink], share)


def by_channel(made: Callable[..., Array], pictures: Sequence[Array], *planes: Array) -> Array:
    """(h, w, 3) uint8 of (h, w, 3) pictures, channel by channel, which is thrice as fast as planes broadcast over channels.

    made: makes one channel of a channel of each picture and of the planes (h, w).
    """
    drawn = np.empty(pictures[0].shape, np.uint8)
    for band in bands(len(drawn)):
        channels = zip(*(cv2.split(picture[band]) for picture in pictures), strict=True)
        here = [plane[band] for plane in planes]
        cv2.merge([_as_bytes(made(*each, *here)) for each in channels], drawn[band])
    return drawn


def _as_bytes(plane: Array) -> Array:
    return np.clip(plane, 0, 255, out=plane).astype(np.uint8)
