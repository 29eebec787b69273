"""Dice and cubes as training pictures need them: rounded bodies, ray-cast once into tiles, then coloured and lit.

The board plane is the picture plane here (the pictures are rectified). Seen from a camera above, a point at height z
appears shifted by `lean * z` away from the camera's foot, so that a parallel ray cast along (lean, -1) draws the upper
face undistorted and exactly the side faces that the camera would see.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Bytes = npt.NDArray[np.uint8]

TILE_UNITS = 3.2
"""Width of a tile in sides of the solid: room for a leaning body and its sides."""
LEAN_STEPS = 16
LEAN_MAX = 1.6
"""A camera 32 degrees above the table sees a height shifted by 1.6 times itself."""
TRACE_STEPS = 22
FACE_PX = 64


@dataclass(frozen=True)
class SolidTile:
    """A solid seen from one side, without colour. The tile's centre is the body's centre; the lean points up (-y).

    face: (T, T) uint8, which of the body's faces a pixel shows (0..5 for +x -x +y -y +z -z), 255 outside the body.
    u, v: (T, T) uint8, texture coordinate on that face.
    normal: (T, T, 3) float16, world frame of the tile (x right, y down, z up).
    height: (T, T) float16, above the solid's lowest point, in sides.
    top: the face that lies uppermost. lean: shift per height, in sides. flat: lies on a face. corners: (8, 3), body's.
    """

    face: Bytes
    u: Bytes
    v: Bytes
    normal: npt.NDArray[np.float16]
    height: npt.NDArray[np.float16]
    top: int
    lean: float
    flat: bool
    corners: Floats


def _rotation(rng: np.random.Generator, tilt: float) -> Floats:
    """One of the 24 ways a cube lies, turned about the vertical, then tilted by `tilt` radians about a level axis."""
    axes = np.eye(3)[rng.permutation(3)] * rng.choice([-1.0, 1.0], 3)[:, None]
    if np.linalg.det(axes) < 0:
        axes[0] *= -1
    turn = rng.uniform(0, 2 * np.pi)
    spin = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    about = rng.uniform(0, 2 * np.pi)
    lean, _ = cv2.Rodrigues(np.array([np.cos(about), np.sin(about), 0]) * tilt)
    return np.asarray(lean @ spin @ axes, np.float32)


def _distance(points: npt.NDArray[np.floating], rounding: float, sphere: float) -> Floats:
    """Signed distance of body points (N, 3) to a unit cube with rounded edges, cut by a sphere of radius `sphere`."""
    x, y, z = points.T
    beyond = [np.abs(part) - (0.5 - rounding) for part in (x, y, z)]
    rounded = np.sqrt(sum(np.maximum(part, 0) ** 2 for part in beyond))
    box = rounded + np.minimum(np.maximum(np.maximum(beyond[0], beyond[1]), beyond[2]), 0) - rounding
    return np.asarray(np.maximum(box, np.sqrt(x**2 + y**2 + z**2) - sphere), np.float32)


def cast(
    rng: np.random.Generator, lean: float, pixels: int, rounding: tuple[float, float], tilt: float = 0.0
) -> SolidTile:
    """Ray-casts one solid into a tile of `pixels` a side; `rounding` bounds the edge radius in sides."""
    radius = rng.uniform(*rounding)
    sphere = rng.uniform(0.66, 0.76) if rng.random() < 0.35 else 2.0
    turn = _rotation(rng, tilt)
    grid = (np.arange(pixels, dtype=np.float32) + 0.5) / pixels * TILE_UNITS - TILE_UNITS / 2
    x, y = np.meshgrid(grid, grid)
    down = np.array([0, -lean, -1], np.float32)
    start = np.stack([x.ravel(), y.ravel() + lean * 1.0, np.full(x.size, 1.0, np.float32)], 1)
    origin, step = start @ turn, (down / np.linalg.norm(down)) @ turn
    way = np.zeros(len(origin), np.float32)
    for _ in range(TRACE_STEPS):
        way += _distance(origin + way[:, None] * step, radius, sphere)
    body = origin + way[:, None] * step
    hit = _distance(body, radius, sphere) < 0.03
    eps = 0.02
    slope = np.stack(
        [
            _distance(body + eps * e, radius, sphere) - _distance(body - eps * e, radius, sphere)
            for e in np.eye(3, dtype=np.float32)
        ],
        1,
    )
    slope /= np.linalg.norm(slope, axis=1, keepdims=True) + 1e-6
    axis = np.abs(body).argmax(1)
    sign = np.take_along_axis(body, axis[:, None], 1)[:, 0] < 0
    others = np.array([[1, 2], [0, 2], [0, 1]])[axis]
    uv = np.take_along_axis(body, others, 1)
    mirrored = sign ^ (axis == 1)  # so that every face reads the right way round from outside
    uv[:, 0] *= np.where(mirrored, -1, 1)
    texel = np.clip((uv + 0.5) * FACE_PX, 0, FACE_PX - 1).astype(np.uint8)
    corners = np.array([[a, b, c] for a in (-0.5, 0.5) for b in (-0.5, 0.5) for c in (-0.5, 0.5)], np.float32) @ turn.T
    up = turn[2]
    top = int(np.abs(up).argmax())
    shape = (pixels, pixels)
    return SolidTile(
        face=np.where(hit, axis * 2 + sign, 255).astype(np.uint8).reshape(shape),
        u=texel[:, 0].reshape(shape),
        v=texel[:, 1].reshape(shape),
        normal=(slope @ turn.T).astype(np.float16).reshape(*shape, 3),
        height=np.where(hit, (body @ turn.T)[:, 2] - corners[:, 2].min(), 0).astype(np.float16).reshape(shape),
        top=top * 2 + int(up[top] < 0),
        lean=lean,
        flat=tilt == 0.0,
        corners=corners,
    )


def library(
    rng: np.random.Generator, count: int, pixels: int, rounding: tuple[float, float], tilted: float
) -> list[list[SolidTile]]:
    """Tiles for every lean step: `count` each, a share `tilted` of them leaning on something."""
    return [
        [
            cast(
                rng,
                LEAN_MAX * step / (LEAN_STEPS - 1),
                pixels,
                rounding,
                rng.uniform(0.2, 0.8) if rng.random() < tilted else 0.0,
            )
            for _ in range(count)
        ]
        for step in range(LEAN_STEPS)
    ]


PIPS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, 1), (-1, 1), (1, -1)],
    5: [(-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)],
    6: [(-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)],
}
DIE_FACES = (1, 6, 2, 5, 3, 4)
"""The pips on +x -x +y -y +z -z: opposite faces add up to seven."""


def die_atlas(rng: np.random.Generator) -> tuple[Bytes, tuple[int, ...]]:
    """(6, 64, 64) uint8 pip masks (0 body, 255 pip) and the value of each face; both mirror images of a die occur."""
    values = list(DIE_FACES)
    if rng.random() < 0.5:
        values[4:] = values[5], values[4]
    radius, spread = rng.uniform(0.07, 0.125), rng.uniform(0.22, 0.30)
    large_one = rng.uniform(1.0, 1.5) if rng.random() < 0.2 else 1.0
    atlas = np.zeros((6, FACE_PX, FACE_PX), np.uint8)
    for picture, value in zip(atlas, values, strict=True):
        mirror = int(rng.choice([-1, 1]))
        turned = rng.random() < 0.5
        for a, b in PIPS[value]:
            a, b = (b, a * mirror) if turned else (a * mirror, b)
            centre = ((np.array([a, b]) * spread + 0.5) * FACE_PX * 16).astype(int).tolist()
            size = radius * (large_one if value == 1 else 1.0)
            cv2.circle(picture, centre, int(size * FACE_PX * 16), 255, -1, cv2.LINE_AA, 4)
    return atlas, tuple(values)


def light(tile: SolidTile, rng_light: Floats, ambient: float) -> Floats:
    """(T, T) float32 brightness of a matt white body: sky light, lamp, and darker towards the ground."""
    normal = tile.normal.astype(np.float32)
    sky = 0.55 + 0.45 * normal[..., 2]
    lamp = np.maximum(normal @ rng_light, 0)
    ground = 0.75 + 0.25 * np.clip(tile.height.astype(np.float32), 0, 1)
    return np.asarray((ambient * sky + (1 - ambient) * lamp) * ground, np.float32)


def gloss(tile: SolidTile, lamp: Floats, power: float) -> Floats:
    """(T, T) float32 highlight 0..1 of a shiny body (Blinn-Phong half vector between lamp and camera)."""
    eye = np.array([0, tile.lean, 1], np.float32)
    half = lamp + eye / np.linalg.norm(eye)
    half /= np.linalg.norm(half)
    return np.asarray(np.maximum(tile.normal.astype(np.float32) @ half, 0) ** power, np.float32)


def paint(tile: SolidTile, ink: Floats, body: Floats, mark: Floats, shade: Floats, shine: Floats) -> Floats:
    """(T, T, 4) float32 BGR 0..255 and alpha 0..1. `ink` (6, 64, 64) 0..1 says where `mark` covers `body`."""
    on = tile.face != 255
    part = ink[np.where(on, tile.face, 0), tile.v, tile.u][..., None]
    colour = (body * (1 - part) + mark * part) * shade[..., None] + 255 * shine[..., None]
    return np.dstack([np.clip(colour, 0, 255), on.astype(np.float32)]).astype(np.float32)
