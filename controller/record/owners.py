"""Files that are written whole, and belong to whom they should when root writes them: who had what was there, else the folder.

A service reads what `sudo vrhcab restore` and `sudo vrhcab pin --reset` leave behind.
"""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from pathlib import Path
from typing import BinaryIO

from vision.outside import FileRefused, check_target

OWNER_ONLY = 0o600
"""Mode of what this program makes: names of players, their games and settings are nobody else's business."""


def new_file(path: Path) -> BinaryIO:
    """A file that was not there, for its owner alone. Raises OSError."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, OWNER_ONLY)
    file = os.fdopen(descriptor, "wb")
    try:
        belong_as(path, path.parent.stat())
    except OSError:
        file.close()
        path.unlink()
        raise
    return file


def make_file(path: Path) -> int:
    """A handle for reading and writing of the file, which is made like new_file() where it was not there. Raises OSError."""
    flags = os.O_RDWR | os.O_CLOEXEC
    try:
        descriptor = os.open(path, flags | os.O_CREAT | os.O_EXCL, OWNER_ONLY)
    except FileExistsError:
        return os.open(path, flags | os.O_CREAT, OWNER_ONLY)
    try:
        belong_as(path, path.parent.stat())
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def make_folder(folder: Path) -> None:
    """The folder and those above it, where they are missing. Raises OSError."""
    if folder.is_dir():
        return
    make_folder(folder.parent)
    folder.mkdir(mode=0o750, exist_ok=True)
    belong_as(folder, folder.parent.stat())


def belong_as(path: Path, model: os.stat_result) -> None:
    """Give the path to that owner and group; only root can, and for everybody else nothing changes. Raises OSError."""
    if os.geteuid() == 0:
        os.chown(path, model.st_uid, model.st_gid, follow_symlinks=False)


def replace_file(path: Path, data: bytes) -> None:
    """The whole new content or the old one, even if the power goes. A new file is for its owner's eyes alone; one that takes
    another's place keeps that one's mode. Raises OSError, also for a place that is no file."""
    try:
        check_target(path)
    except FileRefused as error:
        raise OSError(errno.EINVAL, str(error), str(path)) from error
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:100]}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        _as_it_was(path, Path(name))
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def _as_it_was(old: Path, new: Path) -> None:
    try:
        was = old.stat()
    except FileNotFoundError:
        belong_as(new, new.parent.stat())
    else:
        belong_as(new, was)
        new.chmod(stat.S_IMODE(was.st_mode) & 0o666)
