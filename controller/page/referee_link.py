"""The way from the web's threads to the referee's: what is asked waits to be served, how things stand is read at once."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as TooLong
from typing import Any, TypeVar

from controller.app.referee import Referee
from controller.app.status import Status, StatusBoard
from controller.referee.commands import CommandError

T = TypeVar("T")

BUSY = "The referee is busy and did not answer. Say it again."

PATIENCE = 3.0
"""Seconds that a person waits for an answer. The referee takes one between two frames, which take it 0.2 s at most."""


class RefereeLink:
    """The web's threads call; serve() runs in the referee's loop. asked: set when something waits for it."""

    def __init__(self, status: StatusBoard) -> None:
        self._status = status
        self._waiting: queue.Queue[tuple[Callable[[Referee], Any], Future[Any]]] = queue.Queue()
        self.asked = threading.Event()

    def serve(self, referee: Referee) -> None:
        """Does in the referee's thread what was asked since the last call."""
        while True:
            try:
                do, answer = self._waiting.get_nowait()
            except queue.Empty:
                return
            if answer.set_running_or_notify_cancel():
                try:
                    answer.set_result(do(referee))
                except Exception as error:  # told to the thread that asked
                    answer.set_exception(error)

    @property
    def status(self) -> Status | None:
        """How things stand; None before there is a referee."""
        return self._status.latest

    def pass_on(self, do: Callable[[Referee], object]) -> None:
        """It is done when the referee comes to it; nobody waits for that."""
        self._put(do, Future())

    def ask(self, do: Callable[[Referee], T]) -> T:
        """What the referee answers. Raises CommandError where it does not answer in time; then it does not do it either."""
        answer: Future[T] = Future()
        self._put(do, answer)
        try:
            return answer.result(PATIENCE)
        except TooLong as error:
            if answer.cancel():
                raise CommandError(BUSY) from error
            raise CommandError(
                "The referee is still at it. Look whether it was done before you say it again."
            ) from error

    def _put(self, do: Callable[[Referee], object], answer: Future[Any]) -> None:
        """Behind all that was asked before; the referee is woken."""
        self._waiting.put((do, answer))
        self.asked.set()
