"""Boards, a hub and a stranger for the tests, all at one real broker."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import paho.mqtt.client as paho
import psycopg
from paho.mqtt.enums import CallbackAPIVersion

from controller.config import HubConfig, WebConfig
from controller.hub.program import RunningHub, running_hub
from controller.hub.services import Hall
from controller.hub.wall import Tile
from controller.record.journal import StoredEvent
from controller.record.wire import HubAnswer
from controller.run.outbox import Outbox
from controller.run.simulated_boards import SimulatedBoard

PATIENCE_S = 120.0


def eventually(holds: Callable[[], Any]) -> Any:
    """What it returns once that is true; fails the test where it never is."""
    end = time.monotonic() + PATIENCE_S
    while not (found := holds()):
        assert time.monotonic() < end
        time.sleep(0.02)
    return found


@dataclass
class Table:
    """A simulated board that sends to the hall's hub. said: what its program told."""

    board: SimulatedBoard
    outbox: Outbox
    said: list[str] = field(default_factory=list)

    def play(self, events: int) -> None:
        for _ in range(events):
            self.board.act()

    @property
    def is_confirmed(self) -> bool:
        return self.outbox.confirmed == self.board.journal.last


@contextmanager
def table(config: HubConfig, folder: Path, seed: int = 1, length: int = 5) -> Iterator[Table]:
    """A board that plays matches of that length."""
    board = SimulatedBoard(folder, seed, length)
    made = Table(board, None)  # type: ignore[arg-type]  # at once
    made.outbox = Outbox(config, board.journal, made.said.append, plan=board.plan)
    try:
        with made.outbox:
            yield made
    finally:
        board.close()


@contextmanager
def tables(hall: Hall, names: tuple[str, ...], folder: Path) -> Iterator[list[Table]]:
    """Several of them."""
    with ExitStack() as stack:
        yield [
            stack.enter_context(table(hall.board(name), folder / name, seed))
            for seed, name in enumerate(names, start=1)
        ]


@dataclass
class HubHere:
    """A running hub. said: what it told."""

    running: RunningHub
    said: list[str]

    def tile(self, board: str) -> Tile | None:
        found = self.running.wall.tile(board)
        return None if found is None else msgspec.json.decode(found, type=Tile)


@contextmanager
def hub(hall: Hall) -> Iterator[HubHere]:
    said: list[str] = []
    with running_hub(hall.settings(WebConfig(port=free_port())), said.append) as running:
        eventually(lambda: any("Broker: connected" in sentence for sentence in said))
        yield HubHere(running, said)
    assert not any("Traceback" in sentence for sentence in said), said


def free_port() -> int:
    from controller.hub.services import free_port

    return free_port()


def rows(hall: Hall, statement: str, *values: object) -> list[Any]:
    """What the database has."""
    with psycopg.connect(hall.database.url) as connection:
        return connection.execute(statement.encode(), values).fetchall()


def kept(hall: Hall, board: str, life: int = 1) -> list[StoredEvent]:
    """A board's journal as the hub has it."""
    found = rows(
        hall,
        "select sequence, journal_board, match, game, kind, version, wall_time, payload from events "
        "where board = %s and life = %s order by sequence",
        board,
        life,
    )
    return [StoredEvent(*row) for row in found]


def notices(hall: Hall, board: str) -> list[str]:
    """Kinds of what the hub has noticed about a board, oldest first."""
    return [row[0] for row in rows(hall, "select kind from notices where board = %s order by id", board)]


class Stranger:
    """A client that has a board's password, and says what it likes. answers: what it was told."""

    def __init__(self, hall: Hall, name: str, password: str | None = None) -> None:
        """password: of a board that has joined since."""
        config = HubConfig(address=f"127.0.0.1:{hall.broker.port}", tls=False) if password else hall.board(name)
        self.answers: list[HubAnswer] = []
        self.refused = 0
        self._client = paho.Client(CallbackAPIVersion.VERSION2, protocol=paho.MQTTv5)
        self._client.username_pw_set(name, password or config.password)
        self._client.on_connect = lambda client, *rest: client.subscribe([(f"boards/{name}/hub", 1), ("#", 1)])
        self._client.on_message = self._hear
        self._client.on_publish = self._published
        host, port = config.place
        self._client.connect(host, port)
        self._client.loop_start()
        eventually(self._client.is_connected)

    def _hear(self, client: paho.Client, data: object, message: paho.MQTTMessage) -> None:
        with suppress(msgspec.DecodeError):
            self.answers.append(msgspec.json.decode(message.payload, type=HubAnswer))

    def _published(self, client: Any, data: Any, number: int, reason: Any, properties: Any) -> None:
        self.refused += bool(reason.is_failure)

    def say(self, topic: str, payload: bytes | msgspec.Struct) -> None:
        body = payload if isinstance(payload, bytes) else msgspec.json.encode(payload)
        self._client.publish(topic, body, 1)

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()
