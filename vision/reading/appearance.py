"""What one set looks like under one camera: the checkers' colours, the bar's place.

Learnt from positions whose answer is known (the start position, a confirmed play), carried along as the light drifts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.geometry import CANONICAL_HEIGHT, CANONICAL_WIDTH, CELL, MARGIN_Y, PITCH, canonical_left
from vision.frame import Image
from vision.reading.lessons import Lessons
from vision.reading.light import evened
from vision.reading.start_position import BY_LIGHTNESS, BY_SIDES

FloatArray = npt.NDArray[np.float32]
Cells = tuple[slice, slice]
"""Rows and columns of the map."""

LAB_WEIGHTS = np.array([0.6, 1.0, 1.0], np.float32)
"""Lightness counts less than hue: shade and glare change it most."""
SURE_CELL = 0.3
"""Cells of the heat map below this say nothing about a checker's colour."""
A_CHECKER = 0.4
"""Heat near a checker's middle."""
MOST_WEIGHT, LEAST_WEIGHT = 3.0, 0.1
"""Heat from which a column counts in full, and below which it says nothing."""
DRIFT = 0.3
"""Share of a newly confirmed position in the remembered colours: forgets an old light in about ten positions."""
ROUNDS = 6
"""Rounds of moving the two colour centres; they stand still after three or four."""
KNOWN_WEIGHT = 3.0
"""A learnt colour counts for this many columns against the picture's own."""
LEAST_SEPARATION = 2.5
"""Two clusters nearer than this many times their mean spread are one colour split in two."""
DIMMERS = (np.array([1, 1, 1], np.float32), np.array([0.3, 1, 1], np.float32))
"""The clusters are sought twice, the second time with little regard to lightness: glare turns black checkers grey."""
RIM = (0.3, 0.6)
"""Heat of the px towards a checker's rim."""
RIM_COUNTS = 0.8
"""How far apart two colours of rims count beside two of whole checkers, less the more they alternate with the points, which show
through at the rims. Sides wrong of 5,587 on 750 strange drawn boards and of 2,077 on 211 that Blender lit: 289 and 63 without
rims, 288 and 53 so; of 3,069 on 400 drawn boards that nobody had looked at 159 and 155."""
PLAINLY = 0.5
"""Nearness to a colour from which a column counts in full where the two are named: a pile in the shade is no less of its side."""
A_LEVEL = 2 * BY_LIGHTNESS / BY_SIDES
"""Logits of light for each level of Lab's L that a column is lighter than the middle between both colours, as start positions ask
for. Two colours named wrongly, of 1,150 on strange drawn boards, 211 lit ones, 119 photographs and renders: by the network's word
alone 89, 6, 20; so 96, 3, 5. Of 6,080 pictures in sequences of sixteen 146 and 132 have most sides wrong."""
LEAST_SPREAD = 1.5
"""Colours of one side differ by at least this much: noise, and what JPEG does to hues."""
SAME_LIGHT = 5.0
"""Weighted Lab by which the median colours of two pictures differ at most if one's colours may tell the other's apart. Where light
comes and goes (60 drawn tables, every other four of sixteen pictures dim) seven remembered pictures misread 1,270 sides without
this bound, 719 with 4, 744 with 7; each picture alone 771."""
COLOUR_AXES = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 1, 1], [0, 1, -1]], np.float32)
"""Directions in weighted Lab along which the two colours are first sought at the extremes."""


@dataclass(frozen=True)
class Appearance:
    """What is known of one set.

    light, dark: (3,) float32, the sides' colours in weighted Lab; bar: its edges as shares of the width, where known.
    positions: how many known positions it was learnt from. lessons: what they taught of columns and bar.
    """

    light: FloatArray
    dark: FloatArray
    bar: tuple[float, float] | None = None
    positions: int = 1
    lessons: Lessons | None = None


