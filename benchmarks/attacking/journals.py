"""The journal: what was confirmed to the operator or shown to a viewer is there after kill -9, whoever else touches the file."""

from __future__ import annotations

import os
import random
import sqlite3
import threading
import time
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path

from benchmarks.attacking.findings import Finding, Ground, attack, judged
from benchmarks.attacking.marks import events_in, marks_of, rows_in
from benchmarks.attacking.program import Board, Operator, fetch, journal_copy, marks_in

COMMANDS = 5
"""Confirmed events in each round."""


def foreign_reader(journal: Path) -> int:
    """Another program opens the file with SQLite, reads it and closes it; what it counts, -1 where it can't."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(journal, timeout=1)) as connection:
        return int(connection.execute("SELECT count(*) FROM events").fetchone()[0])
    return -1


def ask_for_records(port: int, operator: Operator, dice: random.Random) -> None:
    """What viewers and operators may ask of the records, in some order."""
    found = fetch(port, "/api/matches").json
    identity = found[0]["id"] if isinstance(found, list) and found else "none"
    paths = [
        "/api/matches",
        f"/api/matches/{identity}",
        f"/api/matches/{identity}/export.mat",
        f"/api/matches/{identity}/export.json",
        f"/api/matches/{identity}/analysis",
        "/api/legal",
    ]
    for path in dice.sample(paths, 3):
        operator.get(path)


@attack("journal-foreign-reader")
def foreign(ground: Ground) -> Iterator[Finding]:
    """Matches asked for, a second program reads the journal with SQLite, commands, kill -9: is all there after the restart?"""
    board, dice, rounds = Board(ground.folder), random.Random(17), ground.count(100, 5)
    mark = bad_rounds = backups_wrong = 0
    confirmed = set[int]()
    for number in range(rounds):
        with board.running() as program:
            bad_rounds += marks_in(program.wait_page()) != mark
            operator = board.operator(program)
            for _ in range(COMMANDS):
                act = dice.random()
                if act < 0.5:
                    ask_for_records(program.port, operator, dice)
                if act < 0.8:
                    foreign_reader(board.journal)
                if operator.mark(mark + 1).status == 200:
                    mark += 1
                    confirmed.add(mark)
            backup = _backup(board, ground.folder / f"{number}.zip") if number % 10 == 0 else None
            program.kill()
        if backup is not None:
            kept = rows_in(journal_copy(board.journal, ground.folder / "copy"))
            backups_wrong += backup != kept or max(marks_of(board.journal, ground.folder / "copy"), default=0) != mark
    with board.running() as program:
        bad_rounds += marks_in(program.wait_page()) != mark
    lost = len(confirmed - set(marks_of(board.journal, ground.folder / "copy")))
    yield judged(
        "confirmed events after kill -9 and restart",
        f"{lost} of {len(confirmed)} lost; page wrong after {bad_rounds} of {rounds} restarts",
        f"0 lost of {rounds * COMMANDS} confirmed",
        held=lost == 0 and bad_rounds == 0 and len(confirmed) == rounds * COMMANDS,
    )
    made = (rounds + 9) // 10
    yield judged(
        "`vrhcab backup` of the running game holds, event by event, what is there after kill -9 and was confirmed",
        f"{made - backups_wrong} of {made}",
        f"{made} of {made}",
        held=not backups_wrong,
    )


def _backup(board: Board, target: Path) -> list[tuple[object, ...]]:
    """The events in a backup that is made now; none where there is none."""
    config = max(board.folder.glob("vrhcab-*.toml"), key=lambda path: path.stat().st_mtime)
    board.vrhcab("backup", str(target), "--config", str(config))
    try:
        with zipfile.ZipFile(target) as archive:
            archive.extract("journal.db", target.with_suffix(""))
    except (OSError, KeyError, zipfile.BadZipFile):
        return []
    return rows_in(target.with_suffix("") / "journal.db")


@attack("journal-readers-at-once")
def readers_at_once(ground: Ground) -> Iterator[Finding]:
    """Three programs open, read and close the journal all the time while commands come, then kill -9; eight rounds."""
    board, rounds = Board(ground.folder), ground.count(8, 2)
    mark = refused = 0
    confirmed = set[int]()
    for _ in range(rounds):
        with board.running() as program:
            program.wait_page()
            operator = board.operator(program)
            fetch(program.port, "/api/matches")
            done = threading.Event()
            readers = [_Reader(board.journal, done) for _ in range(3)]
            for reader in readers:
                reader.start()
            for _ in range(ground.count(40, 10)):
                fetch(program.port, "/api/matches")
                # A foreign program may hold a lock for a moment: to refuse is right, to confirm and lose is not.
                mark += 1
                if operator.mark(mark).status == 200:
                    confirmed.add(mark)
                else:
                    refused += 1
            program.kill()
            done.set()
            for reader in readers:
                reader.join()
    with board.running() as program:
        program.wait_page()
    lost = len(confirmed - set(marks_of(board.journal, ground.folder / "copy")))
    yield judged(
        "confirmed events after kill -9 and restart",
        f"{lost} of {len(confirmed)} lost, {refused} refused",
        "0 lost, at most 1 % refused",
        held=lost == 0 and refused <= (len(confirmed) + refused) * 0.01,
    )


class _Reader(threading.Thread):
    def __init__(self, journal: Path, done: threading.Event) -> None:
        super().__init__(daemon=True)
        self._journal, self._done = journal, done

    def run(self) -> None:
        while not self._done.is_set():
            foreign_reader(self._journal)
            self._done.wait(0.01)


@attack("journal-second-start")
def second_start(ground: Ground) -> Iterator[Finding]:
    """A second start by the same path, by way of a symlink, a hard link, a linked folder or another spelling."""
    board = Board(ground.folder)
    with board.running() as first:
        first.wait_page()
        operator = board.operator(first)
        operator.mark(1)
        state = board.journal.parent
        (ground.folder / "elsewhere").mkdir()
        symlink, hard, folder = (
            ground.folder / "elsewhere" / name for name in ("sym.sqlite3", "hard.sqlite3", "linked")
        )
        symlink.symlink_to(board.journal)
        os.link(board.journal, hard)
        folder.symlink_to(state)
        ways = {
            "the same path": board.journal,
            "a symlink": symlink,
            "a hard link": hard,
            "a linked folder": folder / board.journal.name,
            "another spelling": state / ".." / state.name / board.journal.name,
        }
        for what, path in ways.items():
            yield _started_again(board, what, path)
        answers = [operator.mark(number).status for number in range(2, 5)]
        first.kill()
    with board.running() as again:
        shown = marks_in(again.wait_page())
    yield judged(
        "commands confirmed beside the second starts, after kill -9 and restart",
        f"answers {answers}, mark {shown} of 4",
        "4 of 4",
        held=shown == 4 and answers == [200] * 3,
    )


def _started_again(board: Board, what: str, path: Path) -> Finding:
    with board.running(journal=path) as second:
        end = time.monotonic() + 20
        while second.alive and second.state() is None and time.monotonic() < end:
            time.sleep(0.1)
        status = second.process.poll()
        words = " ".join(second.output.split())[:150]
    held = status not in (None, 0) and "Traceback" not in words
    return judged(
        f"started a second time by {what}",
        f"exit {status}: {words}" if status is not None else "it started",
        "refused with a sentence, exit 1",
        held=held,
    )


@attack("journal-commands-beside")
def commands_beside(ground: Ground) -> Iterator[Finding]:
    """Every command of the program that reads a journal is run beside the running game; then kill -9 and restart."""
    board = Board(ground.folder)
    with board.running() as program, ExitStack():
        program.wait_page()
        operator = board.operator(program)
        operator.mark(1)
        config = str(board.config(program.port))
        beside = {
            "archive import": ("archive", "--config", config, "import", str(board.journal)),
            "doctor": ("doctor", "--config", config),
            "backup": ("backup", str(ground.folder / "b.zip"), "--config", config),
            "restore of the live file": ("restore", str(board.journal), "--to", str(ground.folder / "saved.sqlite3")),
            "analyse": ("analyse", str(board.journal), "--config", config),
            "check": ("check", str(board.journal)),
            "convert": ("convert", str(board.journal), str(ground.folder / "out.json")),
        }
        mark, refused, tracebacks = 1, 0, []
        for what, arguments in beside.items():
            fetch(program.port, "/api/matches")
            said = board.vrhcab(*arguments)
            if b"Traceback" in said.stderr:
                tracebacks.append(what)
            foreign_reader(board.journal)
            for _ in range(2):
                if operator.mark(mark + 1).status == 200:
                    mark += 1
                else:
                    refused += 1
        program.kill()
    with board.running() as again:
        shown = marks_in(again.wait_page())
    held = shown == mark and not refused and not tracebacks
    yield judged(
        "confirmed beside seven commands, after kill -9 and restart",
        f"mark {shown} of {mark}, {refused} refused, tracebacks: {', '.join(tracebacks) or 'none'}",
        "all, none refused, no traceback",
        held=held,
    )


@attack("journal-fdatasyncs")
def fdatasyncs(ground: Ground) -> Iterator[Finding]:
    """How often the disk is synced for each confirmed event, and how long a command takes (not under strace)."""
    board, count = Board(ground.folder), ground.count(200, 40)
    with board.running() as program:
        program.wait_page()
        operator = board.operator(program)
        operator.mark(1)
        operator.slowest.clear()
        for number in range(2, count + 2):
            operator.mark(number)
        times = sorted(operator.slowest)
        program.kill()
    trace = ground.folder / "strace.txt"
    with board.running(
        before=("strace", "-D", "-f", "-qq", "-o", str(trace), "-e", "trace=fsync,fdatasync,msync,sync_file_range")
    ) as program:
        program.wait_page()
        operator = board.operator(program)
        before = trace.read_text().count("sync(")
        events = events_in(board.journal, ground.folder / "copy")
        for number in range(1000, 1000 + ground.count(100, 20)):
            operator.mark(number)
        synced = trace.read_text().count("sync(") - before
        written = events_in(board.journal, ground.folder / "copy") - events
        program.stop()
    yield judged(
        "a command answered, median",
        f"{times[len(times) // 2] * 1000:.1f} ms",
        "50 ms",
        held=times[len(times) // 2] < 0.05,
    )
    # SQLite syncs twice more each time it moves its log into the file.
    yield judged(
        "syncs for each event",
        f"{synced} for {written} events",
        "1 each, and a few for the log",
        held=written > 0 and written <= synced <= written * 1.1 + 4,
    )
