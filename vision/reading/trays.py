"""Counts borne-off checkers in the trays or beside the board: how many a side has left tells what lies on it.

A network looks at what lies beside each quarter of the board and is told both sides' colours.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.geometry import TRAY_HEIGHT, TRAY_WIDTH, BoardGeometry
from vision.frame import Image
from vision.network import WEIGHTS, FloatArray, Network, network_input
from vision.observation import MAX_COUNT
from vision.reading.appearance import LAB_WEIGHTS, MOST_WEIGHT, ColumnColours, colour_of_columns
from vision.reading.network_reading import log_softmax

QUARTERS = 4
"""Top left, top right, bottom left, bottom right."""
DETAIL = 2
"""A picture of a tray is this many times finer than the canonical picture."""
SWATCH = 16
"""Px at the foot of a picture that show both sides' colours, the lighter one's on the left."""
HEIGHT, WIDTH = TRAY_HEIGHT * DETAIL + SWATCH, TRAY_WIDTH * DETAIL
UNSEEN = 128
"""Grey for the colour of a side of which nothing lies on the points."""
LEAST_WEIGHT = 0.05
"""Weight of all columns of a side together from which on its colour is believed."""
LEARNT = (0.708, *(0.038,) * 5, *(0.0102,) * 10)
"""How often no checker, one, two and so on of a side lie beside a quarter of the boards that taught the network."""
ELSEWHERE = 0.1
"""How often borne-off checkers lie where nobody looks: in a hand, in the lid, further off."""
MISTAKEN = 0.03
"""How often something else beside a board is taken for borne-off checkers."""


class TrayReader:
    """Counts with one network, loaded once. Not thread-safe: one a thread."""

    def __init__(self) -> None:
        """Raises WeightsError where its weights can't be used."""
        self._network = Network(WEIGHTS / "trays.onnx")

    def read(self, image: Image, placed: BoardGeometry, heat: FloatArray, columns: FloatArray) -> FloatArray:
        """(2, 16) how likely what lies beside the board is, if 0 to 15 light and dark checkers have been borne off; 1 for none.

        image: (H, W, 3) uint8 BGR, source px. placed: with the bar's edges. heat, columns: what was read of the points, as in
        `NetworkReading` and `ColumnsSeen`.
        """
        looks = colour_of_columns(placed.canonical(image), heat)
        held = np.stack([columns[:, MAX_COUNT + 1 :].sum(axis=1), columns[:, :MAX_COUNT].sum(axis=1)])
        colours = side_colours(looks, held)
        pictures = [tray_picture(image, placed, quarter, colours) for quarter in range(QUARTERS)]
        (logits,) = self._network(network_input(np.stack(pictures)))
        return likelihood_of(log_softmax(logits))


def likelihood_of(quarters: FloatArray) -> FloatArray:
    """(2, 16) of `TrayReader.read`, from (4, 2, 16) log-probabilities of how many of each side lie beside each quarter.

    All of a side's lie beside one quarter, whichever, or where nobody looks; or what is there is no checker.
    """
    ratios = np.exp(quarters - np.log(np.array(LEARNT)))
    ratios = (ratios / ratios[..., :1]).mean(axis=0)
    likelihood = ELSEWHERE + (1 - ELSEWHERE) * ratios
    likelihood[:, 0] = 1 - MISTAKEN + MISTAKEN * ratios[:, 1:].mean(axis=1)
    return np.asarray(likelihood / likelihood[:, :1], np.float32)


def side_colours(looks: ColumnColours, held: FloatArray) -> npt.NDArray[np.uint8]:
    """(2, 3) BGR of the lighter and the darker side's checkers on the points. held: (2, 24) how likely a column is each side's."""
    weights = held * np.minimum(looks.weight, MOST_WEIGHT)
    total = weights.sum(axis=1, keepdims=True)
    lab = weights @ (looks.colour / LAB_WEIGHTS) / np.maximum(total, LEAST_WEIGHT)
    bgr = cv2.cvtColor(np.clip(np.round(lab), 0, 255).astype(np.uint8)[None], cv2.COLOR_LAB2BGR)[0]
    return np.where(total > LEAST_WEIGHT, bgr, UNSEEN).astype(np.uint8)


def tray_picture(image: Image, placed: BoardGeometry, quarter: int, colours: npt.NDArray[np.uint8]) -> Image:
    """(HEIGHT, WIDTH, 3) what lies beside a quarter, and below it both sides' colours."""
    patch = placed.tray_patch(image, quarter, DETAIL)
    swatch = np.repeat(colours, WIDTH // 2, axis=0)[None].repeat(SWATCH, axis=0)
    return np.concatenate([patch, swatch])
