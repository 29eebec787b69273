"""What truly happened at the simulated table, for tests and figures; what reads the pictures never sees it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from controller.rules import Play, Position, Side

Dice = tuple[int, int]
ErrorKind = Literal["illegal-play", "premature-roll", "cocked-die"]


@dataclass(frozen=True)
class TruthEvent:
    """seconds: virtual time at which it was done; game: its number from 0."""

    seconds: float
    game: int


@dataclass(frozen=True)
class GameBegun(TruthEvent):
    """score: light's and dark's points before the game."""

    score: tuple[int, int]
    crawford: bool


@dataclass(frozen=True)
class Drawn(TruthEvent):
    """Each player has thrown one die for the start; equal ones are thrown again. cube: what it shows after that in the middle."""

    light: int
    dark: int
    cube: int


@dataclass(frozen=True)
class TurnPlayed(TruthEvent):
    """A turn, done when its dice are lifted or its error is put right. play: None where an illegal one stood; rolled: when
    the dice came to rest."""

    side: Side
    dice: Dice
    play: Play | None
    before: Position
    after: Position
    rolled: float


@dataclass(frozen=True)
class Skipped(TruthEvent):
    """side, closed out, did not roll."""

    side: Side


@dataclass(frozen=True)
class Doubled(TruthEvent):
    """side offers the cube at `value`."""

    side: Side
    value: int


@dataclass(frozen=True)
class Taken(TruthEvent):
    """side takes the cube at `value`."""

    side: Side
    value: int


@dataclass(frozen=True)
class Beavered(TruthEvent):
    """side takes the double and doubles it again at once, to `value`."""

    side: Side
    value: int


@dataclass(frozen=True)
class Raccooned(TruthEvent):
    """side, who doubled first, doubles the beaver once more, to `value`."""

    side: Side
    value: int


@dataclass(frozen=True)
class Resigned(TruthEvent):
    """side offers to give the game up at that level, before its own roll; play goes on where the opponent refuses."""

    side: Side
    level: int
    accepted: bool


@dataclass(frozen=True)
class Passed(TruthEvent):
    """side gives the game up rather than take the cube."""

    side: Side


@dataclass(frozen=True)
class ErrorMade(TruthEvent):
    """side erred at `seconds`; put_right: when it was mended, or when it had stood unnoticed.

    dice: the roll that was cocked, premature or wrongly played; wrong: the position an illegal play left, else None.
    """

    kind: ErrorKind
    side: Side
    put_right: float
    dice: Dice
    wrong: Position | None = None


@dataclass(frozen=True)
class GameWon(TruthEvent):
    """score: light's and dark's points after the game."""

    side: Side
    points: int
    score: tuple[int, int]
