"""Films as people have them: each fault by its name does what it says, and the film says what it has not shown."""

from __future__ import annotations

from itertools import pairwise
from typing import get_args

import numpy as np
import pytest

from controller.simulation import Cut, CutKind, SimulatedFilm, SimulatedTable
from vision.frame import Frame

AT, SECONDS, FPS, END = 6.0, 2.0, 5.0, 14.0


def film(*cuts: Cut, begin: float = 0.0) -> tuple[SimulatedFilm, list[Frame]]:
    """Fourteen seconds of a game."""
    table = SimulatedTable(3, "none", 1, (160, 90), fps=FPS, look="club")
    made = SimulatedFilm(table, cuts, begin, END)
    return made, list(made.frames())


PLAIN = film()[1]


def differs(one: Frame, other: Frame) -> float:
    """Mean grey levels by which two pictures of one size differ: fresh noise makes two."""
    return float(np.abs(one.image.astype(int) - other.image.astype(int)).mean())


def test_without_cuts_it_is_the_game() -> None:
    table = SimulatedTable(3, "none", 1, (160, 90), fps=FPS, look="club")
    for mine, frame in zip(PLAIN, table.frames(), strict=False):
        assert mine.seconds == frame.seconds
        assert (mine.image == frame.image).all()
    assert len(PLAIN) == END * FPS


@pytest.mark.parametrize("kind", get_args(CutKind))
def test_each_fault_shows_and_time_goes_on(kind: CutKind) -> None:
    made, frames = film(Cut(kind, AT, SECONDS))
    assert [frame.seconds for frame in frames] == [number / FPS for number in range(len(frames))]
    assert made.seconds == len(frames) / FPS
    longer = {"title-card": SECONDS, "replay": 2 * SECONDS, "gap": -SECONDS}.get(kind)
    if longer is not None:
        assert made.seconds == pytest.approx(END + longer)
    elif kind == "hard-cut":
        assert made.seconds < END
    else:
        assert made.seconds == END
    if kind == "letterbox":
        assert {frame.image.shape for frame in frames} == {(118, 160, 3)}
        assert not frames[0].image[:14].any()
        return
    if kind in ("gap", "hard-cut"):  # only the board tells
        return
    changed = [mine.seconds for mine, plain in zip(frames, PLAIN, strict=False) if differs(mine, plain) > 4]
    assert changed
    assert min(changed) >= AT - 1.0
    lasting = {"zoom", "sides-swapped", "title-card", "replay"}
    assert kind in lasting or max(changed) < AT + SECONDS


@pytest.mark.parametrize("kind", ["gap", "face", "score-board"])
def test_it_says_what_it_has_not_shown(kind: CutKind) -> None:
    made, _ = film(Cut(kind, AT, SECONDS))
    back = AT if kind == "gap" else AT + SECONDS
    assert made.hidden == [(AT, AT + SECONDS, back)]


def test_one_that_begins_later_has_not_shown_what_was_before() -> None:
    made, frames = film(begin=5.0)
    assert made.hidden == [(0.0, 5.0, 0.0)]
    assert differs(frames[0], PLAIN[25]) < 4


def test_after_a_hard_cut_nothing_is_seen_to_move() -> None:
    _, frames = film(Cut("hard-cut", 0.0, END))
    steps = [differs(one, other) for one, other in pairwise(frames)]
    assert sum(step > 4 for step in steps) < 4


def test_it_says_when_the_board_came_to_rest() -> None:
    made, _ = film()
    assert made.rests
    assert made.rests[0] == 0.6
    assert all(b - a >= 0.5 for a, b in pairwise(made.rests))
