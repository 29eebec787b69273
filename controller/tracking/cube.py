"""How likely the cube is that was found, by its value and by who has it."""

from __future__ import annotations

from collections.abc import Sequence
from math import dist, log

import numpy as np

from controller.rules import Side
from controller.tracking import parameters
from controller.tracking.dice import read_alike
from controller.tracking.orientation import is_on_the_field
from terms.board import Corner
from vision.observation import CUBE_FACES, CubeSeen

FACES, PLACES = len(CUBE_FACES), 4
"""What a cube may show, and where it may lie: in the middle, with either player, on the field."""


def log_likelihood(seen: CubeSeen | None, value: int, *, plain: bool, lay_there: bool, lies_there: bool) -> float:
    """Of the cube found, if it is worth `value`.

    plain: most frames of the rest show it; lay_there, lies_there: it was, and is, where it belongs.
    """
    missed = parameters.MISTAKEN if lay_there else parameters.MISSED_CUBE
    if seen is None:
        return log(missed)
    place = 1 - parameters.MISSED if lies_there else parameters.MISSED
    found = seen.confidence * (float(seen.faces[_face(value)]) + parameters.MISTAKEN) * place
    false = max(1 - seen.confidence, parameters.MISTAKEN) / (FACES * PLACES)
    return log(found * (1.0 if plain else parameters.MISSED_CUBE) + missed * false)


def of_unknown(seen: CubeSeen | None) -> float:
    """The same, if it may show anything and lie anywhere."""
    return log(parameters.MISSED_CUBE) if seen is None else -log(FACES * PLACES)


def repeats(seen: CubeSeen | None, before: CubeSeen | None) -> bool:
    """Whether it is found where it was found at the rest before, and read as it was then; or again is not."""
    if seen is None or before is None:
        return seen is before
    return lies_as(seen, before) and read_alike(seen.faces, before.faces)


def lies_as(seen: CubeSeen, before: CubeSeen) -> bool:
    """Whether it is found where it was found then."""
    return dist(seen.at, before.at) < parameters.SAME_PLACE


def shows(cube: CubeSeen, value: int) -> bool:
    """Whether the likeliest of its faces is that of a cube that is worth so much."""
    return int(cube.faces.argmax()) == _face(value)


def is_centred(cube: CubeSeen) -> bool:
    """Whether it lies in the middle, on the bar or beside the board."""
    return abs(cube.at[1] - 0.5) < 2 * parameters.CUBE_IN_THE_MIDDLE and not is_on_the_field(cube.at)


def lies_with(cube: CubeSeen, owner: Side, light_home: Corner) -> bool:
    """Whether it lies on the owner's side of the board, not far from an edge."""
    owner_below = light_home.startswith("bottom") == (owner is Side.LIGHT)
    return (cube.at[1] > 0.5) == owner_below and abs(cube.at[1] - 0.5) > parameters.CUBE_IN_THE_MIDDLE


def median(cubes: Sequence[CubeSeen]) -> CubeSeen | None:
    """The cubes of several frames as one: median place, mean faces."""
    if not cubes:
        return None
    x, y = np.median([cube.at for cube in cubes], axis=0)
    faces = np.mean([cube.faces for cube in cubes], axis=0).astype(np.float32)
    return CubeSeen((float(x), float(y)), faces, float(np.mean([cube.confidence for cube in cubes])))


def _face(value: int) -> int:
    return CUBE_FACES.index(64 if value == 1 else min(value, 64))
