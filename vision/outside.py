"""The door for files that people bring: regular ones of a sensible size. A pipe is not waited for, a device not touched."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from vision.errors import VisionError

_PIECE = 1 << 20

_KINDS = (
    (stat.S_ISDIR, "it is a folder"),
    (stat.S_ISFIFO, "it is a pipe; write to a file first"),
    (stat.S_ISSOCK, "it is a socket, not a file"),
    (stat.S_ISCHR, "it is a device, not a file"),
    (stat.S_ISBLK, "it is a disk, not a file"),
)


class FileRefused(VisionError):
    """Why a file can't be taken, as the end of a sentence: "No such file or directory", "it is a folder"."""


def named_path(text: str) -> Path:
    """The path that somebody has written down: "~" begins a home folder. Raises FileRefused."""
    try:
        return Path(text).expanduser()
    except RuntimeError as error:
        raise FileRefused("nobody here knows the home folder with which it begins") from error


def check_regular(path: Path) -> int:
    """The size in bytes of a file that may be opened. Raises FileRefused."""
    try:
        found = path.stat()
    except OSError as error:
        raise FileRefused(error.strerror or "the system refuses it") from error
    except ValueError as error:
        raise FileRefused("a name can't hold a zero byte") from error
    return _size(found)


def is_readable(name: str) -> bool:
    """Whether a name is text; OpenCV ends the process over one that is not."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def check_target(path: Path) -> None:
    """Whether a file may be written there: where there is something, it must be a file. Raises FileRefused."""
    if path.exists():
        check_regular(path)


def read_regular(path: Path, most: int) -> bytes:
    """What is in a file of at most `most` bytes. Raises FileRefused."""
    if check_regular(path) > most:
        raise _too_large(most)
    try:
        # The name may have come to mean something else since it was looked at.
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            _size(os.fstat(file.fileno()))
            data = bytearray()
            while piece := file.read(min(_PIECE, most + 1 - len(data))):
                data += piece
    except OSError as error:
        raise FileRefused(error.strerror or "the system refuses it") from error
    if len(data) > most:
        raise _too_large(most)
    return bytes(data)


def _size(found: os.stat_result) -> int:
    why = next((why for is_so, why in _KINDS if is_so(found.st_mode)), None)
    if why is not None:
        raise FileRefused(why)
    return found.st_size


def _too_large(most: int) -> FileRefused:
    shown = f"{most // 1_000_000} MB" if most >= 1_000_000 else f"{most // 1000} kB"
    return FileRefused(f"it is larger than {shown}, the most that makes sense")
