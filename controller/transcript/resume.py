"""The file from which an interrupted transcription goes on: beside the record, with its name and `.part`.

It belongs to one recording and one way of asking; another's is refused, in a sentence.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec
import numpy as np

from controller.errors import ControllerError
from controller.record.owners import replace_file
from controller.referee.events import VERSION, EventError, decode, encode
from controller.transcript.report import Pictured
from controller.transcript.transcribe import Left
from terms.board import Corner
from vision.outside import FileRefused, read_regular
from vision.sources.files import PICTURE_ENDINGS, seen_in

FORMAT = "vrhcab-part-3"
MOST_BYTES = 256_000_000
"""A turn takes some 15 kB, its picture included: 17,000 turns."""
FARTHEST = 1e9
"""px, or seconds: nothing that is kept is farther away."""


class ResumeError(ControllerError):
    """Why a transcription can't be gone on with, in a sentence."""


class _Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Left as a file. asked: which recording this is of, and how it was to be read; corners: none where there is no Left."""

    format: str
    asked: str
    version: int
    seconds: float = 0.0
    corners: list[tuple[float, float]] = []
    size: tuple[int, int] = (1, 1)
    light_home: Corner = "bottom-right"
    events: list[str] = []
    pictures: list[Pictured] = []


def part_beside(output: Path) -> Path:
    """Where the work on that record is kept while it is not done."""
    return output.with_name(output.name + ".part")


def fingerprint(source: Path, *asked: object) -> str:
    """Which recording, as its name, size and time of change tell, and how it is to be read; a file that says how, likewise."""
    told = tuple(_told(one) if isinstance(one, Path) else one for one in asked)
    return hashlib.sha256(repr((_told(source), told)).encode("utf-8", "surrogatepass")).hexdigest()


def _told(path: Path) -> tuple[object, ...]:
    """A folder is told by its pictures: others under the same names leave it as it was, and the record may lie beside them."""
    try:
        if path.is_dir():
            return path.name, *(_told(one) for one in seen_in(path) if one.suffix.lower() in PICTURE_ENDINGS)
        found = path.stat()
        return path.name, found.st_size, found.st_mtime_ns
    except OSError:
        return str(path), 0, 0


def keep(left: Left | None, path: Path, asked: str) -> None:
    """Writes the file. left: None where there was nothing yet to go on from. Raises OSError."""
    part = _Part(format=FORMAT, asked=asked, version=VERSION)
    if left is not None:
        part = msgspec.structs.replace(
            part,
            seconds=left.seconds,
            corners=[(float(x), float(y)) for x, y in left.corners],
            size=left.size,
            light_home=left.light_home,
            events=[encode(event) for event in left.events],
            pictures=list(left.pictures),
        )
    replace_file(path, msgspec.msgpack.encode(part))


def kept(path: Path, asked: str) -> Left | None:
    """What the file holds; None where there is none, or nothing was left. Raises ResumeError."""
    if not path.exists():
        return None
    try:
        part = msgspec.msgpack.decode(read_regular(path, MOST_BYTES), type=_Part)
        events = tuple(decode(part.version, event) for event in part.events)
        corners = np.array(part.corners, np.float64).reshape(-1, 2)
        if len(corners) not in (0, 4):
            raise ValueError("corners of no board")
        if not (np.abs([*corners.flat, part.seconds]) < FARTHEST).all() or min(part.size) < 1:
            raise ValueError("numbers that can't be")
    except (FileRefused, msgspec.DecodeError, EventError, ValueError, RecursionError) as error:
        raise ResumeError(f"{path} can't be gone on from ({error}). Delete it, and begin anew.") from error
    if part.format != FORMAT or part.asked != asked:
        raise ResumeError(
            f"{path} was left by another recording, by one that was to be read otherwise, or by another version of Vrhcáb. "
            "Give the same options; if they are the same, delete it and begin anew."
        )
    if not part.corners:
        return None
    return Left(part.seconds, corners.astype(np.float32), part.size, part.light_home, events, tuple(part.pictures))
