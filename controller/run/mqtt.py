"""Tells the state of the match to an MQTT broker, so that a lamp in the room or Home Assistant can follow the cube.

It watches the views as a browser does. Retained state, discovery and availability: docs/mqtt.md. A broker that is away is waited
for; nothing here holds up the referee.
"""

from __future__ import annotations

import re
import secrets
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Self

import msgspec
import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.reasoncodes import ReasonCode

from controller.config import MqttConfig
from controller.run.broker_client import AT_LEAST_ONCE, AT_MOST_ONCE, FAREWELL_S, KEEPALIVE_S, TOO_LARGE, keep_trying
from web.hub import PackedView, Quiet, ViewHub
from web.view import CAMERA_WORKS, VIEWS, View

ONLINE, OFFLINE = "online", "offline"
LOOK_S = 0.5


def state_of(view: View) -> dict[str, str | int | bool]:
    """What is told, as one flat JSON object: short values that a template can use."""
    silent = view.role == "recorder"
    return {
        "status": view.status,
        "phase": view.phase,
        "turn": view.turn or "nobody",
        "dice": "-".join(str(die) for die in view.dice),
        "cube": view.cube.value,
        "cube_owner": view.cube.owner or "centre",
        "cube_offered_to": view.cube.offered or "nobody",
        "error": not silent and any(flag.resolved is None for flag in view.flags),
        "sees": view.camera == CAMERA_WORKS,
        "light": view.light.name,
        "dark": view.dark.name,
        "score_light": view.light.score,
        "score_dark": view.dark.score,
        "match_length": view.match_length,
        "game": view.game,
    }


# Component, key, name, and what Home Assistant adds to it (https://www.home-assistant.io/integrations/mqtt/).
_ENTITIES: tuple[tuple[str, str, str, dict[str, Any]], ...] = (
    ("sensor", "status", "Status", {"icon": "mdi:text"}),
    ("sensor", "turn", "Turn", {"device_class": "enum", "options": ["light", "dark", "nobody"]}),
    ("sensor", "dice", "Dice", {"icon": "mdi:dice-multiple"}),
    ("sensor", "cube", "Cube", {"icon": "mdi:cube"}),
    ("sensor", "cube_owner", "Cube owner", {"device_class": "enum", "options": ["light", "dark", "centre"]}),
    ("sensor", "cube_offered_to", "Cube offered to", {"device_class": "enum", "options": ["light", "dark", "nobody"]}),
    ("sensor", "score_light", "Score light", {"icon": "mdi:scoreboard"}),
    ("sensor", "score_dark", "Score dark", {"icon": "mdi:scoreboard"}),
    ("binary_sensor", "error", "Error", {"device_class": "problem"}),
    ("binary_sensor", "sees", "Sees the board", {"device_class": "connectivity"}),
)


def discovery(config: MqttConfig, version: str) -> dict[str, dict[str, Any]]:
    """Home Assistant's discovery messages by topic, one for each entity."""
    # Home Assistant passes over a topic of discovery with any other character: it is told by its number there.
    board = re.sub(
        r"[^\w-]", lambda found: f"_{ord(found[0]):x}_", config.topic.strip("/").replace("/", "_"), flags=re.ASCII
    )
    prefix = config.discovery.rstrip("/")
    device = {"identifiers": [board], "name": "Backgammon board", "model": "Vrhcáb", "sw_version": version}
    found = {}
    for component, key, name, extra in _ENTITIES:
        # A template writes a JSON truth value as Python does.
        values = {"payload_on": "True", "payload_off": "False"} if component == "binary_sensor" else {}
        found[f"{prefix}/{component}/{board}/{key}/config"] = {
            "name": name,
            "unique_id": f"{board}_{key}",
            "state_topic": f"{config.topic}/state",
            "value_template": f"{{{{ value_json.{key} }}}}",
            "availability_topic": f"{config.topic}/availability",
            "device": device,
            **values,
            **extra,
        }
    return found


