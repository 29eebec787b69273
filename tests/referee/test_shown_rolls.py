"""A roll is shown as soon as it is likely, but not while something that came before it is in doubt."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.referee.decide import decide
from controller.referee.events import Doubled, Found, Rolled, Taken
from controller.referee.folding import apply
from controller.rules import Side, position_id
from controller.tracking.hypothesis import CubeAnswer, CubeOffer, Throw, Thrown
from controller.tracking.tracker import SettledFact
from tests.referee.table import Board


@pytest.mark.parametrize(("doubled", "shown"), [(0.04, 1), (0.36, 0)])
def test_a_roll_waits_for_the_double_that_may_have_come_before_it(doubled: float, shown: int) -> None:
    """The turn machine takes no double once a roll is shown."""
    board = Board()
    board.opening(3, 1, (8, 5), (6, 5))
    belief = board.session.tracker.belief
    rolled = belief.best.at(Thrown(Throw(Side.DARK, (6, 5))))
    took = replace(rolled, cube=2, owner=Side.LIGHT).with_facts(CubeOffer(Side.DARK, 2), CubeAnswer(Side.LIGHT, True))
    believed = replace(belief, hypotheses=((rolled, 1 - doubled), (took, doubled)))
    rolls = [event for event in decide(board.state, (), believed, 9.0).events if isinstance(event, Rolled)]
    assert len(rolls) == shown


def test_a_double_that_came_before_a_shown_roll_makes_a_gap_before_both() -> None:
    board = Board()
    board.opening(3, 1, (8, 5), (6, 5))
    state = apply(board.state, Rolled(side=Side.DARK, dice=(6, 5), seconds=9.0))
    known = [SettledFact(fact, 1.0) for fact in (CubeOffer(Side.DARK, 2), CubeAnswer(Side.LIGHT, True))]
    decision = decide(state, tuple(known), board.session.tracker.belief, 12.0)
    gap, double, take = decision.events[:3]
    assert isinstance(gap, Found)
    assert (gap.position, gap.cube, gap.lost) == (position_id(state.position, Side.LIGHT), 1, 3.0)
    assert isinstance(double, Doubled)
    assert isinstance(take, Taken)
    assert (decision.state.cube, decision.state.owner, decision.overtaken) == (2, Side.LIGHT, False)
