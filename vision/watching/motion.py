"""The motion gate: is the board still, what is covered by a hand, what has changed since it last lay still.

In short:
    see the board from above, small, with its rim;
    take the difference to the frame before, less what a change of brightness explains: over the noise, it changed;
    a large patch of change in which every edge is where it was is light or shadow; all the rest moves;
    where hardly an edge is where it was, the film was cut: nothing moved, and nothing is said of what lies there yet;
    take the difference to the board as it last lay still in the same way: what is left has changed;
    a patch of it that reaches from beyond the rim onto the board is an arm, and covers what it touches, moving or not,
        unless the board lay just so at one of the rests before: then the arm was in the picture that it is compared with;
    when the board has not been still for long and nothing stirs now, the arm is a thing that was left there;
    the board is still once nothing has moved over it and no arm was there for some frames in a row, or, but for what is
        covered, once nothing at all has stirred for a second;
    where something goes on stirring at one place, a pointer or a hand that can't keep quiet, the board is still but for there;
    while it is still, the board as it lies there is what later frames are compared with, so slow light is followed.

docs/motion.md has the measurements behind the thresholds.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.board.geometry import BoardGeometry
from vision.board.rectified import VIEW_HEIGHT, VIEW_WIDTH, BoardView, Mask, region_mask, view_of_board
from vision.frame import Corners, Frame, Image
from vision.watching.confined import Confined
from vision.watching.differences import (
    LEAST_MOVING,
    LEAST_PATCH,
    Gain,
    Sample,
    alike,
    changes,
    count_of,
    edge_of,
    gain_of,
    grown,
    jumped,
    largest,
    reaching_in,
    relit,
    things_in,
)

FloatArray = npt.NDArray[np.float32]
CUT_EDGES = 0.3
"""Correlation of all edges of the view with those of the frame before under which it is another shot, or the camera was moved:
faces and score boards leave -0.05-0.1, a third of the view under an arm 0.6, a title that fades in 0.9 from frame to frame."""

CUT_SHARE = 0.15
"""Share of the view that must have changed as well: noise alone leaves few edges alike where there is little light."""

LIGHT_SHARE = 0.1
"""Share of the view whose light must change to call it a change of light, not somebody's shadow."""

SETTLE_SECONDS = 0.18
"""A fifth of a second, less what frames come early: three frames at 15 a second, two at 10. Longer than a thrown die stands on
its edge, too short to be felt."""
FRAMES_TO_SETTLE = 2
"""At least: between two frames of a slow camera a hand may have come and gone."""

ABSORB_SECONDS = 10.0
"""A game goes on without readings for at most so long when a cup is left on the rim or the light changed under an arm."""

UNSTIRRED_SECONDS = 1.0
"""Hardly anybody keeps an arm over the board so quiet for a second that no edge moves by half a millimetre: it is a caption, or a
hand that rests there. What it does not cover can be read."""

AT_ONCE_SECONDS = 0.38
"""The same where all of the board has changed at once, or where between two such times of rest everything came in one step, from
one frame to the next: no arm does that, but a film that is cut. Four frames at ten a second, less what they come early."""

EVERYWHERE = 20
"""Columns of 24 of which a part has changed: an arm changes 4-12 of them, a slightly moved camera or another light nearly all."""

PART = 0.03
"""Share of a column that makes it a changed one: the edges of its point and its checkers, when they have moved by a pixel."""

RESTS_KEPT = 4
"""Rests whose pictures are kept beside the last. After a cut, a fade or a long-lying hand the last may show an arm."""

NO_COLUMN = 25
"""Label of what lies in none of the columns 0-23 and not on the bar, 24."""

_ANYWHERE = np.ones((VIEW_HEIGHT, VIEW_WIDTH), np.bool_)

SUPPOSED_BAR = (0.47, 0.53)
"""Edges of the bar, as shares of the board's width, where they are not known yet: 3-9 % wide on the boards measured."""


