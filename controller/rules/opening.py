"""Who begins: the opening roll by the rules of each text."""

from __future__ import annotations

from dataclasses import dataclass

from controller.rules.errors import RulesError
from controller.rules.play import Dice, check_dice
from controller.rules.ruleset import MATCH, RuleSet
from controller.rules.side import Side


@dataclass(frozen=True)
class OpeningDecision:
    """What one die of each player decides.

    starter: who begins; None after a tie (throw again). dice: the roll he plays; None where he rolls afresh.
    chooses_colour: who may choose his colour first.
    """

    starter: Side | None
    dice: Dice | None = None
    chooses_colour: Side | None = None


def decide_opening(light: int, dark: int, rules: RuleSet = MATCH) -> OpeningDecision:
    """Reads the opening roll. light, dark: each player's die. What equal dice do to the cube: automatic_double.

    Where colours are still to be chosen, light and dark stand for the players by their seats.
    Raises RulesError where the rules let the players agree who begins, and for impossible dice.
    """
    if rules.start.first == "agreed":
        raise RulesError("By these rules the players agree who begins; no roll decides it.")
    check_dice((light, dark))
    if light == dark:
        return OpeningDecision(None)
    high = Side.LIGHT if light > dark else Side.DARK
    starter = high if rules.start.first == "high" else high.other
    dice = check_dice((light, dark)) if rules.start.opening_dice == "draw" else None
    return OpeningDecision(starter, dice, high if rules.start.high_prize == "colour" else None)
