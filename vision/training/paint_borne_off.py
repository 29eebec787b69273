"""Draws what lies beside a board: borne-off checkers on edge, cube, dice, cups and slabs, and the walls of trays."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.training import texture
from vision.training.borne_off import TABLE, BorneOff, OnEdge
from vision.training.canvas import SHIFT, THING, Canvas, bgr, fixed, rectangle
from vision.training.paint import painted_checkers
from vision.training.paint_board import draw_walls_before
from vision.training.paint_things import Box, body_colour, cube_faces, die_faces, draw_boxes
from vision.training.texture import Rng

FloatArray = npt.NDArray[np.float64]

AROUND = 14
"""Flat strips that a checker's side is painted in."""
BANDS = ((-1.0, -0.72, 0.8), (-0.72, 0.72, 1.0), (0.72, 1.0, 0.8))
"""Of a side, from one face to the other in half thicknesses: the bevels are darker."""


def lay(off: BorneOff, canvas: Canvas, rng: Rng) -> FloatArray:
    """Draws the scene's checkers, those on edge beside the board, and other things there; returns the former's upper faces."""
    faces = painted_checkers(canvas, rng)
    _shadows(canvas, rng, off.on_edge)
    camera, shine = np.array(canvas.scene.camera), rng.uniform(0, 0.8) if rng.random() < 0.5 else 0.0
    lit = rng.uniform(0, 1)
    for one in sorted(off.on_edge, key=lambda one: -float(np.hypot(one.x - camera[0], one.y - camera[1]))):
        _draw_on_edge(canvas, rng, one, shine, lit)
    _things(canvas, rng, off)
    return faces


