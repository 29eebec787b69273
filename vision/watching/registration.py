"""Does the camera still stand where it stood, and if not: where is the board now?

A bump must be noticed before a position is misread. `CameraWatch.check` compares the small rectified view with the one it
had when the corners were right: phase correlation says how far each quarter has shifted, and is believed only where the edges
agree better after that shift than before it; so neither checkers that were played nor light disturb it. When the view has
moved, `find_again` looks for the same board in the new picture: features of the old picture that are found in the new one give
a homography, alignment of the rectified views makes it exact, and their edges say how sure it is. docs/motion.md has the
measurements.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.geometry import GeometryError, apply_homography, check_corners
from vision.board.rectified import VIEW_HEIGHT, VIEW_MARGIN, VIEW_WIDTH, BoardView, board_corners_of, view_of_board
from vision.frame import Corners, Image

FloatArray = npt.NDArray[np.float32]
Matrix = npt.NDArray[np.float64]

VIEW_BOARD_WIDTH = VIEW_WIDTH / (1 + 2 * VIEW_MARGIN)

MOVED = 0.003
"""Share of the board's width, a twentieth of a checker. Whatever is played and whoever reaches in, a camera that stands still
says 0.000 (rendered games, a real webcam, 40 minutes at the simulated table); a shift by 4 px of 1280 says 0.0039 and more, a
turn by 1 degree 0.0068."""

BETTER = 0.02
"""How much the edges of a quarter must agree better after a shift than before it. Checkers that were played draw the shift
of single quarters along, but never make the rest agree better; true shifts by 3 px of 1280 gain 0.06 and more."""

ALIKE = 0.25
"""Correlation of the edges under which a quarter shows something else, for example an arm, and has no say."""

FEATURE_WIDTH = 960
"""px to which pictures are shrunk for features: enough to see grain and checkers, a quarter of the time of 1920."""

FEATURES = 1500
CLEARLY_NEARER = 0.8
"""Lowe's ratio: a feature's best match must be so much nearer than its second; points that repeat have no clear best."""

INLIER_PX = 3.0
FEWEST_INLIERS = 12

SAME_BOARD = 0.4
"""Correlation of the edges above which two views show the same board. The same board under arms, other checkers and other light
says 0.57-1.00, different boards at most 0.24."""


@dataclass(frozen=True)
class CameraShift:
    """Where the camera stands, compared with where it stood.

    moved: the board is no longer where the corners say.
    shift: as a share of the board's width, how far the quarters of the view have moved: the second farthest, so that no
        quarter alone decides, and a turn counts that leaves some in place; infinite where nothing is what it was.
    """

    moved: bool
    shift: float


@dataclass(frozen=True)
class Realigned:
    """The board found again. corners: (4, 2) float32 source px; likeness: correlation of the edges, up to 1."""

    corners: Corners
    likeness: float


class CameraWatch:
    """Keeps the view that was right, and compares. image and corners: a picture and where the board surely is in it."""

    def __init__(self, image: Image, corners: Corners) -> None:
        self._view = view_of_board(corners, (image.shape[1], image.shape[0]))
        self._first = self._view.of(image)
        self._quarters = [(quarter, _edges(quarter)) for quarter in _quarters(_grey(self._first))]
        self._window = cv2.createHanningWindow((VIEW_WIDTH // 2, VIEW_HEIGHT // 2), cv2.CV_32F)

    def check(self, image: Image) -> CameraShift:
        """Whether the board in this picture still lies where it was. A hand in it does not matter.

        One check may err while somebody moves the board; act on two in a row.
        """
        if (image.shape[1], image.shape[0]) != self._view.size:
            return CameraShift(True, float("inf"))
        now = self._view.of(image)
        shift = self._shift_of(now)
        if shift > MOVED:
            # Bands of light that wander look like a view that does.
            gains = self._view.bands.gains(self._first, now)
            shift = min([shift, *(self._shift_of(np.asarray(now / gain, np.float32)) for gain in gains)])
        return CameraShift(shift > MOVED, shift)

    def _shift_of(self, view: Image | FloatArray) -> float:
        """See `CameraShift.shift`."""
        now = [(quarter, _edges(quarter)) for quarter in _quarters(_grey(view))]
        votes = [self._shift(*before, *after) for before, after in zip(self._quarters, now, strict=True)]
        far = [vote for vote in votes if vote is not None]
        shift = sorted(far)[-2] / VIEW_BOARD_WIDTH if len(far) > 1 else float("inf")
        if shift > MOVED:
            return shift
        # Rails and points repeat: a board that was turned about may look unmoved in two quarters, but never as a whole.
        old, new = (np.concatenate([edges.ravel() for _, edges in quarters]) for quarters in (self._quarters, now))
        return shift if _correlation(old, new) > SAME_BOARD else float("inf")

    def _shift(self, before: FloatArray, edges: FloatArray, now: FloatArray, edges_now: FloatArray) -> float | None:
        """How far one quarter has moved, px of the view; None where it does not show the same. edges: those of before."""
        unmoved = _correlation(edges, edges_now)
        if unmoved > 1 - BETTER:
            return 0.0  # no shift can agree so much better
        (right, down), _ = cv2.phaseCorrelate(before, now, self._window)
        matrix = np.array([[1, 0, right], [0, 1, down]], np.float64)
        size = (before.shape[1], before.shape[0])
        shifted = np.asarray(cv2.warpAffine(before, matrix, size, borderMode=cv2.BORDER_REPLICATE), np.float32)
        moved = _correlation(_edges(shifted), edges_now)
        if moved > max(unmoved + BETTER, ALIKE):
            return float(np.hypot(right, down))
        return 0.0 if unmoved > ALIKE else None


def find_again(before: Image, corners: Corners, now: Image) -> Realigned | None:
    """Where the board lies now that lay at corners before; None where it can't be found.

    before: a picture from shortly before the bump, best with the same checkers and without a hand.
    """
    view = _grey(BoardView(corners, (before.shape[1], before.shape[0])).of(before))
    found = [_refined(view, now, candidate) for candidate in _candidates(before, corners, now)]
    best = max((one for one in found if one is not None), key=lambda one: one.likeness, default=None)
    return best if best is not None and best.likeness > SAME_BOARD else None


def _quarters(grey: FloatArray) -> list[FloatArray]:
    half_height, half_width = VIEW_HEIGHT // 2, VIEW_WIDTH // 2
    return [
        np.ascontiguousarray(grey[y : y + half_height, x : x + half_width])
        for y in (0, half_height)
        for x in (0, half_width)
    ]


def _candidates(before: Image, corners: Corners, now: Image) -> Iterator[Corners]:
    """Places where the board may lie: where it was, with the whole scene moved, or moved on the table by itself."""
    yield corners
    old_places, old_features = _features(before)
    new_places, new_features = _features(now)
    old, new = _matches(old_places, old_features, new_places, new_features)
    on_board = cv2.convexHull(corners)
    inside = np.array([cv2.pointPolygonTest(on_board, (float(x), float(y)), False) >= 0 for x, y in old], np.bool_)
    for chosen in (np.ones(len(old), np.bool_), inside):
        if np.count_nonzero(chosen) < FEWEST_INLIERS:
            continue
        matrix, inliers = cv2.findHomography(old[chosen], new[chosen], cv2.USAC_MAGSAC, INLIER_PX)
        if matrix is not None and int(np.count_nonzero(inliers)) >= FEWEST_INLIERS:
            yield apply_homography(np.asarray(matrix, np.float64), corners).astype(np.float32)


def _features(image: Image) -> tuple[FloatArray, FloatArray]:
    """(n, 2) places in source px and (n, 128) descriptions of the picture's features."""
    scale = min(1.0, FEATURE_WIDTH / image.shape[1])
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    small = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    points, features = cv2.SIFT.create(FEATURES).detectAndCompute(small, None)
    if features is None:
        return np.zeros((0, 2), np.float32), np.zeros((0, 128), np.float32)
    places = np.array([point.pt for point in points], np.float32)
    return np.asarray((places + 0.5) / scale - 0.5, np.float32), np.asarray(features, np.float32)


