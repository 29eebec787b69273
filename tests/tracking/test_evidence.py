"""What one rest says of boards, dice and the cube, in nats."""

from __future__ import annotations

from dataclasses import replace
from math import exp, isclose, log

import numpy as np
import pytest

from controller.rules import ALL_ROLLS, Position, Side
from controller.tracking import parameters
from controller.tracking.evidence import Evidence
from controller.tracking.rest import Rest
from tests.rules.boards import board
from tests.tracking.eyes import Eyes, pictured, thrown
from vision.observation import Observation

START = Position.start()
EYES = Eyes()
MOVED = board("24:2 13:5 8:2 6:4 5:2", "24:2 13:5 8:3 6:5")  # 8/5 6/5


def rest(*frames: Observation, before: Evidence | None = None) -> Evidence:
    """One rest of these frames."""
    first, *others = frames
    gathered = Rest.begin(first)
    for frame in others:
        gathered = gathered.add(frame)
    return gathered.evidence(EYES.light_home, before)


def margin(evidence: Evidence, one: Position, other: Position, stood: Position | None = None) -> float:
    """By how many nats one board explains the rest better than another."""
    first, second = evidence.of_positions([one, other], stood)
    return float(first - second)


def test_the_board_that_stands_there_explains_it_best() -> None:
    assert margin(rest(EYES.look(MOVED)), MOVED, START) > 15


def test_ten_frames_of_a_rest_say_no_more_than_one() -> None:
    frames = [EYES.look(MOVED) for _ in range(10)]
    assert isclose(margin(rest(*frames), MOVED, START), margin(rest(frames[0]), MOVED, START), rel_tol=0.01)


def test_one_misread_column_costs_no_more_than_its_floor() -> None:
    column = 18
    evidence = rest(EYES.look(START, misread={column: 0}))
    assert margin(evidence, START, MOVED) > 0
    assert float(evidence.logs_after(None)[0].min()) >= log(parameters.MISREAD)


def test_a_reading_that_repeats_the_one_before_says_hardly_anything_against_what_stood_there() -> None:
    wrong = EYES.look(MOVED)
    first = rest(wrong)
    again = rest(wrong, before=first)
    assert margin(first, MOVED, START) > 15
    assert 0 < margin(again, MOVED, START, stood=START) < 5 * -log(parameters.REPEATED)


def test_a_column_that_does_not_look_changed_was_hardly_played_to() -> None:
    def with_picture(position: Position) -> Observation:
        return replace(EYES.look(position), snapshot=pictured(START, EYES.light_home))

    before = rest(with_picture(START))
    blind = margin(rest(EYES.look(MOVED), before=rest(EYES.look(START))), MOVED, START, stood=START)
    assert margin(rest(with_picture(MOVED), before=before), MOVED, START, stood=START) < blind - 10


def test_a_checker_on_a_point_of_its_colour_hardly_shows_but_counts_where_it_is_surely_read() -> None:
    def with_picture(position: Position) -> Observation:
        return replace(EYES.look(position), snapshot=pictured(START, EYES.light_home))

    moved = board("24:2 13:5 8:3 6:5", "24:1 22:1 13:5 8:3 6:5")  # dark 24/22
    evidence = rest(with_picture(moved), before=rest(with_picture(START)))
    assert margin(evidence, moved, START, stood=START) > 0


def test_two_colours_on_one_point_are_read_as_so_many_of_either() -> None:
    mixed = board("24:2 13:5 8:3 6:5", "24:2 13:5 8:3 6:4 1:1")
    read_as_light = rest(EYES.look(board("24:3 13:5 8:3 6:4", "24:2 13:5 8:3 6:4")))
    assert np.isfinite(read_as_light.of_positions([mixed])).all()


@pytest.mark.parametrize("values", [(6, 1), (4, 4)])
def test_the_roll_that_lies_there_is_the_likeliest(values: tuple[int, int]) -> None:
    dice = rest(EYES.look(START, thrown(Side.LIGHT, *values))).of_dice
    assert max(ALL_ROLLS, key=lambda roll: dice.of_roll(roll, Side.LIGHT)) == values
    assert dice.of_roll(values, Side.LIGHT) > dice.of_roll(values, Side.DARK) + 3
    assert dice.of_roll(values, Side.LIGHT) > dice.of_none() + 5


