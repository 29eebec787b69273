"""The simulated table as a source of frames, with the truth that pictures are checked against."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

import cv2
import numpy as np

from controller.rules import Side
from controller.simulation.errors import SimulationError
from controller.simulation.faults import HANDLED, Fault, afflicted, unplugged
from controller.simulation.geometry import Seats
from controller.simulation.looks import WHITE, Look, look_for_seed, look_named
from controller.simulation.manners import TO_THEIR_LEFT, Manner, SimulatedMatch
from controller.simulation.renderer import Renderer, camera_for
from controller.simulation.scene import Scene
from controller.simulation.script import Script
from controller.simulation.stage import BackgammonSet, OffTo, Scenes
from controller.simulation.truth import TruthEvent
from vision.frame import Corners, Frame

Size = tuple[int, int]
"""Width and height of the picture, px."""


DARK_DICE = (52, 46, 44)
"""Colour of the darker player's dice where each player has a pair of his own."""


def _with_dice_by_colour(look: Look) -> Look:
    """A look whose two pairs of dice can be told apart: white ones for light, black ones for dark."""
    return replace(look, dice=(WHITE, DARK_DICE), pips=(DARK_DICE, WHITE))


HASTE = 0.25
"""Share of the usual pauses that players in a hurry make."""

AROUND, EVERY = 35.0, 1.5
"""cm around the board within which thrown dice may land on the table, and between the places that are thought of."""
SEEN_WITH_ROOM = 0.78
"""Share of the picture that the board fills where the camera is to see dice beside it."""


def _with_room(look: Look) -> Look:
    """A look whose camera also sees the table around the board."""
    return replace(look, view=replace(look.view, fill=SEEN_WITH_ROOM))


def _borne_off_to(manners: frozenset[Manner]) -> OffTo:
    if "borne off to the bar" in manners:
        return "bar"
    return "outer board" if "borne off to the outer board" in manners else "tray"


def places_beside(look: Look, size: Size) -> list[tuple[float, float]]:
    """(x, y) cm of places on the table around the board where a die can be seen whole: in the picture and not behind the board."""
    shape, camera = look.shape, camera_for(look, size)
    board = np.array(shape.outline())
    reach, foot = AROUND + shape.margin, -shape.thickness
    xs, ys = np.arange(-reach, shape.width + reach, EVERY), np.arange(-reach, shape.height + reach, EVERY)
    grid = np.array([(x, y, foot + shape.die / 2) for x in xs for y in ys])
    die = shape.die * camera.focal / camera.depth((shape.width / 2, shape.height / 2, 0.0))
    seen = camera.project(grid)
    within = ((seen > 1.5 * die) & (seen < np.array(size) - 1.5 * die)).all(axis=1)
    hidden = cv2.convexHull(
        camera.project(np.concatenate([board, board * (1, 1, 0) + (0, 0, foot)])).astype(np.float32)
    )
    clear = [cv2.pointPolygonTest(hidden, (float(u), float(v)), True) < -1.2 * die for u, v in seen]
    return [(float(x), float(y)) for (x, y, _), ok in zip(grid, within & np.array(clear), strict=True) if ok]


def corners_of(look: Look, size: Size) -> Corners:
    """(4, 2) float32 px: the playing surface's corners in the picture, tl tr br bl, as one would tap them."""
    shape = look.shape
    plan = [(0.0, 0.0, 0.0), (shape.width, 0.0, 0.0), (shape.width, shape.height, 0.0), (0.0, shape.height, 0.0)]
    return camera_for(look, size).project(plan).astype(np.float32)


@dataclass(frozen=True)
class Filming:
    """How the simulated camera films. size: (width, height) px; fps: frames a virtual second.

    Raises SimulationError for a picture that shows nothing and for a rate that is not positive."""

    size: Size = (1280, 720)
    fps: float = 10.0

    def __post_init__(self) -> None:
        if min(self.size) < 64 or self.fps <= 0:
            raise SimulationError("A simulated camera needs a picture of at least 64 px and a frame rate above 0.")


USUAL_MATCH, USUAL_FILMING = SimulatedMatch(), Filming()


