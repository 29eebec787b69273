"""The journal as an outbox: every event goes to the hub once it is on the disk, and again until the hub has confirmed it.

Nothing is kept here but two numbers. Broker, hub or network may be gone for as long as they like: the journal holds what is
still to be sent, and refereeing never waits. The journal is read through its own connection alone (docs/trust.md).
"""

from __future__ import annotations

import re
import secrets
import shutil
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

import msgspec
import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from controller.config import HubConfig
from controller.record.journal import Journal, JournalError, StoredEvent
from controller.record.wire import (
    BATCH,
    BEAT_S,
    HUB_HERE,
    LARGEST,
    PAGE,
    BoardHealth,
    EventBatch,
    Here,
    HubAnswer,
    PlannedMatch,
    SentEvent,
    topic,
)
from controller.run.broker_client import AT_LEAST_ONCE, AT_MOST_ONCE, FAREWELL_S, KEEPALIVE_S, in_words, keep_trying
from controller.run.guests import Guests
from controller.run.trusting import hub_tls
from vision.sentence import Sentence

PAUSE_S = 1.0
"""Seconds after which the journal is read again where it could not be."""

WINDOW = 1000
"""Events that may be on their way unconfirmed."""

LEAST_S = 0.1
"""Between two looks at what is due, at least."""

AGAIN_S = 5.0
"""Seconds without progress after which what is not confirmed is sent again. Each time in vain doubles them, up to LONGEST_AGAIN_S:
a hub that is behind is not helped by hearing everything twice."""

LONGEST_AGAIN_S = 40.0

REFUSED = (0x86, 0x87)
"""How a broker says that it does not know the name with this password, or not any more (MQTT 5, 3.2.2.2)."""

ROOM = LARGEST - 4096
"""Bytes of events in one message."""

NOTHING = Sentence("")

_ANSWERS = msgspec.json.Decoder(HubAnswer)
_PAGE = re.compile(PAGE)


