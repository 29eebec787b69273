"""The link in bad hours; test_faults.py has each fault at each place of an exchange."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.panel import messages
from controller.panel.adapter import Button
from controller.panel.frames import FrameReader, RawFrame, encode
from controller.panel.link import Connected, Disconnected, HostRefused, LinkPhase
from controller.panel.messages import Kind
from controller.panel.plan import Cue, PanelState
from controller.rules.side import Side
from firmware.buttons import NUMBERS, QUEUE
from firmware.ticks import PERIOD
from tests.panel.wire import Bench, Mangle

FIRST = PanelState(Side.LIGHT, False, 1)
SECOND = PanelState(Side.DARK, True, 2, Side.LIGHT)
AGREE_MS = 1000


def connected(clock: int = 0) -> Bench:
    bench = Bench(clock)
    bench.host.show(FIRST)
    assert bench.ms_until_shown(FIRST) < 100
    return bench


def test_greets_and_shows_within_a_tenth_of_a_second() -> None:
    bench = connected()
    assert bench.count(Connected) == 1
    assert bench.host.welcome is not None
    assert bench.host.welcome.budget_ma == 350


def test_a_state_is_shown_and_acknowledged_within_thirty_milliseconds() -> None:
    bench = connected()
    waits = []
    for turn in range(100):
        bench.run(turn % 37)
        state = PanelState(Side.DARK if turn % 2 else Side.LIGHT, turn % 3 == 0, 2 << turn % 6, Side.DARK, None)
        bench.host.show(state)
        waits.append(bench.ms_until_shown(state))
    assert max(waits) <= 30


def test_an_idle_line_is_kept_alive_by_pings_alone() -> None:
    bench = connected()
    bench.run(10_000)
    assert bench.count(Disconnected) == 0
    assert bench.host.counters.state_retries == 0
    assert bench.host.pong is not None
    assert bench.host.pong.uptime_s in (9, 10)


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_a_bad_line_loses_and_doubles_no_press(seed: int) -> None:
    dice = random.Random(seed)
    bench = connected()

    def mangle(data: bytes) -> bytes:
        return bytes(
            byte ^ (1 << dice.randrange(8)) if dice.random() < 0.003 else byte
            for byte in data
            if dice.random() >= 0.003
        )

    bench.mangle_to_controller = bench.mangle_to_host = mangle
    pressed = [Button(dice.randrange(4)) for _ in range(12)]
    for button in pressed:
        bench.press(button)
        bench.host.show(PanelState(Side.LIGHT, False, 2, (Side.LIGHT, Side.DARK)[button % 2], None))
    bench.mangle_to_controller = bench.mangle_to_host = lambda data: data
    bench.host.show(SECOND)
    assert bench.ms_until_shown(SECOND) <= AGREE_MS
    bench.run(QUEUE * 100)
    assert bench.presses() == pressed
    assert bench.host.counters.lost_events == 0


def test_a_reboot_in_mid_game_is_mended() -> None:
    bench = connected()
    bench.host.show(SECOND)
    bench.ms_until_shown(SECOND)
    bench.reboot()
    assert not bench.shows(SECOND)
    assert bench.ms_until_shown(SECOND) <= AGREE_MS
    assert bench.count(Disconnected) == 1
    assert [event.restarted for event in bench.events if isinstance(event, Connected)] == [False, True]


def test_presses_before_and_after_a_reboot_are_different_presses() -> None:
    bench = connected()
    bench.press(Button.UNDO)
    bench.reboot()
    bench.press(Button.UNDO)
    bench.run(1000)
    assert bench.presses() == [Button.UNDO, Button.UNDO]
    assert bench.host.counters.duplicate_events == 0


def test_a_half_open_line_shows_host_lost_and_recovers() -> None:
    bench = connected()
    bench.mangle_to_controller = bench.mangle_to_host = lambda data: b""
    bench.run(1700)
    assert bench.controller.lost
    assert bench.host.phase is LinkPhase.GREETING
    bench.press(Button.CLOCK_DARK)
    bench.host.show(SECOND)
    bench.mangle_to_controller = bench.mangle_to_host = lambda data: data
    assert bench.ms_until_shown(SECOND) <= AGREE_MS
    bench.run(200)
    assert bench.presses() == [Button.CLOCK_DARK]


def test_a_line_dead_in_one_direction_recovers() -> None:
    bench = connected()
    bench.mangle_to_host = lambda data: b""
    bench.host.show(SECOND)
    bench.run(3000)
    assert not bench.host.settled
    bench.mangle_to_host = lambda data: data
    assert bench.ms_until_shown(SECOND) <= AGREE_MS


def test_a_press_tells_how_long_ago_it_was() -> None:
    bench = connected()
    bench.mangle_to_host = lambda data: b""
    at = bench.now / 1000
    bench.press(Button.CUBE)
    bench.run(900)
    bench.mangle_to_host = lambda data: data
    bench.run(300)
    (press,) = [event for event in bench.events if getattr(event, "button", None) is Button.CUBE]
    assert press.at == pytest.approx(at, abs=0.04)


def doubled_and_late() -> Mangle:
    """Every frame twice, and the one before it once more after it."""
    before = b""

    def mangle(data: bytes) -> bytes:
        nonlocal before
        if not data:
            return data
        late, before = before, data
        return data + data + late

    return mangle


def test_doubled_and_late_frames_change_nothing() -> None:
    bench = connected()
    bench.mangle_to_host, bench.mangle_to_controller = doubled_and_late(), doubled_and_late()
    for turn in range(10):
        state = PanelState(Side.LIGHT if turn % 2 else Side.DARK, False, 1)
        bench.host.show(state)
        assert bench.ms_until_shown(state) <= AGREE_MS
        bench.press(Button(turn % 4))
    bench.run(500)
    assert bench.presses() == [Button(turn % 4) for turn in range(10)]
    assert bench.shows(PanelState(Side.LIGHT, False, 1))


def test_the_last_of_many_states_is_the_one_that_stays() -> None:
    bench = connected()
    for turn in range(50):
        bench.host.show(PanelState(Side.LIGHT, bool(turn % 2), 1, None))
        bench.run(1)
    bench.host.show(SECOND)
    assert bench.ms_until_shown(SECOND) <= 100


def test_a_controller_that_forgets_its_state_gets_it_again() -> None:
    bench = connected()
    bench.controller.state_id = 0
    bench.controller.codes = bytes(len(messages.LAMP_NAMES))
    assert not bench.shows(FIRST)
    bench.run(AGREE_MS)
    assert bench.shows(FIRST)


def test_the_controllers_clock_may_wrap() -> None:
    bench = connected(clock=PERIOD - 2000)
    for turn in range(6):
        bench.press(Button(turn % 4))
        bench.run(600)
    assert bench.presses() == [Button(turn % 4) for turn in range(6)]
    assert bench.count(Disconnected) == 0


def test_sequence_numbers_state_ids_and_event_numbers_may_wrap() -> None:
    bench = connected()
    bench.host._seq = 253
    bench.host._state_id = (1 << 32) - 3
    bench.controller.state_id = (1 << 32) - 4
    bench.host._last_event = (bench.controller.boot_id, NUMBERS - 3)
    bench.controller.outbox._number = NUMBERS - 3
    for turn in range(6):
        state = PanelState(Side.LIGHT if turn % 2 else Side.DARK, False, 1)
        bench.host.show(state)
        assert bench.ms_until_shown(state) <= AGREE_MS
        bench.press(Button(turn % 4))
    assert bench.presses() == [Button(turn % 4) for turn in range(6)]
    assert bench.host.counters.lost_events == 0


def test_an_overflow_is_reported_as_lost_presses() -> None:
    bench = connected()
    bench.mangle_to_host = lambda data: b""
    for _ in range(QUEUE + 3):
        bench.press(Button.UNDO, hold_ms=25)
    bench.mangle_to_host = lambda data: data
    bench.run(QUEUE * 100)
    bench.press(Button.CUBE)
    bench.run(200)
    assert bench.presses() == [Button.UNDO] * QUEUE + [Button.CUBE]
    assert bench.host.counters.lost_events == 3
    assert bench.host.pong is not None
    assert bench.host.pong.events_lost == 3


def test_a_stuck_button_is_one_press_and_is_named() -> None:
    bench = connected()
    bench.contacts = 1 << Button.CLOCK_LIGHT
    bench.run(11_000)
    assert bench.presses() == [Button.CLOCK_LIGHT]
    assert bench.host.pong is not None
    assert bench.host.pong.stuck == 1 << Button.CLOCK_LIGHT


def test_a_second_host_is_refused_until_the_first_has_gone() -> None:
    bench = connected()
    second = Bench(host_id=8)
    second.controller = bench.controller
    bench.run(1)
    for _ in range(2000):
        bench.step()
        second.now = bench.now - 1
        second.step()
    assert second.host.phase is LinkPhase.REFUSED
    assert second.count(HostRefused) == 1
    assert bench.host.phase is LinkPhase.UP
    bench.restart_host(9)
    assert bench.ms_until_shown(PanelState(), 3000) <= 2100


def test_a_refusal_is_said_no_longer_once_nothing_answers_or_another_is_given() -> None:
    bench = connected()
    bench.restart_host(8)
    bench.events.clear()
    bench.run(300)
    future = messages._WELCOME.pack(2, 1, 9, 0, 0, 35, 350, 5)
    bench.mangle_to_host = lambda data: encode(RawFrame(Kind.WELCOME, 1, future)) if data else b""
    bench.run(1500)
    bench.mangle_to_host = lambda data: b""
    bench.run(2000)
    reasons = [event.reason for event in bench.events if isinstance(event, (Disconnected, HostRefused))]
    assert [reason.split(" (")[0] for reason in reasons] == [
        "The panel's controller is already in use by another program; it will be taken over when that one stops.",
        "The panel's controller speaks protocol 2",
        "The controller has fallen silent.",
    ]
    assert bench.host.phase is LinkPhase.GREETING


def test_a_restarted_host_takes_its_controller_over() -> None:
    bench = connected()
    bench.host.show(SECOND)
    bench.ms_until_shown(SECOND)
    bench.restart_host(99)
    bench.host.show(FIRST)
    assert bench.ms_until_shown(FIRST, 3000) <= 1500 + 500 + 100


def test_another_protocol_is_refused_with_what_to_do() -> None:
    bench = Bench()
    future = messages._WELCOME.pack(2, 1, 9, 0, 0, 35, 350, 5)
    bench.mangle_to_host = lambda data: encode(RawFrame(Kind.WELCOME, 1, future)) if data else b""
    bench.run(2000)
    (refused,) = [event for event in bench.events if isinstance(event, HostRefused)]
    assert refused.reason == (
        "The panel's controller speaks protocol 2 (firmware 9.0.0); this program speaks 1."
        " Install the firmware that came with this program."
    )


def test_a_cue_is_played_once_even_where_its_state_is_repeated() -> None:
    bench = connected()
    bench.mangle_to_host = lambda data: b""
    bench.host.show(PanelState(cue=Cue.HIT, cue_number=1))
    played = 0
    for _ in range(1400):
        bench.step()
        played += any(bench.controller.shown(bench.now))
    # 900 ms of flashes, half of them lit.
    assert 440 <= played <= 460


def test_a_button_this_program_does_not_know_is_acknowledged_and_ignored() -> None:
    bench = connected()
    bench.controller.outbox.add(bench.now, 77)
    bench.run(200)
    assert bench.presses() == []
    assert bench.controller.outbox.due(bench.now + 1000) is None


def test_a_press_of_another_boot_is_neither_taken_nor_acknowledged() -> None:
    bench = connected()
    bench.host.data_to_send()
    event = messages._EVENT.pack(bench.controller.boot_id + 1, 1, Button.UNDO, 0)
    events = bench.host.receive(encode(RawFrame(Kind.EVENT, 1, event)), bench.now / 1000)
    assert [type(event) for event in events] == [Disconnected]
    assert bench.host.data_to_send() == b""
    assert bench.ms_until_shown(FIRST) <= AGREE_MS


def test_a_late_acknowledgement_of_an_old_state_brings_no_early_repeat() -> None:
    bench = connected()
    sent: list[RawFrame] = []
    reader = FrameReader()

    def watch(data: bytes) -> bytes:
        sent.extend(reader.feed(data))
        return data

    bench.mangle_to_host, bench.mangle_to_controller = lambda data: b"", watch
    old = messages._STATE_ACK.pack(bench.host._state_id)
    bench.host.show(SECOND)
    bench.run(10)
    bench.host.receive(encode(RawFrame(Kind.STATE_ACK, 1, old)), bench.now / 1000)
    bench.run(50)
    assert [frame.kind for frame in sent].count(Kind.STATE) == 1


def test_a_line_half_read_before_the_port_was_lost_is_forgotten() -> None:
    bench = connected()
    bench.host.receive(b"\nAQEFAUQz", bench.now / 1000)
    bench.host.port_opened(bench.now / 1000)
    bench.host.receive(b"\n", bench.now / 1000)
    assert bench.host.reader.bad == 0


def test_an_oversize_line_between_frames_costs_nothing_but_its_count() -> None:
    bench = connected()
    bench.to_controller.send(b"x" * 400 + b"\n")
    bench.host.show(SECOND)
    assert bench.ms_until_shown(SECOND) <= AGREE_MS
    bench.run(600)
    assert bench.host.pong is not None
    assert bench.host.pong.oversize == 1
