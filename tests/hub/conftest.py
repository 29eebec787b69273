"""One broker and one database for all tests of the hub; each test has boards of its own names."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from werkzeug.security import generate_password_hash

from controller.hub.services import HOW_MOSQUITTO, HOW_POSTGRES, Hall, mosquitto_program, postgres_folder

NAMES = tuple(f"board-{number}" for number in range(1, 32))


def need_services() -> None:
    """Skips the test where a service is missing, with what would bring it."""
    for there, how in ((mosquitto_program(), HOW_MOSQUITTO), (postgres_folder(), HOW_POSTGRES)):
        if there is None:
            pytest.skip(how)


@pytest.fixture(scope="session")
def open_hall() -> Iterator[Hall]:
    need_services()
    # Not in pytest's own folder: where root runs the tests, the database's user may not enter that.
    with tempfile.TemporaryDirectory(prefix="vrhcab-hall-") as folder, Hall(Path(folder), NAMES) as hall:
        yield hall


@pytest.fixture
def hall(open_hall: Hall) -> Iterator[Hall]:
    """As it was found: what a test has killed is started again."""
    yield open_hall
    open_hall.database.start()
    open_hall.broker.start()


@pytest.fixture(autouse=True)
def impatience(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is sent or tried again is so sooner: nothing is proved by the wait."""
    monkeypatch.setattr("controller.run.outbox.AGAIN_S", 1.0)
    monkeypatch.setattr("controller.hub.intake.AGAIN_S", 0.1)
    monkeypatch.setattr("controller.run.broker_client.RECONNECT_S", (0.2, 5))
    monkeypatch.setattr("controller.hub.archivist.LOOK_S", 0.2)


@pytest.fixture
def quick_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Passwords that take no time; the command's test has the real ones."""
    method = "pbkdf2:sha256:1"
    monkeypatch.setattr("controller.hub.people.METHOD", method)
    monkeypatch.setattr("controller.hub.people.DECOY", generate_password_hash("nobody", method))
