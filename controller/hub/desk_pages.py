"""From the hub to a board's own desk: /boards/NAME/desk, for whoever may do something there."""

from __future__ import annotations

from typing import cast
from urllib.parse import urlsplit

from flask import Flask, Response, redirect, request
from werkzeug.exceptions import NotFound

from controller.hub.asking import database
from controller.hub.door import HubDoor
from controller.hub.joining import Codes
from controller.hub.passes import DeskPasses
from controller.hub.shown import BoardViews
from vision.sentence import Sentence
from web.hosts import is_loopback
from web.pages import page, page_words


def add_desks(app: Flask, views: BoardViews, door: HubDoor, passes: DeskPasses, url: str) -> None:
    """Adds the address. url: of the database."""

    @app.get("/boards/<board:name>/desk")
    def desk(name: str) -> Response:
        person = door.require("scorer")
        with database(Codes, url) as opened:
            key = opened.key(name)
            if key is None and views.open(name) is None:
                raise NotFound
            there = urlsplit(passes.page(name)).hostname or ""
            # A board that only its own machine reaches: elsewhere that name means another machine.
            reached = not is_loopback(there) or is_loopback(urlsplit(request.url_root).hostname or "")
            address = passes.address(name, key, person) if key and reached else None
            if address is not None:
                opened.keep_act(person.name, Sentence("went to the desk of"), name)
        if address is None:
            answer = page("nodesk.html", page_words(), board=name, joined=key is not None)
            answer.status_code = 409
            return answer
        answer = cast(Response, redirect(address, 303))
        answer.headers["Cache-Control"] = "no-store"
        answer.headers["Referrer-Policy"] = "no-referrer"
        return answer
