"""The archive on the hub's pages: every match listed and searched, stepped through at an address that stays, taken away as a file.

/matches the list, /matches.zip what it shows as files, /tournaments/NUMBER.zip all of a tournament;
/boards/NAME/replay?match=ID a match, and beside it what that page asks.
"""

from __future__ import annotations

import threading
import zipfile
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO
from urllib.parse import urlencode

import msgspec
from flask import Flask, Response, request, send_file
from werkzeug.exceptions import NotFound, TooManyRequests

from controller.hub.archive import MOST, ErrorFilter, HubArchive, MatchKey
from controller.hub.asking import database
from controller.hub.door import HubDoor
from controller.hub.errors import StoreError
from controller.page.records import exported, unjudged
from controller.record.analysis import is_over
from controller.record.archive import plain
from controller.record.model import Record
from controller.record.of_journal import record_of_match
from web.operator import Export, Form, Refusal
from web.pages import chosen_language, json_answer, page, page_words, script_data, value_answer
from web.records_pages import SHEET_HEADERS
from web.words import LANGUAGES, message

SEARCH = 200
"""Letters of a search that are read."""

ZIPPED = 200
"""Matches in one zip: each takes the hub some hundredths of a second."""

ZIP_FORMS: tuple[Form, ...] = ("mat", "sgf", "json")

HIGHEST = 1000.0
"""Of what is asked about an error rate."""

NOT_YET = "Nobody has had this match analysed yet."


@dataclass(frozen=True)
class ArchiveQuery:
    """What a search asks for: words, a board, and errors: rates from and to, "blunder" or "flag"."""

    text: str
    board: str
    least: str
    most: str
    wrong: str

    @classmethod
    def here(cls) -> ArchiveQuery:
        """Of the request that is being answered."""
        return cls(*(request.args.get(key, "")[:SEARCH] for key in ("q", "board", "least", "most", "wrong")))

    @property
    def errors(self) -> ErrorFilter:
        """Those that are asked for."""
        return ErrorFilter(_rate(self.least), _rate(self.most), self.wrong == "blunder", self.wrong == "flag")

    @property
    def query(self) -> str:
        """For an address that asks the same."""
        fields = {"q": self.text, "board": self.board, "least": self.least, "most": self.most, "wrong": self.wrong}
        return urlencode({key: value for key, value in fields.items() if value})


def _rate(text: str) -> float | None:
    """As people type it; None where it says nothing."""
    try:
        found = float(text.replace(",", "."))
    except ValueError:
        return None
    return found if 0 <= found <= HIGHEST else None


def _file(kept: Record, form: Form, language: str = "en") -> Export:
    """Raises NotFound where a board has sent plays that no such file can be made of."""
    try:
        return exported(kept, form, language)
    except Exception as error:
        raise NotFound from error


