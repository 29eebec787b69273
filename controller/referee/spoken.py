"""Plays and positions as people say them: notation, moves, Position IDs and XGIDs, checked against the rules."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from controller.referee.commands import CommandError
from controller.referee.correcting import made
from controller.referee.state import MatchState
from controller.rules import (
    AmbiguousPlayError,
    NotationError,
    Play,
    Position,
    RulesError,
    Side,
    judge,
    legal_plays,
    parse_play,
    parse_xgid,
    position_from_id,
    problems,
    read_play,
    winner_of,
)


@dataclass(frozen=True)
class Spoken:
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


def spoken_play(
    said: Spoken, before: Position, side: Side, dice: tuple[int, int], state: MatchState
) -> tuple[Play | None, Position]:
    """The legal play meant (None: an illegal one that stands) and what stands after it. Raises CommandError."""
    play, after = _meant(said, before, side, dice, state)
    if play is not None:
        return play, play.result
    verdict = judge(before, side, dice, after, state.ruleset)
    if verdict.play is not None:
        return verdict.play, after
    if not said.stands:
        why = " ".join(one.text(names={one: state.name(one) for one in Side}) for one in verdict.reasons)
        raise CommandError(f"That is no legal play. {why}")
    return None, after


def _meant(
    said: Spoken, before: Position, side: Side, dice: tuple[int, int], state: MatchState
) -> tuple[Play | None, Position]:
    if said.notation is not None:
        return _written(said.notation, said.stands, before, side, dice, state)
    if said.moves is not None:
        wanted = sorted(said.moves)
        for play in legal_plays(before, side, dice, state.ruleset):
            if sorted((move.source, move.target) for move in play.moves) == wanted:
                return play, play.result
        return None, made(before, side, said.moves)
    if said.after is not None:
        return None, _position(said.after, before.checkers)
    if said.board is not None:
        return None, said.board
    raise CommandError("Say what was played.")


def _written(
    text: str, stands: bool, before: Position, side: Side, dice: tuple[int, int], state: MatchState
) -> tuple[Play | None, Position]:
    if not text.strip():
        return None, before
    try:
        play = parse_play(text, before, side, dice, state.ruleset)
        return play, play.result
    except AmbiguousPlayError as error:
        raise CommandError(str(error)) from error
    except RulesError as error:
        if not stands:
            raise CommandError(str(error)) from error
    try:
        moves = [step for way in read_play(text).ways for step in pairwise(way)]
    except RulesError as error:
        raise CommandError(str(error)) from error
    return None, made(before, side, moves)


@dataclass(frozen=True)
class PositionSaid:
    """What a person sets; None leaves it as it was."""

    position: Position
    turn: Side | None
    dice: tuple[int, int] | None = None
    cube: int | None = None
    owner: Side | None = None
    score: tuple[int, int] | None = None


def position_said(position: str | None, xgid: str | None, turn: Side | None, state: MatchState) -> PositionSaid:
    """The position of an ID or XGID, with what else the XGID says. Its score counts where its match has the same length.

    Raises CommandError where it is none, or where it can't stand on a board.
    """
    if (position is None) == (xgid is None):
        raise CommandError("Give a Position ID or an XGID.")
    if position is not None:
        found = PositionSaid(_position(position, state.start.checkers), turn)
    else:
        found = _from_xgid(xgid or "", turn, state)
    wrong = problems(found.position, state.ruleset)
    if wrong:
        raise CommandError(" ".join(one.text(names={one: state.name(one) for one in Side}) for one in wrong))
    if winner_of(found.position):
        raise CommandError("In this position the game is over. Resign or set the score instead.")
    return found


def _from_xgid(text: str, turn: Side | None, state: MatchState) -> PositionSaid:
    try:
        moment = parse_xgid(text, state.start.checkers)
    except RulesError as error:
        raise CommandError(str(error)) from error
    if moment.action:
        raise CommandError(
            "In this XGID a double is offered. Give the moment before it, and then say that it is offered."
        )
    same = state.score.length and moment.length == state.score.length and min(moment.score) < moment.length
    score = moment.score if same else None
    on_roll = turn or moment.on_roll
    dice = moment.dice if on_roll is moment.on_roll else None
    return PositionSaid(moment.position, on_roll, dice, moment.cube, moment.cube_owner, score)


def _position(text: str, checkers: int) -> Position:
    try:
        return position_from_id(text.strip(), Side.LIGHT, checkers)
    except NotationError as error:
        raise CommandError(str(error)) from error
