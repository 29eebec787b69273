"""A backup is one verified file; it restores elsewhere to the same events, or says why not and leaves nothing."""

from __future__ import annotations

import hashlib
import os
import random
import sqlite3
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from controller.record import backup
from controller.record.backup import (
    ARCHIVE,
    JOURNAL,
    MANIFEST,
    BackupError,
    Manifest,
    ManifestEntry,
    make_backup,
    pictures_in,
    restore_backup,
    verify_backup,
)
from controller.record.journal import Journal, JournalError, StoredEvent, read_events


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    path = tmp_path / "state" / "journal.db"
    with Journal(path) as journal:
        for number in range(5):
            journal.append("play", 1, f'{{"n": {number}}}', "table 1", "final", 1)
    return path


def test_a_backup_of_a_journal_in_use_restores_elsewhere(journal: Path, tmp_path: Path) -> None:
    (tmp_path / "vrhcab.toml").write_text("[match]\n")
    with Journal(journal) as owner:
        owner.append("play", 1, '{"n": 5}', "table 1", "final", 1)
        others = {"vrhcab.toml": tmp_path / "vrhcab.toml", "clips/1.mp4": tmp_path / "missing.mp4"}
        manifest = make_backup(journal, tmp_path / "b.zip", others)
    assert [entry.name for entry in manifest.entries] == [JOURNAL, "vrhcab.toml"]
    assert [path.name for path in restore_backup(tmp_path / "b.zip", tmp_path / "games alone")] == [JOURNAL]
    written = restore_backup(tmp_path / "b.zip", tmp_path / "fresh machine", with_settings=True)
    assert [path.name for path in written] == [JOURNAL, "vrhcab.toml"]
    assert list(read_events(written[0])) == list(read_events(journal))
    with Journal(written[0]) as restored:
        assert restored.append("play", 1, "{}", "table 1", "final", 1) == 7


def test_nothing_is_overwritten(journal: Path, tmp_path: Path) -> None:
    make_backup(journal, tmp_path / "b.zip")
    before = (tmp_path / "b.zip").read_bytes()
    with pytest.raises(BackupError, match="exists already"):
        make_backup(journal, tmp_path / "b.zip")
    assert (tmp_path / "b.zip").read_bytes() == before
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / JOURNAL).write_text("mine")
    with pytest.raises(BackupError, match="nothing was restored"):
        restore_backup(tmp_path / "b.zip", tmp_path / "here")
    assert (tmp_path / "here" / JOURNAL).read_text() == "mine"


@pytest.mark.parametrize("seed", range(15))
def test_a_damaged_backup_restores_nothing(journal: Path, tmp_path: Path, seed: int) -> None:
    make_backup(journal, tmp_path / "b.zip")
    data = bytearray((tmp_path / "b.zip").read_bytes())
    chance = random.Random(seed)
    data = data[: chance.randrange(len(data))] if seed % 3 == 0 else data
    if seed % 3:
        with zipfile.ZipFile(tmp_path / "b.zip") as archive:
            info = archive.getinfo(JOURNAL)
        data[info.header_offset + 60 + chance.randrange(info.compress_size - 60)] ^= 1 << seed % 8
    (tmp_path / "bad.zip").write_bytes(bytes(data))
    if _unpacks_to_the_same(tmp_path / "bad.zip", tmp_path / "b.zip"):
        # In the zeros of an empty page a flipped bit may copy other zeros: nothing is lost, so it is restored.
        restore_backup(tmp_path / "bad.zip", tmp_path / "fresh")
        assert (tmp_path / "fresh" / JOURNAL).read_bytes() == zipfile.ZipFile(tmp_path / "b.zip").read(JOURNAL)
        return
    with pytest.raises(BackupError, match=r"backup|can't be"):
        restore_backup(tmp_path / "bad.zip", tmp_path / "fresh")
    assert not (tmp_path / "fresh").exists()


def _unpacks_to_the_same(one: Path, other: Path) -> bool:
    try:
        with zipfile.ZipFile(one) as bad, zipfile.ZipFile(other) as good:
            return all(bad.read(name) == good.read(name) for name in good.namelist())
    except (zipfile.BadZipFile, zlib.error, EOFError, KeyError, OSError):
        return False


