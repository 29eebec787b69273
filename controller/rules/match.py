"""The score of a match or a money session, and the Crawford rule."""

from __future__ import annotations

from dataclasses import dataclass, replace

from controller.rules.errors import RulesError
from controller.rules.ruleset import MATCH, RuleSet
from controller.rules.side import Side
from vision.sentence import Sentence


@dataclass(frozen=True)
class MatchScore:
    """Before a game. length: points that win the match, 0 for a session without end; games: after so many it is over instead, 0 for
    none. game: its number, from 1.

    crawford: this is the Crawford game; crawford_done: it has been played. Points are not cut off at the length.
    Raises RulesError for negative numbers.
    """

    length: int = 0
    light: int = 0
    dark: int = 0
    game: int = 1
    crawford: bool = False
    crawford_done: bool = False
    games: int = 0

    def __post_init__(self) -> None:
        if min(self.length, self.light, self.dark) < 0 or self.game < 1:
            raise RulesError("A match needs a length and points of at least 0, and games are counted from 1.")

    def points(self, side: Side) -> int:
        """Points won so far."""
        return self.light if side is Side.LIGHT else self.dark

    def away(self, side: Side) -> int | None:
        """Points that a side still needs; None in a money session."""
        return max(self.length - self.points(side), 0) if self.length else None

    @property
    def winner(self) -> Side | None:
        """Who has won the match; None while it goes on, always in a session without end, and after a draw."""
        for side in Side:
            if self.length and self.points(side) >= self.length:
                return side
        if self.over and self.light != self.dark:
            return Side.LIGHT if self.light > self.dark else Side.DARK
        return None

    @property
    def over(self) -> bool:
        """No game follows any more."""
        return 0 < self.games < self.game or 0 < self.length <= max(self.light, self.dark)


def after_game(score: MatchScore, winner: Side, points: int, rules: RuleSet = MATCH) -> MatchScore:
    """The score before the next game. Raises RulesError for negative points, or where the match is already won."""
    if points < 0:
        raise RulesError("A game cannot be won by fewer than 0 points.")
    if score.over:
        raise RulesError("The match is over: no more games count.")
    light = score.light + (points if winner is Side.LIGHT else 0)
    dark = score.dark + (points if winner is Side.DARK else 0)
    counted = replace(score, light=light, dark=dark, game=score.game + 1)
    done = score.crawford_done or score.crawford
    return replace(counted, crawford_done=done, crawford=not done and is_crawford(counted, rules))


def agreed_score(
    score: MatchScore, points: tuple[int, int], rules: RuleSet = MATCH, *, crawford: bool | None = None
) -> MatchScore:
    """The score of the game that is on, light and dark having so many points after all. crawford: whether it is the Crawford
    game; None where nobody says: then it is, unless one was played, at the first score at which it can be.
    """
    light, dark = points
    set_so = replace(score, light=light, dark=dark, crawford=False)
    # The points of a match only grow: where nobody has all but one of them, no Crawford game was one.
    may_be_done = max(points) >= score.length - 1
    done = may_be_done and (score.crawford_done if crawford is None else not crawford)
    return replace(set_so, crawford_done=done, crawford=not done and is_crawford(set_so, rules))


def after_abandoned_game(score: MatchScore) -> MatchScore:
    """A game given up by agreement: it counts for nobody, and a Crawford game is still to be played."""
    return replace(score, game=score.game + 1)


USUAL_LENGTH = 7
"""Points of a match whose length nobody has said."""


def agreed_length(rules: RuleSet, stated: int | None = None) -> int:
    """Points that win a match by these rules, 0 where it does not go by points. stated: what the players say, None for nothing.

    A money session has no end, and games scored by checkers or counted by their number have one at another place. Raises
    RulesError where what is said contradicts the rules.
    """
    endless = rules.session.kind == "money"
    if stated and endless:
        raise RulesError(
            "By the rules {name} money is played for, game by game without end: leave the length out, or choose a rule "
            'set for matches, or session.kind = "match".',
            name=_called(rules),
        )
    if stated and rules.match.games:
        raise RulesError(
            "Either {points} points end the match or {games} games do: leave the length or match.games out.",
            points=stated,
            games=rules.match.games,
        )
    if stated is not None:
        return stated
    by_points = rules.scoring.method == "win-levels" and not rules.match.games
    return USUAL_LENGTH if by_points and not endless else 0


def _called(rules: RuleSet) -> str:
    """The name of a rule set as it stands in a sentence."""
    preset, _, changed = rules.name.partition(" ")
    return Sentence("{preset} with changes", preset=repr(preset)) if changed else repr(preset)


def is_crawford(score: MatchScore, rules: RuleSet = MATCH) -> bool:
    """A player has just come to one point short of the match, so the next game is played without doubling.

    A match to one point has no Crawford game: nobody came to that score by winning. Where both are one point short, it was
    played when the first of them was.
    """
    if not rules.cube.crawford or score.length < 2 or score.winner or score.light == score.dark:
        return False
    return score.length - 1 in (score.light, score.dark)
