"""A forearm with a hand over a lit board, in a sleeve or bare: what readers of checkers have to call hidden."""

from __future__ import annotations

from math import cos, pi, sin
from typing import Any

import numpy as np
from mathutils import Matrix, Vector

from vision.training.lit import bodies
from vision.training.lit.matter import Matter, Rng, any_paint, cloth, linear, material
from vision.training.lit.table import WIDTH, Make

ROUND = 5
"""Rings of a rounded end."""


def _limb(name: str, a: Vector, b: Vector, thick: tuple[float, float], made_of: Any) -> Any:
    """A rounded, tapered rod from a to b. thick: its radii there."""
    length = (b - a).length
    at_a, at_b = thick
    steps = np.linspace(0.1, 1, ROUND) * pi / 2
    outline = [(at_b * sin(t), length + at_b * cos(t), 0) for t in steps]
    outline += [(at_a * sin(t), -at_a * cos(t), 0) for t in steps[::-1]]
    turn = (b - a).to_track_quat("Z", "Y").to_matrix().to_4x4()
    return bodies.put(bodies.turned(name, outline, (made_of,)), Matrix.Translation(a) @ turn)


def put_arm(rng: Rng, make: Make) -> tuple[Any, ...]:
    """An arm that reaches in from any side, mostly from a player's; answers its parts."""
    skin_colour = linear(rng.uniform(0.03, 0.08), rng.uniform(0.25, 0.6), rng.uniform(0.25, 0.95))
    skin = material(Matter(skin_colour, skin_colour * 0.8, "noise", 3.0, rough=rng.uniform(0.4, 0.7), wax=0.2))
    sleeve = material(cloth(rng, any_paint(rng)))
    from_left = rng.random() < 0.2
    turn = float(rng.normal(0, 0.45)) + (0.0 if from_left else pi / 2)
    if rng.random() < 0.5:
        turn += pi
    way = Vector((cos(turn), sin(turn), 0))
    over = Vector((rng.uniform(0.5, WIDTH - 0.5), rng.uniform(0.05, 0.95) * make.height, rng.uniform(0.3, 1.6)))
    size = rng.uniform(0.75, 1.15)
    wrist = over - way * 1.1 * size + Vector((0, 0, rng.uniform(0.2, 0.9)))
    elbow = wrist - way * 9 + Vector((0, 0, rng.uniform(0.3, 3.0)))
    cuff = wrist + (elbow - wrist) * float(rng.choice([0.02, rng.uniform(0.05, 0.4), 1.0]))
    parts = [_limb("arm", elbow, wrist, (0.75 * size, 0.42 * size), skin)]
    if cuff != elbow:
        parts.append(_limb("arm", elbow, cuff, (0.95 * size, rng.uniform(0.55, 0.75) * size), sleeve))
    across = Vector((-way.y, way.x, 0))
    palm = wrist + way * 0.9 * size
    parts.append(_limb("arm", wrist, palm, (0.45 * size, 0.5 * size), skin))
    parts.append(_limb("arm", palm - across * 0.32 * size, palm + across * 0.32 * size, (0.28 * size,) * 2, skin))
    bent = rng.uniform(0.0, 0.9)
    for k in range(4):
        root = palm + across * (k - 1.5) * 0.24 * size
        middle = root + (way * cos(bent) + Vector((0, 0, -sin(bent)))) * rng.uniform(0.45, 0.65) * size
        end = middle + (way * cos(2 * bent) + Vector((0, 0, -sin(2 * bent)))) * rng.uniform(0.3, 0.5) * size
        parts.append(_limb("arm", root, middle, (0.15 * size, 0.13 * size), skin))
        parts.append(_limb("arm", middle, end, (0.13 * size, 0.11 * size), skin))
    side = float(rng.choice([-1.0, 1.0]))
    thumb = wrist + way * 0.35 * size + across * side * 0.35 * size
    tip = thumb + (way * 0.7 + across * side * 0.5 + Vector((0, 0, -0.3))) * 0.8 * size
    parts.append(_limb("arm", thumb, tip, (0.18 * size, 0.13 * size), skin))
    return tuple(parts)
