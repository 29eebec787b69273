"""Whole lit boards in a position, with dice, a cube and now and then an arm: `pip install bpy`, then `--help`.

A run writes SEED.jpg and a row of truth.jsonl for each board; what is learnt from them: `vision.training.columns_data.lit_boards`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import bpy
import cv2
import numpy as np
import numpy.typing as npt
from mathutils import Matrix, Vector

from vision.reading.judging import LAYERED
from vision.training.dice_fonts import Lettering
from vision.training.drawn import HIDDEN_SHARE, NEXT_COVERED
from vision.training.lit import bodies, eye, table
from vision.training.lit.arm import put_arm
from vision.training.lit.draw import arguments, draw_all
from vision.training.lit.matter import Rng, any_paint, hard, material, told_apart
from vision.training.lit.table import WIDTH, Make
from vision.training.positions import Counts, any_position, piled_position
from vision.training.scene import ASIDE, FIRST_PLACE, MOST_ALONG, Checker, Shape
from vision.training.thought_up import HIT, laid_out

Places = list[npt.NDArray[np.float64]]
"""(2,) px each."""
ARMED = 0.35
"""Share of boards with an arm over them."""
PILED = 0.3
"""Share of boards with many tall piles."""
ALIKE = 0.75
"""How often both sides are of one make, but for the colour."""
WHOLE_PX, CLOSE_PX = (300.0, 480.0), (600.0, 900.0)
"""Width of a board, px: of whole pictures, and of those that show a part."""
PILE_MIDDLE = 0.22
"""Of a board's height, how far from its edge the middle of such a part lies."""
SHOWN = 0.5
"""Of a board's width, how much is shown of it at most where a part is."""
BEYOND = "beyond the picture"
"""What hides that of which no picture was taken."""
ACROSS, ALONG = 5, 9
"""Along a column's width and height: how many places the camera is asked for."""


def shape_of(make: Make) -> Shape:
    """The board as drawn ones are described, in board widths."""
    left, right = 0.5 - make.bar / WIDTH / 2, 0.5 + make.bar / WIDTH / 2
    pitch = make.pitch / WIDTH
    columns = tuple((k + 0.5) * pitch + (right - left if k > 5 else 0) for k in range(12))
    rim, tray = make.rail / WIDTH, make.tray / WIDTH
    bar_z = make.bar_top / WIDTH
    return Shape(make.height / WIDTH, (left, right), columns, pitch, rim, make.rail_top / WIDTH, bar_z, (tray, tray))


def _sets(rng: Rng, size: float, thick: float) -> list[Any]:
    """Both sides' meshes."""
    colour = any_paint(rng)
    other = told_apart(rng, colour, float(rng.choice([0.1, 0.2, 0.35])))
    one = hard(rng, colour)
    like = replace(one, colour=other, streaks=np.clip(other * one.streaks / np.maximum(colour, 1e-3), 0, 0.95))
    two = like if rng.random() < ALIKE else hard(rng, other)
    outline = table.profile(rng, size / 2, thick)
    made = []
    for matter in (one, two):
        rim, middle = (material(hard(rng, any_paint(rng))) for _ in range(2))
        made.append(bodies.turned("checker", outline, (material(matter), rim, middle)))
        if rng.random() < 0.3:
            outline = table.profile(rng, size / 2, thick)
    return made


def _in_units(shape: Shape, checker: Checker) -> tuple[float, float, float]:
    """Where a checker's foot lies on the lit table."""
    return checker.x * WIDTH, (shape.height - checker.y) * WIDTH, checker.z * WIDTH + 0.003


def _about_a_pile(rng: Rng, shape: Shape, held: npt.NDArray[np.int64]) -> tuple[float, float]:
    """The middle of a column, in units, on which there may be layers. held: (24,) checkers of either side."""
    tall = np.flatnonzero(held >= min(LAYERED, int(held.max())))
    column = int(rng.choice(tall))
    along = PILE_MIDDLE if column >= 12 else 1 - PILE_MIDDLE
    return shape.columns[column % 12] * WIDTH, along * shape.height * WIDTH


