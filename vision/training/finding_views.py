"""Drawn scenes as the views that training pictures are made of: the picture, and the board from above with room around."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.geometry import BoardGeometry, GeometryError
from vision.frame import Image
from vision.training.finding_scene import FindingScene
from vision.training.texture import Rng

FloatArray = npt.NDArray[np.float64]
WHOLE = 400
"""px of the square view of the picture: twice what the finder sees."""
ABOVE = 640
"""px of the square view from above."""
AROUND = 0.3
"""Board plane: room around the playing surface that it shows."""
FEWER_PX = 0.3
"""Share of pictures that lose px and are packed hard before anything is cut out of them."""
NEARER = 0.5
"""Share of views that show what a closer look would."""


@dataclass(frozen=True)
class Views:
    """whole: (WHOLE, WHOLE, 3) uint8 BGR; corners: (4, 2) float32 px in it, NaN for no board; above: (ABOVE, ABOVE, 3)."""

    whole: Image
    corners: npt.NDArray[np.float32]
    above: Image


def views_of(scene: FindingScene, rng: Rng) -> Views | None:
    """The scene's views; None where its board is too small to be one."""
    picture, corners = scene.picture, scene.corners
    if rng.random() < FEWER_PX:
        picture, scale = _coarser(picture, rng)
        corners = None if corners is None else ((corners + 0.5) * scale - 0.5).astype(np.float32)
    whole, to_whole = _whole(picture, corners, rng)
    try:
        quad = corners if corners is not None else _anywhere(picture, rng)
        above = BoardGeometry(quad).rectified(picture, ABOVE, ABOVE, AROUND / (1 + 2 * AROUND))
    except GeometryError:
        return None
    seen = np.full((4, 2), np.nan, np.float32)
    if corners is not None:
        seen = (corners @ to_whole[:, :2].T + to_whole[:, 2]).astype(np.float32)
    return Views(whole, seen, above)


def _coarser(picture: Image, rng: Rng) -> tuple[Image, float]:
    """With fewer px, packed hard."""
    scale = rng.uniform(0.35, 0.9)
    picture = np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    _, packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(10, 80))])
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8), float(scale)


def _whole(picture: Image, corners: npt.NDArray[np.float32] | None, rng: Rng) -> tuple[Image, FloatArray]:
    """The picture, or what surrounds the board, black where nothing is; and the (2, 3) matrix that put it there."""
    height, width = picture.shape[:2]
    middle, side = np.array([width, height]) / 2, max(width, height) * 1.03
    if rng.random() < NEARER:
        if corners is None:
            side *= rng.uniform(0.4, 1.0)
            middle = middle + rng.uniform(-0.3, 0.3, 2) * [width, height]
        else:
            low, high = corners.min(axis=0), corners.max(axis=0)
            side = float((high - low).max()) * rng.uniform(1.05, 1.6)
            middle = (low + high) / 2 + rng.normal(0, 0.06, 2) * side
    scale = WHOLE / side
    to_whole = np.array([[scale, 0, WHOLE / 2 - middle[0] * scale], [0, scale, WHOLE / 2 - middle[1] * scale]])
    shrink = scale if scale < 0.8 else 1.0
    if shrink < 1:
        picture = np.asarray(cv2.resize(picture, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8)
    # px of the shrunk picture back to the picture's own, whose first one has its middle at 0.
    first = 0.5 / shrink - 0.5
    drawn = np.c_[to_whole[:, :2] / shrink, to_whole[:, :2].sum(axis=1) * first + to_whole[:, 2]]
    view = cv2.warpAffine(picture, drawn, (WHOLE, WHOLE), flags=cv2.INTER_LINEAR)
    return np.asarray(view, np.uint8), to_whole


def _anywhere(picture: Image, rng: Rng) -> npt.NDArray[np.float32]:
    size = np.array([picture.shape[1], picture.shape[0]])
    middle, half = rng.uniform(0.3, 0.7, 2) * size, rng.uniform(0.15, 0.4, 2) * size
    quad = middle + np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half * rng.uniform(0.8, 1.2, (4, 2))
    return np.asarray(quad, np.float32)
