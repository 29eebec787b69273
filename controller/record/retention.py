"""Keeps a folder of frames and clips under a size: the oldest go."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path

_Dated = tuple[int, Path, int]
"""When a file was written, in ns, where it is, and its bytes."""


def prune(folder: Path, cap: int, newest: Collection[str] = ()) -> None:
    """Remove the oldest files until the folder holds at most `cap` bytes. Raises OSError.

    newest: names of those that were just written; where the clock was set back since, they are dated after the others.
    A file that vanishes meanwhile counts as gone. Folders and links inside are left alone.
    """
    files = list(_files(folder))
    last = max((when for when, path, _ in files if path.name not in newest), default=0)
    dated = [_dated_after(last, file) if file[1].name in newest else file for file in files]
    left = sum(size for _, _, size in dated)
    for _, path, size in sorted(dated):
        if left <= cap:
            break
        path.unlink(missing_ok=True)
        left -= size


def _files(folder: Path) -> Iterator[_Dated]:
    for path in folder.iterdir():
        with suppress(FileNotFoundError):
            status = path.lstat()
            if stat.S_ISREG(status.st_mode):
                yield status.st_mtime_ns, path, status.st_size


def _dated_after(last: int, file: _Dated) -> _Dated:
    """The file, later than that; where the disk lets only another user date its files it counts so for now."""
    when, path, size = file
    if when > last:
        return file
    with suppress(OSError):
        os.utime(path, ns=(last + 1, last + 1))
    return last + 1, path, size
