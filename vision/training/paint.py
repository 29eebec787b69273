"""Draws a scene in the board's plane as the camera projects it there; a plain homography makes the picture of it.

A point at height z over the board, seen from a camera at height Z, shifts away from the camera's foot by z / (Z - z);
circles stay circles. Walls, checkers' sides, dice and shadows come out exact and cheap.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.frame import Image
from vision.training import decor, texture
from vision.training.canvas import MARGIN, SCALE, Canvas
from vision.training.paint_board import draw_bar, draw_body, draw_light, draw_near_walls, draw_points
from vision.training.paint_checkers import draw_checkers, draw_shadows
from vision.training.paint_hands import draw_hand
from vision.training.paint_things import draw_things
from vision.training.scene import DrawnScene
from vision.training.standing import draw_standing
from vision.training.texture import Rng

FloatArray = npt.NDArray[np.float64]

ARM, SECOND_ARM = 0.3, 0.2
"""Share of boards with an arm over them, and of strange ones with one more."""


@dataclass(frozen=True)
class Drawing:
    """A drawn board plane.

    image: (H, W, 3) uint8 BGR; owner: (H, W) uint8, what each px belongs to.
    discs: (n, 3) float64, each checker's upper face (x, y, radius) in canvas px, in the order of the scene's checkers.
    scale: canvas px per board width.
    """

    image: Image
    owner: npt.NDArray[np.uint8]
    discs: FloatArray
    scale: int


def draw(
    scene: DrawnScene,
    rng: Rng,
    margin: float = MARGIN,
    dress: Callable[[Canvas, Rng], None] | None = None,
    scale: int = SCALE,
    near: Callable[[Canvas, Rng], None] | None = None,
    moment: Rng | None = None,
    *,
    alone: bool = False,
    lay: Callable[[Canvas, Rng], FloatArray] | None = None,
) -> Drawing:
    """The whole scene: table, board, shadows, checkers, dice, cube, near walls, a hand now and then, light.

    margin: of table around the playing surface, board widths. dress: draws more on the empty board's frame.
    scale: canvas px per board width. near: goes over the near walls. moment: chooses what differs between two pictures of one
    board, such as dice and hands; rng where it is not given. alone: nothing but the board and its checkers.
    lay: puts the checkers there with their shadows and returns their upper faces; painted ones where it is not given.
    """
    canvas, only, moment = Canvas(scene, margin, scale), moment is None, moment or rng
    canvas.multiply(1 + texture.patch(rng, canvas.height, canvas.width) * np.float32(rng.uniform(0.02, 0.2)))
    draw_body(canvas, rng)
    if dress is not None:
        dress(canvas, rng)
    if scene.strange:
        decor.on_field(canvas, rng)
    bare = canvas.image
    canvas.image = bare.copy()
    draw_points(canvas, rng)
    if scene.strange:
        decor.on_points(canvas, rng, bare)
    veined = rng.uniform(0.05, 0.25) if rng.random() < 0.3 else rng.uniform(0, 0.1)
    canvas.multiply(1 + texture.patch(rng, canvas.height, canvas.width) * np.float32(veined))
    draw_bar(canvas, rng)
    if scene.strange:
        decor.fittings(canvas, rng, anywhere=only)
    discs = (lay or painted_checkers)(canvas, moment)
    if not alone:
        _strewn(canvas, moment)
    draw_near_walls(canvas, rng)
    if near is not None:
        near(canvas, rng)
    if scene.strange and not alone:
        decor.covers(canvas, rng)
    if not alone:
        _arms(canvas, moment)
    draw_light(canvas, rng)
    if scene.strange:
        decor.dazzle(canvas, rng)
    return Drawing(canvas.image, canvas.owner, discs, scale)


def painted_checkers(canvas: Canvas, rng: Rng) -> FloatArray:
    """Shadows and checkers; the checkers' upper faces (n, 3) in the scene's order."""
    draw_shadows(canvas, rng)
    return draw_checkers(canvas, rng)


def _strewn(canvas: Canvas, rng: Rng) -> None:
    """Dice, cube and whatever else lies on a board."""
    draw_things(canvas, rng)
    if canvas.scene.standing:
        draw_standing(canvas, rng)
    if canvas.scene.strange:
        decor.litter(canvas, rng)


def _arms(canvas: Canvas, rng: Rng) -> None:
    """Hands and arms over the board, now and then."""
    if rng.random() < ARM:
        draw_hand(canvas, rng)
    if canvas.scene.strange:
        if rng.random() < SECOND_ARM:
            draw_hand(canvas, rng)
        decor.sleeves(canvas, rng)
