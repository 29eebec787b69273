"""Replays a record by the rules and names all in it that can't be: plays, turns, cube actions, results, scores."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import msgspec

from controller.record.board import checkers_of, follows_from_moves, marked_moves
from controller.record.draft import side_of
from controller.record.mat_writer import format_moves
from controller.record.model import (
    AnyAction,
    BeaverAction,
    DoubleAction,
    Game,
    PassAction,
    PlayAction,
    RaccoonAction,
    Record,
    RefusedAction,
    ResignAction,
    RollAction,
    Seat,
    SetAction,
    TakeAction,
)
from controller.record.replay import (
    Outcome,
    add_score,
    cube_value,
    is_crawford_score,
    is_owned,
    other_seat,
    outcome,
    rules_of,
    was_broken_off,
)
from controller.record.words import counted
from controller.rules import (
    LEVELS,
    Cube,
    MatchScore,
    Position,
    RulesError,
    RuleSet,
    Side,
    Verdict,
    automatic_double,
    decide_opening,
    judge,
    must_roll,
    position_from_id,
    resigned_result,
    winner_of,
)
from controller.rules.codes import Code

_OWN_WORDS = frozenset({Code.NOT_THE_ROLL, Code.WRONG_NUMBER_OF_CHECKERS, Code.OTHER_SIDE_MOVED})
"""Reasons that speak to players at a board, asking for a replay or a count; in a record they would only confuse."""


def check(record: Record, rules: RuleSet | None = None) -> Record:
    """The same record with every play's `legal` and `flags`, and every problem, as these rules see them.

    rules: None for the rule set that the record names, else the usual one.

    problems: what a reader could not understand stays first; then, game by game, what the replay found. Winner and
    points are filled in where the record is silent and the board is not. Nothing else is changed: an illegal play that
    stood still stands.
    """
    rules = rules_of(record.length, msgspec.structs.asdict(record), rules)
    problems, known = list(record.problems), frozenset(record.problems)
    games = []
    score: tuple[int, int] | None = None
    # A record that begins at such a score may begin after the Crawford game.
    crawford_played = any(
        is_crawford_score(record.length, game.score) and not game.crawford for game in record.games[:1]
    )
    for number, game in enumerate(record.games, start=1):
        replayed = _GameCheck(record, game, number, rules)
        checked = replayed.run()
        frame = _Frame(record, game, number, rules, replayed.board)
        found = [
            *frame.score_problems(score, crawford_played=crawford_played),
            *replayed.problems,
            *frame.result_problems(replayed.end()),
        ]
        problems += [problem for problem in found if problem not in known]
        games.append(checked)
        then = record.games[number].score if number < len(record.games) else None
        crawford_played = crawford_played or (game.crawford and not was_broken_off(checked, then))
        score = add_score(game.score, checked) if checked.winner is not None else None
    return msgspec.structs.replace(record, games=tuple(games), problems=tuple(problems))


@dataclass(frozen=True)
class _Frame:
    """What stands around a game's plays: the score before it and the result after. last: the board at its end."""

    record: Record
    game: Game
    number: int
    rules: RuleSet
    last: Position

    def _at(self) -> str:
        return f"line {self.game.line}: game {self.number}" if self.game.line is not None else f"game {self.number}"

    def score_problems(self, expected: tuple[int, int] | None, *, crawford_played: bool) -> Iterator[str]:
        score, length = self.game.score, self.record.length
        if expected is not None and score != expected:
            yield f"{self._at()}: the score says {_score(score)}, the game before gives {_score(expected)}."
        if length and max(score) >= length:
            yield f"{self._at()}: the match was already won at {_score(score)}."
            return
        if 0 < self.rules.match.games < self.number:
            yield f"{self._at()}: the match was over after {counted(self.rules.match.games, 'game')}."
        due = self.rules.cube.crawford and not crawford_played and is_crawford_score(length, score)
        if due and not self.game.crawford:
            yield f"{self._at()}: this must be the Crawford game."
        elif self.game.crawford and not due:
            yield f"{self._at()}: this can't be the Crawford game at {_score(score)}."

    def result_problems(self, end: Outcome) -> Iterator[str]:
        game = self.game
        if game.winner is None and end.winner is None:
            yield f"{self._at()} is not finished."
            return
        if not any(isinstance(action, PlayAction) for action in game.actions):
            yield f"{self._at()} has no play in it."
        if end.winner is None:
            yield f"{self._at()} has a winner, but nobody bore off, passed or resigned."
            return
        if game.winner is not None and end.winner != game.winner:
            yield f"{self._at()}: {self._name(end.winner)} won it, not {self._name(game.winner)}."
            return
        yield from self._points_problems(end)

    def _points_problems(self, end: Outcome) -> Iterator[str]:
        """Points capped to what the match needed are how some servers write, and no mistake."""
        game = self.game
        claimed = game.points if game.announced_points is None else game.announced_points
        if claimed is None:
            yield f"{self._at()}: the points won are missing."
            return
        needed = self.record.length - game.score[end.winner or 0]
        cube = cube_value(game.cube, game.actions)
        if end.how == "resign":
            worth = game.points if game.points is not None else claimed
            if claimed <= 0 or worth not in self._resignable(end, cube):
                yield f"{self._at()}: {counted(claimed, 'point')} can't be won by a resignation with the cube at {cube}."
                return
        if end.points is not None and claimed != end.points and not claimed == needed < end.points:
            yield f"{self._at()}: it was worth {counted(end.points, 'point')}, the record says {claimed}."

    def _resignable(self, end: Outcome, cube: int) -> set[int]:
        """What a resignation can be worth, of its level where it names one."""
        assert end.winner is not None
        named = next((action.level for action in self.game.actions if isinstance(action, ResignAction)), None)
        loser = side_of(self.record.players, other_seat(end.winner))
        owned = is_owned(self.game.actions, self.game.owner)
        return {
            resigned_result(self.last, loser, level, cube, self.rules, owned=owned).points
            for level in ((named,) if named else LEVELS)
        }

    def _name(self, seat: Seat) -> str:
        return player_name(self.record, seat)


