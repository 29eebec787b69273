"""The feed for the world: every board as its page has it, later by some seconds or turns, as JSON and server-sent events. A
tournament may have a delay of its own.

/feed/boards every board in a line, /feed/boards/NAME/state its newest view, /feed/boards/NAME/events the stream of them; of
tournaments: tournament/world.py. Nobody signs in for it; browsers may ask for it from the pages that the settings name (CORS).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping

import msgspec
from flask import Flask, Response, request
from werkzeug.exceptions import NotFound

from controller.hub.settings import FeedSettings
from controller.hub.wall import Wall
from web.api import STREAM, STREAM_OF_VIEWS, described
from web.app import stream_answer
from web.delay import LOOK, NO_EVENTS, Delay, DelayLine
from web.hub import PackedView, ViewHub
from web.pages import json_answer, view_answer
from web.view import VIEWS, View

HERE = "/feed/"
"""Where its addresses begin."""

MOST_EVENTS = 64
"""Events whose boards are kept together: what a board calls its event is its own affair, and each tournament that somebody asks for
is one. Beyond that the one goes of which nobody has heard for longest, those last that somebody follows."""


class FeedBoard(msgspec.Struct, frozen=True):
    """A board in the list, as late as its views: its name, the players and their scores, and where the match stands."""

    board: str
    light: str
    dark: str
    score: tuple[int, int]
    match_length: int
    event: str
    round: str
    phase: str


class FeedView(msgspec.Struct, frozen=True):
    """A board in the stream of an event."""

    board: str
    view: msgspec.Raw


class _Event(msgspec.Struct, frozen=True):
    """What a view says of where its match belongs."""

    event: str = ""


_EVENTS = msgspec.json.Decoder(_Event)


class Feed:
    """Holds views back while it is open. put() is called by one thread, the rest by any."""

    def __init__(self, settings: FeedSettings, of_events: Mapping[str, Delay] | None = NO_EVENTS) -> None:
        """of_events: the delays of tournaments that have one of their own, by name; None: nobody knows them yet, so nothing is
        shown."""
        self._of_events = of_events
        self._delay = settings.delay
        self._lock = threading.Lock()
        self._lines: dict[str, tuple[DelayLine, ViewHub]] = {}
        self._events: dict[str, Wall] = {}
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work, name="feed", daemon=True)

    def __enter__(self) -> Feed:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def put(self, board: str, view: PackedView) -> None:
        """A view that has just been made."""
        with self._lock:
            line = self._lines.setdefault(board, (DelayLine(self._delay), ViewHub()))
            line[0].put(view, time.monotonic())

    def delay_events(self, of_events: Mapping[str, Delay]) -> None:
        """The delays of tournaments from now on; what was shown stays so."""
        self._of_events = of_events

    def find(self, board: str) -> ViewHub | None:
        """A board's views, late; None before the first is due."""
        with self._lock:
            found = self._lines.get(board)
        return found[1] if found and found[1].latest else None

    def event(self, name: str) -> Wall:
        """The views of all boards that play in it, late."""
        with self._lock:
            wall = self._events.pop(name, None)
            if wall is None:
                if len(self._events) >= MOST_EVENTS:
                    unseen = (one for one, kept in self._events.items() if not kept.watchers)
                    del self._events[next(unseen, next(iter(self._events)))]
                wall = Wall()
            self._events[name] = wall  # behind the others: the first is the one of which nobody has heard for longest
            return wall

    def boards(self) -> list[FeedBoard]:
        """Every board of which something is due, by name."""
        with self._lock:
            views = [(board, hub.latest) for board, (_, hub) in sorted(self._lines.items())]
        return [_line(board, VIEWS.decode(view.body)) for board, view in views if view is not None]

    def _work(self) -> None:
        while not self._stop.wait(LOOK):
            with self._lock:
                now = time.monotonic()
                known = self._of_events
                if known is None:
                    continue
                due = [(board, hub, line.take(now, known)) for board, (line, hub) in self._lines.items()]
            for board, hub, views in due:
                for view in views:
                    hub.pass_on(view)
                event = _EVENTS.decode(views[-1].body).event if views else ""
                if event:
                    shown = FeedView(board, msgspec.Raw(views[-1].body))
                    self.event(event).show({board: msgspec.json.encode(shown)})


def _line(board: str, view: View) -> FeedBoard:
    score = view.light.score, view.dark.score
    return FeedBoard(
        board, view.light.name, view.dark.name, score, view.match_length, view.event, view.round, view.phase
    )


def add_feed(app: Flask, feed: Feed, settings: FeedSettings) -> None:
    """Adds the addresses."""

    def found(name: str) -> ViewHub:
        hub = feed.find(name)
        if hub is None:
            raise NotFound
        return hub

    @app.get("/feed/boards")
    @described("Every board of the hall", list[FeedBoard])
    def feed_boards() -> Response:
        return json_answer(msgspec.json.encode(feed.boards()))

    @app.get("/feed/boards/<board:name>/state")
    @described("A board's newest view", View, missing=True)
    def feed_state(name: str) -> Response:
        latest = found(name).latest
        assert latest is not None  # as find() says
        return view_answer(latest)

    @app.get("/feed/boards/<board:name>/events")
    @described(
        f"A board's views as {STREAM_OF_VIEWS}",
        STREAM,
        missing=True,
    )
    def feed_events(name: str) -> Response:
        return stream_answer(found(name))

    @app.after_request
    def allow(answer: Response) -> Response:
        """Other sites' pages may read it where the settings name them."""
        origin = request.headers.get("Origin", "")
        if request.path.startswith(HERE) and ("*" in settings.origins or origin in settings.origins):
            answer.headers["Access-Control-Allow-Origin"] = "*" if "*" in settings.origins else origin
            answer.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
            answer.vary.add("Origin")
        return answer
