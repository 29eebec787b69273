"""What is around a board: the table, lamps, a window's or a street's light, things that lie about, a player's arm, the camera."""

from __future__ import annotations

import itertools
from math import cos, pi, radians, sin
from pathlib import Path
from random import Random
from typing import Any

import bpy
from bpy_extras.object_utils import world_to_camera_view
from mathutils import Matrix, Vector

from benchmarks.lit.board import Shape, box
from benchmarks.lit.kinds import Kind
from benchmarks.lit.pieces import Ring, at, placed, turned
from benchmarks.lit.surfaces import Surface, any_colour, cloth, material, of_playing, wooden

SKIN = ((0.62, 0.36, 0.25), (0.45, 0.22, 0.14), (0.2, 0.09, 0.05), (0.75, 0.5, 0.4))


def table(rng: Random, shape: Shape) -> None:
    """The table, and things beside the board."""
    top = wooden(rng) if rng.random() < 0.5 else cloth(rng, any_colour(rng))
    box("table", (-60, -60, -0.7), (80, 80, -0.3), material(top))
    side = shape.rail * 2 + shape.tray + 0.4
    for _ in range(rng.choice((0, 0, 1, 2, 4))):
        wide, deep, high = rng.uniform(0.5, 4), rng.uniform(0.5, 4), rng.uniform(0.05, 3)
        angle, far = rng.uniform(0, 2 * pi), 0.5 * max(wide, deep)
        further = rng.uniform(0, 3) * (1 if cos(angle) > 0 else -1)
        x = shape.width / 2 + cos(angle) * (shape.width / 2 + side + far) * 1.15 + further
        y = shape.height / 2 + sin(angle) * (shape.height / 2 + shape.rail + far) * 1.5
        if -side - far < x < shape.width + side + far and -shape.rail - far < y < shape.height + shape.rail + far:
            continue
        surface = of_playing(rng, any_colour(rng))
        if rng.random() < 0.5:
            rings: list[Ring] = [(wide / 2, high, 0), (wide / 2, 0, 0)]
            placed(turned("cup", rings, (surface,)), "cup", at(x, y, -0.3))
        else:
            thing = box("thing", (-wide / 2, -deep / 2, 0), (wide / 2, deep / 2, min(high, 1)), material(surface))
            thing.matrix_world = at(x, y, -0.3, rng.uniform(0, pi))


def light(rng: Random, shape: Shape) -> None:
    """Lamps above, and what is all around."""
    world = bpy.data.worlds.new("world")
    bpy.context.scene.world = world
    world.use_nodes = True
    nodes, links = world.node_tree.nodes, world.node_tree.links
    back = nodes["Background"]
    folder = Path(bpy.utils.resource_path("LOCAL")) / "datafiles/studiolights/world"
    views = sorted(folder.glob("*.exr"))
    if views and rng.random() < 0.8:
        picture, turn = nodes.new("ShaderNodeTexEnvironment"), nodes.new("ShaderNodeMapping")
        picture.image = bpy.data.images.load(str(rng.choice(views)))
        turn.inputs["Rotation"].default_value = (0, 0, rng.uniform(0, 2 * pi))
        links.new(nodes.new("ShaderNodeTexCoord").outputs["Generated"], turn.inputs["Vector"])
        links.new(turn.outputs["Vector"], picture.inputs["Vector"])
        links.new(picture.outputs["Color"], back.inputs["Color"])
    else:
        warm = rng.uniform(-0.3, 0.3)
        back.inputs["Color"].default_value = (0.7 + warm, 0.7, 0.7 - warm, 1)
    back.inputs["Strength"].default_value = rng.uniform(0.15, 1.0)
    for _ in range(rng.choice((0, 1, 1, 2, 3))):
        lamp = bpy.data.lights.new("lamp", "AREA")
        lamp.size = rng.choice((rng.uniform(0.3, 1.5), rng.uniform(2, 12)))
        warm = rng.uniform(-0.05, 0.45)
        lamp.color = (1.0, 1.0 - 0.4 * warm, max(1.0 - warm, 0.3))
        lamp.energy = 10 ** rng.uniform(3.0, 4.1)
        where = Vector(
            (
                shape.width / 2 + rng.gauss(0, 14),
                shape.height / 2 + rng.gauss(0, 14),
                rng.uniform(8, 26),
            )
        )
        aim = Vector((shape.width / 2, shape.height / 2, 0)) - where
        hung = placed(lamp, "lamp", Matrix.Translation(where) @ aim.to_track_quat("-Z", "Y").to_matrix().to_4x4())
        hung.visible_camera = False


