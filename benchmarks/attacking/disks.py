"""A journal that can't be written: a full disk, a file that is locked, gone or another. Nobody is told what is not on the disk."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import sqlite3
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.attacking.findings import Finding, Ground, attack, judged, skipped, told
from benchmarks.attacking.marks import marks_of
from benchmarks.attacking.program import SPEAKING, Board, Operator, Program, fetch, journal_copy, marks_in

SAID = re.compile(r"journal|disk|written|saved", re.IGNORECASE)
"""What a sentence about it must speak of."""
SAY_WITHIN = 1.0
BACK_WITHIN = 15.0
"""Seconds after the trouble has gone within which a command must be taken again, without a restart."""
UNPRIVILEGED = ("setpriv", "--bounding-set=-all", "--inh-caps=-all")
"""root without the powers that let it write whatever the modes say."""


class Viewer(threading.Thread):
    """One viewer's stream: every mark it has been shown, and when the page first spoke of the journal."""

    def __init__(self, port: int) -> None:
        super().__init__(daemon=True)
        self.marks = set[int]()
        self.said: list[tuple[float, str, tuple[str, ...]]] = []
        self._line = socket.create_connection(("127.0.0.1", port), 30)
        self._line.sendall(f"GET /events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        self.start()

    def run(self) -> None:
        with suppress(OSError), self._line.makefile("rb") as stream:
            for line in stream:
                if not line.startswith(b"data: {"):
                    continue
                view = json.loads(line[6:])
                self.marks.add(marks_in(view))
                self.said.append((time.monotonic(), sentences(view), tuple(view["panel"])))

    def speaks_since(self, moment: float) -> tuple[float, str] | None:
        """Seconds from the moment until a view spoke of the journal, and what it said."""
        for at, words, _ in self.said:
            found = SAID.search(words) if at >= moment else None
            if found:
                return at - moment, words
        return None

    def lamps(self) -> tuple[str, ...]:
        """The lamps of the newest view."""
        return self.said[-1][2] if self.said else ()

    def close(self) -> None:
        """Goes."""
        with suppress(OSError):
            self._line.shutdown(socket.SHUT_RDWR)


def sentences(view: dict[str, Any]) -> str:
    """The words of a view that speak of the table's state: not names, plays or flags."""
    known = {
        "plays",
        "flags",
        "light",
        "dark",
        "event",
        "place",
        "round",
        "panel",
        "light_home",
        "match_id",
        "phase",
        "role",
    }
    return " ".join(str(value) for key, value in view.items() if key not in known and isinstance(value, str))


@dataclass
class Trouble:
    """What is done to the journal, and how it is undone; None: never. page: the page must say so even if nobody commands.

    What a program has put in the journal's place meanwhile is set aside by mend(), as `mv --backup` does; NEWER is in its name.
    taken: another journal holds its place to the end, so that what was confirmed may lie in any file of the folder.
    """

    make: Callable[[], None]
    mend: Callable[[], None] | None
    page: bool = True
    taken: bool = False


NEWER = ".newer"


@dataclass
class _Seen:
    mark: int = 0
    confirmed: set[int] = field(default_factory=set)
    answers: list[int] = field(default_factory=list)
    bodies: list[str] = field(default_factory=list)


def _commands(operator: Operator, seen: _Seen, count: int) -> float | None:
    """So many commands; when the first was not confirmed."""
    refused = None
    for _ in range(count):
        seen.mark += 1
        reply = operator.mark(seen.mark)
        seen.answers.append(reply.status)
        if reply.status == 200:
            seen.confirmed.add(seen.mark)
        else:
            refused = refused or time.monotonic()
            seen.bodies.append(reply.body.decode("utf-8", "replace")[:200])
    return refused


def _befalls(board: Board, program: Program, trouble: Trouble, count: int) -> Iterator[Finding]:
    """Commands, the trouble, commands, its end, commands, kill -9, restart: what was confirmed or shown must be there."""
    program.wait_page()
    operator, viewer, seen = board.operator(program), Viewer(program.port), _Seen()
    _commands(operator, seen, 5)
    usual = viewer.lamps()
    seen.answers.clear()
    trouble.make()
    made = time.monotonic()
    # Without a command first: somebody should hear of it before he relies on it.
    time.sleep(SAY_WITHIN + 0.5)
    unasked = viewer.speaks_since(made)
    refused = _commands(operator, seen, count)
    time.sleep(SAY_WITHIN + 0.5)
    said = viewer.speaks_since(made)
    during = viewer.lamps()
    answers = list(seen.answers)
    back = _goes_on(program, operator, seen, trouble.mend) if trouble.mend is not None else None
    time.sleep(0.3)
    shown, alive, ended = set(viewer.marks), program.alive, program.process.poll()
    program.kill()
    viewer.close()
    refused_but_shown = shown - {0} - seen.confirmed
    codes = {code: answers.count(code) for code in sorted(set(answers))}
    words = seen.bodies[0] if seen.bodies else "none"
    yield judged(
        "commands meanwhile",
        f"answers {codes}: {' '.join(words.split())[:160]}",
        "409 or 503 with a sentence, 200 where it is truly written (see below)",
        held=all(code in (200, 409, 503) for code in codes),
    )
    if trouble.page:
        yield judged(
            "the page says so, though nobody gives a command",
            f"after {unasked[0]:.2f} s: {unasked[1][:160]}" if unasked else "not within 1.5 s",
            f"within {SAY_WITHIN:.0f} s",
            held=unasked is not None and unasked[0] <= SAY_WITHIN,
        )
    elif refused is not None:
        after = viewer.speaks_since(refused - 5)
        yield judged(
            "the page says so once a command could not be kept",
            f"{said[1][:160]}" if said else "nothing",
            "a sentence",
            held=said is not None and after is not None,
        )
    if refused is not None:
        yield judged("the lamps say so", f"{usual} became {during}", "others than before", held=during != usual)
    newer = [path for path in board.folder.rglob("*.sqlite3*") if NEWER in str(path.relative_to(board.folder))]
    if newer:
        yield told(
            "two journals now: the old one is back, and one that was begun meanwhile",
            f"{back} s until a command is kept",
        )
    elif trouble.mend is not None:
        yield judged(
            "goes on by itself afterwards",
            f"after {back:.1f} s" if back is not None else f"no, {'still running' if alive else f'ended with {ended}'}",
            f"within {BACK_WITHIN:.0f} s",
            held=back is not None,
        )
    with board.running() as again:
        try:
            view = again.wait_page()
            page = marks_in(view)
        except RuntimeError as error:
            page = -1
            yield judged("starts again", str(error)[:200], "the page comes up", held=False)
    kept = set(marks_of(board.journal, board.folder / "copy"))
    elsewhere = trouble.taken or bool(newer)
    for path in board.journal.parent.parent.rglob("*") if elsewhere else ():
        with suppress(sqlite3.Error, OSError):
            kept |= set(marks_of(path, board.folder / "copy")) if path.is_file() and "copy" not in path.parts else set()
    lost, unkept = seen.confirmed - kept, shown - {0} - kept
    yield judged(
        "confirmed, or shown to a viewer, and not there after kill -9 and restart",
        f"{len(lost)} of {len(seen.confirmed)} confirmed, {len(unkept)} of {len(shown)} shown ({len(refused_but_shown)} "
        f"though refused); page at {page}, newest confirmed {max(seen.confirmed)}",
        "0",
        held=not lost and not unkept and (page >= max(seen.confirmed) or elsewhere),
    )


def _goes_on(program: Program, operator: Operator, seen: _Seen, mend: Callable[[], None]) -> float | None:
    """Seconds after the end of the trouble until a command is kept."""
    mend()
    mended = time.monotonic()
    while time.monotonic() - mended < BACK_WITHIN and program.alive:
        seen.mark += 1
        if operator.mark(seen.mark).status == 200:
            seen.confirmed.add(seen.mark)
            return time.monotonic() - mended
        time.sleep(0.3)
    return None


@contextmanager
def small_disk(folder: Path, size: str) -> Iterator[bool]:
    """A disk of that size mounted there; False where this machine lets nobody."""
    folder.mkdir(parents=True)
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "none", str(folder)], capture_output=True, check=False
    )
    try:
        yield made.returncode == 0
    finally:
        if made.returncode == 0:
            subprocess.run(["umount", "-l", str(folder)], check=False)


