"""Section 8 of the rules by text: the end of a game and its value. One test for each row, named by its number.

LIGHT has won; DARK's checkers are given by dark's own numbers (19-24 is light's home).
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.rules import (
    MATCH,
    MONEY,
    PRESETS,
    GameResult,
    MatchScore,
    Position,
    RulesError,
    RuleSet,
    Side,
    after_abandoned_game,
    after_game,
    agreed_length,
    game_result,
    may_resign,
    passed_result,
    resigned_result,
    ruleset_from,
    win_level,
    winner_of,
    zone_points,
)
from tests.rules.boards import board
from vision.sentence import Sentence

T0, T1, T2, T3, T4 = (PRESETS[f"text-00{n}"] for n in range(5))
T4_BY_POINTS = ruleset_from({"preset": "text-004", "session": {"kind": "match"}})
LIGHT, DARK = Side.LIGHT, Side.DARK

ONE_OFF = board("", "1:14")
NONE_OFF_HOME = board("", "6:15")
NONE_OFF_OUTSIDE = board("", "6:14 10:1")
ONE_FAR_BACK = board("", "6:14 20:1")
ONE_ON_THE_BAR = board("", "6:14 bar:1")
ONE_OFF_ONE_FAR_BACK = board("", "6:13 20:1")
ONE_OFF_ONE_OUTSIDE = board("", "6:13 10:1")
ENDS = (
    ONE_OFF,
    NONE_OFF_HOME,
    NONE_OFF_OUTSIDE,
    ONE_FAR_BACK,
    ONE_ON_THE_BAR,
    ONE_OFF_ONE_FAR_BACK,
    ONE_OFF_ONE_OUTSIDE,
)


def levels(rules: RuleSet) -> list[int]:
    return [win_level(end, LIGHT, rules) for end in ENDS]


def points(position: Position, rules: RuleSet, cube: int = 1) -> int:
    return game_result(position, LIGHT, cube, rules).points


@pytest.mark.parametrize("rules", PRESETS.values(), ids=lambda rules: str(rules.name))
def test_row_8_1_first_to_bear_off_everything_wins(rules: RuleSet) -> None:
    assert winner_of(ONE_OFF) is LIGHT
    assert winner_of(ONE_OFF.mirrored()) is DARK
    assert winner_of(Position.start()) is None
    assert game_result(ONE_OFF, LIGHT, rules=rules).winner is LIGHT


@pytest.mark.parametrize("rules", [T0, T4_BY_POINTS], ids=["row_8_2", "row_8_3"])
def test_rows_8_2_and_8_3_points_by_zones(rules: RuleSet) -> None:
    assert rules.scoring.method == "checker-zones"
    end = board("", "bar:1 24:1 19:1 18:1 13:1 12:1 7:1 6:1 1:2")
    assert zone_points(end, LIGHT, rules) == 4 + 4 + 4 + 3 + 3 + 2 + 2 + 1 + 2 * 1
    assert points(end, rules) == 25
    assert points(ONE_OFF, rules) == 14


def test_row_8_4_played_for_money_none_off_is_double() -> None:
    money = ruleset_from({"preset": "text-000", "session": {"kind": "money"}})
    assert points(ONE_OFF, money) == 1
    assert points(NONE_OFF_OUTSIDE, money) == 2


def test_row_8_5_triple_though_some_are_off() -> None:
    assert T0.scoring.backgammon == "in-winner-home-or-bar"
    assert levels(T0) == [1, 2, 2, 3, 3, 3, 1]
    assert levels(MATCH) == [1, 2, 2, 3, 3, 1, 1]


def test_row_8_6_backgammon_needs_none_off() -> None:
    assert levels(T4) == [1, 2, 2, 3, 3, 1, 1]
    assert [points(end, T4, cube=2) for end in (ONE_OFF, NONE_OFF_HOME, ONE_FAR_BACK)] == [2, 4, 6]


def test_row_8_7_for_money_levels_times_the_cube_for_points_zones_without_a_cube() -> None:
    assert points(NONE_OFF_HOME, T4, cube=4) == 8
    assert points(ONE_FAR_BACK, T4, cube=4) == 12
    assert points(NONE_OFF_HOME, T4_BY_POINTS) == 15
    assert not T4_BY_POINTS.cube.enabled
    both = {"scoring": {"method": "checker-zones"}}
    assert points(NONE_OFF_HOME, ruleset_from({"preset": "text-004", **both}), cube=4) == 15
    both["scoring"]["cube_multiplies_zones"] = True  # type: ignore[assignment]
    assert points(NONE_OFF_HOME, ruleset_from({"preset": "text-004", **both}), cube=4) == 60


def test_row_8_8_single_and_gammon_only_with_all_home() -> None:
    assert levels(T3) == [1, 2, 3, 3, 3, 3, 3]


def test_row_8_9_one_off_and_not_home_is_literally_triple_unless_none_off_is_required() -> None:
    assert win_level(ONE_OFF_ONE_OUTSIDE, LIGHT, T3) == 3
    asked = ruleset_from({"preset": "text-003", "scoring": {"backgammon_requires_none_off": True}})
    assert win_level(ONE_OFF_ONE_OUTSIDE, LIGHT, asked) == 1
    assert win_level(NONE_OFF_OUTSIDE, LIGHT, asked) == 3


@pytest.mark.parametrize(
    ("last", "anywhere_but_home", "far_back"),
    [("6:1", 2, 2), ("7:1", 3, 2), ("18:1", 3, 2), ("19:1", 3, 3), ("24:1", 3, 3), ("bar:1", 3, 3)],
)
def test_where_a_gammon_becomes_a_backgammon(last: str, anywhere_but_home: int, far_back: int) -> None:
    end = board("", f"1:14 {last}")
    assert [win_level(end, LIGHT, rules) for rules in (T3, T0, MATCH)] == [anywhere_but_home, far_back, far_back]


def test_checkers_borne_off_count_where_the_rules_count_them() -> None:
    rules = ruleset_from({"preset": "text-000", "scoring": {"zones": {"off": 3}}})
    assert points(ONE_OFF_ONE_FAR_BACK, rules) == 13 * 1 + 4 + 3
    assert points(ONE_OFF_ONE_FAR_BACK, T0) == 13 * 1 + 4


def test_row_8_10_three_levels_times_the_cube() -> None:
    assert [points(end, T2, cube=8) for end in (ONE_OFF, NONE_OFF_HOME, ONE_FAR_BACK)] == [8, 16, 24]
    assert resigned_result(Position.start(), DARK, 2, cube=8, rules=T2).points == 16


def test_row_8_11_games_to_an_agreed_number_of_points() -> None:
    rules = PRESETS["text-001"]
    score = after_game(MatchScore(agreed_length(rules, 3)), LIGHT, 2, rules)
    assert (score.winner, score.away(LIGHT), score.game) == (None, 1, 2)
    score = after_game(score, LIGHT, 2, rules)
    assert (score.winner, score.light) == (LIGHT, 4)
    with pytest.raises(RulesError, match="over"):
        after_game(score, DARK, 1, rules)


def test_an_agreed_number_of_games_is_won_by_whoever_has_more_points() -> None:
    rules = ruleset_from({"preset": "text-000", "match": {"games": 2}})
    assert agreed_length(rules) == 0
    score = after_game(MatchScore(games=2), LIGHT, 15, rules)
    assert (score.over, score.winner) == (False, None)
    drawn, won = (after_game(score, DARK, points, rules) for points in (15, 25))
    assert [(one.over, one.winner) for one in (drawn, won)] == [(True, None), (True, DARK)]
    with pytest.raises(RulesError, match="over"):
        after_game(drawn, DARK, 1, rules)
    with pytest.raises(RulesError, match=r"match\.games"):
        agreed_length(rules, 7)


@pytest.mark.parametrize(
    ("name", "length"),
    [("match", 7), ("money", 0), ("text-000", 0), ("text-001", 7), ("text-002", 7), ("text-003", 7), ("text-004", 0)],
)
def test_where_nobody_says_a_length_money_and_zones_have_no_end(name: str, length: int) -> None:
    assert agreed_length(PRESETS[name]) == length


@pytest.mark.parametrize("name", ["money", "text-004"])
def test_a_length_for_a_money_session_is_refused_with_what_to_do(name: str) -> None:
    with pytest.raises(RulesError, match="without end"):
        agreed_length(PRESETS[name], 7)
    assert agreed_length(T4_BY_POINTS, 50) == 50


@pytest.mark.parametrize("rules", [T0, T4_BY_POINTS], ids=["text-000", "text-004"])
def test_a_resignation_counts_the_checkers_where_they_stand_as_the_texts_count_has_it(rules: RuleSet) -> None:
    far_back = board("6:15", "24:2 13:5 8:3 6:5")
    assert resigned_result(far_back, DARK, 1, rules=rules).points == 2 * 4 + 5 * 3 + 3 * 2 + 5 * 1
    assert resigned_result(far_back, DARK, 3, rules=rules) == GameResult(LIGHT, level=3, points=34)
    with pytest.raises(RulesError, match="1, 2 or 3, not 4"):
        resigned_result(far_back, DARK, 4, rules=rules)


def test_row_8_12_resigning_at_a_level_before_ones_own_roll() -> None:
    assert may_resign(2, DARK, on_roll=DARK, rules=T2) == ()
    assert [r.code for r in may_resign(2, DARK, on_roll=DARK, rolled=True, rules=T2)] == ["R39"]
    assert [r.code for r in may_resign(2, DARK, on_roll=LIGHT, rules=T2)] == ["R39"]
    assert [r.code for r in may_resign(4, DARK, on_roll=DARK, rules=T2)] == ["R40"]
    assert T2.resign.may_refuse
    never = ruleset_from({"resign": {"when": "never"}})
    assert [r.code for r in may_resign(1, DARK, on_roll=DARK, rules=never)] == ["R40"]
    any_time = ruleset_from({"resign": {"when": "any-time"}})
    assert may_resign(1, DARK, on_roll=LIGHT, rolled=True, rules=any_time) == ()


def test_a_length_for_a_money_game_is_refused_with_the_rules_named_so_that_it_can_be_translated() -> None:
    for name, called in (
        ("money", "'money'"),
        ("money with changes", Sentence("{preset} with changes", preset="'money'")),
    ):
        with pytest.raises(RulesError, match=f"By the rules {called} money is played for") as refused:
            agreed_length(replace(MONEY, name=name), 5)
        assert refused.value.sentence.values["name"] == called
        assert isinstance(refused.value.sentence.values["name"], type(called))


def test_row_8_13_any_number_of_money_games() -> None:
    assert T4.session.kind == "money"
    score = MatchScore()
    for _ in range(30):
        score = after_game(score, DARK, 3, T4)
    assert (score.winner, score.dark, score.away(DARK), score.game) == (None, 90, None, 31)


def test_row_8_14_a_match_to_n_points_or_a_money_session() -> None:
    assert (MATCH.session.kind, MONEY.session.kind) == ("match", "money")
    rules = ruleset_from({"preset": "text-002", "session": {"kind": "money"}, "cube": {"crawford": False}})
    assert rules.session.kind == "money"


def test_a_passed_double_counts_the_value_before_the_offer() -> None:
    assert passed_result(DARK, 2) == GameResult(LIGHT, level=1, points=2)


def test_an_abandoned_game_counts_for_nobody() -> None:
    score = MatchScore(length=5, light=4, game=3, crawford=True)
    assert after_abandoned_game(score) == MatchScore(length=5, light=4, game=4, crawford=True)
