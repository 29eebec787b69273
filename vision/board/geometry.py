"""Where things lie: picture <-> board plane, the columns' places, and the canonical picture a network reads.

Board plane: (0, 0) is the top-left corner of the playing surface, (1, 1) the bottom-right; x runs right, y down.
Columns 0-11 run along the top edge from left to right, 12-23 along the bottom edge from left to right.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.bend import Bend
from vision.board.shrinking import outline, shrunk
from vision.errors import VisionError
from vision.frame import Corners, Image

FloatArray = npt.NDArray[np.float64]
Chart = npt.NDArray[np.float32]

COLUMNS_A_ROW = 6 * 2
PITCH = 16
"""Width of one column in the canonical picture, px."""
MARGIN_X = 8
MARGIN_Y = 12
CANONICAL_WIDTH = 13 * PITCH + 2 * MARGIN_X
CANONICAL_HEIGHT = 192
CELL = 4
"""px of the canonical picture to a cell of the networks' maps of it, (48, 56)."""
PATCH_WIDTH, PATCH_HEIGHT, PATCH_BEFORE = 2 * PITCH, 112, 6
"""A patch of one column: width, height, and how much of that lies beyond the board's edge, px of the canonical picture."""
TRAY_HEIGHT, TRAY_WIDTH, TRAY_BEYOND = 104, 72, 17
"""A picture of what lies beside a quarter of the board, where borne-off checkers go: its height and width, and how much of it lies
beyond the board's edge, px of the canonical picture."""
SHRINKING = 0.8
"""Where a picture is sampled more coarsely than this, it is made smaller first, so that no pixels are skipped."""
POINT_HEIGHT = 0.42
"""Points reach this far over the playing surface; 36-41 % of its height on 48 photographed boards."""
NARROWEST_BAR = 0.96
"""The canonical bar shows at least this many pitches, so that a checker on a board without a bar still shows whole."""
WIDEST_BAR = 0.25
"""No board measured has a bar over 13 % of the width; twice that is a mistake in the corners or the edges."""
SMALLEST_SIDE_PX = 40.0
"""Below this a checker is under 3 px wide and no reading is possible."""
LARGEST_PX = 65_536.0
"""No picture is wider; numbers beyond it would overflow on their way to a homography."""
SAME_SHAPE = 0.01
"""Difference of two pictures' proportions up to which they show the same, by a camera that rounds to whole blocks of pixels."""
AS_DRAWN = 0.005
"""Share of a board's width by which drawn corners may be found askew: a pixel of two hundred."""
CHARTS_KEPT = 3
"""A camera that stands still samples every picture at the same places: twice for the columns, once for the bar. Each 1.4 MB."""
CUT_OFF = 0.12
"""Corners may lie this share of the picture's size outside it: the picture's edge may cut a board off."""

UNIT_SQUARE = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
"""The board plane's corners, in the order of a picture's."""


class GeometryError(VisionError):
    """The corners can't be those of a board; the message is one sentence for a player."""


def check_corners(corners: npt.ArrayLike, size: tuple[int, int] | None = None) -> Corners:
    """The corners as (4, 2) float32 source px, top-left, top-right, bottom-right, bottom-left of the board.

    size: (width, height) of the picture in px, where known.
    Raises GeometryError unless they are four finite points in the picture or by its edge, convex and clockwise as seen.
    """
    try:
        points = np.asarray(corners, np.float64)
    except (TypeError, ValueError):
        raise GeometryError(
            "The corners must be four points x,y in pixels: top-left, top-right, bottom-right, bottom-left."
        ) from None
    if points.shape != (4, 2):
        raise GeometryError(
            "The board needs exactly four corners x,y; {count} were given. Give top-left, top-right, bottom-right, "
            "bottom-left.",
            count=_count(points),
        )
    if not np.isfinite(points).all():
        raise GeometryError("A corner is not a number. Give four points x,y in pixels.")
    if np.abs(points).max() > LARGEST_PX:
        raise GeometryError(
            "A corner lies more than {limit} pixels away. Give corners inside the picture.", limit=f"{LARGEST_PX:.0f}"
        )
    if size is not None:
        slack = CUT_OFF * max(size)
        outside = (points < -slack).any(axis=1) | (points > np.array(size) + slack).any(axis=1)
        if outside.any():
            x, y = points[int(outside.argmax())]
            raise GeometryError(
                "The corner {x},{y} lies outside the picture of {width} x {height} pixels. Give corners inside the "
                "picture.",
                x=f"{x:.0f}",
                y=f"{y:.0f}",
                width=size[0],
                height=size[1],
            )
    edges = np.roll(points, -1, axis=0) - points
    following = np.roll(edges, -1, axis=0)
    turns = edges[:, 0] * following[:, 1] - edges[:, 1] * following[:, 0]
    if (turns < 0).all():
        raise GeometryError(
            "The corners run the wrong way round. Give them clockwise: top-left, top-right, bottom-right, bottom-left."
        )
    if not (turns > 0).all():
        raise GeometryError(
            "The corners cross or lie on one line. Give them in order: top-left, top-right, bottom-right, bottom-left."
        )
    if np.linalg.norm(edges, axis=1).min() < SMALLEST_SIDE_PX:
        raise GeometryError(
            "The board is too small in this picture: a side is under {limit} pixels. Move the camera closer or use "
            "a larger picture.",
            limit=f"{SMALLEST_SIDE_PX:.0f}",
        )
    return points.astype(np.float32)


