"""What may follow from a hypothesis: the chances sum to one from everywhere, and what is proposed gets no more than its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import exp, isclose, log

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from controller.rules import ALL_ROLLS, Position, Side, legal_plays
from controller.tracking.dice import log_prior_of_roll
from controller.tracking.followers import followers
from controller.tracking.hypothesis import (
    Hypothesis,
    Illegal,
    Offered,
    Opening,
    Over,
    Throw,
    Thrown,
    ToRoll,
    Turn,
    TurnStage,
)
from controller.tracking.illegal import log_prior_of_board, log_prior_of_knock
from controller.tracking.proposals import Proposals
from controller.tracking.rest import Rest
from controller.tracking.setting import Setting
from controller.tracking.transitions import Transition, steps
from tests.rules.boards import ROLLS, SIDES, board, positions
from tests.tracking.eyes import Eyes, thrown

START = Position.start()
CLOSED_OUT = board("1:2 2:2 3:2 4:2 5:2 6:2 8:3", "6:14 bar:1")


@st.composite
def hypotheses(draw: st.DrawFn) -> Hypothesis:
    """Any hypothesis, its boards not always to be had by any play."""
    side, roll, before, now = draw(SIDES), draw(ROLLS), draw(positions()), draw(st.none() | positions())
    throw = Throw(side, roll, opening=draw(st.booleans()))
    turns: Sequence[TurnStage] = (
        Opening(),
        ToRoll(side),
        Thrown(throw, now, early=draw(st.booleans())),
        Illegal(throw, now or before),
        Offered(side),
        Over(),
    )
    owner = draw(st.none() | SIDES)
    last = Turn(side.other, roll, before, before, None, True) if draw(st.booleans()) else None
    unseen = tuple(
        Turn(one, draw(ROLLS), draw(positions()), before, None, roll_seen=False)
        for one in (side, side.other)[: draw(st.integers(0, 2))]
    )
    return Hypothesis(draw(st.sampled_from(turns)), before, 2 if owner else 1, owner, unseen, last)


@given(hypotheses(), st.booleans())
def test_what_may_happen_next_sums_to_one(state: Hypothesis, cube: bool) -> None:
    assert isclose(sum(map(exp, steps(state, Setting(cube_in_play=cube)).values())), 1)


@pytest.mark.parametrize("opening", [True, False])
def test_the_rolls_share_one_chance(opening: bool) -> None:
    rolls = [roll for roll in ALL_ROLLS if not (opening and roll[0] == roll[1])]
    assert isclose(sum(exp(log_prior_of_roll(roll, opening=opening)) for roll in rolls), 1)


@settings(max_examples=25, deadline=None)
@given(hypotheses(), st.booleans())
def test_followers_get_no_more_than_there_is(state: Hypothesis, dice_lie: bool) -> None:
    dice = [*thrown(Side.LIGHT, 3, 1), *thrown(Side.DARK, 6, 2)] if dice_lie else []
    evidence = Rest.begin(Eyes().look(state.board, dice)).evidence("bottom-right")
    assert sum(exp(prior) for _, prior in followers(state, Proposals(evidence, Setting()))) <= 1 + 1e-9


def next_steps(state: Hypothesis) -> set[Transition]:
    return set(steps(state, Setting()))


def test_behind_a_face_a_turn_that_nobody_saw_shares_its_chance_with_the_next_throw() -> None:
    """Until 30 November 2026 it kept all of it: a throw came on top."""
    play, likely = Setting().plays(START, Side.DARK, (6, 5))[0]
    before, now = Eyes().look(START), replace(Eyes().look(play.result, thrown(Side.LIGHT, 3, 1)), seconds=13.0)
    evidence = Rest.begin(now).evidence("bottom-right", Rest.begin(before).evidence("bottom-right"))
    state, proposed = Hypothesis(ToRoll(Side.DARK), START), Proposals(evidence, Setting())
    turn = Turn(Side.DARK, (6, 5), START, play.result, play, roll_seen=False)
    since = [(one, prior) for one, prior in followers(state, proposed) if one.facts == (turn,)]
    whole = steps(state, Setting())[Transition.THROW] + 2 * proposed.overlooked + log_prior_of_roll((6, 5)) + likely
    assert {type(one.turn) for one, _ in since} == {ToRoll, Thrown}
    assert sum(exp(prior) for _, prior in since) <= exp(whole)


def test_only_who_is_closed_out_skips() -> None:
    assert Transition.SKIP in next_steps(Hypothesis(ToRoll(Side.DARK), CLOSED_OUT))
    assert Transition.SKIP not in next_steps(Hypothesis(ToRoll(Side.LIGHT), CLOSED_OUT))


def test_only_its_owner_offers_the_cube() -> None:
    for owner, may in ((None, True), (Side.LIGHT, True), (Side.DARK, False)):
        assert (Transition.OFFER in next_steps(Hypothesis(ToRoll(Side.LIGHT), START, 2, owner))) == may


def test_dice_are_lifted_over_what_was_played_and_over_nothing_where_nothing_can_be() -> None:
    dancing = board("6:14 bar:1", "1:2 2:2 3:2 4:2 5:2 6:2 8:3")
    throw = Throw(Side.LIGHT, (3, 1))
    moved = legal_plays(START, Side.LIGHT, (3, 1))[0].result
    assert Transition.LIFT not in next_steps(Hypothesis(Thrown(throw), START))
    assert Transition.LIFT in next_steps(Hypothesis(Thrown(throw, moved), START))
    assert Transition.LIFT in next_steps(Hypothesis(Thrown(throw), dancing))


def chance_of_board(after: Position) -> float:
    return exp(log_prior_of_board(Setting(), START, Side.LIGHT, (3, 1), after))


def test_a_die_left_out_is_likelier_than_a_moved_opponent_and_that_than_a_checker_gone_besides() -> None:
    left_out = board("24:2 13:5 8:2 6:5 5:1", "24:2 13:5 8:3 6:5")
    meddled = board("24:2 13:5 8:2 6:5 5:1", "24:2 13:4 12:1 8:3 6:5")
    gone = board("24:2 13:5 8:2 6:4 5:1", "24:2 13:4 12:1 8:3 6:5")
    assert chance_of_board(left_out) > 50 * chance_of_board(meddled) > 500 * chance_of_board(gone) > 0


def test_each_checker_of_the_opponent_s_beyond_two_that_lies_elsewhere_makes_a_board_less_likely() -> None:
    two, three, four = (
        board("24:2 13:5 8:3 6:5", dark)
        for dark in ("24:2 13:3 12:2 8:3 6:5", "24:2 13:3 12:2 8:2 7:1 6:5", "24:2 13:3 12:2 8:1 7:2 6:5")
    )
    assert chance_of_board(two) > 40 * chance_of_board(three) > 1600 * chance_of_board(four) > 0


def test_a_checker_that_went_back_makes_a_board_less_likely_of_whosever_it_is() -> None:
    on, back = (board(light, "24:2 13:5 8:3 6:5") for light in ("24:2 13:3 11:2 8:3 6:5", "24:2 14:2 13:3 8:3 6:5"))
    assert chance_of_board(on) > 40 * chance_of_board(back) > 0
    on, back = (board("24:2 13:5 8:3 6:5", dark) for dark in ("24:2 13:4 12:1 8:3 6:5", "24:2 14:1 13:4 8:3 6:5"))
    assert chance_of_board(on) > 40 * chance_of_board(back) > 0


def test_a_checker_may_be_knocked_off_the_bar_where_no_other_one_lies() -> None:
    assert log_prior_of_knock(board("bar:1", "bar:1"), board("24:1", "bar:1")) == -log(2)
