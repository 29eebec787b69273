"""Neither end may fall over anything that comes down the line: on the Pico an exception would be a restart."""

from __future__ import annotations

import struct

from hypothesis import given
from hypothesis import strategies as st

from controller.panel.frames import RawFrame, encode
from controller.panel.link import Link
from controller.panel.messages import Kind
from firmware import messages as wire
from firmware.core import Controller
from firmware.power import current
from firmware.settings import Settings

HOST, BOOT = 7, 99
KINDS = st.sampled_from([*(int(kind) for kind in Kind), 0, 0x7F])
PAYLOADS = st.binary(max_size=60)
STATES = st.builds(
    lambda number, rest, text, lamps: struct.pack("<II", HOST, number) + rest + text + lamps,
    st.integers(0, 2**32 - 1),
    st.binary(min_size=4, max_size=4),
    st.binary(min_size=4, max_size=4),
    st.binary(min_size=wire.LAMPS, max_size=wire.LAMPS),
)
FOR_THIS_HOST = st.builds(lambda rest: struct.pack("<I", HOST) + rest, PAYLOADS)
WELCOME = struct.pack(wire.WELCOME_FIELDS, 1, 0, 1, 0, 0, 35, 350, BOOT)


@given(
    frames=st.lists(
        st.one_of(
            st.builds(RawFrame, st.just(int(Kind.STATE)), st.integers(0, 255), STATES),
            st.builds(RawFrame, KINDS, st.integers(0, 255), st.one_of(PAYLOADS, FOR_THIS_HOST)),
        ),
        max_size=12,
    ),
    waits=st.lists(st.integers(0, 700), min_size=13, max_size=13),
    contacts=st.integers(0, 255),
)
def test_the_controller_survives_any_message_and_keeps_its_budget(
    frames: list[RawFrame], waits: list[int], contacts: int
) -> None:
    board = Controller(Settings(budget_ma=100), BOOT, 0)
    now = 0
    hello = RawFrame(Kind.HELLO, 1, struct.pack("<BI", 1, HOST))
    for frame, wait in zip((hello, *frames), waits, strict=False):
        board.step(now, encode(frame), contacts)
        now += wait + 20
        board.step(now, b"", 0)
        pixels = board.frame(now)
        assert pixels is not None
        assert current(pixels) <= 100
        assert len(board.segments()) == 4
        assert board.tone(now) >= 0


@given(
    frames=st.lists(st.builds(RawFrame, KINDS, st.integers(0, 255), PAYLOADS), max_size=12),
    waits=st.lists(st.floats(0, 2), min_size=12, max_size=12),
)
def test_the_host_survives_any_message(frames: list[RawFrame], waits: list[float]) -> None:
    link = Link(HOST)
    link.port_opened(0.0)
    now = 0.0
    link.receive(encode(RawFrame(Kind.WELCOME, 1, WELCOME)), now)
    for frame, wait in zip(frames, waits, strict=False):
        link.receive(encode(frame), now)
        now += wait
        link.tick(now)
        assert len(link.data_to_send()) < 1000


@given(st.binary(max_size=600))
def test_any_bytes_leave_both_ends_able_to_talk(noise: bytes) -> None:
    board, link = Controller(Settings(), BOOT, 0), Link(HOST)
    link.port_opened(0.0)
    board.step(0, noise, 0)
    link.receive(noise, 0.0)
    link.tick(0.0)
    link.receive(board.step(1, link.data_to_send(), 0), 0.001)
    assert link.welcome is not None
    assert link.welcome.boot_id == BOOT
