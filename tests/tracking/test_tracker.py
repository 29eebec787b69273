"""The tracker follows games that the eyes see, with and without mistakes."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.rules import MATCH, MONEY, PRESETS, Play, Position, RuleSet, Side, legal_plays
from controller.tracking.belief import Belief
from controller.tracking.dice import ALL_READ, Faces
from controller.tracking.habits import at_the_table
from controller.tracking.home import find_home
from controller.tracking.hypothesis import (
    CubeAnswer,
    CubeOffer,
    Fact,
    GameFound,
    Hypothesis,
    Opening,
    Over,
    Skip,
    Stage,
    Throw,
    Thrown,
    ToRoll,
    Turn,
)
from controller.tracking.orientation import column_of_point, columns_of
from controller.tracking.parameters import DICE_TO_TELL, LONGEST_DIFFERENCE, SURE, SURE_AT_LEISURE
from controller.tracking.setting import Setting
from controller.tracking.tracker import Tracker
from controller.tracking.transitions import Transition, steps
from tests.tracking.eyes import Eyes, pictured, thrown
from vision.observation import Observation


class Watched:
    """A tracker, and the facts that it was sure of."""

    def __init__(
        self,
        eyes: Eyes,
        hypothesis: Hypothesis | None = None,
        rules: RuleSet = MATCH,
        sure: float = SURE,
        faces: Faces = ALL_READ,
    ) -> None:
        self.tracker = Tracker.start(Setting(rules), eyes.light_home, hypothesis, sure, at_the_table(faces))
        self.facts: list[Fact] = []

    def see(self, *observations: Observation) -> None:
        """Each observation is a rest of its own."""
        for observation in observations:
            self.tracker = self.tracker.see(observation)
            known, self.tracker = self.tracker.commit()
            self.facts += [one.fact for one in known]
            self.tracker = self.tracker.moved()

    def finish(self) -> list[Fact]:
        """Everything, at the end."""
        return self.facts + [one.fact for one in self.tracker.finish()]


def play_named(position: Position, side: Side, roll: tuple[int, int], *moves: tuple[int, int]) -> Play:
    """The legal play made of these moves."""
    wanted = sorted(moves)
    return next(p for p in legal_plays(position, side, roll) if sorted((m.source, m.target) for m in p.moves) == wanted)


def random_game(seed: int, turns: int) -> list[tuple[Side, tuple[int, int], Position]]:
    """Turns of random legal play: side, roll, position after."""
    rng = random.Random(seed)
    side, position, game = rng.choice(list(Side)), Position.start(), []
    while len(game) < turns and not any(position.off(s) == 15 for s in Side):
        roll = tuple(sorted((rng.randint(1, 6), rng.randint(1, 6)), reverse=True))
        if not game and roll[0] == roll[1]:
            continue
        position = rng.choice(legal_plays(position, side, roll)).result
        game.append((side, roll, position))
        side = side.other
    return game


def turns_of(facts: list[Fact]) -> list[tuple[Side, tuple[int, int], Position]]:
    return [(f.side, f.roll, f.after) for f in facts if isinstance(f, Turn)]


@pytest.mark.parametrize(("seed", "light_home"), [(0, "bottom-right"), (1, "top-left")])
def test_a_game_seen_well_is_followed_turn_by_turn(seed: int, light_home: str) -> None:
    eyes, board = Eyes(seed, light_home=light_home), Position.start()
    watched, game = Watched(eyes), random_game(seed, 25)
    watched.see(eyes.look(board))
    for side, roll, after in game:
        dice = thrown(side, *roll)
        watched.see(eyes.look(board, dice), eyes.look(after, dice), eyes.look(after))
        board = after
    assert turns_of(watched.finish()) == game


def test_equal_dice_for_the_opening_are_thrown_again() -> None:
    eyes = Eyes(3)
    watched = Watched(eyes)
    tie = [(1, Side.LIGHT), (1, Side.DARK)]
    watched.see(eyes.look(Position.start()), eyes.look(Position.start(), tie), eyes.look(Position.start(), tie))
    best, share = watched.tracker.belief.hypotheses[0]
    assert best.stage is Stage.OPENING
    assert share > 0.95


def test_a_game_is_followed_when_a_cell_in_two_hundred_and_a_roll_in_twenty_are_missed() -> None:
    rng = random.Random(5)
    right = total = 0
    for seed in range(2):
        eyes, board = Eyes(seed, wrong_cells=0.005), Position.start()
        watched, game = Watched(eyes), random_game(seed + 10, 20)
        watched.see(eyes.look(board))
        for side, roll, after in game:
            dice = thrown(side, *roll)
            watched.see(eyes.look(board, dice if rng.random() > 0.05 else ()), eyes.look(after, dice), eyes.look(after))
            board = after
        found = turns_of(watched.finish())
        right += sum(a == b for a, b in zip(found, game, strict=False))
        total += len(game)
    assert right >= 0.98 * total


def test_a_turn_that_ended_between_two_frames_is_inferred_with_its_roll() -> None:
    eyes = Eyes()
    watched = Watched(eyes)
    start = Position.start()
    after = play_named(start, Side.LIGHT, (3, 1), (8, 5), (6, 5)).result
    watched.see(eyes.look(start), eyes.look(after), eyes.look(after, thrown(Side.DARK, 6, 4)))
    (turn,) = turns_of(watched.finish())[:1]
    assert turn == (Side.LIGHT, (3, 1), after)
    assert not next(f for f in watched.finish() if isinstance(f, Turn)).roll_seen


def test_a_turn_that_ended_and_the_play_after_it_are_seen_at_once() -> None:
    """Nobody could see the board while light lifted the dice and dark threw and played."""
    eyes, start = Eyes(), Position.start()
    watched, dice = Watched(eyes), thrown(Side.LIGHT, 3, 1)
    point = play_named(start, Side.LIGHT, (3, 1), (8, 5), (6, 5)).result
    after = play_named(point, Side.DARK, (6, 4), (24, 18), (18, 14)).result
    watched.see(eyes.look(start), eyes.look(start, dice), eyes.look(point, dice))
    watched.see(eyes.look(after, thrown(Side.DARK, 6, 4)), eyes.look(after))
    assert turns_of(watched.finish()) == [(Side.LIGHT, (3, 1), point), (Side.DARK, (6, 4), after)]


@pytest.mark.parametrize("minutes", [4, 5, 600])
def test_a_board_at_which_nobody_plays_for_long_goes_on_from_where_it_was(minutes: int) -> None:
    eyes, start = Eyes(), Position.start()
    tracker = (
        Tracker.start(Setting(), eyes.light_home).see(eyes.look(start)).see(eyes.look(start, seconds=60 * minutes))
    )
    assert tracker.belief.best == Hypothesis(Opening(), start)
    thrown_then = tracker.moved().see(eyes.look(start, thrown(Side.LIGHT, 3, 1)))
    assert thrown_then.belief.best.roll == (3, 1)


def test_a_checker_picked_up_and_put_back_is_nothing() -> None:
    eyes, start = Eyes(), Position.start()
    watched, dice = Watched(eyes), thrown(Side.LIGHT, 6, 1)
    point = play_named(start, Side.LIGHT, (6, 1), (13, 7), (8, 7)).result
    other = play_named(start, Side.LIGHT, (6, 1), (24, 18), (6, 5)).result
    watched.see(eyes.look(start), eyes.look(start, dice), eyes.look(other, dice), eyes.look(start, dice))
    watched.see(eyes.look(point, dice), eyes.look(point))
    assert turns_of(watched.finish()) == [(Side.LIGHT, (6, 1), point)]


def test_lifted_dice_over_an_illegal_play_are_told_from_a_legal_turn_and_from_its_correction() -> None:
    eyes, start = Eyes(), Position.start()
    watched, dice = Watched(eyes), thrown(Side.LIGHT, 6, 1)
    wrong = play_named(start, Side.LIGHT, (6, 2), (24, 18), (13, 11)).result
    right = play_named(start, Side.LIGHT, (6, 1), (13, 7), (8, 7)).result
    watched.see(
        eyes.look(start), eyes.look(start, dice), eyes.look(wrong, dice), eyes.look(wrong), eyes.look(wrong, seconds=3)
    )
    assert watched.tracker.belief.best.stage is Stage.ILLEGAL
    assert watched.tracker.belief.best.board == wrong
    assert watched.facts == []
    watched.see(eyes.look(right), eyes.look(right, thrown(Side.DARK, 4, 2)))
    assert turns_of(watched.finish())[0] == (Side.LIGHT, (6, 1), right)


def test_an_illegal_play_stands_once_the_opponent_has_rolled() -> None:
    eyes, start = Eyes(), Position.start()
    watched, dice = Watched(eyes), thrown(Side.LIGHT, 6, 1)
    wrong = play_named(start, Side.LIGHT, (5, 4), (24, 20), (13, 8)).result
    watched.see(
        eyes.look(start), eyes.look(start, dice), eyes.look(wrong, dice), eyes.look(wrong), eyes.look(wrong, seconds=3)
    )
    watched.see(eyes.look(wrong, thrown(Side.DARK, 4, 2)), eyes.look(wrong, thrown(Side.DARK, 4, 2)))
    (turn,) = [f for f in watched.finish() if isinstance(f, Turn)]
    assert (turn.side, turn.roll, turn.after, turn.play) == (Side.LIGHT, (6, 1), wrong, None)


def test_an_illegal_play_stands_once_the_opponent_has_doubled() -> None:
    eyes, start = Eyes(), Position.start()
    watched, dice = Watched(eyes), thrown(Side.LIGHT, 6, 1)
    wrong = play_named(start, Side.LIGHT, (5, 4), (24, 20), (13, 8)).result
    watched.see(eyes.look(start), eyes.look(start, dice), eyes.look(wrong, dice), eyes.look(wrong))
    watched.see(eyes.look(wrong, cube=2, cube_at=(0.25, 0.5)), eyes.look(wrong, cube=2, cube_at=(0.5, 0.95)))
    watched.see(eyes.look(wrong, thrown(Side.DARK, 4, 2), cube=2, cube_at=(0.5, 0.95)))
    turn, *cube = watched.finish()
    assert isinstance(turn, Turn)
    assert (turn.side, turn.roll, turn.after, turn.play) == (Side.LIGHT, (6, 1), wrong, None)
    assert cube == [CubeOffer(Side.DARK, 2), CubeAnswer(Side.LIGHT, True)]


@pytest.mark.parametrize(("seed", "when"), [(5, 8), (7, 4), (8, 4)])
def test_a_checker_that_is_not_seen_where_it_landed_does_not_lead_the_game_astray(seed: int, when: int) -> None:
    eyes, board = Eyes(seed), Position.start()
    watched, game = Watched(eyes), random_game(seed, when + 12)
    watched.see(eyes.look(board))
    overlooked: dict[int, int] = {}
    for turn, (side, roll, after) in enumerate(game):
        dice, was, now = thrown(side, *roll), overlooked, columns_of([after], eyes.light_home)[0]
        then = columns_of([board], eyes.light_home)[0]
        overlooked = {column: 0 for column in was if now[column] == then[column]}
        if turn == when:
            overlooked = {next(c for c in range(24) if then[c] == 0 and abs(now[c]) == 1): 0}
        watched.see(eyes.look(board, dice, misread=was), eyes.look(after, dice, misread=overlooked))
        watched.see(eyes.look(after, misread=overlooked))
        board = after
    assert turns_of(watched.finish()) == game


def test_what_most_hypotheses_hold_is_written_down_even_where_the_likeliest_one_holds_something_else() -> None:
    """And what follows from it is as doubtful as it is."""
    start, later = Position.start(), tuple(CubeOffer(Side.LIGHT, 2**n) for n in range(1, LONGEST_DIFFERENCE + 1))

    def hypothesis(first: Fact, board: Position) -> Hypothesis:
        return Hypothesis(ToRoll(Side.LIGHT), board, facts=(first, *later))

    moved = play_named(start, Side.LIGHT, (6, 1), (13, 7), (8, 7)).result
    other = play_named(start, Side.LIGHT, (3, 1), (8, 5), (6, 5)).result
    hypotheses = (
        (hypothesis(Skip(Side.DARK), start), 0.4),
        (hypothesis(Skip(Side.LIGHT), moved), 0.3),
        (hypothesis(Skip(Side.LIGHT), other), 0.3),
    )
    belief = Belief(hypotheses)
    known, tracker = Tracker(Setting(), "bottom-right", belief, belief).commit()
    assert [(one.fact, round(one.sure, 6)) for one in known] == [(Skip(Side.LIGHT), 0.6)] + [(f, 1.0) for f in later]
    assert tracker.belief.share_like_best() == pytest.approx(0.5)


def test_an_illegal_play_that_less_than_half_of_the_belief_holds_is_a_gap() -> None:
    """With either of two rolls something illegal was played, or the game goes on from somewhere else: no player is accused."""
    start = Position.start()
    other = replace(start, dark=play_named(start, Side.DARK, (4, 1), (13, 9), (9, 8)).result.dark)

    def hypothesis(fact: Fact) -> Hypothesis:
        return Hypothesis(Thrown(Throw(Side.DARK, (4, 3))), other, facts=(fact,))

    def illegal(roll: tuple[int, int]) -> Turn:
        return Turn(Side.LIGHT, roll, start, other, None, roll_seen=True)

    belief = Belief(
        (
            (hypothesis(illegal((5, 3))), 0.47),
            (hypothesis(GameFound(other, 1, None)), 0.33),
            (hypothesis(illegal((6, 3))), 0.2),
        )
    )
    known, _ = Tracker(Setting(), "bottom-right", belief, belief).commit()
    assert [one.fact for one in known] == [GameFound(other, 1, None)]


def doubtful_first_fact(then: Position, otherwise: Position) -> Tracker:
    """Nobody knows whether dark, who danced, had thrown a 4-3 or a 3-2; light has thrown since, from either of these boards."""
    start = Position.start()

    def hypothesis(danced: tuple[int, int], board: Position) -> Hypothesis:
        fact = Turn(Side.DARK, danced, start, start, None, roll_seen=True)
        return Hypothesis(Thrown(Throw(Side.LIGHT, (5, 4))), board, facts=(fact,))

    belief = Belief(((hypothesis((4, 3), then), 0.93), (hypothesis((3, 2), otherwise), 0.07)))
    return Tracker(Setting(), "bottom-right", belief, belief)


def test_what_will_never_be_settled_is_written_down_at_once_with_its_doubt() -> None:
    known, tracker = doubtful_first_fact(Position.start(), Position.start()).commit()
    assert [(one.fact.roll, one.sure) for one in known if isinstance(one.fact, Turn)] == [((4, 3), 0.93)]
    assert tracker.belief.best.facts == ()


def test_what_the_board_may_yet_settle_is_left_open() -> None:
    start = Position.start()
    moved = play_named(start, Side.LIGHT, (6, 1), (13, 7), (8, 7)).result
    assert doubtful_first_fact(start, moved).commit()[0] == ()


def test_a_roll_after_a_taken_double_is_not_taken_for_the_end_of_the_game() -> None:
    """Thrown twice, because a die leant the first time; the reader did not see that it did."""
    eyes, start = Eyes(), Position.start()
    after = play_named(start, Side.LIGHT, (3, 1), (8, 5), (6, 5)).result
    watched, dice = Watched(eyes), thrown(Side.LIGHT, 3, 1)
    watched.see(eyes.look(start), eyes.look(start, dice), eyes.look(after, dice), eyes.look(after))
    watched.see(eyes.look(after, cube=2, cube_at=(0.75, 0.5)), eyes.look(after, cube=2, cube_at=(0.05, 0.9)))
    watched.see(eyes.look(after, thrown(Side.DARK, 5, 4), cube=2, cube_at=(0.05, 0.9)))
    again = eyes.look(after, thrown(Side.DARK, 3, 2), cube=2, cube_at=(0.05, 0.9))
    dice_elsewhere = tuple(replace(die, at=(die.at[0] + 0.1, die.at[1] - 0.1)) for die in again.dice)
    watched.see(replace(again, dice=dice_elsewhere))
    assert watched.tracker.belief.best.stage is Stage.THROWN
    assert watched.finish()[-1] == CubeAnswer(Side.LIGHT, True)


def test_who_has_thrown_his_die_of_the_opening_waits_for_the_other() -> None:
    """A lone die is no half-seen roll: when the second lies, it is plain at once who opens."""
    eyes, start = Eyes(), Position.start()
    watched = Watched(eyes)
    watched.see(eyes.look(start), eyes.look(start, [(2, Side.LIGHT)]))
    assert watched.tracker.belief.best.stage is Stage.OPENING
    watched.see(eyes.look(start, [(2, Side.LIGHT), (6, Side.DARK)]))
    belief = watched.tracker.belief
    assert (belief.best.side, belief.best.roll) == (Side.DARK, (6, 2))
    assert belief.share_of("side", "roll") > 0.8


def test_four_dice_are_an_early_roll() -> None:
    eyes, start = Eyes(), Position.start()
    watched, dice = Watched(eyes), thrown(Side.LIGHT, 3, 1)
    after = play_named(start, Side.LIGHT, (3, 1), (8, 5), (6, 5)).result
    both = dice + thrown(Side.DARK, 6, 2)
    watched.see(eyes.look(start), eyes.look(start, dice), eyes.look(after, both), eyes.look(after, both))
    assert watched.tracker.belief.best.early
    assert watched.tracker.belief.best.side is Side.LIGHT


@pytest.mark.parametrize("taken", [True, False])
def test_the_cube_is_offered_and_answered(taken: bool) -> None:
    eyes, start = Eyes(), Position.start()
    watched, dice = Watched(eyes), thrown(Side.LIGHT, 3, 1)
    after = play_named(start, Side.LIGHT, (3, 1), (8, 5), (6, 5)).result
    watched.see(eyes.look(start), eyes.look(start, dice), eyes.look(after, dice), eyes.look(after))
    watched.see(eyes.look(after, cube=2, cube_at=(0.3, 0.5)))
    if taken:
        owned = {"cube": 2, "cube_at": (0.05, 0.9)}
        watched.see(eyes.look(after, **owned), eyes.look(after, thrown(Side.DARK, 5, 4), **owned))
    else:
        watched.see(eyes.look(start), eyes.look(start, thrown(Side.DARK, 5, 4)))
    cube = [f for f in watched.finish() if isinstance(f, CubeOffer | CubeAnswer)]
    assert cube == [CubeOffer(Side.DARK, 2), CubeAnswer(Side.LIGHT, taken)]


@pytest.mark.parametrize(("cube", "owner", "lies"), [(1, None, 0.5), (2, None, 0.5), (2, Side.DARK, 0.1)])
def test_a_gap_before_a_double_has_the_cube_as_it_lay(cube: int, owner: Side | None, lies: float) -> None:
    """A 4-1 or a 3-2; until 29 November the cube that equal dice of the draw had doubled was said to be the doubler's."""
    eyes, before = Eyes(), play_named(Position.start(), Side.DARK, (3, 1), (8, 5), (6, 5)).result
    after = play_named(before, Side.LIGHT, (4, 1), (13, 9), (9, 8)).result
    rules = replace(MONEY, cube=replace(MONEY.cube, auto_doubles=1))
    watched = Watched(eyes, Hypothesis(ToRoll(Side.LIGHT), before, cube, owner), rules)
    at_rest = {"cube": 64 if cube == 1 else cube, "cube_at": (0.5 if owner is None else 0.05, lies)}
    watched.see(eyes.look(before, **at_rest), eyes.look(after, **at_rest))
    watched.see(*(eyes.look(after, cube=2 * cube, cube_at=(0.3, 0.5)) for _ in range(2)))
    taken = {"cube": 2 * cube, "cube_at": (0.05, 0.9)}
    watched.see(eyes.look(after, **taken), eyes.look(after, thrown(Side.DARK, 6, 4), **taken))
    assert watched.facts == [
        GameFound(after, cube, owner), CubeOffer(Side.DARK, 2 * cube), CubeAnswer(Side.LIGHT, True),
    ]  # fmt: skip


