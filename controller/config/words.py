"""How settings are said in words: a value as a file has it, and what it may be."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from datetime import date, time
from itertools import islice

from msgspec import inspect

from controller.record.wire import NAME

SHOWN = 8
"""Parts of a list or a section that a sentence has room for."""

NO_SIGNS, NO_SIGNS_OR_EMPTY = r"^[^+#\x00-\x1f\x7f]+\Z", r"^[^+#\x00-\x1f\x7f]*\Z"
NO_ZERO = r"^[^\x00]*\Z"
HOST_NAME = r"^[^\s/]+$"
FRAME = r"^https?://[A-Za-z0-9.:*\[\]-]{1,250}$"
_PORT, _IPV6 = "(:[0-9]{1,5})?", r"[0-9A-Fa-f.]*:[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*(%\w+)?"
ADDRESS = rf"^([^\s/@:\[\]]+{_PORT}|\[{_IPV6}\]{_PORT}|{_IPV6})$"
ORIGIN = r"^(\*|https?://[A-Za-z0-9.:\[\]-]{1,250})$"
CALLED = "^https?://[^/ ]+/[^ ]+$"
CONTACT = r"^(mailto:[^\s@]+@[^\s@]+|https://[^\s]+)$"
NO_PORT = r"^([^\s/@:\[\]]+|[0-9A-Fa-f:.]+|\[[0-9A-Fa-f:.]+\])$"
PATTERNS = {
    NO_SIGNS: " without + and #, and without signs that nobody sees",
    NO_SIGNS_OR_EMPTY: " without + and #, and without signs that nobody sees",
    NO_ZERO: " without zero bytes",
    FRAME: " such as https://club.example",
    HOST_NAME: " such as board.example.org",
    ADDRESS: " such as hub.local or hub.local:8883",
    ORIGIN: " such as https://club.example, or *",
    CALLED: " such as https://ntfy.example/our-hall",
    CONTACT: " such as mailto:director@club.example or https://club.example",
    NO_PORT: " such as hub.local, without a port",
    NAME: " of at most 40 small letters, digits and hyphens, which begins with no hyphen",
}
"""What a text has to be, as the end of "a text"."""


def shortened(text: str, longest: int) -> str:
    """The text, or its beginning and three dots."""
    return text if len(text) <= longest else text[:longest] + "..."


def as_toml(value: object) -> str:
    """A value as a settings file has it, or where it has no such thing, in words."""
    match value:
        case None:
            return "nothing"
        case bool():
            return "true" if value else "false"
        case int():
            digits = int(value.bit_length() * 0.30103) + 1
            return str(value) if digits <= 40 else f"a number of {digits} digits"
        case float():
            return f"{value!r}, which is no number to count with" if not math.isfinite(value) else repr(value)
        case date() | time():
            return f'"{value}", which without quotes is a date or a time'
        case str():
            return '"' + shortened(value, 60).encode("unicode_escape").decode("ascii").replace('"', '\\"') + '"'
        case Mapping():
            return "{" + _listed(f"{key} = {as_toml(one)}" for key, one in value.items()) + "}"
        case list() | tuple():
            return "[" + _listed(map(as_toml, value)) + "]"
    return f'"{value}"'


def _listed(parts: Iterable[str]) -> str:
    """The first of them, and three dots where there are more."""
    first = list(islice(parts, SHOWN + 1))
    return ", ".join([*first[:SHOWN], "..."] if len(first) > SHOWN else first)


def in_words(kind: inspect.Type) -> str:
    """What a value of that kind is: what it should be, where it is something else."""
    match kind:
        case inspect.UnionType(types=types):
            return " or ".join(in_words(one) for one in types if not isinstance(one, inspect.NoneType))
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType(ge=low, le=high):
            return f"a whole number from {low} to {high}"
        case inspect.FloatType(ge=None, le=high):
            return f"a number above 0, at most {high:g}"
        case inspect.FloatType(ge=low, le=high):
            return f"a number from {low:g} to {high:g}"
        case inspect.StrType():
            return f'a text in "quotes"{_size_in_words(kind)}'
        case inspect.LiteralType(values=values):
            return "one of " + ", ".join(map(as_toml, values))
        case inspect.TupleType(item_types=items):
            return f"[a, b] with each {in_words(items[0])}"
        case inspect.VarTupleType(item_type=item, max_length=most):
            return f"a list{f' of at most {most}' if most else ''}, [a, b, ...], each {in_words(item)}"
        case inspect.DictType(value_type=value):
            return f"a section of names, each with {in_words(value)}"
    return "a section"


def _size_in_words(kind: inspect.StrType) -> str:
    least, most = kind.min_length or 0, kind.max_length
    size = f" of {least} to {most} letters" if least and most else f" of at most {most} letters" if most else ""
    size = size or (" that is not empty" if least else "")
    return size + (PATTERNS[kind.pattern] if kind.pattern else "")
