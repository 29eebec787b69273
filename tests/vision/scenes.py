"""A plain board drawn for the tests of motion and registration: points, checkers, dice, an arm, lamps, bumps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.geometry import BoardGeometry, apply_homography
from vision.frame import Corners, Image

SIZE = (1280, 720)
CORNERS: Corners = np.array([[330, 90], [960, 110], [1010, 620], [280, 600]], np.float32)
GEOMETRY = BoardGeometry(CORNERS, (0.47, 0.53))

WIDTH = float(np.linalg.norm(CORNERS[1] - CORNERS[0]))

WOOD, FELT, RED, GREEN = (40, 70, 110), (150, 180, 200), (60, 50, 130), (60, 90, 40)
SKIN, SLEEVE = (130, 160, 210), (110, 90, 70)

_FLAT = (1040, 840)
"""px of the flat drawing, in which the playing surface lies from 100,100 to 940,740."""


def off(found: Corners, true: Corners) -> float:
    """The worst corner's distance from the truth, as a share of the board's width."""
    return float(np.linalg.norm(found - true, axis=1).max()) / WIDTH


def to_flat(plane: npt.ArrayLike) -> npt.NDArray[np.int32]:
    return np.rint(np.asarray(plane, np.float64) * (840, 640) + (100, 100)).astype(np.int32)


def draw(checkers: Sequence[tuple[float, float]] = (), dice: Sequence[tuple[float, float]] = ()) -> Image:
    """The picture (720, 1280, 3) of a board with checkers and dice at places of the board plane, on a table."""
    flat = np.full((_FLAT[1], _FLAT[0], 3), WOOD, np.uint8)
    cv2.rectangle(flat, (100, 100), (940, 740), FELT, -1)
    for column in range(24):
        x, _ = GEOMETRY.column_centre(column)
        base, tip = (0.0, 0.4) if column < 12 else (1.0, 0.6)
        corners = to_flat([[x - 0.037, base], [x + 0.037, base], [x, tip]])
        cv2.fillPoly(flat, [corners], RED if column % 2 else GREEN, cv2.LINE_AA)
    cv2.rectangle(flat, tuple(to_flat([0.47, 0]).tolist()), tuple(to_flat([0.53, 1]).tolist()), WOOD, -1)
    for number, place in enumerate(checkers):
        colour = (220, 225, 230) if number % 2 else (40, 35, 30)
        cv2.circle(flat, tuple(to_flat(place).tolist()), 30, colour, -1, cv2.LINE_AA)
    for place in dice:
        x, y = to_flat(place).tolist()
        cv2.rectangle(flat, (x - 10, y - 10), (x + 10, y + 10), (245, 245, 245), -1)
    grain = np.random.default_rng(5).normal(0, 12, (72, 128, 1)).astype(np.float32)
    table = np.clip(np.float32([70, 90, 120]) + cv2.resize(grain, SIZE)[..., None], 0, 255).astype(np.uint8)
    to_picture = cv2.getPerspectiveTransform(to_flat([[0, 0], [1, 0], [1, 1], [0, 1]]).astype(np.float32), CORNERS)
    shown = cv2.warpPerspective(flat, to_picture, SIZE, flags=cv2.INTER_AREA)
    there = cv2.warpPerspective(np.full(flat.shape[:2], 255, np.uint8), to_picture, SIZE)[..., None] > 127
    return np.where(there, shown, table).astype(np.uint8)


def with_arm(picture: Image, hand: tuple[float, float], stretched: bool = True) -> Image:
    """The picture with an arm that comes in from below and whose hand lies at a place of the board plane."""
    x, y = np.rint(GEOMETRY.to_picture(hand)).astype(int).tolist()
    arm = picture.copy()
    if stretched:
        sleeve = np.array([[x - 35, y + 40], [x + 35, y + 40], [x + 70, 900], [x - 10, 900]], np.int32)
        cv2.fillPoly(arm, [sleeve], SLEEVE)
    cv2.ellipse(arm, (x, y), (38, 55), 0, 0, 360, SKIN, -1, cv2.LINE_AA)
    return arm


def noisy(picture: Image, levels: float, seed: int) -> Image:
    """The picture with normally distributed noise of so many levels on every pixel and channel."""
    height, width = picture.shape[:2]
    across, down = (-997 * seed % long for long in SIZE)
    more, less = (part[down : down + height, across : across + width] for part in _noise(levels))
    brighter = cv2.add(picture, more)
    return np.asarray(cv2.subtract(brighter, less, dst=brighter), np.uint8)


@lru_cache(2)
def _noise(levels: float) -> tuple[Image, Image]:
    """What noise of so many levels adds and what it takes, twice as wide and high as a picture, each half the same."""
    field = np.floor(np.random.default_rng(7).standard_normal((SIZE[1], SIZE[0], 3), np.float32) * np.float32(levels))
    more, less = (np.tile(np.clip(part, 0, 255).astype(np.uint8), (2, 2, 1)) for part in (field, -field))
    return more, less


def lit(picture: Image, light: Callable[[npt.NDArray[np.float32], npt.NDArray[np.float32]], object]) -> Image:
    """The picture times light(x, y), x and y running from 0 to 1 over it."""
    y, x = np.mgrid[0 : SIZE[1], 0 : SIZE[0]].astype(np.float32)
    factor = np.broadcast_to(np.asarray(light(x / SIZE[0], y / SIZE[1]), np.float32), (SIZE[1], SIZE[0]))
    return np.clip(picture * factor[..., None], 0, 255).astype(np.uint8)


def bumped(
    picture: Image, right: float = 0, down: float = 0, turn: float = 0, zoom: float = 1
) -> tuple[Image, Corners]:
    """The picture after the camera was bumped (px, degrees), and where the board's corners are then."""
    middle = (SIZE[0] / 2, SIZE[1] / 2)
    matrix = np.vstack([cv2.getRotationMatrix2D(middle, turn, zoom), [0, 0, 1]])
    matrix[:2, 2] += (right, down)
    shown = cv2.warpPerspective(picture, matrix, SIZE, borderMode=cv2.BORDER_REFLECT)
    return np.asarray(shown, np.uint8), apply_homography(matrix, CORNERS).astype(np.float32)
