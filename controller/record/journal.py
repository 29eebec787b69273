"""The journal: every event of every game, durable before anyone is shown it. One SQLite file, append-only."""

from __future__ import annotations

import fcntl
import os
import sqlite3
import threading
import zlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from controller.record.wal import is_whole

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

_INSERT = "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"

CHUNK = 500
"""Events fetched at a time, so that a long journal is never in memory as a whole."""


class JournalError(RuntimeError):
    """The journal can't be used as asked; the text is one sentence for the person at the board."""


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
        return zlib.crc32("\x1f".join(map(str, _fields(self))).encode("utf-8", "surrogatepass"))


def utc_now() -> datetime:
    """The only clock of the records."""
    return datetime.now(UTC)


class Journal:
    """The one writer of a journal file. Safe to call from several threads; a second process is refused.

    path: made, with its folder, where it does not exist. Raises JournalError as every method does.
    """

    def __init__(self, path: Path | str, clock: Callable[[], datetime] = utc_now) -> None:
        self.path = Path(path)
        self._clock = clock
        self._mutex = threading.Lock()
        self._lock = _own(self.path)
        try:
            check_header(self.path)
            _check_log(self.path)
            self._connection = _open_for_writing(self.path)
        except BaseException:
            self._lock.close()
            raise

    def append(self, kind: str, version: int, payload: bytes | str, board: str, match: str, game: int) -> int:
        """Write one event; when this returns its sequence, the event is on the disk."""
        text = payload.decode() if isinstance(payload, bytes) else payload
        wall_time = self._clock().astimezone(UTC).isoformat(timespec="milliseconds")
        with self._mutex:
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                (last,) = self._connection.execute("SELECT coalesce(max(sequence), 0) FROM events").fetchone()
                event = StoredEvent(last + 1, board, match, game, kind, version, wall_time, text)
                self._connection.execute(_INSERT, (*_fields(event), event.checksum))
                self._connection.execute("COMMIT")
            except DATABASE_FAULTS as error:
                self._roll_back()
                raise _explain(self.path, error) from error
            except BaseException:
                self._roll_back()
                raise
        return event.sequence

    def events(self, after: int = 0) -> Iterator[StoredEvent]:
        """Events with a sequence greater than `after`, in order, checked one by one."""
        return _read(self.path, self._connection, self._mutex, after)

    def close(self) -> None:
        """Hand the file back; closing twice does no harm."""
        with self._mutex:
            self._connection.close()
            self._lock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _roll_back(self) -> None:
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")


def read_events(path: Path | str, after: int = 0) -> Iterator[StoredEvent]:
    """Events of a journal that another process may own at this moment; changes nothing. Raises JournalError."""
    path = Path(path)
    if not path.exists():
        raise JournalError(f"There is no journal at {path}.")
    check_header(path)
    connection = _open_read_only(path)
    try:
        _check_identity(path, connection)
        yield from _read(path, connection, threading.Lock(), after)
    finally:
        connection.close()


def write_events(path: Path | str, events: Iterable[StoredEvent]) -> None:
    """A new journal with events that were stored before, as they were, in one transaction. Raises JournalError."""
    path = Path(path)
    if path.exists():
        raise JournalError(f"{path} exists already; nothing was changed.")
    lock = _own(path)
    try:
        connection = _open_for_writing(path)
        try:
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany(_INSERT, ((*_fields(event), event.checksum) for event in events))
            connection.execute("COMMIT")
        except DATABASE_FAULTS as error:
            raise _explain(path, error) from error
        finally:
            connection.close()
    finally:
        lock.close()


