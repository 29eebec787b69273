"""What the operator's desk may ask of the program behind the page. The type at web's door: the page knows no rules.

Every text is JSON where nothing else is said. Sides are "light" and "dark"; corners "x,y x,y x,y x,y", px of the full-size picture.
"""

from __future__ import annotations

from typing import Literal, Protocol

import msgspec

from web.view import SideName


class Answer(msgspec.Struct, frozen=True):
    """Whether a command was carried out, and if not, why, in a sentence."""

    ok: bool
    sentence: str = ""


class Export(msgspec.Struct, frozen=True):
    """A file for a person to keep."""

    name: str
    media_type: str
    content: bytes


class MatchLine(msgspec.Struct, frozen=True):
    """A match in a list. id: the journal's name for it; score: points; over: somebody has won it; date: of its first event,
    where we are."""

    id: str
    light: str
    dark: str
    length: int
    score: tuple[int, int]
    games: int
    over: bool
    date: str


class LegalPlay(msgspec.Struct, frozen=True):
    """moves: (from, to) in the mover's numbers, 25 bar, 0 off; after: Position ID with light on roll."""

    notation: str
    moves: tuple[tuple[int, int], ...]
    after: str


class BoardOnTheWay(msgspec.Struct, frozen=True):
    """A board in the course of the turn. legal: the turn may end there; steps: (from, to, number of the board after it)."""

    after: str
    legal: bool
    steps: tuple[tuple[int, int, int], ...]


class Legal(msgspec.Struct, frozen=True):
    """What may be played in the turn in progress; boards[0] is the present one."""

    side: SideName | None
    dice: tuple[int, int] | None
    plays: tuple[LegalPlay, ...]
    boards: tuple[BoardOnTheWay, ...]


class FoundBoard(msgspec.Struct, frozen=True):
    """corners: "x,y x,y x,y x,y", px of a picture of this size, from the top left clockwise; weak: names of what is poor."""

    corners: str
    home: str | None
    confidence: float
    size: tuple[int, int]
    weak: tuple[str, ...]


class PhotoRead(msgspec.Struct, frozen=True):
    """A photo's position as XGID; notes: sentences on what was assumed."""

    xgid: str
    notes: tuple[str, ...]


class PlayerAnalysed(msgspec.Struct, frozen=True):
    """error_rate: equity lost for each unforced decision, in thousandths of a point; luck: equity that the dice gave."""

    name: str
    error_rate: float | None
    luck: float


class Mistake(msgspec.Struct, frozen=True):
    """A play or cube action that lost something. game, number: its place in the match, both from 1."""

    game: int
    number: int
    played: str
    better: str
    lost: float


class Analysis(msgspec.Struct, frozen=True):
    """GNU Backgammon's verdict. graph: SVG."""

    players: tuple[PlayerAnalysed, ...]
    worst: tuple[Mistake, ...]
    graph: str


class Operator(Protocol):
    """The referee as the desk sees it. Calls come from any thread and return within some seconds."""

    def command(self, body: bytes) -> Answer:
        """Carries out one command (a JSON object whose "type" names it)."""

    def commands(self) -> bytes:
        """{"schema", "components"}: the commands as JSON Schema, with their types named as in an OpenAPI document."""

    def legal(self) -> bytes:
        """{"side", "dice", "plays": [{"notation", "moves": [[from, to]], "after"}], "boards"} of the turn in progress.

        boards: [{"after", "legal", "steps": [[from, to, board]]}], every board on the way to a legal play, the present one
        first. legal: the turn may end there; board: the number in this list that a step of one checker leads to."""

    def picture(self) -> bytes | None:
        """The camera's newest frame as JPEG; None where there is none."""

    def find(self) -> bytes:
        """{"corners", "home", "confidence", "size": [w, h], "weak": [names]}: the board in that frame, or {"error"}.

        weak: "dark", "small", "glare", "blurred", "unsure"."""

    def read(self, picture: bytes) -> bytes:
        """A photo's position: {"xgid", "position", "dice", "cube", "sure", "notes"}, or {"error"}."""

    def matches(self) -> bytes:
        """A list of MatchLine, newest first."""

    def match(self, identity: str, said: bool = True) -> bytes | None:
        """A match's record in the project's JSON form, None for an unknown one. said: with what the referee said in it."""

    def export(
        self, identity: str, form: Literal["mat", "sgf", "json", "csv", "txt"], said: bool = True
    ) -> Export | None:
        """A match as a file, None for an unknown match. said: as above."""

    def analyse(self, identity: str) -> bytes:
        """GNU Backgammon's verdict, or {"error"}.

        {"players": [{"name", "error_rate", "luck"}], "worst": [{"game", "number", "played", "better", "lost"}], "graph": SVG text}
        """

    def frame(self, flag: int, which: Literal["before", "after", "clip"]) -> bytes | None:
        """The pictures kept for a flag of the running match: JPEG, or the clip's file."""

    def turn_frame(self, number: int, which: Literal["before", "after", "clip"]) -> bytes | None:
        """The same for a doubtful line of the running game, by its number."""

    def test(self, what: Literal["lamps", "buzzer"]) -> Answer:
        """Lights every lamp or sounds the buzzer for a moment."""
