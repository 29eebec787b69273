"""Finds and reads the dice on and around a board: upper faces as probabilities, and whether each die lies flat."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Corners, Image
from vision.network import WEIGHTS
from vision.observation import DieSeen
from vision.reading.detector import (
    CROP_PX,
    CROP_SIDES,
    FINE_PX,
    VIEW_ASPECT,
    BoardPicture,
    Candidate,
    Finder,
    Look,
    SolidRead,
    SolidReader,
    Trust,
    open_view,
    shown_around,
)

Floats = npt.NDArray[np.float32]

BOARD_PX = 480
"""The finder's picture: a die of 2.4 % of the board's width is 11.5 px there, enough to find it; the crop reads it."""
MARGIN = (0.1, 0.08)
FINDER_LEAST = 0.1
MOST_CANDIDATES = 12
LEAST_CONFIDENCE = 0.6
"""Most drawn scenes are whole between 0.6 and 0.7, and a third fewer things are taken for dice than with 0.5."""
EDGE, OUTSIDE_LOGIT = 0.01, -7.0
"""Added where a die stands beside the playing surface, among clocks, cups and stacked checkers. What counts is where it stands:
from a low camera the upper face of a die by the far rail is seen beyond the surface's edge."""
AROUND, MOST_AROUND = (0.65, 0.6), 20
"""Board widths of the table beside the board, left and right, above and below, on which dice are sought where they count there:
about 35 cm; and how many candidates there may be."""
BESIDE_LOGIT = -1.0
"""Added instead of OUTSIDE_LOGIT where dice beside the board count."""
TEMPERATURE = 0.7
"""Of the faces, as `vision.training.dice_trust` finds it for 660 drawn scenes (seeds 9931-9933) as they are and blurred by 1 px,
and 70 lit windows (from 900000 on), whose fonts were kept back from what teaches. No photograph had a say."""
TRUST = Trust(finder=1.2, reader=0.6, face=0.35, bias=-2.4)
"""As it was for the first look alone. `vision.training.dice_trust` asks for (0.63, 0.82, 0.05, -1.84) on the pictures of
TEMPERATURE; this believes the finder more, and does not doubt away what lies out of focus, nor ones, whose single pip could be
anything."""
ALONE = 0.85
"""Temperature of the faces as the first look alone has them, for `vision.reading.reader.LEANING_PRIOR`, which was found with it."""
FLAT_SHIFT = 3.5
"""Dice in training pictures are cocked far more often than thrown ones; this restores the odds."""
FACE_SIDES = 0.38
"""Sides of the die from the middle of its upper face: less than half, so that nothing else is seen however it is turned."""
PIPS = 4.0
"""Per cent of that which one pip covers."""
MIDDLE_GREY, BODY_SLOPE, PIPS_SLOPE = 118.0, 30.0, 45.0
"""Grey level between pale and dark dice, and grey levels for each nat: of the body, and of how much further the dark pips are from
it than the pale ones. On drawn boards of twelve looks, one in lamplight, 52 white dice have 0.96 and more, 54 black ones 0.74 at
most, 0.09 on the mean."""
SAME_DIE_SIDES = 0.7
"""Two dice can't lie with their centres closer than one side; the finder places a centre within 0.2 sides."""


Bare = Callable[[tuple[float, float], float], bool]
"""Whether a die of this side in board widths can lie at this place of the board plane, beside the checkers."""

_ROWS, _COLUMNS = np.mgrid[:CROP_PX, :CROP_PX] - (CROP_PX - 1) / 2
_FACE = np.hypot(_ROWS, _COLUMNS) < FACE_SIDES * CROP_PX / CROP_SIDES


def solid_reader(weights: Path = WEIGHTS) -> SolidReader:
    """What looks at a candidate."""
    return SolidReader(Look(weights / "dice_reader.onnx"), [Look(weights / "dice_lite.onnx", FINE_PX)])


@dataclass(frozen=True)
class Sizes:
    """Dice of which sides are sought, in board widths: px of the board on the finder's picture for them, their least confidence,
    and whether only places count where no checker was read."""

    board_px: int
    confidence: float
    least: float = 0.0
    most: float = 1.0
    on_bare_places: bool = True


USUAL = Sizes(BOARD_PX, LEAST_CONFIDENCE, on_bare_places=False)
UNUSUAL = (Sizes(256, 0.75, least=0.045, most=0.1), Sizes(640, 0.75, least=0.016, most=0.028))
"""As on travel boards and on large ones: the finder learnt from dice of 2.3 to 4.7 %. Sought where no usual pair is seen. Checkers
and glints pass for them, and points' tips for dice smaller than any that is made: of 163 dice on GNU Backgammon's boards
nine are less sure; 151 pictures of other boards show one false one between 0.35 and 1, of 0.69."""
A_PAIR = 2
NOW_AND_THEN = 8
"""Pictures without a pair after which dice of all sizes are sought, though those seen last were of one."""


