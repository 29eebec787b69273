"""The whole of seeing, from a picture to an Observation; reads like its own documentation."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from vision.appearance import Appearance, learn_from_known, updated
from vision.changes import Snapshot
from vision.columns import ColumnReader, ColumnsSeen
from vision.cube import CubeReader
from vision.dice import DiceReader
from vision.frame import Corners, Frame, Image
from vision.geometry import BoardGeometry
from vision.observation import MAX_COUNT, DieSeen, Observation

CHECKER = 0.084
"""A checker's diameter as a share of the board's height: five fill a point of 0.42 (vision.geometry.POINT_HEIGHT)."""
CHECKER_WIDTH = 0.072
"""The same as a share of the board's width."""
INSIDE_COLUMN = 0.028
"""Board widths either side of a column's middle; a checker's radius is 0.036, and a die beside it keeps half its own side off."""
ON_A_CHECKER = 0.1
"""How flat a die on a checker, or leaning on one, is called."""
UP_TO = 0.3
"""Checkers by which a die on top of a column's last checker may lie short of that checker's far rim, seen from a low camera."""
TOUCHING = 0.23
"""Checkers from the rim at most to the middle of a die that leans on it: 1.0 cm, as far as 20 of 22 simulated ones lie."""
QUITE_FLAT = 0.95
"""A die less surely flat than this that touches a checker leans on it: 11 of 22 leaning simulated dice and none of 1,462 flat
ones; on the reference pictures one die more that is cocked, and none that is not."""


class BoardReader:
    """Reads boards: checkers, dice and cube. Holds the networks; not thread-safe, one reader a thread."""

    def __init__(self) -> None:
        self.columns = ColumnReader()
        self._dice = DiceReader()
        self._cube = CubeReader()

    def read(self, frame: Frame, geometry: BoardGeometry, appearance: Appearance | None = None) -> Observation:
        """What one still frame shows.

        geometry: where the board lies in it. appearance: what is known of this set under this camera.
        """
        placed = self.columns.place_bar(frame.image, geometry, appearance)
        checkers = self.columns.read(frame.image, placed, appearance)
        dice = with_place(self._dice.read(frame.image, placed.corners), placed, checkers)
        cube = self._cube.read(frame.image, placed.corners)
        loose = [die.at for die in dice] + ([cube.at] if cube else [])
        snapshot = Snapshot.of(frame.image, placed, loose)
        return Observation(frame.seconds, checkers.columns, checkers.bar, checkers.seen, dice, cube, snapshot=snapshot)

    def place(self, image: Image, corners: Corners, appearance: Appearance | None = None) -> BoardGeometry:
        """Where the board lies in this picture, its bar found. Raises GeometryError for corners that no board can have."""
        return self.columns.place_bar(image, geometry_for(image, corners), appearance)

    def learn(
        self,
        image: Image,
        geometry: BoardGeometry,
        columns: npt.NDArray[np.int64],
        known: Appearance | None,
        checkers: int = 15,
    ) -> Appearance:
        """The set's appearance after one more picture whose position is known.

        columns: (24,) signed counts, light positive. known: what was learnt before, under the same camera.
        """
        placed = self.columns.place_bar(image, geometry, known)
        newer = learn_from_known(image, placed, [int(count) for count in columns], checkers)
        return updated(known, newer) if known else newer


def with_place(dice: tuple[DieSeen, ...], geometry: BoardGeometry, checkers: ColumnsSeen) -> tuple[DieSeen, ...]:
    """The dice with what they rest on; those on checkers are marked as not flat, whatever the upper face looks like, and
    those leaning on one."""
    counts = checkers.columns.argmax(axis=1) - MAX_COUNT
    return tuple(_rested(die, geometry, counts) for die in dice)


def _rested(die: DieSeen, geometry: BoardGeometry, counts: npt.NDArray[np.int64]) -> DieSeen:
    x, y = die.at
    left, right = geometry.bar if geometry.bar is not None else (0.5, 0.5)
    if not (0 <= x <= 1 and 0 <= y <= 1):
        return replace(die, rest="off the board")
    under = _on_checkers(die, geometry, counts)
    if under is not None:
        return replace(die, flat=min(die.flat, ON_A_CHECKER), rest="on a checker", column=under)
    beside = _touches(die, geometry, counts) if die.flat < QUITE_FLAT else None
    if beside is not None:
        return replace(die, flat=min(die.flat, ON_A_CHECKER), rest="against a checker", column=beside)
    return replace(die, rest="bar") if left < x < right else die


def _touches(die: DieSeen, geometry: BoardGeometry, counts: npt.NDArray[np.int64]) -> int | None:
    """The column to a checker's rim of which the die's centre is so close that the die leans on it if it leans at all."""
    x, y = die.at
    reach = CHECKER * (0.5 + TOUCHING)
    for column in range(24):
        for row in range(min(abs(int(counts[column])), 5)):
            along = (row + 0.5) * CHECKER
            down = y - (along if column < 12 else 1 - along)
            across = (x - geometry.column_centre(column)[0]) * CHECKER / CHECKER_WIDTH
            if np.hypot(across, down) < reach:
                return column
    return None


def _on_checkers(die: DieSeen, geometry: BoardGeometry, counts: npt.NDArray[np.int64]) -> int | None:
    """The column of checkers well inside which the die's centre lies, seen from above."""
    x, y = die.at
    from_edge = min(y, 1 - y)
    for column in range(12) if y < 0.5 else range(12, 24):
        aside = abs(x - geometry.column_centre(column)[0])
        if aside < INSIDE_COLUMN and 0 < from_edge < (min(abs(int(counts[column])), 5) - UP_TO) * CHECKER:
            return column
    return None


def geometry_for(image: Image, corners: Corners) -> BoardGeometry:
    """The board's place in this picture. Raises GeometryError for corners that no board can have."""
    return BoardGeometry.for_picture(image, corners)


def unread(frame: Frame) -> Observation:
    """What a frame says while something moves over the board: only that."""
    nothing = np.zeros((24, 31), np.float32)
    return replace(
        Observation(frame.seconds, nothing, np.zeros((2, 16), np.float32), np.zeros(25, np.float32)), still=False
    )
