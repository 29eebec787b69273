"""What a recording has shown of its throws: where the players throw to, how many can't be seen, what its dice are misread as, and
how long they lie."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from controller.rules import Side
from controller.tracking import parameters
from controller.tracking.dice import ALL_READ, NONE_THROWN, Faces, Half, Halves, Throwing
from controller.tracking.hypothesis import Fact, Lifted, Turn


@dataclass(frozen=True)
class Habits:
    """Since somebody began to look, whatever game it was.

    turns, unseen: turns that were written, and those of them whose dice nobody saw; halves: where those of the others were thrown;
    faces: what the dice were read as with which a legal play was made, which tells what they were; lay_on, left: of how many turns
    the dice lay until the opponent threw or doubled, and of how many beside those that he threw.
    """

    turns: int = 0
    unseen: int = 0
    halves: Halves = NONE_THROWN
    faces: Faces = ALL_READ
    lay_on: int = 0
    left: int = 0

    @property
    def unreadable(self) -> float:
        """The share of throws that can't be seen, however long one looks."""
        return min(self.unseen / (self.turns + parameters.TURNS_TO_TELL), parameters.HALF)

    def played(self, fact: Fact, may_be: Sequence[tuple[Fact, float]]) -> Habits:
        """That was written down; may_be: what may have been played then, with the share of the belief that held it."""
        if not isinstance(fact, Turn):
            return self
        faces = self.faces
        for one, share in may_be:
            if isinstance(one, Turn) and one.landing is not None and one.play is not None and one.play.moves:
                faces = faces.thrown(one.roll, one.landing.read, share)
        half = fact.landing.half if fact.landing is not None else None
        return replace(self, faces=faces).ended(fact.side, fact.lifted, half, seen=fact.roll_seen)

    def ended(self, side: Side, lifted: Lifted | None, half: Half | None, *, seen: bool) -> Habits:
        """A turn of that side more, whose dice were seen or not, went so, and lay there; None: nobody knows."""
        halves = self.halves if half is None else self.halves.thrown(side, half)
        lay_on, left = self.lay_on + (lifted in ("unseen", "never")), self.left + (lifted == "never")
        return Habits(self.turns + 1, self.unseen + (not seen), halves, self.faces, lay_on, left)

    def in_rules(self, throwing: Throwing) -> Throwing:
        """What the rules say of thrown dice, with these players' ways."""
        usual = throwing.lie_on
        lie_on, left = ((usual + lay) / (1 + self.turns) for lay in (self.lay_on, self.left))
        return replace(
            throwing,
            halves=self.halves,
            unreadable=self.unreadable,
            faces=self.faces,
            lie_on=lie_on,
            left=left,
        )


NOTHING_SEEN = Habits()


def at_the_table(faces: Faces) -> Habits:
    """Of players who have thrown nothing yet with this table's dice."""
    return Habits(faces=faces.remembered())
