"""Reads checkers: from a picture and the board's place in it to probabilities of every count on every column.

canonical picture -> network, on it and on itself turned by half -> counts whatever the colour, peaks at checker centres, sides
-> the peaks and closer looks (closer.py) at tall piles and the bar vote on the counts, two clusters of colour on the sides
-> calibrated probabilities, never zero; where they leave doubt all of it again with larger networks beside the first ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.geometry import CANONICAL_HEIGHT, CANONICAL_WIDTH, CELL, PITCH, BoardGeometry, canonical_left
from vision.frame import Image
from vision.network import WEIGHTS, Network, network_input
from vision.observation import MAX_COUNT
from vision.reading.appearance import (
    LEAST_SEPARATION,
    Appearance,
    ColumnColours,
    Glimpse,
    colour_of_columns,
    glimpse_of,
    side_from_colour,
)
from vision.reading.bar import BarFinder
from vision.reading.bar_sides import split_by_look
from vision.reading.closer import COUNTS, CloserLook
from vision.reading.cut_off import in_sight
from vision.reading.lessons import Lesson, Sighting
from vision.reading.light import evened
from vision.reading.start_position import piles_of_one_side, sides_of_piles

FloatArray = npt.NDArray[np.float32]

VIEWS = 2
"""The picture and itself turned by half. Its two mirror images beside them cost 30 ms and moved 2 of 1,494 cells of the
renders and 3 of 785 of the photographs."""
DETAIL = 2
"""The network reads the canonical picture this many times larger: a second layer shows by an edge of a px or two."""
ROWS_OF_A_COLUMN = 28
"""Rows of the map, from the board's edge, that a column's checkers can lie in."""
ROWS_OF_PEAKS = 26
"""A peak must fall off again within these rows: what rises further in belongs to the column opposite."""
BAR_FACES = slice((canonical_left(5) + PITCH) // CELL, canonical_left(6) // CELL)
"""The map's cells of the bar, as wide as a column: how checkers look on it is compared with those of columns, inlay and rim."""
BAR_CELLS = slice(BAR_FACES.start + 1, BAR_FACES.stop - 1)
"""Those along its middle: further out the checkers of the points beside it show."""
IN_SIGHT = 0.5
"""A column less likely in sight than this teaches nothing."""
IN_DOUBT = 0.8
"""Where a column in sight is less sure than this, the second network is asked, too, which takes as long as all the rest: on 5 of
100 pictures of simulated tables, 25 to 35 of renders and photographs, 72 of strange drawn boards."""
WITH_THE_LIGHT = 0.5
"""Share of the picture's median colour that is taken from a checker's before it is compared with those of other pictures."""
LEAST_HELD = 0.05
"""At least so much of what is said of the sides holds."""
LAYERED = 5
"""A layer mostly holds so many: among counts of so many and more a closer look decides."""
PERHAPS_LAYERED = 0.02
"""A column is looked at more closely where LAYERED checkers show, or so many or more are as likely as that."""
TINY = 1e-12
"""A probability below which nothing is told apart."""
PEAK_FLOOR = 0.3
"""A peak in the heat map below this is no checker."""
PEAK_DIP = 0.7
"""Between two checkers the heat falls below this share of either's peak."""


@dataclass(frozen=True)
class ColumnsSeen:
    """Probabilities as in `vision.observation.Observation`: columns (24, 31), bar (2, 16), seen (25,), float32."""

    columns: FloatArray
    bar: FloatArray
    seen: FloatArray


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


