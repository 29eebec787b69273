"""Illegal plays that a person might make: a wrong count, a die left out, a held point, the bar forgotten."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from controller.rules import BAR, Move, Play, Position, Side


@dataclass(frozen=True)
class Blunder:
    """moves that are made on the board, and the position that they leave."""

    moves: tuple[Move, ...]
    result: Position


def can_stand(board: Position) -> bool:
    """Whether a game can go on from that board: no point holds checkers of both sides."""
    light, dark = board.own(Side.LIGHT), board.own(Side.DARK)
    return not any(light[point - 1] and dark[24 - point] for point in range(1, 25))


def moved(position: Position, side: Side, moves: tuple[Move, ...]) -> Position | None:
    """The position after moves in the mover's numbers, whatever the rules say; None where a source is empty."""
    own, other = list(position.own(side)), list(position.own(side.other))
    for move in moves:
        if own[move.source - 1] == 0:
            return None
        own[move.source - 1] -= 1
        if move.target:
            own[move.target - 1] += 1
        if move.hit:
            other[24 - move.target] -= 1
            other[24] += 1
    light, dark = (own, other) if side is Side.LIGHT else (other, own)
    return Position(tuple(light), tuple(dark), position.checkers)


def illegal_play(
    position: Position, side: Side, dice: tuple[int, int], plays: tuple[Play, ...], meant: Play, rng: Random
) -> Blunder | None:
    """A play that looks like one but is not among the legal plays; None where nothing fits."""
    legal = {play.result for play in plays}
    kinds = [
        _wrong_counts(position, side, meant),
        [meant.moves[:-1]] if len(meant.moves) > 1 else [],
        _onto_held(position, side, dice, meant),
        _past_the_bar(position, side, dice),
        _off_too_early(position, side, dice, meant),
        _hit_left_lying(meant),
    ]
    rng.shuffle(kinds)
    for candidates in kinds:
        rng.shuffle(candidates)
        for moves in candidates:
            result = moved(position, side, moves)
            if result is not None and result not in legal and result != position:
                return Blunder(moves, result)
    return None


def _step(position: Position, side: Side, source: int, target: int) -> Move:
    return Move(source, target, position.own(side.other)[24 - target] == 1)


def _wrong_counts(position: Position, side: Side, meant: Play) -> list[tuple[Move, ...]]:
    """The meant play, its last move a pip or two too short or too long."""
    if not meant.moves:
        return []
    *rest, last = meant.moves
    before = moved(position, side, tuple(rest))
    if before is None:
        return []
    targets = [
        t for t in range(last.target - 2, last.target + 3) if 1 <= t <= 24 and t not in (last.target, last.source)
    ]
    found = [t for t in targets if t < last.source and before.own(side.other)[24 - t] < 2]
    return [(*rest, _step(before, side, last.source, t)) for t in found]


def _onto_held(position: Position, side: Side, dice: tuple[int, int], meant: Play) -> list[tuple[Move, ...]]:
    """The meant play, its last move to a point that the opponent holds."""
    if not meant.moves:
        return []
    rest = meant.moves[:-1]
    before = moved(position, side, rest)
    if before is None or before.own(side)[24]:
        return []
    return [
        (*rest, Move(source, source - die))
        for source in range(1, 25)
        for die in set(dice)
        if before.own(side)[source - 1] and source > die and before.own(side.other)[24 - source + die] >= 2
    ]


def _past_the_bar(position: Position, side: Side, dice: tuple[int, int]) -> list[tuple[Move, ...]]:
    """Another checker moved while one waits on the bar."""
    if not position.own(side)[BAR - 1]:
        return []
    return [
        (_step(position, side, source, source - die),)
        for source in range(1, 25)
        for die in set(dice)
        if position.own(side)[source - 1] and source > die and position.own(side.other)[24 - source + die] < 2
    ]


def _off_too_early(position: Position, side: Side, dice: tuple[int, int], meant: Play) -> list[tuple[Move, ...]]:
    """The meant play, its last move a checker borne off while others are still outside the home board."""
    if not meant.moves or not any(position.own(side)[9:]):
        return []
    rest = meant.moves[:-1]
    return [(*rest, Move(point, 0)) for point in set(dice) if position.own(side)[point - 1] >= 2]


def _hit_left_lying(meant: Play) -> list[tuple[Move, ...]]:
    """The meant play, a blot that it hits left where it was."""
    return [
        (*meant.moves[:i], move._replace(hit=False), *meant.moves[i + 1 :])
        for i, move in enumerate(meant.moves)
        if move.hit
    ]
