"""What players choose before anything is seen: as many checkers off as the roll allows, once nobody can be hit."""

from __future__ import annotations

import numpy as np
from hypothesis import given

from controller.rules import Position, Side, legal_plays
from controller.tracking.choices import log_priors
from tests.rules.boards import ROLLS, SIDES, board, positions


def test_two_off_are_likelier_than_one_in_a_race() -> None:
    race = board("1:12 2:1", "1:2 2:3 3:4")
    plays = legal_plays(race, Side.LIGHT, (6, 1))
    off = [play.result.off(Side.LIGHT) - race.off(Side.LIGHT) for play in plays]
    chances = dict(zip(off, np.exp(log_priors(plays, race, Side.LIGHT)), strict=True))
    assert chances[2] > 20 * chances[1] > 0


def test_who_may_still_be_hit_is_expected_to_play_safe_just_as_well() -> None:
    contact = board("1:12 2:1", "1:2 2:3 bar:1")
    plays = legal_plays(contact, Side.LIGHT, (6, 1))
    assert len(plays) > 1
    assert np.ptp(log_priors(plays, contact, Side.LIGHT)) == 0


@given(positions(), SIDES, ROLLS)
def test_the_plays_of_a_roll_share_one_chance(position: Position, side: Side, roll: tuple[int, int]) -> None:
    plays = legal_plays(position, side, roll)
    assert np.isclose(np.exp(log_priors(plays, position, side)).sum(), 1)
