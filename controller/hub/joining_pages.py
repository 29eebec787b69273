"""The boards on the hub's pages: a director adds one with a code, as text and QR, and removes one.

/hall who there is, for directors; /join what a QR code opens, for whoever stands at the board; /join/ask and /join/take what the
board itself asks (controller/record/joining.py).
"""

from __future__ import annotations

from typing import Any, TypeVar, cast
from urllib.parse import urlencode

import msgspec
from flask import Blueprint, Flask, Response, current_app, redirect, request
from werkzeug.exceptions import BadRequest, Forbidden, ServiceUnavailable

from controller.hub.asking import database
from controller.hub.broker_admin import BrokerAdmin
from controller.hub.door import HubDoor
from controller.hub.errors import HubError
from controller.hub.joining import Codes, Member
from controller.hub.people_pages import qr_of
from controller.hub.settings import BrokerSettings
from controller.record.joining import ASK, MINUTES, TAKE, Ask, Given, Offer, TakeKey, plain, sealed
from controller.run.trusting import authority_text
from terms.order import natural_key
from web.hosts import is_loopback
from web.pages import chosen_language, page, page_words, value_answer
from web.places import household
from web.security import Waits
from web.sessions import FROM_STRANGERS, token
from web.words import LANGUAGES, message

Body = TypeVar("Body", bound=msgspec.Struct)
_BODIES: dict[type, msgspec.json.Decoder[Any]] = {kind: msgspec.json.Decoder(kind) for kind in (Ask, TakeKey)}


def add_joining(app: Flask, door: HubDoor, url: str, broker: BrokerSettings) -> None:
    """Adds the pages. url: of the database."""
    admin, waits = BrokerAdmin(broker), Waits()
    pages = Blueprint("joining", __name__)

    def listed(code: str = "", board: str = "", refused: str = "") -> Response:
        door.require("director")
        there: tuple[str, ...] = ()
        words, trouble = page_words(), ""
        try:
            there = admin.boards()
        except HubError as error:
            trouble = message(error.sentence).words[words.language]
        with database(Codes, url) as opened:
            members, waiting = opened.members(), opened.waiting()
        names = sorted({*there, *members}, key=lambda name: (natural_key(name), name))
        link = f"{request.url_root}join?{urlencode({'code': code})}" if code else ""
        return page(
            "hall.html", words, boards=[members.get(name, Member(name)) for name in names], there=there,
            waiting=sorted(waiting, key=lambda one: natural_key(one[0])), link=link, shown=_in_groups(code) if code else "",
            board=board, minutes=MINUTES, refused=refused, qr=qr_of(link), trouble=trouble, token=token(),
        )  # fmt: skip

    @pages.get("/hall")
    def hall() -> Response:
        door.require("director")
        return chosen_language("hall") or listed()

    @pages.post("/hall")
    def offer() -> Response:
        who, board = door.require_change("director"), request.form.get("board", "").strip().lower()
        try:
            admin.boards()  # A code that the broker would not honour is none.
            with database(Codes, url) as opened:
                code = opened.offer(who.name, board, broker.name)
        except HubError:
            return listed(refused="own" if board == broker.name else "name")
        return listed(code, board)

    @pages.post("/hall/dismiss")
    def dismiss() -> Response:
        who, board = door.require_change("director"), request.form.get("board", "").replace("\0", "")
        if board == broker.name:
            raise BadRequest
        try:
            with database(Codes, url) as opened:
                opened.dismiss(who.name, board, admin.shut_out)
        except HubError as error:
            raise ServiceUnavailable from error
        return cast(Response, redirect("/hall", 303))

    @pages.get("/join")
    def join() -> Response:
        code = plain(request.args.get("code", "")[:64])
        answer = chosen_language("join") or page(
            "join.html", page_words(), languages=LANGUAGES, shown=_in_groups(code) if code else "", minutes=MINUTES
        )
        answer.headers["Cache-Control"] = "no-store"
        return answer

    @pages.post(ASK)
    def ask() -> Response:
        who, asked = household(request.remote_addr or ""), _body(Ask)
        counted = _counted(waits, who)
        with database(Codes, url) as opened:
            key = opened.seal_key(asked.found)
        if key is None:
            raise Forbidden
        waits.passed(who, counted)
        authority = _authority(broker)
        return value_answer(Offer(authority, sealed(key, asked.nonce, authority)))

    @pages.post(TAKE)
    def take() -> Response:
        who, shown = household(request.remote_addr or ""), _body(TakeKey)
        counted = _counted(waits, who)
        try:
            with database(Codes, url) as opened:
                joined = opened.take(shown.code, admin.let_in)
        except HubError as error:
            raise ServiceUnavailable from error
        if joined is None:
            raise Forbidden
        waits.passed(who, counted)
        host = broker.address or ("" if is_loopback(broker.host) else broker.host)
        given = Given(joined.name, joined.password, joined.key, host, broker.port, broker.tls, _authority(broker))
        answer = value_answer(given)
        answer.headers["Cache-Control"] = "no-store"
        return answer

    app.register_blueprint(pages)


def _counted(waits: Waits, who: str) -> float:
    """Raises TooManyRequests. Each address waits for its own wrong codes alone: all of them together guess none."""
    return waits.count(who, known=True)


def _in_groups(code: str) -> str:
    """What somebody types at the board."""
    grouped = "-".join(code.replace("-", "")[at : at + 4] for at in range(0, len(code.replace("-", "")), 4))
    secure = current_app.config["HTTPS"]
    return f"{grouped}@{'' if secure else 'http://'}{request.host}"


def _authority(broker: BrokerSettings) -> str:
    """Raises ServiceUnavailable where its file is gone."""
    if broker.ca is None or not broker.tls:
        return ""
    try:
        return authority_text(broker.ca)
    except OSError as error:
        raise ServiceUnavailable from error


def _body(kind: type[Body]) -> Body:
    """Raises BadRequest."""
    request.max_content_length = FROM_STRANGERS
    try:
        return cast(Body, _BODIES[kind].decode(request.get_data()))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadRequest from error
