"""The hub's door: who may see its pages, signing in and out, and what only some roles may.

Nothing but the sign-in page is shown to whoever is not signed in, unless the settings open the hub to everybody.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from contextlib import suppress
from typing import cast
from urllib.parse import quote

from flask import Flask, Response, redirect, request
from werkzeug.exceptions import Forbidden, ServiceUnavailable, TooManyRequests, Unauthorized

from controller.hub.asking import database
from controller.hub.errors import StoreError
from controller.hub.people import AccountRole, Known, Person, Register
from vision.sentence import Sentence
from web.pages import chosen_language, page, page_words
from web.places import household
from web.security import Waits
from web.sessions import FROM_STRANGERS, door_of, from_here, session_here, sign_in, sign_out
from web.words import LANGUAGES

OPEN = (
    "/signin",
    "/invited",
    "/join",
    "/join/ask",
    "/join/take",
    "/healthz",
    "/manifest.json",
    "/worker.js",
    "/api/openapi.json",
)
PERMALINK = re.compile(r"/boards/[a-z0-9-]{1,40}/(replay|api/matches/[^/]+(/analysis|/export\.[a-z]+)?)")
"""What anybody may ask for where the settings show the world what is played: a match that is over, at an address that stays."""

OPEN_BELOW = ("/static/", "/feed/", "/embed/")
"""What anybody may ask for; where the settings show no feed, there is nothing at its addresses."""


class HubDoor:
    """Added to an application once. url: of the database, as libpq takes it; known: who is somebody; public: whoever is not
    signed in may look; world: they may look at matches that are over. leaves: takes a name that is signed out everywhere."""

    def __init__(
        self,
        app: Flask,
        url: str,
        known: Known,
        leaves: Callable[[str], None] = lambda who: None,
        *,
        public: bool,
        world: bool = False,
    ) -> None:
        self._url, self._public, self._world = url, public, world
        self._known, self._leaves, self._waits = known, leaves, Waits()
        self._door = door_of(app)
        known.changed = self._end
        app.before_request(self._check)
        app.add_url_rule("/signin", "signin", self._form)
        app.add_url_rule("/signin", "enter", self._enter, methods=["POST"])
        app.add_url_rule("/signout", "signout", self._leave, methods=["POST"])

    def person(self) -> Person | None:
        """Who asks; None for whoever is not signed in, or has been removed since."""
        session = session_here()
        if session is None or not session.name:
            return None
        try:
            person = self._known.person(session.name)
        except StoreError as error:
            raise ServiceUnavailable from error
        return person if session_here() is not None else None  # Asking may have shown that the password is another.

    def sign_out(self, name: str) -> None:
        """Whoever is signed in under that name is so no longer, here and at the boards' desks: it has gone or changed."""
        with suppress(StoreError):
            self._known.person_now(name)  # so that whoever signs in next is not taken for who was signed in before
        self._end(name)

    def _end(self, name: str) -> None:
        self._door.sessions.end_named(name)
        self._leaves(name)

    def is_stranger(self) -> bool:
        """Whether whoever asks sees only what the world may."""
        return not self._public and self.person() is None

    def require(self, role: AccountRole) -> Person:
        """Who asks, where they have that role. Raises Unauthorized, Forbidden."""
        person = self.person()
        if person is None:
            raise Unauthorized
        if not person.may(role):
            raise Forbidden
        return person

    def require_change(self, role: AccountRole, most: int = FROM_STRANGERS) -> Person:
        """The same of a form that changes something: it must come from our own page. most: its bytes.

        Raises Unauthorized, Forbidden.
        """
        person, session = self.require(role), session_here()
        request.max_content_length = most
        sent = request.form.get("csrf", "").encode("utf-8", "replace")
        if session is None or not from_here(request) or not secrets.compare_digest(sent, session.token.encode()):
            raise Forbidden
        return person

    def require_command(self, role: AccountRole) -> Person:
        """The same of what a script of our page sends. Raises Unauthorized, Forbidden."""
        person = self.require(role)
        request.max_content_length = FROM_STRANGERS
        if not self._door.may_change(request):
            raise Forbidden
        return person

    def _check(self) -> Response | None:
        if self._public or request.path in OPEN or request.path.startswith(OPEN_BELOW) or self.person() is not None:
            return None
        if self._world and request.method in ("GET", "HEAD") and PERMALINK.fullmatch(request.path):
            return None
        if request.method == "GET" and not request.path.endswith("/events") and "/api/" not in request.path:
            return cast(Response, redirect(f"/signin?next={quote(request.full_path.rstrip('?'))}", 303))
        raise Unauthorized

    def _form(self) -> Response:
        chosen = chosen_language("signin")
        return chosen or page("hub_signin.html", page_words(), languages=LANGUAGES, wrong=False, next=_next())

    def _enter(self) -> Response:
        if not from_here(request):
            raise Forbidden
        request.max_content_length = FROM_STRANGERS
        name, password = request.form.get("name", "")[:64].strip(), request.form.get("password", "")[:64].strip()
        who = household(request.remote_addr or "")
        try:
            counted = self._waits.count(who)
        except TooManyRequests as error:
            seconds = error.retry_after if isinstance(error.retry_after, int) else 0
            answer = page("hub_signin.html", page_words(), languages=LANGUAGES, wait=seconds, next=_next())
            answer.status_code = 429
            answer.headers["Retry-After"] = str(seconds)
            return answer
        with database(Register, self._url) as register:
            right = register.is_right(name.replace("\0", ""), password)
            if right:
                register.keep_act(name, Sentence("signed in"))
        if right:
            self._waits.passed(who, counted)
            try:
                self._known.person_now(name)
            except StoreError as error:
                raise ServiceUnavailable from error
            return sign_in(cast(Response, redirect(_next(), 303)), name)
        answer = page("hub_signin.html", page_words(), languages=LANGUAGES, wrong=True, next=_next())
        answer.status_code = 403
        return answer

    def _leave(self) -> Response:
        self._leaves(self.require_change("viewer").name)
        return sign_out(cast(Response, redirect("/signin", 303)))


def _next() -> str:
    """Where to go afterwards: a page of ours, never another site's."""
    wanted = request.values.get("next", "/")
    inside = wanted.startswith("/") and not wanted.startswith(("//", "/\\")) and wanted.isprintable()
    return wanted if inside else "/"
