"""Lit boards amid their surroundings, for the networks that find boards: `pip install bpy`, then `--help`.

A run writes SEED.jpg and a row of truth.jsonl for each board; `vision.training.finding_course --lit` learns from them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import pi
from pathlib import Path

import bpy
import numpy as np
from mathutils import Matrix

from vision.training.dice_fonts import Lettering
from vision.training.lit import board, bodies, eye, table
from vision.training.lit.arm import put_arm
from vision.training.lit.draw import arguments, draw_all
from vision.training.lit.matter import Matter, Rng, any_paint, cloth, hard, linear, material, of_ground, wood
from vision.training.lit.table import WIDTH, Make

ARMED = 0.25
"""Share of boards with an arm over them."""
BOARD_PX = (360.0, 520.0)
"""Width of a board, px: above a view from above has 400 of it (`finding_views.ABOVE`)."""
ROOM = (0.12, 0.34)
"""Of the board's extent, how much is shown around it."""
HIGH_RAILS = 0.3
"""Share of boards with rails higher than most."""
SAMPLES = 3
"""Rays for each px: edges are as clear as with twice as many."""
THIN = 0.004

Box = Callable[[tuple[float, float, float], tuple[float, float, float]], object]


def any_make(rng: Rng) -> Make:
    """A board's make as `Make.any`, with gaps before the points and high rails as well."""
    make = Make.any(rng)
    gap = float(rng.choice([0.0, 0.0, rng.uniform(0.05, 0.2), rng.uniform(0.1, 0.5)]))
    if rng.random() < HIGH_RAILS:
        high = rng.uniform(0.6, 1.1)
        make = replace(make, rail_top=high, bar_top=make.bar_top and max(make.bar_top, high * rng.uniform(0.4, 1)))
    return replace(make, gap=gap)


def _boxes(name: str, made_of: Matter) -> Box:
    """What puts up boxes of one matter between two corners."""
    matter = material(made_of)
    return lambda low, high: bodies.slab(name, low, high, matter, rounded=0.05)


def _ring(box: Box, inner: tuple[float, float, float, float], wide: float, low: float, high: float) -> None:
    """Four boxes around a rectangle (left, near, right, far), `wide` outwards of it, between two heights."""
    left, near, right, far = inner
    for a, b in (
        ((left - wide, near - wide), (left, far + wide)),
        ((right, near - wide), (right + wide, far + wide)),
        ((left, near - wide), (right, near)),
        ((left, far), (right, far + wide)),
    ):
        box((*a, low), (*b, high))


def _field(make: Make, out: float) -> tuple[float, float, float, float]:
    """The playing surface, grown by `out`."""
    return -out, -out, WIDTH + out, make.height + out


def adorn(rng: Rng, make: Make) -> None:
    """Gives a built board what edges are mistaken for: linings, ledges, inlays, borders, hinges, a case, a mat."""
    top = make.rail_top
    if rng.random() < 0.35:  # felt or leather up the rails' inner walls
        thick = rng.uniform(0.02, 0.09)
        _ring(_boxes("lining", of_ground(rng)), _field(make, 0.0), thick, 0.0, top * rng.uniform(0.5, 1) + 0.01)
    if rng.random() < 0.3:  # the outer part of the rails stands higher
        inner = make.rail * rng.uniform(0.25, 0.6)
        rise = top + rng.uniform(0.05, 0.35)
        _ring(_boxes("ledge", of_ground(rng)), _field(make, inner), (make.rail - inner) * 0.98, top * 0.5, rise)
        top = rise
    for _ in range(int(rng.choice([0, 0, 1, 2]))):  # lines along the rails
        at, wide = make.rail * rng.uniform(0.15, 0.75), make.rail * rng.uniform(0.05, 0.25)
        _ring(_boxes("inlay", hard(rng, any_paint(rng))), _field(make, at), wide, top - 0.02, top + 2 * THIN)
    if rng.random() < 0.3:  # a line on the field along its edges
        inset, wide = rng.uniform(0.03, 0.3), rng.uniform(0.02, 0.12)
        _ring(_boxes("border", of_ground(rng)), _field(make, -inset), wide, 0.0, 2 * THIN)
    if rng.random() < 0.35:
        _hinges(rng, make)
    if rng.random() < 0.3:  # the case, or a tray around the whole
        wide, tall = rng.uniform(0.1, 0.9), rng.uniform(-0.02, 1) * top
        outside = (-make.outer, -make.rail, WIDTH + make.outer, make.height + make.rail)
        _ring(_boxes("case", of_ground(rng)), outside, wide, make.floor, max(tall, make.floor + 0.02))
    if rng.random() < 0.3:
        wide = rng.uniform(0.5, 3)
        low = (-make.outer - wide, -make.rail - wide, make.floor)
        high = (WIDTH + make.outer + wide, make.height + make.rail + wide, make.floor + 0.03)
        _boxes("mat", cloth(rng, any_paint(rng)))(low, high)


