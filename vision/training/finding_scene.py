"""A picture with a board somewhere in it, or with none, and where its playing surface lies: what finding is learnt from."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.geometry import apply_homography
from vision.frame import Corners, Image
from vision.training.canvas import SCALE
from vision.training.drawn import developed
from vision.training.finding_clutter import captioned, surroundings
from vision.training.finding_frame import BoardFrame
from vision.training.finding_makes import (
    PLAYERS,
    banded,
    cut_into,
    framed_picture,
    over_a_rail,
    reached_over,
    softened,
    taken_near,
)
from vision.training.finding_view import MOST_BEND, Perspective, corners_of, seen_from_anywhere, view_of
from vision.training.paint import Drawing, draw
from vision.training.scene import DrawnScene, Shape
from vision.training.strange import think_up_strange
from vision.training.texture import Rng
from vision.training.thought_up import think_up

FloatArray = npt.NDArray[np.float64]
REACH = 0.36
"""Table drawn with the board, board widths: trays of 0.16 between rims of 0.06 need 0.28, walls and hands the rest."""

NO_BOARD = 0.14
SECOND_BOARD = 0.14
FINEST_BOARDS = 1.6
"""Boards for a course are drawn so fine at least: the views from above that strips are cut from show 400 px of their width."""
STRANGE = 0.62
"""The rest is ordinary boards, most of them well lit: where only strange ones were learnt from, all corners became less exact."""
CUT_CLOSE = 0.25
STRANGE_BEND = 0.12
ORDINARY_CUT_CLOSE, ORDINARY_PLAYERS = 0.12, 0.12
METERED = 0.75
"""Share of strange pictures by cameras that make up for little or much light."""
SMALLEST = 96
"""px: pictures are not cut smaller."""
HIGH_WALLS = 0.45
"""Boards of wood and cases have walls of 3 to 6 % of the width, and the near one hides the field's edge."""


@dataclass(frozen=True)
class FindingScene:
    """picture: (H, W, 3) uint8 BGR; corners: (4, 2) float32 px of the playing surface, rows at top and bottom; None: no board."""

    picture: Image
    corners: Corners | None


class SceneMaker:
    """Draws scenes, and keeps a few boards to lie beside the next."""

    def __init__(self, seed: int, finer: float = 1.0, *, strange: bool = False, no_board: float = NO_BOARD) -> None:
        """finer: times the usual pictures of 640 px and boards of SCALE, for a closer look; strange: mostly such boards; no_board:
        share of scenes without one."""
        self._no_board = no_board
        self._rng = np.random.default_rng(seed)
        self._finer = finer
        self._strange = STRANGE if strange else 0.0
        self._scale = round(SCALE * (max(finer, FINEST_BOARDS) if strange else finer))
        self._others: deque[tuple[Drawing, DrawnScene]] = deque(maxlen=12)

    def make(self) -> FindingScene:
        """The next scene."""
        rng = self._rng
        strange = self._strange > 0 and rng.random() < self._strange
        scene = _varied(seen_from_anywhere(think_up_strange(rng) if strange else think_up(rng), rng), rng)
        if strange:
            scene = taken_near(over_a_rail(_turned(banded(_walled(scene, rng), rng), rng, 0.5), rng), rng)
        elif self._strange:
            scene = over_a_rail(_turned(scene, rng, 0.75), rng)
        view = view_of(scene, rng, self._finer, STRANGE_BEND if strange else MOST_BEND)
        depth = -rng.uniform(0, 0.09)
        picture = surroundings(view, depth, rng)
        empty = rng.random() < self._no_board
        if self._others and not empty and rng.random() < SECOND_BOARD:
            self._second_board(picture, view, depth)
        corners = None
        if not empty:
            frame = BoardFrame(REACH)
            drawing = draw(scene, rng, REACH, frame.dress, self._scale, frame.near)
            self._others.append((drawing, scene))
            _composed(picture, drawing, view.plane(0) @ _from_canvas(self._scale), rng)
            corners = view.bent(apply_homography(view.plane(0), corners_of(scene))).astype(np.float32)
        picture = view.through_lens(picture)
        players = PLAYERS if strange else ORDINARY_PLAYERS if self._strange else 0.0
        if corners is not None and rng.random() < players:
            reached_over(picture, corners, rng)
        picture = _lit(picture, rng)
        if strange and rng.random() < METERED:
            picture = _metered(picture, rng)
        if rng.random() < 0.06 and (corners is None or _away_from_edges(corners, view.size)):
            picture = captioned(picture, rng)
        close = CUT_CLOSE if strange else ORDINARY_CUT_CLOSE if self._strange else 0.0
        if corners is not None and rng.random() < close:
            picture, corners = _cut_close(picture, corners, rng)
        elif strange and corners is not None:
            picture, corners = cut_into(picture, corners, rng)
        picture = developed(picture, rng, plain=scene.plain and self._strange > 0 and not strange)
        if strange:
            picture, corners = framed_picture(picture, corners, rng)
        return FindingScene(picture, corners)

    def _second_board(self, picture: Image, view: Perspective, z: float) -> None:
        """Lays an earlier board beside where the main one will lie, most of it out of the picture or covered."""
        rng = self._rng
        drawing, scene = self._others[int(rng.integers(len(self._others)))]
        angle, turn = (
            rng.choice([0, 1, 2, 3]) * np.pi / 2 + rng.normal(0, 0.2),
            rng.choice([0, np.pi / 2]) + rng.normal(0, 0.1),
        )
        away = np.array([np.cos(angle) * 1.45, np.sin(angle) * 1.25]) * rng.uniform(0.95, 1.25)
        size = rng.uniform(0.6, 0.95)
        cos, sin = np.cos(turn) * size, np.sin(turn) * size
        middle = np.array([0.5 * cos - scene.shape.height / 2 * sin, 0.5 * sin + scene.shape.height / 2 * cos])
        x, y = np.array([0.5, 0.4]) + away - middle
        place = np.array([[cos, -sin, x], [sin, cos, y], [0, 0, 1]])
        _overlaid(picture, drawing, view.plane(z) @ place @ _from_canvas(self._scale))


