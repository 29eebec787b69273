"""Sections 10 and 11 of the rules by text: variants and notation. One test for each row, named by its number."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.record.formats import parse_record
from controller.record.model import AnyAction, DoubleAction, PassAction, PlayAction, ResignAction
from controller.rules import (
    MONEY,
    PRESETS,
    CubeError,
    NotationError,
    Position,
    RulesError,
    RuleSetError,
    Side,
    TurnState,
    beaver_stake,
    chouette_points,
    double_stake,
    format_play,
    game_result,
    legal_plays,
    may_advise,
    new_chouette,
    next_order,
    parse_play,
    pass_stake,
    problems,
    raccoon_stake,
    read_play,
    ruleset_from,
    take_stake,
)
from controller.rules.ruleset import ChouetteRules
from tests.rules.boards import after, board, plays

T2 = PRESETS["text-002"]
LIGHT, DARK = Side.LIGHT, Side.DARK
EGYPTIAN = ruleset_from({"preset": "text-002", "move": {"stack_limit": 5}})
ORDER = ("Anna", "Bedřich", "Cyril", "Dana")

SAMPLE_GAME = """
31: 8/5 6/5 66: 24/18(2) 13/7(2)
26: 13/5 Zdvojnásobení na 2 ?
Přijato 65: 18/7
25: 24/22 13/8 45: 8/3* 7/3
23: bar/23 24/2156: 18/7
"""


def written(text: str) -> tuple[AnyAction, ...]:
    """What the record's reader makes of a game on paper."""
    return parse_record(text.encode()).games[0].actions


def test_row_10_1_egyptian_rule_never_more_than_five_on_a_point() -> None:
    start = Position.start()
    assert "13/8 13/10" not in plays(start, (5, 3), EGYPTIAN)
    for dice in ((6, 1), (5, 5), (4, 2)):
        for play in legal_plays(start, LIGHT, dice, EGYPTIAN):
            assert max(play.result.own(LIGHT)) <= 5
    assert plays(board("bar:1 20:5", "6:2"), (5, 5), EGYPTIAN) == {""}
    assert plays(board("7:1 6:5 1:5", "24:1"), (1, 1), EGYPTIAN) != plays(board("7:1 6:5 1:5"), (1, 1), T2)
    assert [r.code for r in problems(board("6:6"), EGYPTIAN)] == ["R27"]
    with pytest.raises(RuleSetError, match="stack_limit"):
        ruleset_from({"move": {"stack_limit": 4}})


def test_row_10_2_nackgammon_differs_in_its_start_only() -> None:
    rules = ruleset_from({"preset": "text-002", "variant": {"position": "nackgammon"}})
    start = Position.start(rules.variant.position)
    assert start == board("24:2 23:2 13:4 8:3 6:4", "24:2 23:2 13:4 8:3 6:4")
    assert len(legal_plays(start, LIGHT, (6, 5), rules)) == 7


def test_row_10_3_hypergammon_three_checkers_a_side() -> None:
    rules = ruleset_from({"preset": "text-002", "variant": {"position": "hypergammon"}})
    assert rules.variant.position == "hypergammon"
    start = Position.start("hypergammon")
    assert (start, start.off(LIGHT)) == (board("24:1 23:1 22:1", "24:1 23:1 22:1", checkers=3), 0)
    assert len(legal_plays(start, LIGHT, (6, 6), rules)) == 12
    gammon = board("", "23:3", checkers=3)
    assert game_result(gammon, DARK.other, rules=rules).level == 3


def test_row_10_4_box_against_all_others_led_by_the_captain() -> None:
    game = new_chouette(ORDER, LIGHT)
    assert (game.box, game.captain) == ("Anna", "Bedřich")
    for few in (ORDER[:2], ("Anna", "Bedřich", "Anna")):
        with pytest.raises(RulesError, match="at least three"):
            new_chouette(few, LIGHT)
    assert len(new_chouette(ORDER[:3], LIGHT).stakes) == 2
    advice = {name: replace(MONEY, chouette=ChouetteRules(4, name)) for name in ("free", "after-double", "none")}
    allowed = {
        name: (may_advise(rules, captain_doubled=False), may_advise(rules, captain_doubled=True))
        for name, rules in advice.items()
    }
    assert allowed == {"free": (True, True), "after-double": (False, True), "none": (False, False)}


