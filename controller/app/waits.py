"""What waits to be written, in a file beside the journal, so that a power cut forgets nothing of it: for a start that finds the
journal ending as it did then, and for no other.

It may be older than what was seen last, as long as nothing was written since: whoever goes on from it has missed some looks.
"""

from __future__ import annotations

import zlib
from contextlib import suppress
from pathlib import Path

import msgspec

from controller.errors import ControllerError
from controller.record.journal import Journal
from controller.record.owners import replace_file
from controller.referee.kept import SHAPE, Kept, decode_kept, encode_kept
from vision.errors import VisionError
from vision.outside import read_regular

LONGEST = 1_000_000
"""bytes; in twenty simulated games it had 14,388 at most."""


class _File(msgspec.Struct, frozen=True):
    """shape: of what is kept, in the program that wrote it; last, newest: number and checksum of the journal's newest event then;
    checksum: of what is kept."""

    shape: int
    last: int
    newest: int
    checksum: int
    kept: msgspec.Raw


def waits_path(journal: Path) -> Path:
    """Where it is kept."""
    return journal.with_name("waits.json")


class WaitsFile:
    """For the referee's thread. A disk that does not take it takes no events either, which is told."""

    def __init__(self, path: Path | None, journal: Journal) -> None:
        """path: None for nowhere."""
        self._path, self._journal = path, journal
        self._last: tuple[int, object] | None = None

    def read(self) -> Kept | None:
        """What was kept when the journal ended as it does now. None where nothing was, another program has kept it, or it is
        damaged."""
        if self._path is None:
            return None
        with suppress(ControllerError, VisionError, OSError, ValueError, RecursionError):
            file = msgspec.json.decode(read_regular(self._path, LONGEST), type=_File)
            kept = bytes(file.kept)
            if (file.shape, file.checksum) != (SHAPE, zlib.crc32(kept)):
                return None
            return decode_kept(kept) if (file.last, file.newest) == self._newest() else None
        return None

    def keep(self, kept: Kept | None) -> None:
        """Keeps that, unless the like was kept last, to spare the card; None: nothing waits."""
        last = self._journal.last
        now = None if kept is None else (last, kept.gist)
        if self._path is None or now == self._last:
            return
        with suppress(ControllerError, OSError):
            if kept is not None:
                number, newest = self._newest()
                data = encode_kept(kept)
                file = _File(SHAPE, number, newest, zlib.crc32(data), msgspec.Raw(data))
                replace_file(self._path, msgspec.json.encode(file))
            elif self._last is not None and self._last[0] == last:
                self._path.unlink(missing_ok=True)
            self._last = now

    def _newest(self) -> tuple[int, int]:
        """Number and checksum of the journal's newest event. Raises JournalError."""
        last = self._journal.last
        return last, next((event.checksum for event in self._journal.events(last - 1)), 0)
