"""What a column's changed pixels say depends on how many checkers stood there: on a pile one more or less shows little."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from controller.rules import Position, Side
from controller.tracking.evidence import Evidence
from controller.tracking.orientation import column_of_point, columns_of
from controller.tracking.rest import Rest
from tests.rules.boards import after, board
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


def test_a_hand_in_one_picture_of_a_rest_is_no_change() -> None:
    """A checker was moved; in the rest's last picture a shadow lies over two points beside it."""
    eyes, start = Eyes(), Position.start()
    moved = after(start, Side.LIGHT, "24/13", (6, 5))
    source, target = column_of_point(24, eyes.light_home), column_of_point(13, eyes.light_home)
    others = [column for column in range(12, 24) if column not in (source, target)][:2]
    looks = [replace(eyes.look(one), snapshot=pictured(one, eyes.light_home)) for one in (start, moved, moved)]
    for column in others:
        left = canonical_left(column)
        looks[2].snapshot.image[CANONICAL_HEIGHT // 2 : -MARGIN_Y, left : left + PITCH] = 140
    before = Rest.begin(looks[0]).evidence(eyes.light_home)
    rest = Rest.begin(looks[1])
    so_far = rest.evidence(eyes.light_home, before)
    evidence = rest.add(looks[2]).evidence(eyes.light_home, before, so_far=so_far)
    assert evidence.changed[[source, target]].min() > 0 > evidence.changed[others].max()
    assert Rest.begin(looks[2]).evidence(eyes.light_home, before).changed[others].min() > 0
    assert evidence.as_before().snapshot is looks[1].snapshot
