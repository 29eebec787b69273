"""A real mosquitto for a test, and a listener that hears what it keeps."""

from __future__ import annotations

import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

import paho.mqtt.client as paho
import pytest
from paho.mqtt.enums import CallbackAPIVersion

PROGRAM = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin")
PATIENCE_S = 20.0


class Broker:
    """mosquitto on a port of this machine; keeps nothing over a restart. users: name to password, empty for no log-in."""

    def __init__(self, folder: Path, port: int, users: dict[str, str] | None = None) -> None:
        if PROGRAM is None:
            pytest.skip("mosquitto is not here: sudo apt-get install mosquitto")
        self.port = port
        lines = [f"listener {port} 127.0.0.1", "persistence false", f"allow_anonymous {'false' if users else 'true'}"]
        if users:
            passwords = folder / "passwords"
            passwords.touch(mode=0o600)
            for name, password in users.items():
                subprocess.run(["mosquitto_passwd", "-b", str(passwords), name, password], check=True)
            lines.append(f"password_file {passwords}")
        lines.append("user root")
        self._settings = folder / "mosquitto.conf"
        self._settings.write_text("\n".join(lines) + "\n", "utf-8")

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()

    def start(self) -> None:
        """Begins to listen."""
        assert PROGRAM is not None
        self._process = subprocess.Popen([PROGRAM, "-c", str(self._settings)], stderr=subprocess.DEVNULL)
        eventually(self._listens)

    def _listens(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def stop(self) -> None:
        """Ends; what it kept is forgotten."""
        self._process.terminate()
        self._process.wait(PATIENCE_S)


class Listener:
    """What a newly come client hears under a topic: retained messages by topic, newest last."""

    def __init__(self, broker: Broker, topic: str = "#", user: tuple[str, str] | None = None) -> None:
        self.heard: list[tuple[str, str, bool]] = []
        self._topic = topic
        self._ready = threading.Event()
        self._client = paho.Client(CallbackAPIVersion.VERSION2)
        if user is not None:
            self._client.username_pw_set(*user)
        self._client.on_connect = lambda client, *rest: client.subscribe(self._topic, 1)
        self._client.on_subscribe = lambda *rest: self._ready.set()
        self._client.on_message = self._hear
        self._client.reconnect_delay_set(1, 1)
        self._client.connect("127.0.0.1", broker.port)
        self._client.loop_start()
        assert self._ready.wait(PATIENCE_S)

    def _hear(self, client: paho.Client, data: object, message: paho.MQTTMessage) -> None:
        self.heard.append((message.topic, message.payload.decode(), message.retain))

    def last(self, topic: str) -> str:
        """The newest message under a topic, empty before the first."""
        return next((text for heard, text, _ in reversed(self.heard) if heard == topic), "")

    def close(self) -> None:
        """Goes away."""
        self._client.disconnect()
        self._client.loop_stop()


def eventually(holds: Callable[[], object]) -> None:
    """Waits until it holds; fails the test where it never does."""
    end = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)
