"""The one thread in which GNU Backgammon is asked while nobody waits for it. Whatever it does, the referee goes on."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Self

LOOK_S = 1.0
"""Seconds between two looks whether there is anything to ask."""

AFTER_FAULT_S = 60.0
"""Seconds until it looks again after a fault that nobody foresaw: it may come back each time."""

LEAVE_S = 5.0
"""Seconds in which it should have stopped."""

_log = logging.getLogger(__name__)

Task = Callable[[Callable[[], bool]], bool]
"""Asks one thing, if there is any, as long as what it is given says that an answer is wanted; whether there was."""


class Engine:
    """Does one task at a time, the first that has anything to do. A context manager: the thread lives inside it."""

    def __init__(self, tasks: Sequence[Task], look_s: float = LOOK_S, after_fault_s: float = AFTER_FAULT_S) -> None:
        self._tasks, self._look_s, self._after_fault_s = tasks, look_s, after_fault_s
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="gnubg", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join(LEAVE_S)

    @property
    def alive(self) -> bool:
        """Whether the thread is there."""
        return self._thread.is_alive()

    def _run(self) -> None:
        pause = 0.0
        while not self._stop.wait(pause):
            try:
                busy = any(task(lambda: not self._stop.is_set()) for task in self._tasks)
                pause = 0.0 if busy else self._look_s
            except Exception:  # What goes wrong here must not end it, and is none of the players' business.
                _log.exception("GNU Backgammon could not be asked.")
                pause = self._after_fault_s
