"""The simulated table as a camera: its frames come as time passes, faster or slower as asked.

While the board is set up on the page, the simulated players leave their match and do what the set-up asks of people.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import repeat

from controller.app.practice import PRACTICE_FRAME, PracticeScene
from controller.simulation import Scene, SimulatedTable
from controller.simulation.scene import DieThing, HandThing
from vision.frame import Frame


class SimulatedSource:
    """A FrameSource over a simulated table.

    speed: virtual seconds a second; 0 gives every frame as soon as it is asked for. start: asked with the first frame for
    the virtual second to begin at: the table is there before anybody looks.
    """

    name = "The simulated board"
    total = None
    duration = None

    def __init__(
        self,
        table: SimulatedTable,
        speed: float = 1.0,
        start: Callable[[], float] = lambda: 0.0,
    ) -> None:
        self._table, self._speed, self._start = table, speed, start
        self._acting: tuple[PracticeScene, int] = ("match", 0)

    @property
    def live(self) -> bool:
        """Whether frames come by the clock."""
        return self._speed > 0

    def act(self, what: PracticeScene) -> None:
        """What the players do from the next frame on, from its beginning; from any thread."""
        self._acting = what, self._acting[1] + 1

    def frames(self) -> Iterator[Frame]:
        """The match's frames; seconds are virtual. Those of a practice are named, and take no time of the match's."""
        start, begun = self._start(), time.monotonic()
        for frame in self._table.frames(start):
            if self._acting[0] != "match":
                left = time.monotonic()
                yield from self._practised(frame.seconds)
                begun += time.monotonic() - left
            self._wait(begun, frame.seconds - start)
            yield frame

    def _practised(self, since: float) -> Iterator[Frame]:
        """Frames of whatever else the players are asked to do, from that second on, until they go on with their match."""
        begun, number, practice = time.monotonic(), 0, self._table.practice()
        renderer = practice.renderer()
        while (acting := self._acting)[0] != "match":
            for scene in _scenes(practice, acting[0]):
                if self._acting != acting:
                    break
                number += 1
                self._wait(begun, number / practice.fps)
                yield Frame(renderer.draw(scene), since + number / practice.fps, PRACTICE_FRAME)

    def _wait(self, begun: float, seconds: float) -> None:
        if self._speed > 0:
            time.sleep(max(0.0, begun + seconds / self._speed - time.monotonic()))

    def close(self) -> None:
        """Nothing to give back."""


def _scenes(practice: SimulatedTable, act: PracticeScene) -> Iterator[Scene]:
    """The start position; the same with the dice that begin the game; or the whole practice match."""
    if act == "playing":
        return practice.scenes()
    return repeat(next(scene for scene in practice.scenes() if act == "still" or _thrown(scene)))


def _thrown(scene: Scene) -> bool:
    """Two dice lie on the board that are not equal, and no hand is over it."""
    faces = {thing.value for thing in scene.things if isinstance(thing, DieThing)}
    return len(faces) == 2 and not any(isinstance(thing, HandThing) for thing in scene.things)
