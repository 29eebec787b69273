"""What the set-up may ask of the program behind the page, step by step. Types at web's door: the page knows no rules.

Pixels are those of the camera's full-size picture; points are light's numbers; signed counts are positive for light.
"""

from __future__ import annotations

from typing import Annotated, Literal, Protocol

import msgspec

from terms.board import Corner
from web.operator import Answer, Refusal
from web.view import Message

SetUpStep = Literal[
    "language", "pin", "picture", "corners", "direction", "game", "position", "lamps", "practice", "ready"
]
StepResult = Literal["done", "skipped"]
Pixel = tuple[float, float]
LampGroup = Literal[
    "turn-light",
    "turn-dark",
    "error",
    "cube-2",
    "cube-4",
    "cube-8",
    "cube-16",
    "cube-32",
    "cube-64",
    "points",
    "sound",
]
PanelButton = Literal["clock-light", "clock-dark", "cube", "undo"]


class At(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody is at this step. before, how: the step that was just left, and how. anew: what was tried at it, from the
    beginning. by: the page that says so, by a name of its own; still: it has been there before, and only says so again."""

    step: SetUpStep
    before: SetUpStep | None = None
    how: StepResult = "done"
    anew: bool = False
    by: Annotated[str, msgspec.Meta(max_length=40)] = ""
    still: bool = False


class CameraSeen(msgspec.Struct, frozen=True):
    """A camera that is plugged in. source: as the settings would name it; name: for people; used: its pictures are refereed."""

    source: str
    name: str
    used: bool


class UseCamera(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """source: of one of the cameras that are plugged in."""

    source: Annotated[str, msgspec.Meta(max_length=300)]


class NewPin(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """now: the PIN that holds; new: the one that shall."""

    now: str
    new: str


class Place(msgspec.Struct, frozen=True):
    """Where the board lies in the picture. corners: tl tr br bl; size: of the picture; home: where White bears off.

    columns: the middles of the 24 columns, the top row from left to right, then the bottom row; lattice: corners, middles of
    the edges and the centre, three rows of three.
    """

    corners: tuple[Pixel, ...]
    size: tuple[int, int]
    home: Corner
    columns: tuple[Pixel, ...]
    lattice: tuple[Pixel, ...]


class PanelSeen(msgspec.Struct, frozen=True):
    """The panel of lamps. kind: "none" where the settings name none; status: how it fares, in English; groups: what can be
    lit for a test; pressed: the buttons pressed since the match has been waiting, oldest first; message: the status in every
    language."""

    kind: Literal["none", "virtual", "gpio", "serial", "emulated"]
    status: str
    groups: tuple[LampGroup, ...] = ()
    pressed: tuple[PanelButton, ...] = ()
    message: Message | None = None


class SetUpState(msgspec.Struct, frozen=True):
    """How far the set-up is. steps: those that this table has; step: where to go on; done: how each was left, "done" only where
    there was what the step is for.

    ready: it was walked through once; camera: "ok", or what is wrong with it, in a sentence; picture: there is one;
    under_way: a game of the match has begun; waits: the match waits for the set-up; place: None while no board is found;
    by: the page on which the set-up goes on, the last that took a step.
    """

    steps: tuple[SetUpStep, ...]
    step: SetUpStep
    done: dict[SetUpStep, StepResult]
    ready: bool
    camera: str
    picture: bool
    under_way: bool
    waits: bool
    place: Place | None
    panel: PanelSeen
    by: str = ""
    camera_message: Message | None = None


class DieShown(msgspec.Struct, frozen=True):
    """A die on the board. at: its middle; flat: it lies flat."""

    value: int
    at: Pixel
    flat: bool


class Difference(msgspec.Struct, frozen=True):
    """A point that differs from the start position. point: 25 is White's bar, 0 Black's; wanted, found: signed counts."""

    point: int
    wanted: int
    found: int


class BoardSeen(msgspec.Struct, frozen=True):
    """What the program reads on the board. points: 24 signed counts; bar: White's and Black's; hidden: columns that can't
    be seen; weak: what is weak about the picture, each in its
    sentences."""

    points: tuple[int, ...]
    bar: tuple[int, int]
    hidden: int
    dice: tuple[DieShown, ...]
    differences: tuple[Difference, ...]
    weak: tuple[tuple[str, ...], ...]
    weak_messages: tuple[Message, ...] = ()


class Lit(msgspec.Struct, frozen=True):
    """The lamps that are lit for a test, by name: "turn light", "error", "cube 8", "point 24", "bar dark"; or why none is."""

    ok: bool
    lamps: tuple[str, ...] = ()
    sentence: str = ""
    message: Message | msgspec.UnsetType = msgspec.UNSET


class Wizard(Protocol):
    """The set-up as the page sees it. Calls come from any thread and return within some seconds."""

    def ready(self) -> bool:
        """Whether somebody has walked through it."""

    def state(self) -> SetUpState:
        """How far it is."""

    def at(self, where: At) -> Answer:
        """Somebody is at a step; said again every few seconds, or else the match goes on."""

    def leave(self) -> Answer:
        """Nobody is at it any more: the match goes on."""

    def seen(self) -> BoardSeen | None:
        """What is read on the board; None where nothing has been read yet."""

    def cameras(self) -> tuple[CameraSeen, ...]:
        """The cameras to choose from; none where the pictures come from elsewhere."""

    def glance(self, source: str) -> bytes | Refusal:
        """What that camera sees now, as JPEG."""

    def use(self, camera: UseCamera) -> Answer:
        """Referees that camera's pictures from now on; where the board lies in them is to be shown anew."""

    def note(self, what: str, by: str) -> None:
        """Keeps that somebody has changed the set-up. what: a step, "camera" or "pin"; by: who, "" where people have no names."""

    def light(self, group: LampGroup) -> Lit:
        """Lights some lamps for a moment."""

    def press(self, button: PanelButton) -> Answer:
        """Presses a button of the panel that is only on the page."""
