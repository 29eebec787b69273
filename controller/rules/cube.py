"""The doubling cube: who may turn it and why not, double, take, pass, beaver, raccoon, automatic doubles.

Every `may_...` gives the reasons against, none where it is allowed; the action of the same name raises CubeError then.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from controller.rules.codes import Code
from controller.rules.errors import RulesError
from controller.rules.match import MatchScore
from controller.rules.reasons import Reason, reason
from controller.rules.ruleset import MATCH, RuleSet
from controller.rules.side import Side

OfferKind = Literal["double", "beaver", "raccoon"]


class CubeError(RulesError):
    """A cube action that is not allowed. reasons: why not."""

    def __init__(self, reasons: tuple[Reason, ...]) -> None:
        super().__init__(" ".join(r.text() for r in reasons))
        self.reasons = reasons


@dataclass(frozen=True)
class Cube:
    """The cube and what is offered with it.

    value: what the game is played for now; 1 is the centred cube that shows 64. owner: None while centred.
    offered_by: who waits for an answer, and offer: what he did. The value offered is always twice `value`.
    beavers, auto_doubles: how many this game has had.
    """

    value: int = 1
    owner: Side | None = None
    offered_by: Side | None = None
    offer: OfferKind = "double"
    beavers: int = 0
    auto_doubles: int = 0

    @property
    def answering(self) -> Side | None:
        """Who has to take or pass."""
        return self.offered_by.other if self.offered_by else None


@dataclass(frozen=True)
class TurnState:
    """What the cube has to know about the moment. on_roll: whose turn; rolled: the dice of this turn are thrown."""

    on_roll: Side
    rolled: bool = False


def may_double(
    cube: Cube, side: Side, turn: TurnState, score: MatchScore | None = None, rules: RuleSet = MATCH
) -> tuple[Reason, ...]:
    """All reasons why this side may not double now; empty when it may. score: None for a single game."""
    if not rules.cube.enabled:
        return (reason(Code.NO_CUBE),)
    found = []
    if cube.offered_by:
        found.append(reason(Code.DOUBLE_OFFERED))
    if score and score.crawford:
        found.append(reason(Code.DOUBLED_IN_CRAWFORD_GAME))
    if turn.on_roll is not side:
        found.append(reason(Code.NOT_ON_ROLL, side=turn.on_roll))
    elif turn.rolled:
        found.append(reason(Code.DOUBLED_AFTER_ROLL))
    if cube.owner is side.other:
        found.append(reason(Code.NOT_CUBE_OWNER, side=side.other))
    if above_limit(cube, rules):
        found.append(reason(Code.CUBE_LIMIT, limit=rules.cube.max))
    if score and is_dead(cube, side, score) and (rules.cube.dead == "refused" or score.length == 1):
        found.append(reason(Code.DEAD_CUBE, side=side))
    return tuple(found)


def is_dead(cube: Cube, side: Side, score: MatchScore) -> bool:
    """A simple win at the present value already gives this side the match, so doubling cannot gain anything."""
    return score.length > 0 and score.points(side) + cube.value >= score.length


def above_limit(cube: Cube, rules: RuleSet) -> bool:
    """Doubling would take the cube above the highest value of these rules."""
    return rules.cube.max > 0 and 2 * cube.value > rules.cube.max


def double(cube: Cube, side: Side, turn: TurnState, score: MatchScore | None = None, rules: RuleSet = MATCH) -> Cube:
    """The cube with a double on offer. Raises CubeError where it may not be offered."""
    _refuse(may_double(cube, side, turn, score, rules))
    return replace(cube, offered_by=side, offer="double")


def may_answer(cube: Cube, side: Side) -> tuple[Reason, ...]:
    """All reasons why this side cannot take or pass now."""
    if cube.offered_by is None:
        return (reason(Code.NO_DOUBLE_OFFERED),)
    return (reason(Code.OTHER_SIDE_ANSWERS, side=cube.offered_by.other),) if side is cube.offered_by else ()


def take(cube: Cube, side: Side, rules: RuleSet = MATCH) -> Cube:
    """The cube accepted at twice its value; whoever takes a double owns it, a beavered cube stays the beaverer's."""
    _refuse(may_answer(cube, side))
    owner = owner_after_take(cube, side, rules)
    return replace(cube, value=2 * cube.value, owner=owner, offered_by=None, offer="double")