def in_use(path: Path | str) -> bool:
    """Whether a running program writes to this journal now."""
    path = Path(path)
    try:
        with path.with_name(path.name + ".lock").open("rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def check_header(path: Path) -> None:
    """Raise JournalError where the file at path exists and is no SQLite database, before SQLite may write to it."""
    try:
        with path.open("rb") as file:
            start = file.read(len(SQLITE_MAGIC))
    except FileNotFoundError:
        return
    except OSError as error:
        raise JournalError(f"The journal {path} can't be opened: {error.strerror}.") from error
    if start and start != SQLITE_MAGIC:
        raise JournalError(
            f"{path} is not a journal, or its first bytes are damaged; nothing was changed. "
            f"Choose another file, or save what can be read with: vrhcab restore {path}"
        )


def _check_log(path: Path) -> None:
    """Raise JournalError where the log beside the journal would make SQLite drop confirmed events."""
    log = path.with_name(path.name + "-wal")
    try:
        data = log.read_bytes() if log.exists() else b""
    except OSError as error:
        raise JournalError(f"The journal {path} can't be opened: {error.strerror}.") from error
    if not is_whole(data):
        raise _damaged(path, f"its log {log.name} is broken in the middle")


def _own(path: Path) -> IO[bytes]:
    """The lock lies beside the journal: closing any handle of the journal itself would drop SQLite's own locks."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir():
            raise JournalError(f"{path} is a folder; the journal needs a file name.")
        lock = path.with_name(path.name + ".lock").open("wb")
    except OSError as error:
        raise JournalError(f"The journal {path} can't be opened for writing: {error.strerror}.") from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        lock.close()
        raise JournalError(
            f"Another vrhcab already writes to {path}; stop it first, or choose another journal."
        ) from error
    return lock


def _open_read_only(path: Path) -> sqlite3.Connection:
    try:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)
        # Damaged text must reach the checksum, which names the event.
        connection.text_factory = lambda data: data.decode("utf-8", "replace")
        return connection
    except DATABASE_FAULTS as error:
        raise _explain(path, error) from error


def _open_for_writing(path: Path) -> sqlite3.Connection:
    is_new = not path.exists() or path.stat().st_size == 0
    if not is_new:
        _examine(path)
    try:
        connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    except DATABASE_FAULTS as error:
        raise _explain(path, error) from error
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        _migrate(connection)
        # A file that may only be read fails here, not in the middle of a game.
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("ROLLBACK")
        if is_new:
            _sync_folder(path.parent)
    except (*DATABASE_FAULTS, OSError) as error:
        connection.close()
        raise _explain(path, error) from error
    return connection


def _examine(path: Path) -> None:
    """Look at everything before touching anything: a read-only connection writes nothing, not even on closing."""
    connection = _open_read_only(path)
    try:
        schema = _check_identity(path, connection)
        (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            raise _damaged(path, verdict)
        if schema:
            deque(_read(path, connection, threading.Lock(), 0), maxlen=0)
    except DATABASE_FAULTS as error:
        raise _explain(path, error) from error
    finally:
        connection.close()


def _check_identity(path: Path, connection: sqlite3.Connection) -> int:
    """The schema of the file, 0 where it is empty."""
    try:
        (identity,) = connection.execute("PRAGMA application_id").fetchone()
        (schema,) = connection.execute("PRAGMA user_version").fetchone()
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except DATABASE_FAULTS as error:
        raise _explain(path, error) from error
    if identity != APPLICATION_ID and (identity or schema or tables):
        raise JournalError(f"{path} is a database of some other program, not a journal; nothing was changed.")
    if schema > SCHEMA:
        raise JournalError(
            f"The journal {path} was written by a newer vrhcab (journal version {schema}, this program "
            f"knows {SCHEMA}); update this program, nothing was changed."
        )
    return int(schema)


def _migrate(connection: sqlite3.Connection) -> None:
    (schema,) = connection.execute("PRAGMA user_version").fetchone()
    for number, script in enumerate(MIGRATIONS[schema:], start=schema + 1):
        connection.executescript(
            f"BEGIN IMMEDIATE; {script} PRAGMA application_id = {APPLICATION_ID}; "
            f"PRAGMA user_version = {number}; COMMIT;"
        )


def _sync_folder(folder: Path) -> None:
    """SQLite does not sync the folder entry of a new database; without it a power cut could take the whole file."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _read(path: Path, connection: sqlite3.Connection, mutex: threading.Lock, after: int) -> Iterator[StoredEvent]:
    while True:
        try:
            with mutex:
                rows = connection.execute(
                    "SELECT * FROM events WHERE sequence > ? ORDER BY sequence LIMIT ?", (after, CHUNK)
                ).fetchall()
        except DATABASE_FAULTS as error:
            raise _explain(path, error) from error
        for *fields, checksum in rows:
            event = StoredEvent(*fields)
            if event.sequence != after + 1:
                raise _damaged(path, f"event {after + 1} is missing")
            if event.checksum != checksum:
                raise _damaged(path, f"event {event.sequence} was altered")
            yield event
            after = event.sequence
        if len(rows) < CHUNK:
            return


def _fields(event: StoredEvent) -> tuple[int, str, str, int, str, int, str, str]:
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


def _damaged(path: Path, what: str) -> JournalError:
    return JournalError(
        f"The journal {path} is damaged ({what}); nothing was changed. "
        f"Save what can be read with: vrhcab restore {path}"
    )


def _explain(path: Path, error: Exception) -> JournalError:
    """One sentence for a person, from what SQLite or the system said."""
    text = str(error)
    if "full" in text:
        return JournalError(
            f"The disk with the journal {path} is full; the last event was not written. Free some space and go on."
        )
    if "disk I/O" in text:
        return JournalError(
            f"The disk with the journal {path} failed (disk I/O error); it may be full or broken. Nothing that was "
            "confirmed is lost; look at the free space and the disk's cable or card."
        )
    if "readonly" in text or "unable to open" in text:
        return JournalError(
            f"The journal {path} can't be written: the file or its folder is read-only; choose another place for it."
        )
    if isinstance(error, UnicodeDecodeError):
        return _damaged(path, "its list of tables is no text")
    if "malformed" in text or "not a database" in text:
        return _damaged(path, text)
    if "locked" in text:
        return JournalError(f"The journal {path} is in use by another program; close it and try again.")
    return JournalError(f"The journal {path} can't be used: {text}.")
