"""The boards that the networks learn on: their labels must be true, or everything after them is wrong."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.board.geometry import BoardGeometry
from vision.reading.checkers import DETAIL
from vision.training.canvas import THING, Canvas
from vision.training.columns_data import MOST_CHECKERS, STRIDE, drawn_samples, joined
from vision.training.drawn import drawn_board
from vision.training.paint_things import Box, draw_box
from vision.training.scene import ASIDE, ON_BAR
from vision.training.thought_up import think_up

SEEDS = (11, 12, 13, 14)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_board_is_drawn_the_same_again(seed: int) -> None:
    one, again = drawn_board(seed), drawn_board(seed)
    assert np.array_equal(one.picture, again.picture)
    assert np.array_equal(one.counts, again.counts)


@pytest.mark.parametrize("seed", SEEDS)
def test_no_side_has_more_than_fifteen_and_no_column_both(seed: int) -> None:
    counts = drawn_board(seed).counts
    assert counts.shape == (25, 2)
    assert (counts.sum(axis=0) <= 15).all()
    assert not ((counts[:24, 0] > 0) & (counts[:24, 1] > 0)).any()


@pytest.mark.parametrize("seed", SEEDS)
def test_every_counted_checker_was_drawn_on_its_column(seed: int) -> None:
    board = drawn_board(seed)
    for column in range(25):
        drawn = board.checkers[board.checkers[:, 3] == column]
        assert (np.sum(drawn[:, 2] == 0), np.sum(drawn[:, 2] == 1)) == tuple(board.counts[column])
    geometry = BoardGeometry(board.corners, board.bar)
    for x, _, _, column, _ in board.checkers[board.checkers[:, 3] != ASIDE]:
        if column != ON_BAR:
            assert abs(x - geometry.column_centre(int(column))[0]) < 0.08


@pytest.mark.parametrize("turn", [-0.6, 0.0, 0.4])
def test_a_cube_shows_the_side_towards_the_camera(turn: float) -> None:
    scene = replace(think_up(np.random.default_rng(5)), camera=(0.5, 3.0, 2.0))
    canvas, faces = Canvas(scene), [np.full((8, 8, 3), shade, np.uint8) for shade in (250, 200, 150)]
    box = Box(np.array([0.5, 0.4]), 0.0, 0.12, turn, faces, 0.0)
    draw_box(canvas, box)
    front = max(np.roll(box.base(), -1, 0) / 2 + box.base() / 2, key=lambda middle: float(middle[1]))
    x, y = canvas.project([*front, 0.06]).astype(int)
    assert canvas.owner[y, x] == THING


def test_samples_hold_what_the_networks_take() -> None:
    samples = joined([drawn_samples([21, 22]), drawn_samples([23])])
    assert len(samples) == 3
    assert samples.canonical.shape == (3, 192 * DETAIL, 224 * DETAIL, 3)
    assert samples.rectified.shape == (3, 160, 192, 3)
    assert samples.checkers.shape == (3, MOST_CHECKERS, 3)
    real = samples.checkers[samples.checkers[..., 2] >= 0]
    assert (real[:, 0] > -3).all()
    assert (real[:, 0] < 224 / STRIDE + 3).all()
    assert (samples.bar[:, 0] <= samples.bar[:, 1]).all()
