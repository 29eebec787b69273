"""What hides the board, told by its colours: they fill the columns that can't be seen and are rare in those that can.

No colour of skin or sleeve is known beforehand; the picture itself says which colours a hand has here (histograms of both, as in
Jones and Rehg 1999 for skin). It is asked where it matters: whether a die lies on the board, or in the hand over it.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.geometry import (
    CANONICAL_HEIGHT,
    CANONICAL_WIDTH,
    MARGIN_X,
    MARGIN_Y,
    PITCH,
    BoardGeometry,
    canonical_left,
)
from vision.frame import Image
from vision.observation import DieSeen

Plane = npt.NDArray[np.float32]

HIDDEN, SEEN = 0.5, 0.8
"""Columns less likely in sight than the one show the colours of what hides them, those likelier than the other the board's."""
LIGHT_STEP, COLOUR_STEP = 32, 6
"""Grey levels that count as one, of lightness and of both axes of Lab's colours: the same skin lies in light and in shade."""
FEW = 5.0
"""px of each kind that every colour has beforehand."""
SPECK, SMOOTH = 0.7, 1.5
"""px of blur, before and after."""
AROUND = (6.0, 10.0)
"""px from a die's middle to the ring about it, which shows what it lies on; a die of USUAL reaches to the ring."""
USUAL = 0.047
"""Board widths of a die's side from which on the ring is as much larger."""
HELD = 0.73
"""Mean of that ring from which on a die lies in a hand. On 213 drawn boards with hands 85 % of 338 places on the hand have more
and 1 % of 631 places on the board beside it."""


def hiding(canonical: Image, seen: npt.NDArray[np.float32]) -> Plane | None:
    """(CANONICAL_HEIGHT, CANONICAL_WIDTH) share 0-1 of what hides the board in each colour; None where nothing is hidden.

    canonical: as `BoardGeometry.canonical` has it; seen: (25,) probability of being in sight.
    """
    hidden, clear = (_columns(which) for which in (seen < HIDDEN, seen > SEEN))
    if not hidden.any() or not clear.any():
        return None
    lab = cv2.cvtColor(cv2.GaussianBlur(canonical, (0, 0), SPECK), cv2.COLOR_BGR2LAB).astype(np.int64)
    steps = 256 // COLOUR_STEP + 1
    colour = (lab[..., 0] // LIGHT_STEP * steps + lab[..., 1] // COLOUR_STEP) * steps + lab[..., 2] // COLOUR_STEP
    few = FEW / clear.sum()
    over, board = (np.bincount(colour[part], minlength=colour.max() + 1) / part.sum() + few for part in (hidden, clear))
    share = (over / (over + board))[colour]
    return np.asarray(cv2.GaussianBlur(share.astype(np.float32), (0, 0), SMOOTH), np.float32)


def without_held(
    dice: tuple[DieSeen, ...], image: Image, geometry: BoardGeometry, seen: npt.NDArray[np.float32]
) -> tuple[DieSeen, ...]:
    """The dice without those that a hand holds over the board: they are not thrown yet, or not any more."""
    if not dice or seen.min() >= HIDDEN:
        return dice
    over = hiding(geometry.canonical(image), seen)
    return dice if over is None else tuple(die for die in dice if _ring(over, die, geometry) < HELD)


def _ring(over: Plane, die: DieSeen, geometry: BoardGeometry) -> float:
    """How much of what hides the board lies all around a die."""
    x = int(geometry.canonical_x(die.at[0]))
    y = int(MARGIN_Y + die.at[1] * (CANONICAL_HEIGHT - 2 * MARGIN_Y))
    x, y = min(max(x, 0), CANONICAL_WIDTH - 1), min(max(y, 0), CANONICAL_HEIGHT - 1)
    inner, outer = np.array(AROUND) * max(die.size / USUAL, 1.0)
    reach = int(outer)
    padded = cv2.copyMakeBorder(over, reach, reach, reach, reach, cv2.BORDER_REPLICATE)
    far = np.hypot(*np.mgrid[-reach : reach + 1, -reach : reach + 1])
    return float(padded[y : y + 2 * reach + 1, x : x + 2 * reach + 1][(far >= inner) & (far <= outer)].mean())


def _columns(which: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """The px of these of the 24 columns, each as far as five checkers and a half reach, and of the bar."""
    part = np.zeros((CANONICAL_HEIGHT, CANONICAL_WIDTH), bool)
    tall = int((CANONICAL_HEIGHT - 2 * MARGIN_Y) * 0.45)
    for column in np.flatnonzero(which[:24]):
        left, top = canonical_left(int(column)), MARGIN_Y if column < 12 else CANONICAL_HEIGHT - MARGIN_Y - tall
        part[top : top + tall, left : left + PITCH] = True
    if which[24]:
        part[MARGIN_Y : CANONICAL_HEIGHT - MARGIN_Y, MARGIN_X + 6 * PITCH : MARGIN_X + 7 * PITCH] = True
    return part
