"""Files that belong to whom they should when root writes them: the owner of what was there, else the owner of the folder.

A service reads what `sudo vrhcab restore` and `sudo vrhcab pin --reset` leave behind.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import BinaryIO

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
