"""What differs between two looks at a board: where things moved, where only the light is another, what reaches in from outside.

Masks are (VIEW_HEIGHT, VIEW_WIDTH) bool, of the board seen from above with its rim. docs/motion.md has the measurements behind the
thresholds.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.rectified import BoardView, Mask
from vision.frame import Image

FloatArray = npt.NDArray[np.float32]
Gain = npt.NDArray[np.float64]
"""(3,) by how much each channel grew."""

LEAST_CHANGE = 12
"""Grey levels of 255. Between still frames of the rendered games 99 % of the view's pixels differ by 8-10 at most."""

NOISE_FACTOR = 8
MOST_NOISE = 40
"""Grey levels. Between LEAST_CHANGE and MOST_NOISE the threshold is the lower quartile of all differences times
NOISE_FACTOR: noise of 30 levels a pixel stays under it (35), and a lamp at one side does not raise it further."""

LEAST_MOVING = 8
"""px of the view that must change on the board. A die changes 40-120; noise of up to 30 levels leaves none."""

LEAST_PATCH = 150
"""px of the view, rim included. The smallest hand in the games is 410 px; a checker is 110."""

SAME_EDGES = 0.75
"""Correlation of the edges in a patch above which only its light has changed. Arms leave 0.07-0.69 in the games; lamps,
gradients, and shadows with soft and hard edges laid over the same pictures leave 0.81-1.00."""

NEW_EDGE = 20
"""Grey levels by which an edge is another one than before, whatever the light: a die that falls, seen with its shadow, leaves the
edges of the points around it as they are (docs/motion.md)."""

LIGHT_JUMP = 0.12
"""Change of brightness from one frame to the next that counts as sudden; a camera's own exposure goes slower."""


@dataclass(frozen=True)
class Sample:
    """The board from above, what is left of its brightness when everything smooth, such as light, is taken away, that smooth part,
    and what of it lay outside the picture."""

    image: Image
    edges: FloatArray
    smooth: FloatArray
    unseen: Mask

    @classmethod
    def at(cls, image: Image, unseen: Mask) -> Sample:
        """Of a view, (VIEW_HEIGHT, VIEW_WIDTH, 3) uint8 BGR, and of what in it lies outside the picture."""
        grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.float32)
        smooth = np.asarray(cv2.GaussianBlur(grey, (0, 0), 3), np.float32)
        return cls(image, grey - smooth, smooth, unseen)


def changes(
    before: Sample, now: Sample, view: BoardView, gain: Gain | None = None, *, loose: bool
) -> tuple[Mask, Mask]:
    """What differs between two looks: where things do, and where only the light does. view: what both were seen through; gain: of
    the one over the other, if known; loose: they may be a px apart."""
    over = _difference(before.image, now.image, gain_of(before.image, now.image) if gain is None else gain, loose=loose)
    if over.any():
        lines = view.bands.gains(before.image, now.image)
        over = min([over, *(_difference(before.image, now.image, one, loose=loose) for one in lines)], key=count_of)
    over &= ~(before.unseen | now.unseen)
    if not over.any():
        return over, over
    count, labels, stats, _ = cv2.connectedComponentsWithStats(grown(over).astype(np.uint8))
    large = stats[:, cv2.CC_STAT_AREA] >= LEAST_PATCH
    large[0] = False
    if not large.any():
        return over, np.zeros_like(over)
    inside = large[labels]
    patch, old, new = labels[inside], before.edges[inside], now.edges[inside]
    shared, mine, yours = (np.bincount(patch, product, count) for product in (old * new, old * old, new * new))
    light = over & (shared > SAME_EDGES * np.sqrt(mine * yours))[labels]
    return over & ~light, light


def things_in(lit: Mask, before: Sample, now: Sample) -> Mask:
    """What of the light is none: patches in which edges came or went that the smooth part of the two looks does not tell of."""
    count, found = cv2.connectedComponents(grown(lit).astype(np.uint8))
    labels = np.asarray(found, np.int32)
    patch, old, new = labels[lit], before.edges[lit], now.edges[lit]
    brighter = (now.smooth[lit] + 1) / (before.smooth[lit] + 1)
    other = np.abs(new - brighter * old) > NEW_EDGE
    things = np.bincount(patch, other, count) >= LEAST_MOVING
    return np.asarray(lit & things[labels], np.bool_)


