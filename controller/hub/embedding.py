"""Live boards for other sites' pages, in a frame: /embed/boards/NAME one of them, /embed/tournaments/NUMBER all of a tournament.

They show what the feed does, as late as it; which sites may frame them the settings of the feed say (frame-ancestors).
"""

from __future__ import annotations

from flask import Flask, Response, request
from werkzeug.exceptions import NotFound

from controller.hub.asking import database
from controller.hub.feed import Feed
from controller.hub.tournament.ledger import Tournaments
from web.app import SECURITY_HEADERS
from web.overlays import framed
from web.pages import page, page_words, script_data
from web.words import LANGUAGES, load_words


def add_embedding(app: Flask, feed: Feed, url: str, origins: tuple[str, ...]) -> None:
    """Adds the addresses. url: of the database; origins: whose pages may show them, "*" for all."""

    def embedded(title: str, root: str, one: str = "") -> Response:
        asked = request.args.get("lang", "")
        words = load_words(asked) if asked in LANGUAGES else page_words()
        answer = page("embed.html", words, title=title, root=root, one=one, data=script_data(words, "embed.js"))
        answer.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
        return framed(answer, origins, SECURITY_HEADERS["Content-Security-Policy"])

    @app.get("/embed/boards/<board:name>")
    def embedded_board(name: str) -> Response:
        if feed.find(name) is None:
            raise NotFound
        return embedded(name, f"/feed/boards/{name}/", name)

    @app.get("/embed/tournaments/<number:number>")
    def embedded_tournament(number: int) -> Response:
        with database(Tournaments, url) as ledger:
            found = ledger.find(number)
        if found is None:
            raise NotFound
        return embedded(found.terms.name, f"/feed/tournaments/{number}/")
