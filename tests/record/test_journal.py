"""The journal keeps every event whose append returned, whatever happens, and says clearly what is wrong."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from controller.record.journal import Journal, JournalError, read_events
from controller.record.journal_database import SCHEMA

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


def fill(path: Path, count: int, size: int = 40) -> None:
    with Journal(path, clock=lambda: NOON) as journal:
        for number in range(1, count + 1):
            journal.append("play", 1, json.dumps({"n": number, "fill": "x" * size}), "table 1", "final", 1)


def numbers(path: Path) -> list[int]:
    return [json.loads(event.payload)["n"] for event in read_events(path)]


def test_events_come_back_in_order_with_everything_that_was_said(tmp_path: Path) -> None:
    with Journal(tmp_path / "new folder" / "j.db", clock=lambda: NOON) as journal:
        first = journal.append("roll", 1, b'{"dice": [6, 5]}', "table 1", "final", 1)
        second = journal.append("play", 2, '{"text": "Dvo\u0159\u00e1kov\u00e1"}', "table 1", "final", 2)
        events = list(journal.events())
        assert [event.sequence for event in events] == [first, second] == [1, 2]
        assert (events[1].board, events[1].match, events[1].game) == ("table 1", "final", 2)
        assert (events[1].kind, events[1].version) == ("play", 2)
        assert events[1].wall_time == "2026-11-20T12:00:00.000+00:00"
        assert json.loads(events[1].payload) == {"text": "Dvořáková"}
        assert list(journal.events(after=1)) == events[1:]


def test_a_long_journal_is_read_across_chunks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controller.record.journal_database.CHUNK", 5)
    fill(tmp_path / "j.db", 23)
    assert numbers(tmp_path / "j.db") == list(range(1, 24))


def test_the_next_start_goes_on_where_the_last_one_stopped(tmp_path: Path) -> None:
    fill(tmp_path / "j.db", 3)
    with Journal(tmp_path / "j.db") as journal:
        assert journal.append("play", 1, '{"n": 4}', "b", "m", 1) == 4


def test_a_row_can_be_neither_changed_nor_removed(tmp_path: Path) -> None:
    fill(tmp_path / "j.db", 2)
    connection = sqlite3.connect(tmp_path / "j.db")
    for statement in ("UPDATE events SET payload = '{}'", "DELETE FROM events"):
        with pytest.raises(sqlite3.IntegrityError, match="only grows"):
            connection.execute(statement)


def test_a_second_writer_is_told_so_and_a_reader_is_welcome(tmp_path: Path) -> None:
    with Journal(tmp_path / "j.db") as journal:
        journal.append("play", 1, '{"n": 1}', "b", "m", 1)
        with pytest.raises(JournalError, match="Another vrhcab already writes"):
            Journal(tmp_path / "j.db")
        assert numbers(tmp_path / "j.db") == [1]
    Journal(tmp_path / "j.db").close()


def test_a_newer_journal_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    fill(path, 2)
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA user_version = {SCHEMA + 1}")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(JournalError, match="newer vrhcab"):
        Journal(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("content", [b"MZ not a journal at all", b"\x00" * 5000, b"; [Site]"])
def test_a_file_that_is_no_journal_is_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "j.db"
    path.write_bytes(content)
    with pytest.raises(JournalError, match="not a journal"):
        Journal(path)
    assert path.read_bytes() == content


def test_a_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE contacts (name)")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(JournalError, match="some other program"):
        Journal(path)
    assert path.read_bytes() == before


def test_a_folder_in_place_of_the_file(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="is a folder"):
        Journal(tmp_path)


def test_reading_what_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="no journal"):
        list(read_events(tmp_path / "none.db"))
    assert not (tmp_path / "none.db").exists()


WRITER = """
import json, sys
from controller.record.journal import Journal
with Journal(sys.argv[1]) as journal:
    while True:
        sequence = journal.append("play", 1, json.dumps({"n": "x" * 900}), "b", "m", 1)
        print(sequence, flush=True)
"""


@pytest.mark.parametrize("seed", range(6))
def test_killed_at_any_moment_no_confirmed_event_is_lost(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "j.db"
    confirmed = 0
    for _ in range(2):
        process = subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        assert process.stdout.readline()
        time.sleep(random.Random(seed).uniform(0.0, 0.15))
        process.send_signal(signal.SIGKILL)
        said = process.stdout.read().split("\n")
        process.wait()
        confirmed = max([confirmed, *(int(line) for line in said[:-1])])
        with Journal(path) as journal:
            stored = [event.sequence for event in journal.events()]
        assert stored == list(range(1, len(stored) + 1))
        assert len(stored) >= confirmed > 0


def run_limited(path: Path, preparation: str) -> subprocess.CompletedProcess[str]:
    """Append until it fails, in a process of its own with `preparation` run first; prints count and sentence."""
    script = f"""
import json, sys
from controller.record.journal import Journal, JournalError
{preparation}
count = 0
try:
    journal = Journal(sys.argv[1])
    while count < 5000:
        journal.append("play", 1, json.dumps({{"n": count + 1, "fill": "x" * 900}}), "b", "m", 1)
        count += 1
except JournalError as error:
    print(count, error)
"""
    return subprocess.run([sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=True)


def test_a_disk_that_takes_no_more_loses_nothing_that_was_confirmed(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    limit = 300_000
    result = run_limited(
        path,
        "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))",
    )
    count, sentence = result.stdout.split(" ", 1)
    assert "journal" in sentence
    assert numbers(path) == list(range(1, int(count) + 1))
    with Journal(path) as journal:
        assert journal.append("play", 1, '{"n": 0}', "b", "m", 1) == int(count) + 1


def test_a_full_database_says_so_and_goes_on_when_there_is_room(tmp_path: Path) -> None:
    with Journal(tmp_path / "j.db") as journal:
        (pages,) = journal._connection.execute("PRAGMA page_count").fetchone()
        journal._connection.execute(f"PRAGMA max_page_count = {pages + 2}")
        with pytest.raises(JournalError, match="is full"):
            journal.append("play", 1, json.dumps("x" * 90_000), "b", "m", 1)
        assert journal.append("play", 1, "{}", "b", "m", 1) == 1
        journal._connection.execute("PRAGMA max_page_count = 100000")
        assert journal.append("play", 1, json.dumps("x" * 90_000), "b", "m", 1) == 2


def test_a_read_only_place_is_named(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        prepare = "import os; os.setuid(65534)"
        for folder in (tmp_path, *tmp_path.parents):
            if "pytest" in folder.name:
                folder.chmod(0o755)
    else:
        prepare = "pass"
    path = tmp_path / "j.db"
    fill(path, 2)
    path.chmod(0o444)
    tmp_path.chmod(0o555)
    try:
        result = run_limited(path, prepare)
    finally:
        tmp_path.chmod(0o755)
        path.chmod(0o644)
    assert result.stdout.startswith("0 ")
    assert "journal" in result.stdout
    assert numbers(path) == [1, 2]
