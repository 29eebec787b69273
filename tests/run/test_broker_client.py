"""Whatever a broker says, or whoever sits at its port: it is told and tried again."""

from __future__ import annotations

import contextlib
import socket
import threading
from pathlib import Path

import pytest

from controller.config import HubConfig, MqttConfig
from controller.record.journal import Journal
from controller.run.mqtt import Broadcaster
from controller.run.outbox import Outbox
from tests.run.broker import PATIENCE_S, eventually
from web.hub import ViewHub

WELCOME = b"\x20\x03\x00\x00\x00"
NO_TEXT_FOR_A_TOPIC = b"\x30\x05\x00\x01\xff\x00x"
HELLO, TWO_HUNDRED_MEGABYTES = b"\x20\x02\x00\x00", b"\x30\x80\x80\xb2\x5f\x00\x01a"
OLDER_PROTOCOL_WANTED = b"\x20\x02\x00\x01"


class Strange:
    """Sits at a broker's port, says something to everybody who comes, and hangs up. visits: how many came; heard: what each of
    them said."""

    def __init__(self, says: bytes, *, once: bool = False, waits: bool = False) -> None:
        """once: nobody else may come; waits: it hangs up when the visitor does."""
        self._says, self._once, self._waits, self.visits = says, once, waits, 0
        self.heard: list[bytes] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._sit, daemon=True).start()

    def _sit(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                visitor, _ = self._listener.accept()
                self.visits += 1
                if self._once:
                    self._listener.close()
                with visitor, contextlib.suppress(OSError):
                    self.heard.append(visitor.recv(4096))
                    visitor.sendall(self._says)
                    if self._waits:
                        visitor.settimeout(PATIENCE_S)
                    else:
                        visitor.shutdown(socket.SHUT_WR)
                    while more := visitor.recv(4096):
                        self.heard[-1] += more

    def __enter__(self) -> Strange:
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()


@pytest.fixture(autouse=True)
def impatience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controller.run.broker_client.RECONNECT_S", (0.05, 0.05))


def test_a_board_comes_back_to_a_broker_whose_topic_is_no_text(tmp_path: Path) -> None:
    said: list[str] = []
    with Journal(tmp_path / "journal.sqlite3") as journal, Strange(WELCOME + NO_TEXT_FOR_A_TOPIC) as broker:
        config = HubConfig(address=f"127.0.0.1:{broker.port}", tls=False)
        with Outbox(config, journal, said.append):
            eventually(lambda: broker.visits >= 3)
    assert sum("does not speak MQTT as a broker does" in sentence for sentence in said) >= 2


def test_a_broker_that_wants_an_older_protocol_and_is_gone_is_waited_for() -> None:
    said: list[str] = []
    with Strange(OLDER_PROTOCOL_WANTED, once=True) as broker:
        config = MqttConfig(host="127.0.0.1", port=broker.port)
        with Broadcaster(config, ViewHub(), said.append):
            eventually(lambda: any("nothing listens there" in sentence for sentence in said))


def test_the_port_of_another_program_is_told_as_that() -> None:
    said: list[str] = []
    page = b"HTTP/1.1 400 Bad Request\r\n\r\n" + 100 * b"!"
    with Strange(page) as web, Broadcaster(MqttConfig(host="127.0.0.1", port=web.port), ViewHub(), said.append):
        eventually(lambda: web.visits >= 3)
    assert said == [f"MQTT: 127.0.0.1 port {web.port}: does not speak MQTT as a broker does. Trying again for ever."]


def test_a_message_that_would_fill_the_memory_is_not_heard_out() -> None:
    """A broker keeps it for whoever listens at the topic where a stranger has put it: so nobody listens there again."""
    said: list[str] = []
    with Strange(HELLO + TWO_HUNDRED_MEGABYTES, waits=True) as broker:
        with Broadcaster(MqttConfig(host="127.0.0.1", port=broker.port), ViewHub(), said.append):
            eventually(lambda: broker.visits >= 3)
        first, second = broker.heard[:2]
    assert "sends a message that is too large" in said[1]
    subscribed = b"\x00\x1bvrhcab/board-1/availability\x01"
    assert subscribed in first
    assert b"online" in second
    assert subscribed not in second
