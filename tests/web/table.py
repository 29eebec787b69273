"""A referee for the tests of the desk: it keeps what it is told, knows one roll from the start, and two matches."""

from __future__ import annotations

import json
from typing import Any, Literal

from controller.referee.commands import CommandError, command_schema, read_command
from controller.rules import Position, Side, position_id
from controller.rules.course import course
from web.operator import (
    Answer,
    BoardOnTheWay,
    Export,
    FoundBoard,
    Legal,
    LegalPlay,
    MatchAnalysis,
    PhotoRead,
    Refusal,
)

JPEG = b"\xff\xd8\xff\xdb picture"
RECORD = {
    "format": "vrhcab-record-1",
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
                    "after": "4HPwATCwZ/ABMA",
                    "legal": True,
                },
                {"type": "double", "player": 1, "value": 2},
                {"type": "take", "player": 0},
            ],
        }
    ],
}


class TableReferee:
    """web.operator.Operator. told: the commands so far; refusal: the sentence with which the next ones are refused.
    judged: for each record that was asked for, whether with what the referee said of it."""

    def __init__(self) -> None:
        self.told: list[dict[str, Any]] = []
        self.refusal = ""
        self.judged: list[bool] = []
        self.camera: bytes | None = JPEG

    def command(self, body: bytes) -> Answer:
        if self.refusal:
            return Answer(False, self.refusal)
        try:
            read_command(body)
        except CommandError as error:
            return Answer(False, str(error))
        self.told.append(json.loads(body))
        return Answer(True)

    def commands(self) -> dict[str, Any]:
        return command_schema()

    def legal(self) -> Legal:
        if all(told["type"] != "roll" for told in self.told):
            return Legal("light", None, (), ())
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
            for board in course(Position.start(), Side.LIGHT, (3, 1))
        )
        return Legal("light", (3, 1), plays, tuple(boards))

    def picture(self) -> bytes | None:
        return self.camera

    def find(self) -> FoundBoard | Refusal:
        return FoundBoard("200,100 1080,110 1100,640 180,630", "top-left", 0.9, (1280, 720), ("dark",))

    def read(self, picture: bytes) -> PhotoRead | Refusal:
        if not picture.startswith(b"\xff\xd8"):
            return Refusal("The photo is no picture.")
        start = Position.start()
        return PhotoRead(
            xgid="XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10",
            position=position_id(start, Side.LIGHT),
            points=start.signed(),
            bar=(0, 0),
            off=(0, 0),
            dice=(),
            cube=None,
            home="bottom-right",
            sure=0.9,
            notes=("Taken from above.",),
        )

    def matches(self) -> bytes:
        about = {"id": "abc", "light": "Jana", "dark": "Marián", "length": 7, "score": [0, 0], "games": 1}
        return json.dumps([about | {"over": False, "date": "2026-11-21"}]).encode()

    def match(self, identity: str, *, judged: bool = True) -> bytes | None:
        self.judged.append(judged)
        return json.dumps(RECORD).encode() if identity == "abc" else None

    def export(
        self, identity: str, form: Literal["mat", "sgf", "json", "csv", "txt"], *, judged: bool = True
    ) -> Export | None:
        self.judged.append(judged)
        return Export(f"Jana – Marián.{form}", "text/plain", b" 7 point match") if identity == "abc" else None

    def analyse(self, identity: str) -> MatchAnalysis | Refusal:
        return Refusal("GNU Backgammon is not installed: sudo apt install gnubg")

    def frame(self, flag: int, which: Literal["before", "after", "clip"]) -> bytes | None:
        return JPEG if flag == 1 else None

    def turn_frame(self, number: int, which: Literal["before", "after", "clip"]) -> bytes | None:
        return self.camera if number == 1 and which != "clip" else None

    def test(self, what: Literal["lamps", "buzzer"]) -> Answer:
        return Answer(True)
