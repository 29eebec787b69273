"""A referee for the tests of the desk: it keeps what it is told, knows one roll from the start, and two matches."""

from __future__ import annotations

import json
from typing import Any, Literal, get_args

import msgspec

from controller.app.corrections import CORRECTIONS, Correction
from controller.record.model import Record
from controller.record.native import decode_json
from controller.referee.commands import AnyCommand
from controller.rules import Position, Side, position_id
from controller.rules.course import course
from terms.board import SideName
from web.joining import Guest, HubSeen
from web.operator import (
    Answer,
    BoardOnTheWay,
    Coached,
    Export,
    Form,
    FoundBoard,
    GameLines,
    Legal,
    LegalPlay,
    MatchAnalysis,
    MatchLine,
    NoBoard,
    PhotoRead,
    PlayedMatch,
    PlayedMatches,
    PlayerLine,
    Refusal,
    Report,
    Which,
)
from web.view import Message
from web.words import message

JPEG = b"\xff\xd8\xff\xdb picture"
RECORD: Record = decode_json(
    json.dumps(
        {
            "format": "vrhcab-record-1",
            "file": "games.sqlite3",
            "problems": [],
            "players": [{"name": "Jana", "color": "light"}, {"name": "Marián", "color": "dark"}],
            "length": 7,
            "games": [
                {
                    "score": [2, 1],
                    "crawford": False,
                    "winner": None,
                    "points": None,
                    "actions": [
                        {
                            "type": "play",
                            "player": 0,
                            "dice": [3, 1],
                            "moves": [[8, 5], [6, 5]],
                            "before": "4HPwATDgc/ABMA",
                            "after": "4HPwATCwZ/ABMA",
                            "legal": True,
                        },
                        {"type": "double", "player": 1, "value": 2},
                        {"type": "take", "player": 0},
                    ],
                }
            ],
        }
    ).encode()
)


PLAYERS = (PlayerLine("Jana", 3, 2, 2, 6.5), PlayerLine("Marián", 2, 1, 0, None), PlayerLine("Petr", 1, 0, 1, 11.25))
PLAYED = PlayedMatches(
    "Jana",
    3,
    2,
    (
        PlayedMatch("abc", "2026-11-21", "Marián", 7, (7, 3), True, 5.2, 120, 0.41),
        PlayedMatch("b", "2026-11-14", "Petr", 5, (5, 4), True, None, 0, None),
        PlayedMatch("c", "2026-11-07", "Marián", 5, (2, 5), False, 8.4, 80, -0.9),
    ),
)
DARK = ("Too dark: grain is 20 % of the board's contrast, 14 % may be.", "Put a lamp over the board.")


class TableHub:
    """web.joining.Joiner. hub: how it stands; refusal: why nobody joins."""

    def __init__(self) -> None:
        self.hub = HubSeen()
        self.refusal: Message | None = None
        self.invitations: list[str] = []
        self.passes: dict[str, Guest] = {}

    def seen(self) -> HubSeen:
        return self.hub

    def join(self, invitation: str) -> Message | None:
        self.invitations.append(invitation)
        if self.refusal is None:
            self.hub = HubSeen("board-7", "hub.local:8883")
        return self.refusal

    def leave(self) -> bool:
        if self.refusal is None:
            self.hub = HubSeen()
        return self.refusal is None

    def guest(self, text: str, *, use: bool) -> Guest | None:
        found = self.passes.get(text)
        if use:
            self.passes.pop(text, None)
        return found


