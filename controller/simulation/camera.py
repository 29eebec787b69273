"""A pin-hole camera over the simulated table: where a point of the table falls in the picture.

World coordinates are centimetres: x to the right and y down along the playing surface as the picture shows it, z up
from the surface, (0, 0, 0) at the surface's top-left corner. Picture coordinates are pixels, x right, y down.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Point3D = tuple[float, float, float]


@dataclass(frozen=True)
class CameraPose:
    """How the camera stands. distance: cm to the board's centre; tilt, turn, roll: degrees (tilt 0: straight down);
    aside: cm the camera stands to the right of the centre; fill: share of the picture that the board fills.
    """

    distance: float = 110.0
    tilt: float = 20.0
    turn: float = 0.0
    roll: float = 0.0
    aside: float = 0.0
    fill: float = 0.92


@dataclass(frozen=True, eq=False)
class Camera:
    """size: (width, height) px; matrix: (3, 3) float64, world directions to picture rays; place: (3,) float64 cm."""

    size: tuple[int, int]
    focal: float
    axes: Array
    place: Array

    def seen_from(self, points: Array) -> Array:
        """(..., 3) cm world -> (..., 3): camera coordinates in cm, the last one the depth."""
        return np.asarray((np.asarray(points, np.float64) - self.place) @ self.axes.T)

    def project(self, points: Array | Sequence[Point3D]) -> Array:
        """(..., 3) cm world -> (..., 2) float64 px."""
        seen = self.seen_from(np.asarray(points, np.float64))
        centre = np.array(self.size, np.float64) / 2
        return np.asarray(seen[..., :2] / seen[..., 2:] * self.focal + centre)

    def depth(self, point: Point3D) -> float:
        """Depth of one point along the optical axis, cm."""
        return float(self.seen_from(np.array(point))[2])

    def rays(self, left: float, top: float, width: int, height: int, step: float) -> Array:
        """(height, width, 3) float32: directions through a grid of pixels `step` px apart, scaled to depth 1."""
        u = (left + (np.arange(width) + 0.5) * step - self.size[0] / 2) / self.focal
        v = (top + (np.arange(height) + 0.5) * step - self.size[1] / 2) / self.focal
        rays = np.empty((height, width, 3), np.float32)
        for k, (across, down, ahead) in enumerate(self.axes.T):
            rays[..., k] = (u * across)[None] + (v * down)[:, None] + ahead
        return rays

    def plane(self, z: float) -> Array:
        """(3, 3) float64 homography from (x, y) cm on the plane at height z to px."""
        rotation, shift = self.axes, -self.axes @ self.place
        columns = np.stack([rotation[:, 0], rotation[:, 1], rotation[:, 2] * z + shift], axis=1)
        lens = np.array([[self.focal, 0, self.size[0] / 2], [0, self.focal, self.size[1] / 2], [0, 0, 1]])
        return np.asarray(lens @ columns)

    def on_plane(self, pixel: tuple[float, float], z: float) -> tuple[float, float]:
        """The (x, y) cm at height z that falls on a pixel."""
        x, y, w = np.linalg.solve(self.plane(z), np.array([pixel[0], pixel[1], 1.0]))
        return float(x / w), float(y / w)


def aimed_camera(size: tuple[int, int], view: CameraPose, outline: Sequence[Point3D]) -> Camera:
    """A camera set up by `view` so that the outline (cm, world) lies in the middle of the picture and fills it."""
    points = np.array(outline, np.float64)
    centre = points.mean(axis=0)
    turn, tilt = math.radians(view.turn), math.radians(view.tilt)
    across = np.array([math.cos(turn), math.sin(turn), 0.0])
    nearer = np.array([-math.sin(turn), math.cos(turn), 0.0])
    place = centre + view.distance * (math.sin(tilt) * nearer + math.cos(tilt) * np.array([0, 0, 1.0]))
    place = place + view.aside * across
    aim = centre.copy()
    camera = Camera(size, 1000.0, _axes(place, aim, across, nearer, view.roll), place)
    for _ in range(4):
        seen = camera.project(points)
        low, high = seen.min(axis=0), seen.max(axis=0)
        scale = float(min(np.array(size) * view.fill / (high - low)))
        focal = camera.focal * scale
        off = ((low + high) / 2 - np.array(size) / 2) * scale
        aim = aim + (off[0] * across + off[1] * nearer) / focal * view.distance
        camera = Camera(size, focal, _axes(place, aim, across, nearer, view.roll), place)
    return camera


def _axes(place: Array, aim: Array, across: Array, nearer: Array, roll: float) -> Array:
    """(3, 3) float64: the picture's right, down and forward directions in world coordinates, as rows."""
    ahead = (aim - place) / np.linalg.norm(aim - place)
    right = across - across @ ahead * ahead
    right = right / np.linalg.norm(right)
    down = nearer - nearer @ ahead * ahead - nearer @ right * right
    down = down / np.linalg.norm(down)
    angle = math.radians(roll)
    return np.stack(
        [math.cos(angle) * right + math.sin(angle) * down, -math.sin(angle) * right + math.cos(angle) * down, ahead]
    )
