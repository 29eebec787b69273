"""What a coach shows of a turn in progress: the checker that was picked up, and where it may go. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from controller.referee.state import MatchState, ToPlay
from controller.rules import Position, RuleSet
from controller.rules.course import course


@dataclass(frozen=True)
class Lifted:
    """A checker in the hand. point: where it stood, destinations: where it may go; the mover's numbers, 25 bar, 0 off."""

    point: int
    destinations: tuple[int, ...]


def lifted(state: MatchState, board: Position) -> Lifted | None:
    """The checker of the side on roll that is missing from the board as it stands, if exactly one is."""
    turn = state.to_play
    if turn is None:
        return None
    side = turn.side
    before, now = turn.before.own(side), board.own(side)
    missing = [at + 1 for at, (was, there) in enumerate(zip(before, now, strict=True)) if there == was - 1]
    if len(missing) != 1 or sum(before) - sum(now) != 1 or board.own(side.other) != turn.before.own(side.other):
        return None
    found = destinations(turn, state.ruleset, missing[0])
    return Lifted(missing[0], found) if found else None


@lru_cache(maxsize=16)
def destinations(turn: ToPlay, rules: RuleSet, point: int) -> tuple[int, ...]:
    """Where a checker from that point may be set down first, by one die or more; asked for every frame while it is in the hand."""
    first, *_ = course(turn.before, turn.side, turn.dice, rules)
    return tuple(sorted({step.target for step in first.steps if step.source == point}, reverse=True))