@pytest.mark.parametrize("name", ["../evil", "/etc/evil", "a/../../evil", "C:evil", "a\\b", ""])
def test_a_path_out_of_the_folder_is_refused(journal: Path, tmp_path: Path, name: str) -> None:
    make_backup(journal, tmp_path / "b.zip")
    with zipfile.ZipFile(tmp_path / "b.zip") as good, zipfile.ZipFile(tmp_path / "evil.zip", "w") as evil:
        manifest = good.read(MANIFEST).decode().replace(JOURNAL, name.replace("\\", "\\\\"))
        evil.writestr(MANIFEST, manifest)
        evil.writestr(name or "x", good.read(JOURNAL))
    with pytest.raises(BackupError, match="can't hold a file named"):
        restore_backup(tmp_path / "evil.zip", tmp_path / "fresh")


@pytest.mark.parametrize(
    "name", ["desk.json", "table.json", "evidence/../desk.json", "evidence/x.html", ".x.toml", "a/b.toml"]
)
def test_what_this_program_does_not_write_is_refused(journal: Path, tmp_path: Path, name: str) -> None:
    """A PIN above all."""
    make_backup(journal, tmp_path / "b.zip")
    forged(
        tmp_path, lambda entries: (*entries, ManifestEntry(name, 2, hashlib.sha256(b"{}").hexdigest())), {name: b"{}"}
    )
    with pytest.raises(BackupError, match="can't hold a file named"):
        restore_backup(tmp_path / "forged.zip", tmp_path / "fresh", with_settings=True)
    assert not (tmp_path / "fresh").exists()


@pytest.mark.parametrize("name", ["evidence/m-0001-before.jpg", "club.toml", "archive.sqlite3"])
def test_a_small_file_that_unpacks_to_a_large_one_is_refused_before_it_is_unpacked(
    journal: Path, tmp_path: Path, name: str
) -> None:
    make_backup(journal, tmp_path / "b.zip")
    zeros = bytes(200 << 20)
    forged(
        tmp_path,
        lambda entries: (*entries, ManifestEntry(name, len(zeros), hashlib.sha256(zeros).hexdigest())),
        {name: zeros},
    )
    assert (tmp_path / "forged.zip").stat().st_size < 1 << 20
    with pytest.raises(BackupError, match="would unpack to 200 MB"):
        restore_backup(tmp_path / "forged.zip", tmp_path / "fresh")
    assert not (tmp_path / "fresh").exists()


