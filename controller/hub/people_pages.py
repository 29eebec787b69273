"""The people on the hub's pages: a director invites with a link and a QR code, whoever opens that chooses a password.

/people who there is, for directors; /invited what an invitation's link opens.
"""

from __future__ import annotations

from typing import cast
from urllib.parse import urlencode

import segno
from flask import Flask, Response, redirect, request
from werkzeug.exceptions import BadRequest, Forbidden

from controller.hub.asking import database
from controller.hub.door import HubDoor
from controller.hub.errors import HubError
from controller.hub.invitations import HOURS, LONGEST, SHORTEST, Invitations
from controller.hub.people import ROLES
from web.pages import chosen_language, page, page_words
from web.sessions import FROM_STRANGERS, from_here, sign_in, token
from web.words import LANGUAGES


def add_people(app: Flask, door: HubDoor, url: str) -> None:
    """Adds the pages. url: of the database."""

    def listed(link: str = "", refused: str = "") -> Response:
        with database(Invitations, url) as opened:
            roles, waiting = opened.roles(), opened.waiting()
        person = door.require("director")
        return page(
            "people.html", page_words(), people=roles, waiting=waiting, own=person.name, roles=ROLES, hours=HOURS,
            link=link, qr=qr_of(link), refused=refused, token=token(),
        )  # fmt: skip

    @app.get("/people")
    def people() -> Response:
        door.require("director")
        return listed()

    @app.post("/people")
    def invite() -> Response:
        who = door.require_change("director")
        name, role = request.form.get("name", "").strip(), request.form.get("role", "")
        found = next((one for one in ROLES if one == role), None)
        if found is None:
            raise BadRequest
        try:
            with database(Invitations, url) as opened:
                code = opened.invite(who.name, name, found)
        except HubError:
            return listed(refused="name")
        return listed(f"{request.url_root}invited?{urlencode({'code': code})}")

    @app.post("/people/dismiss")
    def dismiss() -> Response:
        who, name = door.require_change("director"), request.form.get("name", "")
        if name == who.name:
            raise BadRequest
        with database(Invitations, url) as opened:
            opened.dismiss(who.name, name.replace("\0", ""))
        door.sign_out(name)
        return cast(Response, redirect("/people", 303))

    @app.get("/invited")
    def invited() -> Response:
        return chosen_language("invited") or form()

    def form(wrong: str = "") -> Response:
        with database(Invitations, url) as opened:
            person = opened.invited(_code())
        answer = page(
            "invited.html", page_words(), languages=LANGUAGES, person=person, code=_code(), wrong=wrong, least=SHORTEST,
            most=LONGEST,
        )  # fmt: skip
        answer.status_code = 403 if person is None or wrong else 200
        return answer

    @app.post("/invited")
    def accept() -> Response:
        if not from_here(request):
            raise Forbidden
        request.max_content_length = FROM_STRANGERS
        password = request.form.get("password", "").strip()
        if password != request.form.get("again", "").strip():
            return form("again")
        with database(Invitations, url) as opened:
            person = opened.invited(_code())
            if person is None:
                return form()
            if not SHORTEST <= len(password) <= LONGEST or password.casefold() == person.name.casefold():
                return form("weak")
            person = opened.accept(_code(), password)
        if person is None:
            return form()
        # Whoever was signed in under this name knew the password before.
        door.sign_out(person.name)
        return sign_in(cast(Response, redirect("/", 303)), person.name)


def qr_of(link: str) -> str:
    """A picture of it, "" for none. White around it: a phone finds nothing on a dark page."""
    return str(segno.make(link, error="m").svg_data_uri(scale=6, border=4, light="#fff")) if link else ""


def _code() -> str:
    return request.values.get("code", "")[:64]
