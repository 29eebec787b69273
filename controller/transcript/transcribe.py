"""Offline: a video or a folder of frames in, a record out.

    work = Transcriber(job); work.look(frame) for every frame; work.record(), or work.ended() for the events it is made of

Both may be asked for at any time, left() too: what to go on from later, when the work was ended before the recording was.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from controller.app.appearance_feedback import teach
from controller.errors import ControllerError
from controller.record.from_events import record_of
from controller.record.model import Record
from controller.referee.events import AnyEvent
from controller.referee.session import MatchPlan, Session
from controller.referee.ways_round import WayRound, best, likely, mirrored_home
from controller.rules import Side
from controller.tracking.habits import NOTHING_SEEN, Habits
from controller.tracking.home import find_home
from controller.tracking.hypothesis import Stage
from controller.tracking.parameters import LEARNT_FROM, ORIENTED, SURE, SURE_AT_LEISURE
from controller.tracking.setting import Setting
from controller.transcript.report import Pictured, TranscriptNotes, thumbnail
from terms.board import CORNERS, Corner
from vision.frame import Corners, Frame
from vision.observation import Observation
from vision.watching.watcher import Watcher

READABLE = 0.7
"""Median chance of what is likeliest on a column from which a look may begin the game: darkness is like any board, with 0.45."""

MOST_FIRST_LOOKS = 250
"""Looks from a recording's beginning that are kept to be gone through again; by agreement: some 50 MB at most."""

Look = tuple[Observation, bytes | None]
"""What was read of a frame, and its thumbnail."""

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

    seconds: that moment in the recording; corners, size: where the board lay, in pictures of that size, px; light_home, mirrored:
    which way round, as WayRound has them.
    """

    seconds: float
    corners: Corners
    size: tuple[int, int]
    light_home: Corner
    events: tuple[AnyEvent, ...]
    pictures: tuple[Pictured, ...]
    mirrored: bool = False


@dataclass(frozen=True)
class Ended:
    """A recording that was looked at. held: the events of the match that hold; light_home: where light's home lies in it."""

    held: tuple[AnyEvent, ...]
    light_home: Corner


@dataclass
class FilmedWay(WayRound):
    """A way round, and what is taken down of its turns. Nobody plays at the moment: nothing is written before it is as sure as what
    comes makes it."""

    notes: TranscriptNotes = field(default_factory=TranscriptNotes)


def begun(
    plan: MatchPlan, homes: Sequence[Corner], habits: Habits = NOTHING_SEEN, *, mirrored: bool = False
) -> list[FilmedWay]:
    """One way round for each corner at which light's home may lie, of a match of which nothing was seen yet."""
    sessions = [Session(plan, home, sure=SURE_AT_LEISURE, habits=habits) for home in homes]
    ways = [FilmedWay(home, session, mirrored=mirrored) for home, session in zip(homes, sessions, strict=True)]
    for way in ways:
        way.notes.events(way.session.opening)
    return ways


