"""Looking closer: a second layer shows by an edge only, and many a bar is narrower than a checker."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import numpy as np

from tests.vision.reading.test_checkers import START, drawn, reader
from vision.board.geometry import BoardGeometry
from vision.reading.judging import CALIBRATION, own_bar, own_counts
from vision.reading.network_reading import NetworkReading
from vision.training.drawn import drawn_board
from vision.training.positions import barred_position, piled_position

PILES_FROM, BOARDS = 36_700_000, 48
BARS_FROM, BARRED = 36_800_000, 50
"""Seeds that nothing learnt from."""


@cache
def piled_boards() -> list[tuple[NetworkReading, list[int], list[int]]]:
    """What is seen of drawn boards with tall piles, those that hold five and more in sight, and how many they hold."""
    return list(_piled_boards())


def _piled_boards() -> Iterator[tuple[NetworkReading, list[int], list[int]]]:
    for seed in range(PILES_FROM, PILES_FROM + BOARDS):
        board = drawn_board(seed, placing=piled_position, scale=720)
        reading, _ = reader().sighted(board.picture, BoardGeometry(board.corners, board.bar), thorough=True)
        held = board.counts[:24].sum(axis=1)
        columns = np.flatnonzero((held >= 5) & ~board.hidden[:24])
        yield reading, columns.tolist(), held[columns].tolist()


def test_each_closer_look_counts_more_piles_right_and_is_surer_of_the_truth() -> None:
    right, surprise = np.zeros(3, int), np.zeros(3)
    for reading, columns, held in piled_boards():
        once = replace(reading, finely=np.zeros_like(reading.finely))
        for way, seen in enumerate((replace(once, piles=np.zeros_like(reading.piles)), once, reading)):
            counts = own_counts(seen, CALIBRATION)[columns]
            right[way] += int((counts.argmax(axis=1) == held).sum())
            surprise[way] -= counts[np.arange(len(held)), held].sum()
    assert right[0] < right[1] < right[2]
    assert surprise[0] > surprise[1] > surprise[2]


def test_only_columns_that_may_hold_many_are_looked_at_more_closely() -> None:
    picture, geometry = drawn(START)
    reading, _ = reader().sighted(picture, reader().place_bar(picture, geometry))
    looked_at = np.flatnonzero(np.abs(reading.piles).max(axis=1) > 0)
    assert looked_at.tolist() == [column for column, count in enumerate(START) if abs(count) == 5]
    assert not reading.finely.any()
    thorough, _ = reader().sighted(picture, reader().place_bar(picture, geometry), thorough=True)
    assert (thorough.finely.any(axis=1) == thorough.piles.any(axis=1)).all()


def test_an_empty_board_needs_no_closer_look() -> None:
    picture, geometry = drawn((0,) * 24)
    reading, _ = reader().sighted(picture, reader().place_bar(picture, geometry))
    assert not reading.piles.any()


def test_a_closer_look_at_the_bar_counts_more_of_them_right_and_is_surer_of_the_truth() -> None:
    right, surprise = np.zeros(2, int), np.zeros(2)
    for seed in range(BARS_FROM, BARS_FROM + BARRED):
        board = drawn_board(seed, strange=seed % 2 == 0, placing=barred_position)
        if board.hidden[24]:
            continue
        reading, _ = reader().sighted(board.picture, BoardGeometry(board.corners, board.bar))
        held = sorted(int(count) for count in board.counts[24])
        for way, seen in enumerate((replace(reading, on_bar=np.zeros_like(reading.on_bar)), reading)):
            said = own_bar(seen, CALIBRATION)
            right[way] += sorted(said.argmax(axis=1).tolist()) == held
            surprise[way] -= max(said[0, held[0]] + said[1, held[1]], said[0, held[1]] + said[1, held[0]])
    assert right[1] > right[0]
    assert surprise[1] < surprise[0]