def test_a_gap_before_the_next_game_has_the_cube_as_it_lay() -> None:
    """A 4-1 or a 3-2, and the game is broken off: until 30 November the next game's cube was said to lie there."""
    eyes, before = Eyes(), play_named(Position.start(), Side.DARK, (3, 1), (8, 5), (6, 5)).result
    after = play_named(before, Side.LIGHT, (4, 1), (13, 9), (9, 8)).result
    watched = Watched(eyes, Hypothesis(ToRoll(Side.LIGHT), before, 2, Side.DARK))
    watched.see(*(eyes.look(board, cube=2, cube_at=(0.05, 0.1)) for board in (before, after)))
    watched.see(*(eyes.look(Position.start(), seconds=60) for _ in range(3)))
    assert watched.finish() == [GameFound(after, 2, Side.DARK), GameFound(Position.start(), 1, None)]


@pytest.mark.parametrize("waits", [True, False], ids=["dice lie a while", "played at once"])
def test_a_cube_that_nobody_saw_offered_is_known_when_it_lies_with_whoever_took_it(waits: bool) -> None:
    """Until 30 November it stayed in the middle unless the offer was read into a look of its own, or was called the other's."""
    eyes, dice, with_light = Eyes(), thrown(Side.DARK, 3, 1), {"cube": 2, "cube_at": (0.05, 0.9)}
    watched = Watched(eyes, Hypothesis(ToRoll(Side.DARK), Position.start()))
    play = play_named(Position.start(), Side.DARK, (3, 1), (8, 5), (6, 5))
    watched.see(*(eyes.look(Position.start(), dice, **with_light) for _ in range(2 if waits else 1)))
    watched.see(*(eyes.look(play.result, lying, **with_light) for lying in (dice, (), thrown(Side.LIGHT, 5, 4))))
    assert watched.finish() == [
        CubeOffer(Side.DARK, 2), CubeAnswer(Side.LIGHT, True),
        Turn(Side.DARK, (3, 1), Position.start(), play.result, play, True),
    ]  # fmt: skip


