"""Who may use the desk: sessions that this program remembers and can end, and the check that a change comes from our own page."""

from __future__ import annotations

import hashlib
import secrets
import threading
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from flask import Flask, Response, current_app, request
from werkzeug.exceptions import Forbidden, Unauthorized
from werkzeug.wrappers import Request

SIGNED_IN = 12 * 3600
"""Seconds from signing in until the PIN is asked for again, whatever happens meanwhile: a long day's tournament."""
MOST_SESSIONS = 64
"""Browsers signed in at once; beyond that the one goes that signed in first."""

JUST_COME_S = 20.0
"""For so long somebody whom a hub has let in need not be among those whom it names: what it says may be older."""

USUAL = 64 * 1024
"""Bytes that an operator's request may bring, photos apart."""
FROM_STRANGERS = 4 * 1024
"""Bytes from anybody else, who has nothing to send but a PIN."""


@dataclass(frozen=True)
class DeskSession:
    """One browser that has shown the PIN. identity: what its cookie holds; token: what its changes carry; until, begun: clock time;
    name: who it is, where people have names. guest: the pass by which a hub has let it in, "" where none did; sets_up: it may do
    everything, and not only what a match takes."""

    identity: str
    token: str
    until: float
    name: str = ""
    guest: str = ""
    sets_up: bool = True
    begun: float = 0.0


class Sessions:
    """Who is signed in, in memory alone: a new start of the program asks for the PIN again. From any thread."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self.most = MOST_SESSIONS
        self._open: dict[str, DeskSession] = {}
        self._lock = threading.Lock()

    def begin(self, name: str = "", guest: str = "", *, sets_up: bool = True) -> DeskSession:
        """A new one. Arguments as a DeskSession's."""
        now = self._clock()
        identity, token = secrets.token_urlsafe(32), secrets.token_urlsafe(24)
        session = DeskSession(identity, token, now + SIGNED_IN, name, guest, sets_up, now)
        with self._lock:
            self._open[session.identity] = session
            if len(self._open) > self.most:
                del self._open[next(iter(self._open))]
        return session

    def find(self, identity: str) -> DeskSession | None:
        """The session with that name, while it lasts."""
        with self._lock:
            session = self._open.get(identity)
            if session is not None and session.until <= self._clock():
                del self._open[identity]
                return None
            return session

    def end(self, identity: str) -> None:
        """It is over, wherever its cookie has got to."""
        with self._lock:
            self._open.pop(identity, None)

    def end_all(self) -> None:
        """Everybody is signed out."""
        with self._lock:
            self._open.clear()

    def end_named(self, name: str) -> None:
        """All of somebody's are over."""
        with self._lock:
            self._open = {identity: one for identity, one in self._open.items() if one.name != name}

    def keep_guests(self, passes: Collection[str]) -> None:
        """Of those whom a hub has let in only these are still; what it says may be older than who has just come."""
        now = self._clock()
        with self._lock:
            self._open = {
                identity: one
                for identity, one in self._open.items()
                if not one.guest or one.guest in passes or now - one.begun < JUST_COME_S
            }

    def end_others(self, identity: str) -> None:
        """All but one are over."""
        with self._lock:
            self._open = {name: one for name, one in self._open.items() if name == identity}


@dataclass(frozen=True)
class Door:
    """What is known of whoever asks, before the page is asked. cookie: the name under which a browser keeps its session; large:
    bytes that an operator may send, by path, beyond USUAL."""

    cookie: str = "desk"
    sessions: Sessions = field(default_factory=Sessions)
    large: dict[str, int] = field(default_factory=dict)

    def session(self, asked: Request) -> DeskSession | None:
        """Whose request this is, None for a viewer's."""
        return self.sessions.find(asked.cookies.get(self.cookie, ""))

    def may_change(self, asked: Request) -> bool:
        """Whether the request carries the token of the desk's page, and no other site's page sent it."""
        session = self.session(asked)
        sent = asked.headers.get("X-CSRF-Token", "").encode()
        return session is not None and from_here(asked) and secrets.compare_digest(sent, session.token.encode())

    def may_send(self, asked: Request) -> int:
        """Bytes of body that are read from it."""
        if self.session(asked) is None:
            return FROM_STRANGERS
        largest = self.large.get(asked.path, 0) if asked.method == "POST" else 0
        return largest if largest and self.may_change(asked) else USUAL


def own_cookie(what: str, whose: str) -> str:
    """A name for a cookie. Programs of one machine share its browsers' cookies whatever their ports, so each has a name of its own.
    whose: what no other program of that kind has; the name does not say it."""
    return f"{what}-{hashlib.sha256(whose.encode('utf-8', 'surrogateescape')).hexdigest()[:8]}"


def door_of(app: Flask) -> Door:
    """The application's."""
    door: Door = app.extensions["door"]
    return door


def session_here() -> DeskSession | None:
    """The session of the request that is being answered."""
    return door_of(current_app).session(request)


def session_holds() -> Callable[[], bool]:
    """Whether the session of the request that is being answered lasts, to be asked later; without one nothing ends."""
    session, sessions = session_here(), door_of(current_app).sessions
    return lambda: session is None or sessions.find(session.identity) is not None


def who_asks() -> str:
    """The name of who asks, where people have names."""
    session = session_here()
    return session.name if session else ""


def sign_in(answer: Response, name: str = "", guest: str = "", *, sets_up: bool = True) -> Response:
    """The browser that gets this answer may use the desk from now on. Arguments as a DeskSession's."""
    door = door_of(current_app)
    session = door.sessions.begin(name, guest, sets_up=sets_up)
    answer.set_cookie(
        door.cookie,
        session.identity,
        max_age=SIGNED_IN,
        httponly=True,
        samesite="Strict",
        secure=current_app.config["HTTPS"],
    )
    return answer


def sign_out(answer: Response) -> Response:
    """This browser may use it no longer, nor whoever has copied its cookie."""
    door = door_of(current_app)
    door.sessions.end(request.cookies.get(door.cookie, ""))
    answer.delete_cookie(door.cookie, httponly=True, samesite="Strict", secure=current_app.config["HTTPS"])
    return answer


def signed_in() -> bool:
    """Whether this browser may use the desk."""
    return session_here() is not None


def token() -> str:
    """What a command from our own page carries; "" for whoever is not signed in."""
    session = session_here()
    return session.token if session else ""


def require_desk() -> None:
    """Raises Unauthorized for whoever is not signed in, Forbidden for a change that another site's page asks for."""
    if not signed_in():
        raise Unauthorized
    if request.method not in ("GET", "HEAD") and not door_of(current_app).may_change(request):
        raise Forbidden


def may_set_up() -> bool:
    """Whether this browser may do everything, and not only what a match takes."""
    session = session_here()
    return session is not None and session.sets_up


def require_set_up() -> None:
    """As require_desk(); also raises Forbidden for whoever may only do what a match takes."""
    require_desk()
    if not may_set_up():
        raise Forbidden


def require_form() -> None:
    """Raises Unauthorized, Forbidden for a form that is not from our own page and of somebody who may do everything."""
    session, sent = session_here(), request.form.get("csrf", "").encode("utf-8", "replace")
    if session is None:
        raise Unauthorized
    if not session.sets_up or not from_here(request) or not secrets.compare_digest(sent, session.token.encode()):
        raise Forbidden


def from_here(asked: Request) -> bool:
    """Whether a request comes from a page of this server, as far as the browser says."""
    origin = asked.headers.get("Origin")
    try:
        return origin is None or urlsplit(origin).netloc == asked.host
    except ValueError:
        return False
