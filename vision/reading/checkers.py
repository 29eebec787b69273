"""Reads checkers: from a picture and the board's place in it to probabilities of every count on every column.

canonical picture -> network, on it and on itself turned by half -> counts whatever the colour, peaks at checker centres, sides
(network_reading.py) -> the peaks and closer looks (closer.py) at tall piles and the bar vote on the counts, two clusters of colour
on the sides -> calibrated probabilities, never zero (judging.py); where they leave doubt all of it again with larger networks
beside the first ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from vision.board.geometry import CANONICAL_HEIGHT, CANONICAL_WIDTH, BoardGeometry
from vision.frame import Image
from vision.network import WEIGHTS, Network, network_input
from vision.reading.appearance import Appearance, ColumnColours, Glimpse, colour_of_columns, glimpse_of
from vision.reading.bar import BarFinder
from vision.reading.closer import CloserLook
from vision.reading.cut_off import in_sight
from vision.reading.judging import CALIBRATION, IN_SIGHT, LAYERED, ColumnsSeen, judged, occupied_of, own_counts
from vision.reading.light import evened
from vision.reading.network_reading import NetworkReading, joined_views, log_softmax

VIEWS = 2
"""The picture and itself turned by half. Its two mirror images beside them cost 30 ms and moved 2 of 1,494 cells of the
renders and 3 of 785 of the photographs."""
DETAIL = 2
"""The network reads the canonical picture this many times larger: a second layer shows by an edge of a px or two."""
IN_DOUBT = 0.8
"""Where a column in sight is less sure than this, the second network is asked, too, which takes as long as all the rest: on 5 of
100 pictures of simulated tables, 25 to 35 of renders and photographs, 72 of strange drawn boards."""
PERHAPS_LAYERED = 0.02
"""A column is looked at more closely where LAYERED checkers show, or so many or more are as likely as that."""
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
        return glimpse_of(colours, reading.side, occupied_of(own_counts(reading, CALIBRATION)))

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
        return joined_views(*outputs)


def _in_doubt(seen: ColumnsSeen) -> bool:
    sure = seen.columns.max(axis=1)[seen.seen[:24] >= IN_SIGHT]
    return bool((sure < IN_DOUBT).any())