class View:
    """What the camera sees first along the ways to places on the board."""

    def __init__(self, window: eye.Window) -> None:
        self.window = window
        self._scene = bpy.context.scene
        self._graph = bpy.context.evaluated_depsgraph_get()
        self._eye = self._scene.camera.matrix_world.translation

    def first(self, place: Vector) -> str | None:
        """The name of what hides a place, None where nothing does; BEYOND where it lies beyond the picture's edge."""
        x, y = self.window.px(place)
        if not (0 <= x < self.window.wide and 0 <= y < self.window.high):
            return BEYOND
        way = place - self._eye
        hit, _, _, _, thing, _ = self._scene.ray_cast(self._graph, self._eye, way, distance=way.length - 0.02)
        return thing.name if hit else None


def _face(size: float, place: tuple[float, float, float], thick: float) -> list[Vector]:
    """Places spread over a checker's upper face."""
    steps = (np.arange(eye.PROBES) + 0.5) / eye.PROBES * 2 - 1
    radius = size / 2 * 0.9
    return [
        Vector((place[0] + float(s) * radius, place[1] + float(t) * radius, place[2] + thick + 0.01))
        for s in steps
        for t in steps
        if s * s + t * t <= 1
    ]


def _hidden(
    view: View, shape: Shape, arm: frozenset[str], checkers: list[tuple[Checker, float, float]], size: float
) -> list[bool]:
    """(25,) where nobody could count, as `vision.training.drawn.hidden_columns` says it of drawn boards.

    arm: names of what hides columns. checkers: each with the share of its upper face in view, and the share that the arm hides.
    """
    height, half = shape.height * WIDTH, shape.pitch * WIDTH / 2

    def covered(x: float, low: float, high: float, across: int, along: int) -> float:
        places = [
            Vector((x + float(s) * half, height - float(y), 0.02))
            for s in np.linspace(-0.8, 0.8, across)
            for y in np.linspace(low, high, along)
        ]
        return sum(view.first(place) in arm for place in places) / len(places)

    hidden = []
    for column in range(25):
        x = WIDTH / 2 if column == 24 else shape.columns[column % 12] * WIDTH
        low, high = (0, 0.42) if column < 12 else (0.58, 1.0) if column < 24 else (0.1, 0.9)
        hidden.append(covered(x, low * height, high * height, ACROSS, ALONG) > HIDDEN_SHARE)
    for checker, share, under in checkers:
        if checker.column != ASIDE and share < 0.4 and under > 0.4:
            hidden[checker.column] = True
    for column in range(24):
        own = [c.y if column < 12 else shape.height - c.y for c, _, _ in checkers if c.column == column]
        along = (max(own) + size / WIDTH if own else size / WIDTH * FIRST_PLACE) * WIDTH
        if along <= MOST_ALONG * height:
            y = along if column < 12 else height - along
            x = shape.columns[column % 12] * WIDTH
            hidden[column] |= covered(x, y - size / 2 * 0.8, y + size / 2 * 0.8, 4, 4) > NEXT_COVERED
    return hidden


def _colours(picture: npt.NDArray[np.uint8], faces: Sequence[Places]) -> npt.NDArray[np.float64]:
    """(2, 3) BGR of both sides as they were photographed. faces: px of upper faces that show, of either side."""
    rows = []
    for places in faces:
        px = np.round(np.array(places)).astype(int).reshape(-1, 2)
        inside = ((px >= 0) & (px < np.array(picture.shape[1::-1]))).all(axis=1)
        seen = picture[px[inside, 1], px[inside, 0]]
        rows.append(np.median(seen, axis=0) if len(seen) else np.full(3, 127.0))
    return np.array(rows)


@dataclass(frozen=True)
class Laid:
    """Checkers on a lit board. names: of their things; size, thick: in units."""

    shape: Shape
    checkers: tuple[Checker, ...]
    names: tuple[str, ...]
    size: float
    thick: float

    def places(self) -> Iterator[tuple[Checker, str, tuple[float, float, float]]]:
        """Each checker with its thing's name and where its foot lies, units."""
        for checker, name in zip(self.checkers, self.names, strict=True):
            yield checker, name, _in_units(self.shape, checker)


def lay(rng: Rng, make: Make, crowd: table.Crowd, *, close: bool) -> tuple[Laid, Counts, list[int]]:
    """Lays a position; answers it, too."""
    shape = shape_of(make)
    size = min(make.pitch * rng.uniform(0.8, 1.0), make.height * 0.105)
    thick = size * rng.uniform(0.14, 0.4)
    columns, bar = (piled_position if close or rng.random() < PILED else any_position)(rng, HIT)
    laid = laid_out(rng, shape, columns, bar, size / WIDTH, thick / WIDTH)
    laid = tuple(c for c in laid if c.column != ASIDE or make.tray)
    meshes, names = _sets(rng, size, thick), []
    for checker in laid:
        at = _in_units(shape, checker)
        turn = Matrix.Rotation(rng.uniform(0, 6.3), 4, "Z")
        names.append(bodies.put(meshes[checker.side], Matrix.Translation(at) @ turn).name)
        crowd.taken.append((at[0], at[1], size / 2))
    return Laid(shape, laid, tuple(names), size, thick), columns, bar


