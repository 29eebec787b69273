"""What befalls the table, and what players' hands do besides playing: everything by name, everything over in the end."""

from __future__ import annotations

from itertools import pairwise

import pytest

from controller.rules import Position
from controller.simulation import Fault, FaultKind, Filming, Scene, SimulatedMatch, SimulatedTable, Skipped, TurnPlayed
from controller.simulation.faults import HANDLED
from controller.simulation.scene import DrinkThing, HandThing
from tests.simulation.boards import checkers_of, columns_of

SECONDS = 4.0


def scenes(kind: FaultKind, until: float = 16.0) -> list[tuple[float, Scene]]:
    """A game's beginning in which that happens at two seconds."""
    table = SimulatedTable(
        3, SimulatedMatch("none", 1), Filming(fps=5), look="club", faults=[Fault(kind, 2.0, SECONDS)]
    )
    found = []
    for number, scene in enumerate(table.scenes()):
        if number / table.fps > until:
            break
        found.append((number / table.fps, scene))
    return found


def counts(scene: Scene) -> object:
    return columns_of(scene, SimulatedTable(3, look="club").look.shape)


@pytest.mark.parametrize("kind", sorted(HANDLED))
def test_what_hands_do_ends_with_the_board_as_it_was(kind: FaultKind) -> None:
    seen = scenes(kind)
    before = counts(next(scene for now, scene in seen if now >= 1.5))
    # The game waits meanwhile: the board after it is the one from before.
    after = next(
        scene
        for now, scene in seen
        if now > 2.0 + SECONDS + 3.5 and not any(isinstance(thing, HandThing | DrinkThing) for thing in scene.things)
    )
    assert counts(after) == before
    assert len(checkers_of(after)) == 30


def test_a_dropped_checker_lies_beside_the_board_meanwhile() -> None:
    scene = next(scene for now, scene in scenes("dropped-checker") if now >= 5.0)
    assert sum(abs(light) + abs(dark) for light, dark in counts(scene)) == 29  # type: ignore[attr-defined]
    assert len(checkers_of(scene)) == 30


def test_a_mug_stands_on_the_board_meanwhile() -> None:
    assert [any(isinstance(t, DrinkThing) for t in s.things) for now, s in scenes("drink") if 4.5 <= now < 5.5] == [
        True
    ] * 5


def test_a_spectators_arm_comes_from_the_side_and_goes() -> None:
    seen = scenes("spectator")
    arms = [now for now, scene in seen for t in scene.things if isinstance(t, HandThing) and t.tip[0] < 0]
    assert min(arms) >= 2.0
    assert max(arms) < 2.0 + SECONDS


def test_a_cloud_dims_the_light_slowly_and_passes() -> None:
    light = [scene.brightness for now, scene in scenes("slow-light") if now <= 7.0]
    assert min(light) == pytest.approx(0.5, abs=0.02)
    assert light[0] == light[-1] == 1.0
    assert all(abs(a - b) < 0.15 for a, b in pairwise(light))


def test_an_unplugged_camera_gives_no_pictures_for_a_while() -> None:
    table = SimulatedTable(
        3, SimulatedMatch("none", 1), Filming((96, 64), 5), look="club", faults=[Fault("unplugged", 2.0, SECONDS)]
    )
    times = []
    for frame in table.frames():
        times.append(frame.seconds)
        if frame.seconds > 8.0:
            break
    assert not [now for now in times if 2.0 <= now < 2.0 + SECONDS]
    assert times[0] == 0.0


def test_a_closed_out_player_often_does_not_roll_and_is_passed_over() -> None:
    skips = 0
    for seed in range(40):
        table = SimulatedTable(seed, SimulatedMatch("none", 1), Filming(fps=1))  # nobody looks at the scenes
        for _ in table.scenes():
            pass
        board = Position.start()
        for event in table.truth:
            if isinstance(event, TurnPlayed):
                board = event.after
            if isinstance(event, Skipped):
                skips += 1
                assert board.own(event.side)[24]
                assert all(board.own(event.side.other)[point] >= 2 for point in range(6))
    assert skips
