"""A still picture's reading in plain numbers, as `vrhcab read` prints it."""

from __future__ import annotations

from typing import Literal

import msgspec
import numpy as np

from vision.board.geometry import BoardGeometry
from vision.board.weaknesses import Weakness
from vision.observation import MAX_COUNT, DieSeen, Observation
from vision.reading.judging import ColumnsSeen
from vision.reading.position_decoder import most_likely

Cell = tuple[int, int]
"""Light and dark checkers."""

FLAT = 0.5
"""A die less likely flat than this is called cocked."""


CLAIMED = 0.5
"""A thing less likely than this to be a die is not claimed as one. Which face it shows is another question: of the reference
pictures' dice that are there, those with a doubtful face (0.3 to 0.5) were read right."""

MISLED = 0.1
"""Share of readings called sure that are wrong where the corners are not right: 6 of 56 simulated and drawn boards with corners off
by 4.5 to 10 % of the width, none of 141 with less."""


class DieReading(msgspec.Struct, frozen=True):
    """value 1-6; px: centre, source px; cocked: it does not lie flat; why: leaning, or what it lies on; half: of the board."""

    value: int
    px: tuple[float, float]
    cocked: bool
    confidence: float
    why: Literal["", "leaning", "on a checker", "against a checker"] = ""
    half: Literal["left", "right", "bar", "off the board"] = "left"


class CubeReading(msgspec.Struct, frozen=True):
    """shown: the upper face, 2-64; px: centre, source px."""

    shown: int
    px: tuple[float, float]
    confidence: float


class Reading(msgspec.Struct, frozen=True):
    """One picture.

    corners: px, tl tr br bl; top, bottom: 12 cells from left to right, None where the view is blocked; bar: as a cell.
    confidence: probability that every cell with an answer is right; seconds: how long reading took; weak: what makes the picture
    hard to read.
    """

    file: str
    corners: tuple[tuple[float, float], ...]
    top: tuple[Cell | None, ...]
    bottom: tuple[Cell | None, ...]
    bar: Cell | None
    dice: tuple[DieReading, ...]
    cube: CubeReading | None
    confidence: float
    seconds: float
    weak: tuple[Weakness, ...] = ()


def where_placed(confidence: float, placed: float, *, bare: bool = False) -> float:
    """The probability that a position is right, read where the corners are right with the probability `placed`.

    bare: nothing at all lies there. A carpet of two rows of twelve diamonds is as bare, and where it was taken for a board all is
    wrong; a checker, a die or the cube is evidence that there is one.
    """
    return confidence * (1 - (1.0 if bare else MISLED) * (1 - placed))


def reading_of(
    file: str,
    observation: Observation,
    geometry: BoardGeometry,
    seconds: float,
    checkers: int | None = None,
    placed: float = 1.0,
    *,
    putting_up: bool = False,
) -> Reading:
    """The likeliest reading of an observation.

    geometry: of the board in its picture, which says where in it dice and cube lie; seconds: how long it took to make; checkers:
    a side, where known; placed: probability that the corners are right; putting_up: whether somebody puts up the start position
    and asks whether it is right.
    """
    position = most_likely(_seen(observation), checkers, putting_up=putting_up)
    cells = [
        _cell(int(count)) if claim else None for count, claim in zip(position.counts, position.claimed, strict=False)
    ]
    bare = not (any(position.counts) or any(position.bar) or observation.dice or observation.cube)
    return Reading(
        file=file,
        corners=tuple((round(float(x), 1), round(float(y), 1)) for x, y in geometry.corners),
        top=tuple(cells[:12]),
        bottom=tuple(cells[12:]),
        bar=position.bar if position.claimed[24] else None,
        dice=tuple(_die(die, geometry) for die in observation.dice if die.confidence >= CLAIMED),
        cube=CubeReading(
            observation.cube.value,
            _px(geometry, observation.cube.at),
            round(observation.cube.confidence * float(observation.cube.faces.max()), 3),
        )
        if observation.cube
        else None,
        confidence=round(where_placed(position.confidence, placed, bare=bare), 4),
        seconds=round(seconds, 4),
    )


def _die(die: DieSeen, geometry: BoardGeometry) -> DieReading:
    cocked = die.flat < FLAT
    on_something: Literal["on a checker", "against a checker"] | None = (
        die.rest if die.rest in ("on a checker", "against a checker") else None
    )
    sure = round(die.confidence * float(die.faces.max()), 3)
    why = (on_something or "leaning") if cocked else ""
    return DieReading(die.value, _px(geometry, die.at), cocked, sure, why, _half(die))


def _half(die: DieSeen) -> Literal["left", "right", "bar", "off the board"]:
    if die.rest in ("bar", "off the board"):
        return die.rest
    return "left" if die.at[0] < 0.5 else "right"


def sureness_of(observation: Observation, checkers: int | None = None) -> tuple[float, ...]:
    """(25,) probability of the answer on each of the 24 columns and on the bar."""
    position = most_likely(_seen(observation), checkers)
    columns = observation.columns[np.arange(24), MAX_COUNT + position.counts]
    bar = float(np.prod([observation.bar[side, position.bar[side]] for side in (0, 1)]))
    return (*map(float, columns), bar)


def _seen(observation: Observation) -> ColumnsSeen:
    return ColumnsSeen(observation.columns, observation.bar, observation.seen, observation.off)


def _cell(count: int) -> Cell:
    return max(count, 0), max(-count, 0)


def _px(geometry: BoardGeometry, at: tuple[float, float]) -> tuple[float, float]:
    """A place on the board plane as source px."""
    x, y = np.asarray(geometry.to_picture([at])).reshape(2)
    return round(float(x), 1), round(float(y), 1)
