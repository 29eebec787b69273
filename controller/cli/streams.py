"""Standard streams that whoever started the program has closed, and names of files that are no text.

Python has None in the place of a closed one, and the system gives its number to the next file that is opened: what a library
complains of on standard error would go into a journal.
"""

from __future__ import annotations

import io
import os
import sys

CLOSED = (
    ("stdin", os.O_RDONLY, "r"),
    # What can't be written fails, so that nobody takes it for printed.
    ("stdout", os.O_RDONLY, "w"),
    ("stderr", os.O_WRONLY, "w"),
)
"""By number: the stream, and how the empty device is opened in its place."""


def open_streams() -> None:
    """Nothing is read from closed ones; what is printed fails, and what is told goes nowhere. What is no text is escaped."""
    for number, (name, flags, mode) in enumerate(CLOSED):
        if getattr(sys, name) is None:
            opened = os.open(os.devnull, flags)
            if opened != number and not _is_open(number):
                os.dup2(opened, number)
                os.close(opened)
                opened = number
            # Without a buffer, whose rest would fail once more when the interpreter ends.
            raw = io.FileIO(opened, mode)
            setattr(sys, name, io.TextIOWrapper(raw, "utf-8", "backslashreplace", write_through=True))
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors == "strict":
        sys.stdout.reconfigure(errors="backslashreplace")


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True