def test_a_cube_that_left_the_bar_and_was_seen_in_one_frame_only_was_offered() -> None:
    eyes, hypothesis = Eyes(9), Hypothesis(ToRoll(Side.DARK), Position.start())
    watched, board = Watched(eyes, hypothesis), Position.start()
    watched.see(eyes.look(board))
    for cube in (None, None, 2):
        watched.tracker = watched.tracker.see(eyes.look(board, cube=cube, cube_at=(0.3, 0.5), seconds=0.7))
    watched.tracker = watched.tracker.moved()
    for dice in ((), thrown(Side.DARK, 5, 1), thrown(Side.DARK, 5, 1)):
        watched.see(eyes.look(board, dice, cube=None))
    assert watched.finish()[:2] == [CubeOffer(Side.DARK, 2), CubeAnswer(Side.LIGHT, True)]


def test_a_cube_that_was_hardly_ever_seen_says_nothing_when_it_is_missed() -> None:
    eyes, hypothesis = Eyes(9), Hypothesis(ToRoll(Side.DARK), Position.start())
    watched, board = Watched(eyes, hypothesis), Position.start()
    for dice in ((), (), thrown(Side.DARK, 5, 1), thrown(Side.DARK, 5, 1)):
        watched.see(eyes.look(board, dice, cube=None))
    assert watched.tracker.belief.best.roll == (5, 1)
    assert watched.finish() == []


