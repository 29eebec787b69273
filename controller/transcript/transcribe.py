"""Offline: a video or a folder of frames in, a record out.

    work = Transcriber(job); work.look(frame) for every frame; work.record(), or work.ended() for the events it is made of

Both may be asked for at any time, left() too: what to go on from later, when the work was ended before the recording was.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from controller.app.appearance_feedback import teach
from controller.errors import ControllerError
from controller.record.from_events import record_of
from controller.record.model import Record
from controller.referee.events import AnyEvent
from controller.referee.session import MatchPlan, Session
from controller.referee.ways_round import best
from controller.tracking.hypothesis import Stage
from controller.tracking.parameters import LEARNT_FROM, SURE, SURE_AT_LEISURE
from controller.transcript.filmed_way import FilmedWay, followed
from controller.transcript.first_looks import FirstLooks
from controller.transcript.report import Pictured, TranscriptNotes, thumbnail
from terms.board import Corner
from vision.frame import Corners, Frame
from vision.watching.watcher import Watcher

READABLE = 0.7
"""Median chance of what is likeliest on a column from which a look may begin the game: darkness is like any board, with 0.45."""

JUST_PUT = 1.0
"""Seconds that a play must have stood, its dice beside it, when a film ends, to be written: for less stands half of one, too. By
agreement."""

PLAIN = (Stage.OPENING, Stage.TO_ROLL, Stage.THROWN)
"""Stages of ordinary play. What is unusual is looked at again until hardly a doubt is left."""
NO_SURER = 0.005
"""Share of the belief by which a second look must change it for a third to be worth its time."""


class TranscribeError(ControllerError):
    """Why nothing could be transcribed, in a sentence."""


@dataclass(frozen=True)
class Job:
    """corners: where the board lies, px of the frames; None to find it in them. light_home: None to find it in the start
    position, or from the plays.

    key_frames: the frames are single pictures far apart, not a film.
    """

    plan: MatchPlan
    corners: Corners | None
    light_home: Corner | None = None
    key_frames: bool = False


@dataclass(frozen=True)
class Left:
    """Where a transcription may be gone on with: a moment at which everything that had been seen was written down.

    seconds: that moment in the recording; corners, size: where the board lay, in pictures of that size, px; light_home: which
    way round, as WayRound has it.
    """

    seconds: float
    corners: Corners
    size: tuple[int, int]
    light_home: Corner
    events: tuple[AnyEvent, ...]
    pictures: tuple[Pictured, ...]


@dataclass(frozen=True)
class Ended:
    """A recording that was looked at. held: the events of the match that hold; light_home: where light's home lies in it."""

    held: tuple[AnyEvent, ...]
    light_home: Corner


