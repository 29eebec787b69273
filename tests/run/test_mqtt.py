"""What a real broker keeps of a match: state, availability, Home Assistant's discovery, and the last will."""

from __future__ import annotations

import contextlib
import json
import re
import signal
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from msgspec.structs import replace
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.reasoncodes import ReasonCode

from controller.cli.certificate import make_certificate, own_names
from controller.config import MqttConfig
from controller.run.mqtt import Broadcaster, discovery, state_of
from tests.programs import free_port, running
from tests.run.broker import Broker, Listener, eventually
from tests.web.views import start_view
from web.hub import PackedView, ViewHub
from web.tls import tls_context
from web.view import CubeView, FlagView, View

STATE, AVAILABLE = "vrhcab/board-1/state", "vrhcab/board-1/availability"
START = start_view()
DOUBLED = replace(START, sequence=2, turn="light", cube=CubeView(2, "dark"))


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    with Broker(tmp_path, free_port()) as started:
        yield started


@dataclass
class Board:
    hub: ViewHub
    config: MqttConfig
    said: list[str]


@pytest.fixture
def board(broker: Broker) -> Iterator[Board]:
    made = Board(ViewHub(), MqttConfig(host="127.0.0.1", port=broker.port), [])
    with Broadcaster(made.config, made.hub, made.said.append, "0.1"):
        yield made


def told(listener: Listener) -> dict[str, object]:
    found: dict[str, object] = json.loads(listener.last(STATE) or "{}")
    return found


def test_who_comes_later_hears_the_state_at_once(broker: Broker, board: Board) -> None:
    board.hub.publish(START)
    board.hub.publish(DOUBLED)
    early = Listener(broker)
    eventually(lambda: told(early).get("cube") == 2)
    late = Listener(broker)
    eventually(lambda: told(late).get("cube_owner") == "dark")
    assert late.last(AVAILABLE) == "online"
    assert all(retained for _, _, retained in late.heard)
    early.close()
    late.close()


def test_home_assistant_finds_every_value_that_is_told(broker: Broker, board: Board) -> None:
    listener = Listener(broker, "homeassistant/#")
    expected = discovery(board.config, "0.1")
    eventually(lambda: len(listener.heard) >= len(expected))
    listener.close()
    state = state_of(START)
    for topic, text, _ in listener.heard:
        entity = json.loads(text)
        assert entity == expected[topic]
        assert entity["state_topic"] == STATE
        assert entity["availability_topic"] == AVAILABLE
        key = entity["value_template"].removeprefix("{{ value_json.").removesuffix(" }}")
        assert key in state
        if "options" in entity:
            assert state[key] in entity["options"]
        if topic.split("/")[1] == "binary_sensor":
            assert str(state[key]) in (entity["payload_on"], entity["payload_off"])
    assert len({json.loads(text)["unique_id"] for _, text, _ in listener.heard}) == len(expected)


@pytest.mark.parametrize(
    ("topic", "prefix"), [("klub/stůl 1", "homeassistant"), ("a.b/$c", "ha/"), ("/hall/board-1/", "ha")]
)
def test_home_assistant_takes_every_topic_of_discovery(topic: str, prefix: str) -> None:
    """Its matcher: https://github.com/home-assistant/core/blob/dev/homeassistant/components/mqtt/discovery.py"""
    legal = rf"{prefix.strip('/')}/\w+/[a-zA-Z0-9_-]+/[a-zA-Z0-9_-]+/config"
    found = discovery(MqttConfig(host="localhost", topic=topic, discovery=prefix), "0.1")
    assert all(re.fullmatch(legal, name) for name in found), list(found)
    assert {entity["state_topic"] for entity in found.values()} == {f"{topic}/state"}


def test_two_boards_are_two_devices_whatever_their_topics() -> None:
    boards = [discovery(MqttConfig(host="localhost", topic=topic), "0.1") for topic in ("stůl 1", "stul 1", "stůl-1")]
    assert len({name for board in boards for name in board}) == 3 * len(boards[0])


def test_what_changes_while_a_broker_is_told_again_is_told_last(monkeypatch: pytest.MonkeyPatch) -> None:
    """Retained, an old state that comes after the new one would stand until the next turn."""
    hub, told = ViewHub(), list[object]()
    broadcaster = Broadcaster(MqttConfig(host="127.0.0.1", discovery=""), hub, lambda sentence: None)
    monkeypatch.setattr(broadcaster._client, "is_connected", lambda: True)

    def shown(view: View) -> None:
        hub.publish(view)
        with hub.watch() as watcher:
            found = watcher.next(5)
        assert isinstance(found, PackedView)
        broadcaster._show(found)

    def publish(name: str, payload: bytes) -> None:
        if name == "state" and len(told) == 1:
            told.append("")
            shown(DOUBLED)  # by the thread that follows the views
        if name == "state":
            told.append(json.loads(payload)["cube"])

    monkeypatch.setattr(broadcaster, "_publish", publish)
    shown(START)
    broadcaster._connected(broadcaster._client, None, None, ReasonCode(PacketTypes.CONNACK), None)
    assert told[-1] == 2


