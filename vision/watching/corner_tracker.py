"""Keeps the corners right while the camera or the board may be bumped: checks, finds the board again, or says that it can't."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from math import isfinite
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.geometry import BoardGeometry, apart, covers_middle, fitted, lies_as_drawn
from vision.finding import TAKEN_AT_ONCE, NotFound, find_board
from vision.frame import Corners, Frame
from vision.watching.following import Follower
from vision.watching.registration import MOVED, CameraWatch, find_again

CHECK_EVERY = 0.5
"""Seconds between checks: two in a row and the search end well within two seconds, at 1.5 ms a check."""

BELIEVED_AFTER = 0.5
"""Seconds for which all checks must say that the view has moved: a single one may err while somebody pushes the board."""
ELSEWHERE_AFTER = 1.2
"""The same where nothing is what it was: a film shows faces, or the camera was moved by much."""

SWAYS_FOR = 2.0
"""Seconds without a corner that has MOVED after which a camera is taken to stand still again."""

SEARCH_EVERY, SEARCH_SELDOM = 1.0, 4.0
"""Seconds between the first two searches for a board that is lost, and at most: each waits for twice as long as the one before.
One costs 0.2 s on a desktop and about 0.7 s on a Pi 4, and a film may show faces for minutes. The first of them does without the
finder, which costs as much again and 100 MB."""

PLACES_KEPT = 3
"""Places where the board lay before: a film may be cut between cameras."""


VIEW = (96, 72)
CLEARLY_LIKER = 0.1
"""By how much one half turn must correlate better with the last good picture than the other, to be the way the board lies."""


SAME_SET = 0.62
"""How much a board that lies as drawn ones do must correlate with the last good picture to be the one that is filmed: of 120
simulated boards, from other sides half a minute later, all do by 0.66 and more; of 120 diagrams in their place none by 0.55."""


@dataclass(frozen=True, eq=False)
class _Place:
    """Where the board lay. corners, watch: there, and the view then; follower: when it was found thereabouts; good: the last still
    picture of it from there, or from nearby, where the camera sways, in which it lies at good_corners."""

    corners: Corners
    watch: CameraWatch
    follower: Follower
    good: Frame
    good_corners: Corners

    @classmethod
    def at(cls, corners: Corners, frame: Frame) -> _Place:
        """Where it lies in this frame."""
        return cls(corners, CameraWatch(frame.image, corners), Follower(frame.image, corners), frame, corners)

    def is_half_turned(self, frame: Frame, corners: Corners) -> bool:
        """Whether the board there in this frame clearly is, seen from the last good picture: points alone look alike either way."""
        as_is, turned = _likeness(frame, corners, self.good, self.good_corners)
        return turned > as_is + CLEARLY_LIKER


@dataclass(frozen=True, eq=False)
class _Swaying:
    """A camera that does not stand still. since: when it was last seen to move, and corners where the board lay then."""

    since: float
    corners: Corners


Footing = Literal["steady", "sways", "doubtful", "found", "lost"]


@dataclass(frozen=True)
class TrackedCorners:
    """What is known about where the board is.

    corners: (4, 2) float32 source px, the last that were right.
    state: "steady"; "sways": the camera does not stand still, corners are this frame's; "doubtful": the view has moved, wait
        before believing any reading; "found": it was found again in this frame, corners are new; "lost": it could not be found,
        someone must show the corners.
    """

    corners: Corners
    state: Footing


class CornerTracker:
    """One camera's memory of where the board is. The first frame it sees must fit the corners. Not thread-safe."""

    def __init__(self, corners: Corners, *, at_once: bool = False) -> None:
        """at_once: the frames are single pictures far apart, so that what one shows is not waited for to be shown again."""
        self._at_once = at_once
        self._tracked = TrackedCorners(corners, "steady")
        self._places: deque[_Place] = deque(maxlen=PLACES_KEPT)
        self._checked = self._searched = float("-inf")
        self._doubted: float | None = None
        self._swaying: _Swaying | None = None
        self._pause = SEARCH_EVERY

    def look(self, frame: Frame, *, still: bool, jumped: bool = False) -> TrackedCorners:
        """Where the board is in this frame. still: nothing moves over it, so that it may serve to find it again later; jumped: all
        of the view may have changed, as when the camera is pushed or the film is cut, so that it is looked at now.
        """
        if not self._places:
            self._places.append(_Place.at(self._tracked.corners, frame))
            self._checked = frame.seconds
            return self._tracked
        if self._swaying is not None and self._sways(frame, self._swaying, still=still):
            return self._tracked
        due = jumped or self._at_once or frame.seconds - self._checked >= CHECK_EVERY
        if self._tracked.state in ("steady", "found") and not due:
            self._tracked = TrackedCorners(self._tracked.corners, "steady")
            return self._tracked
        self._checked = frame.seconds
        near, last = False, self._places[-1]
        for place in reversed([place for place in self._places if place.good.size == frame.size]):
            seen = place.watch.check(frame.image)
            if not seen.moved and (place is last or not last.is_half_turned(frame, place.corners)):
                return self._at(place, frame, still=still)
            near = near or isfinite(seen.shift)
        begins = near and self._swaying is None and not self._at_once
        if begins and self._sways(frame, _Swaying(frame.seconds, self._tracked.corners), still=False):
            return self._tracked
        if self._doubted is None:
            self._doubted = frame.seconds
        waited = frame.seconds - self._doubted
        if waited < (BELIEVED_AFTER if near else ELSEWHERE_AFTER) and not self._at_once:
            self._tracked = TrackedCorners(self._tracked.corners, "doubtful")
        elif self._at_once or frame.seconds - self._searched >= self._pause:
            self._tracked = self._searched_for(frame, self._places[-1])
        return self._tracked

    def in_size(self, size: tuple[int, int]) -> Corners:
        """Where the board lies in pictures of another size, (width, height) px, if the camera stands where it stood; the next is
        asked at once whether it does. Raises GeometryError where they have another shape, and so show something else."""
        last = self._places[-1]
        corners = fitted(last.good_corners, last.good.size, size)
        image = np.asarray(cv2.resize(last.good.image, size, interpolation=cv2.INTER_AREA), np.uint8)
        self._places.append(_Place.at(corners, replace(last.good, image=image)))
        self._tracked, self._checked = TrackedCorners(corners, "steady"), float("-inf")
        self._doubted = self._swaying = None
        return corners

    def _at(self, place: _Place, frame: Frame, *, still: bool) -> TrackedCorners:
        """The board lies there in this frame."""
        self._doubted, self._pause = None, SEARCH_EVERY
        here = place is self._places[-1]
        self._places.remove(place)
        self._places.append(replace(place, good=frame, good_corners=place.corners) if here and still else place)
        self._tracked = TrackedCorners(place.corners, "steady" if here else "found")
        return self._tracked

    def _searched_for(self, frame: Frame, last: _Place) -> TrackedCorners:
        first, self._searched = self._tracked.state != "lost", frame.seconds
        self._pause = SEARCH_EVERY if first else min(2 * self._pause, SEARCH_SELDOM)
        again = find_again(last.good.image, last.good_corners, frame.image)
        corners = again.corners if again is not None else None
        if corners is None and (self._at_once or not first):
            corners = _found_anew(frame, last.good, last.good_corners)
        if corners is None:
            return TrackedCorners(self._tracked.corners, "lost")
        self._places.append(_Place.at(corners, frame))
        self._doubted = None
        # Before a camera that sways anyway what was seen of the board is still of use, but not in px of pictures of another size.
        still_sways = again is not None and self._swaying is not None and last.good.size == frame.size
        return TrackedCorners(corners, "sways" if still_sways else "found")

    def _sways(self, frame: Frame, swaying: _Swaying, *, still: bool) -> bool:
        """Follows the board to where it lies in this frame, not far from where it lay in the one before, if it can be told."""
        place, before = self._places[-1], self._tracked.corners
        corners = place.follower.follow(frame.image, before) if place.good.size == frame.size else None
        if corners is None:
            return False
        if apart(swaying.corners, corners) > MOVED:
            swaying = _Swaying(frame.seconds, corners)
        self._swaying, self._doubted, self._pause = swaying, None, SEARCH_EVERY
        self._tracked = TrackedCorners(corners, "sways")
        if still:
            place = replace(place, good=frame, good_corners=corners)
        if still and frame.seconds - swaying.since > SWAYS_FOR:
            # What follows it stays as it is, so that small errors of a hundred jostles don't add up.
            place, self._swaying = replace(place, corners=corners, watch=CameraWatch(frame.image, corners)), None
        self._places[-1] = place
        return True


