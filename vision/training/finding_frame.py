"""Frames as they look around real fields: walls lit side by side, bevels, seams, borders, felt up the wall, a wider case."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Image
from vision.training import texture
from vision.training.canvas import BODY, SHIFT, THING, Canvas
from vision.training.finding_makes import inlaid_border, leaves_apart, worked_rails
from vision.training.texture import Colour, Rng

FloatArray = npt.NDArray[np.float64]
OUTWARD = ((0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0))
"""From the sides top, right, bottom, left of the playing surface."""
BANDS = 5
"""Strips a wall is painted in, from its foot to its top."""


class BoardFrame:
    """Paints the empty board's frame; and again the near sides of it, which by then hide what lies behind them."""

    def __init__(self, room: float) -> None:
        """room: table around the playing surface that is drawn, board widths."""
        self._room = room
        self._kept: Image | None = None
        self._near: list[int] = []

    def dress(self, canvas: Canvas, rng: Rng) -> None:
        """Before points are painted."""
        shape = canvas.scene.shape
        below = _case(canvas, rng, self._room) if rng.random() < 0.3 else -rng.uniform(0, 0.08)
        self._near = _near_sides(canvas) if shape.rim_z > 0 else []
        for side in self._near:
            _near_side(canvas, rng, side, below)
        _members(canvas, rng)
        _inlays(canvas, rng)
        if canvas.scene.strange:
            worked_rails(canvas, rng)
        if shape.rim_z > 0:
            _bevel(canvas, rng)
        self._kept = canvas.image.copy()
        if shape.rim_z > 0:
            _walls(canvas, rng)
        _floor(canvas)
        if canvas.scene.strange:
            inlaid_border(canvas, rng)
        if rng.random() < 0.35:
            _seam(canvas, rng)
        if rng.random() < 0.16:
            _border(canvas, rng)

    def near(self, canvas: Canvas, rng: Rng) -> None:
        """After the near walls: they are those of the frame, not of one plain colour."""
        mask = np.zeros(canvas.owner.shape, np.uint8)
        for side in self._near:
            top, bottom = _top(canvas, side), _wall(canvas, side, 0.0, canvas.scene.shape.rim)
            for pixels in (top, np.r_[top[2:], bottom[:1], bottom[1:]]):
                cv2.fillPoly(mask, [np.round(pixels * 2**SHIFT).astype(np.int32)], 255, cv2.LINE_8, SHIFT)
        there = (mask > 0) & ((canvas.owner == THING) | (canvas.owner == BODY))
        if self._kept is not None:
            canvas.image[there] = self._kept[there]
        if canvas.scene.strange:
            leaves_apart(canvas, rng)


def _near_sides(canvas: Canvas) -> list[int]:
    """Sides whose walls stand between the camera and the field."""
    tall = canvas.scene.shape.rim_z
    leans = [_wall(canvas, side, tall).mean(0) - _wall(canvas, side, 0.0).mean(0) for side in range(4)]
    return [side for side in range(4) if leans[side] @ np.array(OUTWARD[side]) < 0]


def _top(canvas: Canvas, side: int) -> FloatArray:
    """(4, 2) canvas px of the upper face of a side of the frame."""
    rim, tall = canvas.scene.shape.rim, canvas.scene.shape.rim_z
    return np.concatenate([_wall(canvas, side, tall), _wall(canvas, side, tall, rim)[::-1]])


def _near_side(canvas: Canvas, rng: Rng, side: int, below: float) -> None:
    """Upper and outer face of a near side, which the openings' floors have painted over; below: where the outer face ends."""
    shape, frame = canvas.scene.shape, canvas.scene.palette.frame
    tray = side % 2 == 1 and shape.trays[0 if side == 3 else 1] > 0
    foot = _wall(canvas, side, 0.0 if tray else below, shape.rim)
    top = _top(canvas, side)
    canvas.fill(np.r_[foot, top[2:]], frame * rng.uniform(0.35, 1.0))
    canvas.fill(top, frame * rng.uniform(0.9, 1.1))
    mask = np.zeros(canvas.owner.shape, np.float32)
    cv2.fillPoly(mask, [np.round(top * 2**SHIFT).astype(np.int32)], 1.0, cv2.LINE_8, SHIFT)
    canvas.multiply(1 + mask * texture.patch(rng, canvas.height, canvas.width) * np.float32(rng.uniform(0, 0.14)))


