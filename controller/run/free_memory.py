"""Gives memory that lies free inside the program back to the machine: large pieces at once, the others now and then.

What a picture took is free once it is read, but the C library keeps it for the next: after a quarter of an hour 302 MB are held
without this and 273 with it, at no cost that can be measured (benchmarks/memory.py, docs/history/speed.md).
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable

EVERY_S = 10.0

MMAP_THRESHOLD, ARENA_MAX = -3, -8
"""Parameters of glibc's mallopt, as its malloc.h numbers them."""

FROM_BYTES = 4_000_000
"""Larger pieces come straight from the machine and go straight back to it. By agreement: processor time; from 1 MB on an hour at
night holds 15 MB less and takes a fifth more of it."""


def keep_little() -> None:
    """Has the C library keep little of what is free: before threads are begun. Does nothing where it can't.

    By itself it takes larger and larger pieces, as pictures are, out of its own store, where what is kept comes to lie between
    them, and has a store for each thread, so that what one frees is kept from the others.
    """
    library = ctypes.CDLL(None)
    if hasattr(library, "malloc_trim"):  # glibc: another's mallopt has other numbers, if any
        library.mallopt(MMAP_THRESHOLD, FROM_BYTES)
        library.mallopt(ARENA_MAX, 1)


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
