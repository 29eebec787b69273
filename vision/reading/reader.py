"""The whole of seeing, from a picture to an Observation; reads like its own documentation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import numpy.typing as npt

from vision.board.changes import Snapshot
from vision.board.geometry import SMALLEST_SIDE_PX, BoardGeometry
from vision.board.shaking import Shake, shake_of, unshaken
from vision.board.straightness import bend_of
from vision.frame import Corners, Frame, Image
from vision.observation import MAX_COUNT, CubeSeen, DieSeen, Observation
from vision.reading.appearance import Appearance, Glimpse, learn_from_known, updated
from vision.reading.checkers import ColumnReader, Sighted
from vision.reading.cube import CubeReader
from vision.reading.detector import VIEW_ASPECT, WIDEST_BOARD_PX, open_view
from vision.reading.dice import A_PAIR, DiceReader
from vision.reading.judging import ColumnsSeen, lesson_of
from vision.reading.lessons import taught
from vision.reading.occlusion import without_held
from vision.reading.trays import TrayReader

CHECKER = 0.084
"""A checker's diameter as a share of the board's height: five fill a point of 0.42 (vision.board.geometry.POINT_HEIGHT)."""
CHECKER_WIDTH = 0.072
"""The same as a share of the board's width."""
INSIDE_COLUMN = 0.028
"""Board widths either side of a column's middle; a checker's radius is 0.036, and a die beside it keeps half its own side off."""
ON_CHECKERS = ("on a checker", "against a checker")
"""Rests of a die that a checker holds up."""
ON_A_CHECKER = 0.1
"""How flat a die on a checker is called at most."""
RIM_OVERLAP = 0.3
"""Checkers by which a die on top of a column's last checker may lie short of that checker's far rim, seen from a low camera."""
BEYOND_THE_RAIL = 0.05
"""Board heights: from a low camera the upper face of what stands by a rail is seen as far beyond it. Where a checker stands by that
rail no die can lie before it: what is seen there is on the checker, or the checker itself."""
WITHIN_REACH = 0.6
"""Checkers from a checker's rim, the rail or the bar at most to the middle of a die that leans on it: as far as 210 of 213
simulated ones lie."""
ONE_THING = 0.015
"""Board widths between the middles of a die and a cube at least: side by side the smallest have 0.03. Where a die and a cube
were seen at one place, in 3 of 964 drawn, rendered and photographed scenes, there was a cube."""
CLEAR = 0.8
"""Of half a checker and half a die side by side, that lies between the middles of both at least: checkers lie somewhat off their
places."""
BY_A_DIE = 1.0
"""Checkers between the middles of two dice at most if one leans on the other."""
LEANING_PRIOR = 6.5
"""Nats that flatness and face must speak for a die beside a checker to lie flat: a leaning one shows two faces. Of 173 simulated
ones that lean 74 stay below, of 1,449 flat ones within reach of a checker 3 (counted with 5.5, while faces had a temperature of
1; of 34 and 4,138 in 30 games the same stay below now)."""
UNDER_THE_CUBE = 0.6
"""Checkers between the middle of a cube and that of a column's first checker at most if one would stand on the other: side by side
the smallest cube and a checker have 0.7."""
NOTHING_NEAR = 3.0
"""Nats for a die to lie flat where nothing is seen that could hold it up."""
BEYOND_A_PAIR = 0.9
"""Confidence of a third die, and of a fifth, at least: dice are thrown in pairs, and who has seen one mostly looks for others in
vain. Beside a pair on 191 lit boards true ones of thirteen pictures have 0.976 and more, what is no die (a cube with a faint
number, a lamp mirrored in a checker) 0.84 at most; of four dice seen from low down one, misread, has 0.78."""
SUREST = 1e-4
"""Chances nearer than this to 0 or 1 say no more than this."""


