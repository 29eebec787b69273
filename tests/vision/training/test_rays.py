"""Checkers lit by rays: what stands before what, and what a lamp reaches. Needs Numba, as training does."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("numba")

from vision.training import rays
from vision.training.columns_data import drawn_sample
from vision.training.drawn import drawn_board

STEP = np.float32(1 / 200)
CHECKER = np.array([[0.5, 0.5, 0.0, 0.02, 0.035]], np.float32)
NO_BOXES = np.zeros((0, 6), np.float32)
ABOVE = np.array([0.5, 0.5, 50.0], np.float32)
WHOLE = np.array([[0, 200, 0, 200]], np.int64)


def test_a_checker_shows_as_large_as_it_is_and_hides_the_board_below_it() -> None:
    what, place, face = rays.met(CHECKER, NO_BOXES, ABOVE, WHOLE, np.float32(0), np.float32(0), STEP, 200, 200)
    seen = what == 0
    assert seen.sum() * STEP**2 == pytest.approx(np.pi * 0.035**2, rel=0.05)
    assert (face[seen] == 3).mean() > 0.99
    assert place[seen][:, 2] == pytest.approx(0.02, abs=1e-4)
    assert place[~seen][:, 2] == pytest.approx(0, abs=1e-4)


def test_a_pile_throws_its_shade_away_from_the_lamp() -> None:
    pile = CHECKER * np.array([1, 1, 1, 5, 1], np.float32)
    _, place, _ = rays.met(pile, NO_BOXES, ABOVE, WHOLE, np.float32(0), np.float32(0), STEP, 200, 200)
    upright = np.zeros_like(place)
    upright[..., 2] = 1
    lamp = np.array([[-10.0, 0.5, 5.0, 0.05, 1.0, 11.0]], np.float32)
    near = rays.neighbours(pile, np.float32(0), np.float32(0), np.float32(0.05), 20, 20, rays.SKY_REACH)
    light = rays.lit(
        pile,
        NO_BOXES,
        lamp,
        near,
        np.float32(0.05),
        np.float32(0),
        np.float32(0),
        place,
        upright,
        4,
        64,
        np.uint32(3),
    )
    beyond, before = light[100, 108:111, 0], light[100, 85:90, 0]
    assert (beyond == 0).all()
    assert (before > 0.3).all()
    assert light[100, 108, 1] < light[20, 20, 1] == 1


@pytest.mark.parametrize("seed", [31, 35])
def test_a_traced_board_holds_what_the_painted_one_holds_and_each_checker_shows(seed: int) -> None:
    painted, traced = drawn_board(seed), drawn_board(seed, traced=True)
    assert np.array_equal(painted.counts, traced.counts)
    assert np.array_equal(painted.checkers[:, 2:4], traced.checkers[:, 2:4])
    free = ~traced.hidden[np.clip(traced.checkers[:, 3].astype(int), 0, 24)] & (traced.checkers[:, 3] >= 0)
    assert np.median(traced.checkers[free, 4]) > 0.7
    assert not np.array_equal(painted.picture, traced.picture)
    assert drawn_sample(seed, traced=True)["canonical"].std() > 5
