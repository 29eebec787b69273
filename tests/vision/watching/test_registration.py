"""A bump is noticed and the board found again; play, hands and light are no bump."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.simulation import SimulatedMatch, SimulatedTable
from tests.shared import shared
from tests.vision.scenes import CORNERS, SIZE, WIDTH, bumped, draw, lit, noisy, off, with_arm
from vision.board.geometry import apply_homography
from vision.frame import Corners, Frame, Image
from vision.watching.corner_tracker import CornerTracker
from vision.watching.registration import CameraWatch, find_again

START = draw([(0.04, 0.05 + 0.09 * n) for n in range(5)] + [(0.35, 0.95 - 0.09 * n) for n in range(4)])
LATER = draw([(0.9, 0.05 + 0.09 * n) for n in range(5)] + [(0.12, 0.95 - 0.09 * n) for n in range(4)], [(0.3, 0.5)])

BUMPS = [
    {"right": 8},
    {"right": -15, "down": 10},
    {"right": 60, "down": 40},
    {"turn": 2},
    {"turn": -12},
    {"zoom": 1.08},
    {"right": 30, "turn": 25, "zoom": 0.85},
]


class TestCameraMoved:
    @pytest.mark.parametrize("noise", [0, 10, 30])
    def test_standing_still(self, noise: float) -> None:
        assert not CameraWatch(START, CORNERS).check(noisy(START, noise, 1)).moved

    def test_a_game_being_played_is_no_bump(self) -> None:
        assert not CameraWatch(START, CORNERS).check(LATER).moved

    @pytest.mark.parametrize("hand", [(0.2, 0.3), (0.75, 0.6), (0.5, 0.5)])
    def test_an_arm_is_no_bump(self, hand: tuple[float, float]) -> None:
        assert not CameraWatch(START, CORNERS).check(with_arm(LATER, hand)).moved

    @pytest.mark.parametrize(
        "light", [lambda x, y: 0.35, lambda x, y: 0.5 + 0.7 * x, lambda x, y: np.where(x + y / 5 < 0.6, 1, 0.55)]
    )
    def test_light_is_no_bump(self, light: Callable[..., Any]) -> None:
        assert not CameraWatch(START, CORNERS).check(lit(LATER, light)).moved

    @pytest.mark.parametrize("bump", BUMPS)
    def test_a_bump_is_noticed(self, bump: dict[str, float]) -> None:
        assert CameraWatch(START, CORNERS).check(noisy(bumped(LATER, **bump)[0], 5, 1)).moved

    @pytest.mark.parametrize("seed", [9604, 9607])
    def test_a_board_turned_about_is_noticed_though_two_quarters_look_alike(self, seed: int) -> None:
        table = SimulatedTable(seed, SimulatedMatch("none"))
        picture = next(table.frames()).image
        assert CameraWatch(picture, table.corners).check(np.ascontiguousarray(picture[::-1, ::-1])).moved

    def test_says_how_far(self) -> None:
        standing = CameraWatch(START, CORNERS).check(bumped(START, right=20)[0])
        assert standing.shift == pytest.approx(20 / WIDTH, rel=0.15)

    def test_another_picture_size_or_no_board_has_moved(self) -> None:
        watch = CameraWatch(START, CORNERS)
        assert watch.check(np.ascontiguousarray(START[:700])).moved
        assert watch.check(np.full_like(START, 90)).moved

    @pytest.mark.parametrize("game", ["dev1", "dev2"])
    def test_rendered_games_stand_still(self, game: str) -> None:
        folder = shared(f"boards/games/{game}")
        truth = [json.loads(line) for line in (folder / "truth.jsonl").read_text().splitlines()]
        pictures = [read(str(folder / one["file"])) for one in truth]
        watch = CameraWatch(pictures[0], np.array(truth[0]["corners"], np.float32))
        assert not any(watch.check(picture).moved for picture in pictures)
        assert all(watch.check(bumped(picture, right=6, down=3)[0]).moved for picture in pictures)

    def test_a_real_webcam_stands_still(self) -> None:
        folder = shared("boards/photos")
        lines = map(json.loads, (folder / "truth.jsonl").read_text().splitlines())
        truth = [one for one in lines if one["group"] == "webcam"]
        watch = CameraWatch(read(str(folder / truth[0]["file"])), np.array(truth[0]["corners"], np.float32))
        assert not any(watch.check(read(str(folder / one["file"]))).moved for one in truth)


def read(path: str) -> Image:
    image = cv2.imread(path)
    assert image is not None
    return np.asarray(image, np.uint8)


class TestFindAgain:
    @pytest.mark.parametrize("bump", [{}, *BUMPS])
    def test_after_a_bump(self, bump: dict[str, float]) -> None:
        now, true = bumped(START, **bump)
        found = find_again(START, CORNERS, noisy(now, 5, 1))
        assert found is not None
        assert off(found.corners, true) < 0.004
        assert found.likeness > 0.8

    def test_under_an_arm_in_another_light(self) -> None:
        now, true = bumped(with_arm(START, (0.75, 0.6)), right=25, turn=4)
        found = find_again(START, CORNERS, lit(now, lambda x, y: 0.6 + 0.5 * x))
        assert found is not None
        assert off(found.corners, true) < 0.005

    def test_a_board_that_slides_over_the_table(self) -> None:
        slid, true = bumped(START, right=40, down=-25, turn=3)
        board = cv2.fillConvexPoly(np.zeros(SIZE[::-1], np.uint8), np.rint(grown(true)).astype(np.int32), 1)[..., None]
        empty = np.asarray(cv2.GaussianBlur(START, (0, 0), 1), np.uint8)[:, ::-1]
        found = find_again(START, CORNERS, np.where(board > 0, slid, empty).astype(np.uint8))
        assert found is not None
        assert off(found.corners, true) < 0.005

    @settings(max_examples=5, deadline=None)
    @given(st.floats(-60, 60), st.floats(-50, 50), st.floats(-20, 20), st.floats(0.85, 1.1))
    def test_after_any_bump_that_leaves_it_in_the_picture(
        self, right: float, down: float, turn: float, zoom: float
    ) -> None:
        now, true = bumped(START, right, down, turn, zoom)
        found = find_again(START, CORNERS, now)
        if (true > 0).all() and (true < SIZE).all():
            assert found is not None
            assert off(found.corners, true) < 0.02, "reading tolerates no more"

    @pytest.mark.parametrize(
        "elsewhere",
        [np.full_like(START, 90), cv2.resize(START[:90], SIZE), noisy(np.full_like(START, 120), 40, 3)],
        ids=["wall", "table", "noise"],
    )
    def test_no_board_is_an_answer(self, elsewhere: Image) -> None:
        assert find_again(START, CORNERS, elsewhere) is None

    @pytest.mark.parametrize("game", ["dev1", "dev2"])
    def test_rendered_games(self, game: str) -> None:
        folder = shared(f"boards/games/{game}")
        truth = [json.loads(line) for line in (folder / "truth.jsonl").read_text().splitlines()]
        corners = np.array(truth[0]["corners"], np.float32)
        width = float(np.linalg.norm(corners[1] - corners[0]))
        for before, now in ((1, 3), (1, 2), (0, 41), (35, 36)):
            shown, _ = bumped(read(str(folder / truth[now]["file"])), right=40, down=-20, turn=-6)
            matrix = np.vstack([cv2.getRotationMatrix2D((SIZE[0] / 2, SIZE[1] / 2), -6, 1), [0, 0, 1]])
            matrix[:2, 2] += (40, -20)
            found = find_again(read(str(folder / truth[before]["file"])), corners, shown)
            assert found is not None
            error = np.linalg.norm(found.corners - apply_homography(matrix, corners), axis=1).max()
            assert error / width < 0.004


def grown(corners: Corners) -> Corners:
    """The corners with the board's rail around them."""
    middle = corners.mean(axis=0)
    return np.asarray(middle + (corners - middle) * 1.12, np.float32)


