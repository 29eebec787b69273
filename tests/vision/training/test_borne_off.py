"""What is drawn beside boards for the network that counts borne-off checkers: as many as are said, and beside the board."""

from __future__ import annotations

import numpy as np
import pytest

from vision.reading.trays import HEIGHT, QUARTERS, WIDTH
from vision.training.scene import ASIDE
from vision.training.trays_data import COLUMNS, ROWS, drawn_table, drawn_trays

SEEDS = (52_960_001, 52_960_002, 52_960_003, 52_960_004)


@pytest.mark.parametrize("seed", SEEDS)
def test_as_many_lie_beside_each_quarter_as_are_said_to(seed: int) -> None:
    table = drawn_table(seed)
    found = np.zeros((QUARTERS, 2), int)
    for x, y, _, side in table.off.places:
        assert not 0 < x < 1
        found[int(x > 0.5) + 2 * int(y > table.scene.shape.height / 2), side] += 1
    assert (found == table.off.counts).all()


@pytest.mark.parametrize("seed", SEEDS)
def test_no_side_has_more_than_fifteen_where_the_rest_of_them_lies_beside_the_board(seed: int) -> None:
    table = drawn_table(seed, in_full=True)
    onto = [sum(one.side == side for one in table.scene.checkers if one.column != ASIDE) for side in (0, 1)]
    assert (table.off.counts.sum(axis=0) + onto <= 15).all()
    assert (np.count_nonzero(table.off.counts, axis=0) <= 1).all()


def test_the_samples_of_a_seed_are_the_same_again_and_show_where_checkers_lie() -> None:
    seen = 0
    for seed in SEEDS:
        pictures, counts, heat = drawn_trays(seed)
        assert pictures.shape == (QUARTERS, HEIGHT, WIDTH, 3)
        assert heat.shape == (QUARTERS, 2, ROWS, COLUMNS)
        assert all(
            np.array_equal(one, other) for one, other in zip((pictures, counts, heat), drawn_trays(seed), strict=True)
        )
        assert not heat[counts == 0].any()
        seen += np.count_nonzero(heat[counts > 0].max(axis=(1, 2)) > 128)
    assert seen >= len(SEEDS)
