"""How checkers were moved, from the boards before and after, whether the rules allow it or not: for people to read. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations

from controller.rules import OFF, Move, Play, Position, Side, format_moves

MOST = 4
"""Moves of one turn. More that differ are no turn, but a board that was set up otherwise."""

Moves = tuple[tuple[int, int], ...]
"""(from, to) in the mover's numbers, 25 the bar, 0 off: each checker once, from where it stood to where it stands."""


def as_moved(before: Position, after: Position, side: Side, dice: tuple[int, int]) -> Moves:
    """The side's moves from one board to the other, dice taken where they fit; () where they can't be told."""
    left = _gone(before.own(side), after.own(side))
    come = _gone(after.own(side), before.own(side))
    come += [OFF] * (len(left) - len(come))
    if not left or len(left) != len(come) or len(left) > MOST:
        return ()
    best = min(permutations(come), key=lambda to: _strangeness(list(zip(left, to, strict=True)), dice))
    return tuple(zip(left, best, strict=True))


def in_notation(moves: Moves, before: Position, side: Side) -> str:
    """The moves as they are written: bar/20, 8/5*, 13/9(2), 6/off."""
    blots = {25 - number for number, count in enumerate(before.own(side.other)[:24], 1) if count == 1}
    return format_moves(tuple(Move(source, target, target in blots) for source, target in moves))


def nearest(plays: Iterable[Play], after: Position, side: Side) -> Play | None:
    """The play whose end differs least from that board; None where nothing can be played."""
    here = after.own(side)
    moving = [play for play in plays if play.moves]
    return min(
        moving,
        key=lambda play: sum(abs(one - other) for one, other in zip(play.result.own(side), here, strict=True)),
        default=None,
    )


def _gone(had: tuple[int, ...], has: tuple[int, ...]) -> list[int]:
    """The points from which checkers have gone, once for each, the rear ones first."""
    pairs = enumerate(zip(had, has, strict=True), 1)
    return sorted((number for number, (was, now) in pairs for _ in range(was - now)), reverse=True)


def _strangeness(moves: list[tuple[int, int]], dice: tuple[int, int]) -> tuple[int, int]:
    """How little a pairing looks like a turn: moves backwards first, then moves by other numbers than the dice or their sum."""
    usual = {*dice, sum(dice)}
    return sum(source < target for source, target in moves), sum(
        source - target not in usual for source, target in moves
    )
