"""Readers that read nothing: they note when a watcher asks them, and what of the board it shows them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from vision.board.geometry import BoardGeometry
from vision.frame import Frame
from vision.observation import DieSeen, Observation
from vision.reading.reader import unread


class Readings:
    """A reader of which only the times count."""

    glimpse = None

    def __init__(self) -> None:
        self.seconds: list[float] = []

    def read(self, frame: Frame, geometry: BoardGeometry, *_: object, **__: Any) -> Observation:
        self.seconds.append(frame.seconds)
        return replace(unread(frame), still=True)


class Places(Readings):
    """A reader that notes where the board lies, and what it is shown of it."""

    def __init__(self) -> None:
        super().__init__()
        self.views: list[np.ndarray] = []

    def read(self, frame: Frame, geometry: BoardGeometry, *others: object, **named: Any) -> Observation:
        self.views.append(geometry.rectified(frame.image, 96, 72, 0.0))
        return super().read(frame, geometry, *others, **named)


class ADie(Readings):
    """A reader that sees all of an empty board, and one die on it. at: where, board plane."""

    def __init__(self, at: tuple[float, float]) -> None:
        super().__init__()
        self._die = DieSeen(at, np.full(6, 1 / 6, np.float32), 0.9)

    def read(self, frame: Frame, geometry: BoardGeometry, *others: object, **named: Any) -> Observation:
        seen = super().read(frame, geometry, *others, **named)
        return replace(seen, seen=np.ones(25, np.float32), dice=(self._die,))
