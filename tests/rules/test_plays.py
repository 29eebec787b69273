"""Properties of legal plays, and the comparison with a brute-force generator that shares no code with the product."""

from __future__ import annotations

import gzip
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.rules import (
    ALL_ROLLS,
    MATCH,
    OFF,
    PRESETS,
    NotationError,
    Position,
    RulesError,
    Side,
    format_play,
    is_dance,
    is_forced,
    judge,
    legal_plays,
    parse_play,
    position_from_id,
    problems,
    ruleset_from,
)
from controller.rules.house import house_plays, partial_plays
from controller.rules.play import check_dice
from tests.rules.boards import ROLLS, SIDES, board, plays, positions
from tests.rules.brute_force import counts_of, results, state_of
from tests.shared import shared


@settings(max_examples=400, deadline=None)
@given(positions(), SIDES, ROLLS)
def test_plays_are_those_of_brute_force(position: Position, mover: Side, dice: tuple[int, int]) -> None:
    used, wanted = results(state_of(position.light, position.dark), mover is Side.DARK, dice)
    found = legal_plays(position, mover, dice)
    assert {(p.result.light, p.result.dark) for p in found} == {counts_of(state) for state in wanted}
    assert {len(p.moves) for p in found} == {used}
    assert len({p.result for p in found}) == len(found)


@settings(max_examples=150, deadline=None)
@given(positions(), SIDES, ROLLS)
def test_plays_where_a_die_that_can_bear_off_must_are_those_of_brute_force(
    position: Position, mover: Side, dice: tuple[int, int]
) -> None:
    _, wanted = results(state_of(position.light, position.dark), mover is Side.DARK, dice, forced=True)
    found = legal_plays(position, mover, dice, ruleset_from({"bearoff": {"forced": True}}))
    assert {(p.result.light, p.result.dark) for p in found} == {counts_of(state) for state in wanted}


def test_plays_are_those_of_brute_force_in_games() -> None:
    with gzip.open(shared("oracle/bench_positions.jsonl.gz"), "rt") as lines:
        ids = [json.loads(line)["id"] for line in lines][::40]
    for text in ids:
        position = position_from_id(text, Side.DARK)
        for dice in ALL_ROLLS:
            _, wanted = results(state_of(position.light, position.dark), True, dice)
            found = {(p.result.light, p.result.dark) for p in legal_plays(position, Side.DARK, dice)}
            assert found == {counts_of(state) for state in wanted}


@settings(max_examples=150, deadline=None)
@given(positions(), SIDES, ROLLS)
def test_the_general_generator_agrees_under_the_usual_rules(
    position: Position, mover: Side, dice: tuple[int, int]
) -> None:
    general = {play.result for play in house_plays(position, mover, check_dice(dice), MATCH)}
    assert general == {play.result for play in legal_plays(position, mover, dice)}


@settings(max_examples=150, deadline=None)
@given(positions(), SIDES, ROLLS, st.sampled_from(list(PRESETS)))
def test_every_play_keeps_all_checkers_and_its_moves_lead_to_its_result(
    position: Position, mover: Side, dice: tuple[int, int], preset: str
) -> None:
    for play in legal_plays(position, mover, dice, PRESETS[preset]):
        own, other = [0, *position.own(mover)], [*position.own(mover.other)]
        for move in play.moves:
            own[move.source] -= 1
            own[move.target] += 1
            if move.hit:
                other[24 - move.target] -= 1
                other[24] += 1
            assert move.source - move.target in dice or (move.target == OFF and move.source < max(dice))
        assert play.result.own(mover) == tuple(own[1:])
        assert play.result.own(mover.other) == tuple(other)
        assert problems(play.result) == problems(position) == ()


@pytest.mark.parametrize("preset", ["text-000", "text-003", "text-004"])
def test_under_every_text_each_position_of_a_game_has_a_whole_play(preset: str) -> None:
    rules = PRESETS[preset]
    with gzip.open(shared("oracle/bench_positions.jsonl.gz"), "rt") as lines:
        ids = [json.loads(line)["id"] for line in lines][::50]
    for text in ids:
        position = position_from_id(text, Side.LIGHT)
        for dice in ALL_ROLLS:
            whole = legal_plays(position, Side.LIGHT, dice, rules)
            parts = partial_plays(position, Side.LIGHT, dice, rules)
            assert {play.result for play in whole} <= {play.result for play in parts}
            assert is_dance(whole) is (len(parts) == 1)


@settings(max_examples=100, deadline=None)
@given(positions(), ROLLS, st.sampled_from(list(PRESETS)))
def test_colours_exchanged_give_plays_with_colours_exchanged(
    position: Position, dice: tuple[int, int], preset: str
) -> None:
    light = legal_plays(position, Side.LIGHT, dice, PRESETS[preset])
    dark = legal_plays(position.mirrored(), Side.DARK, dice, PRESETS[preset])
    assert [(p.moves, p.result.mirrored()) for p in light] == [(p.moves, p.result) for p in dark]


