"""Thinks up boards to draw at random: shapes, colours and checkers as boards usually have them, and where a camera stands."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from vision.training.positions import Counts, any_position
from vision.training.scene import (
    ASIDE,
    ON_BAR,
    Checker,
    CheckerDesign,
    DrawnScene,
    Palette,
    PointStyle,
    Shape,
    Sheen,
    camera_from,
)
from vision.training.texture import Colour, Rng, any_colour, luminance, usual_colour, wood_colour

Placing = Callable[[Rng, float], tuple[Counts, list[int]]]
"""Makes a position as `any_position` does."""

PLAIN = 0.65
"""Share of boards in even light before a good camera, as most tables are; the others suffer from all that light and cameras do."""
ALIKE = 0.45
"""Share of boards with a side in nearly the colour of a point or of the field; makers like to match them."""
HIT = 0.35
BAR_ALIKE = 0.12
"""Share of boards whose bar has nearly the colour of one side's checkers."""
ANYWHERE_ON_BAR = 0.3
"""How often a side's checkers lie anywhere on the bar, instead of in that side's half of it from the middle outwards."""
PILED_ON_BAR, SHINGLED_ON_BAR = 0.25, 0.2
"""How often a side's checkers on the bar lie upon one another, and how often each half under the next."""
BY_CUBE = (0.75, 1.15)
"""How far from the middle a hit checker lies that leaves the cube its place there, diameters."""
LIKE_METALS = 0.08
"""Share of boards whose sides are two metals, which differ by a hue and little else."""
METALS = ((70, 150, 200), (150, 180, 200), (190, 195, 200), (60, 100, 160), (90, 130, 150))
"""BGR of brass, gold, steel, copper, bronze."""
ALIKE_SIDES, LEAST_APART, LESS_APART = 0.15, 70, 35
"""Share of sets whose sides may differ by the last number only, in the channel that tells them best; others by the one before."""


def think_up(rng: Rng, on_bar: float = HIT, placing: Placing = any_position) -> DrawnScene:
    """One random scene; counts are 25 pairs (lighter, darker) in column order, the bar last.

    on_bar: how often a side of a scattered position has checkers on the bar. placing: makes the position.
    """
    shape, palette = _shape(rng), _palette(rng)
    designs = _designs(rng, palette)
    diameter = shape.pitch * rng.uniform(0.78, 1.0)
    thickness = diameter * rng.uniform(0.10, 0.42)
    columns, bar = placing(rng, on_bar)
    checkers = laid_out(rng, shape, columns, bar, diameter, thickness)
    elevation = np.deg2rad(
        rng.choice([rng.uniform(28, 50), rng.uniform(50, 75), rng.uniform(75, 90)], p=[0.37, 0.35, 0.28])
    )
    kind = rng.random()
    azimuth = (
        rng.normal(0, 0.25) if kind < 0.55 else rng.uniform(-1.0, 1.0) if kind < 0.75 else rng.uniform(-np.pi, np.pi)
    )
    distance = rng.uniform(1.4, 3.8)
    camera = camera_from(shape, distance, elevation, azimuth)
    angle, slant = rng.uniform(0, 2 * np.pi), rng.uniform(0.05, 1.3)
    light = (float(np.cos(angle) * slant), float(np.sin(angle) * slant))
    counts = (*((int(a), int(b)) for a, b in columns), (bar[0], bar[1]))
    return DrawnScene(
        palette,
        shape,
        _points(rng, shape, palette),
        designs,
        camera,
        float(azimuth),
        light,
        diameter,
        thickness,
        checkers,
        counts,
        bool(rng.random() < PLAIN),
    )


