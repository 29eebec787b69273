"""The verdicts on matches that GNU Backgammon has given, kept beside the journal: for each match the one on what it is now."""

from __future__ import annotations

import logging
from hashlib import sha256
from pathlib import Path

import msgspec

from controller.record.model import Action, Game, Record
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
        if not path.is_file():
            path = self._named(record, record.games)  # as earlier programs called it
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
        """Named after the match and what was played in it, whatever was said of that."""
        return self._named(record, tuple(map(_played, record.games)))

    def _named(self, record: Record, games: tuple[Game, ...]) -> Path:
        """A name out of a journal is no name of a file."""
        match, played = (
            sha256(part).hexdigest()[:16] for part in (record.match_id.encode(), msgspec.json.encode(games))
        )
        return self._folder / f"{match}-{played}.json"


_SAID = {field.name: field.default for field in msgspec.structs.fields(Action)}
"""What every action may carry beside its own fields, as an action has it that nobody said anything of."""


def _played(game: Game) -> Game:
    """Without times, marks, remarks and what the referee said, in whatever words a version of the program has for that."""
    actions = tuple(msgspec.structs.replace(action, **_SAID) for action in game.actions)
    return msgspec.structs.replace(game, line=None, comment="", actions=actions)
