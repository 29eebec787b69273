"""The board's plane under a brush, as the camera projects it: what everything on and around a drawn board is painted with."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Image
from vision.training.scene import DrawnScene

FloatArray = npt.NDArray[np.float64]

SCALE = 300
"""Canvas px per board width, unless asked for more; widths of lines and blurs are given for this scale."""
MARGIN = 0.2
HAND = 255
THING = 254
BODY = 253
"""Owners: a hand; dice, cubes and walls; the board. Checkers have 1, 2, 3 ... in the scene's order, the table 0."""
SHIFT = 4
COARSELY = 3.0
"""Px from which on a blur is made at half the size, where it looks the same."""


class Canvas:
    """The plane under the brush: projects, fills, and remembers what covers what."""

    def __init__(self, scene: DrawnScene, margin: float = MARGIN, scale: int = SCALE) -> None:
        self.scene = scene
        self.margin = margin
        self.scale = scale
        self.finer = scale / SCALE
        self.width = int((1 + 2 * margin) * scale)
        self.height = int((scene.shape.height + 2 * margin) * scale)
        self.image: Image = np.full((self.height, self.width, 3), scene.palette.table, np.float32).astype(np.uint8)
        self.owner = np.zeros((self.height, self.width), np.uint8)
        self._camera = np.array(scene.camera)

    def project(self, points: npt.ArrayLike) -> FloatArray:
        """(..., 3) board lengths to (..., 2) canvas px."""
        return np.asarray((on_plane(points, self._camera) + self.margin) * self.scale)

    def enlargement(self, z: float) -> float:
        """Canvas px per board width at this height."""
        return float(self.scale * self._camera[2] / (self._camera[2] - z))

    def polygon(self, outline: npt.ArrayLike, z: float, colour: npt.ArrayLike, owner: int | None = None) -> FloatArray:
        """Fills a flat polygon (n, 2) at height z; returns its canvas px (n, 2)."""
        flat = np.asarray(outline, np.float64)
        pixels = self.project(np.c_[flat, np.full(len(flat), z)])
        self.fill(pixels, colour, owner)
        return pixels

    def fill(self, pixels: FloatArray, colour: npt.ArrayLike, owner: int | None = None) -> None:
        """Fills a polygon (n, 2) given in canvas px."""
        corners = [np.round(pixels * 2**SHIFT).astype(np.int32)]
        cv2.fillPoly(self.image, corners, bgr(colour), cv2.LINE_AA, SHIFT)
        if owner is not None:
            cv2.fillPoly(self.owner, corners, owner, cv2.LINE_8, SHIFT)

    def disc(self, centre: FloatArray, radius: float, colour: npt.ArrayLike, thickness: int = -1) -> None:
        """A disc or a ring, canvas px."""
        if radius > 0:
            thickness = thickness if thickness < 0 else self.stroke(thickness)
            cv2.circle(self.image, fixed(centre), int(radius * 2**SHIFT), bgr(colour), thickness, cv2.LINE_AA, SHIFT)

    def stroke(self, width: float) -> int:
        """The px of a line that is `width` px wide on a canvas of SCALE."""
        return max(1, round(width * self.finer))

    def soft(self, image: npt.NDArray[Any], deviation: float) -> npt.NDArray[Any]:
        """The image blurred; deviation in px of a canvas of SCALE."""
        spread = deviation * self.finer
        if spread < COARSELY:
            return np.asarray(cv2.GaussianBlur(image, (0, 0), spread))
        small = cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        blurred = cv2.GaussianBlur(small, (0, 0), spread / 2)
        return np.asarray(cv2.resize(blurred, (image.shape[1], image.shape[0]), interpolation=cv2.INTER_LINEAR))

    def multiply(self, factor: npt.NDArray[np.floating]) -> None:
        """Darkens or brightens the whole canvas by (H, W) factors."""
        each = cv2.merge([np.abs(factor, dtype=np.float32)] * 3)
        self.image = np.asarray(cv2.multiply(self.image, each, dtype=cv2.CV_8U), np.uint8)


def on_plane(points: npt.ArrayLike, camera: FloatArray) -> FloatArray:
    """(..., 3) board lengths to (..., 2): where on the board's plane the camera, (3,), sees them."""
    p = np.asarray(points, np.float64)
    z = p[..., 2:]
    return np.asarray(p[..., :2] + z / (camera[2] - z) * (p[..., :2] - camera[:2]))


def bgr(colour: npt.ArrayLike) -> tuple[float, float, float]:
    """A colour as OpenCV takes it."""
    b, g, r = np.clip(np.asarray(colour, np.float64), 0, 255).tolist()
    return (b, g, r)


def fixed(point: FloatArray) -> tuple[int, int]:
    """A point in units of 1 / 2**SHIFT px."""
    x, y = np.round(point * 2**SHIFT).astype(int).tolist()
    return (x, y)


def rectangle(x0: float, y0: float, x1: float, y1: float) -> FloatArray:
    """Its four corners (4, 2), board lengths."""
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])
