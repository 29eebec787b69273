"""The controller's core: bytes and contacts in; bytes, colours, display and tone out. No hardware, no clock."""

import struct

from firmware import buttons, cues, display, frames, lamps, messages, power, settings, ticks

HOST_LOST_MS = 1500
# 50 frames a second look smooth; sending one to a strip of 35 takes 1.1 ms of the 20.
FRAME_MS = 20
SELF_TEST_MS = 1200
# Of 255: seen across a lit room without dazzling in a dark one; used until the host says how bright.
OWN_BRIGHTNESS = 60
_STATE_HEAD = struct.calcsize(messages.STATE_FIELDS)
_NEWER = 1 << 31


class Controller:
    """All the state that the controller has. boot_id is drawn anew at every start, so that the host notices a restart.
    contacts: those that are closed at the start (bit mask).

    The loop around it calls step() every few milliseconds and then frame(), which gives the strip's colours when due.
    """

    def __init__(self, config: settings.Settings, boot_id: int, now: int, contacts: int = 0) -> None:
        self.config = config
        self.boot_id = boot_id
        self.reader = frames.Reader()
        self.contacts = buttons.Contacts(contacts, now)
        self.outbox = buttons.PressQueue()
        self.host = 0  # 0: nobody has said HELLO yet
        self.lost = True
        self.state_id = 0  # 0: no state from this host yet
        self.codes = bytes(messages.LAMPS)
        self.text = b"    "
        self.brightness = OWN_BRIGHTNESS
        self.sound = False
        self.milliamperes = 0
        self.uptime = 0  # s
        self._cue = messages.NO_CUE
        self._cue_number = 0
        self._cue_from = now
        self._greeted = True  # since the last state: the next one plays no cue
        self._heard = now
        self._testing = True
        self._started = now
        self._last_step = now
        self._spare_ms = 0
        self._dirty = True
        self._painted = now
        self._pixels = bytearray(3 * config.led_count)

    def step(self, now: int, received: bytes, contacts: int) -> bytes:
        """Takes what has arrived and the closed contacts (bit mask); gives the bytes to send."""
        out = b""
        for kind, seq, payload in self.reader.feed(received):
            out += self._answer(now, kind, seq, payload)
        self._count_time(now)
        if self._testing and ticks.since(now, self._started) >= SELF_TEST_MS:
            self._testing = False
        if not self.lost and ticks.since(now, self._heard) > HOST_LOST_MS:
            self.lost = True
            self._dirty = True
        self.outbox.keep_time(now)
        for button in self.contacts.update(now, contacts):
            self.outbox.add(now, button)
        if not self.lost:
            due = self.outbox.due(now)
            if due is not None:
                number, button, age = due
                event = struct.pack(messages.EVENT_FIELDS, self.boot_id, number, button, age)
                out += frames.encode(messages.EVENT, number, event)
        return out

    def frame(self, now: int) -> "bytearray | None":
        """The strip's colours (RGB, three bytes an LED, inside the power budget), or None while nothing is due."""
        if not self._dirty and ticks.since(now, self._painted) < FRAME_MS:
            return None
        self._dirty = False
        self._painted = now
        lamps.paint(self.shown(now), now, self.brightness, self.config.leds, self._pixels)
        self.milliamperes = power.limit(self._pixels, self.config.budget_ma)
        return self._pixels

    def shown(self, now: int) -> bytearray:
        """The codes of all lamps as they are at `now`: the host's, a cue over them, or the controller's own signs."""
        if self.lost:
            return self._own_signs(now)
        codes = bytearray(self.codes)
        if self._cue != messages.NO_CUE:
            elapsed = ticks.since(now, self._cue_from)
            if 0 <= elapsed < cues.DURATION_MS[self._cue]:
                cues.overlay(self._cue, elapsed, codes)
            else:
                self._cue = messages.NO_CUE
        return codes

    def segments(self) -> bytes:
        """The display's four patterns."""
        if self._testing:
            return display.segments(b"8888")
        return display.segments(b"HoSt" if self.lost else self.text)

    def tone(self, now: int) -> int:
        """The buzzer's frequency in Hz, 0 for silence."""
        if not self.sound or self.lost or self._cue == messages.NO_CUE:
            return 0
        return cues.tone(self._cue, ticks.since(now, self._cue_from))

    def _own_signs(self, now: int) -> bytearray:
        """Self-test after the start: every lamp in turn. Then "host lost": the turn lamps alternate, else dark."""
        codes = bytearray(messages.LAMPS)
        steady = messages.STEADY << 4
        if self._testing:
            lamp = ticks.since(now, self._started) * messages.LAMPS // SELF_TEST_MS
            codes[min(lamp, messages.LAMPS - 1)] = steady | messages.LIGHT_TINT
            return codes
        left = now % lamps.SLOW_MS < lamps.SLOW_MS // 2
        codes[messages.TURN_LIGHT if left else messages.TURN_DARK] = steady | messages.ALARM_TINT
        return codes

    def _count_time(self, now: int) -> None:
        self._spare_ms += ticks.since(now, self._last_step)
        self._last_step = now
        self.uptime += self._spare_ms // 1000
        self._spare_ms %= 1000

    def _answer(self, now: int, kind: int, seq: int, payload: bytes) -> bytes:
        if kind == messages.HELLO:
            return self._hello(now, seq, payload)
        if kind not in (messages.STATE, messages.PING, messages.EVENT_ACK):
            return self._refuse(seq, kind, messages.UNKNOWN_KIND)
        if len(payload) < 4:
            return self._refuse(seq, kind, messages.BAD_PAYLOAD)
        if self.host == 0 or struct.unpack("<I", payload[:4])[0] != self.host:
            return self._refuse(seq, kind, messages.SAY_HELLO)
        if kind == messages.STATE:
            return self._state(now, seq, payload)
        if kind == messages.PING and len(payload) == struct.calcsize(messages.PING_FIELDS):
            self._hear(now)
            return frames.encode(messages.PONG, seq, self._report())
        if kind == messages.EVENT_ACK and len(payload) == struct.calcsize(messages.EVENT_ACK_FIELDS):
            self._hear(now)
            _, boot_id, number = struct.unpack(messages.EVENT_ACK_FIELDS, payload)
            if boot_id == self.boot_id:
                self.outbox.acknowledge(number)
            return b""
        return self._refuse(seq, kind, messages.BAD_PAYLOAD)

    def _hello(self, now: int, seq: int, payload: bytes) -> bytes:
        """Binds the host that speaks, unless its protocol is another or a host that still lives is bound."""
        if len(payload) != struct.calcsize(messages.HELLO_FIELDS):
            # A later protocol may greet at greater length; its first byte still says which one it is.
            answer = messages.WRONG_PROTOCOL
        else:
            protocol, host = struct.unpack(messages.HELLO_FIELDS, payload)
            if protocol != messages.PROTOCOL or host == 0:
                answer = messages.WRONG_PROTOCOL
            elif host != self.host and not self.lost:
                answer = messages.BUSY
            else:
                answer = messages.ACCEPTED
                if host != self.host:
                    self.host = host
                    self.state_id = 0
                self._greeted = True
                self._hear(now)
        welcome = struct.pack(
            messages.WELCOME_FIELDS,
            messages.PROTOCOL,
            answer,
            *messages.FIRMWARE,
            messages.LAMPS,
            self.config.budget_ma,
            self.boot_id,
        )
        return frames.encode(messages.WELCOME, seq, welcome)

    def _state(self, now: int, seq: int, payload: bytes) -> bytes:
        """Shows a state unless a later one is already shown; the answer names the one that is."""
        if len(payload) != _STATE_HEAD + messages.LAMPS:
            return self._refuse(seq, messages.STATE, messages.BAD_PAYLOAD)
        self._hear(now)
        head = struct.unpack(messages.STATE_FIELDS, payload[:_STATE_HEAD])
        _, state_id, brightness, flags, cue, cue_number, text = head
        if self.state_id == 0 or 0 < (state_id - self.state_id) & 0xFFFFFFFF < _NEWER:
            self.state_id = state_id
            self.brightness = brightness
            self.sound = bool(flags & messages.FLAG_SOUND)
            self.text = text
            self.codes = payload[_STATE_HEAD:]
            if cue_number != self._cue_number and not self._greeted and 0 < cue < messages.CUES:
                self._cue = cue
                self._cue_from = now
            self._cue_number = cue_number
            self._greeted = False
            self._dirty = True
        return frames.encode(messages.STATE_ACK, seq, struct.pack(messages.STATE_ACK_FIELDS, self.state_id))

    def _hear(self, now: int) -> None:
        self._heard = now
        self._testing = False
        if self.lost:
            self.lost = False
            self._dirty = True

    def _report(self) -> bytes:
        reader = self.reader
        return struct.pack(
            messages.PONG_FIELDS,
            self.state_id,
            self.uptime & 0xFFFFFFFF,
            reader.good & 0xFFFF,
            reader.bad & 0xFFFF,
            reader.oversize & 0xFFFF,
            self.outbox.lost & 0xFFFF,
            self.contacts.held,
            self.contacts.stuck,
            self.milliamperes,
        )

    def _refuse(self, seq: int, kind: int, reason: int) -> bytes:
        return frames.encode(messages.REFUSED, seq, struct.pack(messages.REFUSED_FIELDS, kind, reason))
