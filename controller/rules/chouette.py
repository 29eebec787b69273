"""Chouette: one player, the box, against a team led by its captain, with a cube for each team player.

Cubes belong to sides: the box has one, the whole team the other, so every team player's cube is played like any other.
Who is captain when the captain has passed is not in text 002; the next player still in the game leads then.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from controller.rules.codes import Code
from controller.rules.cube import Cube, CubeError, TurnState, beaver, double, pass_points, raccoon, take
from controller.rules.errors import RulesError, RuleSetError
from controller.rules.reasons import reason
from controller.rules.ruleset import MONEY, RuleSet
from controller.rules.scoring import GameResult
from controller.rules.side import Side

MIN_PLAYERS = 3
CENTRED = Cube()


@dataclass(frozen=True)
class Stake:
    """One team player's game against the box. points: won, or lost if negative, by a pass; None while still in."""

    player: str
    cube: Cube = CENTRED
    points: int | None = None


@dataclass(frozen=True)
class Chouette:
    """One game. order: the players' list, the box first and the captain second; box_side: the box's checkers.

    stakes: one for each team player, in order; where the team shares a cube, one in the captain's name.
    """

    order: tuple[str, ...]
    box_side: Side
    stakes: tuple[Stake, ...]

    @property
    def box(self) -> str:
        """Who plays alone."""
        return self.order[0]

    @property
    def captain(self) -> str:
        """Who moves for the team: the first on the list who has not passed, or who sat down once all have."""
        return next((s.player for s in self.stakes if s.points is None), self.order[1])

    @property
    def over(self) -> bool:
        """Nobody is in the game any more."""
        return all(stake.points is not None for stake in self.stakes)

    def stake(self, player: str) -> Stake:
        """The stake of a team player. Raises RulesError for anyone else."""
        for stake in self.stakes:
            if stake.player == player:
                return stake
        raise RulesError("{player} has no cube in this game.", player=player)


def new_chouette(order: tuple[str, ...], box_side: Side, rules: RuleSet = MONEY) -> Chouette:
    """A game of these players, box first. Raises RulesError for fewer than three, or for a name that comes twice."""
    if len(order) < MIN_PLAYERS or len(set(order)) != len(order):
        raise RulesError("A chouette needs at least three players with different names.")
    team = order[1:] if rules.chouette.cubes == "per-player" else order[1:2]
    return Chouette(order, box_side, tuple(Stake(player) for player in team))


def double_stake(game: Chouette, player: str, side: Side, turn: TurnState, rules: RuleSet = MONEY) -> Chouette:
    """A team player doubles the box, or the box (side = box_side) doubles that player. Raises CubeError."""
    stake = _in_game(game, player)
    return _put(game, replace(stake, cube=double(stake.cube, side, turn, None, rules)))


def take_stake(game: Chouette, player: str, side: Side, rules: RuleSet = MONEY) -> Chouette:
    """The double, beaver or raccoon on this player's cube is taken. Raises CubeError."""
    stake = _in_game(game, player)
    return _put(game, replace(stake, cube=take(stake.cube, side, rules)))


def beaver_stake(game: Chouette, player: str, side: Side, rules: RuleSet = MONEY) -> Chouette:
    """The double on this player's cube is taken and doubled again. Raises CubeError."""
    stake = _in_game(game, player)
    return _put(game, replace(stake, cube=beaver(stake.cube, side, rules)))


def raccoon_stake(game: Chouette, player: str, side: Side, rules: RuleSet = MONEY) -> Chouette:
    """The beaver on this player's cube is doubled once more. Raises CubeError."""
    stake = _in_game(game, player)
    return _put(game, replace(stake, cube=raccoon(stake.cube, side, rules)))


def pass_stake(game: Chouette, player: str, side: Side, rules: RuleSet = MONEY) -> Chouette:
    """The double on this player's cube is passed: that stake is settled, the others play on. Raises CubeError."""
    stake = _in_game(game, player)
    lost = pass_points(stake.cube, side, rules)
    won = lost if side is game.box_side else -lost
    return _put(game, replace(stake, points=won))


