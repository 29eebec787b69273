"""The verdicts on matches that GNU Backgammon has given, kept beside the journal: for each match the one on what it is now."""

from __future__ import annotations

import logging
from hashlib import sha256
from pathlib import Path

import msgspec

from controller.record.model import Record
from controller.record.owners import replace_file
from vision.outside import FileRefused, read_regular
from web.operator import MatchAnalysis

LARGEST = 4_000_000
"""bytes of a file that is read; a long match takes two hundred thousand."""

_log = logging.getLogger(__name__)
_ANALYSES = msgspec.json.Decoder(MatchAnalysis)


class Analyses:
    """In a folder that is made when it is first needed. From any thread."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def find(self, record: Record) -> MatchAnalysis | None:
        """The verdict on the match as it is now; None where there is none, or it was corrected since."""
        path = self._path(record)
        try:
            return _ANALYSES.decode(read_regular(path, LARGEST)) if path.is_file() else None
        except (FileRefused, OSError, ValueError, RecursionError) as error:
            _log.warning("%s can't be read (%s): the match can be analysed anew.", path, error)
            return None

    def keep(self, record: Record, analysis: MatchAnalysis) -> None:
        """Keeps it in the place of an earlier one. Where it can't be written it is only not kept."""
        path = self._path(record)
        try:
            self._folder.mkdir(exist_ok=True)
            for old in self._folder.glob(f"{path.stem.rpartition('-')[0]}-*.json"):
                old.unlink()
            replace_file(path, msgspec.json.encode(analysis))
        except OSError as error:
            _log.warning("%s can't be written (%s): the verdict is not kept.", path, error.strerror)

    def _path(self, record: Record) -> Path:
        """Named after the match and what was played in it: a name out of a journal is no name of a file."""
        match, games = (
            sha256(part).hexdigest()[:16] for part in (record.match_id.encode(), msgspec.json.encode(record.games))
        )
        return self._folder / f"{match}-{games}.json"