def _varied(scene: DrawnScene, rng: Rng) -> DrawnScene:
    """Frames that are thinner, wider, of the tray's or the field's colour, or missing, than boards for reading need."""
    shape, palette = scene.shape, scene.palette
    kind = rng.random()
    if kind < 0.10:
        shape = replace(shape, rim_z=0.0, bar_z=0.0, rim=rng.uniform(0.004, 0.12), trays=(0.0, 0.0))
    elif kind < 0.3:
        shape = replace(shape, rim=rng.uniform(0.008, 0.02 if rng.random() < 0.5 else 0.09))
    if rng.random() < HIGH_WALLS:
        high = rng.uniform(0.025, 0.07)
        shape = replace(shape, rim_z=high, bar_z=high if shape.bar_z else 0.0)
    shape = _fitting(shape)
    kind = rng.random()
    if kind < 0.12:
        palette = replace(palette, tray=palette.field)
    elif kind < 0.2:
        palette = replace(palette, frame=np.asarray(palette.field * rng.uniform(0.7, 1.3), np.float32))
    elif kind < 0.28:
        palette = replace(palette, table=palette.frame)
    return replace(scene, shape=shape, palette=palette)


def _walled(scene: DrawnScene, rng: Rng) -> DrawnScene:
    """Rails as high as on old wooden boards; boxes that fold, without trays, of one wood inside and out."""
    shape, palette = scene.shape, scene.palette
    if rng.random() < 0.4:
        high = rng.uniform(0.04, 0.15)
        shape = replace(shape, rim_z=high, bar_z=high * rng.uniform(0.3, 1.0) if shape.bar_z else 0.0)
    if rng.random() < 0.45:
        wide = rng.uniform(0.008, 0.06)
        shape = replace(shape, trays=(0.0, 0.0), rim=wide)
        seam = shape.bar[0] + shape.bar[1]
        if rng.random() < 0.5:
            shape = replace(shape, bar=((seam - 2 * wide) / 2, (seam + 2 * wide) / 2))
    if rng.random() < 0.25:
        palette = replace(palette, field=np.asarray(palette.frame * rng.uniform(0.8, 1.25), np.float32))
    return replace(scene, shape=_fitting(shape), palette=palette)


def _turned(scene: DrawnScene, rng: Rng, as_it_is: float) -> DrawnScene:
    """The other boards stand upright in the picture, or on their heads."""
    if rng.random() < as_it_is:
        return scene
    turn = rng.choice([-0.5, 0.5, 1.0]) * np.pi + rng.normal(0, 0.2)
    flat = np.hypot(scene.camera[0] - 0.5, scene.camera[1] - scene.shape.height / 2)
    camera = (0.5 + flat * np.sin(turn), scene.shape.height / 2 + flat * np.cos(turn), scene.camera[2])
    return replace(scene, camera=camera, azimuth=float(turn))