class Line:
    """A line to a broker that can be cut so that the broker does not notice. deaf: what the broker says is lost."""

    def __init__(self, broker: Broker) -> None:
        self._broker, self.deaf = broker, False
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._ends: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                far = socket.create_connection(("127.0.0.1", self._broker.port))
                self._ends += [near, far]
                self.deaf = False
                for ends in ((near, far), (far, near)):
                    threading.Thread(target=self._pass_on, args=ends, daemon=True).start()

    def _pass_on(self, source: socket.socket, to: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while read := source.recv(65536):
                if source in self._ends[::2] or not self.deaf:
                    to.sendall(read)

    def cut(self) -> None:
        """The board's end alone."""
        self._ends[0].shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._listener.close()
        for end in self._ends:
            end.close()


def test_after_a_line_that_broke_unnoticed_the_broker_keeps_what_is_so_now(
    broker: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.run.broker_client.RECONNECT_S", (0.3, 1))
    monkeypatch.setattr("controller.run.mqtt.LOOK_S", 0.02)
    line, hub, listener = Line(broker), ViewHub(), Listener(broker)
    config = MqttConfig(host="127.0.0.1", port=line.port, discovery="")
    with Broadcaster(config, hub, lambda sentence: None) as broadcaster:
        hub.publish(START)
        eventually(lambda: told(listener).get("cube") == 1)
        line.deaf = True
        hub.publish(replace(DOUBLED, cube=CubeView(8, "dark")))
        eventually(lambda: told(listener).get("cube") == 8)
        line.cut()
        eventually(lambda: not broadcaster._client.is_connected())
        hub.publish(replace(DOUBLED, sequence=3))
        # The last will of the connection that is gone comes before what the new one says.
        eventually(
            lambda: [text for topic, text, _ in listener.heard if topic == AVAILABLE][1:] == ["offline", "online"]
        )
        eventually(lambda: told(listener).get("cube") == 2)
        time.sleep(0.2)  # in which what was not acknowledged would come again
        assert told(listener)["cube"] == 2
    listener.close()
    line.close()


def test_the_last_will_of_an_earlier_start_is_not_believed(broker: Broker) -> None:
    """The broker waits for a machine that lost its power, which may be on again before."""
    listener = Listener(broker)
    with Broadcaster(MqttConfig(host="127.0.0.1", port=broker.port), ViewHub(), lambda sentence: None):
        eventually(lambda: listener.last(AVAILABLE) == "online")
        listener._client.publish(AVAILABLE, "offline", 1, retain=True)
        eventually(
            lambda: [text for topic, text, _ in listener.heard if topic == AVAILABLE][-2:] == ["offline", "online"]
        )
    eventually(lambda: listener.last(AVAILABLE) == "offline")
    listener.close()


def test_an_orderly_end_says_so(broker: Broker) -> None:
    config = MqttConfig(host="127.0.0.1", port=broker.port)
    listener = Listener(broker)
    with Broadcaster(config, ViewHub(), lambda sentence: None):
        eventually(lambda: listener.last(AVAILABLE) == "online")
    eventually(lambda: listener.last(AVAILABLE) == "offline")
    listener.close()


def test_an_end_just_as_the_connection_goes_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    with Broadcaster(MqttConfig(host="127.0.0.1", port=free_port()), ViewHub(), lambda sentence: None) as broadcaster:
        monkeypatch.setattr(broadcaster._client, "is_connected", lambda: True)


def test_a_broker_that_starts_anew_is_told_everything_again(broker: Broker, board: Board) -> None:
    board.hub.publish(DOUBLED)
    first = Listener(broker)
    eventually(lambda: told(first).get("cube") == 2)
    first.close()
    broker.stop()
    broker.start()
    second = Listener(broker)
    eventually(lambda: told(second).get("cube") == 2 and second.last(AVAILABLE) == "online")
    second.close()
    assert sum("connected to 127.0.0.1" in sentence for sentence in board.said) == 2
    assert sum("has ended the connection" in sentence for sentence in board.said) == 1


def test_a_broker_that_is_not_there_yet_is_waited_for(tmp_path: Path) -> None:
    broker, hub, said = Broker(tmp_path, free_port()), ViewHub(), list[str]()
    with Broadcaster(MqttConfig(host="127.0.0.1", port=broker.port), hub, said.append):
        hub.publish(DOUBLED)
        eventually(lambda: said)
        with broker:
            listener = Listener(broker)
            eventually(lambda: told(listener).get("turn") == "light")
            listener.close()
    assert said[0].endswith("Trying again for ever.")


def test_a_log_in_and_its_refusal(tmp_path: Path) -> None:
    with Broker(tmp_path, free_port(), {"board": "hush"}) as broker:
        listener = Listener(broker, user=("board", "hush"))
        right = MqttConfig(host="127.0.0.1", port=broker.port, username="board", password="hush")
        with Broadcaster(right, ViewHub(), lambda sentence: None):
            eventually(lambda: listener.last(AVAILABLE) == "online")
        said: list[str] = []
        with Broadcaster(replace(right, password="loud"), ViewHub(), said.append):
            eventually(lambda: any("Not authorized" in sentence for sentence in said))
            # Told once, however often it is tried.
            time.sleep(4.0)
        listener.close()
    assert len(said) == 1
    assert not any("hush" in sentence or "loud" in sentence for sentence in said)


@pytest.mark.parametrize("name", ["a..b", "a" * 70 + ".cz", "broker.invalid"])
def test_a_name_that_leads_nowhere_is_told_and_tried_again(name: str) -> None:
    said: list[str] = []
    with Broadcaster(MqttConfig(host=name), ViewHub(), said.append) as broadcaster:
        eventually(lambda: said)
        time.sleep(0.1)
        assert broadcaster._loop._thread.is_alive()
    assert said == [f"MQTT: {name} port 1883: no machine of that name is known here. Trying again for ever."]


def test_a_broker_without_tls_where_the_settings_ask_for_it_is_told_as_that(broker: Broker) -> None:
    said: list[str] = []
    with Broadcaster(MqttConfig(host="127.0.0.1", port=broker.port, tls=True), ViewHub(), said.append):
        eventually(lambda: said)
    assert "no TLS comes about there" in said[0]


def test_a_certificate_that_nobody_vouches_for_is_told_as_that(tmp_path: Path) -> None:
    context = tls_context(make_certificate(tmp_path, own_names()))
    said: list[str] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def greet() -> None:
            with contextlib.suppress(OSError), context.wrap_socket(server.accept()[0], server_side=True):
                pass

        thread = threading.Thread(target=greet)
        thread.start()
        port = server.getsockname()[1]
        with Broadcaster(MqttConfig(host="127.0.0.1", port=port, tls=True), ViewHub(), said.append):
            eventually(lambda: said)
        thread.join()
    assert "its certificate can't be trusted (" in said[0]


def test_the_last_will_of_a_program_that_is_killed(broker: Broker, tmp_path: Path) -> None:
    settings = tmp_path / "vrhcab.toml"
    settings.write_text(f'[camera]\nsource = "simulator"\n[mqtt]\nhost = "127.0.0.1"\nport = {broker.port}\n', "utf-8")
    listener = Listener(broker)
    with running(tmp_path, "run", "--config", str(settings)) as program:
        program.wait_until(lambda: listener.last(AVAILABLE) == "online" and told(listener).get("game") == 1)
        program.stop(signal.SIGKILL)
        eventually(lambda: listener.last(AVAILABLE) == "offline")
    listener.close()


def test_with_a_delay_the_broker_hears_no_more_than_viewers_see(broker: Broker, tmp_path: Path) -> None:
    settings = tmp_path / "vrhcab.toml"
    delayed = 'delay_s = 3600\noverlay_key = "key-of-the-overlay"\n'
    settings.write_text(
        f'[camera]\nsource = "simulator"\n[mqtt]\nhost = "127.0.0.1"\nport = {broker.port}\n[web]\n{delayed}', "utf-8"
    )
    listener = Listener(broker)
    with running(tmp_path, "run", "--config", str(settings)) as program:
        program.wait_until(lambda: program.state("?for=overlay&key=key-of-the-overlay"))
        program.wait_until(lambda: listener.last(AVAILABLE) == "online")
        assert not listener.last(STATE)
        assert program.state() is None
    listener.close()


@pytest.mark.parametrize(("role", "error"), [("recorder", False), ("monitor", True), ("coach", True)])
def test_a_recorder_tells_no_error(role: str, error: bool) -> None:
    flag = FlagView(1, "R13", "light", "Illegal play", 4)
    view: View = replace(START, flags=(flag,), role=role)
    assert state_of(view)["error"] is error
    assert not state_of(replace(view, flags=(replace(flag, resolved="stands"),)))["error"]
