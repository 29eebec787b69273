"""A position that nobody doubts teaches, whether or not dice lie beside it; what is a die then is none of the set's own marks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pytest

from controller.app.appearance_feedback import teach
from controller.referee.session import MatchPlan, Session
from controller.rules import MATCH, Position, Side, legal_plays
from controller.tracking.orientation import columns_of
from tests.tracking.eyes import Eyes
from vision.frame import Frame
from vision.observation import DieSeen, Observation
from vision.reading.appearance import Appearance
from vision.reading.reader import BoardReader
from vision.watching.watcher import Watcher

CORNERS = np.array([[40, 30], [280, 30], [280, 210], [40, 210]], np.float32)
START = Position.start()
FACES = np.array([0, 0, 0.1, 0.8, 0.1, 0], np.float32)
PICTURE = np.kron(np.random.default_rng(3).integers(0, 256, (30, 40, 3)), np.ones((8, 8, 1))).astype(np.uint8)


class Reader:
    """Reads what it is told to. taught: the positions that it was told."""

    glimpse = None

    def __init__(self, looks: list[Observation]) -> None:
        self.looks, self.taught = iter(looks), list[list[int]]()

    def read(self, frame: Frame, *_: object, **__: Any) -> Observation:
        return replace(next(self.looks), seconds=frame.seconds, still=True)

    def learn(self, *told: Any) -> Appearance:
        columns: npt.NDArray[np.int64] = told[2]
        self.taught.append(columns.tolist())
        return Appearance(np.ones(3, np.float32), np.zeros(3, np.float32))


def taught_by(looks: list[Observation]) -> list[list[int]]:
    """The positions that these looks teach, a key frame each, each once."""
    reader = Reader(looks)
    watcher = Watcher(CORNERS, cast(BoardReader, reader), judging=False, key_frames=True)
    session = Session(MatchPlan(MATCH), "bottom-right")
    for number in range(len(looks)):
        seen = watcher.look(Frame(PICTURE, float(number)))
        assert seen is not None
        session.moved()
        session.see(seen)
        teach(watcher, session)
    return [columns for number, columns in enumerate(reader.taught) if columns not in reader.taught[:number]]


def test_a_board_that_is_never_seen_without_dice_teaches_too() -> None:
    eyes, play = Eyes(), legal_plays(START, Side.LIGHT, (3, 1))[0]
    dice, next_dice = [(3, Side.LIGHT), (1, Side.LIGHT)], [(6, Side.DARK), (2, Side.DARK)]
    answer = legal_plays(play.result, Side.DARK, (6, 2))[0]
    boards = [(START, []), (START, dice), (play.result, dice), (play.result, next_dice), (answer.result, next_dice)]
    all_of_them = [columns_of([board], "bottom-right")[0].tolist() for board in (START, play.result, answer.result)]
    assert taught_by([eyes.look(board, lying) for board, lying in boards]) == all_of_them


@pytest.mark.parametrize(("dice_lie", "kept"), [(True, 1), (False, 0)])
def test_what_looks_like_a_die_is_none_only_where_no_dice_lie(dice_lie: bool, kept: int) -> None:
    shown = replace(Eyes().look(START), dice=(DieSeen((0.3, 0.5), FACES, 0.7),))
    watcher = Watcher(CORNERS, cast(BoardReader, Reader([shown, shown])), judging=False, key_frames=True)
    watcher.look(Frame(PICTURE, 0.0))
    watcher.learn(columns_of([START], "bottom-right")[0], dice_lie=dice_lie)
    again = watcher.look(Frame(PICTURE, 1.0))
    assert again is not None
    assert len(again.dice) == kept


def test_equal_dice_of_the_draw_are_dice_and_so_are_those_that_come_to_lie_where_they_lay() -> None:
    """Until 29 November they were none, and nobody saw the next throw."""
    eyes, then = Eyes(), legal_plays(START, Side.LIGHT, (6, 2))[0].result
    equal, dice = [(3, Side.LIGHT), (3, Side.DARK)], [(6, Side.LIGHT), (2, Side.DARK)]
    shown = [eyes.look(START), eyes.look(START, equal), eyes.look(START), eyes.look(START, dice), eyes.look(then, dice)]
    looks = [replace(one, dice=tuple(replace(die, confidence=0.9) for die in one.dice)) for one in shown]
    watcher = Watcher(CORNERS, cast(BoardReader, Reader(looks)), judging=False, key_frames=True)
    session = Session(MatchPlan(MATCH), "bottom-right")
    for number in range(len(looks)):
        seen = watcher.look(Frame(PICTURE, float(number)))
        assert seen is not None
        session.moved()
        session.see(seen)
        teach(watcher, session)
    assert (session.state.turn, session.state.dice) == (Side.LIGHT, (6, 2))
