"""Boards that hands leave and rules do not: a die left out, a held point taken, a hit checker left lying, the bar forgotten.

The rules list what is legal; `best_fit` finds what stands there, but never two colours on one point, and it trusts every
reading. These are the few boards in between that players really leave behind.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from controller.rules import BAR_INDEX, Play, Position, Side
from controller.rules.position import Counts, derived, from_mover
from controller.tracking.dice import Roll


def slips(position: Position, side: Side, roll: Roll) -> frozenset[Position]:
    """Boards after some of the roll's moves, one die perhaps moved twice, whatever lies on the target points; legal ones are
    among them."""
    start = (position.own(side), position.own(side.other))
    orders = [(roll[0],) * 4] if roll[0] == roll[1] else list(product(roll, repeat=2))
    found = set[tuple[Counts, Counts]]()
    for order in orders:
        boards = {start}
        for die in order:
            boards = {after for board in boards for after in _moved(board, die)}
            found |= boards
    found.discard(start)
    return frozenset(derived(side, own, other, position.checkers) for own, other in found)


def left_lying(play: Play, side: Side) -> Iterator[Position]:
    """The boards after that play if one of the checkers that it hits was left where it lay."""
    own, other = play.result.own(side), play.result.own(side.other)
    for move in play.moves:
        if move.hit:
            theirs = list(other)
            theirs[BAR_INDEX] -= 1
            theirs[BAR_INDEX - move.target] += 1
            yield from_mover(side, own, tuple(theirs), play.result.checkers)


def _moved(board: tuple[Counts, Counts], die: int) -> Iterator[tuple[Counts, Counts]]:
    """The boards after one checker went so many pips, a blot on its way's end hit or left where it is."""
    own, other = board
    for source in range(BAR_INDEX + 1):
        if not own[source]:
            continue
        mine = list(own)
        mine[source] -= 1
        target = source - die
        if target < 0:
            if not any(own[6:]):
                yield tuple(mine), other
            continue
        mine[target] += 1
        yield tuple(mine), other
        there = BAR_INDEX - 1 - target
        if other[there] == 1:
            theirs = list(other)
            theirs[there], theirs[BAR_INDEX] = 0, theirs[BAR_INDEX] + 1
            yield tuple(mine), tuple(theirs)
