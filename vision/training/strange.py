"""Thinks up boards as unlike the usual ones as real ones can be: what a reader of strange tables has to have met."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.training.finish import any_finish, with_finish
from vision.training.positions import any_position
from vision.training.scene import ASIDE, Checker, CheckerDesign, DrawnScene, Palette, PointStyle
from vision.training.texture import Colour, Rng, any_colour, luminance, wood_colour
from vision.training.thought_up import Placing, near_colour, think_up

FLUSH = 0.42
"""Share of strange boards whose points are broad, of strong contrast, and start right at the rail."""
FINISHED = 0.55
TURNED = 0.15
"""Share of finished sets that are of turned metal on both sides, beside those that come to it by chance."""
HIT = 0.55
"""How often a side has checkers on the bar: beside hinges, knobs and seams they are easily missed."""
LOOSE = 0.25
"""Share of boards on which some checkers lie between the points or away from their pile, by LOOSE_BY of a diameter."""
LOOSE_BY = 0.22
LEAST_APART = 60.0
"""Two sides differ at least by this in some channel."""


def think_up_strange(rng: Rng, placing: Placing = any_position) -> DrawnScene:
    """One random scene with unusual points, colours and checkers; counts and `placing` as in `think_up`."""
    scene = think_up(rng, HIT, placing)
    palette, points = scene.palette, scene.points
    if rng.random() < FLUSH:
        palette, points = _flush(rng, scene)
    points = _shaped(rng, points)
    scene = replace(scene, palette=palette, points=points, designs=_designs(rng, scene), strange=True)
    return replace(scene, checkers=_loosened(rng, scene)) if rng.random() < LOOSE else scene


def _flush(rng: Rng, scene: DrawnScene) -> tuple[Palette, PointStyle]:
    """Dark and pale points on wood, cloth or leather, with nothing between them and the rail."""
    wood = wood_colour(rng)
    field = wood if rng.random() < 0.55 else any_colour(rng, (0.1, 0.9))
    dark = any_colour(rng, (0.01, 0.3), rng.uniform(0, 0.5))
    pale = any_colour(rng, (0.65, 1), rng.uniform(0, 0.35))
    pairs = (
        (dark, pale),
        (dark, pale),
        (pale, wood * rng.uniform(0.3, 0.8)),
        (dark, wood * rng.uniform(0.6, 1.5)),
        (any_colour(rng, (0.02, 0.45)), any_colour(rng, (0.55, 1))),
    )
    first, second = (_printable(colour) for colour in pairs[int(rng.integers(len(pairs)))])
    frame = _printable(wood * rng.uniform(0.4, 1.3))
    palette = replace(
        scene.palette,
        field=_printable(field),
        points=(first, second) if rng.random() < 0.5 else (second, first),
        frame=frame,
        bar=frame if rng.random() < 0.6 else scene.palette.bar,
    )
    if rng.random() < 0.6:
        palette = replace(palette, checkers=_like_points(rng, palette, wood))
    points = replace(
        scene.points,
        length=rng.uniform(0.30, 0.485) * scene.shape.height,
        base=rng.uniform(0.85, 1.0),
        gap=0.0,
        hollow=(False, False),
        outline=int(rng.integers(1, 4)) if rng.random() < 0.3 else 0,
        slots=rng.random() < 0.2,
        diamonds=rng.random() < 0.1,
    )
    return palette, points


def _printable(colour: Colour) -> Colour:
    return np.asarray(np.clip(colour, 3, 252), np.float32)


def _like_points(rng: Rng, palette: Palette, wood: Colour) -> tuple[Colour, Colour]:
    """Checkers in the colours of the points or of the wood, as sets that were made together have them."""
    choices = (*palette.points, palette.field, wood)
    one, other = (near_colour(rng, choices[int(index)]) for index in rng.choice(4, 2, replace=False))
    if np.abs(one - other).max() < LEAST_APART:
        return palette.checkers
    return (one, other) if luminance(one) >= luminance(other) else (other, one)


def _shaped(rng: Rng, points: PointStyle) -> PointStyle:
    """Flanks bent, tips cut, a point within each point."""
    kind = rng.random()
    if kind < 0.15:
        points = replace(points, bulge=rng.uniform(-0.5, 0.6))
    elif kind < 0.25:
        points = replace(points, blunt=rng.uniform(0.1, 0.9))
    if rng.random() < 0.12:
        points = replace(points, core=rng.uniform(0.3, 0.9))
    return points


def _loosened(rng: Rng, scene: DrawnScene) -> tuple[Checker, ...]:
    """Some checkers pushed aside; nobody could say of which column one is that lies half way to the next."""
    share, most = rng.uniform(0.1, 0.6), 0.36 * scene.shape.pitch

    def moved(checker: Checker) -> Checker:
        if checker.column == ASIDE or rng.random() > share:
            return checker
        aside, along = np.clip(rng.normal(0, LOOSE_BY, 2) * scene.diameter, -most, most)
        low, high = scene.diameter / 2, scene.shape.height - scene.diameter / 2
        return replace(checker, x=checker.x + aside, y=float(np.clip(checker.y + along, low, high)))

    return tuple(moved(checker) for checker in scene.checkers)


def _designs(rng: Rng, scene: DrawnScene) -> tuple[CheckerDesign, CheckerDesign]:
    """Both sides' designs, mostly worked alike."""
    light, dark = scene.designs
    if rng.random() > FINISHED:
        return light, dark
    turned = rng.random() < TURNED
    finish = any_finish(rng, turned=turned)
    other = finish if rng.random() < 0.7 else any_finish(rng, turned=turned)
    return with_finish(light, finish, rng), with_finish(dark, other, rng)
