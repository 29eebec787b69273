"""What can be said about a position without a roll: what is impossible about it, its phase, contact."""

from __future__ import annotations

from typing import Literal

from controller.rules.codes import Code
from controller.rules.plays import is_closed_out
from controller.rules.position import Position
from controller.rules.reasons import Reason, reason
from controller.rules.ruleset import MATCH, RuleSet
from controller.rules.side import Side

PositionClass = Literal["opening", "contact", "race", "bear-off", "over"]
OPENING_PIPS = 20
"""Both sides together have moved less than this: about the first two rolls of 8 1/6 pips on average."""


def problems(position: Position, rules: RuleSet = MATCH) -> tuple[Reason, ...]:
    """Everything that is impossible about a position; empty where it can stand on a board."""
    found = []
    for side in Side:
        on_board = sum(position.own(side))
        if on_board > position.checkers:
            found.append(reason(Code.WRONG_NUMBER_OF_CHECKERS, side=side, count=on_board))
    for point in range(1, 25):
        if position.light[point - 1] and position.dark[24 - point]:
            found.append(reason(Code.BOTH_SIDES_ON_POINT, point=point))
    limit = rules.move.stack_limit
    if limit:
        for side in Side:
            tall = [p for p, count in enumerate(position.own(side)[:24], start=1) if count > limit]
            found.extend(reason(Code.TOO_MANY_ON_POINT, limit=limit, point=point) for point in tall)
    if not any(position.light) and not any(position.dark):
        found.append(reason(Code.ALL_BORNE_OFF))
    if all(is_closed_out(position, side) for side in Side):
        found.append(reason(Code.BOTH_CLOSED_OUT))
    return tuple(found)


def start_problems(position: Position, variant: str = "standard") -> tuple[Reason, ...]:
    """The points, by light's numbers, on which a set-up differs from the starting position."""
    start = Position.start(variant)
    here, there = position.signed(), start.signed()
    points = [str(p + 1) for p in range(24) if here[p] != there[p]]
    if position.light[24] or position.dark[24]:
        points.append("bar")
    return (reason(Code.WRONG_SET_UP, points=", ".join(points)),) if points else ()


def has_contact(position: Position) -> bool:
    """Some checker still has to pass one of the opponent's."""
    return _rearmost(position.light) + _rearmost(position.dark) > 25


def game_phase(position: Position) -> PositionClass:
    """Where in a game a position belongs.

    over: a side is off the board; bear-off: no contact and all of both sides at home; race: no contact; opening: few
    pips moved from the starting position; contact: everything else.
    """
    if not any(position.light) or not any(position.dark):
        return "over"
    if not has_contact(position):
        at_home = not any(position.light[6:]) and not any(position.dark[6:])
        return "bear-off" if at_home else "race"
    if position.checkers == 15 and _moved(position) < OPENING_PIPS:
        return "opening"
    return "contact"


def _rearmost(counts: tuple[int, ...]) -> int:
    return max((point for point, count in enumerate(counts, start=1) if count), default=0)


def _moved(position: Position) -> int:
    start = Position.start()
    return sum(abs(position.pip_count(side) - start.pip_count(side)) for side in Side)
