"""A recorded match looked over: what is in doubt first, and one press says what was played instead.

Two programs show it: the desk of a running referee, and `vrhcab report`, which has no board and no viewers (report_app.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Protocol

import msgspec
from flask import Blueprint, Response, request
from werkzeug.exceptions import NotFound

from web.answered import KEY, Answered
from web.api import JPEG, described, header, query
from web.operator import Answer, Legal, Report
from web.pages import chosen_language, page, page_words, script_data, value_answer
from web.sessions import require_desk, token
from web.words import LANGUAGES, worded

DICE = re.compile(r"([1-6])([1-6])")
LINE = query("line", "Of the game, instead of the turn in progress")
GAME = query("game", "By its number in the match, instead of the present one")
MATCH = query("match", "By its name in the list of matches, instead of the running one")
THROWN = query("dice", "Other dice than that line's, such as 63")
ONE_ACT = header(
    KEY, "Any text that is this act's alone: the same command sent again under it is done once, and answered the same"
)


class Reporter(Protocol):
    """Who has the match. Calls come from any thread."""

    def report(self, match: str | None = None) -> Report | None:
        """The match as it is now; None where there is none. match: None for the one that is on, or the only one."""

    def legal(
        self,
        line: int | None = None,
        dice: tuple[int, int] | None = None,
        game: int | None = None,
        match: str | None = None,
    ) -> Legal:
        """The legal plays of a line, with its dice or others; game None: the present one."""

    def line_picture(self, game: int, line: int, match: str | None = None) -> bytes | None:
        """JPEG of the board at that line, where there is one."""


def report_pages(reporter: Reporter, *, standalone: bool = False) -> Blueprint:
    """The page and what it asks, for whoever is signed in."""
    pages = Blueprint("report", __name__)
    pages.before_request(require_desk)

    @pages.get("/report")
    def show() -> Response:
        chosen = chosen_language("report")
        if chosen is not None:
            return chosen
        words = page_words()
        return page(
            "report.html",
            words,
            languages=LANGUAGES,
            token=token(),
            data=script_data(words, "report.js"),
            standalone=standalone,
        )

    @pages.get("/api/report")
    @described("A match, what is in doubt first", Report | None, closed=True, parameters=[MATCH])
    def report() -> Response:
        return value_answer(reporter.report(match_asked()))

    @pages.get("/api/report/<number:game>/<number:line>.jpg")
    @described("The board at one line of it", JPEG, closed=True, missing=True, parameters=[MATCH])
    def picture(game: int, line: int) -> Response:
        found = reporter.line_picture(game, line, match_asked())
        if found is None:
            raise NotFound
        return Response(found, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})

    return pages


def obeyed(command: Callable[[Any], Answer], decoder: msgspec.json.Decoder[Any], answered: Answered) -> Response:
    """The answer to the command in this request's body; given again where the request has the key of an earlier one."""
    try:
        body = request.get_data()
        value, key = decoder.decode(body), request.headers.get(KEY)
        answer = answered.once((key, request.path, body), lambda: command(value)) if key else command(value)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        why = worded("This is no command that the referee knows: {why}.", why=str(error))
        answer = Answer(False, why.words["en"], message=why)
    return value_answer(answer, 200 if answer.ok else 409)


def legal_answer(reporter: Reporter) -> Response:
    """The legal plays that this request asks for."""
    line, game = (request.args.get(name, type=int) for name in ("line", "game"))
    dice = DICE.fullmatch(request.args.get("dice", ""))
    return value_answer(reporter.legal(line, (int(dice[1]), int(dice[2])) if dice else None, game, match_asked()))


def match_asked() -> str | None:
    """The match that this request names."""
    return request.args.get("match") or None
