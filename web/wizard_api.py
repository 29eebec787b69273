"""The set-up's addresses in words that programs read: their part of the OpenAPI document (web/api.py)."""

from __future__ import annotations

from typing import Any, get_args

from web.operator import Answer
from web.wizard import At, BoardSeen, LampGroup, Lit, NewPin, PanelButton, SetUpState

KINDS = (Answer, At, BoardSeen, Lit, NewPin, SetUpState)
"""The types that these addresses take and send."""


def set_up_paths() -> dict[str, Any]:
    """Path items of OpenAPI 3.1.0. All are for those who have signed in; changes carry the page's token."""
    state = _json("SetUpState")
    read = {"application/json": {"schema": {"anyOf": [{"$ref": "#/components/schemas/BoardSeen"}, {"type": "null"}]}}}
    return {
        "/api/setup": {"get": _look("How far the set-up is", state)},
        "/api/setup/at": {
            "post": _change(
                "Somebody is at this step; said again at least every 45 s, or the match goes on", state, "At"
            )
        },
        "/api/setup/leave": {"post": _change("Nobody is at it any more: the match goes on", state)},
        "/api/setup/seen": {"get": _look("What is read on the board; null before anything is", read)},
        "/api/setup/lamps/{group}": {
            "post": _change("Lights some lamps for a moment", _json("Lit"), named=("group", LampGroup))
        },
        "/api/setup/press/{button}": {
            "post": _change("Presses a button of the page's own panel", state, named=("button", PanelButton))
        },
        "/api/setup/pin": {
            "post": _change("Another PIN; all other browsers are signed out", _json("Answer"), "NewPin")
        },
    }


def _look(summary: str, content: dict[str, Any]) -> dict[str, Any]:
    responses = {"200": {"description": summary, "content": content}, "401": _refusal("Not signed in")}
    return {"summary": summary, "security": [{"desk": []}], "responses": responses}


def _change(
    summary: str, content: dict[str, Any], body: str = "", named: tuple[str, object] | None = None
) -> dict[str, Any]:
    """named: the address's last part and the Literal of what it may be."""
    token = {"name": "X-CSRF-Token", "in": "header", "required": True, "schema": {"type": "string"}}
    parameters: list[dict[str, Any]] = [token]
    responses = {
        "200": {"description": summary, "content": content},
        "401": _refusal("Not signed in"),
        "403": _refusal("No token of the desk's page"),
        "409": {"description": "Refused, with the reason", "content": _json("Answer")},
    }
    if named is not None:
        name, values = named
        schema = {"type": "string", "enum": list(get_args(values))}
        parameters.append({"name": name, "in": "path", "required": True, "schema": schema})
        responses["404"] = _refusal("There is no such thing")
    asked: dict[str, Any] = {"summary": summary, "security": [{"desk": []}], "parameters": parameters}
    if body:
        asked["requestBody"] = {"required": True, "content": _json(body)}
        responses |= {"400": _refusal("Not such an object"), "413": _refusal("Too large")}
    if body == "NewPin":
        responses["429"] = _refusal("Too many wrong PINs")
    return asked | {"responses": responses}


def _refusal(why: str) -> dict[str, Any]:
    return {"description": why, "content": _json("Refusal")}


def _json(name: str) -> dict[str, Any]:
    return {"application/json": {"schema": {"$ref": f"#/components/schemas/{name}"}}}
