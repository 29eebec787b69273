"""The order in which people look for names."""

from __future__ import annotations

import re


def natural_key(name: str) -> tuple[tuple[int, int, str], ...]:
    """Sort key by which "frame_10" comes after "frame_9", ignoring case, with digits before letters."""
    parts = re.findall(r"[0-9]+|[^0-9]+", name.casefold())
    return tuple((0, int(part), "") if part[0] in "0123456789" else (1, 0, part) for part in parts)
