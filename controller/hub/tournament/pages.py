"""The tournaments' pages: /tournaments lists them and takes new ones, /tournaments/NUMBER has rounds, results and standings.

Everybody who may see the hub sees them. A scorer types results, a director does the rest.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable
from typing import cast, get_args

from flask import Flask, Response, redirect, request
from werkzeug.datastructures import FileStorage
from werkzeug.exceptions import BadRequest, NotFound

from controller.hub.asking import database
from controller.hub.door import HubDoor
from controller.hub.errors import HubError
from controller.hub.people import AccountRole, Person
from controller.hub.settings import MOST_DELAY, FeedSettings
from controller.hub.tournament.draw import Format
from controller.hub.tournament.ledger import Terms, Tournament, TournamentError, Tournaments, mark_of, standings_of
from controller.hub.tournament.lists import ListError, meetings_in, players_in
from controller.record.wire import NAME
from controller.referee.names import printable
from controller.rules import PRESETS
from web.delay import Delay
from web.pages import chosen_language, page, page_words
from web.sessions import USUAL, token
from web.words import LANGUAGES

RULES = tuple(name for name, rules in PRESETS.items() if rules.session.kind == "match")
"""Presets by which matches go to points."""

_BOARD = re.compile(NAME)


def add_tournaments(app: Flask, door: HubDoor, url: str, feed: FeedSettings | None = None) -> None:
    """Adds the pages. url: of the database; feed: how the world sees what is played, None where it does not."""

    @app.get("/tournaments")
    def tournaments() -> Response:
        chosen = chosen_language("tournaments")
        if chosen is not None:
            return chosen
        with database(Tournaments, url) as ledger:
            return listed(ledger)

    def listed(ledger: Tournaments, trouble: HubError | None = None) -> Response:
        return page(
            "tournaments.html", page_words(), languages=LANGUAGES, tournaments=ledger.all(), boards=ledger.boards(),
            rules=RULES, person=_role(door.person()), token=token(), trouble=_in_words(trouble), given=request.form,
        )  # fmt: skip

    @app.post("/tournaments")
    def make() -> Response:
        person = door.require_change("director", USUAL)
        with database(Tournaments, url) as ledger:
            try:
                names = players_in(_text("players", "file"))
                number = ledger.make(_terms(), names, person.name)
            except HubError as error:
                answer = listed(ledger, error)
                answer.status_code = 422
                return answer
        return cast(Response, redirect(f"/tournaments/{number}", 303))

    @app.get("/tournaments/<number:number>")
    def tournament(number: int) -> Response:
        chosen = chosen_language(str(number))
        if chosen is not None:
            return chosen
        with database(Tournaments, url) as ledger:
            return shown(ledger, number)

    def shown(ledger: Tournaments, number: int, trouble: HubError | None = None) -> Response:
        found = ledger.find(number)
        if found is None:
            raise NotFound
        players, rounds = ledger.players(number), ledger.rounds(number)
        return page(
            "tournament.html", page_words(), languages=LANGUAGES, tournament=found, terms=found.terms, players=players,
            rounds=rounds, mark=mark_of(rounds[-1]) if rounds else "", in_all=found.terms.rounds_for(len(players)),
            table=standings_of(found, players, rounds), boards=ledger.boards(), person=_role(door.person()),
            token=token(), trouble=_in_words(trouble), given=request.form, usual=feed.delay if feed else None,
        )  # fmt: skip

    def change(number: int, role: AccountRole, do: Callable[[Tournaments, Tournament, str], None]) -> Response:
        """A form of a tournament's page, and that page again."""
        person = door.require_change(role, USUAL)
        with database(Tournaments, url) as ledger:
            found = ledger.find(number)
            if found is None:
                raise NotFound
            try:
                do(ledger, found, person.name)
            except HubError as error:
                answer = shown(ledger, number, error)
                answer.status_code = 422
                return answer
            left = ledger.find(number) is not None
        return cast(Response, redirect(f"/tournaments/{number}" if left else "/tournaments", 303))

    @app.post("/tournaments/<number:number>/round")
    def round(number: int) -> Response:
        def do(ledger: Tournaments, found: Tournament, who: str) -> None:
            if "back" in request.form:
                ledger.take_back(number, who, _text("mark") or None)
                return
            by_hand = None
            if "hand" in request.form:
                by_hand = meetings_in(_text("pairings", "file"), {player.name for player in ledger.players(number)})
            ledger.draw(number, who, by_hand)

        return change(number, "director", do)

    @app.post("/tournaments/<number:number>/result")
    def result(number: int) -> Response:
        def do(ledger: Tournaments, found: Tournament, who: str) -> None:
            typed = (_text("first"), _text("second"))
            if any(typed) and not all(typed):
                raise TournamentError("One of the two must have more points.")
            points = (_whole("first"), _whole("second")) if all(typed) else None
            ledger.decide(number, _whole("round"), _whole("pairing"), points, who, _meant())

        return change(number, "scorer", do)

    @app.post("/tournaments/<number:number>/board")
    def choose_board(number: int) -> Response:
        def do(ledger: Tournaments, found: Tournament, who: str) -> None:
            board = _text("board")
            if board not in ("", "next") and not _BOARD.fullmatch(board):
                raise BadRequest
            ledger.place(number, _whole("round"), _whole("pairing"), None if board == "next" else board, who, _meant())

        return change(number, "director", do)

    @app.post("/tournaments/<number:number>/boards")
    def choose_boards(number: int) -> Response:
        return change(number, "director", lambda ledger, found, who: ledger.give_boards(number, _boards(), who))

    @app.post("/tournaments/<number:number>/delay")
    def show_later(number: int) -> Response:
        def do(ledger: Tournaments, found: Tournament, who: str) -> None:
            # Without a number it is the hub's; so the world sees it no earlier by a slip of the finger.
            chosen = Delay(_whole("seconds"), _whole("turns")) if _text("seconds") and _text("turns") else None
            if chosen and (chosen.seconds > MOST_DELAY.seconds or chosen.turns > MOST_DELAY.turns):
                raise TournamentError(
                    "The world can see it {seconds} seconds and {turns} turns later, at most.",
                    seconds=int(MOST_DELAY.seconds),
                    turns=MOST_DELAY.turns,
                )
            ledger.show_later(number, chosen, who)

        return change(number, "director", do)

    @app.post("/tournaments/<number:number>/player")
    def player(number: int) -> Response:
        def do(ledger: Tournaments, found: Tournament, who: str) -> None:
            if "add" in request.form:
                ledger.add_player(number, _text("name"), who)
            else:
                ledger.withdraw(number, _text("name"), who, gone="withdraw" in request.form)

        return change(number, "director", do)

    @app.post("/tournaments/<number:number>/remove")
    def remove(number: int) -> Response:
        return change(number, "director", lambda ledger, found, who: ledger.remove(number, who))