@dataclass(frozen=True)
class Motion:
    """What moved in one frame.

    still: nothing has moved over the board for some frames, and no arm is over it, or one that has not stirred for long; or what
        stirs has kept to one place of it for some time.
    moving: share of the playing surface that differs from the frame before.
    covered: (25,) float32, share of each column (24: the bar) under something that moves, or, when nothing does, under an arm;
        under both where it is still though something stirs.
    changed: (25,) float32, share of each column that differs from the board as it last lay still; 0 before it ever did. While
        something moves, from the frame before.
    light: the light changed suddenly between the frame before and this one.
    cut: the frame before showed something else, or the board elsewhere: this one says nothing yet.
    stirs: something moves over the board, from the frame before to this one.
    restless: (VIEW_HEIGHT, VIEW_WIDTH) bool, where something has moved of late if the board is still but for there; else None.
    """

    still: bool
    moving: float
    covered: FloatArray
    changed: FloatArray
    light: bool = False
    cut: bool = False
    stirs: bool = False
    restless: Mask | None = None

    @property
    def everywhere(self) -> bool:
        """Nearly all columns have changed: the light has, or the camera or the board has moved."""
        return _everywhere(self.changed)


AFTER_A_CUT = Motion(False, 0.0, np.ones(25, np.float32), np.zeros(25, np.float32), cut=True)


