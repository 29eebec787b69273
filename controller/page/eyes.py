"""One reader for every picture that people at the page want looked at: in a thread of its own, one picture at a time.

The networks hold what their largest picture took, in every thread that uses them; so the web's many threads use this one.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as TooLong
from typing import TypeVar

from controller.errors import ControllerError
from vision.finding import forget
from vision.reading.reader import BoardReader

T = TypeVar("T")

WAITING = 4
"""Pictures that may wait. One takes a second or two on a Pi, so that nobody waits for more than some ten."""

PATIENCE = 30.0
"""Seconds after which somebody who waits is sent away."""

IDLE_S = 30.0
"""Seconds without a picture after which the networks are given back."""

BUSY = "Other pictures are being looked at. Try again in a moment."
TOO_SLOW = "It takes too long to look at this picture here. Try again later, or with a smaller one."


class EyesBusy(ControllerError):
    """Too many pictures at once, or one that takes too long; a sentence."""


class Eyes:
    """Looks at pictures for any thread."""

    def __init__(self, idle: float = IDLE_S) -> None:
        self._idle = idle
        self._waiting: queue.Queue[tuple[Callable[[BoardReader], object], Future[object]]] = queue.Queue(WAITING)
        self._lock = threading.Lock()
        self._working = False

    def look(self, do: Callable[[BoardReader], T], patience: float = PATIENCE, too_slow: str = TOO_SLOW) -> T:
        """What `do` finds with the reader. Raises EyesBusy, after so many seconds at the latest, and what `do` raises.

        too_slow: what to say where `do` is at it still.
        """
        answer: Future[object] = Future()
        with self._lock:
            try:
                self._waiting.put_nowait((do, answer))
            except queue.Full:
                raise EyesBusy(BUSY) from None
            if not self._working:
                self._working = True
                threading.Thread(target=self._run, name="photos", daemon=True).start()
        try:
            return answer.result(patience)  # type: ignore[return-value]  # what `do` gave
        except TooLong:
            raise EyesBusy(BUSY if answer.cancel() else too_slow) from None

    def _run(self) -> None:
        """Until nobody has asked for a while."""
        reader: BoardReader | None = None
        while True:
            try:
                do, answer = self._waiting.get(timeout=self._idle)
            except queue.Empty:
                with self._lock:
                    if not self._waiting.empty():
                        continue
                    self._working = False
                    break
            if answer.set_running_or_notify_cancel():
                try:
                    reader = reader or BoardReader()
                    answer.set_result(do(reader))
                except Exception as error:  # told to the thread that asked
                    answer.set_exception(error)
            del do, answer  # They hold the picture.
        forget()
