"""How likely the boards are, before anything is seen, that hands leave and rules do not."""

from __future__ import annotations

from math import inf, log

from controller.rules import BAR_INDEX, HOME, Position, Side
from controller.tracking import parameters
from controller.tracking.dice import MOST_MOVES, Roll, moves_of
from controller.tracking.orientation import POINTS
from controller.tracking.setting import Setting


def log_prior_of_board(setting: Setting, before: Position, side: Side, roll: Roll, board: Position) -> float:
    """Log-probability of a board that no play of the roll leads to, given that such a one stands.

    The more legal plays there are, the more ways to err and to be half-way: each way gets one share. The usual slips get a
    whole one, others as much as they are not odd.
    """
    ways = max(len(setting.plays(before, side, roll)), parameters.FEWEST_WAYS)
    return -log(ways) + (
        0.0 if board in setting.slips(before, side, roll).every else _log_illegal_prior(before, side, roll, board)
    )


def _log_illegal_prior(before: Position, side: Side, roll: Roll, board: Position) -> float:
    """What hardly anybody does, beside what players do: log-probability, at most 0."""
    odd = sum((_of_opponent(before, side, board), board.own(side)[BAR_INDEX] > before.own(side)[BAR_INDEX]))
    odd += sum(_went_back(before.own(one), board.own(one)) for one in Side)
    borne_off = board.off(side) - before.off(side)
    outside = sum(before.own(side)[HOME:])
    may = 0 if outside else moves_of(roll)
    gone = max(borne_off - may, 0) + board.off(side.other) - before.off(side.other)
    odd += gone > 0 and outside > HOME  # nobody thinks of bearing off yet
    odd += max(moved(before.own(side), board.own(side)) - moves_of(roll), 0)
    # Whoever may bear off puts none back: what lies outside then was borne off to there.
    back = not outside and (_went_back(before.own(side), board.own(side)) or board.own(side)[BAR_INDEX] > 0)
    against_sense = log(parameters.AGAINST_SENSE) if back else 0.0
    return odd * log(parameters.RARE) + gone * log(parameters.UNUSUAL) + against_sense


def _of_opponent(before: Position, side: Side, board: Position) -> int:
    """How odd it is what has become of the opponent's checkers: twice, and once more for each beyond those of one turn of his."""
    was, now = before.own(side.other), board.own(side.other)
    too_many = max(moved(was[:POINTS], now[:POINTS]) - 2, 0)
    return 2 * opponent_moved(before, side, board) + too_many


def moved(before: tuple[int, ...], after: tuple[int, ...]) -> int:
    """How many of a side's checkers lie where they did not, at the places that are given."""
    return sum(max(now - was, 0) for was, now in zip(before, after, strict=True))


def _went_back(before: tuple[int, ...], after: tuple[int, ...]) -> bool:
    """Whether any of a side's checkers must have moved away from its home."""
    return any(sum(after[place:POINTS]) > sum(before[place:]) for place in range(POINTS))


def opponent_moved(before: Position, side: Side, board: Position) -> bool:
    """Whether the opponent's checkers were moved otherwise than by being hit where a checker of `side` stands now: twice odd, since
    a turn of his that nobody saw leaves such a board."""
    own, hits = board.own(side), hits_alone(before.own(side.other), board.own(side.other))
    return hits is None or not all(own[BAR_INDEX - 1 - point] for point in hits)


def log_prior_of_knock(before: Position, board: Position) -> float:
    """Log-probability of that board, given that a hand has knocked one checker of either side over to the next point; all such are
    alike. -inf where it is none of them."""
    for side in Side:
        if board.own(side.other) == before.own(side.other):
            changed = [point for point in range(POINTS + 1) if board.own(side)[point] != before.own(side)[point]]
            if len(changed) == 2 and changed[1] - changed[0] == 1 and moved(before.own(side), board.own(side)) == 1:
                gone = changed if board.own(side)[changed[0]] < before.own(side)[changed[0]] else changed[::-1]
                return -log(_ways_to_knock(before)) if _may_go(before, side, gone[0], gone[1]) else -inf
    return -inf


def _ways_to_knock(board: Position) -> int:
    """In how many ways a checker of either side may come to lie on a point beside its own."""
    places = [(side, point) for side in Side for point in range(POINTS + 1)]  # the bar is one
    return sum(_may_go(board, side, point, to) for side, point in places for to in (point - 1, point + 1))


def _may_go(board: Position, side: Side, point: int, to: int) -> bool:
    """Whether a checker of that side lies on that point of its own counts, and the other one holds none of the opponent's."""
    return 0 <= to < POINTS and board.own(side)[point] > 0 and not board.own(side.other)[POINTS - 1 - to]


def is_near(before: Position, board: Position) -> bool:
    """Whether something has moved, and no more than in a turn: at most so many checkers of each side lie elsewhere or are gone."""
    checkers = [max(moved(before.own(one), board.own(one)), board.off(one) - before.off(one)) for one in Side]
    return 0 < max(checkers) <= MOST_MOVES


def hits_alone(was: tuple[int, ...], now: tuple[int, ...]) -> list[int] | None:
    """The points, in a side's own counts, where its checkers were hit; None where more than that has become of them."""
    hits = [point for point in range(POINTS) if (was[point], now[point]) == (1, 0)]
    stayed = all(was[point] == now[point] for point in range(POINTS) if point not in hits)
    return hits if stayed and now[BAR_INDEX] == was[BAR_INDEX] + len(hits) else None


def is_played_otherwise(before: Position, side: Side, board: Position) -> bool:
    """Whether that side's turn, which left `before`, may have been played so that it leaves `board`: what it hit then may stand
    there again, or what it hits now be gone."""
    checkers = moved(before.own(side), board.own(side))
    alone = not (opponent_moved(before, side, board) and opponent_moved(board, side, before))
    return 0 < checkers <= MOST_MOVES and alone
