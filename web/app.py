"""The page's application: what it answers at each address. create_app() makes one round a hub of views.

/ the page, /overlay/PART its parts for a stream's picture, /events the stream of views, /api/state the newest view,
/api/flags/N/frame.jpg the picture behind a flag, /healthz for whoever watches over the program.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from urllib.parse import urlencode

import msgspec
from flask import Flask, Response, current_app, make_response, redirect, request
from werkzeug.exceptions import HTTPException, MisdirectedRequest, NotFound, ServiceUnavailable
from werkzeug.routing import IntegerConverter, RequestRedirect

from web.api import JPEG, STREAM, STREAM_OF_VIEWS, add_api, described, query
from web.delay import AT_ONCE, Delay, delayed, longer, unseen
from web.desk import Desk, add_desk, viewers_address
from web.hosts import WRONG_HOST, Hosts, OnlyFor
from web.hub import ViewHub
from web.installed import add_installed
from web.operator import Refusal
from web.overlays import OverlayDoor, add_overlays
from web.packed import add_packing
from web.pages import chosen_language, json_answer, page, page_words, script_data, sequence_in, view_answer
from web.sessions import USUAL, Door, session_holds, signed_in
from web.silence import silenced
from web.streams import Followed, Stream
from web.view import MATCH_OVER, View
from web.words import LANGUAGES, scripts_of, worded, words_later

Frames = Callable[[int], bytes | None]
"""Gives the JPEG of the frame behind the flag of that number, None where there is none."""


@dataclass(frozen=True)
class Audience:
    """viewers, overlay: how much later each sees the board; signed-in operators see it at once. key: what an overlay's
    address must carry as ?key=, "" for none: then anybody may ask as an overlay, and sees nothing before viewers do. frames: other
    pages, by origin, that may show overlays in a frame."""

    viewers: Delay = AT_ONCE
    overlay: Delay = AT_ONCE
    key: str = ""
    frames: tuple[str, ...] = ()

    @property
    def overlay_at_least(self) -> Delay:
        """How much later an overlay really sees it."""
        return self.overlay if self.key else longer(self.overlay, self.viewers)


STREAMS = 640
"""Streams open at once: the 500 viewers that the page is meant for, as many as one greedy address is sure of (web/limits.py), and
some that are just going."""

SECURITY_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src 'self'; "
        "connect-src 'self'; "
        "manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",  # With no-referrer a form of our own would name its origin "null".
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}

ERRORS = {
    400: "The page did not understand this request. Go back and try again.",
    401: "Sign in at the desk first, with the PIN.",
    403: "This change did not come from the desk's own page, or the page is old. Load it again and sign in.",
    404: "There is no page here. The board is on the start page.",
    405: "This address can't be used that way. The board is on the start page.",
    413: "That was too much to send at once.",
    421: "This page does not go by that name. Use the machine's address, or add the name to the settings: [web] names.",
    429: "Too many wrong PINs. Wait a little, then try again.",
    500: "The page had a fault of its own. Load it again; the game is not touched by it.",
    503: (
        "There is nothing to show yet. The page fills as soon as the referee sees the board, "
        "and where viewers see it later, that much later."
    ),
}
"""A sentence for people by HTTP status; others get the one for 400."""
SENTENCES = "SENTENCES"
"""Where an application's configuration has sentences of its own, by HTTP status, in the place of those."""


AUDIENCE = query("for", "overlay: as a stream sees it")
KEY = query("key", "The overlays' key")
LAST_EVENT = {"name": "Last-Event-ID", "in": "header", "schema": {"type": "string"}}
NO_VIEW = {403: "Not the overlays' key", 503: "Nothing to show yet"}


class Number(IntegerConverter):
    """A number in an address; nothing here counts further."""

    regex = r"\d{1,9}"


