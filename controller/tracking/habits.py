"""What a recording has shown of its throws: where the players throw to, how many can't be seen, and how long their dice lie."""

from __future__ import annotations

from dataclasses import dataclass, replace

from controller.tracking import parameters
from controller.tracking.dice import NONE_THROWN, Halves, Throwing
from controller.tracking.hypothesis import Fact, Turn


@dataclass(frozen=True)
class Habits:
    """Since somebody began to look, whatever game it was.

    turns, unseen: turns that were written, and those of them whose dice nobody saw; halves: where those of the others were thrown;
    lay_on, left: of how many turns the dice lay until the opponent threw or doubled, and of how many beside those that he threw.
    """

    turns: int = 0
    unseen: int = 0
    halves: Halves = NONE_THROWN
    lay_on: int = 0
    left: int = 0

    @property
    def unreadable(self) -> float:
        """The share of throws that can't be seen, however long one looks."""
        return min(self.unseen / (self.turns + parameters.TURNS_TO_TELL), parameters.HALF)

    def played(self, fact: Fact) -> Habits:
        """That was written down."""
        if not isinstance(fact, Turn):
            return self
        halves = self.halves if fact.half is None else self.halves.thrown(fact.side, fact.half)
        lay_on, left = self.lay_on + (fact.lifted != "seen"), self.left + (fact.lifted == "never")
        return Habits(self.turns + 1, self.unseen + (not fact.roll_seen), halves, lay_on, left)

    def in_rules(self, throwing: Throwing) -> Throwing:
        """What the rules say of thrown dice, with these players' ways."""
        usual = throwing.lie_on
        lie_on, left = ((usual + lay) / (1 + self.turns) for lay in (self.lay_on, self.left))
        return replace(throwing, halves=self.halves, unreadable=self.unreadable, lie_on=lie_on, left=left)


NOTHING_SEEN = Habits()
