"""A lit table: one board's make, and dice, cubes and what looks like them lying close together somewhere on it or beside it.

Units: a tenth of the playing surface's width. x to the right, y up the board from its near edge, z up from the field.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from math import cos, pi, sin
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
from mathutils import Matrix, Vector

from vision.observation import CUBE_FACES
from vision.training.dice_fonts import Bytes, Lettering
from vision.training.dice_solids import PIPS
from vision.training.lit import bodies
from vision.training.lit.matter import (
    Matter,
    Rng,
    any_paint,
    cloth,
    hard,
    material,
    of_ground,
    print_on,
    told_apart,
    wood,
)

WIDTH = 10.0
FACE_PX = 160
WHERE = {"field": 0.46, "bar": 0.16, "rail": 0.1, "tray": 0.14, "beside": 0.14}
"""Where solids lie, and how often."""


@dataclass(frozen=True)
class Make:
    """A board's make, in units.

    tray: width of the trays right and left, 0 where there are none; floor: of the table below; gap: field between the points' bases
    and the rails.
    """

    height: float
    bar: float
    bar_top: float
    rail: float
    rail_top: float
    tray: float
    floor: float
    gap: float = 0.0

    @classmethod
    def any(cls, rng: Rng) -> Make:
        """A random one."""
        rail_top = rng.uniform(0.05, 0.7)
        return cls(
            rng.uniform(7.2, 9.5),
            rng.uniform(0.3, 0.95),
            float(rng.choice([0.0, 0.02, rail_top * rng.uniform(0.5, 1)])),
            rng.uniform(0.15, 0.9),
            rail_top,
            float(rng.choice([0.0, rng.uniform(0.75, 1.15)])),
            rng.uniform(-0.6, -0.08),
        )

    @property
    def outer(self) -> float:
        """How far the board reaches to the right and left of its field."""
        return 2 * self.rail + self.tray if self.tray else self.rail

    @property
    def pitch(self) -> float:
        """Width of a point."""
        return (WIDTH - self.bar) / 12

    def under(self, x: float, y: float) -> tuple[str, float]:
        """What lies below a place, and how high it is."""
        if 0 <= y <= self.height:
            if abs(x - WIDTH / 2) <= self.bar / 2:
                return "bar", self.bar_top
            if 0 <= x <= WIDTH:
                return "field", 0.0
            out = (-x if x < 0 else x - WIDTH) - self.rail
            if 0 <= out <= self.tray:
                return "tray", 0.0
        if -self.outer <= x <= WIDTH + self.outer and -self.rail <= y <= self.height + self.rail:
            return "rail", self.rail_top
        return "beside", self.floor


@dataclass(frozen=True)
class Lying:
    """Something that lies there. kind: cube, die or decoy; value, top, side, axes: of its upper face, `top` its middle."""

    kind: str
    value: int
    top: Vector
    side: float
    things: tuple[Any, ...]
    axes: tuple[Vector, Vector]


@dataclass
class Crowd:
    """What lies there so far: (x, y, reach) of each, and what is to be learnt."""

    taken: list[tuple[float, float, float]] = field(default_factory=list)
    lying: list[Lying] = field(default_factory=list)


def build(rng: Rng, make: Make) -> None:
    """Field, points, bar, rails, trays, and the table around."""
    field_matter = of_ground(rng)
    rail_matter = wood(rng) if rng.random() < 0.5 else of_ground(rng)
    table = material(wood(rng) if rng.random() < 0.5 else cloth(rng, any_paint(rng)))
    ground, frame = material(field_matter), material(rail_matter)
    outer = make.outer

    slab = partial(bodies.slab, rounded=0.08)
    slab("table", (-60, -60, make.floor - 1), (70, 70, make.floor), table)
    slab("field", (-outer, -make.rail, make.floor), (WIDTH + outer, make.height + make.rail, 0), ground)
    for x in (-make.rail, WIDTH):
        slab("rail", (x, -make.rail, 0), (x + make.rail, make.height + make.rail, make.rail_top), frame)
        far = x - make.tray - make.rail if x < 0 else x + make.rail + make.tray
        if make.tray:
            slab("rail", (far, -make.rail, 0), (far + make.rail, make.height + make.rail, make.rail_top), frame)
    for y in (-make.rail, make.height):
        slab("rail", (-outer, y, 0), (WIDTH + outer, y + make.rail, make.rail_top + 0.004), frame)
    if make.bar_top:
        middle = WIDTH / 2
        low, high = (middle - make.bar / 2, 0, 0), (middle + make.bar / 2, make.height, make.bar_top)
        slab("bar", low, high, frame if rng.random() < 0.7 else ground)
    paints = [material(of_ground(rng)) for _ in range(2)]
    reach = rng.uniform(0.36, 0.43) * make.height
    flush = rng.random() < 0.5
    for k in range(12):
        x = k * make.pitch + (make.bar if k > 5 else 0)
        inset = 0.0 if flush else make.pitch * 0.06
        for base, tip in ((make.gap, reach), (make.height - make.gap, make.height - reach)):
            corners = [
                (x + inset, base, 0.004),
                (x + make.pitch - inset, base, 0.004),
                (x + make.pitch / 2, tip, 0.004),
            ]
            bodies.flat("point", corners, paints[(k + (base > 0)) % 2])


def checkers(rng: Rng, make: Make, crowd: Crowd, near: tuple[float, float], free: float) -> None:
    """Checkers on the points, fewer near the crowd so that there is room for it."""
    size = min(make.pitch * rng.uniform(0.9, 1.0), make.height * 0.085)
    thick = size * rng.uniform(0.18, 0.36)
    sides = []
    for _ in range(2):
        body, rim, middle = (material(hard(rng, any_paint(rng))) for _ in range(3))
        sides.append(bodies.turned("checker", profile(rng, size / 2, thick), (body, rim, middle)))
    for k in range(24):
        column = k % 12
        x = (column + 0.5) * make.pitch + (make.bar if column > 5 else 0)
        mesh = sides[int(rng.integers(2))]
        for row in range(int(rng.choice([0, 0, 1, 2, 3, 5]))):
            along = (row + 0.5) * size
            y = along if k < 12 else make.height - along
            close = np.hypot(x - near[0], y - near[1]) < free
            if close and rng.random() < 0.75:
                continue
            at = x + rng.normal(0, 0.03), y + rng.normal(0, 0.02)
            bodies.put(mesh, Matrix.Translation((*at, 0.003)) @ Matrix.Rotation(rng.uniform(0, 6.3), 4, "Z"))
            crowd.taken.append((*at, size / 2))


def profile(rng: Rng, radius: float, thick: float) -> list[tuple[float, float, int]]:
    """A checker's outline, as `bodies.turned` takes it: edged, rimmed, dished or raised."""
    edge = radius * rng.uniform(0.03, 0.16)
    rim = radius * rng.uniform(0.7, 0.92)
    middle = radius * rng.uniform(0.15, 0.6)
    sunk = float(rng.choice([0.0, 0.0, -0.12, 0.1])) * thick
    outer, inner = int(rng.random() < 0.2), 2 * int(rng.random() < 0.2)
    return [
        (middle, thick + sunk, inner),
        (rim - edge * 0.5, thick + sunk, 0),
        (rim, thick, 0),
        (radius - edge, thick, outer),
        (radius - edge * 0.3, thick - edge * 0.3, outer),
        (radius, thick - edge, outer),
        (radius, edge, outer),
        (radius - edge, 0.0, outer),
    ]


