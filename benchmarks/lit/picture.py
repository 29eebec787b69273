"""One board on one table: modelled, lit, photographed, and its truth as labelled pictures have it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import pi
from pathlib import Path
from random import Random
from typing import Any

import bpy
from mathutils import Matrix, Vector

from benchmarks.lit import around
from benchmarks.lit.board import Colours, Shape, build
from benchmarks.lit.kinds import ORDINARY, Kind
from benchmarks.lit.lying import Lying, on_board
from benchmarks.lit.pieces import CUBE_NUMBERS, Make, at, die, numbered_cube, placed
from benchmarks.lit.surfaces import Surface, any_colour, apart, of_playing
from controller.rules import Position, Side
from controller.tracking.orientation import columns_of
from terms.board import Corner

SIZES = ((1120, 630), (960, 720), (1120, 630), (960, 540), (1280, 720))
HIDDEN = 0.6
"""Share of a checker, or of the place of a column's next one, which an arm covers, from which on nobody could count."""
SAMPLES = 16
DICE = {0: 0.15, 1: 0.05, 2: 0.75, 4: 0.05}


@dataclass(frozen=True)
class Held:
    """What lies on the board: columns as `lying.on_board` takes them; bar, off: light and dark."""

    columns: list[int]
    bar: tuple[int, int]
    off: tuple[int, int]

    @classmethod
    def of(cls, position: Position, light_home: Corner) -> Held:
        """A position's checkers before a camera that has light's home there."""
        columns = [int(count) for count in columns_of([position], light_home)[0]]
        bar = position.light[24], position.dark[24]
        return cls(columns, bar, (position.off(Side.LIGHT), position.off(Side.DARK)))


def photograph(seed: int, held: Held, to: Path, kind: Kind = ORDINARY) -> dict[str, Any]:
    """Writes the picture (a PNG) and returns its truth without the file's name."""
    rng, beyond = Random(seed), Random(f"{seed} beyond what is usual")
    bpy.ops.wm.read_factory_settings(use_empty=True)
    shape, colours, make = Shape.any(rng), Colours.any(rng), Make.any(rng)
    shape = kind.shape(beyond, shape)
    build(rng, shape, colours, kind.points and kind.points(beyond))
    meshes = {True: make.mesh(*colours.light), False: make.mesh(*colours.dark)}
    lying = list(on_board(rng, shape, make.thick, held.columns, held.bar, held.off, kind))
    for one in lying:
        placed(meshes[one.light], "checker", one.place)
    around.table(rng, shape)
    around.light(rng, shape)
    dice = _throw(rng, shape, lying)
    cube = _cube(rng, shape, lying, dice)
    arm = rng.random() < 0.2
    if arm:
        around.arm(rng, shape)
    size = rng.choice(SIZES)
    around.camera(rng, shape, size, kind)
    covered = _Covered() if arm else lambda places: 0.0
    truth = _truth(shape, make.thick, held, lying, size, covered)
    truth |= _of_dice(dice, cube, size, covered)
    render(rng, to)
    return truth | {"size": list(size), "occluded": arm}


@dataclass(frozen=True)
class _Die:
    value: int
    at: Vector
    side: float


Taken = list[tuple[float, float, float]]
"""Places with how far each reaches."""


def _free(rng: Random, shape: Shape, taken: Taken, reach: float) -> tuple[float, float] | None:
    """A place on the field at which nothing is within reach."""
    for _ in range(60):
        x, y = rng.uniform(reach, shape.width - reach), rng.gauss(shape.height / 2, shape.height / 5)
        left = 6 * shape.pitch
        on_bar = left - reach < x < left + shape.bar + reach
        inside = reach < y < shape.height - reach and not on_bar
        if inside and all((x - a) ** 2 + (y - b) ** 2 > (reach + far) ** 2 for a, b, far in taken):
            return x, y
    return None


