"""Weighs what is seen of checkers: counts and peaks, sides and colours, what was learnt, to probabilities that are never zero."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.observation import MAX_COUNT
from vision.reading.appearance import (
    LEAST_SEPARATION,
    Appearance,
    ColumnColours,
    Glimpse,
    glimpse_of,
    side_from_colour,
)
from vision.reading.bar_sides import split_by_look
from vision.reading.closer import COUNTS
from vision.reading.lessons import Lesson, Sighting
from vision.reading.network_reading import NetworkReading, log_softmax, probability_of
from vision.reading.start_position import piles_of_one_side, sides_of_piles

FloatArray = npt.NDArray[np.float32]

IN_SIGHT = 0.5
"""A column less likely in sight than this teaches nothing."""
WITH_THE_LIGHT = 0.5
"""Share of the picture's median colour that is taken from a checker's before it is compared with those of other pictures."""
LEAST_HELD = 0.05
"""At least so much of what is said of the sides holds."""
LAYERED = 5
"""A layer mostly holds so many: among counts of so many and more a closer look decides."""
TINY = 1e-12
"""A probability below which nothing is told apart."""


@dataclass(frozen=True)
class ColumnsSeen:
    """As in `vision.observation.Observation`: columns (24, 31), bar (2, 16), seen (25,), off (2, 16), float32."""

    columns: FloatArray
    bar: FloatArray
    seen: FloatArray
    off: FloatArray | None = None


@dataclass(frozen=True)
class Calibration:
    """How much each piece of evidence weighs.

    bar, bar_peaks and on_bar are what drawn boards, strange drawn ones and simulated tables ask for, each counting the same;
    counts, peaks, side and colour are older, and vision/weights/columns.md says why they stay.
    counts, peaks: weights of the count head's and of the peaks' log-probabilities.
    closer, piles: where there was a closer look, how much both of these and the closer look's log-probabilities count among LAYERED
    checkers and more; whether there are so many at all it is not asked. Fitted on drawn boards and simulated tables.
    finely: the same three, and how much the larger network's closer look counts, where that was asked: as 60 piled boards
    (36500000-36500059), 48 lit ones and 35 simulated tables ask for.
    side, colour: weights of the side head's logit and of the colour clusters', which count the less the surer that head is:
    it fails where both colours are equally bright, the clusters under glare. known_colour: of a learnt set's colours.
    bar, bar_peaks, on_bar: weights of the bar head's log-probabilities, of the peaks on the bar, whatever their colour (the head
    takes a checker that touches the cube for a part of it, the map of centres does not), and of the closer look's total.
    apart, sure: how much of what is said of the sides holds for each spread that the two colours lie apart, and for the square of
    the side head's mean logit; fitted on 1,787 columns of 240 drawn boards, of which 4.5 % are given to the wrong side, and where
    the head was unsure 9 % for the 0.2 % that it said.
    floor: share of every probability that is spread evenly over all counts; not fitted.
    """

    counts: float = 1.1
    peaks: float = 0.9
    closer: float = 0.5
    piles: float = 0.5
    finely: tuple[float, float, float] = (0.3, 0.3, 0.4)
    side: float = 1.02
    colour: float = 59.0
    known_colour: float = 6.0
    bar: float = 0.5
    bar_peaks: float = 0.4
    on_bar: float = 0.6
    apart: float = 0.02
    sure: float = 0.03
    floor: float = 1e-3


CALIBRATION = Calibration()


def _peak_votes(peaks: tuple[int, ...], counts: int) -> FloatArray:
    """(len(peaks), counts) log-votes of the peaks for each count: checkers can hide under others, peaks come from some."""
    count, seen = np.arange(counts)[None], np.array(peaks)[:, None]
    over, under = np.maximum(count - seen, 0), np.maximum(seen - count, 0)
    hidden = np.minimum(1.2 * over, 2.0) + np.where((over > 0) & (seen < 5), 1.0, 0.0)
    return np.asarray(-(2.2 * under + hidden), np.float32)


def own_counts(reading: NetworkReading, calibration: Calibration) -> FloatArray:
    """(24, 16) log-probabilities of the counts, before anything learnt is asked."""
    counts = log_softmax(calibration.counts * reading.counts + calibration.peaks * _peak_votes(reading.peaks, COUNTS))
    looked = reading.piles.any(axis=1)
    own, piles, finely = calibration.finely if reading.finely.any() else (calibration.closer, calibration.piles, 0.0)
    among = log_softmax((own * counts + piles * reading.piles + finely * reading.finely)[looked, LAYERED:])
    together = np.log(np.exp(counts[looked, LAYERED:]).sum(axis=1, keepdims=True) + TINY)
    counts[looked, LAYERED:] = together + among
    return counts


def own_bar(reading: NetworkReading, calibration: Calibration) -> FloatArray:
    """(2, 16) log-probabilities of both sides' counts on the bar, as the head has them: which side is light is not settled."""
    light, dark = calibration.bar * reading.bar
    (by_peaks,) = _peak_votes((reading.bar_peaks,), 2 * COUNTS - 1)
    by_total = calibration.bar_peaks * by_peaks + calibration.on_bar * np.pad(reading.on_bar, (0, COUNTS - 1), "edge")
    votes = by_total[np.add.outer(np.arange(COUNTS), np.arange(COUNTS))]
    probability = np.exp(log_softmax((light[:, None] + dark[None] + votes).ravel()).astype(np.float64))
    each = probability.reshape(COUNTS, COUNTS)
    return np.asarray(np.log(np.stack([each.sum(axis=1), each.sum(axis=0)]) + TINY), np.float32)


