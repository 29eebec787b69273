"""Simulated games as the referee watches them: every observation of a game, beside what truly lay on the board just then."""

from __future__ import annotations

import gzip
import pickle
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, Literal, Protocol, get_args

import numpy as np

from benchmarks.worse import Way, plain
from controller.app.appearance_feedback import teach
from controller.referee.events import AnyEvent
from controller.referee.session import MatchPlan, Session
from controller.referee.ways_round import turned_round
from controller.rules import MATCH, Side
from controller.simulation import Fault, FaultKind, GameBegun, SimulatedTable, TruthEvent
from controller.simulation.geometry import BoardShape
from controller.simulation.renderer import Renderer
from controller.simulation.scene import CheckerThing, CubeThing, DieThing, HandThing, Scene, Thing
from controller.tracking.parameters import MOST_SEEN
from vision.board.changes import shares_changed
from vision.frame import Frame
from vision.observation import Observation
from vision.watching.motion import FRAMES_TO_SETTLE, SETTLE_SECONDS
from vision.watching.pace import Pace
from vision.watching.watcher import Watcher

SIZE = (1280, 720)

SET_UP = 1.5
"""Virtual seconds that the next game's set-up is looked at."""

BEFALLS: tuple[FaultKind, ...] = tuple(kind for kind in get_args(FaultKind) if kind != "unplugged")
"""All but a camera that sends nothing: then there is nothing to draw."""
FAULTS_A_GAME = 2
FIRST_FAULT, LAST_FAULT = 20.0, 500.0
"""Virtual seconds between which they come: after the set-up, before most games end."""


@dataclass(frozen=True)
class Shown:
    """What truly lies on the board: signed counts by column, (light, dark) on the bar, dice as (value, x, y, flat), cube as
    (value, x, y), None where none is played with; x and y in board plane coordinates."""

    columns: tuple[int, ...]
    bar: tuple[int, int]
    dice: tuple[tuple[int, float, float, bool], ...]
    cube: tuple[int, float, float] | None


@dataclass(frozen=True)
class Reading:
    """One observation. shown: None where nothing was read."""

    observation: Observation
    shown: Shown | None


@dataclass(frozen=True)
class Watched:
    """A game and all that was seen of it. seconds: virtual time at its end; cpu: processor seconds that it took."""

    seed: int
    look: str
    light_home: Any
    length: int
    readings: tuple[Reading, ...]
    truth: tuple[TruthEvent, ...]
    seconds: float
    cpu: float = 0.0

    def save(self, folder: Path) -> None:
        """Into a file of its own: the tracker can be tried on it again without the pictures."""
        folder.mkdir(parents=True, exist_ok=True)
        with gzip.open(folder / f"{self.seed:04d}.pickle.gz", "wb", 3) as file:
            pickle.dump(self, file)


def kept(folder: Path) -> Iterator[Watched]:
    """The games that were saved there, by seed. They are our own files: a pickle from elsewhere must not be opened."""
    for path in sorted(folder.glob("*.pickle.gz")):
        with gzip.open(path, "rb") as file:
            yield pickle.load(file)


def length_for(seed: int) -> int:
    """Points of the match of which the first game is watched: every other has no cube in play and goes to the last checker."""
    return 1 if seed % 2 else 3


def faults_for(seed: int) -> tuple[Fault, ...]:
    """What befalls the game of that seed."""
    rng = Random(f"{seed} faults")
    times = sorted(rng.uniform(FIRST_FAULT, LAST_FAULT) for _ in range(FAULTS_A_GAME))
    return tuple(Fault(rng.choice(BEFALLS), at, rng.uniform(2.0, 8.0)) for at in times)


def shown_in(scene: Scene, shape: BoardShape) -> Shown:
    """What truly lies on the board in a scene, by where each thing is."""
    columns, bar = [0] * 24, [0, 0]
    for thing in scene.things:
        if not isinstance(thing, CheckerThing) or thing.held:
            continue
        x, y, _ = thing.at
        row = 0 if y < shape.height / 2 else 12
        column = min(range(row, row + 12), key=lambda c: abs(shape.column_x(c) - x))
        if abs(shape.column_x(column) - x) < shape.pitch / 2:
            columns[column] += 1 if thing.side is Side.LIGHT else -1
        elif abs(x - shape.width / 2) < shape.bar:
            bar[thing.side is Side.DARK] += 1
    dice = [thing for thing in scene.things if isinstance(thing, DieThing)]
    cube = next((thing for thing in scene.things if isinstance(thing, CubeThing)), None)
    return Shown(
        tuple(columns),
        (bar[0], bar[1]),
        tuple((d.value, *_plane(d.at, shape), _lies_flat(d, shape)) for d in dice),
        (cube.value, *_plane(cube.at, shape)) if cube else None,
    )


def _lies_flat(die: DieThing, shape: BoardShape) -> bool:
    """On the board or on the bar, not on a checker nor leaning on one."""
    on_bar = abs(die.at[0] - shape.width / 2) < shape.bar / 2
    return die.lean == 0 and die.at[2] < shape.die * 0.6 + (shape.bar_height if on_bar else 0.0)


def _plane(at: tuple[float, float, float], shape: BoardShape) -> tuple[float, float]:
    return at[0] / shape.width, at[1] / shape.height


def session_for(table: SimulatedTable) -> Session:
    """The referee of the match that the simulated players play."""
    home: Any = table.light_home
    return Session(MatchPlan(MATCH, length_for(table.seed)), home)


