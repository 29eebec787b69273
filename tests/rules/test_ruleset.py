"""Rule sets from keys: presets, single keys, and what is refused by name."""

from __future__ import annotations

import tomllib

import pytest

from controller.rules import (
    MATCH,
    MONEY,
    PRESETS,
    RuleSetError,
    conflicts,
    parse_ruleset,
    parse_stake,
    ruleset_from,
    ruleset_keys,
    ruleset_over,
    ruleset_stored,
)

SCHEMA = """
preset = "match"
start = { first = "high", high_prize = "none", opening_dice = "draw" }
dice = { landing = "right-half", on_checker = "cocked", premature_roll = "stands" }
bar = { closed_out = "skip-roll" }
bearoff = { order = "standard", excess = "bear-off-rearmost", forced = false }
scoring = { method = "win-levels", backgammon = "none-off-and-in-winner-home-or-bar" }
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
    rules = ruleset_from(tomllib.loads('preset = "money"\ncube.beavers = 3\ncube.raccoon = true'))
    assert (rules.cube.beavers, rules.cube.jacoby, rules.cube.raccoon) == (3, True, True)
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


@pytest.mark.parametrize(
    ("said", "key", "value"),
    [
        ("variant=hypergammon", "variant.position", "hypergammon"),
        ("move.stack_limit=5", "move.stack_limit", 5),
        (" cube.max = 64 ", "cube.max", 64),
        ("resign.levels=1,2", "resign.levels", (1, 2)),
        ("resign.levels=1", "resign.levels", (1,)),
        ("bearoff.forced=true", "bearoff.forced", True),
        ('session="money"', "session.kind", "money"),
    ],
)
def test_a_key_is_set_in_words(said: str, key: str, value: object) -> None:
    assert ruleset_keys(parse_ruleset("text-003", [said]))[key] == value


@pytest.mark.parametrize(
    ("said", "named"),
    [
        ("hypergammon", "sets no rule"),
        ("=5", "sets no rule"),
        ("cube=5", "cube is a table"),
        ("cubes.max=5", "did you mean cube"),
        ("cube.max=x", "cube.max must be a whole number"),
        ("cube.max.x=1", "cube.max must be a whole number"),
        ("cube.max=" + "9" * 5000, "cube.max must be a whole number"),
    ],
)
def test_what_sets_no_rule_is_refused_by_name(said: str, named: str) -> None:
    with pytest.raises(RuleSetError) as refused:
        parse_ruleset("match", [said])
    assert named in str(refused.value)


@pytest.mark.parametrize("name", PRESETS)
def test_what_earlier_versions_wrote_down_is_read_and_their_dead_keys_left_out(name: str) -> None:
    dead = {"equipment.checkers": 15, "cube.phrase.cs": "Zdvojuji", "match.length": 7, "start.tie": "reroll"}
    assert ruleset_stored(name, {**ruleset_keys(PRESETS[name]), **dead}) == PRESETS[name]
    assert ruleset_stored("nobody's", {}).cube == MATCH.cube
    with pytest.raises(RuleSetError, match=r"cube\.dice"):
        ruleset_stored(name, {"cube.dice": 5})


def nested(key: str, value: object) -> dict[str, object]:
    """{"a": {"b": value}} for "a.b"."""
    first, _, rest = key.partition(".")
    return {first: nested(rest, value) if rest else value}


@pytest.mark.parametrize(
    ("mapping", "named"),
    [
        ({"preset": "chess"}, "rule set 'chess'"),
        ({"cubes": {}}, "cubes; did you mean cube"),
        ({"cube": {"bever": 1}}, "cube.bever; did you mean cube.beavers"),
        ({"cube": 3}, "cube is a table"),
        ({"cube": {"beavers": -1}}, "cube.beavers must be a whole number"),
        ({"cube": {"beavers": True}}, "cube.beavers must be a whole number"),
        ({"move": {"doubles": True}}, "move.doubles cannot be True"),
        ({"resign": {"levels": "1"}}, "resign.levels must be a list"),
        ({"resign": {"levels": [True]}}, "resign.levels must be a list"),
        ({"equipment": {"colours": ["red"]}}, "equipment.colours"),
        ({"session": {"kind": "money"}, "cube": {"crawford": True}}, "cube.crawford"),
        ({"cube": {"jacoby": True}}, "cube.jacoby"),
        ({"start": {"first": "agreed"}}, "start.opening_dice"),
        ({"preset": "money", "cube": {"enabled": False}}, "cube.enabled"),
        ({"cube": {"raccoon": True}}, "cube.raccoon"),
        ({"cube": {"max": 1}}, "cube.max"),
        ({"cube": {"max": 48}}, "cube.max"),
        ({"preset": "money", "scoring": {"method": "checker-zones"}}, "cube.jacoby"),
        ({"scoring": {"cube_multiplies_zones": True}}, "scoring.cube_multiplies_zones"),
        ({"move": {"stack_limit": 4}}, "move.stack_limit"),
        ({"start": {"first": "agreed", "high_prize": "colour"}}, "start.first"),
        ({"resign": {"levels": [1, 4]}}, "resign.levels"),
        ({"resign": {"levels": []}}, "resign.levels"),
        ({"preset": "money", "chouette": {"players": 2}}, "chouette.players must be 0"),
        ({"chouette": {"cubes": "one"}}, "need chouette.players"),
    ],
)
def test_what_cannot_be_is_refused_by_name(mapping: dict[str, object], named: str) -> None:
    with pytest.raises(RuleSetError) as refused:
        ruleset_from(mapping)
    assert named in str(refused.value)


@pytest.mark.parametrize(
    ("said", "points", "czech"),
    [("5 Kč", 7, "35 Kč"), ("0,50 €", 3, "1,50 €"), ("0.50€", 3, "1,50 €"), ("2", 16, "32"), ("$1.25", 4, None)],
)
def test_a_stake_is_an_amount_and_a_currency(said: str, points: int, czech: str | None) -> None:
    if czech is None:
        with pytest.raises(RuleSetError, match=r"stake\.point is what one point is worth"):
            parse_ruleset("money", [f"stake.point={said}"])
        return
    rules = parse_ruleset("money", [f"stake.point={said}"])
    stake = parse_stake(rules.stake.point)
    assert stake is not None
    assert stake.of(points).text("cs") == czech


def test_nobody_owes_anything_where_no_stake_is_said() -> None:
    assert parse_stake("") is parse_stake("0") is parse_stake("0 Kč") is None


def test_a_stake_is_for_money() -> None:
    with pytest.raises(RuleSetError, match=r"stake\.point is for money play"):
        parse_ruleset("text-002", ["stake.point=5"])


def test_what_was_set_stays_where_it_goes_with_the_new_rules() -> None:
    money = parse_ruleset("money", ["stake.point=5", "move.stack_limit=5"])
    assert ruleset_over(money, "text-004", ()).stake.point == "5"
    by_games = parse_ruleset("text-000", ["match.games=2"])
    assert ruleset_over(by_games, None, ()).match.games == ruleset_over(by_games, "text-000", ()).match.games == 2
    assert ruleset_over(by_games, "text-002", ()).match.games == 0
    match = ruleset_over(money, "match", ())
    assert (match.stake.point, match.session.kind, match.move.stack_limit) == ("", "match", 5)
    agreed = parse_ruleset("match", ["start.first=agreed", "start.opening_dice=fresh"])
    assert ruleset_over(agreed, "text-002", ()).start == agreed.start
    czech = parse_ruleset("text-000", ["session.kind=money", "stake.point=10 Kč"])
    assert ruleset_over(czech, None, ["stake.point=20 Kč"]).stake.point == "20 Kč"
    with pytest.raises(RuleSetError, match=r"cube\.jacoby"):
        ruleset_over(money, "match", ["cube.jacoby=true"])


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("kind", ["match", "money"])
def test_every_text_is_played_as_a_match_and_for_money(name: str, kind: str) -> None:
    """Text 002: "Několik po sobě jdoucích partií se může chápat dvojím způsobem"."""
    rules = parse_ruleset(name, [f"session={kind}"])
    assert rules.session.kind == kind
    assert not (rules.cube.crawford if kind == "money" else rules.cube.jacoby)
    assert ruleset_over(rules, None, ()).session.kind == kind
