"""Offline: a video or a folder of frames in, a record out."""

from __future__ import annotations

from collections.abc import Iterable
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
from controller.transcript.report import TranscriptNotes
from vision.frame import Corners, Frame
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


def transcribe(frames: Iterable[Frame], job: Job, notes: TranscriptNotes | None = None) -> Record:
    """The record of the game that the frames show; notes take down how sure each turn is. Raises TranscribeError where
    they show none."""
    notes = notes or TranscriptNotes()
    watcher = Watcher(job.corners, key_frames=job.key_frames)
    session: Session | None = None
    events: list[AnyEvent] = []
    seconds = 0.0
    for frame in frames:
        observation = watcher.look(frame)
        if observation is None:
            continue
        seconds = observation.seconds
        if session is None:
            if not observation.still:
                continue
            home, gap = find_home(observation, Setting(job.plan.rules, job.plan.position))
            if job.light_home is None and gap < ORIENTED:
                raise TranscribeError(
                    "The first frame does not show the start position, so nobody can tell which way the board lies. "
                    "Say where light's home board is, for example --home bottom-right."
                )
            session = Session(job.plan, job.light_home or home)
            events.extend(session.opening)
            notes.events(session.opening)
        if job.key_frames:
            session.moved()
        news = session.see(observation)
        if observation.still:
            notes.picture(frame.image, session.tracker.belief.best.board)
        events.extend(news)
        notes.events(news)
        teach(watcher, session)
        if nothing_in_doubt(session):
            watcher.content()
    if session is None:
        raise TranscribeError(watcher.trouble or "There is no still frame of a board in this recording.")
    rest = session.finish(seconds)
    events.extend(rest)
    notes.events(rest)
    return record_of(events)


def nothing_in_doubt(session: Session) -> bool:
    """Whether another look at the same board would say nothing more."""
    belief = session.tracker.belief
    return min(belief.share_like_best(), belief.share_of_roll(belief.best.roll)) > LEARNT_FROM
