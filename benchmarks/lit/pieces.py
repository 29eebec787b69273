"""Checkers, dice and the doubling cube as meshes, of one unit's diameter a checker."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, pi, radians, sin
from random import Random
from typing import Any

import bmesh
import bpy
from mathutils import Euler, Matrix, Vector

from benchmarks.lit.surfaces import Surface, material

AROUND = 40
CUBE_NUMBERS = (2, 4, 8, 16, 32, 64)
PIPS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
FACES: dict[int, Euler] = {
    1: Euler((0, 0, 0)),
    6: Euler((pi, 0, 0)),
    2: Euler((0, pi / 2, 0)),
    5: Euler((0, -pi / 2, 0)),
    3: Euler((-pi / 2, 0, 0)),
    4: Euler((pi / 2, 0, 0)),
}
"""How the upper face, with its pips, is turned to stand for each value: opposite faces make seven."""

Ring = tuple[float, float, int]
"""Radius, height, number of the surface that goes on from here outwards or downwards."""


def turned(name: str, rings: Sequence[Ring], surfaces: Sequence[Surface]) -> Any:
    """A mesh turned on a lathe, from its top's centre to its foot."""
    points, faces, kinds = [(0.0, 0.0, rings[0][1])], [], []
    for radius, height, _ in rings:
        points += [
            (radius * cos(2 * pi * k / AROUND), radius * sin(2 * pi * k / AROUND), height) for k in range(AROUND)
        ]
    for k in range(AROUND):
        faces.append((0, 1 + k, 1 + (k + 1) % AROUND))
        kinds.append(rings[0][2])
    for number in range(len(rings) - 1):
        first, second = 1 + number * AROUND, 1 + (number + 1) * AROUND
        for k in range(AROUND):
            after = (k + 1) % AROUND
            faces.append((first + k, second + k, second + after, first + after))
            kinds.append(rings[number + 1][2])
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points, [], faces)
    for surface in surfaces:
        mesh.materials.append(material(surface))
    for face, kind in zip(mesh.polygons, kinds, strict=True):
        face.material_index = kind
        face.use_smooth = len(rings) > 4
    mesh.update()
    return mesh


@dataclass(frozen=True)
class Make:
    """How a set's checkers are turned, in diameters; profile: flat, dished, grooved, rimmed, domed or knobbed.

    inlay: share of the radius of a middle of another colour; rim: share that is of another material; edge: how round.
    """

    thick: float
    profile: str
    inlay: float
    rim: float
    edge: float

    @classmethod
    def any(cls, rng: Random) -> Make:
        """A random one."""
        return cls(
            rng.uniform(0.16, 0.36),
            rng.choices(("flat", "dished", "grooved", "rimmed", "domed", "knobbed"), (5, 4, 3, 2, 1, 1))[0],
            rng.choice((0.0, 0.0, 0.0, rng.uniform(0.15, 0.7))),
            rng.choice((0.0, 0.0, 0.0, rng.uniform(0.06, 0.18))),
            rng.uniform(0.015, 0.07),
        )

    def mesh(self, body: Surface, inlay: Surface, rim: Surface) -> Any:
        """One checker, its foot at 0."""
        top, edge, radius = self.thick, self.edge, 0.5
        inner = 1 - self.rim if self.rim else 0.86
        height = {"dished": -0.04, "domed": 0.05, "rimmed": -0.03}.get(self.profile, 0.0)
        rings: list[Ring] = []
        if self.inlay:
            rings.append((radius * self.inlay, top + height, 1))
        if self.profile == "knobbed":
            rings += [(0.1, top + 0.05, 1), (0.14, top, 1)]
        if self.profile == "grooved":
            for part in (0.45, 0.68):
                rings += [
                    (radius * part, top, 0),
                    (radius * part + 0.012, top - 0.025, 0),
                    (radius * part + 0.035, top - 0.025, 0),
                    (radius * part + 0.047, top, 0),
                ]
        rings = sorted(rings)
        outer = 2 if self.rim else 0
        rings += [
            (radius * (inner - 0.06), top + height, 0),
            (radius * inner, top, 0),
            (radius - edge, top, outer),
            (radius - 0.3 * edge, top - 0.3 * edge, outer),
            (radius, top - edge, outer),
            (radius, edge, outer),
            (radius - edge, 0.0, outer),
        ]
        return turned("checker", rings, (body, inlay, rim))


def _rounded_cube(name: str, side: float, rounding: float, surface: Surface) -> Any:
    mesh, shape = bpy.data.meshes.new(name), bmesh.new()
    bmesh.ops.create_cube(shape, size=side)
    bmesh.ops.bevel(
        shape, geom=shape.edges[:] + shape.verts[:], offset=side * rounding, segments=4, affect="EDGES", profile=0.6
    )
    shape.to_mesh(mesh)
    shape.free()
    mesh.materials.append(material(surface))
    for face in mesh.polygons:
        face.use_smooth = True
    return mesh


def placed(mesh: Any, name: str, matrix: Matrix) -> Any:
    """An object of the mesh in the scene."""
    thing = bpy.data.objects.new(name, mesh)
    thing.matrix_world = matrix
    bpy.context.collection.objects.link(thing)
    return thing


def die(side: float, rounding: float, pip: float, value: int, at: Matrix, body: Surface, pips: Surface) -> None:
    """A die whose upper face is `value`. at: its middle and turn. pip: radius of a pip, share of the side."""
    up = FACES[value].to_matrix().to_4x4().inverted()
    placed(_rounded_cube("die", side, rounding, body), "die", at @ up)
    spot = bpy.data.meshes.new("pip")
    shape = bmesh.new()
    bmesh.ops.create_circle(shape, cap_ends=True, segments=20, radius=pip * side)
    shape.to_mesh(spot)
    shape.free()
    spot.materials.append(material(pips))
    for face, turn in FACES.items():
        for x, y in PIPS[face]:
            place = Matrix.Translation((0.26 * side * x, 0.26 * side * y, 0.5 * side + 0.003))
            placed(spot, "pip", at @ up @ turn.to_matrix().to_4x4() @ place)


def numbered_cube(
    rng: Random, side: float, value: int, at: Matrix, body: Surface, print_: Surface, fonts: Sequence[Any]
) -> None:
    """A doubling cube whose upper face is `value`."""
    numbers = [number for number in CUBE_NUMBERS if number != value]
    rng.shuffle(numbers)
    font, size = rng.choice(fonts), rng.uniform(0.55, 0.8)
    placed(_rounded_cube("cube", side, rng.uniform(0.06, 0.16), body), "cube", at)
    ink = material(print_)
    for number, face in zip((value, *numbers), (1, 6, 2, 5, 3, 4), strict=True):
        text = bpy.data.curves.new("number", "FONT")
        text.body, text.align_x, text.align_y, text.font = str(number), "CENTER", "CENTER", font
        text.size = side * size * (1.0 if number < 10 else 0.85)
        text.materials.append(ink)
        turn = FACES[face].to_matrix().to_4x4() @ Matrix.Rotation(radians(90 * rng.randrange(4)), 4, "Z")
        placed(text, "number", at @ turn @ Matrix.Translation((0, 0, side / 2 + 0.003)))


def at(x: float, y: float, z: float, turn: float = 0.0) -> Matrix:
    """A place and a turn about the vertical."""
    return Matrix.Translation(Vector((x, y, z))) @ Matrix.Rotation(turn, 4, "Z")
