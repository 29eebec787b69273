"""The course of a simulated match: who throws, thinks, moves, doubles, errs and mends, as scenes in time."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from random import Random
from typing import Literal

from controller.rules import Move, Play, Position, RuleSet, Side, is_closed_out, legal_plays
from controller.simulation import players
from controller.simulation.blunders import Blunder, can_stand, illegal_play
from controller.simulation.scene import Scene
from controller.simulation.stage import Scenes, Stage
from controller.simulation.truth import (
    Dice,
    Doubled,
    ErrorMade,
    GameBegun,
    GameWon,
    Passed,
    Skipped,
    Taken,
    TruthEvent,
    TurnPlayed,
)

Errors = Literal["none", "some", "many", "unnoticed"]

ERROR_SHARE: dict[Errors, float] = {"none": 0.0, "some": 0.14, "many": 0.34, "unnoticed": 0.14}
"""Share of the turns in which a player errs: every seventh, every third. "unnoticed": an illegal play stands wherever the game
can go on from it, as it does where nobody listens to the referee."""

SECOND_THOUGHTS = 0.04
"""Share of the turns in which a player takes a first play back before lifting the dice, which is no error."""

FUMBLES = 0.06
"""Share of the turns in which a checker is taken up and put back before the play is made."""

ADJUSTS = 0.08
"""Share of the turns in which a player straightens a few checkers before lifting the dice."""

WAIVED = 0.7
"""Share of a closed-out player's turns in which he does not roll."""

NOTICED = (4.0, 6.5)
"""Seconds after which players put an error right: time to see what the referee says."""


@dataclass
class _Game:
    """One game as it goes: the position, the cube and its owner. The script alone changes it."""

    number: int
    crawford: bool
    position: Position
    cube: int = 1
    owner: Side | None = None
    winner: Side | None = None
    points: int = 0


