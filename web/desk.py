"""The operator's desk: signing in with the PIN, commands to the referee, the camera's picture. Changes need the PIN."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from io import BytesIO
from operator import or_
from typing import Any, Literal, cast
from urllib.parse import urlsplit

import msgspec
import segno
from flask import Blueprint, Flask, Response, current_app, redirect, request, url_for
from werkzeug.exceptions import Forbidden, NotFound, TooManyRequests

from web.answered import Answered
from web.api import Media, described, header
from web.hosts import is_loopback
from web.joining import Joiner, joining_pages
from web.operator import (
    Answer,
    FoundBoard,
    GameLines,
    Legal,
    MatchAnalysis,
    NoBoard,
    Operator,
    PhotoRead,
    Refusal,
)
from web.pages import chosen_language, json_answer, page, page_words, script_data, sequence_in, value_answer
from web.places import household
from web.records_pages import Silent, Unseen, records_pages
from web.report import GAME, LINE, MATCH, ONE_ACT, THROWN, legal_answer, obeyed, report_pages
from web.security import PinKeeper
from web.sessions import (
    FROM_STRANGERS,
    door_of,
    from_here,
    may_set_up,
    require_desk,
    sign_in,
    sign_out,
    signed_in,
    token,
    who_asks,
)
from web.wizard import Wizard
from web.wizard_pages import add_wizard
from web.words import LANGUAGES

LARGEST_PHOTO = 24 * 1024 * 1024
"""A phone's largest JPEG; other requests stay under the application's limit."""
PHOTO = Media(("image/jpeg", "image/png", "image/webp"))
REFUSED, TOO_LARGE = "Refused, with the reason", "Too large"
REFUSES = {409: REFUSED, 413: TOO_LARGE}
VIEW = "View"
"""The header with the number of a view: of a command the one at which it is said, of its answer the newest."""
SEEN = header(
    VIEW,
    "The sequence of the view at which it is said: what names neither a side nor a line, such as undo, is refused where more has"
    " been played or said since. The answer has that of the newest view",
)


@dataclass(frozen=True)
class Desk:
    """What the desk needs. secure: the page is served over https, so that cookies may insist on it. wizard: of the set-up.

    host: tells by which address others reach this machine; "" or a loopback address where they can't. public_lists: viewers may see
    every player's matches and error rates ("My games"); else only who has signed in. joiner: of the hub of many boards.
    """

    operator: Operator[Any]
    keeper: PinKeeper
    secure: bool = False
    wizard: Wizard | None = None
    host: Callable[[], str] = lambda: ""
    public_lists: bool = True
    joiner: Joiner | None = None

    @property
    def lists_open(self) -> bool:
        """Whether whoever asks now may see the lists."""
        return self.public_lists or signed_in()


def add_desk(
    app: Flask, desk: Desk, unseen: Unseen | None = None, silent: Silent = lambda: None, *, frames: bool = True
) -> None:
    """Adds the desk's addresses to the application. unseen: None where nobody sees anything later; else a record waits until
    viewers have seen its match. Of what is said in the silent one they read nothing while it is on. frames: a camera takes pictures
    of what happens."""
    door_of(app).large["/api/photo"] = LARGEST_PHOTO
    desk.keeper.replaced = door_of(app).sessions.end_all
    app.before_request(desk.keeper.look_again)
    app.register_blueprint(_signing(desk, frames=frames))
    if desk.wizard is not None:
        add_wizard(app, desk.wizard, desk.keeper, lambda: viewers_address(desk.host()))
    if desk.joiner is not None:
        note = desk.wizard.note if desk.wizard is not None else lambda what, by: None
        app.register_blueprint(joining_pages(desk.joiner, note))
    app.register_blueprint(_commands(desk.operator))
    app.register_blueprint(report_pages(desk.operator))
    app.register_blueprint(
        records_pages(desk.operator, lambda: desk.lists_open, lambda: viewers_address(desk.host()), unseen, silent)
    )


def _signing(desk: Desk, *, frames: bool) -> Blueprint:
    pages = Blueprint("desk", __name__)

    @pages.get("/desk")
    def show() -> Response:
        chosen = chosen_language("desk")
        if chosen is not None:
            return chosen
        words = page_words()
        if not signed_in():
            return page("signin.html", words, languages=LANGUAGES, wrong=False)
        return page(
            "desk.html",
            words,
            languages=LANGUAGES,
            token=token(),
            data=script_data(words, "desk.js", frames=frames),
            address=viewers_address(desk.host()),
            hub=desk.joiner is not None,
            sets_up=may_set_up(),
        )

    @pages.get("/table")
    def table() -> Response:
        """The screen beside the board; its buttons are an operator's."""
        chosen = chosen_language("table")
        if chosen is not None:
            return chosen
        words = page_words()
        return page("table.html", words, token=token(), data=script_data(words, "table.js"))

    @pages.post("/desk")
    @pages.post("/setup")
    def enter() -> Response:
        if not from_here(request):
            raise Forbidden
        request.max_content_length = FROM_STRANGERS
        pin = request.form.get("pin", "")[:64].replace(" ", "")
        try:
            right = desk.keeper.check(pin, household(request.remote_addr or ""))
        except TooManyRequests as error:
            return _has_to_wait(error)
        if right:
            wanted = desk.wizard is not None and (request.path == "/setup" or not desk.wizard.ready())
            return sign_in(cast(Response, redirect(url_for("setup.show" if wanted else "desk.show"), 303)))
        answer = page("signin.html", page_words(), languages=LANGUAGES, wrong=True)
        answer.status_code = 403
        return answer

    @pages.post("/desk/leave")
    @described("Signs this browser out", Answer)
    def leave() -> Response:
        require_desk()
        return sign_out(value_answer(Answer(True)))

    @pages.get("/qr.svg")
    def qr() -> Response:
        """The viewers' address as a QR code; nothing where no other device can reach the page."""
        address = viewers_address(desk.host())
        if not address:
            raise NotFound
        drawn = BytesIO()
        segno.make(address, error="m").save(drawn, kind="svg", scale=8, border=2, xmldecl=False)
        return Response(drawn.getvalue(), mimetype="image/svg+xml")

    return pages