def test_a_closed_out_player_need_not_roll() -> None:
    eyes = Eyes()
    closed = Position.of(light={1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2, 8: 3}, dark={25: 1, 6: 14})
    watched = Watched(eyes, Hypothesis(ToRoll(Side.DARK), closed))
    after = play_named(closed, Side.LIGHT, (2, 1), (8, 6), (8, 7)).result
    dice = thrown(Side.LIGHT, 2, 1)
    watched.see(eyes.look(closed), eyes.look(closed, dice), eyes.look(after, dice), eyes.look(after))
    assert watched.finish() == [
        Skip(Side.DARK),
        Turn(Side.LIGHT, (2, 1), closed, after, None, True),
    ]


def test_dice_that_are_argued_about_still_tell_who_has_thrown() -> None:
    """A closed-out player did not roll: of the opponent's dice one lies on a checker, and both are taken up again."""
    eyes = Eyes()
    closed = Position.of(light={1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2, 8: 3}, dark={25: 1, 6: 14})
    watched = Watched(eyes, Hypothesis(ToRoll(Side.DARK), closed))
    after = play_named(closed, Side.LIGHT, (2, 1), (8, 6), (8, 7)).result
    argued, dice = thrown(Side.LIGHT, 3, 1), thrown(Side.LIGHT, 2, 1)
    watched.see(eyes.look(closed), eyes.look(closed, argued, unflat=1, on_column=18), eyes.look(closed))
    watched.see(eyes.look(closed, dice), eyes.look(after, dice), eyes.look(after))
    assert watched.finish() == [Skip(Side.DARK), Turn(Side.LIGHT, (2, 1), closed, after, None, True)]


