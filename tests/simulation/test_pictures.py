"""The pictures of the simulated table: they show what stands there, where the camera sees it."""

from __future__ import annotations

from functools import cache
from itertools import islice, pairwise

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.rules import Side
from controller.simulation import (
    LOOKS,
    Fault,
    Filming,
    Look,
    Scene,
    SimulatedMatch,
    SimulatedTable,
    corners_of,
    look_named,
    still_frames,
)
from controller.simulation.camera import Array
from controller.simulation.renderer import Renderer, camera_for
from controller.simulation.scene import CheckerThing, DieThing, HandThing
from controller.simulation.solids import FACE_AXES, face_up, turned

SMALL = (640, 360)


def quiet(picture: Array) -> Array:
    """The picture without most of its noise."""
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.5), np.float32)


def changed(one: Array, other: Array, by: float = 14.0) -> Array:
    """(N, 2) px where two pictures differ clearly."""
    rows, columns = np.nonzero(np.abs(quiet(one) - quiet(other)).max(axis=2) > by)
    return np.stack([columns, rows], axis=1)


@cache
def club() -> Renderer:
    return Renderer(look_named("club"), SMALL, 1)


@pytest.mark.parametrize("column", [0, 5, 6, 11, 12, 17, 18, 23])
def test_a_checker_appears_at_its_slot_seen_through_the_corners(column: int) -> None:
    look = look_named("club")
    renderer, shape = club(), look.shape
    empty = renderer.draw(Scene(()))
    place = shape.slot(column, 2)
    spots = changed(empty, renderer.draw(Scene((CheckerThing(Side.DARK if column % 2 else Side.LIGHT, place),))))
    plane = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    warp = cv2.getPerspectiveTransform(corners_of(look, SMALL), plane)
    middle = cv2.perspectiveTransform(np.median(spots, axis=0).reshape(1, 1, 2).astype(np.float32), warp).ravel()
    off = (middle - [place[0] / shape.width, place[1] / shape.height]) * [shape.width, shape.height]
    assert np.hypot(*off) < shape.radius


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: look.name)
def test_the_corners_lie_in_the_picture_clockwise_and_the_surface_fills_much_of_it(look: Look) -> None:
    size = (1280, 720)
    corners = corners_of(look, size)
    assert corners.shape == (4, 2)
    assert (corners > 0).all()
    assert (corners < size).all()
    assert cv2.contourArea(corners, oriented=True) > 0.25 * size[0] * size[1]
    assert cv2.isContourConvex(corners)
    assert corners[0, 0] < corners[1, 0]
    assert corners[0, 1] < corners[3, 1]


@given(st.floats(-20, 80), st.floats(-20, 60), st.floats(0, 8), st.sampled_from(LOOKS))
def test_a_point_comes_back_from_the_pixel_it_falls_on(x: float, y: float, z: float, look: Look) -> None:
    camera = camera_for(look, (1280, 720))
    u, v = camera.project([(x, y, z)])[0]
    assert camera.on_plane((float(u), float(v)), z) == pytest.approx((x, y), abs=1e-6)


@given(st.integers(1, 6), st.floats(-7, 7), st.floats(0, 1.5), st.floats(-7, 7))
def test_a_turned_die_stays_a_die(value: int, spin: float, lean: float, bearing: float) -> None:
    rotation = turned(spin, lean, bearing) @ face_up(FACE_AXES[value])
    assert np.allclose(rotation @ rotation.T, np.eye(3))
    assert np.linalg.det(rotation) == pytest.approx(1)
    up = rotation @ np.array(FACE_AXES[value], float)
    assert up[2] == pytest.approx(np.cos(lean))
    assert np.allclose(up[:2], np.sin(lean) * np.array([np.cos(bearing), np.sin(bearing)]))


@cache
def tournament() -> Renderer:
    return Renderer(look_named("tournament"), (1280, 720), 1)


