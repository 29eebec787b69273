"""Which column of the camera's board is which point, and where on it checkers are played."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
import numpy.typing as npt

from controller.rules import BAR_INDEX, Position, Side
from controller.tracking import parameters
from terms.board import Corner

POINTS = 24
"""Points of the board."""

PackedCounts = npt.NDArray[np.uint8]
"""(N, 2, 25) light's and dark's counts of so many positions, each from that side's own view."""


def column_of_point(point: int, light_home: Corner) -> int:
    """The column (0-11 top edge, 12-23 bottom edge, left to right) that holds light's point 1-24.

    light_home names the corner, as the camera sees it, where light bears off.
    """
    near_row, _, home_side = light_home.partition("-")
    along = point - 1 if point <= 12 else 24 - point  # steps away from light's home side
    x = 11 - along if home_side == "right" else along
    on_near_row = point <= 12
    bottom = on_near_row == (near_row == "bottom")
    return 12 + x if bottom else x


@cache
def columns_of_points(light_home: Corner) -> npt.NDArray[np.int64]:
    """(24,) the column of light's points 1-24."""
    return np.array([column_of_point(point, light_home) for point in range(1, POINTS + 1)])


def columns_of(positions: Sequence[Position], light_home: Corner) -> npt.NDArray[np.int64]:
    """(N, 24) signed counts by column: positive light, negative dark."""
    light, dark = by_column(packed(positions), light_home)
    return light - dark


def packed(positions: Sequence[Position]) -> PackedCounts:
    """The counts of these positions."""
    # Through bytes, as thousands of positions are asked for at each rest, and arrays of tuples are slow to make.
    counts = b"".join([bytes(position.light) + bytes(position.dark) for position in positions])
    return np.frombuffer(counts, np.uint8).reshape(-1, len(Side), POINTS + 1)


def by_column(counts: PackedCounts, light_home: Corner) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """(N, 24) light's and dark's checkers by column."""
    columns = np.empty((len(Side), len(counts), POINTS), np.int64)
    columns[:, :, columns_of_points(light_home)] = by_point(counts)
    return columns[0], columns[1]


def by_point(counts: PackedCounts) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """(N, 24) light's and dark's checkers by light's point."""
    points = counts[:, :, :POINTS].astype(np.int64)
    return points[:, 0], points[:, 1, ::-1]


def position_of(
    columns: npt.NDArray[np.int64], bar: tuple[int, int], light_home: Corner, checkers: int = 15
) -> Position:
    """The position that signed counts by column show; bar is (light, dark)."""
    light, dark = [0] * 25, [0] * 25
    for point in range(1, POINTS + 1):
        count = int(columns[column_of_point(point, light_home)])
        light[point - 1] = max(count, 0)
        dark[24 - point] = max(-count, 0)
    light[BAR_INDEX], dark[BAR_INDEX] = bar
    return Position(tuple(light), tuple(dark), checkers)


def right_half_is_right(side: Side, light_home: Corner) -> bool:
    """Whether the half to that player's right is the right half of the camera's board. Players sit behind their home rows."""
    light_sits_at_bottom = light_home.startswith("bottom")
    return light_sits_at_bottom == (side is Side.LIGHT)


def is_on_the_field(place: tuple[float, float]) -> bool:
    """Whether checkers are played at that place (board plane): not on the bar, not beside the board."""
    x, y = place
    return (
        0.0 < y < 1.0
        and parameters.SAME_PLACE < x < 1 - parameters.SAME_PLACE
        and abs(x - 0.5) > parameters.CUBE_IN_THE_MIDDLE
    )
