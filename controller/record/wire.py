"""What a board and a hub say to each other, as JSON over MQTT; docs/hub_details.md has the course of a conversation.

boards/NAME/events   an EventBatch, at least once, from the board
boards/NAME/here     a Here, from the board: when it connects, every BEAT_S, and as its last will
boards/NAME/hub      a HubAnswer, to the board, which asks again where none comes
hub/here             kept by the broker: a word that changes with every start of the hub
"""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from controller.record.journal import StoredEvent
from controller.record.model import Count

BEAT_S = 10.0
"""Seconds between two signs of life of a board."""

LARGEST = 1 << 20
"""Bytes of a message. A correction brings the rest of its game with it: 100 kB where it is long."""

BATCH = 100
"""Events in a message, at most."""

NAME = r"^[a-z0-9][a-z0-9-]{0,39}$"
"""A board's name: it stands in topics, addresses and files."""

PAGE = r"^(https?://[A-Za-z0-9._:\[\]-]{1,290})?\Z"
"""Of a page's address, which others open."""

HUB_HERE = "hub/here"

MOST_GUESTS = 1000
"""Passes to one board's desk that hold at once."""

Word = Annotated[str, Meta(max_length=64)]
Title = Annotated[str, Meta(max_length=200)]
Sentence = Annotated[str, Meta(max_length=400)]


class SentEvent(Struct, frozen=True, array_like=True):
    """A StoredEvent with its checksum."""

    sequence: Annotated[int, Meta(ge=1, le=1 << 53)]
    board: Word
    match: Word
    game: Annotated[int, Meta(ge=0, le=1 << 31)]
    kind: Word
    version: Annotated[int, Meta(ge=0, le=1 << 15)]
    wall_time: Word
    payload: str
    checksum: Count

    @classmethod
    def of(cls, event: StoredEvent) -> SentEvent:
        """The event, to be sent."""
        return cls(
            event.sequence, event.board, event.match, event.game, event.kind, event.version, event.wall_time,
            event.payload, event.checksum,
        )  # fmt: skip

    @property
    def stored(self) -> StoredEvent:
        """As the board's journal holds it."""
        return StoredEvent(
            self.sequence, self.board, self.match, self.game, self.kind, self.version, self.wall_time, self.payload
        )

    @property
    def is_whole(self) -> bool:
        """Whether it is what the board wrote, and text that a database takes."""
        texts = (self.board, self.match, self.kind, self.wall_time, self.payload)
        return self.stored.checksum == self.checksum and not any("\0" in text for text in texts)


class EventBatch(Struct, frozen=True):
    """Events that follow one another. run: which start of the board's program sends them."""

    run: Word
    events: Annotated[tuple[SentEvent, ...], Meta(min_length=1, max_length=BATCH)]


class BoardHealth(Struct, frozen=True, omit_defaults=True):
    """How the machine at the board does, in sentences; "" where nothing is wrong. free_mb: of the journal's disk, None: unknown."""

    camera: Sentence = ""
    journal: Sentence = ""
    panel: Sentence = ""
    free_mb: Annotated[int, Meta(ge=0, le=1 << 40)] | None = None


class Here(Struct, frozen=True, omit_defaults=True):
    """A sign of life. last: the journal's newest sequence; clock: UTC, ISO 8601; gone: the last one of this run.

    anew: the hub's confirmed event is none of this journal, which was put in the place of another: all of it has to be taken in.
    page: where browsers find this board's own page; door: a word for passes to its desk (passes.py), another each time.
    """

    run: Word
    last: Count = 0
    clock: Word = ""
    program: Word = ""
    gone: bool = False
    anew: bool = False
    health: BoardHealth = BoardHealth()
    page: Annotated[str, Meta(pattern=PAGE)] = ""
    door: Word = ""


class PlannedMatch(Struct, frozen=True, omit_defaults=True):
    """What a tournament has for a board: who plays next, and by what. rules: a preset."""

    light: Annotated[str, Meta(min_length=1, max_length=40)]
    dark: Annotated[str, Meta(min_length=1, max_length=40)]
    length: Annotated[int, Meta(ge=1, le=99)]
    rules: Word = "match"
    clock: bool = False
    event: Title = ""
    place: Title = ""
    round: Title = ""


class HubAnswer(Struct, frozen=True, omit_defaults=True):
    """run: whom it is for. confirmed: every event up to this is on the hub's disk; checksum: of that event.

    again: send what follows it. who: say Here first. refused: nothing is taken from this run now, in a sentence.
    planned: what is to be played at this board next, None for nothing; left out where nothing is said of it.
    guests: passes to the board's desk that still hold, as planned.
    """

    run: Word
    confirmed: Count = 0
    checksum: Count = 0
    again: bool = False
    who: bool = False
    refused: Sentence = ""
    planned: PlannedMatch | UnsetType | None = UNSET
    guests: Annotated[tuple[Word, ...], Meta(max_length=MOST_GUESTS)] | UnsetType = UNSET


def topic(name: str, what: str) -> str:
    """Of a board."""
    return f"boards/{name}/{what}"
