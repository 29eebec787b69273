"""Every legal play can be tapped step by step, and nothing else can."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.rules import ALL_ROLLS, PRESETS, Position, Side, legal_plays
from controller.rules.course import Board, course

ROLLS = st.sampled_from(ALL_ROLLS)


def tapped(boards: tuple[Board, ...], *taps: tuple[int, int]) -> Board:
    """The board after these steps."""
    at = boards[0]
    for tap in taps:
        (then,) = (step.then for step in at.steps if (step.source, step.target) == tap)
        at = boards[then]
    return at


@given(
    st.sampled_from(sorted(PRESETS)),
    st.lists(st.tuples(ROLLS, st.integers(0, 10_000)), min_size=1, max_size=12),
)
@settings(deadline=None, max_examples=30)
def test_the_ends_of_a_course_are_the_legal_plays(rules: str, rolls: list[tuple[tuple[int, int], int]]) -> None:
    position, side = Position.start(), Side.LIGHT
    for dice, choice in rolls:
        plays = legal_plays(position, side, dice, PRESETS[rules])
        boards = course(position, side, dice, PRESETS[rules])
        assert boards[0].position == position
        assert {board.position for board in boards if board.legal} == {play.result for play in plays}
        for board in boards:
            assert board.legal or board.steps
            for step in board.steps:
                own, then = list(board.position.own(side)), boards[step.then].position
                own[step.source - 1] -= 1
                if step.target:
                    own[step.target - 1] += 1
                assert tuple(own) == then.own(side)
        position, side = plays[choice % len(plays)].result, side.other


def test_one_checker_may_be_carried_by_both_dice_at_once_or_one_by_one() -> None:
    boards = course(Position.start(), Side.LIGHT, (6, 5))
    at_once, one_by_one = tapped(boards, (24, 13)), tapped(boards, (24, 18), (18, 13))
    assert at_once.position == one_by_one.position
    assert at_once.legal
    assert (24, 19) not in {(step.source, step.target) for step in boards[0].steps}  # held by the opponent


def test_what_would_leave_a_die_unplayed_is_no_step() -> None:
    # 6 or 5 can be played, not both: only the larger is legal.
    boards = course(Position.of({13: 1}, {23: 2}), Side.LIGHT, (6, 5))
    assert {(step.source, step.target) for step in boards[0].steps} == {(13, 7)}
    dance = course(Position.of({25: 1}, dict.fromkeys(range(1, 7), 2)), Side.LIGHT, (6, 5))
    assert (len(dance), dance[0].legal, dance[0].steps) == (1, True, ())


@pytest.mark.parametrize(("taps", "dark_bar"), [(((8, 4),), 0), (((8, 5), (5, 4)), 1)])
def test_a_hit_on_the_way_is_made_of_two_steps(taps: tuple[tuple[int, int], ...], dark_bar: int) -> None:
    boards = course(Position.of({8: 1}, {20: 1}), Side.LIGHT, (3, 1))
    assert tapped(boards, *taps).position.dark[24] == dark_bar
