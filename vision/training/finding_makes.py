"""How strange boards are made and taken: borders of inlay, leaves that fold, worked rails, brass, bold cameras, players."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Corners, Image
from vision.training import patterns, texture
from vision.training.canvas import BODY, SHIFT, THING, Canvas
from vision.training.scene import DrawnScene
from vision.training.texture import Colour, Rng
from vision.training.thought_up import METALS

FloatArray = npt.NDArray[np.float64]
OUTWARD = ((0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0))
"""From the sides top, right, bottom, left of the playing surface."""
BANDED = 0.35
NEAR_CAMERA = 0.25
CUT_INTO = 0.2
DEEPEST_CUT = 0.09
"""Board widths."""
FRAMED_PICTURE = 0.06
PLAYERS = 0.35
OVER_A_RAIL = 0.22
"""Pictures from low down over rails that hide the near edge of the playing surface."""


def banded(scene: DrawnScene, rng: Rng) -> DrawnScene:
    """Some with a band of plain or inlaid field between the rail and the points, on all four sides or along the rows only."""
    if rng.random() > BANDED:
        return scene
    gap, inset = rng.uniform(0.008, 0.06), rng.uniform(0.0, 0.035) if rng.random() < 0.7 else 0.0
    shape, (left, right) = scene.shape, scene.shape.bar

    def inwards(x: float) -> float:
        low, high = (0.0, left) if x < (left + right) / 2 else (right, 1.0)
        return low + inset + (x - low) * (1 - 2 * inset / (high - low))

    narrower = 1 - 4 * inset / (left + 1 - right)
    columns = tuple(inwards(x) for x in shape.columns)
    checkers = tuple(
        replace(one, x=inwards(one.x), y=float(np.clip(one.y, gap * 0.7, shape.height - gap * 0.7)))
        if 0 <= one.column < 24
        else one
        for one in scene.checkers
    )
    length = min(scene.points.length, 0.46 * shape.height)
    return replace(
        scene,
        shape=replace(shape, columns=columns, pitch=shape.pitch * narrower),
        points=replace(scene.points, gap=gap, length=max(length, gap + 0.2 * shape.height)),
        checkers=checkers,
        diameter=scene.diameter * narrower,
        thickness=scene.thickness * narrower,
    )


def taken_near(scene: DrawnScene, rng: Rng) -> DrawnScene:
    """Some from so near that the far side is half as long as the near one."""
    if rng.random() > NEAR_CAMERA:
        return scene
    middle = np.array([0.5, scene.shape.height / 2, 0.0])
    away = np.array(scene.camera) - middle
    distance = float(np.linalg.norm(away))
    x, y, z = (middle + away * rng.uniform(0.95, 1.35) / distance).tolist()
    return replace(scene, camera=(x, y, max(z, 0.55)))


def over_a_rail(scene: DrawnScene, rng: Rng) -> DrawnScene:
    """Some from where a near rail, or two at a corner, hide the edge behind: the other edges, points and far rails tell it."""
    if rng.random() > OVER_A_RAIL:
        return scene
    shape, middle = scene.shape, np.array([0.5, scene.shape.height / 2, 0.0])
    high, low = rng.uniform(0.02, 0.09), np.deg2rad(rng.uniform(26, 50))
    away = float(np.linalg.norm(np.array(scene.camera) - middle))
    azimuth = scene.azimuth if rng.random() < 0.5 else rng.choice([-3, -1, 1, 3]) * np.pi / 4 + rng.normal(0, 0.25)
    flat = away * np.cos(low)
    camera = (0.5 + flat * np.sin(azimuth), middle[1] + flat * np.cos(azimuth), max(away * np.sin(low), 0.4))
    shape = replace(shape, rim_z=high, bar_z=high * rng.uniform(0.4, 1.0) if shape.bar_z else 0.0)
    return replace(scene, shape=shape, camera=camera, azimuth=float(azimuth))


def cut_into(picture: Image, corners: Corners, rng: Rng) -> tuple[Image, Corners]:
    """Some pictures end a little within the playing surface, on one side or two."""
    if rng.random() > CUT_INTO:
        return picture, corners
    height, width = picture.shape[:2]
    low, high = corners.min(axis=0), corners.max(axis=0)
    ends = np.array([0.0, 0.0, width, height])
    reach = (high - low).max() * DEEPEST_CUT
    for side in rng.choice(4, int(rng.integers(1, 3)), replace=False).tolist():
        edge = (low[0], low[1], high[0], high[1])[side]
        ends[side] = edge + rng.uniform(0, reach) * (1 if side < 2 else -1)
    x0, y0, x1, y1 = np.clip(ends, 0, [width, height, width, height]).astype(int).tolist()
    return np.ascontiguousarray(picture[y0:y1, x0:x1]), (corners - [x0, y0]).astype(np.float32)


def framed_picture(picture: Image, corners: Corners | None, rng: Rng) -> tuple[Image, Corners | None]:
    """Some pictures within bars of one colour, as a page or a film shows them."""
    if rng.random() > FRAMED_PICTURE:
        return picture, corners
    height, width = picture.shape[:2]
    sides = (rng.uniform(0.0, 0.22, 4) * (rng.random(4) < 0.6) * max(width, height)).astype(int).tolist()
    tone = (0.0, 0.0, 0.0) if rng.random() < 0.5 else (255.0, 255.0, 255.0)
    if rng.random() < 0.3:
        b, g, r = texture.any_colour(rng).tolist()
        tone = (b, g, r)
    top, bottom, left, right = sides
    wider = cv2.copyMakeBorder(picture, top, bottom, left, right, cv2.BORDER_CONSTANT, value=tone)
    moved = None if corners is None else (corners + np.array([left, top])).astype(np.float32)
    return np.asarray(wider, np.uint8), moved


def worked_rails(canvas: Canvas, rng: Rng) -> None:
    """Grain along each rail, rounded tops, piping, rows of inlay, brass at the corners, the seam where a box folds."""
    if rng.random() < 0.5:
        _grain(canvas, rng)
    if rng.random() < 0.35:
        _rounded(canvas, rng)
    if rng.random() < 0.3:
        _piping(canvas, rng)
    if rng.random() < 0.3:
        _motifs(canvas, rng)
    if rng.random() < 0.15:
        _brass(canvas, rng)
    if rng.random() < 0.35:
        _fold(canvas, rng)


def inlaid_border(canvas: Canvas, rng: Rng) -> None:
    """What fills the band between rail and points: lines, a row of motifs, a strip of pattern; each leaf has its own."""
    shape, points = canvas.scene.shape, canvas.scene.points
    if points.gap < 0.008 or rng.random() < 0.25:
        return
    wide = points.gap * rng.uniform(0.3, 1.0)
    left, right = shape.bar
    leaves = ((0.0, left), (right, 1.0)) if rng.random() < 0.6 else ((0.0, 1.0),)
    kind, first, second = rng.random(), texture.any_colour(rng), texture.any_colour(rng)
    step = wide * rng.uniform(0.6, 2.5)
    for x0, x1 in leaves:
        for side in range(4):
            strip = _strip(x0, x1, shape.height, side, wide)
            if kind < 0.35:
                canvas.polygon(strip, 0, first)
            elif kind < 0.7:
                _row(canvas, strip, step, (first, second))
            else:
                _patterned(canvas, rng, canvas.project(np.c_[strip, np.zeros(4)]))


def _strip(x0: float, x1: float, height: float, side: int, wide: float) -> FloatArray:
    """(4, 2) a band just inside one side of a rectangle."""
    outer = np.array([[x0, 0], [x1, 0], [x1, height], [x0, height]], np.float64)
    inner = np.array([[x0 + wide, wide], [x1 - wide, wide], [x1 - wide, height - wide], [x0 + wide, height - wide]])
    after = (side + 1) % 4
    return np.array([outer[side], outer[after], inner[after], inner[side]])


def _row(canvas: Canvas, strip: FloatArray, step: float, colours: tuple[Colour, Colour], z: float = 0.0) -> None:
    """Rhombs or teeth of two colours along a band (4, 2): outer edge first, then the inner one backwards."""
    canvas.polygon(strip, z, colours[0])
    length = float(np.linalg.norm(strip[1] - strip[0]))
    ends = np.linspace(0, 1, max(2, min(int(length / max(step, 1e-3)), 60)))
    for low, high in pairwise(ends.tolist()):
        outer = [strip[0] + (strip[1] - strip[0]) * share for share in (low, (low + high) / 2, high)]
        inner = [strip[3] + (strip[2] - strip[3]) * share for share in (low, (low + high) / 2, high)]
        canvas.polygon(
            np.array([outer[1], (outer[2] + inner[2]) / 2, inner[1], (outer[0] + inner[0]) / 2]), z, colours[1]
        )


def _patterned(canvas: Canvas, rng: Rng, pixels: FloatArray) -> None:
    mask = np.zeros(canvas.owner.shape, np.uint8)
    cv2.fillPoly(mask, [np.round(pixels * 2**SHIFT).astype(np.int32)], 255, cv2.LINE_8, SHIFT)
    x, y, width, height = cv2.boundingRect(mask)
    if width > 2 and height > 2:
        there = mask[y : y + height, x : x + width] > 0
        canvas.image[y : y + height, x : x + width][there] = patterns.cut(rng, height, width).astype(np.uint8)[there]


def _rail(canvas: Canvas, side: int, inner: float, outer: float) -> FloatArray:
    """(4, 2) canvas px of the part of a rail's top between two distances from the playing surface, mitred."""
    shape = canvas.scene.shape
    corners = np.array([[0, 0], [1, 0], [1, shape.height], [0, shape.height]], np.float64)
    a, b = corners[side], corners[(side + 1) % 4]
    along, out = (b - a) / np.linalg.norm(b - a), np.array(OUTWARD[side])
    quad = [a + (out - along) * inner, b + (out + along) * inner, b + (out + along) * outer, a + (out - along) * outer]
    return canvas.project(np.c_[np.array(quad), np.full(4, shape.rim_z)])


