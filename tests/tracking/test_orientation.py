"""Columns and points: wherever light's home lies, what stands on the board is read off again."""

from __future__ import annotations

import pytest
from hypothesis import given

from controller.rules import BAR_INDEX, Position, Side
from controller.tracking.orientation import column_of_point, columns_of, position_of, right_half_is_right
from terms.board import CORNERS, Corner
from tests.rules.boards import positions


@pytest.mark.parametrize(
    ("corner", "ace", "midpoint"),
    [("bottom-right", 23, 0), ("bottom-left", 12, 11), ("top-right", 11, 12), ("top-left", 0, 23)],
)
def test_lights_ace_point_lies_in_its_home_corner_and_the_midpoint_opposite(
    corner: Corner, ace: int, midpoint: int
) -> None:
    assert (column_of_point(1, corner), column_of_point(13, corner)) == (ace, midpoint)


@pytest.mark.parametrize("corner", CORNERS)
def test_every_point_has_a_column_of_its_own(corner: Corner) -> None:
    assert sorted(column_of_point(point, corner) for point in range(1, 25)) == list(range(24))


@given(positions())
def test_what_stands_there_is_read_off_again(position: Position) -> None:
    for corner in CORNERS:
        columns = columns_of([position], corner)[0]
        bar = position.light[BAR_INDEX], position.dark[BAR_INDEX]
        assert position_of(columns, bar, corner, position.checkers) == position


def test_players_sit_behind_their_home_rows() -> None:
    assert right_half_is_right(Side.LIGHT, "bottom-left")
    assert not right_half_is_right(Side.DARK, "bottom-left")
    assert right_half_is_right(Side.DARK, "top-right")
