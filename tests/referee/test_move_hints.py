"""Where a coach says that a checker which was picked up may go."""

from __future__ import annotations

import pytest

from controller.referee.move_hints import destinations
from controller.referee.state import ToPlay
from controller.rules import PRESETS, Position, Side
from tests.rules.boards import board

START = Position.start()


@pytest.mark.parametrize(
    ("before", "dice", "point", "may_go", "preset"),
    [
        pytest.param(START, (6, 5), 8, (3, 2), "match", id="by either die, though one play may use both from there"),
        pytest.param(START, (6, 5), 24, (18, 13), "match", id="on by the other die"),
        pytest.param(board("13:1", "24:2"), (2, 1), 13, (12, 11, 10), "match", id="the last one, in either order"),
        pytest.param(board("13:1", "13:2"), (2, 1), 13, (11, 10), "match", id="past a held point"),
        pytest.param(board("13:1", "13:2 14:2"), (2, 1), 13, (10,), "text-000", id="over held points by the total"),
        pytest.param(board("bar:1 6:3", "24:2"), (2, 1), 6, (), "match", id="after the checker on the bar only"),
        pytest.param(board("bar:1 6:3", "24:2"), (2, 1), 25, (24, 23, 22), "match", id="from the bar"),
        pytest.param(board("6:1 3:1"), (6, 3), 6, (3, 0), "match", id="off"),
    ],
)
def test_a_checker_may_go_wherever_it_can_be_played_first(
    before: Position, dice: tuple[int, int], point: int, may_go: tuple[int, ...], preset: str
) -> None:
    assert destinations(ToPlay(Side.LIGHT, dice, before), PRESETS[preset], point) == may_go
