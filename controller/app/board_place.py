"""Where a person has shown that the board lies, as it is kept beside the journal for the next start."""

from __future__ import annotations

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

LONGEST = 4096
"""bytes; four corners take a hundred."""

AGAIN = Sentence("Show the board's corners again in the set-up; meanwhile the board is sought in the picture.")


@dataclass(frozen=True)
class BoardPlace:
    """corners: (4, 2) float32 px in a picture of that size (width, height), None: of whatever size; home: light's."""

    corners: Corners
    home: Corner
    size: tuple[int, int] | None = None


class _StoredPlace(msgspec.Struct):
    """source: in whose pictures it was shown, as the settings name it; None: nobody has said, as long ago."""

    corners: str
    home: Corner
    size: tuple[int, int] | None = None
    source: str | None = None


class BoardPlaceError(ControllerError):
    """What is kept says of no board where it lies, or can't be written; a sentence."""


def place_path(journal: Path) -> Path:
    """Where it is kept."""
    return journal.with_name("table.json")


def save_place(file: Path, corners: str, home: Corner, size: tuple[int, int] | None, source: str | None = None) -> None:
    """Keeps it. corners: "x,y x,y x,y x,y" px in a picture of that size from that source. Raises BoardPlaceError."""
    try:
        replace_file(file, msgspec.json.encode(_StoredPlace(corners, home, size, source)))
    except OSError as error:
        raise BoardPlaceError(
            "{file} can't be written ({why}): the board is used, but not remembered.", file=file, why=error.strerror
        ) from error


def saved_place(file: Path, source: str | None = None) -> BoardPlace | None:
    """What is kept for that source, None for any; None where nobody has shown the board in its pictures. Raises BoardPlaceError for
    whatever else the file holds."""
    try:
        if not file.is_file():
            return None
        kept = msgspec.json.decode(read_regular(file, LONGEST), type=_StoredPlace)
        if kept.size is not None and min(kept.size) < 1:
            raise BoardPlaceError("a picture has at least one pixel")
        if is_anothers(kept.source, source):
            return None
        return BoardPlace(parse_corners(kept.corners), kept.home, kept.size)
    except (ControllerError, VisionError, OSError, ValueError, RecursionError) as error:
        why = error.strerror if isinstance(error, OSError) else getattr(error, "sentence", str(error))
        raise BoardPlaceError(
            "{file} does not say where the board lies ({why}). {then}",
            file=file,
            why=why or type(error).__name__,
            then=AGAIN,
        ) from error
