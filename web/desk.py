"""The operator's desk: signing in with the PIN, commands to the referee, the camera's picture, records. Changes need the PIN."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from io import BytesIO
from operator import or_
from typing import Any, Literal, cast
from urllib.parse import urlsplit

import msgspec
import segno
from flask import Blueprint, Flask, Response, redirect, request, send_file, url_for
from werkzeug.exceptions import Forbidden, NotFound, TooManyRequests, Unauthorized

from web.answered import Answered
from web.api import Media, described, query
from web.hosts import is_loopback
from web.joining import Joiner, joining_pages
from web.operator import (
    Answer,
    Coached,
    Form,
    FoundBoard,
    GameLines,
    Legal,
    MatchAnalysis,
    MatchLine,
    NoBoard,
    Operator,
    PhotoRead,
    PlayedMatches,
    PlayerLine,
    Refusal,
    Which,
)
from web.pages import chosen_language, json_answer, page, page_words, script_data, value_answer
from web.places import household
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
from web.words import LANGUAGES, worded

LARGEST_PHOTO = 24 * 1024 * 1024
"""A phone's largest JPEG; other requests stay under the application's limit."""
PHOTO = Media(("image/jpeg", "image/png", "image/webp"))
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
REFUSED, TOO_LARGE = "Refused, with the reason", "Too large"
REFUSES = {409: REFUSED, 413: TOO_LARGE}


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


Unseen = Callable[[Sequence[MatchLine]], int]
"""How many of these matches, newest first, somebody has still to see the end of."""

Silent = Callable[[], str | None]
"""The match that is being recorded without a word, None where the referee may speak."""


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
    app.register_blueprint(_records(desk, unseen, silent))


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
    @described("A command to the referee", Answer, takes=commands, refuses=REFUSES, parameters=[ONE_ACT])
    def command() -> Response:
        by = who_asks()
        return obeyed(lambda command: operator.command(command, by), decoder, answered)

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


def _records(desk: Desk, unseen: Unseen | None, silent: Silent) -> Blueprint:
    """What every viewer may read; of a match that is held back for them only what they have seen the end of."""
    pages, operator = Blueprint("records", __name__), desk.operator
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
        address = viewers_address(desk.host())
        return page("replay.html", words, data=script_data(words, "replay.js"), address=address)

    def hidden() -> frozenset[str]:
        return frozenset(line.id for line in parted()[0])

    def refuse_lists() -> None:
        if not desk.lists_open:
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