class Transcriber:
    """One recording on its way to a record. notes take down how sure each turn is; left: what to go on from."""

    def __init__(self, job: Job, notes: TranscriptNotes | None = None, left: Left | None = None) -> None:
        self._job = job
        self._notes = notes or TranscriptNotes()
        self._ways: list[FilmedWay] = []
        self._seconds = self._shown_until = 0.0
        self._left = left
        self._sureness = 0.0
        self._moving, self._replaced = False, 0
        self._first_looks: FirstLooks | None = None
        if left is None:
            self._watcher = Watcher(job.corners, key_frames=job.key_frames, judging=False)
            return
        self._watcher = Watcher(left.corners, key_frames=job.key_frames, size=left.size, judging=False)
        session = Session(job.plan, left.light_home, left.events, sure=SURE_AT_LEISURE)
        self._ways = [FilmedWay(left.light_home, session, key_frames=job.key_frames, notes=self._notes)]
        self._notes.go_on(left.pictures)

    def look(self, frame: Frame) -> None:
        """Takes the next frame in."""
        self._shown_until = frame.seconds
        observation = self._watcher.look(frame)
        if observation is None:
            return
        self._moving = not observation.still and (self._moving or self._watcher.stirs or self._job.key_frames)
        self._seconds = observation.seconds
        if self._watcher.replaced != self._replaced:
            self._replaced = self._watcher.replaced
            self._begin_with_another()
        if not self._ways:
            if not observation.still or float(np.median(observation.columns.max(axis=1))) < READABLE:
                return
            job = self._job
            self._first_looks = FirstLooks(job.plan, job.light_home, key_frames=job.key_frames)
            self._ways = self._first_looks.begun(observation)
        read = self._watcher.frame or frame
        look = observation, thumbnail(read.image) if observation.still else None
        self._ways = followed(self._ways, look)
        if self._first_looks is not None:
            self._ways = self._first_looks.after(look, self._ways, self._watcher)
            if self._first_looks.told:
                self._first_looks = None
        if len(self._ways) > 1:
            return
        (way,) = self._ways
        if way.notes is not self._notes:
            self._notes.become(way.notes)
            way.notes = self._notes
        if observation.still:
            teach(self._watcher, way.session)
            self._judge(way)

    def _begin_with_another(self) -> None:
        """What the board watched before has shown of the game holds, from whatever side; if that is nothing, all begins now."""
        self._first_looks = None
        if not self._ways:
            return
        way = best(self._ways)
        if way.session.untouched:
            self._ways = []
        elif self._job.light_home is None:
            self._ways = [way, *way.others()]

    def record(self) -> Record:
        """What has been seen, as a record. Raises as ended() does."""
        return record_of(self.ended().held)

    def ended(self) -> Ended:
        """What has been seen, as far as it goes: the likeliest is written down, sure or not. Raises TranscribeError where no
        board was seen."""
        if not self._ways:
            raise TranscribeError(
                self._watcher.trouble or "No board could be read in this recording. Film it still, larger and brighter."
            )
        finished = [self._finished(way) for way in self._ways]
        way = best([one for one, _ in finished])
        if len(self._ways) > 1 and way.session.untouched:
            raise TranscribeError(
                "No board in this recording could be read for sure, neither a start position nor a game that is on. "
                "Say where the board is (--corners) and where light's home is (--home), or film it larger and brighter."
            )
        if way.notes is not self._notes:
            self._notes.become(way.notes)
        self._notes.events(next(events for one, events in finished if one is way))
        return Ended(way.session.held, way.home)

    def left(self) -> Left | None:
        """The last moment from which this may be gone on with; None where there was none yet."""
        return self._left

    def _finished(self, way: FilmedWay) -> tuple[FilmedWay, tuple[AnyEvent, ...]]:
        return way.finished(self._seconds, moving=self._moving or self._just_put(way))

    def _just_put(self, way: FilmedWay) -> bool:
        """Whether what stands has stood for a moment only, as half of a play does."""
        rest = way.session.tracker.rest
        return not self._job.key_frames and rest is not None and self._shown_until - rest.first < JUST_PUT

    def _judge(self, way: FilmedWay) -> None:
        """What follows where the frame just read has left nothing in doubt."""
        session, before = way.session, self._sureness
        self._sureness = how_sure(session)
        rest = session.tracker.rest
        if nothing_in_doubt(session, self._sureness):
            self._watcher.content()
        elif rest is not None and rest.frames > 1 and abs(self._sureness - before) < NO_SURER:
            self._watcher.calm()
        if self._sureness <= LEARNT_FROM:
            return
        corners, size = self._watcher.corners, self._watcher.size
        if session.tracker.belief.best.facts or corners is None or size is None:
            return
        self._left = Left(self._seconds, corners, size, way.home, session.held, self._notes.pictures)


def nothing_in_doubt(session: Session, sureness: float) -> bool:
    """Whether another look at the same board would say nothing more: what is SURE is written down."""
    stage = session.tracker.belief.best.stage
    return stage is not Stage.LOST and sureness >= (SURE if stage in PLAIN else LEARNT_FROM)


def how_sure(session: Session) -> float:
    """The share of the belief that agrees with the best about what stands and lies on the board, 0-1."""
    belief = session.tracker.belief
    return min(belief.share_like_best(), belief.share_of_roll(belief.best.roll))
