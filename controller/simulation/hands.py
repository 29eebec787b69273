"""Draws a player's hand and arm: a modelled hand, turned and scaled into the picture at its height over the board."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np

from controller.rules import Side
from controller.simulation.camera import Array
from controller.simulation.lighting import DISPLAY
from controller.simulation.scene import HandThing, Pose
from controller.simulation.solids import Shadow, Sprite, Studio, shadow_of, smeared
from controller.simulation.textures import Colour, clouds

DOTS = 14
"""Pixels a centimetre of the hand's texture: about the picture's own at 1280 px."""

ABOVE, BELOW, ASIDE = 4.0, 64.0, 9.0
"""The texture's reach from the fingertips, cm: beyond them, down the arm, to either side."""

_Bone = tuple[float, float, float, float, float, float]
"""A tapering limb in cm: x, y, radius at one end, then at the other; y runs from the fingertips to the elbow."""

_WRIST: _Bone = (0.5, 9.5, 2.3, 0.6, 14.0, 2.7)
_ARM: tuple[_Bone, ...] = ((0.6, 13.5, 2.7, 1.5, 24.0, 3.3), (1.5, 24.0, 3.3, 2.5, 66.0, 5.0))
_BONES: dict[Pose, tuple[_Bone, ...]] = {
    "pinch": (
        (-0.1, 0.5, 0.75, 0.3, 3.4, 0.9),
        (0.3, 3.4, 0.9, -0.6, 6.6, 1.05),
        (-0.9, 0.9, 0.8, -2.6, 3.7, 1.0),
        (-2.6, 3.7, 1.0, -1.6, 8.2, 1.5),
        (0.9, 1.6, 0.75, 1.6, 4.2, 0.9),
        (1.6, 4.2, 0.9, 0.7, 6.8, 1.05),
        (2.2, 3.2, 0.75, 2.6, 5.2, 0.85),
        (2.6, 5.2, 0.85, 1.9, 7.4, 1.0),
        (3.2, 4.6, 0.65, 3.4, 6.2, 0.75),
        (3.4, 6.2, 0.75, 2.6, 8.0, 0.95),
        (-0.4, 7.0, 1.6, 0.0, 11.5, 2.3),
        (1.4, 7.4, 1.6, 0.9, 11.5, 2.3),
        (2.3, 8.0, 1.3, 1.2, 11.5, 2.2),
    ),
    "cup": (
        (-0.6, 1.3, 0.9, -0.7, 3.6, 1.0),
        (0.7, 0.9, 0.9, 0.7, 3.4, 1.0),
        (2.0, 1.4, 0.85, 2.0, 3.6, 1.0),
        (3.2, 2.6, 0.75, 3.1, 4.4, 0.85),
        (-2.3, 2.6, 0.9, -2.4, 5.6, 1.2),
        (-0.5, 4.4, 1.7, 0.0, 10.0, 2.3),
        (1.0, 4.4, 1.7, 0.9, 10.0, 2.3),
        (2.2, 4.8, 1.5, 1.2, 10.5, 2.2),
    ),
    "flat": (
        (-1.9, 0.6, 0.75, -1.4, 7.4, 1.0),
        (0.2, 0.0, 0.78, 0.1, 7.2, 1.0),
        (2.1, 0.7, 0.74, 1.5, 7.4, 1.0),
        (3.9, 2.5, 0.64, 2.8, 8.2, 0.9),
        (-4.6, 5.4, 0.8, -2.2, 10.2, 1.4),
        (-1.0, 8.4, 1.6, 0.0, 13.0, 2.4),
        (0.6, 8.2, 1.6, 0.8, 13.0, 2.3),
        (2.0, 8.8, 1.5, 1.2, 13.0, 2.2),
    ),
}
_NAILS: dict[Pose, tuple[tuple[float, float], ...]] = {
    "pinch": ((-0.1, 0.35), (-1.0, 0.9), (0.95, 1.5)),
    "cup": (),
    "flat": ((-1.9, 0.45), (0.2, -0.15), (2.1, 0.55), (3.95, 2.35), (-4.7, 5.2)),
}
_CUFF = 19.0
"""Where the sleeve begins, cm from the fingertips."""