class Script:
    """Plays a match on a stage. truth grows while `scenes` is drawn from."""

    def __init__(self, stage: Stage, rng: Random, rules: RuleSet, length: int, errors: Errors) -> None:
        self.stage, self.rng, self.rules, self.length, self.errors = stage, rng, rules, length, errors
        self.truth: list[TruthEvent] = []
        self.score = dict.fromkeys(Side, 0)
        self.crawford_played = False

    def scenes(self) -> Iterator[Scene]:
        """The whole match, frame by frame, and two seconds of the last board."""
        self.stage.set_up(Position.start())
        number = 0
        while max(self.score.values()) < self.length:
            if number:
                yield from self.stage.reset(Position.start())
            yield from self._game(number)
            number += 1
        yield from self.stage.wait(2.0)

    def _points(self) -> tuple[int, int]:
        return self.score[Side.LIGHT], self.score[Side.DARK]

    def _game(self, number: int) -> Scenes:
        one_away = self.length - 1 in self.score.values() and self.length > 1
        crawford = self.rules.cube.crawford and one_away and not self.crawford_played
        self.crawford_played = self.crawford_played or crawford
        game = _Game(number, crawford, Position.start())
        self.truth.append(GameBegun(self.stage.seconds, number, self._points(), crawford))
        yield from self.stage.pause(1.5, 2.5)
        side, dice = yield from self._opening()
        yield from self._turn(game, side, dice)
        while game.winner is None:
            side = side.other
            if is_closed_out(game.position, side) and self.rng.random() < WAIVED:
                self.truth.append(Skipped(self.stage.seconds, game.number, side))
                yield from self.stage.pause(0.3, 0.8)
                continue
            yield from self._double(game, side)
            if game.winner is None:
                yield from self._turn(game, side, None)
        self.score[game.winner] += game.points
        self.truth.append(GameWon(self.stage.seconds, number, game.winner, game.points, self._points()))
        yield from self.stage.pause(2.0, 3.0)

    def _opening(self) -> Generator[Scene, None, tuple[Side, Dice]]:
        """Each throws one die until they differ; the higher starts with both. Returns the side and the dice."""
        while True:
            light, dark = self.rng.randint(1, 6), self.rng.randint(1, 6)
            yield from self.stage.throw(Side.LIGHT, (light,))
            yield from self.stage.pause(0.2, 0.6)
            yield from self.stage.throw(Side.DARK, (dark,))
            yield from self.stage.pause(1.2, 1.8)
            if light != dark:
                return Side.LIGHT if light > dark else Side.DARK, (max(light, dark), min(light, dark))
            for side in Side:
                yield from self.stage.lift_dice(side)

    def _errs(self, kind: str) -> bool:
        """This turn brings an error of this kind; the kinds share the errors evenly."""
        return self.rng.random() < ERROR_SHARE[self.errors] / 3

    def _roll(self, game: _Game, side: Side) -> Generator[Scene, None, Dice]:
        """The side throws both dice, again where one comes to rest leaning on a checker."""
        dice = (self.rng.randint(1, 6), self.rng.randint(1, 6))
        cocked = self._errs("cocked-die")
        yield from self.stage.throw(side, dice, cocked)
        if cocked and any(die.at[2] > self.stage.shape.die * 0.6 for die in self.stage.dice[side]):
            begun = self.stage.rested
            yield from self.stage.pause(*NOTICED)
            yield from self.stage.lift_dice(side)
            self.truth.append(ErrorMade(begun, game.number, "cocked-die", side, self.stage.seconds, dice))
            return (yield from self._roll(game, side))
        return dice

    def _turn(self, game: _Game, side: Side, opening: Dice | None) -> Scenes:
        """One turn from the throw to the dice lifted and every error mended."""
        dice = opening or (yield from self._roll(game, side))
        rolled = self.stage.rested
        before = game.position
        plays = legal_plays(before, side, dice, self.rules)
        meant = players.best_play(plays, side)
        yield from self.stage.pause(1.0, 2.2)
        if self.errors != "none" and self.rng.random() < SECOND_THOUGHTS:
            first = self.rng.choice(plays)
            yield from self._move(side, first.moves)
            yield from self.stage.pause(0.8, 1.6)
            yield from self._take_back(side, first.moves)
            yield from self.stage.withdraw(side)
        yield from self._fumble(side, before)
        blunder = illegal_play(before, side, dice, plays, meant, self.rng) if self._errs("illegal-play") else None
        yield from self._move(side, blunder.moves if blunder else meant.moves)
        yield from self._straighten(side, blunder.result if blunder else meant.result)
        yield from self.stage.pause(0.5, 1.2)
        if (
            blunder is None
            and not opening
            and self._errs("premature-roll")
            and meant.result.off(side) < before.checkers
        ):
            yield from self._premature(game, side.other)
        yield from self.stage.lift_dice(side, *([side.other] if opening else []))
        if blunder is not None:
            if self.errors == "unnoticed" and can_stand(blunder.result):
                yield from self._let_stand(game, side, dice, blunder, rolled)
                return
            begun = self.stage.seconds
            yield from self.stage.pause(*NOTICED)
            yield from self._take_back(side, blunder.moves)
            yield from self._move(side, meant.moves)
            yield from self.stage.withdraw(side)
            self.truth.append(
                ErrorMade(begun, game.number, "illegal-play", side, self.stage.seconds, dice, blunder.result)
            )
            yield from self.stage.pause(1.0, 1.5)
        self._ended(game, side, dice, meant, meant.result, rolled)
        yield from self.stage.pause(0.4, 1.0)

    def _let_stand(self, game: _Game, side: Side, dice: Dice, blunder: Blunder, rolled: float) -> Scenes:
        """Nobody sees that the play was illegal, and the game goes on from it."""
        now = self.stage.seconds
        yield from self.stage.pause(1.0, 2.5)
        self.truth.append(ErrorMade(now, game.number, "illegal-play", side, self.stage.seconds, dice, blunder.result))
        self._ended(game, side, dice, None, blunder.result, rolled)

    def _ended(self, game: _Game, side: Side, dice: Dice, play: Play | None, after: Position, rolled: float) -> None:
        """The turn is over, and with it perhaps the game."""
        self.truth.append(TurnPlayed(self.stage.seconds, game.number, side, dice, play, game.position, after, rolled))
        game.position = after
        if game.position.off(side) == game.position.checkers:
            game.winner, game.points = side, game.cube * _level(game.position, side.other)

    def _fumble(self, side: Side, board: Position) -> Scenes:
        held = _held(board, side)
        if held and self.errors != "none" and self.rng.random() < FUMBLES:
            yield from self.stage.fumble(side, self.rng.choice(held))
            yield from self.stage.withdraw(side)
            yield from self.stage.pause(0.2, 0.8)

    def _straighten(self, side: Side, board: Position) -> Scenes:
        held = _held(board, side)
        if held and self.errors != "none" and self.rng.random() < ADJUSTS:
            for point in self.rng.sample(held, k=min(2, len(held))):
                yield from self.stage.fumble(side, point)
            yield from self.stage.withdraw(side)

    def _premature(self, game: _Game, side: Side) -> Scenes:
        """The opponent throws before the dice are lifted, sees it, and takes them back."""
        dice = (self.rng.randint(1, 6), self.rng.randint(1, 6))
        yield from self.stage.throw(side, dice)
        begun = self.stage.rested
        yield from self.stage.pause(*NOTICED)
        yield from self.stage.lift_dice(side)
        self.truth.append(ErrorMade(begun, game.number, "premature-roll", side, self.stage.seconds, dice))
        yield from self.stage.pause(0.5, 1.0)

    def _move(self, side: Side, moves: tuple[Move, ...]) -> Scenes:
        """The side's hand makes the moves; a checker that goes on is often carried the whole way at once."""
        at = 0
        while at < len(moves):
            source, move = moves[at].source, moves[at]
            while (
                at + 1 < len(moves) and not move.hit and moves[at + 1].source == move.target and self.rng.random() < 0.6
            ):
                at += 1
                move = moves[at]
            if move.hit:
                yield from self.stage.carry(side, side.other, 25 - move.target, 25)
            yield from self.stage.carry(side, side, source, move.target)
            at += 1
        yield from self.stage.withdraw(side)

    def _take_back(self, side: Side, moves: tuple[Move, ...]) -> Scenes:
        for move in reversed(moves):
            yield from self.stage.carry(side, side, move.target, move.source)
            if move.hit:
                yield from self.stage.carry(side, side.other, 25, 25 - move.target)

    def _double(self, game: _Game, side: Side) -> Scenes:
        """The side offers the cube where it may and wants to; the opponent takes or passes."""
        may = self.rules.cube.enabled and game.owner in (None, side)
        away = self.length - self.score[side]
        if not may or not players.wants_to_double(game.position, side, game.cube, away, game.crawford):
            return
        value = game.cube * 2
        yield from self.stage.move_cube(side, value, self.stage.offered_place(side))
        self.truth.append(Doubled(self.stage.seconds, game.number, side, value))
        yield from self.stage.pause(1.5, 3.5)
        if players.takes(game.position, side):
            yield from self.stage.move_cube(side.other, value, self.stage.owned_place(side.other))
            self.truth.append(Taken(self.stage.seconds, game.number, side.other, value))
            game.cube, game.owner = value, side.other
        else:
            self.truth.append(Passed(self.stage.seconds, game.number, side.other))
            game.winner, game.points = side, game.cube
        yield from self.stage.pause(0.6, 1.2)


def _held(board: Position, side: Side) -> list[int]:
    """The side's points 1-24 that hold a checker."""
    return [point for point in range(1, 25) if board.own(side)[point - 1]]


def _level(position: Position, loser: Side) -> int:
    """1 for a single game, 2 for a gammon, 3 for a backgammon."""
    if position.off(loser):
        return 1
    behind = position.own(loser)[18:]
    return 3 if any(behind) else 2
