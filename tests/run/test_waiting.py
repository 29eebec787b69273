"""A journal that can't be written when the program starts is waited for, with a page that says why."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from controller.app.match_journal import matches_in
from controller.app.table import Table
from controller.config import PanelConfig, WebConfig
from controller.panel.virtual import VirtualPanel
from controller.record.journal import Journal, JournalError, KeptEvents, NotNowError
from controller.referee.session import MatchPlan
from controller.rules import MATCH
from controller.run import waiting
from controller.run.loop import Source, run
from controller.run.settings import RunSettings
from tests.programs import Running, free_port, running
from web.errors import WebError


@pytest.fixture
def full_disk(tmp_path: Path) -> Iterator[Path]:
    """A folder on a disk of its own with no room left; the file `ballast` fills it."""
    folder = tmp_path / "vrhcab"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("a small disk can only be made by root, where mounting is allowed")
    try:
        with (folder / "ballast").open("wb", buffering=0) as ballast:
            try:
                while ballast.write(bytes(4096)):
                    pass
            except OSError:
                pass
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


def told(program: Running) -> str:
    view = program.state()
    return str(view["journal"]) if view and view["stopped"] else ""


def goes_on(program: Running) -> bool:
    view = program.state()
    return bool(view and not view["stopped"])


def test_a_full_disk_is_waited_for_with_a_page_that_says_so(full_disk: Path, tmp_path: Path) -> None:
    with running(tmp_path, "run", "--source", "none") as program:
        assert "is full" in program.wait_until(lambda: told(program))
        (full_disk / "ballast").unlink()
        program.wait_until(lambda: goes_on(program))
        assert program.stop() == 0
        assert "Traceback" not in program.output
    assert len(list(matches_in(KeptEvents(full_disk / "journal.sqlite3")))) == 1


def test_whoever_waits_can_be_stopped(full_disk: Path, tmp_path: Path) -> None:
    with running(tmp_path, "run", "--source", "simulator") as program:
        program.wait_until(lambda: told(program))
        assert program.stop(signal.SIGINT) == 0


def test_systemd_is_not_told_that_who_goes_on_after_waiting_stops(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries = iter((NotNowError("The disk is full."), NotNowError("The disk is full."), None))

    def opened(path: Path) -> Journal:
        if (refused := next(tries)) is not None:
            raise refused
        return Journal(path)

    monkeypatch.setattr(waiting, "Journal", opened)
    monkeypatch.setattr(waiting, "RETRY", 0.01)
    settings = RunSettings(
        tmp_path / "games.sqlite3", WebConfig(port=free_port()), PanelConfig(), threading.Event(), lambda sentence: None
    )
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(tmp_path / "notify"))
        systemd.settimeout(0.2)
        monkeypatch.setenv("NOTIFY_SOCKET", systemd.getsockname())
        journal = waiting.open_journal(Table(MatchPlan(MATCH, 7), None, "bottom-right"), VirtualPanel(), settings)
        assert journal is not None
        journal.close()
        assert systemd.recv(100) == b"READY=1"
        with pytest.raises(TimeoutError):
            systemd.recv(100)


WITHOUT_RIGHTS = """
import os, sys
from controller.record.journal import Journal
if os.getuid() == 0:
    os.setuid(65534)
Journal(sys.argv[1])
"""


@pytest.mark.parametrize("locked", ["file", "folder"])
def test_what_may_not_be_written_now_is_told_from_what_never_can(locked: str) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "games.sqlite3"
        with Journal(path) as journal:
            journal.append("note", 1, "{}", "board-1", "one", 1)
        path.chmod(0o444 if locked == "file" else 0o666)
        folder.chmod(0o555)
        done = subprocess.run(
            [sys.executable, "-c", WITHOUT_RIGHTS, str(path)], capture_output=True, text=True, check=False
        )
        folder.chmod(0o755)
    assert "NotNowError: " in done.stderr


def test_a_file_that_is_no_journal_is_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    path.write_bytes(b"not a database, whatever else it is")
    with pytest.raises(JournalError) as refused:
        Journal(path)
    assert not isinstance(refused.value, NotNowError)


def test_a_pin_that_nobody_was_told_is_made_anew(tmp_path: Path) -> None:
    told: list[str] = []

    def start(port: int) -> None:
        stop = threading.Event()

        def tell(sentence: str) -> None:
            told.append(sentence)
            stop.set()

        settings = RunSettings(tmp_path / "games.sqlite3", WebConfig(port=port), PanelConfig(), stop, tell)
        run(Table(MatchPlan(MATCH, 7), None, "bottom-right"), Source(), settings)

    with socket.create_server(("127.0.0.1", 0)) as other, pytest.raises(WebError, match="is in use"):
        start(other.getsockname()[1])
    assert told == []
    start(free_port())
    assert "The PIN of the operator's desk: " in told[0]
    told.clear()
    start(free_port())
    assert "The PIN of the operator's desk: " not in told[0]