def _grain(canvas: Canvas, rng: Rng) -> None:
    """Wood grows along each rail."""
    strength = np.float32(rng.uniform(0.03, 0.3))
    total = np.ones(canvas.owner.shape, np.float32)
    one = texture.patch(rng, canvas.height, canvas.width)
    other = texture.patch(rng, canvas.width, canvas.height).T
    for along, sides in ((one, (0, 2)), (other, (1, 3))):
        mask = np.zeros(canvas.owner.shape, np.float32)
        for side in sides:
            cv2.fillPoly(
                mask, [np.round(_rail(canvas, side, 0.0, 0.34) * 2**SHIFT).astype(np.int32)], 1.0, cv2.LINE_AA, SHIFT
            )
        total += mask * along * strength
    total[canvas.owner != BODY] = 1
    canvas.multiply(total)


def _rounded(canvas: Canvas, rng: Rng) -> None:
    """Tops like staves: light on one flank, dark on the other, a gleam between."""
    rim, total = canvas.scene.shape.rim, np.ones(canvas.owner.shape, np.float32)
    lamp, strength, steps = rng.uniform(0, 2 * np.pi), rng.uniform(0.1, 0.6), 7
    gleam, at = rng.uniform(0, 0.8), rng.uniform(0.2, 0.8)
    for side in range(4):
        facing = np.array(OUTWARD[side]) @ [np.cos(lamp), np.sin(lamp)]
        for step in range(steps):
            share = (step + 0.5) / steps
            tone = (
                1
                + strength * facing * (2 * share - 1)
                + gleam * np.exp(-(((share - at) / 0.12) ** 2)) * rng.uniform(0.6, 1)
            )
            pixels = _rail(canvas, side, rim * step / steps, rim * (step + 1) / steps)
            cv2.fillPoly(total, [np.round(pixels * 2**SHIFT).astype(np.int32)], float(tone), cv2.LINE_AA, SHIFT)
    canvas.multiply(total)


