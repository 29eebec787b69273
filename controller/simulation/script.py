"""The course of a simulated match: who throws, thinks, moves, doubles, errs and mends, as scenes in time."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass, field, replace
from random import Random

from controller.rules import (
    Cube,
    GameResult,
    MatchScore,
    Move,
    Play,
    Position,
    Side,
    TurnState,
    after_game,
    automatic_double,
    beaver,
    decide_opening,
    double,
    game_result,
    is_closed_out,
    legal_plays,
    may_beaver,
    may_double,
    may_pass,
    may_raccoon,
    may_resign,
    passed_result,
    raccoon,
    resigned_result,
    take,
)
from controller.simulation import players
from controller.simulation.blunders import Blunder, can_stand, illegal_play, moved
from controller.simulation.camera import Point3D
from controller.simulation.manners import ERROR_SHARE, Manner, SimulatedMatch
from controller.simulation.scene import Scene
from controller.simulation.stage import BackgammonSet, Scenes
from controller.simulation.truth import (
    Beavered,
    Dice,
    Doubled,
    Drawn,
    ErrorMade,
    GameBegun,
    GameWon,
    Passed,
    Raccooned,
    Resigned,
    Skipped,
    Taken,
    TruthEvent,
    TurnPlayed,
)

SECOND_THOUGHTS = 0.04
"""Share of the turns in which a player takes a first play back before lifting the dice, which is no error."""

TRIED_OUT = 0.6
"""The same of players who try plays out, and then another, and another."""

VOID = 0.12
"""Share of the throws that are thrown again where one die may fall to the floor, or they agree."""

TURNED = 0.25
"""Share of the turns in which a hand turns a die where that happens at all."""

CHANGED = 0.15
"""Share of the turns that are played otherwise once the dice are lifted, where players do so."""

KNOCKED = 0.12
"""Share of the turns after which checkers are knocked over where hands do so."""

OFFER_TAKEN_BACK = 0.5
"""Share of the offers of the cube that are taken back before they are answered, where players do so."""

CALLED_OFF = 0.12
"""Share of the turns that count for nothing once they are played, where players agree on that."""

TALKED_OVER = 0.2
"""Share of the turns after which they try out how the game might go on, where they do so."""

KNOCKED_COLUMNS, MOST_KNOCKED = 4, 5
"""Columns beside each other over which the hand goes, and the checkers that it moves at most."""

LAST_GAME = 60
"""Turns after which the game that stands there at the beginning was given up, at the latest."""

FUMBLES = 0.06
"""Share of the turns in which a checker is taken up and put back before the play is made."""

ADJUSTS = 0.08
"""Share of the turns in which a player straightens a few checkers before lifting the dice."""

WAIVED = 0.7
"""Share of a closed-out player's turns in which he does not roll."""

NOTICED = (4.0, 6.5)
"""Seconds after which players put an error right: time to see what the referee says."""


HIGHEST_FACE = 64
"""Of the cube on the table."""

CUBE_BACK_BEFORE = 4
"""Turn of the next game before which the cube is put back by players who are late with it."""

SEEN_BEFORE = 5
"""Turn before which a checker that was set up wrong is put right."""

RECKLESS = 0.1
"""Share of the turns in which a player doubles without thinking, where a beaver may answer it."""


@dataclass
class _Game:
    """One game as it goes: the position and the cube. The script alone changes it. result: None while it goes on; refused: an
    offer to give it up as a single game was refused."""

    number: int
    score: MatchScore
    position: Position
    cube: Cube = field(default_factory=Cube)
    result: GameResult | None = None
    refused: bool = False


