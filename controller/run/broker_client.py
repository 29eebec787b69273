"""What every client of an MQTT broker does alike: it tries again for ever, says why it is not connected, and leaves quietly."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import paho.mqtt.client as paho

AT_MOST_ONCE, AT_LEAST_ONCE = 0, 1
KEEPALIVE_S = 15
"""After one and a half times this the broker gives a client up and publishes its last will."""

RECONNECT_S = (1, 30)
FAREWELL_S = 1.0
NO_ANSWER = "does not answer"


def keep_trying(client: paho.Client, connected: Callable[..., None], lost: Callable[[str], None]) -> None:
    """Before it connects. connected: as paho's on_connect; lost: takes why there is no connection. Both in paho's thread."""
    client.reconnect_delay_set(*RECONNECT_S)
    client.on_connect = connected
    client.on_connect_fail = lambda client, data: lost(NO_ANSWER)

    def ended(client: paho.Client, data: object, flags: object, reason: object, properties: Any) -> None:
        lost(str(reason))

    client.on_disconnect = ended


def hang_up(client: paho.Client) -> None:
    """Ends the connection; nobody is told that it was lost."""
    client.on_disconnect = None
    client.disconnect()
    client.loop_stop()