def _shadows(canvas: Canvas, rng: Rng, on_edge: tuple[OnEdge, ...]) -> None:
    if not on_edge:
        return
    layer, radius = np.zeros((canvas.height, canvas.width), np.uint8), canvas.scene.diameter / 2
    light, half = np.array(canvas.scene.light), canvas.scene.thickness / 2
    for one in on_edge:
        axis = np.array([np.cos(one.turn), np.sin(one.turn)])
        beside = np.array([-axis[1], axis[0]])
        corners = np.array([one.x, one.y]) + np.array(
            [half * a * axis + radius * b * beside for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        )
        foot = np.vstack([corners, np.array([one.x, one.y]) + light * 2 * radius])
        pixels = canvas.project(np.c_[foot, np.full(5, one.z - radius)])
        hull = cv2.convexHull(np.round(pixels * 2**SHIFT).astype(np.int32))
        cv2.fillConvexPoly(layer, hull, 255, cv2.LINE_AA, SHIFT)
    soft = canvas.soft(layer, rng.uniform(0.6, 4)).astype(np.float32) / 255
    canvas.multiply(1 - soft * np.float32(rng.uniform(0.15, 0.7)))


def _draw_on_edge(canvas: Canvas, rng: Rng, one: OnEdge, shine: float, lit: float) -> None:
    """Its side in strips as they are lit, those in view, and the face that is turned to the camera."""
    scene = canvas.scene
    design, colour = scene.designs[one.side], scene.palette.checkers[one.side] * (1 + rng.normal(0, 0.03))
    wall = design.wall * (1 - lit) + colour * lit
    axis = np.array([np.cos(one.turn), np.sin(one.turn), 0.0])
    beside, up = np.array([-axis[1], axis[0], 0.0]), np.array([0.0, 0.0, 1.0])
    centre, camera = np.array([one.x, one.y, one.z]), np.array(scene.camera)
    radius, half = scene.diameter / 2, scene.thickness / 2
    lamp = np.array([-scene.light[0], -scene.light[1], 1.0])
    lamp /= np.linalg.norm(lamp)
    towards = (camera - centre) / np.linalg.norm(camera - centre)
    halfway = (lamp + towards) / np.linalg.norm(lamp + towards)
    angles = np.linspace(-np.pi, np.pi, AROUND + 1)
    rim = radius * (np.cos(angles)[:, None] * beside + np.sin(angles)[:, None] * up)
    for k in range(AROUND):
        normal = rim[k] + rim[k + 1]
        normal /= np.linalg.norm(normal)
        if normal @ towards <= 0:
            continue
        light = 0.5 + 0.55 * max(float(normal @ lamp), 0.0)
        gleam = shine * max(float(normal @ halfway), 0.0) ** 12
        for start, stop, factor in BANDS:
            shade = wall * light * factor
            shade = shade + (255 - shade) * min(gleam, 1.0)
            from_face, to_face = (centre + end * half * axis for end in (start, stop))
            quad = np.array([from_face + rim[k], from_face + rim[k + 1], to_face + rim[k + 1], to_face + rim[k]])
            canvas.fill(canvas.project(quad), shade, THING)
    facing = axis if axis @ towards > 0 else -axis
    light = 0.5 + 0.55 * max(float(facing @ lamp), 0.0)
    face = centre + facing * half
    for share, factor in ((1.0, min(design.edge or 0.9, 1.2)), (0.92, 1.0)):
        canvas.fill(canvas.project(face + rim[:-1] * share), colour * light * factor, THING)
    if design.ring:
        ring = [np.round(canvas.project(face + rim[:-1] * design.ring) * 2**SHIFT).astype(np.int32)]
        cv2.polylines(canvas.image, ring, True, bgr(colour * light * design.ring_factor), 1, cv2.LINE_AA, SHIFT)


def _things(canvas: Canvas, rng: Rng, off: BorneOff) -> None:
    """Cube, dice, cups and slabs where borne-off checkers go, beside what lies there."""
    scene, shape = canvas.scene, canvas.scene.shape
    taken = np.array([[x, y] for x, y, _, _ in off.places]).reshape(-1, 2)
    boxes = []
    for _ in range(int(rng.choice([0, 1, 2, 3], p=[0.35, 0.35, 0.2, 0.1]))):
        right = int(rng.integers(2))
        tray = shape.trays[right]
        inside = tray > 0 and rng.random() < 0.6
        wide = shape.rim + (tray + shape.rim if tray else 0.0)
        x = shape.rim + rng.uniform(0.2, 0.8) * tray if inside else wide + rng.uniform(0.03, 0.25)
        at = np.array([1 + x if right else -x, shape.height * rng.uniform(0.0, 1.0)])
        if len(taken) and np.hypot(*(taken - at).T).min() < scene.diameter * 1.1:
            continue
        floor, kind = (0.0 if inside else TABLE), rng.random()
        if kind < 0.65:
            body, cube = body_colour(canvas, rng), kind < 0.45
            faces = cube_faces(rng, body) if cube else die_faces(rng, body, 0.25, rng.uniform(0.075, 0.12))
            size = scene.diameter * (rng.uniform(0.5, 1.0) if cube else rng.uniform(0.3, 0.5))
            boxes.append(Box(at, floor, size, rng.uniform(0, 6.3), faces, rng.uniform(0, 0.25)))
        elif inside:
            continue
        elif kind < 0.8:
            _pot(canvas, rng, at)
        else:
            _slab(canvas, rng, at)
    draw_boxes(canvas, rng, boxes)


def _pot(canvas: Canvas, rng: Rng, at: FloatArray) -> None:
    """A cup, a glass, a coin, a pot: round, and mostly larger than a checker."""
    colour, diameter = texture.any_colour(rng, (0.05, 0.95)), canvas.scene.diameter
    radius, tall = diameter * rng.uniform(0.35, 1.6), diameter * (rng.uniform(0.05, 0.1) if rng.random() < 0.3 else 2.0)
    radius = radius if tall > diameter else radius * 0.5
    for z in np.linspace(TABLE, TABLE + tall, 20):
        centre, r = canvas.project([*at, z]), radius * canvas.enlargement(float(z))
        canvas.disc(centre, r, colour * (0.6 + 0.4 * (z - TABLE) / tall))
        cv2.circle(canvas.owner, fixed(centre), int(r * 2**SHIFT), THING, -1, cv2.LINE_8, SHIFT)
    if tall > diameter:
        canvas.disc(centre, r * 0.87, colour * rng.uniform(0.2, 0.5))


def _slab(canvas: Canvas, rng: Rng, at: FloatArray) -> None:
    """A phone, a card, a clock, a pen."""
    wide, tall = rng.uniform(0.01, 0.1), rng.uniform(0.08, 0.25)
    turn = rng.uniform(0, np.pi)
    spin = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    outline = (rectangle(-wide, -tall / 2, wide, tall / 2)) @ spin + at
    colour = texture.any_colour(rng, (0.03, 1.0), rng.uniform(0, 0.6))
    for z in np.linspace(TABLE, TABLE + rng.uniform(0.002, 0.02), 3):
        canvas.polygon(outline, float(z), colour * 0.7, THING)
    canvas.polygon(outline, float(z), colour, THING)


def near_walls(canvas: Canvas, rng: Rng) -> None:
    """The trays' walls between the camera and their floors."""
    shape = canvas.scene.shape
    for tray, x0 in ((shape.trays[0], -shape.rim - shape.trays[0]), (shape.trays[1], 1 + shape.rim)):
        if tray:
            draw_walls_before(canvas, rng, rectangle(x0, 0, x0 + tray, shape.height))