def _side(canvas: Canvas, side: int) -> tuple[FloatArray, FloatArray]:
    """The two ends of a side of the playing surface, clockwise, board lengths."""
    height = canvas.scene.shape.height
    corners = np.array([[0, 0], [1, 0], [1, height], [0, height]], np.float64)
    return corners[side], corners[(side + 1) % 4]


def _wall(canvas: Canvas, side: int, z: float, away: float = 0.0) -> FloatArray:
    """(2, 2) canvas px of a side's ends at height z, moved outwards at both ends by `away` board widths."""
    a, b = _side(canvas, side)
    along, out = (b - a) / np.linalg.norm(b - a), np.array(OUTWARD[side])
    ends = np.array([a - along * away, b + along * away]) + out * away
    return canvas.project(np.c_[ends, [z, z]])


def _floor(canvas: Canvas) -> None:
    a, b, c, d = (_side(canvas, side)[0] for side in range(4))
    canvas.polygon(np.array([a, b, c, d]), 0, canvas.scene.palette.field)


def _case(canvas: Canvas, rng: Rng, room: float) -> float:
    """More of the frame outside of it: outer walls are thicker than what parts field and trays. How high it is."""
    shape, frame = canvas.scene.shape, canvas.scene.palette.frame
    left, right = (shape.rim + (tray + shape.rim if tray else 0) for tray in shape.trays)
    most = room - 0.02 - max(left, right)
    if most < 0.01:
        return 0.0
    wide = rng.uniform(0.005, min(most, 0.07))
    tone = frame * rng.uniform(0.6, 1.4) if rng.random() < 0.7 else texture.any_colour(rng)
    x0, x1, y0, y1 = -left, 1 + right, -shape.rim, shape.height + shape.rim
    outer = np.array([[x0 - wide, y0 - wide], [x1 + wide, y0 - wide], [x1 + wide, y1 + wide], [x0 - wide, y1 + wide]])
    inner = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])
    top = shape.rim_z * rng.uniform(0.4, 1.0)
    for z in np.linspace(-rng.uniform(0, 0.08), top, 4):
        for side in range(4):
            after = (side + 1) % 4
            quad = np.array([inner[side], inner[after], outer[after], outer[side]])
            canvas.polygon(quad, float(z), tone * (1.0 if z >= top else rng.uniform(0.5, 0.9)), BODY)
    return float(top)


def _members(canvas: Canvas, rng: Rng) -> None:
    """Four pieces of wood or leather, mitred, each as light as it lies to the lamp."""
    if rng.random() < 0.3:
        return
    factor = np.ones(canvas.owner.shape, np.float32)
    strength = rng.uniform(0.02, 0.2)
    for side in range(4):
        inner, outer = (_wall(canvas, side, canvas.scene.shape.rim_z, away) for away in (0.0, 0.35))
        quad = [np.round(np.r_[inner, outer[::-1]] * 2**SHIFT).astype(np.int32)]
        cv2.fillPoly(factor, quad, float(np.exp(rng.normal(0, strength))), cv2.LINE_AA, SHIFT)
    factor[canvas.owner != BODY] = 1
    canvas.multiply(factor)


def _inlays(canvas: Canvas, rng: Rng) -> None:
    """Lines around the frame that are not the playing surface's edge."""
    shape, frame = canvas.scene.shape, canvas.scene.palette.frame
    tray = [width + shape.rim if width else 0.0 for width in shape.trays]
    for _ in range(int(rng.choice([0, 1, 2], p=[0.55, 0.3, 0.15]))):
        off = shape.rim * rng.uniform(0.15, 0.95)
        loop = np.array([[-off, -off], [1 + off, -off], [1 + off, shape.height + off], [-off, shape.height + off]])
        if rng.random() < 0.5:
            loop[[0, 3], 0] -= tray[0]
            loop[[1, 2], 0] += tray[1]
        tone = frame * rng.uniform(0.3, 1.8) if rng.random() < 0.6 else texture.any_colour(rng)
        pixels = canvas.project(np.c_[loop, np.full(4, shape.rim_z)])
        _line(canvas, pixels, tone, rng.uniform(1, 5), closed=True)


