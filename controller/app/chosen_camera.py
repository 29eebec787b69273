"""The camera that somebody has chosen on the page, in the place of the one that the settings name."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from controller.record.owners import replace_file
from controller.referee.commands import CommandError
from vision.frame import Frame
from vision.outside import read_regular
from vision.sources import FrameSource, SourceError, spelled_once

LONGEST = 4096
"""bytes of the file; a name takes a hundred."""

STEP = 0.2
"""Seconds between two looks whether another camera was chosen while none gives pictures."""


class _StoredChoice(msgspec.Struct):
    """instead_of: what the settings named then; once they name another, the choice is over."""

    source: str
    instead_of: str


class ChosenCamera:
    """Opens it, and ends its frames when another is chosen; the page's threads choose, the capture's opens.

    configured: the settings' source; file: where a choice is kept; opener: opens a source by its text, as the settings ask;
    clock: that of live frames, seconds.
    """

    def __init__(
        self,
        configured: str,
        file: Path,
        opener: Callable[[str], FrameSource],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.configured, self.opener, self._file, self._clock = configured, opener, file, clock
        self._since = -math.inf
        self.source = _kept(file, configured) or configured
        self._anew = threading.Event()

    def choose(self, source: str) -> None:
        """From now on it is this one. Raises CommandError where that can't be kept for the next start."""
        if source == self.source:
            return
        self.source, self._since = source, math.inf
        self._anew.set()
        try:
            replace_file(self._file, msgspec.json.encode(_StoredChoice(source, self.configured)))
        except OSError as error:
            raise CommandError(
                "{file} can't be written ({why}): the camera is used, but not remembered.",
                file=self._file,
                why=error.strerror,
            ) from error

    def open(self) -> FrameSource:
        """The source that is chosen now. Raises SourceError."""
        self._anew.clear()
        self._since = self._clock()
        return _UntilAnother(self.opener(self.source), self._anew)

    def gave(self, frame: Frame) -> bool:
        """Whether a frame may be of the camera that is chosen: one that waited to be looked at when another was chosen is not."""
        return frame.seconds >= self._since

    def waiting(self, wait: Callable[[float], bool]) -> Callable[[float], bool]:
        """The same wait, which ends early when another camera is chosen. wait: True where it is to end altogether."""

        def until_another(seconds: float) -> bool:
            left = seconds
            while left > 0 and not self._anew.is_set():
                if wait(min(left, STEP)):
                    return True
                left -= STEP
            return False

        return until_another


class _UntilAnother:
    """A source until another is to be opened."""

    def __init__(self, source: FrameSource, another: threading.Event) -> None:
        self._source, self._another = source, another
        self.name, self.live, self.total, self.duration = source.name, source.live, source.total, source.duration

    def frames(self) -> Iterator[Frame]:
        """Its frames. Raises SourceError."""
        for frame in self._source.frames():
            yield frame
            if self._another.is_set():
                raise SourceError("Another camera was chosen: it is being opened.")

    def close(self) -> None:
        """Gives it back."""
        self._source.close()


def _kept(file: Path, configured: str) -> str | None:
    """What was chosen in the place of that source, however it is spelled; None where nothing was, or the file is damaged."""
    try:
        if not file.is_file():
            return None
        kept = msgspec.json.decode(read_regular(file, LONGEST), type=_StoredChoice)
    except (OSError, ValueError, RecursionError):
        return None
    named = spelled_once(configured)
    if spelled_once(kept.instead_of) != named or spelled_once(kept.source) == named:
        return None
    return kept.source
