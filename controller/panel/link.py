"""The host's end of the serial link, pure: bytes and time in, bytes and events out. All its state lives here.

    GREETING  HELLO every 250 ms until WELCOME accepts      -> UP
    UP        STATE until acknowledged, PING every 500 ms   -> GREETING after 1.5 s of silence or "say hello"
    REFUSED   another protocol or another host: HELLO every 0.5 s -> UP when accepted, GREETING after 1.5 s of silence

Time is in seconds from any fixed start and never goes back.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from controller.panel import messages
from controller.panel.adapter import Button, ButtonPress
from controller.panel.frames import FrameReader, RawFrame, encode
from controller.panel.messages import ButtonEvent, HelloAnswer, Kind, Pong, RefusalReason, Welcome
from controller.panel.plan import PanelState
from firmware.messages import PROTOCOL
from vision.sentence import Sentence

HELLO_S = 0.25
REFUSED_S = 0.5
PING_S = 0.5
LOST_S = 1.5
# On the emulated Pico the answer is there after 26 ms (p95); four times that.
STATE_RETRY_S = 0.1
_EVENT_NUMBERS = 1 << 16
_STATE_IDS = 1 << 32


class LinkPhase(Enum):
    """Where the link stands."""

    GREETING = "greeting"
    UP = "up"
    REFUSED = "refused"


@dataclass(frozen=True)
class Connected:
    """The controller has accepted this host. restarted: its boot id is another than last time."""

    welcome: Welcome
    restarted: bool


@dataclass(frozen=True)
class Disconnected:
    """The controller has fallen silent, or no longer knows this host."""

    reason: Sentence


@dataclass(frozen=True)
class HostRefused:
    """The controller will not have this host; the sentence says why."""

    reason: Sentence


@dataclass(frozen=True)
class StateShown:
    """The controller shows the newest state."""

    state_id: int


LinkEvent = Connected | Disconnected | HostRefused | StateShown | ButtonPress


@dataclass
class Counters:
    """Everything that went wrong and was put right, since the program started."""

    state_retries: int = 0
    reconnects: int = 0
    duplicate_events: int = 0
    lost_events: int = 0


class Link:
    """One controller on the other end of a line. host_id: any number 1..2**32-1 that no other host uses."""

    def __init__(self, host_id: int) -> None:
        self.host_id = host_id
        self.phase = LinkPhase.GREETING
        self.counters = Counters()
        self.reader = FrameReader()
        self.welcome: Welcome | None = None
        self.pong: Pong | None = None
        self._out = bytearray()
        self._seq = 0
        self._state = PanelState()
        self._state_id = 1
        self._acknowledged = 0
        self._state_sent: float | None = None  # None: no state is on its way
        self._sent_id = 0
        self._hello_sent: float | None = None
        self._ping_sent = 0.0
        self._heard = 0.0
        self._last_event: tuple[int, int] | None = None  # boot id, number

    @property
    def settled(self) -> bool:
        """Whether the controller is known to show the newest state."""
        return self.phase is LinkPhase.UP and self._acknowledged == self._state_id

    def port_opened(self, now: float) -> None:
        """The line is new (opened, or opened again): greet at once. What the controller was last known by is kept."""
        self.reader.restart()
        self._out.clear()
        self.phase = LinkPhase.GREETING
        self._hello_sent = None
        self._heard = now

    def show(self, state: PanelState) -> None:
        """The newest state; it takes the place of one that is not yet acknowledged."""
        if state == self._state:
            return
        self._state = state
        self._state_id = self._next_state_id()

    def tick(self, now: float) -> tuple[LinkEvent, ...]:
        """What time brings: greetings, retries, pings, silence. To be called at least every 50 ms."""
        if self.phase is not LinkPhase.GREETING and now - self._heard > LOST_S:
            return self._lose(Sentence("The controller has fallen silent."))
        if self.phase is LinkPhase.UP:
            # One state is on its way at a time, or a burst of them would fill the line for longer than it lasts.
            if not self.settled and (self._state_sent is None or now - self._state_sent >= STATE_RETRY_S):
                self.counters.state_retries += self._state_sent is not None
                self._state_sent = now
                self._sent_id = self._state_id
                self._send(Kind.STATE, messages.state(self.host_id, self._state_id, self._state))
            if now - self._ping_sent >= PING_S:
                self._ping_sent = now
                self._send(Kind.PING, messages.ping(self.host_id))
        else:
            pause = REFUSED_S if self.phase is LinkPhase.REFUSED else HELLO_S
            if self._hello_sent is None or now - self._hello_sent >= pause:
                self._hello_sent = now
                self._send(Kind.HELLO, messages.hello(self.host_id))
        return ()

    def receive(self, data: bytes, now: float) -> tuple[LinkEvent, ...]:
        """What the bytes bring, in their order."""
        events: list[LinkEvent] = []
        for frame in self.reader.feed(data):
            events += self._take(frame, now)
        return tuple(events)

    def data_to_send(self) -> bytes:
        """The bytes to write now; they are then the caller's."""
        data = bytes(self._out)
        self._out.clear()
        return data

    def _send(self, kind: Kind, payload: bytes) -> None:
        self._seq = (self._seq + 1) & 255
        self._out += encode(RawFrame(kind, self._seq, payload))

    def _next_state_id(self) -> int:
        return (self._state_id + 1) % _STATE_IDS or 1

    def _lose(self, reason: Sentence) -> tuple[LinkEvent, ...]:
        self.phase = LinkPhase.GREETING
        self._hello_sent = None
        return (Disconnected(reason),)

    def _take(self, frame: RawFrame, now: float) -> tuple[LinkEvent, ...]:
        if frame.kind == Kind.WELCOME and (welcome := messages.parse_welcome(frame.payload)) is not None:
            return self._welcomed(welcome, now)
        if self.phase is LinkPhase.UP:
            if frame.kind == Kind.STATE_ACK and (state_id := messages.parse_state_ack(frame.payload)) is not None:
                self._heard = now
                return self._state_shown(state_id)
            if frame.kind == Kind.PONG and (pong := messages.parse_pong(frame.payload)) is not None:
                self._heard = now
                self.pong = pong
                return self._state_reported(pong.state_id)
            if frame.kind == Kind.EVENT and (event := messages.parse_event(frame.payload)) is not None:
                return self._pressed(event, now)
            refused = messages.parse_refused(frame.payload) if frame.kind == Kind.REFUSED else None
            if refused is not None and refused[1] == RefusalReason.SAY_HELLO:
                return self._lose(Sentence("The controller has restarted."))
        return ()

    def _welcomed(self, welcome: Welcome, now: float) -> tuple[LinkEvent, ...]:
        """Enters UP, or REFUSED; an answer to an earlier HELLO changes nothing."""
        before, self.welcome = self.welcome, welcome
        self._heard = now
        if welcome.answer != HelloAnswer.ACCEPTED or welcome.protocol != PROTOCOL:
            told = self.phase is LinkPhase.REFUSED and before is not None and before.answer == welcome.answer
            self.phase = LinkPhase.REFUSED
            return () if told else (HostRefused(_refusal(welcome)),)
        restarted = before is not None and before.boot_id != welcome.boot_id
        if self.phase is LinkPhase.UP and not restarted:
            return ()
        self.counters.reconnects += before is not None
        self.phase = LinkPhase.UP
        self._ping_sent = now
        # The controller may have forgotten, or shown something of its own: send everything again under a new id.
        self._state_id = self._next_state_id()
        self._state_sent = None
        return (Connected(welcome, restarted),)

    def _state_shown(self, state_id: int) -> tuple[LinkEvent, ...]:
        if state_id == self._sent_id:
            self._state_sent = None
        if state_id != self._state_id or self._acknowledged == state_id:
            return ()
        self._acknowledged = state_id
        return (StateShown(state_id),)

    def _state_reported(self, state_id: int) -> tuple[LinkEvent, ...]:
        if self._acknowledged == self._state_id and state_id != self._state_id:
            self._acknowledged = 0
            self._state_sent = None
        return self._state_shown(state_id)

    def _pressed(self, event: ButtonEvent, now: float) -> tuple[LinkEvent, ...]:
        """Acknowledges always, passes on once: the number must be later than the last one of the same boot."""
        if self.welcome is None or event.boot_id != self.welcome.boot_id:
            return self._lose(Sentence("The controller has restarted."))
        self._heard = now
        self._send(Kind.EVENT_ACK, messages.event_ack(self.host_id, event))
        if self._last_event is not None and self._last_event[0] == event.boot_id:
            ahead = (event.number - self._last_event[1]) % _EVENT_NUMBERS
            if not 0 < ahead < _EVENT_NUMBERS // 2:
                self.counters.duplicate_events += 1
                return ()
            self.counters.lost_events += ahead - 1
        self._last_event = (event.boot_id, event.number)
        if event.button not in list(Button):
            return ()
        source = f"controller {event.boot_id:08x}"
        return (ButtonPress(Button(event.button), now - event.age_ms / 1000, source, event.number),)


def _refusal(welcome: Welcome) -> Sentence:
    if welcome.answer == HelloAnswer.BUSY:
        return Sentence(
            "The panel's controller is already in use by another program; it will be taken over when that one stops."
        )
    return Sentence(
        "The panel's controller speaks protocol {protocol} (firmware {version}); this program speaks {own}."
        " Install the firmware that came with this program.",
        protocol=welcome.protocol,
        version=".".join(map(str, welcome.firmware)),
        own=PROTOCOL,
    )
