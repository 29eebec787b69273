"""Smart Game Format itself: trees of nodes of properties, whatever the game. Source: the FF[4] specification."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from controller.record.model import RecordError

NODE_LIMIT = 20_000
TREE_LIMIT = 5000

_VALUE = re.compile(r"((?:[^\]\\]++|\\.)*+)\]", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


@dataclass(frozen=True)
class Node:
    """Properties in the order of the file, each with its values, unescaped. line: where the node begins."""

    line: int
    properties: dict[str, list[str]] = field(default_factory=dict)

    def first(self, name: str, default: str = "") -> str:
        """The first value of a property."""
        values = self.properties.get(name, ())
        return values[0] if values else default


def parse_sgf(text: str) -> list[list[Node]]:
    """The main line of every game tree: variations after the first are skipped.

    Raises RecordError where the text breaks the grammar, with the line.
    """
    trees: list[list[Node]] = []
    depth = 0
    # A tree's first child continues the main line; later children are variations.
    is_main: list[bool] = []
    has_child: list[bool] = []
    for line, kind, value in _tokens(text):
        if kind == "(":
            main = not is_main or (is_main[-1] and not has_child[-1])
            if has_child:
                has_child[-1] = True
            is_main.append(main)
            has_child.append(False)
            depth += 1
            if depth == 1:
                if len(trees) >= TREE_LIMIT:
                    raise RecordError(f"line {line}: more than {TREE_LIMIT} games; no match is that long.")
                trees.append([])
        elif kind == ")":
            if depth == 0:
                raise RecordError(f"line {line}: a ')' too many; the file is not valid SGF.")
            depth -= 1
            is_main.pop()
            has_child.pop()
        elif depth == 0:
            raise RecordError(f"line {line}: text outside of a game; the file is not valid SGF.")
        elif is_main[-1]:
            _take(trees[-1], line, kind, value)
    if depth:
        raise RecordError("The file ends in the middle of a game; it may have been cut off.")
    return [tree for tree in trees if tree]


def _take(tree: list[Node], line: int, kind: str, value: str) -> None:
    if kind == ";":
        if len(tree) >= NODE_LIMIT:
            raise RecordError(f"line {line}: more than {NODE_LIMIT} nodes in a game; no game is that long.")
        tree.append(Node(line))
        return
    if not tree:
        raise RecordError(f"line {line}: a property before the first ';'; the file is not valid SGF.")
    properties = tree[-1].properties
    if kind == "name":
        properties.setdefault(value, [])
    elif properties:
        properties[next(reversed(properties))].append(value)
    else:
        raise RecordError(f"line {line}: a value without a property; the file is not valid SGF.")


def _tokens(text: str) -> Iterator[tuple[int, str, str]]:
    """(line, kind, value): kind "(", ")", ";", "name" or "value". Names lose their lower-case letters, as in FF[3]."""
    place, line, length = 0, 1, len(text)
    while place < length:
        char = text[place]
        if char == "\n":
            line += 1
        elif char in "();":
            yield line, char, ""
        elif char == "[":
            value, end = _value(text, place + 1, line)
            yield line, "value", value
            line += text.count("\n", place, end)
            place = end
        elif char.isascii() and char.isalpha():
            end = place
            while end < length and text[end].isascii() and text[end].isalnum():
                end += 1
            yield line, "name", "".join(c for c in text[place:end] if not c.islower())
            place = end - 1
        elif not char.isspace() and char != "\ufeff":
            raise RecordError(f"line {line}: {char!r} has no place there; the file is not valid SGF.")
        place += 1


def _value(text: str, start: int, line: int) -> tuple[str, int]:
    """The value up to its closing bracket, and the place of that bracket."""
    found = _VALUE.match(text, start)
    if found is None:
        raise RecordError(f"line {line}: a '[' is never closed; the file may have been cut off.")
    # An escaped line end is no part of the value.
    return _ESCAPED.sub(lambda escaped: escaped[1].removeprefix("\n"), found[1]), found.end() - 1


def escape(value: str) -> str:
    """A value as it stands between brackets."""
    return value.replace("\\", "\\\\").replace("]", "\\]")
