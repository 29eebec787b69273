"""A referee for the tests of the desk: it keeps what it is told, knows one roll from the start, and two matches."""

from __future__ import annotations

import json
from typing import Any, Literal

from controller.referee.commands import CommandError, command_schema, read_command
from controller.rules import Position, Side, position_id
from controller.rules.course import course
from web.operator import Answer, Export

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
    """web.operator.Operator. told: the commands so far; refusal: the sentence with which the next ones are refused; said: for each
    record that was asked for, whether with the referee's words."""

    def __init__(self) -> None:
        self.told: list[dict[str, Any]] = []
        self.refusal = ""
        self.said: list[bool] = []
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

    def commands(self) -> bytes:
        return json.dumps(command_schema()).encode()

    def legal(self) -> bytes:
        plays = [
            {"notation": "8/5 6/5", "moves": [[8, 5], [6, 5]], "after": "4HPwATCwZ/ABMA"},
            {"notation": "24/23 13/10", "moves": [[24, 23], [13, 10]], "after": "4HPwATDgc+IBKA"},
        ]
        rolled = any(told["type"] == "roll" for told in self.told)
        boards = [
            {
                "after": position_id(board.position, Side.LIGHT),
                "legal": board.legal,
                "steps": [[step.source, step.target, step.then] for step in board.steps],
            }
            for board in course(Position.start(), Side.LIGHT, (3, 1))
        ]
        found = (
            {"dice": [3, 1], "plays": plays, "boards": boards} if rolled else {"dice": None, "plays": [], "boards": []}
        )
        return json.dumps({"side": "light", **found}).encode()

    def picture(self) -> bytes | None:
        return self.camera

    def find(self) -> bytes:
        corners = "200,100 1080,110 1100,640 180,630"
        return json.dumps(
            {"corners": corners, "home": "top-left", "confidence": 0.9, "size": [1280, 720], "weak": ["dark"]}
        ).encode()

    def read(self, picture: bytes) -> bytes:
        if not picture.startswith(b"\xff\xd8"):
            return b'{"error": "The photo is no picture."}'
        return b'{"xgid": "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10", "notes": ["Taken from above."]}'

    def matches(self) -> bytes:
        about = {"id": "abc", "light": "Jana", "dark": "Marián", "length": 7, "score": [0, 0], "games": 1}
        return json.dumps([about | {"over": False, "date": "2026-11-21"}]).encode()

    def match(self, identity: str, said: bool = True) -> bytes | None:
        self.said.append(said)
        return json.dumps(RECORD).encode() if identity == "abc" else None

    def export(
        self, identity: str, form: Literal["mat", "sgf", "json", "csv", "txt"], said: bool = True
    ) -> Export | None:
        self.said.append(said)
        return Export(f"Jana – Marián.{form}", "text/plain", b" 7 point match") if identity == "abc" else None

    def analyse(self, identity: str) -> bytes:
        return b'{"error": "GNU Backgammon is not installed: sudo apt install gnubg"}'

    def frame(self, flag: int, which: Literal["before", "after", "clip"]) -> bytes | None:
        return JPEG if flag == 1 else None

    def turn_frame(self, number: int, which: Literal["before", "after", "clip"]) -> bytes | None:
        return self.camera if number == 1 and which != "clip" else None

    def test(self, what: Literal["lamps", "buzzer"]) -> Answer:
        return Answer(True)
