"""The JSON addresses in words that programs read: an OpenAPI 3.1 document made from the types that are sent."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Flask, Response

from web.operator import Answer
from web.pages import json_answer
from web.view import View
from web.wizard_api import KINDS, set_up_paths

TITLE = "Vrhcáb"
VERSION = "1"
FORMS = ["mat", "sgf", "json", "csv", "txt"]


class Refusal(msgspec.Struct, frozen=True):
    """Why there is no answer, in a sentence."""

    error: str


class Health(msgspec.Struct, frozen=True):
    """sequence: of the newest view; watchers: open streams."""

    status: str
    sequence: int | None
    watchers: int


class MatchLine(msgspec.Struct, frozen=True):
    """One match in the list."""

    id: str
    light: str
    dark: str
    length: int
    score: tuple[int, int]
    games: int
    over: bool
    date: str


def add_api(app: Flask, desk: bool) -> None:
    """Adds /api/openapi.json. desk: the desk's addresses are there."""
    document = msgspec.json.encode(openapi(desk, wizard="setup" in app.blueprints))

    @app.get("/api/openapi.json")
    def describe() -> Response:
        return json_answer(document)


def openapi(desk: bool, wizard: bool = False) -> dict[str, Any]:
    """The document. OpenAPI Specification 3.1.0."""
    kinds = dict.fromkeys((View, Refusal, Health, MatchLine, Answer, *(KINDS if wizard else ())))
    _, components = msgspec.json.schema_components(kinds, ref_template="#/components/schemas/{name}")
    paths: dict[str, Any] = {
        "/api/state": {"get": _get("The newest view", _json("View"), none_yet=True)},
        "/healthz": {"get": _get("Whether the page works", _json("Health"))},
    }
    if desk:
        paths |= _records() | _changes()
    if wizard:
        paths |= set_up_paths()
    security = {"desk": {"type": "apiKey", "in": "cookie", "name": "desk"}}
    return {
        "openapi": "3.1.0",
        "info": {"title": TITLE, "version": VERSION},
        "paths": paths,
        "components": {"schemas": components, "securitySchemes": security},
    }


def _records() -> dict[str, Any]:
    identity = {"name": "identity", "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}
    form = {"name": "form", "in": "path", "required": True, "schema": {"type": "string", "enum": FORMS}}
    lines = {"type": "array", "items": {"$ref": "#/components/schemas/MatchLine"}}
    record = {"application/json": {"schema": {"type": "object"}}}
    return {
        "/api/matches": {"get": _get("Every match that is kept", {"application/json": {"schema": lines}})},
        "/api/matches/{identity}": {"get": _get("A match's record", record, [identity], missing=True)},
        "/api/matches/{identity}/export.{form}": {
            "get": _get("A match as a file", {"*/*": {"schema": {"type": "string"}}}, [identity, form], missing=True)
        },
    }


def _changes() -> dict[str, Any]:
    command = {
        "type": "object",
        "required": ["type"],
        "properties": {"type": {"type": "string", "description": "The command's name, such as undo or play."}},
    }
    asked = {
        "summary": "A command to the referee; the desk's page sends its token as X-CSRF-Token",
        "security": [{"desk": []}],
        "requestBody": {"required": True, "content": {"application/json": {"schema": command}}},
        "responses": {
            "200": {"description": "Done", "content": _json("Answer")},
            "401": _refused("Not signed in"),
            "403": _refused("No token of the desk's page"),
            "409": {"description": "Refused, with the reason", "content": _json("Answer")},
            "413": _refused("Too large"),
        },
    }
    return {"/api/command": {"post": asked}}


def _get(
    summary: str,
    content: dict[str, Any],
    parameters: list[dict[str, Any]] | None = None,
    *,
    none_yet: bool = False,
    missing: bool = False,
) -> dict[str, Any]:
    responses: dict[str, Any] = {"200": {"description": summary, "content": content}}
    if none_yet:
        responses |= {"304": {"description": "Not changed"}, "503": _refused("Nothing to show yet")}
    if missing:
        responses["404"] = _refused("There is no such match")
    return {"summary": summary, "parameters": parameters or [], "responses": responses}


def _refused(why: str) -> dict[str, Any]:
    return {"description": why, "content": _json("Refusal")}


def _json(name: str) -> dict[str, Any]:
    return {"application/json": {"schema": {"$ref": f"#/components/schemas/{name}"}}}
