"""The application of `vrhcab report`: a recorded match on a page of this machine's own, to be put right."""

from __future__ import annotations

import secrets
from functools import reduce
from operator import or_
from typing import Any, Protocol, cast

import msgspec
from flask import Blueprint, Flask, Response, redirect, request, url_for

from web.answered import Answered
from web.api import add_api, described
from web.app import bare_app
from web.hub import ViewHub
from web.operator import Answer, Command, Legal
from web.pages import page, page_words
from web.report import GAME, LINE, ONE_ACT, THROWN, Reporter, legal_answer, obeyed, report_pages
from web.sessions import own_cookie, require_desk, sign_in, signed_in

NEEDS_KEY = "Open the address that vrhcab report has printed: it ends with a key."


class Corrector(Reporter, Protocol[Command]):
    """Who also takes corrections; command_types: their types, of which any may come, and no others."""

    command_types: tuple[type[Command], ...]

    def command(self, command: Command) -> Answer:
        """Carries out a correction, and answers when the record is written."""


def create_report_app(corrector: Corrector[Any], key: str) -> Flask:
    """key: whoever opens /?key= with it may use the page, nobody else. Several may be open in one browser, beside a desk."""
    app = bare_app(ViewHub(), cookie=own_cookie("report", key))

    @app.get("/")
    def enter() -> Response:
        if secrets.compare_digest(request.args.get("key", "").encode(), key.encode()):
            return sign_in(cast(Response, redirect(url_for("report.show"), 303)))
        if signed_in():
            return cast(Response, redirect(url_for("report.show"), 303))
        answer = page("error.html", page_words(), sentence=NEEDS_KEY, boardless=True)
        answer.status_code = 403
        return answer

    app.register_blueprint(report_pages(corrector, standalone=True))
    app.register_blueprint(_corrections(corrector))
    add_api(app)
    return app


def _corrections(corrector: Corrector[Any]) -> Blueprint:
    pages = Blueprint("corrections", __name__)
    pages.before_request(require_desk)
    answered = Answered()
    commands = reduce(or_, corrector.command_types)
    decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(commands)

    @pages.post("/api/command")
    @described("A correction", Answer, takes=commands, refuses={409: "Refused, with the reason"}, parameters=[ONE_ACT])
    def command() -> Response:
        return obeyed(corrector.command, decoder, answered)

    @pages.get("/api/legal")
    @described("The legal plays of a line", Legal, closed=True, parameters=[GAME, LINE, THROWN])
    def legal() -> Response:
        return legal_answer(corrector)

    return pages
