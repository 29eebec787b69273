"""One account of the game so far: what stage the turn is in, and what has happened that nobody has written down yet."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum

from controller.rules import Play, Position, Side
from controller.tracking.evidence import Roll


class Stage(Enum):
    """Where a turn stands. The dice and the cube show it; nothing else is remembered."""

    OPENING = "opening"  # the start position stands; nobody has rolled
    TO_ROLL = "to roll"  # `side` is on roll; no dice of his lie on the board
    ROLLED = "rolled"  # `side` has thrown `roll`; checkers may be on the move; the dice still lie
    ILLEGAL = "illegal"  # `side` has lifted his dice, and what stands is no legal play
    OFFERED = "offered"  # `side` has offered the cube
    OVER = "over"  # the game has ended; the board may hold anything


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn that ended. play is None where what was played is not legal; roll_seen: the dice were seen, not inferred."""

    side: Side
    roll: Roll
    before: Position
    after: Position
    play: Play | None = field(compare=False)
    roll_seen: bool


@dataclass(frozen=True, slots=True)
class Offer:
    """The cube was offered at `value` by `side`."""

    side: Side
    value: int


@dataclass(frozen=True, slots=True)
class Answer:
    """`side` answered an offered cube."""

    side: Side
    taken: bool


@dataclass(frozen=True, slots=True)
class Skip:
    """`side`, closed out, did not roll."""

    side: Side


@dataclass(frozen=True, slots=True)
class NewGame:
    """The start position was set up again."""


@dataclass(frozen=True, slots=True)
class Redone:
    """The turn written down last was played otherwise after all: this one takes its place."""

    turn: Turn


Fact = Turn | Redone | Skip | Offer | Answer | NewGame


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A whole account; two accounts with equal fields are the same account.

    before: position at the start of the turn. now: what stands on the board where it differs. opening: this is the game's
    first turn. early: the opponent has already thrown too. fresh: the roll was thrown since the
    last rest, so that its dice have not been weighed yet. facts: ended turns and cube actions not committed yet.
    last: the turn that ended last, until the next roll; redo: it was written down and is being played anew.
    """

    stage: Stage
    before: Position
    side: Side | None = None
    roll: Roll | None = None
    now: Position | None = None
    opening: bool = False
    early: bool = False
    fresh: bool = False
    roll_seen: bool = False
    cube: int = 1
    owner: Side | None = None
    facts: tuple[Fact, ...] = ()
    last: Turn | None = field(default=None, compare=False)
    redo: bool = False

    def __hash__(self) -> int:
        # Thousands of accounts are merged for each frame; what tells most of them apart is enough.
        return hash((self.roll, self.board.light, self.early, len(self.facts)))

    @property
    def board(self) -> Position:
        """What stands on the board."""
        return self.now or self.before

    def with_facts(self, *facts: Fact) -> Hypothesis:
        """The account with more that happened."""
        return replace(self, facts=self.facts + facts)

    def ended(self, turn: Turn) -> Hypothesis:
        """The account after that turn: the opponent is on roll, or the game is over."""
        over = turn.after.off(turn.side) == turn.after.checkers
        return replace(
            self,
            stage=Stage.OVER if over else Stage.TO_ROLL,
            before=turn.after,
            side=turn.side.other,
            roll=None,
            now=None,
            opening=False,
            early=False,
            fresh=False,
            roll_seen=False,
            facts=(*self.facts, Redone(turn) if self.redo else turn),
            last=turn,
            redo=False,
        )
