"""The protocol that every source of frames keeps, and its error."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from vision.errors import VisionError
from vision.frame import Frame


class SourceError(VisionError):
    """One sentence or two for the player: what happened to the source, and what to do about it."""


class FrameSource(Protocol):
    """A source that has been opened. One consumer; not shared between threads.

    name: the source in words, to begin a sentence with.
    live: the frames come as time passes; False for files, which end.
    total: how many frames there are to come in all, of a film about how many; None where nobody can know (live sources); duration:
    likewise, seconds.
    """

    @property
    def name(self) -> str: ...

    @property
    def live(self) -> bool: ...

    @property
    def total(self) -> int | None: ...

    @property
    def duration(self) -> float | None: ...

    def frames(self) -> Iterator[Frame]:
        """The frames in order; their seconds always grow.

        The monotonic clock's for a live source; a file's own, from 0. Ends where a file ends.

        Raises:
            SourceError: a live source vanished, or a frame of a file can't be read.
        """
        ...

    def close(self) -> None:
        """Give the device or file back. May be called twice."""
        ...
