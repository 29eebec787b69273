"""A game that is on when somebody begins to look, and one of which a part was not seen: what is written is what was shown."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from math import log

import pytest

from controller.rules import MATCH, Position, Side, legal_plays, ruleset_over
from controller.tracking.found import log_prior
from controller.tracking.hypothesis import (
    Fact,
    GameFound,
    Hypothesis,
    Lost,
    NewGame,
    Opening,
    Over,
    Stage,
    ToRoll,
    Turn,
)
from controller.tracking.parameters import AGAINST_SENSE, LIKELY_ENOUGH, STRAGGLER, SURE, SURE_AT_LEISURE, UNKNOWN_BOARD
from controller.tracking.setting import Setting
from controller.tracking.tracker import SettledFact, Tracker
from tests.rules.boards import board
from tests.tracking.eyes import Eyes, thrown
from tests.tracking.test_tracker import Watched, play_named, random_game, turns_of

LIGHT, DARK = Side.LIGHT, Side.DARK
START = Position.start()
MIDDLE = board("24:1 18:1 13:4 8:3 7:1 6:4 5:1", "24:2 13:4 8:2 6:5 5:2")
NOBODY_KNOWS = Hypothesis(Lost(), START)
OWNED_BY_LIGHT = (0.05, 0.9)


def founds(facts: list[Fact]) -> list[GameFound]:
    return [fact for fact in facts if isinstance(fact, GameFound)]


def any_play(position: Position, side: Side, roll: tuple[int, int]) -> Position:
    return legal_plays(position, side, roll)[0].result


def whole_turn(eyes: Eyes, watched: Watched, position: Position, side: Side, roll: tuple[int, int]) -> Position:
    """The dice lie, the play is made, the dice are lifted."""
    after, dice = any_play(position, side, roll), thrown(side, *roll)
    watched.see(eyes.look(position, dice), eyes.look(after, dice), eyes.look(after))
    return after


@pytest.mark.parametrize("side", list(Side))
def test_a_game_begins_where_it_is_first_seen_and_its_first_roll_tells_who_is_on_roll(side: Side) -> None:
    eyes = Eyes()
    watched = Watched(eyes, NOBODY_KNOWS)
    watched.see(eyes.look(MIDDLE))
    assert watched.tracker.belief.best.side is None
    after = whole_turn(eyes, watched, MIDDLE, side, (6, 1))
    assert watched.finish() == [GameFound(MIDDLE, 1, None), Turn(side, (6, 1), MIDDLE, after, None, True)]


def test_dice_that_lie_there_are_the_first_turn_if_all_of_it_is_seen() -> None:
    eyes = Eyes()
    watched = Watched(eyes, NOBODY_KNOWS)
    after = whole_turn(eyes, watched, MIDDLE, DARK, (5, 2))
    assert turns_of(watched.finish()) == [(DARK, (5, 2), after)]


def test_dice_of_which_one_seems_to_lean_are_no_likelier_where_nobody_saw_the_turn_begin() -> None:
    """That they are played with is as unusual as where it was seen to begin."""
    eyes, dice = Eyes(), thrown(DARK, 4, 2)
    watched = Watched(eyes, NOBODY_KNOWS)
    after, arm = any_play(MIDDLE, DARK, (4, 2)), eyes.look(MIDDLE, dice, unflat=1)
    arm.seen[12:14] = 0
    watched.see(eyes.look(MIDDLE, dice, unflat=1), arm, eyes.look(after, dice, unflat=1), eyes.look(after))
    assert turns_of(watched.finish()) == [(DARK, (4, 2), after)]


def test_a_play_from_the_first_board_seen_is_the_first_turn_though_a_checker_was_in_a_hand() -> None:
    eyes, dice = Eyes(), thrown(DARK, 6, 2)
    watched = Watched(eyes, NOBODY_KNOWS)
    half = replace(MIDDLE, dark=tuple(n - (i == 12) for i, n in enumerate(MIDDLE.dark)))  # in a hand
    after = replace(MIDDLE, dark=tuple(n + (i == 4) - (i == 12) for i, n in enumerate(MIDDLE.dark)))  # 13/5
    watched.see(eyes.look(MIDDLE, dice), eyes.look(half, dice), eyes.look(after, dice), eyes.look(after))
    assert turns_of(watched.finish()) == [(DARK, (6, 2), after)]


def test_a_turn_whose_beginning_nobody_saw_is_not_written() -> None:
    eyes, dice = Eyes(), thrown(DARK, 5, 2)
    watched = Watched(eyes, NOBODY_KNOWS)
    watched.see(eyes.look(MIDDLE, dice), eyes.look(MIDDLE), eyes.look(MIDDLE))
    after = whole_turn(eyes, watched, MIDDLE, LIGHT, (4, 2))
    assert watched.finish() == [GameFound(MIDDLE, 1, None), Turn(LIGHT, (4, 2), MIDDLE, after, None, True)]


def test_a_checker_in_somebodys_hand_is_put_down_before_the_game_begins() -> None:
    eyes, dice = Eyes(), thrown(LIGHT, 6, 5)
    watched = Watched(eyes, NOBODY_KNOWS)
    in_hand = replace(MIDDLE, light=tuple(n - (i == 12) for i, n in enumerate(MIDDLE.light)))
    after = play_named(MIDDLE, LIGHT, (6, 5), (13, 7), (13, 8)).result
    watched.see(eyes.look(in_hand, dice), eyes.look(after, dice), eyes.look(after), eyes.look(after))
    assert watched.finish() == [GameFound(after, 1, None)]


@pytest.mark.parametrize(
    ("position", "cube", "cube_at", "owner"),
    [
        (board("6:2 5:3 3:4 2:1", "6:1 4:3 2:2 1:2"), 64, (0.5, 0.5), None),
        (MIDDLE, 4, OWNED_BY_LIGHT, LIGHT),
        (board("bar:1 24:1 13:5 8:3 6:5", "24:2 13:4 8:3 6:4 5:2"), 2, (0.05, 0.1), DARK),
    ],
    ids=["bearing off", "cube at 4", "on the bar"],
)
def test_a_game_may_be_anywhere(
    position: Position, cube: int, cube_at: tuple[float, float], owner: Side | None
) -> None:
    eyes = Eyes()
    watched = Watched(eyes, NOBODY_KNOWS)
    after, dice = any_play(position, LIGHT, (4, 2)), thrown(LIGHT, 4, 2)
    for shown, lie in ((position, ()), (position, dice), (after, dice), (after, ())):
        watched.see(eyes.look(shown, lie, cube, cube_at))
    assert watched.finish() == [
        GameFound(position, 1 if cube == 64 else cube, owner),
        Turn(LIGHT, (4, 2), position, after, None, True),
    ]


def test_a_board_that_is_being_set_up_is_no_game() -> None:
    eyes = Eyes()
    watched = Watched(eyes, NOBODY_KNOWS)
    some = board("24:2 6:5", "24:2 13:5")
    more = board("24:2 13:5 6:5", "24:2 13:5 6:3")
    watched.see(eyes.look(some), eyes.look(more), eyes.look(START))
    after = whole_turn(eyes, watched, START, LIGHT, (3, 1))
    assert watched.finish() == [Turn(LIGHT, (3, 1), START, after, None, True)]


@pytest.mark.parametrize("after", [START, any_play(START, LIGHT, (6, 5))], ids=["its dice lie", "a turn was not seen"])
def test_a_game_may_have_begun_before_anybody_looked_after_the_last(after: Position) -> None:
    eyes, over = Eyes(), Hypothesis(Over(), board("", "6:2 4:1"))
    watched = Watched(eyes, over)
    side = LIGHT if after == START else DARK
    watched.see(eyes.look(over.before), eyes.look(after, thrown(LIGHT, 6, 5) if after == START else ()))
    last = whole_turn(eyes, watched, after, side, (6, 5))
    facts = watched.finish()
    unseen = [] if after == START else [(LIGHT, (6, 5), after)]
    assert facts[:1] == [NewGame()]
    assert turns_of(facts) == [*unseen, (side, (6, 5), last)]
    assert not founds(facts)


def test_a_new_game_whose_first_turn_is_over_is_likelier_than_an_illegal_play_that_became_it() -> None:
    """Dark's 3-1 was begun wrongly when the film was cut; it goes on after 6-5, with which dark has opened the next game."""
    eyes, dice = Eyes(), thrown(DARK, 3, 1)
    watched = Watched(eyes)
    before = play_named(START, LIGHT, (3, 2), (13, 10), (10, 8)).result
    wrong = board("24:2 13:4 8:4 6:5", "24:2 13:4 12:1 8:2 6:5 5:1")
    again = play_named(START, DARK, (6, 5), (24, 18), (18, 13)).result
    watched.see(eyes.look(START), eyes.look(START, thrown(LIGHT, 3, 2)), eyes.look(before, thrown(LIGHT, 3, 2)))
    watched.see(eyes.look(before), eyes.look(before, dice), eyes.look(wrong, dice), eyes.look(wrong))
    watched.see(eyes.look(again, seconds=13), eyes.look(again))
    last = whole_turn(eyes, watched, again, LIGHT, (6, 3))
    facts = watched.finish()
    assert turns_of(facts) == [(LIGHT, (3, 2), before), (LIGHT, (6, 3), last)]
    assert founds(facts) == [GameFound(again, 1, None)]


