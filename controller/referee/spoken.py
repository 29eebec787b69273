"""Plays and positions as people say them: notation, moves, Position IDs and XGIDs, checked against the rules."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from controller.referee.command_context import in_words, refuse
from controller.referee.commands import HIGHEST_CUBE, CommandError
from controller.referee.correcting import made
from controller.referee.state import MatchState, ToPlay
from controller.rules import (
    AmbiguousPlayError,
    NotationError,
    Play,
    Position,
    RulesError,
    RuleSet,
    Side,
    judge,
    legal_plays,
    parse_play,
    parse_xgid,
    position_from_id,
    problems,
    read_play,
    reason,
    winner_of,
)
from controller.rules.codes import Code
from controller.rules.match import MatchScore, agreed_score


@dataclass(frozen=True)
class SpokenPlay:
    """A play as it was said, in one of three ways, or as the board shows it. stands: it may be illegal."""

    notation: str | None = None
    moves: tuple[tuple[int, int], ...] | None = None
    after: str | None = None
    stands: bool = False
    board: Position | None = None

    @property
    def in_words(self) -> bool:
        """A person said what was played, not only that the turn is over."""
        return self.notation is not None or self.moves is not None or self.after is not None


def spoken_play(spoken: SpokenPlay, turn: ToPlay, state: MatchState) -> tuple[Play | None, Position]:
    """The legal play meant (None: an illegal one that stands) and what stands after it. Raises CommandError."""
    play, after = _meant(spoken, turn, state.ruleset)
    if play is not None:
        return play, play.result
    verdict = judge(turn.before, turn.side, turn.dice, after, state.ruleset)
    if verdict.play is not None:
        return verdict.play, after
    if not spoken.stands:
        raise CommandError("That is no legal play.", in_words(verdict.reasons, state))
    return None, after


def _meant(spoken: SpokenPlay, turn: ToPlay, rules: RuleSet) -> tuple[Play | None, Position]:
    if spoken.notation is not None:
        return _written(spoken.notation, turn, rules, may_be_illegal=spoken.stands)
    if spoken.moves is not None:
        wanted = sorted(spoken.moves)
        for play in legal_plays(turn.before, turn.side, turn.dice, rules):
            if sorted((move.source, move.target) for move in play.moves) == wanted:
                return play, play.result
        return None, made(turn.before, turn.side, spoken.moves)
    if spoken.after is not None:
        return None, _position(spoken.after, turn.before.checkers)
    if spoken.board is not None:
        return None, spoken.board
    raise CommandError("Say what was played.")


def _written(text: str, turn: ToPlay, rules: RuleSet, *, may_be_illegal: bool) -> tuple[Play | None, Position]:
    if not text.strip():
        return None, turn.before
    try:
        play = parse_play(text, turn.before, turn.side, turn.dice, rules)
        return play, play.result
    except AmbiguousPlayError as error:
        raise CommandError(error.sentence) from error
    except RulesError as error:
        if not may_be_illegal:
            raise CommandError(error.sentence) from error
    try:
        moves = [step for way in read_play(text).paths for step in pairwise(way)]
    except RulesError as error:
        raise CommandError(error.sentence) from error
    return None, made(turn.before, turn.side, moves)


@dataclass(frozen=True)
class SpokenPosition:
    """What a person sets; None leaves it as it was."""

    position: Position
    turn: Side | None
    dice: tuple[int, int] | None = None
    cube: int | None = None
    owner: Side | None = None
    score: tuple[int, int] | None = None
    crawford: bool | None = None


def check_cube(value: int, owner: Side | None, state: MatchState, score: MatchScore | None = None) -> None:
    """Raises CommandError where no cube of this game can lie so. score: where it is said with the cube, else that of the match."""
    cube, score = state.ruleset.cube, score or state.score
    if not cube.enabled:
        refuse((reason(Code.NO_CUBE),), state)
    if value > 1 and score.crawford:
        refuse((reason(Code.DOUBLED_IN_CRAWFORD_GAME),), state)
    if value > 1 and score.length == 1:
        refuse((reason(Code.DEAD_CUBE, side=owner or state.turn or Side.LIGHT),), state)
    if state.own_cubes:
        raise CommandError("Every player of the team has a cube of his own: there is no other to be set.")
    if value & (value - 1):
        raise CommandError("A doubling cube can't show {value}: it shows 2, 4, 8 and so on.", value=value)
    limit = cube.max or HIGHEST_CUBE
    if value > limit:
        refuse((reason(Code.CUBE_LIMIT, limit=limit),), state)
    if value == 1 and owner:
        raise CommandError("A cube that was never turned lies in the middle: it has no owner.")


def spoken_position(position: str | None, xgid: str | None, turn: Side | None, state: MatchState) -> SpokenPosition:
    """The position of an ID or XGID, with what else the XGID says. Its score counts where its match has the same length, and
    with it whether this is the Crawford game.

    Raises CommandError where it is none, or where it can't stand on a board.
    """
    if (position is None) == (xgid is None):
        raise CommandError("Give a Position ID or an XGID.")
    if position is not None:
        found = SpokenPosition(_position(position, state.start.checkers), turn)
    else:
        found = _from_xgid(xgid or "", turn, state)
    wrong = problems(found.position, state.ruleset)
    if wrong:
        raise CommandError("", in_words(wrong, state))
    if winner_of(found.position):
        raise CommandError("In this position the game is over. Resign or set the score instead.")
    return found


def _from_xgid(text: str, turn: Side | None, state: MatchState) -> SpokenPosition:
    try:
        moment = parse_xgid(text, state.start.checkers)
    except RulesError as error:
        raise CommandError(error.sentence) from error
    if moment.action:
        raise CommandError(
            "In this XGID a double is offered. Give the moment before it, and then say that it is offered."
        )
    same = state.score.length > 0 and moment.length == state.score.length
    if (moment.cube, moment.cube_owner) != (1, None):
        score = agreed_score(state.score, moment.score, state.ruleset, crawford=moment.crawford) if same else None
        check_cube(moment.cube, moment.cube_owner, state, score)
    if same and max(moment.score) >= moment.length:
        raise CommandError("By this XGID the match is over. Set the score instead.")
    on_roll = turn or moment.on_roll
    dice = (max(moment.dice), min(moment.dice)) if moment.dice and on_roll is moment.on_roll else None
    return SpokenPosition(
        moment.position,
        on_roll,
        dice,
        moment.cube,
        moment.cube_owner,
        moment.score if same else None,
        moment.crawford if same else None,
    )


def _position(text: str, checkers: int) -> Position:
    try:
        return position_from_id(text.strip(), Side.LIGHT, checkers)
    except NotationError as error:
        raise CommandError(error.sentence) from error
