"""The parts of the page for a stream's picture, and the operator's list of them with their addresses."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hmac import compare_digest

from flask import Flask, Response, redirect, request, url_for
from werkzeug.exceptions import Forbidden, NotFound

from web.pages import chosen_language, page, page_words, script_data
from web.sessions import signed_in
from web.words import LANGUAGES, load_words

PARTS = {
    "board": "Board",
    "bar": "Everything in one bar",
    "score": "Score",
    "roll": "Dice",
    "pips": "Pip count",
    "clock": "Clock",
    "event": "Event",
    "flags": "What the referee says",
}
"""What each shows, in English."""

THEMES = ("dark", "light", "clear")
"""Looks of the overlays' cards; the first where ?theme= names none."""

BOARDS = ("navy", "claret", "slate", "night")
CHECKERS = ("red", "blue", "green", "plain")
"""Choices of board.css beside its first ones."""


@dataclass(frozen=True)
class OverlayDoor:
    """Who may see overlays. key: what their addresses must carry as ?key=, "" for none; frames: other pages, by origin, that may
    show them in a frame, as the Content-Security-Policy has it."""

    key: str = ""
    frames: tuple[str, ...] = ()

    def check(self) -> None:
        """Raises Forbidden for an overlay's address without the key."""
        if self.key and not compare_digest(request.args.get("key", "").encode(), self.key.encode()):
            raise Forbidden


def add_overlays(app: Flask, door: OverlayDoor, policy: str, address: Callable[[], str]) -> None:
    """Adds /overlay/PART and /overlays.

    policy: the page's Content-Security-Policy, by which nobody may frame it; address: the page's for other devices, "" where
    there is none.
    """

    @app.get(f"/overlay/<any({', '.join(PARTS)}):part>")
    def overlay(part: str) -> Response:
        door.check()
        asked = request.args
        words = load_words(asked["lang"]) if asked.get("lang") in LANGUAGES else page_words()
        theme = asked["theme"] if asked.get("theme") in THEMES else THEMES[0]
        flip = asked.get("flip", "") not in ("", "0", "no")
        colours = {"board": _among(BOARDS, "board"), "checkers": _among(CHECKERS, "checkers")}
        data = script_data(words, "overlay.js")
        shown = {"label": words.translate(PARTS[part]), "part": part, "theme": theme, "flip": flip}
        answer = page("overlay.html", words, key=door.key, data=data, **shown, **colours)
        return framed(answer, door.frames, policy)

    @app.get("/overlays")
    def overlays() -> Response:
        """All of them, with their key: for operators."""
        chosen = chosen_language("overlays")
        if chosen is not None:
            return chosen
        if "desk" not in app.blueprints:
            raise NotFound
        if not signed_in():
            return redirect(url_for("desk.show"))  # type: ignore[return-value]  # the same to Flask
        words = page_words()
        looks = {"themes": THEMES, "boards": BOARDS, "checkers": CHECKERS, "languages": LANGUAGES}
        data = script_data(words, "overlays.js")
        root = address() or request.url_root
        answer = page("overlays.html", words, parts=PARTS, key=door.key, root=root, data=data, **looks)
        return _with_policy(answer, f"{policy}; frame-src 'self'")


def _among(allowed: Iterable[str], name: str) -> str:
    asked = request.args.get(name, "")
    return asked if asked in allowed else ""


def framed(answer: Response, frames: tuple[str, ...], policy: str) -> Response:
    """A page that pages of these origins may show in a frame, beside our own. policy: the Content-Security-Policy of the others."""
    ancestors = " ".join(("frame-ancestors 'self'", *frames))
    return _with_policy(answer, policy.replace("frame-ancestors 'none'", ancestors))


def _with_policy(answer: Response, policy: str) -> Response:
    answer.headers["Content-Security-Policy"] = policy
    answer.headers["X-Frame-Options"] = "SAMEORIGIN"  # Browsers that know frame-ancestors go by that.
    return answer
