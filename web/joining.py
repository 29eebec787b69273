"""The hub of many boards on a board's own pages: joining one with the code that its director has given, leaving it, and coming
to the desk by a pass of the hub.

/hub, behind the PIN; /hub/enter what the hub sends people to. The page knows no hub: what it asks of the program stands in Joiner.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Protocol, cast

import msgspec
from flask import Blueprint, Response, redirect, request, url_for
from werkzeug.exceptions import Forbidden

from web.pages import chosen_language, page, page_words
from web.sessions import (
    FROM_STRANGERS,
    from_here,
    may_set_up,
    require_form,
    sign_in,
    signed_in,
    token,
    who_asks,
)
from web.view import Message
from web.words import LANGUAGES

LONGEST = 400
LONGEST_PASS = 1000


class HubSeen(msgspec.Struct, frozen=True):
    """The hub that this board belongs to. name: this board's there, "" for no hub; address: of its broker; trouble: what is wrong;
    sent: everything is there; fixed: the settings name it, so the page changes nothing."""

    name: str = ""
    address: str = ""
    trouble: Message | None = None
    sent: bool = False
    fixed: bool = False


class Guest(msgspec.Struct, frozen=True):
    """Whom a pass lets in, and as what. identity: the pass's own name."""

    name: str
    role: Literal["scorer", "director"]
    identity: str


Note = Callable[[str, str], None]
"""Takes what was changed of the set-up, and by whom, where people have names."""


class Joiner(Protocol):
    """From any thread."""

    def seen(self) -> HubSeen:
        """How it stands."""

    def join(self, invitation: str) -> Message | None:
        """Joins what it invites to; why not, where it could not."""

    def leave(self) -> bool:
        """Belongs to no hub any more; False where it belongs to one still, as seen() then says."""

    def guest(self, text: str, *, use: bool) -> Guest | None:
        """Whom a pass lets in; None where it lets in nobody. use: it is good no longer."""


def joining_pages(joiner: Joiner, note: Note) -> Blueprint:
    """To be registered once. note: keeps who has joined a hub, or left it."""
    pages = Blueprint("joining", __name__)

    def shown(refused: Message | None = None, typed: str = "") -> Response:
        words = page_words()
        answer = page(
            "joining.html", words, languages=LANGUAGES, hub=joiner.seen(), typed=typed, token=token(),
            refused=refused.words[words.language] if refused else "",
        )  # fmt: skip
        answer.status_code = 409 if refused else 200
        return answer

    @pages.get("/hub")
    def show() -> Response:
        chosen = chosen_language("hub")
        if chosen is not None:
            return chosen
        if not signed_in():
            return cast(Response, redirect(url_for("desk.show"), 303))
        if not may_set_up():
            raise Forbidden
        return shown()

    @pages.post("/hub")
    def join() -> Response:
        require_form()
        typed = request.form.get("invitation", "")[:LONGEST].strip()
        refused = joiner.join(typed)
        if refused is None:
            note("hub joined", who_asks())
        return shown(refused, typed) if refused else cast(Response, redirect(url_for("joining.show"), 303))

    @pages.post("/hub/leave")
    def leave() -> Response:
        require_form()
        if joiner.leave():
            note("hub left", who_asks())
        return cast(Response, redirect(url_for("joining.show"), 303))

    @pages.get("/hub/enter")
    def knock() -> Response:
        """Asks first: an address that somebody else has made shall sign nobody in."""
        return chosen_language("enter") or asked()

    def asked() -> Response:
        guest = joiner.guest(_pass(), use=False)
        answer = page("entering.html", page_words(), languages=LANGUAGES, guest=guest, text=_pass())
        answer.status_code = 200 if guest else 403
        return answer

    @pages.post("/hub/enter")
    def enter() -> Response:
        if not from_here(request):
            raise Forbidden
        request.max_content_length = FROM_STRANGERS
        guest = joiner.guest(_pass(), use=True)
        if guest is None:
            return asked()
        to = cast(Response, redirect(url_for("desk.show"), 303))
        return sign_in(to, guest.name, guest.identity, sets_up=guest.role == "director")

    return pages


def _pass() -> str:
    return request.values.get("pass", "")[:LONGEST_PASS]
