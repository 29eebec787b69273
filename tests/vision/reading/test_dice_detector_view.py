"""The view in which dice and cube are looked for: places survive the camera, crops centre on what is asked."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from vision.reading.detector import (
    CROP_PX,
    VIEW_ASPECT,
    Candidate,
    VisionInputError,
    canvas,
    crop,
    crop_matrix,
    open_view,
    peaks,
)

Doubles = npt.NDArray[np.float64]


def camera(height: float, back: float, turn: float, focal: float = 1100.0) -> Doubles:
    """(3, 4) projection into 1280x720 of a camera that looks at the middle of a board of width 1 and height 0.8."""
    eye = np.array([0.5 + back * np.sin(turn), 0.4 + back * np.cos(turn), height])
    ahead = np.array([0.5, 0.4, 0.0]) - eye
    ahead /= np.linalg.norm(ahead)
    right = np.cross(ahead, [0, 0, 1.0]) if back > 1e-6 else np.array([1.0, 0, 0])
    # the world's y runs down the board, so the frame is left-handed
    right = -right / np.linalg.norm(right)
    down = -np.cross(ahead, right)
    if back <= 1e-6:
        right, down = np.array([1.0, 0, 0]), np.array([0, 1.0, 0])
    turned = np.stack([right, down, ahead])
    lens = np.array([[focal, 0, 640], [0, focal, 360], [0, 0, 1]])
    return np.asarray(lens @ np.hstack([turned, (-turned @ eye)[:, None]]))


def shoot(projection: Doubles, point: tuple[float, float, float]) -> Doubles:
    p = projection @ np.array([*point, 1.0])
    return np.asarray(p[:2] / p[2])


def board_corners(projection: Doubles) -> npt.NDArray[np.float32]:
    return np.array([shoot(projection, (x, y, 0)) for x, y in ((0, 0), (1, 0), (1, 0.8), (0, 0.8))], np.float32)


@given(
    height=st.floats(0.8, 1.6),
    back=st.floats(0.3, 1.4),
    turn=st.one_of(st.floats(-0.9, -0.1), st.floats(0.1, 0.9)),
    x=st.floats(0.05, 0.95),
    y=st.floats(0.05, 0.75),
)
@settings(max_examples=60, deadline=None)
def test_a_raised_point_is_seen_where_the_lean_says(
    height: float, back: float, turn: float, x: float, y: float
) -> None:
    assume(back < height / np.tan(np.radians(35)))  # boards are read from 35 degrees above the table upwards
    # straight in front (turn 0) the corners can't tell the focal length, so that view has no place here
    projection = camera(height, back, turn)
    view = open_view(np.zeros((720, 1280, 3), np.uint8), board_corners(projection))
    back_to_plane = np.linalg.inv(view.to_source)
    raised = shoot(projection, (x, y, 0.03)) * (view.image.shape[1] / 1280)
    seen = back_to_plane @ np.array([*raised, 1])
    shift = view.lean((x, y)) * 0.03
    error = seen[:2] / seen[2] - np.array([x, y]) - shift
    # a camera at a finite height adds up to a tenth, the limit on the lean and the guessed focal length the rest
    assert np.hypot(*error) < 0.003 + 0.15 * np.hypot(*shift)


def test_the_canvas_holds_the_board_and_its_surroundings() -> None:
    projection = camera(1.2, 0.6, 0.0)
    corners = board_corners(projection)
    picture = np.full((720, 1280, 3), 40, np.uint8)
    cv2.fillConvexPoly(picture, corners.astype(np.int32), (200, 200, 200))
    seen, to_view = canvas(open_view(picture, corners), 320, (0.25, 0.2))
    middle = np.linalg.inv(to_view) @ np.array([0.5, VIEW_ASPECT / 2, 1])
    outside = np.linalg.inv(to_view) @ np.array([-0.1, VIEW_ASPECT / 2, 1])
    assert seen.shape[0] % 16 == 0
    assert seen.shape[1] % 16 == 0
    assert seen[int(middle[1]), int(middle[0]), 0] == 200
    assert seen[int(outside[1]), int(outside[0]), 0] == 40


@given(x=st.floats(0, 1), y=st.floats(0, 0.8), size=st.floats(0.02, 0.1), a=st.floats(-1, 1), b=st.floats(-1, 1))
def test_a_crop_centres_the_candidate_and_turns_the_lean_up(
    x: float, y: float, size: float, a: float, b: float
) -> None:
    lean = np.array([a, b], np.float32)
    matrix = crop_matrix(Candidate((x, y), size, 1.0), lean)
    centre = matrix @ np.array([(CROP_PX - 1) / 2, (CROP_PX - 1) / 2, 1])
    above = matrix @ np.array([(CROP_PX - 1) / 2, 0, 1])
    assert np.allclose(centre[:2], [x, y], atol=1e-6)
    if np.hypot(a, b) > 0.2:
        way = (above - centre)[:2]
        assert np.dot(way / np.linalg.norm(way), lean / np.hypot(a, b)) > 0.999
    assert np.linalg.det(matrix[:2, :2]) > 0, "a mirrored crop would show mirrored numbers"


def test_a_crop_shows_what_lies_at_the_candidate() -> None:
    projection = camera(1.2, 0.5, 0.3)
    corners = board_corners(projection)
    picture = np.zeros((720, 1280, 3), np.uint8)
    cv2.circle(picture, tuple(int(v) for v in shoot(projection, (0.3, 0.5, 0))), 6, (255, 255, 255), -1)
    seen = crop(open_view(picture, corners), Candidate((0.3, 0.5), 0.03, 1.0))
    ys, xs = np.nonzero(seen[..., 0] > 128)
    assert abs(xs.mean() - 31.5) < 2
    assert abs(ys.mean() - 31.5) < 2


def test_peaks_are_apart_by_more_than_half_a_solid_and_best_first() -> None:
    heat = np.zeros((20, 20), np.float32)
    heat[5, 5], heat[5, 6], heat[5, 7], heat[12, 12] = 0.7, 0.6, 0.65, 0.9
    found = peaks(heat, np.full((20, 20), np.log(4.0), np.float32), 0.2, 5)
    assert [round(f[3], 2) for f in found] == [0.9, 0.7]
    assert found[1][2] == pytest.approx(4.0, rel=1e-4)


@pytest.mark.parametrize("corners", [[[0, 0], [1, 1], [2, 2], [3, 3]], [[0, 0], [100, 0], [100, 100]]])
def test_corners_around_nothing_are_refused_in_a_sentence(corners: list[list[float]]) -> None:
    with pytest.raises(VisionInputError, match="four points"):
        open_view(np.zeros((100, 100, 3), np.uint8), np.array(corners, np.float32))
