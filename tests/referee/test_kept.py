"""What is believed of a turn that waits goes on in another session as in the one that has seen it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from controller.referee.kept import KeptError, decode_kept, encode_kept
from controller.referee.session import MatchPlan, Session
from controller.rules import MATCH, Position, Side
from controller.tracking.orientation import columns_of
from tests.referee.table import Board, after_moves
from tests.tracking.eyes import thrown
from vision.observation import Observation

LIGHT, DARK = Side.LIGHT, Side.DARK


def doubtful(seen: Observation, stands: Position, read: Position, share: float) -> Observation:
    """That look at a board that is read as another with such a share."""
    columns, (true, other) = seen.columns.copy(), columns_of([stands, read], "bottom-right")
    for column in np.flatnonzero(true != other):
        columns[column] = 1e-6
        columns[column, 15 + true[column]], columns[column, 15 + other[column]] = 1 - share, share
    return replace(seen, columns=columns)


@pytest.mark.parametrize("share", [0.99, 0.9985])
def test_a_pile_that_is_read_again_as_it_was_before_the_power_went_says_nothing_new(share: float) -> None:
    """Dark has played 24/18 13/11, and the checker on his 11 point is hardly seen."""
    board = Board()
    board.opening(3, 1, (8, 5), (6, 5))
    dice = thrown(DARK, 6, 2)
    board.look(dice=dice)
    after = after_moves(board.position, DARK, (6, 2), (24, 18), (13, 11))
    without = replace(after, dark=tuple(count - (point == 11) for point, count in enumerate(after.dark, 1)))
    for lying in (dice, ()):
        board.session.moved()
        board.said += board.session.see(doubtful(board.eyes.look(after, lying), after, without, share))
    kept = board.session.kept
    assert kept is not None
    started = Session(MatchPlan(MATCH), "bottom-right", board.session.held)
    started.go_on_from(decode_kept(encode_kept(kept)))
    again = doubtful(board.eyes.look(after), after, without, share)
    for one in (board.session, started):
        one.moved()
        one.see(again)
    (best, sure), (goes_on, as_sure) = (one.tracker.belief.hypotheses[0] for one in (board.session, started))
    assert goes_on == best
    assert as_sure == pytest.approx(sure, abs=0.02)


@pytest.mark.parametrize(
    "data", [b"", b"3", b'{"Side": ["light"]}', b'{"Kept": [1]}', b'{"None": []}', b"{}", b"[" * 9999]
)
def test_what_is_nothing_that_was_kept_is_refused(data: bytes) -> None:
    with pytest.raises(KeptError):
        decode_kept(data)
