"""The light and the camera of a lit table: what is rendered of it, and where what lies there is seen."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, pi, radians, sin
from pathlib import Path
from typing import Any

import bpy
import cv2
import numpy as np
import numpy.typing as npt
from bpy_extras.object_utils import world_to_camera_view
from mathutils import Vector

from vision.reading.detector import VIEW_ASPECT
from vision.training.lit.matter import Rng, linear
from vision.training.lit.table import WIDTH, Lying, Make

SAMPLES = 6
AROUND = 0.09
"""Of a whole board's extent, how much is shown around it."""
PROBES = 5
"""Of an upper face, along each side: how many of them the camera sees tells how much of it is hidden."""


def light(rng: Rng) -> None:
    """A room: its walls, windows and lamps as a picture all around, and lamps that throw shadows."""
    world = bpy.data.worlds.new("room")
    bpy.context.scene.world = world
    world.use_nodes = True
    nodes, links = world.node_tree.nodes, world.node_tree.links
    walls = np.ones((32, 64, 4), np.float32)
    walls[..., :3] = linear(rng.uniform(0.02, 0.62), rng.uniform(0, 0.4), rng.uniform(0.2, 0.9))
    walls[..., :3] *= (0.4 + 0.6 * np.linspace(0, 1, 32) ** rng.uniform(0.3, 2))[:, None, None]
    for _ in range(int(rng.integers(0, 5))):
        y, x = int(rng.integers(12, 31)), int(rng.integers(0, 60))
        h, w = int(rng.integers(1, 9)), int(rng.integers(1, 12))
        walls[y : y + h, x : x + w, :3] = linear(rng.uniform(0.05, 0.6), rng.uniform(0, 0.4), 1) * rng.uniform(1.5, 12)
    picture = bpy.data.images.new("room", 64, 32, float_buffer=True)
    picture.pixels.foreach_set(walls.ravel())
    picture.update()
    around = nodes.new("ShaderNodeTexEnvironment")
    around.image = picture
    links.new(around.outputs["Color"], nodes["Background"].inputs["Color"])
    nodes["Background"].inputs["Strength"].default_value = rng.choice([rng.uniform(0.1, 0.5), rng.uniform(0.4, 1.2)])
    for _ in range(int(rng.choice([0, 1, 1, 1, 2, 3]))):
        sort = str(rng.choice(["AREA", "AREA", "POINT", "SUN"]))
        lamp = bpy.data.lights.new("lamp", sort)
        warm = linear(rng.uniform(0.04, 0.12), rng.uniform(0, 0.5), 1)
        lamp.color = warm if rng.random() < 0.7 else linear(0.58, rng.uniform(0, 0.3), 1)
        thing = bpy.data.objects.new("lamp", lamp)
        bpy.context.collection.objects.link(thing)
        turn, up, far = rng.uniform(0, 2 * pi), radians(rng.uniform(20, 88)), rng.uniform(12, 45)
        middle = Vector((WIDTH / 2, WIDTH * 0.4, 0))
        thing.location = middle + far * Vector((cos(turn) * cos(up), sin(turn) * cos(up), sin(up)))
        thing.rotation_euler = (middle - thing.location).to_track_quat("-Z", "Y").to_euler()
        strength = rng.uniform(0.3, 2.5)
        if sort == "SUN":
            lamp.energy, lamp.angle = strength * 2.5, radians(rng.uniform(0.5, 12))
        else:
            lamp.energy = strength * far**2 * (12 if sort == "AREA" else 30)
            if sort == "AREA":
                lamp.size = rng.uniform(0.5, 15)
            else:
                lamp.shadow_soft_size = rng.uniform(0.1, 2)


@dataclass(frozen=True)
class Window:
    """What is rendered. size: of the camera's whole picture, px; left, top: of the window in it; wide, high: the window, px."""

    size: tuple[int, int]
    left: int
    top: int
    wide: int
    high: int

    def px(self, place: Vector) -> npt.NDArray[np.float64]:
        """(2,) px of a place in the window, middles of px at whole numbers."""
        x, y, _ = world_to_camera_view(bpy.context.scene, bpy.context.scene.camera, place)
        return np.array([x * self.size[0] - 0.5 - self.left, (1 - y) * self.size[1] - 0.5 - self.top])


def put_camera(rng: Rng, make: Make, board_px: float) -> Window:
    """Puts up a camera that sees the whole board, about `board_px` wide; answers its whole picture."""
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    bpy.context.collection.objects.link(camera)
    scene = bpy.context.scene
    scene.camera = camera
    above = radians(90 - abs(rng.normal(0, 14))) if rng.random() < 0.45 else radians(rng.uniform(28, 85))
    turn = -pi / 2 + (rng.normal(0, 0.3) if rng.random() < 0.75 else rng.uniform(-pi, pi))
    far = rng.uniform(12, 32)
    middle = Vector((WIDTH / 2 + rng.normal(0, 1), make.height / 2 + rng.normal(0, 0.7), 0))
    camera.location = middle + far * Vector((cos(turn) * cos(above), sin(turn) * cos(above), sin(above)))
    way = (middle - camera.location).to_track_quat("-Z", "Y").to_euler()
    camera.rotation_euler = way
    wide = 1.7
    camera.data.sensor_width, camera.data.lens = 36.0, 36.0 * far / (wide * WIDTH)
    size = (int(board_px * wide), int(board_px * wide * 0.8))
    scene.render.resolution_x, scene.render.resolution_y = size
    bpy.context.view_layer.update()
    return Window(size, 0, 0, *size)


