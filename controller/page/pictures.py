"""Where the board lies in a camera's picture, for the page."""

from __future__ import annotations

from controller.stills.position import StillError, still_of
from vision.board.geometry import GeometryError
from vision.finding import BoardLocation, NotFound, find_board
from vision.finding.weaknesses import weaknesses
from vision.frame import Frame
from vision.reading.reader import BoardReader
from vision.reading.report import reading_of
from web.operator import FoundBoard, NoBoard


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
        weaknesses(frame.image, found),
    )


def _home(frame: Frame, found: BoardLocation, reader: BoardReader) -> str | None:
    """Where light bears off, as the checkers tell; None where they don't."""
    try:
        geometry = reader.place(frame.image, found.corners)
        reading = reading_of(frame.name, reader.read(frame, geometry), geometry.corners, 0.0)
        still = still_of(reading)
    except (GeometryError, StillError):
        return None
    return still.home if still.home_seen else None