class MotionGate:
    """Watches the frames of one fixed camera; one gate a camera, and a new one when the corners change.

    settle_seconds: quiet for so long the board is still. 0 is for key frames: each is judged by itself, what differs from
        the frame before does not count as moving, only an arm keeps the board from being still.
    absorb_seconds: so long after the board was last still an arm that does not stir is taken for a thing left there.
    """

    def __init__(
        self,
        geometry: BoardGeometry,
        settle_seconds: float = SETTLE_SECONDS,
        absorb_seconds: float = ABSORB_SECONDS,
    ) -> None:
        self._corners = geometry.corners
        self._settle = settle_seconds
        self._absorb = absorb_seconds
        self._board = region_mask([[0, 0], [1, 0], [1, 1], [0, 1]])
        self._columns = _column_labels(geometry if geometry.bar is not None else geometry.with_bar(SUPPOSED_BAR))
        self._sizes = np.bincount(self._columns.ravel(), minlength=NO_COLUMN + 1)[:NO_COLUMN]
        self._view: BoardView | None = None
        self._first_view: BoardView
        self._rim = self._unseen = np.zeros((VIEW_HEIGHT, VIEW_WIDTH), np.bool_)
        self._before: Sample | None = None
        self._still: Sample | None = None
        self._rests: deque[Sample] = deque(maxlen=RESTS_KEPT)
        self._was_still = False
        self._quiet_frames, self._unquiet = 0, 0.0
        self._before_light: Sample | None = None
        self._arm_there = False
        self._moved = self._stirred = self._last_still = np.inf
        self._at_once = False
        self._kept = -np.inf
        self._loose = False
        self._confined = Confined(self._board)

    def see(self, frame: Frame, *, sways: bool = False) -> Motion:
        """What moved between the frame before and this one. A frame of another size than before starts afresh.

        sways: the camera is held by hand, and where the board lies in its frames is known to a px of the view.
        """
        self._loose = sways
        # What lies there when the board is first seen, a hand perhaps, has not lain there for long.
        self._moved, self._stirred, self._last_still = (
            min(when, frame.seconds) for when in (self._moved, self._stirred, self._last_still)
        )
        now = Sample.at(self._view_of(frame.image), self._unseen)
        first, before = self._before is None, self._before or now
        if sways:
            self._rim = edge_of(now.unseen | before.unseen | (self._still or now).unseen)
        gain = gain_of(before.image, now.image)
        moved, lit = self._changes(before, now, gain)
        if self._settle and float(moved.mean()) > CUT_SHARE and alike(before, now) < CUT_EDGES:
            self.looked_away(frame.seconds)
            self._before = now
            return AFTER_A_CUT
        light = float(lit.mean()) > LIGHT_SHARE or jumped(before, now, gain)
        if light and self._still is not None:
            self._still, self._before_light = self._in_new_light(self._still, before, now), self._still
        if self._settle and lit.any():
            moved = moved | things_in(lit, before, now)
        stirring = moved & self._board if self._settle else np.zeros_like(moved)
        if not first and count_of(stirring) >= LEAST_MOVING:
            return self._stirs(now, moved, stirring, frame.seconds, light=light)
        changed, shaded = (moved, lit) if self._still is before else self._changes(self._still or now, now)
        arm = reaching_in(changed, self._rim, self._board)
        if count_of(arm & self._board) >= LEAST_MOVING:
            changed, shaded, arm = self._least_armed(before, now, changed, shaded, arm)
        self._note_stirring(moved, arm, frame.seconds)
        if self._lies_there(changed, frame.seconds):
            self._still, self._kept = now, frame.seconds
            changed = arm = np.zeros_like(arm)
        # A shadow that reaches in may be an arm that happens to leave the edges alone: wait until it rests.
        doubt = reaching_in(lit, self._rim, self._board) if self._settle else np.zeros_like(lit)
        quiet = count_of(stirring) < LEAST_MOVING and count_of((arm | doubt) & self._board) < LEAST_MOVING
        still = self._settled(frame.seconds, quiet=quiet and not first) if self._settle else quiet
        unstirred = AT_ONCE_SECONDS if self._at_once else UNSTIRRED_SECONDS
        held = bool(self._settle) and not first and frame.seconds - self._stirred >= unstirred
        self._before, self._arm_there = now, bool(arm.any())
        if not still:
            self._rest_has_ended()
        self._was_still = still
        if still:
            self._last_still = frame.seconds
            if frame.seconds - self._kept >= self._absorb or not self._hand_is_near(changed, shaded):
                self._still, self._kept = now, frame.seconds
        return Motion(
            still=still or held,
            moving=count_of(moved & self._board) / count_of(self._board),
            covered=self._by_column(arm | grown(stirring)),
            changed=self._by_column(changed),
            light=light,
        )

    def _stirs(self, now: Sample, moved: Mask, stirring: Mask, seconds: float, *, light: bool) -> Motion:
        """Something moves over the board: nothing is read, so nobody asks yet what has changed, nor what of it is an arm."""
        self._note_stirring(moved, moved, seconds)
        self._settled(seconds, quiet=False)
        self._before, self._arm_there = now, True
        self._rest_has_ended()
        self._was_still = False
        covered = grown(stirring)
        lately = self._confined.see(covered, seconds, hand=largest(moved) >= LEAST_PATCH)
        if lately is not None:
            changed, _ = self._changes(self._still or now, now)
            covered = lately | reaching_in(changed, self._rim, self._board)
        return Motion(
            still=lately is not None,
            moving=count_of(stirring) / count_of(self._board),
            covered=self._by_column(covered),
            changed=self._by_column(stirring),
            light=light,
            stirs=True,
            restless=lately,
        )

    def looked_away(self, seconds: float) -> None:
        """The camera showed something else until then: the next frame is compared with how the board lay still, not as motion."""
        self._rest_has_ended()
        self._before, self._was_still, self._moved, self._stirred = None, False, seconds, seconds
        self._quiet_frames, self._unquiet = 0, seconds

    def follow(self, corners: Corners) -> None:
        """In the next frame the board lies here, (4, 2) float32 source px; what was seen of it is compared with it as before."""
        self._corners = corners
        if self._view is not None:
            self._view = view_of_board(corners, self._view.size)
            # What lies there is not seen with all that is around it, as a loose comparison needs it.
            self._unseen = edge_of(self._view.outside)

    def _rest_has_ended(self) -> None:
        if self._was_still and self._still is not None:
            self._rests.append(self._still)

    def _least_armed(
        self, before: Sample, now: Sample, changed: Mask, shaded: Mask, arm: Mask
    ) -> tuple[Mask, Mask, Mask]:
        """What differs from the newest of the rests before in which no arm is to be seen now; else as given.

        Of key frames the one before is as good as a rest: a hand in both is elsewhere a second or more later.
        """
        for rest in reversed([*self._rests, *([] if self._settle or before is now else [before])]):
            since, shade = self._changes(rest, now)
            if count_of(reaching_in(since, self._rim, self._board) & self._board) < LEAST_MOVING:
                return since, shade, np.zeros_like(arm)
        return changed, shaded, arm

    def _changes(self, before: Sample, now: Sample, gain: Gain | None = None) -> tuple[Mask, Mask]:
        """See `changes()`. A camera that sways turns the sensor's lines by too little to count."""
        return changes(before, now, self._first_view, gain, loose=self._loose)

    def _hand_is_near(self, changed: Mask, shaded: Mask) -> bool:
        """Something at the edge of the view is about to reach in, or its shadow: once gone, its place would look changed."""
        shadow = shaded if float(shaded.mean()) <= LIGHT_SHARE else np.zeros_like(shaded)
        return bool(reaching_in(changed | shadow, self._rim, _ANYWHERE).any())

    def _settled(self, seconds: float, *, quiet: bool) -> bool:
        """It has been quiet for long enough."""
        if not quiet:
            self._quiet_frames, self._unquiet = 0, seconds
            return False
        self._quiet_frames += 1
        return self._quiet_frames >= FRAMES_TO_SETTLE and seconds - self._unquiet >= self._settle

    def _view_of(self, image: Image) -> Image:
        size = (image.shape[1], image.shape[0])
        if self._view is None or self._view.size != size:
            self._view = self._first_view = view_of_board(self._corners, size)
            self._rim, self._unseen = edge_of(self._view.outside), self._view.outside
            self._before = self._still = self._before_light = None
            self._rests.clear()
            self._quiet_frames, self._was_still = 0, False
        return self._view.of(image)

    def _in_new_light(self, still: Sample, before: Sample, now: Sample) -> Sample:
        """The still board as it looks in the light of now: as it is there, or, under an arm, the likeliest guess."""
        if not self._arm_there:
            return now
        guesses = [relit(still, before, now), *([self._before_light] if self._before_light else [])]
        return min(guesses, key=lambda guess: count_of(self._changes(guess, now)[0]))

    def _note_stirring(self, moved: Mask, arm: Mask, seconds: float) -> None:
        """When something moved last, and when it did so on the board or where the arm reaches in."""
        if count_of(moved) >= LEAST_MOVING:
            self._moved, self._at_once = seconds, seconds - self._moved >= AT_ONCE_SECONDS
        if count_of(moved & (self._board | grown(arm))) >= LEAST_MOVING:
            self._stirred = seconds

    def _lies_there(self, changed: Mask, seconds: float) -> bool:
        """Whatever keeps the board from being still does not stir, and has been there for long, or is no arm but everywhere."""
        unstirred = seconds - self._stirred
        if unstirred < AT_ONCE_SECONDS:
            return False
        if _everywhere(self._by_column(changed)):
            return True
        return unstirred >= UNSTIRRED_SECONDS and seconds - self._last_still >= self._absorb

    def _by_column(self, mask: Mask) -> FloatArray:
        counts = np.bincount(self._columns[mask], minlength=NO_COLUMN + 1)[:NO_COLUMN]
        return np.asarray(counts / self._sizes, np.float32)


def _everywhere(changed: FloatArray) -> bool:
    return int(np.count_nonzero(changed[:24] >= PART)) >= EVERYWHERE


def _column_labels(geometry: BoardGeometry) -> npt.NDArray[np.uint8]:
    """(VIEW_HEIGHT, VIEW_WIDTH) uint8: the column at each pixel, 24 on the bar, else NO_COLUMN."""
    labels = np.full((VIEW_HEIGHT, VIEW_WIDTH), NO_COLUMN, np.uint8)
    for column in range(NO_COLUMN):
        labels[region_mask(geometry.column_region(column))] = column
    return labels
