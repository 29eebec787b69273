"""The hub's line to the MQTT broker: hears every board, and answers each on its own topic."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from typing import Self

import msgspec
import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from controller.hub.settings import BrokerSettings
from controller.record.wire import HUB_HERE, NAME, HubAnswer, topic
from controller.run.broker_client import AT_LEAST_ONCE, AT_MOST_ONCE, KEEPALIVE_S, keep_trying
from controller.run.trusting import hub_tls

NO_RIGHTS = (
    "it lets {name} in, but not hear the boards. [broker] name and password have to be those of the hub in the broker's file of "
    "rights (docs/hub_details.md)."
)

_TOPIC = re.compile(r"boards/([^/]+)/(events|here)")
_NAME = re.compile(NAME)


class BrokerLine:
    """Listens while it is open. offer: takes board, kind and payload of each message, in the loop's thread."""

    def __init__(
        self, settings: BrokerSettings, offer: Callable[[str, str, bytes], None], tell: Callable[[str], None]
    ) -> None:
        """Raises OSError where the authority's file can't be read."""
        self._settings, self._offer, self._tell = settings, offer, tell
        self._trouble = ""
        self._client = paho.Client(
            CallbackAPIVersion.VERSION2, client_id=f"hub-{secrets.token_hex(4)}", protocol=paho.MQTTv5
        )
        self._client.username_pw_set(settings.name, settings.password)
        if settings.tls:
            self._client.tls_set_context(hub_tls(settings.ca))
        self._loop = keep_trying(self._client, self._connected, self._lost)
        # Answers that wait for a broker that is away are of no use later: boards ask again.
        self._client.max_queued_messages_set(10_000)
        self._client.on_subscribe = self._subscribed
        self._client.on_message = self._hear

    def __enter__(self) -> Self:
        # Nothing is kept for a hub that is away: whatever it has not confirmed comes again by itself.
        self._client.connect_async(self._settings.host, self._settings.port, KEEPALIVE_S, clean_start=True)
        self._loop.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.close()

    def answer(self, board: str, answer: HubAnswer) -> None:
        """Tells a board. At most once: it asks again where none comes, and each answer holds all that earlier ones did."""
        if self._client.is_connected():
            self._client.publish(topic(board, "hub"), msgspec.json.encode(answer), AT_MOST_ONCE)

    def _connected(
        self, client: paho.Client, data: object, flags: object, reason: ReasonCode, properties: Properties | None
    ) -> None:
        if reason.is_failure:
            self._lost(str(reason))
            return
        client.subscribe([(topic("+", "events"), AT_LEAST_ONCE), (topic("+", "here"), AT_MOST_ONCE)])

    def _subscribed(
        self, client: paho.Client, data: object, number: int, reasons: list[ReasonCode], properties: Properties | None
    ) -> None:
        """From now on boards are heard, where the broker lets us."""
        if any(one.is_failure for one in reasons):
            self._say_once(NO_RIGHTS.format(name=self._settings.name))
            return
        self._trouble = ""
        self._tell(f"Broker: connected to {self._settings.host} port {self._settings.port}.")
        client.publish(HUB_HERE, secrets.token_hex(8), AT_LEAST_ONCE, retain=True)

    def _hear(self, client: paho.Client, data: object, message: paho.MQTTMessage) -> None:
        found = _TOPIC.fullmatch(message.topic)
        if found is not None and _NAME.fullmatch(found[1]):
            self._offer(found[1], found[2], bytes(message.payload))

    def _lost(self, why: str) -> None:
        self._say_once(f"{why}. Trying again for ever.")

    def _say_once(self, why: str) -> None:
        if why != self._trouble:
            self._trouble = why
            self._tell(f"Broker: {self._settings.host} port {self._settings.port}: {why}")
