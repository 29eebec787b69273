"""The archive of finished matches: one SQLite file that lists, searches, tags and exports thousands of records."""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
import unicodedata
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import msgspec

from controller.errors import ControllerError
from controller.record.formats import write_record
from controller.record.journal_database import DATABASE_FAULTS
from controller.record.model import Record, RecordError
from controller.record.native import decode_json, encode_json
from controller.record.owners import new_file
from controller.record.replay import listed
from controller.record.text import safe_name
from vision.outside import FileRefused, check_regular

APPLICATION_ID = 0x56524841
"""Written into the file's header: "VRHA"."""

SCHEMA = 1
_CREATE = """
    CREATE TABLE matches (
        id INTEGER PRIMARY KEY,
        content TEXT NOT NULL UNIQUE,
        date TEXT NOT NULL,
        left_name TEXT NOT NULL,
        right_name TEXT NOT NULL,
        event TEXT NOT NULL,
        length INTEGER NOT NULL,
        left_score INTEGER NOT NULL,
        right_score INTEGER NOT NULL,
        games INTEGER NOT NULL,
        problems INTEGER NOT NULL,
        words TEXT NOT NULL,
        record BLOB NOT NULL
    );
    CREATE INDEX matches_by_date ON matches (date DESC, id DESC);
    CREATE TABLE tags (
        match INTEGER NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
        tag TEXT NOT NULL,
        PRIMARY KEY (match, tag)
    ) WITHOUT ROWID;
"""
_LISTED = "id, date, left_name, right_name, event, length, left_score, right_score, games, problems"
RECORD_LIMIT = 256 << 20
"""Bytes of JSON that one stored record may unpack to."""


class ArchiveError(ControllerError):
    """The archive can't be used as asked; the text is one sentence for a player."""


@dataclass(frozen=True)
class Entry:
    """One line of the list. date: yyyy-mm-dd or empty; players, score: as listed() has them; problems: how many."""

    number: int
    date: str
    players: tuple[str, str]
    event: str
    length: int
    score: tuple[int, int]
    games: int
    problems: int
    tags: tuple[str, ...]


