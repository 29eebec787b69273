"""The hub's own pages: the wall, and each board's live page through the hub.

/ the wall, /events its stream, /api/wall its tiles; /boards/NAME/ the board's page, with its /events and /api/state; the archive's
pages: archive_pages.py; alerts: alert_pages.py; tournaments: tournament/pages.py; who may: door.py.
"""

from __future__ import annotations

import msgspec
from flask import Flask, Response
from werkzeug.exceptions import NotFound
from werkzeug.routing import BaseConverter

from controller.hub.alert_pages import add_alerts
from controller.hub.archive_pages import add_archive
from controller.hub.desk_pages import add_desks
from controller.hub.door import HubDoor
from controller.hub.embedding import add_embedding
from controller.hub.feed import Feed, add_feed
from controller.hub.joining_pages import add_joining
from controller.hub.passes import DeskPasses
from controller.hub.people import Known
from controller.hub.people_pages import add_people
from controller.hub.settings import HubSettings
from controller.hub.shown import BoardViews
from controller.hub.tournament.pages import add_tournaments
from controller.hub.tournament.world import add_tournament_feed
from controller.hub.wall import Wall
from controller.record.wire import NAME
from web.api import add_api
from web.app import SENTENCES, bare_app, stream_answer
from web.hub import ViewHub
from web.installed import add_installed
from web.pages import chosen_language, json_answer, page, page_words, script_data, view_answer
from web.sessions import door_of, own_cookie
from web.words import LANGUAGES

VIEWERS = 2500
"""Streams open at once: two thousand viewers of the wall, and some that are just going."""


class BoardName(BaseConverter):
    """A board's name in an address."""

    regex = NAME.strip("^$")


SESSIONS = 2000
"""Browsers signed in at once: a hall where everybody has a name."""


AWAY = (
    "The hub's database or its broker does not answer in time, so this page can't be shown now. Nothing is lost: what boards send "
    "waits. Load the page again in a minute; if it stays so, see whether both run, and whether the machine has too much to do."
)


_REFUSALS = {
    401: "Nobody is signed in here, or no longer. Sign in, and do it once more.",
    403: "That is not yours to do, or the page is old. Load it again; a director of the hub says who may do what.",
    429: "That is done for one at a time, or was asked too often. Wait a little, then try again.",
    503: AWAY,
}
"""What is said of errors in the place of what a board's page says."""


def create_hub_app(
    wall: Wall,
    views: BoardViews,
    settings: HubSettings,
    feed: Feed | None = None,
    *,
    https: bool = False,
    known: Known | None = None,
    passes: DeskPasses | None = None,
) -> Flask:
    """The application. https: whether browsers come by it. known, passes: who is somebody, and who is let in at boards' desks,
    where others have to know of them."""
    url, web = settings.database.url, settings.web
    known = known or Known(url)
    passes = passes or DeskPasses(known)
    cookie = own_cookie("hub", f"{web.host}:{web.port}")
    app = bare_app(wall, VIEWERS, https=https, names=(web.host, *web.names), cookie=cookie)
    door_of(app).sessions.most = SESSIONS
    app.config[SENTENCES] = _REFUSALS
    app.url_map.converters["board"] = BoardName
    add_installed(app)
    _add_wall(app, wall)
    door = HubDoor(app, url, known, passes.drop, public=settings.public, world=settings.feed.show)
    add_archive(app, url, door, settings.feed.delay_s)
    _add_boards(app, views, door)
    add_desks(app, views, door, passes, url)
    add_alerts(app, wall, door, url, push=settings.alerts.push is not None)
    add_people(app, door, url)
    add_joining(app, door, url, settings.broker)
    add_tournaments(app, door, url, settings.feed if feed is not None else None)
    if feed is not None:
        add_feed(app, feed, settings.feed)
        add_tournament_feed(app, feed, url, settings.feed.delay)
        add_embedding(app, feed, url, settings.feed.origins)
        add_api(app)
    return app


def _add_wall(app: Flask, wall: Wall) -> None:
    @app.get("/")
    def wall_page() -> Response:
        chosen = chosen_language("./")
        if chosen is not None:
            return chosen
        words = page_words()
        return page("wall.html", words, languages=LANGUAGES, data=script_data(words, "wall.js"))

    @app.get("/api/wall")
    @app.get("/api/state")
    def tiles() -> Response:
        return view_answer(wall.latest)

    @app.get("/events")
    def events() -> Response:
        return stream_answer(wall)

    @app.get("/healthz")
    def health() -> Response:
        return json_answer(
            msgspec.json.encode({"status": "ok", "sequence": wall.latest.sequence, "watchers": wall.watchers})
        )


def _add_boards(app: Flask, views: BoardViews, door: HubDoor) -> None:
    def opened(name: str) -> ViewHub:
        hub = views.open(name)
        if hub is None:
            raise NotFound
        return hub

    @app.get("/boards/<board:name>/")
    def board(name: str) -> Response:
        opened(name)
        chosen = chosen_language("./")
        if chosen is not None:
            return chosen
        words = page_words()
        person = door.person()
        answers = person is not None and person.may("scorer")
        return page(
            "page.html",
            words,
            languages=LANGUAGES,
            desk=False,
            to_desk=answers,
            address="",
            data=script_data(words, "main.js"),
        )

    @app.get("/boards/<board:name>/worker.js")
    def board_worker(name: str) -> Response:
        # Beside each board's page: a worker serves nothing above its own address.
        opened(name)
        answer = app.send_static_file("worker.js")
        answer.headers["Cache-Control"] = "no-cache"
        return answer

    @app.get("/boards/<board:name>/api/state")
    def state(name: str) -> Response:
        latest = opened(name).latest
        if latest is None:
            raise NotFound
        return view_answer(latest)

    @app.get("/boards/<board:name>/events")
    def board_events(name: str) -> Response:
        return stream_answer(opened(name))
