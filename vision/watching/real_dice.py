"""Which of the dice that are read on a board are dice: none that was one while none lay there, and none that may be falling."""

from __future__ import annotations

from dataclasses import replace
from math import dist

import numpy as np

from vision.board.geometry import BoardGeometry
from vision.board.rectified import Mask, view_px
from vision.observation import DieSeen, Observation

Place = tuple[float, float]

SAME_PLACE = 0.03
"""Board widths: half a die. A thing that was taken for a die when there was none is taken for one at the same place again."""
REAL_DIE = 0.95
MOST_PHANTOMS = 40


class RealDice:
    """What the readings of one board have shown of dice so far. Places are of the board plane."""

    def __init__(self) -> None:
        self._seen: tuple[Place, ...] = ()
        self._phantoms: tuple[Place, ...] = ()
        self._lying: tuple[Place, ...] = ()

    def only(self, observation: Observation, restless: Mask | None, geometry: BoardGeometry) -> Observation:
        """The observation with those alone. restless: the places of the view where something goes on stirring, if any: no die
        counts there, which may be falling yet, and of one that lay there before nobody knows whether it still does."""
        dice = tuple(die for die in observation.dice if not self._is_phantom(die))
        self._seen = tuple(die.at for die in dice)
        if restless is None:
            self._lying = self._seen
            return replace(observation, dice=dice)
        under = tuple(at for at in self._lying if _is_at(restless, at))
        dice = tuple(die for die in dice if not _is_at(restless, die.at))
        self._lying = (*(die.at for die in dice), *under)
        seen = observation.seen.copy()
        seen[[_nearest_column(geometry, at) for at in under]] = 0
        return replace(observation, seen=seen, dice=dice)

    def none_lie(self) -> None:
        """No dice lay there at the last reading: what was taken for one was none."""
        self._phantoms = (*self._phantoms, *self._seen)[-MOST_PHANTOMS:]

    def _is_phantom(self, die: DieSeen) -> bool:
        """Whether something was taken for a die at this place while there were no dice. On the board a sure die is one all the
        same; beside it one may lie that nobody plays with."""
        if die.confidence >= REAL_DIE and die.flat >= REAL_DIE and die.rest != "off the board":
            return False
        return any(dist(die.at, place) < SAME_PLACE for place in self._phantoms)


def _nearest_column(geometry: BoardGeometry, at: Place) -> int:
    return min(range(24), key=lambda column: dist(at, geometry.column_centre(column)))


def _is_at(places: Mask, at: Place) -> bool:
    """Whether a point of the board plane is one of these places of the view."""
    column, row = np.rint(view_px(at)).astype(int)
    height, width = places.shape
    return 0 <= row < height and 0 <= column < width and bool(places[row, column])
