"""The director's page: what needs somebody now, what the hub has noticed about its boards, and who did what.

/alerts; who may answer marks a notice as seen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import msgspec
from flask import Flask, Response, redirect, request
from werkzeug.exceptions import BadRequest

from controller.hub.acts import Acts
from controller.hub.alerts import alerts_of, tiles_in
from controller.hub.asking import database
from controller.hub.door import HubDoor
from controller.hub.subscriptions import PushSubscription, Subscriptions, public_key
from controller.hub.wall import Wall
from vision.sentence import Sentence
from web.operator import Answer
from web.pages import page, page_words, script_data, value_answer
from web.sessions import token
from web.words import message

SHOWN = 100


@dataclass(frozen=True)
class Notice:
    """What was noticed about a board, and who has seen it. at: UTC. code, fields: what its sentence was made of; "" and None where
    an earlier version has kept it."""

    number: int
    at: str
    board: str
    sentence: str
    code: str
    fields: dict[str, object] | None
    seen_by: str | None

    def in_words(self, language: str) -> str:
        """In that language."""
        try:
            made = Sentence(self.code, **self.fields) if self.code and self.fields is not None else self.sentence
            return message(made).words[language]
        except (KeyError, ValueError, TypeError):
            return self.sentence


class Notices(Acts):
    """Those of the database. Every method raises StoreError."""

    def newest(self) -> tuple[Notice, ...]:
        """The newest first."""
        rows = self._rows(
            "select id, to_char(at at time zone 'UTC', 'YYYY-MM-DD HH24:MI'), board, sentence, code, fields, seen_by "
            "from notices order by id desc limit %s",
            (SHOWN,),
        )
        return tuple(Notice(*row) for row in rows)

    def see(self, number: int, who: str) -> None:
        """Somebody has seen it; whoever was first."""
        with self.transaction():
            done = self._rows(
                "update notices set seen_by = %s, seen_at = now() where id = %s and seen_by is null returning board",
                (who, number),
            )
            if done:
                self.keep_act(who, Sentence("has seen a notice"), done[0][0])


def add_alerts(app: Flask, wall: Wall, door: HubDoor, url: str, *, push: bool = False) -> None:
    """Adds the pages. url: of the database; push: browsers may be called."""

    @app.get("/alerts")
    def alerts() -> Response:
        person = door.require("viewer")
        with database(Notices, url) as opened:
            noticed, acts = opened.newest(), opened.acts() if person.may("director") else ()
        words = page_words()
        if push:
            with database(Subscriptions, url) as opened_too:
                key = public_key(opened_too.key())
        return page(
            "alerts.html",
            words,
            push=key if push else "",
            data=script_data(words, "alerts.js") if push else "",
            standing=alerts_of(tiles_in(wall.latest)),
            notices=noticed,
            acts=acts,
            answers=person.may("scorer"),
            directs=person.may("director"),
            token=token(),
        )

    @app.post("/alerts/seen")
    def seen() -> Response:
        person = door.require_change("scorer")
        number = request.form.get("notice", "")
        if not (number.isascii() and number.isdigit() and len(number) < 18):
            raise BadRequest
        with database(Notices, url) as opened:
            opened.see(int(number), person.name)
        return cast(Response, redirect("/alerts", 303))

    if push:
        _add_phones(app, door, url)


def _add_phones(app: Flask, door: HubDoor, url: str) -> None:
    """Where a browser says that it wants to be called, or no longer, and hears whether it is."""

    def subscription() -> PushSubscription:
        try:
            return _SUBSCRIPTION.decode(request.get_data())
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise BadRequest from error

    @app.post("/alerts/phone")
    def phone() -> Response:
        person, one = door.require_command("viewer"), subscription()
        if not one.is_sound():
            raise BadRequest
        with database(Subscriptions, url) as opened:
            opened.add(person.name, one, page_words().language)
        return value_answer(Answer(True))

    @app.post("/alerts/phone/known")
    def known_phone() -> Response:
        door.require_command("viewer")
        with database(Subscriptions, url) as opened:
            return value_answer(Answer(opened.is_known(subscription().endpoint)))

    @app.post("/alerts/phone/leave")
    def no_phone() -> Response:
        person, one = door.require_command("viewer"), subscription()
        with database(Subscriptions, url) as opened:
            opened.remove(person.name, one.endpoint)
        return value_answer(Answer(True))


_SUBSCRIPTION = msgspec.json.Decoder(PushSubscription)
