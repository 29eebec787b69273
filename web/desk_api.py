"""The desk's addresses in words that programs read: their part of the OpenAPI document (web/api.py)."""

from __future__ import annotations

from typing import Any

import msgspec

from web.operator import Answer, MatchLine, Operator
from web.view import SideName

FORMS = ["mat", "sgf", "json", "csv", "txt"]
TOKEN = {"name": "X-CSRF-Token", "in": "header", "required": True, "schema": {"type": "string"}}
SIGNED_IN = [{"desk": list[str]()}]


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


KINDS = (MatchLine, Legal, FoundBoard, PhotoRead, Analysis, Answer)
"""The types that these addresses send."""


def desk_paths(operator: Operator) -> tuple[dict[str, Any], dict[str, Any]]:
    """Path items of OpenAPI 3.1.0, and the schemas of the commands that they name."""
    commands = msgspec.json.decode(operator.commands())
    return _records() | _desk() | _changes(commands["schema"]), commands["components"]


def _records() -> dict[str, Any]:
    """What everybody may read."""
    identity = _path("identity", {"type": "string", "minLength": 1})
    form = _path("form", {"type": "string", "enum": FORMS})
    number = _path("number", {"type": "integer", "minimum": 0})
    which = _path("which", {"type": "string", "enum": ["before", "after", "clip"]})
    ending = _path("ending", {"type": "string", "enum": ["jpg", "webm"]})
    lines = {"type": "array", "items": ref("MatchLine")}
    pictures = {"image/jpeg": BYTES, "video/webm": BYTES}
    return {
        "/api/matches": {"get": _get("Every match that is kept", {"application/json": {"schema": lines}})},
        "/api/matches/{identity}": {
            "get": _get("A match's record", {"application/json": {"schema": {"type": "object"}}}, identity)
        },
        "/api/matches/{identity}/export.{form}": {
            "get": _get("A match as a file", {"*/*": {"schema": {"type": "string"}}}, identity, form)
        },
        "/api/flags/{number}/{which}.{ending}": {
            "get": _get("The pictures of a flag: before.jpg, after.jpg, clip.webm", pictures, number, which, ending)
        },
        "/api/turns/{number}/{which}.{ending}": {
            "get": _get("The same of a doubtful line of the running game", pictures, number, which, ending)
        },
        "/qr.svg": {"get": _get("The viewers' address as a QR code", {"image/svg+xml": BYTES})},
    }


def _desk() -> dict[str, Any]:
    """What is read with the PIN."""
    identity = _path("identity", {"type": "string", "minLength": 1})
    return {
        "/api/legal": {"get": _closed(_get("The legal plays of the turn in progress", json_of("Legal")))},
        "/api/camera.jpg": {"get": _closed(_get("The camera's newest picture", {"image/jpeg": BYTES}, missing=True))},
        "/api/find": {"get": _closed(_get("Where the board lies in it", json_of("FoundBoard", "Refusal")))},
        "/api/matches/{identity}/analysis": {
            "get": _closed(_get("A match as GNU Backgammon judges it", json_of("Analysis", "Refusal"), identity))
        },
    }


def _changes(command: dict[str, Any]) -> dict[str, Any]:
    body = {"required": True, "content": {"application/json": {"schema": command}}}
    photo = {"required": True, "content": {"image/jpeg": BYTES, "image/png": BYTES, "image/webp": BYTES}}
    what = _path("what", {"type": "string", "enum": ["lamps", "buzzer"]})
    refused = {"409": {"description": "Refused, with the reason", "content": json_of("Answer")}}
    large = {"413": refusal("Too large")}
    return {
        "/api/command": {"post": _change("A command to the referee", json_of("Answer"), refused | large, body=body)},
        "/api/photo": {"post": _change("Reads a photo of a board", json_of("PhotoRead", "Refusal"), large, body=photo)},
        "/api/test/{what}": {
            "post": _change(
                "Lights every lamp, or sounds the buzzer", json_of("Answer"), {"404": refusal("No such thing")}, what
            )
        },
        "/desk/leave": {"post": _change("Signs this browser out", json_of("Answer"), {})},
    }


BYTES: dict[str, Any] = {"schema": {}}
"""A body that is no text."""


def ref(name: str) -> dict[str, str]:
    """The schema of that name."""
    return {"$ref": f"#/components/schemas/{name}"}


def json_of(*names: str) -> dict[str, Any]:
    """A body that is JSON of one of these types."""
    one = ref(names[0]) if len(names) == 1 else {"anyOf": [ref(name) for name in names]}
    return {"application/json": {"schema": one}}


def refusal(why: str) -> dict[str, Any]:
    """An answer that says why there is none."""
    return {"description": why, "content": json_of("Refusal")}


def _path(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "in": "path", "required": True, "schema": schema}


def _get(summary: str, content: dict[str, Any], *parameters: dict[str, Any], missing: bool = False) -> dict[str, Any]:
    """missing: nothing may be there; so always at an address with parts."""
    responses: dict[str, Any] = {"200": {"description": summary, "content": content}}
    if parameters or missing:
        responses["404"] = refusal("There is nothing here")
    return {"summary": summary, "parameters": list(parameters), "responses": responses}


def _closed(operation: dict[str, Any]) -> dict[str, Any]:
    responses = operation["responses"] | {"401": refusal("Not signed in")}
    return operation | {"security": SIGNED_IN, "responses": responses}


def _change(
    summary: str,
    content: dict[str, Any],
    refused: dict[str, Any],
    *parameters: dict[str, Any],
    body: dict[str, Any] | None = None,
) -> dict[str, Any]:
    responses = {
        "200": {"description": summary, "content": content},
        "401": refusal("Not signed in"),
        "403": refusal("No token of the desk's page"),
    }
    asked = {"requestBody": body} if body else {}
    return asked | {
        "summary": summary,
        "security": SIGNED_IN,
        "parameters": [TOKEN, *parameters],
        "responses": responses | refused,
    }
