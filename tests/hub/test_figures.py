"""The figures of a hub under load count what is late, lost, or there twice."""

from __future__ import annotations

import time
from dataclasses import replace

from benchmarks.hub import Watching, beside
from controller.record.journal import StoredEvent


def test_what_never_came_is_no_quick_event() -> None:
    watching, now = Watching("http://127.0.0.1:9/"), time.monotonic()
    watching._shown["board-1"] = 60, 1, now
    for sequence in range(1, 101):
        watching.acted("board-1", sequence, now - 0.1)
    assert watching.figures(within=0.0) == {"p50_ms": 100, "p99_ms": -1, "max_ms": -1, "timed": 100}


def test_an_event_too_many_makes_good_for_none_that_is_missing() -> None:
    events = [StoredEvent(number, "board-1", "m", 1, "note", 1, "2026-11-29T20:00:00Z", "{}") for number in range(1, 4)]
    strange = replace(events[0], sequence=9)
    assert beside(events, events) == {"events": 3, "missing": 0, "different": 0}
    assert beside(events, [*events[:2], strange]) == {"events": 3, "missing": 1, "different": 1}
    assert beside(events, [*events, events[0]]) == {"events": 3, "missing": 0, "different": 1}
    assert beside(events, events[1:]) == {"events": 3, "missing": 1, "different": 0}