def _shape(rng: Rng) -> Shape:
    height = rng.uniform(0.60, 1.10)
    widths = (0.0, rng.uniform(0, 0.02), rng.uniform(0.02, 0.06), rng.uniform(0.06, 0.13))
    width = float(rng.choice(widths, p=[0.08, 0.07, 0.40, 0.45]))
    middle = 0.5 + (rng.normal(0, 0.006) if rng.random() < 0.3 else 0.0)
    left, right = middle - width / 2, middle + width / 2
    inset = rng.uniform(0, 0.006) if rng.random() < 0.7 else rng.uniform(0, 0.016)
    half_left, half_right = (left - 2 * inset) / 6, (1 - right - 2 * inset) / 6
    columns = [inset + half_left * (i + 0.5) for i in range(6)] + [
        right + inset + half_right * (i + 0.5) for i in range(6)
    ]
    rim_z = float(rng.choice([0.0, rng.uniform(0.005, 0.03), rng.uniform(0.03, 0.075)], p=[0.15, 0.45, 0.40]))
    tray = rng.uniform(0.07, 0.16) if rng.random() < 0.6 else 0.0
    return Shape(
        height=height,
        bar=(left, right),
        columns=tuple(columns),
        pitch=(half_left + half_right) / 2,
        rim=rng.uniform(0.012, 0.06),
        rim_z=rim_z,
        bar_z=float(rng.choice([rim_z, rim_z * rng.random(), 0.0], p=[0.5, 0.15, 0.35])),
        trays=(tray, tray if rng.random() < 0.85 else 0.0),
    )


def _distinct(rng: Rng, other: Colour, least: float) -> Colour:
    """A usual colour that differs from the other by at least this much in some channel."""
    colour = usual_colour(rng)
    for _ in range(20):
        if np.abs(colour - other).max() >= least:
            break
        colour = usual_colour(rng) if rng.random() < 0.7 else any_colour(rng, (0.2, 1), rng.uniform(0.4, 1))
    return colour


def near_colour(rng: Rng, colour: Colour) -> Colour:
    """A colour that hardly differs: another piece of the same wood, another dye of the same name."""
    brighter, off = np.exp(rng.normal(0, 0.1)), rng.uniform(1, 12)
    return np.asarray(np.clip(colour * brighter + rng.normal(0, off, 3), 4, 250), np.float32)


def _palette(rng: Rng) -> Palette:
    field = usual_colour(rng) if rng.random() < 0.5 else any_colour(rng, (0.1, 0.9))
    first = _distinct(rng, field, 40)
    second = _distinct(rng, field, 30) if rng.random() < 0.85 else np.asarray(field * rng.uniform(0.8, 1.2), np.float32)
    frame = wood_colour(rng) if rng.random() < 0.5 else any_colour(rng, (0.03, 0.5))
    bar_kind = rng.random()
    bar = frame if bar_kind < 0.55 else field if bar_kind < 0.75 else any_colour(rng, (0.03, 0.8))
    tray = (
        np.asarray(field * rng.uniform(0.7, 1.05), np.float32) if rng.random() < 0.7 else any_colour(rng, (0.05, 0.8))
    )
    table = wood_colour(rng) if rng.random() < 0.5 else any_colour(rng)
    checkers = _checker_colours(rng, field, first, second)
    if rng.random() < BAR_ALIKE:
        bar = near_colour(rng, checkers[int(rng.integers(2))])
    clipped = [np.clip(c, 3, 252).astype(np.float32) for c in (field, first, second, frame, bar, tray, table)]
    return Palette(clipped[0], (clipped[1], clipped[2]), clipped[3], clipped[4], clipped[5], clipped[6], checkers)


def _checker_colours(rng: Rng, field: Colour, first: Colour, second: Colour) -> tuple[Colour, Colour]:
    """The lighter side's and the darker's; one or both now and then nearly a point's or the field's."""
    one = usual_colour(rng) if rng.random() < 0.65 else any_colour(rng, (0.2, 1), rng.uniform(0.3, 1))
    if rng.random() < ALIKE:
        one = near_colour(rng, (first, second, field)[int(rng.choice(3, p=[0.4, 0.4, 0.2]))])
    apart = LEAST_APART if rng.random() > ALIKE_SIDES else LESS_APART
    other = _distinct(rng, one, apart)
    if rng.random() < 0.3:
        like = near_colour(rng, first if rng.random() < 0.5 else second)
        other = like if np.abs(like - one).max() > apart else other
    if rng.random() < LIKE_METALS:
        pair = rng.choice(len(METALS), 2, replace=False)
        metals = [np.array(METALS[int(index)], np.float32) * rng.uniform(0.6, 1.2) for index in pair]
        if np.abs(metals[0] - metals[1]).max() > LESS_APART:
            one, other = metals
    one, other = np.clip(one, 4, 250), np.clip(other, 4, 250)
    return (other, one) if luminance(one) < luminance(other) else (one, other)