@dataclass(frozen=True)
class DiceMake:
    """What a set's dice are like. side: checkers' diameters; rounding, pip: shares of it."""

    side: float
    rounding: float
    pip: float
    body: Surface
    pips: Surface

    @classmethod
    def any(cls, rng: Random) -> DiceMake:
        """A random one."""
        side, rounding, pip = rng.uniform(0.36, 0.55), rng.uniform(0.05, 0.25), rng.uniform(0.075, 0.115)
        colour = any_colour(rng)
        ink = any_colour(rng)
        while apart(colour, ink) < 0.55:
            ink = any_colour(rng)
        return cls(side, rounding, pip, of_playing(rng, colour), Surface(ink, ink, rough=rng.uniform(0.1, 0.6)))

    def lay(self, value: int, x: float, y: float, turn: float) -> _Die:
        """One of them on the field, `value` up."""
        place = at(x, y, 0.004 + self.side / 2, turn)
        die(self.side, self.rounding, self.pip, value, place, self.body, self.pips)
        return _Die(value, Vector((x, y, self.side)), self.side)


def _throw(rng: Random, shape: Shape, lying: list[Lying]) -> list[_Die]:
    """Dice on the field, none on or against a checker."""
    make = DiceMake.any(rng)
    count = rng.choices(list(DICE), list(DICE.values()))[0]
    return throw(rng, shape, lying, make, [None] * count)


def throw(rng: Random, shape: Shape, lying: list[Lying], make: DiceMake, values: Sequence[int | None]) -> list[_Die]:
    """Dice that show these values (None: any) at free places of the field, as many as there are places for."""
    taken = [(one.place.translation.x, one.place.translation.y, 0.5) for one in lying]
    thrown = []
    for wanted in values:
        place = _free(rng, shape, taken, make.side * 0.75)
        if place is None:
            continue
        value = rng.randint(1, 6) if wanted is None else wanted
        taken.append((*place, make.side * 0.75))
        thrown.append(make.lay(value, *place, rng.uniform(0, 2 * pi)))
    return thrown


def _cube(rng: Random, shape: Shape, lying: list[Lying], dice: list[_Die]) -> tuple[int, Vector] | None:
    """The cube in the middle of the bar, in a tray, on a rail, on the field, on the table, or nowhere."""
    side = rng.uniform(0.55, 1.0)
    right, left = shape.width + shape.rail + shape.tray / 2, -shape.rail - shape.tray / 2
    where = rng.choices(("bar", "rail", "tray", "field", "none"), (4, 2, 2, 1, 2))[0]
    turn = rng.choice((0.0, pi)) + rng.gauss(0, 0.12)
    value = 64 if where == "bar" and rng.random() < 0.7 else rng.choice(CUBE_NUMBERS)
    if where == "bar":
        x, y, foot = 6 * shape.pitch + shape.bar / 2, shape.height / 2, max(shape.bar_top, 0.005)
    elif where == "rail" and shape.rail > 0.45:
        x, y, foot = (
            rng.uniform(1, shape.width - 1),
            rng.choice((-shape.rail / 2, shape.height + shape.rail / 2)),
            shape.rail_top,
        )
    elif where == "tray" and shape.tray:
        x, y, foot = rng.choice((right, left)), shape.height / 2 + rng.choice((-0.1, 0.0, 0.1)), 0.005
    elif where == "field":
        taken = [(one.place.translation.x, one.place.translation.y, 0.5) for one in lying]
        free = _free(rng, shape, taken + [(one.at.x, one.at.y, one.side) for one in dice], side * 0.75)
        if free is None:
            return None
        (x, y), foot = free, 0.005
    else:
        return None
    lay_cube(rng, side, value, at(x, y, foot + side / 2, turn))
    return value, Vector((x, y, foot + side))


def lay_cube(rng: Random, side: float, value: int, place: Matrix) -> None:
    """A cube of any colours and lettering, `value` up, its middle at `place`."""
    colour, ink = any_colour(rng), any_colour(rng)
    while apart(colour, ink) < 0.6:
        colour, ink = any_colour(rng), any_colour(rng)
    body, print_ = of_playing(rng, colour), Surface(ink, ink, rough=rng.uniform(0.1, 0.6))
    font = rng.choice(sorted(Path("/usr/share/fonts").rglob("*.ttf"))[:40] or [None])
    fonts = [bpy.data.fonts.load(str(font)) if font else None]
    numbered_cube(rng, side, value, place, body, print_, fonts)


