"""Frames for ever: opens a source again when it vanishes, was never there, or has grown since it ended."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

from vision.frame import Frame
from vision.sentence import Sentence
from vision.sources.base import FrameSource, SourceError

FIRST_WAIT = 1.0
LONGEST_WAIT = 15.0
"""Seconds between attempts: a replugged camera is back before the players ask, and a Pi has little to do."""


def retrying(
    source_factory: Callable[[], FrameSource],
    wait: Callable[[float], bool],
    on_trouble: Callable[[str], None],
    on_end: Callable[[str], None] | None = None,
    *,
    from_the_start: bool = True,
) -> Iterator[Frame]:
    """The frames of the sources that source_factory opens one after another.

    A file that has ended is looked at again: only frames that have been added since are handed on, none twice.

    wait: sleeps so many seconds; True ends the iteration (threading.Event.wait fits).
    on_trouble: takes each new sentence for the players; the same trouble is told once, until a frame has come.
    on_end: takes the sentence when a file has ended, which is no trouble; None: on_trouble does.
    from_the_start: a source that has never given a frame is waited for too, as a camera that may be plugged in.

    Raises:
        SourceError: the first source can't be used, and is not to be waited for.
    """
    pause, last_trouble, come = FIRST_WAIT, "", from_the_start
    from_file, read_whole = 0, None
    while True:
        report = on_trouble
        try:
            source = source_factory()
            try:
                for frame in _frames_from(source, from_file, read_whole):
                    pause, last_trouble, come = FIRST_WAIT, "", True
                    from_file += not source.live
                    yield frame
                read_whole = source.total
                trouble = _ended(source, from_file)
                report = on_trouble if source.live else on_end or on_trouble
            finally:
                source.close()
        except Exception as error:  # Besides SourceError whatever OpenCV or the camera's library raises.
            trouble = error.sentence if isinstance(error, SourceError) else _failed(error)
            if not come:
                raise SourceError(trouble) from error
        if trouble != last_trouble:
            report(trouble)
            last_trouble = trouble
        if wait(pause):
            return
        pause = min(pause * 2, LONGEST_WAIT)


def _frames_from(source: FrameSource, start: int, read_whole: int | None) -> Iterator[Frame]:
    """What nobody has seen of it. read_whole: the total of a file when it was read to its end; by a film's header that is no more
    than about how many frames come."""
    if source.live:
        return source.frames()
    if source.total is not None and source.total == read_whole:
        return iter(())
    return islice(source.frames(), start, None)


def _ended(source: FrameSource, count: int) -> Sentence:
    if source.live:
        return Sentence("{name} has stopped giving pictures. Check its cable and plug it in again.", name=source.name)
    return Sentence(
        "{name} has ended after {count} frames. Frames added to it will be read; stop the program when done.",
        name=source.name,
        count=count,
    )


def _failed(error: Exception) -> Sentence:
    why = " ".join(str(error).split())[:200].rstrip(".") or type(error).__name__
    return Sentence("The pictures can't be taken ({why}). Check the camera and its cable; it is tried again.", why=why)
