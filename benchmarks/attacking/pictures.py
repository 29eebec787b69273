"""Pictures of a simulated board, for a camera, a photo, or a folder of frames."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import cv2
import numpy as np

CORNERS = tuple[tuple[float, float], ...]


def board_pictures(count: int, size: tuple[int, int] = (1280, 720), every: int = 1) -> tuple[list[np.ndarray], CORNERS]:
    """The first pictures of a simulated match, each so many frames after the one before, and where the board lies in them."""
    from controller.simulation import Filming, SimulatedMatch, SimulatedTable

    table = SimulatedTable(3, SimulatedMatch("none", 5), Filming(size, 10))
    corners = tuple((float(x), float(y)) for x, y in table.corners)
    return [np.asarray(frame.image) for frame in islice(table.frames(), 0, count * every, every)], corners


def written(folder: Path, pictures: list[np.ndarray]) -> Path:
    """The folder, with the pictures in it as JPEG in their order."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, picture in enumerate(pictures):
        cv2.imwrite(str(folder / f"frame-{number:04d}.jpg"), picture)
    return folder


def jpeg(picture: np.ndarray) -> bytes:
    """The picture as a phone would send it."""
    return bytes(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes())


def large_png(path: Path, width: int, height: int) -> None:
    """A picture of so many pixels in a small file."""
    cv2.imwrite(str(path), np.zeros((height, width), np.uint8))
