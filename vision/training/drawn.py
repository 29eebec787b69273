"""A drawn board as a photograph of it with its truth: what every training set of the vision part starts from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.geometry import apply_homography
from vision.frame import Corners, Image
from vision.training import texture
from vision.training.beyond import beyond_usual
from vision.training.canvas import HAND, Canvas
from vision.training.paint import Drawing, draw
from vision.training.positions import any_position
from vision.training.scene import ASIDE, DrawnScene, axes_of, next_place
from vision.training.standing import MOST as MOST_STANDING
from vision.training.strange import think_up_strange
from vision.training.texture import Rng
from vision.training.thought_up import Placing, think_up

FloatArray = npt.NDArray[np.float64]

SCALE = 480
"""Canvas px per board width: the network's picture has 416, so that the edge of a second layer still shows."""
MARGIN = 0.1
"""Table drawn around the playing surface, board widths; the networks see 0.06 of it."""
PICTURE_SIZES = ((640, 360), (640, 480), (480, 640), (512, 512), (960, 540), (1280, 720))
SIZE_SHARES = (0.2, 0.15, 0.05, 0.08, 0.27, 0.25)
HIDDEN_SHARE = 0.5
"""A column counts as hidden when a hand covers this share of it, or most of one of its checkers."""


NEXT_COVERED = 0.7
BEYOND, STANDING = 3, 4
"""Name the streams of chance that make a board unusual, and stand things on it; the corners' is 1."""


@dataclass(frozen=True)
class DrawnBoard:
    """A photograph of a drawn board.

    picture: (H, W, 3) uint8 BGR; corners: (4, 2) float32, px; bar: its edges as shares of the width.
    counts: (25, 2) int, lighter and darker checkers a column, the bar last; hidden: (25,) bool, a hand is in the way.
    checkers: (n, 5) float32: x, y of the upper face on the board plane, side, column, share of the face in view.
    colours: (2, 3) float32, BGR of the lighter and the darker side before light and camera.
    """

    picture: Image
    corners: Corners
    bar: tuple[float, float]
    counts: npt.NDArray[np.int64]
    hidden: npt.NDArray[np.bool_]
    checkers: npt.NDArray[np.float32]
    colours: npt.NDArray[np.float32]


def drawn_board(
    seed: int,
    *,
    strange: bool = False,
    traced: bool = False,
    beyond: bool = False,
    standing: bool = False,
    scale: int = SCALE,
    placing: Placing = any_position,
) -> DrawnBoard:
    """The board of this seed, or the strange one; the same on every machine with the same NumPy and OpenCV.

    traced: its checkers are lit by rays instead of painted, which needs Numba. beyond: made or taken as few boards are
    (`vision.training.beyond`). standing: with things where a column's next checker would come (`vision.training.standing`).
    scale: canvas px per board width. placing: what position lies on it.
    """
    rng = np.random.default_rng(seed)
    scene = (think_up_strange if strange else think_up)(rng, placing=placing)
    if beyond:
        scene = beyond_usual(np.random.default_rng([seed, BEYOND]), scene)
    if standing:
        scene = replace(scene, standing=int(np.random.default_rng([seed, STANDING]).integers(1, MOST_STANDING + 1)))
    drawing = draw(scene, rng, MARGIN, scale=scale, lay=_rays() if traced else None)
    picture, to_picture = _photographed(drawing, scene, rng)
    corners = np.array([[0, 0], [1, 0], [1, scene.shape.height], [0, scene.shape.height]])
    pixels = apply_homography(to_picture, (corners + MARGIN) * scale).astype(np.float32)
    checkers = checker_rows(drawing, scene)
    return DrawnBoard(
        picture=picture,
        corners=pixels,
        bar=scene.shape.bar,
        counts=np.array(scene.counts, np.int64),
        hidden=hidden_columns(drawing, scene, checkers),
        checkers=checkers,
        colours=np.array(scene.palette.checkers, np.float32),
    )


def _rays() -> Callable[[Canvas, Rng], FloatArray]:
    """What lays checkers in the light of rays; only who asks for it needs Numba."""
    from vision.training.traced import traced_checkers

    return traced_checkers


