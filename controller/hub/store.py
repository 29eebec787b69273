"""The hub's database: journals of boards, in PostgreSQL. One connection, for one thread; every method raises StoreError.

After a StoreError nobody knows whether the last commit was one. reopen() connects again, and what is there is read anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import resources
from typing import Any

import msgspec
import psycopg

from controller.hub.errors import StoreError, ValueRefused
from controller.record.journal import StoredEvent
from controller.record.wire import SentEvent
from controller.referee.events import AMENDED, amended_match
from vision.sentence import Sentence

_MIGRATING = 0x56524843
"""Of the lock that keeps two hubs from migrating one database at a time."""

_COLUMNS = "sequence, journal_board, match, game, kind, version, wall_time, payload"

CONNECT_S = 5

AT_DESK = Sentence("at the desk of")
"""What somebody did, of whatever is done at a board; the rest says which, in which game, and what."""


@dataclass(frozen=True)
class Life:
    """A course of a board's journal as far as the hub has it. last: the newest sequence; checksum: of that event, 0 for none."""

    number: int
    run: str
    last: int = 0
    checksum: int = 0


class Database:
    """A connection. url: as libpq takes it, "postgresql:///vrhcab" or "host=... dbname=..."."""

    def __init__(self, url: str) -> None:
        """Raises StoreError where it can't be reached."""
        self._url = url
        self._connection = self._connect()

    def _connect(self) -> psycopg.Connection[Any]:
        try:
            return psycopg.connect(self._url, autocommit=True, connect_timeout=CONNECT_S, application_name="vrhcab hub")
        except psycopg.Error as error:
            raise StoreError(_sentence(error)) from error

    def reopen(self) -> None:
        """A new connection in place of the one that failed."""
        self.close()
        self._connection = self._connect()

    def close(self) -> None:
        """Hands the connection back."""
        self._connection.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All that is done within it, or nothing; durable when it ends."""
        with self._asked() as connection, connection.transaction():
            yield

    @contextmanager
    def _asked(self) -> Iterator[psycopg.Connection[Any]]:
        try:
            yield self._connection
        except (psycopg.DataError, psycopg.errors.ProgramLimitExceeded) as error:
            raise ValueRefused(_sentence(error)) from error
        except psycopg.Error as error:
            raise StoreError(_sentence(error)) from error

    def match(self, board: str, life: int, match: str) -> tuple[StoredEvent, ...]:
        """The events of a match, in order."""
        rows = self._rows(
            f"select {_COLUMNS} from events where board = %s and life = %s and match = %s order by sequence",
            (board, life, match),
        )
        return tuple(StoredEvent(*row) for row in rows)

    def amendments(self, board: str, life: int, match: str) -> tuple[StoredEvent, ...]:
        """What was said of a match when it was not on any more, in order."""
        rows = self._rows(
            f"select {_COLUMNS} from events where board = %s and life = %s and match = '' and kind = %s "
            "and position(%s in payload) > 0 order by sequence",
            (board, life, AMENDED, match),
        )
        return tuple(one for one in (StoredEvent(*row) for row in rows) if amended_match(one.payload) == match)

    def _rows(self, statement: Any, values: tuple[object, ...] = ()) -> list[Any]:
        with self._asked() as connection:
            return connection.execute(statement, values).fetchall()


class Store(Database):
    """The journals, brought to this program's schema when it is opened."""

    def __init__(self, url: str) -> None:
        """Raises StoreError where it can't be reached, or was made by a newer version."""
        super().__init__(url)
        try:
            with self._asked() as connection, connection.transaction():
                migrate(connection)
        except BaseException:
            self.close()
            raise

    def boards(self) -> tuple[str, ...]:
        """Every board that ever sent something and was not removed since, by name."""
        return tuple(row[0] for row in self._rows("select name from boards where not removed order by name"))

    def life(self, board: str) -> Life | None:
        """The newest course of a board's journal; None for a board that never sent anything."""
        found = self._rows(
            "select l.life, l.run, coalesce(e.sequence, 0), coalesce(e.checksum, 0) from lives l left join lateral "
            "(select sequence, checksum from events where board = l.board and life = l.life "
            "order by sequence desc limit 1) e on true where l.board = %s order by l.life desc limit 1",
            (board,),
        )
        return Life(*found[0]) if found else None

    def begin_life(self, board: str, number: int, run: str) -> None:
        """Another course of that board's journal."""
        with self._asked() as connection:
            connection.execute(
                "insert into boards (name) values (%s) on conflict (name) do update set removed = false", (board,)
            )
            connection.execute(
                "insert into lives (board, life, run) values (%s, %s, %s) on conflict do nothing", (board, number, run)
            )

    def heard_from(self, board: str, number: int, run: str) -> None:
        """That start of the board's program sends this course of the journal now."""
        with self._asked() as connection:
            connection.execute("update lives set run = %s where board = %s and life = %s", (run, board, number))
            connection.execute("update boards set removed = false where name = %s and removed", (board,))

    def add(self, arrived: Sequence[tuple[str, int, Sequence[SentEvent]]]) -> None:
        """Takes events in, of each board in the order of its journal, with the life they belong to; those that are there already
        stay as they are. All of them go in one statement: what counts is how often the database is asked."""
        spans: dict[tuple[str, int, str], list[int]] = {}
        amended: list[tuple[str, int, str, int]] = []
        for board, life, events in arrived:
            for one in events:
                if one.match:
                    spans.setdefault((board, life, one.match), []).append(one.sequence)
                elif one.kind == AMENDED and "\0" not in (match := amended_match(one.payload)):
                    amended.append((board, life, match, one.sequence))
        if not any(events for _, _, events in arrived):
            return
        matches = [(*key, span[0], span[-1]) for key, span in spans.items()]
        with self._asked() as connection:
            # As JSON, which is made and read in a fraction of the time that arrays of texts take.
            connection.execute(
                f"insert into events (board, life, {_COLUMNS}, checksum) select a.value->>0, (a.value->>1)::integer, "
                "(e.value->>0)::bigint, e.value->>1, e.value->>2, (e.value->>3)::bigint, e.value->>4, (e.value->>5)::integer, "
                "e.value->>6, e.value->>7, (e.value->>8)::bigint "
                "from jsonb_array_elements(%s::jsonb) a, jsonb_array_elements(a.value->2) e on conflict do nothing",
                (msgspec.json.encode(arrived).decode(),),
            )
            if matches:
                connection.execute(
                    "insert into matches (board, life, match, first, last) select value->>0, (value->>1)::integer, value->>2, "
                    "(value->>3)::bigint, (value->>4)::bigint from jsonb_array_elements(%s::jsonb) "
                    "on conflict (board, life, match) do update set last = excluded.last, touched = now()",
                    (msgspec.json.encode(matches).decode(),),
                )
            for *key, sequence in amended:
                connection.execute(
                    "update matches set last = %s, touched = now() where (board, life, match) = (%s, %s, %s)",
                    (sequence, *key),
                )

    def checksums(self, board: str, life: int, first: int, last: int) -> dict[int, int]:
        """Of the events from first to last, by sequence."""
        rows = self._rows(
            "select sequence, checksum from events where board = %s and life = %s and sequence between %s and %s",
            (board, life, first, last),
        )
        return {row[0]: row[1] for row in rows}

    def newest_match(self, board: str, life: int) -> tuple[StoredEvent, ...]:
        """The events of the last match that there is something of."""
        found = self._rows(
            "select match from events where board = %s and life = %s and match <> '' order by sequence desc limit 1",
            (board, life),
        )
        return self.match(board, life, found[0][0]) if found else ()

    def at_desk(self, who: str, board: str, life: int, done: SentEvent, *, dated: bool) -> None:
        """Keeps what somebody did at a board's desk, as the board says; once, also where it sends everything anew in another course
        of its journal, or by another name. dated: when it was done is what its clock said then, else when it came."""
        with self._asked() as connection:
            connection.execute(
                "insert into acts (at, who, what, about) select least(coalesce(%s, now()), now()), %s, %s, %s where not exists "
                "(select from lives l join events e on (e.board, e.life, e.sequence) = (l.board, l.life, %s) "
                "where (l.board, l.life) <> (%s, %s) and e.checksum = %s)",
                (
                    _moment(done.wall_time) if dated else None, who, AT_DESK, f"{board}, {done.game}: {done.kind}",
                    done.sequence, board, life, done.checksum,
                ),
            )  # fmt: skip

    def notice(self, board: str, kind: str, sentence: Sentence) -> None:
        """Keeps what was noticed about a board."""
        with self._asked() as connection:
            connection.execute(
                "insert into notices (board, kind, sentence, code, fields) values (%s, %s, %s, %s, %s::jsonb)",
                (board, kind, str(sentence), sentence.code, msgspec.json.encode(sentence.values).decode()),
            )


