"""Who comes to a board's desk by way of its hub: the words that the board says for passes, and which passes still hold."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Collection

from controller.record.passes import GuestPass, read_pass

HOLDS_S = 90.0
"""Seconds for which a word can be used: the hub has it within seconds, the next one comes after ten."""


class Guests:
    """From any thread. page: where browsers find this board's page, "" where nobody else can; clock: monotonic, s: how long ago the
    board itself said a word is all that counts."""

    def __init__(self, page: Callable[[], str], clock: Callable[[], float] = time.monotonic) -> None:
        self.page, self._clock = page, clock
        self.still: Callable[[Collection[str]], None] = lambda passes: None
        """Takes the names of the passes that still hold, as the hub says again and again."""
        self._words: dict[str, float] = {}
        self._used: dict[str, float] = {}
        self._lock = threading.Lock()

    def word(self) -> str:
        """A new one, to be told to the hub."""
        made = secrets.token_hex(8)
        with self._lock:
            self._forget()
            self._words[made] = self._clock()
        return made

    def read(self, key: str, board: str, text: str, *, use: bool) -> GuestPass | None:
        """Whom a pass lets in at that board; None where it is none, is old, or was used. use: with this it is."""
        found = read_pass(key, text)
        with self._lock:
            self._forget()
            if found is None or found.board != board or found.door not in self._words or found.identity in self._used:
                return None
            if use:
                self._used[found.identity] = self._clock()
            return found

    def _forget(self) -> None:
        now = self._clock()
        self._words = {word: at for word, at in self._words.items() if now - at < HOLDS_S}
        self._used = {one: at for one, at in self._used.items() if now - at < HOLDS_S}
