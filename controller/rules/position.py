"""Where the checkers stand: a frozen value, each side counted from its own view."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from controller.rules.errors import RulesError
from controller.rules.side import Side

BAR = 25
"""The bar's number in the view of whoever is on roll."""
BAR_INDEX = BAR - 1
"""Its place among a side's 25 counts."""
OFF = 0
HOME = 6
"""Points of a home board."""

Counts = tuple[int, ...]

_STARTS: dict[str, dict[int, int]] = {
    "standard": {24: 2, 13: 5, 8: 3, 6: 5},
    "nackgammon": {24: 2, 23: 2, 13: 4, 8: 3, 6: 4},
    "hypergammon": {24: 1, 23: 1, 22: 1},
}
VARIANTS = tuple(_STARTS)


@dataclass(frozen=True, slots=True)
class Position:
    """Checkers of both sides.

    light, dark: 25 counts each, from that side's own view: [p - 1] is its point p, [24] its bar. Light's point p is
        dark's point 25 - p.
    checkers: how many a side owns (15; 3 in Hypergammon); those not in the counts are borne off.

    A position may be impossible (a camera can misread): `problems` names what is wrong with it.
    Raises RulesError where a side does not have 25 counts of at least 0.
    """

    light: Counts
    dark: Counts
    checkers: int = 15

    def __post_init__(self) -> None:
        for counts in (self.light, self.dark):
            if len(counts) != 25 or min(counts) < 0:
                raise RulesError("A position needs 25 counts of at least 0 for each side: points 1 to 24 and the bar.")

    @classmethod
    def start(cls, variant: str = "standard") -> Position:
        """The starting position of "standard", "nackgammon" or "hypergammon". Raises RulesError for any other name."""
        if variant not in _STARTS:
            raise RulesError(f"There is no variant {variant!r}; choose one of {', '.join(VARIANTS)}.")
        places = _STARTS[variant]
        return cls.of(light=places, dark=places, checkers=sum(places.values()))

    @classmethod
    def of(cls, light: dict[int, int], dark: dict[int, int], checkers: int = 15) -> Position:
        """A position from {own point: count} of each side; 25 is the bar. Example: Position.of({6: 5}, {25: 1})."""
        return cls(_spread(light), _spread(dark), checkers)

    def own(self, side: Side) -> Counts:
        """The 25 counts of one side."""
        return self.light if side is Side.LIGHT else self.dark

    def off(self, side: Side) -> int:
        """Checkers borne off; negative where more stand on the board than a side owns."""
        return self.checkers - sum(self.own(side))

    def pip_count(self, side: Side) -> int:
        """Pips that a side still needs to bear off everything; a checker on the bar counts 25."""
        return sum(point * count for point, count in enumerate(self.own(side), start=1))

    def signed(self) -> tuple[int, ...]:
        """24 counts by light's points: positive for light, negative for dark."""
        return tuple(self.light[p] - self.dark[23 - p] for p in range(24))

    def mirrored(self) -> Position:
        """The same position with the colours exchanged."""
        return Position(self.dark, self.light, self.checkers)


# A Position derived from a checked one needs no check of its counts: filled through these it is made five times faster.
new_position = object.__new__
fill_light = Position.__dict__["light"].__set__
fill_dark = Position.__dict__["dark"].__set__
fill_checkers = Position.__dict__["checkers"].__set__


def from_mover(mover: Side, own: Iterable[int], other: Iterable[int], checkers: int = 15) -> Position:
    """A position from the mover's 25 counts and the opponent's 25, each from its own view. Raises RulesError."""
    mine, theirs = tuple(own), tuple(other)
    return Position(mine, theirs, checkers) if mover is Side.LIGHT else Position(theirs, mine, checkers)


def derived(mover: Side, own: Counts, other: Counts, checkers: int) -> Position:
    """The same from counts that were made of a position's, and are right."""
    position = new_position(Position)
    fill_own, fill_other = (fill_light, fill_dark) if mover is Side.LIGHT else (fill_dark, fill_light)
    fill_own(position, own)
    fill_other(position, other)
    fill_checkers(position, checkers)
    return position


def _spread(places: dict[int, int]) -> Counts:
    wrong = [point for point in places if not 1 <= point <= BAR]
    if wrong:
        raise RulesError(f"There is no point {wrong[0]}; points run from 1 to 24, and 25 is the bar.")
    return tuple(places.get(point, 0) for point in range(1, BAR + 1))


def lights_number(side: Side, point: int) -> int:
    """A point of that side's view by light's numbers: dark's bar is 0. Off the board stays 0."""
    return point if side is Side.LIGHT or point == OFF else BAR - point