def migrations() -> list[tuple[int, str]]:
    """The schema's versions with what brings the database to each, in order."""
    folder = resources.files("controller.hub") / "migrations"
    files = sorted((file.name, file) for file in folder.iterdir() if file.name.endswith(".sql"))
    return [(int(name.partition("_")[0]), file.read_text(encoding="utf-8")) for name, file in files]


def migrate(connection: psycopg.Connection[Any]) -> None:
    """Brings the database to this program's schema, within the caller's transaction. Raises StoreError, psycopg.Error.

    One that can't keep every letter is refused: PostgreSQL makes such where its machine had no language set."""
    encoding = connection.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        raise StoreError(
            f"The database keeps text as {encoding}, and people have names in every alphabet. Make another with "
            "createdb -E UTF8 -T template0 -l C.UTF-8, and bring what is in this one over with pg_dump and pg_restore."
        )
    connection.execute("select pg_advisory_xact_lock(%s)", (_MIGRATING,))
    connection.execute(
        "create table if not exists schema_versions (version integer primary key, at timestamptz not null default now())"
    )
    row = connection.execute("select coalesce(max(version), 0) from schema_versions").fetchone()
    known, there = migrations(), int(row[0]) if row else 0
    if there > known[-1][0]:
        raise StoreError(
            f"The database was made by a newer vrhcab (schema {there}, this program knows {known[-1][0]}): "
            "update this program. Nothing was changed."
        )
    for version, script in known:
        if version > there:
            connection.execute(script.encode())
            connection.execute("insert into schema_versions (version) values (%s)", (version,))


def _moment(wall_time: str) -> datetime | None:
    """As a board writes it; None for what is no moment."""
    try:
        found = datetime.fromisoformat(wall_time)
        return found.astimezone(UTC) if found.tzinfo else None
    except (ValueError, OverflowError):
        return None


def _sentence(error: psycopg.Error) -> str:
    """Without what libpq may add of the address: it can hold a password."""
    first = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
    return (
        f"The database does not answer ({first[:200]}). What the boards send is kept in their journals until it does."
    )