def hand_texture(pose: Pose, skin: Colour, sleeve: Colour, seed: int) -> Array:
    """(h, w, 4) uint8 BGRA, colour times alpha: a hand from above, its fingertips pointing up at (ASIDE, ABOVE) cm."""
    columns, rows = int(2 * ASIDE * DOTS), int((ABOVE + BELOW) * DOTS)
    x = (np.arange(columns, dtype=np.float32)[None] + 0.5) / DOTS - ASIDE
    y = (np.arange(rows, dtype=np.float32)[:, None] + 0.5) / DOTS - ABOVE
    rng = np.random.default_rng([seed, 13])
    hand = _height(x, y, (*_BONES[pose], _WRIST, _ARM[0]))
    arm = _height(x, y, tuple((a, b, r * 1.28, c, d, s * 1.28) for a, b, r, c, d, s in _ARM)) * (
        y > _CUFF - 0.25 * np.cos(x)
    )
    folds = clouds(rng, rows, columns, DOTS * 2.2, DOTS * 3.5) * 0.16
    arm = np.where(arm > 0, np.maximum(arm + folds + 0.3, 0.05), 0)
    clothed = arm > 0
    surface = np.where(clothed, arm, hand)
    surface = np.asarray(cv2.GaussianBlur(surface.astype(np.float32), (0, 0), 1.6))
    down, across = np.gradient(surface * DOTS)
    flat = 1 / np.sqrt(1 + across**2 + down**2)
    shade = (0.42 + 0.63 * np.clip(flat * (1 - 0.25 * across + 0.25 * down), 0, 1.3)) ** DISPLAY
    mottled = (
        1
        + 0.02 * clouds(rng, rows, columns, DOTS * 0.5, DOTS * 0.5)
        + 0.012 * rng.standard_normal((rows, columns), np.float32)
    )
    skin_colour = np.array(skin, np.float32) * mottled[..., None]
    ruddy = np.exp(-((y / 3.2) ** 2))[..., None] * np.array([-14, -16, 4], np.float32)
    weave = (
        1
        + 0.03 * np.sin(x * DOTS * 1.7) * np.sin(y * DOTS * 1.7)
        + 0.03 * rng.standard_normal((rows, columns), np.float32)
    )
    colour = np.where(clothed[..., None], np.array(sleeve, np.float32) * weave[..., None], skin_colour + ruddy)
    for nail_x, nail_y in _NAILS[pose]:
        nail = np.clip((1 - np.hypot((x - nail_x) / 0.42, (y - nail_y) / 0.5)) * 5, 0, 1)[..., None]
        colour = colour * (1 - 0.5 * nail) + 0.5 * nail * np.array([190, 200, 232], np.float32)
    alpha = np.asarray(cv2.GaussianBlur(((hand > 0) | clothed).astype(np.float32), (0, 0), 0.8))[..., None]
    picture = np.clip(colour * shade[..., None], 0, 255) * alpha
    return np.concatenate([picture, alpha * 255], axis=-1).astype(np.uint8)


def _height(x: Array, y: Array, bones: Sequence[_Bone]) -> Array:
    """(h, w) float32 cm: upper surface of the limbs, melted together where they meet; 0 where there is none."""
    rows = y[:, 0]
    total = np.zeros((len(rows), x.shape[1]), np.float32)
    for x0, y0, r0, x1, y1, r1 in bones:
        reach = max(r0, r1)
        band = (rows > min(y0, y1) - reach) & (rows < max(y0, y1) + reach)
        yy = y[band]
        length = (x1 - x0) ** 2 + (y1 - y0) ** 2
        along = np.clip(((x - x0) * (x1 - x0) + (yy - y0) * (y1 - y0)) / length, 0, 1)
        radius = r0 + along * (r1 - r0)
        off = np.hypot(x - x0 - along * (x1 - x0), yy - y0 - along * (y1 - y0))
        dome = np.sqrt(np.maximum(radius**2 - off**2, 0))
        here = total[band]
        total[band] = np.where((dome > 0) & (here > 0), (dome**6 + here**6) ** (1 / 6), np.maximum(dome, here))
    return total


