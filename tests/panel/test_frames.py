"""The line's codec on both sides: one set of vectors, every single-bit flip, garbage, oversize, bytes one at a time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.panel import frames, messages
from controller.panel.frames import FrameReader, RawFrame
from controller.panel.plan import PanelState
from firmware import frames as firmware_frames

VECTORS: dict[str, list[dict[str, Any]]] = json.loads(
    (Path(__file__).parents[2] / "firmware" / "vectors.json").read_text(encoding="utf-8")
)
FRAMES = st.builds(RawFrame, st.integers(0, 255), st.integers(0, 255), st.binary(max_size=firmware_frames.MAX_PAYLOAD))


def raw(vector: dict[str, Any]) -> RawFrame:
    return RawFrame(vector["kind"], vector["seq"], bytes.fromhex(vector["payload"]))


def host_reads(data: bytes) -> list[RawFrame]:
    return list(FrameReader().feed(data))


def controller_reads(data: bytes) -> list[RawFrame]:
    return [RawFrame(*frame) for frame in firmware_frames.Reader().feed(data)]


READERS = pytest.mark.parametrize("read", [host_reads, controller_reads])


def test_the_largest_frame_is_as_large_as_the_protocol_says() -> None:
    protocol = (Path(__file__).parents[2] / "firmware" / "PROTOCOL.md").read_text("utf-8")
    wire = frames.encode(RawFrame(messages.Kind.STATE, 1, messages.state(1, 1, PanelState())))
    assert f"STATE, is {len(wire)} bytes and takes {len(wire) * 10 / 115.2:.1f} ms at 115200 baud" in protocol


@pytest.mark.parametrize("vector", VECTORS["good"], ids=lambda vector: vector["name"])
def test_both_sides_write_and_read_the_vectors(vector: dict[str, Any]) -> None:
    wire, frame = vector["wire"].encode(), raw(vector)
    assert frames.encode(frame) == wire
    assert firmware_frames.encode(frame.kind, frame.seq, frame.payload) == wire
    assert host_reads(wire) == controller_reads(wire) == [frame]


@READERS
@pytest.mark.parametrize("vector", VECTORS["bad"], ids=lambda vector: vector["name"])
def test_wrong_lines_are_dropped(read: Any, vector: dict[str, Any]) -> None:
    assert read(vector["wire"].encode()) == []


@READERS
@pytest.mark.parametrize("vector", VECTORS["good"], ids=lambda vector: vector["name"])
def test_every_single_bit_flip_is_detected(read: Any, vector: dict[str, Any]) -> None:
    wire, frame = vector["wire"].encode(), raw(vector)
    for place in range(len(wire)):
        for bit in range(8):
            flipped = bytearray(wire)
            flipped[place] ^= 1 << bit
            # A flipped LF joins the frame to its neighbours' bytes; the frame after it must still be read.
            seen = read(bytes(flipped) + wire)
            assert seen in ([frame], []) if place == len(wire) - 1 else seen == [frame]


@READERS
@pytest.mark.parametrize("vector", VECTORS["good"], ids=lambda vector: vector["name"])
def test_every_lost_byte_is_detected(read: Any, vector: dict[str, Any]) -> None:
    wire, frame = vector["wire"].encode(), raw(vector)
    for place in range(1, len(wire) - 1):
        assert read(wire[:place] + wire[place + 1 :] + wire) == [frame]
    for place in (0, len(wire) - 1):
        # Losing one of the doubled line feeds harms nobody.
        assert read(wire + wire[:place] + wire[place + 1 :] + wire) == [frame] * 3


@READERS
@given(st.lists(FRAMES, max_size=4))
def test_frames_survive_the_line(read: Any, sent: list[RawFrame]) -> None:
    assert read(b"".join(frames.encode(frame) for frame in sent)) == sent


@given(st.lists(FRAMES, max_size=4), st.lists(st.binary(max_size=250), min_size=5, max_size=5), st.integers(1, 40))
def test_garbage_between_frames_costs_no_frame(sent: list[RawFrame], garbage: list[bytes], piece: int) -> None:
    data = b"".join(rubbish + frames.encode(frame) for rubbish, frame in zip(garbage, sent, strict=False))
    whole, pieces = FrameReader(), FrameReader()
    theirs = firmware_frames.Reader()
    by_piece: list[RawFrame] = []
    by_theirs: list[tuple[int, int, bytes]] = []
    for start in range(0, len(data), piece):
        by_piece += pieces.feed(data[start : start + piece])
        by_theirs += theirs.feed(data[start : start + piece])
    assert list(whole.feed(data)) == by_piece == [RawFrame(*frame) for frame in by_theirs]
    assert [frame for frame in by_piece if frame in sent] == sent
    assert (pieces.good, pieces.bad) == (theirs.good, theirs.bad)


@READERS
def test_bytes_one_at_a_time(read: Any) -> None:
    host, controller = FrameReader(), firmware_frames.Reader()
    data = "".join(vector["wire"] for vector in VECTORS["good"] + VECTORS["bad"]).encode()
    at_once = read(data)
    one_by_one: list[RawFrame] = []
    for byte in data:
        one_by_one += host.feed(bytes((byte,)))
        controller.feed(bytes((byte,)))
    assert one_by_one == at_once == [raw(vector) for vector in VECTORS["good"]]
    assert host.bad == controller.bad == len(VECTORS["bad"])


def test_an_endless_line_is_cut_off_and_counted_once() -> None:
    good = VECTORS["good"][0]
    for reader in (FrameReader(), firmware_frames.Reader()):
        for _ in range(50):
            assert not reader.feed(b"A" * 100)
        assert reader.oversize == 1
        assert len(reader.feed(b"A" + good["wire"].encode())) == 1
        assert (reader.good, reader.bad) == (1, 0)


PARSERS: dict[int, Any] = {
    0x81: lambda payload: vars_of(messages.parse_welcome(payload)),
    0x82: lambda payload: {"state_id": messages.parse_state_ack(payload)},
    0x83: lambda payload: vars_of(messages.parse_pong(payload)),
    0x84: lambda payload: vars_of(messages.parse_event(payload)),
    0x8F: lambda payload: dict(zip(("kind", "reason"), messages.parse_refused(payload) or (), strict=True)),
}


def vars_of(value: Any) -> dict[str, Any]:
    return {name: list(field) if isinstance(field, tuple) else field for name, field in vars(value).items()}


@pytest.mark.parametrize(
    "vector", [v for v in VECTORS["good"] if v["direction"] == "to host"], ids=lambda vector: vector["name"]
)
def test_the_host_understands_the_controllers_messages(vector: dict[str, Any]) -> None:
    parse = PARSERS[vector["kind"]]
    payload = bytes.fromhex(vector["payload"])
    assert parse(payload) == vector["fields"]


@pytest.mark.parametrize(
    "parse",
    [
        messages.parse_welcome,
        messages.parse_state_ack,
        messages.parse_pong,
        messages.parse_event,
        messages.parse_refused,
    ],
)
@given(payload=st.binary(max_size=40))
def test_payloads_of_another_length_are_no_message(parse: Any, payload: bytes) -> None:
    lengths = {len(bytes.fromhex(v["payload"])) for v in VECTORS["good"] if v["direction"] == "to host"}
    if len(payload) not in lengths:
        assert parse(payload) is None
