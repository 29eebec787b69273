"""What every viewer may read of matches: records, verdicts, pictures, lists; of one that is held back for them only what they have
seen the end of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from io import BytesIO
from typing import Any

import msgspec
from flask import Blueprint, Response, request, send_file
from werkzeug.exceptions import NotFound, Unauthorized

from web.api import Media, described, query
from web.operator import (
    Coached,
    Form,
    MatchAnalysis,
    MatchLine,
    Operator,
    PlayedMatches,
    PlayerLine,
    Refusal,
    Which,
)
from web.pages import json_answer, page, page_words, script_data, value_answer
from web.sessions import signed_in
from web.words import worded

PICTURES = Media(("image/jpeg", "video/webm"))
PLAYER = query("player", "The player's name")
LONGEST_NAME = 200
NOT_PLAYED = "No match is found."
AGAIN_S = 5.0
"""Seconds after which a viewer asks again who has seen a match's end sooner than others."""
CLOSED = {401: "Not signed in, and the lists are not public"}
FOR = query("for", "light or dark: who plays that side hears of his own turns at once")
SHEET_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
}
"""A score sheet is a page by itself: it carries its style, and nothing else may be loaded or run in it."""

Unseen = Callable[[Sequence[MatchLine]], int]
"""How many of these matches, newest first, somebody has still to see the end of."""

Silent = Callable[[], str | None]
"""The match that is being recorded without a word, None where the referee may speak."""


def records_pages(
    operator: Operator[Any],
    lists_open: Callable[[], bool],
    address: Callable[[], str],
    unseen: Unseen | None,
    silent: Silent,
) -> Blueprint:
    """Their addresses. lists_open: whether whoever asks now may see the lists of players; address: of the viewers' page."""
    pages = Blueprint("records", __name__)
    listed, known = _Encoded(), _Encoded()

    def later() -> bool:
        """Whether who asks sees the board later than it happens."""
        return unseen is not None and not signed_in()

    def parted() -> tuple[tuple[MatchLine, ...], tuple[MatchLine, ...]]:
        """The matches that who asks has not seen the end of, and all the others, which he may read; both newest first."""
        lines = operator.matches()
        if unseen is None or signed_in():
            return (), lines
        number = unseen(lines)
        return lines[:number], lines[number:]

    def shown() -> tuple[MatchLine, ...]:
        return parted()[1]

    def refuse_hidden(identity: str) -> None:
        if later() and all(line.id != identity for line in shown()):
            raise NotFound

    @pages.get("/replay")
    def replay() -> Response:
        words, identity = page_words(), request.args.get("match", "")
        if all(line.id != identity for line in shown()):
            answer = page("nomatch.html", words)
            answer.status_code = 404
            return answer
        return page("replay.html", words, data=script_data(words, "replay.js"), address=address())

    def hidden() -> frozenset[str]:
        return frozenset(line.id for line in parted()[0])

    def refuse_lists() -> None:
        if not lists_open():
            raise Unauthorized

    @pages.get("/games")
    def games() -> Response:
        refuse_lists()
        words = page_words()
        return page("games.html", words, data=script_data(words, "games.js"))

    @pages.get("/api/players")
    @described("Every player with the matches that he has played", list[PlayerLine], refuses=CLOSED)
    def players() -> Response:
        refuse_lists()
        return json_answer(known.json(operator.players(hidden())))

    @pages.get("/api/played")
    @described("The matches of one player", PlayedMatches, refuses=CLOSED, missing=True, parameters=[PLAYER])
    def played() -> Response:
        refuse_lists()
        found = operator.played(request.args.get("player", "")[:LONGEST_NAME], hidden())
        if found is None:
            return value_answer(Refusal(NOT_PLAYED, worded(NOT_PLAYED)), 404)
        return value_answer(found)

    @pages.get("/api/matches")
    @described("Every match that is kept", list[MatchLine])
    def matches() -> Response:
        return json_answer(listed.json(shown()))

    @pages.get("/api/matches/<identity>")
    @described("A match's record", operator.record_type)
    def match(identity: str) -> Response:
        refuse_hidden(identity)
        found = operator.match(identity, judged=signed_in() or identity != silent())
        if found is None:
            raise NotFound
        return value_answer(found)

    @pages.get("/api/matches/<identity>/analysis")
    @described("A match as GNU Backgammon has judged it, or why there is no verdict", MatchAnalysis, Refusal)
    def analysis(identity: str) -> Response:
        if identity in hidden():
            why = worded("The files of this match and its verdict are here once everybody has seen its end.")
            return value_answer(Refusal(why.words["en"], why, AGAIN_S))
        refuse_hidden(identity)
        if identity == silent() and not signed_in():
            raise NotFound
        return value_answer(operator.analysis(identity))

    @pages.get("/api/matches/<identity>/export.<any(mat, sgf, json, csv, txt, html):form>")
    @described("A match as a file", Media(("*/*",), text=True))
    def export(identity: str, form: Form) -> Response:
        refuse_hidden(identity)
        judged = signed_in() or identity != silent()
        found = operator.export(identity, form, judged=judged, language=page_words().language)
        if found is None:
            raise NotFound
        if found.media_type == "text/html":
            return Response(found.content, mimetype=found.media_type, headers=SHEET_HEADERS)
        # It writes names beyond Latin-1 as RFC 6266 asks: players have them.
        return send_file(
            BytesIO(found.content), found.media_type, as_attachment=True, download_name=found.name, max_age=0
        )

    @pages.get("/api/coach")
    @described("What the coach says of the turns of this game", Coached, parameters=[FOR])
    def coached() -> Response:
        if later():  # They have not seen those turns yet.
            raise NotFound
        side = request.args.get("for")
        return value_answer(operator.coached("light" if side == "light" else "dark" if side == "dark" else None))

    @pages.get("/api/flags/<number:number>/<any(before, after, clip):which>.<any(jpg, webm):ending>")
    @described("The pictures of a flag: before.jpg, after.jpg, clip.webm", PICTURES)
    def frame(number: int, which: Which, ending: str) -> Response:
        if silent() is not None and not signed_in():
            raise NotFound
        return kept(operator.frame, number, which, ending)

    @pages.get("/api/turns/<number:number>/<any(before, after, clip):which>.<any(jpg, webm):ending>")
    @described("The same of a doubtful line of the running game", PICTURES)
    def turn_frame(number: int, which: Which, ending: str) -> Response:
        return kept(operator.turn_frame, number, which, ending)

    def kept(find: Callable[[int, Which], bytes | None], number: int, which: Which, ending: str) -> Response:
        hidden = later() or (ending == "webm") != (which == "clip")
        found = None if hidden else find(number, which)
        if found is None:
            raise NotFound
        kind = "video/webm" if which == "clip" else "image/jpeg"
        answer = Response(found, mimetype=kind, headers={"Cache-Control": "private, max-age=60"})
        # Safari plays no film that does not come in parts.
        answer.make_conditional(request, accept_ranges=True, complete_length=len(found))
        return answer

    return pages


class _Encoded:
    """The list of all matches, or players, as JSON, made anew only when it is another list: a club has thousands, and many ask."""

    def __init__(self) -> None:
        self._last: tuple[tuple[msgspec.Struct, ...], bytes] = ((), b"[]")

    def json(self, lines: tuple[msgspec.Struct, ...]) -> bytes:
        """From any thread."""
        last = self._last
        if last[0] is not lines:
            self._last = last = lines, msgspec.json.encode(lines)
        return last[1]
