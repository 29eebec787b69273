"""Finds and reads the doubling cube, wherever it lies on or beside the board."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from vision.frame import Corners, Image
from vision.network import WEIGHTS
from vision.observation import CubeSeen
from vision.reading.detector import (
    CLOSER,
    FINE_PX,
    VIEW_ASPECT,
    BoardPicture,
    Candidate,
    Finder,
    Floats,
    Look,
    SolidRead,
    SolidReader,
    Trust,
    open_view,
)

BOARD_PX, FINER_PX = 260, 340
"""A board's width on the finder's picture: the smallest cube, 3.4 % of the width, is 9 px on the first. The second is looked at
where no cube is seen on the first: some that are dark, plain or of the ground's colour are marked there alone."""
MARGIN = (0.26, 0.28)
"""Cubes on the reference boards lie up to 0.12 beside and 0.21 above the playing surface, trays included."""
FINDER_LEAST = 0.08
MOST_CANDIDATES = 5
LEAST_CONFIDENCE = 0.6
"""A cube that is none is worse than one that is missed: of 1,595 drawn scenes 25 show a false one at 0.6 and 35 at 0.5."""
LEAST_ON_FINER = 0.65
"""The same on the finer picture: of 360 drawn scenes without a cube it shows one more at 0.65, and three at 0.6."""
NOW_AND_THEN = 8
"""Pictures without a cube, of which the first alone is looked at on both, unless the last cube was seen on the finer."""
LEAST_ABOVE = 0.15
"""A face above one that is surely a cube's need not be as sure by itself: it lies where that cube's upper face must be."""
TEMPERATURE = 0.8
TRUST = Trust(finder=0.0, reader=0.83, face=0.22, bias=-1.76)
"""Both fitted by `vision.training.dice_trust` on drawn scenes (seeds 9931 to 9933) and lit windows (from 900000 on) alone, each
sort counting as much, with networks as they were trained; their fonts were kept back from what teaches."""
ON_BAR, BESIDE = (0.4, 10.0), (0.9, 4.5)
"""How many times likelier than elsewhere another face, and 64, is a cube's in the middle of the board, on the bar or beside the
playing surface. Of real matches' rolls it stands there at 52 in 100, and shows 64, its one; what is no cube is rarely there, with
any face. Beside the surface boards that are only shown have it with any face as well, and signs and clocks stand."""
MIDDLE_OF_BAR, MIDDLE_BESIDE = (0.07, 0.15), (0.25, 0.1)
"""Shares of the board's width and height: how far from its middle a cube on the bar stands at most; how far beside the playing
surface, and from half its height, one in a tray or on a rail."""
SIDE_LEAN, SIDE_NEAR = 0.35, 0.35
"""From which shift per height a side face shows well enough to be mistaken, and how far its centre then lies at least."""


def solid_reader(weights: Path = WEIGHTS) -> SolidReader:
    """What looks at a candidate."""
    first = Look(weights / "cube_reader.onnx")
    finer = (Look(weights / f"cube_{name}.onnx", FINE_PX) for name in ("fine", "lite"))
    return SolidReader(first, (replace(first, stretch=CLOSER), *finer))


