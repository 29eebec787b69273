"""Training batches for finding boards: pictures turned, mirrored, cropped and recoloured, with what is to be answered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import torch

from vision.board.geometry import BoardGeometry, GeometryError, apply_homography
from vision.finding import edges
from vision.finding.whole import CELLS, SIDE, STRIDE
from vision.frame import Image
from vision.network import SPREAD_FLOOR
from vision.training.finding_pictures import Pictures
from vision.training.roughen import roughened
from vision.training.texture import Rng

Tensor = Any
FloatArray = npt.NDArray[np.float64]
PEAK = 1.3
"""Deviation of a corner's peak on the finder's map, cells."""
EDGE_PEAK = 1.2
"""Deviation of an edge's place across it, cells."""
WRONG_SHARE = 0.2
"""Rectified pictures that show no upright board."""
MISTAKEN_SHARE = 0.5
"""Rectified pictures whose edges were mistaken for others: the trays' outer walls, the frame, the second row of checkers."""
TURNED = 0.35
"""Whole pictures turned by quarters."""
SPOILT = 0.5
DETAIL = 0.45
"""Blurs are this much smaller than on pictures of 448 px."""
RIGHT, NEARLY = 0.015, 0.035
"""Board widths: corners this near count as right, and from here on as wrong."""


@dataclass(frozen=True)
class FindingBatch:
    """picture (B, 3, S, S); wanted: the finder's maps (B, 3, 48, 48), or corners (B, 4, 2).

    here (B, 1): 1 where there is a board; right (B, 1): how right the corners are that the picture was rectified with, 0-1.
    """

    picture: Tensor
    here: Tensor
    right: Tensor
    wanted: Tensor


def clockwise(corners: FloatArray, *, mirrored: bool) -> FloatArray:
    """The corners of a mirrored picture in their order again: clockwise, a row first."""
    return corners[[1, 0, 3, 2]] if mirrored else corners


def input_of(pictures: list[Image], rng: Rng) -> Tensor:
    """(B, 3, S, S) as `vision.network.network_input` makes it, spoilt at random, with other colours, light and contrast."""
    pictures = [roughened(picture, rng, DETAIL) if rng.random() < SPOILT else picture for picture in pictures]
    values = torch.from_numpy(np.stack(pictures)).float()
    count = len(pictures)
    mix = np.tile(np.eye(3, dtype=np.float32), (count, 1, 1))
    if rng.random() < 0.35:
        mix = mix[:, rng.permutation(3)]
    mix = mix + rng.normal(0, 0.12, mix.shape).astype(np.float32) * (rng.random((count, 1, 1)) < 0.5)
    values = torch.bmm(values.reshape(count, -1, 3), torch.from_numpy(mix.astype(np.float32))).reshape(values.shape)
    mean, spread = values.mean((1, 2, 3), keepdim=True), values.std((1, 2, 3), keepdim=True)
    gain = 1 + 0.12 * torch.randn(count, 1, 1, 1)
    offset = 0.15 * torch.randn(count, 1, 1, 1) + 0.08 * torch.randn(count, 1, 1, 3)
    return ((values - mean) / (spread + SPREAD_FLOOR) * gain + offset).permute(0, 3, 1, 2).contiguous()


def finder_batch(pictures: Pictures, chosen: npt.NDArray[np.int64], rng: Rng) -> FindingBatch:
    """Whole pictures, or what is left when a first look has been zoomed in on."""
    shown, maps, present = [], [], []
    for index in chosen:
        corners = pictures.corners[index].astype(np.float64)
        here = bool(np.isfinite(corners).all())
        picture, moved = _viewed(pictures.picture(int(index)), corners if here else None, rng)
        shown.append(picture)
        maps.append(_maps(moved))
        present.append([float(here)])
    here = torch.tensor(present)
    return FindingBatch(input_of(shown, rng), here, here, torch.from_numpy(np.stack(maps)))


def _viewed(picture: Image, corners: FloatArray | None, rng: Rng) -> tuple[Image, FloatArray | None]:
    """(SIDE, SIDE, 3): the picture turned, mirrored, tilted and scaled; and the corners in it."""
    height, width = picture.shape[:2]
    box = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64) if corners is None else corners
    extent, middle = box.max(0) - box.min(0), (box.max(0) + box.min(0)) / 2
    scale = SIDE * (rng.uniform(0.66, 0.96) if rng.random() < 0.5 else rng.uniform(0.36, 1.0)) / extent.max()
    angle = rng.normal(0, 0.1) + (rng.choice([0, 1, 2, 3]) * np.pi / 2 if rng.random() < TURNED else 0)
    cos, sin = np.cos(angle) * scale, np.sin(angle) * scale
    stretch = np.exp(rng.normal(0, 0.06))
    matrix = np.array([[cos * stretch, -sin, 0], [sin * stretch, cos, 0], [0, 0, 1]])
    free = np.maximum(SIDE - extent * scale, 0) / 2
    matrix[:2, 2] = SIDE / 2 + rng.uniform(-1, 1, 2) * free + rng.normal(0, 2, 2) - (matrix @ [*middle, 0])[:2]
    square = np.array([[0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE]], np.float32)
    tilt = cv2.getPerspectiveTransform(square, (square + rng.normal(0, 0.025 * SIDE, (4, 2))).astype(np.float32))
    matrix = tilt @ matrix
    mirrored = rng.random() < 0.5
    if mirrored:
        matrix = np.array([[-1, 0, SIDE - 1], [0, 1, 0], [0, 0, 1]]) @ matrix
    shrink = min(scale / 0.8, 1.0)
    if shrink < 0.8:
        picture = np.asarray(cv2.resize(picture, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8)
        seen = cv2.warpPerspective(picture, matrix @ np.diag([1 / shrink, 1 / shrink, 1]), (SIDE, SIDE))
    else:
        seen = cv2.warpPerspective(picture, matrix, (SIDE, SIDE))
    moved = None if corners is None else clockwise(apply_homography(matrix, corners), mirrored=mirrored)
    return np.asarray(seen, np.uint8), moved


def _maps(corners: FloatArray | None) -> npt.NDArray[np.float32]:
    """(3, CELLS, CELLS) what the finder should answer."""
    maps = np.zeros((3, CELLS, CELLS), np.float32)
    if corners is None:
        return maps
    cells = (corners + 0.5) / STRIDE - 0.5
    rows, columns = np.arange(CELLS)[:, None], np.arange(CELLS)[None]
    for number, (x, y) in enumerate(cells):
        peak = np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / (2 * PEAK**2))
        maps[number % 2] = np.maximum(maps[number % 2], peak)
    cv2.fillPoly(maps[2], [np.round(cells * 16).astype(np.int32)], 1.0, cv2.LINE_8, 4)
    return maps


