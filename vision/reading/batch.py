"""Reads pictures that one fixed camera took of one set: the surest of them teach what the rest are read with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.board.geometry import BoardGeometry
from vision.frame import Frame
from vision.observation import Observation
from vision.reading.appearance import Appearance, learn_from_known, updated
from vision.reading.checkers import ColumnReader
from vision.reading.position_decoder import DecodedPosition, most_likely
from vision.reading.reader import BoardReader

TEACHERS = 8
"""Pictures that teach: colours and bar stand still after this many."""
LEARNT_FROM = 0.5
"""Confidence from which a picture teaches: more likely right than wrong, and one wrong cell hardly moves a colour."""
AGREEING = 3
"""A set of another size than 15 is believed when this many teachers show it on both sides, and most do."""


@dataclass(frozen=True)
class SameCamera:
    """The readings, in the pictures' order, and what they taught.

    appearance: None where no picture was sure enough to teach. checkers: a side, None where not learnt.
    """

    observations: tuple[Observation, ...]
    appearance: Appearance | None
    checkers: int | None


def read_all(frames: Sequence[Frame], geometry: BoardGeometry, reader: BoardReader) -> SameCamera:
    """Reads still frames of one board that lies at the same place in all of them.

    frames: of one size. geometry: the board's place; its bar is found from all frames where it is unknown.
    """
    columns = reader.columns
    placed = common_bar(frames, geometry, columns) if geometry.bar is None else geometry
    positions = [most_likely(columns.read(frame.image, placed, thorough=True)) for frame in frames]
    appearance, checkers = learnt(frames, placed, positions)
    return SameCamera(
        tuple(reader.read(frame, placed, appearance, alone=True) for frame in frames), appearance, checkers
    )


def common_bar(frames: Sequence[Frame], geometry: BoardGeometry, columns: ColumnReader) -> BoardGeometry:
    """The geometry with the bar where most frames have it: hands and checkers mislead a single one."""
    if not frames:
        return geometry
    found = np.array([columns.place_bar(frame.image, geometry).bar for frame in frames], np.float64)
    left, right = np.median(found, axis=0).tolist()
    return geometry.with_bar((left, right))


def learnt(
    frames: Sequence[Frame], placed: BoardGeometry, positions: Sequence[DecodedPosition]
) -> tuple[Appearance | None, int | None]:
    """The set's looks and its checkers a side, from the surest positions in which both sides lie on the board."""
    order = sorted(range(len(frames)), key=lambda index: -positions[index].confidence)
    teaching = [index for index in order if _teaches(positions[index])][:TEACHERS]
    known: Appearance | None = None
    for index in teaching:
        counts = positions[index].counts
        newer = _learnt_from(frames[index], placed, counts)
        if known is not None and _named_otherwise(newer, known):
            # Of two equally bright colours each picture may call either light: the surest picture's names hold.
            newer = _learnt_from(frames[index], placed, -counts)
        known = updated(known, newer) if known is not None else newer
    return known, _checkers_a_side([positions[index] for index in teaching])


def _teaches(position: DecodedPosition) -> bool:
    counts = position.counts
    return bool(
        position.confidence >= LEARNT_FROM and (counts > 0).any() and (counts < 0).any() and position.claimed.all()
    )


def _learnt_from(frame: Frame, placed: BoardGeometry, counts: npt.NDArray[np.int64]) -> Appearance:
    return learn_from_known(placed.canonical(frame.image), placed.bar, [int(count) for count in counts])


def _named_otherwise(newer: Appearance, known: Appearance) -> bool:
    """Whether the two sides' names are exchanged."""

    def apart(light: npt.NDArray[np.float32], dark: npt.NDArray[np.float32]) -> float:
        return float(np.linalg.norm(light - known.light) + np.linalg.norm(dark - known.dark))

    return apart(newer.dark, newer.light) < apart(newer.light, newer.dark)


def _checkers_a_side(positions: Sequence[DecodedPosition]) -> int | None:
    whole = Counter(
        light
        for light, dark in (
            (int(p.counts.clip(min=0).sum()) + p.bar[0], int((-p.counts).clip(min=0).sum()) + p.bar[1])
            for p in positions
        )
        if light == dark
    )
    if not whole:
        return None
    full, shown = whole.most_common(1)[0]
    return full if shown >= AGREEING and 2 * shown > len(positions) else None