class _Covered:
    """How much of some places an arm covers, as the camera sees them."""

    def __init__(self) -> None:
        bpy.context.view_layer.update()
        self._graph = bpy.context.evaluated_depsgraph_get()
        self._eye = bpy.context.scene.camera.matrix_world.translation.copy()

    def __call__(self, places: list[Vector]) -> float:
        hit = 0
        for place in places:
            way = place - self._eye
            ray = self._eye, way.normalized()
            found, *_, thing, _ = bpy.context.scene.ray_cast(self._graph, *ray, distance=way.length)
            hit += bool(found and thing.name.startswith("arm"))
        return hit / len(places)


def _disc(x: float, y: float, z: float) -> list[Vector]:
    return [Vector((x + a, y + b, z)) for a in (-0.3, 0, 0.3) for b in (-0.3, 0, 0.3)]


def _truth(
    shape: Shape,
    thick: float,
    held: Held,
    lying: list[Lying],
    size: tuple[int, int],
    covered: Callable[[list[Vector]], float],
) -> dict[str, Any]:
    """Corners, and the cells: None where the arm hides a checker or the next one's place."""
    cells: list[list[int] | None] = []
    for column, count in enumerate(held.columns):
        there = [one.place.translation for one in lying if one.column == column]
        along = min(len(there), 5) + 0.5
        edge = along if column >= 12 else shape.height - along
        places = [_disc(one.x, one.y, one.z + thick) for one in there] + [_disc(shape.column(column), edge, 0)]
        hidden = any(covered(place) > HIDDEN for place in places)
        cells.append(None if hidden else [max(count, 0), max(-count, 0)])
    middle = 6 * shape.pitch + shape.bar / 2
    on_bar = [_disc(middle, shape.height * part, shape.bar_top) for part in (0.3, 0.4, 0.6, 0.7)]
    hit = [one.place.translation for one in lying if one.column == 24]
    on_bar += [_disc(one.x, one.y, one.z + thick) for one in hit]
    bar = None if any(covered(place) > HIDDEN for place in on_bar) else list(held.bar)
    return {
        "corners": [px_of(corner, size) for corner in around.corners_of(shape)],
        "top": cells[:12],
        "bottom": cells[12:],
        "bar": bar,
        "off": list(held.off),
        "per_side": 15,
    }


def _of_dice(
    dice: list[_Die], cube: tuple[int, Vector] | None, size: tuple[int, int], covered: Callable[[list[Vector]], float]
) -> dict[str, Any]:
    rows: list[dict[str, Any]] | None = []
    for one in dice:
        half = one.side / 2
        corners = [one.at + Vector((a * half, b * half, 0)) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        if covered([one.at, *corners]) > 0:
            rows = None
            break
        places = [px_of(corner, size) for corner in corners]
        area = abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(places, places[1:] + places[:1], strict=True))) / 2
        rows.append({"value": one.value, "px": px_of(one.at, size), "cocked": False, "face_px": round(area**0.5, 1)})
    shown = None
    if cube is not None:
        x, y = around.seen(cube[1])
        if 0.01 < x < 0.99 and 0.01 < y < 0.99 and covered([cube[1]]) == 0:
            shown = {"shown": cube[0], "px": px_of(cube[1], size)}
    return {"dice": rows, "cube": shown}


def px_of(place: Vector, size: tuple[int, int]) -> list[float]:
    """Where a place shows in a picture of this size, px."""
    x, y = around.seen(place)
    return [round(x * size[0], 1), round(y * size[1], 1)]


def render(rng: Random, to: Path) -> None:
    """Takes the picture, a PNG."""
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.device, scene.cycles.samples, scene.cycles.use_denoising = "CPU", SAMPLES, True
    scene.cycles.max_bounces, scene.cycles.diffuse_bounces = 5, 2
    scene.cycles.caustics_reflective = scene.cycles.caustics_refractive = False
    scene.cycles.use_adaptive_sampling, scene.cycles.adaptive_threshold = True, 0.05
    scene.cycles.denoising_quality = "FAST"
    scene.render.threads_mode, scene.render.threads = "FIXED", 2
    scene.view_settings.view_transform = rng.choice(("Standard", "Filmic", "AgX"))
    scene.render.image_settings.file_format = "PNG"
    scene.render.filepath = str(to)
    bpy.ops.render.render(write_still=True)