def chouette_points(game: Chouette, winner: Side, level: int, rules: RuleSet = MONEY) -> dict[str, int]:
    """What every player won or lost in a game that ended with this winner and level; together it is 0.

    Stakes settled before keep their points; once all are settled, winner and level do not matter.
    """
    points = dict.fromkeys(game.order, 0)
    for stake in game.stakes:
        won = stake.points
        if won is None:
            counted = 1 if rules.cube.jacoby and not stake.cube.owner else level
            result = GameResult(winner, counted, counted * stake.cube.value)
            won = -result.points if winner is game.box_side else result.points
        for player in _sharing(game, stake, rules):
            points[player] += won
            points[game.box] -= won
    return points


StakeAct = Literal["double", "take", "pass", "beaver", "raccoon"]
STAKE_ACTS: tuple[StakeAct, ...] = ("double", "take", "pass", "beaver", "raccoon")
"""What may be done with a team player's own cube."""


def act_on_stake(game: Chouette, player: str, act: StakeAct, turn: TurnState, rules: RuleSet = MONEY) -> Chouette:
    """The side on roll doubles on that player's cube, or whoever has to answers. Raises RulesError: CubeError with why not."""
    if act == "double":
        return double_stake(game, player, turn.on_roll, turn, rules)
    side = game.stake(player).cube.answering or turn.on_roll
    answer = {"take": take_stake, "pass": pass_stake, "beaver": beaver_stake, "raccoon": raccoon_stake}[act]
    return answer(game, player, side, rules)


def may_act_on_stake(game: Chouette, player: str, turn: TurnState, rules: RuleSet = MONEY) -> tuple[StakeAct, ...]:
    """What may be done with that player's cube now."""
    may: list[StakeAct] = []
    for act in STAKE_ACTS:
        try:
            act_on_stake(game, player, act, turn, rules)
        except RulesError:
            continue
        may.append(act)
    return tuple(may)


def seated(rules: RuleSet, players: tuple[str, ...]) -> RuleSet:
    """The rules for these players, in their order: more than two play a chouette. Raises RuleSetError."""
    number = rules.chouette.players
    if len(players) < MIN_PLAYERS:
        if number:
            raise RuleSetError(
                "chouette.players = {number} needs the names of all {number} players in their order.", number=number
            )
        return rules
    if number not in (0, len(players)):
        raise RuleSetError(
            "chouette.players = {number}, but {named} players are named.", number=number, named=len(players)
        )
    if not all(players):
        raise RuleSetError("Every player of a chouette needs a name.")
    if len(set(players)) != len(players):
        raise RuleSetError("Two players of a chouette go by the same name: tell them apart.")
    if rules.session.kind != "money" or rules.scoring.method != "win-levels":
        raise RuleSetError(
            'A chouette is played for money, game by game: choose the rules for a money game, or session.kind = "money" and '
            'scoring.method = "win-levels".'
        )
    return replace(rules, chouette=replace(rules.chouette, players=len(players)))


def next_order(order: tuple[str, ...], *, box_won: bool) -> tuple[str, ...]:
    """The list for the next game: the loser of box and captain goes to its end, and the third player is captain."""
    box, captain, *others = order
    return (box, *others, captain) if box_won else (captain, *others, box)


def may_advise(rules: RuleSet = MONEY, *, captain_doubled: bool) -> bool:
    """Whether the team may advise its captain now. captain_doubled: the cube has been turned in this game."""
    return rules.chouette.advice == "free" or (rules.chouette.advice == "after-double" and captain_doubled)


def _sharing(game: Chouette, stake: Stake, rules: RuleSet) -> tuple[str, ...]:
    return (stake.player,) if rules.chouette.cubes == "per-player" else game.order[1:]


def _in_game(game: Chouette, player: str) -> Stake:
    stake = game.stake(player)
    if stake.points is not None:
        raise CubeError((reason(Code.NO_DOUBLE_OFFERED),))
    return stake


def _put(game: Chouette, stake: Stake) -> Chouette:
    return replace(game, stakes=tuple(stake if s.player == stake.player else s for s in game.stakes))
