"""What the terminal says about an event: one line."""

from __future__ import annotations

import msgspec

from controller.referee.events import AnyEvent, Rewritten, kind


def sentence_of(event: AnyEvent) -> str:
    """One line for the terminal."""
    if isinstance(event, Rewritten):
        return " ".join([f"{kind(event):>8}", "; ".join(sentence_of(one).strip() for one in event.then)]).rstrip()
    fields = {name: value for name, value in msgspec.to_builtins(event).items() if name not in _QUIET}
    words = " ".join(_words(name, value) for name, value in fields.items())
    return f"{kind(event):>8}  {words}".rstrip()


_QUIET = frozenset(
    {
        "type",
        "seconds",
        "before",
        "after",
        "moves",
        "roll_seen",
        "position",
        "keys",
        "reasons",
        "took",
        "redo",
        "said",
        "then",
    }
)


def _words(name: str, value: object) -> str:
    if name == "dice" and isinstance(value, (list, tuple)):
        return "-".join(str(die) for die in value)
    if name == "legal":
        return "" if value else "ILLEGAL"
    if name == "sure":
        return "" if value == 1.0 else f"(sure {value})"
    if name == "running":
        return f"runs for {value}" if value else "stands still"
    if value in ("", None, False):
        return ""
    if name in ("length", "number", "points", "level", "light", "dark", "rules", "winner"):
        return f"{name} {value}"
    return str(value)
