"""What a session remembers of the turn that is going on, beside state and belief: a frozen value for each stage.

Following --undo--> TakenBack --something moves--> Following
Following --clock hit, and it is not clear what stands--> ClockHit --it is clear, or the turn is over--> Following
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import dist

from controller.rules import Side
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
    """The dice of a turn that a command has ended, as long as any of them lies there: they are nobody's roll.

    roll: what they show where nobody has looked yet: whether they lie there, and where, the next look tells.
    """

    dice: tuple[DieSeen, ...] = ()
    roll: tuple[int, int] | None = None

    def without(self, observation: Observation) -> tuple[LyingDice, Observation]:
        """What is left of them, and a still look without them."""
        lying = self if self.roll is None else LyingDice(_showing(self.roll, observation.dice))
        old = [die for die in observation.dice if any(is_same(die, one) for one in lying.dice)]
        if not old:
            return LyingDice(), observation
        return lying, replace(observation, dice=tuple(die for die in observation.dice if die not in old))


def _showing(roll: tuple[int, int], dice: tuple[DieSeen, ...]) -> tuple[DieSeen, ...]:
    """Those dice, where they show that roll."""
    return dice if sorted(die.value for die in dice) == sorted(roll) else ()


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