def test_what_a_game_was_found_with_may_be_put_right_before_anybody_throws() -> None:
    """Dark's illegal play stood there; no dice tell of it any more when it is played otherwise."""
    eyes = Eyes()
    watched = Watched(eyes, NOBODY_KNOWS)
    wrong = board("24:1 18:1 13:4 8:3 7:1 6:4 5:1", "24:1 20:1 13:4 8:2 6:5 5:2")
    watched.see(eyes.look(wrong), eyes.look(wrong), eyes.look(MIDDLE))
    after = whole_turn(eyes, watched, MIDDLE, LIGHT, (6, 1))
    assert watched.finish() == [GameFound(MIDDLE, 1, None), Turn(LIGHT, (6, 1), MIDDLE, after, None, True)]


def test_dice_that_lie_on_are_not_thrown_again() -> None:
    """Light's play had been made when somebody began to look: it is over when its dice are lifted, and no play is missing."""
    eyes, dice = Eyes(), thrown(LIGHT, 6, 3)
    watched = Watched(eyes, NOBODY_KNOWS)
    watched.see(eyes.look(MIDDLE, dice), eyes.look(MIDDLE, dice), eyes.look(MIDDLE, dice), eyes.look(MIDDLE))
    best = watched.tracker.belief.best
    assert (best.stage, best.side, best.board) == (Stage.TO_ROLL, DARK, MIDDLE)


