"""Brings tournaments to the boards: gives free ones to pairings that wait, tells the intake what is to be played where, and the
feed how much later the world sees it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from contextlib import closing, suppress

from controller.hub.errors import StoreError
from controller.hub.tournament.ledger import Tournaments
from controller.record.wire import PlannedMatch
from web.delay import Delay

LOOK_S = 1.0
"""Seconds between two looks: results come by themselves, and a board that is free then has its next match at once."""

AGAIN_S = 5.0


class Seating:
    """Works while it is open, with a connection of its own. plan: takes what each board shall play next, by board; delay: the
    delays of tournaments that have one of their own, by name."""

    def __init__(
        self,
        url: str,
        plan: Callable[[Mapping[str, PlannedMatch]], None],
        delay: Callable[[Mapping[str, Delay]], None] | None = None,
    ) -> None:
        self._url, self._plan, self._delay = url, plan, delay
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work, name="seating", daemon=True)

    def __enter__(self) -> Seating:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join(timeout=5.0)

    def _work(self) -> None:
        while not self._stop.is_set():
            with suppress(StoreError), closing(Tournaments(self._url)) as ledger:  # The intake says what is wrong.
                while not self._stop.is_set():
                    self._plan(ledger.seat())
                    if self._delay is not None:
                        self._delay(ledger.delays())
                    self._stop.wait(LOOK_S)
            self._stop.wait(AGAIN_S)
