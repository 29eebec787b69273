"""How often a board that lies still is read: as long as another look may say something."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest

from vision.board.geometry import BoardGeometry
from vision.frame import Frame
from vision.observation import Observation
from vision.reading.reader import BoardReader, unread
from vision.watching.watcher import Watcher

CORNERS = np.array([[40, 30], [280, 30], [280, 210], [40, 210]], np.float32)
STILL = np.kron(np.random.default_rng(3).integers(0, 256, (30, 40, 3)), np.ones((8, 8, 1))).astype(np.uint8)


class Readings:
    """A reader of which only the times count."""

    glimpse = None

    def __init__(self) -> None:
        self.seconds: list[float] = []

    def read(self, frame: Frame, geometry: BoardGeometry, *_: object, **__: Any) -> Observation:
        self.seconds.append(frame.seconds)
        return replace(unread(frame), still=True)


def read_at(after_each: Callable[[Watcher], None], seconds: Iterable[float], moved: float = -1.0) -> list[float]:
    """When a board is read that lies still but for one moment. after_each: what is said of a reading."""
    reader = Readings()
    watcher = Watcher(CORNERS, cast(BoardReader, reader), judging=False)
    for now in seconds:
        picture = STILL.copy()
        if now == moved:
            picture[:, 100:160] = 255 - picture[:, 100:160]
        seen = watcher.look(Frame(picture, now))
        if seen is not None and seen.still:
            after_each(watcher)
    return reader.seconds


@pytest.mark.parametrize(
    ("after_each", "pauses"),
    [
        (lambda watcher: None, [0.7, 0.7, 0.7, 3.0, 3.0]),
        (lambda watcher: watcher.calm(), [3.0, 3.0]),
        (lambda watcher: watcher.content(), [10.0]),
        (lambda watcher: (watcher.content(), watcher.calm()), [10.0]),
    ],
)
def test_a_still_board_is_read_again_after_a_while(after_each: Callable[[Watcher], None], pauses: list[float]) -> None:
    times = read_at(after_each, np.arange(0, 12, 0.2).round(1).tolist())
    assert np.diff(times)[: len(pauses)] == pytest.approx(pauses, abs=0.21)


def test_a_board_over_which_something_moved_is_read_at_once_though_nothing_was_in_doubt() -> None:
    times = read_at(lambda watcher: watcher.content(), np.arange(0, 5, 0.2).round(1).tolist(), moved=2.0)
    assert len(times) == 2
    assert 2.0 < times[1] < 3.5
