"""Sections 6 and 7 of the rules by text: the bar and bearing off. One test for each row, named by its number."""

from __future__ import annotations

import pytest

from controller.rules import MATCH, PRESETS, RuleSet, RuleSetError, Side, is_closed_out, judge, must_roll, ruleset_from
from tests.rules.boards import board, plays

T0, T1, T2, T3, T4 = (PRESETS[f"text-00{n}"] for n in range(5))
LIGHT = Side.LIGHT

CLOSED_OUT = board("bar:1 6:5", "1:2 2:2 3:2 4:2 5:2 6:2")


def test_row_6_1_nobody_moves_before_the_bar_is_empty_then_the_other_die_is_free() -> None:
    # Point 19 (dark's 6) is held: the 6 cannot enter, the 2 can; then any checker plays the 6.
    assert plays(board("bar:1 13:1", "6:3"), (6, 2), T0) == {"bar/23 13/7", "bar/17"}
    assert plays(board("bar:2 13:1", "6:3"), (6, 2), T0) == {"bar/23"}
    # Entering is a move of its own: it hits, and the same checker may go on.
    assert plays(board("bar:1", "2:1"), (6, 2), T0) == {"bar/23*/17", "bar/17"}


def test_row_6_2_as_many_as_can_enter() -> None:
    assert plays(board("bar:3 6:5", "6:2"), (5, 5), T1) == {"bar/15 bar/20(2)", "bar/20(3) 6/1"}
    assert plays(board("bar:2 6:5", "6:2"), (6, 5), T1) == {"bar/20"}


def test_row_6_3_after_the_last_is_in_the_unused_numbers_are_played() -> None:
    assert plays(board("bar:1", "24:1"), (6, 5), T1) == {"bar/14"}
    assert not judge(board("bar:1"), LIGHT, (6, 5), board("19:1"), T1).legal


def test_row_6_4_a_blocked_roll_lapses_or_only_the_other_number_is_played() -> None:
    assert plays(board("bar:15", "6:2"), (6, 6), T2) == {""}
    assert plays(board("bar:15", "6:2"), (6, 5), T2) == {"bar/20"}


def test_row_6_5_both_numbers_held_lose_the_turn() -> None:
    assert plays(board("bar:1 6:5", "6:2 5:2"), (6, 5), T1) == {""}


def test_row_6_6_a_player_who_is_closed_out_does_not_roll() -> None:
    assert is_closed_out(CLOSED_OUT, LIGHT)
    assert must_roll(CLOSED_OUT, LIGHT, T2) is False
    assert all(must_roll(CLOSED_OUT, LIGHT, rules) for rules in (T0, T1, T3, T4))
    assert must_roll(board("bar:1", "1:2 2:2 3:2 4:2 5:2 6:1"), LIGHT, T2)


def test_row_6_7_two_or_more_block_the_entry() -> None:
    assert plays(board("bar:1", "6:2 5:1"), (6, 6), T3) == {""}
    assert plays(board("bar:1", "6:2 5:1"), (6, 5), T3) == {"bar/20*/14"}


def test_row_6_8_enter_on_an_open_point_then_play_on() -> None:
    assert plays(board("bar:1 8:1", "6:2"), (6, 3), T4) == {"bar/22 8/2", "bar/16"}


def test_row_7_1_bear_off_only_when_all_that_remain_are_home() -> None:
    assert "6/off 1/off" in plays(board("6:1 1:1"), (6, 5), T0)
    assert plays(board("7:1 6:1", "6:2"), (6, 5), T0) == {"7/1 6/1", "7/2 6/off"}


def test_row_7_2_a_die_equal_to_the_point_bears_off() -> None:
    assert "3/off 1/off" in plays(board("3:1 1:5"), (3, 1), T0)


def test_row_7_3_an_empty_points_number_takes_the_farthest_only_if_none_is_higher() -> None:
    assert T0.bearoff.order == "standard"
    assert plays(board("4:1 3:1"), (6, 5), T0) == {"4/off 3/off"}
    # A 5 with the 6 occupied and the 5 empty moves 6/1.
    assert plays(board("6:2 4:2"), (5, 5), T0) == {"6/1(2) 4/off(2)"}


