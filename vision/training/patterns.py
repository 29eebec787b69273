"""Leaves, cloth, stone, tiles, print, made by chance alone: laid over boards they teach that texture tells nothing."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.training import texture
from vision.training.texture import FloatImage, Rng, any_colour

TILE = 512
BANK_SEED = 11
TILES = 60
Tile = npt.NDArray[np.uint8]
"""(TILE, TILE, 3) uint8 BGR."""
LETTERS = tuple("ABCDEFGHIKLMNOPRSTUVWXYZabcdefghiklmnoprstuvwxyz0123456789&.,:-")


@lru_cache(maxsize=1)
def bank() -> tuple[Tile, ...]:
    """The tiles that every board's patterns are cut from; the same in every process."""
    rng = np.random.default_rng(BANK_SEED)
    makers = (_leaves, _leaves, _leaves, _cloth, _stone, _tiles, _print, _rings, _mosaic, _clouds)
    return tuple(makers[index % len(makers)](rng) for index in range(TILES))


def cut(rng: Rng, height: int, width: int) -> FloatImage:
    """(height, width, 3) float32, 0-255: a piece of any tile, at any size, mirrored and recoloured."""
    tile = bank()[int(rng.integers(TILES))]
    zoom = float(np.exp(rng.uniform(np.log(0.4), np.log(4.0))))
    rows, columns = (int(np.clip(side / zoom, 6, TILE)) for side in (height, width))
    y, x = int(rng.integers(0, TILE - rows + 1)), int(rng.integers(0, TILE - columns + 1))
    piece = cv2.resize(tile[y : y + rows, x : x + columns], (width, height), interpolation=cv2.INTER_LINEAR)
    if rng.random() < 0.5:
        piece = piece[:, ::-1]
    if rng.random() < 0.5:
        piece = piece[..., rng.permutation(3)]
    if rng.random() < 0.3:
        piece = np.repeat(piece.mean(axis=2, keepdims=True), 3, axis=2)
    return np.ascontiguousarray(piece, np.float32)


def _colours(rng: Rng, count: int) -> list[tuple[float, ...]]:
    """A few colours that go together more or less, as on things that people make."""
    base, spread = any_colour(rng), rng.uniform(10, 120)
    kin = [np.clip(base + rng.normal(0, spread, 3), 0, 255) for _ in range(count)]
    return [tuple(colour.tolist()) for colour in (kin if rng.random() < 0.6 else [any_colour(rng) for _ in kin])]


def _ground(rng: Rng, colour: tuple[float, ...]) -> Tile:
    return np.full((TILE, TILE, 3), colour, np.float32).astype(np.uint8)


def _leaves(rng: Rng) -> Tile:
    """Shapes of all sizes that cover one another: edges occur as often at every scale as in pictures of the world."""
    colours = _colours(rng, int(rng.integers(3, 14)))
    picture = _ground(rng, colours[0])
    kind = int(rng.integers(4))
    for _ in range(int(rng.integers(300, 900))):
        size = int(min(3 / max(rng.random(), 0.015) ** 0.8, 140))
        at, colour = rng.integers(0, TILE, 2), colours[int(rng.integers(len(colours)))]
        x, y = int(at[0]), int(at[1])
        if kind == 0 or (kind == 3 and rng.random() < 0.5):
            axes = (size, max(1, int(size * rng.uniform(0.3, 1.0))))
            cv2.ellipse(picture, (x, y), axes, rng.uniform(0, 180), 0, 360, colour, -1, cv2.LINE_AA)
        elif kind == 1:
            far = (x + int(size * rng.uniform(0.5, 3)), y + size)
            cv2.rectangle(picture, (x, y), far, colour, -1)
        else:
            turn = rng.uniform(0, 6.3) + np.sort(rng.uniform(0, 6.3, int(rng.integers(3, 7))))
            outline = at + size * np.c_[np.cos(turn), np.sin(turn)]
            cv2.fillPoly(picture, [outline.astype(np.int32)], colour, cv2.LINE_AA)
    return picture


def _waves(rng: Rng) -> FloatImage:
    """(TILE, TILE) a wave of any direction and length, bent a little."""
    y, x = np.mgrid[0:TILE, 0:TILE].astype(np.float32)
    angle, period = rng.uniform(0, np.pi), rng.uniform(4, 60)
    bent = texture.blotches(rng, 3)[:TILE, :TILE] * rng.uniform(0, 8) if rng.random() < 0.5 else 0.0
    return np.asarray(np.sin(2 * np.pi * (x * np.cos(angle) + y * np.sin(angle) + bent) / period), np.float32)


def _between(rng: Rng, share: FloatImage) -> Tile:
    """Two colours mixed by (TILE, TILE) shares 0-1."""
    one, other = (np.array(colour, np.float32) for colour in _colours(rng, 2))
    return np.asarray(np.clip(one + (other - one) * share[..., None], 0, 255), np.uint8)


