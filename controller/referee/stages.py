"""What a session remembers of the turn that is going on, beside state and belief: a frozen value for each stage.

Following --undo--> TakenBack --something moves--> Following
Following --clock hit, and it is not clear what stands--> ClockHit --it is clear, or the turn is over--> Following
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from math import dist

from controller.rules import Side
from controller.tracking.dice import Roll
from controller.tracking.orientation import is_on_the_field
from controller.tracking.parameters import SAME_PLACE
from vision.observation import DieSeen, Observation


@dataclass(frozen=True)
class Following:
    """What is seen counts."""


@dataclass(frozen=True)
class TakenBack:
    """Something was taken back, and it still stands on the board: nothing that is seen counts until something has moved."""


@dataclass(frozen=True)
class ClockHit:
    """That side has hit its clock before its hand had left the board: its turn ends as soon as it is clear what stands there."""

    side: Side


SessionStage = Following | TakenBack | ClockHit


@dataclass(frozen=True)
class LyingDice:
    """The dice of turns that have ended, as long as any of them lies there: they are nobody's roll.

    rolls: what those of the last turns show, the newest first, where nobody has looked yet: whether they lie there, and where, the
    next look tells; in_play: the roll that is being played meanwhile, if one is.
    """

    dice: tuple[DieSeen, ...] = ()
    rolls: tuple[Roll, ...] = ()
    in_play: Roll | None = None

    def without(self, observation: Observation) -> tuple[LyingDice, Observation]:
        """What is left of them, and a still look without them."""
        lying = LyingDice(self._found(observation.dice)) if self.rolls else self
        old = [die for die in observation.dice if any(is_same(die, one) for one in lying.dice)]
        if not old:
            return LyingDice(), observation
        return lying, replace(observation, dice=tuple(die for die in observation.dice if die not in old))

    def _found(self, dice: tuple[DieSeen, ...]) -> tuple[DieSeen, ...]:
        """Those of them that lie there; older ones only beside newer ones, as whoever has taken up the newer ones throws next."""
        others = _less(dice, _showing(self.in_play, dice)) if self.in_play else dice
        found: tuple[DieSeen, ...] = ()
        for roll in self.rolls:
            pair = _showing(roll, _less(others, found))
            if not pair:
                break
            found += pair
        return found


def _showing(roll: Roll, dice: tuple[DieSeen, ...]) -> tuple[DieSeen, ...]:
    """Two of those dice that show that roll, those that lie nearest to each other; none where no two do."""
    pairs = (pair for pair in combinations(dice, 2) if sorted(die.value for die in pair) == sorted(roll))
    return min(pairs, key=lambda pair: dist(pair[0].at, pair[1].at), default=())


def only(roll: Roll, observation: Observation) -> Observation:
    """That look without dice on the field beside two that show that roll, if they lie there: what lies elsewhere nobody threw."""
    shown = _showing(roll, observation.dice)
    thrown = tuple(die for die in observation.dice if die in shown or not is_on_the_field(die.at))
    return replace(observation, dice=thrown) if shown else observation


def _less(dice: tuple[DieSeen, ...], others: tuple[DieSeen, ...]) -> tuple[DieSeen, ...]:
    """Those dice but for the others."""
    return tuple(die for die in dice if die not in others)


def is_same(one: DieSeen, other: DieSeen) -> bool:
    """The same die, lying there still: a thrown one comes to rest elsewhere or shows another face."""
    return one.value == other.value and dist(one.at, other.at) < SAME_PLACE


@dataclass(frozen=True)
class ClearView:
    """at: seconds of the last still look at the board, or of the first look of all; None before any."""

    at: float | None = None

    def after(self, observation: Observation) -> ClearView:
        """With one more look."""
        return ClearView(observation.seconds) if observation.still or self.at is None else self

    def blocked_for(self, seconds: float) -> float:
        """How long the board has not been seen."""
        return 0.0 if self.at is None else seconds - self.at