def _found_anew(frame: Frame, good: Frame, before: Corners) -> Corners | None:
    """Surely a board, and clearly in one of its two half turns, where features are of no help: in other light, from elsewhere."""
    found = find_board(frame.image)
    if isinstance(found, NotFound) or found.confidence < TAKEN_AT_ONCE:
        return None
    as_is, turned = _likeness(frame, found.corners, good, before)
    drawn = lies_as_drawn(found.corners)
    if drawn and not (covers_middle(before, found.corners) and max(as_is, turned) > SAME_SET):
        return None  # a diagram, beside what the camera shows or instead of it: of this game, or of what somebody makes of it
    if abs(as_is - turned) < CLEARLY_LIKER:
        return None
    return np.asarray(np.roll(found.corners, 2, axis=0), np.float32) if turned > as_is else found.corners


def _likeness(frame: Frame, corners: Corners, good: Frame, before: Corners) -> tuple[float, float]:
    """How the board there in this frame correlates with that in a good picture, as these corners have it and half turned."""
    old = _from_above(good, before)
    as_is, turned = (_from_above(frame, half_turn) for half_turn in (corners, np.roll(corners, 2, axis=0)))
    return float((old * as_is).mean()), float((old * turned).mean())


def _from_above(frame: Frame, corners: Corners) -> npt.NDArray[np.float32]:
    """The board's colours from above, (H, W, 3), mean 0 and deviation 1 in each channel."""
    view = BoardGeometry(corners).rectified(frame.image, *VIEW, 0.0).astype(np.float32)
    return np.asarray((view - view.mean(axis=(0, 1))) / (view.std(axis=(0, 1)) + 1), np.float32)
