"""Training samples for the network that counts borne-off checkers: what lies beside the quarters of drawn boards.

A sample set is a folder of .npz files: pictures (n, HEIGHT, WIDTH, 3) uint8 BGR, counts (n, 2) int16 of the lighter and the darker
side, and heat (n, 2, ROWS, COLUMNS) uint8, where each side's checkers lie (255: the middle of one).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.geometry import CANONICAL_HEIGHT, MARGIN_Y, BoardGeometry, apply_homography
from vision.frame import Image
from vision.reading.appearance import colour_of_columns
from vision.reading.trays import DETAIL, HEIGHT, QUARTERS, SWATCH, WIDTH, side_colours, tray_picture
from vision.training.borne_off import BorneOff, borne_off
from vision.training.canvas import on_plane
from vision.training.columns_data import jittered
from vision.training.drawn import developed
from vision.training.paint import Drawing, draw
from vision.training.paint_borne_off import lay, near_walls
from vision.training.scene import ASIDE, DrawnScene, axes_of
from vision.training.strange import think_up_strange
from vision.training.texture import Rng
from vision.training.thought_up import think_up

FloatArray = npt.NDArray[np.float64]

MARGIN = 0.4
"""Table drawn around the playing surface, board widths."""
SCALE = 420
"""Canvas px per board width: about as many as a picture of a tray has."""
SIZES = ((640, 360), (640, 480), (960, 540), (1280, 720), (1280, 960), (720, 960))
STRANGE = 0.5
NO_TRAYS = 0.3
"""Share of boards whose trays are taken away; the others' are made wider or narrower."""
CELL = 8
ROWS, COLUMNS = (HEIGHT - SWATCH) // CELL, WIDTH // CELL
"""Of the map of places."""
SPREAD = 0.8
"""Deviation of a checker's place in the heat, cells."""


@dataclass(frozen=True)
class Table:
    """A photograph of a drawn board and of what lies beside it.

    picture: (H, W, 3) uint8 BGR; geometry: of the board in it, with the bar; drawing, scene, off: what it was taken from.
    """

    picture: Image
    geometry: BoardGeometry
    drawing: Drawing
    scene: DrawnScene
    off: BorneOff


def drawn_table(seed: int, *, in_full: bool = False) -> Table:
    """The board of this seed. in_full: beside it lie, mostly, those of 15 a side that do not lie on it; else any number."""
    rng = np.random.default_rng([seed, 11])
    scene = (think_up_strange if rng.random() < STRANGE else think_up)(rng)
    scene = _furnished(rng, scene)
    onto = tuple(one for one in scene.checkers if one.column != ASIDE)
    missing = [15 - sum(one.side == side for one in onto) for side in (0, 1)]
    off = borne_off(rng, scene, missing if in_full else None)
    scene = replace(scene, checkers=onto + off.flat)
    drawing = draw(scene, rng, MARGIN, scale=SCALE, near=near_walls, lay=partial(lay, off))
    picture, to_picture = _photographed(drawing, scene, rng)
    return Table(picture, _geometry(scene, to_picture), drawing, scene, off)


def drawn_trays(seed: int) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int16], npt.NDArray[np.uint8]]:
    """Pictures, counts and heat of the four quarters of the board of this seed."""
    table = drawn_table(seed)
    seen_as = jittered(table.geometry, np.random.default_rng([seed, 12]))
    colours = _colours(table, seen_as)
    pictures = np.stack([tray_picture(table.picture, seen_as, quarter, colours) for quarter in range(QUARTERS)])
    heat = np.stack([_heat(table, seen_as, quarter) for quarter in range(QUARTERS)])
    return pictures, table.off.counts.astype(np.int16), heat


def _furnished(rng: Rng, scene: DrawnScene) -> DrawnScene:
    """The same board with trays as wide as checkers need them, or without."""
    shape = scene.shape
    if rng.random() < NO_TRAYS:
        return replace(scene, shape=replace(shape, trays=(0.0, 0.0)))
    wide = scene.diameter * (rng.uniform(1.02, 1.35) if rng.random() < 0.75 else rng.uniform(1.35, 2.4))
    both = rng.random() < 0.85
    return replace(scene, shape=replace(shape, trays=(wide, wide if both else 0.0)))


