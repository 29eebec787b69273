"""A client of an MQTT broker that tries again for ever, says why it is not connected, and leaves quietly.

It waits with poll(): paho's own thread waits with select(), which knows no file number above 1,023, and a page with many
viewers has more files open than that.
"""

from __future__ import annotations

import select
import socket
import ssl
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import paho.mqtt.client as paho
from paho.mqtt.reasoncodes import ReasonCode

from controller.run.unreachable import NO_TLS, why_unreachable
from vision.sentence import Sentence

AT_MOST_ONCE, AT_LEAST_ONCE = 0, 1
KEEPALIVE_S = 15
"""After one and a half times this the broker gives a client up and publishes its last will."""

RECONNECT_S = (1, 30)
FAREWELL_S = 1.0
NO_ANSWER = Sentence("does not answer")
HUNG_UP = Sentence("has ended the connection")
NO_MQTT = Sentence("does not speak MQTT as a broker does")
TOO_LARGE = Sentence("sends a message that is too large to be any of ours")
_REASONS = {
    "Not authorized": Sentence("Not authorized"),
    "Bad user name or password": Sentence("Bad user name or password"),
    "Server unavailable": Sentence("Server unavailable"),
    "Server busy": Sentence("Server busy"),
    "Server shutting down": Sentence("Server shutting down"),
    "Keep alive timeout": Sentence("Keep alive timeout"),
    "Session taken over": Sentence("Session taken over"),
    "Protocol error": NO_MQTT,
    "Unspecified error": HUNG_UP,
}
"""What brokers usually say, by paho's words for it; the last is its word for whatever nobody has given a reason for, and the one
before for what it can't read."""
LARGEST_PACKET = 4 << 20
"""Bytes of one message. A broker takes 256 MB from whoever may write there, and keeps them for everybody who comes."""

MISC_MS = 2500
"""Between two looks at what is due by time alone: keep-alives, which may be late by less than half of KEEPALIVE_S."""


def keep_trying(client: paho.Client, connected: Callable[..., None], lost: Callable[[Sentence], None]) -> PolledLoop:
    """What drives the client once it is started. connected: as paho's on_connect; lost: takes why there is no connection. Both
    in the loop's thread."""
    refused = False

    def began(client: paho.Client, data: object, flags: object, reason: ReasonCode, properties: Any) -> None:
        nonlocal refused
        refused = reason.is_failure
        connected(client, data, flags, reason, properties)

    def ended(client: paho.Client, data: object, flags: object, reason: object, properties: Any) -> None:
        # A refusal has said why; that the broker then hangs up is no news.
        if not refused:
            lost(in_words(reason))

    client.on_connect, client.on_disconnect = began, ended
    loop = PolledLoop(client, lambda: lost(loop.why))
    return loop


def in_words(reason: object) -> Sentence:
    """Why a broker lets nobody in, or has hung up, in the middle of a sentence. reason: as paho has it."""
    return _REASONS.get(str(reason)) or Sentence(str(reason))


def _why(problem: Exception) -> Sentence:
    match problem:
        case ssl.SSLCertVerificationError():
            return Sentence("its certificate can't be trusted ({why})", why=problem.verify_message)
        case ConnectionResetError():  # Nothing but TLS reads before the first message is sent.
            return NO_TLS
    return why_unreachable(problem) or NO_ANSWER


class PolledLoop:
    """The one thread that reads and writes for a client; any thread may publish. start() once, after connect_async().

    why: the broker could not be reached when it was last tried.
    """

    def __init__(self, client: paho.Client, no_answer: Callable[[], None]) -> None:
        """no_answer: called in the thread, each time that the broker can't be reached."""
        self._client, self._no_answer = client, no_answer
        self.why = NO_ANSWER
        self._stopped = threading.Event()
        self._bell, self._button = socket.socketpair()
        for end in (self._bell, self._button):
            end.setblocking(False)
        # With this paho leaves writing to whoever drives it: else two threads would write into one connection.
        client.on_socket_register_write = lambda client, data, sock: self._ring()
        self._thread = threading.Thread(target=self._work, name="broker", daemon=True)

    def start(self) -> None:
        """Connects, and again whenever the connection is lost, for ever."""
        self._thread.start()

    def close(self) -> None:
        """Leaves the broker; nobody is told that the connection was lost."""
        self._client.on_disconnect = None
        self._stopped.set()
        self._ring()
        self._thread.join(timeout=2 * FAREWELL_S)

    def _ring(self) -> None:
        with suppress(BlockingIOError, OSError):
            self._button.send(b"!")

    def _work(self) -> None:
        shortest, longest = RECONNECT_S
        delay = shortest
        while not self._stopped.is_set():
            # A ValueError is a name that can be none, such as one with two dots in a row.
            try:
                self._client.reconnect()
            except (OSError, ValueError) as problem:
                self.why = _why(problem)
                self._no_answer()
            else:
                delay = shortest if self._follow() else delay
            if not self._stopped.wait(delay):
                delay = min(2 * delay, longest)
        self._client.disconnect()
        self._client.loop_write()
        self._bell.close()
        self._button.close()

    def _follow(self) -> bool:
        """Until the connection ends; whether it ever stood."""
        stood = False
        watched, mask, poll = -1, 0, select.poll()
        poll.register(self._bell, select.POLLIN)
        while not self._stopped.is_set():
            if self._client.want_write():
                self._client.loop_write()
            sock = self._client.socket()
            if sock is None:
                break
            stood = stood or self._client.is_connected()
            wanted = select.POLLIN | (select.POLLOUT if self._client.want_write() else 0)
            if (sock.fileno(), wanted) != (watched, mask):
                watched, mask = sock.fileno(), wanted
                poll.register(watched, mask)
            # What TLS has decrypted already is no news for poll().
            held = isinstance(sock, ssl.SSLSocket) and sock.pending() > 0
            ready = dict(poll.poll(0 if held else MISC_MS))
            if self._bell.fileno() in ready:
                with suppress(BlockingIOError):
                    self._bell.recv(4096)
            if held or ready.get(watched, 0) & ~select.POLLOUT:
                try:
                    self._client.loop_read()
                except (OSError, ValueError):
                    # A topic that is no text; or the broker is gone when paho tries once more with an older protocol.
                    self._hang_up(NO_MQTT)
                    break
                # Paho has no limit, and collects what has come so far where nobody else can look.
                if self._client._in_packet["remaining_length"] > LARGEST_PACKET:
                    self._hang_up(TOO_LARGE)
                    break
            self._client.loop_misc()
        return stood

    def _hang_up(self, why: Sentence) -> None:
        """On somebody who does not speak as a broker does."""
        told, self._client.on_disconnect = self._client.on_disconnect, None
        self._client.disconnect()
        self._client.loop_write()
        self._client.on_disconnect = told
        self.why = why
        self._no_answer()
