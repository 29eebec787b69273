"""Everything that can happen in a match, as frozen, versioned values: the only thing that is ever written down.

Positions are GNU BG Position IDs with light on roll unless said otherwise; moves are (from, to) in the mover's numbers, 25 bar,
0 off. seconds is the frame's time.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from controller.rules import Side

VERSION = 1
"""Written with every event; an event of a newer version is refused, an older one is upgraded in decode()."""


class EventError(ValueError):
    """A stored event that this version cannot read."""


class Event(msgspec.Struct, frozen=True, tag_field="type", kw_only=True):
    """seconds: monotonic time of the frame that showed it; 0 where a person said it."""

    seconds: float = 0.0


class MatchStarted(Event, frozen=True, tag="match"):
    length: int
    light: str
    dark: str
    rules: str
    position: str


class GameStarted(Event, frozen=True, tag="game"):
    number: int


class Rolled(Event, frozen=True, tag="roll"):
    """The dice that lie on the board; a later Rolled of the same turn corrects it."""

    side: Side
    dice: tuple[int, int]


class Played(Event, frozen=True, tag="play"):
    """A turn that ended. before, after: positions; notation: the play in words where it is legal; sure: 0-1."""

    side: Side
    dice: tuple[int, int]
    before: str
    after: str
    moves: tuple[tuple[int, int], ...]
    notation: str
    legal: bool
    roll_seen: bool = True
    sure: float = 1.0


class Skipped(Event, frozen=True, tag="skip"):
    """A closed-out player did not roll."""

    side: Side


class Doubled(Event, frozen=True, tag="double"):
    side: Side
    value: int


class Taken(Event, frozen=True, tag="take"):
    side: Side


class Passed(Event, frozen=True, tag="pass"):
    side: Side


class Flagged(Event, frozen=True, tag="flag"):
    """The referee says something. code: R01-R24 of the referee's phrases; text: the sentence in English."""

    number: int
    code: str
    side: Side | None
    text: str


class Resolved(Event, frozen=True, tag="resolved"):
    number: int
    how: Literal["put right", "stands"]


class GameEnded(Event, frozen=True, tag="end"):
    """level: 1 single game, 2 gammon, 3 backgammon."""

    winner: Side
    level: int
    points: int


AnyEvent = (
    MatchStarted | GameStarted | Rolled | Played | Skipped | Doubled | Taken | Passed | Flagged | Resolved | GameEnded
)

_decoder: msgspec.json.Decoder[AnyEvent] = msgspec.json.Decoder(AnyEvent)
_encoder = msgspec.json.Encoder()


def encode(event: AnyEvent) -> str:
    """The event as JSON text."""
    return _encoder.encode(event).decode()


def decode(version: int, payload: str) -> AnyEvent:
    """The event of a stored JSON text. Raises EventError where this version cannot read it."""
    if version > VERSION:
        raise EventError(
            f"An event was written by a newer version of Vrhcáb (event version {version}): update the program."
        )
    try:
        return _decoder.decode(payload)
    except msgspec.DecodeError as error:
        raise EventError(f"A stored event cannot be read ({error}).") from error


def kind(event: AnyEvent) -> str:
    """The event's type as stored."""
    return str(type(event).__struct_config__.tag)