class Archive:
    """One archive file, made where there is none. Every method raises ArchiveError."""

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            _private_file(self.path)
            self._connection = sqlite3.connect(self.path, isolation_level=None)
            self._connection.execute("PRAGMA foreign_keys = ON")
            self._prepare()
        except (*DATABASE_FAULTS, OSError) as error:
            raise ArchiveError(f"The archive {self.path} can't be used: {error}.") from error

    def _prepare(self) -> None:
        (identity,) = self._connection.execute("PRAGMA application_id").fetchone()
        (schema,) = self._connection.execute("PRAGMA user_version").fetchone()
        (tables,) = self._connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if identity != APPLICATION_ID and tables:
            raise ArchiveError(f"{self.path} is a database of some other program, not an archive; nothing was changed.")
        if schema > SCHEMA:
            raise ArchiveError(f"The archive {self.path} was written by a newer vrhcab; update this program.")
        if not tables:
            self._connection.executescript(
                f"BEGIN; {_CREATE} PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {SCHEMA}; COMMIT;"
            )

    def add(self, record: Record, tags: Iterable[str] = (), *, renew: bool = False) -> int:
        """Keep a record and return its number; the same games of the same players are kept once.

        renew: the record is a journal's, where a match may have been put right since it was added: what was kept of it gives way,
        its number and tags stay. Of two states the one that is added last counts.
        """
        record = decode_json(encode_json(record))
        names, score = listed(record)
        content = hashlib.sha256(encode_json(msgspec.structs.replace(record, file="", problems=()))).hexdigest()
        words = plain(" ".join((*record.everybody, record.event, record.round, record.place, record.date, record.file)))
        with self._transaction() as connection:
            known = connection.execute("SELECT id FROM matches WHERE content = ?", (content,)).fetchone()
            if known:
                number = int(known[0])
            else:
                earlier = self._same_match(record) if renew and record.match_id else None
                if earlier is not None:
                    kept = connection.execute("SELECT tag FROM tags WHERE match = ?", (earlier,)).fetchall()
                    tags = (*tags, *(tag for (tag,) in kept))
                    connection.execute("DELETE FROM matches WHERE id = ?", (earlier,))
                cursor = connection.execute(
                    f"INSERT INTO matches ({_LISTED}, content, words, record) "
                    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    (earlier, record.date, *names, record.event, record.length, *score, len(record.games),
                     len(record.problems), content, words, zlib.compress(encode_json(record))),
                )  # fmt: skip
                number = int(cursor.lastrowid or 0)
            self._tag(connection, number, tags)
        return number

    def _same_match(self, record: Record) -> int | None:
        """The number under which the match of a journal is kept. What a journal calls it is in no column, but its day is."""
        days = _days_around(record.date)
        for number, packed in self._rows("SELECT id, record FROM matches WHERE date IN (?, ?, ?)", days):
            with contextlib.suppress(zlib.error, RecordError):
                if _unpacked(packed).match_id == record.match_id:
                    return int(number)
        return None

    def get(self, number: int) -> Record:
        """The record of a number, as it was added."""
        self.require([number])
        row = self._rows("SELECT record FROM matches WHERE id = ?", (number,))
        try:
            return _unpacked(row[0][0])
        except (zlib.error, RecordError) as error:
            raise ArchiveError(f"Match {number} in the archive {self.path} is damaged and can't be read.") from error

    def require(self, numbers: Iterable[int]) -> None:
        """Raises ArchiveError for the first number that no match has."""
        for number in numbers:
            if not self._rows("SELECT 1 FROM matches WHERE id = ?", (number,)):
                raise ArchiveError(f"There is no match {number} in the archive {self.path}.")

    def search(self, text: str = "", tag: str = "", limit: int = 100, offset: int = 0) -> tuple[Entry, ...]:
        """Matches whose players, event, place, date or file hold every word of the text, newest first.

        Case and accents don't matter. tag: only matches that carry it.
        """
        words, tag = plain(_text(text)).split(), _text(tag)
        conditions = ["instr(words, ?) > 0"] * len(words)
        values: list[object] = list(words)
        if tag:
            conditions.append("id IN (SELECT match FROM tags WHERE tag = ?)")
            values.append(tag)
        where = f"WHERE {' AND '.join(conditions)} " if conditions else ""
        found = self._rows(
            f"SELECT {_LISTED}, (SELECT group_concat(tag, char(10)) FROM tags WHERE match = id) FROM matches "
            f"{where}ORDER BY date DESC, id DESC LIMIT ? OFFSET ?",
            (*values, limit, offset),
        )
        return tuple(
            Entry(
                row[0], row[1], (row[2], row[3]), row[4], row[5], (row[6], row[7]), row[8], row[9],
                tuple(sorted(row[10].split("\n"))) if row[10] else (),
            )
            for row in found
        )  # fmt: skip

    def count(self) -> int:
        """How many matches there are."""
        return int(self._rows("SELECT count(*) FROM matches", ())[0][0])

    def tag(self, number: int, tags: Iterable[str]) -> None:
        """Add tags to a match."""
        self.get(number)
        with self._transaction() as connection:
            self._tag(connection, number, tags)

    def untag(self, number: int, tags: Iterable[str]) -> None:
        """Take tags off a match."""
        self.require([number])
        with self._transaction() as connection:
            connection.executemany("DELETE FROM tags WHERE match = ? AND tag = ?", [(number, tag) for tag in tags])

    def delete(self, numbers: Iterable[int]) -> int:
        """Remove matches for good and return how many there were; whoever calls this has asked the person first."""
        with self._transaction() as connection:
            return sum(connection.execute("DELETE FROM matches WHERE id = ?", (n,)).rowcount for n in numbers)

    def export(self, numbers: Iterable[int], folder: Path, ending: str) -> Iterator[Path]:
        """Write matches into a folder, one file each, and give its path as each is done.

        Raises RecordError for what the format can't say. Files that are there are replaced.
        """
        for number in numbers:
            record = self.get(number)
            names = "-".join(safe_name(player.name, "x").replace("/", "_") for player in record.players)
            path = folder / f"{number:05d} {names.replace(chr(92), '_')}{ending}"
            write_record(record, path)
            yield path

    def close(self) -> None:
        """Hand the file back."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @staticmethod
    def _tag(connection: sqlite3.Connection, number: int, tags: Iterable[str]) -> None:
        kept = [_text(" ".join(tag.split())) for tag in tags]
        connection.executemany("INSERT OR IGNORE INTO tags VALUES (?, ?)", [(number, tag) for tag in kept if tag])

    def _rows(self, statement: str, values: tuple[object, ...]) -> list[Any]:
        try:
            return self._connection.execute(statement, values).fetchall()
        except DATABASE_FAULTS as error:
            raise ArchiveError(f"The archive {self.path} can't be read: {error}.") from error

    def _transaction(self) -> _Transaction:
        return _Transaction(self._connection, self.path)


def _unpacked(packed: bytes) -> Record:
    """Raises zlib.error, RecordError."""
    return decode_json(zlib.decompressobj().decompress(packed, RECORD_LIMIT))


def _days_around(day: str) -> tuple[str, str, str]:
    """A day and those beside it: in another time zone the match began on one of them."""
    try:
        middle = date.fromisoformat(day)
        return str(middle - timedelta(1)), day, str(middle + timedelta(1))
    except (ValueError, OverflowError):
        return day, day, day


def _private_file(path: Path) -> None:
    """Who may read it is said before anything is in it. Raises OSError, also for what is there and no file."""
    with contextlib.suppress(FileExistsError):
        new_file(path).close()
    try:
        check_regular(path)
    except FileRefused as error:
        raise OSError(str(error)) from error


class _Transaction:
    """All of it or nothing, with SQLite's errors told as ours."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection, self._path = connection, path

    def __enter__(self) -> sqlite3.Connection:
        try:
            self._connection.execute("BEGIN IMMEDIATE")
        except DATABASE_FAULTS as error:
            raise ArchiveError(f"The archive {self._path} can't be written: {error}.") from error
        return self._connection

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if error is None:
                self._connection.execute("COMMIT")
            elif self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
        except DATABASE_FAULTS as failure:
            raise ArchiveError(f"The archive {self._path} can't be written: {failure}.") from failure
        if isinstance(error, DATABASE_FAULTS):
            raise ArchiveError(f"The archive {self._path} can't be written: {error}.") from error


def _text(given: str) -> str:
    """Bytes of a command line that are no text become question marks."""
    return given.encode("utf-8", "replace").decode()


def plain(text: str) -> str:
    """Small letters without accents: "Dvořáková" is found as "dvorakova"."""
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in parts if not unicodedata.combining(c))
