"""What vision says about one frame: probabilities of what lies where. The type at vision's door."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from vision.board.changes import Snapshot

FloatArray = npt.NDArray[np.float32]

MAX_COUNT = 15
"""Most checkers that a column can be said to hold; signed counts run from -15 (dark) to +15 (light)."""

CUBE_FACES = (2, 4, 8, 16, 32, 64)


DieRest = Literal["board", "on a checker", "against a checker", "bar", "off the board"]
"""Where a die has come to rest."""


@dataclass(frozen=True)
class DieSeen:
    """One die on or near the board.

    at: centre of the upper face in board plane coordinates (x right, y down; (0, 0) top-left and (1, 1) bottom-right
        corner of the playing surface).
    faces: (6,) float32, probability of each upper face 1-6, sums to 1.
    confidence: probability that this is a die at all.
    flat: probability that it lies flat on the surface (not cocked, leaning or on a checker).
    rest: what it lies on or leans against; column: whose checker that is, None where it is none.
    pale: probability that it is pale with dark pips, not dark with pale ones: tells two pairs of dice apart.
    one_face: how clearly one face shows, 0-1, by the look that says whether it lies flat; a leaning die shows two.
    size: its side in board widths, 0 where nobody measured it.
    """

    at: tuple[float, float]
    faces: FloatArray
    confidence: float
    flat: float = 1.0
    rest: DieRest = "board"
    column: int | None = None
    pale: float = 0.5
    one_face: float = 1.0
    size: float = 0.0

    @property
    def value(self) -> int:
        """The likeliest upper face."""
        return int(self.faces.argmax()) + 1


@dataclass(frozen=True)
class CubeSeen:
    """The doubling cube.

    at: centre in board plane coordinates; outside 0..1 when it lies beside the playing surface.
    faces: (6,) float32, probability of each upper face in the order of CUBE_FACES, sums to 1.
    confidence: probability that this is the cube at all.
    """

    at: tuple[float, float]
    faces: FloatArray
    confidence: float

    @property
    def value(self) -> int:
        """The likeliest upper face."""
        return CUBE_FACES[int(self.faces.argmax())]


@dataclass(frozen=True)
class Observation:
    """What one frame shows.

    seconds: the frame's monotonic time.
    columns: (24, 31) float32; [c, 15 + n] is the probability that column c holds n light checkers (n > 0), -n dark ones
        (n < 0), or none. Columns 0-11 run along the top edge from left to right, 12-23 along the bottom edge from left to right.
    bar: (2, 16) float32; probabilities of the count of light and of dark checkers on the bar.
    seen: (25,) float32; probability that column c (24: the bar) could be seen at all, 0 where a hand covers it.
    dice, cube: what is likelier there than not, in no particular order; weaker finds are left out by their readers.
    still: nothing moved over the board in this frame.
    snapshot: what the board looked like, to tell what changed since; None where there is no picture.
    off: (2, 16) float32; how likely what lies beside the board is if 0 to 15 light and dark checkers have been borne off, 1 for
        none; None where nobody looked.
    """

    seconds: float
    columns: FloatArray
    bar: FloatArray
    seen: FloatArray
    dice: tuple[DieSeen, ...] = ()
    cube: CubeSeen | None = None
    still: bool = True
    snapshot: Snapshot | None = None
    off: FloatArray | None = None

    def exchanged(self) -> Observation:
        """The same with light checkers for dark ones and dark ones for light."""
        off = None if self.off is None else self.off[::-1]
        return replace(self, columns=self.columns[:, ::-1], bar=self.bar[::-1], off=off)
