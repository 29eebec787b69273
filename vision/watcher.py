"""Watches one fixed camera: says of every frame whether the board is still, and reads it now and then while it is."""

from __future__ import annotations

from dataclasses import replace
from math import dist

import numpy as np
import numpy.typing as npt

from vision.appearance import Appearance
from vision.frame import Corners, Frame
from vision.geometry import BoardGeometry
from vision.motion import Motion, MotionGate
from vision.observation import DieSeen, Observation
from vision.reader import BoardReader, geometry_for, unread

READ_AGAIN = 0.7
"""Seconds between two readings of a board on which nothing moves: a second look settles doubts, a tenth adds nothing."""

CALM_AFTER = 4
"""Readings of one rest after which the board is looked at less often."""
READ_WHEN_CALM = 3.0

SAME_PLACE = 0.03
"""Board widths: half a die. A thing that was taken for a die when there was none is taken for one at the same place again."""
REAL_DIE = 0.95
MOST_PHANTOMS = 40


class Watcher:
    """One camera's eye on one board. Not thread-safe."""

    def __init__(self, corners: Corners, reader: BoardReader | None = None, key_frames: bool = False) -> None:
        """key_frames: the frames are far apart in time, so each is a rest of its own and all are read."""
        self._corners = corners
        self._reader = reader or BoardReader()
        self._key_frames = key_frames
        self._geometry: BoardGeometry | None = None
        self._gate: MotionGate | None = None
        self._appearance: Appearance | None = None
        self._last_read = -np.inf
        self._reads = 0
        self._frame: Frame | None = None
        self._dice: tuple[DieSeen, ...] = ()
        self._phantoms: list[tuple[float, float]] = []

    def look(self, frame: Frame) -> Observation | None:
        """What this frame says; None where it says nothing new. Raises GeometryError where the corners lie outside it."""
        if self._geometry is None or self._gate is None:
            self._geometry = geometry_for(frame.image, self._corners)
            self._gate = (
                MotionGate(self._geometry, frames_to_settle=0) if self._key_frames else MotionGate(self._geometry)
            )
        motion = self._gate.see(frame)
        if not motion.still and not self._key_frames:
            self._reads, self._last_read = 0, -np.inf
            return unread(frame)
        pause = READ_AGAIN if self._reads < CALM_AFTER else READ_WHEN_CALM
        if not self._key_frames and frame.seconds - self._last_read < pause:
            return None
        self._reads, self._last_read, self._frame = self._reads + 1, frame.seconds, frame
        observation = self._reader.read(frame, self._geometry, self._appearance)
        self._dice = tuple(die for die in observation.dice if not self._is_phantom(die))
        return _behind_hands(replace(observation, dice=self._dice), motion)

    def _is_phantom(self, die: DieSeen) -> bool:
        """Whether something was taken for a die at this place while there were no dice."""
        if die.confidence >= REAL_DIE and die.flat >= REAL_DIE:
            return False
        return any(dist(die.at, place) < SAME_PLACE for place in self._phantoms)

    def learn(self, columns: npt.NDArray[np.int64], checkers: int = 15) -> None:
        """Takes the last frame read as a sample of the set: it shows these (24,) signed counts, and no dice."""
        self._phantoms = (self._phantoms + [die.at for die in self._dice])[-MOST_PHANTOMS:]
        if self._frame is None or self._geometry is None or not (columns > 0).any() or not (columns < 0).any():
            return
        image = self._frame.image
        self._appearance = self._reader.learn(image, self._geometry, columns, self._appearance, checkers)


def _behind_hands(observation: Observation, motion: Motion) -> Observation:
    """What lies under an arm can't be seen, whatever the networks make of it."""
    seen = observation.seen * (1 - np.minimum(motion.covered * 2, 1))
    return replace(observation, seen=seen.astype(np.float32))