def place_for(rng: Rng, make: Make, crowd: Crowd, near: tuple[float, float], spread: float, reach: float) -> Any:
    """(x, y, z) where a thing of this reach may lie flat, near the crowd's middle; None where there is no room."""
    for _ in range(40):
        x, y = near[0] + rng.normal(0, spread), near[1] + rng.normal(0, spread)
        kind, z = make.under(x, y)
        around = [make.under(x + reach * cos(a), y + reach * sin(a)) for a in np.arange(8) * pi / 4]
        if any(abs(other - z) > 1e-6 for _, other in around) and kind != "rail":
            continue
        if kind == "rail" and sum(abs(other - z) > 1e-6 for _, other in around) > 3:
            continue
        if all(np.hypot(x - a, y - b) > reach + far for a, b, far in crowd.taken):
            crowd.taken.append((x, y, reach))
            return x, y, z
    return None


def spot(rng: Rng, make: Make) -> tuple[float, float]:
    """Where the crowd's middle is."""
    for _ in range(500):
        x, y = rng.uniform(-3.5, WIDTH + 3.5), rng.uniform(-3, make.height + 3)
        if rng.random() < WHERE[make.under(x, y)[0]]:
            return x, y
    return WIDTH / 2, make.height / 2


def _upright(at: tuple[float, float, float], turn: float, high: float) -> Matrix:
    return Matrix.Translation((at[0], at[1], at[2] + high / 2 + 0.002)) @ Matrix.Rotation(turn, 4, "Z")


