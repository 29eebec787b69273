"""What the columns' network says of one picture, whatever is made of it: logits joined to probabilities, a map to centres."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from vision.board.geometry import CELL, PITCH, canonical_left
from vision.reading.closer import COUNTS

FloatArray = npt.NDArray[np.float32]

ROWS_OF_A_COLUMN = 28
"""Rows of the map, from the board's edge, that a column's checkers can lie in."""
ROWS_OF_PEAKS = 26
"""A peak must fall off again within these rows: what rises further in belongs to the column opposite."""
BAR_FACES = slice((canonical_left(5) + PITCH) // CELL, canonical_left(6) // CELL)
"""The map's cells of the bar, as wide as a column: how checkers look on it is compared with those of columns, inlay and rim."""
BAR_CELLS = slice(BAR_FACES.start + 1, BAR_FACES.stop - 1)
"""Those along its middle: further out the checkers of the points beside it show."""
PEAK_FLOOR = 0.3
"""A peak in the heat map below this is no checker."""
PEAK_DIP = 0.7
"""Between two checkers the heat falls below this share of either's peak."""


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


def joined_views(
    heat: FloatArray, points: FloatArray, bar: FloatArray, features: FloatArray, bar_features: FloatArray
) -> NetworkReading:
    """One reading from the two views' logits, turned back and averaged."""
    by_column = features[:, :, 0]
    straight = (points[0] + points[1][:, ::-1]) / 2
    joined = (heat[0] + heat[1][:, ::-1, ::-1]) / 2
    across = bar.mean(axis=0)
    return NetworkReading(
        heat=probability_of(joined[0]),
        counts=log_softmax(straight[:COUNTS].T),
        side=np.asarray(straight[COUNTS], np.float32),
        bar=log_softmax(np.stack([across[:COUNTS], across[COUNTS : 2 * COUNTS]])),
        seen=probability_of(np.append(straight[COUNTS + 1], across[-1])),
        features=np.asarray((by_column[0] + by_column[1][:, ::-1]).T / 2, np.float32),
        bar_features=np.asarray(bar_features.mean(axis=0).reshape(-1), np.float32),
    )


def probability_of(logit: FloatArray) -> FloatArray:
    """Of that logit."""
    return np.asarray(1 / (1 + np.exp(-np.clip(logit, -30, 30))), np.float32)


def log_softmax(logits: FloatArray) -> FloatArray:
    """Log-probabilities over the last axis."""
    shifted = logits - logits.max(axis=-1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True)), np.float32)