def create_app(
    hub: ViewHub,
    frames: Frames | None = None,
    streams: int = STREAMS,
    desk: Desk | None = None,
    audience: Audience | None = None,
    names: Iterable[str] = (),
    *,
    demo: bool = False,
    cookie: str = "desk",
) -> Flask:
    """The application that shows the hub's views.

    frames: where the pictures behind flags come from. streams: how many may follow /events at once; a viewer beyond
    that is told so (503), and the page asks /api/state every few seconds instead. desk: whom operators talk to.
    audience: what viewers and overlays get later, and the overlays' key. names: by which the page may be asked for, see
    web/hosts.py. demo: what it shows is a demo's, as /healthz says. cookie: the name under which browsers keep who they are; see
    own_cookie().
    """
    app = bare_app(hub, streams, https=desk is not None and desk.secure, names=names, cookie=cookie)
    app.config["DEMO"] = demo
    address = (lambda: viewers_address(desk.host())) if desk else str
    lists = (lambda: desk.lists_open) if desk else bool
    # Whoever sees the board later gets no pictures of what the referee says: no button leads him to one.
    _add_page(app, address, lists, lambda: frames is not None and (signed_in() or not later))
    audience = audience or Audience()
    add_installed(app)
    door = OverlayDoor(audience.key, audience.frames)
    add_overlays(app, door, SECURITY_HEADERS["Content-Security-Policy"], address)
    public = silenced(hub)
    viewers = delayed(public, audience.viewers)
    same = audience.overlay_at_least == audience.viewers
    overlay = viewers if same else delayed(public, audience.overlay_at_least)
    app.extensions["viewers"] = viewers

    def hub_for() -> ViewHub:
        if request.args.get("for") == "overlay":
            door.check()
            return overlay
        return hub if desk is not None and signed_in() else viewers

    _add_views(app, hub_for)
    later = [one for one in (viewers, overlay) if one is not public]
    if frames is not None:
        _add_frames(app, frames, lambda: bool(later) or silent_match(hub) is not None)
    if desk is not None:
        add_desk(
            app,
            desk,
            (lambda lines: unseen(lines, hub, later)) if later else None,
            lambda: silent_match(hub),
            frames=frames is not None,
        )
    add_api(app)
    return app


def bare_app(
    hub: Followed, streams: int = STREAMS, *, https: bool = False, names: Iterable[str] = (), cookie: str = "desk"
) -> Flask:
    """An application that answers nothing yet: its door, its limits, the headers of its answers, its words for errors. Arguments as
    of create_app(); https: it is served so."""
    app = Flask("web")
    app.config["STREAMS"] = streams
    app.config["HTTPS"] = https
    app.config["MAX_CONTENT_LENGTH"] = USUAL
    app.extensions["door"] = Door(cookie)
    app.wsgi_app = OnlyFor(app.wsgi_app, Hosts(names))  # type: ignore[method-assign]  # as Flask says it is done
    app.url_map.converters["number"] = Number
    app.before_request(_refuse_other_names)
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.extensions["view_hub"] = hub
    app.after_request(_secure)
    add_packing(app)
    app.register_error_handler(HTTPException, _error_page)
    return app


class Health(msgspec.Struct, frozen=True, omit_defaults=True):
    """sequence: of the newest view that viewers have; watchers: those of them whose streams are open; demo: it is a demo's page."""

    status: str
    sequence: int | None
    watchers: int
    demo: bool = False


class _Role(msgspec.Struct, frozen=True):
    """What a view says of the referee's part in it."""

    role: str = ""
    phase: str = ""
    match_id: str = ""
    waits_silent: bool = False


_ROLES = msgspec.json.Decoder(_Role)


def silent_match(hub: ViewHub) -> str | None:
    """The match that a silent recorder keeps now, None where there is none."""
    if hub.latest is None:
        return None
    now = _ROLES.decode(hub.latest.body)
    silent = now.waits_silent or (now.role == "recorder" and now.phase != MATCH_OVER)
    return now.match_id if silent else None


