"""The first look: the whole picture, small, through one network; corners as peaks, and quadrangles made of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Image
from vision.network import Network, network_input

FloatArray = npt.NDArray[np.float64]

SIDE = 192
"""px of the square picture that the network sees."""
STRIDE = 4
CELLS = SIDE // STRIDE
FILLED = 0.97
"""Share of the square that the longer side of a picture fills: a corner at the picture's edge still has a peak around it."""
PEAKS = 4
"""Peaks of each kind that are tried; a second board gives two more."""
FAINTEST = 0.03
SUPPOSED = 0.15
"""How much a corner counts that is concluded from the other three, because a hand or the picture's edge hides it."""
ROOM = 1.25
"""A second look shows this many times the board's extent."""
NEAR = 0.06
"""Shares of the square: quadrangles with all corners this near each other are the same board."""


@dataclass(frozen=True)
class BoardCandidate:
    """A board that may be there: corners (4, 2) px, a row first, clockwise; score 0-1."""

    corners: FloatArray
    score: float


@dataclass(frozen=True)
class Square:
    """A part of a picture as the network sees it. image (SIDE, SIDE, 3); px = origin + scale * px of the square."""

    image: Image
    origin: FloatArray
    scale: float

    @staticmethod
    def of(picture: Image, box: tuple[float, float, float, float] | None = None) -> Square:
        """The part of the picture within box (x0, y0, x1, y1) px; all of it without one."""
        height, width = picture.shape[:2]
        x0, y0, x1, y1 = box or (0.0, 0.0, float(width), float(height))
        scale = max(x1 - x0, y1 - y0) / SIDE / (1.0 if box else FILLED)
        origin = np.array([(x0 + x1) / 2, (y0 + y1) / 2]) - scale * SIDE / 2
        shrink = min(1.0, 1.25 / scale)
        if shrink < 0.8:
            picture = np.asarray(
                cv2.resize(picture, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8
            )
        else:
            shrink = 1.0
        step = scale * shrink
        matrix = np.array([[step, 0, origin[0] * shrink], [0, step, origin[1] * shrink]])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        return Square(np.asarray(cv2.warpAffine(picture, matrix, (SIDE, SIDE), flags=flags), np.uint8), origin, scale)

    def to_picture(self, points: FloatArray) -> FloatArray:
        """px of the square (n, 2) to px of the picture."""
        return np.asarray(self.origin + self.scale * points)


def look(network: Network, square: Square) -> tuple[list[BoardCandidate], float]:
    """Boards that may be in the square, best first, corners in px of the picture; and the logit that there is one."""
    maps, present = network(network_input(square.image[None]))
    shares = 1 / (1 + np.exp(-maps[0].astype(np.float64)))
    found = [BoardCandidate(square.to_picture(one.corners), one.score) for one in candidates(shares)]
    return found, float(present.ravel()[0])


def around(corners: FloatArray) -> tuple[float, float, float, float]:
    """The box for a second look at a board."""
    low, high = corners.min(axis=0), corners.max(axis=0)
    middle, half = (low + high) / 2, (high - low).max() / 2 * ROOM
    return (float(middle[0] - half), float(middle[1] - half), float(middle[0] + half), float(middle[1] + half))


def candidates(shares: FloatArray) -> list[BoardCandidate]:
    """Distinct quadrangles, best first, in px of the square, from the maps (3, CELLS, CELLS) as probabilities."""
    beginnings, ends = _peaks(shares[0]), _peaks(shares[1])
    made: list[BoardCandidate] = []
    for first, second in combinations(beginnings, 2):
        for third, fourth in combinations(ends, 2):
            made += _scored(first, third, second, fourth, shares[2])
        for third in ends:
            fourth = (first[0] + second[0] - third[0], SUPPOSED)
            made += _scored(first, third, second, fourth, shares[2])
    for third, fourth in combinations(ends, 2):
        for first in beginnings:
            second = (third[0] + fourth[0] - first[0], SUPPOSED)
            made += _scored(first, third, second, fourth, shares[2])
    made.sort(key=lambda one: -one.score)
    return _distinct(made)


def _distinct(made: Sequence[BoardCandidate]) -> list[BoardCandidate]:
    """Those that lie near none before them, in whichever half turn their corners are named."""
    if not made:
        return []
    corners = np.array([one.corners for one in made])
    # Largest distance of corners, whichever half turn.
    apart = [
        np.linalg.norm(view[:, None] - corners, axis=3).max(axis=2) for view in (corners, np.roll(corners, 2, axis=1))
    ]
    far = np.minimum(*apart) > NEAR * SIDE
    kept: list[int] = []
    for number in range(len(made)):
        if far[number, kept].all():
            kept.append(number)
    return [made[number] for number in kept]


Peak = tuple[FloatArray, float]


def _peaks(share: FloatArray) -> list[Peak]:
    """The strongest local maxima of one map: px of the square, and strength."""
    grown = cv2.dilate(share, np.ones((5, 5)))
    rows, columns = np.nonzero((share == grown) & (share > FAINTEST))
    strongest = sorted(zip(rows.tolist(), columns.tolist(), strict=True), key=lambda at: -share[at])[:PEAKS]
    peaks = []
    for row, column in strongest:
        y0, x0 = max(row - 2, 0), max(column - 2, 0)
        part = share[y0 : row + 3, x0 : column + 3]
        y, x = np.mgrid[y0 : y0 + part.shape[0], x0 : x0 + part.shape[1]]
        centre = np.array([(part * x).sum(), (part * y).sum()]) / part.sum()
        peaks.append(((centre + 0.5) * STRIDE - 0.5, float(share[row, column])))
    return peaks


def _scored(first: Peak, third: Peak, second: Peak, fourth: Peak, surface: FloatArray) -> list[BoardCandidate]:
    """The quadrangle first, third, second, fourth if it is convex, however its corners were named."""
    corners = np.array([first[0], third[0], second[0], fourth[0]])
    if _turning(corners) < 0:
        corners = corners[[0, 3, 2, 1]]
    if not _is_convex(corners):
        return []
    mask = np.zeros((CELLS, CELLS), np.uint8)
    cells = (corners + 0.5) / STRIDE - 0.5
    cv2.fillConvexPoly(mask, np.round(cells * 16).astype(np.int32), 1, cv2.LINE_8, 4)
    inside = float((surface * mask).sum())
    union = float(np.maximum(surface, mask).sum())
    strength = (first[1] * second[1] * third[1] * fourth[1]) ** 0.25
    return [BoardCandidate(corners, strength * inside / max(union, 1e-6))]


def _turning(corners: FloatArray) -> float:
    """Twice the signed area; positive clockwise as seen."""
    return sum(x * after_y - after_x * y for (x, y), (after_x, after_y) in _sides(corners))


def _is_convex(corners: FloatArray) -> bool:
    edges = [(after_x - x, after_y - y) for (x, y), (after_x, after_y) in _sides(corners)]
    return all(
        x * after_y - y * after_x > 30 for (x, y), (after_x, after_y) in zip(edges, edges[1:] + edges[:1], strict=True)
    )


def _sides(corners: FloatArray) -> Iterator[tuple[list[float], list[float]]]:
    """Each corner and the one after it, as Python's numbers: for so few NumPy takes ten times as long."""
    places = corners.tolist()
    return zip(places, places[1:] + places[:1], strict=True)
