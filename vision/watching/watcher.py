"""Watches one camera: where the board is, whether it is still, and, now and then while it is, what lies on it."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from vision.board.geometry import BoardGeometry, GeometryError, fitted
from vision.board.quality import Quality, quality_of
from vision.board.weaknesses import Weakness, typical, weak_points
from vision.finding import Seeker, forget
from vision.frame import Corners, Frame
from vision.observation import Observation
from vision.reading.appearance import Appearance, Glimpse
from vision.reading.reader import BoardReader, geometry_for, unread
from vision.watching.beside import Beside
from vision.watching.corner_tracker import CornerTracker, Footing
from vision.watching.exposure import Exposure
from vision.watching.lighting import Lighting
from vision.watching.motion import Motion, MotionGate
from vision.watching.names import Names
from vision.watching.pace import WHEN_CALM, WHEN_CONTENT, Pace
from vision.watching.real_dice import RealDice

GLIMPSES = 15
"""Rests whose colours are remembered until something is learnt. On sixteen positions each of 260 drawn tables 2,144 of 49,158 sides
are misread with fifteen, 2,206 with seven and 2,582 with none."""

PASSED_OVER = 2.0
"""Seconds for which a grainy board that lies still now and then is not read, at most: where grain passes for motion there are never
enough frames of a rest."""
MEASURE_EVERY = 5.0
"""Seconds between two measures of how good the picture is: they cost half a reading, and light and focus change slowly."""
MEASURES = 3
"""Of so many the typical one counts."""

TOO_DARK = "It is too dark to see the board. Switch the light on; the game goes on from where it was."
MOVED = "The camera or the board has moved, and the board is not found. Put it back, or show its corners again."


class CornersUnfit(GeometryError):
    """The corners that were given are none of a board in this picture; a sentence."""


@dataclass
class _Place:
    """Where the board lies in the picture, and what is compared from frame to frame there."""

    geometry: BoardGeometry
    gate: MotionGate
    beside: Beside

    @classmethod
    def at(cls, corners: Corners, frame: Frame, *, settles: bool) -> _Place:
        """settles: it takes a while of frames to be sure that nothing moves there."""
        geometry = geometry_for(frame.image, corners)
        gate = MotionGate(geometry) if settles else MotionGate(geometry, settle_seconds=0)
        return cls(geometry, gate, Beside(geometry))

    def follow(self, corners: Corners) -> None:
        """The board is the same and lies here now: all that is known of it holds."""
        self.geometry = replace(self.geometry, corners=corners)
        self.gate.follow(corners)
        self.beside.follow(self.geometry)


class Watcher:
    """One camera's eye on one board. Not thread-safe.

    trouble: what keeps it from seeing the board, in a sentence; "" while it sees it. weak: what makes the picture hard to read.
    appearance: what was learnt of this set, None: nothing. around: dice on the table beside the board count as well. replaced: how
    often another board came to be watched instead of the one found before. frame: the last that was read, with as little grain as
    it was read with; None before any was.
    """

    def __init__(
        self,
        corners: Corners | None,
        reader: BoardReader | None = None,
        *,
        key_frames: bool = False,
        size: tuple[int, int] | None = None,
        appearance: Appearance | None = None,
        judging: bool = True,
    ) -> None:
        """corners: None to find the board in the first frames; size: (width, height) px of the picture they are for, if known.

        appearance: what was learnt of this set before, and where its bar lies, if that was learnt with these corners.
        key_frames: the frames are far apart in time, so each is a rest of its own and all are read.
        judging: now and then measure how good the picture is; where nobody is told what is weak, it only costs time.
        """
        self.trouble, self.around, self.replaced = "", False, 0
        self._reader = reader or BoardReader()
        self._key_frames = key_frames
        self._seeker = Seeker(1) if key_frames else Seeker()
        self._tracker: CornerTracker | None = None
        self._lost = self._sways = self._beside_anew = False
        self._corners = corners
        self._size = size
        self._place: _Place | None = None
        self._motion: Motion | None = None
        self.appearance = appearance
        self._known_before = self.known_elsewhere
        self._glimpses: deque[Glimpse] = deque(maxlen=GLIMPSES)
        self._names = Names()
        self.frame: Frame | None = None
        self._dice = RealDice()
        self._pace = Pace()
        self._exposure = Exposure()
        self._passed_over = np.inf
        """Seconds of the first frame that was passed over since the last of which there was enough."""
        self._lighting = Lighting()
        self.weak: tuple[Weakness, ...] = ()
        self._measured = -np.inf if judging else np.inf
        self._qualities: deque[Quality] = deque(maxlen=MEASURES)

    @property
    def corners(self) -> Corners | None:
        """Where the board lies, as far as is known now."""
        return self._corners

    @property
    def stirs(self) -> bool:
        """Whether in the last frame something moved over the board. Not where nothing is read because the board is not in view."""
        return self._motion is not None and self._motion.stirs

    @property
    def size(self) -> tuple[int, int] | None:
        """(width, height) px of the picture in which the corners are; None before the first, where nobody has said."""
        return self._size

    def look(self, frame: Frame) -> Observation | None:
        """What this frame says; None where it says nothing new. Raises CornersUnfit where the corners don't fit it."""
        self._fit(frame)
        place = self._place_in(frame)
        motion = self._motion_over(place, frame) if place is not None else None
        if not self._key_frames:
            self._expose(frame, place, motion)
        if place is None or motion is None or not (motion.still or self._key_frames):
            self._pace.begin_anew()
            return unread(frame)
        if not self._key_frames:
            if self.around and self._exposure.is_enough and place.beside.has_changed(self._exposure.of(frame).image):
                self._pace.hurry()
                self._expose_beside(frame, place)
            if not self._is_enough(frame.seconds) or not self._pace.is_due(frame.seconds):
                return None
            self._beside_anew, self._passed_over = False, np.inf
        return self._read(self._exposure.of(frame), place, motion)

    def as_read(self, newest: Frame) -> Frame:
        """The frame that was looked at last, with as little grain as it would be read with."""
        return self._exposure.of(newest)

    def _fit(self, frame: Frame) -> None:
        """The corners for a picture of another size, and everything that is measured in its pixels begun anew."""
        corners = self._corners
        if frame.size == self._size:
            return
        if self._tracker is not None:
            try:
                corners = self._tracker.in_size(frame.size)
            except GeometryError:
                return  # a picture by another camera, or held otherwise: the board is found in it
        elif corners is not None:
            try:
                corners = fitted(corners, self._size, frame.size)
            except GeometryError as error:
                raise CornersUnfit(error.sentence) from error
        self._lies_at(corners, frame.size)

    def _place_in(self, frame: Frame) -> _Place | None:
        """Where the board lies in this frame, as far as is known without asking whether it is still there; None: nowhere."""
        if self._corners is None:
            self._corners = self._seeker.look(frame)
            self.trouble = self._seeker.reason if self._corners is None else ""
        if self._corners is None:
            return None
        if self._key_frames or frame.size == self._size:
            better = self._seeker.better(frame, self._corners, lost=self._lost)
            if better is not None:
                self._watch_another(better, frame.size)
        if self._key_frames or frame.size != self._size:
            # Where it is found nowhere else in a key frame, it is taken to be where it was.
            self._footing(frame, self._corners)
            if frame.size != self._size:
                self._motion = None
                return None
        if self._place is None:
            forget()
            self._glimpses.clear()
            self._names.forget()
            self._exposure.begin_anew()
            self._place = _Place.at(self._corners, frame, settles=not self._key_frames)
        return self._place

    def _motion_over(self, place: _Place, frame: Frame) -> Motion | None:
        """What moves over the board; None where it can't be told."""
        if self._key_frames:
            return place.gate.see(frame)
        corners = place.geometry.corners
        if self._lighting.is_too_dark(frame, corners):
            # The gate does not look: when the light is on again, the board is compared with how it was before.
            self.trouble = TOO_DARK
            return None
        footing = self._footing(frame, corners)
        if footing in ("steady", "sways"):
            self._motion = place.gate.see(frame, sways=footing == "sways")
        else:
            self._motion = None
            place.gate.looked_away(frame.seconds)
        self._sways = footing == "sways"
        return self._motion

    def _expose(self, frame: Frame, place: _Place | None, motion: Motion | None) -> None:
        """Frames are laid over one another where the board lies at one place in them."""
        if place is None or motion is None or self._sways:
            self._exposure.begin_anew()
            return
        self._exposure.see(frame, place.geometry.corners, motion)

    def _is_enough(self, seconds: float) -> bool:
        """Whether enough is shown of the rest, or has not been for long."""
        if self._exposure.is_enough:
            self._passed_over = np.inf
            return True
        self._passed_over = min(self._passed_over, seconds)
        return seconds - self._passed_over >= PASSED_OVER

    def _expose_beside(self, frame: Frame, place: _Place) -> None:
        """What lies beside the board is shown as it does from this frame on. Once a reading: there is always somebody who moves."""
        if not self._beside_anew:
            self._exposure.begin_anew()
            self._exposure.add(frame, place.geometry.corners)
        self._beside_anew = True

    def _lies_at(self, corners: Corners | None, size: tuple[int, int]) -> None:
        """There the board lies from now on in pictures of that size: what was measured where it lay before is of no use."""
        self._corners, self._size, self._place = corners, size, None

    def _watch_another(self, corners: Corners, size: tuple[int, int]) -> None:
        """Another board than the one that was found first, or the whole of it: nothing that was seen there is of use."""
        self._lies_at(corners, size)
        self.replaced += 1
        self._tracker, self.appearance, self._dice = None, self._known_before, RealDice()

    @property
    def misnamed(self) -> bool:
        """Whether the sides have had each other's names since the board was first read, as most readings say since."""
        return self.appearance is None and self._names.misnamed

    def rename(self) -> None:
        """From now on the sides have each other's names."""
        self._names.exchange()

    def learn(
        self,
        columns: npt.NDArray[np.int64],
        bar: tuple[int, int] = (0, 0),
        *,
        dice_lie: bool = False,
    ) -> None:
        """Takes the last frame read as a sample of the set: it shows these (24,) signed counts and that bar.

        dice_lie: and dice, which hide a little: nothing that was shown without them is learnt again. Without any, what was taken
        for one is none.
        """
        self._seeker.believe()
        lessons = self.appearance.lessons if self.appearance is not None else None
        if dice_lie and lessons is not None and lessons.newest_shows(columns, bar):
            return
        if not dice_lie:
            self._dice.none_lie()
        if self.frame is None or self._place is None or not (columns > 0).any() or not (columns < 0).any():
            return
        image, geometry = self.frame.image, self._place.geometry
        self.appearance = self._reader.learn(image, geometry, columns, self.appearance, bar)

    @property
    def known_elsewhere(self) -> Appearance | None:
        """What is known of the set wherever its board lies: not where its bar is."""
        return replace(self.appearance, bar=None) if self.appearance is not None else None

    def unlearn(self) -> None:
        """Nothing is known of the set from now on, not even what was known before."""
        self.appearance = self._known_before = None

    def content(self) -> None:
        """The last reading has left nothing in doubt: while the board lies still it is looked at less often from now on."""
        self._pace.wait(WHEN_CONTENT)

    def calm(self) -> None:
        """The last reading has said nothing that the one before had not: while the board lies still there is no hurry."""
        self._pace.wait(WHEN_CALM)

    def _footing(self, frame: Frame, corners: Corners) -> Footing:
        """Whether the board is where the corners say; where it was found elsewhere, that is where it is from now on."""
        if self._tracker is None:
            self._tracker = CornerTracker(corners, at_once=self._key_frames)
        before = self._motion
        clear = self._key_frames or (before is not None and before.still and not before.covered.any())
        jumped = before is not None and (before.cut or before.everywhere)
        tracked = self._tracker.look(frame, still=clear, jumped=jumped)
        self._lost = tracked.state == "lost" and not self._key_frames
        self.trouble = MOVED if self._lost else ""
        if tracked.state == "found":
            self._lies_at(tracked.corners, frame.size)
        elif tracked.state == "sways":
            self._corners = tracked.corners
            if self._place is not None:
                self._place.follow(tracked.corners)
        return tracked.state

    def _read(self, frame: Frame, place: _Place, motion: Motion) -> Observation:
        geometry = place.geometry
        self._measure(frame, geometry)
        observation = self._reader.read(
            frame, geometry, self.appearance, earlier=self._glimpses, around=self.around, alone=self._key_frames
        )
        if self.appearance is None:
            observation = self._names.kept(observation)
        else:  # a set that is known has its own names, and keeps them when it is forgotten in the middle of a game
            self._names.begin_with(observation)
        self._remember_colours()
        self.frame = frame
        if self.around:
            place.beside.remember(frame.image)
        return self._dice.only(_behind_hands(observation, motion), motion.restless, geometry)

    def _remember_colours(self) -> None:
        """One glimpse a rest, the newest: what lies there is the same. None once the set is known."""
        if self.appearance is not None:
            return
        glimpse = self._reader.glimpse
        if self._pace.reads > 1 and self._glimpses:
            self._glimpses.pop()
        if glimpse is not None:
            self._glimpses.append(glimpse)

    def _measure(self, frame: Frame, geometry: BoardGeometry) -> None:
        """Now and then, how good the picture is. What is weak is said as it was first measured, until something else is."""
        if frame.seconds - self._measured < MEASURE_EVERY:
            return
        self._measured = frame.seconds
        self._qualities.append(quality_of(frame.image, geometry.corners))
        weak = weak_points(typical(self._qualities))
        if {one.code for one in weak} != {one.code for one in self.weak}:
            self.weak = weak


def _behind_hands(observation: Observation, motion: Motion) -> Observation:
    """What lies under an arm can't be seen, whatever the networks make of it."""
    seen = observation.seen * (1 - np.minimum(motion.covered * 2, 1))
    return replace(observation, seen=seen.astype(np.float32))