def _piping(canvas: Canvas, rng: Rng) -> None:
    """A second edge: a lip of another colour around the opening, at its very edge or a little outside it."""
    rim = canvas.scene.shape.rim
    first = rim * (0.0 if rng.random() < 0.6 else rng.uniform(0, 0.5))
    wide = rim * rng.uniform(0.05, 0.45)
    tone = texture.any_colour(rng) if rng.random() < 0.6 else canvas.scene.palette.field * rng.uniform(0.7, 1.2)
    for side in range(4):
        canvas.fill(_rail(canvas, side, first, first + wide), tone)


def _motifs(canvas: Canvas, rng: Rng) -> None:
    """Rhombs of two woods along all rails."""
    shape = canvas.scene.shape
    inner, wide = shape.rim * rng.uniform(0, 0.4), shape.rim * rng.uniform(0.2, 0.6)
    colours = (texture.any_colour(rng), texture.wood_colour(rng))
    step = wide * rng.uniform(0.8, 3)
    corners = np.array([[0, 0], [1, 0], [1, shape.height], [0, shape.height]], np.float64)
    for side in range(4):
        a, b, out = corners[side], corners[(side + 1) % 4], np.array(OUTWARD[side])
        strip = np.array([a + out * inner, b + out * inner, b + out * (inner + wide), a + out * (inner + wide)])
        _row(canvas, strip, step, colours, shape.rim_z)


