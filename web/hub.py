"""Hands the newest view to everyone who watches: one publisher, many watchers, nobody waited for.

    hub.publish(view)                          # the owner of the state
    with hub.watch(last_seen=17) as watcher:   # one thread for each watcher
        found = watcher.next(timeout=10.0)     # a PackedView, or Quiet
    stop = hub.on_change(wake)                 # or told of each change; stop() ends it

Every view is a full state, so a watcher needs no queue: one that is slow finds the newest view when it comes back. A
short history lets one that lost its connection for a moment, and says what it has had, see the plays between one by one. Our own
pages begin anew, and see the newest.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from enum import Enum
from hashlib import blake2b

import msgspec

from web.view import View

HISTORY = 16
"""Views kept for watchers that come back: some 8 plays, as a play is about two views (the roll, the checkers).
Whoever was away longer is shown the present at once."""


class Quiet(Enum):
    """Why a watcher got no view."""

    TIMED_OUT = "nothing new"
    HUNG_UP = "the hub ends all watching"


@dataclass(frozen=True)
class PackedView:
    """A view as it travels. sequence: the view's; body: its JSON, UTF-8; tag: short hash of body; since: when its hub has shown it,
    None before that."""

    sequence: int
    body: bytes
    tag: str
    since: float | None = field(default=None, compare=False)

    @classmethod
    def of(cls, view: View) -> PackedView:
        """The view, packed."""
        return cls.packed(view.sequence, msgspec.json.encode(view))

    @classmethod
    def packed(cls, sequence: int, body: bytes) -> PackedView:
        """What is JSON already, with its tag."""
        return cls(sequence, body, blake2b(body, digest_size=8).hexdigest())

    @property
    def age(self) -> float:
        """Seconds since it was shown: a clock in it has run on for so long."""
        return 0.0 if self.since is None else time.monotonic() - self.since


class Followers:
    """Those who follow something, in threads of their own or by being told: woken by each change, let go all at once. What is
    followed is kept under the same lock. All methods may be called from any thread, and none waits for a watcher."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._watchers = self._hang_ups = 0
        self._listeners: tuple[Callable[[], None], ...] = ()

    @property
    def watchers(self) -> int:
        """How many watch now."""
        with self._changed:
            return self._watchers

    @property
    def hang_ups(self) -> int:
        """How often all watching was ended."""
        with self._changed:
            return self._hang_ups

    def hang_up(self) -> None:
        """Ends all present watching, as a server does that closes. What is followed itself stays good."""
        with self._changed:
            self._hang_ups += 1
        self._wake()

    def on_change(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Calls listener() after each change and each hang-up, in the thread that brings it; it must not wait. The answer ends
        that."""
        with self._changed:
            self._listeners = (*self._listeners, listener)

        def stop() -> None:
            with self._changed:
                self._listeners = tuple(one for one in self._listeners if one is not listener)

        return stop

    @contextmanager
    def _counted(self) -> Iterator[None]:
        """One more watches meanwhile."""
        with self._changed:
            self._watchers += 1
        try:
            yield
        finally:
            with self._changed:
                self._watchers -= 1

    def _wake(self) -> None:
        with self._changed:
            self._changed.notify_all()
            listeners = self._listeners
        for listener in listeners:
            listener()


class ViewHub(Followers):
    """Holds the newest view."""

    def __init__(self) -> None:
        super().__init__()
        self._history: deque[PackedView] = deque(maxlen=HISTORY)

    @property
    def latest(self) -> PackedView | None:
        """The newest view, None before the first."""
        with self._changed:
            return self._history[-1] if self._history else None

    def publish(self, view: View) -> bool:
        """Shows the view to all; False, and nothing happens, where its sequence is not newer than the latest."""
        return self.pass_on(PackedView.of(view))

    def pass_on(self, snapshot: PackedView) -> bool:
        """The same for a view that another hub has shown."""
        with self._changed:
            if self._history and snapshot.sequence <= self._history[-1].sequence:
                return False
            self._history.append(replace(snapshot, since=time.monotonic()))
        self._wake()
        return True

    @contextmanager
    def watch(self, last_seen: int | None = None) -> Iterator[Subscription]:
        """A watcher for one thread. last_seen: the sequence that it has, from an earlier connection."""
        with self._counted():
            with self._changed:
                watcher = Subscription(self, self._missed(last_seen), self._hang_ups)
            yield watcher

    def _missed(self, last_seen: int | None) -> deque[PackedView]:
        """What a watcher starts with: the views after last_seen if the history goes back so far, else the newest."""
        known = [snapshot.sequence for snapshot in self._history]
        if last_seen in known[:-1]:
            return deque(snapshot for snapshot in self._history if snapshot.sequence > last_seen)
        return deque(list(self._history)[-1:])

    def _wait(self, seen: int | None, hang_ups: int, timeout: float) -> PackedView | Quiet:
        def ready() -> bool:
            newer = bool(self._history) and self._history[-1].sequence != seen
            return newer or self._hang_ups != hang_ups

        with self._changed:
            if not self._changed.wait_for(ready, timeout):
                return Quiet.TIMED_OUT
            return Quiet.HUNG_UP if self._hang_ups != hang_ups else self._history[-1]


class Subscription:
    """One watcher's place in the stream of views. Made by ViewHub.watch; for one thread."""

    def __init__(self, hub: ViewHub, missed: deque[PackedView], hang_ups: int) -> None:
        self._hub = hub
        self._missed = missed
        self._hang_ups = hang_ups
        self._seen: int | None = None

    def next(self, timeout: float) -> PackedView | Quiet:
        """The next view: first those that it starts with, then always the newest it has not had. timeout in seconds."""
        if self._missed:
            found: PackedView | Quiet = self._missed.popleft()
        else:
            found = self._hub._wait(self._seen, self._hang_ups, timeout)
        if isinstance(found, PackedView):
            self._seen = found.sequence
        return found