class DiceReader:
    """Reads dice: `DiceReader().read(image, corners)`. Holds three networks; not safe to share between threads."""

    def __init__(self, weights: Path = WEIGHTS) -> None:
        self._finder = Finder(weights / "dice_finder.onnx", USUAL.board_px, MARGIN)
        self._reader = solid_reader(weights)
        self._last_pair: Sizes | None = None
        self._without_a_pair = 0

    def read(self, image: Image, corners: Corners) -> tuple[DieSeen, ...]:
        """The dice of usual sizes in a picture, surest first.

        image: (H, W, 3) uint8 BGR. corners: (4, 2) source px, tl tr br bl of the playing surface.
        Raises vision.reading.detector.VisionInputError where the corners enclose nothing.
        """
        return self.read_view(open_view(image, corners))

    def read_view(
        self, view: BoardPicture, *, around: bool = False, bare: Bare | None = None, thorough: bool = False
    ) -> tuple[DieSeen, ...]:
        """The same for a view that is already open.

        around: dice on the table beside the board count. bare: says which places hold no checker; given where dice of unusual sizes
        are sought, too. thorough: of all sizes, whichever were seen last.
        """
        kept: list[tuple[SolidRead, DieSeen]] = []
        for sizes in self._sizes(thorough=thorough) if bare else (USUAL,):
            kept = _apart(kept + self._seen(view, sizes, bare, around=around))
            if len(kept) >= A_PAIR:
                self._last_pair, self._without_a_pair = sizes, 0
                break
        return tuple(replace(die, pale=pale(one.crop)) for one, die in kept)

    def _sizes(self, *, thorough: bool) -> Iterator[Sizes]:
        """The sizes to seek until a pair is seen: unusual ones seldom once a pair has been."""
        yield USUAL
        self._without_a_pair += 1
        every = thorough or self._last_pair is None or self._without_a_pair % NOW_AND_THEN == 0
        yield from (sizes for sizes in UNUSUAL if every or sizes == self._last_pair)

    def _seen(
        self, view: BoardPicture, sizes: Sizes, bare: Bare | None, *, around: bool
    ) -> list[tuple[SolidRead, DieSeen]]:
        """The dice of these sizes that are sure enough."""
        most, margin = MOST_CANDIDATES, MARGIN
        if around:
            margin = tuple(np.maximum(shown_around(view, AROUND), MARGIN).tolist())
            most = MOST_AROUND
        found = self._finder.find(view, FINDER_LEAST, most, margin, sizes.board_px)
        found = [one for one in found if sizes.least < one.size < sizes.most]
        if sizes.on_bare_places and bare is not None:
            found = [one for one in found if bare(_on_board(one), one.size)]
        outside = BESIDE_LOGIT if around else OUTSIDE_LOGIT
        seen = [(one, _die(view, one, outside)) for one in self._reader.read(view, found)]
        return [(one, die) for one, die in seen if die.confidence >= sizes.confidence]


def pale(seen: Image) -> float:
    """Probability that a die is pale with dark pips, not dark with pale ones. seen: its (64, 64, 3) crop."""
    face = cv2.cvtColor(seen, cv2.COLOR_BGR2GRAY)[_FACE].astype(np.float32)
    darkest, body, palest = np.percentile(face, [PIPS, 50, 100 - PIPS])
    nats = (body - MIDDLE_GREY) / BODY_SLOPE + (2 * body - darkest - palest) / PIPS_SLOPE
    return float(1 / (1 + np.exp(-nats)))


def _apart(seen: list[tuple[SolidRead, DieSeen]]) -> list[tuple[SolidRead, DieSeen]]:
    """The dice surest first; of two answers for one die the surer."""
    kept: list[tuple[SolidRead, DieSeen]] = []
    for one, die in sorted(seen, key=lambda s: -s[1].confidence):
        if all(_sides_between(one.candidate, other.candidate) > SAME_DIE_SIDES for other, _ in kept):
            kept.append((one, die))
    return kept


def _sides_between(one: Candidate, other: Candidate) -> float:
    """Distance of two centres, in sides of the other."""
    return float(np.hypot(one.at[0] - other.at[0], one.at[1] - other.at[1]) / other.size)


def _die(view: BoardPicture, answered: SolidRead, outside: float) -> DieSeen:
    """One candidate's answer. outside: logit of a die beside the playing surface."""
    candidate, answer = answered.candidate, answered.logits
    foot = np.array(candidate.at) - view.lean(candidate.at) * candidate.size
    inside = all(-EDGE <= v <= 1 + EDGE for v in (foot[0], foot[1] / VIEW_ASPECT))
    return DieSeen(
        at=_on_board(candidate),
        faces=_faces(answer, TEMPERATURE),
        confidence=TRUST.confidence(candidate.score, answer, 0.0 if inside else outside),
        flat=float(1 / (1 + np.exp(-answer[7] - FLAT_SHIFT))),
        one_face=float(_faces(answered.alone, ALONE).max()),
        size=candidate.size,
    )


def _on_board(candidate: Candidate) -> tuple[float, float]:
    """Its place on the board plane."""
    return candidate.at[0], candidate.at[1] / VIEW_ASPECT


def _faces(logits: Floats, temperature: float) -> Floats:
    """(6,) probabilities of the faces."""
    faces = np.exp((logits[1:7] - logits[1:7].max()) / temperature)
    return np.asarray(faces / faces.sum(), np.float32)
