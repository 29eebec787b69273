"""A board's line to its hub: the one that the settings name, or the one that it has joined; changed while the board plays.

Who joins may be the page, or a command in a terminal: both write a file, and this looks at it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Protocol, Self

from controller.config import HubConfig
from controller.errors import ControllerError
from controller.record.joining import JoiningError
from controller.run.guests import Guests
from controller.run.joining import JoinedHub, forget_joined, join, load_joined, save_joined
from vision.sentence import Sentence
from web.joining import Guest, HubSeen
from web.view import Message
from web.words import message

LOOK_S = 2.0
"""Seconds between two looks at the file."""


class Line(Protocol):
    """An outbox, as this uses it."""

    @property
    def trouble(self) -> Sentence: ...

    @property
    def is_sent(self) -> bool: ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...


Open = Callable[[HubConfig], Line]


class HubLine:
    """Sends while it is open. named: the hub of the settings, None for none; path: the file of joining.py; opens: makes an outbox,
    or raises why it can't; tell: takes that sentence. From any thread."""

    def __init__(
        self,
        named: HubConfig | None,
        path: Path,
        opens: Open,
        tell: Callable[[str], None],
        guests: Guests | None = None,
    ) -> None:
        """guests: who may come to the desk by way of a hub that was joined with a code."""
        self._guests = guests
        self._named = named if named is not None and named.address is not None else None
        self._path, self._opens, self._tell = path, opens, tell
        self._joined: JoinedHub | None = None
        self._seen: tuple[int, int] | None = None
        self._trouble = self._kept = Sentence("")
        self._line: Line | None = None
        self._opened = ExitStack()
        self._lock = threading.RLock()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work, name="hub line", daemon=True)

    def __enter__(self) -> Self:
        """Raises ControllerError where the hub of the settings can't be reached as they say; of one that was joined it tells it."""
        if self._named is not None:
            self._line = self._opened.enter_context(self._opens(self._named))
        else:
            self._look()
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(timeout=LOOK_S)
        with self._lock:
            self._opened.close()

    @property
    def joined(self) -> JoinedHub | None:
        """The hub that this board has joined, where it uses that one."""
        with self._lock:
            return self._joined

    def seen(self) -> HubSeen:
        """For the board's page."""
        with self._lock:
            config = self._named or (self._joined.hub if self._joined else None)
            if config is None:
                return HubSeen(trouble=_worded(self._kept or self._trouble))
            line = self._line
            trouble = self._kept or (line.trouble if line else self._trouble)
            sent = line is not None and line.is_sent
            return HubSeen(config.name, config.address or "", _worded(trouble), sent, self._named is not None)

    def join(self, invitation: str) -> Message | None:
        """Joins the hub of CODE@ADDRESS; why not, where it could not."""
        if self._named is not None:
            return message(JoiningError("The settings of this board name its hub: it is changed there.").sentence)
        try:
            save_joined(self._path, join(invitation))
        except ControllerError as error:
            return message(error.sentence)
        self._look()
        return None

    def guest(self, text: str, *, use: bool) -> Guest | None:
        """Whom a pass of the hub lets in; None where it is none, is old, or was used. use: with this it is."""
        joined = self.joined
        if joined is None or self._guests is None:
            return None
        found = self._guests.read(joined.key, joined.hub.name, text, use=use)
        return None if found is None else Guest(found.who, found.role, found.identity)

    def leave(self) -> bool:
        """Belongs to no hub any more; what the hub has, it keeps. False where it belongs to one still: seen() says why."""
        if self._named is not None:
            return False
        try:
            forget_joined(self._path)
        except JoiningError as error:
            with self._lock:
                self._kept = error.sentence
            return False
        self._look()
        return True

    def _work(self) -> None:
        while not self._stop.wait(LOOK_S):
            self._look()

    def _look(self) -> None:
        """Takes what the file says now."""
        with self._lock:
            seen = self._version()
            if seen == self._seen:
                return
            self._seen, self._trouble, self._kept = seen, Sentence(""), Sentence("")
            self._opened.close()
            self._opened, self._line, self._joined = ExitStack(), None, None
            if self._guests is not None:
                self._guests.still(())  # Whom the hub of before had let in.
            try:
                joined = load_joined(self._path)
                if joined is not None:
                    self._line = self._opened.enter_context(self._opens(joined.hub))
                self._joined = joined
            except ControllerError as error:
                self._trouble = error.sentence
                self._tell(f"Hub: {error}")

    def _version(self) -> tuple[int, int] | None:
        try:
            found = self._path.stat()
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns


def _worded(sentence: Sentence) -> Message | None:
    return message(sentence) if sentence else None
