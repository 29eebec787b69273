"""What one still picture says to players: a position, its XGID, and what is doubtful about it. Pure.

Who is on roll, the score and the cube's owner can't be seen in a picture; they are given, or assumed and said so.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from controller.errors import ControllerError
from controller.rules import Position, Side, position_id
from controller.rules.xgid import Xgid, format_xgid
from controller.tracking.orientation import position_of
from terms.board import CORNERS, Corner
from vision.reading.overlay import DOUBT
from vision.reading.report import Cell, Reading
from vision.sentence import Sentence

FULL_SET = 15
"""Checkers a side."""

HOME_SEEN = 40
"""Pips by which the best home must beat the others to be called seen. Of 3,000 positions of played games 78 % reached that, and
98.7 % of those were right; without it 95.5 % were."""


class StillError(ControllerError):
    """A picture that does not show a position."""


@dataclass(frozen=True)
class Asked:
    """What a person adds to a picture. home None: guessed from the checkers."""

    turn: Side = Side.LIGHT
    home: Corner | None = None
    cube: int | None = None
    owner: Side | None = None
    score: tuple[int, int] = (0, 0)
    length: int = 0
    crawford: bool = False


@dataclass(frozen=True)
class StillPosition:
    """A picture's position. xgid: for analysis programs; home: where light bears off; home_seen: said or
    told by the checkers, not guessed; notes: sentences for people."""

    position: Position
    position_id: str
    xgid: str
    home: Corner
    home_seen: bool
    notes: tuple[str, ...] = field(default=())


def still_of(reading: Reading, asked: Asked | None = None) -> StillPosition:
    """The position that a reading shows. Raises StillError where it shows none: hidden columns, too many checkers."""
    asked = asked or Asked()
    counts, bar = _counts(reading)
    home, sure = (asked.home, True) if asked.home else likely_home(counts, bar)
    position = position_of(counts, bar, home, FULL_SET)
    dice = tuple(die.value for die in reading.dice if not die.cocked)
    cube = asked.cube or _cube(reading)
    moment = Xgid(
        position=position,
        on_roll=asked.turn,
        dice=(dice[0], dice[1]) if len(dice) == 2 else None,
        cube=cube,
        cube_owner=asked.owner if cube > 1 else None,
        score=asked.score,
        length=asked.length,
        crawford=asked.crawford,
    )
    return StillPosition(
        position,
        position_id(position, asked.turn),
        format_xgid(moment),
        home,
        sure,
        (*_doubts(reading, dice), *_notes(position, asked, home, cube, sure=sure)),
    )


def likely_home(counts: npt.NDArray[np.int64], bar: tuple[int, int]) -> tuple[Corner, bool]:
    """Where light most likely bears off, and whether the checkers really tell: by then both sides have fewest pips to go.

    counts: (24,) signed by column. A side's checkers move towards its home, so that any other home costs pips.
    """
    pips = []
    for home in CORNERS:
        position = position_of(counts, bar, home, FULL_SET)
        pips.append(position.pip_count(Side.LIGHT) + position.pip_count(Side.DARK))
    order = np.argsort(pips, kind="stable")
    return CORNERS[int(order[0])], pips[order[1]] - pips[order[0]] >= HOME_SEEN


def _counts(reading: Reading) -> tuple[npt.NDArray[np.int64], tuple[int, int]]:
    cells = (*reading.top, *reading.bottom)
    if any(cell is None for cell in cells) or reading.bar is None:
        hidden = sum(cell is None for cell in (*cells, reading.bar))
        raise StillError(
            "{hidden} place(s) of the board can't be seen in {file}: move hands away and try again.",
            hidden=hidden,
            file=reading.file,
        )
    counts = np.array([_signed(cell) for cell in cells], np.int64)
    for name, number in (
        ("light", counts.clip(0).sum() + reading.bar[0]),
        ("dark", (-counts).clip(0).sum() + reading.bar[1]),
    ):
        if number > FULL_SET:
            raise StillError(
                "{file} was read as a board with {number} {name} checkers, which can't be: take the picture from "
                "higher up or in better light.",
                file=reading.file,
                number=number,
                name=name,
            )
    return counts, reading.bar


def _signed(cell: Cell | None) -> int:
    assert cell is not None
    return cell[0] - cell[1]


def _cube(reading: Reading) -> int:
    """A cube that shows 64 lies in the middle: nobody has doubled."""
    return reading.cube.shown if reading.cube is not None and reading.cube.shown < 64 else 1


def _doubts(reading: Reading, dice: tuple[int, ...]) -> list[Sentence]:
    """What a person should look at before the position is used. dice: those that lie flat."""
    doubts = []
    if reading.confidence < DOUBT:
        text = "How sure it is that all of this is right: {share} %. Compare it with the board before you use it."
        doubts.append(Sentence(text, share=int(100 * reading.confidence)))
    if reading.dice and len(dice) != 2:
        text = "Dice that lie flat: {count}, where a roll has two; the XGID is written without a roll. Fill it in."
        doubts.append(Sentence(text, count=len(dice)))
    return doubts


def _notes(position: Position, asked: Asked, home: Corner, cube: int, *, sure: bool) -> list[Sentence]:
    notes = []
    if not asked.home:
        text = (
            "Light seems to bear off at the {home} of the picture."
            if sure
            else "Light is taken to bear off, which the checkers don't tell, at the {home} of the picture."
        )
        notes.append(Sentence(text, home=Sentence(home)))
    for side, name in ((Side.LIGHT, "light"), (Side.DARK, "dark")):
        if position.off(side):
            text = "{count} {side} checker(s) are not on the board and count as borne off."
            notes.append(Sentence(text, count=position.off(side), side=Sentence(name)))
    if cube > 1 and asked.owner is None:
        text = "The cube shows {cube}; whose it is was not said, so it is written as in the middle."
        notes.append(Sentence(text, cube=cube))
    return notes