def _cut_close(picture: Image, corners: Corners, rng: Rng) -> tuple[Image, Corners]:
    """The picture cut near the playing surface, so that most of the frame is out of it."""
    low, high = corners.min(axis=0), corners.max(axis=0)
    room = (high - low) * np.clip(rng.exponential(0.04, (2, 2)), 0.002, 0.3)
    x0, y0 = np.maximum(low - room[0], 0).astype(int).tolist()
    x1, y1 = np.minimum(high + room[1] + 1, [picture.shape[1], picture.shape[0]]).astype(int).tolist()
    if x1 - x0 < SMALLEST or y1 - y0 < SMALLEST:
        return picture, corners
    return np.ascontiguousarray(picture[y0:y1, x0:x1]), (corners - [x0, y0]).astype(np.float32)


def _fitting(shape: Shape) -> Shape:
    widest = max(shape.trays)
    room = (REACH - 0.03 - widest) / 2 if widest else REACH - 0.05
    return replace(shape, rim=min(shape.rim, room))


def _from_canvas(scale: float) -> FloatArray:
    return np.array([[1 / scale, 0, -REACH], [0, 1 / scale, -REACH], [0, 0, 1]])


def _composed(picture: Image, drawing: Drawing, to_picture: FloatArray, rng: Rng) -> None:
    """The board with its shadow, and whatever lies on or reaches over it, laid over the picture."""
    size = (picture.shape[1], picture.shape[0])
    body = np.where(drawing.owner > 0, 255, 0).astype(np.uint8)
    shade = cv2.warpPerspective(body, to_picture, size)
    move = rng.normal(0, 0.012 * size[0], 2)
    shade = cv2.warpAffine(shade, np.array([[1, 0, move[0]], [0, 1, move[1]]]), size)
    soft = softened(shade.astype(np.float32) / 255, rng.uniform(1, 12))
    lit = 1 - soft * np.float32(rng.uniform(0, 0.7))
    picture[:] = cv2.multiply(picture, cv2.merge([lit] * 3), dtype=cv2.CV_8U)
    _overlaid(picture, drawing, to_picture)


def _overlaid(picture: Image, drawing: Drawing, to_picture: FloatArray) -> None:
    size = (picture.shape[1], picture.shape[0])
    solid = np.where(drawing.owner > 0, 255, 0).astype(np.uint8)
    alpha = cv2.warpPerspective(solid, to_picture, size, flags=cv2.INTER_LINEAR).astype(np.float32) / 255
    seen = cv2.warpPerspective(drawing.image, to_picture, size, flags=cv2.INTER_LINEAR)
    picture[:] = cv2.blendLinear(picture, seen, 1 - alpha, alpha)


def _away_from_edges(corners: Corners, size: tuple[int, int]) -> bool:
    """Whether captions at the picture's edges leave the board alone."""
    room = np.array(size) * 0.13
    return bool((corners > room).all() and (corners < np.array(size) - room).all())


def _metered(picture: Image, rng: Rng) -> Image:
    """As bright on the whole as a camera by itself makes it."""
    gain = rng.uniform(75, 150) / max(float(picture.mean()), 4.0)
    return np.asarray(cv2.convertScaleAbs(picture, alpha=float(np.clip(gain, 0.5, 6.0))), np.uint8)


def _lit(picture: Image, rng: Rng) -> Image:
    """Light that falls off over the whole picture, a lamp's pool, a window's bars."""
    height, width = picture.shape[:2]
    slope = cv2.resize(rng.normal(0, 1, (3, 3)).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
    factor = np.exp(slope * np.float32(rng.uniform(0, 0.35)))
    if rng.random() < 0.2:
        x, y = ((np.arange(n) - rng.uniform(0, n)) / width for n in (width, height))
        narrow = rng.uniform(2, 14)
        across, down = (np.exp(-(away**2) * narrow).astype(np.float32) for away in (x, y))
        factor = factor * (np.float32(0.25) + down[:, None] * across)
    if rng.random() < 0.2:
        band = np.zeros((height, width), np.uint8)
        for _ in range(int(rng.integers(1, 4))):
            through, angle = rng.uniform(0, [width, height]), rng.uniform(0, 6.3)
            along = np.array([np.cos(angle), np.sin(angle)]) * 2000
            across = np.array([-np.sin(angle), np.cos(angle)]) * rng.uniform(10, 150)
            quad = np.array(
                [through + along + across, through + along - across, through - along - across, through - along + across]
            )
            cv2.fillConvexPoly(band, quad.astype(np.int32), 255)
        soft = softened(band.astype(np.float32) / 255, rng.uniform(0.8, 9))
        factor = factor * (1 - soft * np.float32(rng.uniform(0.2, 0.8)))
    return np.asarray(cv2.multiply(picture, cv2.merge([factor] * 3), dtype=cv2.CV_8U), np.uint8)
