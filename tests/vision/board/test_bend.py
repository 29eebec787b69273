"""Boards through a wide lens that nobody has calibrated."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.altered import ACTION_CAMERA, WIDE, bent
from tests.vision.finding.test_finding import NEAR, error, simulated
from tests.vision.scenes import CORNERS, GEOMETRY, SIZE, draw
from vision.board.bend import LONGEST, Bend
from vision.board.geometry import BoardGeometry
from vision.board.straightness import bend_of
from vision.finding import BoardLocation, find_board
from vision.frame import Corners, Frame, Image
from vision.reading.reader import BoardReader, geometry_for
from vision.watching.watcher import Watcher

STRENGTHS = st.floats(-0.5, -0.05)


def through(lens: float, picture: Image, corners: Corners) -> tuple[Image, Corners]:
    """The picture and the corners as a lens with this k1 shows them: another formula than the program's."""
    shown, truth = bent(lens)(picture, {"corners": corners.tolist()})
    return shown, np.asarray(truth["corners"], np.float32)


@cache
def reader() -> BoardReader:
    return BoardReader()


def counts(picture: Image, geometry: BoardGeometry) -> list[int]:
    seen = reader().read(Frame(picture, 0.0, ""), geometry, alone=True)
    return [int(count) for count in seen.columns.argmax(axis=1)]


@given(STRENGTHS, st.floats(0, 1), st.floats(0, 1), st.sampled_from([(1280, 720), (480, 640), (4000, 3000)]))
def test_what_is_straightened_is_bent_back(strength: float, x: float, y: float, size: tuple[int, int]) -> None:
    bend, point = Bend(strength, size), np.array([x, y]) * size - 0.5
    assert np.allclose(bend.bent(bend.straight(point)), point, atol=1e-6)


@given(STRENGTHS)
def test_a_straightened_picture_shows_all_of_the_picture_and_no_less_of_its_middle(strength: float) -> None:
    bend = Bend(strength, (1280, 720))
    width, height = bend.straight_size
    assert np.allclose(
        bend.straight([[-0.5, -0.5], [1279.5, 719.5]]), [[-0.5, -0.5], [width - 0.5, height - 0.5]], atol=1
    )
    finer = float(np.diff(bend.straight([[639, 360], [640, 360]])[:, 0])[0])
    assert max(width, height) <= LONGEST
    assert finer == pytest.approx(1, abs=0.01) or width == LONGEST


@pytest.mark.parametrize("size", [(1280, 720), (4000, 3000)])
def test_a_straightened_picture_has_everything_where_points_say(size: tuple[int, int]) -> None:
    bend, picture = Bend(-0.3, size), np.zeros((size[1], size[0], 3), np.uint8)
    marks = np.array([[0.5, 0.5], [0.1, 0.2], [0.9, 0.15], [0.75, 0.85], [0.5, 0.05]]) * size
    for mark in marks:
        shown = picture.copy()
        cv2.circle(shown, np.round(mark).astype(int).tolist(), size[0] // 100, (255, 255, 255), -1)
        straight = bend.straightened(shown)
        assert straight.shape[1::-1] == bend.straight_size
        rows, columns = np.nonzero(straight[..., 0] > 127)
        assert [columns.mean(), rows.mean()] == pytest.approx(bend.straight(np.round(mark)), abs=1.5)


@pytest.mark.parametrize("corners", [np.full((4, 2), np.nan), np.array([[-1e30, 0], [1e30, 0], [1e9, 1e9], [0, 1e9]])])
def test_corners_of_no_board_tell_no_bend_and_break_nothing(corners: npt.NDArray[np.float64]) -> None:
    assert bend_of(draw(), corners.astype(np.float32)) is None


@given(STRENGTHS, st.floats(0, 1), st.floats(0, 1))
def test_plane_and_bent_picture_are_each_others_inverse(strength: float, x: float, y: float) -> None:
    geometry = BoardGeometry(CORNERS, (0.47, 0.53), Bend(strength, SIZE))
    assert np.allclose(geometry.to_picture([[0, 0], [1, 0], [1, 1], [0, 1]]), CORNERS, atol=1e-2)
    assert np.allclose(geometry.to_plane(geometry.to_picture([x, y])), [x, y], atol=1e-6)


@pytest.mark.parametrize("lens", [WIDE, ACTION_CAMERA])
@pytest.mark.parametrize("seed", [102, 104])
def test_a_lens_is_measured_by_the_board_s_own_edges(lens: float, seed: int) -> None:
    picture, corners = through(lens, *simulated(seed))
    bend = bend_of(picture, corners)
    assert bend is not None
    assert bend.strength == pytest.approx(-0.85 * lens, abs=0.06)
    assert bend.size == (960, 540)


@pytest.mark.parametrize("seed", [101, 102, 104, 107])
def test_a_straight_picture_is_left_as_it_is(seed: int) -> None:
    assert bend_of(*simulated(seed)) is None


@pytest.mark.parametrize(
    "picture",
    [np.full((200, 300, 3), 90, np.uint8), np.random.default_rng(2).integers(0, 256, (200, 300, 3), np.uint8)],
)
def test_where_there_are_no_lines_nothing_is_told(picture: Image) -> None:
    assert bend_of(picture, np.array([[40, 30], [260, 30], [260, 170], [40, 170]], np.float32)) is None


@pytest.mark.parametrize("detail", [1, 2])
def test_every_sample_of_the_board_shows_the_same_as_through_an_ideal_lens(detail: int) -> None:
    straight = draw([GEOMETRY.column_centre(column) for column in range(0, 24, 3)])
    picture, corners = through(WIDE, straight, CORNERS)
    bend = bend_of(picture, corners)
    seen = BoardGeometry(corners, GEOMETRY.bar, bend)
    for one, other in (
        (GEOMETRY.canonical(straight, detail), seen.canonical(picture, detail)),
        (GEOMETRY.patch(straight, 4, detail), seen.patch(picture, 4, detail)),
        (GEOMETRY.patch(straight, 20, detail), seen.patch(picture, 20, detail)),
        (GEOMETRY.bar_patch(straight, detail), seen.bar_patch(picture, detail)),
        (GEOMETRY.rectified(straight, 224, 224, 0.1), seen.rectified(picture, 224, 224, 0.1)),
    ):
        assert one.shape == other.shape
        soft = [cv2.GaussianBlur(sample, (0, 0), 2 * detail).astype(np.float32) for sample in (one, other)]
        assert float(np.abs(soft[0] - soft[1]).mean()) < 4
        assert float(np.abs(soft[0] - soft[1]).mean()) < 0.5 * float(soft[0].std())


@pytest.mark.parametrize("lens", [WIDE, ACTION_CAMERA])
@pytest.mark.parametrize("seed", [102, 104])
def test_a_board_through_a_wide_lens_is_found_and_read(lens: float, seed: int) -> None:
    straight, truth = simulated(seed)
    picture, corners = through(lens, straight, truth)
    found = find_board(picture)
    assert error(found, corners) < NEAR
    assert isinstance(found, BoardLocation)
    assert counts(picture, geometry_for(picture, corners)) == counts(straight, geometry_for(straight, truth))


def test_a_camera_with_a_wide_lens_is_watched_like_any_other() -> None:
    straight, truth = simulated(102)
    picture, corners = through(ACTION_CAMERA, straight, truth)
    watcher = Watcher(corners, reader(), key_frames=True)
    seen = watcher.look(Frame(picture, 0.0, ""))
    assert seen is not None
    assert [int(count) for count in seen.columns.argmax(axis=1)] == counts(straight, geometry_for(straight, truth))
