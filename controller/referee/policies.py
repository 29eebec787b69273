"""What the rule set lets people answer to a flag, and what the referee adds to it. docs/referee.md has them in words."""

from __future__ import annotations

from controller.referee.events import Flagged, How, Why
from controller.referee.judging import PLAY_CODES, illegal
from controller.referee.state import MatchState
from controller.rules import RuleSet, Side
from controller.rules.codes import Code, Wording
from controller.tracking.hypothesis import Turn

_ANY: tuple[How, ...] = ("put right", "stands", "corrected")
_CODES: dict[str, tuple[How, ...]] = {
    Code.ILLEGAL_PLAY_STANDS: ("stands", "corrected"),
    Code.TIME_OUT: ("stands", "corrected"),
    Code.READING_UNCERTAIN: ("stands", "corrected"),
    Code.VIEW_BLOCKED: ("put right",),
    Code.TRACK_LOST: ("put right",),
}


def options(code: str, rules: RuleSet) -> tuple[How, ...]:
    """How a flag may be answered under these rules, the usual answer first."""
    if code in PLAY_CODES:
        # USBGF 2014, WBGT, UKBGF: it must be corrected; older rules let the opponent condone it. Both leave it standing later.
        return (*_ANY, "condoned") if rules.illegal.policy == "condone" else _ANY
    if code == Code.ROLLED_EARLY:
        return ("stands", "corrected") if rules.dice.premature_roll == "stands" else _ANY
    return _CODES.get(code, _ANY)


def of_a_play(state: MatchState, turn: Turn, seconds: float) -> Flagged:
    """The flag of an illegal play that can still be put right: what is wrong with it, and what the opponent may do."""
    more = (
        (Why(Code.OPPONENT_MAY_CONDONE, {"side": turn.side.other.value}),)
        if state.ruleset.illegal.policy == "condone"
        else ()
    )
    return illegal(state, turn, seconds, *more)


def of_an_early_roll(waiting: Side, rules: RuleSet) -> tuple[Why, ...]:
    """The flag of a roll thrown before `waiting` had ended the turn: what happened, and what may be done."""
    side: dict[str, int | str] = {"side": waiting.value}
    match rules.dice.premature_roll:
        case "stands":
            what = Why(Wording.ROLL_STANDS)
        case "opponent-chooses":
            what = Why(Wording.OPPONENT_CHOOSES, side)
        case "reroll":
            what = Why(Wording.ROLL_AGAIN)
    return Why(Code.ROLLED_EARLY, side), what
