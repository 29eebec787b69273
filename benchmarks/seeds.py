"""Seeds as a command takes them: one, or FIRST-LAST."""

from __future__ import annotations


def seeds_in(text: str) -> range:
    """Those of "7" or "7-12", the last one included. Raises ValueError for anything else."""
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)