def fill(folder: Path) -> None:
    """Takes every byte that is left."""
    with (folder / "fill").open("ab", buffering=0) as file:
        for size in (1 << 16, 4096, 512, 1):
            with suppress(OSError):
                while file.write(b"\0" * size) == size:
                    pass


@attack("disk-full")
def full(ground: Ground) -> Iterator[Finding]:
    """The disk is full while the operator gives commands, and has room again later."""
    with small_disk(ground.folder / "disk", "2m") as mounted:
        if not mounted:
            yield skipped("a full disk", "this machine lets nobody mount a small disk; root may")
            return
        board = Board(ground.folder, SPEAKING, journal=ground.folder / "disk" / "journal.sqlite3")
        disk = ground.folder / "disk"
        with board.running() as program:
            # What its log has room for may still be written: more commands than fit.
            yield from _befalls(
                board,
                program,
                Trouble(lambda: fill(disk), (disk / "fill").unlink, page=False),
                ground.count(150, 60),
            )


@attack("disk-full-again-and-again")
def full_often(ground: Ground) -> Iterator[Finding]:
    """The disk fills and empties twenty times while commands come; then kill -9."""
    with small_disk(ground.folder / "disk", "2m") as mounted:
        if not mounted:
            yield skipped("a full disk", "this machine lets nobody mount a small disk; root may")
            return
        disk = ground.folder / "disk"
        board = Board(ground.folder, SPEAKING, journal=disk / "journal.sqlite3")
        with board.running() as program:
            program.wait_page()
            operator, viewer, seen = board.operator(program), Viewer(program.port), _Seen()
            for _ in range(ground.count(20, 3)):
                fill(disk)
                _commands(operator, seen, 15)
                (disk / "fill").unlink()
                _commands(operator, seen, 5)
            time.sleep(0.3)
            shown = set(viewer.marks) - {0}
            program.kill()
        with board.running() as again:
            page = marks_in(again.wait_page())
        kept = set(marks_of(board.journal, ground.folder / "copy"))
    lost, unkept = seen.confirmed - kept, shown - kept
    yield judged(
        "confirmed, or shown to a viewer, and not there after kill -9 and restart",
        f"{len(lost)} of {len(seen.confirmed)} confirmed, {len(unkept)} of {len(shown)} shown; page at {page}",
        "0",
        held=not lost and not unkept,
    )


