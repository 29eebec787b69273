"""The board: field, points, rails, bar, trays, hinges; what it measures and what it is made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import bpy

from benchmarks.lit.pieces import at, placed, turned
from benchmarks.lit.surfaces import Colour, Surface, any_colour, apart, cloth, material, of_playing, wood_colour, wooden

Outline = Callable[[float, float], list[tuple[float, float]]]
"""A point's corners from half its foot's width and its length: across and along, counterclockwise from its right foot."""
OWN_COLOURS = 0.25
"""Least distance of both sides' colours."""


@dataclass(frozen=True)
class Shape:
    """Lengths in checkers' diameters. The field's bottom-left corner is the origin, x to the right, y to the top, z up.

    pitch: from point to point; height: of the field; bar: its width; bar_top, rail_top: heights above the field; rail: how wide;
    tray: how wide beside either end, 0 for none; point: how long.
    """

    pitch: float
    height: float
    bar: float
    bar_top: float
    rail_top: float
    rail: float
    tray: float
    point: float

    @property
    def width(self) -> float:
        """Of the field with the bar."""
        return 12 * self.pitch + self.bar

    def column(self, number: int) -> float:
        """The middle, x, of column 0-11 from the left, whichever row."""
        return (number % 12 + 0.5) * self.pitch + (self.bar if number % 12 >= 6 else 0.0)

    @classmethod
    def any(cls, rng: Random) -> Shape:
        """A random one, as boards are sold or made at home."""
        rail_top = rng.uniform(0.15, 0.9)
        height = 10 + rng.uniform(0.6, 3.2)
        return cls(
            rng.uniform(1.02, 1.22),
            height,
            rng.choice((rng.uniform(0.35, 0.8), rng.uniform(0.8, 1.7))),
            rng.choice((0.0, rail_top, rng.uniform(0, rail_top))),
            rail_top,
            rng.uniform(0.25, 1.0),
            rng.choice((0.0, 0.0, rng.uniform(1.05, 1.4))),
            height * rng.uniform(0.36, 0.47),
        )


@dataclass(frozen=True)
class Colours:
    """What the board's and the checkers' surfaces are. light and dark: body, inlay and rim of either side's checkers."""

    field: Surface
    points: tuple[Surface, Surface]
    rail: Surface
    bar: Surface
    light: tuple[Surface, Surface, Surface]
    dark: tuple[Surface, Surface, Surface]

    @classmethod
    def any(cls, rng: Random) -> Colours:
        """A random choice in which a person can tell the sides, and the points from the field."""
        woody = rng.random() < 0.4
        field = wooden(rng) if woody else cloth(rng, any_colour(rng))
        points = [_unlike(rng, (field.colour,), woody)]
        points.append(_unlike(rng, (field.colour, points[0]), woody))
        made = [wooden(rng) if woody and rng.random() < 0.6 else cloth(rng, colour) for colour in points]
        made = [_recoloured(one, colour) for one, colour in zip(made, points, strict=True)]
        rail = wooden(rng) if rng.random() < 0.6 else cloth(rng, any_colour(rng))
        bar = rail if rng.random() < 0.7 else field
        while True:
            one, other = (rng.choice((any_colour(rng), wood_colour(rng))) for _ in range(2))
            if abs(_brightness(one) - _brightness(other)) > OWN_COLOURS or (
                apart(one, other) > 2 * OWN_COLOURS and abs(_brightness(one) - _brightness(other)) > 0.1
            ):
                break
        one, other = sorted((one, other), key=_brightness)
        sides = []
        state = rng.getstate()
        for colour in (other, one):
            rng.setstate(state)  # Both sides are made alike, of other colours.
            body = of_playing(rng, colour)
            inlay = of_playing(rng, _unlike(rng, (colour,), woody=False))
            rim = of_playing(rng, any_colour(rng)) if rng.random() < 0.4 else _metal(rng)
            sides.append((body, inlay, rim))
        return cls(field, (made[0], made[1]), rail, bar, sides[0], sides[1])


def _brightness(colour: Colour) -> float:
    red, green, blue = (part ** (1 / 2.2) for part in colour)
    return 0.3 * red + 0.59 * green + 0.11 * blue


def _unlike(rng: Random, others: tuple[Colour, ...], woody: bool) -> Colour:
    for _ in range(200):
        colour = wood_colour(rng) if woody and rng.random() < 0.7 else any_colour(rng)
        if all(apart(colour, other) > 0.18 for other in others):
            return colour
    return colour


def _recoloured(surface: Surface, colour: Colour) -> Surface:
    ratio = [o / max(c, 1e-4) for o, c in zip(surface.other, surface.colour, strict=True)]
    return replace(
        surface, colour=colour, other=tuple(min(c * min(r, 1.5), 0.95) for c, r in zip(colour, ratio, strict=True))
    )


