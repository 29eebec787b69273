"""What a table has taught, as it is kept beside the journal for the next start; `vrhcab learn` shows it and forgets it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt

from controller.app.table import is_anothers
from controller.errors import ControllerError
from controller.record.owners import replace_file
from controller.tracking.dice import ALL_READ, Faces
from vision.errors import VisionError
from vision.network import fingerprint
from vision.outside import read_regular
from vision.reading.appearance import Appearance
from vision.reading.lessons import COUNTS, KEPT, Lesson, Lessons, Sighting

LONGEST = 2_000_000
"""bytes; eleven positions take some 370,000."""
CHECKERS = 15
"""Of a side: nothing asks for it, but that programs of before don't read a file without it."""
CORRECTED = ("columns.onnx", "piles.onnx", "on_bar.onnx")
"""The networks that lessons put right."""
MOST_DICE = 1_000_000
WIDEST = 4096
"""Features of a column; the networks that ship have 152."""


def _networks() -> str:
    return "+".join(map(fingerprint, CORRECTED))


class LearntError(ControllerError):
    """What is kept can't be used; a sentence."""


class _Lesson(msgspec.Struct):
    """Arrays of float16 and int8, row by row."""

    features: bytes
    counts: bytes
    side: bytes
    colour: bytes
    coloured: bytes
    bar_features: bytes
    bar_weights: bytes
    columns: tuple[int, ...]
    bar: tuple[int, int]
    known: bytes
    looks: bytes
    texture: bytes = b""


class _StoredLooks(msgspec.Struct):
    """network: the fingerprint of the one whose words the lessons correct; an update of the program may bring another. dice: as
    `Faces` has them. source: whose pictures taught it, as the settings name it; None: nobody has said, as long ago."""

    since: str
    newest: str
    positions: int
    light: tuple[float, float, float]
    dark: tuple[float, float, float]
    checkers: int
    gain: float
    lessons: tuple[_Lesson, ...]
    network: str = ""
    dice: tuple[tuple[float, ...], ...] = ALL_READ.counts
    source: str | None = None


class Learnt(msgspec.Struct, frozen=True):
    """What is kept. since, newest: when the first and the newest position taught, ISO 8601; faces: what the dice were read as."""

    since: str
    newest: str
    appearance: Appearance
    faces: Faces


def learnt_path(journal: Path) -> Path:
    """Where it is kept."""
    return journal.with_name("learnt.json")


def save_learnt(file: Path, appearance: Appearance, faces: Faces, since: str | None, source: str | None = None) -> str:
    """Keeps it, of pictures from that source; since when it is kept, which is now where since is None. Raises LearntError."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    lessons = appearance.lessons
    kept = _StoredLooks(
        since or now,
        now,
        appearance.positions,
        _three(appearance.light),
        _three(appearance.dark),
        CHECKERS,
        lessons.gain if lessons else 0.0,
        tuple(_packed(one) for one in lessons.lessons) if lessons else (),
        _networks(),
        faces.counts,
        source,
    )
    try:
        replace_file(file, msgspec.json.encode(kept))
    except OSError as error:
        raise LearntError(
            f"{file} can't be written ({error.strerror}): what the table taught is used, but not remembered."
        ) from error
    return kept.since


def saved_learnt(file: Path, source: str | None = None) -> Learnt | None:
    """What is kept, but only the colours where it corrected another network or was written before there were
    textures; None where nothing is, or pictures from another source than that taught it. source: None for any.

    Raises LearntError for whatever else the file holds.
    """
    try:
        if not file.is_file():
            return None
        kept = msgspec.json.decode(read_regular(file, LONGEST), type=_StoredLooks)
        if is_anothers(kept.source, source):
            return None
        same = kept.network == _networks() and all(one.texture for one in kept.lessons)
        lessons = tuple(_unpacked(one) for one in kept.lessons[:KEPT]) if same else ()
        light, dark = (np.array(colour, np.float32) for colour in (kept.light, kept.dark))
        if kept.positions < 1 or not np.isfinite([*light, *dark, kept.gain]).all():
            raise ValueError("numbers that can't be")
        taught = Lessons(lessons, kept.gain) if lessons else None
        if taught is not None and not taught.both_sides:
            raise ValueError("checkers of one side alone")
        appearance = Appearance(light, dark, None, kept.positions, taught)
        return Learnt(kept.since, kept.newest, appearance, _faces(kept.dice))
    except (ControllerError, VisionError, OSError, ValueError, RecursionError) as error:
        why = (error.strerror if isinstance(error, OSError) else str(error)) or type(error).__name__
        raise LearntError(
            f"{file} does not say what the table taught ({why.rstrip('.')}). Forget it with vrhcab learn --forget."
        ) from error


def _faces(kept: tuple[tuple[float, ...], ...]) -> Faces:
    """Raises ValueError where they are none of six values, or hold no numbers."""
    counts = np.array(kept)
    if counts.shape != np.shape(ALL_READ.counts) or not ((counts >= 0) & (counts <= MOST_DICE)).all():
        raise ValueError("dice that can't be")
    return Faces(kept)


def _three(colour: npt.NDArray[np.float32]) -> tuple[float, float, float]:
    one, two, three = (float(part) for part in colour)
    return one, two, three


def _packed(lesson: Lesson) -> _Lesson:
    def half(values: npt.NDArray[np.float32]) -> bytes:
        return np.asarray(np.clip(values, -60_000, 60_000), np.float16).tobytes()

    seen = lesson.seen
    return _Lesson(
        half(seen.features),
        half(seen.counts),
        half(seen.side),
        half(seen.colour),
        seen.coloured.astype(np.int8).tobytes(),
        half(seen.bar_features),
        half(seen.bar),
        tuple(int(count) for count in lesson.columns),
        (int(lesson.bar[0]), int(lesson.bar[1])),
        lesson.known.astype(np.int8).tobytes(),
        half(seen.looks),
        half(seen.texture),
    )


def _unpacked(kept: _Lesson) -> Lesson:
    """Raises ValueError where its arrays have other shapes, or hold no numbers."""

    def whole(data: bytes, *shape: int) -> npt.NDArray[np.float32]:
        values = np.frombuffer(data, np.float16).astype(np.float32).reshape(shape)
        if not np.isfinite(values).all() or max(values.shape) > WIDEST:
            raise ValueError("numbers that can't be")
        return values

    def yes(data: bytes, length: int) -> npt.NDArray[np.bool_]:
        return np.asarray(np.frombuffer(data, np.int8).reshape(length) != 0, np.bool_)

    columns, bar = np.array(kept.columns, np.int64), np.array(kept.bar, np.int64)
    if columns.shape != (24,) or np.abs(columns).max() >= COUNTS or bar.min() < 0 or bar.max() >= COUNTS:
        raise ValueError("checkers that can't be")
    seen = Sighting(
        whole(kept.features, 24, -1),
        whole(kept.counts, 24, COUNTS),
        whole(kept.side, 24),
        whole(kept.colour, 24, 3),
        whole(kept.texture, 24, 3),
        yes(kept.coloured, 24),
        whole(kept.bar_features, -1),
        whole(kept.bar_weights, 2, COUNTS),
        whole(kept.looks, 24, -1),
    )
    return Lesson(seen, columns, bar, yes(kept.known, 25))