def test_a_side_that_bears_off_may_have_been_hit_since() -> None:
    """Real matches show one checker away from home as often as that; two hardly ever."""
    prices = [
        log_prior(board(light, "24:2 13:4 8:2 6:5 5:2"), Setting(MATCH)) - UNKNOWN_BOARD
        for light in (
            "6:5 5:5 4:4",
            "bar:1 6:5 5:5 4:3",
            "bar:1 6:5 5:5 4:4",
            "bar:2 6:5 5:5 4:2",
            "bar:2 6:5 5:5 4:1",
            "bar:2 6:5 5:5 4:3",
        )
    ]
    assert prices == pytest.approx([0, log(STRAGGLER), 0, log(AGAINST_SENSE), log(STRAGGLER * AGAINST_SENSE), 0])


def test_a_game_two_turns_on_is_not_being_set_up() -> None:
    """One checker of each side lies elsewhere, as 6-5 and 3-2 put them; nobody moves one from the midpoint to the 14 point."""
    settings = Setting(MATCH)
    played = board("24:1 13:6 8:3 6:5", "24:2 13:4 8:4 6:5")
    being_set_up = board("24:2 14:1 13:4 8:3 6:5", "24:2 13:4 8:4 6:5")
    prices = [log_prior(one, settings) - UNKNOWN_BOARD for one in (played, being_set_up)]
    assert prices == pytest.approx([0, log(AGAINST_SENSE)])


def test_a_finished_board_is_no_game_and_the_next_one_is() -> None:
    eyes = Eyes()
    watched = Watched(eyes, NOBODY_KNOWS)
    watched.see(eyes.look(board("", "6:2 4:1")), eyes.look(board("", "6:2 4:1")), eyes.look(START))
    after = whole_turn(eyes, watched, START, DARK, (6, 3))
    assert turns_of(watched.finish()) == [(DARK, (6, 3), after)]
    assert not founds(watched.finish())


@pytest.mark.parametrize("seed", range(4))
def test_whatever_was_not_seen_leaves_a_gap_and_nothing_is_invented(seed: int) -> None:
    """Three to five turns are missing; what was seen before and after them is written, and nothing else."""
    rng, eyes = random.Random(seed), Eyes(seed)
    watched, game = Watched(eyes), random_game(seed + 30, 18)
    away = range(6, 6 + rng.randint(3, 5))
    position = START
    watched.see(eyes.look(position))
    for number, (side, roll, after) in enumerate(game):
        dice = thrown(side, *roll)
        if number not in away:
            watched.see(eyes.look(position, dice), eyes.look(after, dice), eyes.look(after))
        position = after
    facts = watched.finish()
    assert [found.position for found in founds(facts)] == [game[away.stop - 1][2]]
    assert turns_of(facts) == [turn for number, turn in enumerate(game) if number not in away]


@pytest.mark.parametrize("seed", range(3))
def test_a_game_is_found_wherever_somebody_begins_to_look(seed: int) -> None:
    rng, eyes = random.Random(seed), Eyes(seed)
    game = random_game(seed + 50, 16)
    looks = [(START, (), 0)]
    for number, (side, roll, after) in enumerate(game, start=1):
        dice = thrown(side, *roll)
        danced = looks[-1][0] == after  # who can't move has played as soon as his dice lie
        looks += [(looks[-1][0], dice, number - 1), (after, dice, number - danced), (after, (), number)]
    first = rng.randrange(4, 24)
    watched = Watched(eyes, NOBODY_KNOWS)
    watched.see(*(eyes.look(position, dice) for position, dice, _ in looks[first:]))
    whole = looks[first][2]
    assert turns_of(watched.finish()) == game[whole:]