class TestCornerTracker:
    """What the program asks of every frame: are the corners still right, and what are they now?"""

    def look(self, pictures: Sequence[Image], apart: float = 0.25) -> list[tuple[str, Corners]]:
        tracker = CornerTracker(CORNERS)
        looked = [tracker.look(Frame(one, n * apart), still=True) for n, one in enumerate(pictures)]
        return [(tracked.state, tracked.corners) for tracked in looked]

    def test_a_quiet_game_is_steady(self) -> None:
        assert {state for state, _ in self.look([START] * 4 + [LATER] * 4)} == {"steady"}

    def test_a_bump_is_put_right_within_two_seconds(self) -> None:
        now, true = bumped(START, right=30, down=10, turn=3)
        looked = self.look([START] * 4 + [now] * 8)
        states = [state for state, _ in looked]
        assert states[:4] == ["steady"] * 4
        assert "found" in states
        assert states[-1] == "steady"
        assert off(looked[-1][1], true) < 0.005
        assert "lost" not in states

    def test_nothing_is_believed_in_between(self) -> None:
        now, _ = bumped(START, right=30)
        looked = self.look([START] * 4 + [now] * 8)
        wrong = [state for (state, corners), number in zip(looked, range(12), strict=True) if number >= 4]
        assert wrong.index("doubtful") <= 1

    def test_a_board_that_is_taken_away_is_lost_until_it_is_back(self) -> None:
        empty = np.full_like(START, 90)
        looked = self.look([START] * 4 + [empty] * 10 + [START] * 4)
        states = [state for state, _ in looked]
        assert states[12] == "lost"
        assert states[-1] == "steady"
        assert off(looked[-1][1], CORNERS) == 0

    def test_a_film_cut_between_two_cameras_is_followed_at_once(self) -> None:
        there, true = bumped(START, right=30, down=10, turn=3)
        faces = np.full_like(START, 90)
        looked = self.look([START] * 4 + [there] * 8 + [START] * 4 + [faces] * 3 + [there] * 2)
        assert looked[11][0] == "steady"
        back = [state for state, _ in looked[12:16]]
        assert back.index("found") <= 2
        assert off(looked[15][1], CORNERS) == 0
        assert off(looked[-1][1], true) < 0.005

    def test_what_is_shown_after_a_cut_is_doubted_at_once(self) -> None:
        tracker = CornerTracker(CORNERS)
        faces = np.full_like(START, 90)
        tracker.look(Frame(START, 0.0), still=True)
        assert tracker.look(Frame(faces, 0.1), still=False, jumped=True).state == "doubtful"
        assert tracker.look(Frame(START, 0.2), still=False).state == "steady"

    @pytest.mark.parametrize("seed", [9602, 9606, 9610])
    def test_where_it_lay_before_it_was_turned_about_it_does_not_lie_as_it_lay_then(self, seed: int) -> None:
        """Its points alone look alike either way."""
        table = SimulatedTable(seed, SimulatedMatch("none"))
        before = next(table.frames()).image
        size = before.shape[1], before.shape[0]
        half_turned = np.roll(table.corners, 2, axis=0)

        def turned_about(right: float) -> Image:
            matrix = cv2.getPerspectiveTransform(table.corners, half_turned + np.float32([right, 0]))
            return np.asarray(cv2.warpPerspective(before, matrix, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)

        tracker = CornerTracker(table.corners)
        course = [before] * 4 + [turned_about(40)] * 12 + [turned_about(0)] * 4
        looked = [tracker.look(Frame(picture, n / 4), still=True) for n, picture in enumerate(course)]
        assert off(looked[15].corners, half_turned + np.float32([40, 0])) < 0.02
        assert off(looked[-1].corners, half_turned) < 0.02

    def test_a_camera_that_keeps_moving_is_followed(self) -> None:
        ways = [bumped(START, right=4 * n, turn=0.5 * n) for n in range(10)]
        looked = self.look([START] * 3 + [picture for picture, _ in ways] + [ways[-1][0]] * 8)
        assert {state for state, _ in looked[4:]} == {"sways"}
        assert max(off(corners, true) for (_, corners), (_, true) in zip(looked[5:13], ways[2:], strict=True)) < 0.006
        assert off(looked[-1][1], ways[-1][1]) < 0.006

    def test_a_camera_that_is_jostled_again_and_again_does_not_lead_astray(self) -> None:
        """Each time the board is followed, and after a while the camera is taken to stand where it came to rest."""
        rng = np.random.default_rng(4)
        ways = [(START, CORNERS)] + [
            bumped(START if n % 2 else LATER, *rng.uniform(-6, 6, 2).cumsum(), turn=float(rng.uniform(-0.3, 0.3)))
            for n in range(25)
        ]
        looked = self.look([noisy(picture, 4, n) for n, (picture, _) in enumerate(ways) for _ in range(12)])
        rested = looked[23::12]
        assert {state for state, _ in rested} == {"steady"}
        errors = [off(corners, true) for (_, corners), (_, true) in zip(rested, ways[1:], strict=True)]
        assert max(errors) < 0.012
        assert np.mean(errors[-10:]) < 0.005