@dataclass(frozen=True)
class ColumnColours:
    """colour: (24, 3) float32, each column's checkers in weighted Lab; weight: (24,) float32, the heat it rests on.

    rim: (24, 3) float32, the same towards their rims: inlays may be alike, or mirror the light one here and another there.
    texture: (24, 3) float32, how much their faces vary from px to px: metal and inlay more than wood of the same colour.
    looks: (24, 336) float32, each column as a small picture without its brightness, contrast or tint: mean 0, length 1.
    middle: (3,) float32, the picture's median colour in weighted Lab, which follows the light.
    on_bar: (n, 2, 3) float32, colour and texture of each checker on the bar.
    lightness: (24,) float32, Lab's L of each column's checkers to their rims, 0-255; NaN where none is seen.
    """

    colour: FloatArray
    weight: FloatArray
    rim: FloatArray
    texture: FloatArray
    looks: FloatArray
    middle: FloatArray
    on_bar: FloatArray
    lightness: FloatArray


@dataclass(frozen=True)
class Glimpse:
    """What one picture of a set says of its two colours.

    colour, rim: (24, 3) float32, weighted Lab; weight: (24,) float32, how much each column's counts; side: (24,) float32, logit of
    light; middle: (3,) float32, the picture's own colour, which tells pictures in another light.
    """

    colour: FloatArray
    rim: FloatArray
    weight: FloatArray
    side: FloatArray
    middle: FloatArray

    def in_the_light_of(self, other: Glimpse) -> bool:
        """Whether both were taken in about the same light."""
        return float(np.linalg.norm(self.middle - other.middle)) < SAME_LIGHT


def _lab(canonical: Image) -> Image:
    return np.asarray(cv2.cvtColor(cv2.medianBlur(canonical, 3), cv2.COLOR_BGR2LAB), np.uint8)


