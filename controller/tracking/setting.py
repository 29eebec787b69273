"""What stays the same through a game, and what the rules say of it, remembered while a turn lasts."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from controller.rules import (
    MATCH,
    Cube,
    MatchScore,
    Play,
    Position,
    RuleSet,
    Side,
    automatic_double,
    decide_opening,
    legal_plays,
)
from controller.tracking.choices import log_priors
from controller.tracking.dice import Roll, Throwing
from controller.tracking.orientation import PackedCounts, packed
from controller.tracking.slips import left_lying, slips

PLAYS_KEPT, SLIPS_KEPT = 200, 50
"""Positions with a roll whose plays (16 kB each) and slips (86 kB) are kept. Every look at a turn asks for them again, and hardly
for those of turns before: with all of a game 5 % of the plays and 12 % of the slips would not be worked out twice, and a long
game would take 60 MB."""

DRAWS = tuple((light, dark) for light in range(1, 7) for dark in range(1, 7))
TIES = tuple((light, dark) for light, dark in DRAWS if light == dark)


@dataclass(frozen=True)
class Options:
    """What a roll allows. plays: the legal ones with their log-priors; legal: the boards after them; packed: the board after
    each play."""

    plays: tuple[tuple[Play, float], ...]
    legal: frozenset[Position]
    packed: PackedCounts = field(compare=False)


@dataclass(frozen=True, eq=False)
class Slips:
    """The usual illegal boards of a roll: in a row, as a set, and packed."""

    boards: tuple[Position, ...]
    every: frozenset[Position]
    packed: PackedCounts


@dataclass(frozen=True)
class Setting:
    """The rules, the start position, whether the cube is in play, the score before the game, who begins it as is agreed."""

    rules: RuleSet = MATCH
    start: Position = field(default_factory=Position.start)
    cube_in_play: bool = True
    score: MatchScore | None = None
    agreed: Side | None = None
    throwing: Throwing = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "throwing", Throwing.by(self.rules))

    @property
    def plays_the_draw(self) -> bool:
        """The first turn is played with the dice of the draw, so that equal ones open no game."""
        return self.rules.start.opening_dice == "draw"

    def draws(self, cube: int) -> tuple[tuple[int, int], ...]:
        """Light's and dark's die of every draw that is worth a fact while the centred cube shows that: all where the starter rolls
        afresh, equal ones where they double the cube."""
        if self.rules.start.first == "agreed":
            return ()
        if not self.plays_the_draw:
            return DRAWS
        return TIES if self.tied(cube) != cube else ()

    def tied(self, cube: int) -> int:
        """What the centred cube shows after equal dice of the draw."""
        shown = Cube(cube, auto_doubles=cube.bit_length() - 1)
        return automatic_double(shown, self.rules, self.score).value

    @cached_property
    def centred(self) -> tuple[int, ...]:
        """What a cube may show that nobody owns: 1, and each value that equal dice of the draw make of it."""
        values = [1]
        while self.tied(values[-1]) not in (values[-1], 64):
            values.append(self.tied(values[-1]))
        return tuple(values)

    def starter(self, drawn: tuple[int, int] | None) -> Side | None:
        """Who begins after that draw, or by agreement; None after equal dice, and where nobody knows."""
        return decide_opening(*drawn, self.rules).starter if drawn else self.agreed

    def options(self, position: Position, side: Side, roll: Roll) -> Options:
        """What the roll allows there."""
        return _options(self.rules, position, side, roll)

    def plays(self, position: Position, side: Side, roll: Roll) -> tuple[tuple[Play, float], ...]:
        """The legal plays with their log-priors."""
        return self.options(position, side, roll).plays

    def slips(self, position: Position, side: Side, roll: Roll) -> Slips:
        """The usual illegal boards."""
        return _slips(self.rules, position, side, roll)


@lru_cache(PLAYS_KEPT)
def _options(rules: RuleSet, position: Position, side: Side, roll: Roll) -> Options:
    plays = legal_plays(position, side, roll, rules)
    priors = log_priors(plays, position, side).tolist()
    results = [play.result for play in plays]
    return Options(tuple(zip(plays, priors, strict=True)), frozenset(results), packed(results))


@lru_cache(SLIPS_KEPT)
def _slips(rules: RuleSet, position: Position, side: Side, roll: Roll) -> Slips:
    options = _options(rules, position, side, roll)
    left = {board for play, _ in options.plays for board in left_lying(play, side)}
    every = (slips(position, side, roll) | left) - options.legal
    boards = tuple(every)
    return Slips(boards, every, packed(boards))
