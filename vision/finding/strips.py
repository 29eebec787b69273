"""The last, closer look: a strip of the picture along each edge of the playing surface, and where in it the edge runs.

A strip shows its edge from end to end and is finer across it than along it. Its columns run along the edge, clockwise
around the board; its rows run inwards. Places are shares of the board plane: s along the edge from corner to corner,
t inwards from where the edge was thought to run.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.geometry import BoardGeometry
from vision.finding.edges import fitted
from vision.frame import Image

FloatArray = npt.NDArray[np.float64]

ALONG, ACROSS = 160, 96
"""px of a strip."""
STRIDE = 4
OUTSIDE, INSIDE = 0.11, 0.14
"""Shares of the board plane that a strip shows on either side of where the edge was thought to run."""
BEYOND = 0.06
"""Shares that it shows beyond both corners."""
FINEST = 6
"""Px sampled along or across for each px kept, at most: in a large picture fewer leave gaps, and grain becomes false edges."""
ROUNDED = 0.3
"""So much more than a whole number of px for each one kept is let pass: interpolation takes care of it."""
ENDS = 0.02
"""The line is fitted this far inside the corners and no farther out."""
SHARPENED = 2.0
"""As `edges.SHARPENED`."""

S = (np.arange(ALONG // STRIDE) + 0.5) / (ALONG // STRIDE) * (1 + 2 * BEYOND) - BEYOND
T = (np.arange(ACROSS // STRIDE) + 0.5) / (ACROSS // STRIDE) * (OUTSIDE + INSIDE) - OUTSIDE
CELL = (OUTSIDE + INSIDE) / len(T)
FITTED = (S > ENDS) & (S < 1 - ENDS)
STARTS = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64)
"""Corners of the board plane: where the edges top, right, bottom and left begin."""
ALONGS = np.array([[1, 0], [0, 1], [-1, 0], [0, -1]], np.float64)
INWARDS = np.array([[0, 1], [-1, 0], [0, -1], [1, 0]], np.float64)


def strips(image: Image, geometry: BoardGeometry) -> npt.NDArray[np.uint8]:
    """(4, ACROSS, ALONG, 3) uint8 BGR: the edges top, right, bottom, left."""
    ends, sides = (-BEYOND, 1 + BEYOND, 1 + BEYOND, -BEYOND), (-OUTSIDE, -OUTSIDE, INSIDE, INSIDE)
    shown = []
    for start, along, inwards in zip(STARTS, ALONGS, INWARDS, strict=True):
        plane = np.array([start + s * along + t * inwards for s, t in zip(ends, sides, strict=True)])
        quad = geometry.to_picture(plane).astype(np.float32)
        size = (ALONG * _samples(quad, 0, ALONG), ACROSS * _samples(quad, 1, ACROSS))
        frame = np.array([[0, 0], [size[0], 0], [size[0], size[1]], [0, size[1]]], np.float32) - 0.5
        matrix = cv2.getPerspectiveTransform(frame, quad)
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        fine = cv2.warpPerspective(image, matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
        shown.append(cv2.resize(fine, (ALONG, ACROSS), interpolation=cv2.INTER_AREA))
    return np.array(shown, np.uint8)


def _samples(quad: npt.NDArray[np.float32], side: int, kept: int) -> int:
    """How many px to sample for each one kept between the quad's corners `side` and `side + 1`, or those across from them."""
    longer = max(float(np.linalg.norm(quad[(side + 1 + k) % 4] - quad[(side + k) % 4])) for k in (0, 2))
    return int(np.clip(np.ceil(longer / kept - ROUNDED), 1, FINEST))


def corners_from(logits: FloatArray) -> tuple[FloatArray, float]:
    """(4, 2) corners on the board plane, and how far the edges' places stray from their lines; logits (4, len(T), len(S))."""
    share = np.exp(SHARPENED * (logits - logits.max(axis=1, keepdims=True)))
    share /= share.sum(axis=1, keepdims=True)
    mean = (share * T[:, None]).sum(axis=1)
    variance = (share * (T[:, None] - mean[:, None]) ** 2).sum(axis=1)
    trust = 1 / (variance[:, FITTED] + (CELL / 2) ** 2)
    lines, strays = fitted(S[FITTED], mean[:, FITTED], trust, CELL)
    return _crossings(lines), float(strays.max())


def _crossings(lines: FloatArray) -> FloatArray:
    """(4, 2) from four lines (offset, slope) of t over s."""
    homogeneous = []
    for (offset, slope), start, along, inwards in zip(lines, STARTS, ALONGS, INWARDS, strict=True):
        a, b = (np.r_[start + s * along + (offset + slope * s) * inwards, 1.0] for s in (0.0, 1.0))
        homogeneous.append(np.cross(a, b))
    crossed = [np.cross(homogeneous[edge - 1], homogeneous[edge]) for edge in range(4)]
    return np.array([point[:2] / point[2] for point in crossed])