def first_games(table: SimulatedTable, games: int = 1) -> Iterator[Scene]:
    """The match until the game after so many has been set up and looked at, or until it is over."""
    until = float("inf")
    for number, scene in enumerate(table.scenes()):
        begun = table.truth[-1] if table.truth else None
        if isinstance(begun, GameBegun) and begun.game >= games:
            until = min(until, begun.seconds + SET_UP)
        if number / table.fps >= until:
            return
        yield scene


class Eyes(Protocol):
    """Whoever looks at a simulated game."""

    watcher: Watcher | None

    def look(self, scene: Scene, seconds: float) -> Observation | None:
        """What this frame says; None where it says nothing new."""


class Film:
    """The pictures of a table that a camera takes."""

    def __init__(self, table: SimulatedTable, size: tuple[int, int], camera: Way) -> None:
        self._renderer, self._camera, self._taken = Renderer(table.look, size, table.seed), camera, 0

    def frame(self, scene: Scene, seconds: float) -> Frame:
        """The next."""
        self._taken += 1
        return Frame(self._camera(self._renderer.draw(scene), self._taken), seconds)


class PixelEyes:
    """The whole chain: every frame is drawn, and the watcher looks at it."""

    def __init__(self, table: SimulatedTable, size: tuple[int, int] = SIZE, camera: Way = plain) -> None:
        self._film = Film(table, size, camera)
        self.watcher = Watcher(table.corners, size=size)

    def look(self, scene: Scene, seconds: float) -> Observation | None:
        return self.watcher.look(self._film.frame(scene, seconds))


class RestEyes:
    """The true readers at a quarter of the cost: only the pictures that would be read are drawn.

    When the board is still is told by the truth, not by the motion gate. The camera must not be moved.
    """

    def __init__(self, table: SimulatedTable, size: tuple[int, int] = SIZE, camera: Way = plain) -> None:
        self._film = Film(table, size, camera)
        self.watcher = Watcher(table.corners, key_frames=True, size=size)
        self._gate = Gate()

    def look(self, scene: Scene, seconds: float) -> Observation | None:
        what = self._gate.see(scene, seconds)
        if what != "read":
            return unread(seconds) if what == "moving" else None
        observation = self.watcher.look(self._film.frame(scene, seconds))
        assert observation is not None
        return replace(observation, still=True)


class Gate:
    """When the board is still and due to be read, by the truth: as vision.watching.watcher has it, without pictures."""

    def __init__(self) -> None:
        self._things: frozenset[Thing] = frozenset()
        self._quiet, self._unquiet = 0, float("-inf")
        self._pace = Pace()

    @property
    def first(self) -> bool:
        """The last reading was the first of its rest."""
        return self._pace.reads == 1

    def see(self, scene: Scene, seconds: float) -> Literal["moving", "read", "nothing new"]:
        """What the watcher would do with this frame."""
        things = frozenset(scene.things)
        hand = any(isinstance(thing, HandThing) for thing in scene.things)
        if hand or things != self._things:
            self._quiet, self._unquiet = 0, seconds
        else:
            self._quiet += 1
        self._things = things
        if self._quiet < FRAMES_TO_SETTLE or seconds - self._unquiet < SETTLE_SECONDS:
            self._pace.begin_anew()
            return "moving"
        return "read" if self._pace.is_due(seconds) else "nothing new"


def unread(seconds: float) -> Observation:
    """What a frame says in which something moves."""
    nothing = np.zeros((24, 31), np.float32), np.zeros((2, 16), np.float32), np.zeros(25, np.float32)
    return Observation(seconds, *nothing, still=False)


def watch(table: SimulatedTable, eyes: Eyes, games: int = 1) -> tuple[Watched, list[AnyEvent]]:
    """The first games of a match, seen and refereed: all that was seen, and the referee's events."""
    begun = time.process_time()
    session = session_for(table)
    readings: list[Reading] = []
    events: list[AnyEvent] = list(session.opening)
    seconds = 0.0
    for number, scene in enumerate(first_games(table, games)):
        seconds = number / table.fps
        observation = eyes.look(scene, seconds)
        if observation is None:
            continue
        readings.append(Reading(observation, shown_in(scene, table.look.shape) if observation.still else None))
        if observation.still:
            turned_round(session, observation)
        events += session.see(observation)
        if eyes.watcher is not None:
            teach(eyes.watcher, session)
    events += session.finish(seconds)
    spent = time.process_time() - begun
    return Watched(
        table.seed,
        table.look.name,
        table.light_home,
        length_for(table.seed),
        tuple(readings),
        table.truth,
        seconds,
        spent,
    ), events


def again(game: Watched) -> list[AnyEvent]:
    """The referee's events of a game that was kept, as tracker and referee are now."""
    session = Session(MatchPlan(MATCH, game.length), game.light_home)
    events: list[AnyEvent] = list(session.opening)
    for reading in game.readings:
        events += session.see(reading.observation)
    return [*events, *session.finish(game.seconds)]


def columns_between_rests(game: Watched) -> Iterator[tuple[float, bool, bool]]:
    """For each column of each rest but the first: share of its pixels that changed since the rest before, whether its
    checkers did, and whether more than five lay there. Columns of which too little was seen are left out."""
    last: Reading | None = None
    moved = True
    for reading in game.readings:
        seen = reading.observation
        if not seen.still or reading.shown is None or seen.snapshot is None:
            moved = True
            continue
        if moved and last is not None and last.shown is not None and last.observation.snapshot is not None:
            shares = shares_changed(last.observation.snapshot, seen.snapshot)
            for share, old, new in zip(shares, last.shown.columns, reading.shown.columns, strict=True):
                if not np.isnan(share):
                    yield float(share), old != new, abs(old) > MOST_SEEN
        last, moved = reading, False