class BoardReader:
    """Reads boards: checkers, dice and cube. Holds the networks; not thread-safe, one reader a thread."""

    def __init__(self) -> None:
        self.columns = ColumnReader()
        self._dice = DiceReader()
        self._cube = CubeReader()
        self._trays: TrayReader | None = None
        self._last: tuple[Image, BoardGeometry, Sighted, Image] | None = None

    def read(
        self,
        frame: Frame,
        geometry: BoardGeometry,
        appearance: Appearance | None = None,
        *,
        earlier: Sequence[Glimpse] = (),
        around: bool = False,
        alone: bool = False,
    ) -> Observation:
        """What one still frame shows.

        geometry: where the board lies in it. appearance: what is known of this set under this camera. earlier: `glimpse` after
        earlier frames of it, which tell both sides' colours where nothing is known yet. around: dice on the table
        beside the board count. alone: after this picture no better one comes, so that it is worth twice the time: two networks
        count the checkers in any case, borne-off ones are counted, and dice and cube are read from the picture as it would be had
        the camera not been shaken.
        """
        placed = self.columns.place_bar(frame.image, geometry, appearance)
        sighting, checkers = self.columns.looked(frame.image, placed, appearance, earlier=earlier, thorough=alone)
        off = self._borne_off(frame.image, placed, sighting, checkers) if alone else None
        shake = shake_of(frame.image, placed.corners) if alone else None
        view = open_view(*(_put_right(frame.image, placed, shake) if shake else placed.straightened(frame.image)))
        counts = likeliest_counts(checkers)
        bare = partial(_bare, placed, counts)
        dice = self._dice.read_view(view, around=around, bare=bare, thorough=alone)
        dice = without_held(dice, frame.image, placed, checkers.seen)
        cube = self._cube.read_view(view, thorough=alone)
        columns = without_one_under_the_cube(checkers.columns, cube, placed)
        dice = in_pairs(without_ornaments(with_place(without_the_cube(dice, cube), placed, counts)))
        loose = [die.at for die in dice] + ([cube.at] if cube else [])
        snapshot = Snapshot.of(frame.image, placed, loose)
        self._last = frame.image, placed, sighting, snapshot.image
        seen = columns, checkers.bar, checkers.seen
        return Observation(frame.seconds, *seen, dice, cube, snapshot=snapshot, off=off)

    def _borne_off(
        self, image: Image, placed: BoardGeometry, sighting: Sighted, checkers: ColumnsSeen
    ) -> npt.NDArray[np.float32]:
        """What lies beside the board, as `Observation.off`; its network is loaded when it is first needed."""
        self._trays = self._trays or TrayReader()
        return self._trays.read(image, placed, sighting[0].heat, checkers.columns)

    @property
    def glimpse(self) -> Glimpse | None:
        """What the last frame said of the set's colours; None before the first."""
        return self.columns.glimpse(self._last[2]) if self._last is not None else None

    def place(self, image: Image, corners: Corners) -> BoardGeometry:
        """Where the board lies in this picture, its bar found. Raises GeometryError for corners that no board can have."""
        return self.columns.place_bar(image, geometry_for(image, corners))

    def learn(
        self,
        image: Image,
        geometry: BoardGeometry,
        columns: npt.NDArray[np.int64],
        known: Appearance | None,
        bar: tuple[int, int] = (0, 0),
    ) -> Appearance:
        """The set's appearance after one more picture whose position is known. Quicker for the picture that was read last.

        columns: (24,) signed counts, light positive; bar: light and dark. known: what was learnt before, under the same camera.
        """
        placed = self.columns.place_bar(image, geometry, known)
        if self._last and self._last[0] is image and self._last[1] == placed:
            sighting, canonical = self._last[2:]
        else:
            sighting, canonical = self.columns.sighted(image, placed), placed.canonical(image)
        newer = learn_from_known(canonical, placed.bar, [int(count) for count in columns])
        lesson = lesson_of(*sighting, columns, bar)
        lessons = taught(known.lessons if known else None, lesson)
        return replace(updated(known, newer) if known else newer, lessons=lessons)


