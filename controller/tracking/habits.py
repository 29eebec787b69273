"""What a recording has shown of its throws: whether the players keep to their half, and how many of them can't be seen."""

from __future__ import annotations

from dataclasses import dataclass, replace

from controller.tracking import parameters
from controller.tracking.dice import Throwing
from controller.tracking.hypothesis import Fact, Turn


@dataclass(frozen=True)
class Habits:
    """Counts since somebody began to look, whatever game it was.

    pairs, split: thrown pairs that were seen, draws left out, and those of them with a die on each half; turns, unseen: turns that
    were written, and those of them whose dice nobody saw.
    """

    pairs: int = 0
    split: int = 0
    turns: int = 0
    unseen: int = 0

    @property
    def scattered(self) -> bool:
        """These players throw on either half, whatever the rules say."""
        return self.split >= parameters.SPLIT and self.split >= parameters.SPLIT_SHARE * self.pairs

    @property
    def told(self) -> bool:
        """Whether that is known: enough pairs were seen."""
        return self.scattered or self.pairs * parameters.SPLIT_SHARE > parameters.SPLIT

    @property
    def unreadable(self) -> float:
        """The share of throws that can't be seen, however long one looks."""
        return min(self.unseen / (self.turns + parameters.TURNS_TO_TELL), parameters.HALF)

    def thrown(self, *, split: bool) -> Habits:
        """One pair more was seen. split: a die on each half."""
        return replace(self, pairs=self.pairs + 1, split=self.split + split)

    def played(self, fact: Fact) -> Habits:
        """That was written down."""
        if not isinstance(fact, Turn):
            return self
        return replace(self, turns=self.turns + 1, unseen=self.unseen + (not fact.roll_seen))

    def in_rules(self, throwing: Throwing) -> Throwing:
        """What the rules say of thrown dice, with these players' ways."""
        return replace(throwing, scattered=self.scattered, unreadable=self.unreadable)


NOTHING_SEEN = Habits()
