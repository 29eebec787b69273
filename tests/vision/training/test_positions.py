"""Positions thought up for drawn boards are positions: no point is held by both sides, and nobody has more than fifteen."""

import numpy as np

from vision.training.positions import Counts, any_position, barred_position, piled_position
from vision.training.thought_up import Placing


def positions_of(placing: Placing, number: int) -> list[tuple[Counts, list[int]]]:
    """So many positions, each of them possible."""
    positions = [placing(np.random.default_rng(seed), 0.5) for seed in range(number)]
    for counts, bar in positions:
        assert counts.shape == (24, 2)
        assert counts.min() >= 0 <= min(bar)
        assert not (counts > 0).all(axis=1).any()
        assert (counts.sum(axis=0) + bar).max() <= 15
    return positions


def test_no_point_is_held_by_both_sides_and_no_side_has_more_than_fifteen() -> None:
    positions = positions_of(any_position, 400)
    assert any(counts.sum() < 12 for counts, _ in positions)
    assert any(sum(bar) > 3 for _, bar in positions)


def test_piled_positions_are_positions_too_and_hold_many_tall_piles() -> None:
    tall, usual = (
        sum(int((counts.sum(axis=1) > 5).sum()) for counts, _ in positions_of(placing, 300))
        for placing in (piled_position, any_position)
    )
    assert tall > 1.5 * usual


def test_barred_positions_are_positions_too_and_mostly_have_checkers_on_the_bar() -> None:
    assert 150 < sum(sum(bar) > 0 for _, bar in positions_of(barred_position, 300)) < 280
