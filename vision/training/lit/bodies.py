"""Meshes of what lies on a lit table: boxes with rounded edges, printed on or blank, turned checkers, triangles."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin
from typing import Any

import bmesh
import bpy
import numpy as np
import numpy.typing as npt
from mathutils import Matrix

AROUND = 36
FACES: tuple[npt.NDArray[np.float64], ...] = tuple(
    np.array(rows, np.float64)
    for rows in (
        ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
        ((1, 0, 0), (0, -1, 0), (0, 0, -1)),
        ((0, 0, 1), (0, 1, 0), (-1, 0, 0)),
        ((0, 0, -1), (0, 1, 0), (1, 0, 0)),
        ((1, 0, 0), (0, 0, 1), (0, -1, 0)),
        ((1, 0, 0), (0, 0, -1), (0, 1, 0)),
    )
)
"""A face's own right, up and outward directions as columns would turn them: top, bottom, then four sides; right-handed."""


def put(mesh: Any, place: Matrix) -> Any:
    """An object of the mesh in the scene."""
    thing = bpy.data.objects.new(mesh.name, mesh)
    thing.matrix_world = place
    bpy.context.collection.objects.link(thing)
    return thing


def flat(name: str, corners: Sequence[Sequence[float]], made_of: Any) -> Any:
    """One polygon."""
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata([tuple(corner) for corner in corners], [], [tuple(range(len(corners)))])
    mesh.materials.append(made_of)
    return put(mesh, Matrix())


def box(name: str, size: Sequence[float], made_of: Any, rounding: float = 0.0) -> Any:
    """A box's mesh, its middle at the origin. size: along x, y, z; rounding: radius of its edges."""
    mesh, shape = bpy.data.meshes.new(name), bmesh.new()
    bmesh.ops.create_cube(shape, size=1)
    bmesh.ops.scale(shape, vec=tuple(size), verts=shape.verts[:])
    if rounding:
        bmesh.ops.bevel(
            shape, geom=shape.edges[:] + shape.verts[:], offset=rounding, segments=4, affect="EDGES", profile=0.55
        )
    shape.to_mesh(mesh)
    shape.free()
    mesh.materials.append(made_of)
    if rounding:
        for face in mesh.polygons:
            face.use_smooth = True
    return mesh


def slab(name: str, low: Sequence[float], high: Sequence[float], made_of: Any, rounded: float) -> Any:
    """A box between two corners in the scene. rounded: most that its edges are rounded by; thin ones less."""
    size = [b - a for a, b in zip(low, high, strict=True)]
    middle = Matrix.Translation([(a + b) / 2 for a, b in zip(low, high, strict=True)])
    return put(box(name, size, made_of, min(rounded, min(size) * 0.3)), middle)


def prints(side: float, size: Sequence[float], made_of: Any) -> Any:
    """The mesh of six printed squares of `side` just above a box's faces, whose pictures lie side by side along u as `print_on`
    has them, in the order of FACES."""
    mesh = bpy.data.meshes.new("print")
    points, uvs = [], []
    for number, (right, up, out) in enumerate(FACES):
        middle = out * (np.abs(out) @ np.asarray(size) / 2 + 0.004)
        for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
            points.append(tuple(middle + (right * a + up * b) * side / 2))
            uvs.append(((number + (a + 1) / 2) / len(FACES), (b + 1) / 2))
    mesh.from_pydata(points, [], [tuple(range(4 * k, 4 * k + 4)) for k in range(len(FACES))])
    layer = mesh.uv_layers.new(name="u")
    layer.data.foreach_set("uv", np.asarray(uvs, np.float32).ravel())
    mesh.materials.append(made_of)
    return mesh


def turned(name: str, outline: Sequence[tuple[float, float, int]], made_of: Sequence[Any]) -> Any:
    """A mesh turned on a lathe. outline: radius, height, which material goes on from there; from the top's middle to the foot."""
    points = [(0.0, 0.0, outline[0][1])]
    faces: list[tuple[int, ...]] = []
    kinds: list[int] = []
    for radius, height, _ in outline:
        points += [
            (radius * cos(2 * pi * k / AROUND), radius * sin(2 * pi * k / AROUND), height) for k in range(AROUND)
        ]
    for k in range(AROUND):
        faces.append((0, 1 + k, 1 + (k + 1) % AROUND))
        kinds.append(outline[0][2])
        for ring in range(len(outline) - 1):
            here, below, after = 1 + ring * AROUND, 1 + (ring + 1) * AROUND, (k + 1) % AROUND
            faces.append((here + k, below + k, below + after, here + after))
            kinds.append(outline[ring + 1][2])
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points, [], faces)
    for one in made_of:
        mesh.materials.append(one)
    mesh.polygons.foreach_set("material_index", kinds)
    mesh.polygons.foreach_set("use_smooth", [True] * len(faces))
    mesh.update()
    return mesh
