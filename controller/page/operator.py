"""The operator's desk behind the page: commands go to the referee's thread and wait for its answer, the rest is only read.

The web's threads call; serve() runs in the referee's loop.
"""

from __future__ import annotations

import queue
import re
import threading
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as TooLong
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal, TypeVar, get_args

import msgspec
from msgspec.structs import replace

from controller.app.camera import why_of
from controller.app.referee import Referee
from controller.app.status import Status, StatusBoard
from controller.page.eyes import Eyes, EyesBusy
from controller.panel.plan import Cue, PanelState, PointLamp
from controller.record.analysis import analyse, may_analyse
from controller.record.evidence import Kept, to_jpeg
from controller.record.evidence_recorder import EvidenceRecorder, turn_name
from controller.record.formats import write_record
from controller.record.from_events import records_of
from controller.record.gnubg import GnubgError
from controller.record.graph import graph_svg
from controller.record.journal import Journal
from controller.record.model import AnyAction, Play, Record, RecordError
from controller.referee.commands import AnyCommand, CommandError
from controller.rules import Side, format_play, legal_plays, position_id
from controller.rules.course import course
from controller.stills.photo import PhotoError, read_photo
from controller.stills.position import StillError, still_of
from vision.board.geometry import GeometryError
from vision.finding import Found, NotFound, find_board
from vision.finding.weaknesses import weaknesses
from vision.frame import Frame
from vision.reading.reader import BoardReader
from vision.reading.report import reading_of
from web.operator import (
    Analysis,
    Answer,
    BoardOnTheWay,
    Export,
    Form,
    FoundBoard,
    Legal,
    LegalPlay,
    MatchLine,
    NoBoard,
    PhotoRead,
    Refusal,
    Which,
)
from web.view import SideName

T = TypeVar("T")

PATIENCE = 3.0
"""Seconds that a person waits for an answer. The referee takes one between two frames, which take it 0.2 s at most."""

MATCH_IS_ON = "This match is being recorded silently. Its record can be saved here when it is over, and at the desk at any time.\n"

PICTURE_WIDTH = 1280
PICTURE_QUALITY = 80
NOT_IN_NAMES = re.compile(r'[\\/:*?"<>|\x00-\x1f\x7f]')
"""What some system takes for more than a letter in the name of a file."""

_MEDIA = {
    "mat": "text/plain",
    "sgf": "application/x-go-sgf",
    "json": "application/json",
    "csv": "text/csv",
    "txt": "text/plain",
}