@dataclass
class _GameCheck:
    """One game, action by action. last: who had the last turn; pending: an offer that waits for its answer."""

    record: Record
    game: Game
    number: int
    rules: RuleSet
    problems: list[str] = field(default_factory=list)
    board: Position = field(init=False)
    last: Seat | None = None
    pending: DoubleAction | BeaverAction | RaccoonAction | None = None
    cube: int = field(init=False)
    owner: Seat | None = None
    beavers: int = 0
    over: str = ""
    in_the_middle: bool = False

    def __post_init__(self) -> None:
        self.cube, self.owner, self.in_the_middle = self.game.cube, self.game.owner, bool(self.game.start)
        self.board = Position.start(self.record.variation)
        if self.game.start:
            self.board = self._position(self.game.start, 0) or self.board

    def run(self) -> Game:
        actions = tuple(self._check(index, action) for index, action in enumerate(self.game.actions, start=1))
        end = outcome(self.record.players, actions, self.board, self.game.cube, self.rules, self.game.owner)
        winner = end.winner if self.game.winner is None else self.game.winner
        points = end.points if self.game.points is None else self.game.points
        return msgspec.structs.replace(self.game, actions=actions, winner=winner, points=points)

    def end(self) -> Outcome:
        """How the game ended by its actions and its last board."""
        return outcome(self.record.players, self.game.actions, self.board, self.game.cube, self.rules, self.game.owner)

    def _check(self, index: int, action: AnyAction) -> AnyAction:
        line = f"line {action.line}: " if action.line is not None else ""
        self._where = f"{line}game {self.number}, {'' if line else f'action {index}, '}{self._name(action.player)}"
        if self.over and not isinstance(action, ResignAction):
            self._add_problem(f"plays on although the game was over ({self.over})")
        if isinstance(action, PlayAction | RollAction):
            self._check_turn(action)
            return self._check_play(action) if isinstance(action, PlayAction) else action
        if isinstance(action, DoubleAction):
            self._check_double(action)
        elif isinstance(action, BeaverAction | RaccoonAction):
            self._check_answer(action)
            self._check_value(action)
            self.beavers += isinstance(action, BeaverAction)
            self.pending, self.cube = action, action.value
        elif isinstance(action, TakeAction):
            self._check_answer(action)
            if isinstance(self.pending, RaccoonAction) and self.rules.cube.raccoon_owner == "doubler":
                self.owner = self.pending.player
            elif isinstance(self.pending, DoubleAction | RaccoonAction):
                self.owner = action.player
            elif self.pending is not None:
                self.owner = self.pending.player
            self.pending = None
        elif isinstance(action, PassAction):
            self._check_answer(action)
            self.pending, self.over = None, "a double was passed"
        elif isinstance(action, SetAction):
            self._check_set(action)
        elif isinstance(action, RefusedAction):
            if not self.rules.resign.may_refuse:
                self._add_problem("offered to give the game up, which these rules don't let the opponent refuse")
        else:
            self.over = "it was resigned"
        return action

    def _add_problem(self, text: str) -> None:
        self.problems.append(f"{self._where} {text}.")

    def _name(self, seat: Seat) -> str:
        return player_name(self.record, seat)

    def _check_turn(self, action: PlayAction | RollAction) -> None:
        if self.pending is not None:
            self._add_problem(f"rolls although the offer of {self.pending.value} was not answered")
            self.pending = None
        if self._misses_a_turn(action.player):
            self._add_problem(f"has two turns in a row; a turn of {self._name(other_seat(action.player))} is missing")
        drawn = self.rules.start.opening_dice == "draw"
        if self.last is None and drawn and not self.in_the_middle and action.dice[0] == action.dice[1]:
            self._add_problem(
                f"begins with {action.dice[0]}{action.dice[1]}, but an opening roll has two different dice"
            )
        if self.last is None and self.game.draws and not self.in_the_middle:
            self._check_starter(action)
        self.last = action.player

    def _misses_a_turn(self, player: Seat) -> bool:
        """Whether the other should have had one before that player acts; whoever is closed out has none."""
        other = side_of(self.record.players, other_seat(player))
        return self.last == player and must_roll(self.board, other, self.rules)

    def _check_starter(self, action: PlayAction | RollAction) -> None:
        """The draws say who begins, with which dice, and what the cube shows in the middle."""
        sides = [side_of(self.record.players, seat) for seat in (0, 1)]
        score = MatchScore(self.record.length, *self.game.score, crawford=self.game.crawford)
        cube, starter, dice = Cube(), None, None
        for draw in self.game.draws:
            light, dark = draw if sides[0] is Side.LIGHT else draw[::-1]
            try:
                opening = decide_opening(light, dark, self.rules)
            except RulesError:
                return self._add_problem("begins after a draw, but by these rules the players agree who begins")
            cube = automatic_double(cube, self.rules, score) if light == dark else cube
            starter, dice = opening.starter, opening.dice
        if starter is not None and starter is not side_of(self.record.players, action.player):
            self._add_problem(f"begins, but by the draw {self._name(other_seat(action.player))} does")
        if dice is not None and sorted(dice) != sorted(action.dice):
            self._add_problem(f"begins with {action.dice[0]}{action.dice[1]}, but drew {dice[0]}{dice[1]}")
        if cube.value != self.game.cube:
            self._add_problem(f"begins with the cube at {self.game.cube}, which the draw has brought to {cube.value}")
        return None

    def _check_play(self, play: PlayAction) -> PlayAction:
        mover = side_of(self.record.players, play.player)
        before, after = self._position(play.before, play.player), self._position(play.after, play.player)
        if before is None or after is None:
            self._add_problem("has a play whose positions can't be read")
            return msgspec.structs.replace(play, legal=False)
        if before != self.board:
            self._add_problem(
                f"has a play that begins from another board than the one before it; {play.before} is recorded"
            )
        self.board = after
        verdict = judge(before, mover, play.dice, after, self.rules)
        follows = follows_from_moves(self.record, play)
        if not verdict.legal:
            self._add_problem(self._illegal(play, verdict, follows=follows))
        elif not follows:
            self._add_problem("has a play whose moves don't lead to the position recorded after it")
        if winner_of(after) is not None:
            self.over = "all checkers were off"
        flags = () if verdict.legal else tuple(reason.code for reason in verdict.reasons)
        return msgspec.structs.replace(
            play,
            legal=verdict.legal,
            flags=tuple(dict.fromkeys((*play.flags, *flags))),
        )

    def _illegal(self, play: PlayAction, verdict: Verdict, *, follows: bool) -> str:
        roll = f"{play.dice[0]}{play.dice[1]}"
        if play.moves and play.before == play.after:
            return f"can't have played {format_moves(marked_moves(self.record, play))} with {roll} on this board"
        if not follows:
            return f"left the board as {play.after} with {roll}, which no legal play gives"
        names = {side_of(self.record.players, seat): self._name(seat) for seat in (0, 1)}
        reasons = " ".join(r.text(names=names) for r in verdict.reasons if r.code not in _OWN_WORDS).rstrip(".")
        reasons = reasons or _undiced(play)
        moves = format_moves(marked_moves(self.record, play)) or "nothing"
        return f"played {moves} with {roll}, which is not legal{': ' + reasons if reasons else ''}"

    def _check_double(self, action: DoubleAction) -> None:
        if self.pending is not None:
            self._add_problem(f"doubles although the offer of {self.pending.value} was not answered")
        if self.last is None and not self.in_the_middle:
            self._add_problem("doubles before the first roll of the game")
        elif self._misses_a_turn(action.player):
            self._add_problem(
                f"doubles after the own turn; a turn of {self._name(other_seat(action.player))} is missing"
            )
        if self.game.crawford:
            self._add_problem("doubles in the Crawford game")
        if not self.rules.cube.enabled:
            self._add_problem("doubles, but these rules know no cube")
        elif self.record.length == 1:
            self._add_problem("doubles in a match to one point, which knows no cube")
        elif self.rules.cube.dead == "refused" and 0 < self.record.length <= self.game.score[action.player] + self.cube:
            self._add_problem("doubles with a dead cube, which these rules don't allow")
        if self.owner is not None and self.owner != action.player:
            self._add_problem("doubles without owning the cube")
        self._check_value(action)
        self.pending, self.cube = action, action.value
        # The doubler is still to roll: his turn is the next one.
        self.last = other_seat(action.player)

    def _check_value(self, action: DoubleAction | BeaverAction | RaccoonAction) -> None:
        """Every offer doubles what the cube shows, which is the value of an offer that is answered by doubling it once more."""
        word = {DoubleAction: "doubles", BeaverAction: "beavers", RaccoonAction: "raccoons"}[type(action)]
        if action.value != 2 * self.cube:
            self._add_problem(f"{word} to {action.value} with the cube at {self.cube}")
        if self.rules.cube.max and action.value > self.rules.cube.max:
            self._add_problem(f"{word} to {action.value}; the cube ends at {self.rules.cube.max}")

    def _check_set(self, action: SetAction) -> None:
        """Whatever a person set holds from then on, or what was seen after a gap; what no play explains is named."""
        if action.gap is not None:
            self._add_gap(action)
            return
        if action.position:
            found = self._position(action.position, action.player)
            if found is None:
                self._add_problem("is on roll in a position that can't be read")
            elif found != self.board:
                self._add_problem(f"is on roll where the board was set by hand to {action.position}")
                self.board = found
        if action.cube is not None:
            if (action.cube, action.owner) != (self.cube, self.owner):
                self._add_problem(f"is on roll where the cube was set by hand to {action.cube}")
            # An offer ends with the cube that is set; on another board it still waits for its answer.
            self.cube, self.owner, self.pending = action.cube, action.owner, None
        self.last = other_seat(action.player)

    def _add_gap(self, action: SetAction) -> None:
        self._add_problem(f"goes on after a gap of {action.gap:.0f} s in which nobody saw what was played")
        self.board = self._position(action.position, action.player) or self.board
        if action.cube is not None:
            self.cube, self.owner = action.cube, action.owner
        self.pending, self.last, self.in_the_middle = None, None, True

    def _check_answer(self, action: TakeAction | PassAction | BeaverAction | RaccoonAction) -> None:
        word = {TakeAction: "takes", PassAction: "passes", BeaverAction: "beavers", RaccoonAction: "raccoons"}[
            type(action)
        ]
        if self.pending is None:
            self._add_problem(f"{word} where no double was offered")
        elif self.pending.player == action.player:
            self._add_problem(f"{word} the own offer")
        elif isinstance(action, BeaverAction) and not (
            isinstance(self.pending, DoubleAction) and self.beavers < self.rules.cube.beavers
        ):
            self._add_problem("beavers, which these rules don't allow here")
        elif (
            isinstance(action, PassAction)
            and isinstance(self.pending, BeaverAction)
            and not self.rules.cube.doubler_may_refuse
        ):
            self._add_problem("passes a beaver, which these rules don't allow")
        elif isinstance(action, RaccoonAction) and not (
            isinstance(self.pending, BeaverAction) and self.rules.cube.raccoon
        ):
            self._add_problem("raccoons, which these rules don't allow here")

    def _position(self, text: str, seat: Seat) -> Position | None:
        try:
            return position_from_id(text, side_of(self.record.players, seat), checkers_of(self.record.variation))
        except RulesError:
            return None


def _undiced(play: PlayAction) -> str:
    """Which move no die was left for, in words; empty where each had one."""
    left = list(play.dice) * (2 if play.dice[0] == play.dice[1] else 1)
    for source, target in play.moves:
        length = source - target
        fitting = [die for die in left if die == length or (target == 0 and die > length)]
        if not fitting:
            return f"no die was left for {format_moves([(source, target, False)])}"
        left.remove(min(fitting))
    return ""


def player_name(record: Record, seat: Seat) -> str:
    """A player's name on one line, or the column where there is none; in a chouette, who plays changes from game to game."""
    if record.chouette is not None:
        return ("the box", "the team")[seat]
    return " ".join(record.players[seat].name.split())[:60] or ("the left player", "the right player")[seat]


def _score(score: tuple[int, int]) -> str:
    return f"{score[0]}-{score[1]}"
