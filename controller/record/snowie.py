"""Snowie's text form of a position, which transcripts use for an illegal play: 'Illegal play (3;0;...)'."""

from __future__ import annotations

import re

from controller.record.model import Seat
from controller.rules import BAR_INDEX, Position, Side, Xgid
from terms.board import SideName

ILLEGAL_PLAY = re.compile(r"\s*Illegal play\s*\((.*?\d\s*;)\s*\)", re.IGNORECASE)

# length; jacoby; 0; money; turn; name; name; crawford; score; score; cube; owner; bar; 24 points; other bar; die; die
_FIELDS = 40
_COUNTS = slice(12, 38)
_FIRST_NAME = 5


def parse_snowie_board(
    text: str, mover: Seat, names: tuple[str, str], colors: tuple[SideName, SideName], checkers: int
) -> Position | None:
    """The position in the fields of a Snowie text, or None where they hold none of so many checkers a side.

    The counts are from the view of the player named first, positive for him; where that name is neither column's, from
    the view of the player who comes next, which is how programs write the board after an illegal play.
    """
    fields = text.split(";")
    # A semicolon in a name would shift the fields; the numbers are counted from the end.
    if fields and not fields[-1].strip():
        fields.pop()
    if len(fields) < _FIELDS:
        return None
    try:
        counts = [int(value) for value in fields[len(fields) - _FIELDS :][_COUNTS]]
    except ValueError:
        return None
    own = tuple(max(count, 0) for count in (*counts[1:25], counts[0]))
    other = tuple(max(-count, 0) for count in (*counts[24:0:-1], counts[25]))
    if max(sum(own), sum(other)) > checkers:
        return None
    first = fields[_FIRST_NAME].strip()
    short = [name.split(",")[0].strip() for name in names]
    seat = 1 - mover
    if first and short[0] != short[1] and first in short:
        seat = short.index(first)
    light, dark = (own, other) if Side(colors[seat]) is Side.LIGHT else (other, own)
    return Position(light, dark, checkers)


def snowie_board(moment: Xgid, seat: Seat, names: tuple[str, str]) -> str:
    """The fields for the board after a play, as seen by the opponent, who comes next and is on roll in the moment.

    seat: the mover's, which is what GNU BG calls the turn here. names: the opponent's first; a semicolon there would begin a field.

    A point holds one side's checkers here: whoever asks has made sure of that.
    """
    view = moment.on_roll
    own, other = moment.position.own(view), moment.position.own(view.other)
    points = [own[p] - other[23 - p] for p in range(24)]
    held = 0 if moment.cube_owner is None else 1 if moment.cube_owner is view else -1
    score = moment.score if view is Side.LIGHT else moment.score[::-1]
    fields = (
        moment.length, int(moment.jacoby), 0, int(moment.length == 0), seat,
        *(name.replace(";", ",") for name in names), int(moment.crawford), *score,
        moment.cube, held, own[BAR_INDEX], *points, -other[BAR_INDEX], 0, 0,
    )  # fmt: skip
    return ";".join(str(field) for field in fields) + ";"
