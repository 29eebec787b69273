"""Shows an audience the board later than it happens: by some seconds, or by some turns. The director's view is not delayed."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import msgspec

from web.hub import PackedView, Quiet, ViewHub
from web.operator import MatchLine
from web.view import MATCH_OVER

LOOK = 0.25
"""Seconds between two looks at what is due: half of what a viewer would notice."""
MOST_HELD = 20_000
"""Views held back at once, some 60 MB; beyond that the oldest is shown early."""


class _Progress(msgspec.Struct, frozen=True):
    """How far a view's match has come."""

    game: int
    plays: list[msgspec.Raw] = []
    phase: str = ""
    match_id: str = ""
    event: str = ""
    practice: bool = False


_PROGRESS = msgspec.json.Decoder(_Progress)


@dataclass(frozen=True)
class Delay:
    """seconds that pass, and turns that are played, before a view is shown; both must be over."""

    seconds: float = 0.0
    turns: int = 0

    def __bool__(self) -> bool:
        return self.seconds > 0 or self.turns > 0


AT_ONCE = Delay()
NO_EVENTS: Mapping[str, Delay] = MappingProxyType({})


def longer(one: Delay, other: Delay) -> Delay:
    """One that ends no earlier than either."""
    return Delay(max(one.seconds, other.seconds), max(one.turns, other.turns))


class DelayLine:
    """Holds views back: put() them as they come, take() those that are due. No thread, no clock of its own."""

    def __init__(self, delay: Delay) -> None:
        self._delay = delay
        self._held: deque[tuple[float, int, str, PackedView]] = deque()
        self._turns = 0
        self._match = ""
        self._most: dict[int, int] = {}
        self._over = False

    def put(self, snapshot: PackedView, now: float) -> None:
        """A view that has just been published."""
        progress = _PROGRESS.decode(snapshot.body)
        if not progress.practice:
            self._count(progress)
        self._held.append((now, self._turns, progress.event, snapshot))

    def _count(self, progress: _Progress) -> None:
        """The turns that were played."""
        game, plays = progress.game, len(progress.plays)
        if progress.match_id != self._match:
            self._match, self._most = progress.match_id, {}
        # Each turn counts once: one that is taken back, in a game that may have been over, and played anew shows nothing hidden.
        before = self._most.get(game, 0)
        self._turns += max(0, plays - before)
        self._most[game] = max(plays, before)
        self._over = progress.phase == MATCH_OVER

    def take(self, now: float, of_events: Mapping[str, Delay] = NO_EVENTS) -> list[PackedView]:
        """The views whose time has come, oldest first. of_events: the delays of those that have one of their own, by name."""
        due = []
        while self._held:
            put, turns, event, _ = self._held[0]
            delay = of_events.get(event, self._delay)
            # After the match's last turn no other follows that could let it be seen.
            played = self._over or self._turns - turns >= delay.turns
            over = now - put >= delay.seconds and played
            if not over and len(self._held) <= MOST_HELD:
                break
            due.append(self._held.popleft()[3])
        return due


class LaterHub(ViewHub):
    """What an audience sees later. first: the first view that it shall see, None before there is one."""

    def __init__(self) -> None:
        super().__init__()
        self.first: PackedView | None = None


def delayed(hub: ViewHub, delay: Delay) -> ViewHub:
    """A hub that shows what `hub` shows, later. A thread feeds it until the hub hangs up; without a delay it is `hub`."""
    if not delay:
        return hub
    audience, line = LaterHub(), DelayLine(delay)

    def feed() -> None:
        with hub.watch() as watcher:
            while True:
                found = watcher.next(LOOK)
                if found is Quiet.HUNG_UP:
                    audience.hang_up()
                    return
                now = time.monotonic()
                if isinstance(found, PackedView):
                    audience.first = audience.first or found
                    line.put(found, now)
                for snapshot in line.take(now):
                    audience.pass_on(snapshot)

    threading.Thread(target=feed, name="delay", daemon=True).start()
    return audience


def unseen(lines: Sequence[MatchLine], hub: ViewHub, audiences: Sequence[ViewHub]) -> int:
    """How many of these matches, newest first, some audience has still to see the end of. hub: without a delay.

    A match has ended for an audience that sees it over, and a session or a match that was broken off when it sees a later one.
    """
    now = _progress(hub.latest)
    return max(_unseen(lines, now, audience) for audience in audiences)


def _unseen(lines: Sequence[MatchLine], now: _Progress | None, audience: ViewHub) -> int:
    seen = _progress(audience.latest)
    first = _progress(audience.first) if isinstance(audience, LaterHub) else None
    at = seen or first or now
    number = next((number for number, line in enumerate(lines) if at and line.id == at.match_id), None)
    if number is None:
        return int(any(not line.over for line in lines[:1]))
    ended = _over(seen) and (now is None or now.match_id != lines[number].id or _over(now))
    return number if ended else number + 1


def _over(progress: _Progress | None) -> bool:
    return progress is not None and progress.phase == MATCH_OVER and not progress.practice


def _progress(snapshot: PackedView | None) -> _Progress | None:
    return _PROGRESS.decode(snapshot.body) if snapshot is not None else None
