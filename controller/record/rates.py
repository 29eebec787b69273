"""The error rates of matches that GNU Backgammon has judged, a line of JSON each: lists need not open the verdicts."""

from __future__ import annotations

import logging
import threading
from pathlib import Path

import msgspec

from vision.outside import FileRefused, read_regular
from web.operator import PlayerAnalysis

LARGEST = 16_000_000
"""bytes of the file that are read; a line takes two hundred."""

_log = logging.getLogger(__name__)

Pair = tuple[PlayerAnalysis, PlayerAnalysis]
"""Light's and dark's."""


class Rated(msgspec.Struct, frozen=True):
    """One line. last: sequence of the match's last event when it was judged; players: light and dark."""

    match: str
    last: int
    players: Pair


_RATED = msgspec.json.Decoder(Rated)


class Rates:
    """One file, read when it is first asked. From any thread."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._known: dict[str, Rated] | None = None
        self.changes = 0
        """How often anything has changed: what was made of the rates is old when this has moved."""

    def find(self, match: str, last: int) -> Pair | None:
        """Those of a match, whose last event has that sequence now; None where nobody judged it since."""
        with self._lock:
            rated = self._lines().get(match)
        return rated.players if rated is not None and rated.last == last else None

    def add(self, match: str, last: int, players: Pair) -> None:
        """Keeps those of a match. Where they can't be written they last as long as the program."""
        rated = Rated(match, last, players)
        with self._lock:
            if self._lines().get(match) == rated:
                return
            self._lines()[match] = rated
            self.changes += 1
            try:
                self._path.parent.mkdir(exist_ok=True)
                with self._path.open("ab") as file:
                    # The line before may have been torn off by a power cut.
                    file.write((b"\n" if file.tell() else b"") + msgspec.json.encode(rated))
            except OSError as error:
                _log.warning("%s can't be written (%s): the error rates are not kept.", self._path, error.strerror)

    def _lines(self) -> dict[str, Rated]:
        if self._known is None:
            self._known = {one.match: one for one in map(_line, self._read().split(b"\n")) if one is not None}
        return self._known

    def _read(self) -> bytes:
        try:
            return read_regular(self._path, LARGEST) if self._path.is_file() else b""
        except (FileRefused, OSError) as error:
            _log.warning("%s can't be read (%s): error rates come again with new verdicts.", self._path, error)
            return b""


def _line(text: bytes) -> Rated | None:
    try:
        return _RATED.decode(text)
    except (ValueError, RecursionError):
        return None
