"""One board's camera: where the board lies in its pictures, what is read in them, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from controller.app.appearance_feedback import teach
from controller.app.board_place import AGAIN, BoardPlace, BoardPlaceError, name_place, save_place, saved_place
from controller.app.learnt import Learnt, LearntError, save_learnt, saved_learnt
from controller.app.status import BoardRead, CameraState, CameraStatus
from controller.app.table import Table
from controller.referee.commands import CommandError, SetTable
from controller.referee.session import Session
from controller.tracking.dice import ALL_READ
from terms.board import Corner
from vision.frame import Corners, Frame
from vision.observation import Observation
from vision.pictures.files import CornersError, parse_corners
from vision.reading.reader import unread
from vision.sentence import Sentence
from vision.sources import spelled_once
from vision.watching.watcher import CornersUnfit, Watcher

SHOW_DICE = 0.6
"""A die less sure than this is not drawn on the page."""

KEPT_EVERY = 5
"""Positions: what was learnt is written down after the first two and then as often, to spare the card."""

FAILURES_TO_RENEW = 5
"""Frames in a row that could not be looked at, after which the watcher begins anew."""


class BoardCamera:
    """For the referee's thread. frame: the newest; read: the newest still look at the board; dice: the faces seen in it; faces:
    what this table's dice were read as, as far as plays have told what was thrown."""

    def __init__(self, table: Table, tell: Callable[[str], None], *, key_frames: bool) -> None:
        """key_frames: the frames are single pictures far apart, not a film."""
        self._table, self._tell, self._key_frames = table, tell, key_frames
        self._left = dict[str, Table]()
        if table.of_settings is not None:
            self._keep_table(table.of_settings)
        known = self._remembered()
        self._learnt_since = known.since if known else None
        self.faces = known.faces if known else ALL_READ
        appearance = known.appearance if known else None
        self.watcher = Watcher(table.corners, key_frames=key_frames, size=table.size, appearance=appearance)
        self.status = CameraStatus()
        self.frame: Frame | None = None
        self.read: BoardRead | None = None
        self.dice: tuple[int, ...] = ()
        self._failures = 0
        self._no_board, self._not_learnt = "", ""
        if table.refused:
            self._board_not_seen(table.refused)

    @property
    def corners(self) -> Corners | None:
        """The board's corners in the picture; None while they are being sought, or are those for a picture of another size."""
        known = self.watcher.size
        return self.watcher.corners if known is None or self.frame is None or known == self.frame.size else None

    @property
    def picture(self) -> tuple[tuple[Sentence, ...], ...]:
        """What makes the pictures hard to read, each in its sentences."""
        return tuple(weak.sentences for weak in self.watcher.weak)

    @property
    def light_home(self) -> Corner:
        """The corner of the picture where light's home board lies."""
        return self._table.light_home

    @property
    def refused(self) -> bool:
        """Corners that were given are none of a board; since then nobody has shown others, and none were found."""
        return bool(self._table.refused)

    def failed(self, sentence: str) -> None:
        """It gives no pictures; the sentence says why."""
        self.status = CameraStatus(CameraState.NO_PICTURES, sentence)
        self._tell(sentence)

    def look(self, frame: Frame) -> Observation | None:
        """What the watcher says of a frame, None for one that it passes over. Whatever keeps it from seeing is told, and the next
        frame looked at."""
        try:
            observation, trouble = self.watcher.look(frame), self.watcher.trouble
            if self._failures:
                self._tell(f"The camera's pictures are looked at again; {self._failures} could not be.")
            self._failures = 0
        except CornersUnfit as error:
            self._table = replace(self._table, corners=None, size=None, refused=error.sentence.followed_by(AGAIN))
            self.watcher, trouble = (
                Watcher(None, key_frames=self._key_frames, appearance=self.watcher.known_elsewhere),
                self._table.refused,
            )
            observation = unread(frame)
        except Exception as error:  # Of OpenCV, the networks' runtime, or for want of memory.
            observation, trouble = unread(frame), self._unreadable(error)
        if self.corners is None:
            trouble = self._table.refused or trouble
        elif self._table.refused:
            self._table = replace(self._table, refused="")
        if trouble != self._no_board:
            self._board_not_seen(trouble)
        if observation is not None:
            self.status = CameraStatus(CameraState.NO_BOARD, self._no_board) if self._no_board else CameraStatus()
        if observation is not None and observation.still and self.corners is not None:
            self.read = BoardRead(self.watcher.frame or frame, observation, self.corners)
        return observation

    def as_read(self, newest: Frame) -> Frame:
        """The frame that was looked at last, with as little grain as it is read with."""
        return self.watcher.as_read(newest)

    def counted(self, observation: Observation) -> None:
        """What was seen in the newest frame counts."""
        if observation.still:
            self.dice = _dice_shown(observation)

    def learn(self, session: Session) -> None:
        """What the game says about the set's looks, to the watcher. To learn nothing harms nothing."""
        before, self.faces = self.watcher.appearance, session.faces
        try:
            teach(self.watcher, session)
            if self._is_to_forget():
                self.watcher.unlearn()
                self.faces, self._learnt_since = ALL_READ, None
                session.forget_faces()
                self._tell("What was learnt of this table is forgotten, as was asked.")
            elif self.watcher.appearance is not before:
                self._keep_learnt()
        except LearntError as error:
            self._tell_once(str(error))
        except Exception as error:  # As above.
            self._tell_once(f"Nothing was learnt from this picture ({why_of(error)}).")

    def place(self, command: SetTable) -> None:
        """The board lies where a person has shown it. Raises CommandError where it can't lie there."""
        size = self.frame.size if self.frame is not None else None
        try:
            corners = parse_corners(command.corners, size)
        except CornersError as error:
            raise CommandError(error.sentence) from error
        self._table = replace(self._table, corners=corners, light_home=command.home, size=size, refused="")
        known = self.watcher.known_elsewhere
        self.watcher = Watcher(corners, key_frames=self._key_frames, size=size, appearance=known)

    def keep_place(self, command: SetTable) -> None:
        """Keeps that for the next start. Raises CommandError where it can't be kept; the board is used all the same."""
        if self._table.file is not None:
            try:
                save_place(self._table.file, command.corners, command.home, self._table.size, self._table.source)
            except BoardPlaceError as error:
                raise CommandError(error.sentence) from error

    def forget(self, source: str) -> None:
        """What was seen and learnt in one camera's pictures: the next are of that source. In those the board lies as it did when
        that one was left, as the settings say, or as somebody has shown it there before, else it is to be found, or shown."""
        place, left = self._shown_in(source), self._table
        self._keep_table(left)
        unknown = replace(left, corners=None, size=None, refused="", source=source)
        if place is not None:
            unknown = replace(unknown, corners=place.corners, light_home=place.home, size=place.size)
        self._table = self._left.get(spelled_once(source), unknown)
        self.watcher = Watcher(self._table.corners, key_frames=self._key_frames, size=self._table.size)
        self.frame, self.read, self.dice = None, None, ()
        self.faces, self._learnt_since = ALL_READ, None
        if self._table.learnt is not None:
            with suppress(OSError):
                self._table.learnt.unlink(missing_ok=True)

    def turn(self, light_home: Corner) -> None:
        """The board lies the other way round than was thought."""
        self._table = replace(self._table, light_home=light_home)

    def begin_anew(self) -> None:
        """Forgets what was watched, but not where the board lies, nor what the table taught."""
        self.watcher = self._renewed()
        self.dice = ()

    def _keep_table(self, table: Table) -> None:
        """How it stands before one camera, for when that one is chosen again."""
        if table.source is not None:
            self._left[spelled_once(table.source)] = table

    def _shown_in(self, source: str) -> BoardPlace | None:
        """Where somebody has shown the board in the pictures of that source; None, too, where that can't be read."""
        file = self._table.file
        with suppress(BoardPlaceError, OSError):
            if file is not None:
                name_place(file, self._table.source or "")
                return saved_place(file, source)
        return None

    def _renewed(self) -> Watcher:
        old = self.watcher
        return Watcher(old.corners, key_frames=self._key_frames, size=old.size, appearance=old.appearance)

    def _remembered(self) -> Learnt | None:
        """What the table taught before this start."""
        if self._table.learnt is None:
            return None
        try:
            return saved_learnt(self._table.learnt, self._table.source)
        except LearntError as error:
            self._tell(str(error))
            return None

    def _is_to_forget(self) -> bool:
        """Somebody has removed what was kept."""
        file = self._table.learnt
        return file is not None and self._learnt_since is not None and not file.exists()

    def _keep_learnt(self) -> None:
        """Keeps what was just learnt, now and then."""
        file, known = self._table.learnt, self.watcher.appearance
        if file is not None and known is not None and (known.positions <= 2 or known.positions % KEPT_EVERY == 0):
            self._learnt_since = save_learnt(file, known, self.faces, self._learnt_since, self._table.source)

    def _tell_once(self, sentence: str) -> None:
        """Tells of what keeps it from learning, or from remembering that, unless it told so last."""
        if sentence != self._not_learnt:
            self._tell(sentence)
        self._not_learnt = sentence

    def _board_not_seen(self, sentence: str) -> None:
        self._no_board = sentence
        if sentence:
            self.status = CameraStatus(CameraState.NO_BOARD, sentence)
            self._tell(sentence)

    def _unreadable(self, error: Exception) -> str:
        """The sentence for a frame that could not be looked at. After some in a row the watcher itself may be what is broken."""
        self._failures += 1
        if self._failures % FAILURES_TO_RENEW == 0:
            self.watcher = self._renewed()
        return Sentence(
            "The camera's picture could not be looked at ({why}). The next one is tried; the game so far is kept.",
            why=why_of(error),
        )


def why_of(error: Exception) -> str:
    """An error of vision in a few words."""
    words = " ".join(str(getattr(error, "err", None) or error).split())[:200]
    return words.rstrip(".") or ("out of memory" if isinstance(error, MemoryError) else type(error).__name__)


def _dice_shown(observation: Observation) -> tuple[int, ...]:
    return tuple(die.value for die in observation.dice if die.confidence * float(die.faces.max()) >= SHOW_DICE)
