"""Positions thought up for drawn boards are positions: no point is held by both sides, and nobody has more than fifteen."""

import numpy as np

from vision.training.positions import any_position


def test_no_point_is_held_by_both_sides_and_no_side_has_more_than_fifteen() -> None:
    positions = [any_position(np.random.default_rng(seed), 0.5) for seed in range(400)]
    for counts, bar in positions:
        assert counts.min() >= 0 <= min(bar)
        assert not (counts > 0).all(axis=1).any()
        assert (counts.sum(axis=0) + bar).max() <= 15
    assert any(counts.sum() < 12 for counts, _ in positions)
    assert any(sum(bar) > 3 for _, bar in positions)
