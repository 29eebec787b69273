"""Two turns that nobody saw: with which dice and plays one board became another, where the rules leave no doubt about it.

Three turns lead from most positions to nearly every board that differs by so much, and their dice may have fallen in many an order:
nobody can say what was played (docs/tracking.md has the figures).
"""

from __future__ import annotations

from functools import lru_cache
from math import exp, fsum

from controller.rules import ALL_ROLLS, Play, Position, Side
from controller.tracking import parameters
from controller.tracking.dice import MOST_MOVES, Roll, log_prior_of_roll
from controller.tracking.illegal import hits_alone, moved
from controller.tracking.orientation import POINTS
from controller.tracking.setting import Setting

Half = tuple[Roll, Play]
"""One side's turn."""


@lru_cache(maxsize=1000)  # every look at a rest asks again
def two_turns(
    before: Position, side: Side, after: Position, setting: Setting, thrown: Roll | None = None
) -> tuple[Half, Half] | None:
    """The turn of `side` and that of the opponent which lead from `before` to `after`, where hardly any others do; else None.

    thrown: the roll of `side`, where it was seen.
    """
    if any(moved(before.own(one)[:POINTS], after.own(one)[:POINTS]) > MOST_MOVES for one in Side):
        return None
    found: dict[tuple[Half, Half], float] = {}
    for first, roll_and_play in _turns(before, side, setting, (thrown,) if thrown else ALL_ROLLS):
        between = first[1].result
        if hits_alone(between.own(side), after.own(side)) is None:
            continue
        for second, chance in _turns(between, side.other, setting, ALL_ROLLS):
            if second[1].result == after:
                found[first, second] = roll_and_play + chance
    if not found:
        return None
    best = max(found, key=lambda course: found[course])
    return best if fsum(exp(chance - found[best]) for chance in found.values()) * parameters.SURE < 1 else None


def _turns(before: Position, side: Side, setting: Setting, rolls: tuple[Roll, ...]) -> list[tuple[Half, float]]:
    """Every turn of a side, with its log-probability."""
    return [
        ((roll, play), prior + log_prior_of_roll(roll))
        for roll in rolls
        for play, prior in setting.plays(before, side, roll)
    ]
