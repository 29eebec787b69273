"""What was asked for twice under one key is done once: whoever lost the answer on the way asks again, and hears it."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future

from web.operator import Answer

KEY = "Idempotency-Key"
"""The header that holds it: any text that nobody else sends, the same for each try of one act."""
MOST_KEPT = 256
"""Answers that are kept; a page asks again within a minute, and an operator gives some commands in that time."""


class Answered:
    """Called from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._answers: OrderedDict[Hashable, Future[Answer]] = OrderedDict()

    def once(self, asked: Hashable, do: Callable[[], Answer]) -> Answer:
        """The answer of the first try, which may still be under way; what fails with an error may be tried anew."""
        with self._lock:
            answer = self._answers.get(asked)
            first = answer is None
            if answer is None:
                answer = self._answers[asked] = Future()
                if len(self._answers) > MOST_KEPT:
                    self._answers.popitem(last=False)
        if first:
            try:
                answer.set_result(do())
            except BaseException as error:
                with self._lock:
                    self._answers.pop(asked, None)
                answer.set_exception(error)
        return answer.result()