def test_a_closed_out_player_rolls_and_loses_the_turn_where_the_rules_say_so() -> None:
    """All texts but 002: nothing is skipped, and the opponent's roll is read with dark's turn missing."""
    eyes, rules = Eyes(), PRESETS["text-001"]
    closed = Position.of(light={1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2, 8: 3}, dark={25: 1, 6: 14})
    watched = Watched(eyes, Hypothesis(ToRoll(Side.DARK), closed), rules)
    dice = thrown(Side.DARK, 5, 3)
    watched.see(eyes.look(closed), eyes.look(closed, dice), eyes.look(closed))
    lost = Turn(Side.DARK, (5, 3), closed, closed, None, True)
    assert watched.finish() == [lost]
    for waiting, skips in ((MATCH, True), (rules, False)):
        assert (Transition.SKIP in steps(Hypothesis(ToRoll(Side.DARK), closed), Setting(waiting))) is skips


def test_a_closed_out_player_may_be_doubled_without_rolling() -> None:
    eyes = Eyes()
    closed = Position.of(light={1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2, 8: 3}, dark={25: 1, 6: 14})
    watched = Watched(eyes, Hypothesis(ToRoll(Side.DARK), closed))
    offered = {"cube": 2, "cube_at": (0.3, 0.5)}
    watched.see(eyes.look(closed), eyes.look(closed, **offered), eyes.look(Position.start()))
    assert [f for f in watched.finish() if isinstance(f, Skip | CubeOffer)] == [
        Skip(Side.DARK),
        CubeOffer(Side.LIGHT, 2),
    ]


