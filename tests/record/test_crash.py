"""The journal is killed at every step of SQLite's, and its log and pages are torn at every place: what was confirmed stays."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from controller.record.journal import Journal, read_events

KILLER = """
import os, signal, sys
from pathlib import Path
from controller.record.journal import Journal

folder, events, stride = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])

def killed_at(path, step):
    # A child that dies at its step-th instruction of SQLite's while it appends; what it had confirmed, or -1 at its end.
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        left = step
        def count():
            nonlocal left
            left -= 1
            if left <= 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return 0
        journal = Journal(path)
        journal._connection.set_progress_handler(count, 1)
        for number in range(events):
            os.write(writer, bytes([journal.append("play", 1, "{}" + " " * 3000, "b", "m", 1)]))
        os._exit(0)
    os.close(writer)
    said = b""
    while part := os.read(reader, 100):
        said += part
    os.close(reader)
    _, status = os.waitpid(child, 0)
    return max(said, default=0), os.WIFSIGNALED(status)

step, alive = 1, True
while alive:
    path = folder / f"{step}.db"
    confirmed, alive = killed_at(path, step)
    with Journal(path) as journal:
        stored = [event.sequence for event in journal.events()]
        assert stored == list(range(1, len(stored) + 1)), (step, stored)
        assert confirmed <= len(stored) <= confirmed + 1, (step, confirmed, stored)
        assert journal.append("play", 1, "{}", "b", "m", 1) == len(stored) + 1
    path.unlink()
    step += stride
print(step)
"""


STRIDE = 5
"""Every step takes a quarter of a minute here; the odd stride meets each instruction of one event or another."""


def test_killed_at_any_step_of_three_events_nothing_confirmed_is_lost(tmp_path: Path) -> None:
    result = subprocess.run(
        [sys.executable, "-c", KILLER, str(tmp_path), "3", str(STRIDE)], capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    assert int(result.stdout) > 60


@pytest.fixture(scope="module")
def growing(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[bytes]]:
    """A journal that was never closed, and its log as it was at each event boundary."""
    folder = tmp_path_factory.mktemp("crash")
    logs = []
    with Journal(folder / "source.db") as journal:
        for number in range(6):
            journal.append("play", 1, f'{{"n": {number}}}' + " " * 900 * number, "b", "m", 1)
            logs.append((folder / "source.db-wal").read_bytes())
        shutil.copy(folder / "source.db", folder / "kept.db")
    return folder / "kept.db", logs


def sequences(path: Path) -> list[int]:
    """Of a journal as it is found after a crash; that another event can be written is tried as well."""
    with Journal(path) as journal:
        found = [event.sequence for event in journal.events()]
        assert journal.append("play", 1, "{}", "b", "m", 1) == len(found) + 1
    return found


def crashed(folder: Path, source: Path, log: bytes) -> Path:
    path = folder / "j.db"
    for old in folder.glob("j.db*"):
        old.unlink()
    shutil.copy(source, path)
    path.with_name("j.db-wal").write_bytes(log)
    return path


@pytest.mark.parametrize("event", range(1, 6))
@pytest.mark.parametrize("rest", ["missing", "zeros", "noise"])
def test_power_fails_in_the_middle_of_writing_an_event(
    growing: tuple[Path, list[bytes]], tmp_path: Path, event: int, rest: str
) -> None:
    """The event that was being written may be lost, since nobody had seen it; those before it stay, and no fault is found."""
    source, logs = growing
    whole, before = logs[event], len(logs[event - 1])
    chance = random.Random(f"{event}{rest}")
    places = sorted(chance.sample(range(before, len(whole)), 8)) if len(whole) > before else []
    for cut in places:
        missing = len(whole) - cut
        tail = {"missing": b"", "zeros": bytes(missing), "noise": chance.randbytes(missing)}[rest]
        found = sequences(crashed(tmp_path, source, whole[:cut] + tail))
        assert found == list(range(1, event + 1)) or (cut + 8 >= len(whole) and len(found) == event + 1)
    assert places


@pytest.mark.parametrize("seed", range(8))
def test_power_fails_while_the_log_is_moved_into_the_database(
    growing: tuple[Path, list[bytes]], tmp_path: Path, seed: int
) -> None:
    """Some pages are new and some old; the log still has all of them."""
    source, logs = growing
    path = crashed(tmp_path, source, logs[-1])
    with Journal(path):
        pass
    moved = path.read_bytes()
    old = source.read_bytes().ljust(len(moved), b"\0")
    chance = random.Random(seed)
    torn = b"".join(
        (moved if chance.random() < 0.5 else old)[start : start + 512] for start in range(0, len(moved), 512)
    )
    path = crashed(tmp_path, source, logs[-1])
    path.write_bytes(torn if seed % 2 else torn[: chance.randrange(4096, len(torn))])
    assert sequences(path) == list(range(1, len(logs) + 1))


def unshared(*command: str) -> list[str]:
    """A command in a mount namespace of its own, where a small disk may be mounted."""
    return ["unshare", "-rm", "sh", "-c", *command]


@pytest.mark.parametrize("size", ["16k", "64k", "150k", "400k"])
def test_a_disk_that_is_full(tmp_path: Path, size: str) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = f"mount -t tmpfs -o size={size} none {disk}"
    if not shutil.which("unshare") or subprocess.run(unshared(mount), capture_output=True, check=False).returncode:
        pytest.skip("this machine lets nobody mount a small disk")
    script = f"""
import json
from controller.record.journal import Journal, JournalError, read_events
count, sentence = 0, ""
try:
    with Journal({str(disk / "j.db")!r}) as journal:
        while count < 2000:
            journal.append("play", 1, json.dumps("x" * 300), "b", "m", 1)
            count += 1
except JournalError as error:
    sentence = str(error)
stored = len(list(read_events({str(disk / "j.db")!r}))) if count else 0
print(json.dumps([count, sentence, stored]))
"""
    result = subprocess.run(
        unshared(f"{mount} && exec {sys.executable} -c '{script.replace(chr(39), chr(34))}'"),
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert result.returncode == 0, result.stderr
    count, sentence, stored = json.loads(result.stdout)
    assert count < 2000
    assert stored == count
    assert "full" in sentence
    assert str(disk) in sentence


def test_a_signal_between_two_events_changes_nothing(tmp_path: Path) -> None:
    """kill -9 of a program that waits for the next event."""
    script = """
import sys, time
from controller.record.journal import Journal
journal = Journal(sys.argv[1])
for number in range(3):
    print(journal.append("play", 1, "{}", "b", "m", 1), flush=True)
time.sleep(60)
"""
    process = subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path / "j.db")], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert [process.stdout.readline() for _ in range(3)] == ["1\n", "2\n", "3\n"]
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    assert [event.sequence for event in read_events(tmp_path / "j.db")] == [1, 2, 3]
    assert sequences(tmp_path / "j.db") == [1, 2, 3]
