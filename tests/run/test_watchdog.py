"""systemd's watchdog is fed only while camera, referee and page all advance; else systemd starts the program again."""

from __future__ import annotations

import os
import resource
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.run.watchdog import Watchdog, notify, page_answers, watchdog_for
from tests.programs import free_port, running
from web.app import create_app
from web.hub import ViewHub
from web.server import serve


class Table:
    """A watchdog with a limit of 60 s on a clock of its own, and what it told systemd."""

    def __init__(self) -> None:
        self.now, self.page, self.told = 0.0, True, list[str]()
        self.dog = Watchdog(lambda: self.page, 60.0, self.told.append, lambda: self.now)

    def fed(self) -> bool:
        self.told.clear()
        self.dog.feed()
        return any("WATCHDOG=1" in message for message in self.told)


def test_it_is_fed_while_everything_advances() -> None:
    table = Table()
    for _ in range(5):
        table.now += 20
        table.dog.beat("camera")
        table.dog.beat("referee")
        assert table.fed()


@pytest.mark.parametrize("silent", ["camera", "referee"])
def test_one_silent_part_is_enough_to_stop_feeding(silent: str) -> None:
    table = Table()
    for _ in range(2):
        table.now += 20
        table.dog.beat("referee" if silent == "camera" else "camera")
    assert not table.fed()
    assert table.told == [f"STATUS=No sign of life: {silent}"]
    table.dog.beat("camera")
    table.dog.beat("referee")
    assert table.fed()


def test_a_page_that_does_not_answer_stops_the_feeding() -> None:
    table = Table()
    table.page = False
    assert not table.fed()
    assert table.told == ["STATUS=No sign of life: page"]


def test_nothing_is_said_after_the_last_word() -> None:
    told: list[str] = []

    def page_while_the_program_stops() -> bool:
        dog.__exit__()
        return True

    dog = Watchdog(page_while_the_program_stops, 60.0, told.append)
    dog.feed()
    assert told == ["STOPPING=1"]


def test_who_hands_over_does_not_say_that_the_program_stops() -> None:
    told: list[str] = []
    with Watchdog(lambda: True, None, told.append) as dog:
        dog.hand_over()
        dog.feed()
    assert told == ["READY=1"]


def test_frames_and_waiting_for_a_lost_camera_are_signs_of_life() -> None:
    table = Table()
    table.now = 100.0
    assert list(table.dog.watched(iter("abc"))) == ["a", "b", "c"]
    table.dog.beat("referee")
    assert table.dog.stale() == ()
    table.now = 200.0
    table.dog.beat("referee")
    assert table.dog.stale() == ("camera",)
    assert table.dog.waiting(lambda seconds: seconds > 3, ("camera",))(5.0)
    assert table.dog.stale() == ()


def test_a_page_answers_while_it_is_served() -> None:
    port = free_port()
    assert not page_answers("127.0.0.1", port)
    with serve(create_app(ViewHub()), "127.0.0.1", port):
        assert page_answers("127.0.0.1", port)


@pytest.fixture
def systemd(tmp_path: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(str(tmp_path / "notify"))
        line.settimeout(0.2)
        yield line


def test_a_message_reaches_systemds_socket(systemd: socket.socket) -> None:
    assert notify("READY=1", {"NOTIFY_SOCKET": systemd.getsockname()})
    assert systemd.recv(100) == b"READY=1"


def test_an_abstract_socket_is_reached_too() -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(f"\0vrhcab-test-{os.getpid()}")
        assert notify("READY=1", {"NOTIFY_SOCKET": f"@vrhcab-test-{os.getpid()}"})
        assert line.recv(100) == b"READY=1"


@pytest.mark.parametrize("environ", [{}, {"NOTIFY_SOCKET": ""}, {"NOTIFY_SOCKET": "/no/such/socket"}])
def test_without_systemd_nothing_happens(environ: dict[str, str]) -> None:
    assert not notify("READY=1", environ)


def test_without_a_file_to_spare_it_goes_on_and_tries_again(systemd: socket.socket) -> None:
    environ = {"NOTIFY_SOCKET": systemd.getsockname()}
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with socket.socket() as last:
        resource.setrlimit(resource.RLIMIT_NOFILE, (last.fileno(), hard))
        try:
            assert not notify("WATCHDOG=1", environ)
            assert not page_answers("127.0.0.1", 1)
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert notify("WATCHDOG=1", environ)


@pytest.mark.parametrize(
    ("environ", "limit"),
    [
        ({"WATCHDOG_USEC": "60000000"}, 60.0),
        ({"WATCHDOG_USEC": "60000000", "WATCHDOG_PID": str(os.getpid())}, 60.0),
        ({"WATCHDOG_USEC": "60000000", "WATCHDOG_PID": "1"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
        ({"WATCHDOG_USEC": "0"}, None),
        ({"WATCHDOG_USEC": "²"}, None),
        ({"WATCHDOG_USEC": "9" * 30}, None),
        ({}, None),
    ],
)
def test_systemd_says_how_often_it_wants_to_hear(environ: dict[str, str], limit: float | None) -> None:
    assert watchdog_for("127.0.0.1", 1, environ)._limit == limit


def test_the_whole_program_is_ready_feeds_and_stops(
    tmp_path: Path, systemd: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", systemd.getsockname())
    monkeypatch.setenv("WATCHDOG_USEC", "1500000")
    settings = tmp_path / "vrhcab.toml"
    settings.write_text('[camera]\nsource = "simulator"\n', "utf-8")
    heard: list[bytes] = []

    def told(message: bytes) -> bool:
        try:
            heard.append(systemd.recv(200))
        except TimeoutError:
            return False
        return message in heard[-1]

    with running(tmp_path, "run", "--config", str(settings)) as program:
        program.wait_until(lambda: told(b"READY=1"))
        assert len(heard) == 1
        program.wait_until(lambda: told(b"WATCHDOG=1"))
        assert program.stop() == 0
        while told(b""):
            pass
        assert heard[-1] == b"STOPPING=1"
