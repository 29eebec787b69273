"""One hypothesis of the game so far: what stage the turn is in, and what has happened that nobody has written down yet."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from typing import ClassVar, Literal

from controller.rules import OfferKind, Play, Position, Side
from controller.tracking.dice import Halves, Landing, Roll

Lifted = Literal["seen", "unseen", "never"]
"""How the dice of a turn went: they were seen to be gone; they were gone when the opponent's were seen, or lay there when he
doubled; they lay beside those."""


class Stage(Enum):
    """Where a turn stands. The dice and the cube show it; nothing else is remembered."""

    __hash__ = object.__hash__  # as that of Side

    OPENING = "opening"
    TO_ROLL = "to roll"
    THROWN = "thrown"
    ILLEGAL = "illegal"
    OFFERED = "offered"
    OVER = "over"
    UNDER_WAY = "under way"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class Opening:
    """The start position stands, and nobody has rolled for a turn.

    drawn: the dice of the draw so far, light's and dark's, where it decides no more than who begins or doubles the cube; lying:
    they lie there still.
    """

    stage: ClassVar = Stage.OPENING
    drawn: tuple[int, int] | None = None
    lying: bool = False


@dataclass(frozen=True, slots=True)
class ToRoll:
    """`side` is on roll; no dice of his that count lie on the board. None: either side, where nobody saw the turn before. left: as
    Thrown has it."""

    stage: ClassVar = Stage.TO_ROLL
    side: Side | None
    left: bool = False


@dataclass(frozen=True, slots=True)
class Throw:
    """`side` has thrown `roll`.

    opening: it is the game's first; seen: the dice were seen, not inferred; redo: its turn was written down and is played anew;
    landing: how its dice came to lie; None where nobody knows.
    """

    side: Side
    roll: Roll
    opening: bool = False
    seen: bool = True
    redo: bool = False
    landing: Landing | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Thrown:
    """The dice of a throw lie; checkers may be on the move.

    now: what stands on the board, where it differs from before; early: the opponent has already thrown too; fresh: the dice
    were thrown since the last rest, and have not been weighed yet; left: two dice of a turn that has ended lie there still, as
    nobody has taken them up.
    """

    stage: ClassVar = Stage.THROWN
    throw: Throw
    now: Position | None = None
    early: bool = False
    fresh: bool = False
    left: bool = False


@dataclass(frozen=True, slots=True)
class Illegal:
    """The dice of a throw are lifted, and what stands, `now`, is no legal play. left: as Thrown has it."""

    stage: ClassVar = Stage.ILLEGAL
    throw: Throw
    now: Position
    left: bool = False


@dataclass(frozen=True, slots=True)
class Offered:
    """`side`, who is on roll, has offered the cube; or his double was beavered, or he has answered that with a raccoon. left: as
    Thrown has it."""

    stage: ClassVar = Stage.OFFERED
    side: Side
    kind: OfferKind = "double"
    left: bool = False

    @property
    def answering(self) -> Side:
        """Who has to take or pass."""
        return self.side if self.kind == "beaver" else self.side.other


@dataclass(frozen=True, slots=True)
class Over:
    """The game has ended; the board may hold anything. fit: what seemed to stand there last, None before all of it was seen."""

    stage: ClassVar = Stage.OVER
    fit: Position | None = None


@dataclass(frozen=True, slots=True)
class UnderWay:
    """The game was found in the middle of a turn of `side`: what stands counts when his dice are lifted. found: what stood there
    then, None while nothing has moved since."""

    stage: ClassVar = Stage.UNDER_WAY
    side: Side
    found: Position | None = None


@dataclass(frozen=True, slots=True)
class Lost:
    """What stands does not follow from what is known. fit: what seems to stand, None before anything was seen; turn: where the turn
    stood when it was lost, None where nothing was known before; again: it seemed to stand there at the rest before, too."""

    stage: ClassVar = Stage.LOST
    fit: Position | None = None
    turn: Opening | ToRoll | Thrown | Illegal | Offered | Over | None = None
    again: bool = False


TurnStage = Opening | ToRoll | Thrown | Illegal | Offered | Over | UnderWay | Lost


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn that ended. play is None where what was played is not legal; roll_seen: the dice were seen, not inferred; landing:
    as its throw has it; lifted: how they went, None where nobody knows; cube: what it showed, and whose it was."""

    side: Side
    roll: Roll
    before: Position
    after: Position
    play: Play | None = field(compare=False)
    roll_seen: bool
    landing: Landing | None = field(default=None, compare=False)
    lifted: Lifted | None = field(default=None, compare=False)
    cube: tuple[int, Side | None] = field(default=(1, None), compare=False)

    def __hash__(self) -> int:
        # As of a hypothesis, which holds some: what tells most of them apart is enough.
        return hash((self.side, self.roll, self.after.light, self.roll_seen))


