"""The set-up behind the page: where somebody is in it, what the program sees meanwhile, and the match that waits for it.

The web's threads call; serve() runs in the referee's loop.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import msgspec
import numpy as np

from controller.app.answers import refusal, refused
from controller.app.practice import PracticeScene
from controller.app.referee import Referee
from controller.app.status import BoardRead, CameraState, Status
from controller.page.cameras import Cameras
from controller.page.eyes import Eyes
from controller.page.referee_link import RefereeLink
from controller.panel.adapter import Button, Panel
from controller.panel.plan import Cue, PanelState, PointLamp, lamps
from controller.panel.virtual import VirtualPanel
from controller.record.owners import replace_file
from controller.referee.commands import CommandError
from controller.referee.state import MatchState
from controller.rules import Position, Side
from controller.tracking.orientation import column_of_point
from terms.board import Corner
from vision.board.weaknesses import weaknesses
from vision.frame import Corners, Frame
from vision.reading.checkers import ColumnReader
from vision.reading.reader import geometry_for
from vision.reading.report import Cell, Reading, reading_of
from vision.sentence import Sentence
from web.operator import Answer, Refusal
from web.view import CAMERA_WORKS
from web.wizard import (
    At,
    BoardSeen,
    CameraSeen,
    DieShown,
    Difference,
    LampGroup,
    Lit,
    PanelButton,
    PanelSeen,
    Place,
    SetUpState,
    SetUpStep,
    StepResult,
    UseCamera,
)
from web.words import message

HOLDING: dict[SetUpStep, PracticeScene] = {
    "corners": "still",
    "direction": "still",
    "position": "thrown",
    "lamps": "still",
    "practice": "playing",
}
"""The steps during which the match waits, and what simulated players do meanwhile."""

PATIENCE = 45.0
"""Seconds after the last word from the page until the match goes on: a phone is picked up again, but not put away."""

STALE = 4.0
"""Seconds after which the last picture of a camera that has failed is no longer shown: most come back at once."""

LONGEST = 4096
"""bytes of the file with the progress; all steps take three hundred."""

GLANCE = 2.0
"""Seconds for which the page waits to be told where the columns lie; it asks again."""

OF_THE_CAMERA: tuple[SetUpStep, ...] = ("picture", "corners", "direction", "position", "practice")
"""What holds for one camera's picture alone."""

NO_CHOICE = Sentence("The pictures come from elsewhere, as the settings say: there is no camera to choose.")

WITHOUT_CAMERA: tuple[SetUpStep, ...] = ("language", "pin", "game", "lamps", "ready")
ON_PINS: tuple[LampGroup, ...] = get_args(LampGroup)[:9]
"""Lamps on the Pi's pins: turn, error, cube."""


class SetUpProgress(msgspec.Struct, frozen=True):
    """How far the set-up has come, as it is kept beside the journal."""

    step: SetUpStep = "language"
    done: dict[SetUpStep, StepResult] = {}
    ready: bool = False


@dataclass(frozen=True)
class Surroundings:
    """What is there to be set up. panel, kind: the lamps and what the settings call them; eyes: look at the camera's pictures;
    camera: there is one; act: tells simulated players what to do; cameras: to choose from, None where the
    settings leave no choice; sound: they let its buzzer be heard."""

    panel: Panel
    kind: str
    eyes: Eyes
    camera: bool = True
    act: Callable[[PracticeScene], None] = lambda what: None
    cameras: Cameras | None = None
    sound: bool = True


