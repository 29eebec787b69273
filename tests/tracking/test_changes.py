"""What a column's changed pixels say depends on how many checkers stood there: on a pile one more or less shows little."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from controller.rules import Position
from controller.tracking.evidence import Evidence
from controller.tracking.orientation import columns_of
from controller.tracking.rest import Rest
from tests.rules.boards import board
from tests.tracking.eyes import Eyes, pictured
from vision.board.geometry import CANONICAL_HEIGHT, MARGIN_Y, PITCH, canonical_left

PILE_AND_FEW = board("1:8 6:4 13:3", "1:8 6:4 13:3")


def after_a_small_change(eyes: Eyes, position: Position, column: int) -> Evidence:
    """The rest after one at which the same stood; since then 3 % of that column's pixels have changed."""
    before = replace(eyes.look(position), snapshot=pictured(position, eyes.light_home))
    snapshot = pictured(position, eyes.light_home)
    top = MARGIN_Y + 2 if column < 12 else CANONICAL_HEIGHT - MARGIN_Y - 4
    snapshot.image[top : top + 2, canonical_left(column) :][:, :PITCH] = 130
    now = replace(eyes.look(position), snapshot=snapshot)
    return Rest.begin(now).evidence(eyes.light_home, Rest.begin(before).evidence(eyes.light_home))


def test_a_small_change_means_more_on_a_pile_than_on_few_checkers() -> None:
    eyes = Eyes()
    counts = columns_of([PILE_AND_FEW], eyes.light_home)[0]
    said = {}
    for column in np.flatnonzero(np.abs(counts) > 2):
        evidence = after_a_small_change(eyes, PILE_AND_FEW, int(column))
        logs, _ = evidence.logs_after(PILE_AND_FEW)
        quiet, _ = after_a_small_change(eyes, PILE_AND_FEW, int(column) ^ 1).logs_after(PILE_AND_FEW)
        there = 15 + counts[column]
        said.setdefault(abs(int(counts[column])) > 5, []).append(quiet[column, there] - logs[column, there])
    assert min(said[True]) > 1.5
    assert max(said[False]) < 1.5


def test_nothing_is_said_where_too_much_has_changed_at_once() -> None:
    eyes, start = Eyes(), Position.start()
    before = replace(eyes.look(start), snapshot=pictured(start, eyes.light_home))
    elsewhere = replace(eyes.look(start), snapshot=pictured(board("2:5 3:5 4:5", "2:5 3:5 4:5"), eyes.light_home))
    evidence = Rest.begin(elsewhere).evidence(eyes.light_home, Rest.begin(before).evidence(eyes.light_home))
    assert evidence.changed.shape == (24,)
    assert not evidence.changed.any()
    assert not evidence.changed_pile.any()
