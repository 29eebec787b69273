"""Everything that can happen in a match, as frozen, versioned values: the only thing that is ever written down.

Positions are GNU BG Position IDs with light on roll unless said otherwise; moves are (from, to) in the mover's numbers, 25 bar,
0 off. seconds is the frame's time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import msgspec
from msgspec.structs import force_setattr

from controller.errors import ControllerError
from controller.referee.names import printable
from controller.rules import PRESETS, Side, StakeAct
from terms.role import Role

VERSION = 9
"""Written with every event; an event of a newer version is refused, an older one is upgraded in decode()."""

How = Literal["put right", "condoned", "stands", "corrected"]
"""How a flag ended: the players put it right, the opponent let it pass, the game went on over it, a person corrected the record."""

Ending = Literal["borne off", "passed", "resigned"]

Mark = Literal["", "?", "??", "!", "!!", "?!", "!?"]
"""What somebody thinks of a play, as in chess: a mistake, a blunder, strong, very strong, doubtful, interesting."""


class EventError(ControllerError):
    """A stored event that this version cannot read."""


class Event(msgspec.Struct, frozen=True, tag_field="type", kw_only=True):
    """seconds: monotonic time of the frame that showed it; 0 where a person said it."""

    seconds: float = 0.0


class MatchStarted(Event, frozen=True, tag="match"):
    """position: where its games begin. rules: name of the rule set; keys: all its rules by full name, such as "cube.beavers".

    team: of a chouette, the players after the box (light) and the captain (dark), in their order.
    clock: whether a clock is kept. event, place, round: what is being played, as people wrote it. Names and these hold only
    what can be printed: whatever else is given becomes spaces.
    """

    length: int
    light: str
    dark: str
    rules: str
    position: str
    keys: dict[str, Any] = {}
    clock: bool = False
    event: str = ""
    place: str = ""
    round: str = ""
    team: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for field, other in (("light", "Light"), ("dark", "Dark"), ("event", ""), ("place", ""), ("round", "")):
            force_setattr(self, field, printable(getattr(self, field)) or other)
        force_setattr(self, "team", tuple(map(printable, self.team)))


class GameStarted(Event, frozen=True, tag="game"):
    number: int


class Drawn(Event, frozen=True, tag="draw"):
    """Each player has thrown one die for the start. Equal ones are thrown again, and double the cube where the rules say so."""

    light: int
    dark: int


class Exchanged(Event, frozen=True, tag="colours"):
    """Whoever drew the higher die has chosen the other colour: the players change sides, with their points."""


class Begins(Event, frozen=True, tag="begins"):
    """The players agree that this side begins the game."""

    side: Side


class Rolled(Event, frozen=True, tag="roll"):
    """The dice that lie on the board; a later Rolled of the same turn corrects it."""

    side: Side
    dice: tuple[int, int]


class Otherwise(msgspec.Struct, frozen=True):
    """How a turn may have gone instead. after: position; sure: 0-1, share of the belief that held it."""

    dice: tuple[int, int]
    after: str
    sure: float


class Played(Event, frozen=True, tag="play"):
    """A turn that ended. before, after: positions; notation: the play in words where it is legal; sure: 0-1.

    redo: the turn written down last was played otherwise after all, and this one takes its place. took: seconds since the
    turn began, None where nobody knows. by_hand: a person said so, no camera. others: what else may have been played, likeliest
    first, where that was in doubt. lifted, half: how its dice went, and on which half of the
    board they lay, as the thrower sees it; None where nobody knows.
    """

    side: Side
    dice: tuple[int, int]
    before: str
    after: str
    moves: tuple[tuple[int, int], ...]
    notation: str
    legal: bool
    roll_seen: bool = True
    sure: float = 1.0
    redo: bool = False
    took: float | None = None
    by_hand: bool = msgspec.field(default=False, name="said")
    others: tuple[Otherwise, ...] = ()
    lifted: Literal["seen", "unseen", "never"] | None = None
    half: Literal["right", "left", "both"] | None = None


class Found(Event, frozen=True, tag="found"):
    """The game goes on from this position, by either side; nobody saw how it came to that. At a game's beginning it begins there;
    later there is a gap in the record. cube, owner: how the cube lies; lost: seconds since what was last sure, None at the
    beginning."""

    position: str
    cube: int
    owner: Side | None
    lost: float | None = None


class Presumed(Event, frozen=True, tag="presumed"):
    """The game seems to go on from this position, and what follows will tell: Found is written once it is sure. None: not so any
    more."""

    position: str | None


class Skipped(Event, frozen=True, tag="skip"):
    """A closed-out player did not roll."""

    side: Side


class Doubled(Event, frozen=True, tag="double"):
    side: Side
    value: int


class Withdrawn(Event, frozen=True, tag="withdraw"):
    """That side takes its double back before it is answered: it is as if nothing had been offered."""

    side: Side


class Beavered(Event, frozen=True, tag="beaver"):
    """The double is taken and doubled again at once, to `value`; the cube stays with who does so."""

    side: Side
    value: int


class Raccooned(Event, frozen=True, tag="raccoon"):
    """The doubler doubles the beaver once more, to `value`."""

    side: Side
    value: int


class Taken(Event, frozen=True, tag="take"):
    side: Side


class Passed(Event, frozen=True, tag="pass"):
    side: Side


class TeamCube(Event, frozen=True, tag="team"):
    """In a chouette: what was done with that team player's own cube, by a side: light is the box."""

    player: str
    act: StakeAct
    side: Side


