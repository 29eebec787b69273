"""One file that holds everything worth keeping, verified when written and again before anything of it is restored."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sqlite3
import tempfile
import zipfile
import zlib
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path, PurePosixPath

import msgspec

from controller.errors import ControllerError
from controller.record.journal import JournalError, read_events
from controller.record.journal_database import DATABASE_FAULTS, SQLITE_MAGIC
from controller.record.journal_file import beside, refuse_other_names
from controller.record.owners import OWNER_ONLY, make_folder, new_file

FORMAT = "vrhcab-backup-1"
MANIFEST = "manifest.json"
JOURNAL = "journal.db"
ARCHIVE = "archive.sqlite3"
EVIDENCE = "evidence/"
"""The journal's and the archive's names inside the backup, and how those of the pictures begin."""

HUB = "hub.json"
"""What says to which hub the board belongs, by which password: with the settings, it is unpacked for who asks for it alone."""

SETTINGS = ".toml"
"""How the name of the settings ends."""

_CHUNK = 1 << 20
MANIFEST_LIMIT = 16 << 20
MOST_FILES = 100_000
LARGEST = {JOURNAL: 4 << 30, ARCHIVE: 16 << 30, EVIDENCE: 64 << 20, HUB: 1 << 20, SETTINGS: 1 << 20}
"""Bytes that one file may unpack to: a hundred times what years of play come to. A picture has 1.2 MB."""

DENSEST = 100
"""Times that a file may grow when it is unpacked: a journal of one play again and again grows 40 times, a real one 6 times."""

_PICTURE = re.compile(r"[A-Za-z0-9_-]{1,200}\.(jpg|webm)")


class BackupError(ControllerError):
    """A backup can't be made or restored; the text is one sentence for a player."""


class ManifestEntry(msgspec.Struct, frozen=True):
    """One file: its path inside the backup, its size in bytes and its SHA-256 in hexadecimal."""

    name: str
    size: int
    sha256: str


class Manifest(msgspec.Struct, frozen=True):
    """What a backup holds."""

    format: str
    entries: tuple[ManifestEntry, ...]


def pictures_in(folder: Path) -> dict[str, Path]:
    """The pictures and clips of a folder of evidence, by their paths in a backup; whatever else lies there, such as what a power
    cut left half written, is none."""
    return {EVIDENCE + path.name: path for path in sorted(folder.iterdir()) if _PICTURE.fullmatch(path.name)}