def jumped(before: Sample, now: Sample, gain: Gain) -> bool:
    """The whole view grew brighter or darker at once, and is otherwise what it was."""
    if abs(float(np.mean(gain)) - 1) <= LIGHT_JUMP:
        return False
    return alike(before, now) > SAME_EDGES


def alike(one: Sample, other: Sample) -> float:
    """Correlation of their edges."""
    old, new = one.edges.ravel(), other.edges.ravel()
    return float(old @ new / (np.sqrt((old @ old) * (new @ new)) + 1e-6))


def relit(still: Sample, before: Sample, now: Sample) -> Sample:
    """The still board in the light of now, as far as the smooth part of two frames tells it."""
    old, new = (cv2.GaussianBlur(look.image, (0, 0), 6).astype(np.float32) + 1 for look in (before, now))
    return Sample.at(np.clip(still.image * (new / old), 0, 255).astype(np.uint8), still.unseen)


def gain_of(before: Image, now: Image) -> Gain:
    """(3,) by how much each channel grew: the median, so that a hand over a third of the view has no say."""
    sparse = slice(None, None, 4)
    old, new = before[sparse, sparse].reshape(-1, 3), now[sparse, sparse].reshape(-1, 3)
    return np.asarray(np.median((new + 4.0) / (old + 4.0), axis=0), np.float64)


def _difference(before: Image, now: Image, gain: Gain | FloatArray, *, loose: bool) -> Mask:
    """(VIEW_HEIGHT, VIEW_WIDTH) bool: where the views differ by more than their light and noise explain.

    gain: by how much each channel grew, or each px of it (VIEW_HEIGHT, VIEW_WIDTH, 3).
    loose: and by more than the one has within a px of it, or the other has.
    """
    by_place = gain.ndim > 1
    expected = np.asarray(cv2.multiply(before, gain if by_place else np.append(gain, 0.0), dtype=cv2.CV_8U), np.uint8)
    apart = cv2.max(_beyond(expected, now), _beyond(now, expected)) if loose else cv2.absdiff(expected, now)
    blue, green, red = cv2.split(apart)
    most = cv2.max(cv2.max(blue, green), red)
    sparse = most[::2, ::2].ravel()
    quarter = len(sparse) // 4
    # A percentile, in a fifth of the time that NumPy takes for it.
    noise = float(np.partition(sparse, quarter)[quarter])
    over = (most > min(max(LEAST_CHANGE, NOISE_FACTOR * noise), MOST_NOISE)).astype(np.uint8)
    return cv2.medianBlur(over, 3) > 0


def _beyond(one: Image, other: Image) -> Image:
    """By how much each px of the other is lighter or darker than all around it in the one."""
    around = np.ones((3, 3), np.uint8)
    return np.asarray(
        cv2.max(cv2.subtract(other, cv2.dilate(one, around)), cv2.subtract(cv2.erode(one, around), other)), np.uint8
    )


def reaching_in(changed: Mask, rim: Mask, board: Mask) -> Mask:
    """The patches of change that reach from the view's edge onto the board."""
    # A striped sleeve changes in stripes: close the gaps before asking what hangs together.
    closed = grown(changed)
    if not (closed & rim).any() or not (closed & board).any():
        return np.zeros_like(changed)
    count, found, stats, _ = cv2.connectedComponentsWithStats(closed.astype(np.uint8))
    labels = np.asarray(found, np.int32)
    at_rim, on_board = (np.bincount(labels[where], minlength=count) > 0 for where in (rim, board))
    arms = at_rim & on_board & (stats[:, cv2.CC_STAT_AREA] >= LEAST_PATCH)
    arms[0] = False
    return np.asarray(arms[labels], np.bool_)


def largest(mask: Mask) -> int:
    """px of the largest patch."""
    _, _, stats, _ = cv2.connectedComponentsWithStats(grown(mask).astype(np.uint8))
    return int(stats[1:, cv2.CC_STAT_AREA].max(initial=0))


def grown(mask: Mask) -> Mask:
    """A px larger all around."""
    return cv2.dilate(mask.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0


def count_of(mask: Mask) -> int:
    """Its px."""
    return int(np.count_nonzero(mask))


def edge_of(outside: Mask) -> Mask:
    """The edge of what can be seen, and all beyond it: an arm comes in across it."""
    return grown(np.pad(outside[2:-2, 2:-2], 2, constant_values=True))
