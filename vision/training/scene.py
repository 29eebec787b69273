"""A board to draw, as a value: camera, shape, colours, checkers. Lengths in board widths."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.training.texture import Colour, Rng

FloatArray = npt.NDArray[np.float64]
ON_BAR = 24
ASIDE = -1
"""Column of a checker that lies in a tray or beside the board."""
FIRST_PLACE = 0.55
"""Where the first checker of a column lies, diameters from the edge; none begins a layer beyond MOST_ALONG of the height."""
MOST_ALONG = 0.45


@dataclass(frozen=True)
class Palette:
    """Colours of one set; checkers[0] is the lighter side."""

    field: Colour
    points: tuple[Colour, Colour]
    frame: Colour
    bar: Colour
    tray: Colour
    table: Colour
    checkers: tuple[Colour, Colour]


@dataclass(frozen=True)
class Shape:
    """One board. height: of the playing surface; bar: its edges; columns: 12 x; rim_z, bar_z: over the surface."""

    height: float
    bar: tuple[float, float]
    columns: tuple[float, ...]
    pitch: float
    rim: float
    rim_z: float
    bar_z: float
    trays: tuple[float, float]


@dataclass(frozen=True)
class PointStyle:
    """How the points are drawn. length and the rest in board widths; blunt: tip's share of the base.

    bulge: how far the flanks are bent out (or in), as a share of the base; core: size of a point of the other colour in each.
    """

    length: float
    base: float
    gap: float
    blunt: float
    outline: int
    outline_colour: Colour
    hollow: tuple[bool, bool]
    alternate_rows: bool
    diamonds: bool
    slots: bool
    bulge: float = 0.0
    core: float = 0.0


@dataclass(frozen=True)
class Sheen:
    """A lamp or window mirrored at the same place of every glossy checker: an arc. Lengths in radii, angles in degrees."""

    at: float
    angle: float
    span: float
    width: float
    strength: float


@dataclass(frozen=True)
class Finish:
    """What checkers of unusual sets are made of, and how they are worked. Radii are shares of the checker's radius.

    lobes, turn, shine: turned metal gleams in so many directions, from this angle on, by this much; clear: share of what lies
    below that shows through; veins: strength of pearl or stone; bands: (radius, factor) of discs from the outside in;
    rim: inner radius of a rim of rim_colour; hole: its radius, hole_factor: shade of its floor, None where it goes through;
    dome: how much a rounded top darkens to its edge; mark: radius of an engraving or print of mark_kind in mark_colour.
    uneven: deviation of the logarithm of brightness from checker to checker, as polished tops mirror different things;
    slant: by how much one flank is brighter than the other, towards slant_turn.
    """

    lobes: int = 0
    turn: float = 0.0
    shine: float = 0.0
    clear: float = 0.0
    veins: float = 0.0
    bands: tuple[tuple[float, float], ...] = ()
    rim: float | None = None
    rim_colour: Colour | None = None
    hole: float | None = None
    hole_factor: float | None = None
    dome: float = 0.0
    mark: float = 0.0
    mark_kind: int = 0
    mark_colour: Colour | None = None
    uneven: float = 0.0
    slant: float = 0.0
    slant_turn: float = 0.0

    @property
    def sees_through(self) -> bool:
        """Whether anything of what lies below shows."""
        return self.clear > 0 or (self.hole is not None and self.hole_factor is None)


@dataclass(frozen=True)
class CheckerDesign:
    """How one side's checkers look. Radii are shares of the checker's radius, factors scale its colour.

    grooves: radii of turned grooves, each lit on one flank and dark on the other; groove_depth: by how much.
    barrel: how much narrower the faces are than the middle of the side.
    """

    wall: Colour
    edge: float | None
    ring: float | None
    ring_factor: float
    ring_width: int
    grooves: tuple[float, ...]
    groove_depth: float
    dish: float | None
    dot: float | None
    dot_colour: Colour
    star: bool
    shine: float
    arcs: float
    grain: float
    barrel: float
    sheens: tuple[Sheen, ...]
    finish: Finish | None = None


@dataclass(frozen=True)
class Checker:
    """One checker: centre x, y and underside z; side 0 is the lighter; column 0-23, ON_BAR or ASIDE."""

    x: float
    y: float
    z: float
    side: int
    column: int


@dataclass(frozen=True)
class DrawnScene:
    """Everything that is to be drawn. camera: (x, y, z); light: shadow displacement per unit of height; plain: see PLAIN.

    strange: with patterns, inlays, fittings and things in the way (vision/training/decor.py). standing: how many cubes, dice and
    cups stand where a column's next checker would (vision/training/standing.py).
    """

    palette: Palette
    shape: Shape
    points: PointStyle
    designs: tuple[CheckerDesign, CheckerDesign]
    camera: tuple[float, float, float]
    azimuth: float
    light: tuple[float, float]
    diameter: float
    thickness: float
    checkers: tuple[Checker, ...]
    counts: tuple[tuple[int, int], ...]
    plain: bool
    strange: bool = False
    standing: int = 0


def next_place(scene: DrawnScene, column: int) -> FloatArray | None:
    """(2,) x, y of the checker that would come next on this column; None where the first layer is full."""
    height = scene.shape.height
    own = [checker.y if column < 12 else height - checker.y for checker in scene.checkers if checker.column == column]
    along = max(own) + scene.diameter if own else scene.diameter * FIRST_PLACE
    if along > MOST_ALONG * height:
        return None
    return np.array([scene.shape.columns[column % 12], along if column < 12 else height - along])


def camera_from(shape: Shape, distance: float, elevation: float, azimuth: float) -> tuple[float, float, float]:
    """(x, y, z) of a camera so far from the board's middle; elevation over the board and azimuth from the near side, radians."""
    flat = distance * np.cos(elevation)
    return 0.5 + flat * np.sin(azimuth), shape.height / 2 + flat * np.cos(azimuth), distance * np.sin(elevation)


def axes_of(scene: DrawnScene, rng: Rng, astray: float, tilt: float) -> FloatArray:
    """(3, 3) rows right, down, forward of a camera at the scene's that looks at about the board's middle, nearly upright.

    astray, tilt: standard deviations, board lengths and radians.
    """
    target = np.array([0.5, scene.shape.height / 2, 0.0]) + np.r_[rng.normal(0, astray, 2), 0]
    forward = (target - np.array(scene.camera)) / np.linalg.norm(target - np.array(scene.camera))
    up = np.array([-np.sin(scene.azimuth), -np.cos(scene.azimuth), 1e-3])
    right = np.cross(up, forward)
    right /= np.linalg.norm(right)
    upward = np.cross(forward, right)
    roll = rng.normal(0, tilt)
    right, upward = right * np.cos(roll) + upward * np.sin(roll), -right * np.sin(roll) + upward * np.cos(roll)
    return np.stack([right, -upward, forward])
