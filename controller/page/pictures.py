"""Where the board lies in a camera's picture, for the page."""

from __future__ import annotations

from controller.app.answers import no_board
from controller.stills.position import StillError, still_of
from vision.board.geometry import GeometryError
from vision.board.weaknesses import weaknesses
from vision.finding import BoardLocation, NotFound, find_board
from vision.frame import Frame
from vision.reading.reader import BoardReader
from vision.reading.report import reading_of
from vision.sentence import Sentence
from web.operator import FoundBoard, NoBoard
from web.words import message

UNSURE = 0.6
"""Corners less likely right than this are doubtful."""


def board_in(frame: Frame, reader: BoardReader) -> FoundBoard | NoBoard:
    """Where the board lies in a frame, or why it is not found."""
    found = find_board(frame.image)
    if isinstance(found, NotFound):
        return no_board(Sentence(found.reason), frame.size)
    weak = _weak(frame, found)
    return FoundBoard(
        " ".join(f"{x:.0f},{y:.0f}" for x, y in found.corners),
        _home(frame, found, reader),
        round(found.confidence, 3),
        frame.size,
        tuple(tuple(map(str, one)) for one in weak),
        tuple(message(one[0].followed_by(*one[1:])) for one in weak),
    )


def _weak(frame: Frame, found: BoardLocation) -> tuple[tuple[Sentence, ...], ...]:
    """What is weak about the picture, and about what was found in it, in sentences."""
    doubtful = Sentence("The corners are doubtful. Look at each with care.")
    weak: tuple[tuple[Sentence, ...], ...] = tuple(one.sentences for one in weaknesses(frame.image, found.corners))
    return weak if found.confidence >= UNSURE else (*weak, (doubtful,))


def _home(frame: Frame, found: BoardLocation, reader: BoardReader) -> str | None:
    """Where light bears off, as the checkers tell; None where they don't."""
    try:
        geometry = reader.place(frame.image, found.corners)
        reading = reading_of(frame.name, reader.read(frame, geometry), geometry, 0.0)
        still = still_of(reading)
    except (GeometryError, StillError):
        return None
    return still.home if still.home_seen else None