class RefereesDesk:
    """An Operator for the page. journal: where all matches are; status: how things stand; evidence: who has the pictures.

    eyes: look at the pictures that people ask about. asked: set when something waits for serve().
    """

    command_types: tuple[type[AnyCommand], ...] = get_args(AnyCommand)
    record_type: type[msgspec.Struct] = Record

    def __init__(self, journal: Journal, status: StatusBoard, evidence: EvidenceRecorder | None = None) -> None:
        self._journal, self._status, self._evidence = journal, status, evidence
        self._reading = threading.Lock()
        self._read_last: tuple[str, int, Record] | None = None
        self._waiting: queue.Queue[tuple[Callable[[Referee], Any], Future[Any]]] = queue.Queue()
        self.eyes = Eyes()
        self.asked = threading.Event()

    def serve(self, referee: Referee) -> None:
        """Does in the referee's thread what was asked since the last call."""
        while True:
            try:
                do, answer = self._waiting.get_nowait()
            except queue.Empty:
                return
            if answer.set_running_or_notify_cancel():
                try:
                    answer.set_result(do(referee))
                except Exception as error:  # told to the thread that asked
                    answer.set_exception(error)

    @property
    def status(self) -> Status | None:
        """How things stand; None before there is a referee."""
        return self._status.latest

    def command(self, command: AnyCommand) -> Answer:
        """Carries out one command of referee/commands.py."""
        try:
            self.ask(lambda referee: referee.obey(command))
        except CommandError as error:
            return Answer(False, str(error))
        return Answer(True)

    def ask(self, do: Callable[[Referee], T]) -> T:
        """What the referee answers. Raises CommandError where it does not answer in time; then it does not do it either."""
        answer: Future[T] = Future()
        self._waiting.put((do, answer))
        self.asked.set()
        try:
            return answer.result(PATIENCE)
        except TooLong as error:
            if answer.cancel():
                raise CommandError("The referee is busy and did not answer. Say it again.") from error
            raise CommandError(
                "The referee is still at it. Look whether it was done before you say it again."
            ) from error

    def legal(self) -> Legal:
        """The legal plays of the turn in progress."""
        status = self.status
        turn = status.state.to_play if status else None
        if status is None or turn is None:
            return Legal(None, None, (), ())
        rules = status.state.ruleset
        plays = (
            LegalPlay(
                format_play(play),
                tuple((move.source, move.target) for move in play.moves),
                position_id(play.result, Side.LIGHT),
            )
            for play in legal_plays(turn.before, turn.side, turn.dice, rules)
        )
        boards = (
            BoardOnTheWay(
                position_id(board.position, Side.LIGHT),
                board.legal,
                tuple((step.source, step.target, step.then) for step in board.steps),
            )
            for board in course(turn.before, turn.side, turn.dice, rules)
        )
        side: SideName = "light" if turn.side is Side.LIGHT else "dark"
        return Legal(side, turn.dice, tuple(plays), tuple(boards))

    def picture(self) -> bytes | None:
        """The newest frame as JPEG."""
        status = self.status
        if status is None or status.frame is None:
            return None
        return to_jpeg(status.frame.image, PICTURE_WIDTH, PICTURE_QUALITY)

    def find(self) -> FoundBoard | NoBoard:
        """Where the board lies in the newest frame."""
        status = self.status
        frame = status.frame if status else None
        if frame is None:
            return NoBoard("There is no picture: no camera sees the board.", None)
        try:
            return self.eyes.look(lambda reader: _found(frame, reader))
        except EyesBusy as error:
            return NoBoard(str(error), _size(frame))
        except Exception as error:  # As below.
            sentence = f"The camera's picture could not be looked at ({why_of(error)}). Try again."
            return NoBoard(sentence, _size(frame))

    def read(self, picture: bytes) -> PhotoRead | Refusal:
        """A photo's position."""
        try:
            return self.eyes.look(lambda reader: read_photo(picture, reader))
        except (PhotoError, EyesBusy) as error:
            return Refusal(str(error))
        except Exception as error:  # Of OpenCV, the networks' runtime, or for want of memory.
            return Refusal(f"The photo could not be looked at ({why_of(error)}). Take a smaller one, or take it again.")

    def matches(self) -> tuple[MatchLine, ...]:
        """Every match in the journal, newest first."""
        status = self.status
        return status.matches.lines() if status else ()

    def _record(self, identity: str) -> Record | None:
        """Of all who ask at once one reads at a time, and the last record is kept: a long match takes a second to put together."""
        with self._reading:
            status = self.status
            span = status.matches.span(identity) if status else None
            if span is None:
                return None
            first, last = span
            if self._read_last is None or self._read_last[:2] != (identity, last):
                events = self._journal.events(first - 1, last)
                # Bytes of a file's name that are no text become question marks.
                name = self._journal.path.name.encode("utf-8", "replace").decode()
                record = next((one for one in records_of(events, name) if one.match_id == identity), None)
                if record is None:
                    return None
                self._read_last = identity, last, record
            return self._read_last[2]

    def match(self, identity: str, *, judged: bool) -> Record | None:
        """A match's record."""
        record = self._record(identity)
        return record if record is None or judged else unjudged(record)

    def export(self, identity: str, form: Form, *, judged: bool) -> Export | None:
        """A match as a file. What a format can't hold is left out, and said in it.

        Where nothing of it may be said yet there is no file of it either: what a play that is not legal did to the board would
        show in each.
        """
        record = self._record(identity)
        if record is None:
            return None
        if not judged:
            return Export("match-is-on.txt", "text/plain", MATCH_IS_ON.encode())
        name = f"{record.players[0].name}-{record.players[1].name}-{record.date or identity}.{form}"
        with TemporaryDirectory(prefix="vrhcab-export-") as folder:
            path = Path(folder) / f"match.{form}"
            try:
                write_record(record, path)
            except RecordError as error:
                return Export("problem.txt", "text/plain", str(error).encode())
            return Export(NOT_IN_NAMES.sub("-", name), _MEDIA[form], path.read_bytes())

    def analyse(self, identity: str) -> Analysis | Refusal:
        """GNU Backgammon's verdict on a match; refused while one is on at this board."""
        record = self._record(identity)
        if record is None:
            return Refusal("This match is not in the journal.")
        status = self.status
        refused = may_analyse(self._record(status.match) if status else None)
        if refused:
            return Refusal(refused)
        try:
            found = analyse(record)
        except (GnubgError, RecordError) as error:
            return Refusal(str(error))
        return Analysis(found.verdicts, (*found.plays, *found.cube), graph_svg(record, found))

    def frame(self, flag: int, which: Which) -> bytes | None:
        """The pictures kept for a flag of the running match."""
        status = self.status
        if self._evidence is None or status is None:
            return None
        return _read(self._evidence.find(status.match, flag), which)

    def turn_frame(self, number: int, which: Which) -> bytes | None:
        """The pictures kept for a doubtful line of the running game."""
        status = self.status
        if self._evidence is None or status is None:
            return None
        turns = status.written.turns
        if not 0 < number <= len(turns):
            return None
        return _read(self._evidence.find(status.match, turn_name(turns[number - 1].seconds)), which)

    def test(self, what: Literal["lamps", "buzzer"]) -> Answer:
        """Lights every lamp, or sounds the buzzer, for a moment."""
        points = tuple((point, PointLamp.GOAL) for point in range(26))
        every = PanelState(turn=Side.LIGHT, error=True, cube_value=2, cube_owner=Side.LIGHT, points=points)
        heard = PanelState(sound=True, cue=Cue.MISTAKE, cue_number=1)
        try:
            self.ask(lambda referee: referee.test_lamps(every if what == "lamps" else heard))
        except CommandError as error:
            return Answer(False, str(error))
        return Answer(True)


