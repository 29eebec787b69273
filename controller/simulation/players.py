"""How the simulated players decide: sensible, quick, and the same for the same seed."""

from __future__ import annotations

import math

from controller.rules import Play, Position, Side

POINT_VALUE = (0, 1, 2, 3, 7, 10, 9, 7, 3, 2, 2, 1, 1, 2, 1, 1, 1, 1, 3, 3, 5, 6, 3, 2, 1)
"""What holding one's own point 1-24 is worth, in pips."""

SHOTS = (0, 11, 12, 14, 15, 15, 17, 6, 6, 5, 3, 2, 3)
"""Rolls of 36 that hit a single blot at a distance of 1-12 from one checker: the usual table."""

TAKE_POINT = 0.76
"""A double is passed where the doubler wins more often than this."""

DOUBLE_POINT = 0.70
"""A player doubles from this chance of winning on."""


def best_play(plays: tuple[Play, ...], mover: Side) -> Play:
    """The play that leaves the mover best off; the first of equals."""
    return max(plays, key=lambda play: worth(play.result, mover))


def worth(position: Position, mover: Side) -> float:
    """What a position is worth to the side that has just moved, in pips about."""
    own, other = position.own(mover), position.own(mover.other)
    total = float(position.pip_count(mover.other) - position.pip_count(mover))
    if not _contact(own, other):
        spread = sum(1 for p in range(6) if own[p])
        return total + 4.0 * position.off(mover) + 0.5 * spread
    return total + _structure(own, other) - _structure(other, own) * 0.5 - _danger(own, other)


def _contact(own: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Some checkers of both sides still have to pass each other."""
    back = max((p for p in range(25) if own[p]), default=-1)
    their_back = max((p for p in range(25) if other[p]), default=-1)
    return back + 1 + their_back + 1 > 25


def _structure(own: tuple[int, ...], other: tuple[int, ...]) -> float:
    """Points held, primes, and a board closed against checkers on the bar."""
    held = [own[p] >= 2 for p in range(24)]
    total = float(sum(POINT_VALUE[p + 1] for p in range(24) if held[p]))
    run = longest = 0
    for is_held in held[:12]:
        run = run + 1 if is_held else 0
        longest = max(longest, run)
    trapped = any(other[24 - p - 1] for p in range(6)) or other[24]
    total += (longest**2) * (0.8 if trapped else 0.3)
    total += other[24] * (4 + 3.0 * sum(held[:6]))
    return total - sum(1.5 * (own[p] - 4) for p in range(24) if own[p] > 4)


def _danger(own: tuple[int, ...], other: tuple[int, ...]) -> float:
    """Pips that blots may cost."""
    total = 0.0
    their_board = sum(1 for p in range(6) if other[p] >= 2)
    for p in range(24):
        if own[p] != 1:
            continue
        shots = 0.0
        for distance in range(1, 13):
            there = p + 1 - distance
            behind = other[24] if there == 0 else other[24 - there] if there > 0 else 0
            if behind:
                shots += SHOTS[distance]
        total += min(shots, 30) / 36 * (24 - p + 3 * their_board)
    return total


def chance(position: Position, on_roll: Side) -> float:
    """The chance of winning of the side on roll, by pips, contact and structure."""
    own, other = position.own(on_roll), position.own(on_roll.other)
    mine, theirs = position.pip_count(on_roll), position.pip_count(on_roll.other)
    lead = theirs - mine + 4.0
    if _contact(own, other):
        lead += 0.35 * (_structure(own, other) - _structure(other, own)) - 0.15 * _danger(own, other)
        scale = 0.42 * math.sqrt(max(mine + theirs, 20)) * 1.6
    else:
        scale = 0.42 * math.sqrt(max(mine + theirs, 8))
    return 1 / (1 + math.exp(-max(min(lead / scale, 30), -30)))


HOPELESS = 0.02
"""A player gives up whose chance is less."""


def wants_to_beaver(position: Position, doubler: Side) -> bool:
    """The opponent of the doubler thinks himself the favourite, and doubles again."""
    return chance(position, doubler) < 0.5


def gives_up(position: Position, side: Side) -> bool:
    """The side on roll can't win any more, and offers to give the game up."""
    return chance(position, side) < HOPELESS


def accepts_surrender(position: Position, winner: Side, level: int) -> bool:
    """The winner can't hope for more than that level: whoever has borne a checker off loses no gammon."""
    return level > 1 or position.off(winner.other) > 0


def wants_to_double(position: Position, side: Side, value: int, away: int | None) -> bool:
    """The side on roll offers the cube. value: the cube's now; away: points it needs to win the match, None where it has no end."""
    if value >= 64 or (away is not None and value >= away):
        return False
    return chance(position, side) >= DOUBLE_POINT


def takes(position: Position, doubler: Side) -> bool:
    """The opponent of the doubler takes."""
    return chance(position, doubler) <= TAKE_POINT