def test_a_point_that_is_always_misread_in_the_same_way_spoils_no_turn() -> None:
    """Dark's two checkers on light's 24 point are taken for three all along, whatever happens elsewhere."""
    eyes = Eyes()
    column = int(np.flatnonzero(columns_of([Position.start()], eyes.light_home)[0] == -2)[0])
    misread = {column: -3}
    game = [(Side.LIGHT, (3, 1), ((8, 5), (6, 5))), (Side.DARK, (6, 1), ((13, 7), (8, 7)))]
    game += [(Side.LIGHT, (4, 2), ((8, 4), (6, 4))), (Side.DARK, (5, 3), ((8, 3), (6, 3)))]
    position = Position.start()
    watched = Watched(eyes)
    watched.see(eyes.look(position, misread=misread))
    want = []
    for side, roll, moves in game:
        dice = thrown(side, *roll)
        after = play_named(position, side, roll, *moves).result
        watched.see(eyes.look(position, dice, misread=misread), eyes.look(after, dice, misread=misread))
        watched.see(eyes.look(after, misread=misread))
        want.append((side, roll, after))
        position = after
    assert turns_of(watched.finish()) == want


@pytest.mark.parametrize(("seed", "taken_for"), [(4, 4), (1, None)], ids=["taken for a 4", "not found"])
def test_what_dice_with_a_logo_in_place_of_their_1_show_is_learnt_from_the_plays(
    seed: int, taken_for: int | None
) -> None:
    eyes, board = Eyes(), Position.start()
    watched, game = Watched(eyes), random_game(seed, 50)
    watched.see(eyes.look(board))
    told: list[bool] = []
    for side, roll, after in game:
        shown = [taken_for if value == 1 else value for value in roll]
        dice = thrown(side, *(value for value in shown if value is not None))
        watched.see(eyes.look(board, dice))
        if len(dice) == 1:
            told.append(watched.tracker.belief.best.roll == roll)
        watched.see(eyes.look(after, dice), eyes.look(after))
        board = after
    turns = turns_of(watched.finish())
    assert all(turn in turns for turn in game[10:])
    assert all(told[-6:])


def with_a_logo(game: list[tuple[Side, tuple[int, int], Position]], taken_for: int, faces: Faces = ALL_READ) -> Watched:
    """That game, of which each 1 is read so."""
    eyes, board = Eyes(), Position.start()
    watched = Watched(eyes, faces=faces)
    watched.see(eyes.look(board))
    for side, roll, after in game:
        dice = thrown(side, *(taken_for if value == 1 else value for value in roll))
        watched.see(eyes.look(board, dice), eyes.look(after, dice), eyes.look(after))
        board = after
    watched.facts = watched.finish()
    return watched


def test_the_table_s_dice_are_known_when_the_next_match_begins() -> None:
    """And others in their place, which are read rightly, suffer nothing."""
    taught = with_a_logo(random_game(4, 24), 4).tracker.habits.faces
    openings = [random_game(seed, 12) for seed in (100, 101)]

    def right(taken_for: int, faces: Faces) -> int:
        followed = [turns_of(with_a_logo(game, taken_for, faces).facts) for game in openings]
        return sum(turn in turns for game, turns in zip(openings, followed, strict=True) for turn in game)

    assert right(4, ALL_READ) < 20
    assert right(4, taught) == 24
    assert right(1, taught) == 24


@given(st.lists(st.tuples(st.integers(1, 6), st.integers(0, 6)), max_size=60))
def test_what_is_remembered_of_dice_weighs_little_and_says_the_same(read: list[tuple[int, int]]) -> None:
    faces = ALL_READ
    for thrown_, seen in read:
        faces = faces.thrown((thrown_, thrown_), (seen, seen), 0.5)
    kept = faces.remembered()

    assert faces.told == pytest.approx((len(read), sum(one != other for one, other in read)))
    for before, after in zip(faces.counts, kept.counts, strict=True):
        assert sum(after) == pytest.approx(min(sum(before), DICE_TO_TELL))
        assert [one * sum(after) for one in before] == pytest.approx([one * sum(before) for one in after])


