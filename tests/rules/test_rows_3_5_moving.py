"""Sections 3 to 5 of the rules by text: moving, doubles, hitting. One test for each row, named by its number.

LIGHT moves; its board stands first.
"""

from __future__ import annotations

import pytest

from controller.rules import MATCH, PRESETS, Position, RuleSet, Side, judge, legal_plays, ruleset_from
from tests.rules.boards import board, plays

T0, T1, T2, T3, T4 = (PRESETS[f"text-00{n}"] for n in range(5))
LIGHT = Side.LIGHT

# One checker on 13; with 6-5 both steps between (7 and 8) are held, the end (2) is open.
STEPS_HELD = board("13:1", "18:2 17:2 1:2")
# 6-5 from 24: 18 and 19 are open, 13 is held: either die, not both.
EITHER_DIE = board("24:1", "12:2 1:2")
# 6-1: 10/4 and 24/23 use both dice; after 10/9 no 6 is left.
ONE_WAY_USES_BOTH = board("24:1 10:1", "7:2 8:2 22:2")


def test_row_3_1_moves_are_compulsory_and_what_cannot_be_played_is_lost() -> None:
    assert T0.move.compulsory
    assert not judge(Position.start(), LIGHT, (3, 1), Position.start(), T0).legal
    assert plays(STEPS_HELD, (6, 5), MATCH) == {""}
    free = ruleset_from({"preset": "text-000", "move": {"compulsory": False}})
    assert judge(Position.start(), LIGHT, (3, 1), Position.start(), free).legal


def test_row_3_2_two_checkers_or_one_by_the_total_in_any_order() -> None:
    assert plays(board("24:1 13:1"), (2, 1), T0) == {"24/21", "13/10", "24/22 13/12", "24/23 13/11"}


def test_row_3_3_a_checker_may_pass_over_held_points() -> None:
    assert T0.move.intermediate == "endpoint-only"
    assert plays(STEPS_HELD, (6, 5), T0) == {"13/2"}


def test_row_3_4_each_step_must_find_an_open_point() -> None:
    assert T1.move.intermediate == "each-step"
    assert plays(STEPS_HELD, (6, 5), T1) == {""}


def test_row_3_5_as_many_dice_as_possible() -> None:
    assert plays(ONE_WAY_USES_BOTH, (6, 1), T1) == {"24/23 10/4"}


def test_row_3_6_the_larger_die_if_only_one_can_be_played() -> None:
    assert plays(EITHER_DIE, (6, 5), T1) == {"24/18"}


def test_row_3_7_no_legal_move_loses_the_turn() -> None:
    assert plays(board("bar:1", "6:2 5:2"), (6, 5), T1) == {""}


def test_row_3_8_a_combined_move_is_two_steps_each_valid() -> None:
    assert plays(STEPS_HELD, (6, 5), T2) == {""}
    assert plays(board("13:1", "18:2 1:2"), (6, 5), T2) == {"13/2"}
    # Four steps of 3: the second is held, so one step only.
    assert plays(board("13:1", "18:2 1:2"), (3, 3), T2) == {"13/10"}


def test_row_3_9_the_largest_part_of_the_roll_and_then_the_higher_number() -> None:
    assert plays(EITHER_DIE, (6, 5), T2) == {"24/18"}
    assert not judge(Position.start(), LIGHT, (6, 5), Position.start(), T2).legal


def test_row_3_10_any_number_on_one_point() -> None:
    assert T2.move.stack_limit == 0
    assert "14/6" in plays(board("14:1 6:14"), (6, 2), T2)


def test_row_3_11_no_jumping_over_held_points_play_elsewhere_or_lose_the_roll() -> None:
    blocked = board("13:1", "16:2 17:2 1:2")
    assert plays(blocked, (5, 4), T3) == {""}
    assert plays(board("13:1 24:1", "16:2 17:2 1:2"), (5, 4), T3) == {"24/15"}


def test_row_3_12_you_must_move_but_not_with_the_larger_die() -> None:
    assert not T3.move.larger_die
    assert plays(EITHER_DIE, (6, 5), T3) == {"24/18", "24/19"}


