"""The JSON addresses in words that programs read: an OpenAPI 3.1 document made from the types that are sent."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Flask, Response

from web import desk_api
from web.operator import Operator
from web.pages import json_answer
from web.view import View
from web.wizard_api import KINDS, set_up_paths

TITLE = "Vrhcáb"
VERSION = "1"


class Refusal(msgspec.Struct, frozen=True):
    """Why there is no answer, in a sentence."""

    error: str


class Health(msgspec.Struct, frozen=True):
    """sequence: of the newest view that viewers have; watchers: those of them whose streams are open."""

    status: str
    sequence: int | None
    watchers: int


def add_api(app: Flask, operator: Operator | None, frames: bool) -> None:
    """Adds /api/openapi.json. operator: of the desk, if its addresses are there; frames: there are pictures of flags."""
    document = msgspec.json.encode(openapi(operator, frames, wizard="setup" in app.blueprints))

    @app.get("/api/openapi.json")
    def describe() -> Response:
        return json_answer(document)


def openapi(operator: Operator | None, frames: bool = False, wizard: bool = False) -> dict[str, Any]:
    """The document. OpenAPI Specification 3.1.0."""
    kinds = dict.fromkeys((View, Refusal, Health, *(desk_api.KINDS if operator else ()), *(KINDS if wizard else ())))
    _, components = msgspec.json.schema_components(kinds, ref_template="#/components/schemas/{name}")
    paths = _views() | (_frame() if frames else {})
    if operator is not None:
        more, commands = desk_api.desk_paths(operator)
        paths, components = paths | more, components | commands
    if wizard:
        paths |= set_up_paths()
    security = {"desk": {"type": "apiKey", "in": "cookie", "name": "desk"}}
    return {
        "openapi": "3.1.0",
        "info": {"title": TITLE, "version": VERSION},
        "paths": paths,
        "components": {"schemas": components, "securitySchemes": security},
    }


def _views() -> dict[str, Any]:
    none_yet = {"503": desk_api.refusal("Nothing to show yet")}
    audience = {
        "name": "for",
        "in": "query",
        "schema": {"type": "string"},
        "description": "overlay: as a stream sees it",
    }
    key = {"name": "key", "in": "query", "schema": {"type": "string"}, "description": "The overlays' key"}
    keyless = {"403": desk_api.refusal("Not the overlays' key")}
    seen = {"name": "Last-Event-ID", "in": "header", "schema": {"type": "string"}}
    stream = {"text/event-stream": {"schema": {"type": "string"}}}
    return {
        "/api/state": {
            "get": {
                "summary": "The newest view",
                "parameters": [audience, key],
                "responses": {"200": _done("The view", desk_api.json_of("View")), "304": {"description": "Not changed"}}
                | none_yet
                | keyless,
            }
        },
        "/events": {
            "get": {
                "summary": "The views as server-sent events: the data of each is a View, its id the view's sequence",
                "parameters": [audience, key, seen],
                "responses": {"200": _done("A full view first, then each newer one", stream)} | none_yet | keyless,
            }
        },
        "/healthz": {
            "get": {
                "summary": "Whether the page works",
                "responses": {"200": _done("It does", desk_api.json_of("Health"))},
            }
        },
        "/api/openapi.json": {
            "get": {
                "summary": "This document",
                "responses": {"200": _done("It", {"application/json": {"schema": {"type": "object"}}})},
            }
        },
    }


def _frame() -> dict[str, Any]:
    number = {"name": "number", "in": "path", "required": True, "schema": {"type": "integer", "minimum": 0}}
    found = _done("A picture", {"image/jpeg": desk_api.BYTES})
    responses = {"200": found, "404": desk_api.refusal("There is none")}
    asked = {"summary": "The picture behind a flag", "parameters": [number], "responses": responses}
    return {"/api/flags/{number}/frame.jpg": {"get": asked}}


def _done(summary: str, content: dict[str, Any]) -> dict[str, Any]:
    return {"description": summary, "content": content}
