"""The messages between host and controller as values, laid out as firmware/messages.py says (PROTOCOL.md there)."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from enum import IntEnum

from controller.panel.plan import CUBE_VALUES, PanelState, display, lamps
from firmware import messages as wire

LAMP_NAMES: tuple[str, ...] = (
    *(f"point {point}" for point in range(1, 25)),
    "bar light",
    "bar dark",
    "turn light",
    "turn dark",
    "error",
    *(f"cube {value}" for value in CUBE_VALUES),
)


class Kind(IntEnum):
    """Frame kinds; the controller's have the high bit."""

    HELLO = wire.HELLO
    STATE = wire.STATE
    PING = wire.PING
    EVENT_ACK = wire.EVENT_ACK
    WELCOME = wire.WELCOME
    STATE_ACK = wire.STATE_ACK
    PONG = wire.PONG
    EVENT = wire.EVENT
    REFUSED = wire.REFUSED


class HelloAnswer(IntEnum):
    """WELCOME's answer to HELLO."""

    ACCEPTED = wire.ACCEPTED
    WRONG_PROTOCOL = wire.WRONG_PROTOCOL
    BUSY = wire.BUSY


class RefusalReason(IntEnum):
    """Why a frame was refused."""

    UNKNOWN_KIND = wire.UNKNOWN_KIND
    BAD_PAYLOAD = wire.BAD_PAYLOAD
    SAY_HELLO = wire.SAY_HELLO


@dataclass(frozen=True)
class Welcome:
    """The controller's introduction. boot_id is drawn anew at every start; budget_ma: what its strip may draw."""

    protocol: int
    answer: int
    firmware: tuple[int, int, int]
    lamp_count: int
    budget_ma: int
    boot_id: int


@dataclass(frozen=True)
class Pong:
    """How the controller fares: state shown, seconds since its start, line counters, buttons (bit masks), mA drawn."""

    state_id: int
    uptime_s: int
    good: int
    bad: int
    oversize: int
    events_lost: int
    held: int
    stuck: int
    milliamperes: int


@dataclass(frozen=True)
class ButtonEvent:
    """A button press in the controller's numbering; age_ms: how long ago the contact closed."""

    boot_id: int
    number: int
    button: int
    age_ms: int


_WELCOME = struct.Struct(wire.WELCOME_FIELDS)
_STATE_ACK = struct.Struct(wire.STATE_ACK_FIELDS)
_PONG = struct.Struct(wire.PONG_FIELDS)
_EVENT = struct.Struct(wire.EVENT_FIELDS)
_REFUSED = struct.Struct(wire.REFUSED_FIELDS)


def hello(host_id: int) -> bytes:
    """HELLO's payload."""
    return struct.pack(wire.HELLO_FIELDS, wire.PROTOCOL, host_id)


def ping(host_id: int) -> bytes:
    """PING's payload."""
    return struct.pack(wire.PING_FIELDS, host_id)


def event_ack(host_id: int, event: ButtonEvent) -> bytes:
    """EVENT_ACK's payload."""
    return struct.pack(wire.EVENT_ACK_FIELDS, host_id, event.boot_id, event.number)


def state(host_id: int, state_id: int, shown: PanelState) -> bytes:
    """STATE's payload: everything the panel shows, one byte a lamp."""
    head = struct.pack(
        wire.STATE_FIELDS,
        host_id,
        state_id,
        shown.brightness,
        wire.FLAG_SOUND if shown.sound else 0,
        0 if shown.cue is None else shown.cue,
        shown.cue_number & 255,
        display(shown).encode("ascii"),
    )
    return head + lamp_codes(shown)


def lamp_codes(shown: PanelState) -> bytes:
    """One byte a lamp in LAMP_NAMES' order: rhythm in the high four bits, tint in the low four, 0 for dark."""
    lit = lamps(shown)
    return bytes(lit[name].rhythm << 4 | lit[name].tint if name in lit else 0 for name in LAMP_NAMES)


def parse_welcome(payload: bytes) -> Welcome | None:
    """A WELCOME's payload, or None where it has another length."""
    if len(payload) != _WELCOME.size:
        return None
    protocol, answer, major, minor, patch, lamp_count, budget_ma, boot_id = _WELCOME.unpack(payload)
    return Welcome(protocol, answer, (major, minor, patch), lamp_count, budget_ma, boot_id)


def parse_state_ack(payload: bytes) -> int | None:
    """The state id that the controller shows, or None where the payload has another length."""
    if len(payload) != _STATE_ACK.size:
        return None
    (state_id,) = _STATE_ACK.unpack(payload)
    return int(state_id)


def parse_pong(payload: bytes) -> Pong | None:
    """A PONG's payload, or None where it has another length."""
    return Pong(*_PONG.unpack(payload)) if len(payload) == _PONG.size else None


def parse_event(payload: bytes) -> ButtonEvent | None:
    """An EVENT's payload, or None where it has another length."""
    return ButtonEvent(*_EVENT.unpack(payload)) if len(payload) == _EVENT.size else None


def parse_refused(payload: bytes) -> tuple[int, int] | None:
    """(kind refused, reason), or None where the payload has another length."""
    if len(payload) != _REFUSED.size:
        return None
    kind, reason = _REFUSED.unpack(payload)
    return kind, reason
