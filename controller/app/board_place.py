"""Where a person has shown that the board lies, as it is kept beside the journal for the next start."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import msgspec

from controller.app.table import is_anothers
from controller.errors import ControllerError
from controller.record.owners import replace_file
from terms.board import Corner
from vision.errors import VisionError
from vision.frame import Corners
from vision.outside import read_regular
from vision.pictures.files import parse_corners
from vision.sentence import Sentence

LONGEST = 16384
"""bytes; four corners and their source take two hundred."""

OTHERS = 7
"""Places kept beside that which was shown last."""

AGAIN = Sentence("Show the board's corners again in the set-up; meanwhile the board is sought in the picture.")


@dataclass(frozen=True)
class BoardPlace:
    """corners: (4, 2) float32 px in a picture of that size (width, height), None: of whatever size; home: light's."""

    corners: Corners
    home: Corner
    size: tuple[int, int] | None = None


class _Shown(msgspec.Struct):
    """source: in whose pictures it was shown, as the settings name it; None: nobody has said, as long ago."""

    corners: str
    home: Corner
    size: tuple[int, int] | None = None
    source: str | None = None


class _StoredPlace(_Shown):
    """The newest of all. others: those of other sources, the newest first."""

    others: list[_Shown] = []


class BoardPlaceError(ControllerError):
    """What is kept says of no board where it lies, or can't be written; a sentence."""


def place_path(journal: Path) -> Path:
    """Where it is kept."""
    return journal.with_name("table.json")


def save_place(file: Path, corners: str, home: Corner, size: tuple[int, int] | None, source: str | None = None) -> None:
    """Keeps it beside what was shown in pictures of other sources. corners: "x,y x,y x,y x,y" px in a picture of that size from
    that source. Raises BoardPlaceError."""
    try:
        _keep(file, [_Shown(corners, home, size, source), *_of_others(file, source)])
    except OSError as error:
        raise BoardPlaceError(
            "{file} can't be written ({why}): the board is used, but not remembered.", file=file, why=error.strerror
        ) from error


def name_place(file: Path, source: str) -> None:
    """What is kept of no named source, as long ago, is that one's. Raises OSError; a damaged file stays as it is."""
    with suppress(ValueError, RecursionError):
        places = _all_kept(file)
        if any(one.source is None for one in places):
            _keep(file, [_Shown(one.corners, one.home, one.size, one.source or source) for one in places])


def saved_place(file: Path, source: str | None = None) -> BoardPlace | None:
    """What is kept for that source, None for any; None where nobody has shown the board in its pictures. Raises BoardPlaceError for
    whatever else the file holds."""
    try:
        kept = next((one for one in _all_kept(file) if not is_anothers(one.source, source)), None)
        if kept is None:
            return None
        if kept.size is not None and min(kept.size) < 1:
            raise BoardPlaceError("a picture has at least one pixel")
        return BoardPlace(parse_corners(kept.corners), kept.home, kept.size)
    except (ControllerError, VisionError, OSError, ValueError, RecursionError) as error:
        why = error.strerror if isinstance(error, OSError) else getattr(error, "sentence", str(error))
        raise BoardPlaceError(
            "{file} does not say where the board lies ({why}). {then}",
            file=file,
            why=why or type(error).__name__,
            then=AGAIN,
        ) from error


def _all_kept(file: Path) -> list[_Shown]:
    """The newest first. Raises OSError, ValueError or RecursionError for what is no such file."""
    if not file.is_file():
        return []
    kept = msgspec.json.decode(read_regular(file, LONGEST), type=_StoredPlace)
    return [kept, *kept.others]


def _of_others(file: Path, source: str | None) -> list[_Shown]:
    """What is kept of others than that one, by its source's name; nothing of a damaged file."""
    try:
        return [one for one in _all_kept(file) if is_anothers(one.source, source)]
    except (VisionError, OSError, ValueError, RecursionError):
        return []


def _keep(file: Path, places: list[_Shown]) -> None:
    """places: the newest first, one at least. Raises OSError."""
    first, others = places[0], places[1 : OTHERS + 1]
    replace_file(file, msgspec.json.encode(_StoredPlace(first.corners, first.home, first.size, first.source, others)))
