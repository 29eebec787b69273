"""Where the referee's frames come from, as its loop takes them: every frame of a recording, or none at all."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator
from typing import Protocol, Self

from vision.frame import Frame


class FrameFeed(Protocol):
    """What the loop takes frames from; vision's LatestFrame is one for live sources."""

    def take(self, timeout: float | None = None) -> Frame | None:
        """The next frame; None when so many seconds pass without one. Raises what the source raised."""

    @property
    def ended(self) -> bool:
        """No frame will come any more."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *exception: object) -> None: ...


class EveryFrame:
    """Reads frames in a thread of its own and hands over each; it reads on only when one was taken."""

    def __init__(self, frames: Iterator[Frame]) -> None:
        self._frames = frames
        self._slot: queue.Queue[Frame] = queue.Queue(1)
        self._error: Exception | None = None
        self._over = threading.Event()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="capture", daemon=True)

    def take(self, timeout: float | None = None) -> Frame | None:
        """The next frame; None when so many seconds pass without one. Raises what the source raised."""
        if self.ended:
            if self._error is not None:
                raise self._error
            return None
        try:
            frame = self._slot.get(timeout=timeout)
        except queue.Empty:
            return None
        self._slot.task_done()
        return frame

    @property
    def ended(self) -> bool:
        """The source has ended, and its last frame was taken."""
        return self._over.is_set() and self._slot.empty()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._closing.set()
        while not self._slot.empty():
            self.take(0)
        self._thread.join(2.0)

    def _run(self) -> None:
        try:
            for frame in self._frames:
                if self._closing.is_set():
                    break
                self._slot.put(frame)
                self._slot.join()
        except Exception as raised:  # handed to the thread that takes
            self._error = raised
        self._over.set()


class NoFrames:
    """A table without a camera, or after the end of what there was to see: the match is kept by hand."""

    ended = False

    def __init__(self, wanted: threading.Event) -> None:
        """wanted: set by whoever has something else for the loop to do."""
        self._wanted = wanted

    def take(self, timeout: float | None = None) -> Frame | None:
        """None, after waiting, but at once when the loop is wanted for something else."""
        self._wanted.wait(timeout)
        self._wanted.clear()
        return None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None: ...
