"""The journal: every event of every game, durable before anyone is shown it. One SQLite file, append-only.

Nothing in this process but the journal's one connection may open its file: journal_file.py says why. What wants to read
while the referee writes asks the Journal; read_events() does so by itself.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
import zlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self
from weakref import WeakValueDictionary

from controller.record.journal_file import (
    Inode,
    JournalFile,
    beside,
    inode_at,
    refuse_other_names,
    sync_folder,
)
from controller.record.journal_file import JournalError as JournalError
from controller.record.journal_file import NotNowError as NotNowError
from controller.record.journal_file import in_use as in_use
from controller.record.owners import new_file
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

_INSERT = "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
_LAST = "SELECT coalesce(max(sequence), 0) FROM events"

CHUNK = 500
"""Events fetched at a time, so that a long journal is never in memory as a whole."""


RETRY = 1.0
"""Seconds between two tries to write again after one has failed."""


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
        self._fault: JournalError | None = None
        self._again_at = 0.0
        self._closed = False
        self._listeners: list[Callable[[], None]] = []
        self._kept: tuple[Inode | None, Path] | None = None
        self._file = JournalFile(self.path)
        try:
            self._connection: sqlite3.Connection | None = _open_for_writing(self._file)
            self._take_over()
        except BaseException:
            self._file.close()
            raise

    def append(self, kind: str, version: int, payload: bytes | str, board: str, match: str, game: int) -> int:
        """Write one event; when this returns its sequence, the event is on the disk."""
        text = payload.decode() if isinstance(payload, bytes) else payload
        (event,) = self.append_all([NewEvent(kind, version, text, board, match, game)])
        return event.sequence

    def append_all(self, news: Sequence[NewEvent]) -> tuple[StoredEvent, ...]:
        """Write the events of one act, all or none, with one wait for the disk; when this returns, they are on it."""
        if not news:
            return ()
        wall_time = self._clock().astimezone(UTC).isoformat(timespec="milliseconds")
        with self._mutex:
            try:
                self._look()
                events = tuple(
                    StoredEvent(sequence, new.board, new.match, new.game, new.kind, new.version, wall_time, new.payload)
                    for sequence, new in enumerate(news, self._last + 1)
                )
                self._insert(events)
            except (JournalError, *DATABASE_FAULTS, OSError) as error:
                raise self._failed(error) from error
            self._last += len(events)
            self._fault = None
        for listener in self._listeners:
            listener()
        return events

    def on_append(self, listener: Callable[[], None]) -> None:
        """Calls it after each act, in the writer's thread: it must not wait."""
        self._listeners.append(listener)

    def check(self) -> str:
        """Look whether the next event can be written, and put right what can be: in the time of two system calls while all
        is well, so it may be asked all the time. What was put right, in a sentence; mostly "".

        Raises JournalError where nothing can be written now; after a fault it is tried again after RETRY.
        """
        with self._mutex:
            if self._fault is not None and time.monotonic() < self._again_at:
                raise self._fault
            try:
                done = self._look()
                if self._fault is not None:
                    self._try_writing()
            except (JournalError, *DATABASE_FAULTS, OSError) as error:
                raise self._failed(error) from error
            self._fault = None
            return done

    def events(self, after: int = 0, upto: int | None = None) -> Iterator[StoredEvent]:
        """Events with a sequence greater than `after`, at most `upto`, in order, checked one by one."""
        return _read(self.path, self._rows, after, upto)

    @property
    def last(self) -> int:
        """The sequence of the newest event, 0 before the first. Asks no disk."""
        last: int = self._last
        return last

    def close(self) -> None:
        """Hand the file back; closing twice does no harm."""
        with self._mutex:
            if not self._closed:
                self._closed = True
                self._let_go()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _rows(self, after: int, limit: int) -> list[Row]:
        with self._mutex:
            return _fetch(self._open(), after, limit)

    def _insert(self, events: tuple[StoredEvent, ...]) -> None:
        connection = self._open()
        try:
            connection.execute("BEGIN IMMEDIATE")
            self._refuse_strange(connection)
            connection.executemany(_INSERT, [(*_fields(event), event.checksum) for event in events])
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            raise JournalError("The journal {path} is closed.", path=self.path)
        return self._connection

    def _refuse_strange(self, connection: sqlite3.Connection) -> None:
        (last,) = connection.execute(_LAST).fetchone()
        if last != self._last:
            raise JournalError(
                "Another program has changed the journal {path}: it ends with event {last}, not {known}. Nothing "
                "is written to it; stop this program and put a backup in its place.",
                path=self.path,
                last=last,
                known=self._last,
            )

    def _take_over(self) -> None:
        """What must stay as it is while this connection is open."""
        connection = self._open()
        (self._last,) = connection.execute(_LAST).fetchone()
        self._log = inode_at(self._file.log)
        self._size = self._file.size
        _live[self._file.inode] = self

    def _let_go(self) -> None:
        _live.pop(self._file.inode, None)
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        self._file.close()

    def _failed(self, error: Exception) -> JournalError:
        self._fault = error if isinstance(error, JournalError) else _explain(self.path, error)
        self._again_at = time.monotonic() + RETRY
        return self._fault

    def _look(self) -> str:
        """Raises what is wrong with the file and its log, or puts it right."""
        if self._closed:
            raise JournalError("The journal {path} is closed.", path=self.path)
        place = self._file.place()
        if place == "vacant":
            return self._write_back()
        if place == "taken":
            self._keep_aside()
        if self._connection is None:
            self._connection = _open_for_writing(self._file)
            self._take_over()
        if inode_at(self._file.log) != self._log:
            return self._do_without_log()
        if not os.access(self._file.path, os.W_OK):
            raise JournalError(
                "The journal {path} can't be written: it was made read-only. Allow writing (chmod u+w).", path=self.path
            )
        size = self._file.size
        if size < self._size:
            raise _damaged(self.path, Sentence("another program has cut it short"))
        self._size = size
        return ""

    def _try_writing(self) -> None:
        """A write like any other that changes nothing; after it a full disk has room again."""
        connection = self._open()
        self._refuse_strange(connection)
        _write_nothing(connection)

    def _write_back(self) -> str:
        """Nothing lies in the journal's place: SQLite's handles still hold every event, so they are written there anew."""
        with suppress(*DATABASE_FAULTS):
            # A file that was only given another name is whole under that one too.
            self._open().execute("PRAGMA wal_checkpoint(PASSIVE)")
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._file.path.parent.mkdir(parents=True, exist_ok=True)
        fresh = beside(self._file.path, ".new")
        fresh.unlink(missing_ok=True)
        try:
            self._copy(fresh)
            # They belong to the file that is gone; SQLite would take them for the new one's.
            for ending in ("-wal", "-shm"):
                beside(self._file.path, ending).unlink(missing_ok=True)
            os.link(fresh, self._file.path)
        finally:
            fresh.unlink(missing_ok=True)
        sync_folder(self._file.path.parent)
        # SQLite sees that the old one's file has moved, and leaves the new one's log alone when it closes.
        _live.pop(self._file.inode, None)
        self._open().close()
        self._connection = None
        old, self._file = self._file, JournalFile(self.path)
        old.close()
        self._connection = _open_for_writing(self._file)
        self._take_over()
        return Sentence(
            "The journal {path} was deleted or moved while the program ran: all {last} events are there again.",
            path=self.path,
            last=self._last,
        )

    def _keep_aside(self) -> None:
        """Another file lies in the journal's place. It is left alone; the events are kept beside it until it goes."""
        other = inode_at(self.path)
        if self._kept is None or self._kept[0] != other or not self._kept[1].exists():
            numbers = range(1, 1000)
            names = (
                self._file.path.with_name(f"{self._file.path.stem}-kept-{n}{self._file.path.suffix}") for n in numbers
            )
            kept = next(path for path in names if not path.exists())
            self._copy(kept)
            sync_folder(kept.parent)
            self._kept = other, kept
            # By its name SQLite would take our log for the other file's, and spoil that.
            if inode_at(self._file.log) == self._log:
                for ending in ("-wal", "-shm"):
                    beside(self._file.path, ending).unlink(missing_ok=True)
        raise JournalError(
            "Another file lies in the place of the journal {path}. All {last} events are kept in {kept}. Move the "
            "other file away, and the game goes on; or start the program again to use it.",
            path=self.path,
            last=self._last,
            kept=self._kept[1],
        )

    def _do_without_log(self) -> str:
        """The log was removed: what it held goes into the file through the handle that is still open, and a new one begins."""
        busy, pages, moved = self._open().execute("PRAGMA wal_checkpoint(FULL)").fetchone()
        if busy or pages != moved:
            raise JournalError(
                "The log of the journal {path} was removed; close other programs that read it.", path=self.path
            )
        last = self._last
        # Two connections of one process would share the index of the log that is gone.
        self._open().close()
        self._connection = None
        self._connection = _open_for_writing(self._file)
        self._take_over()
        if self._last != last:
            raise _damaged(self.path, f"its log was removed, and it ends with event {self._last}, not {last}")
        return Sentence(
            "The log of the journal {path} was removed while the program ran: all {last} events are in the journal.",
            path=self.path,
            last=last,
        )

    def _copy(self, path: Path) -> None:
        """All events into a new file, on the disk when this returns."""
        new_file(path).close()
        try:
            copy = sqlite3.connect(path, isolation_level=None)
            try:
                self._open().backup(copy)
                copy.execute("PRAGMA journal_mode = DELETE")
                (last,) = copy.execute(_LAST).fetchone()
            finally:
                copy.close()
            if last != self._last:
                raise _damaged(self.path, f"it ends with event {last}, not {self._last}")
        except BaseException:
            path.unlink(missing_ok=True)
            raise


