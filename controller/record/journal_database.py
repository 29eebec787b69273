"""The journal's database: its tables, how a file is opened, examined and read, and what its faults mean, in a sentence.

Only journal.py opens one: it knows when that may be done.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from controller.record.journal_file import JournalError, JournalFile, NotNowError, sync_folder
from controller.record.wal import is_whole
from vision.sentence import Sentence

APPLICATION_ID = 0x56524843
"""Written into the file's header: "VRHC". Tells a journal from any other SQLite file."""

SQLITE_MAGIC = b"SQLite format 3\x00"

MIGRATIONS = (
    """
    CREATE TABLE events (
        sequence INTEGER PRIMARY KEY,
        board TEXT NOT NULL,
        match TEXT NOT NULL,
        game INTEGER NOT NULL,
        kind TEXT NOT NULL,
        version INTEGER NOT NULL,
        wall_time TEXT NOT NULL,
        payload TEXT NOT NULL,
        checksum INTEGER NOT NULL
    );
    CREATE TRIGGER events_keep_their_text BEFORE UPDATE ON events
        BEGIN SELECT RAISE(ABORT, 'the journal only grows'); END;
    CREATE TRIGGER events_stay BEFORE DELETE ON events
        BEGIN SELECT RAISE(ABORT, 'the journal only grows'); END;
    """,
)
"""MIGRATIONS[n] brings a file of schema n to schema n + 1; a file that was just made has schema 0."""

SCHEMA = len(MIGRATIONS)

DATABASE_FAULTS = (sqlite3.Error, UnicodeDecodeError)
"""What sqlite3 raises for a damaged file: its messages quote the damage, and Python may be unable to decode them."""

INSERT = "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
LAST = "SELECT coalesce(max(sequence), 0) FROM events"

Row = tuple[int, str, str, int, str, int, str, str, int]
"""A StoredEvent's fields and its checksum."""

CHUNK = 500
"""Events fetched at a time, so that a long journal is never in memory as a whole."""


@dataclass(frozen=True)
class NewEvent:
    """What is to be written; see StoredEvent."""

    kind: str
    version: int
    payload: str
    board: str
    match: str
    game: int


@dataclass(frozen=True)
class StoredEvent:
    """One row. sequence grows by one from 1; wall_time is UTC in ISO 8601; payload is JSON, not looked into here."""

    sequence: int
    board: str
    match: str
    game: int
    kind: str
    version: int
    wall_time: str
    payload: str

    @property
    def checksum(self) -> int:
        """CRC-32 over all fields: finds a damaged row that still parses."""
        return zlib.crc32("\x1f".join(map(str, fields_of(self))).encode("utf-8", "surrogatepass"))


def _refuse_other_files(file: JournalFile) -> None:
    """Raise JournalError where the file is no SQLite database, before SQLite may write to it."""
    start = file.start(len(SQLITE_MAGIC))
    if start and start != SQLITE_MAGIC:
        raise _no_journal(file.path)


def _no_journal(path: Path) -> JournalError:
    return JournalError(
        "{path} is not a journal, or its first bytes are damaged; nothing was changed. Choose another file, or save "
        "what can be read with: vrhcab restore {path}",
        path=path,
    )


def _check_log(file: JournalFile) -> None:
    """Raise JournalError where the log beside the journal would make SQLite drop confirmed events."""
    try:
        data = file.log.read_bytes() if file.log.exists() else b""
    except OSError as error:
        raise JournalError("The journal {path} can't be opened: {why}.", path=file.path, why=error.strerror) from error
    if not is_whole(data):
        raise damaged(file.path, f"its log {file.log.name} is broken in the middle")


def open_read_only(path: Path) -> sqlite3.Connection:
    """A connection that changes nothing. Raises JournalError."""
    try:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)
        # Damaged text must reach the checksum, which names the event.
        connection.text_factory = lambda data: data.decode("utf-8", "replace")
        return connection
    except DATABASE_FAULTS as error:
        raise explain(path, error) from error


def open_for_writing(file: JournalFile) -> sqlite3.Connection:
    """A connection to a journal, which is made where there is none. Raises JournalError."""
    path = file.path
    _refuse_other_files(file)
    _check_log(file)
    is_new = file.size == 0
    if not is_new:
        _examine(path)
    try:
        connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    except DATABASE_FAULTS as error:
        raise explain(path, error) from error
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        _migrate(connection)
        # A file that may only be read, and a full disk, fail here and not in the middle of a game.
        write_nothing(connection)
        if is_new:
            # SQLite does not sync the folder entry of a new database; a power cut could take the whole file.
            sync_folder(path.parent)
    except (*DATABASE_FAULTS, OSError) as error:
        connection.close()
        raise explain(path, error) from error
    return connection