@dataclass(frozen=True, slots=True)
class CubeOffer:
    """The cube was offered at `value` by `side`: as a double, or in answer to one.

    owner: whose it was before a double; None: nobody's.
    """

    side: Side
    value: int
    kind: OfferKind = "double"
    owner: Side | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class OfferTakenBack:
    """`side` took its double back before it was answered: nothing was offered."""

    side: Side


@dataclass(frozen=True, slots=True)
class CubeAnswer:
    """`side` answered an offered cube."""

    side: Side
    taken: bool


@dataclass(frozen=True, slots=True)
class Skip:
    """`side`, closed out, did not roll."""

    side: Side


@dataclass(frozen=True, slots=True)
class StartDraw:
    """Each player has thrown one die for the start, and they are not what the first turn is played with."""

    light: int
    dark: int


@dataclass(frozen=True, slots=True)
class NewGame:
    """The start position was set up again."""


@dataclass(frozen=True, slots=True)
class GameFound:
    """The game goes on from this position; nobody saw how it came to that. cube, owner: how the cube lies.

    settled: every checker is there, where it was read; else something else may have stood there (revised.py).
    """

    position: Position
    cube: int
    owner: Side | None
    settled: bool = field(default=True, compare=False)


@dataclass(frozen=True, slots=True)
class Redone:
    """The turn written down last was played otherwise after all: this one takes its place."""

    turn: Turn


