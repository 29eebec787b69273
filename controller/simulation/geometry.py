"""The simulated board's measures, and where things lie on it. Centimetres, in the world of `camera`.

Columns are numbered as vision numbers them: 0-11 along the top edge from left to right, 12-23 along the bottom edge.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from controller.rules import Side
from controller.simulation.camera import Point3D

TRAY_ROW = 5
UPPER_SHIFT = 0.3
"""How far inwards, in radii, a checker is put on top of another, so that both can be seen."""


@dataclass(frozen=True)
class WoodBlock:
    """A block of wood from (left, top, foot) to (right, bottom, head), cm. grain runs along y where `upright`."""

    left: float
    top: float
    right: float
    bottom: float
    foot: float
    head: float
    upright: bool = False


@dataclass(frozen=True)
class BoardShape:
    """Measures in cm. `bridged`: from the sixth checker on, each lies across two of those below, else on one."""

    pitch: float = 4.4
    bar: float = 5.4
    gap: float = 6.0
    rail: float = 2.2
    rail_height: float = 1.9
    divider: float = 1.0
    tray: float = 5.4
    bar_height: float = 1.2
    thickness: float = 2.0
    fit: float = 0.96
    checker_height: float = 0.95
    die: float = 1.6
    cube: float = 3.0
    bridged: bool = True

    @property
    def radius(self) -> float:
        """Radius of a checker."""
        return self.pitch * self.fit / 2

    @property
    def width(self) -> float:
        """Width of the playing surface, the bar included."""
        return 12 * self.pitch + self.bar

    @property
    def height(self) -> float:
        """Height of the playing surface: five checkers from either edge and the gap between them."""
        return 20 * self.radius * 1.02 + self.gap

    @property
    def margin(self) -> float:
        """From the playing surface's left or right edge to the outside of the board."""
        return self.divider + self.tray + self.rail

    def outline(self) -> tuple[Point3D, ...]:
        """The outer corners of the whole board, at the surface and at the rails' tops."""
        xs = (-self.margin, self.width + self.margin)
        ys = (-self.rail, self.height + self.rail)
        return tuple((x, y, z) for z in (0.0, self.rail_height) for y in ys for x in xs)

    def boxes(self) -> tuple[WoodBlock, ...]:
        """The rails, the dividers of the trays and the bar."""
        left, right, top, bottom = -self.margin, self.width + self.margin, -self.rail, self.height + self.rail
        head, foot, middle = self.rail_height, -self.thickness, self.height / 2
        inner_left, inner_right = -self.divider, self.width + self.divider
        half = self.bar / 2
        return (
            WoodBlock(left, top, right, 0.0, foot, head),
            WoodBlock(left, self.height, right, bottom, foot, head),
            WoodBlock(left, 0.0, left + self.rail, self.height, foot, head, True),
            WoodBlock(right - self.rail, 0.0, right, self.height, foot, head, True),
            WoodBlock(inner_left, 0.0, 0.0, self.height, 0.0, head * 0.9, True),
            WoodBlock(self.width, 0.0, inner_right, self.height, 0.0, head * 0.9, True),
            WoodBlock(left + self.rail, middle - 0.5, inner_left, middle + 0.5, 0.0, head * 0.8),
            WoodBlock(inner_right, middle - 0.5, right - self.rail, middle + 0.5, 0.0, head * 0.8),
            WoodBlock(self.width / 2 - half, 0.0, self.width / 2 + half, self.height, 0.0, self.bar_height, True),
        )

    def column_x(self, column: int) -> float:
        """x of a column's middle."""
        across = column % 12
        return (across + 0.5) * self.pitch + (self.bar if across >= 6 else 0.0)

    def slot(self, column: int, index: int) -> Point3D:
        """Middle of the lower face of the checker number `index` (from 0) on a column."""
        layer, row, shift = _stacked(index, bridged=self.bridged)
        aside = 1.02 * shift if self.bridged else UPPER_SHIFT * layer
        along = self.radius * (1.02 + 2.04 * row + aside)
        y = along if column < 12 else self.height - along
        return self.column_x(column), y, layer * self.checker_height

    def bar_slot(self, index: int, *, side_at_top: bool) -> Point3D:
        """The place of a hit checker on the bar: from beside the middle outwards, four in a row, then on top of those.

        side_at_top: the checker's owner sits at the top, so that it lies in the bottom half.
        """
        row, layer = index % 4, index // 4
        along = self.cube * 1.15 + self.radius * (1.1 + 2.1 * row)
        y = self.height / 2 + along if side_at_top else self.height / 2 - along
        return self.width / 2, y, self.bar_height + layer * self.checker_height

    def tray_slot(self, index: int, *, right: bool, at_top: bool) -> Point3D:
        """The place of a checker borne off, in the tray beside its home: rows of five, one on top of the other."""
        row, layer = index % TRAY_ROW, index // TRAY_ROW
        x = self.width + self.divider + self.tray / 2 if right else -self.divider - self.tray / 2
        step = (self.height / 2 - 0.8 - 2 * self.radius) / (TRAY_ROW - 1)
        along = self.radius + 0.2 + row * min(step, self.radius * 2.02)
        return x, along if at_top else self.height - along, layer * self.checker_height

    def cube_centred(self) -> Point3D:
        """Where the cube lies while nobody owns it: on the middle of the bar."""
        return self.width / 2, self.height / 2, self.bar_height

    def cube_owned(self, *, right: bool, at_top: bool) -> Point3D:
        """Where the cube lies at its owner: in the tray away from the owner's borne-off checkers, near the owner."""
        x = self.width + self.divider + self.tray / 2 if right else -self.divider - self.tray / 2
        y = self.cube * 1.1
        return x, y if at_top else self.height - y, 0.0

    def cube_offered(self, *, to_top: bool, right: bool) -> Point3D:
        """Where an offered cube lies: pushed over the middle of a half, a little towards the opponent."""
        x = self.column_x(8 if right else 2) + self.pitch / 2
        lean = max(self.gap / 2 - self.cube * 0.75, 0.0)
        return x, self.height / 2 - lean if to_top else self.height / 2 + lean, 0.0


