"""What needs somebody: from tiles to alerts, and the messages that are sent to a phone where the settings name an address.

An alert stands while its cause does. It is sent once, when it has stood for a while, as ntfy takes it: a POST with the sentence, to
a server of the operator's choice (https://docs.ntfy.sh/publish/).
"""

from __future__ import annotations

import http.client
import re
import threading
import time
import urllib.request
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import msgspec

from controller.hub.wall import Tile, Tiles, Wall
from controller.referee.names import printable
from vision.sentence import Sentence
from web.hub import PackedView
from web.words import message

STANDS_S = 20.0
"""Seconds for which a cause has to last before somebody is called: players answer most flags by themselves."""

LOW_CLOCK_S = 60.0
LOOK_S = 1.0
SEND_S = 10.0
MOST_A_MINUTE = 20
PAUSE_S = (2.0, 60.0)
"""Seconds until a channel that could not send is tried again; each time in vain doubles them. Servers that refuse whoever asks too
often would hear from us each second, for each alert, and refuse for good."""

_NUMBER = re.compile(r"[0-9]+")


@dataclass(frozen=True)
class Alert:
    """words: what is said to the director, by language."""

    board: str
    cause: str
    words: Mapping[str, str]

    def in_words(self, language: str) -> str:
        """In that language; in English where nobody knows it."""
        return self.words.get(language, self.words["en"])


def alerts_of(tiles: Iterable[Tile]) -> list[Alert]:
    """What stands now, board by board."""
    found = []
    for tile in tiles:
        if tile.silent is not None:
            found.append(Alert(tile.board, "silent", message(_silent(tile.silent)).words))
        # What is counted in a sentence may change while its cause stands: nobody is called anew for that.
        found += [Alert(tile.board, _NUMBER.sub("", one.code)[:24], one.words) for one in tile.messages]
        view = tile.view
        if view is None:
            continue
        found += [
            Alert(tile.board, f"flag {view.match_id} {flag.number}", {**flag.translations, "en": flag.text})
            for flag in view.flags
        ]
        if view.clock is not None and view.clock.running is not None:
            left = view.clock.light if view.clock.running == "light" else view.clock.dark
            if left < LOW_CLOCK_S:
                name = view.light.name if view.clock.running == "light" else view.dark.name
                found.append(Alert(tile.board, f"clock {name}", message(_near_end(name, left)).words))
    return found


def _silent(since: str) -> Sentence:
    if not since:
        return Sentence("Nothing has been heard of it.")
    return Sentence("Nothing has been heard of it since {time} UTC.", time=since[:16].replace("T", " "))


def _near_end(name: str, left: float) -> Sentence:
    return Sentence("The clock of {name} is near its end: {left} s.", name=name, left=round(left))


def tiles_in(latest: PackedView) -> list[Tile]:
    """Every tile of a wall, by board. latest: what it has of all of them."""
    return sorted(_TILES.decode(latest.body).tiles, key=lambda tile: tile.board)


_TILES = msgspec.json.Decoder(Tiles[Tile])

Channel = Callable[[Alert], bool]
"""Sends an alert; whether it has."""


class Caller:
    """Sends alerts while it is open, each by every channel."""

    def __init__(self, wall: Wall, channels: Sequence[Channel], stands: float = STANDS_S) -> None:
        self._wall, self._stands = wall, stands
        self._seen: PackedView | None = None
        self._standing: Mapping[tuple[str, str], Alert] = {}
        self._looking = threading.Lock()
        self._stop = threading.Event()
        # A channel may take its time, and fail, for each alert: the others don't wait for it.
        self._threads = [
            threading.Thread(target=self._work, args=(channel,), name="alerts", daemon=True) for channel in channels
        ]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        end = time.monotonic() + SEND_S
        for thread in self._threads:
            thread.join(timeout=max(0.0, end - time.monotonic()))

    def _look(self) -> Mapping[tuple[str, str], Alert]:
        """What stands now, by board and cause. All boards are read once for all channels, and only where something has changed."""
        with self._looking:
            seen = self._wall.latest
            if seen is not self._seen:
                self._seen, self._standing = seen, {(one.board, one.cause): one for one in alerts_of(tiles_in(seen))}
            return self._standing

    def _work(self, channel: Channel) -> None:
        since, tried = dict[tuple[str, str], float](), dict[tuple[str, str], float]()
        sent = set[tuple[str, str]]()
        moments = list[float]()
        again, (pause, longest) = float("-inf"), PAUSE_S
        while not self._stop.wait(LOOK_S):
            now = time.monotonic()
            standing = self._look()
            since = {key: since.get(key, now) for key in standing}
            sent &= set(standing)
            moments = [at for at in moments if now - at < 60]
            for key in tried.keys() - standing.keys():
                del tried[key]
            # What was tried in vain goes behind the others: it may be that alone which is refused.
            for key in sorted(standing, key=lambda key: tried.get(key, 0.0)):
                due = key not in sent and now - since[key] >= self._stands
                if not due or now < again or len(moments) >= MOST_A_MINUTE or self._stop.is_set():
                    continue
                if channel(standing[key]):
                    sent.add(key)
                    moments.append(now)
                    pause = PAUSE_S[0]
                else:
                    tried[key] = now
                    again, pause = time.monotonic() + pause, min(2 * pause, longest)


class _NoRedirection(urllib.request.HTTPRedirectHandler):
    """Elsewhere nothing would be posted, only asked for: it would be told as sent. And the token is for that server alone."""

    def redirect_request(self, *_: object) -> None:
        return None


_STRAIGHT = urllib.request.build_opener(_NoRedirection)


class Ntfy:
    """Sends them to a topic of an ntfy server, in that language. address: of the topic; token: where it wants one; tell: hears why
    none could be sent."""

    def __init__(self, address: str, token: str | None, tell: Callable[[str], None], language: str = "en") -> None:
        self._address, self._token, self._tell, self._language = address, token, tell, language
        self._trouble = ""

    def __call__(self, alert: Alert) -> bool:
        """Whether it was sent."""
        body = f"{alert.board}: {alert.in_words(self._language)}".encode()
        headers = {"Title": "Vrhcab", "Content-Type": "text/plain; charset=utf-8"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        try:
            _STRAIGHT.open(urllib.request.Request(self._address, body, headers), timeout=SEND_S).close()
        except (OSError, http.client.HTTPException, ValueError) as error:
            reason = printable(str(getattr(error, "reason", error)))
            why = f"An alert could not be sent to the address of [alerts] ({reason})."
            if why != self._trouble:
                self._trouble = why
                self._tell(why)
            return False
        self._trouble = ""
        return True
