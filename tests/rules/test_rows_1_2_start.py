"""Sections 1 and 2 of the rules by text: equipment, naming, who begins. One test for each row, named by its number."""

from __future__ import annotations

import pytest

from controller.rules import (
    MATCH,
    PRESETS,
    Cube,
    Position,
    RulesError,
    RuleSet,
    Side,
    automatic_double,
    decide_opening,
    legal_plays,
    ruleset_from,
)
from tests.rules.boards import board, plays

T0, T1, T2, T3, T4 = (PRESETS[f"text-00{n}"] for n in range(5))
LIGHT, DARK = Side.LIGHT, Side.DARK


def test_row_1_1_fifteen_checkers_a_side_on_24_points_and_one_pair_of_dice() -> None:
    start = Position.start()
    assert [sum(start.own(side)) for side in Side] == [15, 15]
    assert start == board("24:2 13:5 8:3 6:5", "24:2 13:5 8:3 6:5")
    assert not T0.equipment.dice_by_colour


def test_row_1_2_two_or_four_dice() -> None:
    assert not T1.equipment.dice_by_colour
    assert ruleset_from({"preset": "text-001", "equipment": {"dice_by_colour": True}}).equipment.dice_by_colour


def test_row_1_3_one_pair_of_dice() -> None:
    assert not T2.equipment.dice_by_colour


def test_row_1_4_a_pair_of_dice_for_each_colour() -> None:
    assert T3.equipment.dice_by_colour


def test_row_1_5_two_dice_and_a_cube_with_faces_to_64() -> None:
    assert not T4.equipment.dice_by_colour
    assert T4.cube.max == 64


def test_row_1_6_inner_field_is_points_1_to_6() -> None:
    # All on 1-6: bearing off is open; one on 7 closes it.
    assert "6/off" in " ".join(plays(board("6:2 1:2"), (6, 1), T4))
    assert "6/off" not in " ".join(plays(board("24:1 6:2 1:2"), (6, 1), T4))


def test_row_1_7_points_are_numbered_from_the_view_of_the_mover() -> None:
    start = Position.start()
    assert plays(start, (6, 5), T2, LIGHT) == plays(start, (6, 5), T2, DARK)


def test_row_1_8_dice_on_the_table() -> None:
    assert T0.dice.landing == "table"
    assert MATCH.dice.landing == "right-half"


@pytest.mark.parametrize("rules", [T1, T2, T3, T4], ids=lambda rules: str(rules.name))
def test_row_1_9_where_a_text_is_silent_dice_count_on_the_right_half_and_not_on_a_checker(rules: RuleSet) -> None:
    assert (rules.dice.landing, rules.dice.on_checker) == ("right-half", "cocked")


def test_row_2_1_the_higher_die_chooses_the_colour_and_the_lower_begins() -> None:
    draw = decide_opening(5, 2, T0)
    assert (draw.starter, draw.chooses_colour) == (DARK, LIGHT)


def test_row_2_2_the_starter_rolls_afresh() -> None:
    assert decide_opening(5, 2, T0).dice is None


def test_row_2_3_a_tie_is_thrown_again() -> None:
    assert decide_opening(4, 4, T0).starter is None


def test_row_2_4_the_higher_die_begins() -> None:
    assert decide_opening(2, 5, T1).starter is DARK
    assert decide_opening(5, 5, T1).starter is None


def test_row_2_5_the_draw_dice_are_played_or_thrown_afresh() -> None:
    assert decide_opening(2, 5, T1).dice == (5, 2)
    afresh = ruleset_from({"preset": "text-001", "start": {"opening_dice": "fresh"}})
    assert decide_opening(2, 5, afresh).dice is None


def test_row_2_6_the_higher_die_begins_with_both_numbers() -> None:
    draw = decide_opening(6, 1, T2)
    assert (draw.starter, draw.dice, draw.chooses_colour) == (LIGHT, (6, 1), None)
    assert len(legal_plays(Position.start(), LIGHT, (6, 1), T2)) == 10


def test_row_2_7_the_players_agree_who_begins() -> None:
    with pytest.raises(RulesError, match="agree who begins"):
        decide_opening(6, 1, T3)
    with pytest.raises(RulesError, match=r"start\.opening_dice"):
        ruleset_from({"start": {"first": "agreed"}})


def test_row_2_8_the_lower_die_begins_and_rolls_afresh() -> None:
    draw = decide_opening(1, 6, T4)
    assert (draw.starter, draw.dice, draw.chooses_colour) == (LIGHT, None, DARK)


def test_row_2_9_equal_numbers_double_the_cube() -> None:
    assert decide_opening(3, 3, T4).starter is None
    assert automatic_double(Cube(), T4).value == 2
    assert automatic_double(Cube(2, auto_doubles=1), T4).value == 2
    assert automatic_double(Cube(), MATCH).value == 1


def test_row_2_10_the_sides_move_in_opposite_directions() -> None:
    """Which way a colour goes round is where its home board lies, as the set-up asks; dark's way is light's reversed."""
    both_back = board("24:1", "24:1")
    assert plays(both_back, (2, 1), T3, LIGHT) == plays(both_back, (2, 1), T3, DARK) == {"24/21"}
    assert legal_plays(both_back, LIGHT, (2, 1), T3)[0].result.own(DARK) == both_back.own(DARK)