def test_row_10_5_every_team_player_has_his_own_cube() -> None:
    game = new_chouette(ORDER, LIGHT)
    turn = TurnState(DARK)
    for player in ORDER[1:]:
        game = double_stake(game, player, DARK, turn)
    game = take_stake(game, "Bedřich", LIGHT)
    game = pass_stake(game, "Cyril", LIGHT)
    raccoons = ruleset_from({"preset": "money", "cube": {"raccoon": True}})
    game = raccoon_stake(beaver_stake(game, "Dana", LIGHT), "Dana", DARK, raccoons)
    game = take_stake(game, "Dana", LIGHT, raccoons)
    assert [s.cube.value for s in game.stakes] == [2, 1, 8]
    # The box wins a gammon: Bedřich pays 4, Dana 16; Cyril has won 1 by the pass.
    assert chouette_points(game, LIGHT, 2) == {"Anna": 19, "Bedřich": -4, "Cyril": 1, "Dana": -16}
    with pytest.raises(CubeError, match="No double is offered"):
        double_stake(game, "Cyril", LIGHT, TurnState(LIGHT))
    with pytest.raises(CubeError, match="No double is offered"):
        take_stake(game, "Cyril", LIGHT)
    with pytest.raises(RulesError, match="Anna has no cube"):
        take_stake(game, "Anna", DARK)


def test_row_10_5_without_the_jacoby_rule_a_gammon_counts_on_a_cube_that_nobody_has_turned() -> None:
    game = new_chouette(ORDER[:3], LIGHT)
    free = ruleset_from({"preset": "money", "cube": {"jacoby": False}})
    assert chouette_points(game, DARK, 2, MONEY) == {"Anna": -2, "Bedřich": 1, "Cyril": 1}
    assert chouette_points(game, DARK, 2, free) == {"Anna": -4, "Bedřich": 2, "Cyril": 2}


def test_row_10_5_the_box_doubles_each_and_the_captaincy_passes_on() -> None:
    game = new_chouette(ORDER, LIGHT)
    for player in ORDER[1:]:
        game = double_stake(game, player, LIGHT, TurnState(LIGHT))
    game = pass_stake(game, "Bedřich", DARK)
    assert (game.captain, game.over) == ("Cyril", False)
    game = pass_stake(pass_stake(game, "Cyril", DARK), "Dana", DARK)
    assert (game.captain, game.over) == ("Bedřich", True)
    assert chouette_points(game, LIGHT, 1) == {"Anna": 3, "Bedřich": -1, "Cyril": -1, "Dana": -1}


def test_row_10_5_one_cube_for_the_whole_team_by_choice() -> None:
    rules = replace(MONEY, chouette=ChouetteRules(4, cubes="one"))
    game = new_chouette(ORDER, DARK, rules)
    assert [s.player for s in game.stakes] == ["Bedřich"]
    assert chouette_points(game, LIGHT, 2, MONEY) == {"Anna": -1, "Bedřich": 1, "Cyril": 0, "Dana": 0}
    assert chouette_points(game, LIGHT, 2, rules) == {"Anna": -3, "Bedřich": 1, "Cyril": 1, "Dana": 1}


def test_row_10_6_rotation() -> None:
    assert next_order(ORDER, box_won=True) == ("Anna", "Cyril", "Dana", "Bedřich")
    assert next_order(ORDER, box_won=False) == ("Bedřich", "Cyril", "Dana", "Anna")


def test_row_11_1_roll_then_from_and_to_with_the_second_number_lower() -> None:
    written = read_play("31: 8/5 6/5")
    assert (written.dice, written.paths) == ((3, 1), ((8, 5), (6, 5)))
    assert [read_play(f"{roll}: 13/11").dice for roll in ("26", "62", "2-6")] == [(6, 2)] * 3
    with pytest.raises(NotationError, match="higher point to a lower"):
        read_play("5/8")


@pytest.mark.parametrize("off", ["0", "out", "off", "ven", "von", "OFF"])
@pytest.mark.parametrize("bar", ["bar", "25", "Bar"])
def test_row_11_2_five_words_for_off_and_two_for_the_bar(off: str, bar: str) -> None:
    assert read_play(f"{bar}/20 4/{off}").paths == ((25, 20), (4, 0))