def _by_cell(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """(48, 56, 3) means of the map's cells."""
    return cv2.resize(values, (CANONICAL_WIDTH // CELL, CANONICAL_HEIGHT // CELL), interpolation=cv2.INTER_AREA)


def _cells(canonical: Image) -> FloatArray:
    """(48, 56, 3) weighted Lab, one median-filtered colour a map cell."""
    return np.asarray(_by_cell(_lab(canonical)).astype(np.float32) * LAB_WEIGHTS, np.float32)


def _column_slices(column: int) -> tuple[slice, slice]:
    first = canonical_left(column) // CELL
    rows = slice(0, 28) if column < 12 else slice(20, 48)
    return rows, slice(first, first + PITCH // CELL)


def colour_of_columns(canonical: Image, heat: FloatArray, on_bar: Sequence[Cells] = ()) -> ColumnColours:
    """How the checkers look in each column where the heat map (48, 56) shows some. on_bar: the cells of each on the bar."""
    whole = _lab(canonical)
    lab = np.asarray(_by_cell(whole).astype(np.float32) * LAB_WEIGHTS, np.float32)
    plain = whole.astype(np.float32)
    uneven = np.asarray(np.maximum(_by_cell(plain * plain) - _by_cell(plain) ** 2, 0), np.float32)

    towards_rim = _towards_rim(heat)

    def face(cells: Cells) -> tuple[float, FloatArray]:
        strength = np.where(heat[cells] > SURE_CELL, heat[cells], 0).ravel()
        amount = float(strength.sum())
        if amount <= 0:
            return 0.0, np.zeros((2, 3), np.float32)
        texture = np.sqrt(strength @ uneven[cells].reshape(-1, 3) / amount)
        return amount, np.stack([_weighted_median(lab[cells].reshape(-1, 3), strength), texture])

    def rim(cells: Cells, otherwise: FloatArray) -> FloatArray:
        place = _px(cells)
        shown = whole[place][towards_rim[place]]
        return np.asarray(np.median(shown, axis=0) * LAB_WEIGHTS, np.float32) if len(shown) else otherwise

    places = [_column_slices(column) for column in range(24)]
    weights, faces = zip(*(face(cells) for cells in places), strict=True)
    colour = np.stack([look[0] for look in faces])
    shown = [look for amount, look in map(face, on_bar) if amount > 0]
    return ColumnColours(
        colour=colour,
        weight=np.array(weights, np.float32),
        rim=np.stack(list(map(rim, places, colour))),
        texture=np.stack([look[1] for look in faces]),
        looks=np.stack([_look(lab[cells]) for cells in places]),
        middle=np.asarray(np.median(lab.reshape(-1, 3), axis=0), np.float32),
        on_bar=np.stack(shown) if shown else np.zeros((0, 2, 3), np.float32),
        lightness=_lightness(_by_cell(whole[..., 0].astype(np.float32)), heat, places),
    )


def _towards_rim(heat: FloatArray) -> npt.NDArray[np.bool_]:
    """(192, 224) px of the canonical picture where the heat map (48, 56) falls off around a checker's middle."""
    fine = cv2.resize(heat, (CANONICAL_WIDTH, CANONICAL_HEIGHT), interpolation=cv2.INTER_LINEAR)
    around = cv2.dilate(fine, np.ones((2 * CELL + 1, 2 * CELL + 1), np.uint8))
    return np.asarray((fine > RIM[0]) & (fine < RIM[1]) & (around > A_CHECKER))


def _px(cells: Cells) -> tuple[slice, slice]:
    """The canonical picture's px of these cells of the map."""
    rows, columns = (slice(part.start * CELL, part.stop * CELL) for part in cells)
    return rows, columns


def _lightness(level: FloatArray, heat: FloatArray, places: Sequence[Cells]) -> FloatArray:
    """(n,) mean level at these places of the cells around those where the heat map shows checkers; NaN where it shows none."""
    lying = cv2.dilate((heat > SURE_CELL).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    found = [level[cells][lying[cells]] for cells in places]
    return np.array([cells.mean() if len(cells) else np.nan for cells in found], np.float32)


def _look(cells: FloatArray) -> FloatArray:
    """(n,) of (rows, columns, 3): what is left when each channel's mean and the contrast are taken away."""
    plain = (cells - cells.mean(axis=(0, 1))).ravel()
    return np.asarray(plain / max(float(np.linalg.norm(plain)), 1e-6), np.float32)


def _weighted_median(values: FloatArray, weights: FloatArray) -> FloatArray:
    """Channel by channel, of (n, 3) values."""
    order = values.argsort(axis=0)
    cumulative = weights[order].cumsum(axis=0)
    middle = (cumulative < cumulative[-1] / 2).sum(axis=0)
    return np.asarray(np.take_along_axis(values, order, axis=0)[middle, np.arange(3)], np.float32)


def glimpse_of(colours: ColumnColours, side: FloatArray, occupied: npt.NDArray[np.floating]) -> Glimpse:
    """What a picture says. side: (24,) logit of light; occupied: (24,) probability that anything lies there."""
    weight = np.asarray(np.minimum(colours.weight, MOST_WEIGHT) * occupied, np.float32)
    return Glimpse(colours.colour, colours.rim, weight, side, colours.middle)


def side_from_colour(
    now: Glimpse, appearance: Appearance | None, earlier: Sequence[Glimpse] = ()
) -> tuple[FloatArray, float]:
    """(24,) in -1..1: how much nearer each column's colour lies to the light checkers' than to the dark ones'; and how many of
    their own spreads two clusters lie apart where nothing is known of the set.

    earlier: what pictures of the same set said before: two colours are told, and named, better by all of them.
    0 where nothing lies, or where only one colour is in view and nothing is known of the set.
    """
    if appearance is not None:
        known = np.stack([appearance.light, appearance.dark])
        light, dark = _settled(now.colour, now.weight, known[None], KNOWN_WEIGHT)[0]
        return np.asarray(np.where(now.weight > 0, _nearer(now.colour, light, dark), 0), np.float32), 0.0
    if np.count_nonzero(now.weight > LEAST_WEIGHT) < 2:
        return np.zeros(24, np.float32), 0.0
    alike = [now, *(one for one in earlier if one.in_the_light_of(now))]
    colour, rim, weight, side = (
        np.concatenate([getattr(one, name) for one in alike]) for name in ("colour", "rim", "weight", "side")
    )
    share, shown = np.asarray(1 / (1 + np.exp(-np.clip(side, -20, 20)))), np.flatnonzero(weight > LEAST_WEIGHT)
    clustered = []
    for where, of_rims in ((colour, False), (rim, True)):
        for dimmer in DIMMERS:
            nearer, separation = _two_clusters(where * dimmer, weight, share, shown)
            counts = RIM_COUNTS * (1 - _alternating(nearer, weight) ** 2) if of_rims else 1.0
            clustered.append((counts * separation, nearer, separation, where))
    _, nearer, separation, where = max(clustered, key=lambda one: one[0])
    if separation < LEAST_SEPARATION:
        return np.zeros(24, np.float32), separation
    nearer = np.where(weight > 0, nearer, 0)
    named = nearer if _lighter(weight * np.clip(nearer, -PLAINLY, PLAINLY), side, where) >= 0 else -nearer
    return np.asarray(named[:24], np.float32), separation


def _lighter(pull: npt.NDArray[np.floating], side: FloatArray, colour: FloatArray) -> float:
    """Above 0 where the columns (n,) with positive pull are the lighter side's, below it where those with negative pull are.

    side: (n,) logit of light, by the network; colour: (n, 3) weighted Lab, by which a side's checkers are lighter or not.
    """
    level = colour[:, 0] / LAB_WEIGHTS[0]
    means = [level @ part / max(float(part.sum()), 1e-6) for part in (np.maximum(pull, 0), np.maximum(-pull, 0))]
    return float(pull @ (side + A_LEVEL * (level - np.mean(means))))


def _two_clusters(
    colour: FloatArray,
    weight: npt.NDArray[np.floating],
    share: npt.NDArray[np.floating],
    shown: npt.NDArray[np.int64],
) -> tuple[npt.NDArray[np.floating], float]:
    """(n,) in -1..1 nearness to one of two colours, and how many mean spreads lie between them.

    share: (n,) probability of light, one of the starting guesses; shown: the columns that hold checkers.
    """
    by_share = _means(colour, np.stack([weight * share, weight * (1 - share)]))
    along = colour[shown] @ COLOUR_AXES.T
    extremes = colour[shown[np.stack([along.argmax(axis=0), along.argmin(axis=0)], axis=1)]]
    settled = _settled(colour, weight, np.concatenate([by_share[None], extremes]), 0.0)
    spreads = (weight * _gaps(colour, settled).min(axis=1)).sum(axis=1) / weight.sum()
    light, dark = settled[spreads.argmin()]
    spread = max(float(spreads.min()), LEAST_SPREAD)
    return _nearer(colour, light, dark), float(np.linalg.norm(light - dark)) / spread


def _alternating(nearer: npt.NDArray[np.floating], weight: npt.NDArray[np.floating]) -> float:
    """0-1, how closely two colours of columns (n,), 24 a picture, follow those of the points: these alternate along a row, and
    facing points are of the same colour or of the other."""
    column = np.arange(len(nearer)) % 24
    along = 1.0 - 2 * (column % 2)
    facing = np.where(column < 12, along, -along)

    def correlation(points: npt.NDArray[np.floating]) -> float:
        one, other = (values - np.average(values, weights=weight) for values in (nearer, points))
        spreads = float((weight * one**2).sum() * (weight * other**2).sum())
        return abs(float((weight * one * other).sum())) / np.sqrt(spreads) if spreads > 0 else 0.0

    return max(correlation(along), correlation(facing))


def _means(colour: FloatArray, pull: npt.NDArray[np.floating]) -> FloatArray:
    """(2, 3) mean colours, weighted by (2, n)."""
    return np.asarray(pull @ colour / np.maximum(pull.sum(axis=1, keepdims=True), 1e-6), np.float32)


def _settled(
    colour: FloatArray, weight: npt.NDArray[np.floating], starts: npt.NDArray[np.floating], hold: float
) -> npt.NDArray[np.floating]:
    """(s, 2, 3) pairs of colour centres after some rounds of 2-means. hold: how many columns the starting centres count for."""
    centres = starts
    for _ in range(ROUNDS):
        light, dark = np.moveaxis(_gaps(colour, centres), 1, 0)
        pull = np.stack([weight * (light < dark), weight * (light >= dark)], axis=1)
        amount = pull.sum(axis=2, keepdims=True) + hold
        centres = np.where(amount > 0, (pull @ colour + hold * starts) / np.maximum(amount, 1e-6), starts)
    return centres


def _gaps(colour: FloatArray, centres: npt.NDArray[np.floating]) -> npt.NDArray[np.floating]:
    """(s, 2, n) distances of (n, 3) colours from pairs of centres (s, 2, 3)."""
    return np.asarray(np.linalg.norm(colour - centres[:, :, None], axis=3))


def _nearer(
    colour: FloatArray, light: npt.NDArray[np.floating], dark: npt.NDArray[np.floating]
) -> npt.NDArray[np.floating]:
    to_light, to_dark = np.linalg.norm(colour - light, axis=1), np.linalg.norm(colour - dark, axis=1)
    return np.asarray((to_dark - to_light) / (to_dark + to_light + 1e-6))


def as_html(colour: FloatArray) -> str:
    """A colour in weighted Lab as #rrggbb."""
    lab = np.clip(colour / LAB_WEIGHTS, 0, 255).astype(np.uint8).reshape(1, 1, 3)
    blue, green, red = (int(part) for part in cv2.cvtColor(lab, cv2.COLOR_LAB2BGR)[0, 0])
    return f"#{red:02x}{green:02x}{blue:02x}"


def learn_from_known(canonical: Image, bar: tuple[float, float] | None, columns: Sequence[int]) -> Appearance:
    """The set's appearance from a picture whose position is known.

    canonical: as `BoardGeometry.canonical` has it, with these edges of the bar. columns: (24,) signed counts in column order, light
    positive.
    Raises ValueError unless both sides have a checker on the board.
    """
    if not (any(count > 0 for count in columns) and any(count < 0 for count in columns)):
        raise ValueError("Both sides need a checker on the board to learn their colours: show the start position.")
    lying = np.zeros((CANONICAL_HEIGHT // CELL, CANONICAL_WIDTH // CELL), np.float32)
    faces: dict[bool, list[Cells]] = {True: [], False: []}
    for column, count in enumerate(columns):
        if count == 0:
            continue
        _, across = _column_slices(column)
        reach = MARGIN_Y // CELL + min(abs(count), 5) * (PITCH // CELL) - 1
        rows = slice(MARGIN_Y // CELL + 1, reach) if column < 12 else slice(48 - reach, 48 - MARGIN_Y // CELL - 1)
        lying[rows, across] = 1
        faces[count > 0].append((rows, slice(across.start + 1, across.stop - 1)))
    lab = _cells(evened(canonical, lying))
    found = {
        side: [np.median(lab[cells].reshape(-1, 3), axis=0).astype(np.float32) for cells in of_side]
        for side, of_side in faces.items()
    }
    light, dark = (np.asarray(np.median(found[side], axis=0), np.float32) for side in (True, False))
    return Appearance(light, dark, bar)


def updated(known: Appearance, newer: Appearance) -> Appearance:
    """What is known, moved towards what a newly confirmed position shows."""
    share = max(DRIFT, 1 / (known.positions + 1))
    return replace(
        known,
        light=np.asarray((1 - share) * known.light + share * newer.light, np.float32),
        dark=np.asarray((1 - share) * known.dark + share * newer.dark, np.float32),
        bar=newer.bar if newer.bar is not None else known.bar,
        positions=known.positions + 1,
        lessons=known.lessons,
    )
