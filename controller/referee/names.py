"""What people are called, as it may be shown, kept and exported."""

from __future__ import annotations


def printable(name: str) -> str:
    """A name on one line: control characters, line and paragraph separators, marks that turn the direction of writing and
    bytes that are no text become spaces, and spaces are counted once."""
    return " ".join("".join(c if c.isprintable() else " " for c in name).split())
