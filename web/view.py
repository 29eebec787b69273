"""The view that the page draws: plain values, nothing to decide. The type at web's door."""

from __future__ import annotations

from typing import Literal

import msgspec

from terms.board import Corner, SideName
from terms.role import Role

CAMERA_WORKS = "ok"
"""What View.camera is while nothing is wrong."""


class Message(msgspec.Struct, frozen=True):
    """A sentence of the program. code: its English text with {places}, by which catalogues know it; values: what stands in them;
    words: the sentence by language ("en", "cs", "sk")."""

    code: str
    values: dict[str, str | int | float]
    words: dict[str, str]


class PlayerView(msgspec.Struct, frozen=True):
    """name; score in points; pips left (None where the role hides them); checkers on the bar and borne off."""

    name: str
    score: int
    pips: int | None
    bar: int
    off: int


class CubeView(msgspec.Struct, frozen=True):
    """value 1 is the centred cube that shows 64. offered: the side to whom it is offered now."""

    value: int
    owner: SideName | None
    offered: SideName | None = None


class FlagView(msgspec.Struct, frozen=True):
    """One thing the referee says.

    code: R01-R24 of the referee's phrases. text: the sentence in English; translations: the same in other languages, by
    language ("cs", "sk"). resolved: how it ended, None while it stands. options: the answers that a person may give.
    tournament: what is said comes from tournament rules, not from those of the game.
    Of a play that stands on the board: moved, the moves (from, to) in the mover's numbers; played, the same in notation; dice;
    possible, a play that would have been legal, "" for none.
    """

    number: int
    code: str
    side: SideName | None
    text: str
    turn: int
    resolved: str | None = None
    translations: dict[str, str] = msgspec.field(default_factory=dict, name="said")
    options: tuple[str, ...] = ()
    moved: tuple[tuple[int, int], ...] = ()
    played: str = ""
    dice: tuple[int, int] | None = None
    possible: str = ""
    tournament: bool = False


MATCH_OVER = "match over"
"""The phase of a view after which nothing of the match is left to be seen."""


class PlayView(msgspec.Struct, frozen=True):
    """One line of the move list.

    notation: the play, as far as it can be told even where it is not legal, or words for a cube action. sure: False where the
    reading is doubtful. corrected: it was shown otherwise before a person put it right. side: None where the game was found.
    mark: what somebody thinks of it, such as "?"; None where nobody chose anything.
    """

    number: int
    side: SideName | None
    dice: tuple[int, int] | None
    notation: str
    legal: bool = True
    sure: bool = True
    corrected: bool = False
    mark: str | None = ""


class ClockView(msgspec.Struct, frozen=True):
    """Seconds left to each side, of its delay, and whose clock runs (None: it stands), all true at the frame time `at`."""

    light: float
    dark: float
    delay: float
    running: SideName | None
    at: float


class ResignView(msgspec.Struct, frozen=True):
    """A resignation that waits for its answer: by whom, and as what. 1 single game, 2 gammon, 3 backgammon."""

    side: SideName
    level: int


class StakeView(msgspec.Struct, frozen=True):
    """Play for money. point: what one point is worth, as "0.50 €"; owes: who owes the other what `owed` says, None for nobody."""

    point: str
    owes: SideName | None = None
    owed: str = ""


class TeamView(msgspec.Struct, frozen=True):
    """A player of a chouette. part: what he is in this game; points: won so far, less than 0 for lost; money: the same in money, ""
    where a point is worth none. Of his own cube, where he has one: cube, its value; owner: who may turn it, None for both; offered:
    a double waits for its answer; may: what may be done with it now; won: points with which it is settled, None while he is in."""

    name: str
    part: Literal["box", "captain", "team"]
    points: int
    money: str = ""
    cube: int | None = None
    owner: Literal["box", "team"] | None = None
    offered: bool = False
    may: tuple[str, ...] = ()
    won: int | None = None


class ChouetteView(msgspec.Struct, frozen=True):
    """players: in the order of this game, the box first; advice: the team may advise its captain now."""

    players: tuple[TeamView, ...]
    advice: bool


class PlannedView(msgspec.Struct, frozen=True):
    """A match that a tournament has for this board, as the desk's form for a new match would say it. rules: a preset."""

    light: str
    dark: str
    length: int
    rules: str
    clock: bool
    event: str
    place: str
    round: str


class View(msgspec.Struct, frozen=True):
    """Everything a viewer may see at one moment.

    sequence: grows with every change, used as the event id.
    points: 24 signed counts; points[p-1] is light's point p; positive light, negative dark.
    light_home: the corner of the camera's picture where light's home board lies.
    phase: one word of the turn machine; status: the same in a sentence for people, in English; status_translations: in other
        languages, by language.
    dice: the dice on the board, as seen, or the roll that a person has said; turn: who is on roll.
    camera: "ok", or what is wrong with it in a sentence; picture: what makes its pictures hard to read, each in
        its sentences.
    panel: the lamps that are lit, by name.
    answers: what may be said to the cube on offer: take, pass, beaver, raccoon; resigning: offered and not answered yet; draws: the
        players throw one die each for the start now.
    paused: nothing counts until the players go on; role: what the device may say; doubtful: numbers of the lines that a person
        should look at; hints: light's points where the lifted checker may go (0 off), only as a coach; match_id: for the
        record; practice: the board is being set up or tried out, and nothing of it is written down; waits_silent: meanwhile a match
        waits that a silent recorder keeps; journal: what people should know of the journal, in a sentence, mostly ""; stopped: it
        takes no events, so nothing counts; variant: where games begin;
        stake: None where no point is worth anything; chouette: None where two play;
        camera_message, journal_message: what camera and journal say, None where nothing is wrong; picture_messages:
        what picture has;
        colours: the winner of the draw may choose the other colour now; agrees: the players say who begins; planned: what is to
        be played here next, where a hub says so and it has not begun.
    """

    sequence: int
    light: PlayerView
    dark: PlayerView
    points: tuple[int, ...]
    dice: tuple[int, ...]
    turn: SideName | None
    cube: CubeView
    match_length: int
    crawford: bool
    game: int
    phase: str
    status: str
    plays: tuple[PlayView, ...] = ()
    flags: tuple[FlagView, ...] = ()
    light_home: Corner = "bottom-right"
    camera: str = CAMERA_WORKS
    picture: tuple[tuple[str, ...], ...] = ()
    panel: tuple[str, ...] = ()
    status_translations: dict[str, str] = msgspec.field(default_factory=dict, name="status_said")
    clock: ClockView | None = None
    paused: bool = False
    role: Role = "monitor"
    doubtful: tuple[int, ...] = ()
    answers: tuple[str, ...] = ()
    resigning: ResignView | None = None
    draws: bool = False
    hints: tuple[int, ...] = ()
    match_id: str = ""
    event: str = ""
    place: str = ""
    round: str = ""
    practice: bool = False
    journal: str = ""
    stopped: bool = False
    variant: Literal["standard", "nackgammon", "hypergammon"] = "standard"
    stake: StakeView | None = None
    chouette: ChouetteView | None = None
    colours: bool = False
    agrees: bool = False
    camera_message: Message | None = None
    journal_message: Message | None = None
    picture_messages: tuple[Message, ...] = ()
    planned: PlannedView | None = None
    waits_silent: bool = False


VIEWS = msgspec.json.Decoder(View)
"""Reads views that were packed. Decoders are made when a module is loaded, while one thread runs: two threads that meet a type for
the first time at once crash msgspec."""
