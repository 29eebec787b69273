"""A camera that is held by hand: the board is followed from frame to frame, read where it lies, and a hand over it is seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.simulation import SimulatedMatch, SimulatedTable
from controller.simulation.cards import flickering, swayed
from tests.vision.scenes import CORNERS, SIZE, WIDTH, bumped, draw, noisy, off, with_arm
from tests.vision.watching.readers import Places
from vision.frame import Corners, Frame, Image
from vision.reading.reader import BoardReader
from vision.watching.following import Follower
from vision.watching.watcher import Watcher

CHECKERS = [(0.04, 0.05), (0.04, 0.15), (0.35, 0.05), (0.6, 0.95), (0.6, 0.85), (0.9, 0.05)]
BOARD = draw(CHECKERS)
ROLLED = draw(CHECKERS, [(0.7, 0.45), (0.8, 0.55)])
PLAYED = draw([*CHECKERS[:-1], (0.735, 0.95)], [(0.7, 0.45), (0.8, 0.55)])
BLOCKS = np.kron(np.random.default_rng(3).integers(0, 256, (18, 32, 3)), np.ones((40, 40, 1))).astype(np.uint8)
FPS = 10


class TestFollower:
    @settings(max_examples=30, deadline=None)
    @given(
        st.floats(-8, 8),
        st.floats(-8, 8),
        st.floats(-1, 1),
        st.floats(0.99, 1.01),
        st.floats(0, 8),
        st.booleans(),
    )
    def test_finds_the_board_close_by_whatever_was_played(
        self, right: float, down: float, turn: float, zoom: float, noise: float, arm: bool
    ) -> None:
        picture = with_arm(PLAYED, (0.75, 0.6)) if arm else PLAYED
        now, true = bumped(picture, right, down, turn, zoom)
        found = Follower(BOARD, CORNERS).follow(noisy(now, noise, 1), CORNERS)
        assert found is not None
        assert off(found, true) < (0.012 if arm else 0.005)

    @pytest.mark.parametrize("picture", [np.full_like(BOARD, 90), noisy(np.full_like(BOARD, 90), 40, 2), BLOCKS])
    def test_does_not_find_it_where_it_is_not(self, picture: Image) -> None:
        assert Follower(BOARD, CORNERS).follow(picture, CORNERS) is None

    @settings(max_examples=20, deadline=None)
    @given(st.floats(-8, 8), st.floats(-1, 1), st.floats(0, 1), st.floats(0.5, 9), st.booleans())
    def test_finds_it_under_a_lamp_that_flickers(
        self, right: float, turn: float, seconds: float, bands: float, upright: bool
    ) -> None:
        now, true = bumped(PLAYED, right, 0, turn)
        banded = flickering(now, seconds, bands, 0.4, 103.0, upright=upright)
        found = Follower(BOARD, CORNERS).follow(noisy(banded, 3, 1), CORNERS)
        assert found is not None
        assert off(found, true) < 0.006

    def test_is_not_led_astray_by_points_that_repeat(self) -> None:
        now, true = bumped(BOARD, right=0.077 * WIDTH)  # a point farther
        found = Follower(BOARD, CORNERS).follow(now, CORNERS)
        assert found is None or off(found, true) < 0.005

    @pytest.mark.parametrize("seed", [9604, 9607, 9612])
    def test_a_board_that_was_turned_about_is_not_the_same(self, seed: int) -> None:
        table = SimulatedTable(seed, SimulatedMatch("none"))
        picture = next(table.frames()).image
        height, width = picture.shape[:2]
        turned = np.float32([width - 1, height - 1]) - np.roll(table.corners, 2, axis=0)
        into_place = cv2.getPerspectiveTransform(turned, table.corners)
        shown = cv2.warpPerspective(np.ascontiguousarray(picture[::-1, ::-1]), into_place, (width, height))
        assert Follower(picture, table.corners).follow(np.asarray(shown, np.uint8), table.corners) is None

    def test_a_view_without_anything_in_it_is_followed_nowhere(self) -> None:
        plain = np.full_like(BOARD, 128)
        assert Follower(plain, CORNERS).follow(plain, CORNERS) is None

    def test_a_board_that_leaves_the_picture_is_not_followed(self) -> None:
        far = CORNERS - np.float32([460, 0])
        left = cv2.warpAffine(BOARD, np.float32([[1, 0, -460], [0, 1, 0]]), SIZE)
        farther = cv2.warpAffine(BOARD, np.float32([[1, 0, -485], [0, 1, 0]]), SIZE)
        found = Follower(np.asarray(left, np.uint8), far).follow(np.asarray(farther, np.uint8), far)
        assert found is None or off(found, CORNERS - np.float32([485, 0])) < 0.02


def filmed(pictures: Sequence[Image], seed: int) -> Places:
    """How a watcher reads these pictures, a tenth of a second apart, taken by a camera in somebody's hands."""
    reader = Places()
    watcher = Watcher(_first_corners(seed), cast(BoardReader, reader), judging=False)
    for number, picture in enumerate(pictures):
        watcher.look(Frame(noisy(swayed(picture, number / FPS, seed), 3, number), number / FPS))
    return reader


def _first_corners(seed: int) -> Corners:
    """Where the board's corners are in the first picture: spots are set on them and looked for."""
    found = []
    for x, y in CORNERS:
        spot = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
        cv2.circle(spot, (round(float(x)), round(float(y))), 6, (255, 255, 255), -1)
        shown = swayed(spot, 0.0, seed)[..., 0]
        found.append(np.argwhere(shown > 127).mean(axis=0)[::-1])
    return np.asarray(found, np.float32)


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_a_board_filmed_by_hand_is_read_as_one_that_lies_still(seed: int) -> None:
    arm = [with_arm(BOARD, (0.5 + 0.02 * n, 0.8 - 0.04 * n)) for n in range(8)]
    reader = filmed([BOARD] * 20 + arm + [ROLLED] * 20 + [PLAYED] * 20, seed)
    seconds = np.array(reader.seconds)
    for since, until in ((0.3, 2.0), (2.8, 4.8), (4.8, 6.8)):
        assert ((seconds >= since) & (seconds < until)).any(), (since, reader.seconds)
    assert not ((seconds >= 2.1) & (seconds < 2.8)).any(), reader.seconds
    first = reader.views[0].astype(float)
    for view in reader.views:
        assert np.corrcoef(first.ravel(), view.astype(float).ravel())[0, 1] > 0.9
    assert len(reader.seconds) < 15  # and no oftener than one that lies still


@pytest.mark.parametrize("size", [(720, 1280), (960, 720)])
def test_a_board_filmed_by_hand_is_read_on_when_the_pictures_change_their_shape(size: tuple[int, int]) -> None:
    """A phone that is turned by a quarter, or a camera that was plugged in again and gives narrower pictures."""
    reader, seed = Places(), 1
    watcher = Watcher(_first_corners(seed), cast(BoardReader, reader), judging=False)
    for number in range(80):
        shown = noisy(swayed(BOARD, number / FPS, seed), 3, number)
        if number >= 30:
            shown = np.rot90(shown) if size[0] < size[1] else shown[:, 160:1120]
        watcher.look(Frame(np.ascontiguousarray(shown), number / FPS))
    seconds = np.array(reader.seconds)
    assert watcher.size == size
    assert ((seconds > 3) & (seconds < 6)).any(), reader.seconds
    first = reader.views[0].astype(float)
    for view in reader.views:
        assert np.corrcoef(first.ravel(), view.astype(float).ravel())[0, 1] > 0.9
