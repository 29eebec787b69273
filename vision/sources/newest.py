"""The newest frame wins: a thread reads a live source, so that slow work behind it never falls behind the board."""

from __future__ import annotations

import threading
from collections.abc import Iterator

from vision.frame import Frame


class LatestFrame:
    """Reads frames in a thread of its own and keeps only the newest; older ones not yet taken are dropped and counted.

    For live sources. A file should be read frame by frame instead, or it rushes past.
    May be used by one thread besides its own. As a context manager it starts and closes itself.
    """

    def __init__(self, frames: Iterator[Frame], name: str = "capture") -> None:
        self._frames = frames
        self._news = threading.Condition()
        self._newest: Frame | None = None
        self._error: Exception | None = None
        self._ended = False
        self._closing = False
        self._dropped = 0
        self._captured = 0
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    @property
    def dropped(self) -> int:
        """Frames that were replaced by a newer one before anybody took them."""
        return self._dropped

    @property
    def captured(self) -> int:
        """Frames that came from the source in all."""
        return self._captured

    def start(self) -> LatestFrame:
        """Start reading."""
        self._thread.start()
        return self

    def take(self, timeout: float | None = None) -> Frame | None:
        """The newest frame not yet taken; waits for one. None when timeout seconds pass without one, or at the end.

        Raises:
            SourceError: or whatever else the source raised, after the last frame was taken.
        """
        with self._news:
            self._news.wait_for(lambda: self._newest is not None or self._ended, timeout)
            frame, self._newest = self._newest, None
            if frame is None and self._error is not None:
                raise self._error
            return frame

    @property
    def ended(self) -> bool:
        """The source has ended and its last frame was taken."""
        with self._news:
            return self._ended and self._newest is None

    def close(self) -> None:
        """Stop reading after the frame that is being waited for, for at most two seconds."""
        self._closing = True
        if self._thread.is_alive():
            self._thread.join(2.0)

    def __enter__(self) -> LatestFrame:
        return self.start()

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _run(self) -> None:
        error: Exception | None = None
        try:
            for frame in self._frames:
                with self._news:
                    self._dropped += self._newest is not None
                    self._captured += 1
                    self._newest = frame
                    self._news.notify_all()
                if self._closing:
                    break
        except Exception as raised:  # handed to the thread that takes
            error = raised
        with self._news:
            self._error, self._ended = error, True
            self._news.notify_all()
