"""What one look at the installation found."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec

Severity = Literal["ok", "note", "warning", "problem"]
"""note: could not be looked at, or is not used here; warning: works, badly; problem: a game cannot be refereed with it."""


class Finding(msgspec.Struct, frozen=True):
    """check: its name, the same in every version; sentence: what was found; do: what to do about it, empty where all is well."""

    check: str
    level: Severity
    sentence: str = msgspec.field(name="said")
    do: str = ""


def in_words(findings: Iterable[Finding]) -> str:
    """One line a finding, and below it what to do."""
    lines: list[str] = []
    for found in findings:
        lines.append(f"{_MARKS[found.level]} {found.check:<12} {found.sentence}")
        if found.do:
            lines.append(f"{'':>21}-> {found.do}")
    return "\n".join(lines)


_MARKS = {"ok": "[ ok ]", "note": "[note]", "warning": "[WARN]", "problem": "[FAIL]"}
