"""From what the hub knows of a board to its tile on the wall, and to its page."""

from __future__ import annotations

import threading
import time

import msgspec

from controller.app.status import Status
from controller.hub.course import drawn
from controller.hub.feed import Feed
from controller.hub.intake import BoardAtHub
from controller.hub.wall import Tile, Wall
from vision.sentence import Sentence
from web.hub import PackedView, ViewHub
from web.silence import without_judgements
from web.view import Message, View
from web.words import message

LOW_DISK_MB = 500

KEPT_S = 60.0
"""Seconds for which a page's views go on after the last who looked."""


def tile_of(board: BoardAtHub, view: View | None) -> Tile:
    """What the wall shows of a board. view: without lines."""
    silent = None
    if board.trouble:
        silent = board.seen_at.isoformat(timespec="seconds") if board.seen_at else ""
    bare = None
    if view is not None:
        standing = tuple(flag for flag in view.flags if flag.resolved is None)
        bare = msgspec.structs.replace(view, sequence=0, flags=standing)
    troubles = troubles_of(board)
    messages = tuple(_in_words(one, view) for one in troubles)
    return Tile(board.name, bare, silent, tuple(map(str, troubles)), messages, board.last)


def _in_words(trouble: str, view: View | None) -> Message:
    """In every language: what a board tells of its camera and journal is in its view, as far as that is its newest."""
    in_view = (view.camera_message, view.journal_message) if view else ()
    return next((one for one in in_view if one and one.words["en"] == trouble), None) or message(trouble)


def troubles_of(board: BoardAtHub) -> tuple[str, ...]:
    """What a director should know of the machine at a board."""
    health = board.health
    found = [one for one in (health.camera, health.journal) if one]
    if health.panel:
        found.append(_lamps(health.panel))
    if health.free_mb is not None and health.free_mb < LOW_DISK_MB:
        found.append(_disk(health.free_mb))
    if board.clock_off:
        found.append(_clock(board.clock_off))
    if board.course.unknown:
        found.append(_unknown(board.course.unknown))
    return tuple(found)


def _lamps(why: str) -> Sentence:
    return Sentence("Its lamps and buttons do not work: {why}", why=why)


def _disk(free: int) -> Sentence:
    return Sentence("Its disk is nearly full: {free} MB are left.", free=free)


def _clock(off: float) -> Sentence:
    text = "Its clock is {minutes} minutes fast." if off > 0 else "Its clock is {minutes} minutes slow."
    return Sentence(text, minutes=round(abs(off) / 60))


def _unknown(events: int) -> Sentence:
    return Sentence(
        "{count} of its events can't be read here: they are kept, and the board is shown without them. Update the hub.",
        count=events,
    )


class BoardViews:
    """The views of single boards, for those whose pages are open. show() is called by the intake's thread, open() by any."""

    def __init__(self, wall: Wall, feed: Feed | None = None) -> None:
        """feed: what shows the same to the world, later."""
        self._wall, self._feed = wall, feed
        self._lock = threading.Lock()
        self._newest: dict[str, tuple[Status, int]] = {}
        self._open: dict[str, tuple[ViewHub, float]] = {}
        self._sequence = 0

    def show(self, changed: list[BoardAtHub]) -> None:
        """Draws what has changed, on the wall and on every page that somebody looks at."""
        tiles: dict[str, bytes] = {}
        for board in changed:
            self._sequence += 1
            status = board.course.status(board.health.camera) if board.course.match else None
            view = self._pass_on(board.name, status, self._sequence) if status else None
            tiles[board.name] = msgspec.json.encode(tile_of(board, view))
        if tiles:
            self._wall.show(tiles)

    def open(self, name: str) -> ViewHub | None:
        """The views of a board from now on; None where there is nothing to be seen of it."""
        with self._lock:
            newest, found = self._newest.get(name), self._open.get(name)
            if newest is None:
                return None
            hub = found[0] if found else ViewHub()
            if found is None and (view := drawn(*newest, lines=True)) is not None:
                hub.pass_on(_packed(view))
            self._open[name] = hub, time.monotonic()
            return hub

    def _pass_on(self, name: str, status: Status, sequence: int) -> View | None:
        """The view for a tile, None where nothing can be drawn. With its lines it is made only where somebody sees them: they are
        half the work of a tile, or more in a long game."""
        with self._lock:
            before, self._newest[name] = self._newest.get(name), (status, sequence)
            found = self._open.get(name)
            if found is not None and not found[0].watchers and time.monotonic() - found[1] > KEPT_S:
                del self._open[name]
                found = None
        whole = drawn(status, sequence, lines=True) if found is not None or self._feed is not None else None
        if whole is None:
            view = drawn(status, sequence, lines=False)
            if view is None:
                self._go_back(name, before)
            return view
        packed = _packed(whole)
        if found is not None:
            found[0].pass_on(packed)
        if self._feed is not None:
            self._feed.put(name, packed)
        return msgspec.structs.replace(whole, plays=(), doubtful=())

    def _go_back(self, name: str, before: tuple[Status, int] | None) -> None:
        """What can't be drawn is nobody's newest view."""
        with self._lock:
            if before is None:
                del self._newest[name]
            else:
                self._newest[name] = before


def _packed(view: View) -> PackedView:
    """As whoever is not of the match may see it; made only where somebody does."""
    return without_judgements(PackedView.of(view))