def test_one_turn_that_nobody_saw_is_inferred_where_only_one_roll_explains_it() -> None:
    eyes, dice = Eyes(), thrown(LIGHT, 3, 1)
    watched = Watched(eyes)
    point = play_named(START, LIGHT, (3, 1), (8, 5), (6, 5)).result
    after = play_named(point, DARK, (6, 4), (24, 18), (13, 9)).result
    watched.see(eyes.look(START), eyes.look(START, dice), eyes.look(point, dice), eyes.look(after))
    last = whole_turn(eyes, watched, after, LIGHT, (6, 5))
    assert turns_of(watched.finish()) == [(LIGHT, (3, 1), point), (DARK, (6, 4), after), (LIGHT, (6, 5), last)]
    assert [fact.roll_seen for fact in watched.finish() if isinstance(fact, Turn)] == [True, False, True]


def test_a_turn_behind_a_face_is_likelier_than_an_illegal_play_of_a_die_that_lay_alone_before() -> None:
    eyes, dice = Eyes(), thrown(LIGHT, 3, 1)
    watched = Watched(eyes)
    point = play_named(START, LIGHT, (3, 1), (8, 5), (6, 5)).result
    after = play_named(point, DARK, (6, 4), (24, 18), (13, 9)).result
    watched.see(eyes.look(START), eyes.look(START, dice), eyes.look(point, dice), eyes.look(point))
    watched.see(eyes.look(point, thrown(DARK, 3)), eyes.look(after, seconds=13))
    last = whole_turn(eyes, watched, after, LIGHT, (6, 5))
    assert turns_of(watched.finish()) == [(LIGHT, (3, 1), point), (DARK, (6, 4), after), (LIGHT, (6, 5), last)]


def test_behind_a_face_a_turn_may_have_ended_and_the_next_been_thrown_and_played() -> None:
    eyes = Eyes()
    watched = Watched(eyes)
    point = play_named(START, LIGHT, (3, 1), (8, 5), (6, 5)).result
    after = play_named(point, DARK, (6, 4), (24, 18), (13, 9)).result
    watched.see(eyes.look(START), eyes.look(START, thrown(LIGHT, 3, 1)))
    watched.see(eyes.look(after, thrown(DARK, 6, 4), seconds=15), eyes.look(after))
    last = whole_turn(eyes, watched, after, LIGHT, (6, 5))
    facts = watched.finish()
    assert turns_of(facts) == [(LIGHT, (3, 1), point), (DARK, (6, 4), after), (LIGHT, (6, 5), last)]
    assert [fact.roll_seen for fact in facts if isinstance(fact, Turn)] == [True, True, True]
    assert not founds(facts)


def test_behind_a_face_a_whole_turn_may_have_gone_by_and_the_next_dice_lie_there() -> None:
    """Until 30 November 2026 the game was found again, and dark's turn was a gap."""
    eyes, dice = Eyes(), thrown(LIGHT, 3, 1)
    watched = Watched(eyes)
    point = play_named(START, LIGHT, (3, 1), (8, 5), (6, 5)).result
    after = play_named(point, DARK, (6, 4), (24, 18), (13, 9)).result
    watched.see(eyes.look(START), eyes.look(START, dice), eyes.look(point, dice))
    watched.see(eyes.look(after, thrown(LIGHT, 6, 5), seconds=15))
    last = whole_turn(eyes, watched, after, LIGHT, (6, 5))
    facts = watched.finish()
    assert turns_of(facts) == [(LIGHT, (3, 1), point), (DARK, (6, 4), after), (LIGHT, (6, 5), last)]
    assert [fact.roll_seen for fact in facts if isinstance(fact, Turn)] == [True, False, True]
    assert not founds(facts)


def test_behind_a_face_the_turn_whose_dice_were_seen_and_the_whole_next_one_may_have_gone_by() -> None:
    """Until 30 November 2026 light was said to have moved dark's checkers, and the game was found again."""
    eyes = Eyes()
    watched = Watched(eyes)
    between = play_named(START, LIGHT, (2, 1), (13, 11), (11, 10)).result
    after = play_named(between, DARK, (6, 2), (8, 2), (13, 11)).result
    watched.see(eyes.look(START), eyes.look(START, thrown(LIGHT, 2, 1)))
    watched.see(eyes.look(after, seconds=20))
    assert watched.tracker.belief.best.stage is Stage.TO_ROLL
    last = whole_turn(eyes, watched, after, LIGHT, (6, 5))
    facts = watched.finish()
    assert turns_of(facts) == [(LIGHT, (2, 1), between), (DARK, (6, 2), after), (LIGHT, (6, 5), last)]
    assert not founds(facts)


