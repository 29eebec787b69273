"""Gives memory that lies free inside the program back to the machine, now and then.

What a picture took is free once it is read, but the C library keeps it for the next: after a quarter of an hour 302 MB are held
without this and 273 with it, at no cost that can be measured (benchmarks/memory.py, docs/history/speed.md).
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable

EVERY_S = 10.0


class FreeMemory:
    """Asks the C library for it every so often: `give_back(now)` in a loop. Does nothing where the library can't (musl, macOS)."""

    def __init__(self, trim: Callable[[int], object] | None = None) -> None:
        """trim: glibc's malloc_trim, found where it is not given."""
        self._trim = trim or getattr(ctypes.CDLL(None), "malloc_trim", None)
        self._due = 0.0

    def give_back(self, now: float) -> None:
        """now: seconds, of whichever clock: one that begins anew does no harm."""
        if self._trim is not None and not self._due - EVERY_S <= now < self._due:
            self._trim(0)
            self._due = now + EVERY_S