def test_row_7_4_a_checker_hit_must_come_round_again() -> None:
    assert plays(board("bar:1 2:1", "6:2"), (2, 1), T0) == {"bar/22", "bar/23 2/1"}


def test_row_7_5_not_while_a_checker_is_on_the_bar_or_outside() -> None:
    for light in ("bar:1 3:2", "13:1 3:2"):
        assert not any("off" in text for text in plays(board(light, "6:2"), (3, 1), T1))


def test_row_7_6_must_move_from_a_higher_point_else_remove_from_the_highest() -> None:
    assert plays(board("6:1", "24:1"), (5, 5), T1) == {"6/1*/off"}
    assert plays(board("6:1 3:1", "20:2"), (4, 4), T1) == {"6/off 3/off"}
    assert plays(board("3:1"), (5, 5), T1) == {"3/off"}


def test_row_7_7_a_legal_move_inside_must_be_made() -> None:
    assert plays(board("6:1 2:4"), (4, 4), T4) == {"6/off 2/off(2)"}


@pytest.mark.parametrize("rules", [T1, T4], ids=["row_7_8", "row_7_9"])
def test_rows_7_8_and_7_9_bearing_off_is_not_obliged(rules: RuleSet) -> None:
    assert not rules.bearoff.forced
    home = board("6:1 4:1 1:1")
    assert plays(home, (4, 1), rules) == {"4/off 1/off", "6/1", "6/2 1/off", "6/2 4/3", "6/5 4/off"}
    forced = ruleset_from({"bearoff": {"forced": True}})
    assert plays(home, (4, 1), forced) == {"4/off 1/off"}
    # No 2 and no 4 bears off the 6.
    assert plays(board("6:1", "1:2"), (2, 1), forced) == {"6/3"}


def test_a_die_that_can_bear_off_must_though_a_checker_moved_by_the_total_would_pass_it() -> None:
    rules = ruleset_from({"preset": "text-000", "bearoff": {"forced": True}})
    assert plays(board("6:1 2:1"), (2, 1), rules) == {"6/5 2/off", "6/4 2/1"}
    # On its way over a held point no other checker can go; nor can one that has just hit.
    assert "6/3" in plays(board("6:2 2:1", "20:2"), (2, 1), rules)
    assert plays(board("6:2", "21:1"), (4, 2), rules) == {"6/4* 6/2", "6/off"}


def test_row_7_10_a_higher_number_takes_from_the_farthest_point_unless_one_stands_farther_back() -> None:
    assert plays(board("3:2"), (6, 5), T2) == {"3/off(2)"}
    assert plays(board("5:1 3:1 2:13"), (4, 4), T2) == {"5/1 3/off 2/off(2)"}


def test_row_7_11_from_the_back_to_the_front() -> None:
    assert T3.bearoff.order == "rear-first"
    home = board("6:1 3:2")
    assert plays(home, (3, 3), T3) == {"6/off 3/off(2)"}
    # A 3 may not take a checker off point 3 while 6 is occupied; the usual rule allows it.
    contact = board("6:2 3:1", "24:2")
    assert plays(contact, (3, 1), T3) == {"6/2", "6/5 6/3"}
    assert plays(contact, (3, 1), MATCH) == {"6/2", "6/5 6/3", "6/5 3/off"}


def test_row_7_12_a_number_higher_than_needed() -> None:
    assert T3.bearoff.excess == "bear-off-rearmost"
    assert plays(board("3:2"), (6, 5), T3) == {"3/off(2)"}
    exact = ruleset_from({"preset": "text-003", "bearoff": {"excess": "exact-only"}})
    assert plays(board("3:2"), (6, 5), exact) == {""}
    assert plays(board("3:2"), (6, 3), exact) == {"3/off"}


@pytest.mark.parametrize("rules", [T2, T3, T4], ids=lambda rules: str(rules.name))
def test_row_7_13_hit_during_the_bear_off_until_all_are_home_again(rules: RuleSet) -> None:
    assert plays(board("bar:1 3:1", "6:2"), (3, 2), rules) == {"bar/20", "bar/22 3/1"}
    with pytest.raises(RuleSetError, match=r"bearoff\.requires"):
        ruleset_from({"bearoff": {"requires": "all-fifteen"}})