def make_backup(journal: Path, target: Path, others: Mapping[str, Path] | None = None) -> Manifest:
    """Write a consistent copy of the journal, which may be in use, and other files into one new file.

    others: by their relative path in the backup, for example {"vrhcab.toml": ..., "evidence/17.webm": ...}; missing ones
    are left out, also those that go meanwhile, and of databases in use a consistent copy is taken. The target appears only
    when it is whole and has been read back. Raises BackupError, JournalError.
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
            deque(read_events(snapshot, copy_of=journal), maxlen=0)
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


def restore_backup(path: Path, place: Path | Callable[[str], Path], *, with_settings: bool = False) -> tuple[Path, ...]:
    """Verify a backup, then unpack it; nothing that is there is overwritten.

    place: a folder for all of it, or where the file with a name of the backup goes. with_settings: the settings too, and
    the hub that the board has joined; they say what the program opens and whom it serves, so they are taken only from a backup that
    one trusts. Returns the paths written, which belong to whom their folder belongs to. Raises BackupError; whatever ends it early,
    no file of the backup stays behind.
    """
    manifest = verify_backup(path)
    entries = [one for one in manifest.entries if with_settings or not (one.name == HUB or one.name.endswith(SETTINGS))]
    targets = [place / entry.name if isinstance(place, Path) else place(entry.name) for entry in entries]
    _check_room(path, sum(entry.size for entry in entries), targets[0])
    for entry, target in zip(entries, targets, strict=True):
        if target.exists():
            raise BackupError(f"{target} exists already; nothing was restored. Choose an empty folder with --to.")
        _refuse_old_log(entry, target)
    written: list[Path] = []
    try:
        with zipfile.ZipFile(path) as archive:
            for entry, target in zip(entries, targets, strict=True):
                make_folder(target.parent)
                with archive.open(entry.name) as source, new_file(target) as file:
                    written.append(target)
                    while chunk := source.read(_CHUNK):
                        file.write(chunk)
                    file.flush()
                    os.fsync(file.fileno())
                if entry.name == JOURNAL:
                    deque(read_events(target), maxlen=0)
    except BaseException as error:
        for target in written:
            target.unlink(missing_ok=True)
        if not isinstance(error, OSError | JournalError):
            raise
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise BackupError(f"The backup {path} can't be restored: {reason}.") from error
    return tuple(written)


def _check_room(path: Path, size: int, target: Path) -> None:
    folder = next(parent for parent in target.absolute().parents if parent.is_dir())
    if shutil.disk_usage(folder).free < size:
        raise BackupError(f"The backup {path} unpacks to {size >> 20} MB; there is not so much room in {folder}.")


def _refuse_old_log(entry: ManifestEntry, target: Path) -> None:
    """SQLite would put what it holds into any database that is found beside it."""
    for ending in ("-wal", "-journal") if entry.name in (JOURNAL, ARCHIVE) else ():
        if (log := beside(target, ending)).exists():
            raise BackupError(
                f"{log} exists still, the log of a file that is gone: it would be taken for the restored file's. Nothing was "
                "restored. Move it away, or choose an empty folder with --to."
            )


def _is_database(path: Path) -> bool:
    with suppress(FileNotFoundError), path.open("rb") as file:
        return file.read(len(SQLITE_MAGIC)) == SQLITE_MAGIC
    return False


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
            (empty,) = copy.execute("PRAGMA freelist_count").fetchone()
            if empty:
                # What deleted matches leave are zeros: packed they look like a file made to fill a disk (DENSEST).
                copy.execute("VACUUM")
        finally:
            copy.close()
            source.close()
    except DATABASE_FAULTS as error:
        raise JournalError(f"The database {database} can't be copied: {error}.") from error


def _write(path: Path, files: Mapping[str, Path]) -> None:
    entries = []
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, source in files.items():
            with suppress(FileNotFoundError):  # the oldest pictures give way to new ones
                entries.append(_packed(archive, name, source))
        archive.writestr(MANIFEST, msgspec.json.encode(Manifest(FORMAT, tuple(entries))))


def _packed(archive: zipfile.ZipFile, name: str, source: Path) -> ManifestEntry:
    digest, size = hashlib.sha256(), 0
    with source.open("rb") as file, archive.open(name, "w", force_zip64=True) as member:
        while chunk := file.read(_CHUNK):
            member.write(chunk)
            digest.update(chunk)
            size += len(chunk)
    return ManifestEntry(name, size, digest.hexdigest())


def _manifest(archive: zipfile.ZipFile, path: Path) -> Manifest:
    if archive.getinfo(MANIFEST).file_size > MANIFEST_LIMIT:
        raise BackupError(f"{path} is no backup of this program.")
    try:
        manifest = msgspec.json.decode(archive.read(MANIFEST), type=Manifest)
    except msgspec.MsgspecError as error:
        raise BackupError(f"{path} is no backup of this program: {error}.") from error
    if manifest.format != FORMAT:
        raise BackupError(f"{path} was made by a newer vrhcab ({manifest.format}); update this program.")
    if len(manifest.entries) > MOST_FILES:
        raise BackupError(f"{path} is no backup of this program: it holds {len(manifest.entries)} files.")
    for entry in manifest.entries:
        _check_name(entry.name)
        _check_size(archive, entry, path)
    if JOURNAL not in [entry.name for entry in manifest.entries]:
        raise BackupError(f"{path} holds no journal.")
    return manifest


def _digest(archive: zipfile.ZipFile, wanted: ManifestEntry) -> ManifestEntry:
    """What really lies there; reading stops where it gets longer than it should be."""
    digest, size = hashlib.sha256(), 0
    with archive.open(wanted.name) as member:
        while size <= wanted.size and (chunk := member.read(_CHUNK)):
            digest.update(chunk)
            size += len(chunk)
    return ManifestEntry(wanted.name, size, digest.hexdigest())


def _check_size(archive: zipfile.ZipFile, entry: ManifestEntry, path: Path) -> None:
    """Before anything is unpacked: a small file can say that it is a thousand times larger."""
    packed = archive.getinfo(entry.name).compress_size
    kind = next(kind for kind in LARGEST if _is_kind(entry.name, kind))
    if not 0 <= entry.size <= min(LARGEST[kind], packed * DENSEST + _CHUNK):
        raise BackupError(f"{path} is no backup of this program: {entry.name} would unpack to {entry.size >> 20} MB.")


def _is_kind(name: str, kind: str) -> bool:
    return name.startswith(kind) if kind == EVIDENCE else name.endswith(kind) if kind == SETTINGS else name == kind


def _check_name(name: str) -> None:
    """Only what this program writes: above all no PIN, and no path out of the folder."""
    path = PurePosixPath(name)
    inside = (
        "\\" not in name and ":" not in name and "\0" not in name and path.name == name and not name.startswith(".")
    )
    picture = name.startswith(EVIDENCE) and _PICTURE.fullmatch(name.removeprefix(EVIDENCE)) is not None
    if name not in (JOURNAL, ARCHIVE, HUB) and not picture and not (inside and name.endswith(SETTINGS)):
        raise BackupError(f"A backup can't hold a file named {name!r}.")
