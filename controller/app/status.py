"""What the referee's thread tells all other threads: one frozen value, replaced whole whenever anything in it changes."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from controller.panel.adapter import Button
from controller.record.matches import Matches
from controller.referee.commands import NewMatch
from controller.referee.events import AnyEvent
from controller.referee.state import MatchState
from controller.rules import Position
from terms.board import Corner
from vision.frame import Corners, Frame
from vision.observation import Observation
from vision.sentence import Sentence


class CameraState(Enum):
    """How the camera does."""

    WORKS = "works"
    NO_BOARD = "no board"  # pictures come, but no board is seen in them
    NO_PICTURES = "no pictures"


@dataclass(frozen=True)
class CameraStatus:
    """sentence: what is wrong, for people; empty where nothing is."""

    state: CameraState = CameraState.WORKS
    sentence: str = ""


@dataclass(frozen=True)
class JournalStatus:
    """sentence: what people should know of the journal, mostly nothing. stopped: it takes no events, so nothing counts."""

    sentence: str = ""
    stopped: bool = False


@dataclass(frozen=True, eq=False)
class BoardRead:
    """A still look at the board: the frame, what was read in it, and where the board lies in it."""

    frame: Frame
    observation: Observation
    corners: Corners


@dataclass(frozen=True, eq=False)
class Status:
    """Everything that is true of one board at this moment.

    state: of the game on the board, the match's or a practice game's; board: checkers as they stand, perhaps in the middle of a
    play. waiting: the match as it is written down, while a practice game is on; pressed: the panel's buttons that were pressed
    meanwhile and did nothing, oldest first. seconds: the match's time. dice: the faces seen. frame: the newest; read: the newest
    still look. corners: the board's in the picture, None while they are sought; refused: those that were given are none of a
    board, and nobody has shown others. picture: what makes the camera's pictures hard to read, each in its sentences.
    match: the journal's name for it; matches: one line for each in the journal, which answers any thread by itself. held: the
    events of the match as it is written down that hold. planned: what a hub has to be played next, where that is not on yet.
    """

    state: MatchState
    board: Position
    seconds: float = 0.0
    dice: tuple[int, ...] = ()
    camera: CameraStatus = CameraStatus()
    journal: JournalStatus = JournalStatus()
    waiting: MatchState | None = None
    pressed: tuple[Button, ...] = ()
    frame: Frame | None = None
    read: BoardRead | None = None
    corners: Corners | None = None
    light_home: Corner = "bottom-right"
    refused: bool = False
    picture: tuple[tuple[Sentence, ...], ...] = ()
    match: str = ""
    matches: Matches = field(default_factory=Matches)
    held: tuple[AnyEvent, ...] = ()
    planned: NewMatch | None = None

    @property
    def practising(self) -> bool:
        """A practice game is on: the match waits, and nothing is written down."""
        return self.waiting is not None

    @property
    def written(self) -> MatchState:
        """The match as it is written down."""
        return self.waiting or self.state


class StatusBoard:
    """Where the referee's thread leaves its newest status, and any thread reads it."""

    def __init__(self) -> None:
        self._latest: Status | None = None

    @property
    def latest(self) -> Status | None:
        """The newest status; None before the referee is there."""
        return self._latest

    def publish(self, status: Status) -> None:
        """Replaces the status. One reference is swapped, so nobody reads half of one; only the referee's thread calls this."""
        self._latest = status
