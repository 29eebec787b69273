"""What is too much or too little in a picture of a board: the measure, its bound and what to do, in words for players.

Each bound lies where the dice of only four in five pictures are still read, of drawn boards that were made worse step by step
(benchmarks/quality.py); no picture of another kind chose them. Checkers are read for long after that.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec
import numpy as np

from vision.board.quality import Quality, quality_of
from vision.frame import Corners, Image
from vision.sentence import Sentence

WeaknessCode = Literal["dark", "overexposed", "glare", "blurred", "shaken", "small", "cut", "compressed"]

MOST_GRAIN = 0.14
"""Grain as a share of the board's contrast: a room too dark leaves much of one and little of the other."""
ROUNDING = 0.29
"""Deviation of what is lost by rounding, grey levels."""
MOST_BURNT = 0.25
"""Share of the board that has nothing left to show in two colours of three. Of 36 simulated stills in 1 to 4 times their light
the dice of 148 in 159 pictures with less are all right, of 62 in 129 with more."""
LARGEST_PATCH = 12.5
"""Checkers: the largest patch of it."""
MOST_BLUR = 0.05
"""Deviation of the smear, as a share of a checker's diameter."""
MOST_BEYOND = 0.01
"""Share of the board beyond the picture's edge: less is within what corners may be off."""
PIXEL = 1.0
DIRECTED = 1.6
"""A smear so many times as long one way as another comes of a camera that was moved, not of its focus."""
FINEST = 0.01
"""The same share below which no edge is taken to be sharper."""
LEAST_CHECKER = 14.0
"""px across a checker."""
MOST_BLOCKS = 30.0
"""Steps between the squares of the compression against steps inside them."""


class Weakness(msgspec.Struct, frozen=True):
    """Something weak about a picture.

    value: what was measured, in unit; bound: what it may be at most (least, for a size). sentence: what is wrong, with both;
    advice: what to do.
    """

    code: WeaknessCode
    value: float
    bound: float
    unit: str
    sentence: str
    advice: str

    @property
    def words(self) -> tuple[str, str]:
        """What is wrong, and what to do."""
        return self.sentence, self.advice

    @property
    def sentences(self) -> tuple[Sentence, Sentence]:
        """The same, to be said in any language."""
        return _sentence(self.code, self.value, self.bound), Sentence(self.advice)


def weaknesses(image: Image, corners: Corners) -> tuple[Weakness, ...]:
    """What is weak about a picture in which the board lies at these corners. image: (H, W, 3) uint8 BGR; corners: (4, 2) px."""
    return weak_points(quality_of(image, corners))


def weak_points(quality: Quality) -> tuple[Weakness, ...]:
    """What of these measures is too much or too little, the worst hindrance first."""
    most = most_smear(quality)
    shaken = quality.smear > DIRECTED * max(quality.blur, FINEST * quality.checker)
    found: list[Weakness] = []
    grain = grain_share(quality)
    if grain > MOST_GRAIN:
        found.append(_weakness("dark", 100 * grain, 100 * MOST_GRAIN, "% of the contrast"))
    if quality.burnt > MOST_BURNT:
        found.append(_weakness("overexposed", 100 * quality.burnt, 100 * MOST_BURNT, "% of the board"))
    elif quality.patch > LARGEST_PATCH:
        found.append(_weakness("glare", quality.patch, LARGEST_PATCH, "checkers"))
    if quality.smear > most:
        found.append(
            _weakness("shaken", quality.smear, most, "px")
            if shaken
            else _weakness("blurred", quality.smear, most, "px")
        )
    if quality.checker < LEAST_CHECKER:
        found.append(_weakness("small", quality.checker, LEAST_CHECKER, "px"))
    if quality.beyond > MOST_BEYOND:
        found.append(_weakness("cut", 100 * quality.beyond, 100 * MOST_BEYOND, "% of the board"))
    if quality.blocks > MOST_BLOCKS:
        found.append(_weakness("compressed", quality.blocks, MOST_BLOCKS, "times"))
    return tuple(found)


def grain_share(quality: Quality) -> float:
    """Grain as a share of the contrast; that of rounding to whole grey levels is always there."""
    return max(quality.grain, ROUNDING) / max(quality.contrast, ROUNDING)


def most_smear(quality: Quality) -> float:
    """px by which edges may be smeared. Of a small board no edge is sharper than a pixel, however sharp the lens."""
    return max(MOST_BLUR * quality.checker, PIXEL)


def typical(several: Iterable[Quality]) -> Quality:
    """The median of each measure: a hand or a lamp that passes changes one picture of some."""
    rows = np.array([msgspec.structs.astuple(one) for one in several], np.float64)
    return Quality(*np.median(rows, axis=0).tolist())


_TEXTS: dict[WeaknessCode, str] = {
    "dark": "Too dark: grain is {value} % of the board's contrast, {bound} % may be.",
    "overexposed": "Overexposed: {value} % of the board is burnt out, {bound} % may be.",
    "glare": "Glare: it hides a patch of the board as large as {value} checkers, {bound} may be.",
    "blurred": "Out of focus: edges are smeared by {value} px, {bound} px may be.",
    "shaken": "Shaken: edges are smeared by {value} px in one direction, {bound} px may be.",
    "small": "Too small: a checker is {value} px wide, at least {bound} px are needed.",
    "cut": "Cut off: {value} % of the board lies beyond the picture's edge, {bound} % may.",
    "compressed": "Strongly compressed: its squares stand out {value} times, {bound} may be.",
}
_ADVICE: dict[WeaknessCode, str] = {
    "dark": "Put a lamp over the board.",
    "overexposed": "Give it less light, or set the camera's exposure lower.",
    "glare": "Move the lamp or the camera until nothing on the board shines.",
    "blurred": "Focus the camera on the dice and clean its lens.",
    "shaken": "Fix the camera so that it stands still, or give it more light.",
    "small": "Bring the camera nearer, or choose a larger picture.",
    "cut": "Move the camera until the whole board with its rails is in the picture.",
    "compressed": "Choose a better quality or a higher data rate for the camera's pictures.",
}
_FINE = frozenset({"blurred", "shaken", "cut"})
"""What is told to a tenth."""


def _weakness(code: WeaknessCode, value: float, bound: float, unit: str) -> Weakness:
    return Weakness(code, value, bound, unit, str(_sentence(code, value, bound)), _ADVICE[code])


def _sentence(code: WeaknessCode, value: float, bound: float) -> Sentence:
    if code in _FINE:
        return Sentence(_TEXTS[code], value=float(f"{value:.1f}"), bound=float(f"{bound:.1f}"))
    return Sentence(_TEXTS[code], value=f"{value:.0f}", bound=f"{bound:.0f}")
