"""How unevenly light falls on a board, told by its bare surface, and the board as more even light would show it.

Half in the sun, light checkers in the shade are no lighter than dark ones in the sun: their colours tell sides apart only beside
what lies around them.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.geometry import CANONICAL_HEIGHT, CANONICAL_WIDTH, CELL, MARGIN_X, MARGIN_Y, PITCH, canonical_left
from vision.frame import Image

FloatArray = npt.NDArray[np.float32]

BARE = 0.25
"""Heat of a cell and those around it below which nothing lies there."""
DARKEST = 3.0
"""Grey levels that are added before the logarithm is taken: in the dark it is grain that differs."""
SMOOTH = 0.06
"""Board widths within which light on the bare surface is averaged."""
EVEN, UNEVEN = 0.12, 0.22
"""Deviation of the light's logarithm over a board up to which it is as good as even, and from which it is evened out in full. Of
88 lit boards and 84 renders as they are nine in ten have 0.21 at most; of forty lit boards half in the sun nine in ten 0.27 at
least."""
AROUND = 0.1
"""Board widths: what is evened out is the light of so large a neighbourhood, checkers included."""
SHARE = 0.8
"""Of the differences that is evened out: a pile of dark checkers darkens its neighbourhood, too."""

_WIDE = CANONICAL_WIDTH - 2 * MARGIN_X


def evened(canonical: Image, heat: FloatArray) -> Image:
    """The canonical picture (192, 224, 3), or itself where its light is even. heat: (48, 56), 0-1 where checkers lie."""
    share = SHARE * float(np.clip((unevenness(canonical, heat) - EVEN) / (UNEVEN - EVEN), 0, 1))
    if not share:
        return canonical
    around = cv2.GaussianBlur(_logarithm(canonical), (0, 0), AROUND * _WIDE, borderType=cv2.BORDER_REPLICATE)
    factors = np.exp(share * (np.median(around) - around))
    return np.asarray(np.clip(canonical * factors[..., None], 0, 255), np.uint8)


def unevenness(canonical: Image, heat: FloatArray) -> float:
    """Deviation of the light's logarithm over a board: what its bare surface differs by from points of the same colour.

    canonical and heat as above. Every other point has the same colour; each cell is compared with those in the same place of such
    points.
    """
    size = CANONICAL_WIDTH // CELL, CANONICAL_HEIGHT // CELL
    light = cv2.resize(_logarithm(canonical), size, interpolation=cv2.INTER_AREA)
    bare = cv2.dilate(np.asarray(heat, np.float32), np.ones((3, 3), np.uint8)) < BARE
    differs, known = np.zeros_like(light), np.zeros_like(light)
    for half in (slice(MARGIN_Y // CELL, size[1] // 2), slice(size[1] // 2, size[1] - MARGIN_Y // CELL)):
        for alternate in (range(0, 12, 2), range(1, 12, 2)):
            firsts = [canonical_left(column) // CELL for column in alternate]
            points = [(half, slice(first, first + PITCH // CELL)) for first in firsts]
            shown, seen = np.stack([light[point] for point in points]), np.stack([bare[point] for point in points])
            usual = np.nanmedian(np.where(seen | ~seen.any(axis=0), shown, np.nan), axis=0)
            for point, one, clear in zip(points, shown, seen, strict=True):
                differs[point], known[point] = np.where(clear, one - usual, 0), clear
    sums, amounts = (
        cv2.GaussianBlur(plane, (0, 0), SMOOTH * _WIDE / CELL, borderType=cv2.BORDER_CONSTANT)
        for plane in (differs, known)
    )
    falls = sums / (amounts + 0.02)
    return float(falls[MARGIN_Y // CELL : -(MARGIN_Y // CELL), MARGIN_X // CELL : -(MARGIN_X // CELL)].std())


def _logarithm(canonical: Image) -> FloatArray:
    return np.asarray(np.log(cv2.cvtColor(canonical, cv2.COLOR_BGR2GRAY).astype(np.float32) + DARKEST), np.float32)