@dataclass(frozen=True)
class NetworkReading:
    """What the network says of one canonical picture, its views joined.

    heat: (48, 56) probability of a checker's centre;
    counts: (24, 16) and bar: (2, 16) log-probabilities; side: (24,) logit of light; seen: (25,) probability.
    features: (24, F) and bar_features: (G,) what the last layers made that of, for what is learnt of a table.
    piles: (24, 16) log-probabilities of the counts by a closer look; 0 on columns that had none; finely: by the larger network's,
    0 where it was not asked. on_bar: (16,) of how many lie on
    the bar, of either side; 0 where nobody looked closer.
    """

    heat: FloatArray
    counts: FloatArray
    side: FloatArray
    bar: FloatArray
    seen: FloatArray
    features: FloatArray
    bar_features: FloatArray
    piles: FloatArray = field(default_factory=lambda: np.zeros((24, COUNTS), np.float32))
    finely: FloatArray = field(default_factory=lambda: np.zeros((24, COUNTS), np.float32))
    on_bar: FloatArray = field(default_factory=lambda: np.zeros(COUNTS, np.float32))

    @cached_property
    def peaks(self) -> tuple[int, ...]:
        """How many checkers the heat map shows in each of the 24 columns."""
        return tuple(len(_peak_rows(self.strip(column)[:ROWS_OF_PEAKS])) for column in range(24))

    @property
    def bar_peaks(self) -> int:
        """How many checkers the heat map shows on the bar."""
        return len(self._bar_rows)

    @property
    def bar_cells(self) -> tuple[tuple[slice, slice], ...]:
        """The map's cells of each of these checkers."""
        return tuple((slice(max(row - 2, 0), row + 3), BAR_FACES) for row in self._bar_rows)

    @cached_property
    def _bar_rows(self) -> tuple[int, ...]:
        return _peak_rows(self.heat[:, BAR_CELLS])

    def strip(self, column: int) -> FloatArray:
        """(28, 4) heat of one column, from the board's edge inwards."""
        return column_strip(self.heat, column)


