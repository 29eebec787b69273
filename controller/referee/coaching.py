"""When the device may help as a coach: never where anything is at stake."""

from __future__ import annotations

from controller.referee.commands import CommandError
from controller.rules import RuleSet, parse_stake
from terms.role import Role

NO_COACH = "Nobody is coached in a match for stakes. Let the device only record, or say what is wrong."


def for_stakes(rules: RuleSet) -> bool:
    """Whether money changes hands: in a session for money, even where nobody has written down what a point is worth."""
    return rules.session.kind == "money" or parse_stake(rules.stake.point) is not None


def check_coach(role: Role, rules: RuleSet) -> None:
    """Raises CommandError where that role is not allowed by these rules."""
    if role == "coach" and for_stakes(rules):
        raise CommandError(NO_COACH)
