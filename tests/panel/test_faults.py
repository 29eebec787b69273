"""Every fault at every place of one exchange: a new state goes out and is acknowledged while a button is pressed.

After each the lamps and the host agree within a second of the fault, and the press has arrived exactly once.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from functools import cache

import pytest

from controller.panel.adapter import Button
from controller.panel.plan import PanelState
from controller.rules.side import Side
from firmware.buttons import REPEAT_MS
from tests.panel.wire import Bench, Mangle

BEFORE = PanelState(Side.LIGHT, False, 1)
AFTER = PanelState(Side.DARK, True, 2, Side.LIGHT)
AGREE_MS = 1000
WAYS = ("mangle_to_controller", "mangle_to_host")


@cache
def _connected() -> Bench:
    bench = Bench()
    bench.host.show(BEFORE)
    assert bench.ms_until_shown(BEFORE) < 100
    bench.run(120)
    return bench


def exchange(way: str, mangle: Mangle) -> Bench:
    """Shows AFTER and presses the cube button, while what goes one way is mangled."""
    bench = copy.deepcopy(_connected())
    setattr(bench, way, mangle)
    bench.host.show(AFTER)
    bench.press(Button.CUBE, hold_ms=30)
    return bench


def check(bench: Bench, spent_ms: int = 60) -> None:
    """The promise of the link. spent_ms: since the fault."""
    assert bench.ms_until_shown(AFTER) + spent_ms <= AGREE_MS
    # Three repeats of an event, so that one doubled or still on its way would show.
    bench.run(3 * REPEAT_MS)
    assert bench.presses() == [Button.CUBE]
    assert bench.host.counters.lost_events == 0
    assert bench.controller.outbox.due(bench.now + 1000) is None, "the controller knows that the press has arrived"


@cache
def length(way: str) -> int:
    """Bytes that go one way in an unharmed exchange."""
    passed = 0

    def count(data: bytes) -> bytes:
        nonlocal passed
        passed += len(data)
        return data

    check(exchange(way, count))
    return passed


def at(place: int, change: Callable[[int], bytes]) -> Mangle:
    """Changes the byte at one place of all that goes one way."""
    passed = 0

    def mangle(data: bytes) -> bytes:
        nonlocal passed
        start, passed = passed, passed + len(data)
        if not start <= place < passed:
            return data
        here = place - start
        return data[:here] + change(data[here]) + data[here + 1 :]

    return mangle


# The pings and answers behind the exchange are as those in it.
PLACES = 180


def places(way: str) -> Iterator[int]:
    assert length(way) > 40
    return iter(range(min(length(way), PLACES)))


@pytest.mark.parametrize("way", WAYS)
def test_every_single_bit_flip(way: str) -> None:
    for place in places(way):
        for bit in range(8):
            check(exchange(way, at(place, lambda byte, bit=bit: bytes((byte ^ 1 << bit,)))))  # type: ignore[misc]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda byte: b"", id="dropped"),
        pytest.param(lambda byte: bytes((byte, byte)), id="doubled"),
        pytest.param(lambda byte: b"\x00\xff~" + bytes((byte,)), id="garbage before it"),
        pytest.param(lambda byte: b"\n" + bytes((byte,)), id="line feed before it"),
        pytest.param(lambda byte: b"x" * 400, id="oversize instead of it"),
    ],
)
def test_every_byte(way: str, change: Callable[[int], bytes]) -> None:
    for place in places(way):
        check(exchange(way, at(place, change)))


@pytest.mark.parametrize("way", WAYS)
def test_every_pair_of_frames_in_the_other_order_and_the_first_again(way: str) -> None:
    for which in range(6):
        held: list[bytes] = []
        seen = 0

        def mangle(data: bytes, which: int = which, held: list[bytes] = held) -> bytes:
            nonlocal seen
            if not data:
                return data
            seen += 1
            if seen - 1 == which:
                held.append(data)
                return b""
            return data + held[0] + held[0] if held and seen - 2 == which else data

        check(exchange(way, mangle))


def test_unplugged_at_every_byte_of_a_write() -> None:
    """The line ends within a write; 200 ms later another port is opened, its line empty."""
    for place in range(0, length("mangle_to_controller"), 2):
        passed = 0

        def cut(data: bytes, place: int = place) -> bytes:
            nonlocal passed
            room, passed = max(0, place - passed), passed + len(data)
            return data[:room]

        bench = copy.deepcopy(_connected())
        bench.mangle_to_controller = cut
        bench.host.show(AFTER)
        while passed <= place and bench.now < 600:
            bench.step()
        bench.mangle_to_host = lambda data: b""
        bench.press(Button.CUBE, hold_ms=30)
        bench.run(140)
        bench.to_controller.clear()
        bench.to_host.clear()
        bench.mangle_to_controller = bench.mangle_to_host = lambda data: data
        bench.host.port_opened(bench.now / 1000)
        check(bench, spent_ms=0)


@pytest.mark.parametrize("bounces", range(1, 14, 3))
def test_a_contact_that_bounces_at_both_ends(bounces: int) -> None:
    bench = copy.deepcopy(_connected())
    bench.host.show(AFTER)
    for closed in (True, False):
        for bounce in range(2 * bounces + 1):
            bench.contacts = int(closed == (bounce % 2 == 0)) << Button.CUBE
            bench.run(1)
        bench.run(40)
    check(bench)


def test_a_controller_that_restarts_at_any_moment_after_the_press_was_taken() -> None:
    for moment in range(0, 60, 7):
        bench = exchange("mangle_to_host", lambda data: data)
        bench.run(100 + moment)
        bench.reboot()
        check(bench, spent_ms=0)
