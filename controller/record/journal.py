"""The journal: every event of every game, durable before anyone is shown it. One SQLite file, append-only.

Nothing in this process but the journal's one connection may open its file: journal_file.py says why. What wants to read
while the referee writes asks the Journal; read_events() does so by itself. journal_database.py knows what the file holds.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self
from weakref import WeakValueDictionary

from controller.record.journal_database import (
    DATABASE_FAULTS,
    INSERT,
    LAST,
    Row,
    check_identity,
    damaged,
    explain,
    fetch,
    fields_of,
    open_for_writing,
    open_read_only,
    read,
    write_nothing,
)
from controller.record.journal_database import NewEvent as NewEvent
from controller.record.journal_database import StoredEvent as StoredEvent
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
from vision.sentence import Sentence

RETRY = 1.0
"""Seconds between two tries to write again after one has failed."""


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
            self._connection: sqlite3.Connection | None = open_for_writing(self._file)
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
        return read(self.path, self._rows, after, upto)

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
            return fetch(self._open(), after, limit)

    def _insert(self, events: tuple[StoredEvent, ...]) -> None:
        connection = self._open()
        try:
            connection.execute("BEGIN IMMEDIATE")
            self._refuse_strange(connection)
            connection.executemany(INSERT, [(*fields_of(event), event.checksum) for event in events])
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
        (last,) = connection.execute(LAST).fetchone()
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
        (self._last,) = connection.execute(LAST).fetchone()
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
        self._fault = error if isinstance(error, JournalError) else explain(self.path, error)
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
            self._connection = open_for_writing(self._file)
            self._take_over()
        if inode_at(self._file.log) != self._log:
            return self._do_without_log()
        if not os.access(self._file.path, os.W_OK):
            raise JournalError(
                "The journal {path} can't be written: it was made read-only. Allow writing (chmod u+w).", path=self.path
            )
        size = self._file.size
        if size < self._size:
            raise damaged(self.path, Sentence("another program has cut it short"))
        self._size = size
        return ""

    def _try_writing(self) -> None:
        """A write like any other that changes nothing; after it a full disk has room again."""
        connection = self._open()
        self._refuse_strange(connection)
        write_nothing(connection)

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
        self._connection = open_for_writing(self._file)
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
        self._connection = open_for_writing(self._file)
        self._take_over()
        if self._last != last:
            raise damaged(self.path, f"its log was removed, and it ends with event {self._last}, not {last}")
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
                (last,) = copy.execute(LAST).fetchone()
            finally:
                copy.close()
            if last != self._last:
                raise damaged(self.path, f"it ends with event {last}, not {self._last}")
        except BaseException:
            path.unlink(missing_ok=True)
            raise


_live: WeakValueDictionary[Inode, Journal] = WeakValueDictionary()
"""The journals that this process writes."""


def read_events(path: Path | str, after: int = 0, copy_of: Path | None = None) -> Iterator[StoredEvent]:
    """Events of a journal that another process may own at this moment; changes nothing. copy_of: the journal that is named where
    something is wrong, if this is only a copy of it. Raises JournalError."""
    path = Path(path)
    named = copy_of or path
    live = _live.get(inode_at(path) or (0, 0))
    if live is not None:
        yield from live.events(after)
        return
    if not path.exists():
        raise JournalError("There is no journal at {path}.", path=path)
    refuse_other_names(path)
    connection = open_read_only(path)
    try:
        check_identity(named, connection)
        yield from read(named, lambda after, limit: fetch(connection, after, limit), after)
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
        connection = open_for_writing(file)
        try:
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany(INSERT, ((*fields_of(event), event.checksum) for event in events))
            connection.execute("COMMIT")
        except DATABASE_FAULTS as error:
            raise explain(path, error) from error
        finally:
            connection.close()
    finally:
        file.close()
