"""Whose the journal is, by whatever name, and what becomes of it when somebody takes its file away during a game."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from controller.record.backup import make_backup, restore_backup
from controller.record.journal import RETRY, Journal, JournalError, StoredEvent, in_use, read_events


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "j.db"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    with Journal(path) as journal:
        play(journal, 3)
        yield journal


def play(journal: Journal, events: int = 1) -> int:
    return [journal.append("play", 1, "{}", "b", "m", 1) for _ in range(events)][-1]


def elsewhere(path: Path) -> list[int]:
    """What a program of its own finds in the journal now."""
    script = "import sys; from controller.record.journal import read_events; [print(e.sequence) for e in read_events(sys.argv[1])]"
    done = subprocess.run([sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=True)
    return [int(line) for line in done.stdout.split()]


def after_a_crash(path: Path, folder: Path) -> list[StoredEvent]:
    """What a start finds where the power failed now: the same files, without SQLite's closing."""
    folder.mkdir()
    for file in path.parent.glob(path.name + "*"):
        if file.name != path.name + "-shm":
            shutil.copy(file, folder / file.name)
    with Journal(folder / path.name) as journal:
        return list(journal.events())


STRANGER = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
print(connection.execute("SELECT count(*) FROM events").fetchall())
connection.close()
"""

ATTACK = """
import os, signal, subprocess, sys
from pathlib import Path
from controller.record.backup import make_backup
from controller.record.journal import Journal, JournalError, in_use, read_events

folder, rounds = Path(sys.argv[1]), int(sys.argv[2])

def referee(path, said, go):
    # Plays, and does in between all that this program ever does with a journal.
    os.symlink(path, path.with_suffix(".link"))
    journal = Journal(path)
    os.link(path, path.with_suffix(".hard"))
    for number in range(2):
        os.write(said, bytes([journal.append("play", 1, "{}", "b", "m", 1)]))
        os.read(go, 1)
        assert len(list(read_events(path))) == number + 1 == len(list(journal.events()))
        assert in_use(path) and in_use(path.with_suffix(".hard"))
        for name in (path, path.with_suffix(".link"), path.with_suffix(".hard")):
            try:
                Journal(name)
                os._exit(1)
            except JournalError:
                pass
    os.write(said, b"!")
    os.read(go, 1)

def stranger(path):
    # A second program that merely reads the file with SQLite.
    child = os.fork()
    if child == 0:
        import sqlite3
        connection = sqlite3.connect(path)
        connection.execute("SELECT count(*) FROM events").fetchall()
        connection.close()
        os._exit(0)
    os.waitpid(child, 0)

for round in range(rounds):
    path = folder / f"{round}.db"
    heard, said = os.pipe()
    stop, go = os.pipe()
    child = os.fork()
    if child == 0:
        referee(path, said, stop)
        os._exit(0)
    confirmed = 0
    while (word := os.read(heard, 1)) not in (b"!", b""):
        confirmed = word[0]
        stranger(path)
        os.write(go, b"g")
    assert word == b"!"
    stranger(path)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    with Journal(path) as journal:
        assert len(list(journal.events())) == confirmed == 2, round
