"""Where a die rests is told with its face: on the board, on a checker, against one, on the bar, beside the board."""

from __future__ import annotations

import numpy as np
import pytest

from vision.board.geometry import BoardGeometry
from vision.observation import MAX_COUNT, CubeSeen, DieSeen, Observation
from vision.reading.judging import ColumnsSeen
from vision.reading.reader import in_pairs, likeliest_counts, with_place, without_ornaments, without_the_cube
from vision.reading.report import reading_of

CORNERS = np.array([[100, 100], [900, 100], [900, 700], [100, 700]], np.float32)
GEOMETRY = BoardGeometry(CORNERS, (0.47, 0.53))
FACES = np.array([0, 0, 0, 0, 0.02, 0.98], np.float32)


def board(counts: dict[int, int]) -> ColumnsSeen:
    """A board that is seen for certain. counts: signed, by column."""
    columns = np.full((24, 2 * MAX_COUNT + 1), 1e-6, np.float32)
    for column in range(24):
        columns[column, MAX_COUNT + counts.get(column, 0)] = 1.0
    bar = np.full((2, MAX_COUNT + 1), 1e-6, np.float32)
    bar[:, 0] = 1.0
    return ColumnsSeen(columns, bar, np.ones(25, np.float32))


@pytest.mark.parametrize(
    ("at", "flat", "cocked", "why", "half"),
    [
        ((0.3, 0.5), 0.99, False, "", "left"),
        ((0.7, 0.5), 0.99, False, "", "right"),
        ((0.3, 0.5), 0.2, False, "", "left"),
        ((0.3, 0.5), 0.02, True, "leaning", "left"),
        ((0.02, 0.5), 0.2, True, "leaning", "left"),
        ((GEOMETRY.column_centre(3)[0], 0.1), 0.99, True, "on a checker", "left"),
        ((GEOMETRY.column_centre(3)[0], 0.5 * 0.084 + 2 * 0.084 + 0.053), 0.7, True, "against a checker", "left"),
        ((GEOMETRY.column_centre(3)[0], 0.5 * 0.084 + 2 * 0.084 + 0.053), 0.99, False, "", "left"),
        ((0.5, 0.5), 0.99, False, "", "bar"),
        ((1.08, 0.5), 0.99, False, "", "off the board"),
    ],
)
def test_what_a_die_rests_on(at: tuple[float, float], flat: float, cocked: bool, why: str, half: str) -> None:
    checkers = board({3: 3})
    seen = DieSeen(at, FACES, 0.99, flat, one_face=float(FACES.max()))
    dice = with_place((seen,), GEOMETRY, likeliest_counts(checkers))
    observation = Observation(0.0, checkers.columns, checkers.bar, checkers.seen, dice)
    (die,) = reading_of("a.jpg", observation, BoardGeometry(CORNERS), 0.0).dice
    assert (die.value, die.cocked, die.why, die.half) == (6, cocked, why, half)


@pytest.mark.parametrize(("apart", "kept"), [((0.0, 0.0), 1), ((0.0, 0.012), 1), ((0.03, 0.0), 2), ((0.0, 0.04), 2)])
def test_no_die_lies_where_the_cube_does(apart: tuple[float, float], kept: int) -> None:
    cube = CubeSeen((0.5, 0.5), np.roll(FACES, -2), 0.9)
    dice = (DieSeen((0.5 + apart[0], 0.5 + apart[1]), FACES, 0.99), DieSeen((0.2, 0.4), FACES, 0.95))
    assert without_the_cube(dice, cube) == dice[2 - kept :]
    assert without_the_cube(dice, None) == dice


@pytest.mark.parametrize(
    ("confidences", "kept"),
    [
        ((0.7,), 1),
        ((0.99, 0.65), 2),
        ((0.99, 0.98, 0.84), 2),
        ((0.99, 0.98, 0.97, 0.7), 4),
        ((0.9, 0.9, 0.9, 0.9, 0.8), 4),
    ],
)
def test_beyond_a_pair_only_what_is_surely_a_die_is_one(confidences: tuple[float, ...], kept: int) -> None:
    dice = tuple(DieSeen((0.2 + 0.1 * k, 0.5), FACES, sure) for k, sure in enumerate(confidences))
    assert in_pairs(dice) == dice[:kept]


@pytest.mark.parametrize(("on_board", "on_checkers", "kept"), [(1, 1, 2), (0, 2, 2), (2, 1, 3), (2, 2, 2), (0, 3, 0)])
def test_checkers_that_look_like_dice_are_no_throw(on_board: int, on_checkers: int, kept: int) -> None:
    free = [DieSeen((0.2 + 0.1 * k, 0.5), FACES, 0.9) for k in range(on_board)]
    knobs = [DieSeen((GEOMETRY.column_centre(3)[0], (k + 0.5) * 0.084), FACES, 0.9) for k in range(on_checkers)]
    dice = with_place((*free, *knobs), GEOMETRY, likeliest_counts(board({3: 3})))
    assert without_ornaments(dice) == dice[:kept]