def test_behind_a_face_a_turn_may_have_ended_and_the_next_been_thrown_and_played_against_the_rules() -> None:
    """Dark bears a checker off although not all of his are home, and puts that right; light was said to have moved them."""
    eyes, dice = Eyes(), thrown(DARK, 4, 3)
    begun = board("1:3 2:4 6:3 7:2 8:3", "21:2 13:1 5:2 4:2 3:2 2:3 1:3")
    ended = replace(begun, light=board("1:3 2:4 3:1 6:3 7:2 8:2").light)
    wrong = replace(ended, dark=board("", "21:2 9:1 5:2 4:2 3:1 2:3 1:3").dark)
    right = replace(ended, dark=board("", "21:2 6:1 5:2 4:2 3:2 2:3 1:3").dark)
    watched = Watched(eyes, Hypothesis(ToRoll(LIGHT), begun))
    watched.see(eyes.look(begun), eyes.look(begun, thrown(LIGHT, 4, 1)))
    watched.see(eyes.look(wrong, dice, seconds=12), eyes.look(wrong, dice), eyes.look(wrong))
    assert (watched.tracker.belief.best.stage, watched.tracker.belief.best.side) == (Stage.ILLEGAL, DARK)
    watched.see(eyes.look(right, seconds=9))
    last = whole_turn(eyes, watched, right, LIGHT, (4, 2))
    facts = watched.finish()
    assert turns_of(facts) == [(LIGHT, (4, 1), ended), (DARK, (4, 3), right), (LIGHT, (4, 2), last)]
    assert not founds(facts)


def test_one_turn_that_nobody_saw_is_a_gap_where_several_rolls_explain_it() -> None:
    """Dark came from the midpoint to the 8 point: with 4-1 or 3-2, and which of them it was nobody can tell."""
    eyes, dice = Eyes(), thrown(LIGHT, 3, 1)
    watched = Watched(eyes)
    point = play_named(START, LIGHT, (3, 1), (8, 5), (6, 5)).result
    after = play_named(point, DARK, (4, 1), (13, 9), (9, 8)).result
    watched.see(eyes.look(START), eyes.look(START, dice), eyes.look(point, dice), eyes.look(after))
    last = whole_turn(eyes, watched, after, LIGHT, (6, 5))
    facts = watched.finish()
    assert turns_of(facts) == [(LIGHT, (3, 1), point), (LIGHT, (6, 5), last)]
    assert founds(facts) == [GameFound(after, 1, None)]


def test_a_turn_whose_dice_nobody_saw_may_be_finished_by_another_roll() -> None:
    """Dark has played his 3 alone and lifted his dice, which looks like 2-1; then he plays his 6, too."""
    eyes, dice = Eyes(), thrown(LIGHT, 3, 1)
    watched = Watched(eyes)
    point = play_named(START, LIGHT, (3, 1), (8, 5), (6, 5)).result
    half = play_named(point, DARK, (2, 1), (13, 11), (11, 10)).result
    after = play_named(point, DARK, (6, 3), (13, 10), (24, 18)).result
    watched.see(eyes.look(START), eyes.look(START, dice), eyes.look(point, dice), eyes.look(point), eyes.look(half))
    watched.see(eyes.look(half), eyes.look(after))
    last = whole_turn(eyes, watched, after, LIGHT, (6, 5))
    facts = watched.finish()
    assert turns_of(facts) == [(LIGHT, (3, 1), point), (DARK, (6, 3), after), (LIGHT, (6, 5), last)]
    assert founds(facts) == []


def test_a_cup_on_the_board_is_no_gap() -> None:
    """Five columns are read as anything for one rest; then the game goes on from where it was."""
    eyes, dice = Eyes(), thrown(LIGHT, 6, 1)
    watched = Watched(eyes, Hypothesis(Lost(), START))
    watched.see(eyes.look(START), eyes.look(START, dice))
    watched.see(eyes.look(START, dice, misread={0: 0, 4: 2, 6: -3, 12: 1, 16: 0}))
    assert watched.tracker.belief.best.stage is Stage.LOST
    after = whole_turn(eyes, watched, START, LIGHT, (6, 1))
    assert watched.finish() == [Turn(LIGHT, (6, 1), START, after, None, True)]


