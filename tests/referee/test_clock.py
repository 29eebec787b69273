"""The clock as a value: what it leaves each side, beside one that counts every second."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.referee.clock import Clock
from controller.rules import MATCH, MatchScore, Side

DELAY, RESERVE = 12, 120
LIGHT, DARK = Side.LIGHT, Side.DARK


@given(st.lists(st.tuples(st.sampled_from([LIGHT, DARK, "pause", "stop"]), st.integers(0, 40))))
def test_each_turn_takes_what_it_used_beyond_the_free_seconds(acts: list[tuple[Side | str, int]]) -> None:
    clock, now = Clock(RESERVE, RESERVE, DELAY), 1000.0
    reserve, mover, free, ticking = {LIGHT: RESERVE, DARK: RESERVE}, None, DELAY, False
    for act, seconds in acts:
        match act:
            case Side():
                clock = clock.runs_for(act, now)
                mover, free, ticking = act, free if act is mover else DELAY, True
            case "pause":
                clock, ticking = clock.paused(now), False
            case _:
                clock, mover, ticking = clock.stopped(now), None, False
        now += seconds
        for _ in range(seconds if ticking and mover else 0):
            if free:
                free -= 1
            elif mover:
                reserve[mover] -= 1
        assert {side: clock.left(side, now) for side in Side} == reserve
        assert clock.delay_left(now) == (free if mover else DELAY)
        assert clock.out(now) is (mover if mover and reserve[mover] <= 0 and not free else None)


def test_a_clock_that_somebody_stopped_stands_whoever_is_to_play() -> None:
    clock = replace(Clock(RESERVE, RESERVE, DELAY), on=False).runs_for(LIGHT, 0.0)
    assert (clock.left(LIGHT, 500.0), clock.delay_left(500.0)) == (RESERVE, DELAY)


@pytest.mark.parametrize(
    ("score", "minutes"), [(MatchScore(7), 14), (MatchScore(7, 3, 2), 9), (MatchScore(3, 2, 5), 0), (MatchScore(), 0)]
)
def test_a_match_has_two_minutes_a_point_less_one_for_each_that_was_scored(score: MatchScore, minutes: int) -> None:
    clock = Clock.of(score, MATCH)
    assert (clock.light, clock.dark, clock.delay) == (60 * minutes, 60 * minutes, DELAY)
