"""The journal's file on the disk: who owns it, told by inode, and whether it still lies where it was opened.

SQLite guards a database with POSIX locks, which a process loses for a file as soon as it closes any handle of it. So the
file is opened once beside SQLite's own handles, and that handle stays open as long as SQLite's do. Its flock, which other
handles don't touch, is what keeps a second program out, whatever name it comes by: a link leads to the same inode.
"""

from __future__ import annotations

import errno
import fcntl
import os
import stat
import threading
import time
from pathlib import Path
from typing import Literal
from weakref import WeakValueDictionary

from controller.errors import ControllerError
from controller.record.owners import make_file, make_folder

Inode = tuple[int, int]
"""Device and number: the file itself, whatever it is called."""

LOOKING = 0.3
"""Seconds for which a lock is asked for again: in_use() holds it for a moment."""

_held: WeakValueDictionary[Inode, JournalFile] = WeakValueDictionary()
_guard = threading.Lock()
"""For _held, and while a file is opened that may be in it."""


class JournalError(ControllerError):
    """The journal can't be used as asked; the text is one sentence for the person at the board."""


class NotNowError(JournalError):
    """It can't be written for the time being: what is wrong lies outside it, and may be put right while a program waits."""


OUTSIDE = (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC, errno.EDQUOT, errno.EIO)
"""What the system says where a permission, a disk or a place on it is missing."""


class JournalFile:
    """One journal file, owned by this process until close(). Made, with its folder, where there is none.

    path: with links resolved, since SQLite puts its log there. Raises JournalError where another program owns it, or it
    can't be opened for writing.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        self._named = path
        try:
            make_folder(self.path.parent)
            _refuse_other_kinds(self.path)
            with _guard:
                if inode_at(self.path) in _held:
                    raise _taken(path)
                # Python's own file object: it closes its handle when nobody refers to it any more.
                descriptor = make_file(self.path)
                self._file = os.fdopen(descriptor, "rb", buffering=0)
                self.inode = _inode(os.fstat(descriptor))
                _lock(self._file.fileno(), path)
                _held[self.inode] = self
            _refuse_other_names(self.path)
        except OSError as error:
            kind = NotNowError if error.errno in OUTSIDE else JournalError
            raise kind(f"The journal {path} can't be opened for writing: {error.strerror}.") from error

    @property
    def size(self) -> int:
        """Bytes."""
        return os.fstat(self._file.fileno()).st_size

    def start(self, length: int) -> bytes:
        """The file's first bytes, read through the handle that stays open."""
        return os.pread(self._file.fileno(), length, 0)

    @property
    def log(self) -> Path:
        """SQLite's write-ahead log."""
        return beside(self.path, "-wal")

    def place(self) -> Literal["ours", "vacant", "taken"]:
        """What lies where the journal was opened: this file, nothing, or another one."""
        found = inode_at(self._named)
        if found is None:
            found = inode_at(self.path)
        return "vacant" if found is None else "ours" if found == self.inode else "taken"

    def close(self) -> None:
        """After SQLite's last handle is closed, not before."""
        with _guard:
            _held.pop(self.inode, None)
            self._file.close()


def in_use(path: Path | str) -> bool:
    """Whether a running program writes to this journal now."""
    path = Path(path)
    with _guard:
        if inode_at(path) in _held:
            return True
        try:
            _refuse_other_kinds(path)
            with path.open("rb") as file:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        except (OSError, JournalError):
            return False
    return False


def inode_at(path: Path) -> Inode | None:
    """The file that the path leads to; None where there is none."""
    try:
        return _inode(path.stat())
    except OSError:
        return None


def beside(path: Path, ending: str) -> Path:
    """SQLite's own files lie beside the database: "-wal" the log, "-shm" its index."""
    return path.with_name(path.name + ending)


def sync_folder(folder: Path) -> None:
    """A new name is durable only with its folder."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def refuse_other_names(path: Path) -> None:
    """Raises JournalError where the file has a log by another of its names: by this one SQLite would not find it, and
    newer events with it."""
    try:
        _refuse_other_names(path.resolve())
    except OSError as error:
        raise JournalError("The journal {path} can't be opened: {why}.", path=path, why=error.strerror) from error


def _refuse_other_names(path: Path) -> None:
    status = path.stat()
    if status.st_nlink < 2 or beside(path, "-wal").exists():
        return
    for other in path.parent.iterdir():
        if other.name != path.name and beside(other, "-wal").exists() and inode_at(other) == _inode(status):
            raise JournalError(
                "{path} is another name (a hard link) of the journal {other}; its newest events are found only by "
                "that name. Use {other}, or remove one of the two names while no program uses it.",
                path=path,
                other=other,
            )


def _refuse_other_kinds(path: Path) -> None:
    """A pipe would be waited for without end, a device never ends."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return
    if stat.S_ISDIR(mode):
        raise JournalError("{path} is a folder; the journal needs a file name.", path=path)
    if not stat.S_ISREG(mode):
        raise JournalError("{path} is no ordinary file; the journal needs one.", path=path)


def _lock(descriptor: int, path: Path) -> None:
    until = time.monotonic() + LOOKING
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError as error:
            if time.monotonic() > until:
                raise _taken(path) from error
            time.sleep(0.02)


def _inode(status: os.stat_result) -> Inode:
    return status.st_dev, status.st_ino


def _taken(path: Path) -> JournalError:
    return JournalError("Another vrhcab already writes to {path}; stop it first, or choose another journal.", path=path)
