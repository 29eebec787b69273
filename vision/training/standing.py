"""Stands cubes, dice and cups where a column's next checker would come: at the foot of an empty point, behind what lies on another.

Wherever people put a cube or a cup down, or a die comes to rest, they must not be counted as a checker.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.training.canvas import Canvas
from vision.training.paint_things import Box, body_colour, cube_faces, die_faces, draw_boxes, draw_cup, is_free
from vision.training.scene import DrawnScene, next_place
from vision.training.texture import Rng

FloatArray = npt.NDArray[np.float64]

MOST = 3
"""Things on a board."""
ON_EMPTY = 0.7
"""Share of them on empty points."""
CUBE, DIE = 0.5, 0.36
"""Share of cubes, and of dice; the others are cups."""
CUBE_SIZE, DIE_SIZE = (0.45, 1.1), (0.3, 0.55)
"""Checkers' diameters."""
ASTRAY = (0.14, 0.22)
"""How far from the checker's place, across and along, standard deviations, diameters."""


def draw_standing(canvas: Canvas, rng: Rng) -> None:
    """As many as the scene asks for, as far as there is room."""
    scene, boxes, cups = canvas.scene, list[Box](), list[FloatArray]()
    for _ in range(scene.standing):
        kind = rng.random()
        size = scene.diameter * rng.uniform(*(CUBE_SIZE if kind < CUBE else DIE_SIZE))
        body = body_colour(canvas, rng)
        at = _place(scene, rng, size)
        if at is None:
            continue
        if kind < CUBE:
            boxes.append(Box(at, 0.0, size, rng.normal(0, 0.25), cube_faces(rng, body), rng.uniform(0, 0.25)))
        elif kind < CUBE + DIE:
            faces = die_faces(rng, body, rng.uniform(0.22, 0.29), rng.uniform(0.075, 0.12))
            boxes.append(Box(at, 0.0, size, rng.uniform(0, 6.3), faces, rng.uniform(0, 0.25)))
        else:
            cups.append(at)
    draw_boxes(canvas, rng, boxes)
    for at in cups:
        draw_cup(canvas, rng, at)


def _place(scene: DrawnScene, rng: Rng, size: float) -> FloatArray | None:
    """Where something of this size stands, board lengths; None where there is no room for it."""
    empty = [column for column in range(24) if sum(scene.counts[column]) == 0]
    column = int(rng.choice(empty)) if empty and rng.random() < ON_EMPTY else int(rng.integers(24))
    across, along = rng.normal(0, 1, 2) * ASTRAY * scene.diameter
    place = next_place(scene, column)
    if place is None:
        return None
    edge = 0.0 if column < 12 else scene.shape.height
    inward = max(abs(place[1] - edge) + along, size / 2)
    at = np.array([place[0] + across, edge + inward if column < 12 else edge - inward])
    return at if is_free(scene, size, at) else None