@attack("disk-file-size-limit")
def size_limit(ground: Ground) -> Iterator[Finding]:
    """A limit of the system on the size of files (RLIMIT_FSIZE), as a quota is: SIGXFSZ or EFBIG while commands come."""
    board = Board(ground.folder, SPEAKING)
    with board.running() as program:
        program.wait_page()
        pid = program.process.pid
        limit = max(path.stat().st_size for path in board.journal.parent.iterdir() if path.is_file()) + 8192

        def limited(size: str) -> None:
            subprocess.run(["prlimit", "--pid", str(pid), f"--fsize={size}:"], check=True)

        trouble = Trouble(lambda: limited(str(limit)), lambda: limited("unlimited"), page=False)
        yield from _befalls(board, program, trouble, ground.count(80, 60))


def _files(journal: Path) -> list[Path]:
    return [
        path
        for path in (journal, *(journal.with_name(journal.name + end) for end in ("-wal", "-shm")))
        if path.exists()
    ]


@attack("disk-immutable")
def immutable(ground: Ground) -> Iterator[Finding]:
    """The journal's files may no longer be written to (chattr +i) while the program runs, and later they may."""
    board = Board(ground.folder, SPEAKING)
    with board.running() as program:
        program.wait_page()

        def set_flag(flag: str) -> None:
            for path in _files(board.journal):
                subprocess.run(["chattr", flag, str(path)], check=True, capture_output=True)

        try:
            set_flag("+i")
            set_flag("-i")
        except (subprocess.CalledProcessError, OSError):
            yield skipped("chattr +i", "this file system, or this user, can't set it")
            return
        try:
            trouble = Trouble(lambda: set_flag("+i"), lambda: set_flag("-i"), page=False)
            yield from _befalls(board, program, trouble, 10)
        finally:
            set_flag("-i")


