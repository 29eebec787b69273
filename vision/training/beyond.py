"""Takes a thought-up board beyond what is usually made: rails as high as checkers, cameras low down or close by, inlays alike.

Lengths in board widths. What differs is drawn from a stream of its own, so that the boards of all seeds stay what they were.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.training.finish import any_finish
from vision.training.scene import ON_BAR, CheckerDesign, DrawnScene, camera_from
from vision.training.texture import Rng, any_colour

LOW_DOWN, CLOSE_BY, HIGH_RAILS, LIKE_INLAYS = 0.35, 0.25, 0.35, 0.3
"""Share of these boards each; several may befall one."""
LOW, LOW_BY_HIGH_RAILS = (17.0, 32.0), (28.0, 45.0)
"""Degrees over the horizon: behind rails higher than checkers nobody could count from lower down."""
CLOSE, CLOSE_UP = (0.8, 1.4), (38.0, 70.0)
"""Distance from the board's middle, as lenses of 14 to 18 mm need it, and degrees."""
RAIL = (0.6, 2.2)
"""Checkers' diameters."""
INLAY = (0.35, 0.8)
"""Radius of the middle that both sides share, as a share of the checker's."""
LIKE_RIMS = 0.25
"""Of these sets the rims are alike and the middles tell the sides."""


def beyond_usual(rng: Rng, scene: DrawnScene) -> DrawnScene:
    """The same board, made or taken as few are; its checkers lie where they lay."""
    low, close, high, like = (rng.random() < share for share in (LOW_DOWN, CLOSE_BY, HIGH_RAILS, LIKE_INLAYS))
    if not (low or close or high or like):
        high = True
    if high:
        scene = _with_high_rails(rng, scene)
    if low:
        scene = _taken(scene, rng.uniform(1.4, 3.2), rng.uniform(*(LOW_BY_HIGH_RAILS if high else LOW)))
    elif close:
        scene = _taken(scene, rng.uniform(*CLOSE), rng.uniform(*CLOSE_UP))
    return replace(scene, designs=_inlaid(rng, scene)) if like else scene


def _with_high_rails(rng: Rng, scene: DrawnScene) -> DrawnScene:
    tall = rng.uniform(*RAIL) * scene.diameter
    bar = float(rng.choice([tall, tall * rng.random(), 0.0]))
    raised = bar - scene.shape.bar_z
    checkers = tuple(replace(one, z=one.z + raised) if one.column == ON_BAR else one for one in scene.checkers)
    return replace(scene, shape=replace(scene.shape, rim_z=tall, bar_z=bar), checkers=checkers)


def _taken(scene: DrawnScene, distance: float, degrees: float) -> DrawnScene:
    """From the same side, so far off and so high over the horizon."""
    return replace(scene, camera=camera_from(scene.shape, distance, np.deg2rad(degrees), scene.azimuth))


def _inlaid(rng: Rng, scene: DrawnScene) -> tuple[CheckerDesign, CheckerDesign]:
    """Both sides with the same middle in other rims, or the other way round."""
    radius = float(rng.uniform(*INLAY))
    shared = any_colour(rng) if rng.random() < 0.5 else any_colour(rng, (0.55, 1), 0.3)
    if rng.random() < LIKE_RIMS:
        rim = replace(any_finish(rng), bands=(), hole=None, clear=0.0, rim=radius, rim_colour=shared)
        light, dark = (replace(design, dot=None, finish=rim, wall=shared * 0.7) for design in scene.designs)
        return light, dark
    light, dark = (replace(design, dot=radius, dot_colour=shared, finish=None) for design in scene.designs)
    return light, dark