def _put_right(image: Image, placed: BoardGeometry, shake: Shake) -> tuple[Image, Corners]:
    """The picture as an ideal lens before a camera that stood still would have taken it, and the corners (4, 2) in it; no larger
    than dice and cube are looked at, since a phone's shaken photo of 12 megapixels took ten seconds and 500 MB."""
    sides = np.linalg.norm(np.roll(placed.corners, -1, axis=0) - placed.corners, axis=1)
    factor = max(WIDEST_BOARD_PX / placed.width_px, 2 * SMALLEST_SIDE_PX / float(sides.min()))
    if factor < 1:
        image, placed = placed.shrunk(image, factor)
        shake = Shake(factor * shake.across, factor * shake.down)
    return placed.straightened(unshaken(image, shake))


def without_the_cube(dice: tuple[DieSeen, ...], cube: CubeSeen | None) -> tuple[DieSeen, ...]:
    """The dice but for one that lies where the cube does: a cube's number has been taken for pips."""
    if cube is None:
        return dice
    return tuple(die for die in dice if _widths_apart(die.at, cube.at) > max(ONE_THING, die.size / 3))


def without_one_under_the_cube(
    columns: npt.NDArray[np.float32], cube: CubeSeen | None, placed: BoardGeometry
) -> npt.NDArray[np.float32]:
    """(24, 31) the columns' probabilities; where a cube stands in the place of a column's first checker, none lies on it, as nobody
    puts it on a checker: that any do is as much less likely as the cube is sure."""
    if cube is None:
        return columns
    apart = [_widths_apart(cube.at, _place_of(placed, column, 0)) for column in range(len(columns))]
    nearest = int(np.argmin(apart))
    if apart[nearest] > UNDER_THE_CUBE * CHECKER_WIDTH:
        return columns
    weighed = columns.copy()
    row = weighed[nearest]
    row[np.arange(len(row)) != MAX_COUNT] *= 1 - cube.confidence
    row /= row.sum()
    return weighed


def _widths_apart(one: tuple[float, float], other: tuple[float, float]) -> float:
    """Distance of two places on the board plane, in board widths."""
    return float(np.hypot(one[0] - other[0], (one[1] - other[1]) * VIEW_ASPECT))


def with_place(
    dice: tuple[DieSeen, ...], geometry: BoardGeometry, counts: npt.NDArray[np.int64]
) -> tuple[DieSeen, ...]:
    """The dice with what they rest on, and how surely they lie flat given what is near: one on a checker does not, whatever
    its upper face looks like; one that nothing can hold up does. counts: (24,) of the columns, signed."""
    return tuple(_rested(die, dice, geometry, counts) for die in dice)


def without_ornaments(dice: tuple[DieSeen, ...]) -> tuple[DieSeen, ...]:
    """The dice but for those on or against checkers where no throw could have put so many there: knobs, rings and glints on the
    checkers themselves have been taken for pips, on each checker anew."""
    held = sum(die.rest in ON_CHECKERS for die in dice)
    if held > A_PAIR or (held == A_PAIR and len(dice) - held >= A_PAIR):
        return tuple(die for die in dice if die.rest not in ON_CHECKERS)
    return dice


def in_pairs(dice: tuple[DieSeen, ...]) -> tuple[DieSeen, ...]:
    """The dice, surest first, up to a pair beyond which the next is not sure enough (`BEYOND_A_PAIR`)."""
    for seen in range(A_PAIR, len(dice), A_PAIR):
        if dice[seen].confidence < BEYOND_A_PAIR:
            return dice[:seen]
    return dice


def likeliest_counts(checkers: ColumnsSeen) -> npt.NDArray[np.int64]:
    """(24,) likeliest signed counts."""
    return np.asarray(checkers.columns.argmax(axis=1) - MAX_COUNT, np.int64)


def _rested(die: DieSeen, dice: tuple[DieSeen, ...], geometry: BoardGeometry, counts: npt.NDArray[np.int64]) -> DieSeen:
    x, y = die.at
    if not (0 <= x <= 1 and -BEYOND_THE_RAIL <= y <= 1 + BEYOND_THE_RAIL):
        return replace(die, rest="off the board")
    under = _on_checkers(die, geometry, counts)
    if under is not None:
        return replace(die, flat=min(die.flat, ON_A_CHECKER), rest="on a checker", column=under)
    if not 0 <= y <= 1:
        return replace(die, rest="off the board")
    beside = _within(0.5 + WITHIN_REACH, die.at, geometry, counts)
    if beside is not None:
        flat = _logistic(_logit(die.flat) + _logit(die.one_face) - LEANING_PRIOR)
        leaning = replace(die, flat=flat, rest="against a checker", column=beside)
        return replace(die, flat=flat) if flat >= 0.5 else leaning
    if _on_bar(die.at, geometry):
        return replace(die, rest="bar")
    if _near_wood(x, y, *_bar(geometry)) or any(
        _apart(die.at, other.at) < BY_A_DIE for other in dice if other is not die
    ):
        return die
    return replace(die, flat=_logistic(_logit(die.flat) + NOTHING_NEAR))


