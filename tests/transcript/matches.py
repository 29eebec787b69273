"""A transcribed match for the tests of its report: two games, one turn of which was read wrongly, one hardly."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from controller.referee.commands import AnyCommand
from controller.referee.events import AnyEvent, Found, Otherwise, Played
from controller.referee.session import MatchPlan, Session
from controller.rules import MATCH, Position, Side, parse_play, position_id

TURNS = (
    ("light", (3, 1), "8/5 6/5"),
    ("dark", (6, 2), "24/18 13/11"),
    ("light", (5, 4), "13/8 13/9"),
    ("dark", (4, 1), "24/23 13/9"),
)


def said(commands: Iterable[dict[str, object]]) -> Session:
    """The session of a match in which that was said, seven seconds apart."""
    session = Session(MatchPlan(MATCH, 5, ("Jana", "Petr")), "bottom-right")
    for number, command in enumerate(commands, start=1):
        session.command(msgspec.convert(command, AnyCommand), 7.0 * number)
    return session


def game(turns: Iterable[tuple[str, tuple[int, int], str]] = TURNS) -> list[dict[str, object]]:
    """What is said of these turns, one after the other."""
    words: list[dict[str, object]] = []
    for side, dice, notation in turns:
        words += [{"type": "roll", "dice": list(dice), "side": side}, {"type": "play", "notation": notation}]
    return words


RESIGNED: list[dict[str, object]] = [
    {"type": "resign-offer", "side": "light"},
    {"type": "resign-accept"},
]


def read(held: Iterable[AnyEvent]) -> tuple[AnyEvent, ...]:
    """The same as a camera had read it, not as a person said it."""
    return tuple(msgspec.structs.replace(one, by_hand=False) if isinstance(one, Played) else one for one in held)


def after(before: Position, side: Side, dice: tuple[int, int], notation: str) -> str:
    """Position ID of what stands after that play."""
    return position_id(parse_play(notation, before, side, dice, MATCH).result, Side.LIGHT)


def misread() -> tuple[AnyEvent, ...]:
    """Two games. Of the first, White's second turn was read as 13/8 13/9, and was 13/8 24/20; Black's reply was read hardly.
    Then nobody saw what was played for a while in the second."""
    first = read(said([*game(), *RESIGNED, *game(TURNS[:2])]).held)
    plays = [at for at, one in enumerate(first) if isinstance(one, Played)]
    second, third = first[plays[2]], first[plays[3]]
    assert isinstance(second, Played)
    assert isinstance(third, Played)
    before = said(game(TURNS[:2])).state.position
    meant = after(before, Side.LIGHT, (5, 4), "24/20 13/8")
    held = list(first)
    held[plays[2]] = msgspec.structs.replace(second, sure=0.62, others=(Otherwise((5, 4), meant, 0.37),))
    held[plays[3]] = msgspec.structs.replace(third, sure=0.9)
    gap = Found(position=position_id(before, Side.LIGHT), cube=1, owner=None, lost=93.4, seconds=200.0)
    return (*held, gap)
