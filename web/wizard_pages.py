"""The set-up's addresses: the page /setup, what it asks while somebody walks through it, and a new PIN. All need the PIN but the
first page, which asks for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast, get_args

import msgspec
from flask import Blueprint, Flask, Response, current_app, request
from werkzeug.exceptions import BadRequest, Forbidden, NotFound

from web.api import JPEG, described, query
from web.errors import WebError
from web.operator import Answer, Refusal
from web.pages import chosen_language, json_answer, page, page_words, script_data, value_answer
from web.security import PinKeeper, good_pin
from web.sessions import DeskSession, door_of, may_set_up, require_set_up, session_here, signed_in, token, who_asks
from web.wizard import (
    At,
    BoardSeen,
    CameraSeen,
    LampGroup,
    Lit,
    NewPin,
    PanelButton,
    SetUpState,
    UseCamera,
    Wizard,
)
from web.words import LANGUAGES, POOR_PIN, WRONG_PIN, worded

Body = TypeVar("Body", bound=msgspec.Struct)

CAMERA = query("camera", "Its source, as /api/setup/cameras names it")
REFUSED = {409: "Refused, with the reason"}
BODIES: dict[type, msgspec.json.Decoder[Any]] = {kind: msgspec.json.Decoder(kind) for kind in (At, NewPin, UseCamera)}
PIN_NOT_KEPT = (
    "The new PIN could not be written to the disk, so the old one still holds. Free some space on it, see that the folder of the "
    "journal may be written to, and try again."
)
NO_SUCH_BODY = {400: "Not such an object", 413: "Too large"}


def add_wizard(app: Flask, wizard: Wizard, keeper: PinKeeper, address: Callable[[], str]) -> None:
    """Adds the set-up's addresses to the application. address: the page's for other devices, "" where they can't reach it."""
    app.register_blueprint(_page(address))
    app.register_blueprint(_steps(wizard))
    app.register_blueprint(_pin(keeper, wizard))


def _page(address: Callable[[], str]) -> Blueprint:
    pages = Blueprint("setup", __name__)

    @pages.get("/setup")
    def show() -> Response:
        chosen = chosen_language("setup#pin" if signed_in() else "setup")
        if chosen is not None:
            return chosen
        words = page_words()
        if not signed_in():
            return page("signin.html", words, languages=LANGUAGES, wrong=False)
        if not may_set_up():
            raise Forbidden
        return page(
            "setup.html",
            words,
            languages=LANGUAGES,
            token=token(),
            data=script_data(words, "wizard.js"),
            address=address(),
        )

    return pages


def _steps(wizard: Wizard) -> Blueprint:
    pages = Blueprint("steps", __name__, url_prefix="/api/setup")
    pages.before_request(require_set_up)

    def state(answer: Answer) -> Response:
        if not answer.ok:
            return value_answer(answer, 409)
        return value_answer(wizard.state())

    @pages.get("")
    @described("How far the set-up is", SetUpState, closed=True)
    def look() -> Response:
        return value_answer(wizard.state())

    @pages.post("/at")
    @described(
        "Somebody is at this step; said again at least every 45 s, or the match goes on",
        SetUpState,
        takes=At,
        refuses=REFUSED | NO_SUCH_BODY,
    )
    def at() -> Response:
        where = _body(At)
        answer = wizard.at(where)
        if answer.ok and where.before and not where.still and wizard.state().done.get(where.before) == "done":
            wizard.note(where.before, who_asks())
        return state(answer)

    @pages.post("/leave")
    @described("Nobody is at it any more: the match goes on", SetUpState, refuses=REFUSED)
    def leave() -> Response:
        return state(wizard.leave())

    @pages.get("/seen")
    @described("What is read on the board; null before anything is", BoardSeen | None, closed=True)
    def seen() -> Response:
        return value_answer(wizard.seen())

    @pages.get("/cameras")
    @described("The cameras that are plugged in, to choose from", list[CameraSeen], closed=True)
    def cameras() -> Response:
        return json_answer(msgspec.json.encode(wizard.cameras()))

    @pages.get("/glance.jpg")
    @described("What one of them sees now", JPEG, closed=True, missing=True, parameters=[CAMERA])
    def glance() -> Response:
        picture = wizard.glance(request.args.get("camera", ""))
        if isinstance(picture, Refusal):
            raise NotFound
        return Response(picture, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})

    @pages.post("/camera")
    @described("Referees another camera's pictures", SetUpState, takes=UseCamera, refuses=REFUSED | NO_SUCH_BODY)
    def use() -> Response:
        answer = wizard.use(_body(UseCamera))
        if answer.ok:
            wizard.note("camera", who_asks())
        return state(answer)

    @pages.post(f"/lamps/<any({_listed(LampGroup)}):group>")
    @described("Lights some lamps for a moment", Lit, refuses=REFUSED)
    def light(group: LampGroup) -> Response:
        lit = wizard.light(group)
        return value_answer(lit, 200 if lit.ok else 409)

    @pages.post(f"/press/<any({_listed(PanelButton)}):button>")
    @described("Presses a button of the page's own panel", SetUpState, refuses=REFUSED)
    def press(button: PanelButton) -> Response:
        return state(wizard.press(button))

    return pages


def _pin(keeper: PinKeeper, wizard: Wizard) -> Blueprint:
    pages = Blueprint("pin", __name__)
    pages.before_request(require_set_up)

    @pages.post("/api/setup/pin")
    @described(
        "Another PIN; all other browsers are signed out",
        Answer,
        takes=NewPin,
        refuses=REFUSED | NO_SUCH_BODY | {429: "Too many wrong PINs"},
    )
    def change() -> Response:
        """A new PIN; all other browsers are signed out."""
        asked = _body(NewPin)
        session = session_here()
        assert session is not None  # or require_set_up would have refused
        answer = Answer(True)
        if not good_pin(asked.new):
            answer = Answer(False, POOR_PIN, message=worded(POOR_PIN))
        elif not keeper.check(asked.now.replace(" ", ""), session.identity, known=True):
            answer = Answer(False, WRONG_PIN, message=worded(WRONG_PIN))
        else:
            answer = _changed(asked.new, session)
        return value_answer(answer, 200 if answer.ok else 409)

    def _changed(pin: str, session: DeskSession) -> Answer:
        try:
            keeper.change(pin)
        except WebError:
            return Answer(False, PIN_NOT_KEPT, message=worded(PIN_NOT_KEPT))
        wizard.note("pin", session.name)
        door_of(current_app).sessions.end_others(session.identity)
        return Answer(True)

    return pages


def _body(kind: type[Body]) -> Body:
    """The request's JSON. Raises BadRequest where it is no such thing."""
    try:
        return cast(Body, BODIES[kind].decode(request.get_data()))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadRequest from error


def _listed(names: object) -> str:
    """A Literal's names for an address."""
    return ", ".join(f'"{name}"' for name in get_args(names))