def _hinges(rng: Rng, make: Make) -> None:
    """Two hinges across the bar, and the seam between the halves."""
    matter = _boxes("hinge", replace(hard(rng, any_paint(rng)), metal=1.0, rough=rng.uniform(0.15, 0.5)))
    middle, half, long = WIDTH / 2, rng.uniform(0.1, 0.45), rng.uniform(0.3, 1.0)
    for share in (rng.uniform(0.08, 0.3), rng.uniform(0.7, 0.92)):
        y = make.height * share
        matter((middle - half, y, make.bar_top), (middle + half, y + long, make.bar_top + 0.03))
    dark = linear(0.08, 0.4, 0.05)
    seam = _boxes("seam", Matter(dark, dark, rough=0.9))
    seam((middle - 0.02, 0, make.bar_top), (middle + 0.02, make.height, make.bar_top + 0.01))


def furnish(rng: Rng, make: Make) -> None:
    """Papers, books, boxes and rulers lie about the board; now and then the table is tiled or checked."""
    for _ in range(int(rng.choice([0, 1, 2, 4]))):
        size = rng.uniform(0.5, 6), rng.uniform(0.3, 4), float(rng.choice([0.02, rng.uniform(0.05, 1.2)]))
        reach = float(np.hypot(size[0], size[1])) / 2
        far = make.outer + reach + rng.uniform(0, 2.5), make.rail + reach + rng.uniform(0, 2.5)
        side = int(rng.integers(4))
        along = rng.uniform(-2, WIDTH + 2), rng.uniform(-2, make.height + 2)
        x = along[0] if side < 2 else -far[0] if side == 2 else WIDTH + far[0]
        y = along[1] if side > 1 else -far[1] if side == 0 else make.height + far[1]
        square = rng.random() < 0.5
        turn = Matrix.Rotation(rng.integers(2) * pi / 2 if square else rng.uniform(0, 2 * pi), 4, "Z")
        matter = material(of_ground(rng) if rng.random() < 0.5 else hard(rng, any_paint(rng)))
        bodies.put(bodies.box("thing", size, matter), Matrix.Translation((x, y, make.floor + size[2] / 2)) @ turn)
    if rng.random() < 0.25:
        first = wood(rng) if rng.random() < 0.5 else cloth(rng, any_paint(rng))
        figure = str(rng.choice(["checker", "brick"]))
        tiled = replace(first, figure=figure, fine=rng.uniform(0.1, 1.2), streaks=any_paint(rng), bumps=0.0)
        low, high = (-60.0, -60.0, make.floor - 0.9), (70.0, 70.0, make.floor + 0.01)
        _boxes("tiles", tiled)(low, high)


def photograph(seed: int, marks: Lettering, to: Path, threads: int) -> dict[str, object]:
    """Renders one board into `to` (a PNG) and returns its truth: px of the playing surface's corners, as columns are ordered."""
    rng: Rng = np.random.default_rng([seed, 23])
    bpy.ops.wm.read_factory_settings(use_empty=True)
    make, crowd = any_make(rng), table.Crowd()
    table.build(rng, make)
    adorn(rng, make)
    board.lay(rng, make, crowd, close=False)
    board.strew(rng, make, crowd, marks)
    furnish(rng, make)
    if rng.random() < ARMED:
        put_arm(rng, make)
    eye.light(rng)
    window = eye.around(make, eye.put_camera(rng, make, rng.uniform(*BOARD_PX)), rng.uniform(*ROOM))
    eye.render(rng, window, to, threads, SAMPLES)
    return {"corners": eye.corners(make, window).round(2).tolist()}


if __name__ == "__main__":
    draw_all(arguments("Draw lit boards amid their surroundings").parse_args(), photograph)
