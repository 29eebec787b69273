"""What dazzling light hides is doubt: a column under a lamp's reflection is not claimed, and was before the lamp was lit."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.board.geometry import BoardGeometry
from vision.frame import Image
from vision.reading.checkers import ColumnReader
from vision.reading.position_decoder import most_likely
from vision.reading.reader import geometry_for
from vision.training.drawn import drawn_board

ALONG, LENGTH, WIDTH = 0.17, 0.19, 0.045
"""Where the reflection's middle lies from the edge, how far it reaches along the column and across it, board heights and widths."""


def dazzled(picture: Image, place: BoardGeometry, column: int) -> Image:
    """A column's first checkers under light so strong that all is white there."""
    turn = np.linspace(0, 2 * np.pi, 60)
    along = ALONG + LENGTH * np.sin(turn)
    outline = np.stack([place.column_centre(column)[0] + WIDTH * np.cos(turn), along if column < 12 else 1 - along], 1)
    board = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    to_picture = cv2.getPerspectiveTransform(board, place.corners)
    spot = np.zeros(picture.shape[:2], np.uint8)
    pixels = cv2.perspectiveTransform(outline[None].astype(np.float32), to_picture)
    cv2.fillPoly(spot, [np.round(pixels[0]).astype(np.int32)], 255)
    share = cv2.GaussianBlur(spot, (0, 0), 2.5).astype(np.float32)[..., None] / 255
    return np.asarray(picture * (1 - share) + 255 * share, np.uint8)


@pytest.mark.parametrize(("seed", "column"), [(1973403, 14), (1973404, 20), (1973423, 1)])
def test_a_column_under_glare_is_not_claimed(seed: int, column: int) -> None:
    cv2.setNumThreads(1)
    board, reader = drawn_board(seed), ColumnReader()
    place = reader.place_bar(board.picture, geometry_for(board.picture, board.corners))
    clear = most_likely(reader.read(board.picture, place))
    assert clear.claimed[column]
    assert abs(clear.counts[column]) == board.counts[column].max()
    hidden = most_likely(reader.read(dazzled(board.picture, place, column), place))
    assert not hidden.claimed[column]
    assert hidden.confidence < 0.9
