"""What stands on the board if the rules are left aside."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.rules import Position
from controller.tracking import best_fit as module
from controller.tracking.best_fit import BestFits, best_fit
from controller.tracking.evidence import Evidence
from controller.tracking.orientation import columns_of
from controller.tracking.rest import Rest
from tests.rules.boards import board, positions
from tests.tracking.eyes import Eyes, pictured
from vision.board.geometry import CANONICAL_HEIGHT, PITCH, canonical_left

START = Position.start()
EYES = Eyes()


def looked_at(position: Position, misread: dict[int, int] | None = None) -> Evidence:
    return Rest.begin(EYES.look(position, misread=misread)).evidence(EYES.light_home)


def off(position: Position) -> tuple[int, int]:
    return position.checkers - sum(position.light), position.checkers - sum(position.dark)


@settings(max_examples=20, deadline=None)
@given(positions())
def test_a_board_seen_well_fits_itself_best(position: Position) -> None:
    assert best_fit(looked_at(position), off(position), position.checkers) == position


@settings(max_examples=60, deadline=None)
@given(positions(), st.integers(0, 2**32 - 1), st.integers(0, 12), st.integers(0, 4))
def test_what_adds_up_by_itself_is_what_the_longer_way_finds(
    position: Position, seed: int, misread: int, slack: int
) -> None:
    """However much is misread."""
    rng = np.random.default_rng(seed)
    wrong = {int(column): int(rng.integers(-5, 6)) for column in rng.choice(24, misread, replace=False)}
    fits = BestFits(looked_at(position, wrong), off(position), position.checkers)
    found = fits.losing(slack)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "ALIKE", np.inf)
        assert BestFits(looked_at(position, wrong), off(position), position.checkers).losing(slack) == found


def test_no_checker_is_found_that_the_set_does_not_have() -> None:
    """A sixth checker is read on light's midpoint; there are fifteen all the same."""
    column = int(columns_of([START], EYES.light_home)[0].tolist().index(5))
    fit = best_fit(looked_at(START, {column: 6}), (0, 0), near=START)
    assert fit == START


def test_a_checker_that_has_left_is_missed_only_where_that_is_allowed() -> None:
    after = board("6:5 3:3 1:6", "6:5 3:3 1:7")
    assert best_fit(looked_at(after), (0, 0), slack=1) == after
    assert sum(best_fit(looked_at(after), (0, 0)).light) == 15


def test_a_doubtful_column_keeps_what_stood_there() -> None:
    """Two readings that nearly balance: 13/11 was played, or nothing."""
    moved = board("24:2 13:4 11:1 8:3 6:5", "24:2 13:5 8:3 6:5")
    here, there = looked_at(START), looked_at(moved)
    mixed = Evidence(0.4 * here.columns + 0.6 * there.columns, here.bar, here.seen, (), (), None, EYES.light_home)
    assert best_fit(mixed, (0, 0)) == moved
    assert best_fit(mixed, (0, 0), near=START) == START


def test_what_looks_changed_under_one_cup_is_not_paid_for_column_by_column() -> None:
    """A checker has moved, and six columns look otherwise of which little is seen: they hold what they held."""
    moved = board("24:2 13:5 8:3 6:4 3:1", "24:2 13:5 8:3 6:5")
    looks = [replace(EYES.look(one), snapshot=pictured(one, EYES.light_home)) for one in (START, moved)]
    before = Rest.begin(looks[0]).evidence(EYES.light_home)
    image, seen = looks[1].snapshot.image.copy(), looks[1].seen.copy()
    under = [column for column, count in enumerate(columns_of([moved], EYES.light_home)[0]) if count][:6]
    for column in under:
        left = canonical_left(column)
        rows = slice(0, CANONICAL_HEIGHT // 2) if column < 12 else slice(CANONICAL_HEIGHT // 2, None)
        image[rows, left : left + PITCH] = 150
        seen[column] = 0.7
    covered = replace(looks[1], seen=seen, snapshot=replace(looks[1].snapshot, image=image))
    evidence = Rest.begin(covered).evidence(EYES.light_home, before, [START])
    assert best_fit(evidence, (0, 0), slack=4, near=START, stood=START) == moved
