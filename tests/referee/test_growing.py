"""What grows without being copied looks like a tuple to everybody who holds an earlier part of it."""

from __future__ import annotations

from functools import reduce

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.referee.events import AnyEvent, Confirmed, Doubled, GameStarted, Played, Rolled, Skipped, Taken
from controller.referee.folding import apply_recorded, fold
from controller.referee.growing import Growing, plus
from controller.referee.history import effective
from controller.referee.session import MatchPlan
from controller.referee.state import MatchState
from controller.rules import MATCH, Position, Side, position_id

START = position_id(Position.start(), Side.LIGHT)
SIDES = st.sampled_from(Side)


@given(st.lists(st.tuples(st.integers(0, 20), st.integers()), max_size=60))
def test_each_stays_what_it_was_however_others_grow(acts: list[tuple[int, int]]) -> None:
    tuples: list[tuple[int, ...]] = [()]
    grown: list[Growing[int]] = [Growing()]
    for which, item in acts:
        tuples.append((*tuples[which % len(tuples)], item))
        grown.append(grown[which % len(grown)].plus(item))
    for wanted, found in zip(tuples, grown, strict=True):
        assert tuple(found) == wanted
        assert len(found) == len(wanted)
        assert [found[at] for at in range(-len(wanted), len(wanted))] == [*wanted, *wanted]
        assert (found[1:], found[:-1]) == (wanted[1:], wanted[:-1])
        for outside in (len(wanted), -len(wanted) - 1):
            with pytest.raises(IndexError):
                found[outside]


def test_a_tuple_grows_into_a_tuple() -> None:
    assert plus((1, 2), 3) == (1, 2, 3)
    assert repr(Growing((1,)).plus(2)) == "Growing([1, 2])"


EVENTS: st.SearchStrategy[AnyEvent] = st.one_of(
    st.builds(Rolled, side=SIDES, dice=st.just((3, 1))),
    st.builds(
        Played,
        side=SIDES,
        dice=st.just((3, 1)),
        before=st.just(START),
        after=st.just(START),
        moves=st.just(()),
        notation=st.just(""),
        legal=st.booleans(),
        sure=st.sampled_from([0.5, 1.0]),
        redo=st.booleans(),
    ),
    st.builds(Skipped, side=SIDES),
    st.builds(Doubled, side=SIDES, value=st.just(2)),
    st.builds(Taken, side=SIDES),
    st.builds(Confirmed, turn=st.integers(1, 8)),
    st.builds(GameStarted, number=st.integers(1, 3)),
)


@given(st.lists(EVENTS, max_size=40))
def test_a_fold_leads_to_what_event_after_event_leads_to(events: list[AnyEvent]) -> None:
    whole = [*MatchPlan(MATCH, 7).begun(), *events]
    state = reduce(apply_recorded, effective(whole), MatchState())
    assert isinstance(state.turns, tuple)
    assert fold(whole) == state
    assert isinstance(fold(whole).turns, tuple)
    assert hash(fold(whole).turns) == hash(state.turns)
    middle = len(whole) // 2
    assert fold(whole[middle:], fold(whole[:middle])) == state