class Hands:
    """The textures of both players' hands, made when first needed, and their sprites."""

    def __init__(self, studio: Studio, seed: int) -> None:
        self._studio = studio
        self._seed = seed
        self._made: dict[tuple[Side, Pose], tuple[Array, Array]] = {}

    def _drawn(self, side: Side, pose: Pose) -> tuple[Array, Array]:
        """One player's hand in one pose: see `hand_texture`; and how much of it there is, (h, w) uint8 a quarter as large."""
        key = (side, pose)
        if key not in self._made:
            owner = 0 if side is Side.LIGHT else 1
            look = self._studio.look
            made = hand_texture(pose, look.skins[owner], look.sleeves[owner], self._seed + owner)
            gain = (*(tint * look.lamp.power**DISPLAY for tint in look.lamp.colour), 1.0)
            texture = np.clip(made * np.array(gain, np.float32), 0, 255).astype(np.uint8)
            outline = cv2.resize(texture[..., 3], None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
            self._made[key] = texture, np.asarray(outline)
        return self._made[key]

    def sprite(self, hand: HandThing) -> Sprite | None:
        """The hand in the picture; None where it is out of it."""
        camera = self._studio.camera
        texture, _ = self._drawn(hand.side, hand.pose)
        warp = camera.plane(hand.tip[2]) @ _placed(hand, (0.0, 0.0))
        region = _region(warp, texture, camera.size)
        if region is None:
            return None
        left, top, width, height = region
        local = np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1.0]]) @ warp
        drawn = np.asarray(cv2.warpPerspective(texture, local, (width, height), flags=cv2.INTER_LINEAR))
        keep = cv2.merge([255 - drawn[..., 3]] * 3)
        sprite = Sprite(left, top, np.ascontiguousarray(drawn[..., :3]), np.asarray(keep), 0.0)
        return smeared(self._studio, sprite, hand.tip, hand.smear)

    def shadow(self, hand: HandThing) -> Shadow | None:
        """The hand's shadow on the board."""
        light, camera = self._studio.light, self._studio.camera
        height = hand.tip[2] + 1.5
        shift = light.cast((hand.tip[0], hand.tip[1], height), height)
        texture, outline = self._drawn(hand.side, hand.pose)
        softness = max(height * light.softness * 0.35 * DOTS / 4, 1.0)
        small = cv2.GaussianBlur(outline, (0, 0), softness)
        warp = camera.plane(0.5) @ _placed(hand, (float(shift[0]), float(shift[1])))
        region = _region(warp, texture, camera.size)
        if region is None:
            return None
        left, top, width, height_px = region
        grown = np.diag([4.0, 4.0, 1.0])
        local = np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1.0]]) @ warp @ grown
        cover = (
            np.asarray(cv2.warpPerspective(small, local, (width, height_px), flags=cv2.INTER_LINEAR), np.float32) / 255
        )
        return shadow_of(left, top, light.shadow_depth * 0.85 * cover, 0.0, over=True)


def _placed(hand: HandThing, shift: tuple[float, float]) -> Array:
    """(3, 3): from the texture's pixels to (x, y) cm of the world, the arm pointing to the elbow."""
    away = math.atan2(hand.elbow[1] - hand.tip[1], hand.elbow[0] - hand.tip[0])
    c, s = math.cos(away - math.pi / 2), math.sin(away - math.pi / 2)
    to_cm = np.array([[1 / DOTS, 0, -ASIDE], [0, 1 / DOTS, -ABOVE], [0, 0, 1.0]])
    turn = np.array([[c, -s, hand.tip[0] + shift[0]], [s, c, hand.tip[1] + shift[1]], [0, 0, 1.0]])
    return np.asarray(turn @ to_cm)


def _region(warp: Array, texture: Array, size: tuple[int, int]) -> tuple[int, int, int, int] | None:
    """(left, top, width, height) px of the texture in the picture."""
    rows, columns = texture.shape[:2]
    corners = np.array([[[0, 0]], [[columns, 0]], [[columns, rows]], [[0, rows]]], np.float64)
    seen = cv2.perspectiveTransform(corners, warp).reshape(-1, 2)
    low = np.maximum(np.floor(seen.min(axis=0)).astype(int), 0)
    high = np.minimum(np.ceil(seen.max(axis=0)).astype(int) + 1, size)
    if (high <= low).any():
        return None
    return int(low[0]), int(low[1]), int(high[0] - low[0]), int(high[1] - low[1])
