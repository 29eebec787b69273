"""A set-up for the tests of the page: it keeps what it is told, and sees a board on which two checkers are wrong."""

from __future__ import annotations

from typing import get_args

import cv2
import msgspec
import numpy as np

from tests.web.table import TableReferee
from tests.web.views import START, board
from web.operator import Answer, Refusal
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
    UseCamera,
)

CORNERS = ((200.0, 100.0), (1080.0, 110.0), (1100.0, 640.0), (180.0, 630.0))
PLACE = Place(
    CORNERS,
    (1280, 720),
    "bottom-right",
    tuple((240.0 + 70 * column, y) for y in (210.0, 530.0) for column in range(12)),
    tuple((190.0 + 450 * x, 105.0 + 265 * y) for y in range(3) for x in range(3)),
)
SEEN = BoardSeen(
    board(START.replace("13:5 8:3 6:5; dark", "13:5 8:2 7:1 6:5; dark")),
    (0, 0),
    0,
    (DieShown(6, (800.0, 300.0), True), DieShown(5, (900.0, 330.0), False)),
    (Difference(7, 0, 1), Difference(8, 3, 2)),
    (("Too dark: grain is 20 % of the board's contrast, 14 % may be.", "Put a lamp over the board."),),
)
PANEL = PanelSeen("virtual", "The panel is on the page only.", get_args(LampGroup), ("cube",))


def grey_picture() -> bytes:
    """A picture of nothing, as JPEG."""
    return bytes(cv2.imencode(".jpg", np.full((720, 1280, 3), 120, np.uint8))[1])


class FirstTime:
    """web.wizard.Wizard. told: what the page said, in order; state_now: what it is told; board: what is read."""

    def __init__(self) -> None:
        self.told: list[object] = []
        self.refusal = ""
        self.plugged_in: tuple[CameraSeen, ...] = ()
        self.noted: list[tuple[str, str]] = []
        self.board: BoardSeen | None = SEEN
        steps: tuple[SetUpStep, ...] = get_args(SetUpStep)
        self.state_now = SetUpState(steps, "language", {}, False, "ok", True, True, False, PLACE, PANEL)

    def ready(self) -> bool:
        return self.state_now.ready

    def state(self) -> SetUpState:
        return self.state_now

    def at(self, where: At) -> Answer:
        if where.still:
            return Answer(True)
        done = self.state_now.done | ({where.before: where.how} if where.before else {})
        self.state_now = msgspec.structs.replace(self.state_now, step=where.step, done=done, by=where.by)
        return self._heard(At(where.step, where.before, where.how))

    def leave(self) -> Answer:
        return self._heard("leave")

    def seen(self) -> BoardSeen | None:
        return self.board

    def cameras(self) -> tuple[CameraSeen, ...]:
        return self.plugged_in

    def glance(self, source: str) -> bytes | Refusal:
        return grey_picture() if any(one.source == source for one in self.plugged_in) else Refusal("Not there.")

    def use(self, camera: UseCamera) -> Answer:
        answer = self._heard(camera)
        if answer.ok:
            self.plugged_in = tuple(
                msgspec.structs.replace(one, used=one.source == camera.source) for one in self.plugged_in
            )
        return answer

    def note(self, what: str, by: str) -> None:
        self.noted.append((what, by))

    def light(self, group: LampGroup) -> Lit:
        return Lit(self._heard(group).ok, ("error",), self.refusal)

    def press(self, button: PanelButton) -> Answer:
        return self._heard(button)

    def _heard(self, what: object) -> Answer:
        if self.refusal:
            return Answer(False, self.refusal)
        self.told.append(what)
        return Answer(True)


def table() -> TableReferee:
    """The desk beside it: a referee whose camera sees that picture."""
    referee = TableReferee()
    referee.camera = grey_picture()
    return referee
