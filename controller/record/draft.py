"""What a reader gets from the text alone, before anyone replays it: plays as they were written, scores as claimed."""

from __future__ import annotations

from dataclasses import dataclass, field

from controller.record.model import AnyAction, Player, Seat
from controller.referee.events import Mark
from controller.rules import Position, Side
from terms.board import SideName

COLORS: tuple[SideName, SideName] = ("light", "dark")
"""Files of other programs know no colours: the left column (SGF's White) plays light."""


@dataclass(frozen=True)
class Hop:
    """One checker from point to point, by one die or more. hit: the text marks a hit at the target."""

    source: int
    target: int
    hit: bool = False


@dataclass(frozen=True)
class DraftPlay:
    """A roll and the play as written. placed: the board as the file shows it afterwards, for plays no words explain."""

    player: Seat
    dice: tuple[int, int]
    hops: tuple[Hop, ...]
    line: int | None = None
    placed: Position | None = None
    comment: str = ""
    mark: Mark = ""


@dataclass(frozen=True)
class DraftGame:
    """score, crawford, winner, points: as the file claims, None where it is silent. start: None for the usual one.
    ends_match: the file says that the match was over with it. draws, on_roll: as in Game."""

    actions: tuple[AnyAction | DraftPlay, ...]
    score: tuple[int, int] | None = None
    crawford: bool | None = None
    winner: Seat | None = None
    points: int | None = None
    start: Position | None = None
    cube: int = 1
    owner: Seat | None = None
    line: int | None = None
    comment: str = ""
    ends_match: bool = False
    draws: tuple[tuple[int, int], ...] = ()
    on_roll: Seat | None = None


@dataclass(frozen=True)
class Draft:
    """about: fields of Record beyond the fixed ones, by name."""

    players: tuple[Player, Player]
    length: int
    games: tuple[DraftGame, ...]
    problems: tuple[str, ...] = ()
    about: dict[str, object] = field(default_factory=dict)


def side_of(players: tuple[Player, Player], seat: int) -> Side:
    """The colour that a seat plays."""
    return Side(players[seat].color)
