"""Readers that read nothing: they note when a watcher asks them, and what of the board it shows them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from vision.board.geometry import BoardGeometry
from vision.frame import Frame
from vision.observation import Observation
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
