"""What hides the board is told by its colours: a die in a hand is no throw, one beside the hand is."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.board.geometry import BoardGeometry
from vision.frame import Image
from vision.observation import DieSeen
from vision.reading.occlusion import hiding, without_held

GEOMETRY = BoardGeometry(np.array([[40, 40], [760, 40], [760, 560], [40, 560]], np.float32), (0.47, 0.53))
FACES = np.full(6, 1 / 6, np.float32)
WOOD, POINT, WHITE = (90, 140, 180), (40, 50, 90), (240, 240, 240)


def board() -> Image:
    """A wooden board with dark points and some white checkers."""
    picture = np.full((600, 800, 3), WOOD, np.uint8)
    for column in range(0, 24, 2):
        cv2.fillConvexPoly(picture, GEOMETRY.to_picture(GEOMETRY.column_region(column)).astype(np.int32), POINT)
    for column in (1, 4, 15, 20):
        x, y = GEOMETRY.to_picture([GEOMETRY.column_centre(column)])[0].astype(int).tolist()
        cv2.circle(picture, (x, y), 25, WHITE, -1, cv2.LINE_AA)
    return np.asarray(np.clip(picture + np.random.default_rng(1).normal(0, 5, picture.shape), 0, 255), np.uint8)


def with_arm(colour: tuple[int, int, int]) -> tuple[Image, np.ndarray]:
    """An arm in from above over columns 7-9, and how well each column is seen."""
    picture, seen = board(), np.ones(25, np.float32)
    region = GEOMETRY.to_picture(np.concatenate([GEOMETRY.column_region(column) for column in (7, 8, 9)]))
    low, high = region.min(axis=0).astype(int), region.max(axis=0).astype(int)
    cv2.rectangle(picture, (int(low[0]), 0), (int(high[0]), int(high[1])), colour, -1)
    seen[7:10] = 0.02
    return picture, seen


@pytest.mark.parametrize("colour", [(120, 150, 210), (40, 60, 90), (160, 90, 50)], ids=["pale", "dark", "sleeve"])
def test_a_die_in_the_hand_is_no_die_on_the_board(colour: tuple[int, int, int]) -> None:
    picture, seen = with_arm(colour)
    held = DieSeen((GEOMETRY.column_centre(8)[0], 0.25), FACES, 0.99)
    below = DieSeen((GEOMETRY.column_centre(8)[0], 0.6), FACES, 0.99)
    beside = DieSeen((GEOMETRY.column_centre(5)[0], 0.25), FACES, 0.99)
    for die in (held, below, beside):
        x, y = GEOMETRY.to_picture([die.at])[0].astype(int).tolist()
        cv2.rectangle(picture, (x - 8, y - 8), (x + 8, y + 8), WHITE, -1)
    assert without_held((held, below, beside), picture, GEOMETRY, seen) == (below, beside)


def test_where_everything_is_in_sight_or_nothing_is_no_die_is_doubted() -> None:
    die = DieSeen((0.3, 0.3), FACES, 0.99)
    for seen in (np.ones(25, np.float32), np.zeros(25, np.float32)):
        assert without_held((die,), board(), GEOMETRY, seen) == (die,)
    assert hiding(GEOMETRY.canonical(board()), np.ones(25, np.float32)) is None