Fact = Turn | Redone | Skip | CubeOffer | OfferTakenBack | CubeAnswer | StartDraw | NewGame | GameFound


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One hypothesis of the whole game; two with equal fields are the same.

    turn: where the turn stands; before: position at its start. facts: ended turns and cube actions not committed yet.
    last: the turn that ended last, until the next one ends or the cube is offered. cube_moved: the cube has been moved since
    the last rest; cube_about: it lies where somebody left it before this game, and shows what it showed then.
    """

    turn: TurnStage
    before: Position
    cube: int = 1
    owner: Side | None = None
    facts: tuple[Fact, ...] = ()
    last: Turn | None = field(default=None, compare=False)
    cube_moved: bool = False
    cube_about: bool = False

    def __hash__(self) -> int:
        # Thousands of hypotheses are merged for each frame; what tells most of them apart is enough.
        turn = self.turn
        if isinstance(turn, Thrown):
            throw, now = turn.throw, turn.now or self.before
            return hash((throw.roll, throw.side, throw.seen, turn.early, turn.left, now.light, self.cube, self.facts))
        return hash((turn, self.before.light, self.cube, self.facts))

    @property
    def stage(self) -> Stage:
        """Where the turn stands, by name."""
        return self.turn.stage

    @property
    def throw(self) -> Throw | None:
        """The throw whose turn it is."""
        return self.turn.throw if isinstance(self.turn, Thrown | Illegal) else None

    @property
    def side(self) -> Side | None:
        """Whose turn it is; None where it is nobody's."""
        if isinstance(self.turn, ToRoll | Offered | UnderWay):
            return self.turn.side
        throw = self.throw
        return throw.side if throw else None

    @property
    def roll(self) -> Roll | None:
        """What was thrown for this turn."""
        throw = self.throw
        return throw.roll if throw else None

    @property
    def roll_seen(self) -> bool:
        """What was thrown was seen, not inferred."""
        throw = self.throw
        return throw is not None and throw.seen

    @property
    def opening(self) -> bool:
        """A throw lies, and it is the game's first."""
        throw = self.throw
        return throw is not None and throw.opening

    @property
    def now(self) -> Position | None:
        """What stands on the board where it differs from what stood when the turn began."""
        if isinstance(self.turn, Lost):
            return self.turn.fit
        return self.turn.now if isinstance(self.turn, Thrown | Illegal) else None

    @property
    def early(self) -> bool:
        """The opponent has already thrown too."""
        return isinstance(self.turn, Thrown) and self.turn.early

    @property
    def left(self) -> bool:
        """Two dice of a turn that has ended lie there still."""
        return isinstance(self.turn, Thrown | ToRoll | Offered | Illegal) and self.turn.left

    @property
    def shown(self) -> tuple[Turn, ...]:
        """The last turns, as far as nobody has seen dice of any of them: what players only show looks like that."""
        seen = [n for n, fact in enumerate(self.facts, 1) if not isinstance(fact, Turn) or fact.roll_seen]
        return tuple(fact for fact in self.facts[max(seen, default=0) :] if isinstance(fact, Turn))

    @property
    def board(self) -> Position:
        """What stands on the board."""
        return self.now or self.before

    @property
    def cube_before(self) -> tuple[int, Side | None]:
        """The cube, and whose it was, before all that nobody has written down."""
        offer = next((one for one in self.facts if isinstance(one, CubeOffer)), None)
        return (self.cube, self.owner) if offer is None else (offer.value // 2, offer.owner)

    def halves(self, known: Halves) -> Halves:
        """Where was thrown to: what is known already, and the turns that nobody has written down yet."""
        for fact in self.facts:
            turn = fact.turn if isinstance(fact, Redone) else fact
            if isinstance(turn, Turn) and turn.landing is not None and turn.landing.half is not None:
                known = known.thrown(turn.side, turn.landing.half)
        return known

    def at(self, turn: TurnStage) -> Hypothesis:
        """The hypothesis with its turn elsewhere; the turn that ended last can still be redone while no dice lie there."""
        return Hypothesis(
            turn, self.before, self.cube, self.owner, self.facts, self.last, self.cube_moved, self.cube_about
        )

    def rolled(self, throw: Throw, now: Position | None = None, *, left: bool = False) -> Hypothesis:
        """That was thrown since the last rest; now: what stands there if checkers have moved as well; left: as Thrown has it."""
        turn = Thrown(throw, now, fresh=True, left=left)
        return Hypothesis(
            turn, self.before, self.cube, self.owner, self.facts, self.last, self.cube_moved, self.cube_about
        )

    def with_facts(self, *facts: Fact) -> Hypothesis:
        """The hypothesis with more that happened."""
        return replace(self, facts=self.facts + facts)

    def ended(self, throw: Throw, after: Position, play: Play | None, lifted: Lifted = "seen") -> Hypothesis:
        """After the turn of that throw: the opponent is on roll, or the game is over."""
        cube = self.cube, self.owner
        turn = Turn(throw.side, throw.roll, self.before, after, play, throw.seen, throw.landing, lifted, cube)
        over = after.off(throw.side) == after.checkers
        facts = (*self.facts, Redone(turn) if throw.redo else turn)
        stage = Over() if over else ToRoll(throw.side.other)
        return Hypothesis(stage, after, self.cube, self.owner, facts, turn, self.cube_moved, self.cube_about)
