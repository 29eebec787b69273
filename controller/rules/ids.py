"""GNU Backgammon's Position ID and Match ID, read and written.

Position ID: 80 bits, for the opponent of the player on roll and then for him: each point 1-24 and the bar as that many
ones and a zero, lowest bit of each byte first, in Base64 without padding. Match ID: 67 bits in the same order.
Source: GNU Backgammon manual, "A technical description of the Position ID" and "... of the Match ID".
"""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from typing import Literal

from controller.rules.errors import NotationError, RulesError
from controller.rules.position import Position, from_mover
from controller.rules.side import Side

GameState = Literal["none", "playing", "over", "resigned", "dropped"]
_GAME_STATES: tuple[GameState, ...] = ("none", "playing", "over", "resigned", "dropped")
_CENTRED = 3
_POSITION_BYTES = 10
_MATCH_BYTES = 9


def position_id(position: Position, mover: Side) -> str:
    """The GNU BG Position ID, 14 characters, with the mover on roll.

    Raises RulesError where a side has more than 15 checkers on the board: the ID has no room for them.
    """
    bits, place = 0, 0
    for side in (mover.other, mover):
        for count in position.own(side):
            bits |= ((1 << count) - 1) << place
            place += count + 1
    if place > 8 * _POSITION_BYTES:
        raise RulesError("A position with more than 15 checkers a side has no Position ID.")
    return _encode(bits, _POSITION_BYTES)


def position_from_id(text: str, mover: Side, checkers: int = 15) -> Position:
    """The position of an ID whose player on roll is the mover. Raises NotationError for anything that is no such ID."""
    bits = _decode(text, _POSITION_BYTES, "Position ID")
    sides: list[list[int]] = []
    place = 0
    for _ in range(2):
        counts = []
        for _ in range(25):
            count = 0
            while bits >> place & 1:
                count += 1
                place += 1
            place += 1
            counts.append(count)
        sides.append(counts)
    if bits >> place or max(sum(counts) for counts in sides) > checkers:
        raise NotationError(
            "{text} is no Position ID: it does not hold {checkers} checkers a side.", text=repr(text), checkers=checkers
        )
    return from_mover(mover, own=sides[1], other=sides[0], checkers=checkers)


@dataclass(frozen=True)
class MatchInfo:
    """What a Match ID says. Players are 0 and 1.

    cube_owner: None while centred. on_roll: who rolled or will roll; turn: who has to decide (differs after a double or
    an offer to resign). resigned: level offered, 0 for none. dice: (0, 0) before the roll. length: 0 for money play.
    """

    length: int = 0
    score: tuple[int, int] = (0, 0)
    cube: int = 1
    cube_owner: int | None = None
    on_roll: int = 0
    turn: int = 0
    crawford: bool = False
    jacoby: bool = False
    state: GameState = "playing"
    doubled: bool = False
    resigned: int = 0
    dice: tuple[int, int] = (0, 0)


def match_id(info: MatchInfo) -> str:
    """The GNU BG Match ID, 12 characters; it holds the larger die first.

    Raises RulesError for what does not fit, such as a cube of 3.
    """
    log = info.cube.bit_length() - 1
    if info.cube != 1 << log or log > 15:
        raise RulesError(f"A doubling cube cannot show {info.cube}.")
    if not all(0 <= n < 1 << 15 for n in (info.length, *info.score)):
        raise RulesError("A Match ID holds lengths and scores up to 32767.")
    owner = _CENTRED if info.cube_owner is None else info.cube_owner
    fields = [
        (log, 4),
        (owner, 2),
        (info.on_roll, 1),
        (info.crawford, 1),
        (_GAME_STATES.index(info.state), 3),
        (info.turn, 1),
        (info.doubled, 1),
        (info.resigned, 2),
        (max(info.dice), 3),
        (min(info.dice), 3),
        (info.length, 15),
        (info.score[0], 15),
        (info.score[1], 15),
        (not info.jacoby, 1),
    ]
    bits, place = 0, 0
    for value, width in fields:
        bits |= int(value) << place
        place += width
    return _encode(bits, _MATCH_BYTES)


def match_from_id(text: str) -> MatchInfo:
    """What a Match ID says. Raises NotationError for anything that is no such ID."""
    bits = _decode(text, _MATCH_BYTES, "Match ID")

    def take(width: int) -> int:
        nonlocal bits
        value = bits & ((1 << width) - 1)
        bits >>= width
        return value

    cube, owner, on_roll, crawford, state = 1 << take(4), take(2), take(1), take(1), take(3)
    turn, doubled, resigned, first, second = take(1), take(1), take(2), take(3), take(3)
    length, left, right, no_jacoby = take(15), take(15), take(15), take(1)
    if owner == 2 or state >= len(_GAME_STATES) or first > 6 or second > 6:
        raise NotationError("{text} is no Match ID.", text=repr(text))
    return MatchInfo(
        length=length,
        score=(left, right),
        cube=cube,
        cube_owner=None if owner == _CENTRED else owner,
        on_roll=on_roll,
        turn=turn,
        crawford=bool(crawford),
        jacoby=not no_jacoby,
        state=_GAME_STATES[state],
        doubled=bool(doubled),
        resigned=resigned,
        dice=(first, second),
    )


def _encode(bits: int, size: int) -> str:
    return base64.b64encode(bits.to_bytes(size, "little")).decode("ascii").rstrip("=")


def _decode(text: str, size: int, what: str) -> int:
    length = -(-size * 4 // 3)
    try:
        raw = base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        raw = b""
    if len(text) != length or len(raw) != size:
        raise NotationError(
            "{text} is no {what}: that is {length} letters, digits, + and /.", text=repr(text), what=what, length=length
        )
    return int.from_bytes(raw, "little")
