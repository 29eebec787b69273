"""The streams of views: server-sent events (WHATWG HTML, 9.2) to many browsers from one event loop, without a thread for each."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from typing import Any, Protocol

from web.hub import PackedView, Quiet

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

RETRY_MS = 1000
"""What a browser waits before it connects again."""

OLD_S = 0.25
"""Age of a view from which it is told: a clock on the page would be seen to be late."""

BEAT = b": keep-alive\nevent: beat\ndata:\n\n"
"""The comment keeps proxies awake; a script can't see it, so an event goes with it."""


def always() -> bool:
    """Whoever follows may do so for as long as he likes."""
    return True


class StreamWatcher(Protocol):
    """One who follows."""

    def next(self, timeout: float) -> PackedView | Quiet:
        """What it has not had yet. timeout in seconds."""


class Followed(Protocol):
    """What can be followed: the views of a board (web/hub.py), or something that changes like them."""

    def watch(self, last_seen: int | None = None) -> AbstractContextManager[StreamWatcher]:
        """A watcher. last_seen: the sequence that it has, from an earlier connection."""

    def on_change(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Calls it after each change; it must not wait. The answer ends that."""


@dataclass(frozen=True)
class Stream:
    """The body of an answer at an address that ends in /events. last_seen: what the browser has had. holds: whether who asked for
    it may follow still; must not wait.

    The page's own server follows the hub for it; any other server sends what there is now, and the browser asks again.
    """

    hub: Followed
    last_seen: int | None = None
    holds: Callable[[], bool] = always

    def __iter__(self) -> Iterator[bytes]:
        yield b"retry: %d\n\n" % RETRY_MS
        with self.hub.watch(self.last_seen) as watcher:
            while isinstance(found := watcher.next(0.0), PackedView):
                yield event(found)


def event(view: PackedView) -> bytes:
    """One view as it goes over the line; before one that has been shown for a while, for how long."""
    told, age = b"id: %d\ndata: %s\n\n" % (view.sequence, view.body), view.age
    return told if age < OLD_S else b"event: age\ndata: %.2f\n\n%s" % (age, told)


class Viewer:
    """One browser that follows. end(): it follows no longer. holds: whether it may; quiet: nothing was sent since the clock's last
    tick; beat: a sign of life is due."""

    def __init__(self) -> None:
        self.bell = asyncio.Event()
        self.holds: Callable[[], bool] = always
        self.ended = False
        self.quiet = self.beat = False

    def end(self) -> None:
        """In the loop's thread."""
        self.ended = True
        self.bell.set()


class Streams:
    """Every stream that is open in one event loop. Each view wakes the loop once, and the loop all who follow that hub."""

    def __init__(self, keep_alive: float) -> None:
        self._keep_alive = keep_alive
        self._loop = asyncio.get_running_loop()
        self._viewers: dict[Followed, set[Viewer]] = {}
        self._stop: dict[Followed, Callable[[], None]] = {}
        self._closed = False
        # One clock for all: two thousand viewers with a timeout each would cost as much as what they are sent.
        self._clock = self._loop.call_later(keep_alive / 2, self._tick)

    async def follow(self, stream: Stream, viewer: Viewer, receive: Receive, send: Send) -> None:
        """Sends the views until the browser leaves, the viewer or the hub ends it, or this closes."""
        viewers = self._begin(stream.hub)
        viewers.add(viewer)
        viewer.holds = stream.holds
        left = asyncio.ensure_future(_gone(receive))
        left.add_done_callback(lambda _: viewer.end())
        try:
            await send({"type": "http.response.body", "body": b"retry: %d\n\n" % RETRY_MS + BEAT, "more_body": True})
            with stream.hub.watch(stream.last_seen) as watcher:
                while not (viewer.ended or self._closed):
                    viewer.bell.clear()
                    found = watcher.next(0.0)
                    if found is Quiet.HUNG_UP:
                        break
                    if isinstance(found, PackedView):
                        await send({"type": "http.response.body", "body": event(found), "more_body": True})
                    elif viewer.beat:
                        await send({"type": "http.response.body", "body": BEAT, "more_body": True})
                    else:
                        await viewer.bell.wait()
                        continue
                    viewer.quiet = viewer.beat = False
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            viewers.discard(viewer)
            if not viewers:
                self._forget(stream.hub)
            left.cancel()

    def close(self) -> None:
        """Ends every stream, in the loop's thread."""
        self._closed = True
        self._clock.cancel()
        for stop in self._stop.values():
            stop()
        for viewers in self._viewers.values():
            for viewer in viewers:
                viewer.end()

    def _begin(self, hub: Followed) -> set[Viewer]:
        if hub in self._viewers or self._closed:
            return self._viewers.setdefault(hub, set())
        viewers = self._viewers[hub] = set()

        def ring() -> None:
            for viewer in viewers:
                viewer.bell.set()

        def wake() -> None:
            with suppress(RuntimeError):  # The loop has just closed.
                self._loop.call_soon_threadsafe(ring)

        self._stop[hub] = hub.on_change(wake)
        return viewers

    def _forget(self, hub: Followed) -> None:
        """Nobody follows it: whoever has it may let it go."""
        self._viewers.pop(hub, None)
        if stop := self._stop.pop(hub, None):
            stop()

    def _tick(self) -> None:
        """Twice in the time of a silence: whoever was sent nothing since the last one hears that the stream lives, and whoever may
        follow no longer is let go."""
        self._clock = self._loop.call_later(self._keep_alive / 2, self._tick)
        for viewers in self._viewers.values():
            for viewer in viewers:
                if not viewer.holds():
                    viewer.end()
                if viewer.quiet:
                    viewer.beat = True
                    viewer.bell.set()
                viewer.quiet = True


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
