"""Spoils pictures as cameras, phones and the web do, where a network looks at them: blur, sharpening, few px, dark, noise, JPEG."""

from __future__ import annotations

import cv2
import numpy as np

from vision.frame import Image
from vision.training import texture
from vision.training.texture import FloatImage, Rng


def roughened(picture: Image, rng: Rng, detail: float = 1.0) -> Image:
    """The picture (H, W, 3) as it is, or spoilt in one or two ways. detail: scales the blurs, 1 for 448 px."""
    kind = rng.random()
    if kind < 0.20:
        picture = _blurred(picture, float(np.exp(rng.uniform(np.log(0.5), np.log(5.0)))) * detail)
    elif kind < 0.30:
        soft, much = _blurred(picture, rng.uniform(0.7, 3.0) * detail), rng.uniform(0.4, 2.0)
        picture = np.asarray(cv2.addWeighted(picture, 1 + much, soft, -much, 0), np.uint8)
    elif kind < 0.40:
        picture = _coarse(picture, rng.uniform(0.2, 0.75), rng)
    elif kind < 0.46:
        picture = _shaken(picture, rng.uniform(3, 13) * detail, rng)
    kind = rng.random()
    if kind < 0.08:
        picture = _dark(picture, rng)
    elif kind < 0.20:
        _, packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(8, 60))])
        picture = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    elif kind < 0.28:
        noise = _noise(picture, rng) * np.float32(rng.uniform(3, 18))
        picture = np.asarray(cv2.add(picture, noise, dtype=cv2.CV_8U), np.uint8)
    return picture


def _blurred(picture: Image, deviation: float) -> Image:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), max(deviation, 0.2)), np.uint8)


def _coarse(picture: Image, share: float, rng: Rng) -> Image:
    """Taken with fewer px and made as large again."""
    height, width = picture.shape[:2]
    small = cv2.resize(picture, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    how = (cv2.INTER_LINEAR, cv2.INTER_CUBIC, cv2.INTER_NEAREST)[int(rng.choice(3, p=[0.55, 0.35, 0.1]))]
    return np.asarray(cv2.resize(small, (width, height), interpolation=how), np.uint8)


def _shaken(picture: Image, length: float, rng: Rng) -> Image:
    """Moved in one direction while the shutter was open."""
    size = max(3, int(length) | 1)
    kernel = np.zeros((size, size), np.float32)
    turn, middle = rng.uniform(0, np.pi), size // 2
    reach = np.array([np.cos(turn), np.sin(turn)]) * middle
    ends = [(round(middle + sign * reach[0]), round(middle + sign * reach[1])) for sign in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 1.0)
    return np.asarray(cv2.filter2D(picture, -1, kernel / kernel.sum()), np.uint8)


def _noise(picture: Image, rng: Rng) -> FloatImage:
    """White noise of the picture's shape, deviation 1."""
    held = texture.sensor_noise()
    height, width = picture.shape[:2]
    y, x = int(rng.integers(0, held.shape[0] - height)), int(rng.integers(0, held.shape[1] - width))
    return held[y : y + height, x : x + width]


def _dark(picture: Image, rng: Rng) -> Image:
    """Little light, much gain: few levels and coloured noise."""
    light = rng.uniform(0.08, 0.5)
    noise = cv2.GaussianBlur(_noise(picture, rng), (0, 0), rng.uniform(0.4, 1.2)) * np.float32(rng.uniform(1, 5))
    levels = np.clip(np.round(picture.astype(np.float32) * np.float32(light) + noise), 0, 255)
    gain = 1.0 if rng.random() < 0.4 else rng.uniform(0.5, 1.0) / light
    return np.asarray(np.clip(levels * np.float32(gain), 0, 255), np.uint8)