def arm(rng: Random, shape: Shape) -> None:
    """An arm with a hand over the board, all its objects named "arm"."""
    colour = rng.choice(SKIN)
    skin, sleeve = material(Surface(colour, colour, rough=0.5, soft=0.15)), material(cloth(rng, any_colour(rng)))
    across, along = rng.uniform(0.05, 0.95), rng.uniform(0.15, 0.85)
    hand = Vector((across * shape.width, along * shape.height, rng.uniform(0.7, 1.6)))
    angle = rng.choice((-pi / 2, pi / 2)) + rng.gauss(0, 0.35)
    way = Vector((cos(angle), sin(angle), 0.12))
    wrist, elbow = hand + way * 2.4, hand + way * 18
    sleeved = hand + way * rng.uniform(2.6, 7)
    _limb([(hand + way * 0.5, 1.0), (wrist, 0.75), (elbow, 1.3)], skin)
    _limb([(sleeved, 1.15), (elbow, 1.8)], sleeve)
    _ball(hand, (1.25, 0.5), angle, skin)
    for finger in range(5):
        turn = angle + pi + (finger - 2) * 0.22 + rng.gauss(0, 0.06)
        base = hand + Vector((cos(turn), sin(turn), 0)) * 0.8
        tip = base + Vector((cos(turn), sin(turn), -0.35)) * (1.5 if finger else 1.0)
        _limb([(base, 0.3), (tip, 0.2)], skin)


def _limb(along: list[tuple[Vector, float]], surface: Any) -> None:
    for (start, first), (end, second) in itertools.pairwise(along):
        way = end - start
        round_end = [(second * 0.6, way.length + 0.3 * second, 0), (second, way.length, 0)]
        round_start = [(first, 0.0, 0), (first * 0.6, -0.3 * first, 0), (0.01, -0.35 * first, 0)]
        mesh = turned("arm", round_end + round_start, ())
        mesh.materials.append(surface)
        placed(mesh, "arm", Matrix.Translation(start) @ way.to_track_quat("Z", "Y").to_matrix().to_4x4())


def _ball(where: Vector, size: tuple[float, float], turn: float, surface: Any) -> None:
    rings = [(sin(pi * k / 12), cos(pi * k / 12), 0) for k in range(1, 12)]
    mesh = turned("arm", rings, ())
    mesh.materials.append(surface)
    long, high = size
    placed(
        mesh,
        "arm",
        Matrix.Translation(where) @ Matrix.Rotation(turn, 4, "Z") @ Matrix.Diagonal(Vector((long, 0.85, high, 1))),
    )


def camera(rng: Random, shape: Shape, size: tuple[int, int], kind: Kind) -> Any:
    """A camera that has the whole field in view."""
    scene = bpy.context.scene
    scene.render.resolution_x, scene.render.resolution_y = size
    made = bpy.data.cameras.new("camera")
    made.sensor_width, made.lens = 36, rng.choice(kind.lenses) * rng.uniform(0.9, 1.1)
    thing = placed(made, "camera", Matrix())
    scene.camera = thing
    around = rng.gauss(-pi / 2, radians(7)) if rng.random() < 0.8 else rng.uniform(0, 2 * pi)
    up = radians(min(rng.choice([rng.uniform(*degrees) for degrees in kind.up]), 89.5))
    way = Vector((cos(around) * cos(up), sin(around) * cos(up), sin(up)))
    aim = Vector((shape.width / 2 + rng.gauss(0, 0.5), shape.height / 2 + rng.gauss(0, 0.4), 0))
    roll, fill = radians(rng.gauss(0, 2.5)), rng.uniform(0.62, 0.97)
    near, far = 3.0, 300.0
    turn = _looking(way, around) @ Matrix.Rotation(roll, 4, "Z")
    for _ in range(30):
        middle = (near * far) ** 0.5
        thing.matrix_world = Matrix.Translation(aim + way * middle) @ turn
        bpy.context.view_layer.update()
        places = [seen(corner) for corner in corners_of(shape)]
        wide = max(max(abs(x - 0.5), abs(y - 0.5)) * 2 for x, y in places)
        too_near = wide > fill or not all(_before(thing, corner) for corner in corners_of(shape))
        near, far = (middle, far) if too_near else (near, middle)
    return thing


def _looking(way: Vector, around: float) -> Matrix:
    """The turn of a camera that stands in direction `way` and looks back, upright."""
    back, right = way.normalized(), Vector((-sin(around), cos(around), 0))
    upwards = back.cross(right)
    return Matrix((right, upwards, back)).transposed().to_4x4()


def _before(thing: Any, corner: Vector) -> bool:
    return float((thing.matrix_world.inverted() @ corner).z) < -0.5


def corners_of(shape: Shape) -> list[Vector]:
    """The field's corners: top-left, top-right, bottom-right, bottom-left."""
    return [
        Vector((0, shape.height, 0)),
        Vector((shape.width, shape.height, 0)),
        Vector((shape.width, 0, 0)),
        Vector((0, 0, 0)),
    ]


def seen(place: Vector) -> tuple[float, float]:
    """Where a place shows, as shares of the picture from its left and its top."""
    at_ = world_to_camera_view(bpy.context.scene, bpy.context.scene.camera, place)
    return float(at_.x), 1 - float(at_.y)