def _points(rng: Rng, shape: Shape, palette: Palette) -> PointStyle:
    hollow = (rng.random() < 0.08, rng.random() < 0.08)
    outlined = any(hollow) or rng.random() < 0.3
    return PointStyle(
        length=rng.uniform(0.35, 0.47) * shape.height,
        base=rng.uniform(0.68, 1.0),
        gap=rng.uniform(0, 0.025) if rng.random() < 0.4 else 0.0,
        blunt=rng.uniform(0, 0.12) if rng.random() < 0.25 else 0.0,
        outline=int(rng.integers(1, 4)) if outlined else 0,
        outline_colour=palette.points[0] if any(hollow) and rng.random() < 0.5 else any_colour(rng),
        hollow=hollow,
        alternate_rows=rng.random() < 0.75,
        diamonds=rng.random() < 0.08,
        slots=rng.random() < 0.12,
    )


def _design(rng: Rng, colour: Colour) -> CheckerDesign:
    return CheckerDesign(
        wall=np.asarray(colour * rng.uniform(0.3, 0.95), np.float32)
        if rng.random() < 0.88
        else any_colour(rng, (0.5, 0.95), 0.2),
        edge=rng.uniform(0.4, 1.5) if rng.random() < 0.5 else None,
        ring=rng.uniform(0.4, 0.9) if rng.random() < 0.5 else None,
        ring_factor=float(rng.choice([rng.uniform(0.35, 0.85), rng.uniform(1.15, 1.7)])),
        ring_width=int(rng.integers(1, 4)),
        grooves=tuple(rng.uniform(0.2, 0.92, int(rng.integers(1, 5))).tolist()) if rng.random() < 0.3 else (),
        groove_depth=rng.uniform(0.06, 0.45),
        dish=rng.uniform(0.5, 0.85) if rng.random() < 0.4 else None,
        dot=rng.uniform(0.1, 0.45) if rng.random() < 0.14 else None,
        dot_colour=any_colour(rng),
        star=rng.random() < 0.06,
        shine=rng.uniform(0.1, 1.0) if rng.random() < 0.5 else 0.0,
        arcs=rng.uniform(0.2, 1.0) if rng.random() < 0.3 else 0.0,
        grain=rng.uniform(0.03, 0.3) if rng.random() < 0.5 else 0.0,
        barrel=rng.uniform(0.02, 0.16) if rng.random() < 0.5 else 0.0,
        sheens=_sheens(rng) if rng.random() < 0.3 else (),
    )


def _sheens(rng: Rng) -> tuple[Sheen, ...]:
    """One to three lamps or windows as a rounded edge or a dish mirrors them."""
    strength = rng.uniform(0.25, 1.0)
    return tuple(
        Sheen(
            at=float(rng.choice([rng.uniform(0.85, 0.98), rng.uniform(0.35, 0.8)])),
            angle=rng.uniform(0, 360),
            span=rng.uniform(8, 60) if rng.random() < 0.6 else rng.uniform(60, 170),
            width=rng.uniform(0.03, 0.12) if rng.random() < 0.7 else rng.uniform(0.12, 0.3),
            strength=strength * rng.uniform(0.6, 1.0),
        )
        for _ in range(int(rng.integers(1, 4)))
    )


def _designs(rng: Rng, palette: Palette) -> tuple[CheckerDesign, CheckerDesign]:
    light = _design(rng, palette.checkers[0])
    dark = _design(rng, palette.checkers[1])
    if rng.random() < 0.7:
        values = {name: getattr(light, name) for name in CheckerDesign.__dataclass_fields__}
        values["wall"] = dark.wall
        dark = CheckerDesign(**values)
    return light, dark


