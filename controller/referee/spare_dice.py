"""Dice that lie in view and that nobody throws: a third pair on the bar, a set beside the board, what looks like a die and is none.

They are told from those that are played with by staying where they are while others are thrown, again and again. Where a film goes
on before a camera across the table, or the board is carried round it, they are seen from there: a die where one of them would be
then is that one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import dist

from controller.tracking.orientation import is_on_the_field
from controller.tracking.parameters import SAME_PLACE, SURELY
from vision.observation import DieSeen, Observation

OUTLAST = 3
"""Times that others come to lie before a die that stays is nobody's. Dice that a player has left lying see his opponent's come, and
those that he throws again if one was cocked; the first die of the opening sees the second come, and the next throw."""

UNSEEN = 3
"""Looks, each after something has moved, without a die before it is thought to be gone: a hand may have hidden it."""

SAME_PLACE_UP = 3 * SAME_PLACE
"""Board widths, as SAME_PLACE, for one on the bar or beside the board: what lies higher or lower than the field seems to lie
elsewhere from each camera. Thrown ones hardly ever come to rest there, and not again with the same face."""


@dataclass(frozen=True, eq=False)
class _Lying:
    """A die, and how many others have come to lie since it was first seen; unseen: looks since it was seen last."""

    die: DieSeen
    outlasted: int = 0
    unseen: int = 0
    first: bool = False

    def is_seen_as(self, die: DieSeen) -> bool:
        """Whether what is seen is this one, lying there still, from either side of the table."""
        x, y = self.die.at
        near = SAME_PLACE if is_on_the_field(self.die.at) else SAME_PLACE_UP
        return die.value == self.die.value and min(dist(die.at, (x, y)), dist(die.at, (1 - x, 1 - y))) < near

    def lies_at(self, die: DieSeen) -> bool:
        """Whether that is this one, or lies just where it lay."""
        return dist(die.at, self.die.at) < SAME_PLACE or self.is_seen_as(die)


@dataclass(frozen=True)
class SpareDice:
    """The dice seen to lie so far, however long. moved: something has moved since the last still look; None before the first."""

    lying: tuple[_Lying, ...] = ()
    moved: bool | None = None

    @property
    def dice(self) -> tuple[DieSeen, ...]:
        """Those that nobody throws, as far as is known."""
        return tuple(one.die for one in self._spare)

    @property
    def _spare(self) -> list[_Lying]:
        return [one for one in self.lying if one.outlasted >= OUTLAST]

    def after_a_move(self) -> SpareDice:
        """The same, once something has moved."""
        return self if self.moved is None else replace(self, moved=True)

    def after(self, observation: Observation) -> SpareDice:
        """What is known after one more observation."""
        if not observation.still:
            return self.after_a_move()
        dice = observation.dice
        seen_as = {one: [die for die in dice if one.is_seen_as(die)] for one in self.lying}
        known = [one for one in self.lying if seen_as[one]]
        hidden = [one for one in self.lying if not seen_as[one]]
        # What lay there before anybody looked is remembered, sure or not: no throw is told by it.
        sure = [die for die in dice if die.confidence >= SURELY or self.moved is None]
        new = [die for die in sure if not any(one.lies_at(die) for one in self.lying)]
        if not self.moved:  # the look before, once more
            return SpareDice((*self.lying, *(_Lying(die, first=self.moved is None) for die in new)), moved=False)
        known = [
            replace(one, die=seen_as[one][0], unseen=0, outlasted=self._outlasted(one, known) if new else one.outlasted)
            for one in known
        ]
        hidden = [replace(one, unseen=one.unseen + 1) for one in hidden if one.unseen + 1 < UNSEEN]
        return SpareDice((*known, *hidden, *(_Lying(die) for die in new)), moved=False)

    def cleared(self, observation: Observation) -> Observation:
        """That observation without the dice that nobody throws."""
        spare = self._spare
        left = tuple(die for die in observation.dice if not any(one.is_seen_as(die) for one in spare))
        return observation if len(left) == len(observation.dice) else replace(observation, dice=left)

    def _outlasted(self, one: _Lying, known: list[_Lying]) -> int:
        """Of several that lay there before anybody looked, and all still do, none is of a throw: others have been thrown now."""
        first = [other for other in self.lying if other.first]
        at_once = one.first and len(first) > 1 and all(other in known for other in first)
        return OUTLAST if at_once else one.outlasted + 1