def checker_rows(drawing: Drawing, scene: DrawnScene, margin: float = MARGIN) -> npt.NDArray[np.float32]:
    """(n, 5) of `DrawnBoard`. margin: of table in the drawing, board widths."""
    seen = np.bincount(drawing.owner.ravel(), minlength=256)
    rows = []
    for index, (checker, (x, y, radius)) in enumerate(zip(scene.checkers, drawing.discs, strict=True)):
        plane = (x / drawing.scale - margin, (y / drawing.scale - margin) / scene.shape.height)
        rows.append([*plane, checker.side, checker.column, seen[index + 1] / (np.pi * radius**2)])
    return np.array(rows, np.float32).reshape(-1, 5)


def hidden_columns(
    drawing: Drawing, scene: DrawnScene, checkers: npt.NDArray[np.float32], margin: float = MARGIN
) -> npt.NDArray[np.bool_]:
    """(25,) bool: where a hand covers so much that nobody could count: half of a column, a checker, or the next one's place.

    checkers: as `DrawnBoard` has them. margin: of table in the drawing, board widths.
    """
    hand = drawing.owner == HAND
    hidden = np.zeros(25, bool)
    if not hand.any():
        return hidden
    shape, scale = scene.shape, drawing.scale
    for column in range(25):
        x = sum(shape.bar) / 2 if column == 24 else shape.columns[column % 12]
        y0, y1 = (0, 0.42) if column < 12 else (0.58, 1.0) if column < 24 else (0.1, 0.9)
        x0, x1 = (int((x + side * shape.pitch / 2 + margin) * scale) for side in (-1, 1))
        rows = slice(int((y0 * shape.height + margin) * scale), int((y1 * shape.height + margin) * scale))
        hidden[column] = hand[rows, x0:x1].mean() > HIDDEN_SHARE
    for (x, y, radius), (_, _, _, column, share) in zip(drawing.discs, checkers, strict=True):
        near = hand[int(max(y - radius, 0)) : int(y + radius), int(max(x - radius, 0)) : int(x + radius)]
        if column != ASIDE and share < 0.4 and near.size and near.mean() > 0.4:
            hidden[int(column)] = True
    for column in range(24):
        hidden[column] |= _next_hidden(hand, scene, column, scale, margin)
    return hidden


def _next_hidden(hand: npt.NDArray[np.bool_], scene: DrawnScene, column: int, scale: int, margin: float) -> bool:
    """Whether a hand covers the place of the checker that would come next on this column, so that one may lie there."""
    place = next_place(scene, column)
    if place is None:
        return False
    centre, radius = (place + margin) * scale, scene.diameter * scale / 2
    x0, y0 = np.maximum((centre - radius).astype(int), 0)
    x1, y1 = (centre + radius).astype(int)
    covered = hand[y0:y1, x0:x1]
    return bool(covered.size and covered.mean() > NEXT_COVERED)


def _photographed(drawing: Drawing, scene: DrawnScene, rng: Rng) -> tuple[Image, FloatArray]:
    """The drawing as the scene's camera takes it, and the homography from canvas px to picture px."""
    to_image, size = _camera_view(scene, rng, drawing.scale)
    edge = drawing.image[:20].reshape(-1, 3).mean(axis=0)
    border = (float(edge[0]), float(edge[1]), float(edge[2]))
    picture = cv2.warpPerspective(drawing.image, to_image, size, flags=cv2.INTER_LINEAR, borderValue=border)
    return developed(np.asarray(picture, np.uint8), rng, plain=scene.plain), to_image


def _camera_view(scene: DrawnScene, rng: Rng, finely: int = SCALE) -> tuple[FloatArray, tuple[int, int]]:
    """Canvas px to picture px for a camera that looks at about the board's middle; the picture's size.

    finely: canvas px per board width.
    """
    camera = np.array(scene.camera)
    axes = axes_of(scene, rng, 0.05, 0.04)
    plane = np.stack([np.array([axis[0], axis[1], -axis @ camera]) for axis in axes])
    corners = apply_homography(plane, np.array([[0, 0], [1, 0], [1, scene.shape.height], [0, scene.shape.height]]))
    width, height = PICTURE_SIZES[int(rng.choice(len(PICTURE_SIZES), p=SIZE_SHARES))]
    extent = corners.max(axis=0) - corners.min(axis=0)
    scale = min(width * rng.uniform(0.5, 0.97) / extent[0], height * rng.uniform(0.5, 1.0) / extent[1])
    middle = (corners.max(axis=0) + corners.min(axis=0)) / 2
    free = np.maximum(np.array([width, height]) / 2 - extent * scale / 2, 0)
    shift = rng.uniform(-1, 1, 2) * free * rng.random()
    place = np.array(
        [
            [scale, 0, width / 2 - middle[0] * scale + shift[0]],
            [0, scale, height / 2 - middle[1] * scale + shift[1]],
            [0, 0, 1],
        ]
    )
    from_canvas = np.array([[1 / finely, 0, -MARGIN], [0, 1 / finely, -MARGIN], [0, 0, 1]])
    return place @ plane @ from_canvas, (width, height)