def _add_page(app: Flask, address: Callable[[], str], lists: Callable[[], bool], frames: Callable[[], bool]) -> None:
    """address: the page's for other devices, "" where nobody knows; lists, frames: whether who asks may see those of matches, and
    the pictures behind flags."""

    @app.get("/")
    def board() -> Response:
        chosen = chosen_language("./")
        if chosen is not None:
            return chosen
        words = page_words()
        return page(
            "page.html",
            words,
            languages=LANGUAGES,
            desk="desk" in app.blueprints,
            lists=lists(),
            address=address(),
            tour=True,
            data=script_data(words, "main.js", frames=frames()),
            scripts=scripts_of("main.js")[1:],
        )

    @app.get("/words/<any(coach, finished, tour):part>")
    def later(part: str) -> Response:
        answer = json_answer(msgspec.json.encode(words_later(page_words().language, f"{part}.js").table))
        answer.vary.update(("Accept-Language", "Cookie"))
        return answer

    @app.get("/healthz")
    @described("Whether the page works", Health)
    def health() -> Response:
        hub: ViewHub = app.extensions["viewers"]
        latest = hub.latest
        now = Health("ok", latest.sequence if latest else None, hub.watchers, app.config["DEMO"])
        return json_answer(msgspec.json.encode(now))


def _add_views(app: Flask, hub_for: Callable[[], ViewHub]) -> None:
    @app.get("/api/state")
    @described("The newest view", View, refuses=NO_VIEW | {304: "Not changed"}, parameters=[AUDIENCE, KEY])
    def state() -> Response:
        latest = hub_for().latest
        if latest is None:
            raise ServiceUnavailable
        return view_answer(latest)

    @app.get("/events")
    @described(
        f"The views as {STREAM_OF_VIEWS}",
        STREAM,
        refuses=NO_VIEW,
        parameters=[AUDIENCE, KEY, LAST_EVENT],
    )
    def events() -> Response:
        if request.method == "HEAD":
            return Response(mimetype=STREAM.kinds[0])
        return stream_answer(hub_for())


def stream_answer(hub: Followed) -> Response:
    """What is followed as server-sent events; by whoever is signed in, as long as he is."""
    answer = Response(mimetype=STREAM.kinds[0], direct_passthrough=True)
    answer.response = Stream(hub, sequence_in("Last-Event-ID"), session_holds())
    answer.headers["Cache-Control"] = "no-store"
    # nginx would gather the stream before it passes it on.
    answer.headers["X-Accel-Buffering"] = "no"
    return answer


def _add_frames(app: Flask, frames: Frames, hidden: Callable[[], bool]) -> None:
    @app.get("/api/flags/<number:number>/frame.jpg")
    @described("The picture behind a flag", JPEG)
    def frame(number: int) -> Response:
        picture = frames(number) if signed_in() or not hidden() else None
        if picture is None:
            raise NotFound
        answer = Response(picture, mimetype="image/jpeg")
        answer.headers["Cache-Control"] = "private, max-age=3600"
        return answer


def _refuse_other_names() -> None:
    """Raises MisdirectedRequest."""
    if WRONG_HOST in request.environ:
        raise MisdirectedRequest


def _secure(answer: Response) -> Response:
    for name, value in SECURITY_HEADERS.items():
        answer.headers.setdefault(name, value)
    if request.path.startswith("/static/"):
        # Checked on each load, so that a phone never mixes an old script with a new page.
        answer.headers["Cache-Control"] = "no-cache"
    return answer


def _sign_in() -> str:
    """Where somebody signs in: at the desk, at a hub on a page of its own, which leads back; "" where nobody can."""
    if "desk" in current_app.blueprints:
        return "/desk"
    back = f"?{urlencode({'next': request.full_path.rstrip('?')})}" if request.method == "GET" else ""
    return f"/signin{back}" if "signin" in current_app.view_functions else ""


def _error_page(error: HTTPException) -> Response:
    if isinstance(error, RequestRedirect):
        return make_response(redirect(error.new_url, 308))
    code, accepted = error.code or 500, request.accept_mimetypes
    own: dict[int, str] = current_app.config.get(SENTENCES, {})
    sentence = own.get(code) or ERRORS.get(code, ERRORS[400])
    # A person, too, may follow a link to a file that is not there.
    asked_by_script = accepted.quality("text/html") <= accepted.quality("application/json")
    if request.path.startswith(("/api/", "/events", "/desk/leave")) and asked_by_script:
        answer = json_answer(msgspec.json.encode(Refusal(sentence, worded(sentence))))
    else:
        answer = page("error.html", page_words(), sentence=sentence, sign_in=_sign_in() if code == 401 else "")
    answer.status_code = code
    answer.headers.extend({k: v for k, v in error.get_headers() if k.lower() in ("allow", "retry-after")})
    return answer
