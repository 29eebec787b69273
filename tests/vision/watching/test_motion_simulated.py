"""The gate and the keeper of corners at the simulated table, whose scenes say where the hands are."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import numpy as np
import pytest

from controller.simulation import Fault, Filming, Scene, SimulatedMatch, SimulatedTable, corners_of
from controller.simulation.renderer import Renderer, camera_for
from controller.simulation.scene import DieThing, HandThing
from vision.board.geometry import BoardGeometry
from vision.frame import Frame
from vision.watching.corner_tracker import CornerTracker
from vision.watching.motion import FRAMES_TO_SETTLE, MotionGate
from vision.watching.watcher import Watcher

SIZE, SMALL = (960, 540), (640, 360)
FPS = 10.0


def watched(table: SimulatedTable, count: int) -> Iterator[tuple[Scene, Frame]]:
    """The first scenes of a match, and their pictures."""
    renderer = Renderer(table.look, SIZE, table.seed)
    for number, scene in enumerate(islice(table.scenes(), count)):
        yield scene, Frame(renderer.draw(scene), number / FPS)


def reaches_in(scene: Scene, table: SimulatedTable, depth: float) -> bool:
    """A fingertip is over the playing surface, at least depth cm from its edge."""
    width, height = table.look.shape.width, table.look.shape.height
    return any(
        depth < thing.tip[0] < width - depth and depth < thing.tip[1] < height - depth
        for thing in scene.things
        if isinstance(thing, HandThing)
    )


@pytest.mark.parametrize("seed", [1, 3])
def test_still_when_nobody_reaches_in_and_only_then(seed: int) -> None:
    table = SimulatedTable(seed, filming=Filming(SIZE, FPS))
    gate = MotionGate(BoardGeometry(table.corners))
    quiet, known, things = 0, 0, None
    for scene, frame in watched(table, 160):
        still = gate.see(frame).still
        resting = [thing for thing in scene.things if not isinstance(thing, HandThing)]
        quiet = quiet + 1 if resting == things and len(resting) == len(scene.things) else 0
        things = resting
        if reaches_in(scene, table, 4):
            assert not still, frame.seconds
        if quiet > FRAMES_TO_SETTLE:
            assert still, frame.seconds
            known += 1
    assert known > 40


def test_a_hand_seen_at_the_edge_while_the_board_was_still_is_not_left_behind() -> None:
    """A checker is moved right beside where the hand and its shadow came in."""
    table = SimulatedTable(516, SimulatedMatch("some", 3), Filming(SIZE, FPS))
    renderer, gate = Renderer(table.look, SIZE, table.seed), MotionGate(BoardGeometry(table.corners))
    begin, end = 189.0, 196.5
    quiet, known = 0, 0
    for number, scene in enumerate(islice(table.scenes(), round(end * FPS))):
        if number < begin * FPS:
            continue
        still = gate.see(Frame(renderer.draw(scene), number / FPS)).still
        quiet = 0 if any(isinstance(thing, HandThing) for thing in scene.things) else quiet + 1
        if quiet > FRAMES_TO_SETTLE:
            assert still, number / FPS
            known += number / FPS > end - 2
    assert known > 3


def test_the_light_goes_out_and_comes_back() -> None:
    table = SimulatedTable(5, filming=Filming(SIZE, FPS), faults=[Fault("light-off", 1.0, 1.0)])
    gate = MotionGate(BoardGeometry(table.corners))
    motions = [gate.see(frame) for _, frame in watched(table, 25)]
    assert [number for number, motion in enumerate(motions) if motion.light] == [10, 20]
    assert motions[9].still
    assert motions[19].still
    assert motions[24].still


def test_a_knock_at_the_camera_is_noticed_and_put_right() -> None:
    table = SimulatedTable(2, filming=Filming(SIZE, FPS), faults=[Fault("bump", 1.0)])
    tracker = CornerTracker(table.corners)
    footings = [tracker.look(frame, still=True) for _, frame in watched(table, 25)]
    states = [tracked.state for tracked in footings]
    assert states[:10] == ["steady"] * 10
    assert states.index("sways") <= 10 + FPS
    shape = table.look.shape
    plan = [(0, 0, 0), (shape.width, 0, 0), (shape.width, shape.height, 0), (0, shape.height, 0)]
    true = camera_for(table.look, SIZE, bump=1).project(np.array(plan, np.float64))
    width = float(np.linalg.norm(true[1] - true[0]))
    before = float(np.linalg.norm(corners_of(table.look, SIZE) - true, axis=1).max()) / width
    after = float(np.linalg.norm(footings[-1].corners - true, axis=1).max()) / width
    assert after < 0.004 < before


@pytest.mark.parametrize("seed", [1, 3])
def test_a_die_that_falls_is_seen_to_however_seldom_a_frame_comes(seed: int) -> None:
    """Seen with its shadow it leaves the edges of the points as they are, as a change of light does."""
    table = SimulatedTable(seed, SimulatedMatch("none", 3), Filming(SMALL, FPS))
    scenes = list(islice(table.scenes(), 420))
    renderer, pace = Renderer(table.look, SMALL, table.seed), 4
    falling = [number for number, scene in enumerate(scenes) if _falls(scene)]
    needed = {number - back for number in falling for back in (0, pace, 2 * pace)}
    pictures = {number: renderer.draw(scene) for number, scene in enumerate(scenes) if number in needed}
    for number in falling:
        gate = MotionGate(BoardGeometry(table.corners))
        looks = [gate.see(Frame(pictures[number - back], (number - back) / FPS)) for back in (2 * pace, pace, 0)]
        assert not looks[-1].still, number / FPS
    assert len(falling) > 10


def test_a_die_is_not_read_where_somebody_has_shaken_it_at_one_place_for_long() -> None:
    """A hand over one place of a board that is still elsewhere shakes its dice for three seconds, and throws."""
    table = SimulatedTable(2, SimulatedMatch("none", 3), Filming((1280, 720), FPS))
    numbers = (1059, 1065, 1074, 1082, 1091, 1097, 1103, 1111)
    scenes = list(islice(table.scenes(), numbers[-1] + 1))
    renderer, watcher = table.renderer(), Watcher(table.corners, size=table.size, judging=False)
    for number in numbers:
        seen = watcher.look(Frame(renderer.draw(scenes[number]), number / FPS))
    assert _falls(scenes[number])
    assert seen is not None
    assert seen.still
    assert not seen.dice, "the other's has only just come to lie there, too"


def _falls(scene: Scene) -> bool:
    return any(isinstance(thing, DieThing) and thing.lean > 0 for thing in scene.things)
