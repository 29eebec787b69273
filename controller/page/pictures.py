"""Where the board lies in a camera's picture, for the page."""

from __future__ import annotations

from controller.stills.position import StillError, still_of
from vision.board.geometry import GeometryError
from vision.board.weaknesses import weaknesses
from vision.finding import BoardLocation, NotFound, find_board
from vision.frame import Frame
from vision.reading.reader import BoardReader
from vision.reading.report import reading_of
from web.operator import FoundBoard, NoBoard

UNSURE = 0.6
"""Corners less likely right than this are doubtful."""


def board_in(frame: Frame, reader: BoardReader) -> FoundBoard | NoBoard:
    """Where the board lies in a frame, or why it is not found."""
    found = find_board(frame.image)
    if isinstance(found, NotFound):
        return NoBoard(found.reason, frame.size)
    return FoundBoard(
        " ".join(f"{x:.0f},{y:.0f}" for x, y in found.corners),
        _home(frame, found, reader),
        round(found.confidence, 3),
        frame.size,
        _weak(frame, found),
    )


def _weak(frame: Frame, found: BoardLocation) -> tuple[tuple[str, ...], ...]:
    """What is weak about the picture, and about what was found in it, in sentences."""
    sentence = "The corners are doubtful. Look at each with care."
    said: tuple[tuple[str, ...], ...] = tuple(one.words for one in weaknesses(frame.image, found.corners))
    return said if found.confidence >= UNSURE else (*said, (sentence,))


def _home(frame: Frame, found: BoardLocation, reader: BoardReader) -> str | None:
    """Where light bears off, as the checkers tell; None where they don't."""
    try:
        geometry = reader.place(frame.image, found.corners)
        reading = reading_of(frame.name, reader.read(frame, geometry), geometry.corners, 0.0)
        still = still_of(reading)
    except (GeometryError, StillError):
        return None
    return still.home if still.home_seen else None
