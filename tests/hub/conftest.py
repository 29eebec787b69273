"""One broker and one database for all tests of the hub; each test has boards of its own names."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from controller.hub.services import HOW_MOSQUITTO, HOW_POSTGRES, Hall, mosquitto_program, postgres_folder

NAMES = tuple(f"board-{number}" for number in range(1, 25))


def need_services() -> None:
    """Skips the test where a service is missing, with what would bring it."""
    for there, how in ((mosquitto_program(), HOW_MOSQUITTO), (postgres_folder(), HOW_POSTGRES)):
        if there is None:
            pytest.skip(how)


@pytest.fixture(scope="session")
def open_hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    need_services()
    folder = tmp_path_factory.mktemp("hall")
    for above in list(folder.parents)[:3]:
        if above.name.startswith("pytest"):
            above.chmod(0o755)  # The database's own user has to reach it where root runs the tests.
    with Hall(folder, NAMES) as hall:
        yield hall


@pytest.fixture
def hall(open_hall: Hall) -> Iterator[Hall]:
    """As it was found: what a test has killed is started again."""
    yield open_hall
    open_hall.database.start()
    open_hall.broker.start()
