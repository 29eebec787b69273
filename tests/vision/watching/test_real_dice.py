"""What was taken for a die while none lay there is none: a pip-like inlay, a clasp, a crumb."""

from __future__ import annotations

from typing import cast

import numpy as np
import pytest

from tests.vision.watching.readers import ADie
from tests.vision.watching.test_watcher import CORNERS, STILL
from vision.board.geometry import BoardGeometry
from vision.finding import BoardLocation
from vision.frame import Frame
from vision.observation import DieRest, DieSeen, Observation
from vision.reading.reader import BoardReader
from vision.watching.real_dice import RealDice
from vision.watching.watcher import Watcher

CLASP = (0.5, 0.5)
BOTH_SIDES = np.array([1, -1] * 12)
"""Signed counts by column: a position that teaches."""


def seen(die: DieSeen) -> Observation:
    return Observation(
        0.0, np.zeros((24, 31), np.float32), np.zeros((2, 16), np.float32), np.ones(25, np.float32), dice=(die,)
    )


@pytest.mark.parametrize(
    ("at", "sure", "rest", "counts"),
    [
        (CLASP, 0.9, "board", False),
        ((0.52, 0.5), 0.9, "board", False),
        ((0.54, 0.5), 0.9, "board", True),
        (CLASP, 0.96, "board", True),
        (CLASP, 0.96, "off the board", False),
    ],
    ids=["there again", "a little aside", "elsewhere", "a sure die", "a sure one on the table"],
)
def test_a_die_lies_where_none_was_taken_for_one_or_is_surely_one(
    at: tuple[float, float], sure: float, rest: DieRest, counts: bool
) -> None:
    geometry, dice, faces = BoardGeometry(CORNERS), RealDice(), np.full(6, 1 / 6, np.float32)
    assert dice.only(seen(DieSeen(CLASP, faces, 0.9)), None, geometry).dice
    dice.none_lie()
    assert bool(dice.only(seen(DieSeen(at, faces, sure, rest=rest)), None, geometry).dice) is counts


def test_another_board_has_its_own_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """A diagram is shown first, and something in it was taken for a die; then the board is filmed."""
    filmed = np.array([[70, 40], [250, 35], [290, 215], [30, 205]], np.float32)
    shown = BoardLocation(CORNERS, 0.9)
    monkeypatch.setattr("vision.finding.find_board", lambda _picture: shown)
    monkeypatch.setattr(ADie, "learn", lambda *_: None, raising=False)
    watcher = Watcher(None, cast(BoardReader, ADie(CLASP)), judging=False)

    def dice_until(seconds: float, begin: float) -> list[int]:
        read = []
        for now in np.arange(begin, seconds, 0.1):
            look = watcher.look(Frame(STILL, float(now)))
            if look is not None and look.still:
                read.append(len(look.dice))
                watcher.learn(BOTH_SIDES)
        return read

    assert dice_until(3, begin=0) == [1, 0, 0, 0]
    shown = BoardLocation(filmed, 0.9)
    assert dice_until(15, begin=3).count(1) == 1
    assert watcher.replaced == 1
