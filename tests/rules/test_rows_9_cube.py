"""Section 9 of the rules by text: the doubling cube and its options. One test for each row, named by its number."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.rules import (
    MATCH,
    MONEY,
    PRESETS,
    Cube,
    CubeError,
    MatchScore,
    Reason,
    RuleSet,
    Side,
    TurnState,
    after_game,
    automatic_double,
    beaver,
    double,
    game_result,
    is_dead,
    may_answer,
    may_beaver,
    may_double,
    may_pass,
    may_raccoon,
    parse_ruleset,
    pass_points,
    raccoon,
    ruleset_from,
    take,
)
from controller.rules.match import agreed_score
from tests.rules.boards import board

T0, T1, T2, T3, T4 = (PRESETS[f"text-00{n}"] for n in range(5))
LIGHT, DARK = Side.LIGHT, Side.DARK
LIGHTS_TURN, DARKS_TURN = TurnState(LIGHT), TurnState(DARK)


def codes(reasons: tuple[Reason, ...]) -> list[str]:
    return [r.code for r in reasons]


def doubled_and_taken(cube: Cube, side: Side, rules: RuleSet = T2) -> Cube:
    return take(double(cube, side, TurnState(side), rules=rules), side.other, rules)


def test_row_9_1_the_cube_is_optional() -> None:
    assert T1.cube.enabled
    without = ruleset_from({"preset": "text-001", "cube": {"enabled": False}})
    assert codes(may_double(Cube(), LIGHT, LIGHTS_TURN, rules=without)) == ["R31"]


def test_row_9_2_no_cube() -> None:
    assert codes(may_double(Cube(), LIGHT, LIGHTS_TURN, rules=T0)) == ["R31"]


def test_row_9_3_the_cube_starts_in_the_middle_and_counts_one() -> None:
    assert (Cube().value, Cube().owner) == (1, None)


def test_row_9_4_only_before_ones_own_roll_and_only_the_owner() -> None:
    assert may_double(Cube(), LIGHT, LIGHTS_TURN, rules=T2) == ()
    assert may_double(Cube(), DARK, DARKS_TURN, rules=T2) == ()
    assert codes(may_double(Cube(), LIGHT, TurnState(LIGHT, rolled=True), rules=T2)) == ["R15"]
    assert codes(may_double(Cube(), LIGHT, DARKS_TURN, rules=T2)) == ["R32"]
    taken = doubled_and_taken(Cube(), LIGHT)
    assert codes(may_double(taken, LIGHT, LIGHTS_TURN, rules=T2)) == ["R16"]
    assert may_double(taken, DARK, DARKS_TURN, rules=T2) == ()


def test_row_9_5_a_pass_loses_the_current_value_a_take_gives_the_cube() -> None:
    offered = double(Cube(), LIGHT, LIGHTS_TURN, rules=T2)
    assert pass_points(offered, DARK, T2) == 1
    assert (take(offered, DARK, T2).value, take(offered, DARK, T2).owner) == (2, DARK)
    again = double(take(offered, DARK, T2), DARK, DARKS_TURN, rules=T2)
    assert pass_points(again, LIGHT, T2) == 2


def test_row_9_6_redoubling_without_end() -> None:
    cube, side = Cube(), LIGHT
    for _ in range(8):
        cube, side = doubled_and_taken(cube, side, T2), side.other
    assert cube.value == 256
    capped = ruleset_from({"cube": {"max": 64}})
    assert codes(may_double(Cube(64, LIGHT), LIGHT, LIGHTS_TURN, rules=capped)) == ["R33"]


def test_row_9_7_only_the_taker_may_redouble_strictly_in_turn() -> None:
    taken = doubled_and_taken(Cube(), LIGHT, T3)
    assert (taken.value, taken.owner) == (2, DARK)
    with pytest.raises(CubeError, match="Only Black may double"):
        double(taken, LIGHT, LIGHTS_TURN, rules=T3)
    assert doubled_and_taken(taken, DARK, T3) == Cube(4, LIGHT)
    assert codes(may_double(Cube(64, LIGHT), LIGHT, LIGHTS_TURN, rules=T3)) == ["R33"]


def test_row_9_8_on_turn_before_rolling() -> None:
    assert codes(may_double(Cube(), LIGHT, TurnState(LIGHT, rolled=True), rules=T4)) == ["R15"]
    offered = double(Cube(2, DARK), DARK, DARKS_TURN, rules=T4)
    assert pass_points(offered, LIGHT, T4) == 2
    assert take(offered, LIGHT, T4).owner is LIGHT


def test_row_9_9_automatic_doubles_leave_the_cube_centred_up_to_a_limit() -> None:
    assert automatic_double(Cube(), T2) == Cube()
    rules = ruleset_from({"preset": "money", "cube": {"auto_doubles": 2}})
    cube = automatic_double(Cube(), rules)
    assert (cube.value, cube.owner) == (2, None)
    cube = automatic_double(automatic_double(cube, rules), rules)
    assert cube.value == 4


def test_row_9_9_automatic_doubles_are_for_matches_too_but_not_where_the_cube_is_left_out() -> None:
    """Text 002 keeps the Jacoby rule to money and the Crawford game from the cube ("bez zdvojnásobovací kostky"), not these."""
    rules = parse_ruleset("text-002", ["cube.auto_doubles=1"])
    assert rules.session.kind == "match"
    doubled = [automatic_double(Cube(), rules, score).value for score in (
        MatchScore(5), MatchScore(5, 4, 0, crawford=True), MatchScore(5, 4, 1, crawford_done=True), MatchScore(1)
    )]  # fmt: skip
    assert doubled == [2, 1, 2, 1]


def test_row_9_10_one_automatic_double_as_a_rule() -> None:
    assert T4.cube.auto_doubles == 1
    assert automatic_double(automatic_double(Cube(), T4), T4) == Cube(2, auto_doubles=1)
    assert automatic_double(Cube(), T1) == Cube()


def test_row_9_11_a_beaver_keeps_the_cube_and_the_doubler_may_refuse() -> None:
    offered = double(Cube(), LIGHT, LIGHTS_TURN, rules=MONEY)
    beavered = beaver(offered, DARK, MONEY)
    assert (beavered.value, beavered.owner, beavered.answering) == (2, DARK, LIGHT)
    assert take(beavered, LIGHT, MONEY) == Cube(4, DARK, beavers=1)
    assert pass_points(beavered, LIGHT, MONEY) == 2
    assert codes(may_beaver(offered, DARK, T2)) == ["R35"]
    second = double(take(beavered, LIGHT, MONEY), DARK, DARKS_TURN, rules=MONEY)
    assert codes(may_beaver(second, LIGHT, MONEY)) == ["R35"]
    forced = ruleset_from({"preset": "money", "cube": {"doubler_may_refuse": False}})
    assert codes(may_pass(beavered, LIGHT, forced)) == ["R42"]


@pytest.mark.parametrize("owner", ["beaverer", "doubler"])
def test_row_9_12_a_raccoon_answers_a_beaver(owner: str) -> None:
    rules = ruleset_from({"preset": "money", "cube": {"raccoon": True, "raccoon_owner": owner}})
    beavered = beaver(double(Cube(), LIGHT, LIGHTS_TURN, rules=rules), DARK, rules)
    answered = raccoon(beavered, LIGHT, rules)
    assert (answered.value, answered.answering) == (4, DARK)
    assert take(answered, DARK, rules) == Cube(8, DARK if owner == "beaverer" else LIGHT, beavers=1)
    assert pass_points(answered, DARK, rules) == 4
    assert codes(may_raccoon(beavered, LIGHT, MONEY)) == ["R36"]
    assert codes(may_raccoon(double(Cube(), LIGHT, LIGHTS_TURN, rules=rules), DARK, rules)) == ["R36"]


def test_row_9_13_jacoby_gammons_count_single_until_the_cube_is_turned() -> None:
    gammon = board("", "6:15")
    assert game_result(gammon, LIGHT, 1, MONEY, owned=False).points == 1
    assert game_result(gammon, LIGHT, 2, MONEY, owned=True).points == 4
    assert game_result(gammon, LIGHT, 1, MATCH, owned=False).points == 2
    rules = ruleset_from({"preset": "money", "cube": {"auto_doubles": 1}})
    cube = automatic_double(Cube(), rules)
    assert game_result(gammon, LIGHT, cube.value, rules, owned=cube.owner is not None).points == 2


def test_row_9_14_crawford_no_doubling_in_one_game() -> None:
    score = after_game(MatchScore(length=5), LIGHT, 4, MATCH)
    assert score.crawford
    assert codes(may_double(Cube(), DARK, DARKS_TURN, score)) == ["R14"]
    score = after_game(score, DARK, 1, MATCH)
    assert (score.crawford, score.crawford_done) == (False, True)
    assert may_double(Cube(), DARK, DARKS_TURN, score) == ()
    score = after_game(score, DARK, 3, MATCH)
    assert (score.light, score.dark, score.crawford) == (4, 4, False)


@given(st.integers(1, 9), st.lists(st.tuples(st.sampled_from(Side), st.integers(1, 4)), max_size=12))
def test_a_score_that_is_set_as_it_is_changes_nothing(length: int, games: list[tuple[Side, int]]) -> None:
    score = MatchScore(length)
    for winner, points in games:
        if not score.over:
            score = after_game(score, winner, points)
        assert agreed_score(score, (score.light, score.dark)) == score


def test_a_score_that_is_set_says_whether_the_crawford_game_is_still_to_be_played() -> None:
    after = MatchScore(3, 2, 1, crawford_done=True)
    assert not agreed_score(after, (1, 2)).crawford
    none = agreed_score(after, (1, 1))
    assert not none.crawford_done
    assert after_game(none, LIGHT, 1).crawford
    assert not agreed_score(MatchScore(3), (2, 2)).crawford
    for said, crawford in ((None, True), (True, True), (False, False)):
        set_so = agreed_score(MatchScore(3), (2, 1), crawford=said)
        assert (set_so.crawford, set_so.crawford_done) == (crawford, not crawford)
    assert not agreed_score(MatchScore(3), (2, 1), T1, crawford=True).crawford


@pytest.mark.parametrize("rules", [T0, T1, T3, T4], ids=lambda rules: str(rules.name))
def test_row_9_15_no_crawford_jacoby_beaver_raccoon(rules: RuleSet) -> None:
    cube = rules.cube
    assert (cube.crawford, cube.jacoby, cube.beavers, cube.raccoon) == (False, False, 0, False)
    assert not after_game(MatchScore(length=5), LIGHT, 4, rules).crawford


def test_all_reasons_against_a_double_are_given_at_once() -> None:
    score = MatchScore(length=3, light=2, crawford=True)
    found = may_double(Cube(2, DARK), LIGHT, TurnState(LIGHT, rolled=True), score)
    assert codes(found) == ["R14", "R15", "R16"]


def test_a_dead_cube() -> None:
    score = MatchScore(length=5, light=3, dark=1)
    assert is_dead(Cube(2, LIGHT), LIGHT, score)
    assert not is_dead(Cube(2, DARK), DARK, score)
    assert not is_dead(Cube(64, DARK), DARK, MatchScore())
    assert may_double(Cube(2, LIGHT), LIGHT, LIGHTS_TURN, score) == ()
    strict = ruleset_from({"cube": {"dead": "refused"}})
    assert codes(may_double(Cube(2, LIGHT), LIGHT, LIGHTS_TURN, score, strict)) == ["R34"]
    assert codes(may_double(Cube(), LIGHT, LIGHTS_TURN, MatchScore(length=1))) == ["R34"]


def test_answers_need_an_offer_and_the_right_player() -> None:
    assert codes(may_answer(Cube(), DARK)) == ["R37"]
    offered = double(Cube(), LIGHT, LIGHTS_TURN)
    assert codes(may_answer(offered, LIGHT)) == ["R41"]
    assert codes(may_double(offered, LIGHT, LIGHTS_TURN)) == ["R38"]
    with pytest.raises(CubeError, match="Black has to answer"):
        take(offered, LIGHT)


def test_a_beaver_must_stay_under_the_cap() -> None:
    capped = ruleset_from({"preset": "money", "cube": {"max": 2}})
    assert codes(may_beaver(double(Cube(), LIGHT, LIGHTS_TURN, rules=capped), DARK, capped)) == ["R33"]


def test_a_raccoon_must_stay_under_the_cap() -> None:
    for cap, said in ((4, ["R33"]), (8, [])):
        rules = ruleset_from({"preset": "money", "cube": {"raccoon": True, "max": cap}})
        beavered = beaver(double(Cube(), LIGHT, LIGHTS_TURN, rules=rules), DARK, rules)
        assert codes(may_raccoon(beavered, LIGHT, rules)) == said, cap


def test_an_automatic_double_stays_under_the_cap() -> None:
    rules = ruleset_from({"preset": "money", "cube": {"auto_doubles": 3, "max": 4}})
    cube = Cube()
    for value in (2, 4, 4):
        cube = automatic_double(cube, rules)
        assert cube.value == value


def test_beavers_and_raccoons_need_an_offer_and_the_right_player() -> None:
    rules = ruleset_from({"preset": "money", "cube": {"raccoon": True, "doubler_may_refuse": False}})
    offered = double(Cube(), LIGHT, LIGHTS_TURN, rules=rules)
    beavered = beaver(offered, DARK, rules)
    assert [codes(may(Cube(), DARK, rules)) for may in (may_beaver, may_raccoon)] == [["R37"], ["R37"]]
    assert codes(may_beaver(offered, LIGHT, rules)) == codes(may_raccoon(beavered, DARK, rules)) == ["R41"]
    with pytest.raises(CubeError, match="White has to answer"):
        raccoon(beavered, DARK, rules)
    with pytest.raises(CubeError, match="No beaver here: 0 allowed"):
        beaver(offered, DARK, T2)
    with pytest.raises(CubeError, match="The beaver must be taken") as refused:
        pass_points(beavered, LIGHT, rules)
    assert codes(refused.value.reasons) == ["R42"]
