"""Positions thought up for drawn boards are positions: no point is held by both sides, and nobody has more than fifteen."""

import numpy as np

from vision.training.positions import any_position, barred_position, piled_position


def test_no_point_is_held_by_both_sides_and_no_side_has_more_than_fifteen() -> None:
    positions = [any_position(np.random.default_rng(seed), 0.5) for seed in range(400)]
    for counts, bar in positions:
        assert counts.min() >= 0 <= min(bar)
        assert not (counts > 0).all(axis=1).any()
        assert (counts.sum(axis=0) + bar).max() <= 15
    assert any(counts.sum() < 12 for counts, _ in positions)
    assert any(sum(bar) > 3 for _, bar in positions)


def test_piled_positions_are_positions_too_and_hold_many_tall_piles() -> None:
    positions = [piled_position(np.random.default_rng(seed), 0.5) for seed in range(300)]
    for counts, bar in positions:
        assert counts.shape == (24, 2)
        assert not (counts > 0).all(axis=1).any()
        assert (counts.sum(axis=0) + bar).max() <= 15
    tall = [int((counts.sum(axis=1) > 5).sum()) for counts, _ in positions]
    usual = [int((any_position(np.random.default_rng(seed), 0.5)[0].sum(axis=1) > 5).sum()) for seed in range(300)]
    assert sum(tall) > 1.5 * sum(usual)


def test_barred_positions_are_positions_too_and_mostly_have_checkers_on_the_bar() -> None:
    positions = [barred_position(np.random.default_rng(seed), 0.5) for seed in range(300)]
    for counts, bar in positions:
        assert counts.min() >= 0 <= min(bar)
        assert not (counts > 0).all(axis=1).any()
        assert (counts.sum(axis=0) + bar).max() <= 15
    assert 150 < sum(sum(bar) > 0 for _, bar in positions) < 280