def _lying(kind: str, value: int, place: Matrix, high: float, side: float, things: tuple[Any, ...]) -> Lying:
    turn = place.to_3x3()
    axes = Vector(turn.col[0]), Vector(turn.col[1])
    return Lying(kind, value, place @ Vector((0, 0, high / 2)), side, things, axes)


def cube(rng: Rng, make: Make, crowd: Crowd, near: tuple[float, float], spread: float, marks: Lettering) -> None:
    """A doubling cube of any make."""
    side = rng.uniform(0.34, 0.95)
    at = place_for(rng, make, crowd, near, spread, side * 0.72)
    if at is None:
        return
    colour = any_paint(rng)
    body = hard(rng, colour)
    ink = told_apart(rng, colour, float(rng.choice([0.08, 0.2, 0.35, 0.5])))
    printed = Matter(ink, ink, rough=rng.uniform(0.1, 0.7), metal=float(rng.choice([0.0, 0.0, 0.0, 1.0])))
    rounding = side * float(rng.choice([rng.uniform(0.02, 0.08), rng.uniform(0.06, 0.2)]))
    flat = side - 2 * rounding
    faces = [int(value) for value in rng.permutation(CUBE_FACES)]
    masks = _numbers(rng, marks.numbers[rng.integers(len(marks.numbers))], faces, side / flat)
    turn = rng.integers(4) * pi / 2 + rng.normal(0, 0.2) if rng.random() < 0.6 else rng.uniform(0, 2 * pi)
    place = _upright(at, turn, side)
    base = bodies.put(bodies.box("cube", (side, side, side), material(body), rounding), place)
    label = bodies.put(bodies.prints(flat, (side,) * 3, print_on(masks, printed, rng.uniform(0.75, 1))), place)
    crowd.lying.append(_lying("cube", faces[0], place, side, side, (base, label)))


