"""Offline: a video or a folder of frames in, a record out.

    work = Transcriber(job); work.look(frame) for every frame; work.record()

record() may be asked for at any time, left() too: what to go on from later, when the work was ended before the recording was.
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass

from controller.app.appearance_feedback import teach
from controller.errors import ControllerError
from controller.record.from_events import record_of
from controller.record.model import Record
from controller.referee.events import AnyEvent
from controller.referee.session import MatchPlan, Session
from controller.tracking.orientation import Corner
from controller.tracking.parameters import LEARNT_FROM, ORIENTED
from controller.tracking.setting import Setting
from controller.tracking.tracker import find_home
from controller.transcript.report import Noted, TranscriptNotes
from vision.frame import Corners, Frame
from vision.observation import Observation
from vision.watching.watcher import Watcher


class TranscribeError(ControllerError):
    """Why nothing could be transcribed, in a sentence."""


@dataclass(frozen=True)
class Job:
    """corners: where the board lies, px of the frames; None to find it in them. light_home: None to find it in the start position.

    key_frames: the frames are single pictures far apart, not a film.
    """

    plan: MatchPlan
    corners: Corners | None
    light_home: Corner | None = None
    key_frames: bool = False


@dataclass(frozen=True)
class Left:
    """Where a transcription may be gone on with: a moment at which everything that had been seen was written down.

    seconds: that moment in the recording; corners, size: where the board lay, in pictures of that size, px.
    """

    seconds: float
    corners: Corners
    size: tuple[int, int]
    light_home: Corner
    events: tuple[AnyEvent, ...]
    notes: tuple[Noted, ...]


class Transcriber:
    """One recording on its way to a record. notes take down how sure each turn is; left: what to go on from."""

    def __init__(self, job: Job, notes: TranscriptNotes | None = None, left: Left | None = None) -> None:
        self._job = job
        self._notes = notes or TranscriptNotes()
        self._session: Session | None = None
        self._home: Corner | None = job.light_home
        self._seconds = 0.0
        self._left = left
        if left is None:
            self._watcher = Watcher(job.corners, key_frames=job.key_frames)
            return
        self._watcher = Watcher(left.corners, key_frames=job.key_frames, size=left.size)
        self._home = left.light_home
        self._session = Session(job.plan, left.light_home, left.events)
        self._notes.go_on(left.notes, left.events)

    def look(self, frame: Frame) -> None:
        """Takes the next frame in. Raises TranscribeError where the recording can't be followed from there."""
        observation = self._watcher.look(frame)
        if observation is None:
            return
        self._seconds = observation.seconds
        if self._session is None:
            if not observation.still:
                return
            self._session = self._begun(observation)
        session = self._session
        if self._job.key_frames:
            session.moved()
        events = session.see(observation)
        if observation.still:
            self._notes.picture(frame.image, session.tracker.belief.best.board)
        self._notes.events(events)
        if observation.still:
            teach(self._watcher, session)
            self._judge(session)

    def record(self) -> Record:
        """What has been seen, as far as it goes: the likeliest is written down, sure or not. Raises TranscribeError where no
        board was seen."""
        if self._session is None:
            raise TranscribeError(self._watcher.trouble or "There is no still frame of a board in this recording.")
        ended = copy(self._session)
        self._notes.events(ended.finish(self._seconds))
        return record_of(ended.held)

    def left(self) -> Left | None:
        """The last moment from which this may be gone on with; None where there was none yet."""
        return self._left

    def _begun(self, observation: Observation) -> Session:
        plan = self._job.plan
        home, gap = find_home(observation, Setting(plan.rules, plan.position))
        if self._home is None and gap < ORIENTED:
            raise TranscribeError(
                "The first frame does not show the start position, so nobody can tell which way the board lies. "
                "Say where light's home board is, for example --home bottom-right."
            )
        self._home = self._home or home
        session = Session(plan, self._home)
        self._notes.events(session.opening)
        return session

    def _judge(self, session: Session) -> None:
        """What follows where the frame just read has left nothing in doubt."""
        if not nothing_in_doubt(session):
            return
        self._watcher.content()
        corners, size = self._watcher.corners, self._watcher.size
        if session.tracker.belief.best.facts or corners is None or size is None or self._home is None:
            return
        self._left = Left(self._seconds, corners, size, self._home, session.held, self._notes.kept())


def transcribe(frames: Iterable[Frame], job: Job, notes: TranscriptNotes | None = None) -> Record:
    """The record of the game that the frames show. Raises TranscribeError where they show none."""
    work = Transcriber(job, notes)
    for frame in frames:
        work.look(frame)
    return work.record()


def nothing_in_doubt(session: Session) -> bool:
    """Whether another look at the same board would say nothing more."""
    belief = session.tracker.belief
    return min(belief.share_like_best(), belief.share_of_roll(belief.best.roll)) > LEARNT_FROM
