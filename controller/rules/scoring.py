"""What a game is worth: single, gammon or backgammon by every definition, checker zones, resignation."""

from __future__ import annotations

from dataclasses import dataclass

from controller.rules.codes import Code
from controller.rules.errors import RulesError
from controller.rules.position import BAR, Position
from controller.rules.reasons import Reason, reason
from controller.rules.ruleset import MATCH, RuleSet
from controller.rules.side import Side

LEVELS = {1: "single", 2: "gammon", 3: "backgammon"}


@dataclass(frozen=True)
class GameResult:
    """A finished game. level: 1 single game, 2 gammon, 3 backgammon; points: what it counts, cube included."""

    winner: Side
    level: int
    points: int


def winner_of(position: Position) -> Side | None:
    """Who has borne off every checker; None while nobody has."""
    for side in Side:
        if not any(position.own(side)):
            return side
    return None


def game_result(
    position: Position, winner: Side, cube: int = 1, rules: RuleSet = MATCH, *, owned: bool = True
) -> GameResult:
    """The result of a game played to its end. cube: its value; owned: it is some player's (for the Jacoby rule, which holds while
    the cube lies in the middle, be it doubled automatically or not)."""
    level = win_level(position, winner, rules)
    if rules.scoring.method == "checker-zones":
        return GameResult(winner, level, _by_zones(position, winner, cube, rules))
    return _by_level(winner, level, cube, rules, owned=owned)


def _by_zones(position: Position, winner: Side, cube: int, rules: RuleSet) -> int:
    return zone_points(position, winner, rules) * (cube if rules.scoring.cube_multiplies_zones else 1)


def _by_level(winner: Side, level: int, cube: int, rules: RuleSet, *, owned: bool) -> GameResult:
    if rules.cube.jacoby and not owned:
        level = 1
    return GameResult(winner, level, level * cube)


def win_level(position: Position, winner: Side, rules: RuleSet = MATCH) -> int:
    """1 single game, 2 gammon, 3 backgammon, by the definitions of these rules, the Jacoby rule aside."""
    if _is_backgammon(position, winner, rules):
        return 3
    return 2 if position.off(winner.other) == 0 else 1


def _is_backgammon(position: Position, winner: Side, rules: RuleSet) -> bool:
    loser = position.own(winner.other)
    none_off = position.off(winner.other) == 0
    if rules.scoring.backgammon_requires_none_off and not none_off:
        return False
    if rules.scoring.backgammon == "any-not-home":
        return any(loser[6:])
    far_back = any(loser[18:])
    if rules.scoring.backgammon == "in-winner-home-or-bar":
        return far_back
    return far_back and none_off


def zone_points(position: Position, winner: Side, rules: RuleSet = MATCH) -> int:
    """Points for each checker of the loser by where it stands (4-3-2-1 in texts 000 and 004)."""
    loser, zones = position.own(winner.other), rules.scoring.zones
    return (
        zones.bar * loser[BAR - 1]
        + zones.winner_home * sum(loser[18:24])
        + zones.winner_outer * sum(loser[12:18])
        + zones.loser_outer * sum(loser[6:12])
        + zones.loser_home * sum(loser[:6])
        + zones.off * position.off(winner.other)
    )


def may_resign(
    level: int, side: Side, on_roll: Side, rules: RuleSet = MATCH, *, rolled: bool = False
) -> tuple[Reason, ...]:
    """All reasons why this side may not offer to resign at this level now; the opponent may still refuse the offer."""
    found = []
    if level not in rules.resign.levels or rules.resign.when == "never":
        found.append(reason(Code.NO_SUCH_RESIGNATION, level=level))
    if rules.resign.when == "before-roll" and (side is not on_roll or rolled):
        found.append(reason(Code.RESIGN_BEFORE_ROLL))
    return tuple(found)


def resigned_result(
    position: Position, loser: Side, level: int, cube: int = 1, rules: RuleSet = MATCH, *, owned: bool = True
) -> GameResult:
    """The result of an accepted resignation. Where checkers are counted by zones, they count as they stand in `position`, whatever
    the level. Raises RulesError for a level other than 1, 2 and 3."""
    if level not in LEVELS:
        raise RulesError(f"A game is resigned as a single game, a gammon or a backgammon: 1, 2 or 3, not {level}.")
    if rules.scoring.method == "checker-zones":
        return GameResult(loser.other, level, _by_zones(position, loser.other, cube, rules))
    return _by_level(loser.other, level, cube, rules, owned=owned)


def passed_result(loser: Side, cube: int) -> GameResult:
    """The result of a passed double: a single game at the value before the offer."""
    return GameResult(loser.other, 1, cube)