class ResignOffered(Event, frozen=True, tag="resign"):
    """That side offers to give the game up; level as in GameEnded. Refused, or answered by playing on, it is as if nothing had been
    said; accepted, the game ends."""

    side: Side
    level: int


class ResignRefused(Event, frozen=True, tag="refuse"):
    """That side refuses the resignation, and the game goes on."""

    side: Side


class Why(msgspec.Struct, frozen=True):
    """A reason of a flag: its code, and the values of its sentence by name. A side is written as "light" or "dark"."""

    code: str
    params: dict[str, int | str] = {}


class Flagged(Event, frozen=True, tag="flag"):
    """The referee says something. code: R01-R24 of the referee's phrases; text: the sentence in English; reasons: what it is
    made of, so that it can be said in other languages."""

    number: int
    code: str
    side: Side | None
    text: str
    reasons: tuple[Why, ...] = ()


class Resolved(Event, frozen=True, tag="resolved"):
    number: int
    how: How


class GameEnded(Event, frozen=True, tag="end"):
    """level: 1 single game, 2 gammon, 3 backgammon."""

    winner: Side
    level: int
    points: int
    ending: Ending = "borne off"


class Confirmed(Event, frozen=True, tag="confirm"):
    """A person says that this line of the game is right."""

    turn: int


class Marked(Event, frozen=True, tag="mark"):
    """A person says what he thinks of this line of the game; nothing takes back what was said."""

    turn: int
    mark: Mark


class Adjusted(Event, frozen=True, tag="set"):
    """A person sets what is so from now on. None leaves it as it was; owner counts where cube is given, dice where turn is, and
    crawford, whether this is the Crawford game, where score is: None where nobody has said."""

    position: str | None = None
    turn: Side | None = None
    dice: tuple[int, int] | None = None
    cube: int | None = None
    owner: Side | None = None
    score: tuple[int, int] | None = None
    crawford: bool | None = None


class Paused(Event, frozen=True, tag="pause"):
    """Nothing counts from now on, or it does again."""

    on: bool


class RoleSet(Event, frozen=True, tag="role"):
    """What the device may say from now on."""

    role: Role


class Named(Event, frozen=True, tag="names"):
    """The players are called so, in the whole match."""

    light: str
    dark: str


class ClockSet(Event, frozen=True, tag="clock"):
    """The clock runs for that side from now on, or stands still (None)."""

    running: Side | None


Act = Literal["corrected", "undone", "redone"]
"""What a person did with events that held: put others in their place, took them back, or let them hold again."""


class Rewritten(Event, frozen=True, tag="rewrite"):
    """Of the match's events only the first `to` hold, and then these. given: the number of the last flag raised so far.

    One event, so that a correction is written whole or not at all. See history.py. act: None for what is said of a line of an
    earlier game, which is no act, and in records of older versions.
    Only in the note that stays among the events that hold: struck, what no longer holds and may hold again; put, how many acts
    of a game hold instead; nth, which of the match's corrections it is, from 1.
    """

    to: int
    given: int
    then: tuple[AnyEvent, ...] = ()
    act: Act | None = None
    struck: tuple[AnyEvent, ...] | msgspec.UnsetType = msgspec.UNSET
    put: int = 0
    nth: int = 0