_live: WeakValueDictionary[Inode, Journal] = WeakValueDictionary()
"""The journals that this process writes."""


def read_events(path: Path | str, after: int = 0) -> Iterator[StoredEvent]:
    """Events of a journal that another process may own at this moment; changes nothing. Raises JournalError."""
    path = Path(path)
    live = _live.get(inode_at(path) or (0, 0))
    if live is not None:
        yield from live.events(after)
        return
    if not path.exists():
        raise JournalError("There is no journal at {path}.", path=path)
    refuse_other_names(path)
    connection = _open_read_only(path)
    try:
        _check_identity(path, connection)
        yield from _read(path, lambda after, limit: _fetch(connection, after, limit), after)
    finally:
        connection.close()


@dataclass(frozen=True)
class KeptEvents:
    """A journal for reading only, at any moment. path: of the file."""

    path: Path

    def events(self, after: int = 0) -> Iterator[StoredEvent]:
        """As Journal.events()."""
        return read_events(self.path, after)


def write_events(path: Path | str, events: Iterable[StoredEvent]) -> None:
    """A new journal with events that were stored before, as they were, in one transaction. Raises JournalError."""
    path = Path(path)
    if path.exists():
        raise JournalError("{path} exists already; nothing was changed.", path=path)
    file = JournalFile(path)
    try:
        connection = _open_for_writing(file)
        try:
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany(_INSERT, ((*_fields(event), event.checksum) for event in events))
            connection.execute("COMMIT")
        except DATABASE_FAULTS as error:
            raise _explain(path, error) from error
        finally:
            connection.close()
    finally:
        file.close()


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
        raise _damaged(file.path, f"its log {file.log.name} is broken in the middle")