def write_nothing(connection: sqlite3.Connection) -> None:
    """A write like any other that leaves everything as it is."""
    connection.execute(f"PRAGMA user_version = {SCHEMA}")


def _examine(path: Path) -> None:
    """Look at everything before touching anything: a read-only connection writes nothing, not even on closing."""
    connection = open_read_only(path)
    try:
        schema = check_identity(path, connection)
        (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            raise damaged(path, verdict)
        if schema:
            deque(read(path, lambda after, limit: fetch(connection, after, limit)), maxlen=0)
    except DATABASE_FAULTS as error:
        raise explain(path, error) from error
    finally:
        connection.close()


def check_identity(path: Path, connection: sqlite3.Connection) -> int:
    """The schema of the file, 0 where it is empty."""
    try:
        (identity,) = connection.execute("PRAGMA application_id").fetchone()
        (schema,) = connection.execute("PRAGMA user_version").fetchone()
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except DATABASE_FAULTS as error:
        raise explain(path, error) from error
    if identity != APPLICATION_ID and (identity or schema or tables):
        raise JournalError("{path} is a database of some other program, not a journal; nothing was changed.", path=path)
    if schema > SCHEMA:
        raise JournalError(
            "The journal {path} was written by a newer vrhcab (journal version {schema}, this program knows "
            "{knows}); update this program, nothing was changed.",
            path=path,
            schema=schema,
            knows=SCHEMA,
        )
    return int(schema)


def _migrate(connection: sqlite3.Connection) -> None:
    (schema,) = connection.execute("PRAGMA user_version").fetchone()
    for number, script in enumerate(MIGRATIONS[schema:], start=schema + 1):
        connection.executescript(
            f"BEGIN IMMEDIATE; {script} PRAGMA application_id = {APPLICATION_ID}; "
            f"PRAGMA user_version = {number}; COMMIT;"
        )


def fetch(connection: sqlite3.Connection, after: int, limit: int) -> list[Row]:
    """The first `limit` events after that number, as the table has them. Raises what DATABASE_FAULTS has."""
    rows: list[Row] = connection.execute(
        "SELECT * FROM events WHERE sequence > ? ORDER BY sequence LIMIT ?", (after, limit)
    ).fetchall()
    return rows


def read(
    path: Path, fetch: Callable[[int, int], list[Row]], after: int = 0, upto: int | None = None
) -> Iterator[StoredEvent]:
    """Chunk by chunk, so that whoever writes never waits for a whole journal."""
    while upto is None or after < upto:
        limit = CHUNK if upto is None else min(CHUNK, upto - after)
        try:
            rows = fetch(after, limit)
        except DATABASE_FAULTS as error:
            raise explain(path, error) from error
        for *fields, checksum in rows:
            event = StoredEvent(*fields)  # type: ignore[arg-type]  # as the table has them
            if event.sequence != after + 1:
                raise damaged(path, Sentence("event {number} is missing", number=after + 1))
            if event.checksum != checksum:
                raise damaged(path, Sentence("event {number} was altered", number=event.sequence))
            yield event
            after = event.sequence
        if len(rows) < limit:
            return


def fields_of(event: StoredEvent) -> tuple[int, str, str, int, str, int, str, str]:
    """In the order of the table, all but the checksum."""
    return (
        event.sequence,
        event.board,
        event.match,
        event.game,
        event.kind,
        event.version,
        event.wall_time,
        event.payload,
    )


def damaged(path: Path, what: str) -> JournalError:
    """The sentence for a journal that was changed or cut. what: in a few words."""
    return JournalError(
        "The journal {path} is damaged ({what}); nothing was changed. Save what can be read with: vrhcab restore "
        "{path}",
        path=path,
        what=what,
    )


def explain(path: Path, error: Exception) -> JournalError:
    """One sentence for a person, from what SQLite or the system said."""
    text = str(error)
    if "full" in text:
        return NotNowError(
            "The disk with the journal {path} is full; the last event was not written. Free some space and go on.",
            path=path,
        )
    if "disk I/O" in text:
        return NotNowError(
            "The disk with the journal {path} failed (disk I/O error); it may be full or broken. Nothing that was "
            "confirmed is lost; look at the free space and the disk's cable or card.",
            path=path,
        )
    if "readonly" in text or "unable to open" in text:
        return NotNowError(
            "The journal {path} can't be written: the file or its folder is read-only; choose another place for it.",
            path=path,
        )
    if isinstance(error, UnicodeDecodeError):
        return damaged(path, "its list of tables is no text")
    if "not a database" in text:
        return _no_journal(path)
    if "malformed" in text:
        return damaged(path, text)
    if "locked" in text:
        return JournalError("The journal {path} is in use by another program; close it and try again.", path=path)
    return JournalError("The journal {path} can't be used: {text}.", path=path, text=text)