def _numbers(rng: Rng, glyphs: dict[int, Bytes], faces: list[int], more: float) -> Bytes:
    """(6, FACE_PX, FACE_PX) numbers. more: a face's side over that of its flat, printed part."""
    high = min(rng.uniform(0.27, 0.66) * more, 0.96)
    wide = min(rng.uniform(0.5, 0.85) * more, 0.97)
    frame, thickness = rng.random(), int(rng.integers(3, 8))
    masks = np.zeros((len(faces), FACE_PX, FACE_PX), np.uint8)
    for mask, value in zip(masks, faces, strict=True):
        stamp(mask, glyphs[value], high, wide)
        if frame < 0.08:
            cv2.rectangle(mask, (8, 8), (FACE_PX - 9, FACE_PX - 9), 255, thickness)
        elif frame < 0.16:
            cv2.circle(mask, (FACE_PX // 2, FACE_PX // 2), int(FACE_PX * 0.46), 255, thickness, cv2.LINE_AA)
        mask[:] = np.rot90(mask, int(rng.integers(4)))
    return masks


def stamp(mask: Bytes, glyph: Bytes, high: float, wide: float) -> None:
    """Puts a glyph into the middle of a mask, `high` and at most `wide` of its side large."""
    side = len(mask)
    scale = min(high * side / glyph.shape[0], wide * side / glyph.shape[1])
    h, w = max(3, round(glyph.shape[0] * scale)), max(3, round(glyph.shape[1] * scale))
    small = cv2.resize(glyph, (w, h), interpolation=cv2.INTER_AREA)
    y, x = (side - h) // 2, (side - w) // 2
    mask[y : y + h, x : x + w] = small


@dataclass(frozen=True)
class DiceMake:
    """How a set's dice are made."""

    side: float
    rounding: float
    body: Matter
    ink: Matter
    pip: float
    spread: float

    @classmethod
    def any(cls, rng: Rng) -> DiceMake:
        """A random one."""
        side, colour = rng.uniform(0.22, 0.44), any_paint(rng)
        ink = told_apart(rng, colour, float(rng.choice([0.2, 0.35, 0.5])))
        return cls(
            side,
            side * float(rng.choice([rng.uniform(0.01, 0.06), rng.uniform(0.06, 0.22)])),
            hard(rng, colour),
            Matter(ink, ink, rough=rng.uniform(0.1, 0.8)),
            rng.uniform(0.07, 0.125),
            rng.uniform(0.21, 0.29),
        )


def die(rng: Rng, make: Make, crowd: Crowd, near: tuple[float, float], spread: float, like: DiceMake) -> None:
    """A die of a set."""
    side = like.side
    at = place_for(rng, make, crowd, near, spread, side * 0.72)
    if at is None:
        return
    value = int(rng.integers(1, 7))
    others = [v for v in (1, 2, 3) if v not in (value, 7 - value)]
    rng.shuffle(others)
    faces = [value, 7 - value, others[0], 7 - others[0], others[1], 7 - others[1]]
    flat = side - 2 * like.rounding
    place = _upright(at, rng.uniform(0, 2 * pi), side)
    masks = np.stack([_pips(rng, face, like, side / flat) for face in faces])
    base = bodies.put(bodies.box("die", (side,) * 3, material(like.body), like.rounding), place)
    label = bodies.put(bodies.prints(flat, (side,) * 3, print_on(masks, like.ink, 1.0)), place)
    crowd.lying.append(_lying("die", value, place, side, side, (base, label)))


def _pips(rng: Rng, face: int, like: DiceMake, more: float) -> npt.NDArray[np.uint8]:
    mask = np.zeros((FACE_PX, FACE_PX), np.uint8)
    spread = min(like.spread * more, 0.5 - like.pip * more)
    for a, b in PIPS[face]:
        centre = ((np.array([a, b]) * spread + 0.5) * FACE_PX * 16).astype(int).tolist()
        cv2.circle(mask, centre, int(like.pip * more * FACE_PX * 16), 255, -1, cv2.LINE_AA, 4)
    return np.asarray(np.rot90(mask, int(rng.integers(2))), np.uint8)


def decoy(rng: Rng, make: Make, crowd: Crowd, near: tuple[float, float], spread: float, marks: Lettering) -> None:
    """A blank or lettered block, a card, a coin, a cup or a pen: neither die nor cube."""
    kind = str(rng.choice(["block", "lettered", "card", "coin", "cup", "pen"], p=[0.14, 0.34, 0.26, 0.12, 0.07, 0.07]))
    side = rng.uniform(0.25, 0.95)
    if kind in ("cup", "coin"):
        radius = side / 2 if kind == "coin" else rng.uniform(0.35, 0.6)
        at = place_for(rng, make, crowd, near, spread, radius)
        if at is None:
            return
        high = 0.04 if kind == "coin" else rng.uniform(0.8, 1.6)
        outline = [(radius * 0.8, high * 0.9, 0), (radius * 0.95, high, 0), (radius, high * 0.95, 0), (radius, 0.0, 0)]
        thing = bodies.turned(kind, outline, (material(hard(rng, any_paint(rng))),))
        place = Matrix.Translation(at)
        put = bodies.put(thing, place)
        turn = place.to_3x3()
        axes = Vector(turn.col[0]), Vector(turn.col[1])
        top = place @ Vector((0, 0, high))
        crowd.lying.append(Lying("decoy", 0, top, min(side, 2 * radius) * 0.8, (put,), axes))
        return
    if kind == "pen":
        size = (rng.uniform(1.2, 2.2), 0.16, 0.16)
    elif kind == "card":
        size = (side * rng.uniform(1, 1.8), side, 0.02)
    else:
        size = (side * rng.uniform(0.85, 1.3), side, side * rng.uniform(0.5, 1.05))
    at = place_for(rng, make, crowd, near, spread, 0.5 * float(np.hypot(size[0], size[1])))
    if at is None:
        return
    colour = any_paint(rng)
    place = _upright(at, rng.uniform(0, 2 * pi), size[2])
    made_of = replace(hard(rng, colour), glass=0.0)
    things = [bodies.put(bodies.box(kind, size, material(made_of), min(size) * rng.uniform(0.02, 0.15)), place)]
    if kind in ("lettered", "card"):
        signs = marks.words if rng.random() < 0.55 else marks.cards
        masks = np.zeros((6, FACE_PX, FACE_PX), np.uint8)
        for mask in masks:
            stamp(mask, signs[rng.integers(len(signs))], rng.uniform(0.3, 0.8), 0.85)
        ink = told_apart(rng, colour, 0.3)
        label = bodies.prints(min(size[0], size[1]) * 0.85, size, print_on(masks, Matter(ink, ink), 1.0))
        things.append(bodies.put(label, place))
    crowd.lying.append(_lying("decoy", 0, place, size[2], min(size[0], size[1]), tuple(things)))
