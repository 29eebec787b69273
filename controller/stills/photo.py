"""A phone's photo of a board, as the page gets it, to a position for analysis programs."""

from __future__ import annotations

import time

from controller.errors import ControllerError
from controller.rules import BAR_INDEX
from controller.stills.position import Asked, StillError, still_of
from vision.errors import VisionError
from vision.finding import found_or_refused
from vision.frame import Frame
from vision.pictures.files import decode_picture
from vision.reading.reader import BoardReader
from vision.reading.report import reading_of
from web.operator import PhotoRead
from web.words import message

NAME = "The photo"

MOST_PIXELS = 50_000_000
"""What a phone's camera gives at most unless its owner asks for more; 150 MB once decoded, beside a game on a small machine."""


class PhotoError(ControllerError):
    """A photo that shows no position; the sentence says what to do."""


def read_photo(data: bytes, reader: BoardReader, asked: Asked | None = None) -> PhotoRead:
    """The position on a JPEG, PNG or WebP picture, turned as its EXIF data says. Raises PhotoError."""
    try:
        picture = decode_picture(data, NAME, MOST_PIXELS)
        started = time.perf_counter()
        found = found_or_refused(picture, NAME)
        geometry = reader.place(picture, found.corners)
        observation = reader.read(Frame(picture, 0.0, NAME), geometry, alone=True)
        seconds = time.perf_counter() - started
        reading = reading_of(NAME, observation, geometry, seconds, placed=found.confidence)
        still = still_of(reading, asked)
    except (VisionError, StillError) as error:
        raise PhotoError(error.sentence) from error
    position = still.position
    return PhotoRead(
        xgid=still.xgid,
        position=still.position_id,
        points=position.signed(),
        bar=(position.light[BAR_INDEX], position.dark[BAR_INDEX]),
        off=(15 - sum(position.light), 15 - sum(position.dark)),
        dice=tuple(die.value for die in reading.dice if not die.cocked),
        cube=reading.cube.shown if reading.cube else None,
        home=still.home,
        sure=reading.confidence,
        notes=tuple(map(str, still.notes)),
        messages=tuple(map(message, still.notes)),
    )
