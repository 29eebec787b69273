"""Tells the broker who may speak: commands to Mosquitto's dynamic security plugin, over a connection for each.

https://mosquitto.org/documentation/dynamic-security/
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Sequence

import msgspec
import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.reasoncodes import ReasonCode

from controller.hub.errors import HubError
from controller.hub.rights import ANSWERS, CONTROL, Table, board_role
from controller.hub.settings import BrokerSettings
from controller.run.broker_client import AT_LEAST_ONCE, KEEPALIVE_S, PolledLoop
from controller.run.trusting import hub_tls

PATIENCE_S = 5.0

AWAY = "The broker does not answer, so nothing was changed. Try again when it is back."
NOT_ADMIN = (
    "The broker lets nobody say who may speak there: it wants Mosquitto's dynamic security plugin, with the hub as its "
    "administrator (docs/hub_details.md). Nothing was changed."
)


class BrokerError(HubError):
    """Why who may speak there is as it was."""


class _Response(msgspec.Struct, frozen=True):
    """Of one command. error: "" where it was done."""

    command: str = ""
    error: str = ""
    correlationData: str = ""
    data: Table = {}


class _Responses(msgspec.Struct, frozen=True):
    responses: tuple[_Response, ...] = ()


_RESPONSES = msgspec.json.Decoder(_Responses)


class BrokerAdmin:
    """Every method raises BrokerError where the broker is away, or will not."""

    def __init__(self, settings: BrokerSettings) -> None:
        self._settings = settings

    def boards(self) -> tuple[str, ...]:
        """Who may speak, the hub left out, by name."""
        found = self._ask([{"command": "listClients"}])[0]
        if found.error:
            raise BrokerError("The broker does not say who may speak: {why}.", why=found.error)
        names = [str(name) for name in found.data.get("clients", ())]
        return tuple(sorted(name for name in names if name != self._settings.name))

    def let_in(self, name: str, password: str) -> None:
        """That board may speak on its topics, with this password alone from now on: whoever used another is thrown out."""
        role = board_role(name)
        commands = [
            {"command": "deleteClient", "username": name},
            {"command": "deleteRole", "rolename": name},
            {"command": "createRole", **role},
            {
                "command": "createClient",
                "username": name,
                "password": password,
                "roles": [{"rolename": name, "priority": 0}],
            },
        ]
        for one in self._ask(commands)[2:]:
            if one.error:
                raise BrokerError("The broker does not take the board in: {why}.", why=one.error)

    def shut_out(self, name: str) -> None:
        """It is thrown out and may speak no longer; nothing where it could not."""
        if name == self._settings.name:
            raise BrokerError("The hub itself can't be removed.")
        self._ask([{"command": "deleteClient", "username": name}, {"command": "deleteRole", "rolename": name}])

    def _ask(self, commands: Sequence[Table]) -> tuple[_Response, ...]:
        """The answers, in order."""
        settings, word = self._settings, secrets.token_hex(8)
        body = msgspec.json.encode({"commands": [{**one, "correlationData": word} for one in commands]})
        done, found = threading.Event(), list[tuple[_Response, ...]]()
        refused: list[str] = []

        def fail(why: str) -> None:
            refused.append(why)
            done.set()

        def hear(client: paho.Client, data: object, message: paho.MQTTMessage) -> None:
            try:
                answers = _RESPONSES.decode(message.payload).responses
            except msgspec.DecodeError:
                return
            if answers and all(one.correlationData == word for one in answers):
                found.append(answers)
                done.set()

        def connected(client: paho.Client, data: object, flags: object, reason: ReasonCode, more: object) -> None:
            if reason.is_failure:
                fail(AWAY)
            else:
                client.subscribe(ANSWERS, AT_LEAST_ONCE)

        def subscribed(client: paho.Client, data: object, number: int, reasons: list[ReasonCode], more: object) -> None:
            if any(one.is_failure for one in reasons):
                fail(NOT_ADMIN)
            else:
                client.publish(CONTROL, body, AT_LEAST_ONCE)

        def published(client: paho.Client, data: object, number: int, reason: ReasonCode, more: object) -> None:
            if reason.is_failure:
                fail(NOT_ADMIN)

        client = paho.Client(CallbackAPIVersion.VERSION2, client_id=f"hub-admin-{word}", protocol=paho.MQTTv5)
        client.username_pw_set(settings.name, settings.password)
        try:
            if settings.tls:
                client.tls_set_context(hub_tls(settings.ca))
            client.on_message, client.on_connect = hear, connected
            client.on_subscribe, client.on_publish = subscribed, published
            client.connect_async(settings.host, settings.port, KEEPALIVE_S, clean_start=True)
            loop = PolledLoop(client, lambda: fail(AWAY))
            loop.start()
            answered = done.wait(PATIENCE_S)
            loop.close()
        except OSError as error:
            raise BrokerError(AWAY) from error
        if refused or not found:
            raise BrokerError(refused[0] if refused else NOT_ADMIN if answered else AWAY)
        if len(found[0]) != len(commands):
            raise BrokerError(NOT_ADMIN)
        return found[0]