def _metal(rng: Random) -> Surface:
    colour = rng.choice(((0.9, 0.75, 0.4), (0.8, 0.8, 0.82), (0.75, 0.45, 0.3)))
    return Surface(colour, colour, metal=1.0, rough=rng.uniform(0.15, 0.4))


def box(name: str, low: tuple[float, float, float], high: tuple[float, float, float], surface: Any) -> Any:
    """A box between two corners, of a material."""
    mesh = bpy.data.meshes.new(name)
    corners = [(x, y, z) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])]
    mesh.from_pydata(corners, [], [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)])
    mesh.materials.append(surface)
    mesh.update()
    return placed(mesh, name, at(0, 0, 0))


def build(rng: Random, shape: Shape, colours: Colours, points: Outline | None = None) -> None:
    """The board without its checkers. points: other than triangles."""
    s, low = shape, -0.3
    field, rail, bar = (material(surface) for surface in (colours.field, colours.rail, colours.bar))
    box("field", (0, 0, low), (s.width, s.height, 0), field)
    if points is None:
        _points(rng, s, colours)
    else:
        _no_triangles(s, colours, points)
    side = s.rail + (s.tray + s.rail if s.tray else 0)
    for y in (-s.rail, s.height):
        box("rail", (-side, y, low), (s.width + side, y + s.rail, s.rail_top), rail)
    for edge, sign in ((0.0, -1), (s.width, 1)):
        starts = [edge] + ([edge + sign * (s.rail + s.tray)] if s.tray else [])
        for start in starts:
            first, last = sorted((start, start + sign * s.rail))
            box("rail", (first, 0, low), (last, s.height, s.rail_top), rail)
        if s.tray:
            first, last = sorted((edge + sign * s.rail, edge + sign * (s.rail + s.tray)))
            box("tray", (first, 0, low), (last, s.height, 0.0), rng.choice((field, rail)))
    if s.bar_top > 0.02:
        left = 6 * s.pitch
        box("bar", (left, 0, low), (left + s.bar, s.height, s.bar_top), bar)
    elif rng.random() < 0.7:
        left = 6 * s.pitch
        box("bar", (left, 0, low), (left + s.bar, s.height, 0.004), bar)
    if rng.random() < 0.35:
        _hinges(rng, s)


def _points(rng: Random, s: Shape, colours: Colours) -> None:
    blunt, inset, lined = (
        rng.choice((0.0, 0.0, 0.12)),
        rng.choice((0.0, 0.0, rng.uniform(0, 0.3))),
        rng.random() < 0.25,
    )
    wide = s.pitch * rng.choice((1.0, rng.uniform(0.8, 1.0)))
    line = material(_metal(rng) if rng.random() < 0.3 else cloth(rng, any_colour(rng)))
    made = [material(one) for one in colours.points]
    for column in range(24):
        for grown, height, what in ((0.06, 0.002, line), (0.0, 0.004, made[(column + (column >= 12)) % 2])):
            if grown and not lined:
                continue
            foot, tip = wide / 2 + grown, s.point + 3 * grown
            outline = [
                (-foot, inset),
                (foot, inset),
                (blunt * foot, tip),
                (-blunt * foot, tip),
            ]
            _point(s, column, outline, height, what)


def _point(s: Shape, column: int, outline: list[tuple[float, float]], height: float, what: Any) -> None:
    middle, up = s.column(column), column >= 12
    mesh = bpy.data.meshes.new("point")
    corners = [(middle + x, y if up else s.height - y, height) for x, y in outline]
    around = tuple(range(len(outline)))
    mesh.from_pydata(corners, [], [around if up else around[::-1]])
    mesh.materials.append(what)
    mesh.update()
    placed(mesh, "point", at(0, 0, 0))


def _no_triangles(s: Shape, colours: Colours, points: Outline) -> None:
    made = [material(one) for one in colours.points]
    for column in range(24):
        _point(s, column, points(0.45 * s.pitch, s.point), 0.004, made[(column + (column >= 12)) % 2])


def _hinges(rng: Random, s: Shape) -> None:
    metal, middle, top = material(_metal(rng)), 6 * s.pitch + s.bar / 2, max(s.bar_top, 0.004)
    for part in rng.choice(((0.15, 0.85), (0.3, 0.7), (0.5,), (0.2, 0.5, 0.8))):
        y, half, wide = s.height * part, rng.uniform(0.2, 0.6), s.bar * rng.uniform(0.2, 0.48)
        box("hinge", (middle - wide, y - half, top), (middle + wide, y + half, top + 0.03), metal)
        for dx in (-0.6, 0.6):
            knob = turned("screw", [(0.05, 0.02, 0), (0.06, 0.0, 0)], (_metal(rng),))
            placed(knob, "screw", at(middle + dx * wide, y, top + 0.03))
