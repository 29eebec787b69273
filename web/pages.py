"""What every page is made with: the visitor's language, the data for scripts, answers in HTML and JSON."""

from __future__ import annotations

from urllib.parse import urlencode

import msgspec
from flask import Response, make_response, redirect, render_template, request

from web.hub import PackedView
from web.words import LANGUAGES, Words, load_words, words_for

COOKIE_LIFE = 365 * 24 * 3600
"""Seconds that a chosen language is remembered."""


def chosen_language(back_to: str) -> Response | None:
    """Where this request's ?lang= names a language: an answer that remembers it and goes back to the page, with all else that was
    asked of it; else None."""
    chosen = request.args.get("lang")
    if chosen not in LANGUAGES:
        return None
    path, *step = back_to.partition("#")
    asked = urlencode([(name, value) for name, value in request.args.items(multi=True) if name != "lang"])
    answer = make_response(redirect("".join((path, f"?{asked}" if asked else "", *step))))
    answer.set_cookie("lang", chosen, max_age=COOKIE_LIFE, samesite="Lax", httponly=True)
    return answer


def page_words() -> Words:
    """The visitor's language: chosen on the page, else the first of the browser's that the page knows, else English."""
    chosen = request.cookies.get("lang", "")
    best = chosen if chosen in LANGUAGES else request.accept_languages.best_match(LANGUAGES, default="en")
    return load_words(best)


def script_data(words: Words, script: str, *, frames: bool = False) -> str:
    """What the page's script needs to know, as JSON that can stand inside a <script> element: no tag can begin in it."""
    table = words_for(words.language, script).table
    data = msgspec.json.encode({"language": words.language, "table": table, "frames": frames}).decode()
    return data.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def page(template: str, words: Words, **values: object) -> Response:
    """A page in one language."""
    answer = make_response(render_template(template, t=words.translate, words=words, **values))
    answer.headers["Cache-Control"] = "no-store"
    answer.vary.update(("Accept-Language", "Cookie"))
    return answer


def value_answer(value: msgspec.Struct | None, status: int = 200) -> Response:
    """A value as JSON."""
    return json_answer(msgspec.json.encode(value), status)


def json_answer(body: bytes, status: int = 200) -> Response:
    """JSON that is asked for anew each time."""
    answer = Response(body, status, mimetype="application/json")
    answer.headers["Cache-Control"] = "no-cache"
    return answer


def sequence_in(name: str) -> int | None:
    """The number of a view in this request's header of that name; None where there is none."""
    text = request.headers.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 20 else None


def view_answer(view: PackedView) -> Response:
    """A view as JSON, with its tag and the seconds for which it has been shown; 304 for who has it."""
    answer = json_answer(view.body)
    answer.headers["View-Age"] = f"{view.age:.2f}"
    answer.set_etag(view.tag)
    answer.make_conditional(request)
    return answer
