"""The camera that a scene for finding boards is seen by: a pinhole over the board's plane, with a little lens distortion."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.geometry import apply_homography
from vision.frame import Image
from vision.training.scene import DrawnScene, axes_of, camera_from
from vision.training.texture import Rng

FloatArray = npt.NDArray[np.float64]
SIZES = ((640, 360), (640, 480), (480, 640), (512, 512), (360, 640), (320, 288))
SIZE_SHARES = (0.38, 0.28, 0.1, 0.12, 0.04, 0.08)
FILLED = 0.7
"""Pictures that the board fills: edges can't be learnt finer than they are shown."""
MOST_BEND = 0.06
"""Radial distortion k1 at half the picture's diagonal; phones straighten theirs, webcams reach 0.05."""


@dataclass(frozen=True)
class Perspective:
    """size: (width, height) px; axes: rows right, down, forward; place: 3 x 3, ideal to px; bend: radial k1."""

    size: tuple[int, int]
    camera: FloatArray
    axes: FloatArray
    place: FloatArray
    bend: float

    def plane(self, z: float) -> FloatArray:
        """Homography from board lengths (x, y) at height z to px, before the lens bends them."""
        columns = np.c_[self.axes[:, 0], self.axes[:, 1], self.axes[:, 2] * z - self.axes @ self.camera]
        return np.asarray(self.place @ columns)

    def bent(self, points: npt.ArrayLike) -> FloatArray:
        """Where the lens puts ideal px (n, 2)."""
        middle, reach = np.array(self.size) / 2, np.hypot(*self.size) / 2
        away = (np.asarray(points, np.float64) - middle) / reach
        return np.asarray(middle + away * (1 + self.bend * (away**2).sum(1, keepdims=True)) * reach)

    def through_lens(self, picture: Image) -> Image:
        """The ideal picture as the lens bends it."""
        if abs(self.bend) < 1e-3:
            return picture
        width, height = self.size
        middle, reach = np.array(self.size) / 2, np.hypot(*self.size) / 2
        x = ((np.arange(width) - middle[0]) / reach).astype(np.float32)
        y = ((np.arange(height) - middle[1]) / reach).astype(np.float32)[:, None]
        away, share = x**2 + y**2, np.float32(1.0)
        for _ in range(4):
            share = 1 / (1 + np.float32(self.bend) * away * share**2)
        share *= np.float32(reach)
        across, down = x * share + np.float32(middle[0]), y * share + np.float32(middle[1])
        bent = cv2.remap(picture, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(bent, np.uint8)


def seen_from_anywhere(scene: DrawnScene, rng: Rng) -> DrawnScene:
    """The scene under a camera that may stand at any side of the board, from overhead to 28 degrees over the table."""
    span = ((28, 50), (50, 75), (75, 90))[int(rng.choice(3, p=[0.38, 0.32, 0.3]))]
    elevation = np.deg2rad(rng.uniform(*span))
    kind = rng.random()
    azimuth = rng.normal(0, 0.15) if kind < 0.4 else rng.uniform(-0.9, 0.9) if kind < 0.8 else rng.uniform(-3.15, 3.15)
    distance = rng.uniform(1.25, 3.8)
    camera = camera_from(scene.shape, distance, elevation, azimuth)
    return replace(scene, camera=camera, azimuth=float(azimuth))


def corners_of(scene: DrawnScene) -> FloatArray:
    """(4, 2) the playing surface's corners in board lengths."""
    height = scene.shape.height
    return np.array([[0, 0], [1, 0], [1, height], [0, height]], np.float64)


def view_of(scene: DrawnScene, rng: Rng, finer: float = 1.0, most_bend: float = MOST_BEND) -> Perspective:
    """A picture's view of the scene's board, somewhere in it, a third of the picture or all of it; `finer` times as large."""
    axes = axes_of(scene, rng, 0.06, 0.05)
    usual = SIZES[int(rng.choice(len(SIZES), p=SIZE_SHARES))]
    size = (round(usual[0] * finer), round(usual[1] * finer))
    bend = rng.uniform(-most_bend, most_bend) if rng.random() < 0.5 else 0.0
    view = Perspective(size, np.array(scene.camera), axes, np.eye(3), bend)
    seen = apply_homography(view.plane(0), corners_of(scene))
    extent, middle = seen.max(0) - seen.min(0), (seen.max(0) + seen.min(0)) / 2
    fill = rng.uniform(0.75, 1.0) if rng.random() < FILLED else rng.uniform(0.36, 0.85)
    scale = fill * min(np.array(size) / extent)
    free = np.maximum(np.array(size) / 2 - extent * scale / 2, 0)
    shift = np.array(size) / 2 - middle * scale + rng.uniform(-1, 1, 2) * free * rng.random()
    return replace(view, place=np.array([[scale, 0, shift[0]], [0, scale, shift[1]], [0, 0, 1]]))