def test_two_turns_that_nobody_saw_are_inferred_where_the_rules_leave_one_course() -> None:
    eyes = Eyes()
    watched = Watched(eyes)
    point = play_named(START, LIGHT, (3, 1), (8, 5), (6, 5)).result
    run = play_named(point, DARK, (6, 5), (24, 18), (18, 13)).result
    bar_point = play_named(run, LIGHT, (6, 1), (13, 7), (8, 7)).result
    watched.see(eyes.look(START), eyes.look(START, thrown(LIGHT, 3, 1)), eyes.look(point, thrown(LIGHT, 3, 1)))
    watched.see(eyes.look(point), eyes.look(bar_point, seconds=60), eyes.look(bar_point))
    last = whole_turn(eyes, watched, bar_point, DARK, (5, 2))
    facts = watched.finish()
    assert not founds(facts)
    assert turns_of(facts) == [
        (LIGHT, (3, 1), point),
        (DARK, (6, 5), run),
        (LIGHT, (6, 1), bar_point),
        (DARK, (5, 2), last),
    ]
    assert [fact.roll_seen for fact in facts if isinstance(fact, Turn)] == [True, False, False, True]


@pytest.mark.parametrize("turns", [1, 3])
def test_a_replay_is_not_counted_twice(turns: int) -> None:
    eyes = Eyes()
    watched, game = Watched(eyes), random_game(38, 12)
    boards = [START, *(after for _, _, after in game)]
    watched.see(eyes.look(START))
    for number, (side, roll, after) in enumerate(game):
        dice = thrown(side, *roll)
        watched.see(eyes.look(boards[number], dice), eyes.look(after, dice), eyes.look(after))
        if number == 7:
            for again in range(number + 1 - turns, number + 1):
                lie = thrown(game[again][0], *game[again][1])
                watched.see(*(eyes.look(boards[again], lie, seconds=2) for _ in range(3)))
                watched.see(*(eyes.look(boards[again + 1], lie, seconds=2) for _ in range(3)))
            watched.see(eyes.look(after))
    facts = watched.finish()
    assert not founds(facts)
    assert turns_of(facts) == game


def test_a_board_that_stands_at_three_rests_is_found_though_nobody_has_played() -> None:
    eyes = Eyes()
    watched = Watched(eyes, NOBODY_KNOWS)
    watched.see(eyes.look(MIDDLE), eyes.look(MIDDLE))
    assert founds(watched.facts) == []
    watched.see(eyes.look(MIDDLE))
    assert founds(watched.facts) == [GameFound(MIDDLE, 1, None)]


def test_four_dice_that_go_on_lying_there_do_not_tell_that_nothing_was_moved_before() -> None:
    eyes, dice = Eyes(), (*thrown(DARK, 3, 1), *thrown(LIGHT, 5, 3))
    watched = Watched(eyes, NOBODY_KNOWS)
    watched.see(eyes.look(MIDDLE, dice), eyes.look(MIDDLE, dice))
    assert founds(watched.facts) == []


@pytest.mark.parametrize(
    ("light", "settled"),
    [
        ("3:2 2:2 1:2", [True]),  # each of these checkers is seen
        ("2:2 1:6", [False]),  # some lie on others
        ("9:1 3:2 2:2 1:2", []),  # nobody has borne off yet: checkers are missing
        ("6:5", []),  # it is being set up
        ("", []),  # or cleared
    ],
)
def test_a_board_from_which_checkers_were_borne_off_is_found_without_a_play(light: str, settled: list[bool]) -> None:
    eyes = Eyes()
    watched = Watched(eyes, NOBODY_KNOWS)
    position = board(light, "6:5" if light == "6:5" else "3:2 2:2 1:2")
    watched.see(*(eyes.look(position) for _ in range(3)))
    assert [one.settled for one in founds(watched.facts)] == settled


def test_a_dance_that_is_the_first_thing_seen_is_written() -> None:
    eyes, dice = Eyes(), thrown(LIGHT, 6, 6)
    shut = board("bar:1 24:1 13:4 8:3 6:5 5:1", "24:2 13:4 8:2 7:2 6:5")
    watched = Watched(eyes, NOBODY_KNOWS)
    watched.see(eyes.look(shut, dice), eyes.look(shut), eyes.look(shut))
    assert turns_of(watched.finish()) == [(LIGHT, (6, 6), shut)]


