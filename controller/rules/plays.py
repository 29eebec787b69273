"""The legal plays of a roll, by whichever generator the rule set needs."""

from __future__ import annotations

from controller.rules.house import house_plays
from controller.rules.play import Play, check_dice
from controller.rules.position import BAR, Position
from controller.rules.ruleset import MATCH, RuleSet
from controller.rules.side import Side
from controller.rules.standard import standard_plays

ALL_ROLLS = tuple((high, low) for high in range(1, 7) for low in range(1, high + 1))
"""The 21 different rolls, larger die first."""


def legal_plays(position: Position, mover: Side, dice: tuple[int, int], rules: RuleSet = MATCH) -> tuple[Play, ...]:
    """Every legal play of a roll, one for each position that it can end in; a dance is one play without moves.

    dice: two numbers from 1 to 6 in either order. Raises RulesError for anything else.
    """
    high, low = check_dice(dice)
    if rules.standard_play:
        return standard_plays(position, mover, high, low)
    return house_plays(position, mover, (high, low), rules)


def is_dance(plays: tuple[Play, ...]) -> bool:
    """There is no legal move. Where nobody has to move, a play without moves stands among the others."""
    return not any(play.moves for play in plays)


def is_forced(plays: tuple[Play, ...]) -> bool:
    """There is just one legal play, a dance included."""
    return len(plays) == 1


def must_roll(position: Position, side: Side, rules: RuleSet = MATCH) -> bool:
    """The side whose turn it is throws the dice; not so a player closed out, where the rules let him skip it."""
    return rules.bar.closed_out == "roll-and-pass" or not is_closed_out(position, side)


def is_closed_out(position: Position, side: Side) -> bool:
    """The side has a checker on the bar and the opponent holds all six points of his home board."""
    other = position.own(side.other)
    return position.own(side)[BAR - 1] > 0 and all(count > 1 for count in other[:6])