class Outbox:
    """Sends a journal to the hub while it is open. tell: takes a sentence when the hub comes or goes; health: how things stand."""

    def __init__(
        self,
        config: HubConfig,
        journal: Journal,
        tell: Callable[[str], None],
        health: Callable[[], BoardHealth] = BoardHealth,
        program: str = "",
        plan: Callable[[PlannedMatch | None], None] = lambda planned: None,
        guests: Guests | None = None,
    ) -> None:
        """plan: takes what the hub has to be played next, again and again, in the broker's thread. guests: who may come to the
        desk by way of the hub."""
        self._config, self._journal, self._tell, self._health = config, journal, tell, health
        self._program, self._plan, self._guests = program, plan, guests
        self._run = secrets.token_hex(8)
        self._lock = threading.Lock()
        self._news = threading.Event()
        self._stopped = False
        self._trouble = NOTHING
        # Guarded by the lock: set by the broker's thread, used by ours.
        self._confirmed: int | None = None
        self._sent = 0
        self._moved_at = self._beat_at = 0.0
        self._anew = False
        self._patience = AGAIN_S
        self._read: tuple[int, int] = (0, 0)
        host, port = config.place
        self._host, self._port = host, port
        self._client = paho.Client(
            CallbackAPIVersion.VERSION2, client_id=f"{config.name}-{self._run}", protocol=paho.MQTTv5
        )
        self._client.username_pw_set(config.name, config.password)
        if config.tls:
            self._client.tls_set_context(hub_tls(config.ca))
        self._client.will_set(self._topic("here"), msgspec.json.encode(Here(self._run, gone=True)), AT_MOST_ONCE)
        self._loop = keep_trying(self._client, self._connected, self._lost)
        self._client.on_message = self._hear
        self._thread = threading.Thread(target=self._follow, name="outbox", daemon=True)
        journal.on_append(self._news.set)

    @property
    def trouble(self) -> Sentence:
        """What was told last of what is wrong, "" for nothing."""
        return self._trouble

    @property
    def is_sent(self) -> bool:
        """The hub has everything."""
        return self.confirmed == self._journal.last

    @property
    def confirmed(self) -> int | None:
        """Events up to this are on the hub's disk; None before it has said so."""
        with self._lock:
            return self._confirmed

    def __enter__(self) -> Self:
        self._client.connect_async(self._host, self._port, KEEPALIVE_S, clean_start=True)
        self._loop.start()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped = True
        self._news.set()
        self._thread.join(timeout=2.0)
        if self._client.is_connected():
            farewell = Here(self._run, self._journal.last, gone=True)
            with suppress(RuntimeError):  # The connection has just gone.
                self._client.publish(
                    self._topic("here"), msgspec.json.encode(farewell), AT_LEAST_ONCE
                ).wait_for_publish(FAREWELL_S)
        self._loop.close()

    def _topic(self, what: str) -> str:
        return topic(self._config.name, what)

    def _follow(self) -> None:
        while not self._stopped:
            self._news.wait(self._due_in())
            self._news.clear()
            if self._stopped or not self._client.is_connected():
                continue
            try:
                self._say_here()
                self._send()
            except JournalError as error:
                # The referee has its own say on that; what is written goes out once it can be read.
                self._say_once(error.sentence)
                time.sleep(PAUSE_S)

    def _due_in(self) -> float:
        """Seconds until something is due by time alone: a sign of life, what was not confirmed. Whoever looks each second wakes a
        machine that has nothing to do."""
        if not self._client.is_connected():
            return BEAT_S  # It says so when it is.
        with self._lock:
            due = self._beat_at + BEAT_S
            if self._confirmed is not None and self._sent > self._confirmed:
                due = min(due, self._moved_at + self._patience)
        return min(max(LEAST_S, due - time.monotonic()), BEAT_S)

    def _say_here(self) -> None:
        now = time.monotonic()
        with self._lock:
            if now - self._beat_at < BEAT_S:
                return
            self._beat_at, anew, self._anew = now, self._anew, False
        clock = datetime.now(UTC).isoformat(timespec="milliseconds")
        page, door = (self._guests.page(), self._guests.word()) if self._guests else ("", "")
        if not _PAGE.match(page):
            # Of an interface of this machine, as fe80::1%eth0: nobody else finds it there, and no hub reads it.
            page = ""
        here = Here(
            self._run, self._journal.last, clock, self._program, anew=anew, health=self._health(), page=page, door=door
        )
        self._client.publish(self._topic("here"), msgspec.json.encode(here), AT_MOST_ONCE)

    def _send(self) -> None:
        last, now = self._journal.last, time.monotonic()
        with self._lock:
            if self._confirmed is None:
                return
            if self._sent <= self._confirmed:
                self._sent, self._moved_at, self._patience = self._confirmed, now, AGAIN_S
            elif now - self._moved_at > self._patience:
                self._sent, self._moved_at = self._confirmed, now
                self._patience = min(2 * self._patience, LONGEST_AGAIN_S)
            sent, room = self._sent, self._confirmed + WINDOW - self._sent
        while sent < last and room > 0 and not self._stopped:
            batch = self._batch(sent, min(sent + min(BATCH, room), last))
            self._client.publish(self._topic("events"), msgspec.json.encode(batch), AT_LEAST_ONCE)
            room -= len(batch.events)
            with self._lock:
                if self._sent != sent:  # The hub has asked for something else meanwhile.
                    return
                sent = self._sent = batch.events[-1].sequence
                self._read = sent, batch.events[-1].checksum

    def _batch(self, after: int, upto: int) -> EventBatch:
        """The next events that fit into one message, at least one. Raises JournalError."""
        events: list[SentEvent] = []
        size = 0
        for stored in self._journal.events(after, upto):
            size += 2 * len(stored.payload.encode()) + 256  # Quotes in the payload are escaped on the way.
            if events and size > ROOM:
                break
            events.append(SentEvent.of(stored))
        return EventBatch(self._run, tuple(events))

    def _event(self, sequence: int) -> StoredEvent | None:
        return next(iter(self._journal.events(sequence - 1, sequence)), None)

    def _hear(self, client: paho.Client, data: object, message: paho.MQTTMessage) -> None:
        """In the broker's thread: an answer of the hub, or that it has started."""
        if message.topic == HUB_HERE:
            with self._lock:
                self._confirmed, self._beat_at = None, 0.0
            self._news.set()
            return
        try:
            answer = _ANSWERS.decode(message.payload)
            if answer.run == self._run:
                self._take(answer)
                if not isinstance(answer.planned, msgspec.UnsetType):
                    self._plan(answer.planned)
                if self._guests and not isinstance(answer.guests, msgspec.UnsetType):
                    self._guests.still(answer.guests)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            self._say_once(Sentence("Hub: its answer can't be read. Is it of another version?"))
        except JournalError as error:
            self._say_once(error.sentence)
        self._news.set()

    def _take(self, answer: HubAnswer) -> None:
        """Raises JournalError."""
        if answer.refused:
            self._say_once(Sentence("The hub says: {why}", why=answer.refused))
            with self._lock:
                self._confirmed = None
            return
        if answer.who:
            with self._lock:
                self._confirmed, self._beat_at = None, 0.0
            return
        if answer.confirmed and not self._is_ours(answer):
            self._say_once(
                Sentence(
                    "Hub: this journal was put in the place of another, or restored from a backup: all of it is sent anew. "
                    "What the hub has stays there."
                )
            )
            with self._lock:
                self._confirmed, self._anew, self._beat_at = None, True, 0.0
            return
        self._say_once(NOTHING)
        with self._lock:
            if self._confirmed is None or answer.again:
                self._sent = answer.confirmed
            if self._confirmed is None or answer.confirmed > self._confirmed or answer.again:
                self._confirmed, self._moved_at = answer.confirmed, time.monotonic()
                self._patience = AGAIN_S

    def _is_ours(self, answer: HubAnswer) -> bool:
        if answer.confirmed > self._journal.last:
            return False
        if self._read == (answer.confirmed, answer.checksum):
            return True  # nearly always: what was sent a moment ago need not be read again
        event = self._event(answer.confirmed)
        return event is not None and event.checksum == answer.checksum

    def _connected(
        self, client: paho.Client, data: object, flags: object, reason: ReasonCode, properties: Properties | None
    ) -> None:
        """In the broker's thread."""
        if reason.is_failure:
            self._lost(in_words(reason))
            if reason.value in REFUSED and self._guests:
                self._guests.still(())  # The board was removed: whom the hub had let in, nobody vouches for any more.
            return
        self._tell(f"Hub: connected to {self._host} as {self._config.name}.")
        self._trouble = NOTHING
        with self._lock:
            self._confirmed, self._beat_at = None, 0.0
        client.subscribe([(self._topic("hub"), AT_LEAST_ONCE), (HUB_HERE, AT_LEAST_ONCE)])
        self._news.set()

    def _lost(self, why: str) -> None:
        self._say_once(
            Sentence(
                "Hub: {host} port {port}: {why}. The journal keeps everything, and it is sent once the hub is there.",
                host=self._host,
                port=self._port,
                why=why,
            )
        )

    def _say_once(self, sentence: Sentence) -> None:
        if sentence != self._trouble:
            self._trouble = sentence
            if sentence:
                self._tell(sentence)


def free_mb(path: Path) -> int | None:
    """What is left on the disk of that file, MB; None where nobody can tell."""
    try:
        return shutil.disk_usage(path.parent).free >> 20
    except OSError:
        return None