def _cloth(rng: Rng) -> Tile:
    """Stripes, checks, dots and weaves."""
    wave = _waves(rng)
    if rng.random() < 0.7:
        wave = wave * _waves(rng) if rng.random() < 0.5 else np.maximum(wave, _waves(rng))
    hard = rng.uniform(1, 12)
    return _between(rng, np.asarray(np.clip(0.5 + hard * (wave - rng.uniform(-0.3, 0.5)), 0, 1), np.float32))


def _stone(rng: Rng) -> Tile:
    """Granite, gravel, terrazzo: places nearer to one grain than to any other."""
    grains = np.full((TILE, TILE), 255, np.uint8)
    for x, y in rng.integers(0, TILE, (int(rng.integers(60, 2500)), 2)):
        grains[y, x] = 0
    away, label = cv2.distanceTransformWithLabels(grains, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL)
    shades = np.array(_colours(rng, 12), np.float32)[rng.integers(0, 12, int(label.max()) + 1)]
    picture = shades[label]
    if rng.random() < 0.6:
        picture = picture * (1 - np.clip(away / (away.max() + 1e-6), 0, 1) * rng.uniform(0.2, 0.8))[..., None]
    return np.asarray(np.clip(picture, 0, 255), np.uint8)


def _tiles(rng: Rng) -> Tile:
    """Bricks, tiles, parquet with joints between them."""
    colours, wide, tall = _colours(rng, 6), int(rng.integers(12, 90)), int(rng.integers(10, 50))
    joint, shift = int(rng.integers(0, 5)), rng.choice([0.0, 0.5])
    picture = _ground(rng, colours[0])
    for row, y in enumerate(range(-tall, TILE + tall, tall)):
        for x in range(-wide + int(wide * shift * (row % 2)), TILE + wide, wide):
            colour = colours[1 + int(rng.integers(5))]
            cv2.rectangle(picture, (x + joint, y + joint), (x + wide - 1, y + tall - 1), colour, -1)
    return picture


def _print(rng: Rng) -> Tile:
    """Lines of letters, of one size or of many."""
    colours = _colours(rng, 4)
    picture = _ground(rng, colours[0])
    y = 0
    while y < TILE + 40:
        scale = float(np.exp(rng.uniform(np.log(0.35), np.log(2.2))))
        y += int(28 * scale) + 4
        words = "".join(rng.choice(LETTERS, 60))
        colour = colours[1 + int(rng.integers(3))]
        cv2.putText(picture, words, (-9, y), int(rng.integers(8)), scale, colour, max(1, round(scale * 2)), cv2.LINE_AA)
    return picture


def _rings(rng: Rng) -> Tile:
    """Rosettes, targets, arcs, scattered or in rows: what a checker's outline is to be told from."""
    colours = _colours(rng, 5)
    picture = _ground(rng, colours[0])
    step = int(rng.integers(30, 90))
    for y in range(0, TILE + step, step):
        for x in range(0, TILE + step, step):
            off = rng.normal(0, step * 0.2, 2) if rng.random() < 0.5 else np.zeros(2)
            at = (int(x + off[0]), int(y + off[1]))
            for radius in np.sort(rng.uniform(0.1, 0.5, int(rng.integers(1, 4))) * step)[::-1]:
                colour = colours[1 + int(rng.integers(4))]
                width = -1 if rng.random() < 0.4 else int(rng.integers(1, 5))
                start = rng.uniform(0, 360)
                span = 360.0 if rng.random() < 0.6 else rng.uniform(40, 300)
                axes = (int(radius), int(radius))
                cv2.ellipse(picture, at, axes, 0, start, start + span, colour, width, cv2.LINE_AA)
    return picture


def _mosaic(rng: Rng) -> Tile:
    """Inlays of triangles, rhombs and stars in a grid."""
    colours, step = _colours(rng, 5), int(rng.integers(10, 48))
    picture, kind = _ground(rng, colours[0]), int(rng.integers(3))
    for row, y in enumerate(range(-step, TILE + step, step)):
        for column, x in enumerate(range(-step, TILE + step, step)):
            colour = colours[1 + (row * (1 + kind) + column) % 4]
            if kind == 0:
                outline = [[x, y], [x + step, y], [x, y + step]]
            elif kind == 1:
                half = step // 2
                outline = [[x + half, y], [x + step, y + half], [x + half, y + step], [x, y + half]]
            else:
                turn = np.arange(12) * np.pi / 6
                reach = np.where(np.arange(12) % 2, 0.25, 0.6)[:, None] * step
                outline = (np.array([x, y]) + reach * np.c_[np.cos(turn), np.sin(turn)]).tolist()
            cv2.fillPoly(picture, [np.array(outline).astype(np.int32)], colour, cv2.LINE_AA)
    return picture


def _clouds(rng: Rng) -> Tile:
    """Blotches, grain or veins between two colours, soft or hard."""
    makers: tuple[Callable[[Rng], FloatImage], ...] = (texture.blotches, texture.wood, texture.marble)
    field = makers[int(rng.integers(3))](rng)[:TILE, :TILE]
    return _between(rng, np.asarray(np.clip(0.5 + field * rng.uniform(0.2, 3.0), 0, 1), np.float32))