def _logit(chance: float) -> float:
    within = min(max(chance, SUREST), 1 - SUREST)
    return float(np.log(within / (1 - within)))


def _logistic(nats: float) -> float:
    return float(1 / (1 + np.exp(-nats)))


def _apart(one: tuple[float, float], other: tuple[float, float]) -> float:
    """Distance of two places on the board plane, in checkers."""
    return float(np.hypot((one[0] - other[0]) / CHECKER_WIDTH, (one[1] - other[1]) / CHECKER))


def _near_wood(x: float, y: float, left: float, right: float) -> bool:
    """Whether a die lies so close to a rail or to the bar that it may lean on it."""
    across = min(x, 1 - x, abs(x - left), abs(x - right)) / CHECKER_WIDTH
    return min(across, y / CHECKER, (1 - y) / CHECKER) < WITHIN_REACH


def _bar(geometry: BoardGeometry) -> tuple[float, float]:
    """The bar's left and right edge on the board plane."""
    return geometry.bar if geometry.bar is not None else (0.5, 0.5)


def _on_bar(at: tuple[float, float], geometry: BoardGeometry) -> bool:
    left, right = _bar(geometry)
    return left < at[0] < right


def _bare(geometry: BoardGeometry, counts: npt.NDArray[np.int64], at: tuple[float, float], size: float) -> bool:
    """Whether a die of this side, in board widths, can lie at this place: on the surface, beside all checkers that were read."""
    reach = CLEAR * 0.5 * (1 + size / CHECKER_WIDTH)
    on_surface = min(at) >= 0 and max(at) <= 1 and not _on_bar(at, geometry)
    return on_surface and _within(reach, at, geometry, counts) is None


def _within(
    reach: float, at: tuple[float, float], geometry: BoardGeometry, counts: npt.NDArray[np.int64]
) -> int | None:
    """The column of a checker whose middle is nearer to a place than so many checkers."""
    for column in range(24):
        for row in range(min(abs(int(counts[column])), 5)):
            if _apart(at, _place_of(geometry, column, row)) < reach:
                return column
    return None


def _place_of(geometry: BoardGeometry, column: int, row: int) -> tuple[float, float]:
    """The middle of a column's checker, the one by the rail being 0, on the board plane."""
    along = (row + 0.5) * CHECKER
    return geometry.column_centre(column)[0], along if column < 12 else 1 - along


def _on_checkers(die: DieSeen, geometry: BoardGeometry, counts: npt.NDArray[np.int64]) -> int | None:
    """The column of checkers well inside which the die's centre lies, seen from above."""
    x, y = die.at
    from_edge = max(min(y, 1 - y), 0.0)
    for column in range(12) if y < 0.5 else range(12, 24):
        aside = abs(x - geometry.column_centre(column)[0])
        if aside < INSIDE_COLUMN and from_edge < (min(abs(int(counts[column])), 5) - RIM_OVERLAP) * CHECKER:
            return column
    return None


def geometry_for(image: Image, corners: Corners) -> BoardGeometry:
    """The board's place in this picture, and how its lens bends it. Raises GeometryError for corners that no board can have."""
    return replace(BoardGeometry.for_picture(image, corners), bend=bend_of(image, corners))


def unread(frame: Frame) -> Observation:
    """What a frame says while something moves over the board: only that."""
    nothing = np.zeros((24, 31), np.float32)
    return replace(
        Observation(frame.seconds, nothing, np.zeros((2, 16), np.float32), np.zeros(25, np.float32)), still=False
    )
