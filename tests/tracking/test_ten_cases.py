"""The ten little cases of docs/tracking.md."""

from __future__ import annotations

from dataclasses import replace

from controller.rules import Position, Side
from controller.tracking.belief import Belief
from controller.tracking.hypothesis import Hypothesis, Opening, Stage, ToRoll, TurnStage
from controller.tracking.setting import Setting
from controller.tracking.tracker import Tracker
from tests.tracking.eyes import Eyes, thrown
from vision.observation import Observation

START = Position.start()
FIVE_POINT = Position(tuple({4: 2, 5: 4, 7: 2}.get(i, n) for i, n in enumerate(START.light)), START.dark)  # 8/5 6/5
HALF_WAY = Position(tuple({4: 1, 7: 2}.get(i, n) for i, n in enumerate(START.light)), START.dark)  # 8/5 alone
LIGHT_TO_ROLL, DARK_TO_ROLL = ToRoll(Side.LIGHT), ToRoll(Side.DARK)


def seen(turn: TurnStage, *rests: Observation) -> Belief:
    """What is believed after these rests, each of one frame."""
    tracker = Tracker.start(Setting(), "bottom-right", Hypothesis(turn, START))
    for rest in rests:
        tracker = tracker.see(rest).moved()
    return tracker.belief


def opened(*dice: tuple[int, Side]) -> Belief:
    eyes = Eyes()
    return seen(Opening(), eyes.look(START), eyes.look(START, dice))


def test_1_the_higher_of_two_dice_in_lights_half_opens() -> None:
    belief = opened((3, Side.LIGHT), (1, Side.LIGHT))
    assert (belief.best.stage, belief.best.side, belief.best.roll) == (Stage.THROWN, Side.LIGHT, (3, 1))


def test_2_each_may_have_thrown_one_and_the_higher_opens() -> None:
    belief = opened((3, Side.LIGHT), (1, Side.DARK))
    assert (belief.best.side, belief.best.roll) == (Side.LIGHT, (3, 1))
    assert belief.share_of("side", "roll") > 0.9


def test_3_equal_dice_open_nothing() -> None:
    assert opened((4, Side.LIGHT), (4, Side.DARK)).best.stage is Stage.OPENING


def after_three_one(board: Position, dice_lie: bool) -> Belief:
    eyes, dice = Eyes(), thrown(Side.LIGHT, 3, 1)
    return seen(
        LIGHT_TO_ROLL,
        eyes.look(START),
        eyes.look(START, dice),
        eyes.look(board, dice),
        eyes.look(board, dice if dice_lie else ()),
    )


def test_4_lifted_dice_end_the_turn() -> None:
    belief = after_three_one(FIVE_POINT, dice_lie=False)
    assert (belief.best.stage, belief.best.side, len(belief.best.facts)) == (Stage.TO_ROLL, Side.DARK, 1)


def test_5_half_a_play_is_nothing_while_the_dice_lie() -> None:
    belief = after_three_one(HALF_WAY, dice_lie=True)
    assert (belief.best.stage, belief.best.board, belief.best.facts) == (Stage.THROWN, HALF_WAY, ())


def test_6_half_a_play_with_lifted_dice_is_illegal() -> None:
    belief = after_three_one(HALF_WAY, dice_lie=False)
    assert (belief.best.stage, belief.best.board, belief.best.facts) == (Stage.ILLEGAL, HALF_WAY, ())


def test_7_a_leaning_die_does_not_count() -> None:
    eyes, dice = Eyes(), thrown(Side.LIGHT, 3, 1)
    leaning = eyes.look(START, dice, unflat=1, on_column=18)
    for rests in ((leaning,), (leaning, eyes.look(START))):
        belief = seen(LIGHT_TO_ROLL, eyes.look(START), *rests)
        assert belief.best.turn == LIGHT_TO_ROLL
        assert belief.share_of("side") > 0.8


def test_8_four_dice_are_an_early_roll() -> None:
    eyes, dice = Eyes(), thrown(Side.LIGHT, 3, 1)
    four = eyes.look(FIVE_POINT, [*dice, *thrown(Side.DARK, 5, 2)])
    belief = seen(LIGHT_TO_ROLL, eyes.look(START), eyes.look(START, dice), four)
    assert (belief.best.early, belief.best.side, belief.best.board) == (True, Side.LIGHT, FIVE_POINT)


def test_9_a_turned_cube_on_the_field_is_an_offer() -> None:
    eyes = Eyes()
    belief = seen(DARK_TO_ROLL, eyes.look(START), eyes.look(START, cube=2, cube_at=(0.3, 0.5)))
    assert (belief.best.stage, belief.best.side) == (Stage.OFFERED, Side.DARK)


def test_10_a_mistake_that_is_repeated_is_not_believed_more_each_time() -> None:
    """Nine tenths of each reading say that a checker of light's has gone from his 6 point to his 3 point."""
    eyes = Eyes()
    moved = Position(tuple({2: 1, 5: 4}.get(i, n) for i, n in enumerate(START.light)), START.dark)
    plain, wrong = eyes.look(START), eyes.look(moved)
    doubtful = [replace(eyes.look(START), columns=0.1 * plain.columns + 0.9 * wrong.columns) for _ in range(5)]
    once, often = seen(LIGHT_TO_ROLL, plain, doubtful[0]), seen(LIGHT_TO_ROLL, plain, *doubtful)
    assert once.best.board == often.best.board == START
    assert abs(once.hypotheses[0][1] - often.hypotheses[0][1]) < 0.2