def test_a_pair_and_a_mixed_roll_are_on_one_scale() -> None:
    """A throw of 6-6 has half the chance of 6-1, and its dice can lie in one way instead of two."""
    pair = rest(EYES.look(START, thrown(Side.LIGHT, 6, 6))).of_dice.of_roll((6, 6), Side.LIGHT)
    mixed = rest(EYES.look(START, thrown(Side.LIGHT, 6, 1))).of_dice.of_roll((6, 1), Side.LIGHT)
    assert isclose(exp(pair) / exp(mixed), 2, rel_tol=0.05)


def test_no_dice_say_that_none_lie_and_the_longer_the_surer() -> None:
    look, later = rest(EYES.look(START)), rest(EYES.look(START), EYES.look(START, seconds=3))
    for evidence in (look, later):
        assert evidence.of_dice.of_none() == 0 > evidence.of_dice.of_roll((6, 1), Side.LIGHT) + 5
    assert later.of_dice.of_roll((6, 1), Side.LIGHT) < look.of_dice.of_roll((6, 1), Side.LIGHT) - 5


def test_one_die_found_leaves_the_other_open() -> None:
    dice = rest(EYES.look(START, thrown(Side.LIGHT, 6))).of_dice
    with_a_six = {dice.of_roll(roll, Side.LIGHT) for roll in ALL_ROLLS if 6 in roll and roll != (6, 6)}
    assert max(with_a_six) - min(with_a_six) < 0.1
    assert min(with_a_six) > dice.of_roll((5, 4), Side.LIGHT) + 3


def test_a_leaning_die_counts_for_little_beside_waiting() -> None:
    dice = rest(EYES.look(START, thrown(Side.LIGHT, 6, 1), unflat=1)).of_dice
    assert dice.of_waiting(Side.LIGHT) > dice.of_none() + 3
    assert dice.of_waiting(Side.LIGHT) > dice.of_waiting(Side.DARK) + 2
    assert dice.of_roll((6, 1), Side.LIGHT) > dice.of_roll((5, 4), Side.LIGHT) + 5


def test_a_third_thing_beside_two_flat_dice_changes_nothing_much() -> None:
    two = rest(EYES.look(START, thrown(Side.LIGHT, 6, 1))).of_dice
    three = rest(EYES.look(START, thrown(Side.LIGHT, 3, 6, 1), unflat=1)).of_dice
    gain = [d.of_roll((6, 1), Side.LIGHT) - d.of_none() for d in (two, three)]
    assert abs(gain[0] - gain[1]) < 0.5


def test_dice_that_are_seen_again_are_not_weighed_again() -> None:
    frame = EYES.look(START, thrown(Side.LIGHT, 6, 1))
    again = rest(frame, before=rest(frame)).of_dice
    fresh, stale = (
        again.of_roll((6, 1), Side.LIGHT, fresh=one) - again.of_roll((6, 2), Side.LIGHT, fresh=one)
        for one in (True, False)
    )
    assert fresh > 5 > 1 > stale > 0


def test_of_all_that_is_taken_for_dice_at_a_long_rest_the_surest_are_thought_of() -> None:
    """A glint elsewhere at each look: after two minutes one look took twelve seconds, and each more."""
    eyes, rng = Eyes(), np.random.default_rng(1)
    glint = replace(eyes.look(START, thrown(Side.DARK, 5)).dice[0], confidence=0.4)
    looks = [eyes.look(START, thrown(Side.LIGHT, 6, 1)) for _ in range(40)]
    evidence = rest(*(replace(look, dice=(replace(glint, at=tuple(rng.random(2))), *look.dice)) for look in looks))
    assert len(evidence.dice) == parameters.MOST_THINGS
    rolls = {roll: evidence.of_dice.of_roll(roll, Side.LIGHT) for roll in ALL_ROLLS}
    assert max(rolls, key=lambda roll: rolls[roll]) == (6, 1)


def test_the_cube_shows_its_value_and_whose_it_is() -> None:
    owned = rest(EYES.look(START, cube=2, cube_at=(0.05, 0.9)))
    mine, his, centred = (owned.of_cube(2, owner) for owner in (Side.LIGHT, Side.DARK, None))
    assert mine > max(his, centred) + 2
    assert mine > owned.of_cube(4, Side.LIGHT) + 4


def test_a_cube_that_is_gone_from_where_it_lay_was_moved() -> None:
    lay = rest(EYES.look(START))
    gone, never_seen = rest(EYES.look(START, cube=None), before=lay), rest(EYES.look(START, cube=None))
    assert gone.of_cube(1, None) < gone.of_offered_cube(2) - 2
    assert never_seen.of_cube(1, None) == never_seen.of_offered_cube(2)
