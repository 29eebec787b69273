"""Reads a journal from outside, with plain SQLite: which marks (an operator's scores) are in it, and when they were written."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from datetime import datetime
from pathlib import Path

from benchmarks.attacking.program import journal_copy


def marks_in_file(database: Path) -> dict[int, float]:
    """Seconds since 1970 of each mark's event. The file is not written to where it has no log."""
    found = {}
    with closing(sqlite3.connect(f"file:{database}?mode=rw", uri=True)) as connection:
        for wall_time, payload in connection.execute("SELECT wall_time, payload FROM events ORDER BY sequence"):
            score = _score(payload)
            if score is not None:
                found[score] = datetime.fromisoformat(wall_time).timestamp()
    return found


def marks_of(journal: Path, scratch: Path) -> dict[int, float]:
    """The same of a journal that may be in use: its files are copied first."""
    return marks_in_file(journal_copy(journal, scratch))


def rows_in(database: Path) -> list[tuple[object, ...]]:
    """Every event as it stands in a file that nobody uses."""
    with closing(sqlite3.connect(database)) as connection:
        return connection.execute("SELECT * FROM events ORDER BY sequence").fetchall()


def events_in(journal: Path, scratch: Path) -> int:
    """How many events the journal holds."""
    with closing(sqlite3.connect(journal_copy(journal, scratch))) as connection:
        return int(connection.execute("SELECT count(*) FROM events").fetchone()[0])


def _score(payload: str | bytes) -> int | None:
    try:
        event = json.loads(payload)
    except ValueError:
        return None
    score = event.get("score") if isinstance(event, dict) else None
    if isinstance(score, list) and len(score) == 2 and all(isinstance(one, int) for one in score):
        return int(score[0]) * 1000 + int(score[1])
    return None