def fitted(corners: Corners, size: tuple[int, int] | None, now: tuple[int, int]) -> Corners:
    """The corners, shown in a picture of one size, in one of another size: (width, height) px; None: they are for any size.

    Raises GeometryError where the pictures have different shapes, and so show different things, or no board can lie there.
    """
    if size is None or size == now:
        return check_corners(corners, now)
    across, down = now[0] / size[0], now[1] / size[1]
    if abs(across / down - 1) > SAME_SHAPE:
        raise GeometryError(
            "The corners were shown in a picture of {width} x {height} pixels; this one has {width_now} x "
            "{height_now}. Show them again.",
            width=size[0],
            height=size[1],
            width_now=now[0],
            height_now=now[1],
        )
    # The middle of the first pixel lies at 0, half a pixel from the edge.
    return check_corners((np.asarray(corners, np.float64) + 0.5) * (across, down) - 0.5, now)


def _count(points: FloatArray) -> int:
    return int(points.shape[0]) if points.ndim else 0


@dataclass(frozen=True)
class BoardGeometry:
    """Where one board lies in one picture.

    corners: (4, 2) float32, source px, clockwise from the board's top-left corner.
    bar: left and right edge of the bar as shares of the playing surface's width, or None while unknown.
    bend: of the lens, or None where straight lines are straight in the picture.
    Raises GeometryError for corners or a bar that no board can have.
    """

    corners: Corners
    bar: tuple[float, float] | None = None
    bend: Bend | None = None
    _to_straight: FloatArray = field(init=False, repr=False, compare=False)
    """Board plane to px, (3, 3); where the lens bends the picture, to those of the straightened one."""

    def __post_init__(self) -> None:
        corners = check_corners(self.corners)
        object.__setattr__(self, "corners", corners)
        straight = corners if self.bend is None else self.bend.straight(corners).astype(np.float32)
        matrix = cv2.getPerspectiveTransform(UNIT_SQUARE, straight)
        object.__setattr__(self, "_to_straight", matrix.astype(np.float64))
        if self.bar is not None:
            left, right = self.bar
            if not (0 < left <= right < 1 and right - left <= WIDEST_BAR):
                raise GeometryError(
                    "A bar from {left} to {right} of the board's width is impossible. Give its edges as shares near "
                    "0.5.",
                    left=f"{left:.2f}",
                    right=f"{right:.2f}",
                )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BoardGeometry):
            return NotImplemented
        return bool(np.array_equal(self.corners, other.corners)) and (self.bar, self.bend) == (other.bar, other.bend)

    def __hash__(self) -> int:
        return hash((self.corners.tobytes(), self.bar, self.bend))

    @staticmethod
    def for_picture(image: Image, corners: npt.ArrayLike) -> BoardGeometry:
        """The geometry of a board in this picture; raises GeometryError for corners outside it."""
        return BoardGeometry(check_corners(corners, (image.shape[1], image.shape[0])))

    def with_bar(self, bar: tuple[float, float]) -> BoardGeometry:
        """The same board with the bar's edges known."""
        return replace(self, bar=bar)

    def straightened(self, image: Image) -> tuple[Image, Corners]:
        """The picture as an ideal lens would have taken it, and the corners (4, 2) in it; as they are where nothing is bent."""
        if self.bend is None:
            return image, self.corners
        return self.bend.straightened(image), self.bend.straight(self.corners).astype(np.float32)

    def shrunk(self, image: Image, factor: float) -> tuple[Image, BoardGeometry]:
        """The whole picture made smaller, and the board in it. factor: below 1."""
        small = np.asarray(cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8)
        bend = self.bend and replace(self.bend, size=(small.shape[1], small.shape[0]))
        corners = ((self.corners + 0.5) * factor - 0.5).astype(np.float32)
        return small, replace(self, corners=corners, bend=bend)

    @property
    def width_px(self) -> float:
        """Mean length of the top and bottom edges, source px."""
        top_left, top_right, bottom_right, bottom_left = self.corners.astype(np.float64)
        return float(np.linalg.norm(top_right - top_left) + np.linalg.norm(bottom_right - bottom_left)) / 2

    def to_picture(self, plane: npt.ArrayLike) -> FloatArray:
        """Board plane (..., 2) to source px (..., 2)."""
        straight = apply_homography(self._to_straight, plane)
        return straight if self.bend is None else self.bend.bent(straight)

    def to_plane(self, pixels: npt.ArrayLike) -> FloatArray:
        """Source px (..., 2) to board plane (..., 2)."""
        straight = pixels if self.bend is None else self.bend.straight(pixels)
        return apply_homography(np.asarray(np.linalg.inv(self._to_straight), np.float64), straight)

    def column_centre(self, column: int) -> tuple[float, float]:
        """Board plane coordinates of the middle of column 0-23 (24: of the bar)."""
        left, right = self.bar if self.bar is not None else (0.5, 0.5)
        if column == 2 * COLUMNS_A_ROW:
            return (left + right) / 2, 0.5
        place = column % COLUMNS_A_ROW
        pitch = left / 6 if place < 6 else (1 - right) / 6
        x = (place + 0.5) * pitch if place < 6 else right + (place - 6 + 0.5) * pitch
        return x, POINT_HEIGHT / 2 if column < COLUMNS_A_ROW else 1 - POINT_HEIGHT / 2

    def column_region(self, column: int) -> FloatArray:
        """(4, 2) board plane corners of column 0-23 (24: of the bar), clockwise from top-left."""
        x, y = self.column_centre(column)
        left, right = self.bar if self.bar is not None else (0.5, 0.5)
        if column == 2 * COLUMNS_A_ROW:
            half, tall = max((right - left) / 2, NARROWEST_BAR / 2 * (left + 1 - right) / 12), 0.5
        else:
            half, tall = (left if column % COLUMNS_A_ROW < 6 else 1 - right) / 12, POINT_HEIGHT / 2
        return np.array([[x - half, y - tall], [x + half, y - tall], [x + half, y + tall], [x - half, y + tall]])

    def canonical_x(self, x: npt.ArrayLike) -> FloatArray:
        """Board plane x to px in the canonical picture: each half spans six pitches, the bar one."""
        left, right, half, middle = self._bar_span()
        value = np.asarray(x, np.float64)
        in_pitches = np.where(
            value < left,
            value / left * 6,
            np.where(value > right, 7 + (value - right) / (1 - right) * 6, 6.5 + (value - middle) / (2 * half)),
        )
        return np.asarray(MARGIN_X + PITCH * in_pitches)

    def _bar_span(self) -> tuple[float, float, float, float]:
        left, right = self.bar if self.bar is not None else (0.5, 0.5)
        pitch = (left + 1 - right) / 12
        return left, right, max((right - left) / 2, NARROWEST_BAR / 2 * pitch), (left + right) / 2

    def canonical(self, image: Image, detail: int = 1) -> Image:
        """The picture with columns at fixed places: (CANONICAL_HEIGHT, CANONICAL_WIDTH, 3) uint8 BGR.

        detail: makes it this many times larger; all px below scale with it.

        Column k of a row spans x MARGIN_X + PITCH * k (one pitch further right of the bar); the playing surface spans
        y MARGIN_Y .. CANONICAL_HEIGHT - MARGIN_Y.
        """
        left, right, half, middle = self._bar_span()
        u = ((np.arange(CANONICAL_WIDTH * detail) + 0.5) / detail - MARGIN_X) / PITCH
        x = np.where(
            u < 6, u / 6 * left, np.where(u > 7, right + (u - 7) / 6 * (1 - right), middle + (u - 6.5) * 2 * half)
        )
        rows = (np.arange(CANONICAL_HEIGHT * detail) + 0.5) / detail
        y = (rows - MARGIN_Y) / (CANONICAL_HEIGHT - 2 * MARGIN_Y)
        return self._sample(image, x, y)

    def patch(self, image: Image, column: int, detail: int) -> Image:
        """One column 0-23 and half a pitch beside it, from its edge inwards: (PATCH_HEIGHT, PATCH_WIDTH, 3) uint8 BGR, times
        detail. Needs the bar's edges, and is straight: over the bar and beyond the wall it goes on as over its own half."""
        left, right, _, _ = self._bar_span()
        place = column % COLUMNS_A_ROW
        start, pitch = (
            (left / 6 * place, left / 6) if place < 6 else (right + (1 - right) / 6 * (place - 6), (1 - right) / 6)
        )
        wide, tall = 1 / PITCH / detail, 1 / (CANONICAL_HEIGHT - 2 * MARGIN_Y) / detail
        across = [pitch * wide, 0, start + pitch * (wide / 2 - 0.5)]
        down = [0, tall, tall / 2 - PATCH_BEFORE * tall * detail]
        if column >= COLUMNS_A_ROW:
            down = [0, -tall, 1 - down[2]]
        return self._straight(image, across, down, (PATCH_WIDTH * detail, PATCH_HEIGHT * detail))

    def bar_patch(self, image: Image, detail: int) -> Image:
        """The bar's middle and a pitch on either side, over the canonical picture's height: (CANONICAL_HEIGHT, PATCH_WIDTH, 3)
        uint8 BGR, times detail. Needs the bar's edges, and is straight: a checker wider than the bar shows once and whole."""
        left, right, _, middle = self._bar_span()
        wide, tall = (left + 1 - right) / 12 / PITCH / detail, 1 / (CANONICAL_HEIGHT - 2 * MARGIN_Y) / detail
        width, height = PATCH_WIDTH * detail, CANONICAL_HEIGHT * detail
        across = [wide, 0, middle - (width - 1) / 2 * wide]
        return self._straight(image, across, [0, tall, 0.5 - (height - 1) / 2 * tall], (width, height))

    def tray_patch(self, image: Image, quarter: int, detail: int) -> Image:
        """What lies beside a quarter of the board, from half a pitch inside its edge to four pitches outside:
        (TRAY_HEIGHT, TRAY_WIDTH, 3) uint8 BGR, times detail. Needs the bar's edges.

        quarter: 0-3, top left, top right, bottom left, bottom right; each as if it were the top right one.
        """
        across, down = self._tray_axes(quarter, detail)
        return self._straight(image, across, down, (TRAY_WIDTH * detail, TRAY_HEIGHT * detail))

    def tray_px(self, plane: npt.ArrayLike, quarter: int, detail: int) -> FloatArray:
        """(..., 2) px across and down in that picture of places (..., 2) on the board plane."""
        across, down = self._tray_axes(quarter, detail)
        x, y = np.moveaxis(np.asarray(plane, np.float64), -1, 0)
        return np.stack([(x - across[2]) / across[0], (y - down[2]) / down[1]], axis=-1)

    def _tray_axes(self, quarter: int, detail: int) -> tuple[list[float], list[float]]:
        """Across and down as `_straight` takes them."""
        left, right, _, _ = self._bar_span()
        pitch = (left + 1 - right) / 12
        wide, tall = pitch / PITCH / detail, 1 / (CANONICAL_HEIGHT - 2 * MARGIN_Y) / detail
        across = [wide, 0, 1 - pitch / 2 + wide / 2]
        down = [0, tall, tall / 2 - TRAY_BEYOND * tall * detail]
        if quarter % 2 == 0:
            across = [-wide, 0, 1 - across[2]]
        if quarter >= 2:
            down = [0, -tall, 1 - down[2]]
        return across, down

    def _straight(self, image: Image, across: list[float], down: list[float], size: tuple[int, int]) -> Image:
        """A part of the board of this width and height in px, whose px lie on the plane where across and down say: x and y by the
        px across, the px down, and none. Shrinks the picture first where sampling would skip pixels."""
        width, height = size
        if self.bend is not None:
            to_plane = np.array([across, down])
            px = np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1)
            return self._sampled_bent(image, px @ to_plane[:, :2].T + to_plane[:, 2])
        matrix = self._to_straight @ np.array([across, down, [0, 0, 1]])
        ends = [[0, 0], [width - 1, 0], [width - 1, height - 1], [0, height - 1]]
        placed = outline(matrix, ends)
        if np.isfinite(placed).all():
            across_px = float(np.linalg.norm(placed[1] - placed[0]) + np.linalg.norm(placed[2] - placed[3])) / 2
            if (width - 1) / across_px < SHRINKING:
                image, smaller = shrunk(image, (width - 1) / across_px, placed)
                matrix = smaller @ matrix
        sampled = cv2.warpPerspective(
            image, matrix, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(sampled, np.uint8)

    def rectified(self, image: Image, width: int, height: int, margin: float) -> Image:
        """(height, width, 3) uint8 BGR: the playing surface from above; margin is a share of the size."""
        x = ((np.arange(width) + 0.5) / width - margin) / (1 - 2 * margin)
        y = ((np.arange(height) + 0.5) / height - margin) / (1 - 2 * margin)
        return self._sample(image, x, y)

    def _sample(self, image: Image, x: FloatArray, y: FloatArray) -> Image:
        """Colours at the plane's crossings of x (W,) and y (H,); shrinks the picture first where sampling would skip pixels."""
        if self.bend is not None:
            return self._sampled_bent(image, np.stack(np.meshgrid(x, y), axis=-1))
        matrix = self._to_straight
        scale = len(x) / self.width_px
        if scale < SHRINKING:
            ends = [[x[0], y[0]], [x[-1], y[0]], [x[-1], y[-1]], [x[0], y[-1]]]
            image, smaller = shrunk(image, scale, outline(matrix, ends))
            matrix = smaller @ matrix
        charts = _charts(matrix.tobytes(), x.tobytes(), y.tobytes())
        sampled = cv2.remap(image, *charts, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(sampled, np.uint8)

    def _sampled_bent(self, image: Image, plane: FloatArray) -> Image:
        """Colours at (H, W, 2) places of the plane in a picture that the lens bends; shrinks it first as for a straight one."""
        places = self.to_picture(plane)
        step = float(np.hypot(*np.diff(places, axis=1).reshape(-1, 2).T).mean())
        if np.isfinite(places).all() and 1 / step < SHRINKING:
            image, smaller = shrunk(image, 1 / step, places.reshape(-1, 2))
            places = apply_homography(smaller, places)
        across, down = np.moveaxis(places.astype(np.float32), -1, 0)
        sampled = cv2.remap(image, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(sampled, np.uint8)


@lru_cache(CHARTS_KEPT)
def _charts(matrix: bytes, x: bytes, y: bytes) -> tuple[Chart, Chart]:
    """(H, W) px of a picture, across and down, of the crossings of x (W,) and y (H,); a (3, 3) matrix leads there. All float64."""
    to_picture = np.frombuffer(matrix).reshape(3, 3)
    # A sum of what the columns and what the rows add takes a seventh of the time of a matrix product a pixel.
    across, down = to_picture[:, :1] * np.frombuffer(x) + to_picture[:, 2:], to_picture[:, 1:2] * np.frombuffer(y)
    horizontal, vertical, depth = (down[i][:, None] + across[i] for i in range(3))
    return np.asarray(horizontal / depth, np.float32), np.asarray(vertical / depth, np.float32)


def apply_homography(matrix: FloatArray, points: npt.ArrayLike) -> FloatArray:
    """Points (..., 2) through a 3 x 3 homography; a point on the horizon comes out infinite."""
    values = np.asarray(points, np.float64)
    homogeneous = values @ matrix[:, :2].T + matrix[:, 2]
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(homogeneous[..., :2] / homogeneous[..., 2:])


def apart(before: npt.ArrayLike, after: npt.ArrayLike) -> float:
    """Largest distance of two boards' corners, (4, 2) px each in the same order, as a share of the latter's rows' length."""
    old, new = np.asarray(before), np.asarray(after)
    width = (np.linalg.norm(new[1] - new[0]) + np.linalg.norm(new[2] - new[3])) / 2
    return float(np.linalg.norm(new - old, axis=1).max() / max(width, 1e-6))


def lies_as_drawn(corners: Corners) -> bool:
    """Whether a board (4, 2) px is an upright rectangle, as a broadcast's diagram is: hardly any camera hangs so true."""
    sides = np.abs(np.roll(corners, -1, axis=0) - corners)
    return bool(sides.min(axis=1).max() < AS_DRAWN * sides.max())


def covers_middle(corners: Corners, other: Corners) -> bool:
    """Whether the middle of another board, (4, 2) px as this one, lies in this one."""
    x, y = other.mean(axis=0)
    return cv2.pointPolygonTest(corners, (float(x), float(y)), False) >= 0


def canonical_left(column: int) -> int:
    """The leftmost px of a column 0-23 in the canonical picture; it is PITCH wide."""
    place = column % 12
    return MARGIN_X + PITCH * (place if place < 6 else place + 1)
