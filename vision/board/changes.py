"""Whether anything changed on a column between two looks at one board: pixel by pixel, whatever the networks make of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.bands import Bands
from vision.board.geometry import (
    CANONICAL_HEIGHT,
    CANONICAL_WIDTH,
    MARGIN_X,
    MARGIN_Y,
    PITCH,
    POINT_HEIGHT,
    BoardGeometry,
    canonical_left,
)
from vision.frame import Image

FloatArray = npt.NDArray[np.float32]

LEAST_CHANGE = 6
"""Grey levels, to which NOISE_FACTOR times the lower quartile of all differences is added."""
NOISE_FACTOR = 6
NOISY = 2.5
"""Grey levels of that quartile above which a lamp's flicker is looked for: cameras of ordinary noise stay below it."""
MOST_LEAST = 0.15
"""Share of what a twentieth of the picture is brighter than: where less is no change, in little light and in much noise, a dark
checker comes to a dark point unseen. On three simulated boards it is 0.05 to 0.06, 0.08 to 0.12 with noise of ten grey levels or in
half the light, 0.20 to 0.24 in a quarter of it."""
LIGHT_SCALE = 6.0
"""px. Differences that are smooth beyond this are light and shadow; a checker is 14 px wide."""
DIE = 9
"""px around a die's or the cube's middle that are left out: its half diagonal and the beginning of its shadow."""
LEAST_LEFT = 0.4
"""Share of a column that must be left without them."""
EDGE = 1
"""px at either side of a column that its neighbours' checkers reach over."""

ROWS = round(POINT_HEIGHT * (CANONICAL_HEIGHT - 2 * MARGIN_Y)) + 4
"""px from the board's edge: a pile's rim leans a little beyond its point."""


@dataclass(frozen=True, eq=False)
class Snapshot:
    """What the board looked like. image: the canonical picture, (192, 224, 3) uint8 BGR; loose: (192, 224) bool, where dice and
    the cube lie, which come and go without any checker being moved; to_source: (3, 3) homography from its px to source px, but for
    the bar and a lens, which shift them a little; None where there was no camera."""

    image: Image
    loose: npt.NDArray[np.bool_]
    to_source: npt.NDArray[np.float64] | None = None

    @classmethod
    def of(cls, image: Image, geometry: BoardGeometry, loose: Iterable[tuple[float, float]]) -> Snapshot:
        """From a source picture; loose: places of dice and cube, board plane."""
        hidden = np.zeros((CANONICAL_HEIGHT, CANONICAL_WIDTH), np.uint8)
        for x, y in loose:
            across = float(geometry.canonical_x(min(max(x, -1.0), 2.0)))
            down = MARGIN_Y + min(max(y, -1.0), 2.0) * (CANONICAL_HEIGHT - 2 * MARGIN_Y)
            cv2.circle(hidden, (round(across), round(down)), DIE, 1, -1)
        return cls(geometry.canonical(image), hidden > 0, _to_source(geometry))


def shares_changed(before: Snapshot, now: Snapshot) -> FloatArray:
    """(24,) share of each column's pixels that look different; NaN where dice or cube cover too much of it to say, and everywhere
    where too little light or too much noise does.

    Both by one camera that has not moved. What explains a difference by light, overall or smooth across checkers, is no change.
    """
    old, new = before.image.astype(np.float32), now.image.astype(np.float32)
    sparse = slice(None, None, 2)
    gain = np.median((new[sparse, sparse] + 4) / (old[sparse, sparse] + 4), axis=(0, 1))
    both, noise = _difference(old, new, np.asarray(gain, np.float32))
    if noise > NOISY and now.to_source is not None:
        bands = Bands(now.to_source, np.zeros(now.image.shape[:2], np.bool_)).gains(before.image, now.image)
        both, noise = min([(both, noise), *(_difference(old, new, one) for one in bands)], key=lambda one: one[1])
    least = LEAST_CHANGE + NOISE_FACTOR * noise
    if least > MOST_LEAST * np.percentile(new[::4, ::4].max(axis=2), 95):
        return np.full(24, np.nan, np.float32)
    over = both > least
    left = ~(before.loose | now.loose)
    return np.array([_share(over[region], left[region]) for region in _REGIONS], np.float32)


def _difference(old: FloatArray, new: FloatArray, gain: FloatArray) -> tuple[FloatArray, float]:
    """(H, W) by how much two pictures differ that are (H, W, 3), less their light, and what of that is noise. gain: (3,), or each
    px's."""
    off = np.asarray(new - old * gain, np.float32)
    rough = off - cv2.GaussianBlur(off, (0, 0), LIGHT_SCALE)
    both = np.minimum(_most(off), _most(rough))
    return both, float(np.percentile(both, 25))


def _most(difference: FloatArray) -> FloatArray:
    """(H, W) the largest of the three colours' differences; channel by channel, as numpy is slow along an axis of three."""
    blue, green, red = (np.abs(plane) for plane in cv2.split(difference))
    return np.asarray(np.maximum(np.maximum(blue, green), red))


def _share(over: npt.NDArray[np.bool_], left: npt.NDArray[np.bool_]) -> float:
    return float(over[left].mean()) if left.mean() >= LEAST_LEFT else float("nan")


def _to_source(geometry: BoardGeometry) -> npt.NDArray[np.float64]:
    left, right = MARGIN_X, CANONICAL_WIDTH - MARGIN_X
    top, bottom = MARGIN_Y, CANONICAL_HEIGHT - MARGIN_Y
    board = np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(board, geometry.corners), np.float64)


def _region(column: int) -> tuple[slice, slice]:
    """Rows and columns of the canonical picture."""
    first = canonical_left(column)
    across = slice(first + EDGE, first + PITCH - EDGE)
    bottom = CANONICAL_HEIGHT - MARGIN_Y
    return (slice(MARGIN_Y, MARGIN_Y + ROWS) if column < 12 else slice(bottom - ROWS, bottom)), across


_REGIONS = tuple(_region(column) for column in range(24))