def edge_batch(pictures: Pictures, chosen: npt.NDArray[np.int64], rng: Rng) -> FindingBatch:
    """Rectified pictures with roughly right corners, some with quite wrong ones."""
    shown, wanted, here, right = [], [], [], []
    for index in chosen:
        picture, truth = pictures.picture(int(index)), pictures.corners[index].astype(np.float64)
        wrong = rng.random() < WRONG_SHARE or not np.isfinite(truth).all()
        made = None
        while made is None:
            made = _wrongly(picture, truth, rng) if wrong else _roughly(picture, truth, rng)
        view, corners = made
        across, down = rng.random() < 0.5, rng.random() < 0.5
        if across:
            view, corners = view[:, ::-1], (corners * [-1, 1] + [1, 0])[[1, 0, 3, 2]]
        if down:
            view, corners = view[::-1], (corners * [1, -1] + [0, 1])[[3, 2, 1, 0]]
        shown.append(np.ascontiguousarray(view))
        wanted.append(corners)
        here.append([float(not wrong)])
        off = np.linalg.norm(corners - edges.EXPECTED, axis=1).max() / (1 - 2 * edges.MARGIN)
        right.append([0.0 if wrong else float(np.clip((NEARLY - off) / (NEARLY - RIGHT), 0, 1))])
    answers = torch.from_numpy(np.array(wanted, np.float32))
    return FindingBatch(input_of(shown, rng), torch.tensor(here), torch.tensor(right), answers)


def _rectified(picture: Image, corners: FloatArray) -> tuple[Image, BoardGeometry] | None:
    try:
        geometry = BoardGeometry(corners.astype(np.float32))
    except GeometryError:
        return None
    return geometry.rectified(picture, edges.SIDE, edges.SIDE, edges.MARGIN), geometry


def _roughly(picture: Image, truth: FloatArray, rng: Rng) -> tuple[Image, FloatArray] | None:
    """The view with corners some percent off, and where the true ones are in it; None where that makes no board."""
    width = np.linalg.norm(truth[0] - truth[1])
    off = rng.choice([0.003, 0.01, 0.02, 0.045], p=[0.25, 0.25, 0.25, 0.25]) * rng.uniform(0.5, 1.3)
    start = _mistaken(truth, rng) if rng.random() < MISTAKEN_SHARE else truth
    start = start + (rng.normal(0, off, (4, 2)) + rng.normal(0, off * 0.7, 2)) * width
    made = _rectified(picture, start)
    if made is None:
        return None
    view, geometry = made
    corners = edges.MARGIN + geometry.to_plane(truth) * (1 - 2 * edges.MARGIN)
    near = np.isfinite(corners).all() and np.abs(corners - edges.EXPECTED).max() < edges.MARGIN
    return (view, corners) if near else None


def _mistaken(truth: FloatArray, rng: Rng) -> FloatArray:
    """The corners with some of the edges where trays or frame end, or a bit inside."""
    left, right = rng.uniform(-0.06, 0.2, 2) * (rng.random(2) < 0.6)
    top, bottom = rng.uniform(-0.06, 0.11, 2) * (rng.random(2) < 0.4)
    plane = np.array([[-left, -top], [1 + right, -top], [1 + right, 1 + bottom], [-left, 1 + bottom]])
    try:
        return BoardGeometry(truth.astype(np.float32)).to_picture(plane)
    except GeometryError:
        return truth


def _wrongly(picture: Image, truth: FloatArray, rng: Rng) -> tuple[Image, FloatArray] | None:
    """The view with corners of no board: a quarter turned, far off, or anywhere where there is none."""
    height, width = picture.shape[:2]
    if np.isfinite(truth).all() and rng.random() < 0.4:
        start = np.roll(truth, 1, axis=0) + rng.normal(0, 0.01, (4, 2)) * width
    else:
        middle, half = rng.uniform(0.25, 0.75, 2) * [width, height], rng.uniform(0.15, 0.45, 2) * [width, height]
        start = middle + np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half * rng.uniform(0.8, 1.2, (4, 2))
        if np.isfinite(truth).all() and _overlap(start, truth) > 0.5:
            return None
    made = _rectified(picture, start)
    return None if made is None else (made[0], edges.EXPECTED.copy())


def _overlap(one: FloatArray, other: FloatArray) -> float:
    """Intersection over union of two quadrangles."""
    common, _ = cv2.intersectConvexConvex(one.astype(np.float32), cv2.convexHull(other.astype(np.float32)))
    total = cv2.contourArea(one.astype(np.float32)) + cv2.contourArea(other.astype(np.float32)) - common
    return float(common / max(total, 1e-6))
