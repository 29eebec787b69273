"""Section 12 of the rules by text: where two texts contradict each other, two presets give two answers."""

from __future__ import annotations

from controller.rules import (
    PRESETS,
    Cube,
    Side,
    TurnState,
    automatic_double,
    decide_opening,
    double,
    game_result,
    may_double,
    must_roll,
    ruleset_from,
    win_level,
)
from tests.rules.boards import board, plays

T0, T1, T2, T3, T4 = (PRESETS[f"text-00{n}"] for n in range(5))
LIGHT, DARK = Side.LIGHT, Side.DARK


def test_contradiction_1_who_begins() -> None:
    assert [decide_opening(6, 2, rules).starter for rules in (T0, T1, T2, T4)] == [DARK, LIGHT, LIGHT, DARK]
    assert [decide_opening(6, 2, rules).dice for rules in (T0, T1, T2, T4)] == [None, (6, 2), (6, 2), None]


def test_contradiction_2_choice_of_colour() -> None:
    assert [decide_opening(6, 2, rules).chooses_colour for rules in (T0, T1, T2, T4)] == [LIGHT, None, None, LIGHT]


def test_contradiction_3_passing_over_held_points() -> None:
    steps_held = board("13:1", "18:2 17:2 1:2")
    found = [plays(steps_held, (6, 5), rules) for rules in (T0, T1, T2, T3, T4)]
    assert found == [{"13/2"}, {""}, {""}, {""}, {"13/2"}]


def test_contradiction_4_larger_die_and_most_dice() -> None:
    either = board("24:1", "12:2 1:2")
    assert [len(plays(either, (6, 5), rules)) for rules in (T0, T1, T2, T3, T4)] == [2, 1, 1, 2, 2]


def test_contradiction_5_pick_and_pass() -> None:
    blot_on_the_way = board("13:1", "17:1 1:14")
    hits = ["13/8*/5" in plays(blot_on_the_way, (5, 3), rules) for rules in (T0, T2, T4)]
    assert hits == [False, True, False]


def test_contradiction_6_order_of_bearing_off() -> None:
    contact = board("6:2 3:1", "24:2")
    taken = ["6/5 3/off" in plays(contact, (3, 1), rules) for rules in (T1, T2, T3)]
    assert taken == [True, True, False]


def test_contradiction_7_zones_or_levels() -> None:
    gammon = board("", "6:15")
    assert [game_result(gammon, LIGHT, 1, rules).points for rules in (T0, T2, T3, T4)] == [15, 2, 2, 2]
    by_points = ruleset_from({"preset": "text-004", "session": {"kind": "match"}})
    assert game_result(gammon, LIGHT, 1, by_points).points == 15


def test_contradiction_8_what_a_backgammon_is() -> None:
    one_off_one_far_back = board("", "6:13 20:1")
    none_off_outside = board("", "6:14 10:1")
    assert [win_level(one_off_one_far_back, LIGHT, rules) for rules in (T0, T3, T4)] == [3, 3, 1]
    assert [win_level(none_off_outside, LIGHT, rules) for rules in (T0, T3, T4)] == [2, 3, 2]


def test_contradiction_9_closed_out() -> None:
    closed_out = board("bar:1 6:5", "1:2 2:2 3:2 4:2 5:2 6:2")
    assert [must_roll(closed_out, LIGHT, rules) for rules in (T0, T1, T2, T3, T4)] == [True, True, False, True, True]


def test_contradiction_10_automatic_doubles() -> None:
    assert [automatic_double(Cube(), rules).value for rules in (T1, T2, T4)] == [1, 1, 2]


def test_contradiction_11_dice() -> None:
    assert [rules.equipment.dice_by_colour for rules in (T0, T2, T3, T4)] == [False, False, True, False]


def test_contradiction_12_how_far_the_cube_goes() -> None:
    at_64 = Cube(64, LIGHT)
    found = [
        [r.code for r in may_double(at_64, LIGHT, TurnState(LIGHT), rules=rules)] for rules in (T0, T1, T2, T3, T4)
    ]
    assert found == [["R31"], ["R33"], [], ["R33"], ["R33"]]
    assert double(at_64, LIGHT, TurnState(LIGHT), rules=T2).answering is DARK


def test_contradiction_13_nobody_is_obliged_to_bear_off() -> None:
    home = board("6:1 4:1 1:1")
    assert all("6/1" in plays(home, (4, 1), rules) for rules in (T1, T4))


def test_contradiction_14_where_dice_land() -> None:
    assert [rules.dice.landing for rules in (T0, T2)] == ["table", "right-half"]