def _role(person: Person | None) -> AccountRole | None:
    return person.role if person else None


def _in_words(trouble: HubError | None) -> str:
    return page_words().translate(trouble.sentence.code, **trouble.sentence.values) if trouble else ""


def _text(name: str, file: str = "") -> str:
    """What a field holds; of a file that came with it, that."""
    sent: FileStorage | None = request.files.get(file) if file else None
    if sent is not None and sent.filename:
        content: bytes = sent.read()
        try:
            # UTF-16 is what Excel calls "Unicode text".
            return content.decode("utf-16" if content.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "utf-8-sig")
        except UnicodeDecodeError:
            return content.decode("cp1250", "replace")  # as a spreadsheet in central Europe writes it
    return str(request.form.get(name, "")).strip()


def _whole(name: str) -> int:
    """A number from 0 on. Raises BadRequest."""
    text = _text(name)
    if not (text.isascii() and text.isdigit() and len(text) < 9):
        raise BadRequest
    return int(text)


def _meant() -> tuple[str, ...] | None:
    """Who meets in the pairing that a form is of, as the page had it."""
    return tuple(request.form.getlist("meets")) or None


def _boards() -> tuple[str, ...]:
    """Names with spaces or commas between. Raises ListError."""
    names = tuple(dict.fromkeys(_text("boards").replace(",", " ").split()))
    wrong = next((name for name in names if not _BOARD.fullmatch(name)), None)
    if wrong is not None:
        raise ListError(
            "{name} can't be a board's name: small letters, digits and hyphens, such as board-7.", name=wrong[:40]
        )
    return names


def _terms() -> Terms:
    """Of the form for a new tournament. Raises HubError, BadRequest."""
    format, rules = _text("format"), _text("rules")
    if format not in get_args(Format) or rules not in RULES:
        raise BadRequest
    chosen = cast(Format, format)
    rounds = _whole("rounds") if chosen == "swiss" and _text("rounds") else 0
    name = " ".join(_text("name").split())
    place = printable(_text("place"))
    if len(place) > 200:
        raise TournamentError("The place has too many letters.")
    return Terms(name, chosen, _whole("length"), rules, "clock" in request.form, place, rounds, _boards())