@attack("disk-read-only-at-start")
def read_only_at_start(ground: Ground) -> Iterator[Finding]:
    """The journal has mode 444 when the program starts (root without its powers): it says so, and confirms nothing."""
    board = Board(ground.folder, SPEAKING)
    with board.running() as program:
        program.wait_page()
        operator = board.operator(program)
        operator.mark(1)
        program.stop()
    for path in _files(board.journal):
        path.chmod(0o444)
    before = UNPRIVILEGED if os.geteuid() == 0 else ()
    with board.running(before=before) as program:
        try:
            view = program.wait_page(30)
        except RuntimeError:
            words = " ".join(program.output.split())
            held = program.process.poll() not in (None, 0) and "Traceback" not in words and bool(SAID.search(words))
            yield judged(
                "it does not start", f"exit {program.process.poll()}: {words[:200]}", "a sentence, exit 1", held=held
            )
            return
        words = sentences(program.state() or view)
        yield judged("the page says so", words[:200], "a sentence on the journal", held=bool(SAID.search(words)))
        try:
            operator, seen = board.operator(program), _Seen(mark=1)
            _commands(operator, seen, 3)
            held = not seen.confirmed and 500 not in seen.answers
            yield judged("commands", f"answers {seen.answers}", "none confirmed", held=held)
        except RuntimeError as error:
            yield judged(
                "commands", f"no desk yet: {str(error)[:60]}", "none confirmed", held=bool(view.get("stopped"))
            )
        for path in _files(board.journal):
            path.chmod(0o644)
        back = _until(lambda: _let_in(board, program))
        yield judged("goes on by itself once it may", f"{back} s", f"within {BACK_WITHIN:.0f} s", held=back is not None)


def _let_in(board: Board, program: Program) -> bool:
    """The desk takes a command."""
    try:
        return board.operator(program).mark(100).status == 200
    except (RuntimeError, OSError):
        return False


def _until(holds: Callable[[], bool]) -> float | None:
    began = time.monotonic()
    while time.monotonic() - began < BACK_WITHIN:
        if holds():
            return round(time.monotonic() - began, 1)
        time.sleep(0.3)
    return None


def _moved(path: Path, *, comes_back: bool) -> Trouble:
    away = path.with_name(path.name + ".away")
    return Trouble(lambda: _rename(path, away), (lambda: _put_back(away, path)) if comes_back else None)


def _rename(path: Path, target: Path) -> None:
    path.rename(target)


def _put_back(away: Path, path: Path) -> None:
    """What was put in its place meanwhile is set aside, its log with it."""
    if path.exists():
        for one in (path, *(path.with_name(path.name + end) for end in ("-wal", "-shm"))):
            if one.exists():
                one.rename(path.with_name(path.name + NEWER + one.name.removeprefix(path.name)))
    away.rename(path)


@attack("disk-journal-moved")
def moved(ground: Ground) -> Iterator[Finding]:
    """The journal is renamed while the program runs, for good, and in another run renamed back."""
    for comes_back in (False, True):
        board = Board(ground.folder / str(comes_back), SPEAKING)
        with board.running() as program:
            yield from _befalls(board, program, _moved(board.journal, comes_back=comes_back), 8)


@attack("disk-journal-replaced")
def replaced(ground: Ground) -> Iterator[Finding]:
    """A copy takes the journal's place (as `cp` of a backup, or an editor, would do), for good, or the journal comes back."""
    for comes_back in (False, True):
        board = Board(ground.folder / str(comes_back), SPEAKING)
        with board.running() as program:
            yield from _befalls(board, program, _replaced(board, comes_back=comes_back), 8)


