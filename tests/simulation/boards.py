"""Counts what a scene shows, from the places of its things alone."""

from __future__ import annotations

from controller.rules import Position, Side
from controller.simulation import Scene
from controller.simulation.geometry import BoardShape, Seats
from controller.simulation.scene import CheckerThing

Columns = tuple[tuple[int, int], ...]
"""24 pairs (light, dark), columns 0-11 along the top edge and 12-23 along the bottom edge."""


def checkers_of(scene: Scene) -> list[CheckerThing]:
    """The checkers that lie, not those in a hand."""
    return [thing for thing in scene.things if isinstance(thing, CheckerThing) and not thing.held]


def columns_of(scene: Scene, shape: BoardShape) -> Columns:
    """What lies on each column, told by where each checker is nearest."""
    counts = [[0, 0] for _ in range(24)]
    for checker in checkers_of(scene):
        x, y, _ = checker.at
        row = 0 if y < shape.height / 2 else 12
        column = min(range(row, row + 12), key=lambda c: abs(shape.column_x(c) - x))
        if abs(shape.column_x(column) - x) < shape.pitch / 2:
            counts[column][checker.side is Side.DARK] += 1
    return tuple((light, dark) for light, dark in counts)


def expected_columns(position: Position, seats: Seats) -> Columns:
    """What a position should show."""
    counts = [[0, 0] for _ in range(24)]
    for side in Side:
        for point in range(1, 25):
            counts[seats.column(side, point)][side is Side.DARK] += position.own(side)[point - 1]
    return tuple((light, dark) for light, dark in counts)
