"""Finds the board in a picture without any help: `find_board`; in a stream of frames: `Seeker`.

Nothing here knows what lies on it.
"""

from __future__ import annotations

import threading
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from vision.board.geometry import GeometryError, apart, check_corners, covers_middle, lies_as_drawn
from vision.errors import VisionError
from vision.finding.confidence import confidence_of, nearness_of
from vision.finding.finder import BoardFinder
from vision.finding.markers import corners_from_markers
from vision.frame import Corners, Frame, Image
from vision.network import Network
from vision.sentence import Sentence

NEAR_ENOUGH = 0.7
"""Where corners are less likely near than this, the answer is that there is no board: half of eight drawn pictures between 0.3 and
this have one there, of 702 above it 99 in 100."""
LEAST = 0.3
"""A seeker looks on where the corners are less likely right than this."""
TAKEN_AT_ONCE = 0.8
"""A find this sure is taken at once: on 85 ordinary drawn boards 64 of 66 such were right, as many as above 0.85."""
SAME = 0.02
"""Board widths within which two finds are the same board: what a find's confidence is about."""
MARKED = 0.99
"""Confidence of corners that four markers show; in the tests with drawn sheets all were right within 0.4 %."""
FRAME = 0.05
"""Share of a drawn board's longer side that its frame may take at either side."""
LOOKS = 5
"""Frames that a seeker looks at before it takes the best it has found: a hand or a passing shadow is gone in the next."""
LOOK_EVERY = 0.3
"""Seconds between looks."""
SELDOM = 10.0
"""Seconds between two looks for a better one, at most, while a diagram or a doubtful find is watched."""
IF_SURE = 5.0
"""Seconds to the first such look after a sure find, at most ten times as many to the next: mostly a position is read before."""
SMALLEST = 64
"""px: smaller pictures hold no readable board."""
SLENDEREST = 100
"""Times its shorter side: of a picture so long the first look shows two px across, and of a longer one soon none."""

NO_BOARD = (
    "No backgammon board is found in the picture. Show the whole playing surface, not too slanted, or give its corners."
)
NO_PICTURE = "That is no picture in which a board can be found: it must be colour or grey, 8 bits deep."
TOO_SMALL = Sentence(
    "The picture is smaller than {size} pixels: no board can be found in it. Use a larger one.", size=SMALLEST
)

SEEKING = "The board is being sought in the picture."

_lock = threading.Lock()
_held: list[BoardFinder] = []
"""The finder of all threads, while there is one: for each it would hold 15 MB and more, and what a large picture took."""


@dataclass(frozen=True)
class BoardLocation:
    """The board. corners: (4, 2) float32, source px, clockwise; the rows of points lie along the first and the third side.

    The first corner is the one from which the row runs rightwards in the picture: which of the two half turns is right
    only the checkers can tell. confidence: probability that every corner is right within 2 % of the board's width.
    """

    corners: Corners
    confidence: float


@dataclass(frozen=True)
class NotFound:
    """There is no board, or none that is seen well enough. reason: a sentence for a player."""

    reason: str


def find_board(image: Image) -> BoardLocation | NotFound:
    """Where the playing surface lies in a picture, (H, W, 3) uint8 BGR or (H, W) grey, by its markers where all four lie round one.

    From any thread; one picture at a time. Raises WeightsError where the program's weights are missing or damaged; for whatever it
    is given, nothing else.
    """
    picture = _colour(image)
    if isinstance(picture, NotFound):
        return picture
    marked = corners_from_markers(picture)
    if marked is not None:
        with suppress(GeometryError):  # laid in another order, or still on the sheet, they mark no board
            return BoardLocation(check_corners(marked, _size(picture)), MARKED)
    found = _sought(picture)
    if isinstance(found, BoardLocation) and lies_as_drawn(found.corners):
        filmed = _sought(_without(picture, found.corners))
        if isinstance(filmed, BoardLocation) and filmed.confidence >= TAKEN_AT_ONCE:
            return filmed
    return found


def _sought(picture: Image) -> BoardLocation | NotFound:
    """The same without markers, of a picture (H, W, 3)."""
    with _lock:
        if not _held:
            _held.append(BoardFinder())
        sightings = _held[0].sightings(picture)
    if not sightings or nearness_of(sightings[0].measures) < NEAR_ENOUGH:
        return NotFound(NO_BOARD)
    try:
        corners = check_corners(rightwards(sightings[0].corners), _size(picture))
    except GeometryError:
        return NotFound(NO_BOARD)
    return BoardLocation(corners, confidence_of(sightings[0].measures))


def forget() -> None:
    """Gives back what the networks hold, 15 MB and more; the next search loads them again, in a tenth of a second."""
    with _lock:
        _held.clear()


def use_networks(finder: Network | None, edge: Network | None, strip: Network | None) -> None:
    """Seeks with other networks from now on, where they are given: what is to ship is measured so."""
    with _lock:
        _held[:] = [BoardFinder(finder, edge, strip)]


class BoardNotFound(VisionError):
    """A picture in which no board is found; the sentence says what to do."""


def found_or_refused(image: Image, name: str) -> BoardLocation:
    """The board in a picture called `name`. Raises BoardNotFound where there is none."""
    found = find_board(image)
    if isinstance(found, NotFound):
        raise BoardNotFound("{name}: {why}", name=name, why=Sentence(found.reason))
    return found