def _brass(canvas: Canvas, rng: Rng) -> None:
    """Plates on the corners of the frame, or screws along the rails."""
    shape = canvas.scene.shape
    metal = np.array(METALS[int(rng.integers(len(METALS)))], np.float32) * rng.uniform(0.5, 1.2)
    if rng.random() < 0.5:
        size = rng.uniform(0.02, 0.1)
        for x, across in ((-shape.rim, 1), (1 + shape.rim, -1)):
            for y, down in ((-shape.rim, 1), (shape.height + shape.rim, -1)):
                plate = np.array([[x, y], [x + across * size, y], [x, y + down * size]])
                canvas.polygon(plate, shape.rim_z, metal, BODY)
        return
    for side in range(4):
        quad = _rail(canvas, side, shape.rim * 0.5, shape.rim * 0.5)
        for share in np.linspace(0.04, 0.96, int(rng.integers(2, 6))):
            canvas.disc(quad[0] + (quad[1] - quad[0]) * share, rng.uniform(1.0, 3.0) * canvas.finer, metal)


def _fold(canvas: Canvas, rng: Rng) -> None:
    """The seam across the far and the near rail where the two leaves meet."""
    shape = canvas.scene.shape
    middle, half = sum(shape.bar) / 2, rng.uniform(0.0008, 0.004)
    tone = canvas.scene.palette.frame * rng.uniform(0.1, 0.6)
    for y0, y1 in ((-shape.rim, 0.0), (shape.height, shape.height + shape.rim)):
        quad = np.array([[middle - half, y0], [middle + half, y0], [middle + half, y1], [middle - half, y1]])
        canvas.polygon(quad, shape.rim_z, tone)


def leaves_apart(canvas: Canvas, rng: Rng) -> None:
    """The two leaves of a box do not lie in one plane: each in its own light."""
    if rng.random() > 0.3:
        return
    factor = np.ones(canvas.owner.shape, np.float32)
    at = canvas.project([sum(canvas.scene.shape.bar) / 2, 0.0, 0.0])
    factor[:, max(int(at[0]), 0) :] = np.exp(rng.normal(0, 0.15))
    factor[(canvas.owner == 0) | (canvas.owner == THING)] = 1
    canvas.multiply(factor)


def reached_over(picture: Image, corners: Corners, rng: Rng) -> None:
    """Players in the picture: sleeves as broad as a third of the board from outside it, a forearm, a hand over the board."""
    middle, board = corners.mean(axis=0), float(np.linalg.norm(corners[1] - corners[0]))
    for _ in range(1 if rng.random() < 0.75 else 2):
        shares = rng.dirichlet(np.ones(4) * 0.7)
        target = shares @ corners
        away = target - middle if rng.random() < 0.6 else np.array([0.0, 1.0 if rng.random() < 0.75 else -1.0])
        heading = np.arctan2(away[1], away[0]) + rng.normal(0, 0.5)
        _arm(picture, target, np.array([np.cos(heading), np.sin(heading)]), board * rng.uniform(0.035, 0.15), rng)


