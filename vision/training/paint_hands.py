"""Draws hands and arms over the board."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.training import texture
from vision.training.canvas import HAND, Canvas, bgr
from vision.training.texture import Colour, Rng

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Limb:
    """One part of an arm: from, to, width in board lengths, and its colour."""

    start: FloatArray
    end: FloatArray
    width: float
    colour: Colour


def _limbs(rng: Rng, height: float, *, strange: bool) -> list[Limb]:
    """Sleeve, wrist, palm and fingers reaching over the board from some side; strange: any side, and near the camera."""
    tip = np.array([rng.uniform(0.05, 0.95), height * rng.uniform(0.05, 0.95)])
    aside = strange and rng.random() < 0.3
    angle = rng.uniform(0.0 if aside else 0.15, 1.0 if aside else 0.85) * np.pi * (1 if rng.random() < 0.6 else -1)
    along = np.array([np.cos(angle), np.sin(angle)])
    across, width = np.array([-along[1], along[0]]), rng.uniform(0.05, 0.2 if strange else 0.12)
    skin = np.array([rng.uniform(60, 190), rng.uniform(80, 200), rng.uniform(120, 240)], np.float32) * rng.uniform(
        0.25, 1.1
    )
    sleeve = texture.any_colour(rng) if rng.random() < 0.7 else skin
    palm, wrist = tip + along * width * 1.3, tip + along * width * rng.uniform(2, 3.5)
    limbs = [
        Limb(wrist, wrist + along * 2, width * rng.uniform(0.9, 1.5), sleeve),
        Limb(palm, wrist, width * 0.75, skin),
        Limb(palm, palm + along * width * 0.5, width * 1.1, skin),
    ]
    curled, spread = rng.uniform(0, 0.8), rng.uniform(0.22, 0.4)
    for finger in range(int(rng.integers(3, 6))):
        offset = across * (finger - 1.5) * width * spread
        reach = tip + offset * rng.uniform(0.4, 1.4) + along * width * curled * rng.uniform(0.3, 1.2)
        limbs.append(Limb(palm + offset, reach, width * rng.uniform(0.2, 0.3), skin * rng.uniform(0.75, 1.15)))
    return limbs


def draw_hand(canvas: Canvas, rng: Rng) -> None:
    """A hand with its arm, rounded by light and shade, and its shadow."""
    limbs = _limbs(rng, canvas.scene.shape.height, strange=canvas.scene.strange)
    flat, mask = canvas.image.copy(), np.zeros_like(canvas.owner)
    shade = np.ones(mask.shape, np.float32)

    def pixel(point: FloatArray) -> tuple[int, int]:
        x, y = ((point + canvas.margin) * canvas.scale).astype(int).tolist()
        return (x, y)

    for index, limb in enumerate(limbs):
        one, wide = np.zeros_like(mask), max(2, int(limb.width * canvas.scale))
        cv2.line(one, pixel(limb.start), pixel(limb.end), 255, wide, cv2.LINE_AA)
        cv2.line(flat, pixel(limb.start), pixel(limb.end), bgr(limb.colour), wide, cv2.LINE_AA)
        x, y, broad, tall = cv2.boundingRect(one)
        part = (slice(max(y - 2, 0), y + tall + 2), slice(max(x - 2, 0), x + broad + 2))
        inside = one[part] > 127
        depth = cv2.distanceTransform(one[part], cv2.DIST_L2, 3) / (wide / 2)
        shade[part][inside] = (
            (0.55 + 0.45 * np.minimum(depth, 1))[inside] if index else (0.65 + 0.35 * np.minimum(depth, 1))[inside]
        )
        mask = np.maximum(mask, one)
    shade = np.asarray(canvas.soft(shade, 1.5), np.float32)
    shade *= 1 + texture.patch(rng, *mask.shape) * np.float32(rng.uniform(0, 0.15))
    move = np.array(canvas.scene.light) * canvas.scale * rng.uniform(0.01, 0.1)
    shift = np.array([[1, 0, move[0]], [0, 1, move[1]]], np.float32)
    shadow = canvas.soft(cv2.warpAffine(mask, shift, (canvas.width, canvas.height)), rng.uniform(2, 7))
    canvas.multiply(1 - shadow.astype(np.float32) / 255 * np.float32(rng.uniform(0.2, 0.7)))
    x, y, broad, tall = cv2.boundingRect(mask)
    part = (slice(y, y + tall), slice(x, x + broad))
    alpha = mask[part][..., None].astype(np.float32) / 255
    arm = np.clip(flat[part].astype(np.float32) * shade[part][..., None], 0, 255)
    canvas.image[part] = cv2.convertScaleAbs(canvas.image[part] * (1 - alpha) + arm * alpha)
    canvas.owner[mask > 100] = HAND