def _replaced(board: Board, *, comes_back: bool) -> Trouble:
    away, other = board.journal.with_name("away.sqlite3"), board.folder / "other.sqlite3"

    def make() -> None:
        shutil.copyfile(journal_copy(board.journal, board.folder / "copied"), other)
        board.journal.rename(away)
        other.rename(board.journal)

    def mend() -> None:
        board.journal.unlink(missing_ok=True)
        away.rename(board.journal)

    return Trouble(make, mend if comes_back else None, taken=not comes_back)


@attack("disk-log-removed")
def log_removed(ground: Ground) -> Iterator[Finding]:
    """SQLite's log is renamed while the program runs (somebody tidies up), for good."""
    board = Board(ground.folder, SPEAKING)
    with board.running() as program:
        program.wait_page()
        board.operator(program).mark(900)
        logs = [path for path in _files(board.journal) if path != board.journal]
        if not logs:
            yield skipped("the log", "this journal has none")
            return

        def make() -> None:
            for path in logs:
                path.rename(path.with_name("away" + path.name))

        yield from _befalls(board, program, Trouble(make, None), 8)


@attack("disk-folder-moved")
def folder_moved(ground: Ground) -> Iterator[Finding]:
    """The journal's whole folder is renamed while the program runs (a stick is pulled out), for good, or it comes back."""
    for comes_back in (False, True):
        board = Board(ground.folder / str(comes_back), SPEAKING)
        with board.running() as program:
            yield from _befalls(board, program, _moved(board.journal.parent, comes_back=comes_back), 8)


@attack("disk-journal-deleted")
def deleted(ground: Ground) -> Iterator[Finding]:
    """The journal is deleted for good while the program runs: it is said within a second, and nothing more is confirmed."""
    board = Board(ground.folder, SPEAKING)
    with board.running() as program:
        program.wait_page()
        operator, viewer, seen = board.operator(program), Viewer(program.port), _Seen()
        _commands(operator, seen, 3)
        for path in _files(board.journal):
            path.unlink()
        gone = time.monotonic()
        time.sleep(SAY_WITHIN + 0.5)
        said = viewer.speaks_since(gone)
        after = _Seen(mark=100)
        _commands(operator, after, 5)
        time.sleep(0.3)
        program.kill()
        viewer.close()
    yield judged(
        "the page says so",
        f"after {said[0]:.2f} s: {said[1][:160]}" if said else "not within 1.5 s",
        f"within {SAY_WITHIN:.0f} s",
        held=said is not None and said[0] <= SAY_WITHIN,
    )
    with board.running() as again:
        again.wait_page()
    kept = set(marks_of(board.journal, ground.folder / "copy"))
    lost = len(after.confirmed - kept) + len(viewer.marks - {0} - seen.confirmed - kept)
    yield judged(
        "confirmed or shown after the deletion, and not there after a restart",
        f"{lost}; answers {after.answers}",
        "0",
        held=lost == 0 and 500 not in after.answers,
    )


@attack("disk-full-of-others")
def full_elsewhere(ground: Ground) -> Iterator[Finding]:
    """The folder for temporary files is full: pages, exports and commands go on."""
    board = Board(ground.folder, SPEAKING)
    shutil.rmtree(board.folder / "tmp-of-it")
    with small_disk(board.folder / "tmp-of-it", "64k") as mounted:
        if not mounted:
            yield skipped("a full /tmp", "this machine lets nobody mount a small disk; root may")
            return
        with board.running() as program:
            program.wait_page()
            operator = board.operator(program)
            operator.mark(1)
            fill(board.folder / "tmp-of-it")
            listed = fetch(program.port, "/api/matches")
            identity = (listed.json or [{"id": "?"}])[0]["id"]
            found = {
                form: fetch(program.port, f"/api/matches/{identity}/export.{form}").status
                for form in ("mat", "sgf", "json", "csv", "txt")
            }
            command = operator.mark(2).status
        held = command == 200 and not [code for code in found.values() if code != 200]
        yield judged("commands and exports", f"command {command}, exports {found}", "200 each", held=held)