def _matches(
    old_places: FloatArray, old_features: FloatArray, new_places: FloatArray, new_features: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """(m, 2) source px before and (m, 2) now of the features that clearly match."""
    if len(old_features) < 2 or len(new_features) < 2:
        return np.zeros((0, 2), np.float32), np.zeros((0, 2), np.float32)
    pairs = cv2.BFMatcher(cv2.NORM_L2).knnMatch(old_features, new_features, k=2)
    clear = [best for best, second in pairs if best.distance < CLEARLY_NEARER * second.distance]
    return old_places[[match.queryIdx for match in clear]], new_places[[match.trainIdx for match in clear]]


def _refined(view: FloatArray, now: Image, candidate: Corners) -> Realigned | None:
    """The candidate made exact by aligning what it shows with the view from before, unless that makes it worse."""
    size = (now.shape[1], now.shape[0])
    try:
        corners = check_corners(candidate, size)
    except GeometryError:
        return None
    rough = BoardView(corners, size)
    shown = _grey(rough.of(now))
    found = Realigned(corners, likeness(view, shown))
    try:
        better = check_corners(board_corners_of(rough.to_source @ _aligned(view, shown)), size)
    except (cv2.error, GeometryError):
        return found
    refined = Realigned(better, likeness(view, _grey(BoardView(better, size).of(now))))
    return max(found, refined, key=lambda one: one.likeness)


def _aligned(view: FloatArray, other: FloatArray) -> Matrix:
    """(3, 3) homography from px of view to the px of other where the same thing is seen. Raises cv2.error without one."""
    criteria = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 60, 1e-5)
    everywhere = np.full(view.shape, 255, np.uint8)
    start = np.eye(3, dtype=np.float32)
    _, matrix = cv2.findTransformECC(view, other, start, cv2.MOTION_HOMOGRAPHY, criteria, everywhere, 5)
    return np.asarray(matrix, np.float64)


def likeness(one: FloatArray, other: FloatArray) -> float:
    """Correlation of the edges of two grey views (H, W) float32, up to 1."""
    return _correlation(_edges(one), _edges(other))


def _correlation(one: FloatArray, other: FloatArray) -> float:
    old, new = one.ravel(), other.ravel()
    return float(old @ new / (np.sqrt((old @ old) * (new @ new)) + 1e-6))


def _edges(view: FloatArray) -> FloatArray:
    return np.asarray(view - cv2.GaussianBlur(view, (0, 0), 3), np.float32)


def _grey(view: Image | FloatArray) -> FloatArray:
    return np.asarray(cv2.cvtColor(view, cv2.COLOR_BGR2GRAY), np.float32)
