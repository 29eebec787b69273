"""XGID, eXtreme Gammon's position line, read and written.

Source: eXtreme Gammon's help, "XGID". Ten fields: 26 letters (the top player's bar, the bottom player's points 1-24,
his bar; capitals are his checkers, small letters the top player's), cube exponent, cube owner, turn, dice, both scores,
Crawford or Jacoby and beavers, match length, highest cube exponent. Light sits at the bottom here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from controller.rules.errors import NotationError, RulesError
from controller.rules.play import Dice
from controller.rules.position import Position
from controller.rules.side import Side

CubeAction = Literal["", "D", "B", "R"]
_SHAPE = re.compile(
    r"(?:XGID=)?([-A-Oa-o]{26}):(\d{1,2}):(-1|0|1):(-1|1):([0-6]{2}|[DBR]):(\d+):(\d+):([0-3]):(\d+):(\d{1,2})"
)
_OWNERS = {0: None, 1: Side.LIGHT, -1: Side.DARK}
_SIGNS = {None: 0, Side.LIGHT: 1, Side.DARK: -1}


@dataclass(frozen=True)
class Xgid:
    """One moment of a game. dice: None before the roll. action on offer: "D" double, "B" beaver, "R" raccoon, or "".

    score: (light, dark). crawford: in a match; jacoby, beavers: in money play (length 0). max_cube: highest value.
    """

    position: Position
    on_roll: Side
    dice: Dice | None = None
    action: CubeAction = ""
    cube: int = 1
    cube_owner: Side | None = None
    score: tuple[int, int] = (0, 0)
    length: int = 0
    crawford: bool = False
    jacoby: bool = False
    beavers: bool = False
    max_cube: int = 1024


def parse_xgid(text: str, checkers: int = 15) -> Xgid:
    """What an XGID says, with or without "XGID=" before it. Raises NotationError for anything that is none."""
    match = _SHAPE.fullmatch(text.strip())
    if not match:
        raise NotationError(
            "{text} is no XGID: that is 26 letters and nine numbers, split by colons.", text=repr(text.strip())
        )
    letters, cube, owner, turn, dice, light, dark, flags, length, max_cube = match.groups()
    position = _position(letters, checkers)
    if dice.isdigit() and ("0" in dice) != (dice == "00"):
        raise NotationError("{dice} is no roll: two numbers from 1 to 6, or 00 before the roll.", dice=dice)
    flag, money = int(flags), int(length) == 0
    action: CubeAction = dice if not dice.isdigit() else ""  # type: ignore[assignment]
    return Xgid(
        position=position,
        on_roll=Side.LIGHT if turn == "1" else Side.DARK,
        dice=(int(dice[0]), int(dice[1])) if dice.isdigit() and dice != "00" else None,
        action=action,
        cube=1 << int(cube),
        cube_owner=_OWNERS[int(owner)],
        score=(int(light), int(dark)),
        length=int(length),
        crawford=not money and flag == 1,
        jacoby=money and bool(flag & 1),
        beavers=money and bool(flag & 2),
        max_cube=1 << int(max_cube),
    )


def format_xgid(moment: Xgid) -> str:
    """The XGID of a moment. Raises RulesError where a point has checkers of both sides or a cube is no power of 2."""
    dice = moment.action or (f"{moment.dice[0]}{moment.dice[1]}" if moment.dice else "00")
    flags = int(moment.crawford) if moment.length else int(moment.jacoby) + 2 * int(moment.beavers)
    fields = (
        _letters(moment.position),
        _exponent(moment.cube),
        _SIGNS[moment.cube_owner],
        _SIGNS[moment.on_roll],
        dice,
        *moment.score,
        flags,
        moment.length,
        _exponent(moment.max_cube),
    )
    return "XGID=" + ":".join(map(str, fields))


def _position(letters: str, checkers: int) -> Position:
    light = [ord(c) - ord("A") + 1 if c.isupper() else 0 for c in letters]
    dark = [ord(c) - ord("a") + 1 if c.islower() else 0 for c in letters]
    if max(sum(light), sum(dark)) > checkers or light[0] or dark[25]:
        raise NotationError(
            "{text} does not hold {checkers} checkers a side, each bar in its place.",
            text=repr(letters),
            checkers=checkers,
        )
    return Position(tuple(light[1:]), tuple(reversed(dark[:25])), checkers)


def _letters(position: Position) -> str:
    signed = [-position.dark[24], *position.signed(), position.light[24]]
    if any(a and b for a, b in zip(position.light[:24], position.dark[23::-1], strict=True)):
        raise RulesError("A point with checkers of both sides cannot be written as an XGID.")
    if max(map(abs, signed)) > 15:
        raise RulesError("An XGID holds up to 15 checkers on a point.")
    return "".join("-" if n == 0 else chr(ord("A" if n > 0 else "a") + abs(n) - 1) for n in signed)


def _exponent(value: int) -> int:
    exponent = value.bit_length() - 1
    if value != 1 << exponent:
        raise RulesError(f"A doubling cube cannot show {value}.")
    return exponent