class Transcriber:
    """One recording on its way to a record. notes take down how sure each turn is; left: what to go on from."""

    def __init__(self, job: Job, notes: TranscriptNotes | None = None, left: Left | None = None) -> None:
        self._job = job
        self._notes = notes or TranscriptNotes()
        self._ways: list[FilmedWay] = []
        self._seconds = self._shown_until = 0.0
        self._left = left
        self._sureness = 0.0
        self._moving = False
        self._first_looks: list[Look] | None = None
        self._may_be_mirrored = False
        self._thrown_anywhere = self._named = False
        if left is None:
            self._watcher = Watcher(job.corners, key_frames=job.key_frames, judging=False)
            return
        self._watcher = Watcher(left.corners, key_frames=job.key_frames, size=left.size, judging=False)
        session = Session(job.plan, left.light_home, left.events, sure=SURE_AT_LEISURE)
        self._ways = [FilmedWay(left.light_home, session, mirrored=left.mirrored, notes=self._notes)]
        self._notes.go_on(left.pictures)

    def look(self, frame: Frame) -> None:
        """Takes the next frame in."""
        self._shown_until = frame.seconds
        observation = self._watcher.look(frame)
        if observation is None:
            return
        self._moving = not observation.still and (self._moving or self._watcher.stirs or self._job.key_frames)
        self._seconds = observation.seconds
        if not self._ways:
            if not observation.still or float(np.median(observation.columns.max(axis=1))) < READABLE:
                return
            self._ways, self._first_looks = self._begun(observation), []
        jpeg = thumbnail(frame.image) if observation.still else None
        self._ways = self._followed(self._ways, observation, jpeg)
        self._perhaps_otherwise(observation, jpeg)
        if len(self._ways) > 1:
            return
        (way,) = self._ways
        if way.notes is not self._notes:
            self._notes.become(way.notes)
            way.notes = self._notes
        if observation.still:
            if not way.mirrored:  # what is learnt is learnt of the pictures
                teach(self._watcher, way.session)
            self._judge(way)

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
        if self._first_looks is not None and self._may_be_mirrored and finished[0][0].turns < 0:
            finished.append(self._finished(self._mirror_image(self._ways[0], self._first_looks)))
        way = best([one for one, _ in finished])
        if len(self._ways) > 1 and way.pips is None:
            raise TranscribeError(
                "No board in this recording could be read for sure, neither a start position nor a game that is on. "
                "Say where the board is (--corners) and where light's home is (--home), or film it larger and brighter."
            )
        if way.notes is not self._notes:
            self._notes.become(way.notes)
        self._notes.events(next(events for one, events in finished if one is way))
        return Ended(way.session.held, way.home_as_filmed)

    def left(self) -> Left | None:
        """The last moment from which this may be gone on with; None where there was none yet."""
        return self._left

    def _finished(self, way: FilmedWay) -> tuple[FilmedWay, tuple[AnyEvent, ...]]:
        return way.finished(self._seconds, moving=self._moving or self._just_put(way))

    def _just_put(self, way: FilmedWay) -> bool:
        """Whether what stands has stood for a moment only, as half of a play does."""
        rest = way.session.tracker.rest
        return not self._job.key_frames and rest is not None and self._shown_until - rest.first < JUST_PUT

    def _shown(self, way: FilmedWay, observation: Observation, jpeg: bytes | None) -> None:
        """One look, as it is for the game that lies this way round."""
        if self._job.key_frames:
            way.session.moved()
        events = way.see(observation)
        if jpeg is not None:
            way.notes.shown(jpeg, way.session.tracker.belief.best.board)
        way.notes.events(events)

    def _followed(self, ways: list[FilmedWay], observation: Observation, jpeg: bytes | None) -> list[FilmedWay]:
        """The likely ones of these ways round after one look more."""
        if observation.still and len(ways) == 1:
            ways[0].turned(observation)
        for way in ways:
            self._shown(way, observation, jpeg)
        return likely(ways)

    def _perhaps_otherwise(self, observation: Observation, jpeg: bytes | None) -> None:
        """What is seen now may tell that what came first was something else: then it is gone through again."""
        if self._first_looks is None:
            return
        self._first_looks.append((observation, jpeg))
        if self._may_be_mirrored:
            self._perhaps_mirrored(self._first_looks)
        habits = max((way.session.tracker.habits for way in self._ways), key=lambda one: (one.scattered, one.pairs))
        self._named = self._named or self._watcher.appearance is not None
        if self._watcher.misnamed and not self._named:
            self._watcher.rename()
            self._first_looks = [(look.exchanged(), picture) for look, picture in self._first_looks]
            self._ways = self._gone_through(self._first_looks, habits)
        elif habits.scattered and not self._thrown_anywhere:
            ways = self._gone_through(self._first_looks, habits)
            self._ways = ways if best(ways).turns >= best(self._ways).turns else self._ways
        if len(self._first_looks) > MOST_FIRST_LOOKS or (habits.told and self._named and not self._may_be_mirrored):
            self._first_looks = None

    def _perhaps_mirrored(self, looks: list[Look]) -> None:
        """Where what comes first of a game is against the rules, it may be a mirror image, as cameras make it that face their
        owner: everybody seems to throw into the opponent's half. The first legal turn tells that it is none."""
        way = self._ways[0]
        if way.turns < 0:
            other = self._mirror_image(way, looks)
            if other.turns > way.turns:
                self._ways = likely([*self._ways, other])
        self._may_be_mirrored = way.turns == 0

    def _mirror_image(self, way: FilmedWay, looks: list[Look]) -> FilmedWay:
        """What the same looks are if they are mirrored."""
        (other,) = begun(self._job.plan, [mirrored_home(way.home)], mirrored=True)
        way.pips = other.pips = sum(way.session.state.start.pip_count(side) for side in Side)
        for look, picture in looks:
            self._shown(other, look, picture)
        return other

    def _gone_through(self, looks: list[Look], habits: Habits) -> list[FilmedWay]:
        """What all looks are by what is known now: the sides' names, and whether where dice lie tells whose they are."""
        self._thrown_anywhere = habits.scattered
        ways = self._begun(looks[0][0], habits)
        for look, picture in looks:
            ways = self._followed(ways, look, picture)
        self._may_be_mirrored = self._may_be_mirrored and not habits.scattered and ways[0].turns == 0
        return ways

    def _begun(self, observation: Observation, habits: Habits = NOTHING_SEEN) -> list[FilmedWay]:
        """The start position tells which way the board lies; where the recording begins later, the plays do."""
        plan, home = self._job.plan, self._job.light_home
        if home is None:
            found, gap = find_home(observation, Setting(plan.rules, plan.position))
            if gap < ORIENTED:
                return begun(plan, CORNERS, habits)
            home = found
        self._may_be_mirrored = True
        return begun(plan, (home,), habits)

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
        self._left = Left(self._seconds, corners, size, way.home, session.held, self._notes.pictures, way.mirrored)


def nothing_in_doubt(session: Session, sureness: float) -> bool:
    """Whether another look at the same board would say nothing more: what is SURE is written down."""
    stage = session.tracker.belief.best.stage
    return stage is not Stage.LOST and sureness >= (SURE if stage in PLAIN else LEARNT_FROM)


def how_sure(session: Session) -> float:
    """The share of the belief that agrees with the best about what stands and lies on the board, 0-1."""
    belief = session.tracker.belief
    return min(belief.share_like_best(), belief.share_of_roll(belief.best.roll))
