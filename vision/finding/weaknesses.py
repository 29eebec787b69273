"""What makes a camera's picture of a board hard to read, so that a person can mend it before the game."""

from __future__ import annotations

from typing import Literal

import cv2
import numpy as np

from vision.board.geometry import BoardGeometry
from vision.finding import BoardLocation
from vision.frame import Image

Weakness = Literal["dark", "small", "glare", "blurred", "unsure"]

DARK = 45.0
"""Mean grey level of the board, 0-255; the dimmest reference picture has 62."""
SMALL = 400.0
"""px across the board: a die of 2.4 % is then 10 px wide, and its pips are a pixel each."""
GLARE = 250
GLARING = 0.03
"""Share of the board at GLARE or above: a checker's face is 0.6 % of it, so that five may vanish."""
BLURRED = 8.0
"""Variance of the Laplacian of the board at 640 px: reference pictures have 14 and more, the project's stills 88 and more, those
with 3 px of blur 2 to 4."""
UNSURE = 0.6
WIDTH, HEIGHT = 640, 480


def weaknesses(image: Image, found: BoardLocation) -> tuple[Weakness, ...]:
    """What is weak. image: (H, W, 3) uint8 BGR, in which the board was found."""
    geometry = BoardGeometry(found.corners)
    grey = cv2.cvtColor(geometry.rectified(image, WIDTH, HEIGHT, 0.0), cv2.COLOR_BGR2GRAY)
    weak: dict[Weakness, bool] = {
        "dark": float(grey.mean()) < DARK,
        "small": geometry.width_px < SMALL,
        "glare": float(np.mean(grey >= GLARE)) > GLARING,
        "blurred": float(cv2.Laplacian(grey, cv2.CV_64F).var()) < BLURRED,
        "unsure": found.confidence < UNSURE,
    }
    return tuple(name for name, is_so in weak.items() if is_so)