class RefereesWizard:
    """A Wizard for the page. file: where the progress is kept."""

    def __init__(
        self, link: RefereeLink, file: Path, around: Surroundings, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._link, self._file, self._clock = link, file, clock
        self._eyes, self._cameras = around.eyes, around.cameras
        self._panel, self._kind, self._act, self._sound = around.panel, around.kind, around.act, around.sound
        self._steps: tuple[SetUpStep, ...] = get_args(SetUpStep) if around.camera else WITHOUT_CAMERA
        self._progress = _kept(file)
        self._acting: PracticeScene = "match"
        self._heard, self._by = float("-inf"), ""
        self._lock = threading.Lock()
        self._place: tuple[bytes, Place] | None = None

    def serve(self, referee: Referee) -> None:
        """Lets the match go on when the page has said nothing for too long; in the referee's thread."""
        if self._acting != "match" and self._clock() - self._heard > PATIENCE:
            self._end_practice(referee)

    def ready(self) -> bool:
        """Whether somebody has walked through it, and the board still lies where it was shown."""
        return self._is_ready(self._link.status)

    def _is_ready(self, status: Status | None) -> bool:
        return self._progress.ready and not (status and status.refused)

    def state(self) -> SetUpState:
        """How far it is."""
        status, progress = self._link.status, self._progress
        frame = _shown(status) if status else None
        step = progress.step if progress.step in self._steps else self._steps[0]
        if step == "ready" and status and status.refused:
            step = "corners"
        return SetUpState(
            self._steps,
            step,
            {name: how for name, how in progress.done.items() if name in self._steps},
            self._is_ready(status),
            str(status.camera.sentence if status else "") or CAMERA_WORKS,
            frame is not None,
            status is not None and _under_way(status.written),
            status is not None and status.practising,
            None if status is None or frame is None else self._placed(frame, status.corners, status.light_home),
            self._panel_seen(status),
            self._by,
            message(status.camera.sentence) if status and status.camera.sentence else None,
        )

    def at(self, where: At) -> Answer:
        """Keeps the step, and the match waiting where the step needs the board; only for the page that went on last."""
        if where.still and where.by != self._by:
            return Answer(True)
        self._by = where.by
        act, status = HOLDING.get(where.step, "match"), self._link.status
        # Who has begun another match at the desk meanwhile has ended the practice.
        ended = act != "match" and status is not None and not status.practising
        self._heard = self._clock()
        try:
            if act != self._acting or ended or (where.anew and act != "match"):
                self._link.ask(self._end_practice if act == "match" else lambda one: self._begin_practice(one, act))
            self._keep(where)
        except CommandError as error:
            return refused(error)
        return Answer(True)

    def leave(self) -> Answer:
        """The match goes on, whatever the page that has left said before and is still on its way."""
        self._by = ""
        try:
            self._link.ask(self._end_practice)
        except CommandError as error:
            return refused(error)
        return Answer(True)

    def seen(self) -> BoardSeen | None:
        """What the referee has read last, beside what the start position would be."""
        status = self._link.status
        if status is None or status.read is None:
            return None
        return board_seen(status.read, status.light_home, Position.start(status.state.ruleset.variant.position))

    def cameras(self) -> tuple[CameraSeen, ...]:
        """The cameras to choose from."""
        return self._cameras.seen() if self._cameras else ()

    def glance(self, source: str) -> bytes | Refusal:
        """What one of them sees."""
        if self._cameras is None:
            return refusal(NO_CHOICE)
        status = self._link.status
        return self._cameras.picture(source, _shown(status) if status else None)

    def use(self, camera: UseCamera) -> Answer:
        """Another camera, in whose picture the board lies as somebody has shown it there, if anybody has."""
        if self._cameras is None:
            return refused(NO_CHOICE)
        before = self._cameras.used
        try:
            try:
                self._cameras.choose(camera.source)
            finally:  # It is used where it can't be remembered, too.
                if self._cameras.used != before:
                    self._begin_with_another(self._cameras.used)
        except CommandError as error:
            return refused(error)
        return Answer(True)

    def _begin_with_another(self, source: str) -> None:
        """What was shown in one camera's picture is none of another's. Raises CommandError where that can't be kept."""
        self._link.ask(lambda referee: referee.other_camera(source))
        status = self._link.status
        known: dict[SetUpStep, StepResult] = {}
        if status is not None and status.corners is not None:
            known = {"corners": "done", "direction": "done"}
        self._save(lambda before: msgspec.structs.replace(before, done=_without(before.done, OF_THE_CAMERA) | known))

    def note(self, what: str, by: str) -> None:
        """Who has changed what."""
        with suppress(CommandError):  # The referee is busy or gone: the change stands all the same.
            self._link.ask(lambda referee: referee.note_set_up(what, by))

    def light(self, group: LampGroup) -> Lit:
        """Lights a group on whatever panel there is."""
        shown = lit_for_test(group)
        try:
            self._link.ask(lambda referee: referee.test_lamps(shown))
        except CommandError as error:
            return Lit(False, sentence=str(error), message=message(error.sentence))
        return Lit(True, tuple(lamps(shown)))

    def press(self, button: PanelButton) -> Answer:
        """Presses a button of the page's own panel."""
        if self._kind != "virtual" or not isinstance(self._panel, VirtualPanel):
            return refused(Sentence("This panel's buttons are pressed with a finger, not on the page."))
        self._panel.press(Button[button.upper().replace("-", "_")])
        return Answer(True)

    def _panel_seen(self, status: Status | None) -> PanelSeen:
        report = self._panel.status()
        kind: Any = self._kind  # one of the settings
        return PanelSeen(kind, str(report), self._groups(), _pressed(status), message(report))

    def _groups(self) -> tuple[LampGroup, ...]:
        if self._kind == "none":
            return ()
        if self._kind == "gpio":
            return ON_PINS
        every: tuple[LampGroup, ...] = get_args(LampGroup)
        return every if self._kind != "virtual" and self._sound else every[:-1]

    def _begin_practice(self, referee: Referee, act: PracticeScene) -> None:
        referee.begin_practice()
        self._act(act)
        self._acting = act

    def _end_practice(self, referee: Referee) -> None:
        self._act("match")
        self._acting = "match"
        referee.end_practice()

    def _keep(self, where: At) -> None:
        """Raises CommandError where it can't be written."""
        left = {where.before: self._truly(where.before, where.how)} if where.before else {}
        self._save(lambda before: SetUpProgress(where.step, before.done | left, before.ready or where.step == "ready"))

    def _save(self, change: Callable[[SetUpProgress], SetUpProgress]) -> None:
        """Keeps another progress. Raises CommandError where it can't be written."""
        with self._lock:
            before = self._progress
            self._progress = progress = change(before)
        if progress == before:
            return
        try:
            replace_file(self._file, msgspec.json.encode(progress))
        except OSError as error:
            raise CommandError(
                "{file} can't be written ({why}): go on, but the set-up will begin anew next time.",
                file=self._file,
                why=error.strerror,
            ) from error

    def _truly(self, step: SetUpStep, how: StepResult) -> StepResult:
        """How a step was left: not done without what it is for."""
        status = self._link.status
        if how == "skipped" or status is None:
            return "skipped"
        match step:
            case "picture":
                there = _shown(status) is not None
            case "corners" | "direction":
                there = status.corners is not None
            case "position":
                there = status.read is not None
            case _:
                there = True
        return "done" if there else "skipped"

    def _placed(self, frame: Frame, corners: Corners | None, home: Corner) -> Place | None:
        """Where the board lies; its bar is sought again only when the corners change."""
        if corners is None:
            return None
        key = corners.tobytes() + home.encode()
        if self._place is None or self._place[0] != key:
            try:
                place = self._eyes.look(lambda reader: placed(frame, corners, home, reader.columns), GLANCE)
                self._place = key, place
            except (
                Exception
            ):  # Corners of no board, or vision has failed; the referee says so where it concerns the game.
                return None
        return self._place[1]


def placed(frame: Frame, corners: Corners, home: Corner, reader: ColumnReader) -> Place:
    """Where board and columns lie in a frame. Raises GeometryError for corners that no board in it can have."""
    board = reader.place_bar(frame.image, geometry_for(frame.image, corners), None)
    columns = board.to_picture([board.column_centre(column) for column in range(24)])
    lattice = board.to_picture([(x, y) for y in (0.0, 0.5, 1.0) for x in (0.0, 0.5, 1.0)])
    return Place(_pixels(corners), frame.size, home, _pixels(columns), _pixels(lattice))


def board_seen(seen: BoardRead, home: Corner, start: Position) -> BoardSeen:
    """What a look says, beside the start position, with White's home in that corner."""
    geometry = geometry_for(seen.frame.image, seen.corners)
    reading = reading_of("", seen.observation, geometry, 0.0, putting_up=True)
    by_column = np.array([_signed(cell) for cell in (*reading.top, *reading.bottom)])
    points = [int(by_column[column_of_point(point, home)]) for point in range(1, 25)]
    bar = reading.bar or (0, 0)
    weak = weaknesses(seen.frame.image, seen.corners)
    return BoardSeen(
        tuple(points),
        bar,
        _hidden(reading),
        tuple(DieShown(die.value, die.px, not die.cocked) for die in reading.dice if die.half != "off the board"),
        _differences(points, bar, start.signed()),
        tuple(one.words for one in weak),
        tuple(message(one.sentences[0].followed_by(one.sentences[1])) for one in weak),
    )


def lit_for_test(group: LampGroup) -> PanelState:
    """The panel's state in which just this group is lit, by the same plan as in a game."""
    if group.startswith("cube-"):
        return PanelState(cube_value=int(group.removeprefix("cube-")), cube_owner=Side.LIGHT)
    match group:
        case "turn-light":
            return PanelState(turn=Side.LIGHT)
        case "turn-dark":
            return PanelState(turn=Side.DARK)
        case "error":
            return PanelState(error=True)
        case "points":
            return PanelState(points=tuple((point, PointLamp.GOAL) for point in range(26)))
        case _:
            return PanelState(sound=True, cue=Cue.MISTAKE, cue_number=1)


def _kept(file: Path) -> SetUpProgress:
    """The progress in the file; from the beginning where there is none, or it is damaged."""
    try:
        if not file.is_file():
            return SetUpProgress()
        with file.open("rb") as opened:
            return msgspec.json.decode(opened.read(LONGEST), type=SetUpProgress)
    except (OSError, ValueError, RecursionError):
        return SetUpProgress()


def _without(done: dict[SetUpStep, StepResult], steps: tuple[SetUpStep, ...]) -> dict[SetUpStep, StepResult]:
    return {step: how for step, how in done.items() if step not in steps}


def _under_way(state: MatchState) -> bool:
    """Whether a roll of the present game has been written down, so that the board holds a position to go on from."""
    return state.dice is not None or (bool(state.turns) and not state.between_games)


def _shown(status: Status) -> Frame | None:
    """The newest picture, unless the camera has failed and it is old."""
    frame = status.frame
    failed = status.camera.state is CameraState.NO_PICTURES
    return None if failed and frame and status.seconds - frame.seconds > STALE else frame


def _pressed(status: Status | None) -> tuple[PanelButton, ...]:
    names = (button.name.lower().replace("_", "-") for button in (status.pressed if status else ()))
    return tuple(names)  # type: ignore[arg-type]  # the buttons' names


def _signed(cell: Cell | None) -> int:
    return 0 if cell is None else cell[0] - cell[1]


def _hidden(reading: Reading) -> int:
    return sum(cell is None for cell in (*reading.top, *reading.bottom, reading.bar))


def _differences(points: list[int], bar: tuple[int, int], start: tuple[int, ...]) -> tuple[Difference, ...]:
    found = [
        Difference(number, wanted, seen)
        for number, (wanted, seen) in enumerate(zip(start, points, strict=True), 1)
        if wanted != seen
    ]
    found += [Difference(25, 0, bar[0])] if bar[0] else []
    found += [Difference(0, 0, -bar[1])] if bar[1] else []
    return tuple(found)


def _pixels(points: np.ndarray[tuple[int, ...], np.dtype[np.float64]] | Corners) -> tuple[tuple[float, float], ...]:
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in points)