def column_strip(cells: npt.NDArray[np.float32], column: int) -> FloatArray:
    """The rows and cells of one column 0-23 in a map (48, 56, ...), from the board's edge inwards."""
    first = canonical_left(column) // CELL
    wide = cells[:, first : first + PITCH // CELL]
    return wide[:ROWS_OF_A_COLUMN] if column < 12 else wide[::-1][:ROWS_OF_A_COLUMN]


def _peak_rows(strip: FloatArray) -> tuple[int, ...]:
    """Rows of the maxima along a column that stand out from the dips between them."""
    profile = strip.max(axis=1)
    found, at, top, dip = list[int](), 0, 0.0, 0.0
    for row, value in enumerate(profile.tolist()):
        if top == 0.0:
            dip = min(dip, value)
            if value > PEAK_FLOOR and dip < PEAK_DIP * value:
                at, top = row, value
        elif value > top:
            at, top = row, value
        elif value < PEAK_DIP * top:
            found.append(at)
            top, dip = 0.0, value
    return tuple(found)


Sighted = tuple[NetworkReading, ColumnColours]
"""What the network and the colours say of one picture, before anything is weighed."""


class ColumnReader:
    """Reads checkers with one network, loaded once, and in doubt with a second one beside it, which is loaded when it is first
    needed. Not thread-safe: one reader a thread."""

    def __init__(self, weights: Path | None = None, bar_finder: BarFinder | None = None) -> None:
        """weights: another ONNX file than the one that ships. Raises WeightsError where they can't be used."""
        self._network = Network(weights or WEIGHTS / "columns.onnx")
        self._second: Network | None = None
        self._closer = CloserLook()
        self._bar_finder = bar_finder if bar_finder is not None else BarFinder()

    def read(
        self, image: Image, geometry: BoardGeometry, appearance: Appearance | None = None, *, thorough: bool = False
    ) -> ColumnsSeen:
        """What lies on each column of a board.

        image: (H, W, 3) uint8 BGR, source px. geometry: where the board lies; the bar is found where it is unknown.
        appearance: what is known of this set under this camera; without it light is the lighter colour in view.
        thorough: ask the second network in any case. Raises WeightsError where its weights can't be used.
        """
        placed = self.place_bar(image, geometry, appearance)
        return self.looked(image, placed, appearance, thorough=thorough)[1]

    def looked(
        self,
        image: Image,
        placed: BoardGeometry,
        appearance: Appearance | None = None,
        *,
        earlier: Sequence[Glimpse] = (),
        thorough: bool = False,
    ) -> tuple[Sighted, ColumnsSeen]:
        """What is seen before anything is weighed, and what lies on each column.

        placed: with the bar's edges; earlier: glimpses of the same set by the same camera; all else as for `read`.
        """
        sighting = self.sighted(image, placed, thorough=thorough)
        seen = judged(*sighting, appearance, CALIBRATION, earlier)
        if not thorough and _in_doubt(seen):
            return self.looked(image, placed, appearance, earlier=earlier, thorough=True)
        return sighting, seen

    def glimpse(self, sighted: Sighted) -> Glimpse:
        """What of that picture may tell the colours of the next one apart."""
        reading, colours = sighted
        return glimpse_of(colours, reading.side, _occupied(own_counts(reading, CALIBRATION)))

    def sighted(self, image: Image, placed: BoardGeometry, *, thorough: bool = False) -> Sighted:
        """What is seen before anything is weighed. placed and thorough: as for `looked`."""
        canonical = placed.canonical(image, DETAIL)
        seen = self.reading(canonical, thorough=thorough)
        seen = replace(seen, seen=in_sight(seen.seen, placed, (image.shape[1], image.shape[0])))
        reading = self.looked_closer(seen, image, placed, thorough=thorough)
        small = cv2.resize(canonical, (CANONICAL_WIDTH, CANONICAL_HEIGHT), interpolation=cv2.INTER_AREA)
        even = evened(np.asarray(small, np.uint8), reading.heat)
        return reading, colour_of_columns(even, reading.heat, reading.bar_cells)

    def place_bar(self, image: Image, geometry: BoardGeometry, appearance: Appearance | None = None) -> BoardGeometry:
        """The geometry with the bar's edges: given, remembered, or found in the picture."""
        if geometry.bar is not None:
            return geometry
        known = appearance.bar if appearance is not None else None
        return geometry.with_bar(known if known is not None else self._bar_finder.find(image, geometry))

    def looked_closer(
        self, reading: NetworkReading, image: Image, placed: BoardGeometry, *, thorough: bool = False
    ) -> NetworkReading:
        """The reading with a closer look at the bar, and at columns on which there may be more than one layer."""
        layered = np.exp(own_counts(reading, CALIBRATION))[:, LAYERED:].sum(axis=1) > PERHAPS_LAYERED
        columns = np.flatnonzero(layered | (np.array(reading.peaks) >= LAYERED)).tolist()
        piles, finely = reading.piles.copy(), reading.finely.copy()
        if columns:
            piles[columns] = log_softmax(self._closer.piles(image, placed, columns))
            if thorough:
                finely[columns] = log_softmax(self._closer.piles_finely(image, placed, columns))
        return replace(reading, piles=piles, finely=finely, on_bar=log_softmax(self._closer.on_bar(image, placed)))

    def reading(self, canonical: Image, *, thorough: bool = False) -> NetworkReading:
        """What the network says of one canonical picture of DETAIL; thorough: the mean of what both say."""
        straight = network_input(canonical[None])
        views = np.concatenate([straight, straight[:, :, ::-1, ::-1]])
        outputs = self._network(views)
        if thorough:
            self._second = self._second or Network(WEIGHTS / "columns_lite.onnx")
            # One view after the other, which needs half the memory; of the features what is learnt of a table is made.
            seconds = [np.concatenate(parts) for parts in zip(*map(self._second, views[:, None]), strict=True)][:3]
            outputs[:3] = [
                np.asarray((one + other) / 2, np.float32) for one, other in zip(outputs, seconds, strict=False)
            ]
        return _joined(*outputs)


def _in_doubt(seen: ColumnsSeen) -> bool:
    sure = seen.columns.max(axis=1)[seen.seen[:24] >= IN_SIGHT]
    return bool((sure < IN_DOUBT).any())


def _joined(
    heat: FloatArray, points: FloatArray, bar: FloatArray, features: FloatArray, bar_features: FloatArray
) -> NetworkReading:
    """One reading from the two views' logits, turned back and averaged."""
    by_column = features[:, :, 0]
    straight = (points[0] + points[1][:, ::-1]) / 2
    joined = (heat[0] + heat[1][:, ::-1, ::-1]) / 2
    across = bar.mean(axis=0)
    return NetworkReading(
        heat=_probability(joined[0]),
        counts=log_softmax(straight[:COUNTS].T),
        side=np.asarray(straight[COUNTS], np.float32),
        bar=log_softmax(np.stack([across[:COUNTS], across[COUNTS : 2 * COUNTS]])),
        seen=_probability(np.append(straight[COUNTS + 1], across[-1])),
        features=np.asarray((by_column[0] + by_column[1][:, ::-1]).T / 2, np.float32),
        bar_features=np.asarray(bar_features.mean(axis=0).reshape(-1), np.float32),
    )


def _probability(logit: FloatArray) -> FloatArray:
    return np.asarray(1 / (1 + np.exp(-np.clip(logit, -30, 30))), np.float32)


def log_softmax(logits: FloatArray) -> FloatArray:
    """Log-probabilities over the last axis."""
    shifted = logits - logits.max(axis=-1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True)), np.float32)


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


def _occupied(counts: FloatArray) -> FloatArray:
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
    occupied = _occupied(counts)
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
    light = _probability(light_logit)
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