def laid_out(
    rng: Rng,
    shape: Shape,
    columns: Counts,
    bar: list[int],
    diameter: float,
    thickness: float,
) -> tuple[Checker, ...]:
    """Every checker's place, second layers included; untidy as people leave them."""
    spacing = rng.uniform(1.0, 1.05) if rng.random() < 0.7 else rng.uniform(0.95, 1.22)
    first = rng.uniform(0, 0.12) * diameter if rng.random() < 0.75 else rng.uniform(0, 0.5) * diameter
    untidy = rng.uniform(0, 0.16)
    room = max(3, int((shape.height * rng.uniform(0.44, 0.5) - first) / (diameter * spacing)))
    layer = min(room, 5) if rng.random() < 0.6 else room
    shift = float(rng.choice([0.0, rng.uniform(0, 0.5), 0.5], p=[0.55, 0.25, 0.2]))
    careless = rng.uniform(0.0, 0.12)
    placed: list[Checker] = []
    for column in range(24):
        side = int(columns[column, 1] > 0)
        drift, lean = rng.normal(0, 0.05) * diameter, rng.normal(0, 0.04) * diameter * rng.random()
        fits = layer if columns[column, side] <= 2 * layer - 1 or rng.random() < 0.5 else max(layer, min(room + 1, 7))
        level, along = 0, 0
        for _ in range(int(columns[column, side])):
            if along >= max(fits - (level if shift > 0.25 else 0), 2):
                level, along = level + 1, 0
            y = first + diameter / 2 + (along + shift * level) * diameter * spacing
            y += abs(rng.normal(0, 0.03)) * diameter
            x = shape.columns[column % 12] + drift + lean * along + rng.normal(0, untidy) * diameter * 0.6
            if level:
                x, y = x + rng.normal(0, careless) * diameter, y + rng.normal(0, 1.3 * careless) * diameter
            placed.append(Checker(x, y if column < 12 else shape.height - y, level * thickness, side, column))
            along += 1
    placed += _on_bar(rng, shape, bar, diameter, thickness)
    return tuple(placed + _aside(rng, shape, [15 - int(columns[:, s].sum()) - bar[s] for s in (0, 1)], diameter))


def _on_bar(rng: Rng, shape: Shape, bar: list[int], diameter: float, thickness: float) -> list[Checker]:
    placed: list[Checker] = []
    middle, upper = sum(shape.bar) / 2, int(rng.integers(2))
    for side in (0, 1):
        away = float(rng.choice([rng.uniform(0.55, 0.8), rng.uniform(*BY_CUBE), rng.uniform(0.6, 4.5)]))
        kind, anywhere = rng.random(), rng.random() < ANYWHERE_ON_BAR
        piled, shingled = kind < PILED_ON_BAR, PILED_ON_BAR <= kind < PILED_ON_BAR + SHINGLED_ON_BAR
        aside = rng.normal(0, 0.08 if rng.random() < 0.7 else 0.2)
        apart = 0.0 if piled else rng.uniform(0.2, 0.95) if shingled else rng.uniform(1.0, 1.1)
        for index in range(bar[side]):
            step = away + index * apart
            y = shape.height / 2 + (-1 if side == upper else 1) * min(step * diameter, shape.height / 2 - diameter / 2)
            if anywhere and not (piled or shingled):
                free = rng.uniform(diameter / 2, shape.height - diameter / 2, 12)
                gaps = [min((abs(other.y - place) for other in placed), default=shape.height) for place in free]
                y = float(free[int(np.argmax(np.minimum(gaps, diameter * rng.uniform(1.0, 1.4))))])
            off = np.clip(aside + rng.normal(0, 0.05), -0.25, 0.25) * diameter
            raised = index * thickness if piled or shingled else 0
            placed.append(Checker(middle + off, y, shape.bar_z + raised, side, ON_BAR))
    return placed


def _aside(rng: Rng, shape: Shape, off: list[int], diameter: float) -> list[Checker]:
    """Borne-off checkers, flat in a tray or beside the board; some boards hide them."""
    placed = []
    for side in (0, 1):
        tray = shape.trays[1] if rng.random() < 0.6 else shape.trays[0]
        left = tray == shape.trays[0] and rng.random() < 0.5
        reach = shape.rim + (tray / 2 if tray else diameter * 0.7)
        x = -reach if left else 1 + reach
        for index in range(off[side] if rng.random() < 0.6 else 0):
            along = 0.06 + index * diameter * rng.uniform(0.35, 0.45)
            y = shape.height * (along if side else 1 - along)
            placed.append(Checker(x + rng.normal(0, 0.01), y, 0.002 * index if tray else -0.02, side, ASIDE))
    return placed