class CubeReader:
    """Reads the cube: `CubeReader().read(image, corners)`. Holds four networks; not safe to share between threads."""

    def __init__(self, weights: Path = WEIGHTS) -> None:
        self._finder = Finder(weights / "cube_finder.onnx", BOARD_PX, MARGIN)
        self._reader = solid_reader(weights)
        self._last_seen_on: int | None = None
        self._without_one = 0

    def read(self, image: Image, corners: Corners) -> CubeSeen | None:
        """The cube in a picture, or None.

        image: (H, W, 3) uint8 BGR. corners: (4, 2) source px, tl tr br bl of the playing surface.
        Raises vision.reading.detector.VisionInputError where the corners enclose nothing.
        """
        return self.read_view(open_view(image, corners), thorough=True)

    def read_view(self, view: BoardPicture, *, thorough: bool = False) -> CubeSeen | None:
        """The same for a view that is already open. thorough: sought on the finer picture, too, wherever it was last seen."""
        for board_px in self._pictures(thorough=thorough):
            seen = self._seen(view, board_px)
            if seen is not None:
                self._last_seen_on, self._without_one = board_px, 0
                return seen
        return None

    def _pictures(self, *, thorough: bool) -> Iterator[int]:
        """Board widths of the finder's pictures to look at until a cube is seen: seldom the finer one, unless it was seen there."""
        yield BOARD_PX
        due = self._without_one % NOW_AND_THEN == 0
        self._without_one += 1
        if thorough or due or self._last_seen_on == FINER_PX:
            yield FINER_PX

    def _seen(self, view: BoardPicture, board_px: int) -> CubeSeen | None:
        """The cube on one of the finder's pictures, where it is sure enough."""
        read = self._reader.read(view, self._finder.find(view, FINDER_LEAST, MOST_CANDIDATES, board_px=board_px))
        if not read:
            return None
        candidates = [one.candidate for one in read]
        faces = [_faces(one) for one in read]
        confidences = np.array([_confidence(*both) for both in zip(read, faces, strict=True)], np.float32)
        surest = int(confidences.argmax())
        confidence = float(confidences[surest])
        if confidence < (LEAST_CONFIDENCE if board_px == BOARD_PX else LEAST_ON_FINER):
            return None
        best = _uppermost(view, candidates, confidences, surest)
        at, likely = candidates[best].at, faces[best]
        return CubeSeen(
            at=(at[0], at[1] / VIEW_ASPECT), faces=np.asarray(likely / likely.sum(), np.float32), confidence=confidence
        )


def _faces(seen: SolidRead) -> Floats:
    """(6,) float32 by what it looks like and where it stands, in the order of `CUBE_FACES`; they sum to how many times likelier
    a cube is for where it stands."""
    logits = seen.logits[1:7]
    faces = np.exp((logits - logits.max()) / TEMPERATURE)
    at = seen.candidate.at
    other, one = _likelier_in_the_middle(at[0], at[1] / VIEW_ASPECT)
    return np.asarray(faces / faces.sum() * np.array([*(other,) * 5, one]), np.float32)


def _confidence(seen: SolidRead, faces: Floats) -> float:
    """That it is a cube, by what it looks like, where it stands and what it shows there."""
    return TRUST.confidence(seen.candidate.score, seen.logits, float(np.log(faces.sum())))


def _likelier_in_the_middle(u: float, v: float) -> tuple[float, float]:
    """How many times likelier than elsewhere a cube with another face than 64, and with 64, is at this place of the board plane."""
    beside, along = max(-u, u - 1), abs(v - 0.5)
    if 0 < beside < MIDDLE_BESIDE[0] and along < MIDDLE_BESIDE[1]:
        return BESIDE
    if abs(u - 0.5) < MIDDLE_OF_BAR[0] and along < MIDDLE_OF_BAR[1]:
        return ON_BAR
    return 1.0, 1.0


def _uppermost(view: BoardPicture, candidates: list[Candidate], confidences: Floats, best: int) -> int:
    """The index of the cube's upper face: in a low view its side, a square with a number too, may have been taken for it.

    A side's centre is seen about half a height nearer to the camera's foot than the upper face's.
    """
    side = candidates[best]
    lean = view.lean(side.at)
    height = float(np.hypot(*lean))
    if height < SIDE_LEAN:
        return best
    up = lean / height
    for k, other in enumerate(candidates):
        step = np.array(other.at) - np.array(side.at)
        along, across = float(step @ up), abs(float(step[0] * up[1] - step[1] * up[0]))
        size = max(side.size, other.size)
        near = SIDE_NEAR * size < along < (0.5 * height + 0.6) * size and across < 0.45 * size
        if near and confidences[k] >= LEAST_ABOVE:
            return k
    return best
