"""No key of the rules is dead: changing it changes what a match at the desk comes to, or another test of the program says what it
changes, or it is refused with why."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

from controller.app.status_sentence import status
from controller.referee.commands import CommandError
from controller.referee.session import MatchPlan
from controller.referee.state import MatchState
from controller.rules import (
    MATCH,
    Position,
    RuleSet,
    Side,
    agreed_length,
    parse_ruleset,
    position_id,
    ruleset_keys,
)
from controller.rules.codes import Code
from tests.referee.table import Board
from tests.referee.test_commands import Hand
from tests.rules.boards import board

LIGHT = Side.LIGHT
TESTS = Path(__file__).parents[1]


def outcome(rules: RuleSet, *said: tuple[str, dict[str, Any]]) -> tuple[MatchState, list[str]]:
    """The match after these commands, without what rules it is played by; what was refused is told."""
    hand, told = Hand(agreed_length(rules), rules), []
    for kind, about in said:
        try:
            told.append(str([type(event).__name__ for event in hand.say(kind, **about)]))
        except CommandError as error:
            told.append(str(error))
    told.append(status(hand.state))
    return replace(hand.state, ruleset=MATCH), told


def at(position: Position, *said: tuple[str, dict[str, Any]]) -> tuple[tuple[str, dict[str, Any]], ...]:
    return (("position", {"position": position_id(position, LIGHT), "turn": "light"}), *said)


def turn(dice: list[int], play: str) -> tuple[tuple[str, dict[str, Any]], ...]:
    return ("roll", {"dice": dice}), ("play", {"notation": play})


DRAW = (("draw", {"light": 5, "dark": 2}),)
TIE = (("draw", {"light": 4, "dark": 4}), *DRAW)
DOUBLES: tuple[tuple[str, dict[str, Any]], ...] = (("double", {}), ("beaver", {}), ("raccoon", {}), ("take", {}))
RESIGN = at(Position.start(), ("resign-offer", {"side": "light", "level": 3}))
WIN = turn([2, 1], "1/off(2)")
GAMMON, OUTSIDE, FAR = board("1:2", "6:15"), board("1:2", "6:14 10:1"), board("1:2", "6:13 22:1")
ZONES = board("1:2", "bar:1 22:1 16:1 9:1 6:2")
MONEY, ZONED = ("money",), ("text-000",)

PROBES: dict[str, tuple[tuple[str, ...], str, tuple[tuple[str, dict[str, Any]], ...]]] = {
    "start.first": (("match",), "low", DRAW),
    "start.high_prize": (("text-000",), "none", DRAW),
    "start.opening_dice": (("match",), "fresh", DRAW),
    "move.compulsory": (("match",), "false", at(Position.start(), *turn([3, 1], ""))),
    "move.intermediate": (("match",), "endpoint-only", at(board("13:1", "18:2 17:2 1:2"), *turn([6, 5], "13/2"))),
    "move.hit_on_touch": (("match",), "false", at(board("13:1", "17:1 1:14"), *turn([5, 3], "13/8*/5"))),
    "move.maximise_dice": (("match",), "false", at(board("24:1 12:1", "7:2 24:2"), *turn([6, 5], "12/7"))),
    "move.larger_die": (("match",), "false", at(board("24:1", "12:2 2:2"), *turn([6, 5], "24/19"))),
    "move.stack_limit": (("match",), "5", at(board("8:1 7:1 6:5", "24:2"), *turn([2, 1], "8/6 7/6"))),
    "move.doubles": (("match",), "2", at(board("8:3 6:5", "13:5"), *turn([1, 1], "8/7(2) 6/5(2)"))),
    "bar.closed_out": (("match",), "roll-and-pass", at(board("bar:1 6:5", "1:2 2:2 3:2 4:2 5:2 6:2"), ("play", {}))),
    "bearoff.order": (("match",), "rear-first", at(board("6:2 3:1", "24:2"), *turn([3, 1], "6/5 3/off"))),
    "bearoff.excess": (("match",), "exact-only", at(board("4:2", "24:2"), *turn([6, 5], "4/off(2)"))),
    "bearoff.forced": (("match",), "true", at(board("6:1 4:1 1:1", "13:2"), *turn([4, 1], "6/2 1/off"))),
    "scoring.method": (("match",), "checker-zones", at(GAMMON, *WIN)),
    "scoring.backgammon": (("match",), "in-winner-home-or-bar", at(FAR, *WIN)),
    "scoring.backgammon_requires_none_off": (("text-003",), "true", at(board("1:2", "6:13 10:1"), *WIN)),
    "scoring.cube_multiplies_zones": (
        ("match", "scoring.method=checker-zones"), "true", at(ZONES, ("cube", {"value": 2, "owner": "light"}), *WIN),
    ),
    **{f"scoring.zones.{zone}": (ZONED, "9", at(ZONES, *WIN)) for zone in (
        "bar", "winner_home", "winner_outer", "loser_outer", "loser_home", "off",
    )},
    "cube.enabled": (("match",), "false", at(Position.start(), ("double", {}))),
    "cube.max": (("match",), "2", at(Position.start(), ("cube", {"value": 2, "owner": "light"}), ("double", {}))),
    "cube.auto_doubles": (MONEY, "1", TIE),
    "cube.beavers": (MONEY, "0", at(Position.start(), *DOUBLES)),
    "cube.doubler_may_refuse": (MONEY, "false", at(Position.start(), ("double", {}), ("beaver", {}), ("pass", {}))),
    "cube.raccoon": (MONEY, "true", at(Position.start(), *DOUBLES)),
    "cube.raccoon_owner": (("money", "cube.raccoon=true"), "doubler", at(Position.start(), *DOUBLES)),
    "cube.jacoby": (MONEY, "false", at(GAMMON, *WIN)),
    "cube.crawford": (("match",), "false", at(Position.start(), ("score", {"light": 6, "dark": 0}), ("double", {}))),
    "cube.dead": (
        ("match",), "refused",
        at(Position.start(), ("score", {"light": 5, "dark": 0}), ("cube", {"value": 2, "owner": "light"}), ("double", {})),
    ),
    "resign.when": (("match",), "never", RESIGN),
    "resign.levels": (("match",), "[1]", RESIGN),
    "resign.may_refuse": (("match",), "false", RESIGN),
    "match.games": (("match",), "1", at(GAMMON, *WIN)),
    "variant.position": (("match",), "nackgammon", ()),
}  # fmt: skip
"""By key: the rule set, another value, and what is said at the desk."""

ELSEWHERE = {
    "equipment.dice_by_colour": "end_to_end/test_dice_of_the_texts.py::test_whose_roll_it_is_follows_from_the_pair",
    "dice.landing": "referee/test_watches.py::test_rules_that_let_it_lie_there",
    "dice.baffle": "referee/test_watches.py::test_rules_that_let_it_lie_there",
    "dice.on_checker": 'referee/test_watches.py::opened(dice={"on_checker": "valid"})',
    "dice.premature_roll": "referee/test_watches.py::test_what_an_early_roll_is_worth_is_said",
    "illegal.policy": 'referee/test_watches.py::opened(illegal={"policy": "condone"})',
    "illegal.window": 'referee/test_watches.py::opened(illegal={"window": "until-dice-lifted"})',
    "device.role": "app/test_view.py::test_a_silent_recorder_shows_the_game_and_says_nothing_about_it",
    "turn.end": "referee/test_hit_clock.py::TurnRules(turn_ends)",
    "chouette.players": "referee/test_chouette.py::test_players_and_rules_must_go_together",
    "chouette.advice": "referee/test_chouette.py::test_whether_the_team_may_advise_is_shown",
    "chouette.cubes": "referee/test_chouette.py::test_one_cube_for_the_whole_team_is_the_one_on_the_board",
    "stake.point": "page/test_operator.py::test_what_a_point_is_worth_and_what_is_owed_stands_on_the_page",
    "session.kind": "page/test_operator.py::test_a_new_match_is_as_long_as_the_rules_say_and_what_cannot_be_is_refused",
}
"""By key: the file of the test that sees what it changes, and what it is found by."""


@pytest.mark.parametrize("key", PROBES)
def test_another_value_changes_what_the_match_comes_to(key: str) -> None:
    (name, *keys), value, said = PROBES[key]
    usual, other = parse_ruleset(name, keys), parse_ruleset(name, [*keys, f"{key}={value}"])
    assert outcome(usual, *said) != outcome(other, *said)


SEVERAL: dict[str, tuple[tuple[str, ...], tuple[tuple[tuple[str, dict[str, Any]], ...], ...]]] = {
    "start.first": (("match", "start.opening_dice=fresh"), (DRAW,)),
    "scoring.backgammon": (("match",), (at(FAR, *WIN), at(OUTSIDE, *WIN))),
    "resign.when": (("match",), (RESIGN, at(Position.start(), ("roll", {"dice": [3, 1]}), *RESIGN[1:]))),
    "variant.position": (("match",), ((),)),
}
"""Keys with more than two values: the rule set, and what is said in a match or two, so that each comes to something else."""

SEVERAL_ELSEWHERE = {
    "dice.landing": ("end_to_end/test_dice_of_the_texts.py::test_dice_thrown_on_the_table_beside_the_board_are_read",),
    "dice.premature_roll": ("referee/test_watches.py::opponent-chooses", "referee/test_watches.py::reroll"),
    "chouette.advice": ("referee/test_chouette.py::after-double",),
    "device.role": ("web/test_silence.py::monitor", "page/test_coach.py::device.role=coach"),
}
"""The same keys where another test sees the third value."""


@pytest.mark.parametrize("key", SEVERAL)
def test_every_value_of_a_key_is_a_rule_of_its_own(key: str) -> None:
    (name, *keys), matches = SEVERAL[key]
    told = [
        [outcome(parse_ruleset(name, [*keys, f"{key}={value}"]), *said) for said in matches] for value in values()[key]
    ]
    assert all(one != other for one, other in combinations(told, 2))


def values() -> dict[str, tuple[str, ...]]:
    """The words that a key may have, by full name."""
    found = {}
    for group in fields(RuleSet):
        kind = get_type_hints(RuleSet)[group.name]
        for name, words in get_type_hints(kind).items() if is_dataclass(kind) else ():
            if get_origin(words) is Literal and isinstance(get_args(words)[0], str):
                found[f"{group.name}.{name}"] = get_args(words)
    return found


@pytest.mark.parametrize("key", ["clock.delay_s", "clock.minutes_per_point"])
def test_the_clock_is_set_by_its_keys(key: str) -> None:
    def clock(rules: RuleSet) -> object:
        return Hand(3, rules, clock=True).state.clock

    assert clock(MATCH) != clock(parse_ruleset("match", [f"{key}=1"]))


def test_a_wrong_set_up_can_be_put_right_until_the_roll_that_its_key_names() -> None:
    def standing(rules: RuleSet) -> int:
        wrong = Position.of(light={24: 2, 13: 5, 8: 2, 7: 1, 6: 5}, dark={24: 2, 13: 5, 8: 3, 6: 5})
        table = Board(events=MatchPlan(rules, 3).begun())
        table.look(wrong, frames=4)
        assert [flag.code for flag in table.state.standing] == [Code.WRONG_SET_UP]
        table.look(wrong, [(3, Side.LIGHT), (1, Side.DARK)], frames=6)
        return len([flag for flag in table.state.standing if flag.code == Code.WRONG_SET_UP])

    assert standing(MATCH) == 1
    assert standing(parse_ruleset("match", ["setup.correct_until_roll=1"])) == 0


def test_no_key_is_left_out() -> None:
    told = {*PROBES, *ELSEWHERE, "clock.delay_s", "clock.minutes_per_point", "setup.correct_until_roll"}
    assert told == set(ruleset_keys(MATCH))
    assert {*SEVERAL, *SEVERAL_ELSEWHERE} == {key for key, words in values().items() if len(words) > 2}
    others = [(key, place) for key, places in SEVERAL_ELSEWHERE.items() for place in places]
    for key, place in (*ELSEWHERE.items(), *others):
        file, _, found = place.partition("::")
        assert found in (TESTS / file).read_text("utf-8"), key
