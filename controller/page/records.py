"""Matches of a running program's journal as records: to look at, and as files to keep."""

from __future__ import annotations

import re
import threading
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec.structs import replace

from controller.record.amended import events_of_match
from controller.record.formats import write_record
from controller.record.journal import Journal
from controller.record.matches import Matches
from controller.record.model import AnyAction, PlayAction, Record, RecordError
from controller.record.of_journal import record_of_match
from web.operator import Export, Form
from web.words import message

NOT_IN_NAMES = re.compile(r'[\\/:*?"<>|\x00-\x1f\x7f]')
"""What some system takes for more than a letter in the name of a file."""

_MEDIA = {
    "mat": "text/plain",
    "sgf": "application/x-go-sgf",
    "json": "application/json",
    "csv": "text/csv",
    "txt": "text/plain",
    "html": "text/html",
}


class RecordReader:
    """Reads records out of a journal. Of all who ask at once one reads at a time, and the last record is kept: a long match
    takes a second to put together."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._reading = threading.Lock()
        self._last: tuple[str, int, Record] | None = None

    def record(self, identity: str, matches: Matches) -> Record | None:
        """That match's record; None for one that is not among the journal's matches."""
        found = self.record_until(identity, matches)
        return found[1] if found else None

    def record_until(self, identity: str, matches: Matches) -> tuple[int, Record] | None:
        """The same, with the sequence of the last event that is in it."""
        with self._reading:
            span = matches.span(identity)
            if span is None:
                return None
            _, last = span
            if self._last is None or self._last[:2] != (identity, last):
                events = events_of_match(self._journal, matches, identity)
                # Bytes of a file's name that are no text become question marks.
                name = self._journal.path.name.encode("utf-8", "replace").decode()
                self._last = identity, last, record_of_match(events, name)
            return self._last[1:]


def exported(record: Record, form: Form, language: str = "en") -> Export:
    """A record as a file, its score sheet in that language; where the format can't hold it, a file that says so."""
    name = f"{record.players[0].name}-{record.players[1].name}-{record.date or record.match_id}.{form}"
    with TemporaryDirectory(prefix="vrhcab-export-") as folder:
        path = Path(folder) / (f"match.{language}.html" if form == "html" else f"match.{form}")
        try:
            write_record(record, path)
        except RecordError as error:
            sentence = message(error.sentence).words[language]
            return Export("problem.txt", "text/plain; charset=utf-8", f"{sentence}\n".encode())
        return Export(NOT_IN_NAMES.sub("-", name), _MEDIA[form], path.read_bytes())


def unjudged(record: Record) -> Record:
    """A record without what the referee said or thinks, and the pictures kept for it."""
    games = tuple(replace(game, actions=tuple(map(_unjudged, game.actions))) for game in record.games)
    return replace(record, games=games)


def _unjudged(action: AnyAction) -> AnyAction:
    plain = replace(action, flags=(), flagged=(), evidence=())
    return replace(plain, legal=True) if isinstance(plain, PlayAction) else plain
