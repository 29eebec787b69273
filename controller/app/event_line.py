"""What the terminal says about an event: one line."""

from __future__ import annotations

import msgspec

from controller.referee.events import AnyEvent, Rewritten, kind


def sentence_of(event: AnyEvent) -> str:
    """One line for the terminal."""
    if isinstance(event, Rewritten):
        return " ".join([f"{kind(event):>8}", "; ".join(sentence_of(one).strip() for one in event.then)]).rstrip()
    fields = {name: value for name, value in msgspec.to_builtins(event).items() if name not in _QUIET}
    words = " ".join(filter(None, (_words(name, value) for name, value in fields.items())))
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
        "others",
        "then",
    }
)


def _words(name: str, value: object) -> str:
    """A field in words, "" where it says nothing."""
    match name, value:
        case "dice" | "score", [one, other]:
            return f"{one}-{other}"
        case "legal", _:
            return "" if value else "ILLEGAL"
        case "sure", _:
            return "" if value == 1.0 else f"(sure {value})"
        case "running", _:
            return f"runs for {value}" if value else "stands still"
        case "on", _:
            return "begins" if value else "ends"
        case _, True:
            return name
        case _, "" | None | False | 0 | []:
            return ""
        case "length" | "number" | "points" | "level" | "light" | "dark" | "rules" | "winner", _:
            return f"{name} {value}"
        case _, [*several]:
            return ", ".join(map(str, several))
    return str(value)