def add_archive(app: Flask, url: str, door: HubDoor, delay_s: float) -> None:
    """Adds the pages. url: of the database; delay_s: how much later a match that is over is there for whoever has not signed in,
    where the door lets them ask for it."""
    zipping = threading.Lock()

    def refuse_early(opened: HubArchive, key: MatchKey) -> None:
        if door.is_stranger() and not opened.is_public(key, delay_s):
            raise NotFound

    def record(opened: HubArchive, key: MatchKey) -> Record:
        try:
            return record_of_match(opened.events(key), key.board)
        except StoreError:
            raise
        except Exception as error:
            # Whatever a board has sent: there is nothing to be shown of it.
            raise NotFound from error

    def found(opened: HubArchive, name: str, match: str) -> tuple[MatchKey, Record]:
        key = opened.find(name, match)
        if key is None:
            raise NotFound
        refuse_early(opened, key)
        return key, record(opened, key)

    @app.get("/matches")
    def matches() -> Response:
        chosen = chosen_language("matches")
        if chosen is not None:
            return chosen
        asked = ArchiveQuery.here()
        with database(HubArchive, url) as opened:
            entries = opened.search(asked.text, asked.board, MOST + 1, asked.errors)
        return page(
            "matches.html", page_words(), languages=LANGUAGES, entries=entries[:MOST], asked=asked, zipped=ZIPPED,
            more=len(entries) > MOST,
        )  # fmt: skip

    @app.get("/rates")
    def rates() -> Response:
        event = request.args.get("event", "")[:SEARCH].replace("\0", "")
        with database(HubArchive, url) as opened:
            rated, events = opened.rates(event, MOST + 1), opened.events_played(MOST + 1)
        offered = sorted({event, *events[:MOST]} - {""}, key=lambda one: (plain(one), one))
        chosen = chosen_language("rates")
        return chosen or page(
            "rates.html", page_words(), languages=LANGUAGES, rates=rated[:MOST], more=len(rated) > MOST, events=offered,
            more_events=len(events) > MOST, event=event, most=MOST,
        )  # fmt: skip

    def packed(opened: HubArchive, keys: Iterable[MatchKey]) -> Response:
        """The matches that are over and can be read, each in every form; one such file is made at a time."""
        if not zipping.acquire(blocking=False):
            raise TooManyRequests
        content = BytesIO()
        try:
            with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as files:
                for number, key in enumerate(keys, start=1):
                    with suppress(NotFound):
                        kept = record(opened, key)
                        for form in ZIP_FORMS:
                            with suppress(NotFound):
                                made = _file(kept, form)
                                files.writestr(f"{number:03d} {made.name}", made.content)
        finally:
            zipping.release()
        content.seek(0)
        return send_file(content, "application/zip", as_attachment=True, download_name="matches.zip", max_age=0)

    @app.get("/matches.zip")
    def files() -> Response:
        asked = ArchiveQuery.here()
        with database(HubArchive, url) as opened:
            found = opened.search(asked.text, asked.board, ZIPPED, asked.errors)
            return packed(opened, [entry.key for entry in found if entry.is_over and not entry.problem])

    @app.get("/tournaments/<number:number>.zip")
    def files_of_tournament(number: int) -> Response:
        with database(HubArchive, url) as opened:
            return packed(opened, opened.of_tournament(number))

    @app.get("/boards/<board:name>/replay")
    def replay(name: str) -> Response:
        words = page_words()
        with database(HubArchive, url) as opened:
            key = opened.find(name, request.args.get("match", "").replace("\0", ""))
            # There are no files of one that is on, and whoever is not signed in must not hear before the delay that it is over.
            kept = key is not None and (opened.is_public(key, delay_s) if door.is_stranger() else opened.is_over(key))
        return page("replay.html", words, data=script_data(words, "replay.js"), no_files=not kept)

    @app.get("/boards/<board:name>/api/matches/<identity>")
    def match(name: str, identity: str) -> Response:
        with database(HubArchive, url) as opened:
            _, kept = found(opened, name, identity)
        return value_answer(kept if is_over(kept) else unjudged(kept))

    @app.get("/boards/<board:name>/api/matches/<identity>/analysis")
    def analysis(name: str, identity: str) -> Response:
        with database(HubArchive, url) as opened:
            key = opened.find(name, identity)
            if key is None:
                raise NotFound
            refuse_early(opened, key)
            analysis, refusal = opened.analysis(key)
        why = refusal or NOT_YET
        return json_answer(analysis.encode() if analysis else msgspec.json.encode(Refusal(why, message(why))))

    @app.get("/boards/<board:name>/api/matches/<identity>/export.<any(mat, sgf, json, csv, txt, html):form>")
    def export(name: str, identity: str, form: Form) -> Response:
        with database(HubArchive, url) as opened:
            _, kept = found(opened, name, identity)
        if not is_over(kept):
            # While a match is on, a file of it would show what the referee thinks of the last play.
            raise NotFound
        made = _file(kept, form, page_words().language)
        if made.media_type == "text/html":
            return Response(made.content, mimetype=made.media_type, headers=SHEET_HEADERS)
        return send_file(BytesIO(made.content), made.media_type, as_attachment=True, download_name=made.name, max_age=0)
