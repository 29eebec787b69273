"""The small rectified picture of the board and its rim that motion and registration look at: cheap, every frame."""

from __future__ import annotations

from functools import cached_property, lru_cache
from weakref import ref

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.bands import Bands
from vision.board.geometry import apply_homography
from vision.board.shrinking import AROUND, outline, reduced
from vision.frame import Corners, Image

VIEW_MARGIN = 0.12
"""Share of the playing surface's sides seen beyond each edge: rails and trays, so that an arm can be followed to where
it comes from."""

VIEW_WIDTH, VIEW_HEIGHT = 208, 156
"""px; a column is 13 px wide and a die 4-5, and the whole gate costs 2-3 ms."""

VIEWS_KEPT = 4
"""Places of a board whose view is kept: motion and registration look at the same picture from the same corners."""

Mask = npt.NDArray[np.bool_]


class BoardView:
    """Rectifies frames of one size with one set of corners; view_of_board() gives one that others may look through, too.

    corners: (4, 2) float32 source px. size: (width, height) of the frames, px.
    """

    def __init__(self, corners: Corners, size: tuple[int, int]) -> None:
        top_left, top_right, bottom_right, bottom_left = np.asarray(corners, np.float64)
        width = (np.linalg.norm(top_right - top_left) + np.linalg.norm(bottom_right - bottom_left)) / 2
        # Whole factors only: averaging n x n pixels is the quickest way to shrink, and takes the noise out evenly.
        self._shrink = max(1, int(width / (VIEW_WIDTH / (1 + 2 * VIEW_MARGIN))))
        self.size = size
        self.to_source = _view_to_source(corners)
        self._part = self._sampled()
        self.outside = self._warp(np.ones((size[1], size[0]), np.uint8)) == 0
        """(VIEW_HEIGHT, VIEW_WIDTH) bool: what lies outside the source picture."""
        self._last: tuple[ref[Image], Image] | None = None

    @cached_property
    def bands(self) -> Bands:
        """The lines of the sensor in it; not sought before they are asked for."""
        return Bands(self.to_source, self.outside)

    def of(self, image: Image) -> Image:
        """(VIEW_HEIGHT, VIEW_WIDTH, 3) uint8 BGR: the board from above with VIEW_MARGIN around, black outside image. To be read
        only: who asks again about the same picture gets the same view."""
        last = self._last
        if last is not None and last[0]() is image:
            return last[1]
        view = self._warp(image)
        view.flags.writeable = False
        self._last = ref(image), view
        return view

    def _sampled(self) -> tuple[slice, slice]:
        """Rows and columns of the source picture that the view is made of, in whole cells of those that are averaged."""
        n, (width, height) = self._shrink, self.size
        ends = [[0, 0], [VIEW_WIDTH, 0], [VIEW_WIDTH, VIEW_HEIGHT], [0, VIEW_HEIGHT]]
        around = outline(self.to_source, ends) / n
        if not np.isfinite(around).all():
            return slice(height // n * n), slice(width // n * n)
        most = np.array([width // n, height // n])
        low = np.clip(np.floor(around.min(axis=0)).astype(int) - AROUND, 0, most - 1)
        high = np.clip(np.ceil(around.max(axis=0)).astype(int) + AROUND, low + 1, most)
        return slice(low[1] * n, high[1] * n), slice(low[0] * n, high[0] * n)

    def _warp(self, image: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
        n, (rows, columns) = self._shrink, self._part
        small = reduced(image[rows, columns], n)
        left, top = columns.start or 0, rows.start or 0
        to_small = np.array([[1 / n, 0, (0.5 - left) / n - 0.5], [0, 1 / n, (0.5 - top) / n - 0.5], [0, 0, 1]])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        warped = cv2.warpPerspective(small, to_small @ self.to_source, (VIEW_WIDTH, VIEW_HEIGHT), flags=flags)
        return np.asarray(warped, np.uint8)


def view_of_board(corners: Corners, size: tuple[int, int]) -> BoardView:
    """The view of a board at these corners, the same for everybody who asks."""
    return _view_of_board(np.asarray(corners, np.float32).tobytes(), size)


@lru_cache(VIEWS_KEPT)
def _view_of_board(corners: bytes, size: tuple[int, int]) -> BoardView:
    return BoardView(np.frombuffer(corners, np.float32).reshape(4, 2), size)


def view_px(plane: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Board plane (..., 2) to px of the view (..., 2); pixel centres lie at whole numbers."""
    share = (np.asarray(plane, np.float64) + VIEW_MARGIN) / (1 + 2 * VIEW_MARGIN)
    return np.asarray(share * (VIEW_WIDTH, VIEW_HEIGHT) - 0.5)


def board_corners_of(to_source: npt.NDArray[np.float64]) -> Corners:
    """(4, 2) float32 source px: the corners that a (3, 3) homography from px of the view to source px gives."""
    return apply_homography(to_source, view_px([[0, 0], [1, 0], [1, 1], [0, 1]])).astype(np.float32)


def region_mask(polygon: npt.ArrayLike) -> Mask:
    """(VIEW_HEIGHT, VIEW_WIDTH) bool: the inside of a polygon (n, 2) in board plane coordinates."""
    mask = np.zeros((VIEW_HEIGHT, VIEW_WIDTH), np.uint8)
    cv2.fillPoly(mask, [np.rint(view_px(polygon)).astype(np.int32)], 1)
    return mask > 0


def _view_to_source(corners: Corners) -> npt.NDArray[np.float64]:
    """(3, 3) homography from px of the view to source px."""
    board = view_px([[0, 0], [1, 0], [1, 1], [0, 1]]).astype(np.float32)
    return np.asarray(cv2.getPerspectiveTransform(board, np.asarray(corners, np.float32)), np.float64)