def test_row_3_13_checkers_move_one_way_only() -> None:
    for play in legal_plays(Position.start(), LIGHT, (6, 3), T3):
        assert all(move.source > move.target for move in play.moves)
    assert any(play.result.own(LIGHT)[5] > 5 for play in legal_plays(Position.start(), LIGHT, (2, 2), T3))


def test_row_3_14_forfeit_what_cannot_be_played_pass_over_held_points_no_larger_die() -> None:
    assert plays(STEPS_HELD, (6, 5), T4) == {"13/2"}
    assert plays(EITHER_DIE, (6, 5), T4) == {"24/18", "24/19"}


@pytest.mark.parametrize("rules", [T0, T3, T4], ids=lambda rules: str(rules.name))
def test_row_3_15_where_nothing_is_said_any_play_after_which_no_move_is_left_is_complete(rules: RuleSet) -> None:
    assert plays(ONE_WAY_USES_BOTH, (6, 1), rules) == {"24/23 10/4", "10/9"}


def test_row_4_1_equal_numbers_make_four_moves_in_any_split() -> None:
    split = plays(board("13:4"), (3, 3), T0)
    assert split == {"13/10(4)", "13/7 13/10(2)", "13/7(2)", "13/4 13/10", "13/1"}


@pytest.mark.parametrize("rules", [T1, T2, T3, T4], ids=["row_4_2", "row_4_3", "row_4_4", "row_4_5"])
def test_rows_4_2_to_4_5_doubles_are_four_moves(rules: RuleSet) -> None:
    assert {len(p.moves) for p in legal_plays(Position.start(), LIGHT, (2, 2), rules)} == {4}


def test_row_5_1_only_the_end_of_a_move_hits() -> None:
    pick_and_pass = board("13:1", "17:1 1:14")
    assert plays(pick_and_pass, (5, 3), T0) == {"13/5"}
    assert plays(pick_and_pass, (5, 3), MATCH) == {"13/8*/5", "13/5"}
    # A checker that ends on the blot hits it, and the other die is for another checker.
    assert "24/21 13/8*" in plays(board("24:1 13:1", "17:1 1:14"), (5, 3), T0)


@pytest.mark.parametrize("rules", [T0, T4], ids=lambda rules: str(rules.name))
def test_row_5_2_two_checkers_hold_a_point(rules: RuleSet) -> None:
    held = board("13:1", "17:2 1:13")
    assert plays(held, (5, 3), rules) == {"13/5"}
    assert plays(held, (5, 5), rules) == {"13/off"}
    assert plays(board("13:1", "17:2 20:2"), (5, 3), rules) == {"13/10"}


def test_row_5_3_landing_on_a_blot_sends_it_to_the_bar() -> None:
    (hit,) = [p for p in legal_plays(board("13:1", "17:1 14:2"), LIGHT, (5, 2), T1) if p.moves[0].hit]
    assert hit.result.own(Side.DARK)[24] == 1


def test_row_5_4_a_step_given_by_one_die_hits() -> None:
    assert "13/8*/5" in plays(board("13:1", "17:1 1:14"), (5, 3), T2)


def test_row_5_5_a_prime_of_six_cannot_be_crossed() -> None:
    prime = board("24:2", "2:2 3:2 4:2 5:2 6:2 7:2")
    for dice in ((6, 5), (6, 6), (2, 1), (3, 3)):
        ends = {move.target for play in legal_plays(prime, LIGHT, dice, T2) for move in play.moves}
        assert all(target > 22 for target in ends)


def test_row_5_6_landing_on_a_lone_checker_hits_it() -> None:
    for play in legal_plays(board("13:1", "17:1 1:14"), LIGHT, (5, 5), T3):
        assert play.result.own(Side.DARK)[16] == 0


def test_row_5_7_two_or_more_make_a_point() -> None:
    assert plays(board("bar:1", "4:2"), (4, 4), T3) == {""}
    assert plays(board("bar:1", "4:1"), (4, 4), T3) == {"bar/21*/9"}


def test_row_5_8_a_lone_checker_is_hit_by_a_move_that_ends_on_it() -> None:
    assert plays(board("13:1", "17:1 1:14"), (5, 3), T4) == {"13/5"}
    assert plays(board("13:1", "20:1 1:14"), (5, 3), T4) == {"13/5*"}
