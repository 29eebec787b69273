"""The hub of many boards on a board's own pages: joining one with the code that its director has given, and leaving it.

/hub, behind the PIN. The page knows no hub: what it asks of the program stands in Joiner.
"""

from __future__ import annotations

import secrets
from typing import Protocol, cast

import msgspec
from flask import Blueprint, Response, redirect, request, url_for
from werkzeug.exceptions import Forbidden

from web.pages import chosen_language, page, page_words
from web.sessions import from_here, session_here, signed_in, token
from web.view import Message
from web.words import LANGUAGES

LONGEST = 400


class HubSeen(msgspec.Struct, frozen=True):
    """The hub that this board belongs to. name: this board's there, "" for no hub; address: of its broker; trouble: what is wrong;
    sent: everything is there; fixed: the settings name it, so the page changes nothing."""

    name: str = ""
    address: str = ""
    trouble: str = ""
    sent: bool = False
    fixed: bool = False


class Joiner(Protocol):
    """From any thread."""

    def seen(self) -> HubSeen:
        """How it stands."""

    def join(self, invitation: str) -> Message | None:
        """Joins what it invites to; why not, where it could not."""

    def leave(self) -> None:
        """Belongs to no hub any more."""


def joining_pages(joiner: Joiner) -> Blueprint:
    """To be registered once."""
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
        return shown()

    @pages.post("/hub")
    def join() -> Response:
        require_form()
        typed = request.form.get("invitation", "")[:LONGEST].strip()
        refused = joiner.join(typed)
        return shown(refused, typed) if refused else cast(Response, redirect(url_for("joining.show"), 303))

    @pages.post("/hub/leave")
    def leave() -> Response:
        require_form()
        joiner.leave()
        return cast(Response, redirect(url_for("joining.show"), 303))

    return pages


def require_form() -> None:
    """Raises Forbidden for a form that is not from our own page and of somebody signed in."""
    session, sent = session_here(), request.form.get("csrf", "").encode("utf-8", "replace")
    if session is None or not from_here(request) or not secrets.compare_digest(sent, session.token.encode()):
        raise Forbidden