def sighting(reading: NetworkReading, colours: ColumnColours, calibration: Calibration = CALIBRATION) -> Sighting:
    """What a lesson is made of, and what lessons correct."""
    return Sighting(
        reading.features,
        own_counts(reading, calibration),
        np.asarray(calibration.side * reading.side, np.float32),
        colours.colour - WITH_THE_LIGHT * colours.middle,
        colours.texture,
        colours.weight > 0,
        reading.bar_features,
        own_bar(reading, calibration),
        colours.looks,
    )


def lesson_of(
    reading: NetworkReading, colours: ColumnColours, columns: npt.NDArray[np.int64], bar: tuple[int, int]
) -> Lesson:
    """What a picture teaches whose position is known: columns (24,) signed counts, bar light and dark."""
    seen = sighting(reading, colours)
    if seen.against(np.asarray(columns, np.float32)) > 0:
        seen = seen.swapped()
    return Lesson(seen, columns, np.array(bar, np.int64), reading.seen >= IN_SIGHT)


def occupied_of(counts: FloatArray) -> FloatArray:
    """(24,) probability that anything lies on a column, of (24, 16) log-probabilities of the counts."""
    return np.asarray(1 - np.exp(counts[:, 0]), np.float32)


def judged(
    reading: NetworkReading,
    colours: ColumnColours,
    appearance: Appearance | None,
    calibration: Calibration,
    earlier: Sequence[Glimpse] = (),
) -> ColumnsSeen:
    """Probabilities from the reading: counts and peaks, sides and colours, also those of earlier pictures of the set."""
    counts = own_counts(reading, calibration)
    occupied = occupied_of(counts)
    lessons = appearance.lessons if appearance is not None else None
    if lessons is not None and not lessons.alike(colours.looks):
        appearance = lessons = None  # Another table, or another light.
    glimpse, bar_logits = glimpse_of(colours, reading.side, occupied), own_bar(reading, calibration)
    by_colour, apart = side_from_colour(glimpse, appearance, earlier)
    side = reading.side
    if appearance is not None and float((occupied * by_colour * side).sum()) < 0:
        # Of two equally bright colours the network may call either the lighter one; what was learnt decides.
        side, bar_logits = -side, bar_logits[::-1]
    sureness = float((occupied * np.abs(side)).sum() / max(float(occupied.sum()), 1e-6))
    colour_weight = calibration.colour / (1 + sureness**2) if appearance is None else calibration.known_colour
    light_logit = calibration.side * side + colour_weight * by_colour
    if appearance is None:
        holds = calibration.apart * max(apart - LEAST_SEPARATION, 0) + calibration.sure * sureness**2
        light_logit = light_logit * float(np.clip(holds, LEAST_HELD, 1))
        piles = piles_of_one_side(counts, reading.seen[:24] >= IN_SIGHT)
        if piles is not None:
            light_logit = sides_of_piles(piles, np.asarray(light_logit, np.float32), side, colours.lightness)
    if lessons is not None:
        seen = sighting(reading, colours, calibration)
        nearness = lessons.nearness(lessons.looks_of(seen.colour, seen.texture)) * seen.coloured
        counts, bar_logits, by_lessons = lessons.corrected(seen)
        on_bar = lessons.looks_of(colours.on_bar[:, 0] - WITH_THE_LIGHT * colours.middle, colours.on_bar[:, 1])
        counts, bar_logits = log_softmax(counts), split_by_look(log_softmax(bar_logits), lessons.sides(on_bar))
        light_logit = nearness * by_lessons + (1 - nearness) * light_logit
    light = probability_of(light_logit)
    probability = np.exp(counts)
    columns = np.zeros((24, 2 * MAX_COUNT + 1), np.float64)
    columns[:, MAX_COUNT] = probability[:, 0]
    columns[:, MAX_COUNT + 1 :] = probability[:, 1:] * light[:, None]
    columns[:, MAX_COUNT - 1 :: -1] = probability[:, 1:] * (1 - light[:, None])
    bar = np.exp(bar_logits)
    return ColumnsSeen(_with_floor(columns, calibration.floor), _with_floor(bar, calibration.floor), reading.seen)


def _with_floor(probability: npt.NDArray[np.floating], floor: float) -> FloatArray:
    """Every outcome stays possible; rows sum to 1."""
    rows = probability / probability.sum(axis=-1, keepdims=True)
    return np.asarray((1 - floor) * rows + floor / rows.shape[-1], np.float32)