class Broadcaster:
    """Follows a hub's views while it is open. tell: takes a sentence when the broker comes or goes."""

    def __init__(self, config: MqttConfig, hub: ViewHub, tell: Callable[[str], None], version: str = "") -> None:
        self._config, self._hub, self._tell, self._version = config, hub, tell, version
        self._state: bytes | None = None
        self._trouble = ""
        self._listens = True
        self._stop = threading.Event()
        # By the same name a connection takes the place of one that the broker holds still; else that one's last will would come
        # when this one is on already.
        self._client = paho.Client(CallbackAPIVersion.VERSION2, client_id=f"vrhcab{secrets.token_hex(8)}")
        self._client.will_set(self._topic("availability"), OFFLINE, AT_LEAST_ONCE, retain=True)
        if config.username is not None:
            self._client.username_pw_set(config.username, config.password)
        if config.tls:
            self._client.tls_set()
        self._loop = keep_trying(self._client, self._connected, self._lost)
        self._client.on_message = self._hear
        self._thread = threading.Thread(target=self._follow, name="mqtt", daemon=True)

    def __enter__(self) -> Self:
        assert self._config.host is not None
        self._client.connect_async(self._config.host, self._config.port, KEEPALIVE_S)
        self._loop.start()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join(timeout=2 * LOOK_S)
        if self._client.is_connected():
            with suppress(RuntimeError):  # The connection has just gone.
                self._publish("availability", OFFLINE).wait_for_publish(FAREWELL_S)
        self._loop.close()

    def _topic(self, name: str) -> str:
        return f"{self._config.topic}/{name}"

    def _publish(self, name: str, payload: str | bytes) -> paho.MQTTMessageInfo:
        # A state that was not acknowledged when a connection ended would be sent again after the one that the next begins with, and
        # be kept in its place.
        quality = AT_MOST_ONCE if name == "state" else AT_LEAST_ONCE
        return self._client.publish(self._topic(name), payload, quality, retain=True)

    def _follow(self) -> None:
        while not self._stop.is_set():
            with self._hub.watch() as watcher:
                while not self._stop.is_set():
                    found = watcher.next(LOOK_S)
                    if isinstance(found, PackedView):
                        self._show(found)
                    elif found is Quiet.HUNG_UP:
                        break

    def _show(self, snapshot: PackedView) -> None:
        state = msgspec.json.encode(state_of(VIEWS.decode(snapshot.body)))
        # Most views differ in what is not told here.
        if state != self._state:
            self._state = state
            if self._client.is_connected():
                self._publish("state", state)

    def _connected(
        self, client: paho.Client, data: object, flags: object, reason: ReasonCode, properties: object
    ) -> None:
        """In the broker's thread. The broker may have been started anew and know nothing: everything is told again."""
        if reason.is_failure:
            self._lost(str(reason))
            return
        self._trouble = ""
        self._tell(f"MQTT: connected to {self._config.host}.")
        if self._config.discovery:
            for topic, entity in discovery(self._config, self._version).items():
                client.publish(topic, msgspec.json.encode(entity), AT_LEAST_ONCE, retain=True)
        self._publish("availability", ONLINE)
        if self._listens:
            client.subscribe(self._topic("availability"), AT_LEAST_ONCE)
        told = None
        while told is not self._state:  # A newer one may be told meanwhile, and what is told last is kept.
            told = self._state
            if told is not None:
                self._publish("state", told)

    def _hear(self, client: paho.Client, data: object, message: paho.MQTTMessage) -> None:
        """In the broker's thread. The last will of an earlier start comes when this one is on already, where the machine lost its
        power for less time than the broker waits."""
        if message.payload == OFFLINE.encode() and not self._stop.is_set():
            self._publish("availability", ONLINE)

    def _lost(self, why: str) -> None:
        if why == TOO_LARGE:  # The broker keeps what a stranger has put there: it would come each time.
            self._listens = False
        if why != self._trouble:
            self._trouble = why
            self._tell(f"MQTT: {self._config.host} port {self._config.port}: {why}. Trying again for ever.")