def test_row_11_2_written_in_the_readers_language() -> None:
    (play,) = legal_plays(board("4:1 3:1"), LIGHT, (6, 5))
    assert [format_play(play, language) for language in ("en", "cs", "sk")] == [
        "4/off 3/off",
        "4/ven 3/ven",
        "4/von 3/von",
    ]


def test_row_11_3_hits_joined_steps_and_repetition() -> None:
    assert plays(board("9:1"), (3, 2)) == {"9/4"}
    assert plays(board("11:1", "16:1 18:2"), (4, 2)) == {"11/9*/5"}
    assert "19/17(2) 6/4(2)" in plays(board("19:2 6:2"), (2, 2))
    written = read_play("11/9*/5")
    assert (written.paths, written.hits) == (((11, 9, 5),), (9,))
    assert read_play("19/17(2)").paths == ((19, 17), (19, 17))


def test_row_11_4_no_move_the_roll_alone() -> None:
    closed = board("bar:1", "6:2 5:2")
    assert parse_play("65:", closed, LIGHT).moves == ()
    (dance,) = legal_plays(closed, LIGHT, (6, 5))
    assert format_play(dance) == ""


@pytest.mark.parametrize(
    ("offer", "answer", "resignation"),
    [
        ("Zdvojnásobení na 2", "Přijato", "Vzdáno gammon"),
        ("Zdvojení na 2", "Přijímám", "Vzdává gammon"),
        ("Zdvojenie na 2", "Prijaté", "Vzdané gammon"),
        ("Doubles => 2", "Takes", "Resigns gammon"),
    ],
)
def test_row_11_5_special_actions_in_words(offer: str, answer: str, resignation: str) -> None:
    actions = written(f"31: 8/5 6/5 {offer}\n{answer} 65: 24/13\n{resignation}")
    assert [action.kind for action in actions] == ["play", "double", "take", "play", "resign"]
    doubled, given_up = actions[1], actions[4]
    assert isinstance(doubled, DoubleAction)
    assert isinstance(given_up, ResignAction)
    assert (doubled.value, given_up.level) == (2, 2)
    passed = written(f"31: 8/5 6/5 {offer}\n{'Odmítnuto' if 'Zdvoj' in offer else 'Drops'}")
    assert isinstance(passed[-1], PassAction)


def test_row_11_6_annotation_marks() -> None:
    marks = [read_play(text).mark for text in ("31: 8/5 6/5 ?", "31: 8/5 6/5??", "31: 8/5 6/5!", "31: 8/5 6/5")]
    assert marks == ["?", "??", "!", ""]
    assert written("31: 8/5 6/5 Zdvojnásobení na 2 ?")[1].mark == "?"


def test_row_11_7_the_sample_game_with_its_missing_blank() -> None:
    actions = written(SAMPLE_GAME)
    assert [action.kind for action in actions] == ["play"] * 3 + ["double", "take"] + ["play"] * 5
    plays_made = [action for action in actions if isinstance(action, PlayAction)]
    assert [(play.player, play.moves) for play in plays_made] == [
        (0, ((8, 5), (6, 5))),
        (1, ((24, 18), (24, 18), (13, 7), (13, 7))),
        (0, ((13, 11), (11, 5))),
        (1, ((18, 13), (13, 7))),
        (0, ((24, 22), (13, 8))),
        (1, ((8, 3), (7, 3))),
        (0, ((25, 23), (24, 21))),
        (1, ((18, 13), (13, 7))),
    ]
    assert all(play.legal for play in plays_made)


def test_an_illegal_play_on_a_sheet_is_named() -> None:
    assert [action.legal for action in written("31: 8/3") if isinstance(action, PlayAction)] == [False]


def test_a_hit_on_the_way_must_be_written_where_it_matters() -> None:
    both_ways = board("13:1", "17:1 1:14")
    assert after(both_ways, LIGHT, "13/5", (5, 3)) == parse_play("13/5", both_ways, LIGHT, (5, 3)).result
    assert parse_play("13/8*/5", both_ways, LIGHT, (5, 3)).result.own(DARK)[24] == 1
