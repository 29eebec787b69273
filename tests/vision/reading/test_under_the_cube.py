"""A cube that stands at the foot of a point is no checker, and under it lies none."""

from __future__ import annotations

import numpy as np
import pytest

from vision.board.geometry import BoardGeometry
from vision.frame import Frame
from vision.observation import MAX_COUNT, CubeSeen
from vision.reading.reader import CHECKER, BoardReader, without_one_under_the_cube
from vision.training.drawn import drawn_board

BOARD = BoardGeometry(np.array([[0, 0], [800, 0], [800, 640], [0, 640]], np.float32), (0.46, 0.54))


def columns(**held: float) -> np.ndarray:  # type: ignore[type-arg]
    """All columns surely empty but for column 3, which holds one light checker with this probability."""
    rows = np.full((24, 2 * MAX_COUNT + 1), 1e-5, np.float32)
    rows[:, MAX_COUNT] = 1
    rows[3, MAX_COUNT] = 1 - held["one"]
    rows[3, MAX_COUNT + 1] = held["one"]
    return rows / rows.sum(axis=1, keepdims=True)


def cube(x: float, y: float, confidence: float = 0.97) -> CubeSeen:
    return CubeSeen((x, y), np.full(6, 1 / 6, np.float32), confidence)


FOOT = BOARD.column_centre(3)[0]


def test_where_a_cube_stands_in_a_first_checkers_place_none_lies() -> None:
    before = columns(one=0.9)
    after = without_one_under_the_cube(before, cube(FOOT + 0.01, CHECKER / 2), BOARD)
    assert after[3].argmax() == MAX_COUNT
    assert after.sum(axis=1) == pytest.approx(1, abs=1e-5)
    assert np.array_equal(np.delete(after, 3, 0), np.delete(before, 3, 0))
    assert before[3].argmax() == MAX_COUNT + 1


@pytest.mark.parametrize(("x", "y"), [(FOOT, 0.2), (FOOT + 0.06, CHECKER / 2), (FOOT, 0.9), (0.5, 0.5), (-0.05, 0.5)])
def test_a_cube_elsewhere_says_nothing(x: float, y: float) -> None:
    before = columns(one=0.9)
    assert without_one_under_the_cube(before, cube(x, y), BOARD)[3] == pytest.approx(before[3])


def test_checkers_that_are_plain_to_see_outweigh_what_looks_like_a_cube() -> None:
    assert without_one_under_the_cube(columns(one=0.999), cube(FOOT, CHECKER / 2, 0.9), BOARD)[3].argmax() > MAX_COUNT
    assert without_one_under_the_cube(columns(one=0.9), None, BOARD)[3].argmax() > MAX_COUNT


@pytest.mark.parametrize(("seed", "column"), [(97_910_092, 16), (97_910_115, 9)])
def test_a_cube_on_an_empty_point_by_the_rail(seed: int, column: int) -> None:
    """Drawn boards on which a checker was read there until 30 November."""
    board = drawn_board(seed, strange=True, standing=True)
    seen = BoardReader().read(Frame(board.picture, 0.0), BoardGeometry(board.corners, board.bar), alone=True)
    assert not board.counts[column].any()
    assert seen.columns[column].argmax() == MAX_COUNT