@pytest.mark.parametrize("value", range(1, 7))
def test_a_die_shows_as_many_pips_as_its_value(value: int) -> None:
    look, renderer = look_named("tournament"), tournament()
    at = (look.shape.width * 0.5, look.shape.height * 0.5, look.shape.bar_height + look.shape.die / 2)
    picture = renderer.draw(Scene((DieThing(Side.DARK, value, at),)))
    x, y = renderer.camera.project([(at[0], at[1], at[2] + look.shape.die / 2)])[0]
    reach = int(0.42 * look.shape.die * renderer.camera.focal / renderer.camera.depth(at))
    face = picture[int(y) - reach : int(y) + reach + 1, int(x) - reach : int(x) + reach + 1].mean(axis=2)
    large = cv2.resize(face, None, fx=8, fy=8, interpolation=cv2.INTER_CUBIC)
    dark = (large < (large.min() + large.max()) / 2).astype(np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(dark)
    pips = [row for row in stats[1:] if row[4] > 60 and min(row[0], row[1]) > 0]
    assert sum(0.5 < row[2] / row[3] < 2 for row in pips) == value


def test_the_same_seed_draws_the_same_pictures_and_another_seed_others() -> None:
    def first(seed: int) -> list[Array]:
        frames = SimulatedTable(seed, filming=Filming(SMALL), look="blue").frames()
        return [frame.image for frame in islice(frames, 0, 40, 8)]

    assert all(np.array_equal(a, b) for a, b in zip(first(1), first(1), strict=True))
    assert not all(np.array_equal(a, b) for a, b in zip(first(1), first(2), strict=True))


def test_drawing_what_changed_gives_the_picture_that_drawing_everything_gives() -> None:
    scenes = list(islice(SimulatedTable(6, SimulatedMatch("many"), look="lamplight").scenes(), 0, 260, 20))
    going_on = Renderer(look_named("lamplight"), SMALL, 1)
    for scene in scenes:
        stepped = going_on.draw(scene)
    fresh = Renderer(look_named("lamplight"), SMALL, 1).draw(scenes[-1])
    assert len(changed(stepped, fresh, 10.0)) == 0


def test_frames_are_pictures_in_virtual_time() -> None:
    frames = list(islice(SimulatedTable(1, filming=Filming((960, 540), 5.0)).frames(), 4))
    assert [frame.seconds for frame in frames] == [0.0, 0.2, 0.4, 0.6]
    assert {(frame.image.shape, frame.image.dtype) for frame in frames} == {((540, 960, 3), np.dtype(np.uint8))}
    for one, other in pairwise(frames):
        difference = one.image.astype(int) - other.image
        assert 0.5 < difference.std() < 12


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: look.name)
def test_every_look_tells_light_from_dark_and_both_from_the_board(look: Look) -> None:
    renderer, shape = Renderer(look, SMALL, 1), look.shape
    light, dark = shape.slot(2, 0), shape.slot(14, 0)
    empty = renderer.draw(Scene(()))
    picture = renderer.draw(Scene((CheckerThing(Side.LIGHT, light), CheckerThing(Side.DARK, dark))))
    pixels = renderer.camera.project([(*at[:2], shape.checker_height) for at in (light, dark)]).astype(int)
    tones = [quiet(picture)[v, u] for u, v in pixels]
    ground = [quiet(empty)[v, u] for u, v in pixels]
    assert tones[0].mean() > tones[1].mean() + 25
    assert all(len(changed(empty, picture)) > 80 for _ in ground)


def test_faults_come_when_asked_for_and_go() -> None:
    faults = (Fault("light-off", 0.5, 0.5), Fault("glare", 1.2, 0.3), Fault("bump", 1.6))
    frames = [
        f.image for f in islice(SimulatedTable(1, filming=Filming(SMALL), look="club", faults=faults).frames(), 18)
    ]
    mean = [float(frame.mean()) for frame in frames]
    assert mean[6] < mean[0] / 3
    assert mean[10] == pytest.approx(mean[0], rel=0.02)
    assert mean[12] > mean[0] + 4
    assert len(changed(frames[0], frames[10])) == 0
    assert len(changed(frames[0], frames[17])) > 1000


def test_a_hand_rests_as_long_as_asked() -> None:
    table = SimulatedTable(1, look="club", faults=(Fault("hand", 0.5, 3.0),))
    covered = [
        any(isinstance(t, HandThing) and t.pose == "flat" for t in scene.things) for scene in islice(table.scenes(), 60)
    ]
    assert 30 <= sum(covered) <= 55


def test_stills_tell_what_they_show() -> None:
    for still in still_frames(6, 3, SMALL, look="club"):
        assert sum(n for n in still.columns if n > 0) + still.bar[0] + still.off[0] == 15
        assert -sum(n for n in still.columns if n < 0) + still.bar[1] + still.off[1] == 15
        assert len(still.dice) in (0, 2)
        assert still.frame.image.shape == (360, 640, 3)
        assert still.light_home == "bottom-right"
        assert still.columns[23] == still.position.light[0] - still.position.dark[23]


def test_a_hand_lies_over_stills_that_are_asked_for_with_one() -> None:
    bare, covered = (next(still_frames(1, 5, SMALL, hand=hand, look="blue")) for hand in (False, True))
    assert bare.position == covered.position
    assert len(changed(bare.frame.image, covered.frame.image)) > 1500
