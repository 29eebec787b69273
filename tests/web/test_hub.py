"""The hub of views: everyone gets the newest one, in order, and nobody is waited for."""

from __future__ import annotations

import threading
import time

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.web.views import start_view
from web.hub import HISTORY, PackedView, Quiet, ViewHub
from web.view import View


def published(*sequences: int) -> ViewHub:
    hub = ViewHub()
    for sequence in sequences:
        hub.publish(start_view(sequence))
    return hub


def sequences_of(hub: ViewHub, last_seen: int | None = None) -> list[int]:
    """What a watcher gets at once."""
    found = []
    with hub.watch(last_seen) as watcher:
        while isinstance(snapshot := watcher.next(timeout=0), PackedView):
            found.append(snapshot.sequence)
    return found


def test_a_watcher_gets_the_newest_view_whole_and_then_silence() -> None:
    hub = published(1, 2, 3)
    with hub.watch() as watcher:
        snapshot = watcher.next(timeout=0)
        assert isinstance(snapshot, PackedView)
        assert msgspec.json.decode(snapshot.body, type=View) == start_view(3)
        assert watcher.next(timeout=0) is Quiet.TIMED_OUT


def test_a_view_says_for_how_long_it_has_been_shown() -> None:
    hub, later = published(1), ViewHub()
    time.sleep(0.02)
    shown = hub.latest
    assert shown is not None
    assert 0.02 <= shown.age < 10
    later.pass_on(shown)  # to an audience that has not seen it yet
    assert later.latest is not None
    assert later.latest.age < shown.age
    assert later.latest == shown


def test_before_the_first_view_there_is_silence() -> None:
    assert sequences_of(ViewHub()) == []
    assert ViewHub().latest is None


def test_a_slow_watcher_skips_to_the_newest_view() -> None:
    hub = published(1)
    with hub.watch() as watcher:
        watcher.next(timeout=0)
        for sequence in range(2, 50):
            hub.publish(start_view(sequence))
        snapshot = watcher.next(timeout=0)
        assert isinstance(snapshot, PackedView)
        assert snapshot.sequence == 49
        assert watcher.next(timeout=0) is Quiet.TIMED_OUT


@pytest.mark.parametrize(
    ("last_seen", "expected"),
    [
        (None, [5]),
        (3, [4, 5]),
        (5, [5]),  # what it has may be of an earlier run of the program: the newest view is always right
        (4711, [5]),
    ],
)
def test_a_watcher_that_comes_back_gets_what_it_missed(last_seen: int | None, expected: list[int]) -> None:
    assert sequences_of(published(1, 2, 3, 4, 5), last_seen) == expected


def test_a_watcher_away_for_longer_than_the_history_gets_the_present_alone() -> None:
    hub = published(*range(1, HISTORY + 10))
    assert sequences_of(hub, last_seen=2) == [HISTORY + 9]


@given(st.lists(st.integers(0, 60), max_size=40), st.integers(0, 60))
def test_what_a_watcher_gets_only_grows_and_ends_with_the_newest(sequences: list[int], last_seen: int) -> None:
    hub = ViewHub()
    for sequence in sequences:
        newest = hub.latest
        assert hub.publish(start_view(sequence)) is (newest is None or sequence > newest.sequence)
    got = sequences_of(hub, last_seen)
    assert got == sorted(set(got))
    assert got[-1:] == ([max(sequences)] if sequences else [])


def test_many_threads_all_arrive_at_the_last_view() -> None:
    hub = ViewHub()
    last = 200
    seen: dict[int, list[int]] = {}

    def follow(name: int) -> None:
        seen[name] = []
        with hub.watch() as watcher:
            while not seen[name] or seen[name][-1] != last:
                snapshot = watcher.next(timeout=5)
                assert isinstance(snapshot, PackedView)
                seen[name].append(snapshot.sequence)

    threads = [threading.Thread(target=follow, args=(name,)) for name in range(20)]
    for thread in threads:
        thread.start()
    for sequence in range(1, last + 1):
        hub.publish(start_view(sequence))
    for thread in threads:
        thread.join(timeout=10)
    assert len(seen) == 20
    assert all(got == sorted(set(got)) and got[-1] == last for got in seen.values())
    assert hub.watchers == 0


def test_hanging_up_ends_the_waiting_but_not_the_hub() -> None:
    hub = published(1)
    ended: list[object] = []

    def follow() -> None:
        with hub.watch() as watcher:
            watcher.next(timeout=5)
            ended.append(watcher.next(timeout=5))

    thread = threading.Thread(target=follow)
    thread.start()
    while hub.watchers == 0:
        time.sleep(0.01)
    hub.hang_up()
    thread.join(timeout=3)
    assert ended == [Quiet.HUNG_UP]
    assert sequences_of(hub) == [1]
