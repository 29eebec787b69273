"""Keeps the corners right while the camera or the board may be bumped: checks, finds the board again, or says that it can't."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from vision.board.geometry import BoardGeometry
from vision.finding import TAKEN_AT_ONCE, NotFound, find_board
from vision.frame import Corners, Frame
from vision.watching.registration import CameraWatch, find_again

CHECK_EVERY = 0.5
"""Seconds between checks: two in a row and the search end well within two seconds, at 1.5 ms a check."""

CHECKS_TO_BELIEVE = 2
"""A single check may err while somebody pushes the board."""

SEARCH_EVERY = 1.0
"""Seconds between searches for a board that is lost; one costs 0.2 s on a desktop and about 0.7 s on a Pi 4."""


VIEW = (96, 72)
CLEARLY_LIKER = 0.1
"""By how much one half turn must correlate better with the last good picture than the other, to be the way the board lies."""


@dataclass(frozen=True)
class TrackedCorners:
    """What is known about where the board is.

    corners: (4, 2) float32 source px, the last that were right.
    state: "steady"; "doubtful": the view has moved, wait before believing any reading; "found": it was found again in this
        frame, corners are new; "lost": it could not be found, someone must show the corners.
    """

    corners: Corners
    state: Literal["steady", "doubtful", "found", "lost"]


class CornerTracker:
    """One camera's memory of where the board is. The first frame it sees must fit the corners. Not thread-safe."""

    def __init__(self, corners: Corners) -> None:
        self._tracked = TrackedCorners(corners, "steady")
        self._watch: CameraWatch | None = None
        self._good: Frame | None = None
        self._good_corners = corners
        self._checked = self._searched = float("-inf")
        self._doubts = 0

    def look(self, frame: Frame, *, still: bool) -> TrackedCorners:
        """Where the board is in this frame. still: nothing moves over it, so that it may serve to find it again later."""
        if self._watch is None or self._good is None:
            self._watch, self._good = CameraWatch(frame.image, self._tracked.corners), frame
            self._checked = frame.seconds
            return self._tracked
        if frame.seconds - self._checked < CHECK_EVERY:
            if self._tracked.state == "found":
                self._tracked = TrackedCorners(self._tracked.corners, "steady")
            return self._tracked
        self._checked = frame.seconds
        if not self._watch.check(frame.image).moved:
            self._doubts = 0
            self._tracked = TrackedCorners(self._tracked.corners, "steady")
            if still:
                self._good, self._good_corners = frame, self._tracked.corners
            return self._tracked
        self._doubts += 1
        self._tracked = self._searched_for(frame, self._good)
        return self._tracked

    def _searched_for(self, frame: Frame, good: Frame) -> TrackedCorners:
        if self._doubts < CHECKS_TO_BELIEVE:
            return TrackedCorners(self._tracked.corners, "doubtful")
        if frame.seconds - self._searched < SEARCH_EVERY:
            return TrackedCorners(self._tracked.corners, self._tracked.state)
        self._searched = frame.seconds
        again = find_again(good.image, self._good_corners, frame.image)
        corners = again.corners if again is not None else _found_anew(frame, good, self._good_corners)
        if corners is None:
            return TrackedCorners(self._tracked.corners, "lost")
        self._watch, self._doubts = CameraWatch(frame.image, corners), 0
        return TrackedCorners(corners, "found")


def _found_anew(frame: Frame, good: Frame, before: Corners) -> Corners | None:
    """Surely a board, and clearly in one of its two half turns, where features are of no help: in other light, from elsewhere."""
    found = find_board(frame.image)
    if isinstance(found, NotFound) or found.confidence < TAKEN_AT_ONCE:
        return None
    old = _from_above(good, before)
    half_turns = [found.corners, np.roll(found.corners, 2, axis=0)]
    likeness = [float((old * _from_above(frame, corners)).mean()) for corners in half_turns]
    if abs(likeness[0] - likeness[1]) < CLEARLY_LIKER:
        return None
    return half_turns[int(likeness[1] > likeness[0])]


def _from_above(frame: Frame, corners: Corners) -> npt.NDArray[np.float32]:
    """The board's colours from above, (H, W, 3), mean 0 and deviation 1 in each channel."""
    view = BoardGeometry(corners).rectified(frame.image, *VIEW, 0.0).astype(np.float32)
    return np.asarray((view - view.mean(axis=(0, 1))) / (view.std(axis=(0, 1)) + 1), np.float32)