AnyEvent = (
    MatchStarted
    | GameStarted
    | Drawn
    | Exchanged
    | Begins
    | Rolled
    | Played
    | Found
    | Presumed
    | Skipped
    | Doubled
    | Withdrawn
    | Beavered
    | Raccooned
    | Taken
    | Passed
    | TeamCube
    | ResignOffered
    | ResignRefused
    | Flagged
    | Resolved
    | GameEnded
    | Confirmed
    | Marked
    | Adjusted
    | Paused
    | RoleSet
    | Named
    | ClockSet
    | Rewritten
)

_decoder: msgspec.json.Decoder[AnyEvent] = msgspec.json.Decoder(AnyEvent)
_encoder = msgspec.json.Encoder()


class SetUpChanged(msgspec.Struct, frozen=True, omit_defaults=True):
    """Somebody has changed how a board is set up: of no match, and nothing that a state is made of. what: the step of the set-up,
    or "table", "camera", "pin", "hub joined", "hub left"; by: who, where people have names."""

    what: str
    by: str = ""


SET_UP = "set_up"
"""Its kind in the journal."""


class Amended(msgspec.Struct, frozen=True, omit_defaults=True):
    """A match that is not on any more was put right: of no match itself, and nothing that a state is made of. match: the journal's
    name for it; then: the events that it would have been told with, each as encode() has it; by: who, where people have names."""

    match: str
    then: tuple[msgspec.Raw, ...] = ()
    by: str = ""


AMENDED = "amended"
"""Its kind in the journal."""


class _OfMatch(msgspec.Struct, frozen=True):
    match: str = ""


_of_match: msgspec.json.Decoder[_OfMatch] = msgspec.json.Decoder(_OfMatch)


def amended_match(payload: str) -> str:
    """Which match a stored Amended is of; "" where it can't be read."""
    try:
        return _of_match.decode(payload).match
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return ""


class _By(msgspec.Struct, frozen=True):
    """What of a stored event says who had it done."""

    by: str = ""


_done_by: msgspec.json.Decoder[_By] = msgspec.json.Decoder(_By)


def done_by(payload: str) -> str:
    """Who had a stored event done, where people have names; "" where it does not say so."""
    try:
        return printable(_done_by.decode(payload).by)[:40] if '"by":' in payload else ""
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return ""


def encode(event: AnyEvent, by: str = "") -> str:
    """The event as JSON text. by: who had it done; that stands beside what happened, and changes nothing of it."""
    text = _encoder.encode(event).decode()
    return f'{text[:-1]},"by":{msgspec.json.encode(by).decode()}}}' if by else text


def decode(version: int, payload: str) -> AnyEvent:
    """The event of a stored JSON text. Raises EventError where this version cannot read it."""
    if version > VERSION:
        raise EventError(
            "An event was written by a newer version of Vrhcáb (event version {version}): update the program.",
            version=version,
        )
    try:
        if version < VERSION:
            raw = msgspec.json.decode(payload, type=dict)
            for old in range(version, VERSION):
                raw = _UPGRADES[old](raw) if old in _UPGRADES else raw
            event: AnyEvent = msgspec.convert(raw, AnyEvent)
            return event
        return _decoder.decode(payload)
    except (msgspec.DecodeError, KeyError) as error:
        raise EventError("A stored event cannot be read ({why}).", why=str(error)) from error


def _from_1(raw: dict[str, Any]) -> dict[str, Any]:
    """Version 1 kept a rule set by its name only, and one with changes under a name that nothing bears."""
    if raw.get("type") == "match" and raw["rules"] not in PRESETS:
        raw["rules"] = str(raw["rules"]).removesuffix(" with changes")
    return raw


_UPGRADES: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {1: _from_1}
"""By the version before, where what it wrote means something else now. Since 2 there is only more to be said: draws, in 4 a
chouette, games found in the middle and new names, then marks, agreement on who begins, games found in doubt, doubles taken back,
and in 9 whether a score that is set is that of the Crawford game."""


def kind(event: AnyEvent) -> str:
    """The event's type as stored."""
    return str(type(event).__struct_config__.tag)
