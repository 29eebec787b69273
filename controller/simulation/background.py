"""The empty simulated table, drawn once: picture, depth and height under every pixel."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from controller.simulation.camera import Array, Camera, Point3D
from controller.simulation.geometry import WoodBlock
from controller.simulation.lighting import Light
from controller.simulation.looks import Look
from controller.simulation.textures import Colour, bands, by_channel, inked, leather, plain, wood

OVERSAMPLED = 2
SEAM = 0.0004
"""Share of its distance by which a face may lie behind one painted before it: in a shared edge the later wins."""

WALL = -50.0
"""Height noted for upright faces: nothing casts a flat shadow on them."""


@dataclass(frozen=True, eq=False)
class Background:
    """image: (H, W, 3) uint8 BGR; nearness: (H, W) float32, 1/depth in 1/cm; height: (H, W) float32 cm or WALL."""

    image: Array
    nearness: Array
    height: Array


@dataclass(frozen=True, eq=False)
class _Canvas:
    camera: Camera
    image: Array
    nearness: Array
    height: Array

    def paint(self, quad: tuple[Point3D, Point3D, Point3D, Point3D], texture: Array) -> None:
        """Draws a flat quadrilateral (tl, tr, br, bl as its texture has them) where nothing nearer is."""
        corners = self.camera.project(quad) * OVERSAMPLED
        low = np.maximum(np.floor(corners.min(axis=0)).astype(int), 0)
        high = np.minimum(np.ceil(corners.max(axis=0)).astype(int) + 1, self.image.shape[1::-1])
        if (high <= low).any():
            return
        width, height = (int(n) for n in high - low)
        rows, columns = texture.shape[:2]
        source = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], np.float32)
        local = (corners - low).astype(np.float32)
        warp = cv2.getPerspectiveTransform(source, local)
        drawn = cv2.warpPerspective(
            texture, warp, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        mask = np.zeros((height, width), np.uint8)
        cv2.fillConvexPoly(mask, np.round(local * 16).astype(np.int32), 1, shift=4)
        depths = self.camera.seen_from(np.array(quad, np.float64))[:, 2]
        system = np.column_stack([local.astype(np.float64), np.ones(4)])
        a, b, c = np.linalg.lstsq(system, 1 / depths, rcond=None)[0]
        region = (slice(low[1], high[1]), slice(low[0], high[0]))
        image, nearness, heights = self.image[region], self.nearness[region], self.height[region]
        level = quad[0][2] if len({p[2] for p in quad}) == 1 else WALL
        across, down = a * np.arange(width)[None], b * np.arange(height)[:, None]
        for band in bands(height):
            near = (across + down[band] + c).astype(np.float32)
            ahead = (near > nearness[band] * (1 - SEAM)).view(np.uint8) & mask[band]
            cv2.copyTo(drawn[band], ahead, image[band])
            cv2.copyTo(near, ahead, nearness[band])
            np.copyto(heights[band], level, where=ahead.view(np.bool_))


def draw_background(look: Look, camera: Camera, light: Light, seed: int) -> Background:
    """The table with the empty board as the camera sees it."""
    rng = np.random.default_rng([seed, 11])
    width, height = camera.size[0] * OVERSAMPLED, camera.size[1] * OVERSAMPLED
    canvas = _Canvas(
        camera,
        np.zeros((height, width, 3), np.uint8),
        np.full((height, width), 1e-6, np.float32),
        np.full((height, width), WALL, np.float32),
    )
    scale = OVERSAMPLED * camera.focal / look.view.distance
    _paint_table(canvas, look, light, rng, scale)
    _paint_floor(canvas, look, light, rng, scale)
    for box in look.shape.boxes():
        _paint_box(canvas, box, look, light, rng, scale)
    small = camera.size
    image = cv2.resize(canvas.image, small, interpolation=cv2.INTER_AREA)
    nearness = cv2.resize(canvas.nearness, small, interpolation=cv2.INTER_NEAREST)
    heights = cv2.resize(canvas.height, small, interpolation=cv2.INTER_NEAREST)
    for kept in (image, nearness, heights):
        kept.setflags(write=False)
    return Background(np.asarray(image), np.asarray(nearness), np.asarray(heights))


def _paint_table(canvas: _Canvas, look: Look, light: Light, rng: np.random.Generator, scale: float) -> None:
    foot = -look.shape.thickness
    width, height = canvas.camera.size
    corners = [
        canvas.camera.on_plane(p, foot) for p in ((-2, -2), (width + 2, -2), (width + 2, height + 2), (-2, height + 2))
    ]
    left, right = min(c[0] for c in corners), max(c[0] for c in corners)
    top, bottom = min(c[1] for c in corners), max(c[1] for c in corners)
    scale = scale * 0.6
    columns, rows = int((right - left) * scale), int((bottom - top) * scale)
    if look.table_stuff == "wood":
        texture = wood(rng, rows, columns, look.table, scale * 1.6, upright=False)
    else:
        texture = plain(rng, rows, columns, look.table, scale, 1.2)
    shape = look.shape
    blocks = [
        WoodBlock(
            -shape.margin, -shape.rail, shape.width + shape.margin, shape.height + shape.rail, foot, shape.rail_height
        )
    ]
    lit = _lit(texture, (left, top, right, bottom), foot, blocks, light, 0.15)
    canvas.paint(((left, top, foot), (right, top, foot), (right, bottom, foot), (left, bottom, foot)), lit)


def _paint_floor(canvas: _Canvas, look: Look, light: Light, rng: np.random.Generator, scale: float) -> None:
    """The playing surface with its points, and the trays' bottoms."""
    shape = look.shape
    left, right = -shape.divider - shape.tray, shape.width + shape.divider + shape.tray
    columns, rows = int((right - left) * scale), int(shape.height * scale)
    floor = _stuff(look.floor, rng, rows, columns, look.surface, scale)
    for colour, wanted in ((look.points[0], 0), (look.points[1], 1)):
        ink = _stuff("felt" if look.floor == "felt" else look.floor, rng, rows, columns, colour, scale)
        mask = np.zeros((rows, columns), np.uint8)
        for column in range(24):
            if (column + column // 12) % 2 == wanted:
                _triangle(mask, look, column, left, scale)
        soft = cv2.GaussianBlur(mask, (0, 0), 0.9).astype(np.float32) / 255
        floor = inked(floor, ink, soft)
    lit = _lit(floor, (left, 0.0, right, shape.height), 0.0, list(shape.boxes()), light, 0.04)
    canvas.paint(((left, 0, 0), (right, 0, 0), (right, shape.height, 0), (left, shape.height, 0)), lit)


def _triangle(mask: Array, look: Look, column: int, left: float, scale: float) -> None:
    shape = look.shape
    x, half = shape.column_x(column), shape.pitch / 2
    reach = min(shape.radius * 10.2, shape.height / 2 - 1.5)
    edge, tip = (0.0, reach) if column < 12 else (shape.height, shape.height - reach)
    points = np.array([[x - half, edge], [x + half, edge], [x, tip]])
    pixels = (points - [left, 0.0]) * scale * 16
    cv2.fillConvexPoly(mask, np.round(pixels).astype(np.int32), 255, cv2.LINE_AA, shift=4)


def _paint_box(
    canvas: _Canvas, box: WoodBlock, look: Look, light: Light, rng: np.random.Generator, scale: float
) -> None:
    w, t, r, b, f, h = box.left, box.top, box.right, box.bottom, box.foot, box.head
    along = "wood" if look.rails == "wood" else look.rails
    rows, columns = max(int((b - t) * scale), 4), max(int((r - w) * scale), 4)
    wall = max(int((h - f) * scale), 4)
    for quad, normal, length in (
        (((w, t, h), (w, b, h), (w, b, f), (w, t, f)), (-1.0, 0.0, 0.0), rows),
        (((r, t, h), (r, b, h), (r, b, f), (r, t, f)), (1.0, 0.0, 0.0), rows),
        (((w, t, h), (r, t, h), (r, t, f), (w, t, f)), (0.0, -1.0, 0.0), columns),
        (((w, b, h), (r, b, h), (r, b, f), (w, b, f)), (0.0, 1.0, 0.0), columns),
    ):
        outward = np.array(normal)
        if (canvas.camera.place - np.array(quad[0])) @ outward <= 0:
            continue
        side = _stuff(along, rng, wall, max(length, 4), look.wood, scale)
        middle = np.array(quad, np.float64).mean(axis=0)
        shade = light.display(middle[None], outward) * 0.92
        fading = np.linspace(1.0, 0.72, wall, dtype=np.float32)[:, None, None]
        canvas.paint(quad, np.clip(side * shade * fading, 0, 255).astype(np.uint8))
    top = _stuff(along, rng, rows, columns, look.wood, scale, upright=box.upright)
    top = _rounded(top, scale)
    canvas.paint(((w, t, h), (r, t, h), (r, b, h), (w, b, h)), _lit(top, (w, t, r, b), h, [], light, 0.35))


def _stuff(
    kind: str, rng: np.random.Generator, rows: int, columns: int, colour: Colour, scale: float, *, upright: bool = False
) -> Array:
    if kind == "wood":
        return wood(rng, rows, columns, colour, scale, upright=upright)
    if kind == "leather":
        return leather(rng, rows, columns, colour, scale)
    return plain(rng, rows, columns, colour, scale)


def _rounded(texture: Array, scale: float) -> Array:
    """Lighter and darker lines along the edges, as rounded wood has them."""
    rows, columns = texture.shape[:2]
    edge = max(int(scale * 0.18), 1)
    shade = np.ones((rows, columns, 1), np.float32)
    shade[:edge] += 0.12
    shade[:, :edge] += 0.12
    shade[-edge:] -= 0.14
    shade[:, -edge:] -= 0.14
    return np.clip(texture * shade, 0, 255).astype(np.uint8)


def _lit(
    texture: Array,
    area: tuple[float, float, float, float],
    z: float,
    blocks: list[WoodBlock],
    light: Light,
    gloss: float,
) -> Array:
    """A level texture over `area` (left, top, right, bottom cm) under the lamp, with the blocks' shadows on it."""
    rows, columns = texture.shape[:2]
    left, top, right, bottom = area
    gx, gy = np.meshgrid(np.linspace(left, right, 40), np.linspace(top, bottom, 40))
    grid = np.stack([gx, gy, np.full_like(gx, z)], axis=-1)
    shade = light.display(grid.reshape(-1, 3), np.array([0, 0, 1.0])).reshape(40, 40, 3).astype(np.float32)
    shine = light.shine(grid.reshape(-1, 3), np.array([0, 0, 1.0]), 18.0).reshape(40, 40).astype(np.float32) * gloss
    cover = np.zeros((rows, columns), np.float32)
    scale = columns / (right - left)
    for box in blocks:
        if box.head > z + 0.2:
            np.maximum(cover, _block_shadow(box, area, z, light, (rows, columns), scale), out=cover)
    full: Array = np.asarray(cv2.resize(shade, (columns, rows), interpolation=cv2.INTER_LINEAR))
    glint: Array = np.asarray(cv2.resize(shine, (columns, rows), interpolation=cv2.INTER_LINEAR))
    depth = light.shadow_depth
    return by_channel(
        lambda lit, stuff, cover, glint: lit * (1 - depth * cover) * stuff + glint * 255 * (1 - cover),
        [full, texture],
        cover,
        glint,
    )


def _block_shadow(
    box: WoodBlock,
    area: tuple[float, float, float, float],
    z: float,
    light: Light,
    shape: tuple[int, int],
    scale: float,
) -> Array:
    """(rows, columns) float32 0-1: how much a block shades a level texture, its foot's darkening included."""
    rows, columns = shape
    quarter = (max(rows // 4, 1), max(columns // 4, 1))
    mask = np.zeros(quarter, np.uint8)
    corners = np.array([[box.left, box.top], [box.right, box.top], [box.right, box.bottom], [box.left, box.bottom]])
    middle = ((box.left + box.right) / 2, (box.top + box.bottom) / 2, box.head)
    shift = light.cast(middle, box.head - z)
    hull = cv2.convexHull(np.concatenate([corners, corners + shift]).astype(np.float32)).reshape(-1, 2)
    pixels = (hull - [area[0], area[1]]) * scale / 4
    cv2.fillConvexPoly(mask, np.round(pixels * 16).astype(np.int32), 255, shift=4)
    blur = max((box.head - z) * light.softness * scale / 4, 0.8)
    cast = cv2.GaussianBlur(mask, (0, 0), blur).astype(np.float32) / 255
    contact = np.zeros(quarter, np.uint8)
    foot = (corners - [area[0], area[1]]) * scale / 4
    cv2.fillConvexPoly(contact, np.round(foot * 16).astype(np.int32), 255, shift=4)
    near = cv2.GaussianBlur(contact, (0, 0), max((box.head - z) * 0.45 * scale / 4, 0.8)).astype(np.float32) / 255
    both = np.clip(cast + 0.5 * near, 0, 1)
    return np.asarray(cv2.resize(both, (columns, rows), interpolation=cv2.INTER_LINEAR))