def near(whole: Window, place: tuple[float, float], most: int) -> Window:
    """A window of at most `most` px a side about a place on the board."""
    size = whole.size
    x, y = whole.px(Vector((*place, 0.2)))
    w, h = min(most, size[0]), min(int(most * 0.85), size[1])
    left, top = int(np.clip(x - w / 2, 0, size[0] - w)), int(np.clip(y - h / 2, 0, size[1] - h))
    return Window(size, left, top, w, h)


def around(make: Make, whole: Window, room: float = AROUND) -> Window:
    """A window of the whole playing surface with some of what lies around it. room: how much, of the surface's extent."""
    quad = corners(make, whole)
    low, high = quad.min(axis=0), quad.max(axis=0)
    free = room * float((high - low).max())
    left, top = np.maximum(low - free, 0).astype(int).tolist()
    right, bottom = np.minimum(high + free, np.array(whole.size)).astype(int).tolist()
    return Window(whole.size, left, top, right - left, bottom - top)


def corners(make: Make, window: Window) -> npt.NDArray[np.float32]:
    """(4, 2) px of the playing surface's corners, in the order of the columns: far left, far right, near right, near left."""
    places = [(0, make.height), (WIDTH, make.height), (WIDTH, 0), (0, 0)]
    return np.array([window.px(Vector((x, y, 0))) for x, y in places], np.float32)


def view_of(make: Make, window: Window) -> dict[str, Any]:
    """How the window's px and the board lie to each other, as `vision.reading.detector.BoardPicture` has it."""
    quad = corners(make, window)
    unit = np.array([[0, 0], [1, 0], [1, VIEW_ASPECT], [0, VIEW_ASPECT]], np.float32)
    eye = bpy.context.scene.camera.matrix_world.translation
    return {
        "to_source": cv2.getPerspectiveTransform(unit, quad).tolist(),
        "foot": [eye.x / WIDTH, (make.height - eye.y) / WIDTH],
        "height": eye.z / WIDTH,
        "stretch": VIEW_ASPECT * WIDTH / make.height,
    }


def seen(one: Lying, window: Window) -> dict[str, Any]:
    """A thing as the camera sees it: px of its upper face's middle and corners, and the share of that face which shows."""
    a, b = (axis.normalized() * one.side / 2 for axis in one.axes)
    corners = [one.top + x * a + y * b for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    scene, graph = bpy.context.scene, bpy.context.evaluated_depsgraph_get()
    eye = scene.camera.matrix_world.translation
    names, shown = {thing.name for thing in one.things}, 0
    steps = (np.arange(PROBES) + 0.5) / PROBES * 1.7 - 0.85
    for s in steps:
        for t in steps:
            place = one.top + float(s) * a + float(t) * b + Vector((0, 0, 0.002))
            hit, _, _, _, thing, _ = scene.ray_cast(graph, eye, place - eye, distance=(place - eye).length + 0.05)
            at = window.px(place)
            inside = 0 <= at[0] < window.wide and 0 <= at[1] < window.high
            shown += inside and (not hit or thing.name in names)
    return {
        "kind": one.kind,
        "value": one.value,
        "px": [round(float(v), 2) for v in window.px(one.top)],
        "corners": [[round(float(v), 2) for v in window.px(corner)] for corner in corners],
        "seen": round(shown / PROBES**2, 2),
    }


def render(rng: Rng, window: Window, to: Path, threads: int, samples: int = SAMPLES) -> None:
    """Renders the window as a PNG. samples: rays for each px."""
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    cycles = scene.cycles
    cycles.device, cycles.samples, cycles.use_denoising = "CPU", samples, True
    cycles.denoising_quality, cycles.denoising_prefilter, cycles.denoising_input_passes = "FAST", "NONE", "RGB"
    cycles.max_bounces, cycles.diffuse_bounces, cycles.transmission_bounces = 6, 2, 4
    cycles.transparent_max_bounces = 4
    cycles.caustics_reflective = cycles.caustics_refractive = False
    cycles.seed = int(rng.integers(1 << 30))
    scene.render.threads_mode, scene.render.threads = "FIXED", threads
    scene.render.use_border = scene.render.use_crop_to_border = True
    w, h = window.size
    scene.render.border_min_x, scene.render.border_max_x = window.left / w, (window.left + window.wide) / w
    scene.render.border_min_y, scene.render.border_max_y = 1 - (window.top + window.high) / h, 1 - window.top / h
    scene.view_settings.view_transform = str(rng.choice(["Standard", "Filmic", "AgX"]))
    scene.view_settings.exposure = rng.normal(0, 0.5)
    scene.render.image_settings.file_format = "PNG"
    scene.render.filepath = str(to)
    bpy.ops.render.render(write_still=True)
