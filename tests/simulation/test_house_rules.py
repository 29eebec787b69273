"""Simulated players by every rule set: who starts with which dice, automatic doubles, beavers, closed out, giving up, scores."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import pytest

from controller.rules import (
    PRESETS,
    Position,
    RuleSet,
    Side,
    decide_opening,
    is_closed_out,
    legal_plays,
    parse_ruleset,
    ruleset_from,
)
from controller.simulation import (
    Beavered,
    Doubled,
    Drawn,
    Filming,
    GameBegun,
    GameWon,
    Passed,
    Raccooned,
    Resigned,
    SimulatedMatch,
    SimulatedTable,
    Skipped,
    Taken,
    TruthEvent,
    TurnPlayed,
)
from controller.simulation.scene import CubeThing
from tests.simulation.boards import checkers_of

SEEDS = range(3)


@cache
def evening(name: str, seed: int, *keys: str, games: int = 3) -> tuple[TruthEvent, ...]:
    """What happens in three games without errors; few scenes, as nobody looks at them."""
    rules = parse_ruleset(name, keys)
    table = SimulatedTable(seed, SimulatedMatch("none", 0, games=games, rules=rules, resigns=True), Filming(fps=1))
    for _ in table.scenes():
        pass
    return table.truth


def rules_named(name: str) -> RuleSet:
    return PRESETS[name]


@pytest.mark.parametrize("name", PRESETS)
def test_every_turn_is_legal_by_the_rule_set_and_every_game_is_worth_what_it_says(name: str) -> None:
    rules = rules_named(name)
    for seed in SEEDS:
        score = dict.fromkeys(Side, 0)
        for event in evening(name, seed):
            if isinstance(event, TurnPlayed):
                results = {play.result for play in legal_plays(event.before, event.side, event.dice, rules)}
                assert event.after in results
            if isinstance(event, GameWon):
                score[event.side] += event.points
                assert event.score == (score[Side.LIGHT], score[Side.DARK])


@pytest.mark.parametrize("name", ["match", "text-000", "text-001", "text-002", "text-004"])
def test_each_draws_one_die_and_whoever_starts_by_the_rules_starts(name: str) -> None:
    rules = rules_named(name)
    for seed in SEEDS:
        for draw, after in pairwise(evening(name, seed)):
            if isinstance(draw, Drawn) and draw.light != draw.dark:
                opening = decide_opening(draw.light, draw.dark, rules)
                assert isinstance(after, TurnPlayed)
                assert after.side is opening.starter
                assert opening.dice is None or after.dice == opening.dice


def test_where_the_players_agree_who_begins_nobody_draws_and_a_first_turn_may_be_a_double() -> None:
    games = [evening("text-003", seed, games=9) for seed in range(2)]
    assert not any(isinstance(event, Drawn) for truth in games for event in truth)
    firsts = [b for truth in games for a, b in pairwise(truth) if isinstance(a, GameBegun)]
    assert len(firsts) == 18
    assert any(isinstance(first, TurnPlayed) and first.dice[0] == first.dice[1] for first in firsts)
    assert {first.side for first in firsts if isinstance(first, TurnPlayed)} == set(Side)


def test_equal_dice_of_the_draw_double_the_cube_in_the_middle_once() -> None:
    draws = [event for seed in range(4) for event in evening("text-004", seed, games=9) if isinstance(event, Drawn)]
    assert {event.cube for event in draws if event.light == event.dark} == {2}


def test_an_automatic_double_is_turned_in_the_middle_of_the_table() -> None:
    table = SimulatedTable(0, SimulatedMatch("none", 0, games=9, rules=rules_named("text-004")))
    middle = table.look.shape.height / 2
    shown = set()
    for scene in table.scenes():
        last = table.truth[-1]
        if isinstance(last, Drawn) and last.cube == 2:
            shown |= {(t.value, abs(t.at[1] - middle) < 3) for t in scene.things if isinstance(t, CubeThing)}
    assert (2, True) in shown


def test_beavers_raccoons_and_their_answers_go_up_the_cube_by_two_each() -> None:
    rules = ("cube.raccoon=true",)
    truths = [evening("money", seed, *rules, games=9) for seed in range(3)]
    answers = [(a, b) for truth in truths for a, b in pairwise(truth) if isinstance(a, Doubled | Beavered | Raccooned)]
    for offer, answer in answers:
        assert isinstance(offer, Doubled | Beavered | Raccooned)
        assert isinstance(answer, Taken | Passed | Beavered | Raccooned)
        assert answer.side is offer.side.other
        if isinstance(answer, Beavered | Raccooned):
            assert answer.value == offer.value * 2
        if isinstance(answer, Taken):
            assert answer.value == offer.value
    kinds = {type(answer) for _, answer in answers}
    assert {Beavered, Raccooned, Taken, Passed} <= kinds


def test_only_where_the_rules_let_him_a_closed_out_player_does_not_roll() -> None:
    plain = ("cube.enabled=false", "resign.when=never")
    skips = [event for seed in range(6) for event in evening("text-002", seed, *plain) if isinstance(event, Skipped)]
    assert skips
    lost = 0
    for seed in range(6):
        truth = evening("text-001", seed, *plain)
        assert not any(isinstance(event, Skipped) for event in truth)
        lost += sum(isinstance(e, TurnPlayed) and is_closed_out(e.before, e.side) for e in truth)
    assert lost


def test_hopeless_games_are_given_up_and_the_offer_refused_where_a_gammon_is_hoped_for() -> None:
    offers = [event for seed in range(6) for event in evening("text-002", seed) if isinstance(event, Resigned)]
    assert {event.accepted for event in offers} == {True, False}


def test_a_resigned_game_counts_the_checkers_where_they_are_counted() -> None:
    ends = [
        (a, b)
        for seed in range(4)
        for a, b in pairwise(evening("text-000", seed))
        if isinstance(a, Resigned) and isinstance(b, GameWon)
    ]
    assert ends
    assert all(end.points > 1 for _, end in ends)


def test_three_checkers_a_side_in_hypergammon_and_no_cube_where_there_is_none() -> None:
    hyper = SimulatedTable(1, SimulatedMatch("none", 1, rules=ruleset_from({"variant": {"position": "hypergammon"}})))
    first = next(hyper.scenes())
    assert [sum(checker.side is side for checker in checkers_of(first)) for side in Side] == [3, 3]
    plain = SimulatedTable(1, SimulatedMatch("none", 0, games=1, rules=PRESETS["text-000"]))
    assert not any(isinstance(thing, CubeThing) for scene in plain.scenes() for thing in scene.things)
    assert isinstance(plain.truth[-1], GameWon)


def test_the_pairs_of_two_colours_differ() -> None:
    for seed in range(8):
        light, dark = SimulatedTable(seed, SimulatedMatch(rules=PRESETS["text-003"])).look.dice
        assert sum(light) - sum(dark) > 300


def test_checkers_leave_from_the_rear_where_the_text_says_so() -> None:
    """By text 003 nothing leaves a point while one stands behind it."""
    borne_off = 0
    for seed in SEEDS:
        for event in evening("text-003", seed, "cube.enabled=false", "resign.when=never"):
            if isinstance(event, TurnPlayed) and event.play:
                own = list(Position.own(event.before, event.side))
                for move in event.play.moves:
                    if move.target == 0:
                        borne_off += 1
                        assert not any(own[move.source : 24])
                    own[move.source - 1] -= 1
                    if move.target:
                        own[move.target - 1] += 1
    assert borne_off > 20