def test_what_root_restores_belongs_to_whom_the_folder_belongs_to(journal: Path, tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give files away")
    picture = tmp_path / "p.jpg"
    picture.write_bytes(b"picture")
    make_backup(journal, tmp_path / "b.zip", {"evidence/m-0001-before.jpg": picture})
    state = tmp_path / "machine"
    state.mkdir()
    os.chown(state, 12345, 12346)
    written = restore_backup(tmp_path / "b.zip", state)
    for path in (*written, state / "evidence"):
        assert (path.stat().st_uid, path.stat().st_gid) == (12345, 12346), path
        assert path.stat().st_mode & 0o007 == 0, path


def forged(
    folder: Path, change: Callable[[tuple[ManifestEntry, ...]], tuple[ManifestEntry, ...]], files: dict[str, bytes]
) -> None:
    """A backup with other files in it, and a manifest that is true to them."""
    with (
        zipfile.ZipFile(folder / "b.zip") as good,
        zipfile.ZipFile(folder / "forged.zip", "w", zipfile.ZIP_DEFLATED) as other,
    ):
        manifest = msgspec.json.decode(good.read(MANIFEST), type=Manifest)
        for entry in manifest.entries:
            other.writestr(entry.name, good.read(entry.name))
        for name, data in files.items():
            other.writestr(name, data)
        other.writestr(MANIFEST, msgspec.json.encode(Manifest(manifest.format, change(manifest.entries))))


def test_an_archive_from_which_nearly_all_was_deleted(journal: Path, tmp_path: Path) -> None:
    """What it leaves are megabytes of zeros, which pack like a file that was made to fill a disk."""
    with sqlite3.connect(tmp_path / "archive.sqlite3") as archive:
        archive.execute("CREATE TABLE matches (id INTEGER PRIMARY KEY, record BLOB)")
        archive.execute("INSERT INTO matches VALUES (1, 'kept')")
        archive.execute("PRAGMA secure_delete = ON")
        archive.executemany("INSERT INTO matches (record) VALUES (?)", [(os.urandom(9000),) for _ in range(400)])
        archive.execute("DELETE FROM matches WHERE id > 1")
    archive.close()
    assert (tmp_path / "archive.sqlite3").stat().st_size > 3_000_000
    make_backup(journal, tmp_path / "b.zip", {ARCHIVE: tmp_path / "archive.sqlite3"})
    restored = restore_backup(tmp_path / "b.zip", tmp_path / "fresh")
    with sqlite3.connect(restored[1]) as archive:
        assert archive.execute("SELECT * FROM matches").fetchall() == [(1, "kept")]
    archive.close()


def test_what_is_no_picture_stays_where_it_is(journal: Path, tmp_path: Path) -> None:
    folder = tmp_path / "evidence"
    folder.mkdir()
    for name in ("m-0001-before.jpg", ".m-0001-clip.webm.k2j4h8", "notes.txt", ".DS_Store"):
        (folder / name).write_bytes(b"picture")
    manifest = make_backup(journal, tmp_path / "b.zip", pictures_in(folder))
    assert [entry.name for entry in manifest.entries] == [JOURNAL, "evidence/m-0001-before.jpg"]


def test_a_picture_that_gives_way_to_others_meanwhile_is_left_out(
    journal: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "evidence"
    folder.mkdir()
    for name in ("m-0001-before.jpg", "m-0002-before.jpg"):
        (folder / name).write_bytes(b"picture")

    def pruning(path: Path, copy_of: Path) -> Iterator[StoredEvent]:
        (folder / "m-0001-before.jpg").unlink()
        return read_events(path, copy_of=copy_of)

    monkeypatch.setattr(backup, "read_events", pruning)
    manifest = make_backup(journal, tmp_path / "b.zip", pictures_in(folder))
    assert [entry.name for entry in manifest.entries] == [JOURNAL, "evidence/m-0002-before.jpg"]


def test_a_damaged_journal_is_named_and_not_its_copy(journal: Path, tmp_path: Path) -> None:
    """The copy is gone when anybody reads of it."""
    journal.write_bytes(journal.read_bytes().replace(b'{"n": 3}', b'{"n": 8}'))
    with pytest.raises(JournalError) as refused:
        make_backup(journal, tmp_path / "b.zip")
    assert str(refused.value).startswith(f"The journal {journal} is damaged (event 4 was altered)")
    assert str(refused.value).endswith(f"vrhcab restore {journal}")


def test_nothing_of_a_backup_stays_where_restoring_was_stopped(
    journal: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half a journal would be taken for a damaged one, and the next try be refused."""
    make_backup(journal, tmp_path / "b.zip")

    def stopped(path: Path) -> Iterator[StoredEvent]:
        raise KeyboardInterrupt

    monkeypatch.setattr(backup, "read_events", stopped)
    with pytest.raises(KeyboardInterrupt):
        restore_backup(tmp_path / "b.zip", tmp_path / "here")
    assert list((tmp_path / "here").iterdir()) == []


@pytest.mark.parametrize(("name", "ending"), [(JOURNAL, "-wal"), ("archive.sqlite3", "-journal")])
def test_nothing_is_restored_beside_the_log_of_a_file_that_is_gone(
    journal: Path, tmp_path: Path, name: str, ending: str
) -> None:
    """SQLite would play it into what was restored."""
    sqlite3.connect(tmp_path / ARCHIVE).close()
    make_backup(journal, tmp_path / "b.zip", {ARCHIVE: tmp_path / ARCHIVE})
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / f"{name}{ending}").write_bytes(b"log")
    with pytest.raises(BackupError, match=f"{name}{ending} exists still"):
        restore_backup(tmp_path / "b.zip", tmp_path / "here")
    assert [path.name for path in (tmp_path / "here").iterdir()] == [f"{name}{ending}"]


def test_what_is_no_backup(journal: Path, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("hello")
    for path, sentence in (
        (tmp_path / "text", "no backup"),
        (tmp_path / "none", "can't be read"),
        (journal, "no backup"),
    ):
        with pytest.raises(BackupError, match=sentence):
            verify_backup(path)
    with pytest.raises(JournalError, match="no journal"):
        make_backup(tmp_path / "none.db", tmp_path / "b.zip")
    with pytest.raises(BackupError, match="can't be written"):
        make_backup(journal, tmp_path / "no folder" / "b.zip")
    assert not (tmp_path / "b.zip").exists()
