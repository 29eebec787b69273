"""Whatever a released version wrote is read, goes on, and means the same."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from controller.record import archive, journal_database
from controller.record.archive import Archive
from controller.record.journal import Journal, JournalError, read_events
from controller.record.journal_database import MIGRATIONS
from controller.record.model import FORMAT, DoubleAction, PassAction, PlayAction, TakeAction
from controller.record.native import decode_json, encode_json
from controller.record.of_journal import records_in
from controller.record.salvage import salvage
from controller.referee.events import VERSION, AnyEvent, decode, encode, kind
from tests.record.released import ARCHIVES, EVENTS, JOURNALS, RECORDS, write_archive, write_journal


def test_every_released_schema_and_version_is_here() -> None:
    """Whoever releases a new one adds how it was written."""
    assert set(JOURNALS) == set(range(1, journal_database.SCHEMA + 1))
    assert set(ARCHIVES) == set(range(1, archive.SCHEMA + 1))
    assert set(EVENTS) == set(range(1, VERSION + 1))
    assert FORMAT in RECORDS


@pytest.mark.parametrize("schema", JOURNALS)
@pytest.mark.parametrize("version", EVENTS)
def test_an_old_journal_is_read_and_goes_on(tmp_path: Path, schema: int, version: int) -> None:
    path = tmp_path / "j.db"
    payloads = write_journal(path, schema, version)
    assert [event.payload for _, event in sorted(salvage(path).items())] == payloads
    with Journal(path) as opened:
        assert [event.payload for event in opened.events()] == payloads
        assert opened.append("roll", VERSION, "{}", "board-1", "m2", 1) == len(payloads) + 1
    assert [event.version for event in read_events(path)] == [version] * len(payloads) + [VERSION]
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (journal_database.SCHEMA,)
    connection.close()


@pytest.mark.parametrize("version", EVENTS)
def test_old_events_mean_the_same(tmp_path: Path, version: int) -> None:
    events: list[AnyEvent] = []
    for payload in write_journal(tmp_path / "j.db", max(JOURNALS), version):
        event = decode(version, payload)
        events.append(event)
        # What is added to an event has a default that says what the old version meant.
        assert json.loads(payload).items() <= json.loads(encode(event)).items()
        assert kind(event) == json.loads(payload)["type"]
    (record,) = records_in(tmp_path / "j.db")
    assert [type(action) for action in record.games[0].actions] == [
        PlayAction,
        DoubleAction,
        TakeAction,
        DoubleAction,
        PassAction,
    ]
    assert (record.games[0].winner, record.games[0].points, record.length) == (0, 2, 3)
    assert [one.code for action in record.games[0].actions for one in action.flagged] == ["R04"]


@pytest.mark.parametrize("schema", ARCHIVES)
def test_an_old_archive_is_read_and_goes_on(tmp_path: Path, schema: int) -> None:
    write_archive(tmp_path / "a.db", schema)
    with Archive(tmp_path / "a.db") as opened:
        assert [(entry.number, entry.tags) for entry in opened.search("jana")] == [(1, ("final",))]
        assert opened.get(1) == decode_json(json.dumps(RECORDS[FORMAT]).encode())
        assert opened.add(opened.get(1)) == 2


@pytest.mark.parametrize("form", RECORDS)
def test_an_old_record_loses_nothing(form: str) -> None:
    record = decode_json(json.dumps(RECORDS[form]).encode())
    again = json.loads(encode_json(record))
    for name, value in RECORDS[form].items():
        if name not in ("format", "games"):
            assert again[name] == value
    for name, value in RECORDS[form]["games"][0].items():  # type: ignore[index,union-attr]
        assert again["games"][0][name] == value


TOMORROW = "ALTER TABLE events ADD COLUMN note TEXT NOT NULL DEFAULT '';"


def test_a_migration_is_done_once_and_as_a_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A step that fails half-way leaves the file as it was, for the older program as well."""
    path = tmp_path / "j.db"
    payloads = write_journal(path, max(JOURNALS), max(EVENTS))
    monkeypatch.setattr(journal_database, "SCHEMA", len(MIGRATIONS) + 1)
    monkeypatch.setattr(journal_database, "MIGRATIONS", (*MIGRATIONS, TOMORROW + " SELECT no_such_function();"))
    with pytest.raises(JournalError):
        Journal(path)
    monkeypatch.undo()
    assert [event.payload for event in read_events(path)] == payloads
    monkeypatch.setattr(journal_database, "SCHEMA", len(MIGRATIONS) + 1)
    monkeypatch.setattr(journal_database, "MIGRATIONS", (*MIGRATIONS, "CREATE INDEX by_match ON events (match);"))
    for _ in range(2):
        with Journal(path) as opened:
            assert [event.payload for event in opened.events()] == payloads
    monkeypatch.undo()
    with pytest.raises(JournalError, match="newer vrhcab"):
        Journal(path)