class SimulatedTable:
    """Two players, a board and a camera; everything follows from the seed.

    look: a name of LOOKS, a Look, or None for one by seed; faults: what befalls the table, and when.

    Raises SimulationError for a look that there is not.
    """

    def __init__(
        self,
        seed: int,
        match: SimulatedMatch = USUAL_MATCH,
        filming: Filming = USUAL_FILMING,
        *,
        look: str | Look | None = None,
        faults: Sequence[Fault] = (),
    ) -> None:
        self.seed, self._match, self._filming, self._faults = seed, match, filming, tuple(faults)
        rules = match.rules
        chosen = look if isinstance(look, Look) else look_named(look) if look else look_for_seed(seed)
        chosen = _with_room(chosen) if rules.dice.landing == "table" else chosen
        self.look = _with_dice_by_colour(chosen) if rules.equipment.dice_by_colour else chosen
        self._beside = places_beside(self.look, filming.size) if rules.dice.landing == "table" else []
        self._script = self._fresh_script()

    def _fresh_script(self) -> Script:
        rng, cube = Random(f"{self.seed} stage"), self._match.rules.cube.enabled
        manners = self._match.manners
        to_left = (TO_THEIR_LEFT.get(manner, frozenset()) for manner in manners)
        seats = Seats(self.look.light_home, frozenset().union(*to_left))
        stage = BackgammonSet(
            self.look.shape,
            seats,
            self.fps,
            rng,
            cube=cube and "no cube" not in manners,
            bar_beside="hit checkers aside" in manners,
            off_to=_borne_off_to(manners),
            one_pair="one pair of dice" in manners,
            one_by_one="dice lifted one by one" in manners,
            spare="spare dice" in manners,
            haste=HASTE if "in a hurry" in manners else 1.0,
            beside=self._beside,
        )
        return Script(stage, Random(f"{self.seed} players"), self._match)

    @property
    def corners(self) -> Corners:
        """(4, 2) float32 px: the playing surface in the picture before any bump, tl tr br bl."""
        return corners_of(self.look, self.size)

    @property
    def light_home(self) -> str:
        """The corner of the picture's board in which light's home board lies, as "bottom-right"."""
        return self.look.light_home

    @property
    def size(self) -> Size:
        """(width, height) of its pictures, px."""
        return self._filming.size

    @property
    def fps(self) -> float:
        """Frames a virtual second."""
        return self._filming.fps

    @property
    def truth(self) -> tuple[TruthEvent, ...]:
        """What has happened in the frames drawn so far."""
        return tuple(self._script.truth)

    def practice(self) -> SimulatedTable:
        """The same table with its players trying it out: a match of its own, without errors or faults."""
        match = SimulatedMatch("none", 1, rules=self._match.rules)
        return SimulatedTable(self.seed, match, self._filming, look=self.look)

    def renderer(self, around: float = 0.0) -> Renderer:
        """Draws this table's scenes, as a camera that stands so many degrees round the table from its own sees them."""
        view = self.look.view
        return Renderer(replace(self.look, view=replace(view, turn=view.turn + around)), self.size, self.seed)

    def frames(self, start: float = 0.0) -> Iterator[Frame]:
        """The match frame by frame; seconds are virtual time. Every call starts anew, and plays unseen until `start`."""
        renderer = self.renderer()
        for number, scene in enumerate(self.scenes()):
            if number / self.fps < start or unplugged(number / self.fps, self._faults):
                continue
            yield Frame(renderer.draw(scene), number / self.fps)

    def scenes(self) -> Iterator[Scene]:
        """The same without the pictures: what stands where in every frame."""
        self._script = self._fresh_script()
        stage = self._script.stage
        hands = sorted((fault for fault in self._faults if fault.kind in HANDLED), key=lambda fault: fault.at)
        for scene in self._script.scenes():
            yield self._now(scene)
            while hands and stage.seconds >= hands[0].at and not stage.hands:
                for interlude in self._handled(stage, hands.pop(0)):
                    yield self._now(interlude)

    def _handled(self, stage: BackgammonSet, fault: Fault) -> Scenes:
        if fault.kind == "drink":
            return stage.put_drink(Side.DARK, fault.seconds)
        if fault.kind == "dropped-checker":
            return stage.drop_checker(Side.LIGHT, fault.seconds)
        return stage.rest_hand(Side.LIGHT, (self.look.shape.width * 0.6, self.look.shape.height * 0.5), fault.seconds)

    def _now(self, scene: Scene) -> Scene:
        seconds = (self._script.stage.frames - 1) / self.fps
        return afflicted(scene, seconds, self._faults, self.look.shape)