def rightwards(corners: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> Corners:
    """The same board with the half turn by which the first row runs rightwards; down, where it runs neither way."""
    along = corners[1] + corners[2] - corners[0] - corners[3]
    right, down = float(along[0]), float(along[1])
    turned = right < 0 if abs(right) > 1e-3 * abs(down) else down < 0
    return np.asarray(np.roll(corners, 2, axis=0) if turned else corners, np.float32)


def _without(picture: Image, corners: Corners) -> Image:
    """The picture with an upright board painted over, its frame as well."""
    low, high = corners.min(axis=0), corners.max(axis=0)
    frame = FRAME * (high - low).max()
    x0, y0 = np.maximum(low - frame, 0).astype(int)
    x1, y1 = (high + frame).astype(int)
    covered = picture.copy()
    covered[y0:y1, x0:x1] = picture.mean(axis=(0, 1))
    return covered


def _size(picture: Image) -> tuple[int, int]:
    """(width, height) px."""
    return picture.shape[1], picture.shape[0]


def _colour(image: object) -> Image | NotFound:
    """(H, W, 3) uint8, or why the board can't be sought in it."""
    if not isinstance(image, np.ndarray) or image.dtype != np.uint8 or image.ndim not in (2, 3):
        return NotFound(NO_PICTURE)
    if image.ndim == 3 and image.shape[2] not in (1, 3, 4):
        return NotFound(NO_PICTURE)
    if min(image.shape[:2]) < SMALLEST:
        return NotFound(TOO_SMALL)
    if max(image.shape[:2]) > SLENDEREST * min(image.shape[:2]):
        return NotFound(NO_BOARD)
    if image.ndim == 2 or image.shape[2] == 1:
        return np.repeat(image.reshape(*image.shape[:2], 1), 3, axis=2)
    return np.ascontiguousarray(image[..., :3])


class Seeker:
    """Seeks the board in the first frames of a camera, a film or a folder, and on until a position is surely read where it lies."""

    def __init__(self, looks: int = LOOKS) -> None:
        """looks: frames after which the best find is taken; 1 for pictures of which each counts."""
        self._looks = self._left = looks
        self._each = looks == 1
        self._best: BoardLocation | None = None
        self._size: tuple[int, int] | None = None
        self._believed = False
        self._last, self._pause = float("-inf"), 0.0 if self._each else LOOK_EVERY
        self.reason = SEEKING

    def look(self, frame: Frame) -> Corners | None:
        """The corners once they are known well enough; None while they aren't, `reason` then says why."""
        if frame.seconds - self._last < self._pause:
            return None
        self._last = frame.seconds
        if frame.size != self._size:  # in its pixels nothing that was found before lies where it lay
            self._size, self._best, self._left = frame.size, None, self._looks
        found = find_board(frame.image)
        if isinstance(found, NotFound) or found.confidence < LEAST:
            self.reason = found.reason if isinstance(found, NotFound) else NO_BOARD
            return None
        self._left -= 1
        if self._best is None or found.confidence > self._best.confidence:
            self._best = found
        return self._best.corners if self._best.confidence >= TAKEN_AT_ONCE or self._left <= 0 else None

    def better(self, frame: Frame, corners: Corners, *, lost: bool = False) -> Corners | None:
        """The board, where it does not lie at those corners: a broadcast that begins with faces has nothing to show but a diagram,
        and half a board is like a board while a lid lies on the rest of it.

        corners: where what was found first lies by now; lost: it is not seen there.
        """
        first = self._best
        if first is None:
            return None
        drawn = lies_as_drawn(first.corners)
        if self._believed and not drawn:
            return None
        doubtful = not self._believed and (lost or first.confidence < TAKEN_AT_ONCE)
        if drawn or doubtful:
            soonest, seldom = LOOK_EVERY, SELDOM
        elif not self._each:
            soonest, seldom = IF_SURE, 10 * IF_SURE
        else:
            return None  # each picture is asked by itself where the board lies, once it was surely found
        pause = min(max(self._pause, soonest), seldom)
        if frame.seconds - self._last <= pause:
            return None
        self._last, self._pause = frame.seconds, 2 * pause
        found = find_board(frame.image)
        forget()  # it may be long before the next search, if there is any
        if isinstance(found, NotFound) or found.confidence < TAKEN_AT_ONCE:
            return None
        if _is_same(found.corners, corners):
            self._best = max(first, found, key=lambda one: one.confidence)
            return None
        if lies_as_drawn(found.corners) != drawn:
            counts = drawn  # a filmed board counts instead of a diagram, never the other way round
        else:
            surer = found.confidence > first.confidence and covers_middle(found.corners, corners)
            counts = doubtful or (surer and not self._believed)
        if not counts:
            return None
        self._best, self._believed = found, False
        return found.corners

    def believe(self) -> None:
        """What lies there is surely a position: however unsure the find was, it is no doubtful one."""
        self._believed = True


def _is_same(found: Corners, corners: Corners) -> bool:
    """Whether both are one board, whichever half turn they are in."""
    return min(apart(corners, half_turn) for half_turn in (found, np.roll(found, 2, axis=0))) <= SAME
