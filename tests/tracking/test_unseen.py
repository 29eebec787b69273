"""Two turns that nobody saw: told where the rules leave one course, and never guessed where they leave more."""

from __future__ import annotations

import pytest

from controller.rules import Position, Side, legal_plays
from controller.tracking.setting import Setting
from controller.tracking.unseen import two_turns
from tests.tracking.test_tracker import play_named, random_game

LIGHT, DARK = Side.LIGHT, Side.DARK
START = Position.start()
SETTING = Setting()


def test_two_points_made_tell_their_rolls() -> None:
    point = play_named(START, LIGHT, (6, 1), (13, 7), (8, 7))
    reply = play_named(point.result, DARK, (4, 2), (8, 4), (6, 4))
    assert two_turns(START, LIGHT, reply.result, SETTING) == (((6, 1), point), ((4, 2), reply))


def test_a_checker_that_ran_may_have_been_thrown_in_many_ways() -> None:
    run = play_named(START, LIGHT, (6, 2), (24, 18), (18, 16))
    reply = play_named(run.result, DARK, (4, 2), (8, 4), (6, 4))
    assert two_turns(START, LIGHT, reply.result, SETTING) is None
    assert two_turns(START, LIGHT, reply.result, SETTING, thrown=(6, 2)) == (((6, 2), run), ((4, 2), reply))


def test_a_blot_that_was_hit_is_told() -> None:
    slot = play_named(START, LIGHT, (4, 1), (24, 20), (6, 5))
    hit = next(play for play in legal_plays(slot.result, DARK, (4, 3)) if play.result.light[24] == 1)
    assert two_turns(START, LIGHT, hit.result, SETTING, thrown=(4, 1)) == (((4, 1), slot), ((4, 3), hit))


@pytest.mark.parametrize("seed", range(6))
def test_what_is_told_is_true(seed: int) -> None:
    game = random_game(seed, 14)
    times = 0
    for at in range(len(game) - 2):
        before = game[at - 1][2] if at else START
        told = two_turns(before, game[at][0], game[at + 1][2], SETTING)
        if told is not None:
            (roll, play), (reply, _) = told
            assert (roll, play.result, reply) == (game[at][1], game[at][2], game[at + 1][1])
            times += 1
    assert times > 3