class TableReferee:
    """web.operator.Operator. told: the commands so far; refusal: the sentence with which the next ones are refused; judged: for
    each record that was asked for, whether with the referee's words."""

    def __init__(self) -> None:
        self.told: list[dict[str, Any]] = []
        self.by = ""
        self.seen: int | None = None
        self.refusal = ""
        self.judged: list[bool] = []
        self.camera: bytes | None = JPEG
        self.verdict: MatchAnalysis | None = None
        self.no_verdict = Refusal("Nobody has had this match analysed yet.")
        self.no_board: NoBoard | None = None
        self.coaching: dict[str | None, Coached] = {}
        self.asked: list[tuple[int | None, tuple[int, int] | None]] = []
        self.overlooked: Report | None = None
        self.earlier: tuple[GameLines, ...] = ()

    command_types: tuple[type[AnyCommand], ...] = get_args(AnyCommand)
    record_type: type[msgspec.Struct] = Record

    def command(self, command: AnyCommand, by: str = "", seen: int | None = None) -> Answer:
        self.seen = seen
        if self.refusal:
            return Answer(False, str(self.refusal), message=message(self.refusal))
        self.told.append(_as_given(command))
        self.by = by
        return Answer(True)

    def games(self) -> tuple[GameLines, ...]:
        return self.earlier

    correction_types: tuple[type[Correction], ...] = CORRECTIONS

    def correct(self, match: str, command: Correction, by: str = "") -> Answer:
        answer = self.command(command, by)
        if answer.ok:
            self.told[-1]["match"] = match
        return answer

    def report(self, match: str | None = None) -> Report | None:
        return self.overlooked if match in (None, "abc") else None

    def line_picture(self, game: int, line: int, match: str | None = None) -> bytes | None:
        return JPEG if (game, line) == (1, 1) else None

    def legal(
        self,
        line: int | None = None,
        dice: tuple[int, int] | None = None,
        game: int | None = None,
        match: str | None = None,
    ) -> Legal:
        self.asked.append((line, dice))
        if line is None and not any(told["type"] == "roll" for told in self.told):
            return Legal("light", None, (), ())
        thrown = dice or (3, 1)
        plays = (
            LegalPlay("8/5 6/5", ((8, 5), (6, 5)), "4HPwATCwZ/ABMA"),
            LegalPlay("24/23 13/10", ((24, 23), (13, 10)), "4HPwATDgc+IBKA"),
        )
        boards = (
            BoardOnTheWay(
                position_id(board.position, Side.LIGHT),
                board.legal,
                tuple((step.source, step.target, step.then) for step in board.steps),
            )
            for board in course(Position.start(), Side.LIGHT, thrown)
        )
        return Legal("light", thrown, plays, tuple(boards))

    def picture(self) -> bytes | None:
        return self.camera

    def find(self) -> FoundBoard | NoBoard:
        return self.no_board or FoundBoard("200,100 1080,110 1100,640 180,630", "top-left", 0.9, (1280, 720), (DARK,))

    def read(self, picture: bytes) -> PhotoRead | Refusal:
        if not picture.startswith(b"\xff\xd8"):
            return Refusal("The photo is no picture.")
        start = Position.start()
        return PhotoRead(
            "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10",
            position_id(start, Side.LIGHT),
            start.signed(),
            (0, 0),
            (0, 0),
            (),
            None,
            "top-left",
            0.9,
            ("Taken from above.",),
        )

    def matches(self) -> tuple[MatchLine, ...]:
        return (MatchLine("abc", "Jana", "Marián", 7, (0, 0), 1, False, "2026-11-21"),)

    def players(self, hidden: frozenset[str]) -> tuple[PlayerLine, ...]:
        return PLAYERS

    def played(self, name: str, hidden: frozenset[str]) -> PlayedMatches | None:
        return PLAYED if name == PLAYED.name else None

    def match(self, identity: str, *, judged: bool) -> Record | None:
        self.judged.append(judged)
        return RECORD if identity == "abc" else None

    def export(self, identity: str, form: Form, *, judged: bool, language: str = "en") -> Export | None:
        self.judged.append(judged)
        if form == "html":
            return Export("x.html", "text/html", f'<html lang="{language}">'.encode())
        return Export(f"Jana – Marián.{form}", "text/plain", b" 7 point match") if identity == "abc" else None

    def analyse(self, identity: str) -> MatchAnalysis | Refusal:
        return Refusal("GNU Backgammon is not installed: sudo apt install gnubg")

    def analysis(self, identity: str) -> MatchAnalysis | Refusal:
        return self.verdict or self.no_verdict

    def coached(self, side: SideName | None) -> Coached:
        return self.coaching.get(side, Coached())

    def frame(self, flag: int, which: Which) -> bytes | None:
        return JPEG if flag == 1 else None

    def turn_frame(self, number: int, which: Which) -> bytes | None:
        return self.camera if number == 1 and which != "clip" else None

    def test(self, what: Literal["lamps", "buzzer"]) -> Answer:
        return Answer(True)


def _as_given(command: AnyCommand) -> dict[str, Any]:
    """The command's JSON without what is left to its defaults."""
    defaults = {field.encode_name: field.default for field in msgspec.structs.fields(command)}
    given: dict[str, Any] = json.loads(msgspec.json.encode(command))
    return {name: value for name, value in given.items() if name == "type" or value != defaults[name]}
