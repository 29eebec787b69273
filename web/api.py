"""The JSON addresses in words that programs read: an OpenAPI 3.1 document made of the addresses themselves and of the types that
they send.

    @pages.get("/api/legal")
    @described("The legal plays of the turn in progress", Legal, closed=True)
    def legal() -> Response: ...
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeVar

import msgspec
from flask import Flask, Response
from werkzeug.routing import Rule

from web.operator import Answer, Refusal
from web.pages import json_answer
from web.sessions import door_of

TITLE = "Vrhcáb"
VERSION = "1"

Handler = TypeVar("Handler", bound=Callable[..., Response])

SIGNED_IN = [{"desk": list[str]()}]
TOKEN = {"name": "X-CSRF-Token", "in": "header", "required": True, "schema": {"type": "string"}}

_PART = re.compile(r"<(?:(\w+)(?:\(([^)]*)\))?:)?(\w+)>")
"""A part of a rule: converter, its arguments, name."""


@dataclass(frozen=True)
class Media:
    """A body that is not JSON of a type of ours. kinds: media types; text: it is text."""

    kinds: tuple[str, ...]
    text: bool = False


JPEG = Media(("image/jpeg",))
STREAM = Media(("text/event-stream",), text=True)
STREAM_OF_VIEWS = (
    "server-sent events: the data of each is a View, its id the view's sequence; "
    'an event "beat" every 2 s where there is none; '
    'an event "age" before a view that has been shown for a while, with the seconds'
)
"""What a stream of views sends."""


@dataclass(frozen=True)
class Schema:
    """A body whose JSON Schema somebody else has made."""

    schema: dict[str, Any]


@dataclass(frozen=True)
class Description:
    """What the document says of an address beside its path.

    sends: the types of its answer, or Media. takes: the type of a request's body, Media, Schema, None for none.
    closed: only for who has signed in. missing: there may be nothing. refuses: why, by status. parameters: beside the path's.
    """

    summary: str
    sends: tuple[Any, ...]
    takes: Any = None
    closed: bool = False
    missing: bool = False
    refuses: Mapping[int, str] = field(default_factory=dict)
    parameters: Sequence[dict[str, Any]] = ()

    def types(self) -> Iterator[Any]:
        """Those that the document must describe."""
        yield from (kind for kind in (*self.sends, self.takes) if kind and not isinstance(kind, Media | Schema))


def described(summary: str, *sends: Any, **more: Any) -> Callable[[Handler], Handler]:
    """Notes on a view what the document says of it. Arguments as a Description's."""

    def note(view: Handler) -> Handler:
        view.description = Description(summary, sends, **more)  # type: ignore[attr-defined]
        return view

    return note


def query(name: str, description: str) -> dict[str, Any]:
    """A parameter behind the question mark."""
    return {"name": name, "in": "query", "schema": {"type": "string"}, "description": description}


def header(name: str, description: str) -> dict[str, Any]:
    """One that a request may have."""
    return {"name": name, "in": "header", "schema": {"type": "string"}, "description": description}


def add_api(app: Flask) -> None:
    """Adds /api/openapi.json, which describes the application's addresses, itself among them."""

    @cache
    def document() -> bytes:  # when somebody asks: it takes as long as all else of an application
        return msgspec.json.encode(openapi(app))

    @app.get("/api/openapi.json")
    @described("This document", Schema({"type": "object"}))
    def describe() -> Response:
        return json_answer(document())


def openapi(app: Flask) -> dict[str, Any]:
    """The document. OpenAPI Specification 3.1.0."""
    addresses = [
        (rule, described_as)
        for rule in app.url_map.iter_rules()
        if (described_as := getattr(app.view_functions[rule.endpoint], "description", None)) is not None
    ]
    types = [kind for _, described_as in addresses for kind in described_as.types()] + [Refusal, Answer]
    schemas, components = msgspec.json.schema_components(types, ref_template="#/components/schemas/{name}")
    known = list(zip(types, schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for rule, described_as in addresses:
        path = paths.setdefault(_PART.sub(r"{\3}", rule.rule), {})
        for method in sorted((rule.methods or set()) & {"GET", "POST"}):
            path[method.lower()] = _operation(rule, method, described_as, known)
    return {
        "openapi": "3.1.0",
        "info": {"title": TITLE, "version": VERSION},
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"desk": {"type": "apiKey", "in": "cookie", "name": door_of(app).cookie}},
        },
    }


Payloads = list[tuple[Any, dict[str, Any]]]
"""Types and their schemas."""


def _operation(rule: Rule, method: str, address: Description, known: Payloads) -> dict[str, Any]:
    """What one method does there. Every POST is a change: it needs the page's token, and may be refused for want of it."""
    change = method == "POST"
    parts = [_part(*found) for found in _PART.findall(rule.rule)]
    refuses = dict(address.refuses)
    if change or address.closed:
        refuses[401] = "Not signed in"
    if change:
        refuses[403] = "No token of the desk's page"
    if parts or address.missing:
        refuses[404] = "There is nothing here"
    responses = {"200": {"description": address.summary, "content": _content(address.sends, known)}}
    for status, why in sorted(refuses.items()):
        # A refusal of the referee's is an answer; not to have changed needs no words.
        content = {} if status == 304 else {"content": _content((Answer if status == 409 else Refusal,), known)}
        responses[str(status)] = {"description": why, **content}
    operation: dict[str, Any] = {
        "summary": address.summary,
        "parameters": [*([TOKEN] if change else []), *parts, *address.parameters],
        "responses": responses,
    }
    if change or address.closed:
        operation["security"] = SIGNED_IN
    if address.takes is not None:
        operation["requestBody"] = {"required": True, "content": _content((address.takes,), known)}
    return operation


def _content(kinds: tuple[Any, ...], known: Payloads) -> dict[str, Any]:
    """A body of one of these kinds."""
    (first, *others) = kinds
    if isinstance(first, Media):
        return {kind: {"schema": {"type": "string"} if first.text else {}} for kind in first.kinds}
    if isinstance(first, Schema):
        return {"application/json": {"schema": first.schema}}
    schemas = [next(schema for one, schema in known if one is kind) for kind in kinds]
    return {"application/json": {"schema": {"anyOf": schemas} if others else schemas[0]}}


def _part(converter: str, arguments: str, name: str) -> dict[str, Any]:
    """A part of an address: any text, a number, or one of some words."""
    schema: dict[str, Any] = {"type": "string", "minLength": 1}
    if converter == "number":
        schema = {"type": "integer", "minimum": 0}
    elif converter == "any":
        schema = {"type": "string", "enum": [word.strip(' "') for word in arguments.split(",")]}
    return {"name": name, "in": "path", "required": True, "schema": schema}