def _arm(picture: Image, hand: FloatArray, out: FloatArray, half: float, rng: Rng) -> None:
    """From the hand outwards; half: half the wrist's width, px."""
    height, width = picture.shape[:2]
    x = np.arange(width, dtype=np.float32)[None] - np.float32(hand[0])
    y = np.arange(height, dtype=np.float32)[:, None] - np.float32(hand[1])
    right, down, thick = (np.float32(value) for value in (*out, half))
    along = x * right + y * down
    across = y * right - x * down + np.float32(rng.normal(0, 0.0012) / max(half, 4)) * along**2
    reach = np.clip(along, 0, 25 * thick) * np.float32(rng.uniform(0.0, 0.16)) + thick
    share = across / reach
    sleeve_from = half * rng.uniform(-0.5, 6)
    skin = np.array([rng.uniform(60, 190), rng.uniform(80, 200), rng.uniform(110, 235)], np.float32)
    skin = np.sort(skin) * np.float32(rng.uniform(0.25, 1.1))
    limb = (along > 0) & (np.abs(share) < 1)
    palm = (along / (np.float32(1.3) * thick)) ** 2 + (across / thick) ** 2 < 1
    fingers = np.zeros((height, width), np.uint8)
    for lean in np.linspace(-0.5, 0.5, 4) + rng.normal(0, 0.08, 4):
        side = np.array([-out[1], out[0]])
        start = hand + side * lean * 1.4 * half
        end = start - out * half * rng.uniform(0.5, 2.2) + side * lean * half * rng.uniform(0, 2)
        ends = [tuple(np.round(p * 2**SHIFT).astype(int).tolist()) for p in (start, end)]
        cv2.line(fingers, ends[0], ends[1], 255, max(2, int(half * 0.42)), cv2.LINE_AA, SHIFT)
    dressed = limb & (along >= sleeve_from)
    bare = ((limb | palm | (fingers > 127)) & ~dressed).astype(np.uint8)
    colour = _cloth(rng, along, share, half)
    colour[bare > 0] = skin
    bend = np.clip(share, -1, 1)
    round_off = 1 - np.float32(rng.uniform(0.1, 0.6)) * bend**2 + np.float32(rng.uniform(-0.3, 0.3)) * bend
    mask = cv2.GaussianBlur((bare | dressed).astype(np.float32), (0, 0), rng.uniform(0.4, 1.2))
    move = rng.normal(0, 0.5 * half, 2)
    shade = cv2.warpAffine(mask, np.array([[1, 0, move[0]], [0, 1, move[1]]]), (width, height))
    shade = softened(shade, max(1.0, half * rng.uniform(0.1, 0.5)))
    # What is not the arm keeps its colours, darker in the shadow.
    kept = (1 - shade * np.float32(rng.uniform(0, 0.6))) * (1 - mask)
    lit = np.asarray(cv2.multiply(picture, cv2.merge([kept] * 3), dtype=cv2.CV_32F), np.float32)
    lit += np.asarray(cv2.multiply(colour, cv2.merge([round_off * mask] * 3)))
    picture[:] = np.clip(lit, 0, 255, out=lit).astype(np.uint8)


def _cloth(
    rng: Rng, along: npt.NDArray[np.float32], share: npt.NDArray[np.float32], half: float
) -> npt.NDArray[np.float32]:
    """(H, W, 3) a sleeve's stuff: of any pattern, plain or striped across."""
    if rng.random() < 0.5:
        return patterns.cut(rng, *along.shape)
    cloth = np.empty((*along.shape, 3), np.float32)
    cloth[:] = texture.any_colour(rng)
    if rng.random() < 0.4:
        period, lean = np.float32(half * rng.uniform(0.1, 0.6)), np.float32(rng.uniform(0, 3))
        cloth[np.sin(along / period + share * lean) > 0] = texture.any_colour(rng)
    return cloth


def softened(image: npt.NDArray[Any], deviation: float) -> npt.NDArray[np.float32]:
    """Blurred; where much, in a smaller picture, which nobody can tell."""
    fewer = int(deviation // 2)
    if fewer < 2:
        return np.asarray(cv2.GaussianBlur(image, (0, 0), deviation), np.float32)
    height, width = image.shape
    small = cv2.resize(image, (max(width // fewer, 1), max(height // fewer, 1)), interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (0, 0), deviation / fewer)
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)
