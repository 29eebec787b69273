"""One file that holds everything worth keeping, verified when written and again before anything of it is restored."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import tempfile
import zipfile
import zlib
from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path, PurePosixPath

import msgspec

from controller.record.journal import DATABASE_FAULTS, SQLITE_MAGIC, JournalError, read_events
from controller.record.journal_file import OWNER_ONLY, refuse_other_names

FORMAT = "vrhcab-backup-1"
MANIFEST = "manifest.json"
JOURNAL = "journal.db"
ARCHIVE = "archive.sqlite3"
EVIDENCE = "evidence/"
"""The journal's and the archive's names inside the backup, and how those of the pictures begin."""

_CHUNK = 1 << 20
MANIFEST_LIMIT = 16 << 20


class BackupError(RuntimeError):
    """A backup can't be made or restored; the text is one sentence for a player."""


class Entry(msgspec.Struct, frozen=True):
    """One file: its path inside the backup, its size in bytes and its SHA-256 in hexadecimal."""

    name: str
    size: int
    sha256: str


class Manifest(msgspec.Struct, frozen=True):
    """What a backup holds."""

    format: str
    entries: tuple[Entry, ...]


def make_backup(journal: Path, target: Path, others: Mapping[str, Path] | None = None) -> Manifest:
    """Write a consistent copy of the journal, which may be in use, and other files into one new file.

    others: by their relative path in the backup, for example {"vrhcab.toml": ..., "evidence/17.webm": ...}; missing ones
    are left out, and of databases in use a consistent copy is taken. The target appears only when it is whole and has
    been read back. Raises BackupError, JournalError.
    """
    if target.exists():
        raise BackupError(f"{target} exists already; choose a new name.")
    files = {name: path for name, path in (others or {}).items() if path.is_file()}
    for name in files:
        _check_name(name)
    try:
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=".vrhcab-backup-") as folder:
            snapshot = Path(folder) / JOURNAL
            if journal.exists():
                refuse_other_names(journal)
            _snapshot(journal, snapshot)
            deque(read_events(snapshot), maxlen=0)
            for number, (name, path) in enumerate(files.items()):
                if _is_database(path):
                    files[name] = Path(folder) / f"copy-{number}"
                    _snapshot(path, files[name])
            draft = Path(folder) / "backup.zip"
            _write(draft, {JOURNAL: snapshot, **files})
            manifest = verify_backup(draft)
            draft.chmod(OWNER_ONLY)
            with draft.open("rb") as file:
                os.fsync(file.fileno())
            os.replace(draft, target)
    except OSError as error:
        raise BackupError(f"The backup {target} can't be written: {error.strerror}.") from error
    return manifest


def verify_backup(path: Path) -> Manifest:
    """The manifest of a backup whose every byte is as it was written. Raises BackupError where one is not."""
    try:
        with zipfile.ZipFile(path) as archive:
            manifest = _manifest(archive, path)
            for entry in manifest.entries:
                if _digest(archive, entry) != entry:
                    raise BackupError(f"The backup {path} is damaged: {entry.name} is not as it was written.")
    except BackupError:
        raise
    except (zipfile.BadZipFile, zlib.error, EOFError, KeyError, ValueError, RuntimeError) as error:
        raise BackupError(f"{path} is no backup, or it is damaged: {error}") from error
    except OSError as error:
        raise BackupError(f"{path} can't be read: {error.strerror or error}.") from error
    return manifest


def restore_backup(path: Path, place: Path | Callable[[str], Path]) -> tuple[Path, ...]:
    """Verify a backup, then unpack it; nothing that is there is overwritten.

    place: a folder for all of it, or where the file with a name of the backup goes. Returns the paths written.
    Raises BackupError, and then leaves nothing of the backup behind.
    """
    manifest = verify_backup(path)
    targets = [place / entry.name if isinstance(place, Path) else place(entry.name) for entry in manifest.entries]
    for target in targets:
        if target.exists():
            raise BackupError(f"{target} exists already; nothing was restored. Choose an empty folder with --to.")
    written: list[Path] = []
    try:
        with zipfile.ZipFile(path) as archive:
            for entry, target in zip(manifest.entries, targets, strict=True):
                target.parent.mkdir(parents=True, exist_ok=True)
                written.append(target)
                with archive.open(entry.name) as source, target.open("xb") as file:
                    while chunk := source.read(_CHUNK):
                        file.write(chunk)
                    file.flush()
                    os.fsync(file.fileno())
                if entry.name == JOURNAL:
                    deque(read_events(target), maxlen=0)
    except (OSError, JournalError) as error:
        for target in written:
            target.unlink(missing_ok=True)
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise BackupError(f"The backup {path} can't be restored: {reason}.") from error
    return tuple(written)


def _is_database(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(SQLITE_MAGIC)) == SQLITE_MAGIC


def _snapshot(database: Path, target: Path) -> None:
    """SQLite's own copying waits for nobody and takes the log with it."""
    if not database.exists():
        raise JournalError(f"There is no journal at {database}.")
    try:
        source = sqlite3.connect(f"{database.absolute().as_uri()}?mode=ro", uri=True)
        copy = sqlite3.connect(target)
        try:
            source.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")
        finally:
            copy.close()
            source.close()
    except DATABASE_FAULTS as error:
        raise JournalError(f"The database {database} can't be copied: {error}.") from error


def _write(path: Path, files: Mapping[str, Path]) -> None:
    entries = []
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, source in files.items():
            digest, size = hashlib.sha256(), 0
            with source.open("rb") as file, archive.open(name, "w", force_zip64=True) as member:
                while chunk := file.read(_CHUNK):
                    member.write(chunk)
                    digest.update(chunk)
                    size += len(chunk)
            entries.append(Entry(name, size, digest.hexdigest()))
        archive.writestr(MANIFEST, msgspec.json.encode(Manifest(FORMAT, tuple(entries))))


def _manifest(archive: zipfile.ZipFile, path: Path) -> Manifest:
    if archive.getinfo(MANIFEST).file_size > MANIFEST_LIMIT:
        raise BackupError(f"{path} is no backup of this program.")
    try:
        manifest = msgspec.json.decode(archive.read(MANIFEST), type=Manifest)
    except msgspec.MsgspecError as error:
        raise BackupError(f"{path} is no backup of this program: {error}.") from error
    if manifest.format != FORMAT:
        raise BackupError(f"{path} was made by a newer vrhcab ({manifest.format}); update this program.")
    for entry in manifest.entries:
        _check_name(entry.name)
    if JOURNAL not in [entry.name for entry in manifest.entries]:
        raise BackupError(f"{path} holds no journal.")
    return manifest


def _digest(archive: zipfile.ZipFile, wanted: Entry) -> Entry:
    """What really lies there; reading stops where it gets longer than it should be."""
    digest, size = hashlib.sha256(), 0
    with archive.open(wanted.name) as member:
        while size <= wanted.size and (chunk := member.read(_CHUNK)):
            digest.update(chunk)
            size += len(chunk)
    return Entry(wanted.name, size, digest.hexdigest())


def _check_name(name: str) -> None:
    """A path that stays inside the folder, on every system."""
    path = PurePosixPath(name)
    if path.is_absolute() or not name or "\\" in name or ":" in name or {"..", "."} & set(name.split("/")):
        raise BackupError(f"A backup can't hold a file named {name!r}.")