def strew(rng: Rng, make: Make, crowd: table.Crowd, marks: Lettering) -> None:
    """Dice, a cube, and things that are neither, where there is room."""
    middle = (WIDTH / 2, make.height / 2)
    for _ in range(int(rng.choice([0, 1, 1, 1]))):
        table.cube(rng, make, crowd, middle if rng.random() < 0.6 else table.spot(rng, make), 1.5, marks)
    dice, lie = table.DiceMake.any(rng), table.spot(rng, make)
    for _ in range(int(rng.choice([0, 2, 2, 2, 4]))):
        table.die(rng, make, crowd, lie, 1.2, dice)
    for _ in range(int(rng.choice([0, 0, 1, 2]))):
        table.decoy(rng, make, crowd, table.spot(rng, make), 2.0, marks)


def photograph(seed: int, marks: Lettering, to: Path, threads: int, *, close: bool = False) -> dict[str, object]:
    """Renders one board into `to` (a PNG) and returns its truth but for the file's name.

    close: a part of a board full of tall piles, finer; columns beyond the picture are called hidden.
    """
    rng: Rng = np.random.default_rng([seed, 22 if close else 21])
    bpy.ops.wm.read_factory_settings(use_empty=True)
    make, crowd = Make.any(rng), table.Crowd()
    table.build(rng, make)
    laid, columns, bar = lay(rng, make, crowd, close=close)
    strew(rng, make, crowd, marks)
    arm = {part.name for part in put_arm(rng, make)} if rng.random() < ARMED else set()
    eye.light(rng)
    board_px = rng.uniform(*CLOSE_PX) if close else rng.uniform(*WHOLE_PX)
    window = eye.put_camera(rng, make, board_px)
    if close:
        window = eye.near(window, _about_a_pile(rng, laid.shape, columns.sum(axis=1)), int(board_px * SHOWN))
    else:
        window = eye.around(make, window)
    rows, hidden, faces = _as_seen(laid, make, window, frozenset(arm | {BEYOND}))
    eye.render(rng, window, to, threads)
    return {
        "corners": eye.corners(make, window).round(2).tolist(),
        "bar": list(laid.shape.bar),
        "counts": [*columns.tolist(), list(bar)],
        "hidden": [bool(one) for one in hidden],
        "checkers": [[round(float(v), 4) for v in row] for row in rows],
        "colours": _colours(np.asarray(cv2.imread(str(to)), np.uint8), faces).round(1).tolist(),
    }


def _as_seen(
    laid: Laid, make: Make, window: eye.Window, hiding: frozenset[str]
) -> tuple[list[list[float]], list[bool], list[Places]]:
    """Rows of `checkers` as `vision.training.drawn.DrawnBoard` has them, what is hidden (25,), and px of either side's upper faces.

    hiding: names of what hides columns.
    """
    view, rows, shares = View(window), list[list[float]](), list[tuple[Checker, float, float]]()
    faces: list[Places] = [[], []]
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    to_plane = cv2.getPerspectiveTransform(eye.corners(make, window), unit)
    for checker, own, at in laid.places():
        places = _face(laid.size, at, laid.thick)
        firsts = [view.first(place) for place in places]
        shown = [first is None or first == own for first in firsts]
        faces[checker.side] += [window.px(place) for place, seen in zip(places, shown, strict=True) if seen]
        share = sum(shown) / len(places)
        shares.append((checker, share, sum(first in hiding for first in firsts) / len(places)))
        x, y, w = to_plane @ np.array([*window.px(Vector((at[0], at[1], at[2] + laid.thick))), 1.0])
        rows.append([x / w, y / w, checker.side, checker.column, share])
    return rows, _hidden(view, laid.shape, hiding, shares, laid.size), faces


def main() -> None:
    parser = arguments("Draw lit boards")
    parser.add_argument("--close", action="store_true", help="parts of boards with tall piles, finer")
    options = parser.parse_args()
    draw_all(options, partial(photograph, close=options.close))


if __name__ == "__main__":
    main()
