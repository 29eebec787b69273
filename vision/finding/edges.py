"""From the edge maps of a rectified picture to lines and corners; the same sums in NumPy here and in training.

A map says, for every place along one edge of the playing surface, how likely the edge runs through each cell across it.
Coordinates are shares of the rectified picture's side, (0, 0) its top-left corner.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]

SIDE = 224
"""px of the rectified picture."""
STRIDE = 4
CELLS = SIDE // STRIDE
MARGIN = 0.14
"""Share of the rectified picture around the corners as they were thought to be."""
ENDS = 0.02
"""The line is fitted this far inside the corners and no farther out."""
SPREAD_FLOOR = 0.5
"""Deviation of a place's edge, cells, under which more certainty earns no more weight."""
SHARPENED = 3.0
"""Logits are multiplied by this before the mean is taken: faint doubt spread over the wide inside of the board pulls a plain
mean inwards, by 0.6 % of the board's size on 30 simulated boards; with 2 it was 0.4, with 4 0.3 %."""
ROUNDS = 3
DOUBTED = 1.0
"""Cells off the line from where a place counts less and less (Huber)."""

CENTRES = (np.arange(CELLS) + 0.5) / CELLS
ALONG = (CENTRES > MARGIN + ENDS) & (CENTRES < 1 - MARGIN - ENDS)
EXPECTED = np.array([[MARGIN, MARGIN], [1 - MARGIN, MARGIN], [1 - MARGIN, 1 - MARGIN], [MARGIN, 1 - MARGIN]])
"""Where the corners come out if they were right."""


def profiles(maps: npt.NDArray[np.floating]) -> FloatArray:
    """(4, along, across) logits from (4, CELLS, CELLS) maps of the top, right, bottom and left edge."""
    top, right, bottom, left = np.asarray(maps, np.float64)
    return np.stack([top.T, right, bottom.T, left])


def places(edge_profiles: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Mean place across (4, along) and its variance in shares of the side, from logits (4, along, across)."""
    share = np.exp(SHARPENED * (edge_profiles - edge_profiles.max(axis=2, keepdims=True)))
    share /= share.sum(axis=2, keepdims=True)
    mean = (share * CENTRES).sum(axis=2)
    return mean, (share * (CENTRES - mean[..., None]) ** 2).sum(axis=2)


def corners_from(edge_profiles: FloatArray) -> tuple[FloatArray, float]:
    """(4, 2) corners tl tr br bl, and how far the edges' places stray from their lines, both in shares of the side."""
    mean, variance = places(edge_profiles)
    trust = 1 / (variance[:, ALONG] + (SPREAD_FLOOR / CELLS) ** 2)
    lines, strays = fitted(CENTRES[ALONG], mean[:, ALONG], trust, 1 / CELLS)
    return crossings(lines), float(strays.max())


def fitted(s: FloatArray, t: FloatArray, trust: FloatArray, cell: float) -> tuple[FloatArray, FloatArray]:
    """(4, 2) offset and slope of each edge's t over s, places more than DOUBTED cells off the line counting less; and their
    weighted deviations (4,). t and trust: (4, along)."""
    t, trust = np.ascontiguousarray(t), np.ascontiguousarray(trust)
    weight = trust
    for _ in range(ROUNDS):
        in_all = weight.sum(axis=1)  # np.average says the same, at twice the time
        middle, height = (weight * s).sum(axis=1) / in_all, (weight * t).sum(axis=1) / in_all
        aside = s - middle[:, None]
        slope = (weight * aside * (t - height[:, None])).sum(axis=1) / (weight * aside**2).sum(axis=1)
        off = np.abs(t - (height[:, None] + slope[:, None] * aside))
        weight = trust * np.minimum(1, DOUBTED * cell / np.maximum(off, 1e-9))
    deviations = np.sqrt((off**2 * trust).sum(axis=1) / trust.sum(axis=1))
    return np.stack([height - slope * middle, slope], axis=1), deviations


def crossings(lines: FloatArray) -> FloatArray:
    """(4, 2) corners from (4, 2) lines: y = a + b x for top and bottom, x = a + b y for right and left."""
    top, right, bottom, left = lines
    found = []
    for level, upright in ((top, left), (top, right), (bottom, right), (bottom, left)):
        x = (upright[0] + upright[1] * level[0]) / (1 - level[1] * upright[1])
        found.append([x, level[0] + level[1] * x])
    return np.array(found)
