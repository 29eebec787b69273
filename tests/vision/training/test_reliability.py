"""The table that says whether "sure" means it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.training.reliability import calibration_error, reliability

CLAIMS = st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=60)


def test_nine_of_ten_right_at_nine_tenths_is_honest() -> None:
    table = reliability([0.9] * 10, [True] * 9 + [False])
    assert [(entry.low, entry.claims) for entry in table] == [(0.9, 10)]
    assert table[0].true == pytest.approx(0.9)
    assert calibration_error(table) == pytest.approx(0.0)


def test_being_sure_and_wrong_shows() -> None:
    table = reliability([1.0, 1.0, 0.2], [False, True, False])
    assert [(entry.claims, entry.true) for entry in table] == [(1, 0.0), (2, 0.5)]
    assert calibration_error(table) == pytest.approx((2 * 0.5 + 0.2) / 3)


def test_nothing_claimed_is_an_empty_table() -> None:
    assert reliability([], []) == []
    assert calibration_error([]) == 0.0


def test_every_claim_needs_an_outcome() -> None:
    with pytest.raises(ValueError, match="zip"):
        reliability([0.5], [])


@given(CLAIMS)
def test_every_claim_falls_into_one_bin(claims: list[tuple[float, bool]]) -> None:
    table = reliability([p for p, _ in claims], [t for _, t in claims])
    assert sum(entry.claims for entry in table) == len(claims)
    assert round(sum(entry.claims * entry.true for entry in table)) == sum(t for _, t in claims)
    assert all(entry.low - 1e-9 <= entry.claimed <= entry.high + 1e-9 for entry in table)