@pytest.mark.parametrize("camera", [True, False])
def test_a_pile_that_looks_as_before_was_not_played_to_although_it_may_be_misread(camera: bool) -> None:
    """Light, with a checker left outside, bears one off: the reader half believes that it was moved to a pile instead."""
    eyes = Eyes()
    dark = (5, 5, 5, *(0,) * 22)
    before = Position((0, 4, 6, 0, 4, 0, 0, 1, *(0,) * 17), dark)
    wrong = Position((0, 4, 6, 0, 3, 0, 1, 0, *(0,) * 17), dark)
    legal = Position((0, 4, 7, 0, 3, 0, 1, 0, *(0,) * 17), dark)
    assert legal in [play.result for play in legal_plays(before, Side.LIGHT, (2, 1))]
    dice = thrown(Side.LIGHT, 2, 1)
    watched = Watched(eyes, Hypothesis(ToRoll(Side.LIGHT), before))

    def rest(position: Position, *dice: tuple[int, Side]) -> Observation:
        seen = eyes.look(position, dice)
        if position == wrong:
            seen = replace(seen, columns=0.6 * seen.columns + 0.4 * eyes.look(legal).columns)
        return replace(seen, snapshot=pictured(position, eyes.light_home)) if camera else seen

    watched.see(rest(before), rest(before, *dice), rest(wrong, *dice), rest(wrong))
    best = watched.tracker.belief.best
    assert (best.stage, best.board) == ((Stage.ILLEGAL, wrong) if camera else (Stage.TO_ROLL, legal))


def test_the_last_checker_is_borne_off_rather_than_put_on_the_bar_by_its_owner() -> None:
    """Dark hits with its last checker and bears it off; the hit one on the bar is taken for a dark one."""
    eyes = Eyes()
    before = Position.of(light={24: 1, 1: 5, 2: 5, 3: 4}, dark={5: 1})
    after = play_named(before, Side.DARK, (4, 1), (5, 1), (1, 0)).result
    misread = np.full((2, 16), 1e-4, np.float32)
    misread[0, :3], misread[1, :3] = (0.52, 0.42, 0.05), (0.001, 0.89, 0.08)

    def rest(position: Position, *dice: tuple[int, Side]) -> Observation:
        seen = eyes.look(position, dice)
        return replace(seen, bar=misread / misread.sum(1, keepdims=True)) if position == after else seen

    watched, dice = Watched(eyes, Hypothesis(ToRoll(Side.DARK), before)), thrown(Side.DARK, 4, 1)
    watched.see(rest(before), rest(before, *dice), rest(after, *dice), rest(after))
    assert watched.tracker.belief.best.stage is Stage.OVER
    assert turns_of(watched.finish()) == [(Side.DARK, (4, 1), after)]


@pytest.mark.parametrize("stands", [0, 1])
def test_a_die_on_a_checker_counts_for_little_unless_the_checker_is_the_die_itself(stands: int) -> None:
    """A white die on an empty point is taken for a checker with a die on it; what stood there before tells which it is."""
    eyes = Eyes()
    counts = columns_of([Position.start()], eyes.light_home)[0]
    column = next(c for c in range(24) if abs(int(counts[c])) == (5 if stands else 0))
    misread = {} if stands else {column: 1}
    watched, dice = Watched(eyes, Hypothesis(ToRoll(Side.LIGHT), Position.start())), thrown(Side.LIGHT, 4, 2)
    watched.see(eyes.look(Position.start()))
    watched.see(eyes.look(Position.start(), dice, unflat=1, misread=misread, on_column=column))
    evidence = watched.tracker.belief.evidence
    assert evidence is not None
    assert len(evidence.unflat) == stands
    assert (watched.tracker.belief.share_of_roll((4, 2)) > 0.5) == (not stands)


@pytest.mark.parametrize("home", ["bottom-right", "bottom-left", "top-right", "top-left"])
def test_the_start_position_tells_which_way_the_board_lies(home: str) -> None:
    observation = Eyes(1, wrong_cells=0.04, light_home=home).look(Position.start())
    assert find_home(observation, Setting())[0] == home


def test_a_tracker_gets_no_slower_with_unreadable_dice_and_boards() -> None:
    eyes = Eyes(3, wrong_cells=0.3)
    watched = Watched(eyes)
    for _ in range(12):
        watched.see(eyes.look(Position.start()))
    assert len(watched.tracker.belief.hypotheses) <= 40


