"""Rule sets from keys: presets, single keys, and what is refused by name."""

from __future__ import annotations

import tomllib

import pytest

from controller.rules import MATCH, MONEY, PRESETS, RuleSetError, conflicts, ruleset_from, ruleset_keys

SCHEMA = """
preset = "match"
start = { first = "high", high_prize = "none", opening_dice = "draw", tie = "reroll" }
dice = { landing = "right-half", on_checker = "cocked", premature_roll = "stands" }
bar = { closed_out = "skip-roll" }
bearoff = { order = "standard", excess = "bear-off-rearmost", forced = false }
scoring = { method = "win-levels", gammon = "none-off", backgammon = "none-off-and-in-winner-home-or-bar" }
resign = { when = "before-roll", may_refuse = true }
variant = { position = "standard" }
illegal = { policy = "mandatory", window = "until-next-roll" }
setup = { correct_until_roll = 5 }
clock = { delay_s = 12, minutes_per_point = 2 }

[move]
compulsory = true
intermediate = "each-step"
hit_on_touch = true
maximise_dice = true
larger_die = true
stack_limit = 0
doubles = 4

[cube]
enabled = true
max = 0
auto_doubles = 0
beavers = 0
raccoon = false
jacoby = false
crawford = true
"""


def test_the_schema_of_the_texts_is_the_default() -> None:
    assert ruleset_keys(ruleset_from(tomllib.loads(SCHEMA))) == ruleset_keys(MATCH)


@pytest.mark.parametrize("name", PRESETS)
def test_presets_are_chosen_by_name_and_contradict_nothing(name: str) -> None:
    assert ruleset_from({"preset": name}) == PRESETS[name]
    assert conflicts(PRESETS[name]) == ()


def test_without_a_preset_it_is_match() -> None:
    assert ruleset_from({}) == MATCH


def test_single_keys_change_a_preset() -> None:
    rules = ruleset_from(tomllib.loads('preset = "money"\ncube.beavers = 3\ncube.phrase.cs = "Dávám"'))
    assert (rules.cube.beavers, rules.cube.jacoby, rules.cube.phrase.cs) == (3, True, "Dávám")
    assert MONEY.cube.beavers == 1
    assert rules.name == "money with changes"


@pytest.mark.parametrize("key", sorted(ruleset_keys(MATCH)))
def test_every_key_can_be_written_and_a_wrong_kind_of_value_is_refused_by_name(key: str) -> None:
    value = ruleset_keys(MATCH)[key]
    assert ruleset_keys(ruleset_from(nested(key, value))) == ruleset_keys(MATCH)
    with pytest.raises(RuleSetError, match=key.replace(".", r"\.")):
        ruleset_from(nested(key, 2.5))
    with pytest.raises(RuleSetError, match=key.replace(".", r"\.") + "x"):
        ruleset_from(nested(key + "x", value))


def nested(key: str, value: object) -> dict[str, object]:
    """{"a": {"b": value}} for "a.b"."""
    first, _, rest = key.partition(".")
    return {first: nested(rest, value) if rest else value}


@pytest.mark.parametrize(
    ("mapping", "named"),
    [
        ({"preset": "chess"}, "preset 'chess'"),
        ({"cubes": {}}, "cubes; did you mean cube"),
        ({"cube": {"bever": 1}}, "cube.bever; did you mean cube.beavers"),
        ({"cube": 3}, "cube is a table"),
        ({"cube": {"beavers": -1}}, "cube.beavers must be a whole number"),
        ({"cube": {"beavers": True}}, "cube.beavers must be a whole number"),
        ({"move": {"doubles": True}}, "move.doubles cannot be True"),
        ({"equipment": {"colours": ["red"]}}, "equipment.colours must be a list of 2"),
        ({"equipment": {"colours": "red"}}, "equipment.colours must be a list"),
        ({"session": {"kind": "money"}}, "cube.crawford"),
        ({"cube": {"jacoby": True}}, "cube.jacoby"),
        ({"cube": {"auto_doubles": 1}}, "cube.auto_doubles"),
        ({"preset": "money", "match": {"length": 7}}, "match.length"),
        ({"preset": "money", "cube": {"enabled": False}}, "cube.enabled"),
        ({"cube": {"raccoon": True}}, "cube.raccoon"),
        ({"cube": {"max": 1}}, "cube.max"),
        ({"cube": {"max": 48}}, "cube.max"),
        ({"scoring": {"gammon": "all-home-none-off"}}, "scoring.gammon"),
        ({"preset": "money", "scoring": {"method": "checker-zones"}}, "cube.jacoby"),
        ({"scoring": {"cube_multiplies_zones": True}}, "scoring.cube_multiplies_zones"),
        ({"move": {"stack_limit": 4}}, "move.stack_limit"),
        ({"equipment": {"dice_by_colour": True}}, "equipment.dice_by_colour"),
        ({"equipment": {"checkers": 3}}, "equipment.checkers"),
        ({"variant": {"position": "hypergammon"}, "equipment": {"checkers": 15}}, "equipment.checkers"),
        ({"start": {"first": "agreed", "high_prize": "colour"}}, "start.first"),
        ({"resign": {"levels": [1, 4]}}, "resign.levels"),
        ({"resign": {"levels": []}}, "resign.levels"),
        ({"preset": "money", "chouette": {"players": 2}}, "chouette.players"),
        ({"chouette": {"players": 4}}, "chouette.players"),
    ],
)
def test_what_cannot_be_is_refused_by_name(mapping: dict[str, object], named: str) -> None:
    with pytest.raises(RuleSetError) as refused:
        ruleset_from(mapping)
    assert named in str(refused.value)