def _line(canvas: Canvas, pixels: FloatArray, tone: Colour, width: float, *, closed: bool = False) -> None:
    fixed = [np.round(pixels * 2**SHIFT).astype(np.int32)]
    colour = np.clip(tone, 0, 255).tolist()
    cv2.polylines(canvas.image, fixed, closed, colour, canvas.stroke(width), cv2.LINE_AA, SHIFT)


def _bevel(canvas: Canvas, rng: Rng) -> None:
    """The frame's inner upper edge, cut off or rounded, in steps of light; a gleam along some of it."""
    shape, frame = canvas.scene.shape, canvas.scene.palette.frame
    if rng.random() < 0.35:
        return
    wide, deep = shape.rim * rng.uniform(0.08, 0.5), shape.rim_z * rng.uniform(0.05, 0.4)
    steps = int(rng.integers(1, 4))
    for side in range(4):
        light = np.exp(rng.normal(0, 0.35))
        for step in range(steps):
            outer, inner = 1 - step / steps, 1 - (step + 1) / steps
            z0, z1 = shape.rim_z - deep * step / steps, shape.rim_z - deep * (step + 1) / steps
            quad = np.r_[_wall(canvas, side, z0, wide * outer), _wall(canvas, side, z1, wide * inner)[::-1]]
            canvas.fill(quad, frame * (1 + (light - 1) * (step + 1) / steps))
        if rng.random() < 0.25:
            at = wide * rng.random()
            white = frame + (255 - frame) * rng.uniform(0.1, 0.9)
            _line(canvas, _wall(canvas, side, shape.rim_z - deep / 2, at), white, rng.uniform(0.6, 2))


def _walls(canvas: Canvas, rng: Rng) -> None:
    """The four inner walls, each in its own light, darker towards the foot."""
    shape, palette = canvas.scene.shape, canvas.scene.palette
    kind = rng.random()
    base = palette.frame if kind < 0.72 else palette.field if kind < 0.86 else texture.any_colour(rng, (0.03, 0.7))
    dim, spread = rng.uniform(0.35, 1.05), rng.uniform(0.05, 0.45)
    foot = rng.uniform(0.3, 1.0)
    ply = rng.uniform(0.1, 0.9) if rng.random() < 0.2 else 2.0
    for side in range(4):
        light = dim * np.exp(rng.normal(0, spread))
        for band in range(BANDS):
            low, high = (shape.rim_z * (band + end) / BANDS for end in (0, 1))
            tone = base * light * (foot + (1 - foot) * (band + 0.5) / BANDS) * (0.7 if band / BANDS > ply else 1)
            canvas.fill(np.r_[_wall(canvas, side, low), _wall(canvas, side, high)[::-1]], tone)


def _seam(canvas: Canvas, rng: Rng) -> None:
    """The gap between field and wall."""
    field = canvas.scene.palette.field
    tone, width = field * (rng.uniform(0.1, 0.7) if rng.random() < 0.8 else 1.4), rng.uniform(0.5, 2)
    for side in range(4):
        _line(canvas, _wall(canvas, side, 0.0), tone, width)


def _border(canvas: Canvas, rng: Rng) -> None:
    """A stitched or painted line, or a band, on the field inside its edge."""
    inset = rng.uniform(0.004, 0.022)
    tone = texture.any_colour(rng) if rng.random() < 0.5 else canvas.scene.palette.field * rng.uniform(0.4, 1.6)
    width = rng.uniform(0.5, 2.5)
    for side in range(4):
        _line(canvas, _wall(canvas, side, 0.0, -inset), tone, width)
