"""Scenes that finding is learnt from: corners must stay on what they mark, whatever is done to the picture."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from vision.board.geometry import apply_homography
from vision.frame import Corners, Image
from vision.training import finding_makes, finding_views
from vision.training.finding_scene import FindingScene, SceneMaker
from vision.training.strange import think_up_strange

CORNERS = np.array([[150, 90], [520, 60], [560, 330], [110, 300]], np.float32)
MARKS = ((0, 0, 250), (0, 250, 0), (250, 0, 0), (0, 250, 250))
SEEDS = range(40, 60)


def marked(size: tuple[int, int] = (640, 400)) -> Image:
    """A grey picture with a disc of its own colour on each corner."""
    picture = np.full((size[1], size[0], 3), 120, np.uint8)
    for (x, y), colour in zip(CORNERS.tolist(), MARKS, strict=True):
        cv2.circle(picture, (int(x), int(y)), 12, colour, -1)
    return picture


def on_marks(picture: Image, corners: npt.NDArray[np.floating]) -> list[bool]:
    """For each corner within the picture, whether it is on its disc."""
    said = []
    for (x, y), colour in zip(corners.tolist(), MARKS, strict=True):
        if 2 <= x < picture.shape[1] - 2 and 2 <= y < picture.shape[0] - 2:
            seen = picture[round(y), round(x)].astype(int)
            said.append(bool(np.abs(seen - colour).max() < 90))
    return said


class TestViews:
    @pytest.mark.parametrize("seed", SEEDS)
    def test_the_picture_and_the_board_from_above_show_the_corners_where_they_are_said_to_be(self, seed: int) -> None:
        picture = cv2.resize(marked(), None, fx=1.5, fy=1.5, interpolation=cv2.INTER_LINEAR)
        corners = ((CORNERS + 0.5) * 1.5 - 0.5).astype(np.float32)
        views = finding_views.views_of(
            FindingScene(np.asarray(picture, np.uint8), corners), np.random.default_rng(seed)
        )
        assert views is not None
        assert views.whole.shape == (finding_views.WHOLE, finding_views.WHOLE, 3)
        told = on_marks(views.whole, views.corners)
        assert told
        assert all(told)
        unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64)
        above = (unit + finding_views.AROUND) / (1 + 2 * finding_views.AROUND) * finding_views.ABOVE
        assert on_marks(views.above, above) == [True] * 4

    def test_a_picture_without_a_board_has_no_corners(self) -> None:
        views = finding_views.views_of(FindingScene(marked(), None), np.random.default_rng(3))
        assert views is not None
        assert np.isnan(views.corners).all()

    def test_a_board_too_small_to_be_one_gives_no_views(self) -> None:
        scene = FindingScene(marked(), (CORNERS * 0.05 + 100).astype(np.float32))
        assert finding_views.views_of(scene, np.random.default_rng(3)) is None


class TestMakes:
    @pytest.mark.parametrize("seed", SEEDS)
    def test_cut_and_framed_pictures_keep_their_corners(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        picture, corners = finding_makes.cut_into(marked(), CORNERS, rng)
        framed: tuple[Image, Corners | None] = finding_makes.framed_picture(picture, corners, rng)
        assert framed[1] is not None
        assert all(on_marks(framed[0], framed[1]))

    @pytest.mark.parametrize("seed", SEEDS)
    def test_a_border_leaves_every_checker_on_its_point(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        scene = think_up_strange(rng)
        made = finding_makes.banded(scene, rng)
        left = made.shape.bar[0]
        assert made.shape.columns == tuple(sorted(made.shape.columns))
        assert made.shape.pitch * 6 <= left + 1e-9
        assert made.points.gap + 0.1 * made.shape.height < made.points.length < 0.5 * made.shape.height
        for before, after in zip(scene.checkers, made.checkers, strict=True):
            if 0 <= before.column < 24:
                off = before.x - scene.shape.columns[before.column % 12]
                assert abs(after.x - made.shape.columns[before.column % 12]) <= abs(off) + 1e-9

    def test_an_arm_covers_some_of_the_picture_and_leaves_the_rest(self) -> None:
        changed, before = [], marked()
        for seed in range(12):
            picture = before.copy()
            finding_makes.reached_over(picture, CORNERS, np.random.default_rng(seed))
            changed.append(float((cv2.absdiff(picture, before).max(axis=2) > 40).mean()))
        assert max(changed) > 0.01
        assert max(changed) < 0.6
        assert min(changed) > 0.0

    def test_a_camera_drawn_near_still_looks_down_on_the_same_board(self) -> None:
        rng = np.random.default_rng(8)
        scene = think_up_strange(rng)
        far = replace(scene, camera=(0.5, 4.0, 3.0))
        near = next(made for made in (finding_makes.taken_near(far, rng) for _ in range(50)) if made is not far)
        assert near.shape is far.shape
        assert 0.5 < near.camera[2] < far.camera[2]
        assert near.camera[1] < far.camera[1]


def test_the_same_seed_draws_the_same_scenes() -> None:
    one, again = (SceneMaker(77, 1.0, strange=True) for _ in range(2))
    for _ in range(3):
        first, second = one.make(), again.make()
        assert np.array_equal(first.picture, second.picture)
        assert (first.corners is None) == (second.corners is None)
        if first.corners is not None and second.corners is not None:
            assert np.array_equal(first.corners, second.corners)
            assert np.isfinite(apply_homography(np.eye(3), first.corners)).all()
