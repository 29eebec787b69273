"""Dice that lie in view and that nobody throws: a third pair on the bar, a set beside the board, what looks like a die and is none.

They are told from those that are played with by staying where they are while others are thrown, again and again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import dist

from controller.referee.stages import is_same
from controller.tracking.parameters import SAME_PLACE, SURELY
from vision.observation import DieSeen, Observation

OUTLAST = 3
"""Times that others come to lie before a die that stays is nobody's. Dice that a player has left lying see his opponent's come, and
those that he throws again if one was cocked; the first die of the opening sees the second come, and the next throw."""

UNSEEN = 3
"""Looks, each after something has moved, without a die before it is thought to be gone: a hand may have hidden it."""


@dataclass(frozen=True, eq=False)
class _Lying:
    """A die, and how many others have come to lie since it was first seen; unseen: looks since it was seen last."""

    die: DieSeen
    outlasted: int = 0
    unseen: int = 0
    first: bool = False


@dataclass(frozen=True)
class SpareDice:
    """The dice seen to lie so far, however long. moved: something has moved since the last still look; None before the first."""

    lying: tuple[_Lying, ...] = ()
    moved: bool | None = None

    def after_a_move(self) -> SpareDice:
        """The same, once something has moved."""
        return self if self.moved is None else replace(self, moved=True)

    def after(self, observation: Observation) -> SpareDice:
        """What is known after one more observation."""
        if not observation.still:
            return self.after_a_move()
        return self._after(tuple(die for die in observation.dice if die.confidence >= SURELY))

    def cleared(self, observation: Observation) -> Observation:
        """That observation without the dice that nobody throws."""
        spare = [one for one in self.lying if one.outlasted >= OUTLAST]
        left = tuple(die for die in observation.dice if not any(is_same(die, one.die) for one in spare))
        return observation if len(left) == len(observation.dice) else replace(observation, dice=left)

    def _after(self, dice: tuple[DieSeen, ...]) -> SpareDice:
        known = [one for one in self.lying if any(is_same(die, one.die) for die in dice)]
        hidden = [one for one in self.lying if one not in known]
        new = [die for die in dice if not any(dist(die.at, one.die.at) < SAME_PLACE for one in self.lying)]
        if not self.moved:  # the look before, once more
            return SpareDice((*self.lying, *(_Lying(die, first=self.moved is None) for die in new)), moved=False)
        known = [
            replace(one, unseen=0, outlasted=self._outlasted(one, known) if new else one.outlasted) for one in known
        ]
        hidden = [replace(one, unseen=one.unseen + 1) for one in hidden if one.unseen + 1 < UNSEEN]
        return SpareDice((*known, *hidden, *(_Lying(die) for die in new)), moved=False)

    def _outlasted(self, one: _Lying, known: list[_Lying]) -> int:
        """Of several that lay there before anybody looked, and all still do, none is of a throw: others have been thrown now."""
        first = [other for other in self.lying if other.first]
        at_once = one.first and len(first) > 1 and all(other in known for other in first)
        return OUTLAST if at_once else one.outlasted + 1