@settings(max_examples=50, deadline=None)
@given(positions(), SIDES, ROLLS)
def test_what_is_written_is_read_back(position: Position, mover: Side, dice: tuple[int, int]) -> None:
    for play in legal_plays(position, mover, dice):
        for language in ("en", "cs", "sk"):
            assert parse_play(format_play(play, language), position, mover, dice).result == play.result


@settings(max_examples=60, deadline=None)
@given(positions(), SIDES, ROLLS, st.sampled_from(list(PRESETS)))
def test_every_play_is_judged_legal_and_every_part_of_one_illegal(
    position: Position, mover: Side, dice: tuple[int, int], preset: str
) -> None:
    rules = PRESETS[preset]
    whole = legal_plays(position, mover, dice, rules)
    ends = {play.result for play in whole}
    assert all(judge(position, mover, dice, play.result, rules).play == play for play in whole)
    for part in partial_plays(position, mover, check_dice(dice), rules)[:20]:
        if part.result not in ends and any(part.result.own(mover)):
            verdict = judge(position, mover, dice, part.result, rules)
            assert not verdict.legal
            assert verdict.reasons
            assert set(verdict.nearest) <= set(whole)


@pytest.mark.parametrize(
    ("text", "dice", "sentence"),
    [
        ("8/5 6/5", None, "Say which roll was played, as in 31: 8/5 6/5."),
        ("", (3, 1), "A dance is not a legal play of 3-1 here."),
        ("13/10* 6/5", (3, 1), "13/10* 6/5 is not a legal play of 3-1 here."),
        ("21: 8/5 6/5", None, "8/5 6/5 is not a legal play of 2-1 here."),
        ("eight/five", (3, 1), "'eight/five' is no move; write moves like 8/5, bar/20*, 13/7(2) or 4/off."),
        ("5/8", (3, 1), "'5/8' is no move: a checker goes from a higher point to a lower one."),
        ("26/25", (3, 1), "'26/25' is no move: a checker goes from a higher point to a lower one."),
    ],
)
def test_what_is_no_play_is_refused_with_a_sentence(text: str, dice: tuple[int, int] | None, sentence: str) -> None:
    with pytest.raises(NotationError) as refused:
        parse_play(text, Position.start(), Side.LIGHT, dice)
    assert str(refused.value) == sentence


def test_dice_may_come_in_either_order_and_must_be_dice() -> None:
    start = Position.start()
    assert legal_plays(start, Side.LIGHT, (1, 3)) == legal_plays(start, Side.LIGHT, (3, 1))
    for dice in ((0, 3), (7, 1), (3,), (3, 1, 1)):
        with pytest.raises(RulesError, match="two numbers from 1 to 6"):
            legal_plays(start, Side.LIGHT, dice)  # type: ignore[arg-type]


def test_a_dance_is_one_play_without_moves() -> None:
    closed_out = board("bar:1 6:5", "1:2 2:2 3:2 4:2 5:2 6:2")
    (dance,) = legal_plays(closed_out, Side.LIGHT, (6, 5))
    assert dance.moves == ()
    assert dance.result == closed_out
    assert is_dance((dance,))
    assert is_forced((dance,))
    free = ruleset_from({"move": {"compulsory": False}})
    assert is_dance(legal_plays(closed_out, Side.LIGHT, (6, 5), free))
    assert not is_dance(legal_plays(Position.start(), Side.LIGHT, (6, 5), free))


def test_a_forced_play_is_the_only_one() -> None:
    assert is_forced(legal_plays(board("bar:2 6:5", "6:2 5:2"), Side.LIGHT, (5, 4))) is True
    assert is_forced(legal_plays(Position.start(), Side.LIGHT, (5, 4))) is False


def test_the_last_roll_of_a_bear_off() -> None:
    assert plays(board("3:1 1:1"), (6, 5)) == {"3/off 1/off"}
    assert plays(board("3:1"), (2, 1)) == {"3/off"}
    assert plays(board("6:1 4:1"), (5, 1)) == {"6/off", "6/1 4/3"}


@pytest.mark.parametrize("preset", ["text-000", "text-004"])
def test_a_roll_whose_every_way_ends_with_a_hit_is_played_as_far_as_that(preset: str) -> None:
    """Where a hit ends a checker's way, nothing is left to play with what remains of the roll, and nothing else could be played."""
    home = board("6:2", "23:1 24:1")
    assert plays(home, (4, 4), PRESETS[preset]) == {"6/2*/off 6/2"}