print("held")
"""


def test_a_stranger_who_reads_and_a_kill_lose_nothing_a_hundred_times(tmp_path: Path) -> None:
    # Locks and kills are the same in memory, and a hundred journals take no half minute to sync.
    memory = Path("/dev/shm") if os.access("/dev/shm", os.W_OK) else tmp_path
    with TemporaryDirectory(dir=memory) as folder:
        done = subprocess.run(
            [sys.executable, "-c", ATTACK, folder, "100"], capture_output=True, text=True, check=False
        )
    assert done.stdout == "held\n", done.stderr


def test_the_locks_outlive_all_that_this_process_does_with_the_journal(journal: Journal, path: Path) -> None:
    assert len(list(read_events(path))) == 3
    make_backup(path, path.with_name("b.zip"))
    assert in_use(path)
    for other in ("link", "hard"):
        (os.symlink if other == "link" else os.link)(path, path.with_name(other))
        with pytest.raises(JournalError, match="Another vrhcab already writes"):
            Journal(path.with_name(other))
    assert subprocess.run([sys.executable, "-c", STRANGER, str(path)], capture_output=True, check=True).stdout
    assert path.with_name("j.db-wal").exists()
    assert play(journal) == 4
    assert elsewhere(path) == [1, 2, 3, 4]


@pytest.mark.parametrize("link", [os.symlink, os.link])
def test_a_second_program_is_refused_by_whatever_name(journal: Journal, path: Path, link: object) -> None:
    link(path, path.with_name("other.db"))  # type: ignore[operator]
    script = "import sys; from controller.record.journal import Journal; Journal(sys.argv[1])"
    done = subprocess.run(
        [sys.executable, "-c", script, path.with_name("other.db")], capture_output=True, text=True, check=False
    )
    assert "Another vrhcab already writes" in done.stderr
    assert play(journal) == 4


def test_by_another_name_without_the_log_the_newest_events_are_not_simply_missing(journal: Journal, path: Path) -> None:
    other = path.with_name("other.db")
    os.link(path, other)
    with pytest.raises(subprocess.CalledProcessError):
        elsewhere(other)
    assert elsewhere(path) == [1, 2, 3]


def test_a_backup_of_a_running_game_is_what_a_start_after_a_crash_shows(
    journal: Journal, path: Path, tmp_path: Path
) -> None:
    make_backup(path, tmp_path / "b.zip")
    restored = restore_backup(tmp_path / "b.zip", tmp_path / "restored")[0]
    assert list(read_events(restored)) == list(journal.events()) == after_a_crash(path, tmp_path / "crashed")


def test_files_of_the_journal_are_its_owners_alone(journal: Journal, path: Path, tmp_path: Path) -> None:
    make_backup(path, tmp_path / "b.zip")
    for name in ("j.db", "j.db-wal", "j.db-shm", "b.zip"):
        assert (tmp_path / name).stat().st_mode & 0o077 == 0, name


def test_a_deleted_journal_is_written_back(journal: Journal, path: Path, tmp_path: Path) -> None:
    for file in tmp_path.glob("j.db*"):
        file.unlink()
    assert "all 3 events are there again" in journal.check()
    assert journal.check() == ""
    assert play(journal) == 4
    assert elsewhere(path) == [1, 2, 3, 4]
    assert len(after_a_crash(path, tmp_path / "crashed")) == 4


def test_a_deleted_folder_is_made_again(tmp_path: Path) -> None:
    with Journal(tmp_path / "state" / "j.db") as journal:
        play(journal, 3)
        shutil.rmtree(tmp_path / "state")
        assert play(journal) == 4
    assert elsewhere(tmp_path / "state" / "j.db") == [1, 2, 3, 4]


def test_a_journal_that_is_moved_away_is_whole_in_both_places(journal: Journal, path: Path, tmp_path: Path) -> None:
    path.rename(tmp_path / "kept.db")
    assert play(journal) == 4
    assert elsewhere(path) == [1, 2, 3, 4]
    assert elsewhere(tmp_path / "kept.db") == [1, 2, 3]


def test_a_file_put_in_its_place_is_left_alone_and_every_event_kept_beside_it(
    journal: Journal, path: Path, tmp_path: Path
) -> None:
    with Journal(tmp_path / "other.db") as other:
        play(other, 7)
    (tmp_path / "other.db").rename(path)
    with pytest.raises(JournalError, match=r"Another file lies in the place.*All 3 events are kept in.*j-kept-1\.db"):
        journal.check()
    with pytest.raises(JournalError, match="Another file"):
        play(journal)
    assert elsewhere(path) == [1, 2, 3, 4, 5, 6, 7]
    assert elsewhere(tmp_path / "j-kept-1.db") == [1, 2, 3]
    # It goes on as soon as the place is free.
    path.unlink()
    assert play(journal) == 4
    assert elsewhere(path) == [1, 2, 3, 4]
    assert len(after_a_crash(path, tmp_path / "crashed")) == 4


def test_moved_away_and_back_it_goes_on(journal: Journal, path: Path, tmp_path: Path) -> None:
    path.rename(tmp_path / "kept.db")
    path.write_bytes(b"something else")
    with pytest.raises(JournalError, match="Another file"):
        journal.check()
    (tmp_path / "kept.db").rename(path)
    assert play(journal) == 4
    assert elsewhere(path) == [1, 2, 3, 4]
    assert len(after_a_crash(path, tmp_path / "crashed")) == 4


def test_a_log_that_is_removed_takes_no_event_with_it(journal: Journal, path: Path, tmp_path: Path) -> None:
    for ending in ("-wal", "-shm"):
        path.with_name(path.name + ending).unlink()
    assert "all 3 events are in the journal" in journal.check()
    assert play(journal) == 4
    assert elsewhere(path) == [1, 2, 3, 4]
    assert len(after_a_crash(path, tmp_path / "crashed")) == 4


def test_a_journal_that_is_cut_short_or_written_by_others_is_not_written_to(path: Path) -> None:
    with Journal(path) as journal:
        play(journal, 3)
        with sqlite3.connect(path) as stranger:
            stranger.execute(
                "INSERT INTO events SELECT 4, board, match, game, kind, version, wall_time, payload, 0 FROM events LIMIT 1"
            )
        stranger.close()
        with pytest.raises(JournalError, match="Another program has changed"):
            play(journal)
    fresh = path.with_name("fresh.db")
    with Journal(fresh) as journal:
        play(journal, 30)
        journal._open().execute("PRAGMA wal_checkpoint(TRUNCATE)")
        journal.check()
        os.truncate(fresh, 4096)
        with pytest.raises(JournalError, match="cut it short"):
            journal.check()


def test_it_is_tried_again_after_a_second_and_no_sooner(
    journal: Journal, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    # A page at most: the disk is full.
    (pages,) = journal._open().execute("PRAGMA page_count").fetchone()
    journal._open().execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(JournalError, match="is full"):
        journal.append("play", 1, '"' + "x" * 90_000 + '"', "b", "m", 1)
    with pytest.raises(JournalError, match="is full"):
        journal.check()
    now[0] += RETRY
    assert journal.check() == ""
    assert play(journal) == 4


def test_the_events_of_one_act_wait_for_the_disk_once(tmp_path: Path) -> None:
    if not shutil.which("strace"):
        pytest.skip("strace is not installed")
    script = """
import sys
from controller.record.journal import Journal, NewEvent
journal = Journal(sys.argv[1])
new = NewEvent("play", 1, "{}", "b", "m", 1)
print("begin", flush=True)
for number in range(20):
    journal.append_all([new] * (1 + number % 3))
    journal.check()
print("end", flush=True)
"""
    trace = tmp_path / "trace"
    command = ["strace", "-f", "-o", str(trace), "-e", "trace=fsync,fdatasync,write", sys.executable, "-c", script]
    subprocess.run([*command, str(tmp_path / "j.db")], check=True, capture_output=True)
    played = trace.read_text().split('"begin')[1].split('"end')[0]
    assert played.count("fdatasync(") == 20
    assert played.count("fsync(") == 0


def test_a_pipe_or_a_device_is_no_journal(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/zero")):
        with pytest.raises(JournalError, match="no ordinary file"):
            Journal(path)