@dataclass(frozen=True)
class Chemistry:
    """How far a camera may stray: deviations of exposure's power and level, half widths of the other ranges about none."""

    balance: float
    power: float
    contrast: tuple[float, float]
    level: float
    dim: float
    noise: float
    blur: float
    packed: int


ROUGH = Chemistry(balance=0.15, power=0.3, contrast=(0.6, 1.3), level=8, dim=0.2, noise=9, blur=1.5, packed=35)
GOOD = Chemistry(balance=0.1, power=0.15, contrast=(0.85, 1.15), level=4, dim=0.0, noise=4, blur=1.0, packed=60)


def developed(picture: Image, rng: Rng, *, plain: bool = False) -> Image:
    """Blur, exposure, white balance, dark corners, noise, faded colour and JPEG, as cameras and the web leave them.

    plain: by a good camera that was held still.
    """
    camera = GOOD if plain else ROUGH
    if rng.random() < 0.6:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.3, camera.blur)), np.uint8)
    if not plain and rng.random() < 0.08:
        length = int(rng.integers(3, 7))
        kernel = np.zeros((length, length), np.float32)
        cv2.line(kernel, (0, int(rng.integers(length))), (length - 1, int(rng.integers(length))), 1.0)
        picture = np.asarray(cv2.filter2D(picture, -1, kernel / kernel.sum()), np.uint8)
    picture = _exposed(picture, camera, rng)
    height, width = picture.shape[:2]
    noise = texture.sensor_noise()
    y, x = int(rng.integers(0, noise.shape[0] - height)), int(rng.integers(0, noise.shape[1] - width))
    strength = np.float32(rng.uniform(0, camera.noise))
    picture = np.asarray(cv2.add(picture, noise[y : y + height, x : x + width] * strength, dtype=cv2.CV_8U), np.uint8)
    if rng.random() < 0.3:
        hsv = cv2.cvtColor(picture, cv2.COLOR_BGR2HSV)
        hsv[..., 1] = np.clip(hsv[..., 1] * rng.uniform(0.3, 1.3), 0, 255)
        picture = np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR), np.uint8)
    _, packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(camera.packed, 96))])
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


def _exposed(picture: Image, camera: Chemistry, rng: Rng) -> Image:
    """Other light on the sensor: colour, power, level, contrast, and corners that get less of it."""
    dim = rng.uniform(0.25, 0.7) if rng.random() < camera.dim else 1.0
    levels = np.arange(256)[:, None] * rng.uniform(1 - camera.balance, 1 + camera.balance, 3)[None]
    levels = 255 * np.clip(levels / 255, 0, 1) ** np.exp(rng.normal(0, camera.power)) * dim
    mean = picture[::4, ::4].mean() * dim
    levels = np.clip((levels - mean) * rng.uniform(*camera.contrast) + mean + rng.normal(0, camera.level), 0, 255)
    picture = np.asarray(cv2.LUT(picture, np.round(levels).astype(np.uint8).reshape(1, 256, 3)), np.uint8)
    if rng.random() < 0.25:
        height, width = picture.shape[:2]
        away = np.linspace(-1, 1, height)[:, None] ** 2 + np.linspace(-1, 1, width)[None] ** 2
        fall = (1 - away / 2 * rng.uniform(0.05, 0.4)).astype(np.float32)
        picture = np.asarray(cv2.multiply(picture, cv2.merge([fall] * 3), dtype=cv2.CV_8U), np.uint8)
    return picture
