"""Loads the small networks that ship with the program, and prepares pictures for them."""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

SPREAD_FLOOR = 8.0
"""Added to a picture's deviation before dividing by it, so that noise on a nearly black picture is not blown up."""


class WeightsError(RuntimeError):
    """The network's weights can't be used; the message is one sentence."""


def network_input(pictures: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
    """(B, 3, H, W) float32 from (B, H, W, 3) uint8 BGR: each picture's mean brought to 0, its deviation to about 1."""
    values = pictures.astype(np.float32)
    mean = values.mean(axis=(1, 2, 3), keepdims=True)
    spread = values.std(axis=(1, 2, 3), keepdims=True)
    return np.ascontiguousarray(((values - mean) / (spread + SPREAD_FLOOR)).transpose(0, 3, 1, 2))


def load_network(name: str) -> cv2.dnn.Net:
    """The network of this file name in vision/weights; raises WeightsError where it is missing or broken."""
    with as_file(files("vision") / "weights" / name) as path:
        return network_from(path)


def network_from(path: Path) -> cv2.dnn.Net:
    """The network in this ONNX file; raises WeightsError where it is missing or broken."""
    if not path.exists():
        raise WeightsError(f"The network's weights {path.name} are missing: install the program again.")
    try:
        return cv2.dnn.readNetFromONNX(str(path))
    except cv2.error:
        raise WeightsError(f"The network's weights {path.name} are damaged: install the program again.") from None
