"""How far an uncalibrated lens bends straight lines, told by how well the edges in and around a board gather on straight ones.

Edges are straightened by one bend after another, and vote for the lines that they would lie on (Alemán-Flores, Alvarez, Gomez and
Santana-Cedrés 2014).
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.bend import Bend, ideal_places
from vision.frame import Corners, Image

Floats = npt.NDArray[np.float64]

LONGEST = 640
"""px to which larger pictures are shrunk to be measured."""
AROUND = 1.3
"""Times the board's size: what lies around it is mostly its rails. Farther away lie a table's round things, and captions, which no
lens has bent."""
SMOOTHED = 1.2
FAINT, PLAIN = 6, 14
"""Grey levels a px: edges fainter than the first are none, those between both only beside a plain one (Canny 1986)."""
MOST_EDGES = 5000
FARTHEST = 0.7
"""px of an edge from the middle of the px where it was seen."""
TURNS = 360
"""Directions of lines that are told apart, in half a circle."""
NEARBY = 3
"""Turns by which an edge's own direction may be off."""
CELL = 1.5
"""px between lines of a direction that are told apart."""
ROOM = 1.6
"""Half diagonals from the middle to the farthest line: straightened, edges lie as far from it as before on the mean, not each."""
FEW = 8
"""Edges on one line by chance; only more than these speak for it."""
STRENGTHS = tuple(-0.04 * step for step in range(13))
"""Those that are compared; a fisheye's is stronger."""
LEAST_COMPARED = 4
"""So many of them in any case; the others while edges gather better and better."""
BETTER = 1.045
"""How many times better edges gather at the best bend and the two beside it than in the picture as it is, at least."""
STRONG_ENOUGH = -0.06
"""Weaker bends harm no reading."""

_DIRECTIONS = np.arange(TURNS) * np.pi / TURNS
_NORMALS = np.stack([np.cos(_DIRECTIONS), np.sin(_DIRECTIONS)])


def bend_of(image: Image, corners: Corners) -> Bend | None:
    """The lens's bend; None where there is none, or it is too weak to matter or to be told.

    image: (H, W, 3) uint8 BGR. corners: (4, 2) source px, about where the board lies.
    """
    size = image.shape[1], image.shape[0]
    scale = min(1.0, LONGEST / max(size))
    if scale < 1:
        image = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    places, ways = _edges(image, (np.asarray(corners, np.float64) + 0.5) * scale - 0.5)
    half_diagonal = float(np.hypot(*image.shape[:2])) / 2
    seen = (places - (np.array(image.shape[1::-1]) - 1) / 2) / half_diagonal
    gathered: list[float] = []
    while len(gathered) < len(STRENGTHS) and (len(gathered) < LEAST_COMPARED or gathered[-1] > gathered[-2]):
        gathered.append(_gathered(seen, ways, STRENGTHS[len(gathered)], half_diagonal))
    best = int(np.argmax(gathered))
    if not 0 < best < len(gathered) - 1:
        return None
    before, at, after = gathered[best - 1 : best + 2]
    strength = STRENGTHS[best] + (STRENGTHS[1] - STRENGTHS[0]) / 2 * (before - after) / (before - 2 * at + after)
    sure = (before + at + after) / 3 >= BETTER * gathered[0]
    return Bend(strength, size) if sure and strength <= STRONG_ENOUGH else None


def _edges(image: Image, corners: Floats) -> tuple[Floats, Floats]:
    """(N, 2) px of edges in and around the board, to fractions of a px, and (N, 2) unit vectors along them."""
    grey = cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (0, 0), SMOOTHED)
    across, down = (cv2.Scharr(grey, cv2.CV_32F, *way) / 16 for way in ((1, 0), (0, 1)))
    plain = cv2.Canny(across.astype(np.int16), down.astype(np.int16), FAINT, PLAIN, L2gradient=True)
    middle = corners.mean(axis=0)
    outline = np.clip(np.nan_to_num(middle + AROUND * (corners - middle)), -2 * LONGEST, 2 * LONGEST)
    near = np.zeros(grey.shape, np.uint8)
    cv2.fillConvexPoly(near, np.round(outline).astype(np.int32), 1)
    y, x = np.nonzero((plain > 0) & (near > 0))
    if not len(x):
        return np.empty((0, 2)), np.empty((0, 2))
    some = np.linspace(0, len(x), min(len(x), MOST_EDGES), endpoint=False).astype(np.int64)
    y, x = y[some], x[some]
    steep = np.hypot(across, down)
    at = np.stack([x, y], axis=1)
    normals = np.stack([across[y, x], down[y, x]], axis=1) / steep[y, x, None]
    here, outer, inner = steep[y, x], _sampled(steep, at - normals), _sampled(steep, at + normals)
    # Where the parabola through the three has its top.
    curved = np.minimum(outer - 2 * here + inner, -1e-6)
    off = np.clip((outer - inner) / 2 / curved, -FARTHEST, FARTHEST)
    return np.asarray(at + off[:, None] * normals, np.float64), np.asarray(normals[:, ::-1] * (-1, 1), np.float64)


def _sampled(plane: npt.NDArray[np.float32], at: npt.NDArray[np.floating]) -> npt.NDArray[np.float32]:
    """(N,) values between a plane's px, at (N, 2) places."""
    charts = np.asarray(at, np.float32)
    return np.asarray(cv2.remap(plane, charts[:, 0], charts[:, 1], cv2.INTER_LINEAR), np.float32).ravel()


def _gathered(seen: Floats, ways: Floats, strength: float, half_diagonal: float) -> float:
    """How well edges gather on straight lines once a bend is undone; on the mean they lie as far from the middle as before.

    seen: (N, 2) places in half diagonals from the picture's middle, so many px each; ways: (N, 2) unit vectors along the edges.
    """
    square = (seen**2).sum(axis=1, keepdims=True)
    ideal = ideal_places(seen, strength)
    ideal *= np.sqrt(square.sum() / max(float((ideal**2).sum()), 1e-9)) * half_diagonal
    along = ways * (1 + strength * square) - seen * 2 * strength * (seen * ways).sum(axis=1, keepdims=True)
    turn = np.round(np.arctan2(-along[:, 0], along[:, 1]) / np.pi * TURNS).astype(np.int64)
    cells = int(2 * half_diagonal * ROOM / CELL) + 1
    halves, direction = np.divmod(turn + np.arange(-NEARBY, NEARBY + 1)[:, None], TURNS)
    cosine, sine = _NORMALS[:, direction]
    offset = (ideal[:, 0] * cosine + ideal[:, 1] * sine) * (1 - 2 * (halves % 2))
    cell = np.clip(offset / CELL + cells / 2, 0, cells - 2)
    first = cell.astype(np.int64)
    places, share = direction * cells + first, cell - first
    lines = np.bincount(np.stack([places, places + 1]).ravel(), np.stack([1 - share, share]).ravel())
    return float((np.maximum(lines - FEW, 0) ** 2).sum())
