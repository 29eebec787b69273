"""Frames for ever: opens a source again when it vanishes, was never there, or has grown since it ended."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

from vision.frame import Frame
from vision.sources.base import FrameSource, SourceError

FIRST_WAIT = 1.0
LONGEST_WAIT = 15.0
"""Seconds between attempts: a replugged camera is back before the players ask, and a Pi has little to do."""


def retrying(
    source_factory: Callable[[], FrameSource], wait: Callable[[float], bool], on_trouble: Callable[[str], None]
) -> Iterator[Frame]:
    """The frames of the sources that source_factory opens one after another.

    A file that has ended is looked at again: only frames that have been added since are handed on, none twice.

    wait: sleeps so many seconds; True ends the iteration (threading.Event.wait fits).
    on_trouble: takes each new sentence for the players; the same trouble is told once, until a frame has come.
    """
    pause, told, from_file = FIRST_WAIT, "", 0
    while True:
        try:
            source = source_factory()
            try:
                for frame in _frames_from(source, from_file):
                    pause, told = FIRST_WAIT, ""
                    from_file += not source.live
                    yield frame
                trouble = _ended(source, from_file)
            finally:
                source.close()
        except SourceError as error:
            trouble = str(error)
        if trouble != told:
            on_trouble(trouble)
            told = trouble
        if wait(pause):
            return
        pause = min(pause * 2, LONGEST_WAIT)


def _frames_from(source: FrameSource, start: int) -> Iterator[Frame]:
    if source.live:
        return source.frames()
    if source.total is not None and source.total <= start:
        return iter(())
    return islice(source.frames(), start, None)


def _ended(source: FrameSource, count: int) -> str:
    if source.live:
        return f"{source.name} has stopped giving pictures. Check its cable and plug it in again."
    return f"{source.name} has ended after {count} frames. Frames added to it will be read; stop the program when done."
