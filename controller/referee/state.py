"""What a match is at a moment: MatchState, all of its state. `folding.py` makes one of events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from controller.referee.clock import Clock
from controller.referee.events import (
    Beavered,
    Doubled,
    Found,
    Mark,
    Passed,
    Played,
    Raccooned,
    ResignOffered,
    Skipped,
    Taken,
    Why,
)
from controller.referee.names import UNNAMED, called
from controller.referee.turns import Phase
from controller.rules import (
    MATCH,
    Chouette,
    Cube,
    OfferKind,
    Position,
    RuleSet,
    Side,
    decide_opening,
)
from controller.rules.codes import Code
from controller.rules.match import MatchScore
from terms.role import Role
from vision.sentence import Sentence

__all__ = ["NOT_ACCUSING", "Flag", "MatchState", "Phase", "ToPlay", "TurnLine"]

NOT_ACCUSING = frozenset({Code.READING_UNCERTAIN, Code.VIEW_BLOCKED, Code.TRACK_LOST})
"""Flags of what the camera can't see well: no lamp for these, and nothing waits for them."""


TurnLine = Played | Found | Skipped | Doubled | Beavered | Raccooned | Taken | Passed
"""What makes a line of a game's record."""


@dataclass(frozen=True)
class Flag:
    """What the referee said, and how it ended (None: it stands). side: whose checkers he has by now; turn: the line of the record
    in which it was said; names: of those who had light and dark then, as they are called by now; game: in which it was said, by its
    number."""

    number: int
    code: str
    side: Side | None
    text: str
    turn: int
    resolved: str | None = None
    reasons: tuple[Why, ...] = ()
    names: tuple[str, str] = UNNAMED
    game: int = 1


@dataclass(frozen=True)
class ToPlay:
    """A turn that is to be played: whose, with which dice, and from which position."""

    side: Side
    dice: tuple[int, int]
    before: Position


@dataclass(frozen=True)
class MatchState:
    """A match so far.

    position: at the start of the turn; draws: light's and dark's die of each draw for the start of this game; agreed: who
    begins it, where players agree on that; turns: the lines of this game's record, in order; events: how many hold; seconds:
    time of the last frame that an event came from; since: when the turn began, pauses taken out; given: the number of the last
    flag ever raised; flags_before: how many were raised before the game began, or somebody set the position; paused_at: when the
    game was paused, None while it goes on; corrected: numbers of the game's lines that a person has put right since they were
    shown; chouette: its game, the box with light's checkers; standings: what each of its players has won so far; box_won: who won
    its last game.
    marks: what people think of the game's lines, by number; presumed: the position that the game seems to go on from, while nobody
    is sure of it; followed: time of the last thing that carried the match on.
    """

    phase: Phase = Phase.SET_UP
    names: tuple[str, str] = UNNAMED
    ruleset: RuleSet = MATCH
    event: str = ""
    place: str = ""
    round: str = ""
    start: Position = field(default_factory=Position.start)
    score: MatchScore = field(default_factory=lambda: MatchScore(0))
    position: Position = field(default_factory=Position.start)
    turn: Side | None = None
    dice: tuple[int, int] | None = None
    cube: int = 1
    owner: Side | None = None
    draws: tuple[tuple[int, int], ...] = ()
    agreed: Side | None = None
    offered_by: Side | None = None
    offer: OfferKind = "double"
    beavers: int = 0
    resigning: ResignOffered | None = None
    turns: Sequence[TurnLine] = ()
    flags: tuple[Flag, ...] = ()
    events: int = 0
    seconds: float = 0.0
    since: float | None = None
    given: int = 0
    flags_before: int = 0
    role: Role = "recorder"
    paused_at: float | None = None
    clock: Clock | None = None
    corrected: tuple[int, ...] = ()
    chouette: Chouette | None = None
    standings: tuple[tuple[str, int], ...] = ()
    box_won: bool | None = None
    marks: tuple[tuple[int, Mark], ...] = ()
    presumed: Position | None = None
    followed: float = 0.0

    @property
    def paused(self) -> bool:
        """Nothing that is seen counts until the players go on."""
        return self.paused_at is not None

    @property
    def to_play(self) -> ToPlay | None:
        """The turn whose dice are thrown; None where nobody has rolled."""
        if self.phase is not Phase.TO_PLAY or self.turn is None or self.dice is None:
            return None
        return ToPlay(self.turn, self.dice, self.position)

    @property
    def starter(self) -> Side | None:
        """Who begins this game by the draw, or as the players have agreed; None before that, and after equal dice."""
        return decide_opening(*self.draws[-1], self.ruleset).starter if self.draws else self.agreed

    @property
    def colours_open(self) -> bool:
        """Whoever drew the higher die may still choose the other colour: before the first roll of a game."""
        chosen = self.ruleset.start.high_prize == "colour" and self.phase is Phase.OPENING
        return chosen and self.starter is not None and self.chouette is None

    @property
    def offered_to(self) -> Side | None:
        """Who has to take or pass."""
        return self.offered_by.other if self.phase is Phase.OFFERED and self.offered_by else None

    @property
    def own_cubes(self) -> bool:
        """Every team player of a chouette has a cube of his own, so the one on the board means nothing."""
        return self.chouette is not None and self.ruleset.chouette.cubes == "per-player"

    @property
    def cube_on_board(self) -> bool:
        """A cube is played with, the one on the board; none in the Crawford game and in a match to one point."""
        without = self.score.crawford or self.score.length == 1 or self.own_cubes
        return self.ruleset.cube.enabled and not without

    @property
    def cube_state(self) -> Cube:
        """The cube as the rules see it."""
        return Cube(self.cube, self.owner, self.offered_by, self.offer, self.beavers)

    @property
    def between_games(self) -> bool:
        """A game, perhaps the match, is over, and no other has begun."""
        return self.phase in (Phase.GAME_OVER, Phase.MATCH_OVER)

    @property
    def standing(self) -> tuple[Flag, ...]:
        """Flags that nobody has answered yet."""
        return tuple(flag for flag in self.flags if flag.resolved is None)

    @property
    def disputed(self) -> tuple[Flag, ...]:
        """Those of them that say that something is wrong on the board."""
        return tuple(flag for flag in self.standing if flag.code not in NOT_ACCUSING)

    def name(self, side: Side) -> str:
        """What that player is called."""
        return self.names[0 if side is Side.LIGHT else 1]

    def named(self, side: Side) -> str:
        """The same in a sentence that is said in several languages: by colour where nobody has named that player."""
        name = self.name(side)
        return Sentence(called(self.names, "en")[side]) if name in UNNAMED else name

    @property
    def seated(self) -> tuple[str, str]:
        """Who sat down to this game: in a chouette box and captain, whoever leads the team by now."""
        return (self.chouette.order[0], self.chouette.order[1]) if self.chouette else self.names

    @property
    def next_flag(self) -> int:
        """The number that the next flag gets."""
        return self.given + 1
