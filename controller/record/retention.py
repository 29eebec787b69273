"""Keeps a folder of frames and clips under a size, oldest first, sparing those that a record points to."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Pruned:
    """removed: names of the files that went; left: bytes that remain, which exceed the cap where only spared files do."""

    removed: tuple[str, ...]
    left: int


def prune(folder: Path, cap: int, spared: Collection[str] = ()) -> Pruned:
    """Remove the oldest files until the folder holds at most `cap` bytes. Raises OSError.

    spared: names that are evidence of something unresolved; they stay even above the cap. A file that vanished
    meanwhile counts as gone. Folders inside are left alone.
    """
    files = []
    for path in folder.iterdir():
        if path.is_file() and not path.is_symlink():
            status = path.stat()
            files.append((status.st_mtime_ns, path, status.st_size))
    left = sum(size for _, _, size in files)
    removed = []
    for _, path, size in sorted(files):
        if left <= cap:
            break
        if path.name in spared:
            continue
        path.unlink(missing_ok=True)
        removed.append(path.name)
        left -= size
    return Pruned(tuple(removed), left)
