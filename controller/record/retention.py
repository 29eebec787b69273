"""Keeps a folder of frames and clips under a size: the oldest go."""

from __future__ import annotations

import stat
from contextlib import suppress
from pathlib import Path


def prune(folder: Path, cap: int) -> None:
    """Remove the oldest files until the folder holds at most `cap` bytes. Raises OSError.

    A file that vanishes meanwhile counts as gone. Folders and links inside are left alone.
    """
    files = []
    for path in folder.iterdir():
        with suppress(FileNotFoundError):
            status = path.lstat()
            if stat.S_ISREG(status.st_mode):
                files.append((status.st_mtime_ns, path, status.st_size))
    left = sum(size for _, _, size in files)
    for _, path, size in sorted(files):
        if left <= cap:
            break
        path.unlink(missing_ok=True)
        left -= size