def unjudged(record: Record) -> Record:
    """A record without what the referee said or thinks, and the pictures kept for it."""
    games = tuple(replace(game, actions=tuple(map(_unjudged, game.actions))) for game in record.games)
    return replace(record, games=games)


def _unjudged(action: AnyAction) -> AnyAction:
    plain = replace(action, flags=(), said=(), evidence=())
    return replace(plain, legal=True) if isinstance(plain, Play) else plain


def _size(frame: Frame) -> tuple[int, int]:
    """Width and height, px."""
    height, width = frame.image.shape[:2]
    return width, height


def _found(frame: Frame, reader: BoardReader) -> FoundBoard | NoBoard:
    """Where the board lies in a frame, or why it is not found."""
    found = find_board(frame.image)
    if isinstance(found, NotFound):
        return NoBoard(found.reason, _size(frame))
    return FoundBoard(
        " ".join(f"{x:.0f},{y:.0f}" for x, y in found.corners),
        _home(frame, found, reader),
        round(found.confidence, 3),
        _size(frame),
        weaknesses(frame.image, found),
    )


def _home(frame: Frame, found: Found, reader: BoardReader) -> str | None:
    """Where light bears off, as the checkers tell; None where they don't."""
    try:
        geometry = reader.place(frame.image, found.corners)
        reading = reading_of(frame.name, reader.read(frame, geometry), geometry.corners, 0.0)
        still = still_of(reading)
    except (GeometryError, StillError):
        return None
    return still.home if still.home_seen else None


def _read(kept: Kept, which: Which) -> bytes | None:
    path = {"before": kept.before, "after": kept.after, "clip": kept.clip}[which]
    try:
        return path.read_bytes() if path else None
    except OSError:
        return None