def _photographed(drawing: Drawing, scene: DrawnScene, rng: Rng) -> tuple[Image, FloatArray]:
    """The drawing as the scene's camera takes it, mostly with the trays in view; the homography from canvas to picture px."""
    shape, camera = scene.shape, np.array(scene.camera)
    plane = np.stack([np.array([a[0], a[1], -a @ camera]) for a in axes_of(scene, rng, 0.05, 0.04)])
    left, right = (shape.rim + (tray + shape.rim if tray else scene.diameter) for tray in shape.trays)
    if rng.random() < 0.12:
        left, right = 0.0, 0.0
    outer = np.array([[-left, 0], [1 + right, 0], [1 + right, shape.height], [-left, shape.height]])
    seen = apply_homography(plane, outer)
    width, height = SIZES[int(rng.integers(len(SIZES)))]
    extent, middle = seen.max(axis=0) - seen.min(axis=0), (seen.max(axis=0) + seen.min(axis=0)) / 2
    scale = min(width * rng.uniform(0.55, 0.98) / extent[0], height * rng.uniform(0.55, 0.98) / extent[1])
    free = np.maximum(np.array([width, height]) / 2 - extent * scale / 2, 0)
    shift = rng.uniform(-1, 1, 2) * free * rng.random()
    place = np.array(
        [[scale, 0, width / 2 - middle[0] * scale + shift[0]], [0, scale, height / 2 - middle[1] * scale + shift[1]]]
    )
    from_canvas = np.array([[1 / SCALE, 0, -MARGIN], [0, 1 / SCALE, -MARGIN], [0, 0, 1]])
    to_picture = np.vstack([place, [0, 0, 1]]) @ plane @ from_canvas
    edge = drawing.image[:20].reshape(-1, 3).mean(axis=0).tolist()
    image = cv2.warpPerspective(
        drawing.image, to_picture, (width, height), flags=cv2.INTER_AREA, borderValue=(edge[0], edge[1], edge[2])
    )
    return developed(np.asarray(image, np.uint8), rng, plain=scene.plain), to_picture


def _geometry(scene: DrawnScene, to_picture: FloatArray) -> BoardGeometry:
    tall = scene.shape.height
    corners = (np.array([[0, 0], [1, 0], [1, tall], [0, tall]]) + MARGIN) * SCALE
    return BoardGeometry(apply_homography(to_picture, corners).astype(np.float32), scene.shape.bar)


def _colours(table: Table, seen_as: BoardGeometry) -> npt.NDArray[np.uint8]:
    """(2, 3) BGR of both sides, as the reader gets them from the checkers on the points."""
    scene, exact = table.scene, table.geometry
    heat = np.zeros((48, 56), np.float32)
    for checker, (x, y, _) in zip(scene.checkers, table.drawing.discs, strict=True):
        if checker.column == ASIDE:
            continue
        plane = seen_as.to_plane(exact.to_picture([[x / SCALE - MARGIN, (y / SCALE - MARGIN) / scene.shape.height]]))[0]
        column = float(seen_as.canonical_x(plane[0])) / 4 - 0.5
        row = (MARGIN_Y + plane[1] * (CANONICAL_HEIGHT - 2 * MARGIN_Y)) / 4 - 0.5
        gap = (np.arange(48)[:, None] - row) ** 2 + (np.arange(56)[None] - column) ** 2
        heat = np.maximum(heat, np.exp(-gap / 2)).astype(np.float32)
    looks = colour_of_columns(seen_as.canonical(table.picture), heat)
    counts = np.array(scene.counts[:24])
    return side_colours(looks, (counts > 0).T.astype(np.float32))


def _heat(table: Table, seen_as: BoardGeometry, quarter: int) -> npt.NDArray[np.uint8]:
    """(2, ROWS, COLUMNS) where each side's checkers lie in the picture of this quarter."""
    scene, exact = table.scene, table.geometry
    heat = np.zeros((2, ROWS, COLUMNS), np.float32)
    camera = np.array(scene.camera)
    for x, y, z, side in table.off.places:
        if (x > 0.5) != (quarter % 2 == 1) or (y > scene.shape.height / 2) != (quarter >= 2):
            continue
        seen = on_plane([x, y, z], camera)
        plane = seen_as.to_plane(exact.to_picture([[seen[0], seen[1] / scene.shape.height]]))[0]
        column, row = seen_as.tray_px(plane, quarter, DETAIL) / CELL - 0.5
        gap = (np.arange(ROWS)[:, None] - row) ** 2 + (np.arange(COLUMNS)[None] - column) ** 2
        heat[side] = np.maximum(heat[side], np.exp(-gap / 2 / SPREAD**2))
    return np.round(heat * 255).astype(np.uint8)