@pytest.mark.parametrize(
    ("places", "thrower"),
    [((0.62, 0.7), Side.LIGHT), ((0.3, 0.4), Side.DARK), ((0.3, 0.7), None)],
    ids=["in their right half", "in their left half", "one in each half"],
)
def test_where_dice_lie_tells_who_threw_them_as_these_players_throw(
    places: tuple[float, float], thrower: Side | None
) -> None:
    eyes, position, side = Eyes(), Position.start(), Side.LIGHT
    tracker = Tracker.start(Setting(MATCH), "bottom-right", Hypothesis(ToRoll(side), position))
    for turn in range(6):
        own = places if side is Side.LIGHT else tuple(1 - place for place in places)
        seen = eyes.look(position, thrown(side, 3, 1))
        dice = [replace(die, at=(at, 0.4 + 0.05 * turn)) for die, at in zip(seen.dice, own, strict=True)]
        tracker = tracker.see(replace(seen, dice=tuple(dice))).moved()
        position, side = legal_plays(position, side, (3, 1))[0].result, side.other
        _, tracker = tracker.see(eyes.look(position)).moved().commit()
    evidence = tracker.see(eyes.look(position, thrown(Side.LIGHT, 6, 5))).belief.evidence  # in light's right half
    assert evidence is not None
    light, dark = (evidence.of_dice.of_roll((6, 5), side) for side in (Side.LIGHT, Side.DARK))
    assert {Side.LIGHT: light > dark + 1, Side.DARK: dark > light + 1, None: abs(light - dark) < 1}[thrower]


def test_a_game_that_is_played_on_was_not_given_up_although_nobody_sees_dice_and_cube() -> None:
    """That dark danced was not seen, so that light's turn follows from nothing: then a pass that nobody saw explains the board."""
    eyes, before = Eyes(), Position.start()
    for side, roll, moves in (
        (Side.DARK, (6, 3), ((13, 7), (7, 4))),
        (Side.LIGHT, (2, 1), ((24, 22), (22, 21))),
    ):
        before = play_named(before, side, roll, *moves).result
    passed = Hypothesis(Over(), before, facts=(CubeOffer(Side.DARK, 2), CubeAnswer(Side.LIGHT, False)))
    belief = Belief(((Hypothesis(ToRoll(Side.DARK), before), 0.97), (passed, 0.03)))
    watched = Watched(eyes, sure=SURE_AT_LEISURE)
    watched.tracker = replace(watched.tracker, belief=belief, settled=belief)
    after = play_named(before, Side.LIGHT, (4, 3), (24, 21), (13, 9)).result
    for side, roll, moves in (
        (Side.DARK, (5, 1), ((25, 24), (6, 1))),
        (Side.LIGHT, (5, 1), ((13, 8), (9, 8))),
        (Side.DARK, (3, 1), ((8, 5), (6, 5))),
    ):
        watched.see(eyes.look(after, cube=None))
        after = play_named(after, side, roll, *moves).result
    watched.see(eyes.look(after, cube=None))
    assert CubeAnswer(Side.LIGHT, False) not in watched.finish()
    assert watched.tracker.belief.best.board == after


def test_where_no_dice_are_seen_plays_are_followed_that_leave_no_doubt_about_the_roll() -> None:
    right = told = 0
    for seed in range(4):
        eyes, position = Eyes(seed), Position.start()
        watched, game = Watched(eyes, sure=SURE_AT_LEISURE), random_game(seed + 10, 16)
        watched.see(eyes.look(position))
        for _, _, after in game:
            watched.see(eyes.look(position, cube=None), eyes.look(after, cube=None), eyes.look(after, cube=None))
            position = after
        turns = turns_of(watched.finish())
        right, told = right + sum(turn in game for turn in turns), told + len(turns)
    assert right >= 14
    assert right >= 0.9 * told


def test_dice_that_lie_on_as_a_play_is_seen_beside_others_are_not_taken_for_lifted() -> None:
    """Dark's dice of before lie there, too: which two a turn that may have ended has left there nobody knows."""
    eyes, dice = Eyes(), [*thrown(Side.LIGHT, 3, 1), *thrown(Side.DARK, 6, 2)]
    start = Position.start()
    after = play_named(start, Side.LIGHT, (3, 1), (8, 5), (6, 5)).result
    watched = Watched(eyes, Hypothesis(Thrown(Throw(Side.LIGHT, (3, 1)), left=True), start))
    watched.see(eyes.look(start, dice), eyes.look(after, dice))
    ended = [one for one, _ in watched.tracker.belief.hypotheses if isinstance(one.turn, ToRoll) and one.turn.left]
    assert ended
    assert {one.last.lifted for one in ended if one.last is not None} == {"unseen"}


def test_what_is_misread_as_the_dice_are_lifted_over_a_legal_play_is_no_illegal_one() -> None:
    """Two are borne off, and one point is read as if neither were: an illegal play that brings them back is hardly ever made."""
    eyes, dice = Eyes(), thrown(Side.LIGHT, 5, 1)
    begun, left = (
        Position.of(light, {2: 5, 1: 5}) for light in ({6: 2, 5: 1, 3: 6, 2: 4, 1: 2}, {6: 2, 3: 6, 2: 4, 1: 1})
    )
    watched = Watched(eyes, Hypothesis(ToRoll(Side.LIGHT), begun))
    watched.see(eyes.look(begun), eyes.look(begun, dice), eyes.look(left, dice), eyes.look(left, dice))
    watched.see(eyes.look(left, misread={column_of_point(1, eyes.light_home): 3}))
    assert watched.tracker.belief.best.stage is Stage.TO_ROLL
    watched.see(eyes.look(left))
    assert turns_of(watched.facts) == [(Side.LIGHT, (5, 1), left)]