def _has_to_wait(error: TooManyRequests) -> Response:
    """The form with the seconds to wait. error: as PinKeeper.check() raises it."""
    seconds = error.retry_after if isinstance(error.retry_after, int) else 0
    answer = page("signin.html", page_words(), languages=LANGUAGES, wrong=False, wait=seconds)
    answer.status_code = 429
    answer.headers["Retry-After"] = str(seconds)
    return answer


def viewers_address(host: str) -> str:
    """The page's address for others: the one that was asked for, or this machine's where that was only its own name for itself;
    "" where there is none that another device can reach."""
    asked = urlsplit(request.url_root)
    if not is_loopback(asked.hostname or ""):
        return request.url_root
    if not host or is_loopback(host):
        return ""
    port = f":{asked.port}" if asked.port else ""
    return f"{asked.scheme}://{f'[{host}]' if ':' in host else host}{port}{asked.path}"


def _commands(operator: Operator[Any]) -> Blueprint:
    pages = Blueprint("commands", __name__)
    pages.before_request(require_desk)

    answered = Answered()
    commands = reduce(or_, operator.command_types)
    decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(commands)

    @pages.post("/api/command")
    @described("A command to the referee", Answer, takes=commands, refuses=REFUSES, parameters=[ONE_ACT, SEEN])
    def command() -> Response:
        by, seen = who_asks(), sequence_in(VIEW)
        answer = obeyed(lambda command: operator.command(command, by, seen), decoder, answered)
        latest = current_app.extensions["view_hub"].latest
        if latest is not None:
            answer.headers[VIEW] = str(latest.sequence)
        return answer

    corrections = reduce(or_, operator.correction_types)
    of_correction: msgspec.json.Decoder[Any] = msgspec.json.Decoder(corrections)

    @pages.post("/api/matches/<identity>/command")
    @described("A correction of a match, on or not", Answer, takes=corrections, refuses=REFUSES, parameters=[ONE_ACT])
    def correct(identity: str) -> Response:
        by = who_asks()
        return obeyed(lambda command: operator.correct(identity, command, by), of_correction, answered)

    @pages.get("/api/legal")
    @described(
        "The legal plays of the turn in progress, or of a line",
        Legal,
        closed=True,
        parameters=[GAME, LINE, MATCH, THROWN],
    )
    def legal() -> Response:
        return legal_answer(operator)

    @pages.get("/api/games")
    @described("The games of the match before the present one", list[GameLines], closed=True)
    def games() -> Response:
        return json_answer(msgspec.json.encode(operator.games()))

    @pages.get("/api/camera.jpg")
    @described("The camera's newest picture", Media(("image/jpeg",)), closed=True, missing=True)
    def picture() -> Response:
        taken = operator.picture()
        if taken is None:
            raise NotFound
        return Response(taken, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})

    @pages.get("/api/find")
    @described("Where the board lies in it", FoundBoard, NoBoard, closed=True)
    def find() -> Response:
        return value_answer(operator.find())

    @pages.post("/api/photo")
    @described("Reads a photo of a board", PhotoRead, Refusal, takes=PHOTO, refuses={413: TOO_LARGE})
    def photo() -> Response:
        request.max_content_length = LARGEST_PHOTO
        return value_answer(operator.read(request.get_data()))

    @pages.post("/api/test/<any(lamps, buzzer):what>")
    @described("Lights every lamp, or sounds the buzzer", Answer)
    def test(what: Literal["lamps", "buzzer"]) -> Response:
        return value_answer(operator.test(what))

    @pages.post("/api/matches/<identity>/analysis")
    @described("Has GNU Backgammon judge a match, and keeps what it says", MatchAnalysis, Refusal)
    def analyse(identity: str) -> Response:
        return value_answer(operator.analyse(identity))

    return pages