class Script:
    """Plays a match on a stage, by any rule set. truth grows while `scenes` is drawn from."""

    def __init__(self, stage: BackgammonSet, rng: Random, match: SimulatedMatch) -> None:
        self.stage, self.rng = stage, rng
        self.rules, self.errors, self.resigns = match.rules, match.errors, match.resigns
        self.manners = match.manners
        self.leaves_dice = bool(match.manners & {"dice left lying", "one pair of dice"})
        self.truth: list[TruthEvent] = []
        self.score = MatchScore(match.length, games=match.games)
        self.start = Position.start(self.rules.variant.position)
        self.astray: tuple[Side, int, int] | None = None

    def scenes(self) -> Iterator[Scene]:
        """The whole match, frame by frame, and two seconds of the last board."""
        if "last game left" in self.manners:
            self.stage.set_up(self._last_game())
            yield from self.stage.wait(4.0)
            yield from self.stage.reset(self._set_up())
        else:
            self.stage.set_up(self._set_up())
        number = 0
        while not self.score.over:
            if number:
                if "ends exchanged" in self.manners:
                    self.stage.seats = self.stage.seats.other_way_round()
                yield from self.stage.reset(self._set_up(), with_cube="cube put back late" not in self.manners)
            yield from self._game(number)
            number += 1
        yield from self.stage.wait(2.0)

    def _last_game(self) -> Position:
        """What is left of a game that was played before."""
        board, side = self.start, Side.LIGHT
        for _ in range(LAST_GAME):
            dice = (self.rng.randint(1, 6), self.rng.randint(1, 6))
            board = players.best_play(legal_plays(board, side, dice, self.rules), side).result
            if board.off(side) == board.checkers:
                break
            side = side.other
        return board

    def _set_up(self) -> Position:
        """The start position, as they set it up; a checker that stands a point off is astray: whose, and both points."""
        self.astray = None
        if "set up wrong" not in self.manners:
            return self.start
        side = self.rng.choice(list(Side))
        held = _held(self.start, side)
        free = [(point, to) for point in held for to in (point - 1, point + 1) if _is_free(self.start, side, to)]
        self.astray = (side, *self.rng.choice(free))
        return self._begun_from()

    def _begun_from(self) -> Position:
        return _one_moved(self.start, *self.astray) if self.astray else self.start

    def _put_right(self, game: _Game) -> Scenes:
        """One of them sees that the set-up was wrong, if the checker still stands there."""
        if self.astray is None:
            return
        side, right, wrong = self.astray
        self.astray = None
        if game.position.own(side)[wrong - 1] and _is_free(game.position, side, right):
            yield from self.stage.pause(0.5, 1.5)
            yield from self.stage.carry(side, side, wrong, right)
            yield from self.stage.withdraw(side)
            game.position = _one_moved(game.position, side, wrong, right)
            yield from self.stage.pause(1.0, 2.0)

    def _points(self) -> tuple[int, int]:
        return self.score.light, self.score.dark

    def _game(self, number: int) -> Scenes:
        game = _Game(number, self.score, self._begun_from())
        self.truth.append(GameBegun(self.stage.seconds, number, self._points(), self.score.crawford))
        yield from self.stage.pause(1.5, 2.5)
        side, dice = yield from self._opening(game)
        yield from self._turn(game, side, dice)
        turns = 1
        while game.result is None:
            side, turns = side.other, turns + 1
            late = "cube put back late" in self.manners and self.stage.cube is not None and game.cube.owner is None
            if late and turns == CUBE_BACK_BEFORE:
                yield from self._put_cube(side, game.cube.value, self.stage.shape.cube_centred())
            if turns == SEEN_BEFORE:
                yield from self._put_right(game)
            may_skip = self.rules.bar.closed_out == "skip-roll" and is_closed_out(game.position, side)
            if may_skip and self.rng.random() < WAIVED:
                self.truth.append(Skipped(self.stage.seconds, game.number, side))
                yield from self.stage.pause(0.3, 0.8)
                continue
            yield from self._resign(game, side)
            if game.result is None:
                yield from self._double(game, side)
            if game.result is None:
                yield from self._turn(game, side, None)
        won = game.result
        self.score = after_game(self.score, won.winner, won.points, self.rules)
        self.truth.append(GameWon(self.stage.seconds, number, won.winner, won.points, self._points()))
        yield from self.stage.pause(2.0, 3.0)

    def _opening(self, game: _Game) -> Generator[Scene, None, tuple[Side, Dice | None]]:
        """The starter, and the dice that he plays; None where he rolls afresh. Each throws one die until they differ, unless the
        players agree."""
        if self.rules.start.first == "agreed":
            return self.rng.choice((Side.LIGHT, Side.DARK)), None
        while True:
            light, dark = self.rng.randint(1, 6), self.rng.randint(1, 6)
            yield from self.stage.throw(Side.LIGHT, (light,))
            yield from self.stage.pause(0.2, 0.6)
            yield from self.stage.throw(Side.DARK, (dark,))
            yield from self.stage.pause(1.2, 1.8)
            drawn, before = decide_opening(light, dark, self.rules), game.cube
            if light == dark:
                game.cube = automatic_double(before, self.rules, self.score)
            self.truth.append(Drawn(self.stage.seconds, game.number, light, dark, game.cube.value))
            if drawn.starter is not None and drawn.dice is not None and "opening thrown afresh" not in self.manners:
                return drawn.starter, drawn.dice
            for side in Side:
                yield from self.stage.lift_dice(side)
            if game.cube != before:
                yield from self._put_cube(Side.LIGHT, game.cube.value, self.stage.shape.cube_centred())
            if drawn.starter is not None:
                yield from self.stage.pause(0.6, 1.2)
                return drawn.starter, None

    def _put_cube(self, side: Side, value: int, at: Point3D) -> Scenes:
        """The side's hand puts the cube there, its 64 up where it is worth 1; players who never turn it leave that up."""
        face = HIGHEST_FACE if value == 1 or "cube never turned" in self.manners else value
        yield from self.stage.move_cube(side, face, at)

    def _notice(self) -> Scenes:
        """The time until an error is put right, which nobody's haste makes shorter."""
        yield from self.stage.wait(self.stage.rng.uniform(*NOTICED))

    def _errs(self, kind: str) -> bool:
        """This turn brings an error of this kind; the kinds share the errors evenly."""
        return self.rng.random() < ERROR_SHARE[self.errors] / 3

    def _happens(self, manner: Manner, share: float) -> bool:
        """That does where players have that manner, in so many cases."""
        return manner in self.manners and self.rng.random() < share

    def _roll(self, game: _Game, side: Side) -> Generator[Scene, None, Dice]:
        """The side throws both dice, again where one comes to rest leaning on a checker, or the throw does not count."""
        if self.leaves_dice:
            yield from self.stage.lift_dice(side, *([side.other] if "one pair of dice" in self.manners else []))
        if "into either half" in self.manners:
            to_left = frozenset(one for one in Side if self.rng.random() < 0.5)
            self.stage.seats = replace(self.stage.seats, to_their_left=to_left)
        dice = (self.rng.randint(1, 6), self.rng.randint(1, 6))
        off_the_board = self._happens("die off the board", VOID)
        if off_the_board or self._happens("throws called off", VOID):
            yield from self.stage.throw(side, dice[:1] if off_the_board else dice)
            yield from self.stage.pause(1.0, 2.5)
            yield from self.stage.lift_dice(side)
            return (yield from self._roll(game, side))
        cocked = self._errs("cocked-die")
        yield from self.stage.throw(side, dice, cocked=cocked)
        if cocked and any(die.at[2] > self.stage.shape.die * 0.6 for die in self.stage.dice[side]):
            begun = self.stage.rested
            yield from self._notice()
            yield from self.stage.lift_dice(side)
            self.truth.append(ErrorMade(begun, game.number, "cocked-die", side, self.stage.seconds, dice))
            return (yield from self._roll(game, side))
        return dice

    def _turn(self, game: _Game, side: Side, opening: Dice | None) -> Scenes:
        """One turn from the throw to the dice lifted and every error mended."""
        dice = opening or (yield from self._roll(game, side))
        if self._happens("changed after the next throw", CHANGED) and (yield from self._last_changed(game, side)):
            dice = yield from self._roll(game, side)
        rolled = self.stage.rested
        before = game.position
        plays = legal_plays(before, side, dice, self.rules)
        meant = players.best_play(plays, side)
        owners = (side, side.other) if opening else (side,)
        yield from self.stage.pause(1.0, 2.2)
        if "dice put aside" in self.manners:
            yield from self.stage.put_aside(*owners)
        yield from self._think(side, plays)
        yield from self._fumble(side, before)
        blunder = illegal_play(before, side, dice, plays, meant, self.rng) if self._errs("illegal-play") else None
        yield from self._make(blunder.moves if blunder else meant.moves, owners)
        yield from self._straighten(side, blunder.result if blunder else meant.result)
        yield from self.stage.pause(0.5, 1.2)
        wins = meant.result.off(side) == before.checkers
        if blunder is None and not (opening or self.leaves_dice) and self._errs("premature-roll") and not wins:
            yield from self._premature(game, side.other)
        if opening or blunder is not None or not self.leaves_dice:
            yield from self.stage.lift_dice(*owners)
        else:
            yield from self.stage.withdraw(side)
        if blunder is not None:
            if self.errors == "unnoticed" and can_stand(blunder.result):
                yield from self._let_stand(game, side, dice, blunder, rolled)
                return
            yield from self._mend(game, side, dice, blunder, meant)
        elif not wins and self._happens("changed after lifting", CHANGED):
            meant = yield from self._changed(side, plays, meant)
        if not wins and blunder is None and self._happens("turns called off", CALLED_OFF):
            yield from self.stage.pause(0.8, 2.0)
            yield from self._take_back(side, meant.moves)
            yield from self.stage.withdraw(side)
            yield from self.stage.pause(0.8, 1.5)
            yield from self._turn(game, side, None)
            return
        self._ended(game, side, dice, meant, meant.result, rolled)
        yield from self.stage.pause(0.4, 1.0)
        if game.result is None:
            yield from self._between_turns(game, side.other)

    def _between_turns(self, game: _Game, hand: Side) -> Scenes:
        """What that side's hand does on the board before it throws."""
        if self._happens("checkers knocked over", KNOCKED):
            yield from self._knock(game.position, hand)
        if self._happens("checkers put back wrong", KNOCKED):
            game.position = yield from self._put_back_wrong(game.position, hand)
        if self._happens("positions talked over", TALKED_OVER):
            yield from self._talk_over(game.position, hand)

    def _think(self, side: Side, plays: tuple[Play, ...]) -> Scenes:
        """The side may make a play and take it back; who tries plays out may make another, and another."""
        tries = "plays tried out" in self.manners
        again = TRIED_OUT if tries else SECOND_THOUGHTS
        while (tries or self.errors != "none") and self.rng.random() < again:
            first = self.rng.choice(plays)
            yield from self._move(side, first.moves)
            yield from self.stage.pause(0.8, 1.6)
            yield from self._take_back(side, first.moves)
            yield from self.stage.withdraw(side)
            if not tries:
                break

    def _make(self, moves: tuple[Move, ...], owners: tuple[Side, ...]) -> Scenes:
        """The first of these sides makes its moves; what becomes of the dice, which are theirs, before the last."""
        side = owners[0]
        if "dice lifted at once" in self.manners:
            yield from self.stage.lift_dice(*owners)
        if moves and any(self.stage.dice[one] for one in owners) and self._happens("dice knocked over", TURNED):
            yield from self._move(side, moves[:1])
            self.stage.turn_die(owners)
            moves = moves[1:]
        if "dice lifted first" in self.manners and len(moves) > 1:
            yield from self._move(side, moves[:-1])
            yield from self.stage.lift_dice(*owners)
            moves = moves[-1:]
        yield from self._move(side, moves)

    def _changed(self, side: Side, plays: tuple[Play, ...], made: Play) -> Generator[Scene, None, Play]:
        """Another play in the place of the one that was made, if there is one."""
        others = [play for play in plays if play.result != made.result]
        if not others:
            return made
        yield from self.stage.pause(0.8, 1.5)
        yield from self._take_back(side, made.moves)
        other = self.rng.choice(others)
        yield from self._move(side, other.moves)
        return other

    def _last_changed(self, game: _Game, thrower: Side) -> Generator[Scene, None, bool]:
        """Whether the opponent asks to play his last turn otherwise, and does; whoever has thrown takes his dice up for it."""
        last = self.truth[-1] if self.truth else None
        if not isinstance(last, TurnPlayed) or last.game != game.number or last.play is None or last.side is thrower:
            return False
        plays = legal_plays(last.before, last.side, last.dice, self.rules)
        if len(plays) < 2 or any(play.result.off(last.side) == last.before.checkers for play in plays):
            return False
        yield from self.stage.pause(0.8, 1.6)
        yield from self.stage.lift_dice(thrower)
        played = yield from self._changed(last.side, plays, last.play)
        yield from self.stage.withdraw(last.side)
        self.truth[-1] = replace(last, play=played, after=played.result, seconds=self.stage.seconds)
        game.position = played.result
        yield from self.stage.pause(0.8, 1.5)
        return True

    def _talk_over(self, board: Position, side: Side) -> Scenes:
        """The side on roll shows what it might play, and the other one how it would answer; then all is put back."""
        made: list[tuple[Side, Play]] = []
        for one in (side, side.other)[: self.rng.choice((1, 2))]:
            dice = (self.rng.randint(1, 6), self.rng.randint(1, 6))
            play = self.rng.choice(legal_plays(board, one, dice, self.rules))
            yield from self._move(one, play.moves)
            yield from self.stage.pause(1.5, 4.0)
            made.append((one, play))
            board = play.result
        for one, play in reversed(made):
            yield from self._take_back(one, play.moves)
            yield from self.stage.withdraw(one)
        yield from self.stage.pause(0.8, 1.5)

    def _put_back_wrong(self, board: Position, hand: Side) -> Generator[Scene, None, Position]:
        """What stands after a hand has knocked a checker over and put it a point off; nobody sees it."""
        sides = [(side, point, to) for side in Side for point in _held(board, side) for to in (point - 1, point + 1)]
        free = [(side, point, to) for side, point, to in sides if _is_free(board, side, to)]
        side, point, to = self.rng.choice(free)
        yield from self.stage.carry(hand, side, point, to)
        yield from self.stage.withdraw(hand)
        yield from self.stage.pause(0.8, 1.5)
        return _one_moved(board, side, point, to)

    def _knock(self, board: Position, hand: Side) -> Scenes:
        """A hand moves checkers that lie beside each other, and puts them back."""
        first = self.rng.choice([row + column for row in (0, 12) for column in range(13 - KNOCKED_COLUMNS)])
        knocked: list[tuple[Side, int, int]] = []
        for side in Side:
            for point in _held(board, side):
                near = [to for to in (point - 1, point + 1, point + 2) if _is_free(board, side, to)]
                if near and 0 <= self.stage.seats.column(side, point) - first < KNOCKED_COLUMNS:
                    knocked.append((side, point, near[0]))
        knocked = knocked[:MOST_KNOCKED]
        yield from self.stage.knock(hand, first, knocked)
        yield from self.stage.pause(2.0, 4.0)
        for side, point, to in reversed(knocked):
            yield from self.stage.carry(hand, side, to, point)
        yield from self.stage.withdraw(hand)
        yield from self.stage.pause(0.8, 1.5)

    def _mend(self, game: _Game, side: Side, dice: Dice, blunder: Blunder, meant: Play) -> Scenes:
        """The play that is not legal is taken back, and what was meant is played."""
        begun = self.stage.seconds
        yield from self._notice()
        yield from self._take_back(side, blunder.moves)
        yield from self._move(side, meant.moves)
        yield from self.stage.withdraw(side)
        self.truth.append(ErrorMade(begun, game.number, "illegal-play", side, self.stage.seconds, dice, blunder.result))
        yield from self.stage.pause(1.0, 1.5)

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
            owned = game.cube.owner is not None
            game.result = game_result(game.position, side, game.cube.value, self.rules, owned=owned)

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
        yield from self._notice()
        yield from self.stage.lift_dice(side)
        self.truth.append(ErrorMade(begun, game.number, "premature-roll", side, self.stage.seconds, dice))
        yield from self.stage.pause(0.5, 1.0)

    def _move(self, side: Side, moves: tuple[Move, ...]) -> Scenes:
        """The side's hand makes the moves; a checker that goes on is often carried the whole way at once, and always where it need
        not stop on its way."""
        at, by_the_total = 0, self.rules.move.intermediate == "endpoint-only" or not self.rules.move.hit_on_touch
        while at < len(moves):
            source, move = moves[at].source, moves[at]
            while (
                at + 1 < len(moves)
                and not move.hit
                and moves[at + 1].source == move.target
                and (by_the_total or self.rng.random() < 0.6)
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

    def _resign(self, game: _Game, side: Side) -> Scenes:
        """The side on roll offers to give the game up where it is hopeless; the opponent accepts unless he hopes for more."""
        if not self.resigns or not players.gives_up(game.position, side):
            return
        level = 2 if game.refused else 1
        if may_resign(level, side, side, self.rules, rolled=False):
            return
        accepted = not self.rules.resign.may_refuse or players.accepts_surrender(game.position, side.other, level)
        game.refused = True
        yield from self.stage.pause(1.0, 2.0)
        self.truth.append(Resigned(self.stage.seconds, game.number, side, level, accepted))
        if accepted:
            owned = game.cube.owner is not None
            game.result = resigned_result(game.position, side, level, game.cube.value, self.rules, owned=owned)
        yield from self.stage.pause(1.0, 2.0)

    def _double(self, game: _Game, side: Side) -> Scenes:
        """The side offers the cube where it may and wants to; the opponent takes, beavers or passes."""
        if self.stage.cube is None or may_double(game.cube, side, TurnState(side), self.score, self.rules):
            return
        reckless = self.rules.cube.beavers > 0 and self.rng.random() < RECKLESS
        away = self.score.away(side)
        if not reckless and not players.wants_to_double(game.position, side, game.cube.value, away):
            return
        before = game.cube
        game.cube = double(before, side, TurnState(side), self.score, self.rules)
        value = game.cube.value * 2
        if "doubles by word" not in self.manners:
            if self._happens("offers taken back", OFFER_TAKEN_BACK):
                lay = self.stage.cube.at
                yield from self._put_cube(side, value, self.stage.offered_place(side))
                yield from self.stage.pause(1.0, 3.0)
                game.cube = before
                yield from self._put_cube(side, before.value, (lay[0], lay[1], lay[2] - self.stage.shape.cube / 2))
                yield from self.stage.pause(0.6, 1.2)
                return
            yield from self._put_cube(side, value, self.stage.offered_place(side))
        self.truth.append(Doubled(self.stage.seconds, game.number, side, value))
        yield from self.stage.pause(1.5, 3.5)
        wants_more = value * 4 <= HIGHEST_FACE and players.wants_to_beaver(game.position, side)
        if wants_more and not may_beaver(game.cube, side.other, self.rules):
            yield from self._beaver(game, side)
        elif players.takes(game.position, side):
            yield from self._take(game, side.other)
        else:
            self._pass(game, side.other)
            if "cube put back at once" in self.manners:
                yield from self._put_cube(side.other, 1, self.stage.shape.cube_centred())
                yield from self.stage.pause(1.0, 3.0)
        yield from self.stage.pause(0.6, 1.2)

    def _beaver(self, game: _Game, doubler: Side) -> Scenes:
        """The opponent takes and doubles again, keeping the cube; the doubler raccoons, takes or passes."""
        taker = doubler.other
        game.cube = beaver(game.cube, taker, self.rules)
        value = game.cube.value * 2
        yield from self._put_cube(taker, value, self.stage.owned_place(taker))
        self.truth.append(Beavered(self.stage.seconds, game.number, taker, value))
        yield from self.stage.pause(1.5, 2.5)
        if not may_raccoon(game.cube, doubler, self.rules) and self.rng.random() < 0.5:
            game.cube = raccoon(game.cube, doubler, self.rules)
            value *= 2
            yield from self._put_cube(doubler, value, self.stage.owned_place(taker))
            self.truth.append(Raccooned(self.stage.seconds, game.number, doubler, value))
            yield from self.stage.pause(1.0, 2.0)
            yield from self._take(game, taker)
        elif may_pass(game.cube, doubler, self.rules) or players.chance(game.position, doubler) > 0.25:
            yield from self._take(game, doubler)
        else:
            self._pass(game, doubler)

    def _take(self, game: _Game, taker: Side) -> Scenes:
        """The cube is taken, and goes to its owner where it does not lie there yet: a beavered one does."""
        holder = game.cube.owner if game.cube.offer != "double" else None
        game.cube = take(game.cube, taker, self.rules)
        owner = game.cube.owner
        assert owner is not None
        if owner is not holder and "cube left where offered" not in self.manners:
            yield from self._put_cube(taker, game.cube.value, self.stage.owned_place(owner))
        self.truth.append(Taken(self.stage.seconds, game.number, taker, game.cube.value))

    def _pass(self, game: _Game, passer: Side) -> None:
        self.truth.append(Passed(self.stage.seconds, game.number, passer))
        game.result = passed_result(passer, game.cube.value)


def _held(board: Position, side: Side) -> list[int]:
    """The side's points 1-24 that hold a checker."""
    return [point for point in range(1, 25) if board.own(side)[point - 1]]


def _is_free(board: Position, side: Side, point: int) -> bool:
    """The side's point 1-24 holds none of the opponent's checkers."""
    return 1 <= point <= 24 and not board.own(side.other)[24 - point]


def _one_moved(board: Position, side: Side, source: int, target: int) -> Position:
    """The position once a checker of the side is put from one of its points, which holds one, to another."""
    after = moved(board, side, (Move(source, target),))
    assert after is not None
    return after