@pytest.mark.parametrize(("flat", "next_", "dances"), [(1.0, LIGHT, 1), (0.96, LIGHT, 0), (0.96, DARK, 1)])
def test_dice_lifted_where_nothing_could_be_moved_may_have_leaned_if_one_hardly_lay_flat(
    flat: float, next_: Side, dances: int
) -> None:
    """Who throws next tells it, and until then no dance is written."""
    eyes = Eyes()
    shut = board("bar:1 24:1 13:4 8:3 6:5 5:1", "24:2 13:4 8:2 7:2 6:5")
    seen = eyes.look(shut, thrown(LIGHT, 6, 6))
    lying = replace(seen, dice=(seen.dice[0], replace(seen.dice[1], flat=flat)))
    watched = Watched(eyes, Hypothesis(ToRoll(LIGHT), shut))
    watched.see(lying, eyes.look(shut))
    assert len(turns_of(watched.facts)) == (flat == 1.0)
    if flat < 1:
        watched.see(eyes.look(shut, thrown(next_, 6, 1)), eyes.look(any_play(shut, next_, (6, 1)), thrown(next_, 6, 1)))
        assert len(turns_of(watched.facts)) == dances


@pytest.mark.parametrize(("next_", "dances"), [(LIGHT, 0), (DARK, 1)])
def test_of_a_film_no_dance_is_written_before_the_next_throw(next_: Side, dances: int) -> None:
    """A player at the board is not kept waiting for it (above); dice that did not count are thrown again."""
    eyes = Eyes()
    shut = board("bar:1 24:1 13:4 8:3 6:5 5:1", "24:2 13:4 8:2 7:2 6:5")
    watched = Watched(eyes, Hypothesis(ToRoll(LIGHT), shut), sure=SURE_AT_LEISURE)
    watched.see(eyes.look(shut, thrown(LIGHT, 6, 6)), eyes.look(shut))
    assert not turns_of(watched.facts)
    watched.see(eyes.look(shut, thrown(next_, 6, 1)), eyes.look(any_play(shut, next_, (6, 1)), thrown(next_, 6, 1)))
    assert len(turns_of(watched.facts)) == dances


def test_a_board_that_was_found_in_doubt_is_looked_at_again_while_it_stands() -> None:
    """After something else had stood there: it need not wait for a play to be believed."""
    eyes = Eyes()
    watched = Watched(eyes, NOBODY_KNOWS)
    watched.see(eyes.look(board("24:1 18:1 13:4 8:2 7:1 6:4 5:1", "24:2 13:4 8:2 6:5 5:2")))
    watched.tracker = watched.tracker.moved()
    for seconds in (9.0, 1.0, 1.0):
        watched.tracker = watched.tracker.see(eyes.look(MIDDLE, seconds=seconds))
    facts, _ = watched.tracker.commit()
    assert [one.fact for one in facts] == [GameFound(MIDDLE, 1, None)]


def test_while_track_was_lost_the_cube_has_stayed_where_it_lay() -> None:
    """The camera does not find it, before and after: so it is not any of thirteen cubes."""
    eyes, begun = Eyes(), Hypothesis(ToRoll(LIGHT), MIDDLE, 2, DARK)
    watched = Watched(eyes, begun)
    watched.see(eyes.look(MIDDLE, cube=None))
    later = board("20:2 13:2 8:3 6:4 5:2 3:2", "23:1 13:4 8:3 6:4 4:2 3:1")
    watched.see(*(eyes.look(later, cube=None, seconds=60) for _ in range(3)))
    best = watched.tracker.belief.best
    assert (best.board, best.cube, best.owner, best.stage) == (later, 2, DARK, Stage.TO_ROLL)


def test_a_game_is_found_while_its_cube_is_being_offered() -> None:
    """Nobody has had it: it lay in the middle at the rest before."""
    eyes = Eyes()
    watched = Watched(eyes, NOBODY_KNOWS)
    watched.see(
        eyes.look(MIDDLE, thrown(LIGHT, 4, 2)), eyes.look(MIDDLE), eyes.look(MIDDLE, cube=2, cube_at=(0.75, 0.5))
    )
    assert founds(watched.facts) == [GameFound(MIDDLE, 1, None)]


@pytest.mark.parametrize("begun", [NOBODY_KNOWS, Hypothesis(ToRoll(LIGHT), START, 2)], ids=["begun", "lost"])
def test_a_cube_that_equal_dice_of_the_draw_have_doubled_is_nobodys(begun: Hypothesis) -> None:
    """It shows 2 and lies in the middle, whether or not the draw was seen."""
    eyes, doubling = Eyes(), ruleset_over(MATCH, None, ("cube.auto_doubles=1",))
    watched = Watched(eyes, begun, doubling)
    watched.see(*(eyes.look(MIDDLE, cube=2, seconds=60) for _ in range(3)))
    after, dice = any_play(MIDDLE, LIGHT, (4, 2)), thrown(LIGHT, 4, 2)
    watched.see(eyes.look(MIDDLE, dice, 2), eyes.look(after, dice, 2), eyes.look(after, (), 2))
    assert founds(watched.finish()) == [GameFound(MIDDLE, 2, None)]