def _stacked(index: int, *, bridged: bool) -> tuple[int, int, int]:
    """(layer, row, shift in half rows) of the checker number `index` of a column, counted from its edge."""
    layer, size, shift = 0, 5, 0
    while index >= size:
        index -= size
        layer += 1
        if bridged and size > 1:
            size -= 1
            shift += 1
    return layer, index, shift


@dataclass(frozen=True)
class Seats:
    """Who sits where, told by the corner in which light's home board lies of the picture, as "bottom-right". to_their_left: who
    throws into his left half."""

    light_home: str
    to_their_left: frozenset[Side] = frozenset()

    def at_top(self, side: Side) -> bool:
        """The side's home lies along the top edge of the picture."""
        return self.light_home.startswith("top") == (side is Side.LIGHT)

    @property
    def home_right(self) -> bool:
        """Both home boards lie in the right half of the picture."""
        return self.light_home.endswith("right")

    def other_way_round(self) -> Seats:
        """The same players, who have set the board up with the homes at its other end."""
        at_top, right = self.light_home.startswith("top"), self.home_right
        return replace(self, light_home=f"{'top' if at_top else 'bottom'}-{'left' if right else 'right'}")

    def throws_right(self, side: Side) -> bool:
        """The half into which the side throws, its own right one by the rules, is the right half of the picture."""
        return self.at_top(side) == (side in self.to_their_left)

    def column(self, side: Side, point: int) -> int:
        """The column of a side's point 1-24."""
        row_point = point if point <= 12 else 25 - point
        from_home_end = row_point - 1
        across = 11 - from_home_end if self.home_right else from_home_end
        near_own = point <= 12
        return across if near_own == self.at_top(side) else 12 + across
