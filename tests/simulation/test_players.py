"""How the simulated players think: sensible plays, doubles where they lead, and errors that are errors."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from controller.rules import Position, Side, format_play, legal_plays
from controller.simulation.blunders import illegal_play, moved
from controller.simulation.players import best_play, chance, takes, wants_to_double
from controller.simulation.stills import random_position

dice = st.tuples(st.integers(1, 6), st.integers(1, 6))


def choice(position: Position, roll: tuple[int, int], side: Side = Side.LIGHT) -> str:
    return format_play(best_play(legal_plays(position, side, roll), side))


def test_opening_rolls_that_make_a_point_make_it() -> None:
    start = Position.start()
    assert choice(start, (3, 1)) == "8/5 6/5"
    assert choice(start, (4, 2)) == "8/4 6/4"
    assert choice(start, (6, 1)) == "13/7 8/7"


def test_both_sides_think_alike() -> None:
    start = Position.start()
    assert [choice(start, (a, b)) for a in range(1, 7) for b in range(1, a)] == [
        choice(start, (a, b), Side.DARK) for a in range(1, 7) for b in range(1, a)
    ]


def test_a_player_far_ahead_doubles_and_is_passed_and_an_even_one_does_not() -> None:
    ahead = Position.of(light={6: 3, 5: 3, 4: 3, 3: 2}, dark={12: 5, 8: 5, 6: 5})
    assert wants_to_double(ahead, Side.LIGHT, 1, 5)
    assert not takes(ahead, Side.LIGHT)
    assert not wants_to_double(Position.start(), Side.LIGHT, 1, 5)
    assert not wants_to_double(ahead, Side.LIGHT, 4, 4)
    assert wants_to_double(ahead, Side.LIGHT, 4, None)


@given(st.integers(0, 10_000))
def test_a_chance_is_a_chance(seed: int) -> None:
    position = random_position(Random(seed))
    assert 0 < chance(position, Side.LIGHT) < 1


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), dice, st.sampled_from(list(Side)))
def test_a_blunder_is_no_legal_play_and_leaves_every_checker_on_the_table(
    seed: int, roll: tuple[int, int], side: Side
) -> None:
    position = random_position(Random(seed))
    plays = legal_plays(position, side, roll)
    blunder = illegal_play(position, side, roll, plays, plays[0], Random(seed))
    if blunder is not None:
        assert blunder.result not in {play.result for play in plays}
        assert moved(position, side, blunder.moves) == blunder.result
        assert all(position.off(s) <= blunder.result.off(s) for s in Side)
        assert sum(blunder.result.own(side.other)) == sum(position.own(side.other))


def test_most_rolls_can_be_played_wrong() -> None:
    rng, found = Random(1), 0
    for _ in range(60):
        position, roll = random_position(rng), (rng.randint(1, 6), rng.randint(1, 6))
        plays = legal_plays(position, Side.LIGHT, roll)
        meant = best_play(plays, Side.LIGHT)
        found += illegal_play(position, Side.LIGHT, roll, plays, meant, rng) is not None
    assert found > 50