def test_a_game_found_with_a_checker_too_few_keeps_the_next_one_waiting_no_longer_than_it_lasts() -> None:
    eyes = Eyes()
    watched = Watched(eyes, NOBODY_KNOWS)
    too_few = replace(MIDDLE, light=tuple(n - (i == 12) for i, n in enumerate(MIDDLE.light)))
    whole_turn(eyes, watched, too_few, DARK, (5, 2))
    watched.see(eyes.look(START, seconds=60), eyes.look(START), eyes.look(START))
    after = whole_turn(eyes, watched, START, LIGHT, (3, 1))
    watched.see(eyes.look(after, thrown(DARK, 6, 2)))
    assert turns_of(watched.facts)[-1:] == [(LIGHT, (3, 1), after)]


def test_a_turn_that_leaves_a_board_which_is_read_otherwise_is_in_doubt() -> None:
    """A checker that is said to stand there is seen by nobody: what is wrong may be what was thought of the game."""
    eyes, dice = Eyes(), thrown(LIGHT, 4, 2)
    thought = board("24:1 18:1 13:4 8:3 7:1 6:4 5:1", "24:1 22:1 13:4 8:2 6:5 5:2")
    after = any_play(thought, LIGHT, (4, 2))

    def sure_of_turn(missing: int) -> float:
        def seen(position: Position) -> Position:
            return replace(position, dark=tuple(n - missing * (i == 21) for i, n in enumerate(position.dark)))

        tracker = Tracker.start(Setting(MATCH), eyes.light_home, Hypothesis(ToRoll(LIGHT), thought))
        known: list[SettledFact] = []
        for position, lying in (
            (thought, ()),
            (thought, dice),
            (after, dice),
            (after, ()),
            (after, thrown(DARK, 6, 1)),
        ):
            facts, tracker = tracker.see(eyes.look(seen(position), lying)).commit()
            known, tracker = [*known, *facts], tracker.moved()
        (turn,) = [one for one in known if isinstance(one.fact, Turn)]
        assert isinstance(turn.fact, Turn)
        assert turn.fact.after == after
        return turn.sure

    assert sure_of_turn(0) > SURE
    assert sure_of_turn(1) <= LIKELY_ENOUGH


@pytest.mark.parametrize("lying_then", [(), thrown(DARK, 6, 1)], ids=["no dice lie", "a turn may be under way"])
def test_a_play_that_stood_with_its_dice_when_track_was_lost_is_in_doubt(
    lying_then: Sequence[tuple[int, Side]],
) -> None:
    """He may have played otherwise before he lifted them: nobody saw it."""
    eyes, dice = Eyes(), thrown(LIGHT, 3, 1)
    race = board("13:3 8:4 6:4 5:4", "13:2 8:5 6:4 4:4")
    point = play_named(START, LIGHT, (3, 1), (8, 5), (6, 5)).result
    tracker = Tracker.start(Setting(MATCH), eyes.light_home)
    known: list[SettledFact] = []
    looks = [(START, ()), (START, dice), (point, dice), *[(race, lying_then)] * 3]
    rolled = thrown(DARK, 6, 1)
    after = any_play(race, DARK, (6, 1))
    for position, lying in [*looks, (race, rolled), (after, rolled), (after, ()), (after, ())]:
        facts, tracker = tracker.see(eyes.look(position, lying)).commit()
        known, tracker = [*known, *facts], tracker.moved()
    assert [type(one.fact) for one in known[:2]] == [Turn, GameFound]
    assert known[0].sure <= LIKELY_ENOUGH


def test_a_start_position_of_which_two_piles_seem_to_be_the_other_sides_is_one() -> None:
    """More than fifteen of a side can't stand there; the likeliest board of fifteen each has other piles exchanged."""
    eyes = Eyes()
    look = eyes.look(START)
    for column, right in ((0, 0.7), (4, 0.1), (6, 0.03), (16, 0.8)):
        look.columns[column] = look.columns[column] * right + look.columns[column, ::-1] * (1 - right)
    watched = Watched(eyes, NOBODY_KNOWS)
    watched.see(look)
    assert watched.tracker.belief.best == Hypothesis(Opening(), START)


def test_first_turns_are_those_of_the_rules_that_are_played() -> None:
    """Two matches at one table: by the Egyptian rule none of a game's first turns leaves six on a point."""
    six = next(
        play.result for play in legal_plays(START, LIGHT, (4, 3)) if max(play.result.light) > 5 and play.result != START
    )
    egyptian = ruleset_over(MATCH, None, ("move.stack_limit=5",))
    assert log_prior(six, Setting(MATCH)) > UNKNOWN_BOARD
    assert log_prior(six, Setting(egyptian)) < UNKNOWN_BOARD
