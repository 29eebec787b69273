"""Boards beyond what is usually made: high rails, cameras low down or close by, middles alike on both sides."""

from __future__ import annotations

import numpy as np
import pytest

from vision.training.beyond import CLOSE, RAIL, beyond_usual
from vision.training.drawn import drawn_board
from vision.training.thought_up import think_up


def test_something_is_always_unusual_and_the_position_stays() -> None:
    for seed in range(40):
        scene = think_up(np.random.default_rng(seed))
        other = beyond_usual(np.random.default_rng([seed, 3]), scene)
        assert other.counts == scene.counts
        assert [(one.x, one.y, one.side) for one in other.checkers] == [
            (one.x, one.y, one.side) for one in scene.checkers
        ]
        assert other.shape != scene.shape or other.camera != scene.camera or other.designs is not scene.designs


def test_rails_stand_as_high_as_checkers_and_cameras_stay_above_them() -> None:
    scenes = [
        beyond_usual(np.random.default_rng([seed, 3]), think_up(np.random.default_rng(seed))) for seed in range(80)
    ]
    rails = [scene.shape.rim_z / scene.diameter for scene in scenes]
    assert max(rails) > 1.5
    assert max(rails) <= RAIL[1]
    assert all(scene.camera[2] > 2 * max(scene.shape.rim_z, scene.shape.bar_z) for scene in scenes)
    middles = [np.array([0.5, scene.shape.height / 2, 0.0]) for scene in scenes]
    away = [np.linalg.norm(np.array(scene.camera) - middle) for scene, middle in zip(scenes, middles, strict=True)]
    assert min(away) < CLOSE[1]


@pytest.mark.parametrize("strange", [False, True])
def test_an_unusual_board_is_drawn_with_its_truth(*, strange: bool) -> None:
    usual = drawn_board(9_000_000, strange=strange)
    board = drawn_board(9_000_000, strange=strange, beyond=True)
    assert np.array_equal(board.counts, usual.counts)
    assert not np.array_equal(board.picture, usual.picture)
    assert board.hidden.shape == (25,)