def owner_after_take(cube: Cube, side: Side, rules: RuleSet = MATCH) -> Side | None:
    """Whose the cube is once this side has taken what is offered."""
    if cube.offer == "beaver" or (cube.offer == "raccoon" and rules.cube.raccoon_owner == "beaverer"):
        return cube.owner
    return cube.offered_by if cube.offer == "raccoon" else side


def may_pass(cube: Cube, side: Side, rules: RuleSet = MATCH) -> tuple[Reason, ...]:
    """All reasons why this side cannot pass now: nothing is offered to it, or a beaver that must be taken."""
    found = may_answer(cube, side)
    if not found and cube.offer == "beaver" and not rules.cube.doubler_may_refuse:
        return (reason(Code.BEAVER_MUST_BE_TAKEN),)
    return found


def pass_points(cube: Cube, side: Side, rules: RuleSet = MATCH) -> int:
    """What the other side wins when this one passes: the value before the offer. Raises CubeError if it cannot pass."""
    _refuse(may_pass(cube, side, rules))
    return cube.value


def may_beaver(cube: Cube, side: Side, rules: RuleSet = MATCH) -> tuple[Reason, ...]:
    """All reasons why this side may not take and double again at once, keeping the cube."""
    found = may_answer(cube, side)
    if found:
        return found
    if cube.offer != "double" or cube.beavers >= rules.cube.beavers:
        return (reason(Code.NO_BEAVER, limit=rules.cube.beavers),)
    taken = replace(cube, value=2 * cube.value)
    return (reason(Code.CUBE_LIMIT, limit=rules.cube.max),) if above_limit(taken, rules) else ()


def beaver(cube: Cube, side: Side, rules: RuleSet = MATCH) -> Cube:
    """The double taken, and at once doubled again. Raises CubeError where that is not allowed."""
    _refuse(may_beaver(cube, side, rules))
    return replace(cube, value=2 * cube.value, owner=side, offered_by=side, offer="beaver", beavers=cube.beavers + 1)


def may_raccoon(cube: Cube, side: Side, rules: RuleSet = MATCH) -> tuple[Reason, ...]:
    """All reasons why the doubler may not answer a beaver by doubling once more."""
    found = may_answer(cube, side)
    if found:
        return found
    if cube.offer != "beaver" or not rules.cube.raccoon:
        return (reason(Code.NO_RACCOON),)
    taken = replace(cube, value=2 * cube.value)
    return (reason(Code.CUBE_LIMIT, limit=rules.cube.max),) if above_limit(taken, rules) else ()


def raccoon(cube: Cube, side: Side, rules: RuleSet = MATCH) -> Cube:
    """The beaver taken, and doubled once more. Raises CubeError where that is not allowed."""
    _refuse(may_raccoon(cube, side, rules))
    return replace(cube, value=2 * cube.value, offered_by=side, offer="raccoon")


def automatic_double(cube: Cube, rules: RuleSet = MATCH, score: MatchScore | None = None) -> Cube:
    """The cube after equal numbers in the opening roll: doubled and still centred, while these rules allow one more.

    score: None for a single game. A Crawford game and a match to one point are played without the cube: nothing is doubled there.
    """
    without = score is not None and (score.crawford or score.length == 1)
    if without or not rules.cube.enabled or cube.auto_doubles >= rules.cube.auto_doubles or above_limit(cube, rules):
        return cube
    return replace(cube, value=2 * cube.value, auto_doubles=cube.auto_doubles + 1)


def _refuse(reasons: tuple[Reason, ...]) -> None:
    if reasons:
        raise CubeError(reasons)
