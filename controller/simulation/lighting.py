"""The lamp over the simulated table: how bright a face is, how it shines, where a shadow falls.

Brightness is display brightness: linear light raised to 1/2.2, so that it multiplies colours as a camera stores them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from controller.simulation.camera import Array, Camera, Point3D
from controller.simulation.looks import Lamp

DISPLAY = 1 / 2.2


@dataclass(frozen=True, eq=False)
class Light:
    """lamp: its nature; place: (3,) cm in the world; eye: (3,) cm, where the camera is."""

    lamp: Lamp
    place: Array
    eye: Array
    reference: float

    @property
    def softness(self) -> float:
        """Blur of a shadow's edge for every cm of height."""
        return self.lamp.softness

    @property
    def shadow_depth(self) -> float:
        """How much of the display brightness a full shadow takes away."""
        return float(1 - (self.lamp.ambient * 0.9) ** DISPLAY)

    def direction(self, points: Array) -> Array:
        """(N, 3) unit vectors from points (N, 3) to the lamp."""
        towards = self.place - points
        return np.asarray(towards / np.linalg.norm(towards, axis=-1, keepdims=True))

    def display(self, points: Array, normal: Array) -> Array:
        """(N, 3) BGR factors for faces at points (N, 3) cm with one unit normal (3,)."""
        towards = self.place - points
        distance = np.linalg.norm(towards, axis=-1)
        facing = np.clip(towards @ normal / distance, 0, None)
        falling = (self.reference / distance) ** 2
        linear = self.linear(facing * falling, np.asarray(normal[2]))
        return np.asarray(linear[..., None] ** DISPLAY * np.array(self.lamp.colour))

    def linear(self, direct: Array, up: Array) -> Array:
        """Linear brightness from the direct share (cosine times falling-off) and the normal's upward part."""
        ambient = self.lamp.ambient * (0.55 + 0.45 * up)
        return np.asarray(self.lamp.power * (ambient + (1.15 - self.lamp.ambient) * direct))

    def halfway(self, points: Array) -> Array:
        """(N, 3) unit vectors halfway between the lamp and the camera, seen from points."""
        to_eye = self.eye - points
        both = self.direction(points) + to_eye / np.linalg.norm(to_eye, axis=-1, keepdims=True)
        return np.asarray(both / np.linalg.norm(both, axis=-1, keepdims=True))

    def shine(self, points: Array, normal: Array, sharpness: float) -> Array:
        """(N,) 0-1: the mirror-like share at points with one normal."""
        return np.asarray(np.clip(self.halfway(points) @ normal, 0, None) ** (sharpness * 4))

    def cast(self, point: Point3D, fall: float) -> Array:
        """(2,) cm: how far sideways the shadow of a point falls `fall` cm below it."""
        away = np.array(point) - self.place
        return np.asarray(away[:2] / max(-away[2], 1.0) * fall)


def light_over(lamp: Lamp, camera: Camera, middle: Point3D) -> Light:
    """The lamp hung over the board's middle."""
    place = np.array(middle) + np.array(lamp.place)
    reference = float(np.linalg.norm(lamp.place))
    return Light(lamp, place, camera.place, reference)