def _open_read_only(path: Path) -> sqlite3.Connection:
    try:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)
        # Damaged text must reach the checksum, which names the event.
        connection.text_factory = lambda data: data.decode("utf-8", "replace")
        return connection
    except DATABASE_FAULTS as error:
        raise _explain(path, error) from error


def _open_for_writing(file: JournalFile) -> sqlite3.Connection:
    path = file.path
    _refuse_other_files(file)
    _check_log(file)
    is_new = file.size == 0
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
        # A file that may only be read, and a full disk, fail here and not in the middle of a game.
        _write_nothing(connection)
        if is_new:
            # SQLite does not sync the folder entry of a new database; a power cut could take the whole file.
            sync_folder(path.parent)
    except (*DATABASE_FAULTS, OSError) as error:
        connection.close()
        raise _explain(path, error) from error
    return connection


def _write_nothing(connection: sqlite3.Connection) -> None:
    """A write like any other that leaves everything as it is."""
    connection.execute(f"PRAGMA user_version = {SCHEMA}")


def _examine(path: Path) -> None:
    """Look at everything before touching anything: a read-only connection writes nothing, not even on closing."""
    connection = _open_read_only(path)
    try:
        schema = _check_identity(path, connection)
        (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            raise _damaged(path, verdict)
        if schema:
            deque(_read(path, lambda after, limit: _fetch(connection, after, limit)), maxlen=0)
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


Row = tuple[int, str, str, int, str, int, str, str, int]


def _fetch(connection: sqlite3.Connection, after: int, limit: int) -> list[Row]:
    rows: list[Row] = connection.execute(
        "SELECT * FROM events WHERE sequence > ? ORDER BY sequence LIMIT ?", (after, limit)
    ).fetchall()
    return rows


def _read(
    path: Path, fetch: Callable[[int, int], list[Row]], after: int = 0, upto: int | None = None
) -> Iterator[StoredEvent]:
    """Chunk by chunk, so that whoever writes never waits for a whole journal."""
    while upto is None or after < upto:
        limit = CHUNK if upto is None else min(CHUNK, upto - after)
        try:
            rows = fetch(after, limit)
        except DATABASE_FAULTS as error:
            raise _explain(path, error) from error
        for *fields, checksum in rows:
            event = StoredEvent(*fields)  # type: ignore[arg-type]  # as the table has them
            if event.sequence != after + 1:
                raise _damaged(path, Sentence("event {number} is missing", number=after + 1))
            if event.checksum != checksum:
                raise _damaged(path, Sentence("event {number} was altered", number=event.sequence))
            yield event
            after = event.sequence
        if len(rows) < limit:
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
        "The journal {path} is damaged ({what}); nothing was changed. Save what can be read with: vrhcab restore "
        "{path}",
        path=path,
        what=what,
    )


def _explain(path: Path, error: Exception) -> JournalError:
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
        return _damaged(path, "its list of tables is no text")
    if "not a database" in text:
        return _no_journal(path)
    if "malformed" in text:
        return _damaged(path, text)
    if "locked" in text:
        return JournalError("The journal {path} is in use by another program; close it and try again.", path=path)
    return JournalError("The journal {path} can't be used: {text}.", path=path, text=text)
